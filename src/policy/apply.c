/* SPDX-License-Identifier: MIT
 *
 * The labels of a result: what its source says, no better than the arguments
 * that selected it and what the server says. What does not look like the token
 * it should be gets a label of its own.
 */
#include "policy/apply.h"

#include "base/buf.h"

#define TOKEN_MAX 64

/* -- tokens -----------------------------------------------------------------
 */

/* What an id, an address or a handle looks like. A "channel name" with spaces
 * and a sentence in it is text that someone wrote. */
bool is_token(str s) {
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
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;
    if (s.n > TOKEN_MAX) return false;
    for (; i + 8 <= s.n; i += 8)
        if (!(good[p[i]] & good[p[i + 1]] & good[p[i + 2]] & good[p[i + 3]] &
              good[p[i + 4]] & good[p[i + 5]] & good[p[i + 6]] &
              good[p[i + 7]]))
            return false;
    for (; i < s.n; i++)
        if (!good[p[i]]) return false;
    return true;
}

/* What holds the place that is looked at. The lowest level holds the value. */
struct level {
    const struct json *end;
    struct shape *shape;
    size_t index; /* of the item that is looked at, and one more */
    bool object;
};

/* The pointer of a place in what the level `up` is. */
static int concrete_path(const struct level *stack, const struct level *up,
                         const struct shape *at, struct buf *out,
                         struct err *e) {
    for (const struct level *l = stack + 1; l <= up; l++) {
        str name = l == up ? at->key : (l + 1)->shape->key;
        if (l->object ? buf_add_char(out, '/', e) || pointer_add(name, out, e)
                      : buf_addf(out, e, "/%zu", l->index - 1))
            return -1;
    }
    return 0;
}

/* Text where a token was promised: a label of its own, for this place alone. */
static int demote(struct applying *ap, const struct shape *at,
                  const struct level *stack, const struct level *up) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    struct source_field worse =
        at->field ? *at->field : *source_rest(ap->source);
    struct label l;
    str path;
    worse.integrity = INTEGRITY_UNTRUSTED;
    return concrete_path(stack, up, at, &text, ap->e) ||
                   arena_dup(ap->arena, buf_str(&text), &path, ap->e) ||
                   apply_label(ap, &worse, path, &l) || apply_add(ap, path, &l)
               ? -1
               : 0;
}

static inline bool breaks_promise(const struct shape *at,
                                  const struct json *v) {
    return at->token && json_type(v) == JSON_STRING && !is_token(json_str(v));
}

/* Nor may a key of an object be a sentence where tokens were promised: then
 * the whole object is not believed. */
static int demote_object(struct applying *ap, const struct level *stack,
                         const struct level *object) {
    if (object == stack + 1) return ap->floor = INTEGRITY_UNTRUSTED, 0;
    return demote(ap, object->shape, stack, object - 1);
}

static int walk(struct applying *ap, const struct json *value,
                struct level *stack) {
    const struct json *node = value;
    struct shape *at = ap->root;
    struct level *up = stack;
    *up = (struct level){.end = json_skip(value)};
    for (;;) {
        if (json_type(node) >= JSON_ARRAY) {
            *++up = (struct level){json_skip(node), at, 0,
                                   json_type(node) == JSON_OBJECT};
        } else {
            at->leaf = true;
            if (breaks_promise(at, node) && demote(ap, at, stack, up))
                return -1;
        }
        node++;
        while (node == up->end) {
            if (up == stack) return 0;
            up--;
        }
        up->index++;
        str key = STR("");
        if (up->object) {
            if (breaks_promise(up->shape, node) && demote_object(ap, stack, up))
                return -1;
            key = json_str(node++);
        }
        at = shape_enter(ap, up->shape, key, !up->object);
        if (!at) return -1;
    }
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
        arena_alloc(a, (JSON_DEPTH_MAX + 3) * sizeof *stack, e);
    if (!b || !labels || !stack) return -1;
    ap.source = b->source;
    if (shape_root(&ap) || hear_arguments(&ap, b)) return -1;
    hear_server(&ap, meta);
    /* A text that should have been fields is as bad as the worst of them. */
    if (json_type(value) < JSON_ARRAY) label_text_as_worst(&ap);
    if (walk(&ap, value, stack)) return -1;
    if (shapes_label(&ap)) return -1;
    if (ap.source && ap.source->readers_from && ap.use_floor &&
        ap.secret_floor < SECRECY_PRIVATE && records_label(&ap, value))
        return -1;
    labels->items = ap.items;
    labels->count = ap.count;
    *out = labels;
    return 0;
}
