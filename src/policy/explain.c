/* SPDX-License-Identifier: MIT
 *
 * Why a call is decided as it is: every rule that could concern it, and what
 * each said.
 */
#include "policy/explain.h"

#include "policy/facts.h"
#include "policy/parser.h"

/* The call as tests in rule files write it. */
static int read_call(struct policy *p, str call, struct selftest **out,
                     struct err *e) {
    char *text =
        arena_printf(&p->arena, e, "test \"\": %.*s => deny\n", STR_ARG(call));
    struct parser reader = {.policy = p, .last_rule = &p->rules};
    struct selftest *tests = p->tests;
    if (!text) return -1;
    p->tests = NULL;
    int failed =
        words_init(&reader.words, str_of(text), "call", &p->arena, e) ||
        words_next(&reader.words, e) || rule_test(&reader, e);
    *out = p->tests;
    p->tests = tests;
    if (failed) return -1;
    if (reader.words.token.kind != WORDS_END)
        return words_fail(&reader.words, e, "%.*s is too much here",
                          STR_ARG(reader.words.token.text));
    return 0;
}

static int trace(struct policy *p, const struct policy_call *c, struct arena *a,
                 struct buf *out, struct err *e) {
    static const char *const words[] = {"no", "cannot be known", "yes"};
    struct facts f = {.policy = p};
    AUTO_BUF struct buf key = BUF_MAX(8192);
    const struct bound *b = policy_bind(p, &c->tool->tool, e);
    if (!b || tool_key(&c->tool->tool, &key, e) || facts_gather(&f, c, b, a, e))
        return -1;
    f.key = buf_str(&key);
    for (size_t i = 0; i < b->rule_count; i++) {
        const struct fact *hit = NULL;
        const struct rule *r = b->rules[i];
        if (buf_addf(out, e, "  %-5s %.*s%s%.*s: %s\n",
                     verdict_word(r->verdict), STR_ARG(r->id),
                     r->name.n > 0 ? " " : "", STR_ARG(r->name),
                     words[cond_holds(&f, r->cond, &hit)]))
            return -1;
    }
    return 0;
}

int policy_explain(struct policy *p, str call, const struct tool *tools,
                   size_t count, struct arena *a, struct decision *out,
                   struct buf *steps, struct err *e) {
    struct selftest *t;
    struct tool named;
    if (read_call(p, call, &t, e)) return -1;
    const struct tool *tool = selftest_tool(tools, count, t->tool, &named);
    if (!tool)
        return fail(e, ERR_MISSING, "there is no tool %.*s", STR_ARG(t->tool));
    struct entry entry = {.tool = *tool};
    struct policy_call c;
    selftest_call(t, &entry, &c);
    policy_decide(p, &c, a, out);
    return trace(p, &c, a, steps, e);
}
