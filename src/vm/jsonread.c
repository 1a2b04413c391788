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
#include "vm/engine.h"
#include "vm/taint.h"
#include "vm/text.h"
#include "json/parse.h"

#define HANDLE_ID  18 /* bytes of the name of a handle */
#define DEPTH_MAX  200
#define SHAPE_KEYS 16   /* objects with more keys have a table of their own */
#define SHAPES_MAX 4096 /* no more are made for keys from outside */

struct reader {
    struct vm *vm;
    val waiting; /* list: finished values, and keys, of open containers */
    /* Where values get labels: */
    cordon_label_fn *label;
    void *user;
    size_t depth;
    struct cordon_step path[DEPTH_MAX + 1];
    uint16_t opened[DEPTH_MAX + 1]; /* labels of the open containers */
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

/* {"handle": "h_...", "type": ..., "bytes": ...}: what the host keeps for the
 * program, which reads it through methods. */
static bool is_handle(const struct vm *vm, const val *pairs, size_t members) {
    if (members != 3 || !str_is(text_get(vm, pairs[0]), "handle") ||
        !str_is(text_get(vm, pairs[4]), "bytes") ||
        !vm_is(vm, pairs[1], KIND_STR))
        return false;
    str id = text_get(vm, pairs[1]);
    return id.n == HANDLE_ID && str_starts(id, STR("h_"));
}

static val make_handle(struct vm *vm, const val *pairs) {
    val dict = dict_new_as(vm, vm_prelude(vm, PRELUDE_Handle));
    for (size_t i = 0; dict && i < 3; i++)
        if (dict_set(vm, dict, pairs[2 * i], pairs[2 * i + 1]))
            return VAL_UNSET;
    return dict;
}

static int on_close_object(void *to, size_t members) {
    struct reader *r = to;
    const val *pairs = last(r, 2 * members);
    if (is_handle(r->vm, pairs, members) && vm_prelude(r->vm, PRELUDE_Handle))
        return add(r, make_handle(r->vm, pairs));
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

/* -- with labels
 * ---------------------------------------------------------------
 *
 * The same, and the host is asked for the label of each place. Strings are born
 * with theirs, other values get it when they are there.
 */

static uint16_t ask(struct reader *r, enum cordon_json_type type, str text) {
    struct cordon_place place = {r->path, r->depth, type, text.p, text.n};
    uint16_t label = r->label(r->user, &place);
    return label < r->vm->labels->n ? label : LABEL_TOP;
}

/* The value made last gets its label; the next one stands behind it. */
static int placed(struct reader *r, int bad, uint16_t label) {
    if (bad) return bad;
    uint64_t n = list_len(r->vm, r->waiting);
    val made = list_items(r->vm, r->waiting)[n - 1];
    if (label && value_label(r->vm, made) != label) {
        made = taint_attach(r->vm, made, label);
        if (!made) return -1;
        list_items(r->vm, r->waiting)[n - 1] = made;
    }
    if (r->depth) r->path[r->depth - 1].index++; /* of a key: not looked at */
    return 0;
}

static int null_placed(void *to) {
    uint16_t label = ask(to, CORDON_JSON_NULL, STR(""));
    return placed(to, on_null(to), label);
}

static int boolean_placed(void *to, bool v) {
    uint16_t label = ask(to, CORDON_JSON_BOOL, STR(""));
    return placed(to, on_boolean(to, v), label);
}

static int integer_placed(void *to, int64_t v) {
    uint16_t label = ask(to, CORDON_JSON_NUMBER, STR(""));
    return placed(to, on_integer(to, v), label);
}

static int real_placed(void *to, double v) {
    uint16_t label = ask(to, CORDON_JSON_NUMBER, STR(""));
    return placed(to, on_real(to, v), label);
}

static int big_placed(void *to, char *p, size_t n) {
    uint16_t label = ask(to, CORDON_JSON_NUMBER, STR(""));
    return placed(to, on_big(to, p, n), label);
}

/* The commonest place, so it is not looked at twice. */
static int string_placed(void *to, char *p, size_t n, bool ascii) {
    struct reader *r = to;
    uint16_t label = ask(r, CORDON_JSON_STRING, (str){p, n});
    r->vm->ambient = label;
    val v = text_new_chars(r->vm, p, n, ascii ? n : utf8_count(p, n));
    r->vm->ambient = 0;
    if (v && value_label(r->vm, v) != label) v = taint_attach(r->vm, v, label);
    if (r->depth) r->path[r->depth - 1].index++;
    return add(r, v);
}

static int open_placed(struct reader *r, enum cordon_json_type type) {
    r->opened[r->depth] = ask(r, type, STR(""));
    r->path[r->depth++] = (struct cordon_step){NULL, 0, 0};
    return 0;
}

static int open_array_placed(void *to) {
    return open_placed(to, CORDON_JSON_ARRAY);
}

static int open_object_placed(void *to) {
    return open_placed(to, CORDON_JSON_OBJECT);
}

static int key_placed(void *to, char *p, size_t n, bool ascii) {
    struct reader *r = to;
    r->path[r->depth - 1] = (struct cordon_step){p, n, 0};
    return on_key(to, p, n, ascii);
}

/* A list or a dict is new: its label is written into it. */
static int closed(struct reader *r, int bad) {
    uint16_t label = r->opened[--r->depth];
    if (bad) return bad;
    uint64_t n = list_len(r->vm, r->waiting);
    vm_obj(r->vm, list_items(r->vm, r->waiting)[n - 1])->label = label;
    if (r->depth) r->path[r->depth - 1].index++;
    return 0;
}

static int close_array_placed(void *to, size_t items) {
    return closed(to, on_close_array(to, items));
}

static int close_object_placed(void *to, size_t members) {
    return closed(to, on_close_object(to, members));
}

static const struct parse_sink labelled_sink = {
    .null = null_placed,
    .boolean = boolean_placed,
    .integer = integer_placed,
    .real = real_placed,
    .big = big_placed,
    .string = string_placed,
    .open_array = open_array_placed,
    .close_array = close_array_placed,
    .open_object = open_object_placed,
    .key = key_placed,
    .close_object = close_object_placed,
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

static val read_text(struct reader *r, const struct parse_sink *to, str text,
                     struct err *e) {
    struct vm *vm = r->vm;
    r->waiting = list_new(vm, NULL, 0);
    val store = r->waiting ? heap_store_raw(vm, text.n + 2) : VAL_UNSET;
    if (!store) return explain(PARSE_REFUSED, text, NULL, e);
    struct ostore *o = heap_at(&vm->heap, store);
    char *copy = (char *)o->data + 1;
    if (text.n) memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    struct parse_in in = {.text = copy, .len = text.n, .depth = DEPTH_MAX};
    struct json_fault fault;
    enum parse_result result = parse_run(&in, to, r, &fault);
    val v = result == PARSE_DONE ? *list_items(vm, r->waiting) : VAL_UNSET;
    heap_free(vm, store);
    return v ? v : explain(result, text, &fault, e);
}

val jsonval_read(struct vm *vm, str text, struct err *e) {
    val scalar = read_scalar(text);
    if (scalar) return scalar;
    struct reader r;
    r.vm = vm;
    return read_text(&r, &sink, text, e);
}

val jsonval_read_labelled(struct vm *vm, str text, cordon_label_fn *label,
                          void *user, struct err *e) {
    struct reader r;
    r.vm = vm;
    r.label = label;
    r.user = user;
    r.depth = 0;
    return read_text(&r, &labelled_sink, text, e);
}
