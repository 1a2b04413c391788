/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "call/callback.h"
#include "call/http.h"
#include "call/sql.h"
#include "cli/demo.h"
#include "json/build.h"
#include "json/write.h"

#define FILE_BYTES ((size_t)1 << 20)

static int path_in(const char *folder, const char *name, char out[PATH_MAX],
                   struct err *e) {
    if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
        return fail(e, ERR_LIMIT, "path too long");
    return 0;
}

static int read_json(struct demo_tools *t, const char *name,
                     const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    char path[PATH_MAX];
    if (path_in(t->samples, name, path, e) || file_read(path, &text, e))
        return -1;
    return json_parse(buf_str(&text), NULL, &t->arena, out, e);
}

/* -- answers ------------------------------------------------------------------
 */

static void answer(struct provider_call *c, const struct json *v) {
    struct err e;
    struct provider_result r = {result_structured(c->arena, v, &e)};
    if (r.result)
        provider_done(c, &r);
    else
        provider_failed(c, "bad_response", true, &e);
}

static void answer_text(struct provider_call *c, const char *key, str text) {
    struct json_build b = JSON_BUILD(c->arena);
    const struct json *v;
    struct err e;
    build_object(&b);
    build_put_text(&b, key, text);
    build_end(&b);
    if (build_done(&b, &v, &e))
        provider_failed(c, "bad_response", true, &e);
    else
        answer(c, v);
}

/* -- files --------------------------------------------------------------------
 */

/* Only names of the folder itself: no way leads out of it. */
static int read_contract(struct demo_tools *t, str name, struct buf *out,
                         struct err *e) {
    char path[PATH_MAX], plain[128];
    if (name.n == 0 || name.n >= sizeof plain || name.p[0] == '.' ||
        str_find_char(name, '/') >= 0 || str_find_char(name, 0) >= 0)
        return fail(e, ERR_INVALID, "'%.*s' is no name of a file",
                    STR_ARG(name));
    snprintf(plain, sizeof plain, "%.*s", STR_ARG(name));
    if (path_in(t->samples, "contracts", path, e)) return -1;
    AUTO_FD int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", path);
    return file_read_at(dir, plain, out, e);
}

static void files_read(void *data, struct provider_call *c) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    struct err e;
    if (read_contract(data, json_get_text(c->args, "name", STR("")), &text, &e))
        provider_failed(c, "unavailable", false, &e);
    else
        answer_text(c, "text", buf_str(&text));
}

static const struct callback files[] = {
    {"{\"name\":\"read\",\"description\":\"The text of a contract, by its "
     "file name.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
     "\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]},"
     "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":"
     "\"string\"}}},\"annotations\":{\"readOnlyHint\":true}}",
     files_read, NULL},
    {0},
};

/* -- the mailbox --------------------------------------------------------------
 */

static bool holds(const struct json *message, str word) {
    const struct json *key = json_first(message);
    for (size_t i = json_len(message); i > 0; i--, key = json_skip(key + 1))
        if (json_type(key + 1) == JSON_STRING &&
            str_find(json_str(key + 1), word) >= 0)
            return true;
    return false;
}

static void mail_search(void *data, struct provider_call *c) {
    struct demo_tools *t = data;
    str word = json_get_text(c->args, "query", STR(""));
    struct json_build b = JSON_BUILD(c->arena);
    const struct json *v;
    struct err e;
    build_object(&b);
    build_key(&b, STR("messages"));
    build_array(&b);
    const struct json *m = json_first(t->inbox);
    for (size_t i = json_len(t->inbox); i > 0; i--, m = json_skip(m))
        if (holds(m, word)) build_copy(&b, m);
    build_end(&b);
    build_end(&b);
    if (build_done(&b, &v, &e))
        provider_failed(c, "bad_response", true, &e);
    else
        answer(c, v);
}

static int append_mail(struct demo_tools *t, const struct json *mail,
                       struct err *e) {
    AUTO_BUF struct buf line = BUF_MAX(FILE_BYTES);
    char path[PATH_MAX];
    if (path_in(t->folder, "sent.jsonl", path, e) ||
        json_write(mail, JSON_COMPACT, &line, e) ||
        buf_add_char(&line, '\n', e))
        return -1;
    AUTO_FD int fd =
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return fail_sys(e, "%s", path);
    return fd_write_all(fd, buf_str(&line), e);
}

static void mail_send(void *data, struct provider_call *c) {
    struct err e;
    if (append_mail(data, c->args, &e))
        provider_failed(c, "unavailable", false, &e);
    else
        answer_text(c, "status", STR("sent"));
}

static const struct callback mail[] = {
    {"{\"name\":\"search\",\"description\":\"Messages of the inbox that hold a "
     "word.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"query\":{"
     "\"type\":\"string\"}},\"required\":[\"query\"]},\"annotations\":{"
     "\"readOnlyHint\":true}}",
     mail_search, NULL},
    {"{\"name\":\"send\",\"description\":\"Sends a mail.\",\"inputSchema\":{"
     "\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\"},"
     "\"subject\":{\"type\":\"string\"},\"body\":{\"type\":\"string\"}},"
     "\"required\":[\"to\",\"subject\",\"body\"]}}",
     mail_send, NULL},
    {0},
};

/* -- the customer API
 * -----------------------------------------------------------
 */

static void on_request(void *data, struct exchange *x) {
    static const struct http_header headers[] = {
        {"content-type", "application/json"}, {NULL, NULL}};
    struct demo_tools *t = data;
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    str path = exchange_path(x), prefix = STR("/customers/");
    struct err e;
    const struct json *found =
        str_starts(path, prefix)
            ? json_get_str(t->customers, str_sub(path, prefix.n, path.n))
            : NULL;
    unsigned status = found ? 200 : 404;
    if (!found || json_write(found, JSON_COMPACT, &text, &e)) {
        buf_truncate(&text, 0);
        (void)buf_add_text(&text, "{\"error\":\"no such customer\"}", &e);
    }
    (void)exchange_answer(x, status, headers, buf_str(&text), &e);
}

static int open_crm(struct demo_tools *t, const struct provider_host *h,
                    struct err *e) {
    struct server_config config = {
        .address = "127.0.0.1:0", .handle = on_request, .data = t};
    struct json_build b = JSON_BUILD(&t->arena);
    const struct json *settings;
    char path[PATH_MAX], url[64];
    if (!(t->crm = server_new(t->loop, &config, e)) ||
        path_in(t->samples, "crm.json", path, e))
        return -1;
    snprintf(url, sizeof url, "http://127.0.0.1:%u", server_port(t->crm));
    build_object(&b);
    build_put_text(&b, "document", str_of(path));
    build_put_text(&b, "url", str_of(url));
    build_end(&b);
    if (build_done(&b, &settings, e)) return -1;
    t->providers[2] = provider_http_new(h, STR("crm"), settings, e);
    return t->providers[2] ? 0 : -1;
}

/* -- the database
 * ---------------------------------------------------------------
 */

static int fill_database(const char *path, const char *sql, struct err *e) {
    sqlite3 *db = NULL;
    int code = sqlite3_open(path, &db);
    if (code == SQLITE_OK) code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    int status = code == SQLITE_OK
                     ? 0
                     : fail(e, ERR_SYSTEM, "%s: %s", path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return status;
}

static int open_database(struct demo_tools *t, const struct provider_host *h,
                         struct err *e) {
    AUTO_BUF struct buf sql = BUF_MAX(FILE_BYTES);
    struct json_build b = JSON_BUILD(&t->arena);
    const struct json *settings;
    char from[PATH_MAX], path[PATH_MAX];
    if (path_in(t->samples, "orders.sql", from, e) ||
        path_in(t->folder, "orders.db", path, e) || file_read(from, &sql, e) ||
        fill_database(path, buf_text(&sql), e))
        return -1;
    build_object(&b);
    build_put_text(&b, "sqlite", str_of(path));
    build_end(&b);
    if (build_done(&b, &settings, e)) return -1;
    t->providers[3] = provider_sql_new(h, STR("db"), settings, e);
    return t->providers[3] ? 0 : -1;
}

/* -- all of them
 * ----------------------------------------------------------------
 */

int demo_tools_open(struct demo_tools *t, struct registry *registry,
                    struct err *e) {
    struct provider_host host = {
        .loop = t->loop, .registry = registry, .folder = t->folder};
    if (read_json(t, "customers.json", &t->customers, e) ||
        read_json(t, "inbox.json", &t->inbox, e) ||
        !(t->http = client_new(t->loop, e)))
        return -1;
    host.http = t->http;
    t->providers[0] = callback_new(registry, STR("files"), files, t, NULL, e);
    t->providers[1] = callback_new(registry, STR("mail"), mail, t, NULL, e);
    if (!t->providers[0] || !t->providers[1]) return -1;
    return open_crm(t, &host, e) || open_database(t, &host, e) ? -1 : 0;
}

void demo_tools_close(struct demo_tools *t) {
    for (size_t i = 0; i < sizeof t->providers / sizeof t->providers[0]; i++)
        if (t->providers[i]) t->providers[i]->class->free(t->providers[i]);
    server_free(t->crm);
    client_free(t->http);
    arena_fini(&t->arena);
}
