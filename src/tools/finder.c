/* SPDX-License-Identifier: MIT */
#include "tools/finder.h"

#include "base/mem.h"
#include "tools/stub.h"

#define NEAR 3

const char finder_search_definition[] =
    "{\"name\":\"search_tools\",\"title\":\"Search tools\","
    "\"description\":\"Find tools by what they do. Returns their Python "
    "signatures, best first; x is a str, y? may be left out. Call them from "
    "run_code.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"query\":{\"type\":\"string\",\"description\":\"what is to be done, in "
    "a few words\"},"
    "\"server\":{\"type\":\"string\",\"description\":\"only this "
    "server's\"},"
    "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":30}},"
    "\"required\":[\"query\"]},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";

const char finder_describe_definition[] =
    "{\"name\":\"describe_tools\",\"title\":\"Describe tools\","
    "\"description\":\"Everything about tools found before: parameters, "
    "results, examples.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"minItems\":1,\"description\":\"names as search_tools gave them\"}},"
    "\"required\":[\"names\"]},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";

/* -- searching ---------------------------------------------------------------
 */

/* 0: as many as the configuration says. */
static size_t count_of(const struct json *args) {
    int64_t n = json_get_int(args, "limit", 0);
    if (!json_get(args, "limit")) return 0;
    return n < 1 ? 1 : n > FINDER_MOST ? FINDER_MOST : (size_t)n;
}

static bool may_find(void *context, str id) {
    const struct finder *f = context;
    const struct entry *t = registry_find(f->registry, id);
    return t && !(t->flags & TOOL_QUARANTINED) &&
           (!f->may || f->may(f->data, id));
}

int finder_find(const struct finder *f, str query, const struct json *args,
                struct selection *out, struct err *e) {
    struct selector *selector = registry_selector(f->registry, e);
    struct finder asked = *f;
    const struct select_request request = {
        .text = query,
        .who = f->who,
        .k = count_of(args),
        .server = json_get_text(args, "server", STR("")),
        .sticky = f->sticky,
        .sticky_count = f->sticky_count,
        .filter = may_find,
        .filter_context = &asked,
        .wait = f->wait};
    return selector ? select_tools(selector, &request, out, e) : -1;
}

/* One line, whatever the stub ends with. */
static int write_one(const struct entry *t, struct buf *out, struct err *e) {
    if (stub_write(t, STUB_BRIEF, NULL, out, e)) return -1;
    bool ended = out->len == 0 || out->data[out->len - 1] == '\n';
    return ended ? 0 : buf_add_char(out, '\n', e);
}

int finder_write(const struct finder *f, const struct selection *s,
                 struct buf *out, struct err *e) {
    struct selector *selector = registry_selector(f->registry, e);
    size_t before = out->len;
    if (!selector) return -1;
    for (size_t i = 0; i < s->count; i++) {
        str name = corpus_id(&selector->corpus, s->items[i].doc);
        const struct entry *t = registry_find(f->registry, name);
        if (t && write_one(t, out, e)) return -1;
    }
    if (out->len > before) return 0;
    return buf_addf(out, e, "No tool fits. %s", s->hint);
}

int finder_search(const struct finder *f, const struct json *args,
                  struct buf *out, struct err *e) {
    str query = json_get_text(args, "query", STR(""));
    if (query.n == 0) return fail(e, ERR_INVALID, "query: a text is wanted");
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    if (!found) return -1;
    return finder_find(f, query, args, found, e) ||
                   finder_write(f, found, out, e)
               ? -1
               : 0;
}

/* -- describing --------------------------------------------------------------
 */

static int describe(const struct finder *f, str name, struct buf *out,
                    struct err *e) {
    const struct entry *t = registry_find(f->registry, name);
    str near[NEAR];
    if (t && (!f->may || f->may(f->data, t->name))) {
        if (stub_write(t, STUB_FULL, NULL, out, e)) return -1;
        return buf_add_char(out, '\n', e);
    }
    size_t n = registry_near(f->registry, name, near, NEAR);
    if (buf_addf(out, e, "%.*s: no such tool", STR_ARG(name))) return -1;
    for (size_t i = 0; i < n; i++)
        if (buf_addf(out, e, "%s%.*s",
                     i ? ", " : "; near it: ", STR_ARG(near[i])))
            return -1;
    return buf_add_char(out, '\n', e);
}

int finder_describe(const struct finder *f, const struct json *args,
                    struct buf *out, struct err *e) {
    const struct json *names = json_get(args, "names");
    if (!names || json_type(names) != JSON_ARRAY || json_len(names) == 0)
        return fail(e, ERR_INVALID, "names: a list of names is wanted");
    const struct json *name = json_first(names);
    for (size_t i = json_len(names); i > 0; i--, name = json_skip(name))
        if (json_type(name) == JSON_STRING &&
            describe(f, json_str(name), out, e))
            return -1;
    return 0;
}
