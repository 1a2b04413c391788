/* SPDX-License-Identifier: MIT
 *
 * Resources and prompts for a host in this very process: `cordon chat`.
 */
#include <stdio.h>

#include "base/mem.h"
#include "gateway/hub_inside.h"
#include "json/build.h"

#define FETCH_MEMORY ((size_t)64 << 20)

struct hub_fetch {
    void (*done)(void *data, const struct json *result, const struct err *e);
    void *data;
    struct downstream_call *call;
};

static struct member *member_named(const struct hub *h, str name) {
    struct member *m = h->members;
    while (m && !(m->spec && str_eq(str_of(downstream_name(m->down)), name)))
        m = m->next;
    return m;
}

bool hub_has_server(const struct hub *h, str name) {
    return str_is(name, HUB_CONFIG_NAME) || member_named(h, name);
}

/* -- what there is -----------------------------------------------------------
 */

static void each_of(const struct json *items, str server,
                    void (*each)(void *data, str server,
                                 const struct json *item),
                    void *data) {
    if (!items) return;
    const struct json *item = json_first(items);
    for (size_t i = json_len(items); i > 0; i--, item = json_skip(item))
        if (json_type(item) == JSON_OBJECT) each(data, server, item);
}

void hub_each(const struct hub *h, enum hub_kind kind,
              void (*each)(void *data, str server, const struct json *item),
              void *data) {
    bool prompts = kind == HUB_PROMPT;
    each_of(prompts ? h->local_prompts : h->local_resources,
            STR(HUB_CONFIG_NAME), each, data);
    for (const struct member *m = h->members; m; m = m->next)
        if (m->spec)
            each_of(downstream_items(m->down,
                                     prompts ? DOWN_PROMPTS : DOWN_RESOURCES),
                    str_of(downstream_name(m->down)), each, data);
}

/* -- of the configuration ----------------------------------------------------
 */

static const struct json *local_definition(const struct hub *h, str name) {
    const struct json *list = h->local_prompts;
    const struct json *item = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0;
         i--, item = json_skip(item))
        if (str_eq(json_get_text(item, "name", STR("")), name)) return item;
    return NULL;
}

static int fetch_local(struct hub *h, const struct hub_wish *w, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(FETCH_MEMORY);
    const struct json *result, *definition = NULL;
    if (w->kind == HUB_PROMPT && !(definition = local_definition(h, w->name)))
        return fail(e, ERR_MISSING, "the configuration has no prompt %.*s",
                    STR_ARG(str_sub(w->name, 0, 200)));
    if (definition ? local_prompt(definition, w->args, &a, &result, e)
                   : local_resource(h, w->name, &a, &result, e))
        return -1;
    w->done(w->data, result, NULL);
    return 0;
}

/* -- of a server -------------------------------------------------------------
 */

static void on_reply(void *data, const struct mcp_reply *reply) {
    struct hub_fetch f = *(struct hub_fetch *)data;
    mem_free(data);
    f.done(f.data, reply->err ? NULL : reply->result, reply->err);
}

static int build_params(const struct hub_wish *w, struct arena *a,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_put_text(&b, w->kind == HUB_PROMPT ? "name" : "uri", w->name);
    if (w->kind == HUB_PROMPT && w->args) build_put(&b, "arguments", w->args);
    build_end(&b);
    return build_done(&b, out, e);
}

static int fetch_from(struct member *m, const struct hub_wish *w,
                      struct hub_fetch *f, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(FETCH_MEMORY);
    struct downstream_spec spec = {
        .method = w->kind == HUB_PROMPT ? "prompts/get" : "resources/read",
        .owner = STR("host"),
        .done = on_reply,
        .data = f};
    if (build_params(w, &a, &spec.params, e)) return -1;
    f->done = w->done;
    f->data = w->data;
    f->call = downstream_call(m->down, &spec, e);
    return f->call ? 0 : -1;
}

int hub_fetch(struct hub *h, const struct hub_wish *w, struct hub_fetch **out,
              struct err *e) {
    struct member *m = member_named(h, w->server);
    *out = NULL;
    if (str_is(w->server, HUB_CONFIG_NAME) && !m) return fetch_local(h, w, e);
    if (!m)
        return fail(e, ERR_MISSING, "there is no server \"%.*s\"",
                    STR_ARG(str_sub(w->server, 0, 100)));
    struct hub_fetch *f = mem_zalloc(1, sizeof *f, e);
    if (!f) return -1;
    if (fetch_from(m, w, f, e)) {
        mem_free(f);
        return -1;
    }
    *out = f;
    return 0;
}

void hub_fetch_cancel(struct hub_fetch *f) {
    downstream_cancel(f->call, "nobody waits for it");
    mem_free(f);
}
