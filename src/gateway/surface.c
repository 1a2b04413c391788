/* SPDX-License-Identifier: MIT
 *
 * What a host is offered instead of hundreds of tools: ways to find them. The
 * text of these tools never changes, so that a model's prompt cache stays warm.
 */
#include <string.h>

#include "base/mem.h"
#include "gateway/hub_inside.h"
#include "tools/finder.h"

#define TEXT_MAX ((size_t)1 << 20)

/* -- finding -----------------------------------------------------------------
 */

/* What scopes forbid is not found either. */
struct found_filter {
    const struct hub *hub;
    str scopes;
};

static bool may_find(void *context, str id) {
    const struct found_filter *f = context;
    return !f->scopes.p || !f->hub->config.allows ||
           f->hub->config.allows(f->hub->config.data, f->scopes, id);
}

struct asking {
    struct found_filter filter;
    str sticky[SESSION_TOOLS];
};

typedef int find_fn(struct hub *h, const struct mcp_request *r,
                    const struct finder *f, const struct json *arguments,
                    struct buf *text, struct err *e);

/* A request that waits for an endpoint or a router; lives in its arena. */
struct search {
    struct hub *hub;
    struct mcp_request *request;
    const struct json *arguments;
    find_fn *find;
    struct select_wait wait;
};

static struct finder finder_of(struct hub *h, const struct mcp_request *r,
                               struct asking *a) {
    const struct select_session *session = surface_session(h, r);
    str who = mcp_who(r)->principal;
    a->filter = (struct found_filter){h, mcp_who(r)->scopes};
    return (struct finder){
        .registry = boundary_registry(h->config.boundary),
        .may = may_find,
        .data = &a->filter,
        .who = who.p ? who : STR(""),
        .sticky = a->sticky,
        .sticky_count = session ? session_sticky(session, a->sticky) : 0};
}

static void answer_error(struct mcp_request *r, const struct err *e) {
    hub_answer_text(r, str_of(e->text), true);
}

static void go_on(struct search *s) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
    struct mcp_request *r = s->request;
    struct asking asking;
    struct finder finder = finder_of(s->hub, r, &asking);
    struct err e;
    finder.wait = &s->wait;
    int failed = s->find(s->hub, r, &finder, s->arguments, &text, &e);
    if (failed && e.kind == ERR_WAITING) return;
    mcp_set_state(r, NULL);
    if (failed)
        answer_error(r, &e);
    else
        hub_answer_text(r, buf_str(&text), false);
}

static void on_found(struct select_wait *w) {
    go_on(w->data);
}

static void answer_found(struct hub *h, struct mcp_request *r,
                         const struct json *arguments, find_fn *find) {
    struct err e;
    struct search *s = arena_zalloc(mcp_arena(r), 1, sizeof *s, &e);
    if (!s) {
        answer_error(r, &e);
        return;
    }
    *s = (struct search){h, r, arguments, find, {.fn = on_found, .data = s}};
    mcp_set_state(r, s);
    go_on(s);
}

static void cancelled(void *data, struct mcp_request *r) {
    struct search *s = mcp_state(r);
    (void)data;
    if (!s) return;
    select_unwait(&s->wait);
    mcp_set_state(r, NULL);
    hub_answer_text(r, STR("cancelled"), true);
}

static int search(struct hub *h, const struct mcp_request *r,
                  const struct finder *f, const struct json *arguments,
                  struct buf *text, struct err *e) {
    (void)h, (void)r;
    return finder_search(f, arguments, text, e);
}

static void search_tools(void *data, struct hub *h, struct mcp_request *r,
                         const struct json *arguments) {
    (void)data;
    answer_found(h, r, arguments, search);
}

static int describe(struct hub *h, const struct mcp_request *r,
                    const struct finder *f, const struct json *arguments,
                    struct buf *text, struct err *e) {
    (void)h, (void)r;
    return finder_describe(f, arguments, text, e);
}

static void describe_tools(void *data, struct hub *h, struct mcp_request *r,
                           const struct json *arguments) {
    (void)data;
    answer_found(h, r, arguments, describe);
}

/* -- find_tools: a new selection ---------------------------------------------
 */

static struct select_session *make_session(struct hub *h, str principal,
                                           struct err *e) {
    struct select_session *s = map_get(&h->chosen, principal);
    if (s) return s;
    s = mem_zalloc(1, sizeof *s, e);
    if (!s || map_put(&h->chosen, principal, s, NULL, e) == 0) return s;
    mem_free(s);
    return NULL;
}

/* New tools come behind those that were chosen before, which stay: so a
 * model's prompt cache does. */
static int keep_selection(struct hub *h, const struct mcp_request *r,
                          const struct selection *found, struct err *e) {
    struct registry *registry = boundary_registry(h->config.boundary);
    struct selector *selector = registry_selector(registry, e);
    struct select_session *s = make_session(h, mcp_who(r)->principal, e);
    size_t added;
    if (!selector || !s ||
        session_offer(s, &selector->corpus, found, &added, e))
        return -1;
    if (added > 0) list_dirty(h, HUB_TOOLS);
    return 0;
}

static int choose(struct hub *h, const struct mcp_request *r,
                  const struct finder *f, const struct json *arguments,
                  struct buf *text, struct err *e) {
    str task = json_get_text(arguments, "task", STR(""));
    if (!task.n) return fail(e, ERR_INVALID, "task: a text is wanted");
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    if (!found) return -1;
    return finder_find(f, task, arguments, found, e) ||
                   finder_write(f, found, text, e) ||
                   keep_selection(h, r, found, e)
               ? -1
               : 0;
}

static void choose_tools(void *data, struct hub *h, struct mcp_request *r,
                         const struct json *arguments) {
    (void)data;
    answer_found(h, r, arguments, choose);
}

const struct select_session *surface_session(struct hub *h,
                                             const struct mcp_request *r) {
    return map_get(&h->chosen, mcp_who(r)->principal);
}

void surface_used(struct hub *h, const struct mcp_request *r, str name) {
    struct select_session *s = map_get(&h->chosen, mcp_who(r)->principal);
    if (s) session_use(s, name);
}

bool surface_offers(struct hub *h, const struct entry *t) {
    switch (h->config.surface) {
    case HUB_ALL: return true;
    case HUB_CODE: return false;
    case HUB_SELECT: break;
    }
    return registry_always(boundary_registry(h->config.boundary), t);
}

/* -- the table ---------------------------------------------------------------
 */

static const struct {
    enum hub_surface surface;
    struct hub_tool tool;
} own_tools[] = {
    {HUB_CODE, {finder_search_definition, search_tools, cancelled, NULL}},
    {HUB_CODE, {finder_describe_definition, describe_tools, cancelled, NULL}},
    {HUB_SELECT,
     {"{\"name\":\"find_tools\",\"title\":\"Find tools\","
      "\"description\":\"Choose other tools for a task: those that fit are "
      "offered from then on. Returns their signatures.\","
      "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
      "\"task\":{\"type\":\"string\",\"description\":\"what is to be done\"},"
      "\"server\":{\"type\":\"string\",\"description\":\"only this "
      "server's\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":30}},"
      "\"required\":[\"task\"]},"
      "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}",
      choose_tools, cancelled, NULL}},
};

int surface_add_tools(struct hub *h, struct err *e) {
    for (size_t i = 0; i < sizeof own_tools / sizeof own_tools[0]; i++)
        if (own_tools[i].surface == h->config.surface &&
            hub_add_tool(h, &own_tools[i].tool, e))
            return -1;
    return 0;
}

static void drop_session(struct select_session *s) {
    session_fini(s);
    mem_free(s);
}

void surface_free(struct hub *h) {
    const struct map_entry *entry;
    for (size_t i = 0; (entry = map_next(&h->chosen, &i));)
        drop_session(entry->value);
    map_fini(&h->chosen);
}
