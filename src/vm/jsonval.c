/* SPDX-License-Identifier: MIT
 *
 * jsonval -- values to JSON text and back, for what crosses to the host.
 */
#include "vm/jsonval.h"

#include <math.h>

#include "base/arena.h"
#include "base/real.h"
#include "vm/ops.h"
#include "json/json.h"
#include "json/write.h"

#define DEPTH_MAX 200
#define READ_MAX  ((size_t)256 << 20)

/* -- writing
 * -------------------------------------------------------------------------- */

struct writer {
    struct vm *vm;
    struct buf *out;
    struct err *e;
    unsigned depth;
    bool charged; /* by what is written, because a program asked for it */
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

/* The limit that fires is raised; *e only has to say something. */
static int charge(struct writer *w) {
    if (!w->charged || vm_charge(w->vm, 8)) return 0;
    return fail(w->e, ERR_LIMIT, "a limit was reached");
}

static int write(struct writer *w, val v) {
    if (charge(w)) return -1;
    if (v == VAL_NONE) return text(w, "null");
    if (v == VAL_TRUE) return text(w, "true");
    if (v == VAL_FALSE) return text(w, "false");
    if (val_is_int(v))
        return buf_addf(w->out, w->e, "%lld", (long long)val_int(v));
    if (float_is(w->vm, v)) return write_real(w, float_get(w->vm, v));
    switch ((int)vm_obj(w->vm, v)->kind) {
    case KIND_STR: return json_write_string(text_get(w->vm, v), w->out, w->e);
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

static int write_all(struct vm *vm, val v, bool charged, struct buf *out,
                     struct err *e) {
    struct writer w = {vm, out, e, 0, charged};
    size_t before = out->len;
    if (write(&w, v)) {
        buf_truncate(out, before);
        return -1;
    }
    return 0;
}

int jsonval_write(struct vm *vm, val v, struct buf *out, struct err *e) {
    return write_all(vm, v, false, out, e);
}

int jsonval_write_charged(struct vm *vm, val v, struct buf *out,
                          struct err *e) {
    return write_all(vm, v, true, out, e);
}

/* -- reading
 * ----------------------------------------------------------------------------
 */

static val build(struct vm *vm, const struct json *j);

static val build_list_of(struct vm *vm, const struct json *j) {
    val list = list_new(vm, NULL, 0);
    const struct json *item = json_first(j);
    for (size_t i = json_len(j); list && i > 0; i--, item = json_skip(item)) {
        val v = build(vm, item);
        if (!v || list_append(vm, list, v)) return VAL_UNSET;
    }
    return list;
}

static val build_dict_of(struct vm *vm, const struct json *j) {
    val dict = dict_new(vm);
    const struct json *key = json_first(j);
    for (size_t i = json_len(j); dict && i > 0; i--, key = json_skip(key + 1)) {
        val k = text_intern(vm, json_str(key)), v = k ? build(vm, key + 1) : k;
        if (!v || dict_set(vm, dict, k, v)) return VAL_UNSET;
    }
    return dict;
}

static val build_number_text(struct vm *vm, str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '.' || s.p[i] == 'e' || s.p[i] == 'E')
            return float_new(vm, real_parse(s));
    return int_parse(vm, s, 10);
}

static val build(struct vm *vm, const struct json *j) {
    switch (json_type(j)) {
    case JSON_NULL: return VAL_NONE;
    case JSON_BOOL: return val_of_bool(j->as.boolean);
    case JSON_INT: return int_new(vm, j->as.integer);
    case JSON_REAL: return float_new(vm, j->as.real);
    case JSON_BIG: return build_number_text(vm, json_str(j));
    case JSON_STRING: return text_new(vm, json_str(j).p, json_str(j).n);
    case JSON_ARRAY: return build_list_of(vm, j);
    case JSON_OBJECT: return build_dict_of(vm, j);
    }
    return VAL_UNSET;
}

/* Short ints and the three words, the commonest answers, without a tree. */
static val read_scalar(str s) {
    if (str_is(s, "null")) return VAL_NONE;
    if (str_is(s, "true")) return VAL_TRUE;
    if (str_is(s, "false")) return VAL_FALSE;
    bool minus = s.n > 0 && s.p[0] == '-';
    size_t first = minus;
    if (s.n == first || s.n > 17) return VAL_UNSET;
    if (s.p[first] == '0' && s.n > first + 1) return VAL_UNSET;
    int64_t i = 0;
    for (size_t k = first; k < s.n; k++) {
        if (s.p[k] < '0' || s.p[k] > '9') return VAL_UNSET;
        i = i * 10 + (s.p[k] - '0');
    }
    return val_of_int(minus ? -i : i);
}

val jsonval_read(struct vm *vm, str text_, struct err *e) {
    val scalar = read_scalar(text_);
    if (scalar) return scalar;
    AUTO_ARENA struct arena a = ARENA_MAX(READ_MAX);
    struct json_limits limits = {.depth = DEPTH_MAX, .keep_duplicates = true};
    const struct json *j;
    if (json_parse(text_, &limits, &a, &j, e)) return VAL_UNSET;
    val v = build(vm, j);
    if (!v) err_set(e, ERR_LIMIT, "the value does not fit the memory limit");
    return v;
}
