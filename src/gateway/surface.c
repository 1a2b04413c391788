/* SPDX-License-Identifier: MIT
 *
 * What a host is offered instead of hundreds of tools: ways to find them. The
 * text of these tools never changes, so that a model's prompt cache stays warm.
 */
#include <string.h>

#include "base/mem.h"
#include "gateway/hub_inside.h"
#include "tools/stub.h"

enum { FOUND_MAX = 30, FOUND_USUAL = 8 };
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

static int find_tools(struct hub *h, const struct mcp_request *r, str query,
                      size_t k, struct selection *out, struct err *e) {
    struct registry *registry = boundary_registry(h->config.boundary);
    struct selector *selector = registry_selector(registry, e);
    struct found_filter filter = {h, mcp_who(r)->scopes};
    const struct select_request request = {
        .text = query, .k = k, .filter = may_find, .filter_context = &filter};
    return selector ? select_tools(selector, &request, out, e) : -1;
}

/* The entry of a hit, or NULL when it went meanwhile. */
static struct entry *entry_of(struct hub *h, const struct selected *hit) {
    struct registry *registry = boundary_registry(h->config.boundary);
    struct err e;
    struct selector *selector = registry_selector(registry, &e);
    if (!selector) return NULL;
    return registry_find(registry, corpus_id(&selector->corpus, hit->doc));
}

static size_t wanted_count(const struct json *arguments) {
    int64_t n = json_get_int(arguments, "limit", FOUND_USUAL);
    return n < 1 ? 1 : n > FOUND_MAX ? FOUND_MAX : (size_t)n;
}

static void answer_error(struct mcp_request *r, const struct err *e) {
    hub_answer_text(r, str_of(e->text), true);
}

/* -- search_tools ------------------------------------------------------------
 */

static int write_found(struct hub *h, const struct selection *s,
                       struct buf *out, struct err *e) {
    for (size_t i = 0; i < s->count; i++) {
        struct entry *t = entry_of(h, &s->items[i]);
        if (t && (stub_write(t, STUB_BRIEF, NULL, out, e) ||
                  (out->len && out->data[out->len - 1] != '\n' &&
                   buf_add_char(out, '\n', e))))
            return -1;
    }
    if (out->len) return 0;
    return buf_addf(out, e, "No tool fits. %s", s->hint);
}

static void search_tools(void *data, struct hub *h, struct mcp_request *r,
                         const struct json *arguments) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
    str query = json_get_text(arguments, "query", STR(""));
    AUTO_MEM struct selection *found = NULL;
    struct err e;
    (void)data;
    if (!query.n) {
        hub_answer_text(r, STR("query: a text is wanted"), true);
        return;
    }
    found = mem_zalloc(1, sizeof *found, &e);
    if (!found || find_tools(h, r, query, wanted_count(arguments), found, &e) ||
        write_found(h, found, &text, &e))
        answer_error(r, &e);
    else
        hub_answer_text(r, buf_str(&text), false);
}

/* -- describe_tools ----------------------------------------------------------
 */

static int describe(struct hub *h, const struct mcp_request *r, str name,
                    struct buf *out, struct err *e) {
    struct registry *registry = boundary_registry(h->config.boundary);
    struct entry *t = registry_find(registry, name);
    struct found_filter filter = {h, mcp_who(r)->scopes};
    str near[3];
    if (t && may_find(&filter, t->name)) {
        if (stub_write(t, STUB_FULL, NULL, out, e)) return -1;
        return buf_add_char(out, '\n', e);
    }
    size_t n = registry_near(registry, name, near, 3);
    if (buf_addf(out, e, "%.*s: no such tool", STR_ARG(name))) return -1;
    for (size_t i = 0; i < n; i++)
        if (buf_addf(out, e, "%s%.*s",
                     i ? ", " : "; near it: ", STR_ARG(near[i])))
            return -1;
    return buf_add_char(out, '\n', e);
}

static void describe_tools(void *data, struct hub *h, struct mcp_request *r,
                           const struct json *arguments) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
    const struct json *names = json_get(arguments, "names");
    struct err e;
    (void)data;
    if (!names || json_type(names) != JSON_ARRAY || !json_len(names)) {
        hub_answer_text(r, STR("names: a list of names is wanted"), true);
        return;
    }
    const struct json *name = json_first(names);
    for (size_t i = json_len(names); i > 0; i--, name = json_skip(name))
        if (json_type(name) == JSON_STRING &&
            describe(h, r, json_str(name), &text, &e)) {
            answer_error(r, &e);
            return;
        }
    hub_answer_text(r, buf_str(&text), false);
}

/* -- find_tools: a new selection ---------------------------------------------
 */

static int keep_selection(struct hub *h, const struct mcp_request *r,
                          const struct selection *s, struct err *e) {
    AUTO_BUF struct buf names = BUF_MAX(TEXT_MAX);
    void *old = NULL;
    for (size_t i = 0; i < s->count; i++) {
        struct entry *t = entry_of(h, &s->items[i]);
        if (t && buf_addf(&names, e, "%.*s\n", STR_ARG(t->name))) return -1;
    }
    AUTO_MEM char *text = mem_dup(buf_text(&names), names.len, e);
    if (!text || map_put(&h->chosen, mcp_who(r)->principal, text, &old, e))
        return -1;
    (void)mem_take(&text);
    mem_free(old);
    list_dirty(h, HUB_TOOLS);
    return 0;
}

static void choose_tools(void *data, struct hub *h, struct mcp_request *r,
                         const struct json *arguments) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
    str task = json_get_text(arguments, "task", STR(""));
    AUTO_MEM struct selection *found = NULL;
    struct err e;
    (void)data;
    if (!task.n) {
        hub_answer_text(r, STR("task: a text is wanted"), true);
        return;
    }
    found = mem_zalloc(1, sizeof *found, &e);
    if (!found || find_tools(h, r, task, wanted_count(arguments), found, &e) ||
        write_found(h, found, &text, &e) || keep_selection(h, r, found, &e))
        answer_error(r, &e);
    else
        hub_answer_text(r, buf_str(&text), false);
}

bool surface_offers(struct hub *h, const struct mcp_request *r,
                    const struct entry *t) {
    switch (h->config.surface) {
    case HUB_ALL: return true;
    case HUB_CODE: return false;
    case HUB_SELECT: break;
    }
    if (t->tool.always || !r) return true;
    const char *chosen = map_get(&h->chosen, mcp_who(r)->principal);
    for (str rest = str_of(chosen); rest.p && rest.n;)
        if (str_eq(str_cut(&rest, '\n'), t->name)) return true;
    return false;
}

/* -- the table ---------------------------------------------------------------
 */

static const struct {
    enum hub_surface surface;
    struct hub_tool tool;
} own_tools[] = {
    {HUB_CODE,
     {"{\"name\":\"search_tools\",\"title\":\"Search tools\","
      "\"description\":\"Find tools by what they do. Returns their Python "
      "signatures, best first. Call them from run_code.\","
      "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
      "\"query\":{\"type\":\"string\",\"description\":\"what is to be done, in "
      "a few words\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":30,"
      "\"description\":\"how many at most (8)\"}},"
      "\"required\":[\"query\"]},"
      "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}",
      search_tools, NULL, NULL}},
    {HUB_CODE,
     {"{\"name\":\"describe_tools\",\"title\":\"Describe tools\","
      "\"description\":\"Everything about tools found before: parameters, "
      "results, examples.\","
      "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
      "\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
      "\"minItems\":1,\"description\":\"names as search_tools gave them\"}},"
      "\"required\":[\"names\"]},"
      "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}",
      describe_tools, NULL, NULL}},
    {HUB_SELECT,
     {"{\"name\":\"find_tools\",\"title\":\"Find tools\","
      "\"description\":\"Choose other tools for a task: those that fit are "
      "offered from then on. Returns their signatures.\","
      "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
      "\"task\":{\"type\":\"string\",\"description\":\"what is to be done\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":30,"
      "\"description\":\"how many at most (8)\"}},"
      "\"required\":[\"task\"]},"
      "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}",
      choose_tools, NULL, NULL}},
};

int surface_add_tools(struct hub *h, struct err *e) {
    for (size_t i = 0; i < sizeof own_tools / sizeof own_tools[0]; i++)
        if (own_tools[i].surface == h->config.surface &&
            hub_add_tool(h, &own_tools[i].tool, e))
            return -1;
    return 0;
}

void surface_free(struct hub *h) {
    const struct map_entry *entry;
    for (size_t i = 0; (entry = map_next(&h->chosen, &i));)
        mem_free(entry->value);
    map_fini(&h->chosen);
}
