/* SPDX-License-Identifier: MIT
 *
 * What an attempt lacked: hosts that the proxy refused, directories that the
 * program did not find although this machine has them. Each is asked for once;
 * after a no the program's own failure is the result.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "call/needs.h"
#include "runs/task_inside.h"
#include "json/build.h"
#include "json/write.h"

#define ATTEMPTS_MAX 20 /* each was granted something */

/* -- hosts --------------------------------------------------------------------
 */

static const struct cage_egress *refused_host(const struct cage_result *r) {
    for (size_t i = 0; i < r->egress_count; i++)
        if (!r->egress[i].allowed &&
            strcmp(r->egress[i].reason, "not on the egress list") == 0)
            return &r->egress[i];
    return NULL;
}

static int describe_host(const struct cage_egress *g, struct json_build *b,
                         struct arena *a, struct err *e) {
    char *host = arena_printf(a, e, "%s:%u", g->host, g->port);
    if (!host) return -1;
    build_put_text(b, "host", str_of(host));
    return 0;
}

/* -- directories --------------------------------------------------------------
 */

struct missing {
    char path[4096]; /* a directory of this machine */
    bool write;
};

/* The last line of a traceback: "...Error: [Errno 2] ...: '/data/x.csv'". */
static bool read_path(str text, int *code, char out[4096]) {
    str line = {0}, rest = str_trim(text);
    while (rest.p)
        line = str_cut(&rest, '\n');
    ptrdiff_t errno_at = str_find(line, STR("[Errno "));
    ptrdiff_t quote = str_find(line, STR(": '/"));
    if (errno_at < 0 || quote < errno_at) return false;
    *code = 0;
    for (size_t i = (size_t)errno_at + 7; i < line.n; i++) {
        if (line.p[i] < '0' || line.p[i] > '9' || *code > 1000) break;
        *code = *code * 10 + (line.p[i] - '0');
    }
    str path = str_sub(line, (size_t)quote + 3, line.n);
    if (path.n < 2 || path.p[path.n - 1] != '\'') return false;
    int n = snprintf(out, 4096, "%.*s", (int)path.n - 1, path.p);
    return n > 0 && n < 4096;
}

/* The folder itself, or the one that holds the file. "/" is never given. */
static bool to_folder(char path[4096]) {
    struct stat st;
    if (strstr(path, "/../") || strstr(path, "//")) return false;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) return path[1] != '\0';
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool missing_folder(const struct cage_result *r, struct missing *out) {
    enum { NOT_THERE = 2, REFUSED = 13, READ_ONLY = 30 };
    struct stat st;
    int code;
    if (cage_exit_status(r) == 0 ||
        !read_path(buf_str(&r->err.kept), &code, out->path))
        return false;
    if (code != NOT_THERE && code != REFUSED && code != READ_ONLY) return false;
    /* What this machine does not have either is the program's mistake. */
    bool exists = stat(out->path, &st) == 0;
    out->write = code != NOT_THERE;
    if (!exists && !out->write) return false;
    return to_folder(out->path);
}

static bool has_bind(const struct cage *c, const struct missing *m) {
    for (size_t i = 0; i < c->bind_count; i++)
        if (strcmp(c->binds[i].to, m->path) == 0 &&
            (c->binds[i].kind != BIND_RO || !m->write))
            return true;
    return false;
}

/* -- asking -------------------------------------------------------------------
 */

bool task_find_need(struct task *t) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&a);
    const struct cage_egress *host = refused_host(&t->result);
    const struct json *args;
    struct missing m;
    struct err e;
    if (!t->config.can_ask || t->attempt >= ATTEMPTS_MAX) return false;
    build_object(&b);
    if (host) {
        if (describe_host(host, &b, &a, &e)) return false;
    } else if (missing_folder(&t->result, &m) && !has_bind(&t->cage, &m)) {
        build_put_text(&b, "path", str_of(m.path));
        build_put_bool(&b, "write", m.write);
    } else {
        return false;
    }
    build_end(&b);
    if (build_done(&b, &args, &e)) return false;
    task_ask_need(t, host ? NEEDS_SERVER ".host" : NEEDS_SERVER ".directory",
                  args);
    return true;
}

static int give_tool(struct task *t, str name, struct err *e) {
    struct task_tool *g = arena_zalloc(&t->arena, 1, sizeof *g, e);
    if (!g || arena_dup(&t->arena, name, &g->name, e)) return -1;
    g->next = t->given;
    t->given = g;
    return 0;
}

int task_grant(struct task *t, const struct json *need, struct err *e) {
    str host = json_get_text(need, "host", STR(""));
    str path = json_get_text(need, "path", STR(""));
    str tool = json_get_text(need, "tool", STR(""));
    bool write = json_get_bool(need, "write", false);
    if (tool.n) return give_tool(t, tool, e);
    if (host.n) return cage_add_egress(&t->cage, host, e);
    if (path.n)
        return cage_add_bind(&t->cage, write ? BIND_RW : BIND_RO, path, e);
    if (json_get(need, "tier")) t->config.tier_reason = NULL;
    return 0;
}

int task_keep_grant(struct task *t, const struct json *need, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    if (t->config.journal &&
        (json_write(need, JSON_COMPACT, &text, e) ||
         journal_add(t->journal, "grant", buf_str(&text), e)))
        return -1;
    return task_grant(t, need, e);
}

void task_need_done(struct task *t, const struct json *need, bool granted) {
    struct err e;
    if (t->over) return;
    if (granted && task_keep_grant(t, need, &e) == 0) {
        task_begin(t);
    } else if (granted) {
        task_end(t, &e);
    } else if (json_get(need, "tier")) {
        err_set(&e, ERR_DENIED, "the tier it needs was not allowed");
        task_end(t, &e);
    } else {
        task_end(t, NULL);
    }
}
