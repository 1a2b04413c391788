/* SPDX-License-Identifier: MIT */
#include "base/dirs.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#include <limits.h>

static const struct {
    const char *name;
    enum dirs_kind kind;
} folders[] = {
    {"config", DIRS_CONFIG},
    {"state", DIRS_STATE},
    {"cache", DIRS_CACHE},
    {"runtime", DIRS_RUNTIME},
};

#define FOLDERS (sizeof folders / sizeof folders[0])

static int add_json(str file, const struct buf *paths, struct buf *out,
                    struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "file");
    if (file.n > 0)
        jw_text(&w, file);
    else
        jw_null(&w);
    for (size_t i = 0; i < FOLDERS; i++)
        jw_put_text(&w, folders[i].name, buf_str(&paths[i]));
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int add_text(str file, const struct buf *paths, struct buf *out,
                    struct err *e) {
    if (buf_addf(out, e, "%-8s %.*s\n", "file",
                 STR_ARG(file.n > 0 ? file : STR("(none)"))))
        return -1;
    for (size_t i = 0; i < FOLDERS; i++)
        if (buf_addf(out, e, "%-8s %s\n", folders[i].name, buf_text(&paths[i])))
            return -1;
    return 0;
}

static int show(struct cli *cli, struct buf *paths, struct err *e) {
    AUTO_BUF struct buf file = BUF_MAX(PATH_MAX);
    AUTO_BUF struct buf out = BUF_MAX(8 * (size_t)PATH_MAX);
    if (settings_find(args_text(&cli->args, "config"), &file, e)) return -1;
    for (size_t i = 0; i < FOLDERS; i++)
        if (dirs_path(folders[i].kind, "", &paths[i], e)) return -1;
    if (cli->json ? add_json(buf_str(&file), paths, &out, e)
                  : add_text(buf_str(&file), paths, &out, e))
        return -1;
    return cli_out(buf_str(&out), e);
}

int cmd_config_paths(struct cli *cli, struct err *e) {
    struct buf paths[FOLDERS];
    for (size_t i = 0; i < FOLDERS; i++)
        paths[i] = BUF_MAX(PATH_MAX);
    int result = show(cli, paths, e);
    for (size_t i = 0; i < FOLDERS; i++)
        buf_fini(&paths[i]);
    return result;
}
