/* SPDX-License-Identifier: MIT */
#include "gateway/launch.h"

#include <limits.h>

#include "base/dirs.h"
#include "base/file.h"
#include "sandbox/confine.h"

/* "sandbox": false is a person's word; anything else is a cage. */
static bool wants_sandbox(const struct server_spec *spec) {
    return !spec->sandbox || json_type(spec->sandbox) != JSON_BOOL ||
           spec->sandbox->as.boolean;
}

/* The log that this process, or one before it, has begun. */
static int find_log(const struct server_spec *spec, struct buf *out,
                    struct err *e) {
    AUTO_BUF struct buf events = BUF_MAX(PATH_MAX);
    if (!spec->record) return 0;
    if (dirs_path(DIRS_STATE, "audit/events.jsonl", &events, e)) return -1;
    return file_exists(buf_text(&events))
               ? dirs_path(DIRS_STATE, "audit", out, e)
               : 0;
}

static int confine_command(const struct server_spec *spec, struct arena *a,
                           struct child_spec *out, const char **home,
                           struct err *e) {
    AUTO_BUF struct buf state = BUF_MAX(PATH_MAX);
    AUTO_BUF struct buf audit = BUF_MAX(PATH_MAX);
    bool object = spec->sandbox && json_type(spec->sandbox) == JSON_OBJECT;
    struct confined confined;
    if (dirs_path(DIRS_STATE, "servers", &state, e) ||
        file_make_dirs(buf_text(&state), 0700, e) || find_log(spec, &audit, e))
        return -1;
    const struct confine_server server = {
        .name = spec->name,
        .argv = spec->argv,
        .env = spec->env,
        .cwd = spec->cwd,
        .sandbox = object ? spec->sandbox : NULL,
        .state = buf_text(&state),
        .audit = audit.len ? buf_text(&audit) : NULL};
    if (confine_server(&server, a, &confined, e)) return -1;
    *out = (struct child_spec){.argv = confined.argv, .env = confined.env};
    if (home) *home = confined.home;
    return 0;
}

int launch_command(const struct server_spec *spec, struct arena *a,
                   struct child_spec *out, const char **home, struct err *e) {
    if (home) *home = NULL;
    if (wants_sandbox(spec)) return confine_command(spec, a, out, home, e);
    *out = (struct child_spec){
        .argv = spec->argv, .env = spec->env, .cwd = spec->cwd};
    return 0;
}
