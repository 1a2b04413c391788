/* SPDX-License-Identifier: MIT
 *
 * The tests inside a rule file.
 */
#include "policy/rule.h"

#define FAILURES 1000

const struct tool *selftest_tool(const struct tool *tools, size_t count,
                                 str key, struct tool *named) {
    for (size_t i = 0; i < count; i++) {
        str server = tools[i].server, name = tools[i].name;
        bool plain = server.n == 0 && str_eq(name, key);
        bool dotted = server.n > 0 && key.n == server.n + 1 + name.n &&
                      str_starts(key, server) && key.p[server.n] == '.' &&
                      str_ends(key, name);
        if (plain || dotted) return &tools[i];
    }
    if (count > 0) return NULL;
    /* Without definitions a tool is what its name says. */
    str name = key, server = str_cut(&name, '.');
    *named = name.p ? (struct tool){.name = name, .server = server}
                    : (struct tool){.name = key};
    return named;
}

void selftest_call(const struct selftest *t, const struct entry *entry,
                   struct policy_call *out) {
    *out = (struct policy_call){.tool = entry,
                                .args = t->args,
                                .labels = t->labels,
                                .turn = t->turn,
                                .principal = t->principal,
                                .client = t->client,
                                .session = t->session,
                                .run = STR("test"),
                                .can_ask = !t->unattended};
}

static char *compare(const struct selftest *t, const struct decision *d,
                     struct arena *a, struct err *e) {
    const char *gap = t->rule.n > 0 ? " " : "";
    return arena_printf(a, e, "test \"%.*s\": expected %s%s%.*s, got %s %.*s",
                        STR_ARG(t->title), verdict_word(t->verdict), gap,
                        STR_ARG(t->rule), verdict_word(d->verdict),
                        STR_ARG(d->rule));
}

/* NULL and no error: it passed. */
static char *run(struct policy *p, const struct selftest *t,
                 const struct tool *tools, size_t count, struct arena *a,
                 struct err *e) {
    struct decision d;
    struct tool named;
    struct policy_call call;
    const struct tool *tool = selftest_tool(tools, count, t->tool, &named);
    if (!tool)
        return arena_printf(a, e, "test \"%.*s\": there is no tool %.*s",
                            STR_ARG(t->title), STR_ARG(t->tool));
    struct entry entry = {.tool = *tool};
    selftest_call(t, &entry, &call);
    policy_decide(p, &call, a, &d);
    if (d.shadowed) d.verdict = d.would;
    bool same_rule = t->rule.n == 0 || str_eq(t->rule, d.rule);
    if (d.verdict == t->verdict && same_rule) return NULL;
    return compare(t, &d, a, e);
}

int policy_test(struct policy *p, const struct tool *tools, size_t count,
                struct arena *a, struct policy_report *out, size_t *passed,
                struct err *e) {
    struct policy_problem *failures =
        arena_alloc(a, FAILURES * sizeof *failures, e);
    size_t failed = 0, ok = 0;
    if (!failures) return -1;
    for (const struct selftest *t = p->tests; t && failed < FAILURES;
         t = t->next) {
        e->text[0] = '\0';
        char *why = run(p, t, tools, count, a, e);
        if (!why && e->text[0]) return -1;
        if (!why)
            ok++;
        else
            failures[failed++] =
                (struct policy_problem){t->line, true, str_of(why)};
    }
    *out = (struct policy_report){failures, failed, failed};
    *passed = ok;
    return 0;
}
