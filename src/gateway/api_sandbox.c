/* SPDX-License-Identifier: MIT
 *
 * Tasks in sandboxes, over HTTP: a program, Python text, or a module.
 *
 * Who asks over the network gets a sandbox, not this machine's files: of its
 * description only what takes nothing from the host is taken. The operator may
 * give more, to all of them alike.
 */
#include "base/codec.h"
#include "base/file.h"
#include "base/mem.h"
#include "call/sandboxed.h"
#include "gateway/api_inside.h"
#include "sandbox/pools.h"
#include "sandbox/python.h"
#include "sandbox/tls.h"
#include "sandbox/tmpdir.h"
#include "sandbox/zygote.h"

#define TASK_BYTES ((size_t)16 << 20)

struct api_task {
    struct api_call *call;
    struct arena arena;   /* of the cage */
    struct tmpdir folder; /* of a module */
    struct cage cage;
    struct jail *jail;
    struct io_watch watch;
    bool python;
    str code; /* of the request */
};

void api_task_free(struct api_task *t) {
    if (!t) return;
    loop_unwatch(&t->watch);
    jail_free(t->jail);
    tmpdir_remove(&t->folder);
    arena_fini(&t->arena);
    mem_free(t);
}

/* ---- the description ---- */

static int check_member(str name, struct err *e) {
    static const char *const safe[] = {"tier", "limits", "env",
                                       "cwd",  "net",    NULL};
    for (size_t i = 0; safe[i]; i++)
        if (str_is(name, safe[i])) return 0;
    return fail(e, ERR_DENIED,
                "sandbox.%.*s is not for callers over the network",
                STR_ARG(str_sub(name, 0, 40)));
}

static int read_sandbox(struct cage *c, const struct json *v, struct err *e) {
    if (!v) return 0;
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "sandbox: an object is wanted");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (check_member(json_str(key), e)) return -1;
    return cage_from_json(c, v, e);
}

/* program, if there is one, stands before the words of the list. */
static int read_argv(struct api_task *t, const char *program,
                     const struct json *list, struct err *e) {
    size_t n = list ? json_len(list) : 0, k = 0;
    if ((list && json_type(list) != JSON_ARRAY) || (n == 0 && !program) ||
        n >= CAGE_MAX_ARGS)
        return fail(e, ERR_INVALID, "argv: a list of texts is wanted");
    const char **argv = arena_zalloc(&t->arena, n + 2, sizeof *argv, e);
    if (!argv) return -1;
    if (program) argv[k++] = program;
    const struct json *v = n ? json_first(list) : NULL;
    for (size_t i = 0; i < n; i++, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING)
            return fail(e, ERR_INVALID, "argv: a list of texts is wanted");
        argv[k] = arena_text(&t->arena, json_str(v), e);
        if (!argv[k++]) return -1;
    }
    t->cage.argv = argv;
    return 0;
}

/* The caller's own: no module of this machine is named over the network. */
static int read_module(struct api_task *t, const struct json *body,
                       struct err *e) {
    AUTO_BUF struct buf module = BUF_MAX(TASK_BYTES);
    const struct json *text = json_get(body, "module");
    if (!text || json_type(text) != JSON_STRING)
        return fail(e, ERR_INVALID,
                    "tier wasm: module is wanted, a WASI module as base64");
    if (base64_decode(json_str(text), &module, e))
        return fail_while(e, "module");
    if (tmpdir_make(&t->folder, e)) return -1;
    const char *path =
        arena_printf(&t->arena, e, "%s/module.wasm", t->folder.path);
    if (!path || file_replace(path, buf_str(&module), 0600, e)) return -1;
    return read_argv(t, path, json_get(body, "argv"), e);
}

static int read_base(const struct api_config *config, struct cage *c,
                     struct err *e) {
    const struct json *v = config->sandbox;
    c->tls = &tls_openssl;
    if (!v) return 0;
    if (secrets_expand_json(config->secrets, v, c->arena, &v, e)) return -1;
    return cage_from_json(c, v, e);
}

void api_expect(const struct api *a) {
    AUTO_ARENA struct arena arena = ARENA_MAX(TASK_BYTES);
    struct cage c;
    struct err e;
    cage_init(&c, &arena);
    if (read_base(&a->config, &c, &e)) return; /* each task will say so */
    pools_expect(a->config.pools, &c, false);
    c.keep_scratch = true;
    pools_expect(a->config.pools, &c, true);
}

static int describe(struct api_task *t, const struct json *body,
                    struct err *e) {
    const struct json *argv = json_get(body, "argv");
    str code = json_get_text(body, "code", STR(""));
    cage_init(&t->cage, &t->arena);
    if (read_base(&t->call->api->config, &t->cage, e) ||
        read_sandbox(&t->cage, json_get(body, "sandbox"), e))
        return -1;
    t->python = code.n > 0;
    t->code = code;
    bool wasm = t->cage.tier == TIER_WASM;
    if (wasm ? t->python : t->python == (argv != NULL))
        return fail(e, ERR_INVALID, "either argv or code is wanted");
    if (!wasm && json_get(body, "module"))
        return fail(e, ERR_INVALID, "module: it runs in tier wasm only");
    t->cage.keep_scratch = t->python;
    if (t->python ? zygote_describe(&t->cage, code, e)
        : wasm    ? read_module(t, body, e)
                  : read_argv(t, NULL, argv, e))
        return -1;
    return cage_check(&t->cage, e);
}

/* ---- its run ---- */

static struct sandboxed row_of(const struct api_task *t) {
    return (struct sandboxed){.audit = t->call->api->config.audit,
                              .by = t->call->principal};
}

static void finish(struct api_task *t, const struct cage_result *r) {
    struct api_call *c = t->call;
    struct err e;
    if (!t->python)
        cage_result_write(r, &c->w);
    else if (python_result_write(jail_scratch(t->jail), r, &c->w, &e)) {
        api_fail(c, &e);
        return;
    }
    api_answer(c);
}

static void on_ready(struct io_watch *w, uint32_t events) {
    struct api_task *t = w->data;
    struct api_call *c = t->call;
    const struct sandboxed row = row_of(t);
    struct cage_result r;
    struct err e;
    (void)events;
    int step = jail_step(t->jail, &e);
    if (step == 0) return;
    if (step < 0) {
        sandboxed_failed(&row, &e);
        api_fail(c, &e);
        return;
    }
    jail_result_take(t->jail, &r);
    sandboxed_end(&row, &r);
    finish(t, &r);
    cage_result_fini(&r);
}

/* In a sandbox that is ready, if one is; each caller has its own. */
static int start_jail(struct api_task *t, struct err *e) {
    const struct api_call *c = t->call;
    struct pools *pools = c->api->config.pools;
    const struct jail_io io = JAIL_IO_KEEP;
    if (!t->python)
        return pools_start(pools, c->principal, &t->cage, &io, &t->jail, e);
    return pools_start_python(pools, c->principal, &t->cage, t->code, &io,
                              &t->jail, e);
}

static int start(struct api_task *t, struct err *e) {
    struct api_call *c = t->call;
    const struct sandboxed row = row_of(t);
    if (sandboxed_start(&row, &t->cage, e)) return -1;
    if (start_jail(t, e)) {
        sandboxed_failed(&row, e);
        return -1;
    }
    t->watch =
        (struct io_watch){.fd = jail_fd(t->jail), .fn = on_ready, .data = t};
    return loop_watch(c->api->config.loop, &t->watch, EPOLLIN, e);
}

int api_sandbox(struct api_call *c, struct err *e) {
    struct api_task *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    t->call = c;
    t->arena = ARENA_MAX(TASK_BYTES);
    c->task = t; /* ends with the call */
    if (describe(t, c->body, e) || start(t, e)) return -1;
    api_keep(c);
    return 0;
}
