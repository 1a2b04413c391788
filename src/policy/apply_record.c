/* SPDX-License-Identifier: MIT
 *
 * Records that name their readers: each mail of a list may be seen by those
 * that it names.
 */
#include "policy/apply.h"

#include "base/buf.h"

#include <stdlib.h>

#define RECORD_LABELS  8192 /* of one result; what is beyond stays private */
#define RECORD_READERS 256  /* of one record; one with more stays private */

struct record {
    str concrete, general; /* "/3", "/~*" */
    const str *readers;
    size_t count;
};

static int by_text(const void *a, const void *b) {
    return str_cmp(*(const str *)a, *(const str *)b);
}

static int add_reader(const struct json *v, str *out, size_t *count) {
    if (json_type(v) != JSON_STRING) return 0;
    if (*count == RECORD_READERS) return -1;
    if (is_token(json_str(v)) && json_len(v) > 0) out[(*count)++] = json_str(v);
    return 0;
}

/* The addresses in a field: a text, or a list of texts. -1: too many. */
static int add_readers(const struct json *v, str *out, size_t *count) {
    if (!v || json_type(v) != JSON_ARRAY)
        return v ? add_reader(v, out, count) : 0;
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        if (add_reader(item, out, count)) return -1;
    return 0;
}

/* Sorted, no two alike; false: this object does not name its readers. */
static bool find_readers(struct applying *ap, const struct json *object,
                         struct record *r) {
    str all[RECORD_READERS];
    size_t count = 0, kept = 0;
    bool names = false;
    for (const struct name *n = ap->source->readers_from; n; n = n->next) {
        const struct json *v = json_get_str(object, n->text);
        names = names || v;
        if (add_readers(v, all, &count)) return false;
    }
    str *copy = names
                    ? arena_alloc(ap->arena, (count + 1) * sizeof *copy, ap->e)
                    : NULL;
    if (!copy) return false;
    qsort(all, count, sizeof *all, by_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(all[i], copy[kept - 1])) copy[kept++] = all[i];
    r->readers = copy;
    r->count = kept;
    return true;
}

/* What was demoted at or above this very place stays so; least: how long the
 * path of such a place is. */
static enum integrity demoted(const struct applying *ap, size_t forms,
                              size_t least, str path) {
    enum integrity worst = INTEGRITY_USER;
    for (size_t i = 0; i < forms; i++) {
        str at = ap->items[i].path;
        if (str_starts(path, at) && (path.n == at.n || path.p[at.n] == '/') &&
            at.n >= least)
            worst = max_integrity(worst, ap->items[i].label.integrity);
    }
    return worst;
}

static bool leads_to(str path, str place) {
    return str_starts(place, path) &&
           (path.n == place.n || place.p[path.n] == '/');
}

static int add_for_record(struct applying *ap, const struct record *r,
                          size_t forms, str below, const struct label *like) {
    AUTO_BUF struct buf path = BUF_MAX(1 << 20);
    struct label l = *like;
    str kept;
    if (l.secrecy != SECRECY_PRIVATE) return 0;
    l.secrecy = SECRECY_READERS;
    l.readers = r->readers;
    l.reader_count = r->count;
    if (buf_add_str(&path, r->concrete, ap->e) ||
        buf_add_str(&path, below, ap->e) ||
        arena_dup(ap->arena, buf_str(&path), &kept, ap->e))
        return -1;
    /* Outside of lists a form is itself a place. */
    size_t least = r->concrete.n + str_eq(r->concrete, r->general);
    l.integrity = max_integrity(l.integrity, demoted(ap, forms, least, kept));
    return apply_add(ap, kept, &l);
}

/* Each place of the record gets the label of its form, with these readers; what
 * has no form of its own has that of the place around the record. */
static int label_record(struct applying *ap, const struct record *r,
                        size_t forms) {
    const struct labelled *around = NULL;
    for (size_t i = 0; i < forms; i++)
        if (leads_to(ap->items[i].path, r->general) &&
            (!around || ap->items[i].path.n > around->path.n))
            around = &ap->items[i];
    struct label whole = around ? around->label : *label_unknown();
    if (add_for_record(ap, r, forms, STR(""), &whole)) return -1;
    for (size_t i = 0; i < forms && ap->count < RECORD_LABELS; i++) {
        struct labelled form = ap->items[i];
        if (form.path.n == r->general.n || !leads_to(r->general, form.path))
            continue;
        str below = str_sub(form.path, r->general.n, form.path.n);
        if (add_for_record(ap, r, forms, below, &form.label)) return -1;
    }
    return 0;
}

static int visit_record(struct applying *ap, const struct json *v,
                        struct buf *concrete, struct buf *general, size_t forms,
                        int depth);

static int visit_below(struct applying *ap, const struct json *v, str key,
                       size_t index, struct buf *concrete, struct buf *general,
                       size_t forms, int depth) {
    size_t c = concrete->len, g = general->len;
    bool item = !key.p;
    if (buf_add_char(concrete, '/', ap->e) || buf_add_char(general, '/', ap->e))
        return -1;
    if (item ? buf_addf(concrete, ap->e, "%zu", index) ||
                   buf_add_text(general, "~*", ap->e)
             : pointer_add(key, concrete, ap->e) ||
                   pointer_add(key, general, ap->e))
        return -1;
    if (visit_record(ap, v, concrete, general, forms, depth + 1)) return -1;
    buf_truncate(concrete, c);
    buf_truncate(general, g);
    return 0;
}

static int visit_record(struct applying *ap, const struct json *v,
                        struct buf *concrete, struct buf *general, size_t forms,
                        int depth) {
    if (json_type(v) < JSON_ARRAY || depth > 16) return 0;
    bool object = json_type(v) == JSON_OBJECT;
    struct record r = {buf_str(concrete), buf_str(general), NULL, 0};
    if (object && find_readers(ap, v, &r)) return label_record(ap, &r, forms);
    const struct json *at = json_first(v);
    for (size_t i = 0; i < json_len(v); i++) {
        const struct json *value = object ? at + 1 : at;
        str key = object ? json_str(at) : (str){0};
        if (visit_below(ap, value, key, i, concrete, general, forms, depth))
            return -1;
        at = json_skip(value);
    }
    return 0;
}

int records_label(struct applying *ap, const struct json *value) {
    AUTO_BUF struct buf concrete = BUF_MAX(1 << 20), general = BUF_MAX(1 << 20);
    return visit_record(ap, value, &concrete, &general, ap->count, 0);
}
