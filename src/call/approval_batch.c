/* SPDX-License-Identifier: MIT
 *
 * Like calls on one card: the same run, tool, rule and argument at fault.
 */
#include "call/approval.h"
#include "json/write.h"

struct gathering {
    struct arena *arena;
    struct approval_batch *out;
};

static int gather(void *data, const struct store_approval *p, struct err *e) {
    struct gathering *g = data;
    struct approval_batch *b = g->out;
    const struct json *card;
    str text;
    if (b->count == APPROVAL_BATCH) return 1;
    if (arena_dup(g->arena, p->card, &text, e) ||
        json_parse(text, NULL, g->arena, &card, e) ||
        arena_dup(g->arena, p->id, &b->ids[b->count], e))
        return -1;
    b->numbers[b->count] = p->number;
    b->args[b->count] = json_get(card, "args");
    if (!b->args[b->count]) return 0;
    b->count++;
    return 0;
}

/* By the number of the call; they come in any order. */
static void sort(struct approval_batch *b) {
    for (size_t i = 1; i < b->count; i++)
        for (size_t k = i; k > 0 && b->numbers[k - 1] > b->numbers[k]; k--) {
            str id = b->ids[k];
            uint64_t number = b->numbers[k];
            const struct json *args = b->args[k];
            b->ids[k] = b->ids[k - 1];
            b->numbers[k] = b->numbers[k - 1];
            b->args[k] = b->args[k - 1];
            b->ids[k - 1] = id;
            b->numbers[k - 1] = number;
            b->args[k - 1] = args;
        }
}

static bool differs(const struct approval_batch *b, str name) {
    const struct json *first = json_get_str(b->args[0], name);
    for (size_t i = 1; i < b->count; i++) {
        const struct json *v = json_get_str(b->args[i], name);
        if (!first != !v || (v && !json_equal(first, v))) return true;
    }
    return false;
}

static bool is_listed(const struct approval_batch *b, str name) {
    for (size_t i = 0; i < b->differ_count; i++)
        if (str_eq(b->differs[i], name)) return true;
    return false;
}

static void find_differences(struct approval_batch *b) {
    size_t most = sizeof b->differs / sizeof b->differs[0];
    for (size_t i = 0; i < b->count; i++) {
        const struct json *key = json_first(b->args[i]);
        for (size_t k = json_len(b->args[i]); k > 0;
             k--, key = json_skip(key + 1))
            if (b->differ_count < most && !is_listed(b, json_str(key)) &&
                differs(b, json_str(key)))
                b->differs[b->differ_count++] = json_str(key);
    }
}

int approval_batch(struct store *s, const struct store_approval *p,
                   struct arena *a, struct approval_batch *out, struct err *e) {
    struct gathering g = {a, out};
    struct store_approval_filter f = {.run = p->run,
                                      .principal = p->principal,
                                      .batch = p->batch,
                                      .only_pending = true,
                                      .max = APPROVAL_BATCH};
    *out = (struct approval_batch){0};
    if (!p->batch.n) return 0;
    if (store_approvals(s, &f, gather, &g, e) < 0) return -1;
    sort(out);
    if (out->count > 1) find_differences(out);
    return 0;
}

int approval_put_batch(struct store *s, const struct store_approval *p,
                       struct jw *w, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct approval_batch b;
    if (p->state != APPROVAL_PENDING) return 0;
    if (approval_batch(s, p, &a, &b, e)) return -1;
    if (b.count < 2) return 0;
    jw_key(w, "batch");
    jw_object(w);
    jw_put_int(w, "count", (int64_t)b.count);
    jw_key(w, "differs");
    jw_array(w);
    for (size_t k = 0; k < b.differ_count; k++)
        jw_text(w, b.differs[k]);
    jw_end_array(w);
    jw_key(w, "rows");
    jw_array(w);
    for (size_t i = 0; i < b.count; i++) {
        jw_array(w);
        for (size_t k = 0; k < b.differ_count; k++) {
            const struct json *v = json_get_str(b.args[i], b.differs[k]);
            if (v)
                jw_value(w, v);
            else
                jw_null(w);
        }
        jw_end_array(w);
    }
    jw_end_array(w);
    jw_end_object(w);
    return 0;
}

/* -- lists ------------------------------------------------------------------
 */

struct card {
    struct store_approval row;
    struct card *next;
};

struct cards {
    struct arena arena;
    struct card *first, **last;
};

static int keep(void *data, const struct store_approval *p, struct err *e) {
    struct cards *c = data;
    struct card *at = arena_zalloc(&c->arena, 1, sizeof *at, e);
    if (!at) return -1;
    at->row = *p;
    str *texts[] = {&at->row.id,     &at->row.run,     &at->row.session,
                    &at->row.client, &at->row.tool,    &at->row.principal,
                    &at->row.card,   &at->row.binding, &at->row.batch,
                    &at->row.memory};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (arena_dup(&c->arena, *texts[i], texts[i], e)) return -1;
    *c->last = at;
    c->last = &at->next;
    return 0;
}

/* Another of the same card has a lower number. */
static bool is_beside(const struct cards *c, const struct card *at) {
    if (at->row.state != APPROVAL_PENDING || !at->row.batch.n) return false;
    for (const struct card *o = c->first; o; o = o->next)
        if (o != at && o->row.state == APPROVAL_PENDING &&
            str_eq(o->row.batch, at->row.batch) &&
            (o->row.number < at->row.number ||
             (o->row.number == at->row.number &&
              str_cmp(o->row.id, at->row.id) < 0)))
            return true;
    return false;
}

int approval_cards(struct store *s, const struct store_approval_filter *f,
                   store_approval_fn *fn, void *data, struct err *e) {
    struct cards c = {.arena = ARENA_MAX((size_t)256 << 20)};
    c.last = &c.first;
    int status = store_approvals(s, f, keep, &c, e);
    for (const struct card *at = c.first; at && status == 0; at = at->next)
        if (!is_beside(&c, at)) status = fn(data, &at->row, e);
    arena_fini(&c.arena);
    return status;
}
