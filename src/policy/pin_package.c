/* SPDX-License-Identifier: MIT */
#include "policy/pin_package.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/file.h"
#include "base/mem.h"
#include "policy/npm_cache.h"
#include "json/build.h"

#define FILES_MAX   400000
#define BYTES_MAX   ((uint64_t)4 << 30)
#define DEPTH_MAX   64
#define LOCK_BYTES  ((size_t)64 << 20)
#define NAMES_BYTES ((size_t)64 << 20)
#define CHUNK       ((size_t)256 << 10)
#define DOC_BYTES   ((size_t)256 << 20)
#define KEYID_SHOWN 128

/* Where each runner keeps what it installed; a second place ends older ones. */
static const char *const places[][2] = {
    [RUNNER_NPX] = {".npm/_npx"},
    [RUNNER_UVX] = {".local/share/uv/tools"},
    [RUNNER_PIPX] = {".local/share/pipx/venvs", ".local/pipx/venvs"},
};
static const char *const words[] = {
    [RUNNER_NPX] = "npx", [RUNNER_UVX] = "uvx", [RUNNER_PIPX] = "pipx"};

struct walk {
    struct sha256 *hash; /* over a line for each entry, by name */
    size_t files;
    uint64_t bytes;
    char *chunk;
    struct json_build *packages;
    struct arena *arena;
    struct buf path; /* of what is looked at, below the place */
    const struct registry_keys *keys; /* NULL: signatures are not looked at */
    int cache;                        /* npm's, or -1 */
    size_t others[SIGNED_WELL + 1];   /* packages nobody asked for, by state */
};

/* -- every file -------------------------------------------------------------
 */

static int add_hash(struct walk *w, int fd, struct err *e) {
    struct sha256 *h = sha256_new(e);
    uint8_t digest[CRYPTO_SHA256];
    int status = h ? 0 : -1;
    while (status == 0) {
        ssize_t n = read(fd, w->chunk, CHUNK);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) status = fail_sys(e, "read");
        if (n <= 0) break;
        w->bytes += (uint64_t)n;
        if (w->bytes > BYTES_MAX)
            status = fail(e, ERR_LIMIT, "the package is too large to pin");
        else
            status = sha256_add(h, (str){w->chunk, (size_t)n}, e);
    }
    if (status == 0) status = sha256_end(h, digest, e);
    sha256_free(h);
    if (status) return -1;
    return sha256_add(w->hash, (str){(const char *)digest, sizeof digest}, e);
}

/* A kind, the path and its end: no two trees give the same bytes. */
static int add_name(struct walk *w, char kind, struct err *e) {
    if (++w->files > FILES_MAX)
        return fail(e, ERR_LIMIT, "the package has too many files to pin");
    if (sha256_add(w->hash, (str){&kind, 1}, e)) return -1;
    return sha256_add(w->hash, (str){buf_text(&w->path), w->path.len + 1}, e);
}

static int add_file(struct walk *w, int dir, const char *name, struct err *e) {
    AUTO_FD int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return fail_sys(e, "open");
    return add_name(w, 'f', e) || add_hash(w, fd, e) ? -1 : 0;
}

static int add_link(struct walk *w, int dir, const char *name, struct err *e) {
    char target[PATH_MAX];
    ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
    if (n < 0) return fail_sys(e, "link");
    target[n] = '\0';
    return add_name(w, 'l', e) ||
                   sha256_add(w->hash, (str){target, (size_t)n + 1}, e)
               ? -1
               : 0;
}

/* -- names and versions -----------------------------------------------------
 */

struct package {
    str name, version, integrity, resolved;
};

static void put_package(struct walk *w, const struct package *p,
                        enum signed_state state, str keyid) {
    build_object(w->packages);
    build_put_text(w->packages, "name", p->name);
    build_put_text(w->packages, "version", p->version);
    if (p->integrity.n) build_put_text(w->packages, "integrity", p->integrity);
    if (w->keys) {
        build_put_text(w->packages, "signature", str_of(signed_word(state)));
        if (keyid.n) build_put_text(w->packages, "keyid", keyid);
    }
    build_end(w->packages);
}

/* What npm kept of the registry's answer has the signatures. */
static int look_up(struct walk *w, const struct package *p,
                   enum signed_state *state, str *keyid, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(DOC_BYTES);
    const struct json *doc = NULL;
    str id;
    *state = SIGNED_NOT;
    *keyid = STR("");
    if (!w->keys || w->cache < 0) return 0;
    if (npm_cache_describe(w->cache, p->name, p->resolved, &scratch, &doc, e))
        return -1;
    const struct json *versions = json_get(doc, "versions");
    const struct json *dist =
        json_get(json_get_str(versions, p->version), "dist");
    *state = registry_verify(w->keys, p->name, p->version, p->integrity,
                             json_get(dist, "signatures"), &id);
    return arena_dup(w->arena, str_sub(id, 0, KEYID_SHOWN), keyid, e);
}

/* A package that came with another stands in the list only where the registry's
 * signature of it is wrong. */
static int note_package(struct walk *w, const struct package *p, bool asked,
                        struct err *e) {
    enum signed_state state;
    str keyid;
    if (look_up(w, p, &state, &keyid, e)) return -1;
    if (asked || state == SIGNED_WRONG) put_package(w, p, state, keyid);
    if (!asked) w->others[state]++;
    return 0;
}

/* "node_modules/a/node_modules/@b/c" is "@b/c". */
static str name_of(str place) {
    static const str step = {"node_modules/", 13};
    for (ptrdiff_t at; (at = str_find(place, step)) >= 0;)
        place = str_sub(place, (size_t)at + step.n, place.n);
    return place;
}

/* The lock that npm writes: what was asked for stands under "". */
static int note_npm(struct walk *w, int dir, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LOCK_BYTES);
    const struct json *lock, *all;
    if (file_read_at(dir, "package-lock.json", &text, e) ||
        json_parse(buf_str(&text), NULL, w->arena, &lock, e))
        return -1;
    all = json_get(lock, "packages");
    const struct json *asked = json_get(json_get(all, ""), "dependencies");
    if (!all || json_type(all) != JSON_OBJECT) return 0;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1)) {
        str place = json_str(key);
        const struct json *v = key + 1;
        if (place.n == 0 || json_type(v) != JSON_OBJECT) continue;
        struct package p = {name_of(place),
                            json_get_text(v, "version", STR("")),
                            json_get_text(v, "integrity", STR("")),
                            json_get_text(v, "resolved", STR(""))};
        bool top =
            str_find(str_sub(place, 1, place.n), STR("node_modules/")) < 0 &&
            json_get_str(asked, p.name);
        if (note_package(w, &p, top, e)) return -1;
    }
    return 0;
}

/* "name-1.2.dist-info", as Python's installers leave it. */
static int note_python(struct walk *w, const char *name, struct err *e) {
    str text = str_of(name), kept;
    if (!str_ends(text, STR(".dist-info"))) return 0;
    text = str_sub(text, 0, text.n - 10);
    if (arena_dup(w->arena, text, &kept, e)) return -1;
    str distribution = str_cut(&kept, '-');
    struct package p = {.name = distribution,
                        .version = kept.p ? kept : STR("")};
    put_package(w, &p, SIGNED_NOT, STR(""));
    return 0;
}

/* -- the tree ---------------------------------------------------------------
 */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool wanted(const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           strcmp(name, "__pycache__") != 0;
}

struct names {
    const char **list;
    size_t count, cap;
};

static int add_word(struct names *n, const char *name, struct arena *a,
                    struct err *e) {
    if (n->count == n->cap) {
        size_t cap = n->cap ? 2 * n->cap : 64;
        const char **grown = mem_resize(n->list, cap, sizeof *grown, e);
        if (!grown) return -1;
        n->list = grown;
        n->cap = cap;
    }
    n->list[n->count] = arena_text(a, str_of(name), e);
    return n->list[n->count++] ? 0 : -1;
}

/* The names in a folder, sorted. */
static int list_names(int dir, struct arena *a, struct names *out,
                      struct err *e) {
    AUTO_FD int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = own < 0 ? NULL : fdopendir(own);
    if (!d) return fail_sys(e, "list");
    (void)fd_take(&own);
    int status = 0;
    for (struct dirent *at; status == 0 && (at = readdir(d));)
        if (wanted(at->d_name)) status = add_word(out, at->d_name, a, e);
    closedir(d);
    if (status == 0) qsort(out->list, out->count, sizeof *out->list, by_name);
    return status;
}

static int add_tree(struct walk *w, int dir, int depth, struct err *e);

static int add_folder(struct walk *w, int dir, const char *name, int depth,
                      struct err *e) {
    AUTO_FD int fd =
        openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return fail_sys(e, "open");
    if (depth > DEPTH_MAX) return fail(e, ERR_LIMIT, "folders too deep");
    if (note_python(w, name, e)) return -1;
    return add_name(w, 'd', e) || add_tree(w, fd, depth, e) ? -1 : 0;
}

static int add_entry(struct walk *w, int dir, const char *name, int depth,
                     struct err *e) {
    size_t at = w->path.len;
    struct stat st;
    int status;
    if (buf_addf(&w->path, e, "/%s", name)) return -1;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
        status = fail_sys(e, "look at");
    else if (S_ISREG(st.st_mode))
        status = add_file(w, dir, name, e);
    else if (S_ISLNK(st.st_mode))
        status = add_link(w, dir, name, e);
    else if (S_ISDIR(st.st_mode))
        status = add_folder(w, dir, name, depth + 1, e);
    else
        status = fail(e, ERR_INVALID, "neither file, folder nor link");
    if (status) return fail_while(e, "%s", buf_text(&w->path));
    buf_truncate(&w->path, at);
    return 0;
}

/* Symbolic links are never followed, so the walk stays in the home. */
static int add_tree(struct walk *w, int dir, int depth, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(NAMES_BYTES);
    struct names names = {0};
    int status = list_names(dir, &scratch, &names, e);
    for (size_t i = 0; status == 0 && i < names.count; i++) {
        status = add_entry(w, dir, names.list[i], depth, e);
        if (status == 0 && depth == 1 &&
            strcmp(names.list[i], "package-lock.json") == 0)
            status = note_npm(w, dir, e);
    }
    mem_free(names.list);
    return status;
}

static void put_others(struct json_build *b, const struct walk *w) {
    size_t count = 0;
    for (int i = 0; i <= SIGNED_WELL; i++)
        count += w->others[i];
    if (!w->keys || count == 0) return;
    build_key(b, STR("others"));
    build_object(b);
    for (int i = 0; i <= SIGNED_WELL; i++)
        if (w->others[i])
            build_put_int(b, signed_word((enum signed_state)i),
                          (int64_t)w->others[i]);
    build_end(b);
}

static int finish(struct walk *w, enum runner r, const struct json *packages,
                  const struct json **out, struct err *e) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    struct json_build b = JSON_BUILD(w->arena);
    uint8_t digest[CRYPTO_SHA256];
    if (sha256_end(w->hash, digest, e) ||
        hex_encode((str){(const char *)digest, sizeof digest}, &hex, e))
        return -1;
    build_object(&b);
    build_put_text(&b, "runner", str_of(words[r]));
    build_put(&b, "packages", packages);
    put_others(&b, w);
    build_put_int(&b, "files", (int64_t)w->files);
    build_put_text(&b, "sha256", buf_str(&hex));
    build_end(&b);
    return build_done(&b, out, e);
}

static int walk_place(struct walk *w, enum runner r, int dir,
                      const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(w->arena);
    const struct json *packages;
    w->packages = &b;
    w->hash = sha256_new(e);
    w->chunk = mem_alloc(CHUNK, e);
    if (!w->hash || !w->chunk) return -1;
    build_array(&b);
    if (add_tree(w, dir, 0, e)) return -1;
    build_end(&b);
    return build_done(&b, &packages, e) ? -1 : finish(w, r, packages, out, e);
}

/* 1: there is no such folder. */
static int open_folder(const char *home, const char *name, int *out,
                       struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(PATH_MAX);
    if (buf_addf(&text, e, "%s/%s", home, name)) return -1;
    *out =
        open(buf_text(&text), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (*out >= 0) return 0;
    return errno == ENOENT ? 1 : fail_sys(e, "%s", buf_text(&text));
}

int pin_package(enum runner r, const char *home,
                const struct registry_keys *keys, struct arena *a,
                const struct json **out, struct err *e) {
    struct walk w = {.arena = a, .path = BUF_MAX(64 * 1024), .cache = -1};
    *out = NULL;
    AUTO_FD int dir = -1, cache = -1;
    for (size_t i = 0; r && i < 2 && places[r][i] && dir < 0; i++)
        if (open_folder(home, places[r][i], &dir, e) < 0) return -1;
    if (dir < 0) return 0;
    if (r == RUNNER_NPX) {
        if (open_folder(home, ".npm/_cacache", &cache, e) < 0) return -1;
        w.keys = keys;
        w.cache = cache;
    }
    int status = walk_place(&w, r, dir, out, e);
    sha256_free(w.hash);
    mem_free(w.chunk);
    buf_fini(&w.path);
    return status ? fail_while(e, "package in %s", home) : 0;
}
