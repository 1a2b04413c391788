/* SPDX-License-Identifier: MIT
 *
 * Two passes that do the same: the first finds how much there is to keep, the
 * second keeps it. Texts seen before are found through a small table in which
 * a later one takes the place of an earlier one: most are found again, and a
 * hostile value only costs the memory it would cost anyway.
 */
#include "json/pack.h"

#include "base/mem.h"

#include <string.h>

enum { SLOTS = 512, SHORT = 64 };

struct packing {
    size_t used;      /* bytes of texts */
    char *texts;      /* NULL in the first pass */
    str slots[SLOTS]; /* texts of the value that were met */
    size_t at[SLOTS]; /* where they are kept */
};

static size_t slot_of(str s) {
    size_t h = s.n;
    for (size_t i = 0; i < s.n; i++)
        h = h * 31 + (unsigned char)s.p[i];
    return h % SLOTS;
}

static size_t keep_new(struct packing *p, str s) {
    size_t at = p->used;
    if (p->texts) {
        memcpy(p->texts + at, s.p, s.n);
        p->texts[at + s.n] = '\0';
    }
    p->used += s.n + 1;
    return at;
}

static size_t keep(struct packing *p, str s) {
    if (s.n > SHORT) return keep_new(p, s);
    size_t slot = slot_of(s);
    if (!p->slots[slot].p || !str_eq(p->slots[slot], s)) {
        p->slots[slot] = s;
        p->at[slot] = keep_new(p, s);
    }
    return p->at[slot];
}

static bool has_text(const struct json *v) {
    return json_type(v) == JSON_STRING || json_type(v) == JSON_BIG;
}

static void pass(struct packing *p, const struct json *v, struct json *out) {
    size_t count = (size_t)(json_skip(v) - v);
    for (size_t i = 0; i < count; i++) {
        if (out) out[i] = v[i];
        if (!has_text(&v[i])) continue;
        size_t at = keep(p, json_str(&v[i]));
        if (out) out[i].as.text = p->texts + at;
    }
}

struct json *json_pack(const struct json *v, struct err *e) {
    size_t nodes = (size_t)(json_skip(v) - v) * sizeof *v;
    struct packing *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    pass(p, v, NULL);
    struct json *out = mem_alloc(nodes + p->used, e);
    if (out) {
        *p = (struct packing){.texts = (char *)out + nodes};
        pass(p, v, out);
    }
    mem_free(p);
    return out;
}
