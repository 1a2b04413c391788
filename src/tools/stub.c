/* SPDX-License-Identifier: MIT */
#include "tools/stub.h"

#include "tools/params.h"
#include "tools/plain.h"
#include "tools/pytype.h"
#include "tools/select/sentence.h"
#include "json/write.h"

#define SCRATCH     ((size_t)4 << 20)
#define SENTENCE    120               /* bytes of the first sentence */
#define PARAM_TEXT  300               /* bytes of a parameter's description */
#define DESCRIPTION ((size_t)8 << 10) /* bytes of the whole one */
#define SCHEMA_TEXT ((size_t)64 << 10)
#define DEFAULT     32 /* bytes of a default value */
#define REQUIRED    64 /* parameters of a signature, whatever they are */

struct level {
    struct pytype type;   /* of a parameter */
    struct pytype result; /* of what comes back */
    size_t optional;      /* parameters beyond the required ones */
    bool defaults;        /* as Python writes them; else "name?" */
};

/* How much each level shows; measured against the JSON they replace. */
static struct level level_of(enum stub_detail detail) {
    if (detail == STUB_BRIEF)
        return (struct level){
            .type = {.depth = 1, .literals = 4, .bytes = 64, .terse = true},
            .result = {.depth = 1, .literals = 4, .bytes = 64, .terse = true},
            .optional = 5};
    return (struct level){.type = {.depth = 4, .literals = 64, .bytes = 2000},
                          .result = {.depth = 4, .literals = 64, .bytes = 4000},
                          .optional = PARAMS_MAX,
                          .defaults = true};
}

struct stub {
    const struct entry *tool;
    struct level level;
    struct params params;
    struct buf *out;
    struct err *e;
};

static int word(struct stub *s, const char *text) {
    return buf_add_text(s->out, text, s->e);
}

/* ---- the signature ---- */

static int write_default(struct stub *s, const struct param *p) {
    const struct json *v = json_get(p->schema, "default");
    if (p->required || !s->level.defaults) return 0;
    if (word(s, " = ")) return -1;
    if (!v) return word(s, "None");
    return pytype_literal(v, DEFAULT, s->out, s->e);
}

static int write_param(struct stub *s, const struct param *p) {
    s->level.type.root = s->tool->tool.input;
    bool mark = !p->required && !s->level.defaults;
    if (buf_add_str(s->out, p->name, s->e) || (mark && word(s, "?"))) return -1;
    size_t from = s->out->len;
    if (word(s, ": ") || pytype_write(&s->level.type, p->schema, s->out, s->e))
        return -1;
    if (s->level.type.terse) pytype_drop_str(s->out, from);
    return write_default(s, p);
}

static int write_params(struct stub *s) {
    size_t optional = 0;
    for (size_t i = 0; i < s->params.count; i++) {
        if (i > 0 && word(s, ", ")) return -1;
        optional += !s->params.items[i].required;
        if (optional > s->level.optional || i == REQUIRED)
            return word(s, "...");
        if (write_param(s, &s->params.items[i])) return -1;
    }
    if (!s->params.open) return 0;
    return word(s, s->params.count > 0 ? ", **more" : "**more");
}

/* What a provider of ours knows of results that it does not promise. */
static const struct json *told_shape(const struct entry *t) {
    const struct json *v =
        json_get(json_get(t->definition, "_meta"), "cordon/shape");
    return v && json_type(v) == JSON_OBJECT ? v : NULL;
}

static int write_result(struct stub *s, const struct json *shape) {
    const struct json *schema = s->tool->tool.output;
    if (!schema) schema = told_shape(s->tool);
    bool seen = !schema && shape;
    if (seen) schema = shape;
    if (!schema) return 0;
    s->level.result.root = schema;
    if (word(s, " -> ") || pytype_write(&s->level.result, schema, s->out, s->e))
        return -1;
    return seen ? word(s, " (seen)") : 0;
}

static int write_signature(struct stub *s, const struct json *shape) {
    const struct entry *t = s->tool;
    if (t->space.n > 0 && (buf_add_str(s->out, t->space, s->e) || word(s, ".")))
        return -1;
    if (buf_add_str(s->out, t->method, s->e) || word(s, "(") ||
        write_params(s) || word(s, ")"))
        return -1;
    return write_result(s, shape);
}

/* ---- what it is for ---- */

/* The first sentence that has a letter in it: some begin with a heading. */
static str first_sentence(str description) {
    str rest = str_sub(description, 0, DESCRIPTION), sentence;
    while (sentence_next(&rest, &sentence))
        for (size_t i = 0; i < sentence.n; i++)
            if ((unsigned char)sentence.p[i] >= 0x80 ||
                ((sentence.p[i] | 0x20) >= 'a' &&
                 (sentence.p[i] | 0x20) <= 'z'))
                return sentence;
    return STR("");
}

static int write_brief(struct stub *s) {
    str sentence = first_sentence(s->tool->tool.description);
    if (sentence.n == 0) sentence = s->tool->tool.title;
    if (s->tool->fault) {
        if (word(s, " # cannot be called: ")) return -1;
        return plain_add(s->out, str_of(s->tool->fault), SENTENCE, s->e);
    }
    if (sentence.n == 0) return 0;
    return word(s, " # ") ? -1 : plain_add(s->out, sentence, SENTENCE, s->e);
}

/* ---- a line for each parameter ---- */

/* What a type does not say: bounds, formats, patterns. */
static int write_bounds(struct stub *s, const struct json *schema) {
    static const char *const keys[] = {"format",   "pattern",   "minimum",
                                       "maximum",  "minLength", "maxLength",
                                       "minItems", "maxItems",  NULL};
    for (const char *const *key = keys; *key; key++) {
        const struct json *v = json_get(schema, *key);
        if (!v || json_type(v) >= JSON_ARRAY) continue;
        if (word(s, "; ") || word(s, *key) || word(s, " ") ||
            pytype_literal(v, PARAM_TEXT, s->out, s->e))
            return -1;
    }
    return 0;
}

static int write_param_line(struct stub *s, const struct param *p) {
    const struct json *schema = params_resolve(s->tool->tool.input, p->schema);
    str text = json_get_text(p->schema, "description", STR(""));
    if (text.n == 0) text = json_get_text(schema, "description", STR(""));
    if (word(s, "    ") || write_param(s, p)) return -1;
    if (!str_eq(p->name, p->json) &&
        (word(s, "  (") || plain_add_quoted(s->out, p->json, 64, s->e) ||
         word(s, ")")))
        return -1;
    if (text.n > 0 &&
        (word(s, "  # ") || plain_add(s->out, text, PARAM_TEXT, s->e)))
        return -1;
    return write_bounds(s, schema) || word(s, "\n") ? -1 : 0;
}

static int write_param_lines(struct stub *s) {
    for (size_t i = 0; i < s->params.count; i++)
        if (write_param_line(s, &s->params.items[i])) return -1;
    return 0;
}

/* ---- all of it ---- */

static int write_json(struct stub *s, const char *title, const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(SCHEMA_TEXT);
    struct err why;
    if (!v) return 0;
    if (word(s, "    ") || word(s, title) || word(s, ": ")) return -1;
    if (json_write(v, JSON_COMPACT, &text, &why))
        return why.kind == ERR_LIMIT ? word(s, "too long to show\n") : -1;
    return plain_add(s->out, buf_str(&text), SCHEMA_TEXT, s->e) || word(s, "\n")
               ? -1
               : 0;
}

static int write_hints(struct stub *s) {
    static const struct {
        unsigned flag;
        const char *text;
    } hints[] = {
        {TOOL_READ_ONLY, "reads only"},
        {TOOL_HINT_READ_ONLY, "reads only, says the server"},
        {TOOL_HINT_DESTRUCTIVE, "may change or delete things"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (s->tool->flags & hints[i].flag &&
            (word(s, "    (") || word(s, hints[i].text) || word(s, ")\n")))
            return -1;
    return 0;
}

static bool is_one_of(str key, const char *const *names) {
    while (*names && !str_is(key, *names))
        names++;
    return *names != NULL;
}

static bool has_only(const struct json *v, const char *const *names) {
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (!is_one_of(json_str(key), names)) return false;
    return true;
}

/* The lines of the parameters say all that the schema says. */
static bool is_flat(const struct json *schema) {
    static const char *const around[] = {
        "type",    "properties", "required",    "additionalProperties",
        "$schema", "title",      "description", NULL};
    static const char *const inside[] = {
        "type",   "description", "default",   "title",    "const",
        "format", "pattern",     "minimum",   "maximum",  "minItems",
        "enum",   "minLength",   "maxLength", "maxItems", "nullable",
        "items",  NULL};
    static const char *const items[] = {"type", NULL};
    const struct json *all = json_get(schema, "properties");
    if (!schema || json_type(schema) != JSON_OBJECT ||
        !has_only(schema, around))
        return false;
    if (!all || json_type(all) != JSON_OBJECT) return !all;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1)) {
        const struct json *p = key + 1, *of = json_get(p, "items");
        const struct json *values = json_get(p, "enum");
        str text = json_get_text(p, "description", STR(""));
        if (json_type(p) != JSON_OBJECT || !has_only(p, inside) ||
            text.n > PARAM_TEXT || (values && json_len(values) > 16))
            return false;
        if (of && (json_type(of) != JSON_OBJECT || !has_only(of, items)))
            return false;
    }
    return true;
}

static int write_full(struct stub *s) {
    const struct tool *t = &s->tool->tool;
    if (plain_add_lines(s->out, t->description, "    ", DESCRIPTION, s->e) ||
        write_hints(s) || write_json(s, "examples", t->examples) ||
        (!is_flat(t->input) && write_json(s, "arguments", t->input)) ||
        (!is_flat(t->output) && write_json(s, "result", t->output)))
        return -1;
    return 0;
}

/* Of a definition that nobody has looked at a model is shown not a word. */
static int write_quarantined(const struct entry *t, struct buf *out,
                             struct err *e) {
    return buf_addf(out, e, "%.*s.%.*s(...) # quarantined: %s\n",
                    STR_ARG(t->space), STR_ARG(t->method),
                    t->doubt ? t->doubt : "its definition changed");
}

int stub_write(const struct entry *t, enum stub_detail detail,
               const struct json *shape, struct buf *out, struct err *e) {
    if (t->flags & TOOL_QUARANTINED) return write_quarantined(t, out, e);
    AUTO_ARENA struct arena scratch = ARENA_MAX(SCRATCH);
    struct stub s = {.tool = t, .level = level_of(detail), .out = out, .e = e};
    size_t start = out->len;
    int failed = params_of(t->tool.input, &scratch, &s.params, e) ||
                 write_signature(&s, shape) || write_brief(&s) ||
                 word(&s, "\n");
    if (!failed && detail >= STUB_NORMAL) failed = write_param_lines(&s);
    if (!failed && detail == STUB_FULL) failed = write_full(&s);
    if (failed) buf_truncate(out, start);
    return failed ? -1 : 0;
}
