/* SPDX-License-Identifier: MIT */
#include "cli/sandbox_log.h"

#include <limits.h>

#include "base/dirs.h"
#include "base/file.h"
#include "cli/settings.h"
#include "sandbox/jail.h"

#define SETTINGS_BYTES ((size_t)64 << 20)

int sandbox_log_find(struct cli *cli, struct buf *out, struct err *e) {
    AUTO_BUF struct buf events = BUF_MAX(PATH_MAX);
    AUTO_ARENA struct arena a = ARENA_MAX(SETTINGS_BYTES);
    const struct json *settings;
    struct err none; /* who has no home has no log */
    if (dirs_path(DIRS_STATE, "audit/events.jsonl", &events, &none) ||
        !file_exists(buf_text(&events)))
        return 0;
    if (settings_load(cli, &a, &settings, e)) return -1;
    if (!json_get_bool(settings, "record", true)) return 0;
    return dirs_path(DIRS_STATE, "audit", out, e);
}

int sandbox_log_run(struct cli *cli, const struct cage *c, const char *by,
                    const struct confine_watch *watch, struct jail **out,
                    struct cage_result *r, struct err *e) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    struct jail_io io = jail_io_ours(cli->json);
    if (watch && sandbox_log_find(cli, &folder, e)) return -1;
    if (!folder.len) watch = NULL;
    if (watch && watch->open(watch->data, buf_text(&folder), by, e)) return -1;
    if (watch && watch->started(watch->data, c, e)) return -1;
    int rc = jail_start(c, &io, out, e);
    if (!rc) rc = jail_wait(*out, e);
    if (rc) {
        if (watch) watch->failed(watch->data, e);
        return -1;
    }
    jail_result_take(*out, r);
    if (watch) watch->ended(watch->data, r);
    return 0;
}
