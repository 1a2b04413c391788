/* SPDX-License-Identifier: MIT
 *
 * An entry of the cache is found by the SHA-256 of its key:
 *
 *     index-v5/aa/bb/cccc...   lines "<check>\t{"key", "integrity", ...}"
 *     content-v2/sha512/aa/bb/cccc...
 *
 * The newest line of a key counts.
 */
#include "policy/npm_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/file.h"

#define INDEX_BYTES   ((size_t)4 << 20)
#define CONTENT_BYTES ((size_t)64 << 20)
#define URL_BYTES     8192

/* A plain file below the cache, no link on the way. 1: there is none. */
static int read_below(int cache, str path, struct buf *out, struct err *e) {
    AUTO_FD int dir = openat(cache, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat st;
    while (dir >= 0) {
        char name[256];
        str part = str_cut(&path, '/');
        if (part.n >= sizeof name) return 1;
        snprintf(name, sizeof name, "%.*s", STR_ARG(part));
        bool last = !path.p;
        int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        AUTO_FD int fd = openat(dir, name, last ? flags : flags | O_DIRECTORY);
        if (fd < 0) break;
        if (last)
            return fstat(fd, &st) || !S_ISREG(st.st_mode)
                       ? 1
                       : fd_read_all(fd, out, e);
        close(dir);
        dir = fd_take(&fd);
    }
    return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
               ? 1
               : fail_sys(e, "npm's cache");
}

static int split_hex(const char *folder, str raw, struct buf *out,
                     struct err *e) {
    AUTO_BUF struct buf hex = BUF_MAX(256);
    if (hex_encode(raw, &hex, e)) return -1;
    str h = buf_str(&hex);
    return buf_addf(out, e, "%s/%.*s/%.*s/%.*s", folder,
                    STR_ARG(str_sub(h, 0, 2)), STR_ARG(str_sub(h, 2, 4)),
                    STR_ARG(str_sub(h, 4, h.n)));
}

/* The content that the newest line of a key names; empty: none. */
static int find_line(str index, str key, struct arena *a, str *integrity,
                     struct err *e) {
    *integrity = STR("");
    while (index.p) {
        str line = str_cut(&index, '\n');
        const struct json *entry;
        (void)str_cut(&line, '\t');
        /* A line that was cut off is not an error: npm passes over it too. */
        if (!line.p || json_parse(line, NULL, a, &entry, e)) continue;
        if (str_eq(json_get_text(entry, "key", STR("")), key))
            *integrity = json_get_text(entry, "integrity", STR(""));
    }
    return 0;
}

static int read_content(int cache, str integrity, struct buf *out,
                        struct err *e) {
    AUTO_BUF struct buf raw = BUF_MAX(64), path = BUF_MAX(512);
    str base64 = integrity;
    if (!str_is(str_cut(&base64, '-'), "sha512") || !base64.p ||
        base64_decode(base64, &raw, e) || raw.len != 64)
        return 1;
    if (split_hex("content-v2/sha512", buf_str(&raw), &path, e)) return -1;
    return read_below(cache, buf_str(&path), out, e);
}

static int read_key(int cache, str key, struct arena *a, struct buf *out,
                    struct err *e) {
    AUTO_BUF struct buf index = BUF_MAX(INDEX_BYTES), path = BUF_MAX(512);
    uint8_t hash[CRYPTO_SHA256];
    str integrity;
    if (crypto_sha256(key, hash, e) ||
        split_hex("index-v5", (str){(const char *)hash, sizeof hash}, &path, e))
        return -1;
    int status = read_below(cache, buf_str(&path), &index, e);
    if (status) return status;
    if (find_line(buf_str(&index), key, a, &integrity, e)) return -1;
    return integrity.n ? read_content(cache, integrity, out, e) : 1;
}

/* "https://host/path/" of "https://host/path/name/-/name-1.0.tgz". */
static bool base_of(str resolved, str name, str *out) {
    ptrdiff_t at = str_find(resolved, STR("/-/"));
    if (at < 0) return false;
    str before = str_sub(resolved, 0, (size_t)at);
    if (str_ends(before, name)) {
        *out = str_sub(before, 0, before.n - name.n);
        return str_ends(*out, STR("/"));
    }
    ptrdiff_t slash = str_find_char(name, '/');
    size_t tail = slash < 0 ? 0 : name.n + 2; /* "%2f" for the slash */
    if (tail == 0 || before.n <= tail) return false;
    *out = str_sub(before, 0, before.n - tail);
    return str_ends(*out, STR("/"));
}

static int make_key(str base, str name, struct buf *out, struct err *e) {
    str rest = name;
    str scope = str_cut(&rest, '/');
    if (buf_addf(out, e, "make-fetch-happen:request-cache:%.*s%.*s",
                 STR_ARG(base), STR_ARG(scope)))
        return -1;
    return rest.p ? buf_addf(out, e, "%%2f%.*s", STR_ARG(rest)) : 0;
}

int npm_cache_describe(int cache, str name, str resolved, struct arena *a,
                       const struct json **out, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(URL_BYTES),
                        content = BUF_MAX(CONTENT_BYTES);
    struct err ignored;
    str base;
    *out = NULL;
    if (name.n + resolved.n > URL_BYTES / 2 || !base_of(resolved, name, &base))
        return 0;
    if (make_key(base, name, &key, e)) return -1;
    int status = read_key(cache, buf_str(&key), a, &content, e);
    if (status) return status < 0 ? -1 : 0;
    if (json_parse(buf_str(&content), NULL, a, out, &ignored)) *out = NULL;
    return 0;
}
