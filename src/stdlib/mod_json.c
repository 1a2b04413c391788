/* SPDX-License-Identifier: MIT
 *
 * json: plain values to plain text and back in C; options, hooks, odd values
 * and the words of errors are in json.py.
 */
#include <math.h>

#include "base/real.h"
#include "base/utf8.h"
#include "vm/jsonval.h"
#include "vm/native.h"
#include "vm/text.h"

#define DEPTH_MAX 200

struct writer {
    struct build b;
    bool ascii; /* nothing but ASCII */
    unsigned depth;
};

/* -1: raised (b.failed), or something for Python to write. */
static int write(struct writer *w, val v);

static void add(struct writer *w, const char *text) {
    build_ascii(&w->b, text, strlen(text));
}

static void add_unit(struct writer *w, uint32_t unit) {
    static const char digits[] = "0123456789abcdef";
    const char six[6] = {'\\',
                         'u',
                         digits[unit >> 12 & 15],
                         digits[unit >> 8 & 15],
                         digits[unit >> 4 & 15],
                         digits[unit & 15]};
    build_ascii(&w->b, six, sizeof six);
}

/* Those beyond the BMP as two. */
static void add_escaped(struct writer *w, uint32_t cp) {
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; cp < 128 && i + 1 < sizeof letters; i += 2) {
        if ((char)cp != letters[i]) continue;
        build_ascii(&w->b, (char[2]){'\\', letters[i + 1]}, 2);
        return;
    }
    if (cp >= 0x10000) {
        cp -= 0x10000;
        add_unit(w, 0xd800 + (cp >> 10));
        cp = 0xdc00 + (cp & 0x3ff);
    }
    add_unit(w, cp);
}

static bool plain(const struct writer *w, char c) {
    unsigned char u = (unsigned char)c;
    if (u < ' ' || u == '"' || u == '\\') return false;
    return u < 0x7f || !w->ascii;
}

static int write_text(struct writer *w, str s) {
    struct vm *vm = w->b.vm;
    vm_spend(vm, s.n);
    add(w, "\"");
    for (size_t i = 0; i < s.n && !w->b.failed;) {
        size_t from = i;
        while (i < s.n && plain(w, s.p[i]))
            i++;
        build_add(&w->b, s.p + from, i - from);
        if (i == s.n) break;
        uint32_t cp = (unsigned char)s.p[i];
        size_t n = cp < 128 ? 1 : utf8_decode_loose(s.p + i, s.n - i, &cp);
        add_escaped(w, cp);
        i += n ? n : 1;
    }
    add(w, "\"");
    return w->b.failed ? -1 : 0;
}

static int write_real(struct writer *w, double d) {
    char digits[REAL_TEXT_SIZE];
    if (!isfinite(d)) return -1;
    build_ascii(&w->b, digits, real_format_py(d, digits));
    return 0;
}

static int write_int(struct writer *w, val v) {
    if (!val_is_int(v) && type_of(w->b.vm, v) != TYPE_VAL(int)) return -1;
    val digits = value_repr(w->b.vm, v);
    if (digits) build_val(&w->b, digits);
    return digits ? 0 : -1;
}

static int write_items(struct writer *w, const val *items, uint64_t n) {
    add(w, "[");
    for (uint64_t i = 0; i < n; i++) {
        if (i) add(w, ", ");
        if (write(w, items[i])) return -1;
    }
    add(w, "]");
    return 0;
}

static int write_key(struct writer *w, val key) {
    struct vm *vm = w->b.vm;
    if (vm_is(vm, key, KIND_STR)) return write_text(w, text_get(vm, key));
    if (!int_is(vm, key) && !float_is(vm, key) && key != VAL_NONE) return -1;
    add(w, "\"");
    if (write(w, key)) return -1;
    add(w, "\"");
    return 0;
}

static int write_dict(struct writer *w, val dict) {
    val key, v;
    bool first = true;
    add(w, "{");
    for (uint64_t i = 0; dict_next(w->b.vm, dict, &i, &key, &v);) {
        if (!first) add(w, ", ");
        first = false;
        if (write_key(w, key)) return -1;
        add(w, ": ");
        if (write(w, v)) return -1;
    }
    add(w, "}");
    return 0;
}

static int write_container(struct writer *w, val v) {
    struct vm *vm = w->b.vm;
    if (w->depth == DEPTH_MAX) return -1;
    w->depth++;
    int bad = vm_is(vm, v, KIND_DICT) ? write_dict(w, v)
              : vm_is(vm, v, KIND_LIST)
                  ? write_items(w, list_items(vm, v), list_len(vm, v))
                  : write_items(w, tuple_items(vm, v), tuple_len(vm, v));
    w->depth--;
    return bad;
}

static int write(struct writer *w, val v) {
    struct vm *vm = w->b.vm;
    if (w->b.failed || !vm_charge(vm, 8)) return -1;
    if (val_is_int(v)) return write_int(w, v);
    if (v == VAL_NONE || v == VAL_TRUE || v == VAL_FALSE) {
        add(w, v == VAL_NONE ? "null" : v == VAL_TRUE ? "true" : "false");
        return 0;
    }
    if (float_is(vm, v)) return write_real(w, float_get(vm, v));
    switch ((int)vm_obj(vm, v)->kind) {
    case KIND_STR: return write_text(w, text_get(vm, v));
    case KIND_INT: return write_int(w, v);
    case KIND_LIST:
    case KIND_TUPLE:
    case KIND_DICT: return write_container(w, v);
    default: return -1;
    }
}

/* None: this is for Python to write. */
static val j_encode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct writer w = {.ascii = args[1] == VAL_TRUE};
    build_init(&w.b, vm);
    if (!write(&w, args[0])) return build_take(&w.b);
    build_drop(&w.b);
    vm->slow_wanted = false;
    return vm_failed(vm) ? VAL_UNSET : VAL_NONE;
}

/* None: Python reads it again, to say what is wrong or to accept more. */
static val j_decode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct err e;
    if (!vm_is(vm, args[0], KIND_STR)) return VAL_NONE;
    str text = text_get(vm, args[0]);
    if (!vm_charge(vm, 1 + 8 * text.n)) return VAL_UNSET;
    val v = jsonval_read(vm, text, &e);
    if (!v) return vm_failed(vm) ? VAL_UNSET : VAL_NONE;
    return tuple_new(vm, &v, 1); /* None is a value too */
}

static const struct native functions[] = {
    {"_encode", "obj, ensure_ascii, /", j_encode, "Plain JSON, or None.", NULL},
    {"_decode", "text, /", j_decode, "A tuple of the value, or None.", NULL},
    {0},
};

const struct native_module module_json = {.name = "json",
                                          .functions = functions};
