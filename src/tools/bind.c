/* SPDX-License-Identifier: MIT
 *
 * A Python call as an arguments object; the faults in Python's words.
 */
#include <stdio.h>

#include "base/mem.h"
#include "tools/params.h"
#include "tools/stub.h"
#include "json/build.h"

#define NEAR 3 /* slips of a name that is still suggested */

struct binding {
    const struct entry *tool;
    struct params params;
    const struct json **given; /* by parameter; NULL: not given */
    const struct json *args, *kwargs;
    struct err *e;
};

static int wrong(struct binding *b, const char *what, str name) {
    str shown = str_sub(name, 0, 64);
    return fail(b->e, ERR_INVALID, "%.*s() got %s '%.*s'",
                STR_ARG(b->tool->method), what, STR_ARG(shown));
}

/* ---- suggestions ---- */

/* The name that was perhaps meant: by spelling, or by being its part
 * ("recipient" and "recipient_email"). Same as one already given: never. */
static const struct param *meant(const struct binding *b, str name) {
    const struct param *best = NULL;
    size_t least = NEAR;
    for (size_t i = 0; i < b->params.count; i++) {
        const struct param *p = &b->params.items[i];
        if (b->given[i]) continue;
        size_t slips = str_distance(name, p->name, NEAR);
        bool part =
            name.n >= 3 && p->name.n >= 3 &&
            (str_find(p->name, name) >= 0 || str_find(name, p->name) >= 0);
        if (part && slips > 1) slips = 1;
        if (slips < least && slips < p->name.n) {
            least = slips;
            best = p;
        }
    }
    return best;
}

/* The only required one that nobody gave. */
static const struct param *only_missing(const struct binding *b) {
    const struct param *found = NULL;
    for (size_t i = 0; i < b->params.count; i++) {
        if (b->given[i] || !b->params.items[i].required) continue;
        if (found) return NULL;
        found = &b->params.items[i];
    }
    return found;
}

static int unexpected(struct binding *b, str name) {
    const struct param *p = meant(b, name);
    if (!p) p = only_missing(b);
    str shown = str_sub(name, 0, 64);
    if (!p) return wrong(b, "an unexpected keyword argument", name);
    return fail(b->e, ERR_INVALID,
                "%.*s() got an unexpected keyword argument '%.*s'; did you "
                "mean '%.*s'?",
                STR_ARG(b->tool->method), STR_ARG(shown), STR_ARG(p->name));
}

/* ---- positional ---- */

static size_t required_count(const struct binding *b) {
    size_t n = 0;
    while (n < b->params.count && b->params.items[n].required)
        n++;
    return n;
}

static int too_many(struct binding *b, size_t given) {
    size_t least = required_count(b), most = b->params.count;
    char range[64];
    if (least == most)
        snprintf(range, sizeof range, "%zu", most);
    else
        snprintf(range, sizeof range, "from %zu to %zu", least, most);
    return fail(b->e, ERR_INVALID,
                "%.*s() takes %s positional argument%s but %zu %s given",
                STR_ARG(b->tool->method), range, most == 1 ? "" : "s", given,
                given == 1 ? "was" : "were");
}

static int bind_positional(struct binding *b) {
    size_t count = b->args ? json_len(b->args) : 0;
    const struct json *v = count > 0 ? json_first(b->args) : NULL;
    if (count > b->params.count) return too_many(b, count);
    for (size_t i = 0; i < count; i++, v = json_skip(v))
        b->given[i] = v;
    return 0;
}

/* ---- by name ---- */

static int bind_named(struct binding *b) {
    size_t count = b->kwargs ? json_len(b->kwargs) : 0;
    const struct json *key = count > 0 ? json_first(b->kwargs) : NULL;
    str unknown = {NULL, 0};
    for (size_t i = 0; i < count; i++, key = json_skip(key + 1)) {
        str name = json_str(key);
        const struct param *p = params_find(&b->params, name);
        if (!p && !unknown.p) unknown = name;
        if (!p) continue;
        const struct json **slot = &b->given[p - b->params.items];
        if (*slot) return wrong(b, "multiple values for argument", name);
        *slot = key + 1;
    }
    /* Last, so that a suggestion knows what was given under its own name. */
    return unknown.p && !b->params.open ? unexpected(b, unknown) : 0;
}

static int add_quoted(struct buf *out, str name, size_t i, size_t n,
                      struct err *e) {
    const char *joint = i == 0      ? ""
                        : i + 1 < n ? ", "
                        : n == 2    ? " and "
                                    : ", and ";
    return buf_addf(out, e, "%s'%.*s'", joint, STR_ARG(name));
}

static int check_missing(struct binding *b) {
    AUTO_BUF struct buf names = BUF_MAX((size_t)1 << 20);
    size_t n = 0, at = 0;
    for (size_t i = 0; i < required_count(b); i++)
        n += !b->given[i];
    if (n == 0) return 0;
    for (size_t i = 0; i < required_count(b); i++)
        if (!b->given[i] &&
            add_quoted(&names, b->params.items[i].name, at++, n, b->e))
            return -1;
    return fail(b->e, ERR_INVALID,
                "%.*s() missing %zu required positional argument%s: %s",
                STR_ARG(b->tool->method), n, n == 1 ? "" : "s",
                buf_text(&names));
}

/* ---- the object ---- */

static int build(const struct binding *b, struct arena *a,
                 const struct json **args) {
    struct json_build out = JSON_BUILD(a);
    build_object(&out);
    for (size_t i = 0; i < b->params.count; i++) {
        if (!b->given[i]) continue;
        build_key(&out, b->params.items[i].json);
        build_copy(&out, b->given[i]);
    }
    size_t count = b->kwargs ? json_len(b->kwargs) : 0;
    const struct json *key = count > 0 ? json_first(b->kwargs) : NULL;
    for (size_t i = 0; i < count; i++, key = json_skip(key + 1)) {
        if (params_find(&b->params, json_str(key))) continue;
        build_key(&out, json_str(key));
        build_copy(&out, key + 1);
    }
    build_end(&out);
    return build_done(&out, args, b->e);
}

/* Models also write tool({"to": ...}): one dict, whose keys are the parameters,
 * where the first parameter itself does not take such a dict. */
static bool is_one_object(const struct binding *b) {
    if (!b->args || json_len(b->args) != 1 ||
        (b->kwargs && json_len(b->kwargs) > 0) || b->params.count == 0)
        return false;
    const struct json *v = json_first(b->args);
    if (json_type(v) != JSON_OBJECT || json_len(v) == 0) return false;
    const struct json *first =
        params_resolve(b->tool->tool.input, b->params.items[0].schema);
    str type = json_get_text(first, "type", STR(""));
    if (type.n == 0 || str_is(type, "object")) return false;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (!params_find(&b->params, json_str(key))) return false;
    return true;
}

static const struct json *typed(const struct json *v, enum json_type type) {
    return v && json_type(v) == type ? v : NULL;
}

int stub_bind(const struct entry *t, const struct json *python, struct arena *a,
              const struct json **args, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)4 << 20);
    struct binding b = {.tool = t, .e = e};
    if (params_of(t->tool.input, &scratch, &b.params, e)) return -1;
    b.given = arena_zalloc(&scratch, b.params.count + 1, sizeof *b.given, e);
    if (!b.given) return -1;
    b.args = typed(json_get(python, "args"), JSON_ARRAY);
    b.kwargs = typed(json_get(python, "kwargs"), JSON_OBJECT);
    if (is_one_object(&b)) {
        b.kwargs = json_first(b.args);
        b.args = NULL;
    }
    if (bind_positional(&b) || bind_named(&b) || check_missing(&b)) return -1;
    return build(&b, a, args);
}
