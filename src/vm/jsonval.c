/* SPDX-License-Identifier: MIT
 *
 * jsonval -- values to JSON text, for what crosses to the host.
 */
#include "vm/jsonval.h"

#include <math.h>

#include "base/real.h"
#include "vm/ops.h"
#include "vm/taint.h"
#include "json/write.h"

#define DEPTH_MAX 200

/* -- writing
 * -------------------------------------------------------------------------- */

struct writer {
    struct vm *vm;
    struct buf *out;
    struct err *e;
    unsigned depth;
};

static int write(struct writer *w, val v);

static int text(struct writer *w, const char *s) {
    return buf_add_text(w->out, s, w->e);
}

static int write_real(struct writer *w, double d) {
    char digits[REAL_TEXT_SIZE];
    if (!isfinite(d))
        return fail(w->e, ERR_INVALID,
                    "a float that is not finite has no JSON");
    return buf_add(w->out, digits, real_format_py(d, digits), w->e);
}

static int write_items(struct writer *w, const val *items, uint64_t n) {
    if (text(w, "[")) return -1;
    for (uint64_t i = 0; i < n; i++)
        if ((i && text(w, ", ")) || write(w, items[i])) return -1;
    return text(w, "]");
}

static int write_key(struct writer *w, val key) {
    key = value_plain(w->vm, key);
    if (vm_is(w->vm, key, KIND_STR))
        return json_write_string(text_get(w->vm, key), w->out, w->e);
    if (!int_is(w->vm, key) && !float_is(w->vm, key) && key != VAL_NONE)
        return fail(w->e, ERR_INVALID,
                    "keys must be str, int, float, bool or None, not %s",
                    vm_type_name(w->vm, key));
    return text(w, "\"") || write(w, key) || text(w, "\"") ? -1 : 0;
}

static int write_dict(struct writer *w, val dict) {
    val key, v;
    bool first = true;
    if (text(w, "{")) return -1;
    for (uint64_t i = 0; dict_next(w->vm, dict, &i, &key, &v); first = false)
        if ((!first && text(w, ", ")) || write_key(w, key) || text(w, ": ") ||
            write(w, v))
            return -1;
    return text(w, "}");
}

static int write_container(struct writer *w, val v) {
    enum kind kind = (enum kind)vm_obj(w->vm, v)->kind;
    if (w->depth >= DEPTH_MAX)
        return fail(w->e, ERR_LIMIT, "nested deeper than %d", DEPTH_MAX);
    w->depth++;
    int bad = kind == KIND_DICT ? write_dict(w, v)
              : kind == KIND_LIST
                  ? write_items(w, list_items(w->vm, v), list_len(w->vm, v))
                  : write_items(w, tuple_items(w->vm, v), tuple_len(w->vm, v));
    w->depth--;
    return bad;
}

static int write_big(struct writer *w, val v) {
    val digits = value_repr(w->vm, v);
    if (!digits) return fail(w->e, ERR_LIMIT, "an int too long for JSON");
    return buf_add_str(w->out, text_get(w->vm, digits), w->e);
}

/* A function of the host is named: help(mail.send). */
static int write_hostfn(struct writer *w, val v) {
    const struct ohostfn *fn = (const struct ohostfn *)vm_obj(w->vm, v);
    return json_write_string(text_get(w->vm, fn->name), w->out, w->e);
}

static int write(struct writer *w, val v) {
    v = value_plain(w->vm, v);
    if (v == VAL_NONE) return text(w, "null");
    if (v == VAL_TRUE) return text(w, "true");
    if (v == VAL_FALSE) return text(w, "false");
    if (val_is_int(v))
        return buf_addf(w->out, w->e, "%lld", (long long)val_int(v));
    if (float_is(w->vm, v)) return write_real(w, float_get(w->vm, v));
    switch ((int)vm_obj(w->vm, v)->kind) {
    case KIND_STR: return json_write_string(text_get(w->vm, v), w->out, w->e);
    case KIND_HOSTFN: return write_hostfn(w, v);
    case KIND_INT: return write_big(w, v);
    case KIND_LIST:
    case KIND_TUPLE:
    case KIND_DICT: return write_container(w, v);
    default:
        return fail(w->e, ERR_INVALID,
                    "Object of type %s is not JSON serializable",
                    vm_type_name(w->vm, v));
    }
}

int jsonval_write(struct vm *vm, val v, struct buf *out, struct err *e) {
    struct writer w = {vm, out, e, 0};
    size_t before = out->len;
    if (write(&w, v)) {
        buf_truncate(out, before);
        return -1;
    }
    return 0;
}

/* -- labels by place
 * ------------------------------------------------------------------------- */

struct lister {
    struct vm *vm;
    cordon_place_fn *fn;
    void *user;
    size_t depth;
    struct cordon_step path[DEPTH_MAX + 2];
};

static int list_places(struct lister *l, val v, uint16_t enclosing);

static int list_items_of(struct lister *l, const val *items, uint64_t n,
                         uint16_t label) {
    for (uint64_t i = 0; i < n; i++) {
        l->path[l->depth - 1] = (struct cordon_step){NULL, 0, i};
        if (list_places(l, items[i], label)) return -1;
    }
    return 0;
}

static int list_entries_of(struct lister *l, val dict, uint16_t label) {
    val key, v;
    for (uint64_t i = 0; dict_next(l->vm, dict, &i, &key, &v);) {
        str name = vm_is(l->vm, key, KIND_STR) ? text_get(l->vm, key) : STR("");
        uint16_t both =
            label_join(l->vm->labels, label, taint_deep(l->vm, key));
        l->path[l->depth - 1] = (struct cordon_step){name.p, name.n, 0};
        if (list_places(l, v, both)) return -1;
    }
    return 0;
}

static enum cordon_json_type value_type(struct vm *vm, val v) {
    v = value_plain(vm, v);
    if (v == VAL_NONE) return CORDON_JSON_NULL;
    if (v == VAL_TRUE || v == VAL_FALSE) return CORDON_JSON_BOOL;
    if (int_is(vm, v) || float_is(vm, v)) return CORDON_JSON_NUMBER;
    if (vm_is(vm, v, KIND_LIST) || vm_is(vm, v, KIND_TUPLE))
        return CORDON_JSON_ARRAY;
    return vm_is(vm, v, KIND_DICT) ? CORDON_JSON_OBJECT : CORDON_JSON_STRING;
}

static int list_places(struct lister *l, val v, uint16_t enclosing) {
    struct vm *vm = l->vm;
    enum cordon_json_type type = value_type(vm, v);
    bool holds = type == CORDON_JSON_ARRAY || type == CORDON_JSON_OBJECT;
    uint16_t own = holds ? value_label(vm, v) : taint_deep(vm, v);
    uint16_t label = label_join(vm->labels, enclosing, own);
    str s = vm_is(vm, v, KIND_STR) ? text_get(vm, v) : STR("");
    struct cordon_place place = {l->path, l->depth, type, s.p, s.n};
    l->fn(l->user, &place, label);
    if (!holds) return 0;
    if (l->depth == DEPTH_MAX + 2) return -1;
    l->depth++;
    int bad =
        type == CORDON_JSON_OBJECT ? list_entries_of(l, v, label)
        : vm_is(vm, v, KIND_LIST)
            ? list_items_of(l, list_items(vm, v), list_len(vm, v), label)
            : list_items_of(l, tuple_items(vm, v), tuple_len(vm, v), label);
    l->depth--;
    return bad;
}

int jsonval_places(struct vm *vm, const char *root, val v, cordon_place_fn *fn,
                   void *user) {
    struct lister l;
    l.vm = vm;
    l.fn = fn;
    l.user = user;
    l.depth = 1;
    l.path[0] = (struct cordon_step){root, strlen(root), 0};
    return list_places(&l, v, 0);
}
