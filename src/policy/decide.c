/* SPDX-License-Identifier: MIT
 *
 * Deny, ask or allow: rules of the file in that order, then the preset. Every
 * way out that is not a decision is a denial.
 */
#include "policy/facts.h"

#include "base/buf.h"
#include "base/codec.h"
#include "json/write.h"

#include <string.h>

#define KEY_TEXT   ((size_t)64 << 20)
#define SESSION_NS (INT64_C(86400) * 1000000000)

const char *verdict_word(enum verdict v) {
    static const char *const words[] = {"deny", "ask", "allow"};
    return words[v];
}

static void deny(struct decision *out, str rule, const char *reason) {
    *out = (struct decision){.rule = rule, .reason = str_of(reason)};
}

/* What went wrong is on its way off the stack. */
static void deny_error(struct decision *out, struct arena *a, str rule,
                       const struct err *why) {
    struct err e;
    const char *kept =
        arena_printf(a, &e, "it cannot be decided: %s", why->text);
    deny(out, rule, kept ? kept : "it cannot be decided");
}

/* -- what is remembered -----------------------------------------------------
 */

static bool is_index(str segment) {
    for (size_t i = 0; i < segment.n; i++)
        if (segment.p[i] < '0' || segment.p[i] > '9') return false;
    return segment.n > 0;
}

/* Indices become "~*", so that the third recipient is the same argument as the
 * first. */
static int add_general_path(str path, struct buf *out, struct err *e) {
    if (path.n == 0) return 0;
    str_cut(&path, '/');
    while (path.p) {
        str segment = str_cut(&path, '/');
        if (buf_add_char(out, '/', e) ||
            buf_add_str(out, is_index(segment) ? STR("~*") : segment, e))
            return -1;
    }
    return 0;
}

static int add_part(struct buf *b, str part, struct err *e) {
    return buf_addf(b, e, "%zu:", part.n) || buf_add_str(b, part, e) ? -1 : 0;
}

static int hash_key(const struct buf *b, char key[POLICY_KEY], struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf hex = BUF_MAX(POLICY_KEY);
    if (crypto_sha256(buf_str(b), digest, e) ||
        hex_encode((str){(const char *)digest, sizeof digest}, &hex, e))
        return -1;
    memcpy(key, buf_text(&hex), POLICY_KEY - 1);
    key[POLICY_KEY - 1] = '\0';
    return 0;
}

/* This rule, tool, argument, value, origin and person. */
static int value_key(const struct facts *f, const struct rule *r,
                     const struct fact *x, char key[POLICY_KEY],
                     struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(KEY_TEXT);
    AUTO_BUF struct buf path = BUF_MAX(1 << 20), value = BUF_MAX(KEY_TEXT);
    str at;
    if (facts_path(f, x->node, &at, e) || add_general_path(at, &path, e) ||
        json_write(x->node, JSON_CANONICAL, &value, e) ||
        add_part(&b, r->id, e) || add_part(&b, f->key, e) ||
        add_part(&b, buf_str(&path), e) || add_part(&b, buf_str(&value), e) ||
        add_part(&b, f->call->principal, e))
        return -1;
    for (size_t i = 0; i < x->label->origin_count; i++) {
        const struct origin *o = &x->label->origins[i];
        buf_truncate(&path, 0);
        if (add_part(&b, o->server, e) || add_part(&b, o->tool, e) ||
            add_general_path(o->field, &path, e) ||
            add_part(&b, buf_str(&path), e))
            return -1;
    }
    return hash_key(&b, key, e);
}

static int session_key(const struct facts *f, char key[POLICY_KEY],
                       struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(1 << 16);
    if (add_part(&b, STR("session"), e) || add_part(&b, f->call->session, e) ||
        add_part(&b, f->key, e) || add_part(&b, f->call->principal, e) ||
        add_part(&b, (str){(const char *)f->call->tool->pin, CRYPTO_SHA256}, e))
        return -1;
    return hash_key(&b, key, e);
}

static bool granted(const struct facts *f, const char *key) {
    return f->call->granted && f->call->granted(f->call->data, key);
}

/* -- explaining -------------------------------------------------------------
 */

static int describe_classes(const struct facts *f, struct decision *out,
                            struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(4096);
    for (const struct name *c = f->bound->sink ? f->bound->sink->classes : NULL;
         c; c = c->next)
        if ((b.len > 0 && buf_add_text(&b, ", ", e)) ||
            buf_add_str(&b, c->text, e))
            return -1;
    return arena_dup(f->arena, buf_str(&b), &out->classes, e);
}

/* "argument /to is untrusted: it came from mail.search, call 3, field /0/from"
 */
static int describe_hit(const struct facts *f, const struct fact *x,
                        struct decision *out, struct buf *b, struct err *e) {
    if (facts_path(f, x->node, &out->path, e)) return -1;
    out->label = *x->label;
    if (buf_addf(b, e, ": argument %.*s (%s) is %s", STR_ARG(out->path),
                 x->role ? role_word(x->role) : "no role",
                 integrity_word(x->label->integrity)))
        return -1;
    if (x->label->origin_count == 0) return 0;
    return buf_add_text(b, ", from ", e) || label_describe(x->label, b, e) ? -1
                                                                           : 0;
}

static int describe(const struct facts *f, const struct rule *r,
                    const struct fact *hit, struct decision *out,
                    struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(1 << 16);
    const char *what = r->verdict == POLICY_DENY  ? "forbids"
                       : r->verdict == POLICY_ASK ? "wants a person to decide"
                                                  : "allows";
    if (buf_addf(&b, e, "rule %.*s", STR_ARG(r->id)) ||
        (r->name.n > 0 && buf_addf(&b, e, " (%.*s)", STR_ARG(r->name))) ||
        buf_addf(&b, e, " %s this call of %.*s", what, STR_ARG(f->key)))
        return -1;
    if (hit && r->verdict != POLICY_ALLOW && describe_hit(f, hit, out, &b, e))
        return -1;
    return arena_dup(f->arena, buf_str(&b), &out->reason, e);
}

/* -- rules ------------------------------------------------------------------
 */

/* A yes for this very value stands; then the rule does not ask again. */
static bool remembered(const struct facts *f, const struct rule *r,
                       const struct fact *hit, struct decision *out,
                       struct err *e) {
    out->key[0] = '\0';
    if (r->verdict != POLICY_ASK || r->remember_ns == 0 || !hit) return false;
    if (value_key(f, r, hit, out->key, e)) {
        out->key[0] = '\0';
        return false;
    }
    out->remember = REMEMBER_IF_TOLD;
    out->remember_ns = r->remember_ns;
    return granted(f, out->key);
}

/* Every argument the rule minds must be remembered, not only the first. */
static const struct cond *minding(const struct cond *c, const struct facts *f,
                                  const struct fact *hit) {
    if (!c) return NULL;
    if (c->kind == COND_ARGS)
        return !cond_for_all(c) && fact_fits(f, c, hit) ? c : NULL;
    if (c->kind != COND_AND && c->kind != COND_OR) return NULL;
    const struct cond *found = minding(c->left, f, hit);
    return found ? found : minding(c->right, f, hit);
}

static bool all_remembered(const struct facts *f, const struct rule *r,
                           const struct fact **hit, struct decision *out,
                           struct err *e) {
    if (!*hit || !remembered(f, r, *hit, out, e)) return false;
    const struct cond *c = minding(r->cond, f, *hit);
    if (!c) return false;
    for (size_t i = 0; i < f->count; i++) {
        const struct fact *x = &f->items[i];
        if (!fact_fits(f, c, x) || remembered(f, r, x, out, e)) continue;
        *hit = x;
        return false;
    }
    return true;
}

/* True when a rule decided. */
static bool by_rules(const struct facts *f, struct decision *out,
                     struct err *e) {
    for (size_t i = 0; i < f->bound->rule_count; i++) {
        const struct rule *r = f->bound->rules[i];
        const struct fact *hit = NULL;
        enum truth t = cond_holds(f, f->bound->conds[i], &hit);
        if (t == NO || (t == MAYBE && r->verdict == POLICY_ALLOW)) continue;
        *out = (struct decision){.rule = r->id, .name = r->name};
        if (all_remembered(f, r, &hit, out, e)) continue;
        if (describe(f, r, hit, out, e))
            deny_error(out, f->arena, r->id, e);
        else
            out->verdict = r->verdict;
        return true;
    }
    return false;
}

static bool over_limit(const struct facts *f, struct decision *out,
                       struct err *e) {
    for (size_t i = 0; i < f->bound->limit_count; i++) {
        const struct limit *l = f->bound->limits[i];
        str scope = l->session ? f->call->session : f->call->run;
        if (spent_count(f->call->spent, scope, l->kind, l) < l->max) continue;
        char *reason = arena_printf(
            f->arena, e, "the limit of %llu %s in a %s is reached (line %zu)",
            (unsigned long long)l->max,
            l->kind == LIMIT_EGRESS ? "bytes sent" : "calls",
            l->session ? "session" : "run", l->line);
        deny(out, STR("limit"), reason ? reason : "a limit is reached");
        return true;
    }
    return false;
}

/* -- presets ----------------------------------------------------------------
 */

static void balanced(const struct facts *f, struct decision *out,
                     struct err *e) {
    unsigned read = TOOL_READ_ONLY | TOOL_HINT_READ_ONLY;
    *out = (struct decision){.rule = STR("balanced")};
    if (f->bound->read || (f->call->tool->flags & read)) {
        out->verdict = POLICY_ALLOW;
        out->reason = STR("it says that it only reads");
        return;
    }
    if (session_key(f, out->key, e)) {
        deny_error(out, f->arena, STR("balanced"), e);
        return;
    }
    out->remember = REMEMBER_SESSION;
    out->remember_ns = SESSION_NS;
    out->verdict = granted(f, out->key) ? POLICY_ALLOW : POLICY_ASK;
    out->reason = out->verdict == POLICY_ALLOW
                      ? STR("a person agreed to this tool in this session")
                      : STR("no rule covers this tool, and it may change "
                            "something: asked once a session");
}

/* More than a run was given is for a person to give, unless a rule does. Only
 * Cordon makes such calls, so that their "why" is its own. The set of tools is
 * what somebody set for a token or a run: only a rule lets it be put in
 * question. */
static void by_need(const struct facts *f, struct decision *out) {
    str why = json_get_text(f->call->args, "why", STR(""));
    if (str_is(f->call->tool->tool.name, "tool")) {
        deny(out, STR("need"), "no rule lets a run ask for another tool");
        return;
    }
    if (f->policy->preset == POLICY_STRICT) {
        deny(out, STR("strict"), "no rule allows it");
        return;
    }
    *out = (struct decision){
        .verdict = POLICY_ASK,
        .rule = STR("need"),
        .reason =
            why.n ? why
                  : STR("the run does not have this and asks for exactly it")};
}

static void by_preset(const struct facts *f, struct decision *out,
                      struct err *e) {
    if (f->call->tool->flags & TOOL_NEED) {
        by_need(f, out);
        return;
    }
    switch (f->policy->preset) {
    case POLICY_BALANCED: balanced(f, out, e); return;
    case POLICY_PERMISSIVE:
        *out = (struct decision){
            .verdict = POLICY_ALLOW,
            .rule = STR("permissive"),
            .reason = STR("everything no rule forbids is allowed")};
        return;
    case POLICY_STRICT: deny(out, STR("strict"), "no rule allows it"); return;
    }
    deny(out, STR("preset"), "there is no such preset");
}

/* ---------------------------------------------------------------------------
 */

static bool refused_outright(const struct policy_call *c, struct arena *a,
                             struct decision *out) {
    if (!c->tool)
        return deny(out, STR("unknown"), "there is no such tool"), true;
    if (c->tool->flags & TOOL_QUARANTINED) {
        const char *why =
            c->tool->doubt ? c->tool->doubt : "its definition changed";
        struct err e;
        const char *text = arena_printf(
            a, &e,
            "the tool is quarantined: %s; see cordon tools diff, then "
            "cordon tools pin",
            why);
        deny(out, STR("quarantine"), text ? text : why);
        return true;
    }
    if (c->tool->flags & TOOL_SET_ASIDE)
        return deny(out, STR("set-aside"),
                    c->tool->fault ? c->tool->fault : "it cannot be called"),
               true;
    return false;
}

static void decide(struct policy *p, const struct policy_call *c,
                   struct arena *a, struct decision *out) {
    struct err e = {0};
    struct facts f = {.policy = p};
    AUTO_BUF struct buf key = BUF_MAX(8192);
    const struct bound *b = policy_bind(p, &c->tool->tool, &e);
    if (!b || tool_key(&c->tool->tool, &key, &e) ||
        arena_dup(a, buf_str(&key), &f.key, &e) ||
        facts_gather(&f, c, b, a, &e)) {
        deny_error(out, a, STR("error"), &e);
        return;
    }
    if (!over_limit(&f, out, &e) && !by_rules(&f, out, &e))
        by_preset(&f, out, &e);
    out->irreversible = b->irreversible || says_destructive(c->tool);
    if (describe_classes(&f, out, &e)) out->classes = STR("");
}

void policy_decide(struct policy *p, const struct policy_call *c,
                   struct arena *a, struct decision *out) {
    if (refused_outright(c, a, out)) return;
    decide(p, c, a, out);
    bool need = (c->tool->flags & TOOL_NEED) != 0;
    if (p->shadow && !need && out->verdict != POLICY_ALLOW) {
        out->shadowed = true;
        out->would = out->verdict;
        out->verdict = POLICY_ALLOW;
    }
    if (out->verdict == POLICY_ASK && !c->can_ask) {
        out->verdict = POLICY_DENY;
        struct err e;
        char *why = arena_printf(a, &e, "%.*s; nobody can be asked here",
                                 STR_ARG(out->reason));
        if (why) out->reason = str_of(why);
    }
}
