/* SPDX-License-Identifier: MIT */
#include "runs/worker_label.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "policy/bridge.h"
#include "runs/frame_label.h"

#define BYTES    ((size_t)256 << 20)
#define LITERALS ((size_t)1 << 20)

struct worker_labels {
    cordon_session *s;
    struct bridge *bridge;
    struct arena arena;  /* of the literals */
    struct map literals; /* text -> struct label */
    cordon_label_id turn;
};

/* The process ends with its session: nothing here is freed. */
struct worker_labels *worker_labels_new(cordon_session *s, str saved,
                                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    const struct json *v;
    struct worker_labels *l = mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    l->s = s;
    l->arena = ARENA_MAX(BYTES);
    l->literals = MAP_MAX(LITERALS);
    if (saved.n && json_parse(saved, NULL, &a, &v, e)) return NULL;
    l->bridge = saved.n ? bridge_load(v, e) : bridge_new(e);
    return l->bridge ? l : NULL;
}

int worker_labels_save(const struct worker_labels *l, struct buf *out,
                       struct err *e) {
    return bridge_save(l->bridge, out, e);
}

/* -- literals and errors ------------------------------------------------------
 */

static cordon_label_id literal_label(void *user, const char *text, size_t len) {
    struct worker_labels *l = user;
    const struct label *label = map_get(&l->literals, (str){text, len});
    cordon_label_id id;
    struct err e;
    if (!label) return l->turn;
    if (bridge_number(l->bridge, l->s, label, &id, &e) == 0) return id;
    return l->turn;
}

int worker_labels_turn(struct worker_labels *l, struct frame_in *f,
                       struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct label turn, errors;
    cordon_label_id id;
    if (frame_get_label(f, &a, &turn, e) ||
        frame_get_label(f, &a, &errors, e) ||
        bridge_number(l->bridge, l->s, &turn, &l->turn, e) ||
        bridge_number(l->bridge, l->s, &errors, &id, e))
        return -1;
    map_fini(&l->literals);
    arena_fini(&l->arena);
    l->literals = MAP_MAX(LITERALS);
    cordon_label_literals(l->s, l->turn, literal_label, l);
    cordon_label_errors(l->s, id);
    return 0;
}

/* Texts are copied: the frame is forgotten before the program is run. */
static int keep_literal(struct worker_labels *l, str text,
                        const struct label *from, struct err *e) {
    AUTO_BUF struct buf copy = BUF_MAX(1 << 20);
    struct label *label = arena_zalloc(&l->arena, 1, sizeof *label, e);
    struct frame_in in = {0};
    struct frame_out f = {.to = &copy};
    str kept;
    frame_label(&f, from);
    if (!label || f.bad || arena_dup(&l->arena, buf_str(&copy), &kept, e))
        return -1;
    in.rest = kept;
    if (frame_get_label(&in, &l->arena, label, e)) return -1;
    return map_put(&l->literals, text, label, NULL, e);
}

int worker_labels_literals(struct worker_labels *l, struct frame_in *f,
                           struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct label label;
    for (size_t n = frame_get_u32(f); n > 0 && !f->bad; n--) {
        str text = frame_get_str(f);
        if (frame_get_label(f, &a, &label, e)) return -1;
        if (!f->bad && keep_literal(l, text, &label, e)) return -1;
    }
    return 0;
}

/* -- values -------------------------------------------------------------------
 */

struct value {
    struct arena arena;
    struct bridge_result result;
    bool labelled;
};

static int value_begin(struct worker_labels *l, struct value *v,
                       struct frame_in *f, struct err *e) {
    const struct labels *labels;
    v->arena = ARENA_MAX(BYTES);
    if (frame_get_labels(f, &v->arena, &labels, e)) return -1;
    v->labelled = labels != NULL;
    if (!labels) return 0;
    return bridge_begin(&v->result, l->bridge, l->s, labels, &v->arena, e);
}

enum cordon_status worker_labels_answer(struct worker_labels *l, str json,
                                        struct frame_in *f, struct err *e) {
    struct value v;
    enum cordon_status st;
    if (value_begin(l, &v, f, e))
        st = cordon_resume_error(l->s, "MemoryError", e->text);
    else if (v.labelled)
        st = cordon_resume_labelled(l->s, json.p, json.n, bridge_place,
                                    &v.result);
    else
        st = cordon_resume_json(l->s, json.p, json.n);
    arena_fini(&v.arena);
    return st;
}

int worker_labels_resolve(struct worker_labels *l, uint64_t id, str json,
                          struct frame_in *f, struct err *e) {
    struct value v;
    int status;
    if (value_begin(l, &v, f, e))
        status = cordon_resolve_error(l->s, id, "MemoryError", e->text);
    else if (v.labelled)
        status = cordon_resolve_labelled(l->s, id, json.p, json.n, bridge_place,
                                         &v.result);
    else
        status = cordon_resolve_json(l->s, id, json.p, json.n);
    arena_fini(&v.arena);
    return status;
}

int worker_labels_set(struct worker_labels *l, const char *name, str json,
                      struct frame_in *f, struct err *e) {
    struct value v;
    int status = value_begin(l, &v, f, e);
    if (status == 0)
        status = v.labelled ? cordon_set_labelled(l->s, name, json.p, json.n,
                                                  bridge_place, &v.result)
                            : cordon_set_json(l->s, name, json.p, json.n);
    arena_fini(&v.arena);
    return status;
}

/* -- arguments ----------------------------------------------------------------
 */

int worker_labels_put(struct worker_labels *l, cordon_label_id id,
                      struct frame_out *f, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct label label;
    if (bridge_read(l->bridge, l->s, id, &a, &label, e)) return -1;
    frame_label(f, &label);
    return 0;
}

/* Most places share a few labels: each is written once. */
struct collecting {
    struct buf places;       /* text path, u32 number */
    cordon_label_id ids[64]; /* seen lately */
    uint32_t numbers[64];
    struct buf labels;
    uint32_t nlabels, nplaces;
    struct worker_labels *l;
    bool bad;
};

static uint32_t number_of(struct collecting *c, cordon_label_id id) {
    struct frame_out f = {.to = &c->labels};
    struct err e;
    size_t slot = id % 64;
    if (c->numbers[slot] && c->ids[slot] == id) return c->numbers[slot] - 1;
    c->bad |= worker_labels_put(c->l, id, &f, &e) || f.bad;
    c->ids[slot] = id;
    c->numbers[slot] = ++c->nlabels;
    return c->nlabels - 1;
}

static int add_step(struct buf *path, const struct cordon_step *s,
                    struct err *e) {
    if (buf_add_char(path, '/', e)) return -1;
    if (s->key) return pointer_add((str){s->key, s->len}, path, e);
    return buf_addf(path, e, "%llu", (unsigned long long)s->index);
}

static void collect(void *user, const struct cordon_place *place,
                    cordon_label_id id) {
    struct collecting *c = user;
    AUTO_BUF struct buf path = BUF_MAX(1 << 20);
    struct frame_out f = {.to = &c->places};
    struct err e;
    if (place->depth < 2) return; /* the call's own args and kwargs */
    for (size_t i = 0; i < place->depth; i++)
        c->bad |= add_step(&path, &place->path[i], &e) != 0;
    frame_str(&f, buf_str(&path));
    frame_u32(&f, number_of(c, id));
    c->bad |= f.bad;
    c->nplaces++;
}

/* A place without its label would be trusted: a failure is one of the whole. */
int worker_labels_put_call(struct worker_labels *l, struct frame_out *f,
                           struct err *e) {
    struct collecting c = {
        .places = BUF_MAX(FRAME_MAX), .labels = BUF_MAX(FRAME_MAX), .l = l};
    c.bad |= cordon_call_labels(l->s, collect, &c) != 0;
    uint32_t pc = number_of(&c, cordon_call_control(l->s));
    frame_u32(f, c.nlabels);
    frame_bytes(f, c.labels.data, c.labels.len);
    frame_u32(f, c.nplaces);
    frame_bytes(f, c.places.data, c.places.len);
    frame_u32(f, pc);
    buf_fini(&c.places);
    buf_fini(&c.labels);
    return c.bad ? fail(e, ERR_MEMORY, "the labels of a call are too many") : 0;
}
