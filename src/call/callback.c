/* SPDX-License-Identifier: MIT */
#include "call/callback.h"

#include "base/mem.h"
#include "json/build.h"

#define LIST_BYTES ((size_t)16 << 20)

struct callbacks {
    struct provider provider;
    const struct callback *functions;
    void *data;
    struct arena arena;
    const struct json *tools; /* the definitions, in the same order */
};

static const struct callback *find(const struct callbacks *p,
                                   const struct entry *t) {
    const struct json *v = json_first(p->tools);
    for (const struct callback *f = p->functions; f->definition; f++) {
        if (str_eq(json_get_text(v, "name", STR("")), t->tool.name)) return f;
        v = json_skip(v);
    }
    return NULL;
}

static void call(struct provider *provider, struct provider_call *c) {
    struct callbacks *p = (struct callbacks *)provider;
    const struct callback *f = find(p, c->tool);
    struct err e;
    if (f) {
        f->call(p->data, c);
        return;
    }
    err_set(&e, ERR_MISSING, "no function is called '%.*s'",
            STR_ARG(c->tool->tool.name));
    provider_failed(c, "unavailable", false, &e);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    struct callbacks *p = (struct callbacks *)provider;
    const struct callback *f = find(p, c->tool);
    if (f && f->cancel) f->cancel(p->data, c);
}

static void free_callbacks(struct provider *provider) {
    struct callbacks *p = (struct callbacks *)provider;
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct provider_class class = {"callback", call, cancel,
                                            free_callbacks};

static int list_tools(const struct callback *functions, struct arena *a,
                      const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_array(&b);
    for (const struct callback *f = functions; f->definition; f++) {
        AUTO_ARENA struct arena own = ARENA_MAX(LIST_BYTES);
        const struct json *v;
        if (json_parse(str_of(f->definition), NULL, &own, &v, e))
            return fail_while(e, "definition of a function");
        build_copy(&b, v);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

struct provider *callback_new(struct registry *registry, str server,
                              const struct callback *functions, void *data,
                              const struct json *overrides, struct err *e) {
    struct callbacks *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX(LIST_BYTES);
    p->provider.class = &class;
    p->functions = functions;
    p->data = data;
    struct registry_source source = {.provider = p, .overrides = overrides};
    if (arena_dup(&p->arena, server, &p->provider.server, e) == 0 &&
        list_tools(functions, &p->arena, &p->tools, e) == 0) {
        source.server = p->provider.server;
        if (registry_put(registry, &source, p->tools, e) >= 0)
            return &p->provider;
    }
    free_callbacks(&p->provider);
    return NULL;
}
