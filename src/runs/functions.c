/* SPDX-License-Identifier: MIT
 *
 * Tools as functions of a program: mail.send(...), and tools.call("mail.send",
 * {...}) for one that a session did not know when it began.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "runs/inside.h"
#include "tools/stub.h"
#include "json/build.h"

#define EVERY_TOOL                                             \
    3000 /* more are offered only where the program names them \
          */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Does the word stand in the text? */
static bool mentions(str text, str word) {
    for (size_t from = 0; from + word.n <= text.n;) {
        ptrdiff_t at = str_find(str_sub(text, from, text.n), word);
        if (at < 0) return false;
        size_t start = from + (size_t)at, end = start + word.n;
        if ((start == 0 || !is_word(text.p[start - 1])) &&
            (end == text.n || !is_word(text.p[end])))
            return true;
        from = start + 1;
    }
    return false;
}

bool run_allows(const struct run *r, const struct entry *t) {
    const struct runs_config *config = &r->runs->config;
    return !r->scopes.p || !config->allows ||
           config->allows(config->data, r->scopes, t->name);
}

static bool is_wanted(const struct run *r, const struct entry *t, bool every) {
    if ((t->flags & TOOL_SET_ASIDE) || !run_allows(r, t)) return false;
    if (every) return true;
    return mentions(r->program, t->space.n ? t->space : t->method);
}

static int add_tool(cordon_options *o, const struct entry *t, struct err *e) {
    char name[512];
    int n = t->space.n
                ? snprintf(name, sizeof name, "%.*s.%.*s", STR_ARG(t->space),
                           STR_ARG(t->method))
                : snprintf(name, sizeof name, "%.*s", STR_ARG(t->method));
    bool reads = t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY);
    if (n >= (int)sizeof name) return 0; /* found by tools.call() */
    if (cordon_options_function(o, name, reads ? CORDON_READ_ONLY : 0))
        return fail(e, ERR_INVALID, "%s cannot be a function", name);
    return 0;
}

static int add_tools(struct run *r, cordon_options *o, struct err *e) {
    struct registry *registry = boundary_registry(r->runs->config.boundary);
    size_t count = registry_count(registry);
    bool every = r->session_id.n && count <= EVERY_TOOL;
    for (size_t i = 0; i < count; i++) {
        const struct entry *t = registry_at(registry, i);
        if (is_wanted(r, t, every) && add_tool(o, t, e)) return -1;
    }
    if (cordon_options_function(o, "tools.call", 0))
        return fail(e, ERR_MEMORY, "out of memory");
    return 0;
}

cordon_options *run_options(struct run *r, struct err *e) {
    cordon_options *o = cordon_options_new();
    if (!o) {
        err_set(e, ERR_MEMORY, "out of memory");
        return NULL;
    }
    cordon_options_limits(o, &r->limits);
    cordon_options_labels(o, CORDON_LABELS_ON);
    if (add_tools(r, o, e) == 0) return o;
    cordon_options_free(o);
    return NULL;
}

/* What scopes forbid does not exist for the program. */
static struct entry *find(struct run *r, str name) {
    struct entry *t =
        registry_find(boundary_registry(r->runs->config.boundary), name);
    return t && run_allows(r, t) ? t : NULL;
}

/* -- calls --------------------------------------------------------------------
 */

/* tools.call(name, {...}) or tools.call(name, key=value ...) */
static int bind_by_name(struct run *r, const struct json *python,
                        struct run_call *c, struct entry **tool, str *name,
                        const struct json **args, struct err *e) {
    const struct json *list = json_get(python, "args");
    const struct json *words = json_get(python, "kwargs");
    const struct json *first = json_at(list, 0), *second = json_at(list, 1);
    struct json_build b = JSON_BUILD(&c->arena);
    if (!first || json_type(first) != JSON_STRING || json_len(list) > 2 ||
        (second && json_type(second) != JSON_OBJECT))
        return fail(e, ERR_INVALID,
                    "tools.call() takes the name of a tool and its arguments");
    *name = json_str(first);
    *tool = find(r, *name);
    if (second && words && json_len(words))
        return fail(e, ERR_INVALID,
                    "tools.call() takes a dict or keywords, not both");
    if (second || words) {
        *args = second ? second : words;
        return 0;
    }
    build_object(&b);
    build_end(&b);
    return build_done(&b, args, e);
}

int run_bind(struct run *r, struct run_call *c, struct entry **tool, str *name,
             const struct json **args, struct err *e) {
    const struct json *python;
    const char *text = cordon_call_args_json(r->vm);
    if (!text) return fail(e, ERR_INVALID, "%s", cordon_error(r->vm));
    if (arena_dup(&c->arena, str_of(cordon_call_name(r->vm)), name, e) ||
        json_parse(str_of(text), NULL, &c->arena, &python, e))
        return -1;
    if (str_is(*name, "tools.call"))
        return bind_by_name(r, python, c, tool, name, args, e);
    *tool = find(r, *name);
    if (!*tool) {
        *args = json_get(python, "kwargs");
        return 0;
    }
    return stub_bind(*tool, python, &c->arena, args, e);
}
