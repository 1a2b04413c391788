/* SPDX-License-Identifier: MIT
 *
 * The text is copied with its small damage undone and then parsed strictly, so
 * what comes out is JSON by the same rules as always. Copying follows strings
 * and brackets only; where they do not add up to one whole value there is
 * nothing to parse and the text is refused.
 */
#include "json/repair.h"

#include <string.h>

#include "base/buf.h"

#define MAX_NESTED 2 /* texts inside texts: an encoded string in a fence */

static const struct {
    const char *code, *text;
} rules[] = {
#define REPAIR(name, code, text) {code, text},
#include "json/repair.def"
#undef REPAIR
};

const char *repair_code(enum repair_rule rule) {
    return rules[rule].code;
}

const char *repair_text(enum repair_rule rule) {
    return rules[rule].text;
}

static void note(unsigned *rule_bits, enum repair_rule rule) {
    *rule_bits |= 1u << rule;
}

/* ---- around the value
 * ----------------------------------------------------------- */

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t first_of(str s, const char *set) {
    size_t i = 0;
    while (i < s.n && !(s.p[i] && strchr(set, s.p[i])))
        i++;
    return i;
}

/* Index behind the last character of the set, or 0. */
static size_t last_of(str s, const char *set) {
    size_t i = s.n;
    while (i > 0 && !(s.p[i - 1] && strchr(set, s.p[i - 1])))
        i--;
    return i;
}

/* Without JSON's white space at either end. */
static str trim(str s) {
    while (s.n > 0 && is_space(s.p[0]))
        s = str_sub(s, 1, s.n);
    while (s.n > 0 && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

static bool has_text(str s) {
    return trim(s).n > 0;
}

/* Words that cannot be a piece of the value themselves. */
static bool is_prose(str s) {
    return first_of(s, "{}[]\"") == s.n;
}

/* Strips a fence that opens before the value and closes after it. False when
 * it only opens: the text was cut. */
static bool strip_fence(str *text, unsigned *bits) {
    const str fence = STR("```");
    str before = str_sub(*text, 0, first_of(*text, "{[\""));
    ptrdiff_t open = str_find(before, fence);
    if (open < 0) return true;
    size_t start = (size_t)open + fence.n;
    while (start < before.n && text->p[start] != '\n' && text->p[start] != ' ')
        start++; /* the language's name */
    size_t end = last_of(*text, "}]\"");
    ptrdiff_t close = str_find(str_sub(*text, end, text->n), fence);
    if (close < 0 || end <= start) return false;
    str after = str_sub(*text, end + (size_t)close + fence.n, text->n);
    if (!is_prose(str_sub(before, 0, (size_t)open)) || !is_prose(after))
        return false;
    bool prose = has_text(str_sub(before, 0, (size_t)open)) || has_text(after);
    *text = str_sub(*text, start, end + (size_t)close);
    note(bits, REPAIR_FENCE);
    if (prose) note(bits, REPAIR_PROSE);
    return true;
}

/* ---- the value itself
 * --------------------------------------------------------------- */

struct copy {
    str text;
    size_t i;           /* next byte to read */
    size_t depth;       /* brackets open */
    size_t significant; /* length of out up to its last byte that is not white
                           space; where a comma would be */
    unsigned bits;
    struct buf *out;
    struct err *e;
};

/* A raw control character as its escape. */
static int copy_control(struct copy *c, unsigned char byte) {
    note(&c->bits, REPAIR_CONTROL);
    if (byte == '\n') return buf_add_text(c->out, "\\n", c->e);
    if (byte == '\r') return buf_add_text(c->out, "\\r", c->e);
    if (byte == '\t') return buf_add_text(c->out, "\\t", c->e);
    return buf_addf(c->out, c->e, "\\u%04x", byte);
}

/* From the opening quote through the closing one. 1 done, 0 it never ends. */
static int copy_string(struct copy *c) {
    bool escaped = true; /* so that the opening quote does not end it */
    while (c->i < c->text.n) {
        char byte = c->text.p[c->i++];
        bool control = (unsigned char)byte < ' ';
        if (control ? copy_control(c, (unsigned char)byte)
                    : buf_add_char(c->out, byte, c->e))
            return -1;
        if (byte == '"' && !escaped) return 1;
        escaped = byte == '\\' && !escaped;
    }
    return 0;
}

/* Takes back the comma before a closing bracket, if there is one with an item
 * in front of it. */
static void drop_comma(struct copy *c) {
    size_t n = c->significant;
    if (n < 2 || c->out->data[n - 1] != ',') return;
    size_t before = n - 1;
    while (before > 0 && is_space(c->out->data[before - 1]))
        before--;
    if (before == 0 || strchr("{[,:", c->out->data[before - 1])) return;
    buf_truncate(c->out, n - 1);
    note(&c->bits, REPAIR_COMMA);
}

static int copy_byte(struct copy *c) {
    char byte = c->text.p[c->i++];
    if (byte == '{' || byte == '[') c->depth++;
    if (byte == '}' || byte == ']') {
        drop_comma(c);
        c->depth--;
    }
    if (buf_add_char(c->out, byte, c->e)) return -1;
    if (!is_space(byte)) c->significant = c->out->len;
    return 0;
}

/* Copies one container or string. 1 done, 0 the text ends before it does. */
static int copy_value(struct copy *c) {
    do {
        if (c->i >= c->text.n) return 0;
        bool string = c->text.p[c->i] == '"';
        int done = string ? copy_string(c) : copy_byte(c) ? -1 : 1;
        if (done != 1) return done;
        if (string) c->significant = c->out->len;
    } while (c->depth > 0);
    return 1;
}

/* ---- all of it
 * ------------------------------------------------------------------------ */

struct attempt {
    const struct json_limits *limits;
    struct arena *arena;
    bool truncated;
    struct err *e;
};

static int repair_value(struct attempt *t, str text, int nested,
                        struct repair_result *out);

/* A string that holds a whole container was encoded once too often. */
static int unwrap(struct attempt *t, const struct json *v, int nested,
                  unsigned bits, struct repair_result *out) {
    *out = (struct repair_result){v, bits};
    if (json_type(v) != JSON_STRING || nested >= MAX_NESTED) return 1;
    struct repair_result inner;
    int found = repair_value(t, json_str(v), nested + 1, &inner);
    if (found < 0) return -1;
    if (!found || json_type(inner.value) < JSON_ARRAY) return 1;
    note(&bits, REPAIR_ENCODED);
    *out = (struct repair_result){inner.value, bits | inner.rules};
    return 1;
}

/* 1 parsed, 0 not JSON, -1 limit or memory. */
static int parse(struct attempt *t, str text, const struct json **out) {
    struct json_fault fault = {0};
    struct err why;
    if (json_parse_fault(text, t->limits, t->arena, out, &fault, &why) == 0)
        return 1;
    t->truncated |= fault.truncated;
    if (why.kind == ERR_INVALID) return 0;
    *t->e = why;
    return -1;
}

/* The damaged text: fence, prose, then the value. 1, 0 or -1 as above. */
static int repair_damage(struct attempt *t, str text, int nested,
                         struct repair_result *out) {
    unsigned bits = 0;
    if (!strip_fence(&text, &bits)) return 0;
    text = trim(text);
    bool encoded = text.n > 0 && text.p[0] == '"';
    size_t start = encoded ? 0 : first_of(text, "{[");
    str before = str_sub(text, 0, start);
    if (start == text.n || !is_prose(before)) return 0;
    AUTO_BUF struct buf copy = BUF_MAX(6 * text.n + 16);
    struct copy c = {.text = text, .i = start, .out = &copy, .e = t->e};
    int done = copy_value(&c);
    if (done == 0) t->truncated = true;
    if (done != 1) return done;
    str after = str_sub(text, c.i, text.n);
    if (!is_prose(after)) return 0;
    if (has_text(before) || has_text(after)) note(&c.bits, REPAIR_PROSE);
    const struct json *v;
    int parsed = parse(t, buf_str(&copy), &v);
    return parsed == 1 ? unwrap(t, v, nested, bits | c.bits, out) : parsed;
}

static int repair_value(struct attempt *t, str text, int nested,
                        struct repair_result *out) {
    const struct json *v;
    int parsed = parse(t, text, &v);
    if (parsed < 0) return -1;
    if (parsed) return unwrap(t, v, nested, 0, out);
    return repair_damage(t, text, nested, out);
}

int repair_parse(str text, const struct json_limits *limits, struct arena *a,
                 struct repair_result *out, struct err *e) {
    struct attempt t = {.limits = limits, .arena = a, .e = e};
    struct repair_result found;
    int done = repair_value(&t, text, 0, &found);
    if (done < 0) return -1;
    if (done) {
        *out = found;
        return 0;
    }
    const struct json *v;
    if (json_parse(text, limits, a, &v, e) == 0)
        return fail(e, ERR_INTERNAL, "text was JSON and not JSON");
    return t.truncated ? fail_while(e, "the text is truncated") : -1;
}
