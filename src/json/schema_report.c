/* SPDX-License-Identifier: MIT
 *
 * Violations as text: where in the value, which keyword, what was expected and
 * what was there.
 */
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "json/schema_eval.h"
#include "json/write.h"

#define MAX_LOCATION 4096
#define MAX_EXPECTED 1024
#define MAX_HOPS     4   /* references followed for a message */
#define MAX_GUESSES  100 /* names compared for "did you mean" */
#define EXCERPT      80  /* bytes of a value that a report quotes */

/* ---- locations --------------------------------------------------------- */

int schema_token(str token, struct buf *out, struct err *e) {
    if (buf_add_char(out, '/', e)) return -1;
    size_t start = 0;
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] != '~' && token.p[i] != '/') continue;
        if (buf_add_str(out, str_sub(token, start, i), e) ||
            buf_add_text(out, token.p[i] == '~' ? "~0" : "~1", e))
            return -1;
        start = i + 1;
    }
    return buf_add_str(out, str_sub(token, start, token.n), e);
}

/* The child of *container whose subtree holds the node, its token added. */
static const struct json *step_towards(const struct json *container,
                                       const struct json *node, struct buf *out,
                                       struct err *e) {
    bool object = json_type(container) == JSON_OBJECT;
    const struct json *child = json_first(container);
    for (size_t i = 0; i < json_len(container); i++) {
        const struct json *value = object ? child + 1 : child;
        if (node < json_skip(value)) {
            int bad = object ? schema_token(json_str(child), out, e)
                             : buf_addf(out, e, "/%zu", i);
            return bad ? NULL : value;
        }
        child = json_skip(value);
    }
    return NULL;
}

static int add_pointer_to(const struct json *root, const struct json *node,
                          struct buf *out, struct err *e) {
    while (root && root < node)
        root = step_towards(root, node, out, e);
    return root ? 0 : -1;
}

int schema_location(const struct schema *s, const struct json *node,
                    struct buf *out, struct err *e) {
    for (const struct source *at = s->sources; at; at = at->next) {
        if (node < at->root || node >= json_skip(at->root)) continue;
        if (at != s->sources && buf_add_str(out, at->uri, e)) return -1;
        if (buf_add_char(out, '#', e)) return -1;
        return add_pointer_to(at->root, node, out, e);
    }
    return fail(e, ERR_INTERNAL, "a node of no document");
}

int schema_at_pointer(const struct at *at, struct buf *out, struct err *e) {
    if (!at) return 0;
    if (schema_at_pointer(at->up, out, e)) return -1;
    if (at->key) return schema_token(json_str(at->key), out, e);
    return buf_addf(out, e, "/%zu", at->index);
}

/* ---- values
 * ------------------------------------------------------------------ */

/* The longest prefix of at most max bytes that cuts no code point. */
static str cut(str s, size_t max) {
    if (s.n <= max) return s;
    while (max > 0 && ((unsigned char)s.p[max] & 0xc0) == 0x80)
        max--;
    return str_sub(s, 0, max);
}

static int add_cut(str text, struct buf *out, struct err *e) {
    str head = cut(text, EXCERPT);
    if (buf_add_str(out, head, e)) return -1;
    return head.n < text.n ? buf_add_text(out, "...", e) : 0;
}

/* Containers are told by their size: their text may be long to write. */
static int add_excerpt(const struct json *v, struct buf *out, struct err *e) {
    size_t n = json_len(v);
    bool array = json_type(v) == JSON_ARRAY;
    if (json_type(v) >= JSON_ARRAY && json_skip(v) - v > 12)
        return buf_addf(out, e, "%s of %zu %s",
                        array ? "an array" : "an object", n,
                        array ? "items" : "members");
    if (json_type(v) == JSON_STRING) {
        AUTO_BUF struct buf text = BUF_MAX(16 * EXCERPT);
        if (json_write_string(cut(json_str(v), 2 * EXCERPT), &text, e))
            return -1;
        return add_cut(buf_str(&text), out, e);
    }
    if (json_type(v) == JSON_BIG) return add_cut(json_str(v), out, e);
    AUTO_BUF struct buf text = BUF_MAX(MAX_LOCATION);
    if (json_write(v, JSON_COMPACT, &text, e)) {
        if (e->kind != ERR_LIMIT) return -1;
        return buf_add_text(out, json_type_name(json_type(v)), e);
    }
    return add_cut(buf_str(&text), out, e);
}

/* ---- alternatives
 * ------------------------------------------------------------ */

/* Whether a unit takes values of a type, as far as its own "type" and those of
 * its references tell. */
static bool takes(const struct schema *s, uint32_t unit, enum json_type t,
                  int hops) {
    const struct unit *u = &s->units[unit];
    if (!(u->types >> t & 1)) return false;
    const struct instr *in = &s->code[u->code[kind_of(t)]];
    for (; in->op != OP_END && hops > 0; in++)
        if (in->op == OP_REF && !takes(s, in->unit, t, hops - 1)) return false;
    return true;
}

/* The only alternative for values of this type, or UNIT_NONE. */
static uint32_t only_choice(struct eval *x, const struct instr *in,
                            const struct json *v) {
    uint32_t found = UNIT_NONE;
    enum json_type t = json_is_number(v) ? JSON_INT : json_type(v);
    for (size_t i = 0; i < in->as.list->count; i++) {
        uint32_t unit = in->as.list->units[i];
        if (!eval_spend(x, 1)) return UNIT_NONE;
        if (!takes(x->s, unit, t, MAX_HOPS)) continue;
        if (found != UNIT_NONE) return UNIT_NONE;
        found = unit;
    }
    return found;
}

void report_choice(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at) {
    uint32_t only = x->stopped ? UNIT_NONE : only_choice(x, in, v);
    if (only == UNIT_NONE || eval_unit(x, only, v, at, NULL))
        report(x, in, v, at);
}

/* ---- what was expected
 * -------------------------------------------------------- */

static int expect_types(const struct unit *u, struct buf *out, struct err *e) {
    if (!u->type) return buf_add_text(out, "nothing", e);
    if (json_type(u->type) == JSON_STRING)
        return buf_add_str(out, json_str(u->type), e);
    const struct json *name = json_first(u->type);
    for (size_t i = json_len(u->type); i > 0; i--, name++)
        if (buf_add_str(out, json_str(name), e) ||
            (i > 1 && buf_add_text(out, " or ", e)))
            return -1;
    return 0;
}

static int expect_enum(const struct json *list, struct buf *out,
                       struct err *e) {
    if (buf_add_text(out, "one of ", e)) return -1;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item)) {
        if (out->len > MAX_EXPECTED / 2) return buf_add_text(out, "...", e);
        if (add_excerpt(item, out, e) || (i > 1 && buf_add_text(out, ", ", e)))
            return -1;
    }
    return 0;
}

/* Names of types, joined by "or"; numbers once. */
static int expect_type_set(unsigned types, struct buf *out, struct err *e) {
    if (types & TYPE_BIT(JSON_REAL))
        types &= ~(TYPE_BIT(JSON_INT) | TYPE_BIT(JSON_BIG));
    const char *joint = "";
    for (enum json_type t = JSON_NULL; t <= JSON_OBJECT; t++) {
        if (!(types & TYPE_BIT(t))) continue;
        if (buf_addf(out, e, "%s%s", joint, json_type_name(t))) return -1;
        joint = " or ";
    }
    return 0;
}

static int expect_value(const char *words, const struct json *v,
                        struct buf *out, struct err *e) {
    return buf_add_text(out, words, e) || add_excerpt(v, out, e) ? -1 : 0;
}

static int expect_count(const char *words, const struct instr *in,
                        const char *what, struct buf *out, struct err *e) {
    return buf_addf(out, e, "%s %zu %s%s", words, in->as.count, what,
                    in->as.count == 1 ? "" : "s");
}

static int expect_contains(const struct count_range *r, struct buf *out,
                           struct err *e) {
    if (r->max == SIZE_MAX)
        return buf_addf(out, e, "at least %zu matching item%s", r->min,
                        r->min == 1 ? "" : "s");
    return buf_addf(out, e, "%zu to %zu matching items", r->min, r->max);
}

static int expect_any(const struct schema *s, const struct instr *in,
                      const struct json *v, struct buf *out, struct err *e) {
    unsigned types = 0;
    for (size_t i = 0; i < in->as.list->count; i++)
        for (enum json_type t = JSON_NULL; t <= JSON_OBJECT; t++)
            if (takes(s, in->as.list->units[i], t, MAX_HOPS))
                types |= TYPE_BIT(t);
    if (!(types & TYPE_BIT(json_type(v))))
        return expect_type_set(types, out, e);
    return buf_addf(out, e, "a value for %s of %zu schemas",
                    in->op == OP_ONE_OF ? "exactly one" : "one",
                    in->as.list->count);
}

static int expect(const struct schema *s, const struct instr *in,
                  const struct json *got, struct buf *out, struct err *e) {
    const struct json *v = in->as.value;
    switch ((enum schema_op)in->op) {
    case OP_ENUM:
    case OP_ENUM_TEXT: return expect_enum(in->where, out, e);
    case OP_CONST: return expect_value("", v, out, e);
    case OP_MINIMUM: return expect_value("at least ", v, out, e);
    case OP_MAXIMUM: return expect_value("at most ", v, out, e);
    case OP_EXCLUSIVE_MINIMUM: return expect_value("more than ", v, out, e);
    case OP_EXCLUSIVE_MAXIMUM: return expect_value("less than ", v, out, e);
    case OP_MULTIPLE_OF:
        return expect_value("a multiple of ", in->where, out, e);
    case OP_MIN_LENGTH:
        return expect_count("at least", in, "character", out, e);
    case OP_MAX_LENGTH: return expect_count("at most", in, "character", out, e);
    case OP_MIN_ITEMS: return expect_count("at least", in, "item", out, e);
    case OP_MAX_ITEMS: return expect_count("at most", in, "item", out, e);
    case OP_MIN_PROPERTIES:
        return expect_count("at least", in, "member", out, e);
    case OP_MAX_PROPERTIES:
        return expect_count("at most", in, "member", out, e);
    case OP_PATTERN:
        return buf_add_text(out, "text that matches ", e) ||
                       add_cut(regex_source(in->as.regex), out, e)
                   ? -1
                   : 0;
    case OP_FORMAT:
        return buf_addf(out, e, "text of the format %s", in->as.format->name);
    case OP_UNIQUE_ITEMS: return buf_add_text(out, "items that all differ", e);
    case OP_CONTAINS: return expect_contains(in->as.range, out, e);
    case OP_ANY_OF:
    case OP_ONE_OF: return expect_any(s, in, got, out, e);
    case OP_NOT: return buf_add_text(out, "a value the schema refuses", e);
    case OP_END:
    case OP_REF:
    case OP_DYNAMIC_REF:
    case OP_ITEMS:
    case OP_PROPERTIES:
    case OP_PROPERTY_NAMES:
    case OP_DEPENDENT:
    case OP_ALL_OF:
    case OP_IF:
    case OP_UNEVALUATED_ITEMS:
    case OP_UNEVALUATED_PROPERTIES: break;
    }
    return 0; /* reported by the units inside */
}

/* ---- recording
 * ------------------------------------------------------------------ */

struct violation {
    enum keyword keyword;
    const struct json *keyword_at; /* in the schema */
    const struct at *at;           /* in the value */
    const struct json *got;
    struct buf expected;
};

static int keep(struct collector *c, struct buf *text, str *out,
                struct err *e) {
    int failed = arena_dup(c->arena, buf_str(text), out, e);
    buf_truncate(text, 0);
    return failed;
}

static int record(struct eval *x, struct violation *why, struct err *e) {
    struct collector *c = x->collector;
    struct schema_error *error = &c->errors[c->count];
    AUTO_BUF struct buf text = BUF_MAX(MAX_LOCATION);
    struct err ignored; /* a location too long to tell is cut, not an error */
    error->keyword = keyword_text(why->keyword);
    if (schema_at_pointer(why->at, &text, &ignored) &&
        ignored.kind == ERR_MEMORY)
        return fail(e, ERR_MEMORY, "%s", ignored.text);
    if (keep(c, &text, &error->path, e)) return -1;
    if (!c->brief && schema_location(x->s, why->keyword_at, &text, &ignored) &&
        ignored.kind == ERR_MEMORY)
        return fail(e, ERR_MEMORY, "%s", ignored.text);
    if (keep(c, &text, &error->schema_path, e)) return -1;
    if (add_excerpt(why->got, &text, e)) return -1;
    if (keep(c, &text, &error->got, e)) return -1;
    if (keep(c, &why->expected, &error->expected, e)) return -1;
    c->count++;
    return 0;
}

/* Whether a violation is to be written down. */
static bool wanted(struct eval *x) {
    struct collector *c = x->collector;
    if (!c || x->stopped) return false;
    if (c->count == c->max) c->more = true;
    return c->count < c->max;
}

/* `failed` tells whether the text of the violation could be written. */
static bool add(struct eval *x, struct violation *why, int failed) {
    if (!failed) failed = record(x, why, x->err);
    buf_fini(&why->expected);
    if (x->collector->brief) x->collector = NULL;
    return failed ? eval_stop(x, failed) : false;
}

bool report_type(struct eval *x, const struct unit *u, const struct json *v,
                 const struct at *at) {
    if (!wanted(x)) return false;
    struct violation why = {.keyword = u->type ? KEY_TYPE : KEY_FALSE,
                            .keyword_at = u->type ? u->type : u->where,
                            .at = at,
                            .got = v,
                            .expected = BUF_MAX(MAX_EXPECTED)};
    return add(x, &why, expect_types(u, &why.expected, x->err));
}

bool report(struct eval *x, const struct instr *in, const struct json *v,
            const struct at *at) {
    if (!wanted(x)) return false;
    struct violation why = {.keyword = (enum keyword)in->keyword,
                            .keyword_at = in->where,
                            .at = at,
                            .got = v,
                            .expected = BUF_MAX(MAX_EXPECTED)};
    return add(x, &why, expect(x->s, in, v, &why.expected, x->err));
}

/* ---- members ----------------------------------------------------------- */

/* One slip per three letters, or another case. */
static bool is_near(str a, str b) {
    size_t limit = a.n / 3 < 3 ? a.n / 3 : 3;
    return str_eq_nocase(a, b) || str_distance(a, b, limit) <= limit;
}

/* The member that may have been meant by the missing one. */
static str find_misspelt(const struct json *v, const struct names *known,
                         str missing) {
    const struct json *key = json_first(v);
    size_t n = json_len(v) < MAX_GUESSES ? json_len(v) : MAX_GUESSES;
    for (; n > 0; n--, key = json_skip(key + 1)) {
        struct name name = name_of(json_str(key));
        if (names_find(known, &name) == NAMES_NONE &&
            is_near(json_str(key), missing))
            return json_str(key);
    }
    return (str){0};
}

/* The name that may have been meant by the one too many. */
static str find_known(const struct names *known, str extra) {
    size_t n = known->count < MAX_GUESSES ? known->count : MAX_GUESSES;
    for (size_t i = 0; i < n; i++) {
        str name = known->list[i].text;
        if (name.n != SIZE_MAX && is_near(extra, name)) return name;
    }
    return (str){0};
}

bool report_missing(struct eval *x, const struct json *keyword_at,
                    enum keyword k, str member, const struct names *known,
                    const struct json *v, const struct at *at) {
    if (!wanted(x)) return false;
    struct violation why = {.keyword = k,
                            .keyword_at = keyword_at,
                            .at = at,
                            .got = v,
                            .expected = BUF_MAX(MAX_EXPECTED)};
    str wrong =
        known ? cut(find_misspelt(v, known, member), EXCERPT) : (str){0};
    int failed = buf_addf(&why.expected, x->err, "a member \"%.*s\"",
                          STR_ARG(cut(member, EXCERPT)));
    if (!failed && wrong.p)
        failed =
            buf_addf(&why.expected, x->err, " (not \"%.*s\")", STR_ARG(wrong));
    return add(x, &why, failed);
}

bool report_extra(struct eval *x, const struct json *keyword_at, enum keyword k,
                  const struct names *known, const struct json *key,
                  const struct at *at) {
    if (!wanted(x)) return false;
    struct at inner = {at, key, 0};
    struct violation why = {.keyword = k,
                            .keyword_at = keyword_at,
                            .at = &inner,
                            .got = key + 1,
                            .expected = BUF_MAX(MAX_EXPECTED)};
    str meant =
        known ? cut(find_known(known, json_str(key)), EXCERPT) : (str){0};
    int failed = buf_addf(&why.expected, x->err, "no member \"%.*s\"",
                          STR_ARG(cut(json_str(key), EXCERPT)));
    if (!failed && meant.p)
        failed = buf_addf(&why.expected, x->err, " (did you mean \"%.*s\"?)",
                          STR_ARG(meant));
    return add(x, &why, failed);
}
