/* SPDX-License-Identifier: MIT
 *
 * A rule file against the tools there are. Policies written by hand have
 * mistakes that look right: a misspelt argument, a rule that nothing reaches,
 * a sink nobody thought of.
 */
#include "policy/own_tools.h"
#include "policy/rule.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define PROBLEMS 1000

struct checking {
    struct policy *policy;
    const struct tool *tools;
    size_t tool_count;
    struct arena *arena;
    struct policy_problem *problems;
    size_t count, errors;
    struct err *e;
    bool failed; /* memory */
};

static void report(struct checking *c, size_t line, bool error, const char *fmt,
                   ...) __attribute__((format(printf, 4, 5)));

static void report(struct checking *c, size_t line, bool error, const char *fmt,
                   ...) {
    char text[512];
    va_list ap;
    if (c->count == PROBLEMS || c->failed) return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct policy_problem *p = &c->problems[c->count];
    *p = (struct policy_problem){.line = line, .error = error};
    c->failed = arena_dup(c->arena, str_of(text), &p->text, c->e) != 0;
    if (c->failed) return;
    c->count++;
    c->errors += error;
}

/* "server.tool" of each tool, in the arena. */
static str key_of(struct checking *c, const struct tool *t) {
    const char *dot = t->server.n > 0 ? "." : "";
    char *text = arena_printf(c->arena, c->e, "%.*s%s%.*s", STR_ARG(t->server),
                              dot, STR_ARG(t->name));
    c->failed = c->failed || !text;
    return str_of(text);
}

/* -- names of tools ---------------------------------------------------------
 */

static void suggest_tool(struct checking *c, size_t line, str pattern,
                         const char *what) {
    str best = STR("");
    size_t least = 4;
    for (size_t i = 0; i < c->tool_count; i++) {
        str key = key_of(c, &c->tools[i]);
        size_t d = str_distance(pattern, key, 3);
        if (d >= least) continue;
        least = d;
        best = key;
    }
    if (best.n > 0)
        report(c, line, true, "%s: there is no tool %.*s; did you mean %.*s?",
               what, STR_ARG(pattern), STR_ARG(best));
    else
        report(c, line, true, "%s: no tool is called %.*s", what,
               STR_ARG(pattern));
}

static void check_names(struct checking *c, const struct name *names,
                        size_t line, const char *what) {
    for (const struct name *n = names; n; n = n->next) {
        bool found = false;
        for (size_t i = 0; i < c->tool_count && !found; i++)
            found = str_glob(n->text, key_of(c, &c->tools[i]));
        if (!found) suggest_tool(c, line, n->text, what);
    }
}

static void check_cond_names(struct checking *c, const struct cond *cond,
                             const struct rule *r) {
    if (!cond) return;
    if (cond->kind == COND_TOOL) check_names(c, cond->names, r->line, "rule");
    check_cond_names(c, cond->left, r);
    check_cond_names(c, cond->right, r);
}

static void check_tools(struct checking *c) {
    const struct policy *p = c->policy;
    for (const struct source *s = p->sources; s; s = s->next)
        check_names(c, s->tools, s->line, "source");
    for (const struct reads *r = p->reads; r; r = r->next)
        check_names(c, r->tools, r->line, "read");
    for (const struct sink *s = p->sinks; s; s = s->next)
        check_names(c, s->tools, s->line, "sink");
    for (const struct limit *l = p->limits; l; l = l->next)
        check_names(c, l->tools, l->line, "limit");
    for (const struct rule *r = p->rules; r; r = r->next)
        check_cond_names(c, r->cond, r);
}

/* -- arguments and fields ---------------------------------------------------
 */

/* The schema of a member, through items of lists and choices. */
static const struct json *member(const struct json *schema, str name,
                                 int depth) {
    static const char *const ways[] = {"anyOf", "oneOf", "allOf"};
    const struct json *found =
        json_get_str(json_get(schema, "properties"), name);
    if (found || depth > 8 || !schema || json_type(schema) != JSON_OBJECT)
        return found;
    const struct json *items = json_get(schema, "items");
    if (items && json_type(items) == JSON_OBJECT)
        found = member(items, name, depth + 1);
    for (size_t w = 0; w < 3 && !found; w++) {
        const struct json *list = json_get(schema, ways[w]);
        if (!list || json_type(list) != JSON_ARRAY) continue;
        const struct json *v = json_first(list);
        for (size_t i = json_len(list); i > 0 && !found; i--, v = json_skip(v))
            found = member(v, name, depth + 1);
    }
    return found;
}

/* A schema that does not list its members says nothing about them. */
static bool lists_members(const struct json *schema) {
    const struct json *p = json_get(schema, "properties");
    return p && json_type(p) == JSON_OBJECT && json_len(p) > 0;
}

static str nearest_member(const struct json *schema, str name) {
    const struct json *props = json_get(schema, "properties");
    str best = STR("");
    size_t least = 3;
    if (!props || json_type(props) != JSON_OBJECT) return best;
    const struct json *key = json_first(props);
    for (size_t i = json_len(props); i > 0; i--, key = json_skip(key + 1)) {
        size_t d = str_distance(name, json_str(key), 2);
        if (d >= least) continue;
        least = d;
        best = json_str(key);
    }
    return best;
}

static void check_arg(struct checking *c, const struct tool *t, str path,
                      size_t line) {
    const struct json *schema = t->input;
    str rest = path;
    while (rest.p && schema && lists_members(schema)) {
        str name = str_cut(&rest, '.');
        const struct json *below = member(schema, name, 0);
        if (!below) {
            str near = nearest_member(schema, name);
            report(c, line, true,
                   near.n > 0 ? "%.*s has no argument %.*s; did you mean %.*s?"
                              : "%.*s has no argument %.*s%.*s",
                   STR_ARG(key_of(c, t)), STR_ARG(path), STR_ARG(near));
            return;
        }
        schema = below;
    }
}

/* Arguments of a sink that nobody gave a role. */
static void check_uncovered(struct checking *c, const struct tool *t,
                            const struct sink *s) {
    const struct json *props = json_get(t->input, "properties");
    if (!props || json_type(props) != JSON_OBJECT) return;
    const struct json *key = json_first(props);
    for (size_t i = json_len(props); i > 0; i--, key = json_skip(key + 1))
        if (sink_role(s, json_str(key)) == ROLE_NONE)
            report(c, s->line, false,
                   "%.*s: argument %.*s has no role, so no rule sees it",
                   STR_ARG(key_of(c, t)), STR_ARG(json_str(key)));
}

static void check_sink(struct checking *c, const struct tool *t,
                       const struct sink *s) {
    for (const struct sink_arg *a = s->args; a; a = a->next)
        check_arg(c, t, a->path, s->line);
    check_uncovered(c, t, s);
}

static void check_source(struct checking *c, const struct tool *t,
                         const struct source *s) {
    if (!t->output || !lists_members(t->output)) return;
    for (const struct source_field *f = s->fields; f; f = f->next) {
        str rest = f->path, first = str_cut(&rest, '.');
        if (str_is(f->path, "*") || member(t->output, first, 0) || rest.p)
            continue;
        report(c, s->line, false,
               "%.*s declares no field %.*s at the top of its result",
               STR_ARG(key_of(c, t)), STR_ARG(f->path));
    }
}

/* -- rules ------------------------------------------------------------------
 */

static bool mentions_arg(const struct cond *c, const struct tool *t) {
    if (!c) return true;
    if ((c->kind == COND_ARGS || c->kind == COND_NUMBER) && c->arg.n > 0)
        return !t->input || !lists_members(t->input) ||
               member(t->input, c->arg, 0) != NULL;
    if (c->kind == COND_AND)
        return mentions_arg(c->left, t) && mentions_arg(c->right, t);
    if (c->kind == COND_OR)
        return mentions_arg(c->left, t) || mentions_arg(c->right, t);
    return true;
}

/* Could the rule ever match, for some tool? And is it reached at all? */
/* "dest in x" is for all of them: one stranger among many gets around a rule
 * that forbids or asks. */
static bool for_all_in(const struct cond *c) {
    if (c->kind == COND_AND || c->kind == COND_OR)
        return for_all_in(c->left) || for_all_in(c->right);
    if (c->kind != COND_ARGS || c->quantity == ALL || !cond_for_all(c))
        return false;
    for (const struct arg_test *t = c->tests; t; t = t->next)
        if (t->kind == TEST_IN) return true;
    return false;
}

static void check_quantity(struct checking *c, const struct rule *r) {
    if (r->verdict == POLICY_ALLOW || !for_all_in(r->cond)) return;
    report(c, r->line, false,
           "rule %.*s holds only where every such argument is in the list: "
           "write any(...) in ..., or all(...) if that is meant",
           STR_ARG(r->id));
}

static void check_rule(struct checking *c, const struct rule *r) {
    bool possible = false, reached = false;
    const struct rule *before = NULL;
    for (size_t i = 0; i < c->tool_count; i++) {
        const struct bound *b = policy_bind(c->policy, &c->tools[i], c->e);
        if (!b) {
            c->failed = true;
            return;
        }
        for (size_t k = 0; k < b->rule_count; k++) {
            if (b->rules[k] == r) {
                bool fits = mentions_arg(r->cond, &c->tools[i]);
                possible = possible || fits;
                reached = reached || fits;
                break;
            }
            str key = key_of(c, &c->tools[i]);
            if (cond_static(c->policy, b->rules[k]->cond, b, key) != YES)
                continue;
            bool would = cond_static(c->policy, r->cond, b, key) != NO;
            possible = possible || would;
            if (would) before = b->rules[k];
            break;
        }
    }
    check_quantity(c, r);
    if (!possible)
        report(c, r->line, true,
               "rule %.*s can never match: no tool has what it asks for",
               STR_ARG(r->id));
    else if (!reached && before)
        report(c, r->line, true,
               "rule %.*s is never reached: %.*s always decides first",
               STR_ARG(r->id), STR_ARG(before->id));
}

/* -- what is left open ------------------------------------------------------
 */

static bool ruled(const struct bound *b) {
    for (size_t i = 0; i < b->rule_count; i++) {
        const struct cond *c = b->rules[i]->cond;
        while (c->kind == COND_AND)
            c = c->left;
        if (c->kind == COND_TOOL) return true;
    }
    return false;
}

static void check_roles_ruled(struct checking *c, const struct tool *t,
                              const struct bound *b) {
    unsigned seen = 0;
    for (const struct sink_arg *a = b->sink->args; a; a = a->next) {
        bool looked = false;
        for (size_t i = 0; i < b->rule_count && !looked; i++)
            looked = b->rules[i]->verdict != POLICY_ALLOW &&
                     cond_mentions(b->rules[i]->cond, ROLE_BIT(a->role));
        if (looked || (seen & ROLE_BIT(a->role))) continue;
        seen |= ROLE_BIT(a->role);
        report(c, b->sink->line, false,
               "%.*s: no rule that asks or denies looks at its %s arguments",
               STR_ARG(key_of(c, t)), role_word(a->role));
    }
}

static void check_tool(struct checking *c, const struct tool *t) {
    const struct bound *b = policy_bind(c->policy, t, c->e);
    if (!b) {
        c->failed = true;
        return;
    }
    if (b->sink) {
        check_sink(c, t, b->sink);
        check_roles_ruled(c, t, b);
    }
    if (b->source) check_source(c, t, b->source);
    if (!b->sink && !b->read && !ruled(b))
        report(c, 0, false,
               "%.*s: neither read nor sink: the preset decides about it",
               STR_ARG(key_of(c, t)));
    if (!b->source && (b->read || b->sink))
        report(c, 0, false,
               "%.*s: no source: its results are untrusted and private",
               STR_ARG(key_of(c, t)));
}

/* -- dangerous combinations -------------------------------------------------
 */

static bool gives_private(const struct bound *b) {
    return b->source && b->source->secrecy >= SECRECY_READERS;
}

static bool gives_untrusted(const struct bound *b) {
    if (!b->source) return false;
    bool rest = false;
    for (const struct source_field *f = b->source->fields; f; f = f->next) {
        if (f->integrity == INTEGRITY_UNTRUSTED) return true;
        rest = rest || str_is(f->path, "*");
    }
    return !rest;
}

static bool has_dest(const struct bound *b) {
    for (const struct sink_arg *a = b->sink ? b->sink->args : NULL; a;
         a = a->next)
        if (a->role == ROLE_DEST) return true;
    return false;
}

/* Does a rule stand between untrusted words and where data goes? */
static bool guarded(const struct bound *b) {
    for (size_t i = 0; i < b->rule_count; i++)
        if (b->rules[i]->verdict != POLICY_ALLOW &&
            cond_mentions(b->rules[i]->cond, ROLE_BIT(ROLE_DEST)))
            return true;
    return false;
}

/* Private data, text anyone may have written, and a way out: together they let
 * that anyone have the data. */
static void check_combinations(struct checking *c) {
    const struct tool *private_ = NULL, *untrusted = NULL;
    for (size_t i = 0; i < c->tool_count; i++) {
        const struct bound *b = policy_bind(c->policy, &c->tools[i], c->e);
        if (!b) return;
        if (!private_ && gives_private(b)) private_ = &c->tools[i];
        if (!untrusted && gives_untrusted(b)) untrusted = &c->tools[i];
    }
    if (!private_ || !untrusted) return;
    for (size_t i = 0; i < c->tool_count; i++) {
        const struct bound *b = policy_bind(c->policy, &c->tools[i], c->e);
        if (!b || !has_dest(b) || guarded(b)) continue;
        report(c, b->sink->line, false,
               "dangerous together: %.*s gives private data, %.*s gives text "
               "anyone may have written, and %.*s sends outward with no rule "
               "on where to",
               STR_ARG(key_of(c, private_)), STR_ARG(key_of(c, untrusted)),
               STR_ARG(key_of(c, &c->tools[i])));
    }
}

static int by_line(const void *a, const void *b) {
    const struct policy_problem *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* The tools there are, and Cordon's own behind them: rules may name those. */
static int gather_tools(struct checking *c, const struct tool *tools,
                        size_t count) {
    const struct json *own;
    if (json_parse(str_of(own_tools), NULL, c->arena, &own, c->e)) return -1;
    size_t more = json_len(own);
    struct tool *all = arena_zalloc(c->arena, count + more, sizeof *all, c->e);
    if (!all) return -1;
    for (size_t i = 0; i < count; i++)
        all[i] = tools[i];
    for (size_t i = 0; i < more; i++) {
        const struct json *v = json_at(own, i);
        struct tool *t = &all[count + i];
        t->server = STR(OWN_TOOLS_SERVER);
        t->name = json_get_text(v, "name", STR(""));
        t->input = json_get(v, "inputSchema");
        t->definition = v;
    }
    c->tools = all;
    c->tool_count = count + more;
    return 0;
}

int policy_check(struct policy *p, const struct tool *tools, size_t count,
                 struct arena *a, struct policy_report *out, struct err *e) {
    struct checking c = {.policy = p, .arena = a, .e = e};
    c.problems = arena_alloc(a, PROBLEMS * sizeof *c.problems, e);
    if (!c.problems || gather_tools(&c, tools, count)) return -1;
    if (count == 0) c.tool_count = 0; /* nothing is known of what there is */
    check_tools(&c);
    for (size_t i = 0; i < count; i++)
        check_tool(&c, &tools[i]);
    for (const struct rule *r = p->rules; r && count > 0; r = r->next)
        check_rule(&c, r);
    check_combinations(&c);
    if (c.failed) return -1;
    qsort(c.problems, c.count, sizeof *c.problems, by_line);
    *out = (struct policy_report){c.problems, c.count, c.errors};
    return 0;
}
