/* SPDX-License-Identifier: MIT */
#include "agent/lower.h"

#include "agent/wire.h"
#include "base/buf.h"
#include "json/build.h"
#include "json/write.h"

#define DEPTH      10 /* of objects inside each other: OpenAI's limit */
#define NOTE_BYTES 2000

enum fate { NO, KEEP, NOTE, DROP, ONE, MANY, MAP };

static const struct keyword {
    const char *name;
    enum fate openai, anthropic;
} keywords[] = {
#define KEYWORD(name, openai, anthropic) {name, openai, anthropic},
#include "agent/lower.def"
#undef KEYWORD
};

struct lowering {
    struct json_build b;
    struct arena *arena;
    bool all_required; /* OpenAI */
    enum api api;
};

static enum fate fate_of(const struct lowering *l, str name) {
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (str_is(name, keywords[i].name))
            return l->all_required ? keywords[i].openai : keywords[i].anthropic;
    return NO;
}

/* Formats that both enforce. */
static bool is_known_format(str format) {
    static const char *const known[] = {"date-time", "time",  "date",
                                        "duration",  "email", "hostname",
                                        "ipv4",      "ipv6",  "uuid"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(format, known[i])) return true;
    return false;
}

static int put_schema(struct lowering *l, const struct json *v, size_t depth,
                      struct err *e);

/* -- members ----------------------------------------------------------------
 */

static bool is_required(const struct json *required, str name) {
    if (!required || json_type(required) != JSON_ARRAY) return false;
    for (const struct json *item = NULL; (item = wire_next(required, item));)
        if (json_type(item) == JSON_STRING && str_eq(json_str(item), name))
            return true;
    return false;
}

/* A member that may be left out may be null instead. */
static int put_member(struct lowering *l, const struct json *v, bool optional,
                      size_t depth, struct err *e) {
    if (!optional) return put_schema(l, v, depth, e);
    build_object(&l->b);
    build_key(&l->b, STR("anyOf"));
    build_array(&l->b);
    if (put_schema(l, v, depth, e)) return -1;
    build_object(&l->b);
    build_put_text(&l->b, "type", STR("null"));
    build_end(&l->b);
    build_end(&l->b);
    build_end(&l->b);
    return 0;
}

static int put_properties(struct lowering *l, const struct json *schema,
                          size_t depth, struct err *e) {
    const struct json *properties = json_get(schema, "properties");
    const struct json *required = json_get(schema, "required");
    bool some = properties && json_type(properties) == JSON_OBJECT;
    size_t n = some ? json_len(properties) : 0;
    const struct json *more = json_get(schema, "additionalProperties");
    bool map = more && !(json_type(more) == JSON_BOOL && !more->as.boolean);
    if (map && n == 0)
        return fail(e, ERR_UNSUPPORTED, "an object with members of any name");
    build_key(&l->b, STR("properties"));
    build_object(&l->b);
    const struct json *key = some ? json_first(properties) : NULL;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        bool optional =
            l->all_required && !is_required(required, json_str(key));
        build_key(&l->b, json_str(key));
        if (put_member(l, key + 1, optional, depth + 1, e)) return -1;
    }
    build_end(&l->b);
    build_key(&l->b, STR("required"));
    build_array(&l->b);
    key = some ? json_first(properties) : NULL;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        if (l->all_required || is_required(required, json_str(key)))
            build_text(&l->b, json_str(key));
    build_end(&l->b);
    build_put_bool(&l->b, "additionalProperties", false);
    return 0;
}

/* -- keywords ---------------------------------------------------------------
 */

static int put_many(struct lowering *l, const struct json *v, size_t depth,
                    struct err *e) {
    if (json_type(v) != JSON_ARRAY)
        return fail(e, ERR_UNSUPPORTED, "a list of schemas that is none");
    build_key(&l->b, STR("anyOf"));
    build_array(&l->b);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (put_schema(l, item, depth + 1, e)) return -1;
    build_end(&l->b);
    return 0;
}

static int put_map(struct lowering *l, str name, const struct json *v,
                   size_t depth, struct err *e) {
    build_key(&l->b, name);
    build_object(&l->b);
    const struct json *key = json_type(v) == JSON_OBJECT ? json_first(v) : NULL;
    for (size_t i = key ? json_len(v) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        build_key(&l->b, json_str(key));
        if (put_schema(l, key + 1, depth + 1, e)) return -1;
    }
    build_end(&l->b);
    return 0;
}

static int add_note(struct buf *notes, str name, const struct json *v,
                    struct err *e) {
    if (notes->len > 0 && buf_add_text(notes, ", ", e)) return -1;
    return buf_addf(notes, e, "%.*s: ", STR_ARG(name)) ||
                   json_write(v, JSON_COMPACT, notes, e)
               ? -1
               : 0;
}

static bool is_handled(str name) {
    return str_is(name, "properties") || str_is(name, "required") ||
           str_is(name, "additionalProperties") || str_is(name, "description");
}

static int put_keyword(struct lowering *l, str name, const struct json *v,
                       size_t depth, struct buf *notes, struct err *e) {
    enum fate fate = fate_of(l, name);
    if (str_is(name, "format"))
        fate = json_type(v) == JSON_STRING && is_known_format(json_str(v))
                   ? KEEP
                   : NOTE;
    if (str_is(name, "minItems") && json_type(v) == JSON_INT &&
        v->as.integer <= 1)
        fate = KEEP;
    switch (fate) {
    case KEEP:
        build_key(&l->b, name);
        build_copy(&l->b, v);
        return 0;
    case NOTE: return add_note(notes, name, v, e);
    case DROP: return 0;
    case ONE: build_key(&l->b, name); return put_schema(l, v, depth + 1, e);
    case MANY: return put_many(l, v, depth, e);
    case MAP: return put_map(l, name, v, depth, e);
    case NO: break;
    }
    return fail(e, ERR_UNSUPPORTED, "\"%.*s\"", STR_ARG(name));
}

static int put_description(struct lowering *l, const struct json *schema,
                           const struct buf *notes, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(65536);
    str given = json_get_text(schema, "description", STR(""));
    if (buf_add_str(&text, given, e)) return -1;
    if (notes->len > 0 &&
        buf_addf(&text, e, "%s{%s}", given.n ? " " : "", buf_text(notes)))
        return -1;
    if (text.len > 0) build_put_text(&l->b, "description", buf_str(&text));
    return 0;
}

static bool is_object_schema(const struct json *v) {
    return json_get(v, "properties") || json_get(v, "additionalProperties") ||
           str_is(json_get_text(v, "type", STR("")), "object");
}

static int put_schema(struct lowering *l, const struct json *v, size_t depth,
                      struct err *e) {
    AUTO_BUF struct buf notes = BUF_MAX(NOTE_BYTES);
    if (depth > DEPTH) return fail(e, ERR_UNSUPPORTED, "it nests too deep");
    if (json_type(v) != JSON_OBJECT || json_len(v) == 0)
        return fail(e, ERR_UNSUPPORTED, "a schema that takes anything");
    build_object(&l->b);
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (!is_handled(json_str(key)) &&
            put_keyword(l, json_str(key), key + 1, depth, &notes, e))
            return -1;
    if (is_object_schema(v) && put_properties(l, v, depth, e)) return -1;
    if (put_description(l, v, &notes, e)) return -1;
    build_end(&l->b);
    return 0;
}

int lower_schema(enum api api, const struct json *schema, struct arena *a,
                 const struct json **out, struct err *e) {
    struct lowering l = {.b = JSON_BUILD(a),
                         .arena = a,
                         .all_required =
                             api == API_CHAT || api == API_RESPONSES,
                         .api = api};
    if (!schema || !is_object_schema(schema))
        return fail(e, ERR_UNSUPPORTED, "the arguments are not an object");
    if (json_get(schema, "anyOf") || json_get(schema, "oneOf"))
        return fail(e, ERR_UNSUPPORTED, "alternatives at the root");
    if (put_schema(&l, schema, 0, e)) {
        if (e->kind == ERR_LIMIT) e->kind = ERR_UNSUPPORTED;
        return -1;
    }
    return build_done(&l.b, out, e);
}

int lower_offers(struct offers *offers, const struct vendor *to,
                 struct arena *a, struct err *e) {
    for (struct offer *o = offers->first; o; o = o->next) {
        bool own = o->native && o->api == to->api;
        if (o->kind != OFFER_FUNCTION || o->strict <= 0 || own) continue;
        if (!vendor_has(to, VENDOR_STRICT)) {
            o->strict = -1;
        } else if (lower_schema(to->api, o->schema, a, &o->schema, e)) {
            if (e->kind != ERR_UNSUPPORTED) return -1;
            o->strict = 0;
        }
    }
    return 0;
}
