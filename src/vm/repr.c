/* SPDX-License-Identifier: MIT
 *
 * repr() and str() of builtin values. */
#include "vm/repr.h"
#include "vm/exc.h"

#include "base/utf8.h"
#include "vm/bigint.h"
#include "vm/bytes.h"
#include "vm/dict.h"
#include "vm/number.h"
#include "vm/set.h"
#include "vm/unicode.h"

#include <stdio.h>

void build_cstr(struct build *b, const char *text) {
    build_ascii(b, text, strlen(text));
}

/* -- text -------------------------------------------------------------------
 */

static void escape(struct build *b, uint32_t cp) {
    char out[16];
    if (cp == '\n' || cp == '\r' || cp == '\t') {
        char two[2] = {'\\', cp == '\n' ? 'n' : cp == '\r' ? 'r' : 't'};
        build_ascii(b, two, 2);
        return;
    }
    size_t n = 2, digits = cp > 0xffff ? 8 : cp > 0xff ? 4 : 2;
    out[0] = '\\';
    out[1] = digits == 8 ? 'U' : digits == 4 ? 'u' : 'x';
    while (digits--)
        out[n++] = "0123456789abcdef"[cp >> 4 * digits & 15];
    build_ascii(b, out, n);
}

static char pick_quote(str s) {
    return memchr(s.p, '\'', s.n) && !memchr(s.p, '"', s.n) ? '"' : '\'';
}

/* Printable ASCII up to the first byte that needs a look. */
static size_t plain_run(str s, size_t from, char quote) {
    size_t i = from;
    while (i < s.n && s.p[i] >= ' ' && s.p[i] < 127 && s.p[i] != quote &&
           s.p[i] != '\\')
        i++;
    return i - from;
}

void repr_text(struct build *b, val text) {
    vm_spend(b->vm, text_get(b->vm, text).n * 4);
    str s = text_get(b->vm, text);
    char quote = pick_quote(s);
    build_ascii(b, &quote, 1);
    for (size_t i = 0; i < s.n && !b->failed;) {
        size_t run = plain_run(s, i, quote);
        build_ascii(b, s.p + i, run);
        i += run;
        if (i >= s.n) break;
        uint32_t cp = 0;
        size_t n = utf8_decode_loose(s.p + i, s.n - i, &cp);
        i += n ? n : 1;
        if (cp == (unsigned char)quote || cp == '\\') {
            char two[2] = {'\\', (char)cp};
            build_ascii(b, two, 2);
        } else if (cp < 127 || !unicode_printable(cp)) {
            escape(b, cp);
        } else {
            build_char(b, cp);
        }
    }
    build_ascii(b, &quote, 1);
}

void repr_bytes(struct build *b, str s) {
    char quote = pick_quote(s);
    char start[2] = {'b', quote};
    build_ascii(b, start, 2);
    for (size_t i = 0; i < s.n && !b->failed;) {
        size_t run = plain_run(s, i, quote);
        build_ascii(b, s.p + i, run);
        i += run;
        if (i >= s.n) break;
        unsigned char c = (unsigned char)s.p[i++];
        char two[2] = {'\\', (char)c};
        if (c == (unsigned char)quote || c == '\\')
            build_ascii(b, two, 2);
        else
            escape(b, c);
    }
    build_ascii(b, &quote, 1);
}

/* -- containers -------------------------------------------------------------
 */

static bool is_active(const struct repr_active *outer, val v) {
    for (; outer; outer = outer->outer)
        if (outer->v == v) return true;
    return false;
}

static int add_items(struct build *b, const val *items, uint64_t n,
                     const struct repr_active *outer) {
    for (uint64_t i = 0; i < n; i++) {
        if (i) build_cstr(b, ", ");
        if (repr_add(b, items[i], outer)) return -1;
    }
    return 0;
}

static int add_list(struct build *b, val v, const struct repr_active *here) {
    struct vm *vm = b->vm;
    build_cstr(b, "[");
    if (add_items(b, list_items(vm, v), list_len(vm, v), here)) return -1;
    build_cstr(b, "]");
    return 0;
}

static int add_tuple(struct build *b, val v, const struct repr_active *here) {
    struct vm *vm = b->vm;
    build_cstr(b, "(");
    if (add_items(b, tuple_items(vm, v), tuple_len(vm, v), here)) return -1;
    build_cstr(b, tuple_len(vm, v) == 1 ? ",)" : ")");
    return 0;
}

static int add_dict(struct build *b, val v, const struct repr_active *here) {
    val k, item;
    build_cstr(b, "{");
    bool first = true;
    for (uint64_t i = 0; dict_next(b->vm, v, &i, &k, &item); first = false) {
        if (!first) build_cstr(b, ", ");
        if (repr_add(b, k, here)) return -1;
        build_cstr(b, ": ");
        if (repr_add(b, item, here)) return -1;
    }
    build_cstr(b, "}");
    return 0;
}

static int add_set(struct build *b, val v, const struct repr_active *here) {
    struct vm *vm = b->vm;
    val type = type_of(vm, v), item;
    bool named = type != TYPE_VAL(set);
    if (named || !set_at(vm, v)->len) {
        build_cstr(b, vm_type_name(vm, v));
        build_cstr(b, "(");
    }
    if (!set_at(vm, v)->len) {
        build_cstr(b, ")");
        return 0;
    }
    build_cstr(b, "{");
    bool first = true;
    for (uint64_t i = 0; set_next(vm, v, &i, &item); first = false) {
        if (!first) build_cstr(b, ", ");
        if (repr_add(b, item, here)) return -1;
    }
    build_cstr(b, named ? "})" : "}");
    return 0;
}

static int add_view(struct build *b, val v, const struct repr_active *here) {
    static const char *const names[] = {"dict_keys([", "dict_values([",
                                        "dict_items(["};
    const struct oview *w = heap_at(&b->vm->heap, v);
    val k, item;
    if (dict_proxied(b->vm, v) != v) {
        build_cstr(b, "mappingproxy(");
        if (repr_add(b, w->dict, here)) return -1;
        build_cstr(b, ")");
        return 0;
    }
    build_cstr(b, names[w->what]);
    bool first = true;
    for (uint64_t i = 0; dict_next(b->vm, w->dict, &i, &k, &item);
         first = false) {
        if (!first) build_cstr(b, ", ");
        if (w->what == 2) build_cstr(b, "(");
        if (w->what != 1 && repr_add(b, k, here)) return -1;
        if (w->what == 2) build_cstr(b, ", ");
        if (w->what != 0 && repr_add(b, item, here)) return -1;
        if (w->what == 2) build_cstr(b, ")");
    }
    build_cstr(b, "])");
    return 0;
}

static int add_range(struct build *b, val v, const struct repr_active *here) {
    const struct orange *r = heap_at(&b->vm->heap, v);
    const val parts[3] = {r->start, r->stop, r->step};
    build_cstr(b, "range(");
    if (add_items(b, parts, r->step == val_of_int(1) ? 2 : 3, here)) return -1;
    build_cstr(b, ")");
    return 0;
}

static int add_slice(struct build *b, val v, const struct repr_active *here) {
    const struct oslice *s = heap_at(&b->vm->heap, v);
    const val parts[3] = {s->start, s->stop, s->step};
    build_cstr(b, "slice(");
    if (add_items(b, parts, 3, here)) return -1;
    build_cstr(b, ")");
    return 0;
}

static const char *recursion_mark(enum kind k) {
    switch ((int)k) {
    case KIND_LIST: return "[...]";
    case KIND_TUPLE: return "(...)";
    case KIND_DICT: return "{...}";
    case KIND_SET: return "set(...)";
    default: return "...";
    }
}

static int add_container(struct build *b, val v, enum kind k,
                         const struct repr_active *outer) {
    struct vm *vm = b->vm;
    if (is_active(outer, v)) {
        build_cstr(b, recursion_mark(k));
        return 0;
    }
    if (!vm_enter(vm)) {
        vm_slow(vm);
        return -1;
    }
    const struct repr_active here = {v, outer};
    int bad;
    switch ((int)k) {
    case KIND_LIST: bad = add_list(b, v, &here); break;
    case KIND_TUPLE: bad = add_tuple(b, v, &here); break;
    case KIND_DICT: bad = add_dict(b, v, &here); break;
    case KIND_SET: bad = add_set(b, v, &here); break;
    case KIND_RANGE: bad = add_range(b, v, &here); break;
    case KIND_SLICE: bad = add_slice(b, v, &here); break;
    default: bad = add_view(b, v, &here); break;
    }
    vm_leave(vm);
    return bad || b->failed ? -1 : 0;
}

/* -- all kinds --------------------------------------------------------------
 */

static int add_number(struct build *b, val v) {
    struct vm *vm = b->vm;
    char out[96];
    if (float_is(vm, v)) {
        build_ascii(b, out, float_text(float_get(vm, v), out));
    } else if (vm_is(vm, v, KIND_COMPLEX)) {
        build_ascii(b, out, complex_text(complex_get(vm, v), out));
    } else {
        val text = int_text(vm, v, 10, true);
        if (!text) return -1;
        build_val(b, text);
    }
    return b->failed ? -1 : 0;
}

static void add_constant(struct build *b, val v) {
    v = value_plain(b->vm, v);
    build_cstr(b, v == VAL_NONE       ? "None"
                  : v == VAL_TRUE     ? "True"
                  : v == VAL_FALSE    ? "False"
                  : v == VAL_ELLIPSIS ? "Ellipsis"
                                      : "NotImplemented");
}

static int add_by_kind(struct build *b, val v,
                       const struct repr_active *outer) {
    if (!val_is_ref(v)) return add_number(b, v);
    enum kind k = (enum kind)vm_obj(b->vm, v)->kind;
    switch ((int)k) {
    case KIND_NONE:
    case KIND_BOOL: add_constant(b, v); break;
    case KIND_INT:
    case KIND_REAL:
    case KIND_COMPLEX: return add_number(b, v);
    case KIND_STR: repr_text(b, v); break;
    case KIND_BYTES: {
        bool mutable = bytes_mutable(b->vm, v);
        if (mutable) build_cstr(b, "bytearray(");
        repr_bytes(b, bytes_get(b->vm, v));
        if (mutable) build_cstr(b, ")");
        break;
    }
    case KIND_LIST:
    case KIND_TUPLE:
    case KIND_DICT:
    case KIND_SET:
    case KIND_RANGE:
    case KIND_SLICE:
    case KIND_VIEW: return add_container(b, v, k, outer);
    default: repr_other(b, v); break;
    }
    return b->failed ? -1 : 0;
}

int repr_add(struct build *b, val v, const struct repr_active *outer) {
    if (!vm_charge(b->vm, 4)) return -1;
    if (special_of(b->vm, v, SPECIAL_REPR)) {
        vm_slow(b->vm);
        return -1;
    }
    return add_by_kind(b, v, outer);
}

val kind_repr(struct vm *vm, val v) {
    struct build b;
    build_init(&b, vm);
    if (!add_by_kind(&b, v, NULL)) return build_take(&b);
    build_drop(&b);
    return VAL_UNSET;
}

val value_repr(struct vm *vm, val v) {
    if (val_is_int(v)) return int_text(vm, v, 10, true);
    if (special_of(vm, v, SPECIAL_REPR)) return vm_slow(vm);
    return kind_repr(vm, v);
}

val kind_str(struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_EXCEPTION)) return exc_str(vm, v);
    if (!vm_is(vm, v, KIND_STR)) return value_repr(vm, dict_proxied(vm, v));
    if (type_of(vm, v) == TYPE_VAL(str)) return v;
    return text_new_as(vm, TYPE_VAL(str), text_get(vm, v), text_chars(vm, v));
}

val value_str(struct vm *vm, val v) {
    if (val_is_int(v)) return int_text(vm, v, 10, true);
    if (special_of(vm, v, SPECIAL_STR)) return vm_slow(vm);
    return kind_str(vm, v);
}

val value_ascii(struct vm *vm, val v) {
    val r = value_repr(vm, v);
    if (!r || text_ascii(vm, r)) return r;
    struct build b;
    build_init(&b, vm);
    str s = text_get(vm, r);
    if (!vm_charge(vm, s.n * 16)) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp = 0;
        i += utf8_decode_loose(s.p + i, s.n - i, &cp);
        if (cp < 128)
            build_char(&b, cp);
        else
            escape(&b, cp);
    }
    return build_take(&b);
}
