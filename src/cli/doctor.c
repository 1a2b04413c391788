/* SPDX-License-Identifier: MIT
 *
 * The probes that belong to no other folder.
 */
#include "base/dirs.h"
#include "base/probe.h"
#include "cli/handoff.h"
#include "cli/settings.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define TREE_BYTES ((size_t)64 << 20)

probe_fn doctor_kernel, doctor_net, doctor_state, doctor_config;

/* Landlock came with 5.13; nothing else that is required is newer. */
void doctor_kernel(struct probe *p) {
    struct utsname u;
    unsigned major = 0, minor = 0;
    if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2) {
        probe_says(p, PROBE_MISSING, "cannot tell the version");
        return;
    }
    bool new_enough = major > 5 || (major == 5 && minor >= 13);
    probe_says(p, new_enough ? PROBE_THERE : PROBE_MISSING, "%s %s", u.release,
               u.machine);
}

void doctor_net(struct probe *p) {
    struct err e;
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (handoff_find(&path, &e))
        probe_says(p, PROBE_MISSING, "%s", e.text);
    else
        probe_says(p, PROBE_THERE, "%s", buf_text(&path));
}

/* A folder that is not there yet can be made if the nearest one above it that
 * exists may be written to. */
static int check_writable(str path, struct err *e) {
    AUTO_BUF struct buf up = BUF_MAX(PATH_MAX);
    if (buf_add_str(&up, path, e)) return -1;
    while (up.len > 1 && access(up.data, F_OK) != 0) {
        const char *slash = strrchr(up.data, '/');
        buf_truncate(&up, slash > up.data ? (size_t)(slash - up.data) : 1);
    }
    if (access(up.data, W_OK | X_OK) != 0) return fail_sys(e, "%s", up.data);
    return 0;
}

void doctor_state(struct probe *p) {
    struct err e;
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "", &path, &e) ||
        check_writable(buf_str(&path), &e))
        probe_says(p, PROBE_MISSING, "%s", e.text);
    else
        probe_says(p, PROBE_THERE, "%s", buf_text(&path));
}

void doctor_config(struct probe *p) {
    struct err e;
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    AUTO_ARENA struct arena a = ARENA_MAX(TREE_BYTES);
    const struct json *root;
    if (settings_find(p->config, &path, &e) ||
        (path.len > 0 &&
         config_load(buf_text(&path), settings_keys(), &a, &root, &e)))
        probe_says(p, PROBE_MISSING, "%s", e.text);
    else
        probe_says(p, PROBE_THERE, "%s",
                   path.len > 0 ? buf_text(&path) : "none, defaults hold");
}
