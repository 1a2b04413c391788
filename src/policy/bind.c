/* SPDX-License-Identifier: MIT
 *
 * What the file says about one tool, found once and kept, so that a decision
 * looks only at rules that could match.
 */
#include "policy/rule.h"

bool names_match(const struct name *names, str text) {
    for (const struct name *n = names; n; n = n->next)
        if (str_glob(n->text, text)) return true;
    return false;
}

int tool_key(const struct tool *t, struct buf *out, struct err *e) {
    if (t->server.n > 0 &&
        (buf_add_str(out, t->server, e) || buf_add_char(out, '.', e)))
        return -1;
    return buf_add_str(out, t->name, e);
}

/* "attachments.file_id" where it is named, else what holds it. */
enum role sink_role(const struct sink *s, str path) {
    enum role role = ROLE_NONE;
    size_t longest = 0;
    for (const struct sink_arg *a = s ? s->args : NULL; a; a = a->next) {
        bool whole = str_eq(a->path, path);
        bool holds = path.n > a->path.n && str_starts(path, a->path) &&
                     path.p[a->path.n] == '.';
        if ((!whole && !holds) || a->path.n < longest) continue;
        longest = a->path.n;
        role = a->role;
    }
    return role;
}

bool bound_has_class(const struct bound *b, const struct name *classes) {
    for (const struct name *c = b->sink ? b->sink->classes : NULL; c;
         c = c->next)
        if (names_match(classes, c->text)) return true;
    return false;
}

static bool has_roles(const struct bound *b, unsigned roles) {
    for (const struct sink_arg *a = b->sink ? b->sink->args : NULL; a;
         a = a->next)
        if (roles & ROLE_BIT(a->role)) return true;
    return false;
}

static enum truth negate(enum truth t) {
    return t == MAYBE ? MAYBE : t == YES ? NO : YES;
}

/* What looks for something bad asks for some, what asks for good ones for all.
 */
bool cond_for_all(const struct cond *c) {
    if (c->quantity != SOME_OR_ALL) return c->quantity == ALL;
    for (const struct arg_test *t = c->tests; t; t = t->next)
        if (t->kind == TEST_WORSE || t->kind == TEST_SECRECY ||
            t->kind == TEST_HAS)
            return false;
    return true;
}

bool cond_mentions(const struct cond *c, unsigned roles) {
    if (!c) return false;
    if (c->kind == COND_ARGS && c->arg.n == 0 && (c->roles & roles))
        return true;
    return cond_mentions(c->left, roles) || cond_mentions(c->right, roles);
}

/* Arguments of roles the tool does not have: "some" is false, "all" true. */
static enum truth args_static(const struct cond *c, const struct bound *b) {
    if (c->arg.n > 0 || has_roles(b, c->roles)) return MAYBE;
    return cond_for_all(c) ? YES : NO;
}

enum truth cond_static(const struct policy *p, const struct cond *c,
                       const struct bound *b, str key) {
    enum truth left, right;
    switch (c->kind) {
    case COND_AND:
        left = cond_static(p, c->left, b, key);
        right = cond_static(p, c->right, b, key);
        return left < right ? left : right;
    case COND_OR:
        left = cond_static(p, c->left, b, key);
        right = cond_static(p, c->right, b, key);
        return left > right ? left : right;
    case COND_NOT: return negate(cond_static(p, c->left, b, key));
    case COND_TOOL: return names_match(c->names, key) ? YES : NO;
    case COND_CLASS:
        /* A hint of the server may add "irreversible" to any tool. */
        if (bound_has_class(b, c->names)) return YES;
        return names_match(c->names, STR("irreversible")) ? MAYBE : NO;
    case COND_DEFAULT: return b->sink || b->read ? YES : MAYBE;
    case COND_ARGS: return args_static(c, b);
    case COND_TURN:
    case COND_PC:
    case COND_PRINCIPAL:
    case COND_CLIENT:
    case COND_SESSION:
    case COND_UNATTENDED:
    case COND_NUMBER: return MAYBE;
    }
    return MAYBE;
}

/* -- conditions without what is known ---------------------------------------
 */

/* About how long it takes to find out. */
static int cost(const struct cond *c) {
    int left, right;
    switch (c->kind) {
    case COND_AND:
    case COND_OR:
        left = cost(c->left);
        right = cost(c->right);
        return left > right ? left : right;
    case COND_NOT: return cost(c->left);
    case COND_ARGS:
        for (const struct arg_test *t = c->tests; t; t = t->next)
            if (t->kind >= TEST_HAS) return 3;
        return c->tests->next || c->arg.n > 0 ? 2 : 1;
    case COND_DEFAULT:
    case COND_TURN:
    case COND_PC:
    case COND_UNATTENDED: return 0;
    case COND_TOOL:
    case COND_CLASS:
    case COND_PRINCIPAL:
    case COND_CLIENT:
    case COND_SESSION:
    case COND_NUMBER: return 2;
    }
    return 3;
}

/* The condition as far as it depends on the call; never one that is NO. Of two
 * that must hold the cheaper comes first. NULL: out of memory. */
static const struct cond *residue(struct policy *p, const struct cond *c,
                                  const struct bound *b, str key,
                                  struct err *e) {
    bool chain = c->kind == COND_AND || c->kind == COND_OR;
    if (!chain) return c;
    enum truth neutral = c->kind == COND_AND ? YES : NO;
    if (cond_static(p, c->left, b, key) == neutral)
        return residue(p, c->right, b, key, e);
    if (cond_static(p, c->right, b, key) == neutral)
        return residue(p, c->left, b, key, e);
    struct cond *r = arena_alloc(&p->arena, sizeof *r, e);
    const struct cond *left = residue(p, c->left, b, key, e);
    const struct cond *right = residue(p, c->right, b, key, e);
    if (!r || !left || !right) return NULL;
    *r = *c;
    bool turn = cost(right) < cost(left);
    r->left = turn ? right : left;
    r->right = turn ? left : right;
    return r;
}

static int bind_rule(struct policy *p, struct bound *b, const struct rule *r,
                     str key, struct err *e) {
    if (cond_static(p, r->cond, b, key) == NO) return 0;
    const struct cond *c = residue(p, r->cond, b, key, e);
    if (!c) return -1;
    b->rules[b->rule_count] = r;
    b->conds[b->rule_count++] = c;
    return 0;
}

static int bind_rules(struct policy *p, struct bound *b, str key,
                      struct err *e) {
    size_t count = 0;
    for (const struct rule *r = p->rules; r; r = r->next)
        count++;
    b->rules = arena_alloc(&p->arena, (count + 1) * sizeof *b->rules, e);
    b->conds = arena_alloc(&p->arena, (count + 1) * sizeof *b->conds, e);
    if (!b->rules || !b->conds) return -1;
    for (int v = POLICY_DENY; v <= POLICY_ALLOW; v++)
        for (const struct rule *r = p->rules; r; r = r->next)
            if ((int)r->verdict == v && bind_rule(p, b, r, key, e)) return -1;
    return 0;
}

static int bind_limits(struct policy *p, struct bound *b, str key,
                       struct err *e) {
    size_t count = 0;
    for (const struct limit *l = p->limits; l; l = l->next)
        count++;
    b->limits = arena_alloc(&p->arena, (count + 1) * sizeof *b->limits, e);
    if (!b->limits) return -1;
    for (const struct limit *l = p->limits; l; l = l->next)
        if (l->kind != LIMIT_TOOL || names_match(l->tools, key))
            b->limits[b->limit_count++] = l;
    return 0;
}

static struct bound *bind_new(struct policy *p, str key, struct err *e) {
    struct bound *b = arena_zalloc(&p->arena, 1, sizeof *b, e);
    if (!b) return NULL;
    for (const struct source *s = p->sources; s && !b->source; s = s->next)
        if (names_match(s->tools, key)) b->source = s;
    for (const struct sink *s = p->sinks; s && !b->sink; s = s->next)
        if (names_match(s->tools, key)) b->sink = s;
    for (const struct reads *r = p->reads; r && !b->read; r = r->next)
        b->read = names_match(r->tools, key);
    for (const struct name *c = b->sink ? b->sink->classes : NULL; c;
         c = c->next)
        if (str_is(c->text, "irreversible")) b->irreversible = true;
    if (b->sink) b->read = false;
    if (bind_rules(p, b, key, e) || bind_limits(p, b, key, e) ||
        map_put(&p->bound, key, b, NULL, e))
        return NULL;
    return b;
}

const struct bound *policy_bind(struct policy *p, const struct tool *t,
                                struct err *e) {
    char small[160];
    size_t n = t->server.n + 1 + t->name.n;
    AUTO_BUF struct buf large = BUF_MAX(8192);
    str key;
    if (t->server.n > 0 && n < sizeof small) {
        /* The common case without an allocation. */
        char *to = small;
        for (size_t i = 0; i < t->server.n; i++)
            *to++ = t->server.p[i];
        *to++ = '.';
        for (size_t i = 0; i < t->name.n; i++)
            *to++ = t->name.p[i];
        key = (str){small, n};
    } else {
        if (tool_key(t, &large, e)) return NULL;
        key = buf_str(&large);
    }
    const struct bound *b = map_get(&p->bound, key);
    return b ? b : bind_new(p, key, e);
}
