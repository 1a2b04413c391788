/* SPDX-License-Identifier: MIT */
#include "call/needs.h"

#include "base/mem.h"
#include "call/reply.h"
#include "policy/own_tools.h"
#include "json/build.h"

/* The call does nothing: that it was let through is the answer. */
static void call(struct provider *p, struct provider_call *c) {
    struct reply r = {.text = STR("granted")};
    (void)p;
    reply_done(c, &r);
}

static void cancel(struct provider *p, struct provider_call *c) {
    (void)p;
    (void)c;
}

static void free_needs(struct provider *p) {
    mem_free(p);
}

static const struct provider_class class = {"callback", call, cancel,
                                            free_needs};

int needs_tool(str tool, struct arena *a, const struct json **out,
               struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_put_text(&b, "tool", tool);
    build_end(&b);
    return build_done(&b, out, e);
}

struct provider *provider_needs_new(struct registry *r, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)1 << 20);
    struct provider *p = mem_zalloc(1, sizeof *p, e);
    const struct json *tools;
    if (!p) return NULL;
    p->class = &class;
    p->server = STR(NEEDS_SERVER);
    struct registry_source source = {
        .server = p->server, .provider = p, .builtin = true, .needs = true};
    if (json_parse(str_of(own_tools), NULL, &scratch, &tools, e) == 0 &&
        registry_put(r, &source, tools, e) == (int)json_len(tools))
        return p;
    mem_free(p);
    return NULL;
}
