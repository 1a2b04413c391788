/* SPDX-License-Identifier: MIT
 *
 * history -- records as bytes, and what the interpreter draws from outside.
 */
#include "vm/history.h"

#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "vm/native.h"

#define HEAD 5 /* type, length */

/* -- records ------------------------------------------------------------------
 */

/* What a host cannot give again by itself. */
static bool is_draw(enum history_type type) {
    return type == HISTORY_CLOCK || type == HISTORY_LIMIT ||
           type == HISTORY_LATER || type == HISTORY_CAME ||
           type == HISTORY_CONTINUE;
}

void history_add(struct history *j, enum history_type type, str body) {
    struct err e;
    unsigned char head[HEAD] = {(unsigned char)type};
    size_t before = j->out.len;
    if (!j->record || j->failed) return;
    if (j->draws && !is_draw(type)) return;
    for (unsigned i = 0; i < 4; i++)
        head[1 + i] = (unsigned char)(body.n >> (8 * i));
    if (body.n > UINT32_MAX || buf_add(&j->out, head, HEAD, &e) ||
        (body.n && buf_add_str(&j->out, body, &e))) {
        buf_truncate(&j->out, before);
        j->failed = true;
    }
}

bool history_peek(const struct history *j, struct record *out) {
    str rest = str_sub(buf_str(&j->in), j->at, j->in.len);
    size_t n = 0;
    if (rest.n < HEAD || (unsigned char)rest.p[0] >= HISTORY_COUNT)
        return false;
    for (unsigned i = 0; i < 4; i++)
        n |= (size_t)(unsigned char)rest.p[1 + i] << (8 * i);
    if (rest.n - HEAD < n) return false;
    out->type = (enum history_type)(unsigned char)rest.p[0];
    out->body = str_sub(rest, HEAD, HEAD + n);
    return true;
}

void history_skip(struct history *j) {
    struct record r;
    if (!history_peek(j, &r)) return;
    if (!j->draws) history_add(j, r.type, r.body);
    j->at += HEAD + r.body.n;
}

bool history_take(struct history *j, enum history_type type, void *body,
                  size_t n) {
    struct record r;
    if (!history_replaying(j)) return false;
    if (!history_peek(j, &r) || r.type != type || r.body.n != n) {
        j->diverged = true;
        return false;
    }
    memcpy(body, r.body.p, n);
    history_skip(j);
    return true;
}

int history_put(struct buf *to, const uint64_t *words, size_t n,
                const str *texts, size_t ntexts) {
    struct err e;
    if (buf_add(to, words, n * sizeof *words, &e)) return -1;
    for (size_t i = 0; i < ntexts; i++) {
        uint64_t len = texts[i].n;
        if (buf_add(to, &len, sizeof len, &e) || buf_add_str(to, texts[i], &e))
            return -1;
    }
    return 0;
}

bool history_get(str body, uint64_t *words, size_t n, str *texts,
                 size_t ntexts) {
    size_t at = n * sizeof *words;
    if (body.n < at) return false;
    memcpy(words, body.p, at);
    for (size_t i = 0; i < ntexts; i++) {
        uint64_t len;
        if (body.n - at < sizeof len) return false;
        memcpy(&len, body.p + at, sizeof len);
        at += sizeof len;
        if (body.n - at < len) return false;
        texts[i] = str_sub(body, at, at + len);
        at += len;
    }
    return at == body.n;
}

/* -- what the interpreter asks ------------------------------------------------
 */

int64_t history_clock(struct vm *vm, bool wall) {
    struct history *j = vm->journal;
    int64_t now;
    if (j && history_take(j, HISTORY_CLOCK, &now, sizeof now)) {
        vm_look_soon(vm); /* a limit may be next */
        return now;
    }
    now = wall ? clock_wall_ns() : clock_mono_ns();
    if (j) history_add(j, HISTORY_CLOCK, (str){(const char *)&now, sizeof now});
    return now;
}

static bool draw_seed(struct vm *vm) {
    struct root *root = vm_root(vm);
    struct history *j = vm->journal;
    struct err e;
    if (!j || !history_take(j, HISTORY_SEED, root->seed, sizeof root->seed)) {
        if (hash_random(root->seed, sizeof root->seed, &e)) return false;
        str body = {(const char *)root->seed, sizeof root->seed};
        if (j) history_add(j, HISTORY_SEED, body);
    }
    root->seeded = 1;
    return true;
}

bool history_entropy(struct vm *vm, uint64_t *out) {
    struct root *root = vm_root(vm);
    if (!root->seeded && !draw_seed(vm)) return false;
    root->drawn++;
    *out = hash_bytes(&root->drawn, sizeof root->drawn, root->seed);
    return true;
}

void history_limit(struct vm *vm, unsigned limit) {
    uint64_t body[2] = {limit, vm->fuel_spent};
    if (vm->journal && !history_replaying(vm->journal))
        history_add(vm->journal, HISTORY_LIMIT,
                    (str){(const char *)body, sizeof body});
}

bool history_next_limit(const struct vm *vm, uint64_t *step, unsigned *limit) {
    struct record r;
    uint64_t body[2];
    if (!history_replaying(vm->journal) || !history_peek(vm->journal, &r) ||
        r.type != HISTORY_LIMIT || r.body.n != sizeof body)
        return false;
    memcpy(body, r.body.p, sizeof body);
    *limit = (unsigned)body[0];
    *step = body[1];
    return true;
}
