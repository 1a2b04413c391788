/* SPDX-License-Identifier: MIT
 *
 * label -- interned labels and their joins.
 */
#include "vm/label.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define NUMBERS       65536
#define PLAIN_RESERVE 4096 /* of them for labels without origins */

/* -- one label ---------------------------------------------------------------
 */

static void add_origin(struct cordon_label *l, uint32_t origin) {
    unsigned at = 0;
    while (at < l->norigins && l->origin[at] < origin)
        at++;
    if (at < l->norigins && l->origin[at] == origin) return;
    if (l->norigins == CORDON_ORIGINS_MAX) {
        l->many = 1;
        return;
    }
    memmove(&l->origin[at + 1], &l->origin[at],
            (size_t)(l->norigins - at) * sizeof l->origin[0]);
    l->origin[at] = origin;
    l->norigins++;
}

static struct cordon_label joined(const struct cordon_label *a,
                                  const struct cordon_label *b) {
    struct cordon_label out = *a;
    if (b->integrity > out.integrity) out.integrity = b->integrity;
    out.kinds |= b->kinds;
    out.many |= b->many;
    out.hidden |= b->hidden;
    for (unsigned i = 0; i < b->norigins; i++)
        add_origin(&out, b->origin[i]);
    return out;
}

/* Origins ascending and once, everything unused zero: equal means equal bytes.
 */
static struct cordon_label ordered(const struct cordon_label *l) {
    struct cordon_label out;
    memset(&out, 0, sizeof out);
    out.integrity = l->integrity;
    out.kinds = l->kinds;
    out.many = l->many != 0;
    out.hidden = l->hidden;
    for (unsigned i = 0; i < l->norigins && i < CORDON_ORIGINS_MAX; i++)
        add_origin(&out, l->origin[i]);
    if (l->norigins > CORDON_ORIGINS_MAX) out.many = 1;
    return out;
}

/* -- the table ---------------------------------------------------------------
 */

static uint32_t slot_of(const struct label_table *l,
                        const struct cordon_label *k) {
    static const uint64_t seed[2] = {0x6c6162656c, 1};
    uint64_t at = hash_bytes(k, sizeof *k, seed);
    for (;; at++) {
        uint32_t number = l->index[at & (l->slots - 1)];
        if (!number || memcmp(&l->table[number], k, sizeof *k) == 0)
            return (uint32_t)(at & (l->slots - 1));
    }
}

static int make_index(struct label_table *l, uint32_t slots, struct err *e) {
    uint32_t *index = mem_zalloc(slots, sizeof *index, e);
    if (!index) return -1;
    mem_free(l->index);
    l->index = index;
    l->slots = slots;
    for (uint32_t i = 1; i < l->n; i++)
        l->index[slot_of(l, &l->table[i])] = i;
    return 0;
}

static int make_room(struct label_table *l, uint32_t room, struct err *e) {
    if (room <= l->room) return 0;
    struct cordon_label *grown =
        mem_resize(l->table, room, sizeof *l->table, e);
    if (!grown) return -1;
    l->table = grown;
    l->room = room;
    return 0;
}

struct label_table *label_table_new(bool strict, struct err *e) {
    struct label_table *l = mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    l->strict = strict;
    if (make_room(l, 32, e)) {
        label_table_free(l);
        return NULL;
    }
    memset(l->table, 0, 2 * sizeof *l->table);
    l->table[LABEL_TOP] = (struct cordon_label){.integrity = UINT8_MAX,
                                                .kinds = UINT8_MAX,
                                                .many = 1,
                                                .hidden = UINT64_MAX};
    l->n = 2;
    if (make_index(l, 64, e)) {
        label_table_free(l);
        return NULL;
    }
    return l;
}

void label_table_free(struct label_table *l) {
    if (!l) return;
    mem_free(l->table);
    mem_free(l->index);
    mem_free(l);
}

/* A new row; LABEL_TOP where there is no memory for it. */
static uint16_t add(struct label_table *l, const struct cordon_label *k) {
    struct err e;
    if (l->n == l->room && make_room(l, l->room * 2, &e)) return LABEL_TOP;
    if ((l->n + 1) * 2 > l->slots && make_index(l, l->slots * 2, &e))
        return LABEL_TOP;
    uint32_t number = l->n;
    l->table[number] = *k;
    l->n++;
    l->index[slot_of(l, k)] = number;
    return (uint16_t)number;
}

static uint16_t number_of(struct label_table *l, const struct cordon_label *k) {
    static const struct cordon_label bottom;
    if (memcmp(k, &bottom, sizeof bottom) == 0) return 0;
    uint32_t found = l->index[slot_of(l, k)];
    if (found) return (uint16_t)found;
    if (l->n < NUMBERS - PLAIN_RESERVE) return add(l, k);
    if (k->norigins) {
        struct cordon_label plain = *k;
        memset(plain.origin, 0, sizeof plain.origin);
        plain.norigins = 0;
        plain.many = 1;
        return number_of(l, &plain);
    }
    return l->n < NUMBERS ? add(l, k) : LABEL_TOP;
}

uint16_t label_number(struct label_table *l, const struct cordon_label *label) {
    struct cordon_label k = ordered(label);
    return number_of(l, &k);
}

uint16_t label_join_slow(struct label_table *l, uint16_t a, uint16_t b) {
    uint64_t pair = (uint64_t)a << 32 | (uint64_t)b << 16;
    uint64_t *cached = &l->joined[(a * 31u + b) % LABEL_CACHE];
    if ((*cached & ~(uint64_t)0xffff) == pair) return (uint16_t)*cached;
    struct cordon_label k = joined(&l->table[a], &l->table[b]);
    uint16_t number = number_of(l, &k);
    *cached = pair | number;
    return number;
}

int label_table_load(struct label_table *l, str bytes, struct err *e) {
    uint32_t n = (uint32_t)(bytes.n / sizeof *l->table);
    if (bytes.n % sizeof *l->table || n < 2 || n > NUMBERS)
        return fail(e, ERR_INVALID, "the table of labels is not whole");
    uint32_t slots = 64;
    while (slots < n * 2)
        slots *= 2;
    if (make_room(l, n, e)) return -1;
    memcpy(l->table, bytes.p, bytes.n);
    l->n = n;
    memset(l->joined, 0, sizeof l->joined);
    return make_index(l, slots, e);
}
