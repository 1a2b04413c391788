/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include "base/dirs.h"
#include "base/file.h"

#include <limits.h>

static const struct config_key keys[] = {
#define KEY(path, type, choices, text) {path, CONFIG_##type, choices, text},
#include "cli/config.def"
#undef KEY
    {NULL, CONFIG_ANY, "", ""},
};

const struct config_key *settings_keys(void) {
    return keys;
}

int settings_find(const char *given, struct buf *out, struct err *e) {
    if (given) return buf_add_text(out, given, e);
    if (file_exists("cordon.json")) return buf_add_text(out, "cordon.json", e);
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_CONFIG, "cordon.json", &path, e)) return -1;
    if (!file_exists(buf_text(&path))) return 0;
    return buf_add_str(out, buf_str(&path), e);
}

static int load(const char *path, struct arena *a, const struct json **out,
                struct err *e) {
    if (*path) return config_load(path, keys, a, out, e);
    return config_parse(STR("{}"), "defaults", keys, a, out, e);
}

static void set_level(struct cli *cli, const struct json *root) {
    struct err e;
    str level = json_get_text(json_get(root, "log"), "level", STR(""));
    if (args_flag(&cli->args, "verbose") || args_flag(&cli->args, "quiet"))
        return;
    /* The table has checked it: it can only be absent. */
    if (level.n > 0) (void)log_parse_level(level, &cli->log.level, &e);
}

int settings_load(struct cli *cli, struct arena *a, const struct json **out,
                  struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (settings_find(args_text(&cli->args, "config"), &path, e) ||
        load(buf_text(&path), a, out, e))
        return -1;
    set_level(cli, *out);
    return 0;
}
