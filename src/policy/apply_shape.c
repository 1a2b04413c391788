/* SPDX-License-Identifier: MIT
 *
 * The places of a result, and the label that each has from its source.
 */
#include "policy/apply.h"

#include "base/buf.h"

#include <string.h>

/* What gives a place its label. */
enum giver {
    GIVES_FIELD, /* a field of the source that names it, or what holds it */
    GIVES_FORM,  /* a record or list on the way to such a field */
    GIVES_REST,  /* the source's "*" */
};

/* -- which field ------------------------------------------------------------
 */

/* "event.id" of a place; items of lists do not count. */
static int dotted_path(const struct shape *at, struct buf *out, struct err *e) {
    if (!at->up) return 0;
    if (dotted_path(at->up, out, e)) return -1;
    if (at->item) return 0;
    if (out->len > 0 && buf_add_char(out, '.', e)) return -1;
    return buf_add_str(out, at->key, e);
}

static bool holds(str outer, str inner) {
    return inner.n > outer.n && str_starts(inner, outer) &&
           (outer.n == 0 || inner.p[outer.n] == '.');
}

/* Fields are named by their whole path: a name counts for nothing deeper in
 * the result, where whoever wrote the text may have chosen the keys. */
static int choose_field(const struct source *s, struct shape *at,
                        struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    if (dotted_path(at, &text, e)) return -1;
    str path = buf_str(&text);
    for (const struct source_field *f = s ? s->fields : NULL; f; f = f->next) {
        if (str_is(f->path, "*")) continue;
        at->way = at->way || holds(path, f->path);
        bool names = str_eq(f->path, path) || holds(f->path, path);
        if (names && (!at->field || f->path.n > at->field->path.n))
            at->field = f;
    }
    return 0;
}

const struct source_field *source_rest(const struct source *s) {
    for (const struct source_field *f = s ? s->fields : NULL; f; f = f->next)
        if (str_is(f->path, "*")) return f;
    return NULL;
}

static enum giver giver_of(const struct shape *at) {
    if (at->field) return GIVES_FIELD;
    return at->way && !at->leaf ? GIVES_FORM : GIVES_REST;
}

/* The form of its records is the source's own as far as its best field is. */
static enum integrity form_integrity(const struct source *s) {
    enum integrity best = INTEGRITY_UNTRUSTED;
    for (const struct source_field *f = s->fields; f; f = f->next)
        if (!str_is(f->path, "*") && f->integrity < best) best = f->integrity;
    return best;
}

struct shape *shape_look(struct applying *ap, struct shape *up, str key,
                         bool item) {
    struct shape **tail = &up->below;
    for (; *tail; tail = &(*tail)->next)
        if ((*tail)->item == item && str_eq((*tail)->key, key))
            return up->last = *tail;
    struct shape *s = arena_zalloc(ap->arena, 1, sizeof *s, ap->e);
    if (!s) return NULL;
    s->key = key;
    s->item = item;
    s->up = up;
    if (choose_field(ap->source, s, ap->e)) return NULL;
    const struct source_field *f =
        s->field ? s->field : source_rest(ap->source);
    s->token = f && f->token;
    *tail = s;
    return up->last = s;
}
/* -- labels -----------------------------------------------------------------
 */

int apply_add(struct applying *ap, str path, const struct label *l) {
    if (ap->count == ap->cap) {
        size_t cap = ap->cap ? 2 * ap->cap : 16;
        struct labelled *grown =
            arena_alloc(ap->arena, cap * sizeof *grown, ap->e);
        if (!grown) return -1;
        if (ap->count > 0) memcpy(grown, ap->items, ap->count * sizeof *grown);
        ap->items = grown;
        ap->cap = cap;
    }
    ap->items[ap->count++] = (struct labelled){path, *l};
    return 0;
}

int apply_label(struct applying *ap, const struct source_field *f, str path,
                struct label *out) {
    const struct source *s = ap->source;
    struct origin *o = arena_alloc(ap->arena, sizeof *o, ap->e);
    if (!o) return -1;
    *o = (struct origin){ap->call->tool->tool.server, ap->call->tool->tool.name,
                         path, ap->number};
    struct label l = {.integrity = f ? f->integrity : INTEGRITY_UNTRUSTED,
                      .secrecy = s ? s->secrecy : SECRECY_PRIVATE,
                      .readers = s ? s->readers : NULL,
                      .reader_count = s ? s->reader_count : 0,
                      .origins = o,
                      .origin_count = 1};
    if (f && f->has_secrecy) {
        l.secrecy = f->secrecy;
        l.readers = f->readers;
        l.reader_count = f->reader_count;
    }
    if (!ap->use_floor) {
        l.integrity = ap->said;
        l.secrecy = ap->said_secrecy;
    }
    l.integrity = max_integrity(l.integrity, ap->floor);
    l.secrecy = max_secrecy(l.secrecy, ap->secret_floor);
    if (l.secrecy != SECRECY_READERS) {
        l.readers = NULL;
        l.reader_count = 0;
    }
    *out = l;
    return 0;
}

/* The pointer of a place, with "~*" for items of lists. */
static int shape_path(const struct shape *at, struct buf *out, struct err *e) {
    if (!at->up) return 0;
    if (shape_path(at->up, out, e) || buf_add_char(out, '/', e)) return -1;
    if (at->item) return buf_add_text(out, "~*", e);
    return pointer_add(at->key, out, e);
}

static int label_shape(struct applying *ap, const struct shape *at) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    struct source_field form = {0};
    const struct source_field *f = at->field;
    struct label l;
    str path;
    if (giver_of(at) == GIVES_REST) f = source_rest(ap->source);
    if (giver_of(at) == GIVES_FORM) {
        form.integrity = form_integrity(ap->source);
        f = &form;
    }
    return shape_path(at, &text, ap->e) ||
                   arena_dup(ap->arena, buf_str(&text), &path, ap->e) ||
                   apply_label(ap, f, path, &l) || apply_add(ap, path, &l)
               ? -1
               : 0;
}

/* What has its label from the place around it needs none of its own. */
static bool inherits(const struct shape *at) {
    if (!at->up || giver_of(at) != giver_of(at->up)) return false;
    return giver_of(at) == GIVES_FIELD ? at->field == at->up->field : true;
}

static int label_shapes(struct applying *ap, const struct shape *at) {
    if (!inherits(at) && label_shape(ap, at)) return -1;
    for (const struct shape *s = at->below; s; s = s->next)
        if (label_shapes(ap, s)) return -1;
    return 0;
}

int shapes_label(struct applying *ap) {
    return label_shapes(ap, ap->root);
}

int shape_root(struct applying *ap) {
    const struct source_field *rest = source_rest(ap->source);
    ap->root = arena_zalloc(ap->arena, 1, sizeof *ap->root, ap->e);
    if (!ap->root || choose_field(ap->source, ap->root, ap->e)) return -1;
    ap->root->token = rest && rest->token;
    return 0;
}
