/* SPDX-License-Identifier: MIT */
#include "cli/mcp_file.h"

#include <limits.h>
#include <string.h>

#include "base/dirs.h"
#include "base/file.h"
#include "cli/settings.h"
#include "json/build.h"
#include "json/write.h"

#define MEMORY_MAX ((size_t)64 << 20)
#define FILE_MAX   ((size_t)4 << 20)

static const struct json empty[] = {{.head = JSON_OBJECT, .as.span = 1}};

static int find(struct cli *cli, struct mcp_file *f, struct err *e) {
    if (settings_find(args_text(&cli->args, "config"), &f->path, e)) return -1;
    if (f->path.len) return 0;
    return dirs_path(DIRS_CONFIG, "cordon.json", &f->path, e);
}

int mcp_file_open(struct cli *cli, struct mcp_file *f, struct err *e) {
    *f = (struct mcp_file){.arena = ARENA_MAX(MEMORY_MAX),
                           .path = BUF_MAX(PATH_MAX),
                           .root = empty};
    if (find(cli, f, e)) return -1;
    if (file_exists(buf_text(&f->path)) &&
        config_load(buf_text(&f->path), settings_keys(), &f->arena, &f->root,
                    e))
        return -1;
    f->servers = json_get(f->root, "mcpServers");
    if (!f->servers) f->servers = empty;
    return 0;
}

void mcp_file_close(struct mcp_file *f) {
    buf_fini(&f->path);
    arena_fini(&f->arena);
}

/* Strict JSON comes back from a rewrite as it was, comments would not. */
static int check_plain(struct mcp_file *f, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_MAX);
    const struct json *ignored;
    if (!file_exists(buf_text(&f->path))) return 0;
    if (file_read(buf_text(&f->path), &text, e)) return -1;
    if (json_parse(buf_str(&text), NULL, &f->arena, &ignored, e))
        return fail(e, ERR_UNSUPPORTED,
                    "%s has comments, which a rewrite would lose: change it "
                    "by hand",
                    buf_text(&f->path));
    return 0;
}

static int changed_root(struct mcp_file *f, const struct json *servers,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&f->arena);
    bool placed = false;
    const struct json *key = json_first(f->root);
    build_object(&b);
    for (size_t i = json_len(f->root); i > 0; i--, key = json_skip(key + 1)) {
        bool here = str_is(json_str(key), "mcpServers");
        build_key(&b, json_str(key));
        build_copy(&b, here ? servers : key + 1);
        placed = placed || here;
    }
    if (!placed) build_put(&b, "mcpServers", servers);
    build_end(&b);
    return build_done(&b, out, e);
}

static int make_folder(const char *path, struct err *e) {
    const char *slash = strrchr(path, '/');
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (!slash || slash == path) return 0;
    if (buf_add(&folder, path, (size_t)(slash - path), e)) return -1;
    return file_make_dirs(buf_text(&folder), 0700, e);
}

int mcp_file_write(struct mcp_file *f, const struct json *servers,
                   struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_MAX);
    const struct json *root, *again;
    if (check_plain(f, e) || changed_root(f, servers, &root, e) ||
        json_write(root, JSON_PRETTY, &text, e) || buf_add_char(&text, '\n', e))
        return -1;
    /* Nothing is written that the next start would refuse. */
    if (config_parse(buf_str(&text), "the new configuration", settings_keys(),
                     &f->arena, &again, e) ||
        make_folder(buf_text(&f->path), e))
        return -1;
    return file_replace(buf_text(&f->path), buf_str(&text), 0600, e);
}
