/* SPDX-License-Identifier: MIT
 *
 * JSON text to values: the sink of the one JSON reader (json/parse.h) that
 * makes objects of a run. Everything it needs, the writable copy of the text
 * and the values that wait for their container, is in the heap, so that the
 * memory limit holds while it reads. */
#include "vm/jsonval.h"

#include "base/real.h"
#include "base/utf8.h"
#include "vm/dict.h"
#include "vm/text.h"
#include "json/parse.h"

#define DEPTH_MAX  200
#define SHAPE_KEYS 16   /* objects with more keys have a table of their own */
#define SHAPES_MAX 4096 /* no more are made for keys from outside */

struct reader {
    struct vm *vm;
    val waiting; /* list: finished values, and keys, of open containers */
};

static int add(struct reader *r, val v) {
    return v ? list_append(r->vm, r->waiting, v) : -1;
}

static int on_null(void *to) {
    return add(to, VAL_NONE);
}

static int on_boolean(void *to, bool v) {
    return add(to, val_of_bool(v));
}

static int on_integer(void *to, int64_t v) {
    struct reader *r = to;
    return add(r, int_new(r->vm, v));
}

static int on_real(void *to, double v) {
    struct reader *r = to;
    return add(r, float_new(r->vm, v));
}

/* An int of many digits, or a float out of range. */
static int on_big(void *to, char *p, size_t n) {
    struct reader *r = to;
    str s = {p, n};
    for (size_t i = 0; i < n; i++)
        if (p[i] == '.' || p[i] == 'e' || p[i] == 'E')
            return add(r, float_new(r->vm, real_parse(s)));
    return add(r, int_parse(r->vm, s, 10));
}

static int on_string(void *to, char *p, size_t n, bool ascii) {
    struct reader *r = to;
    return add(r, text_new_chars(r->vm, p, n, ascii ? n : utf8_count(p, n)));
}

static int on_key(void *to, char *p, size_t n, bool ascii) {
    struct reader *r = to;
    (void)ascii;
    return add(r, text_intern(r->vm, (str){p, n}));
}

static int on_open(void *to) {
    (void)to;
    return 0;
}

/* The last n values that wait, and they wait no longer. */
static const val *last(struct reader *r, size_t n) {
    struct olist *l = heap_at(&r->vm->heap, r->waiting);
    l->len -= n;
    return n ? list_items(r->vm, r->waiting) + l->len : NULL;
}

static int on_close_array(void *to, size_t items) {
    struct reader *r = to;
    return add(r, list_new(r->vm, last(r, items), items));
}

/* A dict that shares its keys with others; unset where that does not suit. */
static val shared_dict(struct vm *vm, const val *pairs, size_t n) {
    val values[SHAPE_KEYS], shape = shape_empty(vm);
    if (shape_count(vm) > SHAPES_MAX) return VAL_UNSET;
    for (size_t i = 0; shape && i < n; i++) {
        if (shape_find(vm, shape, pairs[2 * i]) >= 0) return VAL_UNSET;
        shape = shape_add(vm, shape, pairs[2 * i]);
        values[i] = pairs[2 * i + 1];
    }
    return shape ? dict_from_shape(vm, shape, values) : VAL_UNSET;
}

static val own_dict(struct vm *vm, const val *pairs, size_t n) {
    val dict = dict_new(vm);
    for (size_t i = 0; dict && i < n; i++)
        if (dict_set(vm, dict, pairs[2 * i], pairs[2 * i + 1]))
            return VAL_UNSET;
    return dict;
}

static int on_close_object(void *to, size_t members) {
    struct reader *r = to;
    const val *pairs = last(r, 2 * members);
    val dict = members && members <= SHAPE_KEYS
                   ? shared_dict(r->vm, pairs, members)
                   : VAL_UNSET;
    if (!dict && !r->vm->memory_failed) dict = own_dict(r->vm, pairs, members);
    return add(r, dict);
}

static const struct parse_sink sink = {
    .null = on_null,
    .boolean = on_boolean,
    .integer = on_integer,
    .real = on_real,
    .big = on_big,
    .string = on_string,
    .open_array = on_open,
    .close_array = on_close_array,
    .open_object = on_open,
    .key = on_key,
    .close_object = on_close_object,
};

/* Short ints and the three words, the commonest answers, without more. */
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

static val explain(enum parse_result result, str text, struct json_fault *fault,
                   struct err *e) {
    if (result == PARSE_REFUSED) {
        err_set(e, ERR_LIMIT, "the value does not fit the memory limit");
        return VAL_UNSET;
    }
    parse_locate(text, fault);
    parse_explain(text, fault, e);
    return VAL_UNSET;
}

val jsonval_read(struct vm *vm, str text, struct err *e) {
    val scalar = read_scalar(text);
    if (scalar) return scalar;
    struct reader r = {vm, list_new(vm, NULL, 0)};
    val store = r.waiting ? heap_store(vm, text.n + 2, 0) : VAL_UNSET;
    if (!store) return explain(PARSE_REFUSED, text, NULL, e);
    struct ostore *o = heap_at(&vm->heap, store);
    char *copy = (char *)o->data + 1;
    if (text.n) memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    struct parse_in in = {.text = copy, .len = text.n, .depth = DEPTH_MAX};
    struct json_fault fault;
    enum parse_result result = parse_run(&in, &sink, &r, &fault);
    val v = result == PARSE_DONE ? *list_items(vm, r.waiting) : VAL_UNSET;
    heap_free(vm, store);
    return v ? v : explain(result, text, &fault, e);
}
