/* SPDX-License-Identifier: MIT */
#include "agent/gbnf.h"

#include "agent/wire.h"
#include "base/map.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

#define RULES   20000
#define DEPTH   48  /* of schemas in each other; any value beyond */
#define MEMBERS 256 /* of an object; any object beyond */
#define REPEAT  64  /* counted; more are not */
#define BODY    ((size_t)1 << 20)

/* What schemas are made of. */
static const char basics[] =
    "ws ::= \" \"?\n"
    "char ::= [^\"\\\\\\x00-\\x1F] | \"\\\\\" ([\"\\\\/bfnrt] | \"u\" hex hex "
    "hex hex)\n"
    "hex ::= [0-9a-fA-F]\n"
    "string ::= \"\\\"\" char* \"\\\"\"\n"
    "natural ::= \"0\" | [1-9] [0-9]*\n"
    "integer ::= \"-\"? natural\n"
    "number ::= integer (\".\" [0-9]+)? ([eE] [-+]? [0-9]+)?\n"
    "boolean ::= \"true\" | \"false\"\n"
    "null ::= \"null\"\n"
    "array ::= \"[\" ws (value (ws \",\" ws value)*)? ws \"]\"\n"
    "object ::= \"{\" ws (member (ws \",\" ws member)*)? ws \"}\"\n"
    "member ::= string ws \":\" ws value\n"
    "value ::= object | array | string | number | boolean | null\n";

struct grammar {
    struct buf *out;
    size_t rules;            /* numbered so far */
    const struct json *root; /* of the schema: references lead from here */
    struct map refs;         /* reference -> number of its rule + 1 */
    struct err *e;
};

static int put(struct grammar *g, struct buf *to, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int put(struct grammar *g, struct buf *to, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int result = buf_vaddf(to, g->e, fmt, ap);
    va_end(ap);
    return result;
}

/* Text as it must stand, in quotes. */
static int put_literal(struct grammar *g, struct buf *to, str text) {
    if (put(g, to, "\"")) return -1;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool quoted = c == '"' || c == '\\';
        if (c < 0x20 ? put(g, to, "\\x%02X", c)
                     : put(g, to, "%s%c", quoted ? "\\" : "", c))
            return -1;
    }
    return put(g, to, "\"");
}

static int put_json(struct grammar *g, struct buf *to, const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(BODY);
    if (json_write(v, JSON_COMPACT, &text, g->e)) return -1;
    return put_literal(g, to, buf_str(&text));
}

/* A value as it must be; spaces may stand between its pieces. */
static int put_value(struct grammar *g, struct buf *to, const struct json *v) {
    bool object = json_type(v) == JSON_OBJECT;
    if (!object && json_type(v) != JSON_ARRAY) return put_json(g, to, v);
    if (put(g, to, object ? "\"{\" ws " : "\"[\" ws ")) return -1;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++) {
        if (i > 0 && put(g, to, " ws \",\" ws ")) return -1;
        if (object && (put_json(g, to, item) || put(g, to, " ws \":\" ws ")))
            return -1;
        item += object; /* from the key to its value */
        if (put_value(g, to, item)) return -1;
        item = json_skip(item);
    }
    return put(g, to, object ? " ws \"}\"" : " ws \"]\"");
}

/* Writes what a schema lets through as the body of a rule. */
static int put_schema(struct grammar *g, struct buf *to, const struct json *v,
                      size_t depth);

static int new_rule(struct grammar *g, size_t *number) {
    if (g->rules == RULES)
        return fail(g->e, ERR_LIMIT, "the tools' grammar has too many rules");
    *number = ++g->rules;
    return 0;
}

static int end_rule(struct grammar *g, size_t number, const struct buf *body) {
    return put(g, g->out, "r%zu ::= %s\n", number, buf_text(body));
}

/* A rule of its own for a schema, and its name where it is used. */
static int put_rule(struct grammar *g, struct buf *to, const struct json *v,
                    size_t depth) {
    AUTO_BUF struct buf body = BUF_MAX(BODY);
    size_t number = 0;
    if (new_rule(g, &number) || put_schema(g, &body, v, depth) ||
        end_rule(g, number, &body))
        return -1;
    return put(g, to, "r%zu", number);
}

/* -- objects -----------------------------------------------------------------
 */

static bool is_required(const struct json *schema, str name) {
    const struct json *list = json_get(schema, "required");
    if (!list || json_type(list) != JSON_ARRAY) return false;
    for (const struct json *item = NULL; (item = wire_next(list, item));)
        if (json_type(item) == JSON_STRING && str_eq(json_str(item), name))
            return true;
    return false;
}

static int put_member(struct grammar *g, struct buf *to, const struct json *key,
                      size_t depth) {
    if (put_json(g, to, key) || put(g, to, " ws \":\" ws ")) return -1;
    return put_rule(g, to, key + 1, depth + 1);
}

/* The members from the i-th on: r[i] when one stands before them, so that a
 * comma is due, f[i] when none does. Rules of both are numbered in pairs. */
static int put_tail(struct grammar *g, const struct json *schema,
                    const struct json *key, size_t pair, size_t next,
                    size_t depth) {
    AUTO_BUF struct buf member = BUF_MAX(BODY), body = BUF_MAX(BODY);
    bool needed = is_required(schema, json_str(key));
    if (put_member(g, &member, key, depth) ||
        put(g, &body, needed ? "%s r%zu" : "%s r%zu | r%zu", buf_text(&member),
            next, next + 1) ||
        end_rule(g, pair + 1, &body))
        return -1;
    buf_truncate(&body, 0);
    if (put(g, &body, needed ? "ws \",\" ws %s r%zu" : "(ws \",\" ws %s)? r%zu",
            buf_text(&member), next))
        return -1;
    return end_rule(g, pair, &body);
}

static int new_pair(struct grammar *g, size_t *number) {
    size_t second = 0;
    return new_rule(g, number) || new_rule(g, &second) ? -1 : 0;
}

static int put_members(struct grammar *g, struct buf *to,
                       const struct json *schema, const struct json *members,
                       size_t depth) {
    AUTO_BUF struct buf empty = BUF_MAX(16);
    const struct json *key = json_first(members);
    size_t pair = 0, next = 0;
    if (new_pair(g, &pair) || put(g, to, "\"{\" ws r%zu ws \"}\"", pair + 1) ||
        put(g, &empty, "\"\""))
        return -1;
    for (size_t i = json_len(members); i > 0; i--, key = json_skip(key + 1)) {
        if (new_pair(g, &next) || put_tail(g, schema, key, pair, next, depth))
            return -1;
        pair = next;
    }
    return end_rule(g, pair, &empty) || end_rule(g, pair + 1, &empty) ? -1 : 0;
}

static int put_object(struct grammar *g, struct buf *to, const struct json *v,
                      size_t depth) {
    const struct json *members = json_get(v, "properties");
    const struct json *more = json_get(v, "additionalProperties");
    bool some = members && json_type(members) == JSON_OBJECT;
    size_t n = some ? json_len(members) : 0;
    if (n > 0 && n <= MEMBERS) return put_members(g, to, v, members, depth);
    if (n == 0 && more && json_type(more) == JSON_BOOL && !more->as.boolean)
        return put(g, to, "\"{\" ws \"}\"");
    if (n > 0 || !more || json_type(more) != JSON_OBJECT)
        return put(g, to, "object");
    AUTO_BUF struct buf item = BUF_MAX(64);
    if (put_rule(g, &item, more, depth + 1)) return -1;
    return put(g, to,
               "\"{\" ws (string ws \":\" ws %s (ws \",\" ws string ws \":\" "
               "ws %s)*)? ws \"}\"",
               buf_text(&item), buf_text(&item));
}

/* -- the other kinds ---------------------------------------------------------
 */

/* A count that is worth writing down; -1: none, or too many. */
static int64_t count_of(const struct json *v, const char *key) {
    int64_t n = json_get_int(v, key, -1);
    return n <= REPEAT ? n : -1;
}

static int put_array(struct grammar *g, struct buf *to, const struct json *v,
                     size_t depth) {
    AUTO_BUF struct buf item = BUF_MAX(64);
    const struct json *items = json_get(v, "items");
    int64_t least = count_of(v, "minItems"), most = count_of(v, "maxItems");
    if (json_get(v, "prefixItems")) return put(g, to, "array");
    if (items ? put_rule(g, &item, items, depth + 1) : put(g, &item, "value"))
        return -1;
    if (most == 0) return put(g, to, "\"[\" ws \"]\"");
    const char *one = buf_text(&item);
    bool any = least < 1; /* none at all will do */
    if (put(g, to, "\"[\" ws %s%s (ws \",\" ws %s)", any ? "(" : "", one, one))
        return -1;
    int64_t from = least > 1 ? least - 1 : 0;
    if (most > 0 ? put(g, to, "{%lld,%lld}", (long long)from,
                       (long long)(most - 1 > from ? most - 1 : from))
                 : put(g, to, "{%lld,}", (long long)from))
        return -1;
    return put(g, to, "%s ws \"]\"", any ? ")?" : "");
}

static int put_string(struct grammar *g, struct buf *to, const struct json *v) {
    int64_t least = count_of(v, "minLength"), most = count_of(v, "maxLength");
    if (least < 1 && most < 0) return put(g, to, "string");
    if (most >= 0)
        return put(g, to, "\"\\\"\" char{%lld,%lld} \"\\\"\"",
                   (long long)(least > 0 ? least : 0),
                   (long long)(most > least ? most
                               : least > 0  ? least
                                            : most));
    return put(g, to, "\"\\\"\" char{%lld,} \"\\\"\"", (long long)least);
}

static bool is_natural(const struct json *v) {
    const struct json *least = json_get(v, "minimum");
    const struct json *above = json_get(v, "exclusiveMinimum");
    return (least && json_is_number(least) && json_number(least) >= 0) ||
           (above && json_is_number(above) && json_number(above) >= -1);
}

static int put_type(struct grammar *g, struct buf *to, const struct json *v,
                    str type, size_t depth) {
    if (str_is(type, "object")) return put_object(g, to, v, depth);
    if (str_is(type, "array")) return put_array(g, to, v, depth);
    if (str_is(type, "string")) return put_string(g, to, v);
    if (str_is(type, "integer"))
        return put(g, to, is_natural(v) ? "natural" : "integer");
    if (str_is(type, "number") || str_is(type, "boolean") ||
        str_is(type, "null"))
        return put(g, to, "%.*s", STR_ARG(type));
    return put(g, to, "value");
}

/* -- schemas -----------------------------------------------------------------
 */

/* One after the other, any of which will do. */
static int put_any(struct grammar *g, struct buf *to, const struct json *list,
                   size_t depth, bool schemas) {
    const struct json *item = json_first(list);
    for (size_t i = 0; i < json_len(list); i++, item = json_skip(item))
        if ((i > 0 && put(g, to, " | ")) ||
            (schemas ? put_rule(g, to, item, depth + 1)
                     : put_value(g, to, item)))
            return -1;
    return 0;
}

static int put_types(struct grammar *g, struct buf *to, const struct json *v,
                     const struct json *types, size_t depth) {
    const struct json *item = json_first(types);
    for (size_t i = 0; i < json_len(types); i++, item = json_skip(item))
        if ((i > 0 && put(g, to, " | ")) ||
            put_type(g, to, v,
                     json_type(item) == JSON_STRING ? json_str(item) : STR(""),
                     depth))
            return -1;
    return 0;
}

/* A rule for each place that is referred to, so that it may refer to itself. */
static int put_ref(struct grammar *g, struct buf *to, str ref, size_t depth) {
    AUTO_BUF struct buf body = BUF_MAX(BODY);
    uintptr_t known = (uintptr_t)map_get(&g->refs, ref);
    size_t number = 0;
    if (known) return put(g, to, "r%zu", (size_t)known);
    const struct json *v = ref.n > 0 && ref.p[0] == '#'
                               ? json_pointer(g->root, str_sub(ref, 1, ref.n))
                               : NULL;
    if (!v) return put(g, to, "value");
    if (new_rule(g, &number) ||
        map_put(&g->refs, ref, (void *)(uintptr_t)number, NULL, g->e) ||
        put_schema(g, &body, v, depth + 1) || end_rule(g, number, &body))
        return -1;
    return put(g, to, "r%zu", number);
}

static bool is_list(const struct json *v) {
    return v && json_type(v) == JSON_ARRAY && json_len(v) > 0;
}

static int put_schema(struct grammar *g, struct buf *to, const struct json *v,
                      size_t depth) {
    const struct json *any = json_get(v, "anyOf"), *types = json_get(v, "type");
    const struct json *all = json_get(v, "allOf");
    str ref = json_get_text(v, "$ref", STR(""));
    if (depth > DEPTH || json_type(v) != JSON_OBJECT)
        return put(g, to, "value");
    if (!any) any = json_get(v, "oneOf");
    if (ref.n > 0) return put_ref(g, to, ref, depth);
    if (json_get(v, "const")) return put_value(g, to, json_get(v, "const"));
    if (is_list(json_get(v, "enum")))
        return put_any(g, to, json_get(v, "enum"), depth, false);
    if (is_list(any)) return put_any(g, to, any, depth, true);
    if (is_list(all) && json_len(all) == 1 && !types)
        return put_schema(g, to, json_first(all), depth + 1);
    if (is_list(types)) return put_types(g, to, v, types, depth);
    if (types && json_type(types) == JSON_STRING)
        return put_type(g, to, v, json_str(types), depth);
    return put(g, to, json_get(v, "properties") ? "object" : "value");
}

/* -- calls -------------------------------------------------------------------
 */

static int put_call(struct grammar *g, struct buf *to, const struct offer *o,
                    const char *arguments) {
    AUTO_BUF struct buf args = BUF_MAX(64), name = BUF_MAX(4096);
    struct jw w = JW(&name);
    g->root = o->schema;
    map_fini(&g->refs);
    g->refs = MAP_MAX(RULES);
    if (o->schema ? put_rule(g, &args, o->schema, 0) : put(g, &args, "object"))
        return -1;
    jw_text(&w, o->name);
    if (jw_done(&w, g->e) ||
        put(g, to, "\"{\" ws \"\\\"name\\\"\" ws \":\" ws "))
        return -1;
    if (put_literal(g, to, buf_str(&name))) return -1;
    return put(g, to, " ws \",\" ws \"\\\"%s\\\"\" ws \":\" ws %s ws \"}\"",
               arguments, buf_text(&args));
}

static int put_calls(struct grammar *g, const struct offers *offers,
                     const char *arguments) {
    AUTO_BUF struct buf all = BUF_MAX(BODY);
    for (const struct offer *o = offers->first; o; o = o->next) {
        if (o->kind != OFFER_FUNCTION) continue;
        if ((all.len > 0 && put(g, &all, "\n  | ")) ||
            put_call(g, &all, o, arguments))
            return -1;
    }
    return put(g, g->out, "call ::= %s\n", buf_text(&all));
}

/* -- text --------------------------------------------------------------------
 */

/* How much of the marker is seen after so much of it and then c. */
static size_t seen_after(str marker, size_t seen, char c) {
    char text[64];
    memcpy(text, marker.p, seen);
    text[seen] = c;
    for (size_t n = seen + 1; n > 0; n--)
        if (n <= marker.n && memcmp(text + seen + 1 - n, marker.p, n) == 0)
            return n;
    return 0;
}

/* One character in a class. */
static int put_class(struct grammar *g, struct buf *to, char c) {
    bool special = c == ']' || c == '[' || c == '^' || c == '\\' || c == '-';
    return put(g, to, "%s%c", special ? "\\" : "", c);
}

/* t0, t1 ...: text after so many characters of the marker. Where all of it was
 * seen a call begins; there is no other way out but the end. */
static int put_state(struct grammar *g, str marker, size_t seen) {
    AUTO_BUF struct buf body = BUF_MAX(BODY), others = BUF_MAX(512);
    for (size_t i = 0; i < marker.n; i++) {
        char c = marker.p[i];
        size_t next = seen_after(marker, seen, c);
        if (next == 0 || memchr(marker.p, c, i)) continue;
        if (put_class(g, &others, c) || put_literal(g, &body, (str){&c, 1}))
            return -1;
        if (next < marker.n ? put(g, &body, " t%zu | ", next)
                            : put(g, &body, " calls | "))
            return -1;
    }
    return put(g, g->out, "t%zu ::= (%s[^%s] t0)?\n", seen, buf_text(&body),
               buf_text(&others));
}

static int put_text(struct grammar *g, str marker) {
    if (marker.n == 0) /* a call is the whole answer, or there is none */
        return put(g, g->out, "root ::= call | ([^{] [\\x00-\\U0010FFFF]*)?\n");
    if (put(g, g->out, "root ::= t0\n")) return -1;
    for (size_t i = 0; i < marker.n; i++)
        if (put_state(g, marker, i)) return -1;
    return 0;
}

static int put_marked(struct grammar *g, str before, str after) {
    AUTO_BUF struct buf begin = BUF_MAX(256), end = BUF_MAX(256);
    if (before.n == 0) return 0;
    if (put_literal(g, &begin, before) || put_literal(g, &end, after))
        return -1;
    if (after.n == 0)
        return put(g, g->out,
                   "calls ::= ws \"[\" ws call (ws \",\" ws call)* ws \"]\"\n");
    return put(g, g->out,
               "calls ::= gap call gap %s (gap %s gap call gap %s)* gap\n"
               "gap ::= [ \\n]{0,2}\n",
               buf_text(&end), buf_text(&begin), buf_text(&end));
}

int gbnf_write(enum textcall format, const struct offers *offers,
               struct buf *out, struct err *e) {
    struct textcall_words words = textcall_words(format);
    struct grammar g = {.out = out, .refs = MAP_MAX(RULES), .e = e};
    size_t before = out->len;
    if (offers->count == 0) return 0;
    int result = put_text(&g, words.before) ||
                 put_marked(&g, words.before, words.after) ||
                 put_calls(&g, offers, words.arguments) ||
                 put(&g, out, "%s", basics);
    map_fini(&g.refs);
    if (result) buf_truncate(out, before);
    return result ? -1 : 0;
}
