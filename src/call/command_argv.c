/* SPDX-License-Identifier: MIT
 *
 * From a template and arguments to argv.
 */
#include <string.h>

#include "call/command.h"
#include "json/write.h"

#define ARGUMENTS 1024
#define BYTES     ((size_t)256 << 10) /* of one argument */

struct filling {
    const struct json *spec, *args;
    struct arena *arena;
    const char *argv[ARGUMENTS + 1];
    size_t count;
    bool literal; /* "--" was seen: what follows is no option */
    struct err *e;
};

/* The value of a parameter, or its default, or NULL. */
static const struct json *value_of(const struct filling *f, str name) {
    const struct json *v = json_get_str(f->args, name);
    if (v && json_type(v) != JSON_NULL) return v;
    const struct json *all = json_get(f->spec, "parameters");
    if (!all) all = json_get(json_get(f->spec, "schema"), "properties");
    return json_get(json_get_str(all, name), "default");
}

/* The next "{name}" of a text: what stands before it, and its name. */
static bool next_place(str *rest, str *before, str *name) {
    ptrdiff_t open = str_find_char(*rest, '{');
    if (open < 0) return false;
    str behind = str_sub(*rest, (size_t)open + 1, rest->n);
    ptrdiff_t close = str_find_char(behind, '}');
    if (close <= 0) return false;
    *before = str_sub(*rest, 0, (size_t)open);
    *name = str_sub(behind, 0, (size_t)close);
    *rest = str_sub(behind, (size_t)close + 1, behind.n);
    return true;
}

static bool is_list_place(str item, str *name) {
    if (item.n < 6 || item.p[0] != '{' || !str_ends(item, STR("...}")))
        return false;
    *name = str_sub(item, 1, item.n - 4);
    return true;
}

/* Is everything an item mentions there? */
static bool is_given(const struct filling *f, const struct json *item) {
    str rest, before, name;
    if (json_type(item) == JSON_ARRAY) {
        const struct json *v = json_first(item);
        for (size_t i = json_len(item); i > 0; i--, v = json_skip(v))
            if (!is_given(f, v)) return false;
        return true;
    }
    rest = json_str(item);
    if (is_list_place(rest, &name)) return value_of(f, name) != NULL;
    while (next_place(&rest, &before, &name))
        if (!value_of(f, name)) return false;
    return true;
}

static int add_value(struct filling *f, struct buf *out, const struct json *v) {
    if (json_type(v) != JSON_STRING)
        return json_write(v, JSON_COMPACT, out, f->e);
    return buf_add_str(out, json_str(v), f->e);
}

static int push(struct filling *f, str text) {
    if (f->count == ARGUMENTS)
        return fail(f->e, ERR_LIMIT, "more than %d arguments", ARGUMENTS);
    if (memchr(text.p, 0, text.n))
        return fail(f->e, ERR_INVALID, "a NUL in an argument");
    f->argv[f->count] = arena_text(f->arena, text, f->e);
    if (!f->argv[f->count]) return -1;
    f->literal |= str_is(text, "--");
    f->count++;
    return 0;
}

/* A value that could be taken for an option is refused. */
static int check_start(struct filling *f, str name, str text) {
    if (f->literal || text.n == 0 || text.p[0] != '-') return 0;
    return fail(f->e, ERR_INVALID, "%.*s: a value may not begin with '-' here",
                STR_ARG(name));
}

static int push_list(struct filling *f, str name) {
    const struct json *v = value_of(f, name);
    bool list = json_type(v) == JSON_ARRAY;
    const struct json *item = list ? json_first(v) : v;
    for (size_t i = list ? json_len(v) : 1; i > 0; i--) {
        AUTO_BUF struct buf text = BUF_MAX(BYTES);
        bool literal = f->literal;
        if (add_value(f, &text, item) || check_start(f, name, buf_str(&text)) ||
            push(f, buf_str(&text)))
            return -1;
        f->literal = literal; /* a value does not end the options */
        item = json_skip(item);
    }
    return 0;
}

static int push_text(struct filling *f, str item) {
    AUTO_BUF struct buf text = BUF_MAX(BYTES);
    str rest = item, before, name, first = STR("");
    bool literal = f->literal;
    while (next_place(&rest, &before, &name)) {
        if (text.len == 0 && before.n == 0) first = name;
        if (buf_add_str(&text, before, f->e) ||
            add_value(f, &text, value_of(f, name)))
            return -1;
    }
    if (buf_add_str(&text, rest, f->e)) return -1;
    if (first.n > 0 && check_start(f, first, buf_str(&text))) return -1;
    if (push(f, buf_str(&text))) return -1;
    if (first.n > 0) f->literal = literal;
    return 0;
}

static int add_item(struct filling *f, const struct json *item) {
    str name;
    if (!is_given(f, item)) return 0;
    if (json_type(item) == JSON_STRING)
        return is_list_place(json_str(item), &name)
                   ? push_list(f, name)
                   : push_text(f, json_str(item));
    const struct json *v = json_first(item);
    for (size_t i = json_len(item); i > 0; i--, v = json_skip(v))
        if (add_item(f, v)) return -1;
    return 0;
}

int command_argv(const struct json *spec, const struct json *args,
                 struct arena *a, const char *const **out, struct err *e) {
    struct filling *f = arena_zalloc(a, 1, sizeof *f, e);
    const struct json *argv = json_get(spec, "argv");
    if (!f) return -1;
    f->spec = spec;
    f->args = args;
    f->arena = a;
    f->e = e;
    const struct json *v = json_first(argv);
    for (size_t i = json_len(argv); i > 0; i--, v = json_skip(v))
        if (add_item(f, v)) return -1;
    if (f->count == 0) return fail(e, ERR_INVALID, "argv is empty");
    *out = f->argv;
    return 0;
}
