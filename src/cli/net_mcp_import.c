/* SPDX-License-Identifier: MIT
 *
 * cordon mcp import: servers that other hosts are configured with.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "cli/mcp_file.h"
#include "cli/programs.h"
#include "gateway/import.h"
#include "json/build.h"
#include "json/config.h"
#include "json/write.h"

#define FILE_BYTES ((size_t)16 << 20)
#define OUT_BYTES  ((size_t)16 << 20)

struct import {
    struct cli *cli;
    struct mcp_file file;
    struct map taken; /* name -> struct json, in the order they were found */
    size_t found;     /* files with servers in them */
};

static int take(struct import *im, const struct json *servers, const char *from,
                struct err *e) {
    bool replace = args_flag(&im->cli->args, "replace");
    const struct json *key = json_first(servers);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if ((!replace && json_get_str(im->file.servers, name)) ||
            map_get(&im->taken, name)) {
            log_warn(&im->cli->log, "%s: \"%.*s\" is there already", from,
                     STR_ARG(name));
            continue;
        }
        /* The map borrows; the value is never changed through it. */
        if (map_put(&im->taken, name, (void *)(uintptr_t)(key + 1), NULL, e))
            return -1;
    }
    im->found++;
    return 0;
}

static int read_place(struct import *im, const struct import_place *place,
                      const char *path, str text, struct err *e) {
    const struct json *servers;
    if (!import_read(place, text, &im->file.arena, &servers, e))
        return take(im, servers, path, e);
    return fail_while(e, "%s", path);
}

/* In the home folder a host's file and its project's are one. */
static bool is_home(void) {
    const char *home = getenv("HOME");
    struct stat a, b;
    return home && !stat(home, &a) && !stat(".", &b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Known places; files that are not there or have no servers are passed by. */
static int scan(struct import *im, const char *host, struct err *e) {
    const char *home = getenv("HOME");
    const struct import_place *place;
    for (size_t i = 0; (place = import_place(i)); i++) {
        AUTO_BUF struct buf path = BUF_MAX(PATH_MAX),
                            text = BUF_MAX(FILE_BYTES);
        if (host && strcmp(host, place->host) != 0) continue;
        if (place->path[0] != '~' && is_home()) continue;
        if (import_path(place, home ? home : "", &path, e)) return -1;
        if (!file_exists(buf_text(&path))) continue;
        if (config_read(buf_text(&path), &text, e) ||
            read_place(im, place, buf_text(&path), buf_str(&text), e)) {
            if (e->kind == ERR_MEMORY) return -1;
            if (e->kind != ERR_MISSING) log_warn(&im->cli->log, "%s", e->text);
        }
    }
    return 0;
}

static bool is_host(const char *name) {
    const struct import_place *place;
    for (size_t i = 0; (place = import_place(i)); i++)
        if (!strcmp(name, place->host)) return true;
    return false;
}

static int from_file(struct import *im, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    const struct import_place *place;
    if (config_read(path, &text, e)) return -1;
    if (import_guess(path, buf_str(&text), &place, e))
        return fail_while(e, "%s", path);
    return read_place(im, place, path, buf_str(&text), e);
}

static int collect(struct import *im, struct err *e) {
    const char *source;
    if (!cli_operand(im->cli, 0)) return scan(im, NULL, e);
    for (size_t i = 0; (source = cli_operand(im->cli, i)); i++)
        if (is_host(source) ? scan(im, source, e) : from_file(im, source, e))
            return -1;
    return 0;
}

static int merge(struct import *im, const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&im->file.arena);
    const struct json *servers = im->file.servers, *key = json_first(servers);
    const struct map_entry *entry;
    build_object(&b);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1)) {
        if (map_get(&im->taken, json_str(key))) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    for (size_t i = 0; (entry = map_next(&im->taken, &i));) {
        build_key(&b, (str){entry->key, entry->key_len});
        build_copy(&b, entry->value);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

static int tell(struct import *im, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    const struct map_entry *entry;
    for (size_t i = 0; (entry = map_next(&im->taken, &i));)
        if (buf_addf(&out, e, "%s\n", entry->key)) return -1;
    return cli_out(buf_str(&out), e);
}

static int run(struct import *im, struct err *e) {
    const struct json *servers;
    if (mcp_file_open(im->cli, &im->file, e) || collect(im, e)) return -1;
    if (!im->found)
        return fail(e, ERR_MISSING, "no host with MCP servers was found");
    if (args_flag(&im->cli->args, "dry-run") || !im->taken.live)
        return tell(im, e);
    if (merge(im, &servers, e) || mcp_file_write(&im->file, servers, e))
        return -1;
    return tell(im, e);
}

int net_mcp_import(struct cli *cli, struct err *e) {
    struct import im = {.cli = cli, .taken = MAP_MAX(10000)};
    int result = run(&im, e);
    mcp_file_close(&im.file);
    map_fini(&im.taken);
    return result;
}
