/* SPDX-License-Identifier: MIT */
#include "cli/handoff.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* From the folder of the program: beside it in a build, in libexec when
 * installed. Relative, so that an installed tree can be moved. */
static const char *const places[] = {
    "cordon-net",
    "../libexec/cordon/cordon-net",
};

static int own_folder(struct buf *out, struct err *e) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0) return fail_sys(e, "/proc/self/exe");
    path[n] = '\0';
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    return buf_add(out, path, length, e);
}

int handoff_find(struct buf *out, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (own_folder(&path, e)) return -1;
    size_t folder = path.len;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        buf_truncate(&path, folder);
        if (buf_add_text(&path, places[i], e)) return -1;
        if (access(path.data, X_OK) == 0)
            return buf_add_str(out, buf_str(&path), e);
    }
    buf_truncate(&path, folder);
    return fail(e, ERR_UNSUPPORTED,
                "cordon-net is neither in %s nor in %s../libexec/cordon/",
                buf_text(&path), buf_text(&path));
}

int handoff_to_net(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (handoff_find(&path, e))
        return fail_while(e, "\"%s\"", cli->args.command->name);
    execv(path.data, cli->argv);
    return fail_sys(e, "start %s", path.data);
}

int handoff_refused(struct cli *cli, struct err *e) {
    return fail(e, ERR_USAGE, "\"%s\" is a command of cordon, not cordon-net",
                cli->args.command->name);
}
