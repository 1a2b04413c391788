/* SPDX-License-Identifier: MIT */
#include "call/command.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "call/reply.h"
#include "call/sandboxed.h"
#include "sandbox/pools.h"
#include "sandbox/tls.h"
#include "json/build.h"
#include "json/write.h"

#define OUTPUT  ((uint64_t)16 << 20)
#define EXCERPT 2000 /* bytes of output that an error shows */

struct commands {
    struct provider provider; /* first */
    struct provider_host host;
    struct arena arena;
    const struct json *config;
    struct running *running;
};

/* A program that runs. Its memory is its own: the cage must outlive it. */
struct running {
    struct commands *owner;
    struct provider_call *call;
    const struct json *spec;
    struct arena arena;
    struct cage cage;
    struct jail *jail;
    struct io_watch watch;
    struct running *next;
};

static const struct json *spec_of(const struct commands *p, str tool) {
    return json_get_str(json_get(p->config, "commands"), tool);
}

static void end(struct running *r) {
    struct running **at = &r->owner->running;
    while (*at && *at != r)
        at = &(*at)->next;
    if (*at) *at = r->next;
    loop_unwatch(&r->watch);
    jail_free(r->jail);
    arena_fini(&r->arena);
    mem_free(r);
}

/* ---- how it ended ---- */

static const struct json *story(struct provider_call *c,
                                const struct cage_result *r) {
    struct json_build b = JSON_BUILD(c->arena);
    const struct json *out = NULL;
    struct err ignored;
    str kept[2] = {buf_str(&r->out.kept), buf_str(&r->err.kept)};
    build_object(&b);
    build_put_int(&b, "exit_code", r->code);
    if (r->signal) build_put_int(&b, "signal", r->signal);
    if (r->stop != STOP_NONE)
        build_put_text(&b, "stopped", str_of(cage_stop_name(r->stop)));
    build_put_text(&b, "stdout", str_sub(kept[0], 0, EXCERPT));
    build_put_text(&b, "stderr", str_sub(kept[1], 0, EXCERPT));
    build_end(&b);
    return build_done(&b, &out, &ignored) ? NULL : out;
}

static const struct json *meta_of(struct provider_call *c,
                                  const struct cage_result *r) {
    struct json_build b = JSON_BUILD(c->arena);
    const struct json *out = NULL;
    struct err ignored;
    if (r->out.total <= r->out.kept.len) return NULL;
    build_object(&b);
    build_put_bool(&b, "truncated", true);
    build_put_int(&b, "bytes", (int64_t)r->out.total);
    build_end(&b);
    return build_done(&b, &out, &ignored) ? NULL : out;
}

static void tell(struct provider_call *c, const struct json *spec,
                 const struct cage_result *r) {
    struct err e;
    struct reply reply = {.meta = meta_of(c, r)};
    str kept = buf_str(&r->out.kept);
    if (r->stop == STOP_TIME) {
        err_set(&e, ERR_TIMEOUT, "the program ran too long");
        provider_failed(c, "timeout", true, &e);
        return;
    }
    if (r->code != 0 || r->stop != STOP_NONE) {
        reply.is_error = true;
        reply.value = story(c, r);
    } else if (str_is(json_get_text(spec, "output", STR("text")), "json")) {
        if (json_parse(kept, NULL, c->arena, &reply.value, &e)) {
            err_context(&e, "the program's output is not JSON");
            provider_failed(c, "bad_response", true, &e);
            return;
        }
    } else if (arena_dup(c->arena, kept, &reply.text, &e)) {
        provider_failed(c, "bad_response", true, &e);
        return;
    }
    reply_done(c, &reply);
}

static struct sandboxed row_of(const struct running *r) {
    return (struct sandboxed){.audit = r->owner->host.audit,
                              .by = r->call->tool->name};
}

static void on_ready(struct io_watch *w, uint32_t events) {
    struct running *r = w->data;
    struct provider_call *c = r->call;
    const struct json *spec = r->spec;
    struct cage_result result;
    struct err e;
    (void)events;
    int step = jail_step(r->jail, &e);
    if (step == 0) return;
    const struct sandboxed row = row_of(r);
    if (step > 0) {
        jail_result_take(r->jail, &result);
        sandboxed_end(&row, &result);
    }
    end(r);
    if (step < 0) {
        sandboxed_failed(&row, &e);
        provider_failed(c, "unavailable", false, &e);
        return;
    }
    tell(c, spec, &result);
    cage_result_fini(&result);
}

/* ---- a call ---- */

/* The sandbox of the command over the one of the whole section. */
static int describe(struct running *r, struct err *e) {
    const struct json *parts[] = {json_get(r->owner->config, "sandbox"),
                                  json_get(r->spec, "sandbox")};
    struct secrets *secrets = r->owner->host.secrets;
    cage_init(&r->cage, &r->arena);
    r->cage.tls = &tls_openssl;
    for (size_t i = 0; i < 2; i++) {
        const struct json *v = parts[i];
        if (!v) continue;
        if (secrets && secrets_expand_json(secrets, v, &r->arena, &v, e))
            return -1;
        if (cage_from_json(&r->cage, v, e)) return -1;
    }
    int64_t left = r->call->deadline_ns - loop_now(r->owner->host.loop);
    if (r->call->deadline_ns > 0 && left > 0 &&
        (uint64_t)left < r->cage.limits.wall)
        r->cage.limits.wall = (uint64_t)left;
    r->cage.limits.output =
        r->call->result_max > 0 ? r->call->result_max : OUTPUT;
    if (command_argv(r->spec, r->call->args, &r->arena, &r->cage.argv, e))
        return -1;
    return cage_check(&r->cage, e);
}

/* The arguments as a file that is there in full, so that nobody waits. */
static int open_input(const struct running *r, int *fd, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    *fd = -1;
    if (!str_is(json_get_text(r->spec, "stdin", STR("none")), "json")) return 0;
    AUTO_FD int made = memfd_create("arguments", MFD_CLOEXEC);
    if (made < 0) return fail_sys(e, "memfd");
    if (json_write(r->call->args, JSON_COMPACT, &text, e)) return -1;
    if (write(made, buf_text(&text), text.len) != (ssize_t)text.len ||
        lseek(made, 0, SEEK_SET) != 0)
        return fail_sys(e, "arguments");
    *fd = fd_take(&made);
    return 0;
}

static int start(struct running *r, struct err *e) {
    AUTO_FD int in = -1;
    if (describe(r, e) || open_input(r, &in, e)) return -1;
    struct jail_io io = JAIL_IO_KEEP;
    io.in = in;
    const struct sandboxed row = row_of(r);
    if (sandboxed_start(&row, &r->cage, e)) return -1;
    /* Whoever holds the call's handles is whom its programs are run for. */
    str owner = r->call->holder.n ? r->call->holder : r->call->owner;
    if (pools_start(r->owner->host.pools, owner, &r->cage, &io, &r->jail, e)) {
        sandboxed_failed(&row, e);
        return -1;
    }
    r->watch =
        (struct io_watch){.fd = jail_fd(r->jail), .fn = on_ready, .data = r};
    return loop_watch(r->owner->host.loop, &r->watch, EPOLLIN, e);
}

static void call(struct provider *provider, struct provider_call *c) {
    struct commands *p = (struct commands *)provider;
    struct err e;
    struct running *r = mem_zalloc(1, sizeof *r, &e);
    if (!r) {
        provider_failed(c, "unavailable", false, &e);
        return;
    }
    *r = (struct running){.owner = p,
                          .call = c,
                          .spec = spec_of(p, c->tool->tool.name),
                          .arena = ARENA_MAX((size_t)64 << 20),
                          .next = p->running};
    p->running = r;
    c->state = r;
    if (start(r, &e) == 0) return;
    bool ours = e.kind == ERR_INVALID || e.kind == ERR_LIMIT;
    c->state = NULL;
    end(r);
    if (ours)
        reply_refuse(c, &e);
    else
        provider_failed(c, "unavailable", false, &e);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    (void)provider;
    if (c->state) end(c->state);
    c->state = NULL;
}

static void free_commands(struct provider *provider) {
    struct commands *p = (struct commands *)provider;
    while (p->running)
        end(p->running);
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct provider_class class = {"command", call, cancel,
                                            free_commands};

/* ---- configuration ---- */

static bool is_one_of(const struct json *v, const char *a, const char *b) {
    return !v || (json_type(v) == JSON_STRING &&
                  (str_is(json_str(v), a) || str_is(json_str(v), b)));
}

static int check_items(const struct json *list, size_t depth, struct err *e) {
    if (!list || json_type(list) != JSON_ARRAY || json_len(list) == 0)
        return fail(e, ERR_INVALID, "argv: a list of texts");
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) == JSON_STRING) continue;
        if (depth > 0 || check_items(v, depth + 1, e))
            return fail(e, ERR_INVALID, "argv: texts, and lists of texts");
    }
    return 0;
}

/* Every "{name}" must be a parameter: a slip would drop the item unseen. */
static int check_names(const struct json *list, const struct json *parameters,
                       struct err *e) {
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) == JSON_ARRAY) {
            if (check_names(v, parameters, e)) return -1;
            continue;
        }
        str rest = json_str(v);
        while (rest.p) {
            (void)str_cut(&rest, '{');
            if (!rest.p) break;
            str name = str_cut(&rest, '}');
            if (!rest.p || name.n == 0) break;
            if (str_ends(name, STR("..."))) name.n -= 3;
            if (!json_get_str(parameters, name))
                return fail(e, ERR_INVALID, "argv: no parameter '%.*s'",
                            STR_ARG(name));
        }
    }
    return 0;
}

static int check_spec(const struct json *v, struct err *e) {
    static const char *const known[] = {
        "description", "argv",     "parameters", "required", "stdin", "output",
        "sandbox",     "readOnly", "idempotent", "schema",   NULL};
    if (host_check_members(v, known, e)) return -1;
    const struct json *argv = json_get(v, "argv");
    const struct json *schema = json_get(v, "schema");
    const struct json *parameters = json_get(v, "parameters");
    if (schema && json_type(schema) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "schema: an object");
    if (schema && parameters)
        return fail(e, ERR_INVALID, "either schema or parameters");
    if (schema) parameters = json_get(schema, "properties");
    if (parameters && json_type(parameters) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "parameters: an object of schemas");
    if (!is_one_of(json_get(v, "stdin"), "json", "none") ||
        !is_one_of(json_get(v, "output"), "json", "text"))
        return fail(e, ERR_INVALID,
                    "stdin is json or none, output text or json");
    if (check_items(argv, 0, e)) return -1;
    if (json_type(json_first(argv)) != JSON_STRING ||
        str_find_char(json_str(json_first(argv)), '{') >= 0)
        return fail(e, ERR_INVALID, "argv: the program itself is fixed text");
    return check_names(argv, parameters, e);
}

static void put_schema(struct json_build *b, const struct json *v) {
    if (json_get(v, "schema")) {
        build_copy(b, json_get(v, "schema"));
        return;
    }
    build_object(b);
    build_put_text(b, "type", STR("object"));
    build_put_bool(b, "additionalProperties", false);
    build_key(b, STR("properties"));
    if (json_get(v, "parameters")) {
        build_copy(b, json_get(v, "parameters"));
    } else {
        build_object(b);
        build_end(b);
    }
    if (json_get(v, "required"))
        build_put(b, "required", json_get(v, "required"));
    build_end(b);
}

static void put_tool(struct json_build *b, str name, const struct json *v) {
    bool reads = json_get_bool(v, "readOnly", false);
    build_object(b);
    build_put_text(b, "name", name);
    build_put_text(b, "description", json_get_text(v, "description", STR("")));
    build_key(b, STR("inputSchema"));
    put_schema(b, v);
    build_key(b, STR("annotations"));
    build_object(b);
    build_put_bool(b, "readOnlyHint", reads);
    build_put_bool(b, "idempotentHint",
                   reads || json_get_bool(v, "idempotent", false));
    build_end(b);
    build_end(b);
}

static int list_tools(struct commands *p, const struct json **out,
                      struct err *e) {
    const struct json *all = json_get(p->config, "commands");
    struct json_build b = JSON_BUILD(&p->arena);
    if (!all || json_type(all) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "commands: an object of commands");
    build_array(&b);
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1)) {
        if (check_spec(key + 1, e))
            return fail_while(e, "%.*s", STR_ARG(json_str(key)));
        put_tool(&b, json_str(key), key + 1);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

static int set_up(struct commands *p, str name, const struct json *config,
                  struct err *e) {
    static const char *const known[] = {"description", "commands", "sandbox",
                                        "allow",       "exclude",  "tools",
                                        "limits",      NULL};
    struct json_build b = JSON_BUILD(&p->arena);
    const struct json *tools;
    build_copy(&b, config);
    if (arena_dup(&p->arena, name, &p->provider.server, e) ||
        build_done(&b, &p->config, e) ||
        host_check_members(p->config, known, e) || list_tools(p, &tools, e))
        return -1;
    str about = json_get_text(p->config, "description", STR(""));
    return host_put(&p->host, &p->provider, p->config, about, tools, e);
}

struct provider *provider_command_new(const struct provider_host *h, str name,
                                      const struct json *config,
                                      struct err *e) {
    struct commands *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX((size_t)16 << 20);
    p->provider.class = &class;
    p->host = *h;
    if (set_up(p, name, config, e) == 0) return &p->provider;
    free_commands(&p->provider);
    err_context(e, "commands %.*s", STR_ARG(name));
    return NULL;
}
