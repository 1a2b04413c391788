/* SPDX-License-Identifier: MIT */
#include "runs/frame_label.h"

/* -- writing ------------------------------------------------------------------
 */

void frame_label(struct frame_out *f, const struct label *l) {
    frame_u8(f, (uint8_t)l->integrity);
    frame_u8(f, (uint8_t)l->secrecy);
    frame_u8(f, l->many);
    frame_u32(f, (uint32_t)l->reader_count);
    for (size_t i = 0; i < l->reader_count; i++)
        frame_str(f, l->readers[i]);
    frame_u32(f, (uint32_t)l->origin_count);
    for (size_t i = 0; i < l->origin_count; i++) {
        const struct origin *o = &l->origins[i];
        frame_str(f, o->server);
        frame_str(f, o->tool);
        frame_str(f, o->field);
        frame_u64(f, o->call);
    }
}

void frame_labels(struct frame_out *f, const struct labels *l) {
    if (!l) {
        frame_u32(f, 0);
        return;
    }
    frame_u32(f, (uint32_t)l->count + 1);
    for (size_t i = 0; i < l->count; i++)
        frame_label(f, &l->items[i].label);
    frame_label(f, &l->pc);
    frame_u32(f, (uint32_t)l->count);
    for (size_t i = 0; i < l->count; i++) {
        frame_str(f, l->items[i].path);
        frame_u32(f, (uint32_t)i);
    }
    frame_u32(f, (uint32_t)l->count);
}

/* -- reading ------------------------------------------------------------------
 */

/* A count of things that take at least `least` bytes each. */
static size_t count_of(struct frame_in *f, size_t least) {
    size_t n = frame_get_u32(f);
    if (n > f->rest.n / least) f->bad = true;
    return f->bad ? 0 : n;
}

static int get_readers(struct frame_in *f, struct arena *a, struct label *l,
                       struct err *e) {
    l->reader_count = count_of(f, 4);
    str *all = arena_alloc(a, (l->reader_count + 1) * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < l->reader_count; i++)
        all[i] = frame_get_str(f);
    l->readers = all;
    return 0;
}

static int get_origins(struct frame_in *f, struct arena *a, struct label *l,
                       struct err *e) {
    l->origin_count = count_of(f, 20);
    if (l->origin_count > ORIGINS_MAX) f->bad = true;
    if (f->bad) l->origin_count = 0;
    struct origin *all = arena_alloc(a, (ORIGINS_MAX + 1) * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < l->origin_count; i++) {
        all[i].server = frame_get_str(f);
        all[i].tool = frame_get_str(f);
        all[i].field = frame_get_str(f);
        all[i].call = frame_get_u64(f);
    }
    l->origins = all;
    return 0;
}

int frame_get_label(struct frame_in *f, struct arena *a, struct label *out,
                    struct err *e) {
    struct label l = {0};
    unsigned integrity = frame_get_u8(f), secrecy = frame_get_u8(f);
    l.many = frame_get_u8(f) != 0;
    if (integrity > INTEGRITY_UNTRUSTED || secrecy > SECRECY_SECRET)
        f->bad = true;
    l.integrity = (enum integrity)integrity;
    l.secrecy = (enum secrecy)secrecy;
    if (get_readers(f, a, &l, e) || get_origins(f, a, &l, e)) return -1;
    *out = f->bad ? *label_unknown() : l;
    return 0;
}

static const struct label *nth(const struct label *all, size_t n,
                               struct frame_in *f) {
    size_t i = frame_get_u32(f);
    if (i < n && !f->bad) return &all[i];
    f->bad = true;
    return label_unknown();
}

int frame_get_labels(struct frame_in *f, struct arena *a,
                     const struct labels **out, struct err *e) {
    size_t n = count_of(f, 11);
    *out = NULL;
    if (n == 0) return 0;
    struct labels *labels = arena_zalloc(a, 1, sizeof *labels, e);
    struct label *all = arena_alloc(a, n * sizeof *all, e);
    if (!labels || !all) return -1;
    for (size_t i = 0; i < n; i++)
        if (frame_get_label(f, a, &all[i], e)) return -1;
    labels->count = count_of(f, 8);
    struct labelled *items =
        arena_alloc(a, (labels->count + 1) * sizeof *items, e);
    if (!items) return -1;
    for (size_t i = 0; i < labels->count; i++) {
        items[i].path = frame_get_str(f);
        items[i].label = *nth(all, n, f);
    }
    labels->pc = *nth(all, n, f);
    labels->items = items;
    *out = labels;
    return 0;
}
