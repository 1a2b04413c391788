/* SPDX-License-Identifier: MIT */
#include "call/lookup.h"

#include "base/mem.h"
#include "call/reply.h"
#include "tools/stub.h"
#include "json/build.h"

#define STUB_BYTES ((size_t)256 << 10)
#define NEAR       3

struct lookup {
    struct provider provider; /* first */
    struct registry *registry;
};

static const char definitions[] =
    "[{\"name\":\"search\",\"description\":\"Finds tools that fit a request in "
    "words.\",\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true,"
    "\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"query\":{\"type\":\"string\"},\"count\":{\"type\":"
    "\"integer\",\"minimum\":1,\"maximum\":50,\"default\":8}},\"required\":"
    "[\"query\"],\"additionalProperties\":false}},"
    "{\"name\":\"help\",\"description\":\"Tells everything about one tool.\","
    "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true,"
    "\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"],"
    "\"additionalProperties\":false}}]";

/* ---- search ---- */

static int put_found(struct json_build *b, const struct entry *t,
                     struct arena *a, struct err *e) {
    AUTO_BUF struct buf stub = BUF_MAX(STUB_BYTES);
    if (stub_write(t, STUB_BRIEF, NULL, &stub, e)) return -1;
    char *name = arena_printf(a, e, "%.*s%s%.*s", STR_ARG(t->space),
                              t->space.n > 0 ? "." : "", STR_ARG(t->method));
    if (!name) return -1;
    build_object(b);
    build_put_text(b, "name", str_of(name));
    build_put_text(b, "stub", str_trim(buf_str(&stub)));
    build_end(b);
    return 0;
}

static int search(struct lookup *p, struct provider_call *c,
                  const struct json **out, struct err *e) {
    AUTO_MEM struct selection *found = mem_alloc(sizeof *found, e);
    struct selector *s = registry_selector(p->registry, e);
    struct json_build b = JSON_BUILD(c->arena);
    if (!found || !s) return -1;
    struct select_request r = {
        .text = json_get_text(c->args, "query", STR("")),
        .k = (size_t)json_get_int(c->args, "count", SELECT_K)};
    if (select_tools(s, &r, found, e)) return -1;
    build_array(&b);
    for (size_t i = 0; i < found->count; i++) {
        str id = corpus_id(&s->corpus, found->items[i].doc);
        const struct entry *t = registry_find(p->registry, id);
        if (t && !t->fault && put_found(&b, t, c->arena, e)) return -1;
    }
    build_end(&b);
    return build_done(&b, out, e);
}

/* ---- help ---- */

static int unknown(struct lookup *p, str name, struct err *e) {
    str near[NEAR];
    AUTO_BUF struct buf text = BUF_MAX(1024);
    size_t n = registry_near(p->registry, name, near, NEAR);
    for (size_t i = 0; i < n; i++)
        if (buf_addf(&text, e, "%s%.*s", i > 0 ? ", " : "; did you mean ",
                     STR_ARG(near[i])))
            return -1;
    return fail(e, ERR_MISSING, "no tool %.*s%s%s",
                STR_ARG(str_sub(name, 0, 64)), buf_text(&text),
                n > 0 ? "?" : "");
}

static int help(struct lookup *p, struct provider_call *c, str *out,
                struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STUB_BYTES);
    str name = json_get_text(c->args, "name", STR(""));
    const struct entry *t = registry_find(p->registry, name);
    if (!t) return unknown(p, name, e);
    if (stub_write(t, STUB_FULL, NULL, &text, e)) return -1;
    return arena_dup(c->arena, buf_str(&text), out, e);
}

/* ---- the provider ---- */

static void call(struct provider *provider, struct provider_call *c) {
    struct lookup *p = (struct lookup *)provider;
    struct reply r = {0};
    struct err e;
    int failed = str_is(c->tool->tool.name, "search")
                     ? search(p, c, &r.value, &e)
                     : help(p, c, &r.text, &e);
    if (failed)
        reply_refuse(c, &e);
    else
        reply_done(c, &r);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    (void)provider;
    (void)c;
}

static void free_lookup(struct provider *provider) {
    mem_free(provider);
}

static const struct provider_class class = {"callback", call, cancel,
                                            free_lookup};

struct provider *provider_lookup_new(const struct provider_host *h,
                                     struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)1 << 20);
    const struct json *tools;
    struct lookup *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->provider.class = &class;
    p->provider.server = STR("tools");
    p->registry = h->registry;
    struct registry_source source = {
        .server = p->provider.server, .provider = p, .builtin = true};
    if (json_parse(str_of(definitions), NULL, &scratch, &tools, e) == 0 &&
        registry_put(h->registry, &source, tools, e) == 2)
        return &p->provider;
    mem_free(p);
    return NULL;
}
