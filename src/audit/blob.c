/* SPDX-License-Identifier: MIT */
#include "audit/blob.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/file.h"
#include "base/hash.h"

enum { SALT = 32, BLOB_MAX = 64 << 20, PATH_SIZE = 4096 };

/* A commitment from outside becomes part of a path: only its own alphabet. */
static int blob_path(const char *dir, str commitment, char out[PATH_SIZE],
                     struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(CRYPTO_SHA256);
    if (commitment.n != 2 * CRYPTO_SHA256 || hex_decode(commitment, &bytes, e))
        return fail(e, ERR_INVALID, "not a commitment");
    int n = snprintf(out, PATH_SIZE, "%s/blobs/%.*s", dir, STR_ARG(commitment));
    if (n >= PATH_SIZE) return fail(e, ERR_LIMIT, "path too long");
    return 0;
}

static int commit_to(str salt, str value, struct buf *hex, struct err *e) {
    uint8_t tag[CRYPTO_SHA256];
    if (crypto_hmac((const uint8_t *)salt.p, salt.n, value, tag, e)) return -1;
    return hex_encode((str){(const char *)tag, sizeof tag}, hex, e);
}

int blob_put(const char *dir, str value, struct json_build *b, struct err *e) {
    AUTO_BUF struct buf file = BUF_MAX(SALT + BLOB_MAX);
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    char path[PATH_SIZE];
    char *salt = buf_reserve(&file, SALT, e);
    if (!salt || hash_random(salt, SALT, e)) return -1;
    buf_commit(&file, SALT);
    if (buf_add_str(&file, value, e)) return fail_while(e, "blob");
    if (commit_to((str){file.data, SALT}, value, &hex, e) ||
        blob_path(dir, buf_str(&hex), path, e) ||
        file_replace(path, buf_str(&file), 0600, e))
        return -1;
    build_object(b);
    build_put_text(b, "$blob", buf_str(&hex));
    build_put_int(b, "bytes", (int64_t)value.n);
    build_end(b);
    return 0;
}

int blob_get(const char *dir, str commitment, struct buf *out, struct err *e) {
    char path[PATH_SIZE];
    AUTO_BUF struct buf file = BUF_MAX(SALT + BLOB_MAX);
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    if (blob_path(dir, commitment, path, e)) return -1;
    if (!file_exists(path)) return fail(e, ERR_MISSING, "the value was erased");
    if (file_read(path, &file, e)) return -1;
    if (file.len < SALT) return fail(e, ERR_INVALID, "blob was altered");
    str value = str_sub(buf_str(&file), SALT, file.len);
    if (commit_to((str){file.data, SALT}, value, &hex, e)) return -1;
    if (!str_eq(buf_str(&hex), commitment))
        return fail(e, ERR_INVALID, "blob was altered");
    return buf_add_str(out, value, e);
}

int blob_erase(const char *dir, str commitment, struct err *e) {
    char path[PATH_SIZE];
    if (blob_path(dir, commitment, path, e)) return -1;
    if (unlink(path) == 0) return 0;
    if (errno == ENOENT) return fail(e, ERR_MISSING, "no such blob");
    return fail_sys(e, "erase %s", path);
}
