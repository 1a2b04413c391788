/* SPDX-License-Identifier: MIT
 *
 * generateContent, streamed: chunks of parts. A call comes whole, or, where
 * the client asked for it, as values with the paths they belong at.
 */
#include "agent/gemini.h"
#include "agent/stream.h"
#include "json/build.h"

/* -- arguments by path ------------------------------------------------------
 */

#define PATHS 2000 /* values of one call */
#define DEPTH 64

/* A slot's extra has the values as they came, with commas between them:
 * {"jsonPath": "$.steps[1]", "stringValue": "Stir"}. Texts of one path are
 * pieces of one text. */
struct values {
    const struct json *list;
    struct json_build *b;
    struct arena *arena;
};

/* Cuts the first step off a path: ".name", "['name']" or "[3]". */
static bool cut_step(str *path, str *name, bool *index) {
    if (path->n < 2 || (path->p[0] != '[' && path->p[0] != '.')) return false;
    bool bracket = path->p[0] == '[';
    size_t end = 1;
    while (end < path->n &&
           (bracket ? path->p[end] != ']'
                    : path->p[end] != '.' && path->p[end] != '['))
        end++;
    if (bracket && end == path->n) return false;
    *name = str_sub(*path, 1, end);
    *index = bracket && name->n > 0 && name->p[0] != '\'' && name->p[0] != '"';
    if (bracket && !*index) *name = str_sub(*name, 1, name->n - 1);
    *path = str_sub(*path, bracket ? end + 1 : end, path->n);
    return true;
}

static str path_of(const struct json *value) {
    str path = wire_text(value, "jsonPath");
    return str_starts(path, STR("$")) ? str_sub(path, 1, path.n) : path;
}

/* The rest of a value's path when it lies under the prefix. */
static bool under(const struct json *value, str prefix, str *rest) {
    str path = path_of(value);
    if (!str_starts(path, prefix)) return false;
    *rest = str_sub(path, prefix.n, path.n);
    return rest->n == 0 || rest->p[0] == '.' || rest->p[0] == '[';
}

static int add_leaf(struct values *v, str prefix, const struct json *first,
                    struct err *e) {
    const struct json *number = json_get(first, "numberValue");
    const struct json *flag = json_get(first, "boolValue");
    if (number || flag) {
        build_copy(v->b, number ? number : flag);
        return 0;
    }
    if (!json_get(first, "stringValue")) {
        build_null(v->b);
        return 0;
    }
    AUTO_BUF struct buf text = BUF_MAX(STREAM_BYTES);
    const struct json *item = json_first(v->list);
    for (size_t i = json_len(v->list); i > 0; i--, item = json_skip(item))
        if (str_eq(path_of(item), prefix) &&
            buf_add_str(&text, wire_text(item, "stringValue"), e))
            return -1;
    build_text(v->b, buf_str(&text));
    return 0;
}

static const struct json *first_under(const struct values *v, str prefix,
                                      str *rest) {
    const struct json *item = json_first(v->list);
    for (size_t i = json_len(v->list); i > 0; i--, item = json_skip(item))
        if (under(item, prefix, rest)) return item;
    return NULL;
}

/* Was there a value under prefix and this step before `item`? */
static bool seen_step(const struct values *v, str prefix, str name,
                      const struct json *before) {
    str rest, other;
    bool index;
    for (const struct json *item = json_first(v->list); item != before;
         item = json_skip(item))
        if (under(item, prefix, &rest) && cut_step(&rest, &other, &index) &&
            str_eq(other, name))
            return true;
    return false;
}

static int add_value(struct values *v, str prefix, size_t depth,
                     struct err *e) {
    str rest, name;
    bool list, index;
    const struct json *first = first_under(v, prefix, &rest);
    if (depth > DEPTH) return fail(e, ERR_LIMIT, "arguments nest too deep");
    if (!first || rest.n == 0)
        return first ? add_leaf(v, prefix, first, e) : (build_null(v->b), 0);
    if (!cut_step(&rest, &name, &list))
        return fail(e, ERR_PEER, "a path of an argument makes no sense");
    if (list)
        build_array(v->b);
    else
        build_object(v->b);
    const struct json *item = json_first(v->list);
    for (size_t i = json_len(v->list); i > 0; i--, item = json_skip(item)) {
        if (!under(item, prefix, &rest)) continue;
        str whole = path_of(item);
        if (!cut_step(&rest, &name, &index) || index != list ||
            seen_step(v, prefix, name, item))
            continue;
        if (!list) build_key(v->b, name);
        if (add_value(v, str_sub(whole, 0, whole.n - rest.n), depth + 1, e))
            return -1;
    }
    build_end(v->b);
    return 0;
}

/* The object that the values make. */
static int join_values(const struct slot *slot, struct arena *a,
                       const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STREAM_BYTES);
    struct json_build b = JSON_BUILD(a);
    struct values v = {.b = &b, .arena = a};
    if (buf_addf(&text, e, "[%s]", buf_text(&slot->extra)) ||
        json_parse(buf_str(&text), NULL, a, &v.list, e))
        return -1;
    if (json_len(v.list) > PATHS)
        return fail(e, ERR_LIMIT, "a call with more than %d values", PATHS);
    if (json_len(v.list) == 0) {
        build_object(&b);
        build_end(&b);
    } else if (add_value(&v, STR(""), 0, e)) {
        return -1;
    }
    return build_done(&b, out, e);
}

/* -- chunks -----------------------------------------------------------------
 */

static bool is_open_call(const struct slot *slot) {
    return slot && slot->kind == PART_CALL && !slot->whole && !slot->done;
}

static int add_values(struct slot *slot, const struct json *list,
                      struct err *e) {
    if (!wire_array(list)) return 0;
    for (const struct json *item = NULL; (item = wire_next(list, item));)
        if ((slot->extra.len > 0 && buf_add_char(&slot->extra, ',', e)) ||
            json_write(item, JSON_COMPACT, &slot->extra, e))
            return -1;
    return 0;
}

static int add_call(struct stream *s, const struct json *part,
                    const struct json *call, struct err *e) {
    struct slot *last = s->count ? s->slots[s->count - 1] : NULL;
    bool more = json_get_bool(call, "willContinue", false);
    bool named = json_get(call, "name") != NULL;
    if (named || !is_open_call(last)) {
        last = stream_add(s, PART_CALL, -1, e);
        if (!last) return -1;
        last->native = part;
        last->name = wire_text(call, "name");
        last->id = wire_text(call, "id");
        last->whole = !more && !json_get(call, "partialArgs");
        s->keep = true;
    }
    last->done = !more;
    return add_values(last, json_get(call, "partialArgs"), e);
}

/* Plain pieces of text are joined; one with a signature stands for itself. */
static int add_text(struct stream *s, const struct json *part, str text,
                    struct err *e) {
    bool thought = json_get_bool(part, "thought", false);
    enum part_kind kind = thought ? PART_THINKING : PART_TEXT;
    bool plain = json_len(part) == (json_get(part, "thought") ? 2u : 1u);
    struct slot *last = s->count ? s->slots[s->count - 1] : NULL;
    if (!plain || !last || last->kind != kind || last->native) {
        if (!(last = stream_add(s, kind, -1, e))) return -1;
        last->custom = thought;
        if (!plain) last->native = part, s->keep = true;
    }
    return stream_text(s, last, text, e);
}

static int add_part(struct stream *s, const struct json *part, struct err *e) {
    const struct json *call = wire_get2(part, "functionCall", "function_call");
    const struct json *text = json_get(part, "text");
    if (wire_object(call)) return add_call(s, part, call, e);
    if (text && json_type(text) == JSON_STRING)
        return add_text(s, part, json_str(text), e);
    struct slot *slot = stream_add(s, PART_OPAQUE, -1, e);
    if (!slot) return -1;
    slot->native = part;
    slot->whole = slot->done = s->keep = true;
    return 0;
}

int gemini_decode_event(struct stream *s, str type, const struct json *v,
                        struct err *e) {
    if (str_is(type, "error") || json_get(v, "error")) {
        stream_error(s, v);
        return 0;
    }
    const struct json *candidate = json_at(json_get(v, "candidates"), 0);
    const struct json *parts =
        json_get(json_get(candidate, "content"), "parts");
    const struct json *item =
        wire_array(parts) && !s->ended ? json_first(parts) : NULL;
    for (size_t i = item ? json_len(parts) : 0; i > 0;
         i--, item = json_skip(item))
        if (add_part(s, item, e)) return -1;
    enum stop before = s->head.stop;
    bool first = s->head.id.n == 0;
    gemini_read_head(v, &s->head);
    if (s->ended) s->head.stop = before;
    if (s->head.stop != before) {
        s->stop = s->head.stop;
        stream_end(s);
    }
    if (first || json_get(v, "usageMetadata") || s->ended) s->keep = true;
    return 0;
}

/* -- parts ------------------------------------------------------------------
 */

static int finish_call(struct slot *slot, struct arena *a, struct part_list *to,
                       struct err *e) {
    struct part *p = parts_add(to, PART_CALL, a, e);
    const struct json *args;
    if (!p) return -1;
    p->api = API_GEMINI;
    p->native = slot->native;
    p->id = slot->id;
    p->name = slot->name;
    p->partial = !slot->done;
    if (p->partial) return 0;
    if (join_values(slot, a, &args, e)) return -1;
    return wire_args_object(p, args, a, e);
}

int gemini_finish_slot(struct slot *slot, struct arena *a, struct part_list *to,
                       struct err *e) {
    if (slot->whole) return gemini_read_part(slot->native, to, a, e);
    if (slot->kind == PART_CALL) return finish_call(slot, a, to, e);
    struct part *p = parts_add(to, slot->kind, a, e);
    if (!p) return -1;
    p->api = API_GEMINI;
    p->native = slot->native;
    p->text = buf_str(&slot->text);
    if (slot->kind != PART_THINKING || p->native) return 0;
    struct json_build b = JSON_BUILD(a); /* so that it can go back */
    build_object(&b);
    build_put_text(&b, "text", p->text);
    build_put_bool(&b, "thought", true);
    build_end(&b);
    return build_done(&b, &p->native, e);
}
