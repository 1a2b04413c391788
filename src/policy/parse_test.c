/* SPDX-License-Identifier: MIT
 *
 *     test "title": tool(a=untrusted("x"), b=[1, meta(2)])
 *         when turn untrusted => ask R2
 */
#include "policy/parser.h"

#include "json/build.h"

#define TEST_LABELS 64

struct reading {
    struct parser *p;
    struct json_build build;
    struct labelled items[TEST_LABELS];
    size_t count;
};

static int read_value(struct reading *r, str path, struct label label,
                      struct err *e);

static int add_label(struct reading *r, str path, const struct label *l,
                     struct err *e) {
    if (r->count == TEST_LABELS)
        return words_fail(&r->p->words, e, "more than %d labels", TEST_LABELS);
    r->items[r->count++] = (struct labelled){path, *l};
    return 0;
}

/* The word changes the label; false: it is no such word. */
static bool relabel(str word, struct label *l) {
    enum integrity i;
    if (integrity_read(word, &i) == 0)
        l->integrity = i;
    else if (str_is(word, "public"))
        l->secrecy = SECRECY_PUBLIC;
    else if (str_is(word, "private"))
        l->secrecy = SECRECY_PRIVATE;
    else if (str_is(word, "secret"))
        l->secrecy = SECRECY_SECRET;
    else
        return false;
    return true;
}

static int join_path(struct reading *r, str path, str key, str *out,
                     struct err *e) {
    struct arena *a = &r->p->policy->arena;
    char *text = arena_printf(a, e, "%.*s/%.*s", STR_ARG(path), STR_ARG(key));
    *out = str_of(text);
    return text ? 0 : -1;
}

static int read_items(struct reading *r, str path, struct label label,
                      struct err *e) {
    int more = words_take(&r->p->words, "]", e) ? 0 : 1;
    build_array(&r->build);
    for (int i = 0; more > 0; i++) {
        char *at =
            arena_printf(&r->p->policy->arena, e, "%.*s/%d", STR_ARG(path), i);
        if (!at || read_value(r, str_of(at), label, e)) return -1;
        more = words_take(&r->p->words, ",", e);
        if (more == 0 && words_expect(&r->p->words, "]", "behind items", e))
            return -1;
    }
    build_end(&r->build);
    return more;
}

static int read_members(struct reading *r, str path, struct label label,
                        const char *equals, const char *close, struct err *e) {
    int more = words_take(&r->p->words, close, e) ? 0 : 1;
    build_object(&r->build);
    while (more > 0) {
        str key, at;
        if (rule_word(r->p, "a name", &key, e) ||
            words_expect(&r->p->words, equals, "behind the name", e))
            return -1;
        build_key(&r->build, key);
        if (join_path(r, path, key, &at, e) || read_value(r, at, label, e))
            return -1;
        more = words_take(&r->p->words, ",", e);
        if (more == 0 && words_expect(&r->p->words, close, "at the end", e))
            return -1;
    }
    build_end(&r->build);
    return more;
}

static int read_scalar(struct reading *r, struct err *e) {
    str word = r->p->words.token.text;
    const struct json *v;
    struct err why;
    if (r->p->words.token.kind == WORDS_STRING) {
        build_text(&r->build, word);
        return words_next(&r->p->words, e);
    }
    if (r->p->words.token.kind != WORDS_WORD ||
        json_parse(word, NULL, &r->p->policy->arena, &v, &why))
        return words_fail(&r->p->words, e, "expected a value, got %.*s",
                          STR_ARG(word));
    build_copy(&r->build, v);
    return words_next(&r->p->words, e);
}

static int read_labelled(struct reading *r, str path, struct label label,
                         struct err *e) {
    if (words_next(&r->p->words, e) ||
        words_expect(&r->p->words, "(", "behind a label", e) ||
        add_label(r, path, &label, e) || read_value(r, path, label, e))
        return -1;
    return words_expect(&r->p->words, ")", "behind the value", e);
}

static int read_value(struct reading *r, str path, struct label label,
                      struct err *e) {
    struct words *l = &r->p->words;
    int failed, open;
    if (++r->p->depth > PARSE_DEPTH)
        return words_fail(l, e, "a value that is nested too deep");
    if (l->token.kind == WORDS_WORD && relabel(l->token.text, &label))
        failed = read_labelled(r, path, label, e);
    else if ((open = words_take(l, "[", e)))
        failed = open < 0 ? -1 : read_items(r, path, label, e);
    else if ((open = words_take(l, "{", e)))
        failed = open < 0 ? -1 : read_members(r, path, label, ":", "}", e);
    else
        failed = read_scalar(r, e);
    r->p->depth--;
    return failed;
}

static int read_call(struct parser *p, struct selftest *t,
                     struct labels *labels, struct err *e) {
    struct reading r = {.p = p, .build = JSON_BUILD(&p->policy->arena)};
    struct label user = {0};
    if (rule_word(p, "the name of a tool", &t->tool, e) ||
        words_expect(&p->words, "(", "behind the tool", e) ||
        add_label(&r, STR(""), &user, e) ||
        read_members(&r, STR(""), user, "=", ")", e) ||
        build_done(&r.build, &t->args, e))
        return -1;
    struct labelled *kept =
        arena_alloc(&p->policy->arena, r.count * sizeof *kept, e);
    if (!kept) return -1;
    for (size_t i = 0; i < r.count; i++)
        kept[i] = r.items[i];
    labels->items = kept;
    labels->count = r.count;
    return 0;
}

static int read_level(struct parser *p, enum integrity *out, struct err *e) {
    if (p->words.token.kind != WORDS_WORD ||
        integrity_read(p->words.token.text, out))
        return words_fail(&p->words, e, "expected a label, got %.*s",
                          STR_ARG(p->words.token.text));
    return words_next(&p->words, e);
}

/* turn untrusted, pc untrusted, unattended, principal "x" */
static int read_circumstance(struct parser *p, struct selftest *t,
                             struct labels *labels, struct err *e) {
    str word;
    if (rule_word(p, "turn, pc, unattended, principal, client or session",
                  &word, e))
        return -1;
    if (str_is(word, "turn")) return read_level(p, &t->turn, e);
    if (str_is(word, "pc")) return read_level(p, &labels->pc.integrity, e);
    if (str_is(word, "unattended")) return t->unattended = true, 0;
    if (str_is(word, "principal"))
        return rule_word(p, "a principal", &t->principal, e);
    if (str_is(word, "client")) return rule_word(p, "a client", &t->client, e);
    if (str_is(word, "session"))
        return rule_word(p, "a session", &t->session, e);
    return words_fail(&p->words, e, "%.*s is no circumstance of a call",
                      STR_ARG(word));
}

static int read_circumstances(struct parser *p, struct selftest *t,
                              struct labels *labels, struct err *e) {
    int more = words_take(&p->words, "when", e);
    while (more > 0) {
        if (read_circumstance(p, t, labels, e)) return -1;
        more = words_take(&p->words, ",", e);
    }
    return more;
}

static int read_verdict(struct parser *p, struct selftest *t, struct err *e) {
    str word;
    if (words_expect(&p->words, "=>", "and what must follow", e) ||
        rule_word(p, "deny, ask or allow", &word, e))
        return -1;
    int v = POLICY_DENY;
    while (v <= POLICY_ALLOW && !str_is(word, verdict_word((enum verdict)v)))
        v++;
    if (v > POLICY_ALLOW)
        return words_fail(&p->words, e, "expected deny, ask or allow, got %.*s",
                          STR_ARG(word));
    t->verdict = (enum verdict)v;
    if (p->words.token.kind == WORDS_END) return 0;
    return rule_word(p, "the id of a rule", &t->rule, e);
}

int rule_test(struct parser *p, struct err *e) {
    struct selftest **tail = &p->policy->tests;
    while (*tail)
        tail = &(*tail)->next;
    struct selftest *t = arena_zalloc(&p->policy->arena, 1, sizeof *t, e);
    struct labels *labels =
        t ? arena_zalloc(&p->policy->arena, 1, sizeof *labels, e) : NULL;
    if (!labels) return -1;
    t->line = p->words.token.line;
    t->labels = labels;
    if (rule_word(p, "a title in quotes", &t->title, e) ||
        words_expect(&p->words, ":", "behind the title", e) ||
        read_call(p, t, labels, e) || read_circumstances(p, t, labels, e) ||
        read_verdict(p, t, e))
        return -1;
    *tail = t;
    return 0;
}
