/* SPDX-License-Identifier: MIT
 *
 * Tools beside each other: names that clash or imitate, texts that speak of
 * other servers' tools, and sets that can carry private data out.
 */
#include "policy/poison_scan.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <string.h>

#define NAME_LEAST 6    /* shorter names are words that texts use */
#define NEAR_LEAST 8    /* shorter names are near each other by chance */
#define NEAR_TOOLS 4000 /* pairs are quadratic */

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool own_tool(const struct poison_scan *s, const struct tool *t,
                     str name) {
    for (size_t i = 0; i < s->tool_count; i++)
        if (str_eq(s->tools[i].name, name) &&
            str_eq(s->tools[i].server, t->server))
            return true;
    return false;
}

/* -- references -------------------------------------------------------------
 */

bool poison_commands(str text) {
    static const char *const words[] = {"must",     "always",  "never",
                                        "instead",  "before",  "whenever",
                                        "instruct", "replace", "redirect"};
    for (size_t from = 0; from < text.n;) {
        size_t n = 0;
        while (from + n < text.n && is_name(text.p[from + n]))
            n++;
        str word = str_sub(text, from, from + n);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (str_eq_nocase(word, str_of(words[i]))) return true;
        from += n + 1;
    }
    return false;
}

/* The sentence around a place. */
static str sentence(str text, size_t from, size_t to) {
    while (from > 0 && text.p[from - 1] != '.' && text.p[from - 1] != '\n')
        from--;
    while (to < text.n && text.p[to] != '.' && text.p[to] != '\n')
        to++;
    return str_sub(text, from, to);
}

static int tell_reference(struct poison_scan *s, const struct tool *t,
                          const struct tool *other, str place, str said) {
    enum poison_class c =
        poison_commands(said) ? POISON_SHADOW : POISON_FOREIGN;
    if (poison_told(s, c, t)) return 0;
    return poison_add(s, c, t, other, place, "names %.*s of %.*s",
                      STR_ARG(other->name), STR_ARG(other->server));
}

int poison_references(struct poison_scan *s, const struct tool *t, str text,
                      str place) {
    for (size_t from = 0; from < text.n;) {
        size_t n = 0;
        while (from + n < text.n && is_name(text.p[from + n]))
            n++;
        str word = str_sub(text, from, from + n);
        bool compound =
            str_find_char(word, '_') > 0 || str_find_char(word, '-') > 0;
        const struct tool *other =
            n >= NAME_LEAST && compound ? map_get(&s->names, word) : NULL;
        if (other && !str_eq(other->server, t->server) &&
            !own_tool(s, t, word) &&
            tell_reference(s, t, other, place, sentence(text, from, from + n)))
            return -1;
        from += n + 1;
    }
    return 0;
}

/* -- names ------------------------------------------------------------------
 */

/* Latin letters that others look like. */
static char latin(uint32_t cp) {
    static const struct {
        uint32_t cp;
        char like;
    } table[] = {
        {0x430, 'a'}, {0x435, 'e'}, {0x43e, 'o'},  {0x440, 'p'},  {0x441, 'c'},
        {0x443, 'y'}, {0x445, 'x'}, {0x456, 'i'},  {0x458, 'j'},  {0x455, 's'},
        {0x501, 'd'}, {0x51b, 'q'}, {0x51d, 'w'},  {0x4bb, 'h'},  {0x3bf, 'o'},
        {0x3b1, 'a'}, {0x3c1, 'p'}, {0x3bd, 'v'},  {0x3b9, 'i'},  {0x3ba, 'k'},
        {0x131, 'i'}, {0x261, 'g'}, {0x212a, 'k'}, {0xff3f, '_'},
    };
    if (cp < 0x80) return (char)(cp >= 'A' && cp <= 'Z' ? cp | 32 : cp);
    if (cp >= 0xff41 && cp <= 0xff5a) return (char)(cp - 0xff41 + 'a');
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].cp == cp) return table[i].like;
    return '\0';
}

/* The name as it looks: lower case, '-' as '_', look-alikes as Latin. */
static int skeleton(str name, struct buf *out, bool *foreign, struct err *e) {
    *foreign = false;
    for (size_t i = 0; i < name.n;) {
        uint32_t cp;
        size_t n = utf8_decode_loose(name.p + i, name.n - i, &cp);
        if (n == 0) n = 1, cp = '?';
        char c = latin(cp);
        if (cp >= 0x80) *foreign = *foreign || c;
        if (c == '-') c = '_';
        if (c ? buf_add_char(out, c, e) : buf_add(out, name.p + i, n, e))
            return -1;
        i += n;
    }
    return 0;
}

static int check_name(struct poison_scan *s, const struct tool *t,
                      struct map *seen) {
    AUTO_BUF struct buf look = BUF_MAX(4096);
    bool foreign;
    if (skeleton(t->name, &look, &foreign, s->e)) return -1;
    const struct tool *other = map_get(seen, buf_str(&look));
    if (foreign && poison_add(s, POISON_LOOKALIKE, t, other, STR("/name"),
                              "\"%.*s\" looks like \"%s\"", STR_ARG(t->name),
                              buf_text(&look)))
        return -1;
    if (!other)
        return map_put(seen, buf_str(&look), (void *)(uintptr_t)t, NULL, s->e);
    if (str_eq(other->server, t->server)) return 0;
    return poison_add(s, POISON_CLASH, t, other, STR("/name"),
                      "%.*s has a tool %.*s too", STR_ARG(other->server),
                      STR_ARG(other->name));
}

static int check_near(struct poison_scan *s) {
    if (s->tool_count > NEAR_TOOLS) return 0;
    for (size_t i = 0; i < s->tool_count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct tool *a = &s->tools[i], *b = &s->tools[k];
            bool same = str_eq(a->server, b->server);
            /* list and lists are honest neighbours. */
            bool plural = a->name.n != b->name.n;
            if (same || plural || a->name.n < NEAR_LEAST ||
                str_eq(a->name, b->name) ||
                str_distance(a->name, b->name, 1) != 1)
                continue;
            if (poison_add(s, POISON_CLASH, a, b, STR("/name"),
                           "nearly the name of %.*s of %.*s", STR_ARG(b->name),
                           STR_ARG(b->server)))
                return -1;
        }
    return 0;
}

/* -- sets -------------------------------------------------------------------
 */

static bool speaks_of(const struct tool *t, const char *const *words) {
    for (; *words; words++) {
        str word = str_of(*words);
        for (size_t i = 0; i + word.n <= t->name.n; i++)
            if (str_eq_nocase(str_sub(t->name, i, i + word.n), word))
                return true;
    }
    return false;
}

static const struct tool *first_that(const struct poison_scan *s,
                                     const char *const *verbs,
                                     const char *const *things) {
    for (size_t i = 0; i < s->tool_count; i++)
        if (speaks_of(&s->tools[i], verbs) && speaks_of(&s->tools[i], things))
            return &s->tools[i];
    return NULL;
}

/* Read private things, read what anyone may write, send: one each. By names
 * only; a policy (cordon policy check) knows better. */
static int check_flow(struct poison_scan *s) {
    static const char *const reads[] = {"get",   "read",  "list", "search",
                                        "query", "fetch", NULL};
    static const char *const mine[] = {"mail",    "message",  "file",
                                       "contact", "calendar", "database",
                                       "record",  "secret",   NULL};
    static const char *const anyones[] = {"web",  "url",     "issue",  "page",
                                          "mail", "comment", "review", NULL};
    static const char *const sends[] = {
        "send", "post", "upload", "share", "publish", "create_issue", NULL};
    static const char *const any[] = {"", NULL};
    const struct tool *a = first_that(s, reads, mine);
    const struct tool *b = first_that(s, reads, anyones);
    const struct tool *c = first_that(s, sends, any);
    if (!a || !b || !c) return 0;
    return poison_add(s, POISON_FLOW, c, a, STR(""),
                      "%.*s reads what is private, %.*s reads what anyone may "
                      "have written, %.*s sends",
                      STR_ARG(a->id), STR_ARG(b->id), STR_ARG(c->id));
}

int poison_among(struct poison_scan *s) {
    struct map seen = MAP_MAX(s->tool_count + 1);
    int failed = 0;
    for (size_t i = 0; i < s->tool_count && !failed; i++)
        failed = check_name(s, &s->tools[i], &seen);
    map_fini(&seen);
    return failed || check_near(s) || check_flow(s) ? -1 : 0;
}
