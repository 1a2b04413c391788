/* SPDX-License-Identifier: MIT
 *
 * The labels of a result. The value is walked once beside a tree of its
 * shapes: all items of a list share one node, so a list of a thousand mails
 * has the labels of one. What does not look like the token it should be gets a
 * label of its own.
 */
#include "policy/facts.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN_MAX 64

/* What gives a place its label. */
enum giver {
    GIVES_FIELD, /* a field of the source that names it, or what holds it */
    GIVES_FORM,  /* a record or list on the way to such a field */
    GIVES_REST,  /* the source's "*" */
};

/* A place in every record of the same form. */
struct shape {
    str key; /* of an object; items of a list have none */
    const struct source_field *field; /* that names it or what holds it */
    bool token;                       /* its strings must be tokens */
    bool way;                         /* named fields lie below */
    bool leaf, container;             /* as seen in the value */
    bool item;
    struct shape *up, *below, *next;
    struct shape *last; /* child that was entered last */
};

struct applying {
    const struct source *source;
    const struct policy_call *call;
    struct arena *arena;
    uint64_t number;
    enum integrity floor; /* of the arguments that selected the result */
    enum secrecy secret_floor;
    bool use_floor; /* false: the server's labels are authoritative */
    enum integrity said;
    enum secrecy said_secrecy;
    struct shape *root;
    struct labelled *items;
    size_t count, cap;
    struct err *e;
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

static const struct source_field *rest_field(const struct source *s) {
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

/* Records of one list have their members in one order: the next one is mostly
 * behind the last. */
static struct shape *enter(struct applying *ap, struct shape *up, str key,
                           bool item) {
    struct shape *guess =
        up->last && up->last->next ? up->last->next : up->below;
    if (guess && guess->item == item && guess->key.n == key.n &&
        (key.n == 0 || memcmp(guess->key.p, key.p, key.n) == 0))
        return up->last = guess;
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
    const struct source_field *f = s->field ? s->field : rest_field(ap->source);
    s->token = f && f->token;
    *tail = s;
    return up->last = s;
}

/* -- labels -----------------------------------------------------------------
 */

static int add_item(struct applying *ap, str path, const struct label *l) {
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

static enum integrity max_integrity(enum integrity a, enum integrity b) {
    return a > b ? a : b;
}

static enum secrecy max_secrecy(enum secrecy a, enum secrecy b) {
    return a > b ? a : b;
}

static int label_of(struct applying *ap, const struct source_field *f, str path,
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
    if (giver_of(at) == GIVES_REST) f = rest_field(ap->source);
    if (giver_of(at) == GIVES_FORM) {
        form.integrity = form_integrity(ap->source);
        f = &form;
    }
    return shape_path(at, &text, ap->e) ||
                   arena_dup(ap->arena, buf_str(&text), &path, ap->e) ||
                   label_of(ap, f, path, &l) || add_item(ap, path, &l)
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

/* -- tokens -----------------------------------------------------------------
 */

/* What an id, an address or a handle looks like. A "channel name" with spaces
 * and a sentence in it is text that someone wrote. */
static bool is_token(str s) {
    static const bool good[256] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* nothing of these */
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* thirty-two */
        0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, /* # + - . / */
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, /* 0-9 : */
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* @ A-O */
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, /* P-Z _ */
        0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* a-o */
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, /* p-z */
    };
    if (s.n > TOKEN_MAX) return false;
    for (size_t i = 0; i < s.n; i++)
        if (!good[(unsigned char)s.p[i]]) return false;
    return true;
}

struct level {
    const struct json *end;
    struct shape *shape;
    size_t index; /* of the next item */
    bool object;
};

/* Text where a token was promised: a label of its own, for this place alone. */
static int demote(struct applying *ap, const struct source_field *f,
                  const struct level *stack, size_t depth, str key,
                  size_t index) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    for (size_t i = 0; i < depth; i++) {
        const struct level *l = &stack[i];
        bool last = i + 1 == depth;
        str name = last ? key : stack[i + 1].shape->key;
        size_t number = last ? index : l->index - 1;
        if (l->object ? buf_add_char(&text, '/', ap->e) ||
                            pointer_add(name, &text, ap->e)
                      : buf_addf(&text, ap->e, "/%zu", number))
            return -1;
    }
    struct source_field worse = *f;
    struct label l;
    str path;
    worse.integrity = INTEGRITY_UNTRUSTED;
    return arena_dup(ap->arena, buf_str(&text), &path, ap->e) ||
                   label_of(ap, &worse, path, &l) || add_item(ap, path, &l)
               ? -1
               : 0;
}

static bool breaks_promise(const struct shape *at, const struct json *v) {
    return at->token && json_type(v) == JSON_STRING && !is_token(json_str(v));
}

static int check_leaf(struct applying *ap, const struct shape *at,
                      const struct json *v, const struct level *stack,
                      size_t depth, str key, size_t index) {
    if (!breaks_promise(at, v)) return 0;
    const struct source_field *f =
        at->field ? at->field : rest_field(ap->source);
    return demote(ap, f, stack, depth, key, index);
}

/* Nor may a key of an object be a sentence where tokens were promised: then
 * the whole object is not believed. */
static int check_key(struct applying *ap, const struct json *key,
                     const struct level *stack, size_t depth) {
    const struct level *up = &stack[depth - 1];
    if (!breaks_promise(up->shape, key)) return 0;
    if (depth == 1) return ap->floor = INTEGRITY_UNTRUSTED, 0;
    return check_leaf(ap, up->shape, key, stack, depth - 1, up->shape->key,
                      stack[depth - 2].index - 1);
}

static int walk(struct applying *ap, const struct json *value,
                struct level *stack) {
    size_t depth = 0;
    const struct json *node = value;
    struct shape *at = ap->root;
    str key = STR("");
    size_t index = 0;
    for (;;) {
        if (json_type(node) >= JSON_ARRAY) {
            stack[depth++] = (struct level){json_skip(node), at, 0,
                                            json_type(node) == JSON_OBJECT};
            node++;
        } else {
            at->leaf = true;
            if (check_leaf(ap, at, node, stack, depth, key, index)) return -1;
            node++;
        }
        while (depth > 0 && node == stack[depth - 1].end)
            depth--;
        if (depth == 0) return 0;
        struct level *up = &stack[depth - 1];
        bool object = up->object;
        key = object ? json_str(node) : STR("");
        index = up->index++;
        if (object && check_key(ap, node, stack, depth)) return -1;
        at = enter(ap, up->shape, key, !object);
        if (!at) return -1;
        if (object) node++;
    }
}

/* -- records that name their readers ----------------------------------------
 */

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
    return add_item(ap, kept, &l);
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

static int label_records(struct applying *ap, const struct json *value) {
    AUTO_BUF struct buf concrete = BUF_MAX(1 << 20), general = BUF_MAX(1 << 20);
    return visit_record(ap, value, &concrete, &general, ap->count, 0);
}

/* -- what the server says ---------------------------------------------------
 */

static enum secrecy said_secrecy(const struct json *v) {
    if (v && json_type(v) == JSON_STRING) {
        if (str_is(json_str(v), "public")) return SECRECY_PUBLIC;
        if (str_is(json_str(v), "secret")) return SECRECY_SECRET;
    }
    return SECRECY_PRIVATE;
}

static enum integrity said_integrity(const struct json *v) {
    enum integrity i = INTEGRITY_UNTRUSTED;
    if (v && json_type(v) == JSON_STRING && str_is(json_str(v), "trusted"))
        i = INTEGRITY_TRUSTED;
    return i;
}

/* _meta.ifc: {"integrity": "trusted" | "untrusted", "confidentiality":
 * "public" | "private" | "secret"}. What is there but not understood counts as
 * the worse. */
static void hear_server(struct applying *ap, const struct json *meta) {
    const struct json *ifc = json_get(meta, "ifc");
    if (!ifc) return;
    const struct json *integrity = json_get(ifc, "integrity");
    const struct json *secrecy = json_get(ifc, "confidentiality");
    ap->said = said_integrity(integrity);
    ap->said_secrecy = said_secrecy(secrecy);
    if (ap->source && ap->source->ifc && ap->source->authoritative) {
        ap->use_floor = false;
        return;
    }
    if (integrity) ap->floor = max_integrity(ap->floor, ap->said);
    if (secrecy)
        ap->secret_floor = max_secrecy(ap->secret_floor, ap->said_secrecy);
}

/* The arguments chose what came back, so it is no better than they are. */
static int hear_arguments(struct applying *ap, const struct bound *b) {
    struct facts f = {0};
    if (facts_gather(&f, ap->call, b, ap->arena, ap->e)) return -1;
    ap->floor = f.worst;
    return 0;
}

static void label_text_as_worst(struct applying *ap) {
    for (const struct source_field *f = ap->source ? ap->source->fields : NULL;
         f; f = f->next)
        ap->floor = max_integrity(ap->floor, f->integrity);
}

int policy_label(struct policy *p, const struct policy_call *c,
                 const struct json *value, const struct json *meta,
                 uint64_t call, struct arena *a, const struct labels **out,
                 struct err *e) {
    const struct bound *b = policy_bind(p, &c->tool->tool, e);
    struct applying ap = {
        .call = c, .arena = a, .number = call, .use_floor = true, .e = e};
    struct labels *labels = arena_zalloc(a, 1, sizeof *labels, e);
    struct level *stack =
        arena_alloc(a, (JSON_DEPTH_MAX + 2) * sizeof *stack, e);
    ap.root = arena_zalloc(a, 1, sizeof *ap.root, e);
    if (!b || !labels || !stack || !ap.root) return -1;
    ap.source = b->source;
    if (choose_field(ap.source, ap.root, e)) return -1;
    const struct source_field *rest = rest_field(ap.source);
    ap.root->token = rest && rest->token;
    if (hear_arguments(&ap, b)) return -1;
    hear_server(&ap, meta);
    /* A text that should have been fields is as bad as the worst of them. */
    if (json_type(value) < JSON_ARRAY) label_text_as_worst(&ap);
    if (walk(&ap, value, stack)) return -1;
    if (label_shapes(&ap, ap.root)) return -1;
    if (ap.source && ap.source->readers_from && ap.use_floor &&
        ap.secret_floor < SECRECY_PRIVATE && label_records(&ap, value))
        return -1;
    labels->items = ap.items;
    labels->count = ap.count;
    *out = labels;
    return 0;
}
