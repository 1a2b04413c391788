/* SPDX-License-Identifier: MIT
 *
 * The lists hosts see: those of all servers one after the other, under names
 * and URIs of their own, made when they are asked for.
 */
#include <stdio.h>

#include "base/mem.h"
#include "base/num.h"
#include "gateway/hub_inside.h"
#include "gateway/uris.h"
#include "tools/names.h"
#include "json/build.h"

#define LIST_MEMORY ((size_t)512 << 20)
#define CHANGE_WAIT (50 * HUB_MS)

static const char *const keys[HUB_LISTS] = {
    [HUB_TOOLS] = "tools",
    [HUB_PROMPTS] = "prompts",
    [HUB_RESOURCES] = "resources",
    [HUB_TEMPLATES] = "resourceTemplates",
};

/* -- changes -----------------------------------------------------------------
 */

static void tell_changes(struct io_timer *t) {
    static const enum mcp_list told_as[HUB_LISTS] = {
        [HUB_TOOLS] = MCP_LIST_TOOLS,
        [HUB_PROMPTS] = MCP_LIST_PROMPTS,
        [HUB_RESOURCES] = MCP_LIST_RESOURCES,
        [HUB_TEMPLATES] = MCP_LIST_RESOURCES,
    };
    struct hub *h = t->data;
    for (int i = 0; i < HUB_LISTS; i++) {
        if (!h->changed[i]) continue;
        h->changed[i] = false;
        mcp_list_changed(h->server, told_as[i]);
    }
}

/* Ours are for programs: hosts have better ways to search. */
#define UNLISTED (TOOL_SET_ASIDE | TOOL_QUARANTINED | TOOL_BUILTIN)

/* A server that has not told its tools yet has one at least. */
bool list_is_constant(const struct hub *h) {
    const struct registry *registry = boundary_registry(h->config.boundary);
    size_t n = 0;
    if (h->config.surface != HUB_CODE) return false;
    if (h->config.direct == 0) return true;
    for (const struct member *m = h->members; m; m = m->next)
        n += m->down && !downstream_has_settled(m->down);
    for (size_t i = 0; n <= h->config.direct && i < registry_count(registry);
         i++)
        n += !(registry_at(registry, i)->flags & UNLISTED);
    return n > h->config.direct;
}

static bool is_constant(const struct hub *h, enum hub_list_kind kind) {
    return kind == HUB_TOOLS && !h->lists[kind].small && list_is_constant(h);
}

/* A list that nobody has seen cannot have changed for anybody. */
void list_dirty(struct hub *h, enum hub_list_kind kind) {
    struct hub_list *l = &h->lists[kind];
    struct err e;
    l->items = NULL;
    if (!l->told || is_constant(h, kind)) return;
    h->changed[kind] = true;
    if (h->change_timer.place) return;
    h->change_timer.fn = tell_changes;
    h->change_timer.data = h;
    (void)loop_timer(h->loop, &h->change_timer, CHANGE_WAIT, &e);
}

void hub_tools_changed(struct hub *h) {
    list_dirty(h, HUB_TOOLS);
}

/* -- making ------------------------------------------------------------------
 */

static void put_tool(struct json_build *b, const struct hub *h,
                     const struct entry *t) {
    const struct member *m = h->members;
    while (m && (void *)m->provider != t->provider)
        m = m->next;
    str described = json_get_text(t->definition, "description", STR(""));
    str titled = json_get_text(t->definition, "title", STR(""));
    struct definition_change change = {
        .name = t->name, .uri_prefix = m ? str_of(m->uri_prefix) : STR("")};
    if (!str_eq(described, t->tool.description))
        change.description = t->tool.description;
    if (!str_eq(titled, t->tool.title)) change.title = t->tool.title;
    /* One that its server has only as a task we have both ways. */
    bool tasks = errand_task_support(m, t) != MCP_TASK_FORBIDDEN;
    if (mcp_task_support(t->definition) !=
        (tasks ? MCP_TASK_OPTIONAL : MCP_TASK_FORBIDDEN))
        change.tasks = tasks ? STR("optional") : STR("forbidden");
    definition_put(b, t->definition, &change);
}

/* In the order they were chosen, behind what everybody gets. */
static void put_chosen(struct json_build *b, struct hub *h,
                       const struct mcp_request *r) {
    const struct registry *registry = boundary_registry(h->config.boundary);
    const struct select_session *s = surface_session(h, r);
    for (size_t i = 0; s && i < s->count; i++) {
        const struct entry *t = registry_find(registry, str_of(s->ids[i]));
        if (t && !(t->flags & UNLISTED) && !surface_offers(h, t))
            put_tool(b, h, t);
    }
}

static void put_tools(struct json_build *b, struct hub *h,
                      const struct mcp_request *r) {
    struct registry *registry = boundary_registry(h->config.boundary);
    /* Where there are only a few tools, code mode need not be paid for. */
    bool small = h->config.surface == HUB_CODE && !list_is_constant(h);
    h->lists[HUB_TOOLS].small = small;
    for (size_t i = 0; i < h->tool_count; i++)
        build_copy(b, h->definitions[i]);
    for (size_t i = 0; i < registry_count(registry); i++) {
        struct entry *t = registry_at(registry, i);
        if (!t || t->flags & UNLISTED) continue;
        if (small || surface_offers(h, t)) put_tool(b, h, t);
    }
    if (r && h->config.surface == HUB_SELECT) put_chosen(b, h, r);
}

static int remember_prompt(struct hub_list *l, str shown, struct member *m,
                           const struct json *item, struct err *e) {
    struct prompt_at *at = arena_zalloc(&l->memory, 1, sizeof *at, e);
    if (!at) return -1;
    at->member = m;
    at->definition = item;
    if (arena_dup(&l->memory, json_get_text(item, "name", STR("")), &at->name,
                  e))
        return -1;
    return map_put(&l->by_name, shown, at, NULL, e);
}

static int put_prompt(struct hub_list *l, struct json_build *b,
                      struct member *m, const struct json *item,
                      struct err *e) {
    str name = json_get_text(item, "name", (str){NULL, 0}), shown;
    if (!name.p) return 0;
    if (name_flat(str_of(m->prefix), name, &l->memory, &shown, e) ||
        remember_prompt(l, shown, m, item, e))
        return -1;
    const struct definition_change change = {.name = shown};
    definition_put(b, item, &change);
    return 0;
}

static int put_items(struct hub_list *l, struct json_build *b, struct member *m,
                     enum hub_list_kind kind, struct err *e) {
    static const enum downstream_list from[HUB_LISTS] = {
        [HUB_TOOLS] = DOWN_TOOLS,
        [HUB_PROMPTS] = DOWN_PROMPTS,
        [HUB_RESOURCES] = DOWN_RESOURCES,
        [HUB_TEMPLATES] = DOWN_TEMPLATES,
    };
    const struct json *items = downstream_items(m->down, from[kind]);
    const struct definition_change change = {.uri_prefix =
                                                 str_of(m->uri_prefix)};
    if (!items) return 0;
    const struct json *item = json_first(items);
    for (size_t i = json_len(items); i > 0; i--, item = json_skip(item)) {
        if (json_type(item) != JSON_OBJECT) continue;
        if (kind != HUB_PROMPTS)
            definition_put(b, item, &change);
        else if (put_prompt(l, b, m, item, e))
            return -1;
    }
    return 0;
}

/* What a configuration declares is shown without what it is made of. */
static int put_local(struct hub *h, struct hub_list *l, struct json_build *b,
                     enum hub_list_kind kind, struct err *e) {
    const struct json *items = kind == HUB_PROMPTS     ? h->local_prompts
                               : kind == HUB_RESOURCES ? h->local_resources
                                                       : NULL;
    if (kind == HUB_RESOURCES && h->skills) {
        const struct json *skills = skill_set_resources(h->skills);
        const struct json *skill = json_first(skills);
        for (size_t i = json_len(skills); i > 0; i--, skill = json_skip(skill))
            build_copy(b, skill);
    }
    if (!items) return 0;
    const struct json *item = json_first(items);
    for (size_t i = json_len(items); i > 0; i--, item = json_skip(item)) {
        str name = json_get_text(item, "name", STR(""));
        if (kind == HUB_PROMPTS && remember_prompt(l, name, NULL, item, e))
            return -1;
        local_put(b, item);
    }
    return 0;
}

static int make_others(struct hub *h, enum hub_list_kind kind,
                       struct json_build *b, struct err *e) {
    struct hub_list *l = &h->lists[kind];
    if (put_local(h, l, b, kind, e)) return -1;
    /* The members are listed newest first; hosts see them as configured. */
    for (size_t i = 0; i < h->servers.count; i++)
        for (struct member *m = h->members; m; m = m->next)
            if (m->spec == &h->servers.list[i] && put_items(l, b, m, kind, e))
                return -1;
    return 0;
}

static void clear(struct hub_list *l) {
    map_fini(&l->by_name);
    arena_fini(&l->memory);
    l->memory = ARENA_MAX(LIST_MEMORY);
    l->by_name = MAP_MAX(HUB_NAMES_MAX);
    l->items = NULL;
}

static int make(struct hub *h, enum hub_list_kind kind,
                const struct mcp_request *r, struct err *e) {
    struct hub_list *l = &h->lists[kind];
    if (l->items) return 0;
    clear(l);
    struct json_build b = JSON_BUILD(&l->memory);
    build_array(&b);
    if (kind == HUB_TOOLS)
        put_tools(&b, h, r);
    else if (make_others(h, kind, &b, e))
        return -1;
    build_end(&b);
    return build_done(&b, &l->items, e);
}

void lists_free(struct hub *h) {
    loop_timer_stop(&h->change_timer);
    for (int i = 0; i < HUB_LISTS; i++) {
        map_fini(&h->lists[i].by_name);
        arena_fini(&h->lists[i].memory);
    }
}

/* -- finding -----------------------------------------------------------------
 */

const struct prompt_at *list_find_prompt(struct hub *h, str name) {
    struct err e;
    if (make(h, HUB_PROMPTS, NULL, &e)) return NULL;
    return map_get(&h->lists[HUB_PROMPTS].by_name, name);
}

/* -- answering ---------------------------------------------------------------
 */

static bool may_see(const struct hub *h, const struct mcp_request *r,
                    enum hub_list_kind kind, const struct json *item) {
    str scopes = mcp_who(r)->scopes;
    if (kind != HUB_TOOLS || !scopes.p || !h->config.allows) return true;
    return h->config.allows(h->config.data, scopes,
                            json_get_text(item, "name", STR("")));
}

/* A cursor is the place of the next item. */
static bool read_cursor(struct mcp_request *r, size_t *start) {
    const struct json *cursor = json_get(mcp_params(r), "cursor");
    uint64_t n = 0;
    struct err e;
    *start = 0;
    if (!cursor || json_type(cursor) == JSON_NULL) return true;
    if (json_type(cursor) != JSON_STRING ||
        num_parse_u64(json_str(cursor), &n, &e) || n > HUB_NAMES_MAX) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "not a cursor of this list");
        return false;
    }
    *start = (size_t)n;
    return true;
}

static void put_page(struct hub *h, struct mcp_request *r,
                     enum hub_list_kind kind, const struct json *items,
                     size_t start, struct json_build *b) {
    const struct json *item = json_first(items);
    size_t i = 0, end = start + HUB_PAGE;
    build_object(b);
    build_key(b, str_of(keys[kind]));
    build_array(b);
    for (; i < json_len(items) && i < end; i++, item = json_skip(item))
        if (i >= start && may_see(h, r, kind, item)) build_copy(b, item);
    build_end(b);
    if (i < json_len(items)) {
        char cursor[32];
        (void)snprintf(cursor, sizeof cursor, "%zu", i);
        build_put_text(b, "nextCursor", str_of(cursor));
    }
    build_end(b);
}

void list_answer(struct hub *h, struct mcp_request *r,
                 enum hub_list_kind kind) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    struct hub_list *l = &h->lists[kind];
    const struct json *result;
    struct err e;
    size_t start;
    if (!read_cursor(r, &start)) return;
    l->told = true;
    /* A selection is somebody's own: it is made for them. */
    if (kind == HUB_TOOLS && h->config.surface == HUB_SELECT) l->items = NULL;
    if (make(h, kind, r, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    put_page(h, r, kind, l->items, start, &b);
    if (build_done(&b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}
