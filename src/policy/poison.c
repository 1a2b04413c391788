/* SPDX-License-Identifier: MIT */
#include "policy/poison.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "policy/detect.h"
#include "policy/label.h"
#include "policy/poison_scan.h"

#include <stdio.h>
#include <string.h>

#define LONG_TEXT                                                             \
    6000               /* bytes of a description that nobody reads to its end \
                        */
#define BLANK_RUN  64  /* white space that pushes text off a screen */
#define BLOB_RUN   240 /* letters and digits without a break */
#define SHOWN_TEXT 120 /* bytes of a finding's excerpt */

static const struct {
    const char *code, *advice;
    enum poison_severity severity;
} classes[] = {
#define POISON(id, code, severity, advice) {code, advice, POISON_##severity},
#include "policy/poison.def"
#undef POISON
};

const char *poison_code(enum poison_class c) {
    return classes[c].code;
}

enum poison_severity poison_severity(enum poison_class c) {
    return classes[c].severity;
}

const char *poison_advice(enum poison_class c) {
    return classes[c].advice;
}

int visible_add(str text, struct buf *out, struct err *e) {
    for (size_t i = 0; i < text.n;) {
        uint32_t cp;
        size_t n = utf8_decode(text.p + i, text.n - i, &cp);
        if (n == 0) {
            if (buf_addf(out, e, "\\x{%02x}", (unsigned char)text.p[i]))
                return -1;
            i++;
            continue;
        }
        bool hidden = detect_invisible(cp) && cp != '\n' && cp != '\t';
        if (hidden ? buf_addf(out, e, "\\u{%x}", (unsigned)cp)
                   : buf_add(out, text.p + i, n, e))
            return -1;
        i += n;
    }
    return 0;
}

/* -- findings ---------------------------------------------------------------
 */

int poison_add(struct poison_scan *s, enum poison_class c, const struct tool *t,
               const struct tool *other, str place, const char *fmt, ...) {
    char text[512];
    va_list ap;
    if (s->count == POISON_FINDINGS) return s->more = true, 0;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct poison_finding *f = &s->findings[s->count];
    *f = (struct poison_finding){
        .class = c, .tool = t->id, .other = other ? other->id : STR("")};
    if (arena_dup(s->arena, place, &f->place, s->e) ||
        arena_dup(s->arena, str_of(text), &f->text, s->e))
        return -1;
    s->count++;
    s->errors += poison_severity(c) == POISON_ERROR;
    return 0;
}

bool poison_told(const struct poison_scan *s, enum poison_class c,
                 const struct tool *t) {
    for (size_t i = s->count; i > 0; i--) {
        if (!str_eq(s->findings[i - 1].tool, t->id)) return false;
        if (s->findings[i - 1].class == c) return true;
    }
    return false;
}

/* A piece of text around a hit, made visible. */
static int excerpt(str text, size_t from, size_t to, struct buf *out,
                   struct err *e) {
    size_t begin = from > 20 ? from - 20 : 0;
    size_t end = to + 20 < text.n ? to + 20 : text.n;
    if (end - begin > SHOWN_TEXT) end = begin + SHOWN_TEXT;
    while (begin > 0 && (text.p[begin] & 0xc0) == 0x80)
        begin--;
    while (end < text.n && (text.p[end] & 0xc0) == 0x80)
        end++;
    return visible_add(str_sub(text, begin, end), out, e);
}

static int add_hit(struct poison_scan *s, enum poison_class c,
                   const struct tool *t, str place, str text, size_t from,
                   size_t to) {
    AUTO_BUF struct buf shown = BUF_MAX(4096);
    if (poison_told(s, c, t)) return 0;
    if (excerpt(text, from, to, &shown, s->e)) return -1;
    return poison_add(s, c, t, NULL, place, "\"%s\"", buf_text(&shown));
}

/* -- one text ---------------------------------------------------------------
 */

static bool is_emoji(uint32_t cp) {
    return (cp >= 0x2190 && cp <= 0x2bff) || (cp >= 0x1f000 && cp <= 0x1faff) ||
           cp == 0xfe0f || cp == 0x20e3 || (cp >= 0x1f1e6 && cp <= 0x1f1ff);
}

/* A joiner or selector behind a picture belongs to it. */
static bool belongs_to_emoji(uint32_t before, uint32_t cp) {
    bool joins = cp == 0x200d || (cp >= 0xfe00 && cp <= 0xfe0f);
    return joins && is_emoji(before);
}

static int check_hidden(struct poison_scan *s, const struct tool *t, str place,
                        str text) {
    uint32_t before = 0;
    for (size_t i = 0; i < text.n;) {
        uint32_t cp;
        size_t n = utf8_decode_loose(text.p + i, text.n - i, &cp);
        if (n == 0) n = 1, cp = 0xfffd;
        if (detect_invisible(cp) && !belongs_to_emoji(before, cp) &&
            !(i == 0 && cp == 0xfeff))
            return add_hit(s, POISON_HIDDEN, t, place, text, i, i + n);
        before = cp;
        i += n;
    }
    return 0;
}

/* The first of these words that the text has is a hit. */
static int check_words(struct poison_scan *s, enum poison_class class,
                       const char *const *words, const struct tool *t,
                       str place, str text) {
    for (; *words; words++) {
        ptrdiff_t at = str_find(text, str_of(*words));
        if (at >= 0)
            return add_hit(s, class, t, place, text, (size_t)at,
                           (size_t)at + strlen(*words));
    }
    return 0;
}

/* <IMPORTANT>, <|system|>, [INST]: signs a model was taught to heed. Plain
 * lower-case tags are common in honest text. */
static int check_tags(struct poison_scan *s, const struct tool *t, str place,
                      str text) {
    static const char *const marks[] = {
#define MARK(text) text,
#include "policy/marks.def"
#undef MARK
        NULL,
    };
    return check_words(s, POISON_TAG, marks, t, place, text);
}

static int check_detected(struct poison_scan *s, const struct tool *t,
                          str place, str text) {
    unsigned contact = DETECT_BIT(DETECT_EMAIL) | DETECT_BIT(DETECT_PHONE);
    struct detect_hit hit;
    if (detect_next(text, 0, DETECT_BIT(DETECT_INSTRUCTIONS), &hit) &&
        add_hit(s, POISON_ORDER, t, place, text, hit.from, hit.to))
        return -1;
    /* Examples name people of example.com. */
    if (!detect_next(text, 0, contact, &hit) ||
        str_find(str_sub(text, hit.from, hit.to), STR("example")) >= 0)
        return 0;
    return add_hit(s, POISON_CONTACT, t, place, text, hit.from, hit.to);
}

static int check_paths(struct poison_scan *s, const struct tool *t, str place,
                       str text) {
    static const char *const paths[] = {
#define SENSITIVE(text) text,
#include "policy/sensitive.def"
#undef SENSITIVE
        NULL,
    };
    return check_words(s, POISON_PATH, paths, t, place, text);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_blob(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
}

static int check_runs(struct poison_scan *s, const struct tool *t, str place,
                      str text) {
    size_t blank = 0, blob = 0;
    if (text.n > LONG_TEXT && !poison_told(s, POISON_LONG, t))
        return poison_add(s, POISON_LONG, t, NULL, place, "%zu bytes of text",
                          text.n);
    for (size_t i = 0; i < text.n; i++) {
        blank = is_blank(text.p[i]) ? blank + 1 : 0;
        blob = is_blob(text.p[i]) ? blob + 1 : 0;
        if (blank < BLANK_RUN && blob < BLOB_RUN) continue;
        if (poison_told(s, POISON_LONG, t)) return 0;
        return poison_add(s, POISON_LONG, t, NULL, place, "%s",
                          blank >= BLANK_RUN ? "a long run of white space"
                                             : "a long run of encoded data");
    }
    return 0;
}

static int check_text(struct poison_scan *s, const struct tool *t, str place,
                      str text) {
    return check_hidden(s, t, place, text) || check_tags(s, t, place, text) ||
                   check_detected(s, t, place, text) ||
                   check_paths(s, t, place, text) ||
                   check_runs(s, t, place, text) ||
                   poison_references(s, t, text, place)
               ? -1
               : 0;
}

/* -- one definition ---------------------------------------------------------
 */

static int check_parameter(struct poison_scan *s, const struct tool *t,
                           str place, str name) {
    static const char *const covert[] = {
#define COVERT(text) text,
#include "policy/covert.def"
#undef COVERT
    };
    for (size_t i = 0; i < sizeof covert / sizeof covert[0]; i++)
        if (str_eq_nocase(name, str_of(covert[i])))
            return poison_add(s, POISON_COVERT, t, NULL, place,
                              "parameter \"%.*s\"", STR_ARG(name));
    return 0;
}

static int check_parameters(struct poison_scan *s, const struct tool *t) {
    const struct json *p = json_get(t->input, "properties");
    /* Some lists write parameters as a plain object. */
    if (!p) p = json_get(t->definition, "params");
    if (!p || json_type(p) != JSON_OBJECT) return 0;
    const struct json *key = json_first(p);
    for (size_t i = json_len(p); i > 0; i--, key = json_skip(key + 1))
        if (check_parameter(s, t, STR("/inputSchema/properties"),
                            json_str(key)))
            return -1;
    return 0;
}

struct level {
    const struct json *end;
    size_t path, index;
    bool object;
};

static int check_string(struct poison_scan *s, const struct tool *t, str place,
                        str key, str text) {
    bool remote = str_is(key, "$ref") && str_find(text, STR("://")) > 0;
    if (remote && poison_add(s, POISON_REMOTE, t, NULL, place, "$ref %.*s",
                             (int)(text.n > 100 ? 100 : text.n), text.p))
        return -1;
    return check_text(s, t, place, text);
}

/* Every string of the definition, keys among them. */
static int check_strings(struct poison_scan *s, const struct tool *t,
                         const struct json *v, struct level *stack) {
    AUTO_BUF struct buf path = BUF_MAX(1 << 20);
    const struct json *node = v;
    size_t depth = 0;
    str key = STR("");
    for (;;) {
        if (json_type(node) >= JSON_ARRAY)
            stack[depth++] = (struct level){json_skip(node), path.len, 0,
                                            json_type(node) == JSON_OBJECT};
        else if (json_type(node) == JSON_STRING &&
                 check_string(s, t, buf_str(&path), key, json_str(node)))
            return -1;
        node++;
        while (depth > 0 && node == stack[depth - 1].end)
            depth--;
        if (depth == 0) return 0;
        struct level *up = &stack[depth - 1];
        buf_truncate(&path, up->path);
        key = up->object ? json_str(node) : STR("");
        if (buf_add_char(&path, '/', s->e)) return -1;
        if (!up->object) {
            if (buf_addf(&path, s->e, "%zu", up->index++)) return -1;
            continue;
        }
        if (pointer_add(key, &path, s->e) ||
            check_hidden(s, t, buf_str(&path), key))
            return -1;
        node++;
    }
}

/* "readOnlyHint": true on delete_all. */
static int check_contradiction(struct poison_scan *s, const struct tool *t) {
    static const char *const verbs[] = {
        "delete", "remove", "drop",   "send",    "create", "update",
        "write",  "insert", "upload", "execute", "pay",    "transfer"};
    const struct json *hints = json_get(t->definition, "annotations");
    if (!json_get_bool(hints, "readOnlyHint", false)) return 0;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        str verb = str_of(verbs[i]);
        bool begins = t->name.n >= verb.n &&
                      str_eq_nocase(str_sub(t->name, 0, verb.n), verb);
        char next = t->name.n > verb.n ? t->name.p[verb.n] : '_';
        if (begins &&
            (next == '_' || next == '-' || (next >= 'A' && next <= 'Z')))
            return poison_add(s, POISON_LIES, t, NULL,
                              STR("/annotations/readOnlyHint"),
                              "readOnlyHint on %.*s", STR_ARG(t->name));
    }
    return 0;
}

/* -------------------------------------------------------------------------- */

static int scan_tool(struct poison_scan *s, const struct tool *t,
                     struct level *stack) {
    if (check_hidden(s, t, STR("/name"), t->name)) return -1;
    if (t->definition && check_strings(s, t, t->definition, stack)) return -1;
    if (t->server_text.n > 0 &&
        check_text(s, t, STR("/server"), t->server_text))
        return -1;
    return check_parameters(s, t) || check_contradiction(s, t) ? -1 : 0;
}

static int index_names(struct poison_scan *s) {
    for (size_t i = 0; i < s->tool_count; i++) {
        struct tool *first = map_get(&s->names, s->tools[i].name);
        /* Values are only read. */
        if (!first && map_put(&s->names, s->tools[i].name,
                              (void *)(uintptr_t)&s->tools[i], NULL, s->e))
            return -1;
    }
    return 0;
}

int poison_scan(const struct tool *tools, size_t count, struct arena *a,
                struct poison_report *out, struct err *e) {
    struct poison_scan s = {.tools = tools,
                            .tool_count = count,
                            .arena = a,
                            .names = MAP_MAX(count + 1),
                            .e = e};
    struct level *stack =
        arena_alloc(a, (JSON_DEPTH_MAX + 1) * sizeof *stack, e);
    s.findings = arena_alloc(a, POISON_FINDINGS * sizeof *s.findings, e);
    int failed = !stack || !s.findings || index_names(&s);
    for (size_t i = 0; i < count && !failed; i++)
        failed = scan_tool(&s, &tools[i], stack);
    if (!failed) failed = poison_among(&s);
    map_fini(&s.names);
    if (failed) return -1;
    *out = (struct poison_report){s.findings, s.count, s.errors, s.more};
    return 0;
}
