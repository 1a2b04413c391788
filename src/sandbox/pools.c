/* SPDX-License-Identifier: MIT
 *
 * Which slots there are, and for whom.
 */
#include "sandbox/pools.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "sandbox/kind.h"
#include "sandbox/pool.h"
#include "sandbox/zygote.h"

enum { MAX_KINDS = 16, HURRY_STEPS = 100 };

#define SECOND     ((int64_t)1000000000)
#define HURRY_NS   (SECOND / 500) /* until a slot is clean and filled again */
#define RETRY_NS   (30 * SECOND)  /* after one could not be made */
#define AT_REST_NS (2 * SECOND)   /* unused for so long, it may go to another */

struct kind {
    uint32_t number; /* what the steward calls it; 0: none is here */
    bool python;
    char *text; /* owned */
    size_t size;
    struct arena arena; /* of what the pool is like */
    struct pool *pool;
    size_t asked; /* slots that are being made */
    int64_t used_ns, not_before_ns;
};

struct pools {
    struct pools_config config;
    bool gone; /* the steward is */
    int hurry; /* steps until nothing is in a hurry any more */
    uint32_t last_number;
    uint64_t warm, cold;
    struct kind kinds[MAX_KINDS];
};

static void note(const struct pools *p, const char *what,
                 const struct err *why) {
    char text[600];
    if (!p->config.note) return;
    snprintf(text, sizeof text, "%s: %s", what, why->text);
    p->config.note(p->config.data, text);
}

static void hurry(void *data) {
    struct pools *p = data;
    p->hurry = HURRY_STEPS;
    if (p->config.restless) p->config.restless(p->config.data);
}

/* --- kinds --- */

static void forget_kind(struct kind *k) {
    if (!k->number) return;
    pool_free(k->pool);
    mem_free(k->text);
    arena_fini(&k->arena);
    *k = (struct kind){.number = 0};
}

static size_t limit_of(const struct pools *p, bool python) {
    return python ? p->config.pythons : p->config.programs;
}

/* Without slots, and with none on the way. */
static bool is_empty(const struct kind *k) {
    struct pool_state s;
    pool_look(k->pool, &s);
    return s.slots == 0 && k->asked == 0;
}

/* A place for one more: where there was none, or where one is empty. */
static struct kind *find_place(struct pools *p) {
    struct kind *found = NULL;
    for (size_t i = 0; i < MAX_KINDS; i++) {
        struct kind *k = &p->kinds[i];
        if (!k->number) return k;
        if (is_empty(k) && (!found || k->used_ns < found->used_ns)) found = k;
    }
    if (found) forget_kind(found);
    return found;
}

static int fill_kind(struct pools *p, struct kind *k, str text, struct err *e) {
    struct cage like;
    const char *preload;
    k->arena = ARENA_MAX(1 << 20);
    k->text = mem_dup(text.p, text.n, e);
    k->size = text.n;
    if (!k->text || kind_read(text, &k->arena, &like, &preload, e) ||
        pool_lent(&like, preload, limit_of(p, preload), &k->pool, e)) {
        mem_free(k->text);
        arena_fini(&k->arena);
        return -1;
    }
    k->python = preload != NULL;
    k->number = ++p->last_number;
    pool_on_release(k->pool, hurry, p);
    return 0;
}

/* NULL where such tasks have no slots; *e says why. */
static struct kind *kind_for(struct pools *p, const struct cage *c,
                             const char *preload, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(KIND_MAX_BYTES);
    if (p->gone || limit_of(p, preload) == 0) {
        err_set(e, ERR_UNSUPPORTED, "there are no slots");
        return NULL;
    }
    if (kind_write(c, preload, &text, e)) return NULL;
    for (size_t i = 0; i < MAX_KINDS; i++) {
        struct kind *k = &p->kinds[i];
        if (k->number && k->size == text.len &&
            memcmp(k->text, text.data, text.len) == 0)
            return k;
    }
    struct kind *k = find_place(p);
    if (!k) err_set(e, ERR_LIMIT, "more than %d kinds of tasks", MAX_KINDS);
    return k && !fill_kind(p, k, buf_str(&text), e) ? k : NULL;
}

/* --- slots --- */

static void lose_steward(struct pools *p, const struct err *why) {
    p->gone = true;
    for (size_t i = 0; i < MAX_KINDS; i++)
        if (p->kinds[i].number) pool_orphan(p->kinds[i].pool);
    note(p, "no more sandboxes are made ahead", why);
}

static size_t count_slots(const struct pools *p, bool python) {
    size_t n = 0;
    for (size_t i = 0; i < MAX_KINDS; i++) {
        const struct kind *k = &p->kinds[i];
        struct pool_state s;
        if (!k->number || k->python != python) continue;
        pool_look(k->pool, &s);
        n += s.slots + k->asked;
    }
    return n;
}

/* The slot that has been at rest the longest makes room for another. */
static void make_room(struct pools *p, bool python) {
    struct kind *found = NULL;
    int64_t oldest = clock_mono_ns() - AT_REST_NS;
    for (size_t i = 0; i < MAX_KINDS; i++) {
        struct kind *k = &p->kinds[i];
        struct pool_state s;
        if (!k->number || k->python != python) continue;
        pool_look(k->pool, &s);
        if (s.oldest_ns > oldest) continue;
        oldest = s.oldest_ns;
        found = k;
    }
    if (found) pool_retire(found->pool, oldest);
}

/* One slot more than is used, if it can be had. */
static void want_spare(struct pools *p, struct kind *k, bool missed) {
    struct pool_state s;
    struct err e;
    pool_look(k->pool, &s);
    if (p->gone || s.spare + k->asked > 0 || clock_mono_ns() < k->not_before_ns)
        return;
    if (missed && count_slots(p, k->python) >= limit_of(p, k->python))
        make_room(p, k->python);
    if (count_slots(p, k->python) >= limit_of(p, k->python)) return;
    if (steward_ask(p->config.steward, k->number, (str){k->text, k->size},
                    &e)) {
        lose_steward(p, &e);
        return;
    }
    k->asked++;
}

static struct kind *by_number(struct pools *p, uint32_t number) {
    for (size_t i = 0; i < MAX_KINDS; i++)
        if (number && p->kinds[i].number == number) return &p->kinds[i];
    return NULL;
}

/* It sees its socket close, and ends. */
static void send_away(struct started *s) {
    close(s->status);
    close(s->pidfd);
    if (s->listener >= 0) close(s->listener);
    cgroup_drop(&s->cgroup);
}

static void take_answer(struct pools *p, struct steward_answer *a) {
    struct kind *k = by_number(p, a->number);
    if (k && k->asked) k->asked--;
    if (a->made && (!k || !pool_put(k->pool, &a->launcher)))
        send_away(&a->launcher);
    if (a->made || !k) return;
    k->not_before_ns = clock_mono_ns() + RETRY_NS;
    note(p, "a sandbox could not be made ahead", &a->why);
}

static void take_answers(struct pools *p) {
    struct steward_answer a;
    struct err e;
    int rc = 0;
    while (!p->gone && (rc = steward_take(p->config.steward, &a, &e)) > 0)
        take_answer(p, &a);
    if (rc < 0) lose_steward(p, &e);
}

/* --- the whole --- */

int pools_new(const struct pools_config *config, struct pools **out,
              struct err *e) {
    struct pools *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    p->config = *config;
    *out = p;
    return 0;
}

void pools_free(struct pools *p) {
    if (!p) return;
    for (size_t i = 0; i < MAX_KINDS; i++)
        forget_kind(&p->kinds[i]);
    mem_free(p);
}

int pools_fd(const struct pools *p) {
    return steward_fd(p->config.steward);
}

/* Fills what is free, gives up what is idle: is anything left to fill? */
static bool tend(struct pools *p, struct kind *k, int64_t now) {
    struct pool_state s;
    pool_tend(k->pool);
    pool_retire(k->pool, now - p->config.idle_ns);
    pool_look(k->pool, &s);
    return s.slots - s.busy > s.parked;
}

int64_t pools_step(struct pools *p) {
    int64_t now = clock_mono_ns();
    bool unfilled = false, any = false;
    take_answers(p);
    for (size_t i = 0; i < MAX_KINDS; i++) {
        struct kind *k = &p->kinds[i];
        if (!k->number) continue;
        any = true;
        unfilled |= tend(p, k, now);
        if (is_empty(k) && now - k->used_ns > p->config.idle_ns) forget_kind(k);
    }
    if (p->hurry > 0) p->hurry--;
    if (unfilled && p->hurry) return HURRY_NS;
    return any ? p->config.idle_ns / 4 : -1;
}

void pools_count(const struct pools *p, struct pools_count *out) {
    *out = (struct pools_count){.warm = p->warm, .cold = p->cold};
    for (size_t i = 0; i < MAX_KINDS; i++) {
        struct pool_state s;
        if (!p->kinds[i].number) continue;
        pool_look(p->kinds[i].pool, &s);
        out->slots += s.slots;
        out->parked += s.parked;
    }
}

/* --- tasks --- */

void pools_expect(struct pools *p, const struct cage *c, bool python) {
    struct err e;
    const char *preload = python && p ? p->config.preload : NULL;
    struct kind *k = p ? kind_for(p, c, preload, &e) : NULL;
    if (!k) return;
    k->used_ns = clock_mono_ns();
    want_spare(p, k, true);
    hurry(p);
}

/* Whatever is wrong with a slot, a cold start has nothing to do with it. */
static bool start_warm(struct pools *p, str owner, const struct cage *c,
                       const char *preload, const struct jail_io *io,
                       struct jail **out) {
    struct err e;
    struct kind *k = p ? kind_for(p, c, preload, &e) : NULL;
    if (!k) return false;
    k->used_ns = clock_mono_ns();
    bool warm = !jail_start_in(k->pool, owner, c, io, out, &e);
    p->warm += warm;
    want_spare(p, k, !warm);
    return warm;
}

int pools_start(struct pools *p, str owner, const struct cage *c,
                const struct jail_io *io, struct jail **out, struct err *e) {
    if (start_warm(p, owner, c, NULL, io, out)) return 0;
    if (p) p->cold++;
    return jail_start(c, io, out, e);
}

int pools_start_python(struct pools *p, str owner, struct cage *c, str text,
                       const struct jail_io *io, struct jail **out,
                       struct err *e) {
    const char *const *cold = c->argv;
    const char **warm = arena_zalloc(c->arena, 3, sizeof *warm, e);
    if (!warm) return -1;
    warm[0] = "python3";
    warm[1] = arena_text(c->arena, text, e);
    if (!warm[1]) return -1;
    c->argv = warm; /* a zygote takes the text alone */
    const char *preload = p ? p->config.preload : "";
    if (start_warm(p, owner, c, preload, io, out)) return 0;
    c->argv = cold;
    if (p) p->cold++;
    return jail_start(c, io, out, e);
}
