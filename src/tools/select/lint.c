/* SPDX-License-Identifier: MIT */
#include "tools/select/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tools/select/sentence.h"
#include "tools/select/tokenise.h"

#define LONG_TEXT    1024 /* bytes of a description that are worth their place */
#define LONG_LEAD    400  /* bytes of a first sentence that is still one */
#define NAME_BYTES   64
#define SHARED_BY    3 /* tools of a server that begin alike */
#define MESSAGE_SIZE 512

const char *lint_code(enum lint_rule rule) {
    static const char *const codes[] = {
#define LINT(id, code, advice) code,
#include "tools/select/lint.def"
#undef LINT
    };
    return codes[rule];
}

static const char *advice_of(enum lint_rule rule) {
    static const char *const texts[] = {
#define LINT(id, code, advice) advice,
#include "tools/select/lint.def"
#undef LINT
    };
    return texts[rule];
}

int lint_add(struct lint *l, enum lint_rule rule, const struct tool *t,
             const struct tool *other, const char *advice, struct err *e,
             const char *fmt, ...) {
    if (l->count == l->cap) {
        size_t cap = l->cap * 2 + 64;
        void *grown = mem_resize(l->findings, cap, sizeof *l->findings, e);
        if (!grown) return -1;
        l->findings = grown;
        l->cap = cap;
    }
    char message[MESSAGE_SIZE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    struct lint_finding f = {.rule = rule, .tool = t->id};
    if (other) f.other = other->id;
    if (arena_dup(&l->arena, str_of(message), &f.text, e) ||
        arena_dup(&l->arena, str_of(advice ? advice : advice_of(rule)),
                  &f.advice, e))
        return -1;
    l->findings[l->count++] = f;
    return 0;
}

void lint_fini(struct lint *l) {
    mem_free(l->findings);
    arena_fini(&l->arena);
    *l = LINT_INIT;
}

/* ---- names ---- */

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static int check_name(struct lint *l, const struct tool *t, struct err *e) {
    if (t->name.n > NAME_BYTES)
        return lint_add(l, LINT_NAME, t, NULL, NULL, e,
                        "the name has %zu bytes", t->name.n);
    for (size_t i = 0; i < t->name.n; i++)
        if (!is_name_char(t->name.p[i]))
            return lint_add(l, LINT_NAME, t, NULL, NULL, e,
                            "the name has a character that is not allowed, "
                            "at position %zu",
                            i + 1);
    return 0;
}

/* ---- descriptions ---- */

/* Words that any tool could say of itself. */
static bool is_empty_word(str stem) {
    static const char *const words[] = {
        "tool",     "function", "api",     "method", "util",   "helper",
        "endpoint", "perform",  "oper",    "action", "execut", "run",
        "handl",    "process",  "manag",   "do",     "thing",  "stuff",
        "variou",   "data",     "inform",  "item",   "object", "resourc",
        "request",  "respons",  "call",    "return", "get",    "valu",
        "task",     "work",     "general", "purpos", "misc",   "support",
        "allow",    "enabl",    "let",     "user",   "featur", "servic",
        "someth",   "anyth",    "everyth", "relat",  "differ", "oper",
        "method",   "util",     "belong",  "simpl",  "input",  "output",
        "result",   "system",   "basic",   "need",   "requir", NULL};
    for (size_t i = 0; words[i]; i++)
        if (str_is(stem, words[i])) return true;
    return false;
}

/* How many different words of a text say something. */
static size_t telling_words(str text) {
    char seen[16][TERM_MAX];
    size_t lengths[16], n = 0;
    struct tokens t = TOKENS(text);
    while (n < 16 && tokens_next(&t)) {
        str stem = tokens_term(&t);
        if (is_empty_word(stem) || stem.n < 2) continue;
        size_t i = 0;
        while (i < n && !str_eq((str){seen[i], lengths[i]}, stem))
            i++;
        if (i < n) continue;
        memcpy(seen[n], stem.p, stem.n);
        lengths[n++] = stem.n;
    }
    return n;
}

/* Notes, credits and greetings are no account of what a tool does. */
static bool is_preamble(str lead) {
    static const char *const starts[] = {
        "note",     "important", "warning", "deprecated", "copyright",
        "version",  "todo",      "welcome", "see ",       "powered by",
        "author",   "license",   "beta",    "please ",    "requires ",
        "hello",    "hi ",       "new!",    "attention",  "disclaimer",
        "internal", "the best",  "example", "usage:"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        str start = str_of(starts[i]);
        if (lead.n >= start.n &&
            str_eq_nocase(str_sub(lead, 0, start.n), start))
            return true;
    }
    return false;
}

static int check_lead(struct lint *l, const struct tool *t, struct err *e) {
    str rest = t->description, lead;
    if (!sentence_next(&rest, &lead)) return 0;
    if (is_preamble(lead))
        return lint_add(l, LINT_LEAD, t, NULL, NULL, e,
                        "the first sentence does not say what the tool does: "
                        "\"%.*s\"",
                        STR_ARG(str_sub(lead, 0, 80)));
    if (lead.n > LONG_LEAD)
        return lint_add(l, LINT_LONG, t, NULL, NULL, e,
                        "the first sentence has %zu bytes", lead.n);
    if (rest.n > 0 && telling_words(lead) == 0)
        return lint_add(l, LINT_LEAD, t, NULL, NULL, e,
                        "the first sentence could be of any tool: \"%.*s\"",
                        STR_ARG(str_sub(lead, 0, 80)));
    return 0;
}

/* A description in which every sentence says what the tool is not for. */
static bool is_negative_only(str text) {
    str sentence;
    size_t all = 0, negative = 0;
    while (sentence_next(&text, &sentence)) {
        all++;
        negative += sentence_is_negative(sentence);
    }
    return all > 0 && all == negative;
}

static int check_text(struct lint *l, const struct tool *t, struct err *e) {
    str text = str_trim(t->description);
    if (text.n == 0)
        return lint_add(l, LINT_NO_TEXT, t, NULL, NULL, e,
                        "there is no description");
    if (text.n > LONG_TEXT &&
        lint_add(l, LINT_LONG, t, NULL, NULL, e,
                 "the description has %zu bytes; every request pays for them",
                 text.n))
        return -1;
    if (is_negative_only(text))
        return lint_add(l, LINT_NEGATIVE, t, NULL, NULL, e,
                        "the description says only what the tool is not for");
    if (telling_words(text) < 2)
        return lint_add(l, LINT_GENERIC, t, NULL, NULL, e,
                        "the description could be of any tool: \"%.*s\"",
                        STR_ARG(str_sub(text, 0, 80)));
    return check_lead(l, t, e);
}

/* Zero-width and direction characters: people do not see what models read. */
static bool is_hidden(uint32_t cp) {
    return (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
           (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
           (cp >= 0xe0000 && cp <= 0xe007f) ||
           (cp < 0x20 && cp != '\n' && cp != '\t' && cp != '\r') || cp == 0x7f;
}

static int check_hidden(struct lint *l, const struct tool *t, struct err *e) {
    str text = t->description;
    for (size_t i = 0; i < text.n;) {
        uint32_t cp = 0;
        size_t n = utf8_decode(text.p + i, text.n - i, &cp);
        if (n > 0 && is_hidden(cp))
            return lint_add(l, LINT_HIDDEN, t, NULL, NULL, e,
                            "the description has U+%04X at byte %zu",
                            (unsigned)cp, i);
        i += n > 0 ? n : 1;
    }
    return 0;
}

/* ---- first sentences that a server's tools share ---- */

struct lead_key {
    char text[512];
    size_t n;
};

static bool make_key(const struct tool *t, struct lead_key *k) {
    str rest = t->description, lead;
    if (!sentence_next(&rest, &lead) || str_trim(rest).n == 0) return false;
    int n = snprintf(k->text, sizeof k->text, "%.*s\n%.*s", STR_ARG(t->server),
                     STR_ARG(lead));
    if (n < 0 || (size_t)n >= sizeof k->text) return false;
    k->n = (size_t)n;
    return true;
}

static int count_leads(const struct catalogue *c, struct map *counts,
                       struct err *e) {
    struct lead_key k;
    for (size_t i = 0; i < c->count; i++) {
        if (!make_key(&c->tools[i], &k)) continue;
        str key = {k.text, k.n};
        uintptr_t n = (uintptr_t)map_get(counts, key) + 1;
        if (map_put(counts, key, (void *)n, NULL, e)) return -1;
    }
    return 0;
}

static int check_shared(struct lint *l, const struct tool *t,
                        const struct map *counts, struct err *e) {
    struct lead_key k;
    if (!make_key(t, &k)) return 0;
    size_t n = (size_t)(uintptr_t)map_get(counts, (str){k.text, k.n});
    if (n < SHARED_BY) return 0;
    return lint_add(l, LINT_SHARED_LEAD, t, NULL, NULL, e,
                    "%zu tools of the server begin with this sentence", n);
}

int lint_catalogue(struct lint *l, const struct catalogue *c, struct err *e) {
    AUTO_MAP struct map leads = MAP_MAX(CATALOGUE_TOOLS);
    if (count_leads(c, &leads, e)) return -1;
    for (size_t i = 0; i < c->count; i++) {
        const struct tool *t = &c->tools[i];
        if (check_name(l, t, e) || check_text(l, t, e) ||
            check_hidden(l, t, e) || check_shared(l, t, &leads, e) ||
            lint_schema(l, t, e))
            return -1;
    }
    return lint_pairs(l, c, e);
}
