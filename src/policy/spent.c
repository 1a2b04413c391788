/* SPDX-License-Identifier: MIT
 *
 * What runs and sessions did so far, for limits. Counters are only ever
 * dropped with their run or session: a full table refuses new ones, it does
 * not forget old ones.
 */
#include "policy/facts.h"

#include "base/buf.h"
#include "base/mem.h"

#define SCOPES   ((size_t)1 << 20)
#define COUNTERS 100000 /* in one run or session */

struct counter {
    uint64_t count;
    double sum;
};

struct scope {
    struct counter calls, egress;
    struct map named; /* "server.tool" and "server.tool\narg" */
};

struct spent {
    struct map scopes;
};

struct spent *spent_new(struct err *e) {
    struct spent *s = mem_zalloc(1, sizeof *s, e);
    if (s) s->scopes = MAP_MAX(SCOPES);
    return s;
}

static void scope_free(struct scope *s) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&s->named, &i));)
        mem_free(it->value);
    map_fini(&s->named);
    mem_free(s);
}

void spent_free(struct spent *s) {
    const struct map_entry *it;
    if (!s) return;
    for (size_t i = 0; (it = map_next(&s->scopes, &i));)
        scope_free(it->value);
    map_fini(&s->scopes);
    mem_free(s);
}

void spent_end(struct spent *s, str run_or_session) {
    struct scope *old = map_del(&s->scopes, run_or_session);
    if (old) scope_free(old);
}

static struct scope *scope_of(struct spent *s, str id, struct err *e) {
    struct scope *c = map_get(&s->scopes, id);
    if (c) return c;
    c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->named = MAP_MAX(COUNTERS);
    if (map_put(&s->scopes, id, c, NULL, e)) {
        mem_free(c);
        return NULL;
    }
    return c;
}

static int count(struct scope *c, str name, double amount, struct err *e) {
    struct counter *n = map_get(&c->named, name);
    if (!n) {
        n = mem_zalloc(1, sizeof *n, e);
        if (!n) return -1;
        if (map_put(&c->named, name, n, NULL, e)) {
            mem_free(n);
            return -1;
        }
    }
    n->count++;
    n->sum += amount;
    return 0;
}

/* Amounts of the arguments some rule adds up. */
static int count_sums(const struct cond *cond, struct scope *c, str key,
                      const struct json *args, struct err *e) {
    if (!cond) return 0;
    if (cond->kind == COND_AND || cond->kind == COND_OR ||
        cond->kind == COND_NOT)
        return count_sums(cond->left, c, key, args, e) ||
                       count_sums(cond->right, c, key, args, e)
                   ? -1
                   : 0;
    if (cond->kind != COND_NUMBER || !cond->per_run) return 0;
    const struct json *v = json_get_str(args, cond->arg);
    if (!v || !json_is_number(v)) return 0;
    AUTO_BUF struct buf name = BUF_MAX(8192);
    if (buf_addf(&name, e, "%.*s\n%.*s", STR_ARG(key), STR_ARG(cond->arg)))
        return -1;
    return count(c, buf_str(&name), json_number(v), e);
}

/* Text of the arguments, about as many bytes as leave. */
static uint64_t bytes_of(const struct json *args) {
    uint64_t n = 0;
    for (const struct json *v = args; v < json_skip(args); v++)
        n += json_type(v) == JSON_STRING ? json_len(v) : 8;
    return n;
}

static bool sends(const struct bound *b) {
    for (const struct sink_arg *a = b->sink ? b->sink->args : NULL; a;
         a = a->next)
        if (a->role == ROLE_DEST) return true;
    return false;
}

static int spend_in(struct spent *s, str scope, const struct bound *b, str key,
                    const struct policy_call *call, struct err *e) {
    if (scope.n == 0) return 0;
    struct scope *c = scope_of(s, scope, e);
    if (!c || count(c, key, 0, e)) return -1;
    c->calls.count++;
    if (call->args && sends(b)) c->egress.count += bytes_of(call->args);
    for (size_t i = 0; i < b->rule_count && call->args; i++)
        if (count_sums(b->rules[i]->cond, c, key, call->args, e)) return -1;
    return 0;
}

int policy_spend(struct policy *p, struct spent *s, const struct policy_call *c,
                 struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(8192);
    const struct bound *b = policy_bind(p, &c->tool->tool, e);
    if (!b || tool_key(&c->tool->tool, &key, e)) return -1;
    if (b->limit_count == 0 && b->rule_count == 0) return 0;
    if (spend_in(s, c->run, b, buf_str(&key), c, e)) return -1;
    if (str_eq(c->run, c->session)) return 0; /* a run of its own: once */
    return spend_in(s, c->session, b, buf_str(&key), c, e);
}

double spent_sum(const struct spent *s, str run, str key, str arg) {
    struct err e;
    AUTO_BUF struct buf name = BUF_MAX(8192);
    struct scope *c = s ? map_get(&s->scopes, run) : NULL;
    if (!c || buf_addf(&name, &e, "%.*s\n%.*s", STR_ARG(key), STR_ARG(arg)))
        return 0;
    const struct counter *n = map_get(&c->named, buf_str(&name));
    return n ? n->sum : 0;
}

uint64_t spent_count(const struct spent *s, str scope, enum limit_kind kind,
                     const struct limit *l) {
    struct scope *c = s ? map_get(&s->scopes, scope) : NULL;
    if (!c) return 0;
    if (kind == LIMIT_CALLS) return c->calls.count;
    if (kind == LIMIT_EGRESS) return c->egress.count;
    uint64_t n = 0;
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&c->named, &i));)
        if (names_match(l->tools, (str){it->key, it->key_len}))
            n += ((const struct counter *)it->value)->count;
    return n;
}
