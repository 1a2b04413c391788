/* SPDX-License-Identifier: MIT
 *
 * Tokens and identities in a file that only its owner can read. One entry per
 * issuer and server; the file is read again before it is replaced, so that
 * entries of other servers stay.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "mcp/auth_flow.h"
#include "json/write.h"

enum { STORE_MAX = 16 << 20, ENTRIES_MAX = 10000, KEY_MAX = 16 << 10 };

static const char *const methods[] = {[FLOW_NONE] = "none",
                                      [FLOW_BASIC] = "client_secret_basic",
                                      [FLOW_POST] = "client_secret_post",
                                      [FLOW_KEY] = "private_key_jwt"};

static void wipe(struct buf *b) {
    if (b->len) mem_wipe(b->data, b->len);
}

/* -- reading -----------------------------------------------------------------
 */

/* The entries, or an empty array where there is no file yet. A file that others
 * can read is refused: what it holds is no secret any more. */
static int read_entries(const char *path, struct arena *a,
                        const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STORE_MAX);
    struct stat st;
    const struct json *v;
    if (stat(path, &st) != 0) return json_parse(STR("[]"), NULL, a, out, e);
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        return fail(e, ERR_DENIED, "%s: others can read it (chmod 600)", path);
    if (file_read(path, &text, e) || json_parse(buf_str(&text), NULL, a, &v, e))
        return fail_while(e, "%s", path);
    const struct json *entries = json_get(v, "entries");
    wipe(&text);
    if (!entries || json_type(entries) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "%s: no entries", path);
    *out = entries;
    return 0;
}

static int take_text(const struct json *v, const char *key, char **to,
                     struct err *e) {
    return flow_set(to, json_get_text(v, key, (str){NULL, 0}), e);
}

static int take_identity(struct mcp_auth *a, const struct json *v,
                         struct err *e) {
    struct flow_identity *me = &a->identity;
    str method = json_get_text(v, "auth_method", STR(""));
    if (take_text(v, "issuer", &me->issuer, e) ||
        take_text(v, "client_id", &me->id, e) ||
        take_text(v, "client_secret", &me->secret, e) ||
        take_text(v, "redirect_uri", &me->redirect_uri, e))
        return -1;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (str_is(method, methods[i])) me->method = (enum flow_method)i;
    return 0;
}

static int take_entry(struct mcp_auth *a, const struct json *v, struct err *e) {
    struct flow_token *t = &a->token;
    str key = json_get_text(v, "dpop_key", (str){NULL, 0});
    if (take_identity(a, v, e) || take_text(v, "issuer", &t->issuer, e) ||
        take_text(v, "access_token", &t->access, e) ||
        take_text(v, "refresh_token", &t->refresh, e) ||
        take_text(v, "scope", &t->scope, e))
        return -1;
    t->dpop = str_is(json_get_text(v, "token_type", STR("")), "DPoP");
    t->expires_s = json_get_int(v, "expires_at", 0);
    a->generation++;
    if (!key.p) return 0;
    jwt_key_free(a->key);
    a->key = jwt_key_read(key, e);
    return a->key ? 0 : -1;
}

int flow_load(struct mcp_auth *a, struct err *e) {
    AUTO_ARENA struct arena memory = ARENA_MAX(4 * (size_t)STORE_MAX);
    const struct json *entries;
    if (read_entries(a->config.store, &memory, &entries, e)) return -1;
    const struct json *v = json_first(entries);
    for (size_t i = json_len(entries); i > 0; i--, v = json_skip(v))
        if (str_is(json_get_text(v, "server", STR("")), a->config.server))
            return take_entry(a, v, e);
    return 0;
}

bool flow_recall(struct mcp_auth *a, const char *issuer) {
    AUTO_ARENA struct arena memory = ARENA_MAX(4 * (size_t)STORE_MAX);
    const struct json *entries;
    struct err e;
    if (read_entries(a->config.store, &memory, &entries, &e)) return false;
    const struct json *v = json_first(entries);
    for (size_t i = json_len(entries); i > 0; i--, v = json_skip(v))
        if (str_is(json_get_text(v, "issuer", STR("")), issuer) &&
            json_get(v, "client_id"))
            return take_identity(a, v, &e) == 0;
    return false;
}

/* -- writing -----------------------------------------------------------------
 */

static void put(struct jw *w, const char *key, const char *value) {
    if (value) jw_put_text(w, key, str_of(value));
}

static int write_entry(struct mcp_auth *a, struct jw *w, struct err *e) {
    const struct flow_token *t = &a->token;
    const struct flow_identity *me = &a->identity;
    AUTO_BUF struct buf key = BUF_MAX(KEY_MAX);
    bool given = a->config.client_id != NULL; /* nothing of ours to keep */
    if (t->dpop && jwt_key_write(a->key, &key, e)) return -1;
    jw_object(w);
    put(w, "server", a->config.server);
    put(w, "issuer", t->issuer);
    put(w, "client_id", given ? NULL : me->id);
    put(w, "client_secret", given ? NULL : me->secret);
    put(w, "redirect_uri", given ? NULL : me->redirect_uri);
    put(w, "auth_method", given ? NULL : methods[me->method]);
    put(w, "access_token", t->access);
    put(w, "token_type", t->dpop ? "DPoP" : "Bearer");
    put(w, "refresh_token", t->refresh);
    put(w, "scope", t->scope);
    if (t->expires_s) jw_put_int(w, "expires_at", t->expires_s);
    if (key.len) put(w, "dpop_key", buf_text(&key));
    jw_end_object(w);
    wipe(&key);
    return 0;
}

static bool is_ours(const struct mcp_auth *a, const struct json *v) {
    return str_is(json_get_text(v, "server", STR("")), a->config.server);
}

static int write_all(struct mcp_auth *a, const struct json *old,
                     struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "entries");
    jw_array(&w);
    if (write_entry(a, &w, e)) return -1;
    const struct json *v = json_first(old);
    size_t n = json_len(old);
    for (size_t i = 0; i < n && i < ENTRIES_MAX; i++, v = json_skip(v))
        if (!is_ours(a, v)) jw_value(&w, v);
    jw_end_array(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int make_folder(const char *path, struct err *e) {
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return 0;
    AUTO_MEM char *folder = mem_dup(path, (size_t)(slash - path), e);
    return folder ? file_make_dirs(folder, 0700, e) : -1;
}

/* Several programs may hold tokens in one file: who changes it locks it, for
 * the little time between reading and replacing. */
static int lock_store(const char *path, struct err *e) {
    AUTO_BUF struct buf name = BUF_MAX(PATH_MAX);
    if (buf_addf(&name, e, "%s.lock", path)) return -1;
    AUTO_FD int fd =
        open(buf_text(&name), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return fail_sys(e, "open %s", buf_text(&name));
    while (flock(fd, LOCK_EX))
        if (errno != EINTR) return fail_sys(e, "lock %s", buf_text(&name));
    return fd_take(&fd);
}

int flow_save(struct mcp_auth *a, struct err *e) {
    AUTO_ARENA struct arena memory = ARENA_MAX(4 * (size_t)STORE_MAX);
    AUTO_BUF struct buf out = BUF_MAX(STORE_MAX);
    const struct json *old;
    if (make_folder(a->config.store, e)) return -1;
    AUTO_FD int lock = lock_store(a->config.store, e);
    if (lock < 0 || read_entries(a->config.store, &memory, &old, e) ||
        write_all(a, old, &out, e))
        return -1;
    int result = file_replace(a->config.store, buf_str(&out), 0600, e);
    wipe(&out);
    return result;
}
