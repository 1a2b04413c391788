/* SPDX-License-Identifier: MIT
 *
 * Strs: making, reading, appending, positions, interning. Methods are in
 * strcase.c, strfind.c, strsplit.c and strtype.c. */
#include "vm/text.h"

#include "base/utf8.h"
#include "vm/alloc.h"

#define HEAD        offsetof(struct ostr, as)
#define VIEW_OVER   256 /* longer non-ASCII text is a view: see ostr */
#define CONCAT_VIEW 96  /* shorter sums are plain copies */
#define STRIDE      16  /* code points per entry of the offset table */

static char *store_bytes(const struct vm *vm, val store) {
    struct ostore *s = heap_at(&vm->heap, store);
    return (char *)s->data;
}

/* -- making -----------------------------------------------------------------
 */

static val new_view(struct vm *vm, val type, val store, uint32_t start,
                    size_t n, size_t chars) {
    struct ostr *s = type == TYPE_VAL(str)
                         ? alloc_raw(vm, KIND_STR, type, sizeof *s)
                         : value_new(vm, KIND_STR, type, sizeof *s);
    if (!s) return VAL_UNSET;
    s->h.flags |= OBJ_VIEW;
    s->hash = 0;
    s->len = (uint32_t)n;
    s->chars = (uint32_t)chars;
    s->start = start;
    s->as.view.store = store;
    s->as.view.table = VAL_UNSET;
    return heap_ref(&vm->heap, s);
}

static val too_long(struct vm *vm) {
    return vm_raise(vm, EXC_MemoryError, "string longer than %zu bytes",
                    TEXT_MAX);
}

bool text_fits(struct vm *vm, uint64_t bytes) {
    if (bytes <= vm->heap.limit && bytes <= TEXT_MAX) return true;
    vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    return false;
}

static val alloc_view(struct vm *vm, val type, size_t n, size_t chars,
                      size_t cap, char **p) {
    val store = heap_store_raw(vm, cap);
    if (!store) return VAL_UNSET;
    val v = new_view(vm, type, store, 0, n, chars);
    if (!v) {
        heap_free(vm, store);
        return VAL_UNSET;
    }
    struct ostore *s = heap_at(&vm->heap, store);
    s->used = n;
    *p = (char *)s->data;
    return v;
}

static inline val fill_head(struct vm *vm, struct ostr *s, size_t n,
                            size_t chars, char **p) {
    if (!s) return VAL_UNSET;
    s->hash = 0;
    s->len = (uint32_t)n;
    s->chars = (uint32_t)chars;
    s->start = 0;
    *p = s->as.bytes;
    (*p)[n] = 0;
    return heap_ref(&vm->heap, s);
}

static val alloc_as(struct vm *vm, val type, size_t n, size_t chars, char **p) {
    if (n > TEXT_MAX) return too_long(vm);
    if (n > VIEW_OVER && chars != n)
        return alloc_view(vm, type, n, chars, n, p);
    struct ostr *s = type == TYPE_VAL(str)
                         ? heap_new_raw(vm, KIND_STR, type, HEAD + n + 1)
                         : value_new(vm, KIND_STR, type, HEAD + n + 1);
    return fill_head(vm, s, n, chars, p);
}

static inline val alloc_text(struct vm *vm, size_t n, size_t chars, char **p) {
    if (n > VIEW_OVER) return alloc_as(vm, TYPE_VAL(str), n, chars, p);
    struct ostr *s = alloc_raw(vm, KIND_STR, TYPE_VAL(str), HEAD + n + 1);
    return fill_head(vm, s, n, chars, p);
}

val text_alloc(struct vm *vm, size_t n, size_t chars, char **p) {
    return alloc_text(vm, n, chars, p);
}

val text_new_as(struct vm *vm, val type, str s, size_t chars) {
    char *p;
    val v = alloc_as(vm, type, s.n, chars, &p);
    if (v && s.n) memcpy(p, s.p, s.n);
    return v;
}

val text_new_chars(struct vm *vm, const char *p, size_t n, size_t chars) {
    if (n == 0) return TEXT_EMPTY_VAL;
    if (n == 1) return CHAR_VAL((unsigned char)*p);
    char *to;
    val v = alloc_text(vm, n, chars, &to);
    if (v) text_copy(to, p, n);
    return v;
}

val text_new(struct vm *vm, const char *p, size_t n) {
    return text_new_chars(vm, p, n, utf8_count(p, n));
}

val text_of(struct vm *vm, const char *cstr) {
    return text_new(vm, cstr, strlen(cstr));
}

val text_char(struct vm *vm, uint32_t cp) {
    if (cp < 256) return CHAR_VAL(cp);
    char out[UTF8_MAX];
    size_t n = utf8_encode(cp, out);
    return text_new_as(vm, TYPE_VAL(str), (str){out, n}, 1);
}

val text_piece(struct vm *vm, val text, size_t from, size_t to) {
    str s = text_get(vm, text);
    if (from == 0 && to == s.n && type_of(vm, text) == TYPE_VAL(str))
        return text;
    if (text_ascii(vm, text))
        return text_new_chars(vm, s.p + from, to - from, to - from);
    vm_spend(vm, (to - from) / 8);
    return text_new(vm, s.p + from, to - from);
}

/* -- appending --------------------------------------------------------------
 */

/* Puts b behind a where a ends at its store's used mark and there is room. */
static val append_in_place(struct vm *vm, const struct ostr *a, str b,
                           size_t chars) {
    if (!(a->h.flags & OBJ_VIEW)) return VAL_UNSET;
    struct ostore *s = heap_at(&vm->heap, a->as.view.store);
    if ((uint64_t)a->start + a->len != s->used || s->h.flags & OBJ_PINNED ||
        s->size - s->used < b.n || s->used + b.n > TEXT_MAX)
        return VAL_UNSET;
    val v = new_view(vm, TYPE_VAL(str), a->as.view.store, a->start,
                     a->len + b.n, chars);
    if (!v) return VAL_UNSET;
    text_copy((char *)s->data + s->used, b.p, b.n);
    s->used += b.n;
    return v;
}

static val concat_new(struct vm *vm, val a, val b, size_t chars) {
    str x = text_get(vm, a), y = text_get(vm, b);
    size_t total = x.n + y.n;
    char *p;
    val v;
    if (total < CONCAT_VIEW) {
        v = alloc_text(vm, total, chars, &p);
    } else {
        bool grows = text_at_ref(vm, a)->h.flags & OBJ_VIEW;
        size_t cap = grows ? total * 2 : total + total / 8 + 32;
        v = alloc_view(vm, TYPE_VAL(str), total, chars, cap, &p);
    }
    if (!v) return VAL_UNSET;
    text_copy(p, x.p, x.n);
    text_copy(p + x.n, y.p, y.n);
    return v;
}

val text_concat(struct vm *vm, val a, val b) {
    const struct ostr *x = text_at_ref(vm, a), *y = text_at_ref(vm, b);
    if (!y->len && type_of(vm, a) == TYPE_VAL(str)) return a;
    if (!x->len && type_of(vm, b) == TYPE_VAL(str)) return b;
    size_t total = (size_t)x->len + y->len;
    if (total == 0) return TEXT_EMPTY_VAL;
    if (total > TEXT_MAX) return too_long(vm);
    size_t chars = (size_t)x->chars + y->chars;
    val v = append_in_place(vm, x, text_get(vm, b), chars);
    if (v || vm->memory_failed) return v;
    if (!vm_charge(vm, total / 16)) return VAL_UNSET;
    return concat_new(vm, a, b, chars);
}

val text_join(struct vm *vm, const val *items, size_t n) {
    size_t total = 0, chars = 0;
    for (size_t i = 0; i < n; i++) {
        total += text_at_ref(vm, items[i])->len;
        chars += text_at_ref(vm, items[i])->chars;
    }
    if (total == 0) return TEXT_EMPTY_VAL;
    char *p;
    if (!vm_charge(vm, n + total / 16)) return VAL_UNSET;
    val v = alloc_text(vm, total, chars, &p);
    for (size_t i = 0; v && i < n; i++) {
        str s = text_get(vm, items[i]);
        text_copy(p, s.p, s.n);
        p += s.n;
    }
    return v;
}

/* -- positions --------------------------------------------------------------
 */

/* One bit in each byte of w that begins a code point. */
static uint64_t point_starts(uint64_t w) {
    return ~(w >> 7 & ~(w >> 6)) & 0x0101010101010101u;
}

/* The byte offset of the code point that is `points` behind the one at offset:
 * eight bytes at a time, then the last of them by its bits. */
static size_t skip_points(str s, size_t offset, uint64_t points) {
    while (points && s.n - offset > 8) {
        uint64_t w;
        memcpy(&w, s.p + offset + 1, sizeof w);
        uint64_t starts = point_starts(w);
        uint64_t n = starts * 0x0101010101010101u >> 56; /* their number */
        if (n >= points) {
            while (--points)
                starts &= starts - 1;
            return offset + 1 + (unsigned)__builtin_ctzll(starts) / 8;
        }
        points -= n;
        offset += 8;
    }
    while (points && offset < s.n) {
        offset++;
        if (offset == s.n || ((unsigned char)s.p[offset] & 0xc0) != 0x80)
            points--;
    }
    return offset;
}

/* The table of byte offsets of every STRIDE-th code point, made on first use;
 * NULL when there is no room for it or the text may not be changed. */
static const uint32_t *offset_table(struct vm *vm, struct ostr *s, str text) {
    if (!(s->h.flags & OBJ_VIEW)) return NULL;
    if (!s->as.view.table) {
        if (s->h.flags & OBJ_PINNED) return NULL;
        uint64_t entries = s->chars / STRIDE + 1;
        val store = heap_store_raw(vm, entries * sizeof(uint32_t));
        if (!store) return NULL;
        struct ostore *o = heap_at(&vm->heap, store);
        uint32_t *table = (uint32_t *)o->data;
        size_t offset = 0;
        vm_spend(vm, text.n);
        for (uint64_t i = 0; i < entries; i++) {
            table[i] = (uint32_t)offset;
            offset = skip_points(text, offset, STRIDE);
        }
        s->as.view.table = store;
    }
    return (const uint32_t *)(const void *)store_bytes(vm, s->as.view.table);
}

size_t text_step(str s, size_t offset, int64_t by) {
    if (by > 0) return skip_points(s, offset, (uint64_t)by);
    for (; by < 0 && offset > 0; by++) {
        offset--;
        while (offset > 0 && ((unsigned char)s.p[offset] & 0xc0) == 0x80)
            offset--;
    }
    return offset;
}

size_t text_offset(struct vm *vm, val text, uint64_t i) {
    struct ostr *s = text_at_ref(vm, text);
    if (s->chars == s->len) return (size_t)i;
    str t = text_get(vm, text);
    if (i >= s->chars) return t.n;
    const uint32_t *table = offset_table(vm, s, t);
    if (table) return skip_points(t, table[i / STRIDE], i % STRIDE);
    return skip_points(t, 0, i);
}

uint64_t text_position(struct vm *vm, val text, size_t offset) {
    struct ostr *s = text_at_ref(vm, text);
    if (s->chars == s->len) return offset;
    str t = text_get(vm, text);
    const uint32_t *table = offset_table(vm, s, t);
    if (!table) return utf8_count(t.p, offset);
    uint64_t low = 0, high = s->chars / STRIDE;
    while (low < high) { /* the last entry at or before offset */
        uint64_t middle = (low + high + 1) / 2;
        if (table[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low * STRIDE + utf8_count(t.p + table[low], offset - table[low]);
}

val text_slice(struct vm *vm, val text, uint64_t from, uint64_t to) {
    if (from >= to) return TEXT_EMPTY_VAL;
    if (!vm_charge(vm, (to - from) / 16)) return VAL_UNSET;
    size_t a = text_offset(vm, text, from), b = text_offset(vm, text, to);
    str s = text_get(vm, text);
    if (a == 0 && b == s.n) return text_piece(vm, text, a, b);
    return text_new_chars(vm, s.p + a, b - a, to - from);
}

val text_at(struct vm *vm, val text, uint64_t i) {
    str s = text_get(vm, text);
    if (text_ascii(vm, text)) return CHAR_VAL((unsigned char)s.p[i]);
    size_t offset = text_offset(vm, text, i);
    uint32_t cp = (unsigned char)s.p[offset];
    if (cp >= 128) utf8_decode_loose(s.p + offset, s.n - offset, &cp);
    return text_char(vm, cp);
}

/* -- hash and interning -----------------------------------------------------
 */

__extension__ typedef unsigned __int128 u128;

static uint64_t fold(uint64_t a, uint64_t b) {
    u128 m = (u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static uint64_t load(const char *p, size_t n) {
    uint64_t w = 0;
    memcpy(&w, p, n);
    return w;
}

#define MIX_1 0x9e3779b97f4a7c15u
#define MIX_2 0xd1b54a32d192ed03u

/* Multiply and fold, sixteen bytes a step. The hashes that programs see have no
 * key, because the template has them ready: a table in which too many collide
 * turns to hash_secret. */
static uint64_t hash_text(const char *p, size_t n, uint64_t seed) {
    uint64_t h = fold(seed ^ MIX_1, n ^ MIX_2);
    for (; n > 16; p += 16, n -= 16)
        h = fold(load(p, 8) ^ MIX_1 ^ h, load(p + 8, 8) ^ MIX_2 ^ seed);
    uint64_t a, b = 0;
    if (n >= 8) {
        a = load(p, 8);
        b = load(p + n - 8, 8);
    } else if (n >= 4) {
        a = load(p, 4);
        b = load(p + n - 4, 4);
    } else {
        a = n ? load(p, n) : 0;
    }
    return fold(a ^ MIX_1 ^ h, b ^ MIX_2 ^ seed);
}

uint32_t bytes_hash(struct vm *vm, const char *p, size_t n) {
    if (n > 256) vm_spend(vm, n / 8);
    uint32_t h = (uint32_t)hash_text(p, n, 0);
    return h ? h : 1;
}

uint32_t text_hash(struct vm *vm, val text) {
    struct ostr *s = text_at_ref(vm, text);
    if (s->hash) return s->hash;
    str t = text_get(vm, text);
    uint32_t h = bytes_hash(vm, t.p, t.n);
    /* Template strings cannot be written to. */
    if (!(s->h.flags & OBJ_PINNED)) s->hash = h;
    return h;
}

bool text_equal(struct vm *vm, val a, val b) {
    if (a == b) return true;
    const struct ostr *x = text_at_ref(vm, a), *y = text_at_ref(vm, b);
    if (x->len != y->len || x->chars != y->chars) return false;
    if (x->hash && y->hash && x->hash != y->hash) return false;
    if (x->h.flags & y->h.flags & OBJ_INTERNED) return false;
    if (x->len > 256) vm_spend(vm, x->len / 16);
    return text_same(text_get(vm, a).p, text_get(vm, b).p, x->len);
}

/* The table of a run is a traced store: the number of strings as an int, then
 * slots, a power of two. */
#define BUILD_SLOTS 32768 /* while the template is made */

static uint64_t table_slots(const struct ostore *o) {
    return (uint64_t)1 << (63 - __builtin_clzll(o->size / sizeof(val) - 1));
}

static val *table_slot(const struct vm *vm, val table, str s) {
    struct ostore *o = heap_at(&vm->heap, table);
    uint64_t mask = table_slots(o) - 1;
    val *slots = (val *)o->data + 1;
    uint64_t i = hash_text(s.p, s.n, vm_root_const(vm)->table_seed) & mask;
    while (slots[i] && !str_eq(text_get(vm, slots[i]), s))
        i = (i + 1) & mask;
    return &slots[i];
}

static val new_table(struct vm *vm, uint64_t slots) {
    val t = heap_store(vm, (slots + 1) * sizeof(val), OBJ_TRACED);
    if (!t) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, t);
    memset(o->data, 0, o->size);
    o->used = o->size;
    o->data[0] = val_of_int(0);
    return t;
}

static int grow_table(struct vm *vm) {
    struct root *root = vm_root(vm);
    val old = root->interned;
    if (!old) {
        root->interned = new_table(vm, 128);
        return root->interned ? 0 : -1;
    }
    struct ostore *o = heap_at(&vm->heap, old);
    uint64_t slots = table_slots(o);
    if ((uint64_t)val_int(o->data[0]) < slots - slots / 4) return 0;
    val t = new_table(vm, slots * 2);
    if (!t) return -1;
    struct ostore *n = heap_at(&vm->heap, t);
    n->data[0] = o->data[0];
    for (uint64_t i = 1; i <= slots; i++)
        if (o->data[i])
            *table_slot(vm, t, text_get(vm, o->data[i])) = o->data[i];
    root->interned = t;
    heap_free(vm, old);
    return 0;
}

/* The template's strings: slots of 32 bits, a string's place divided by 16. */
static uint32_t *name_slot(const struct vm *vm, str s) {
    struct ostore *o = heap_at(&vm->heap, vm->heap.names);
    uint32_t *slots = (uint32_t *)o->data;
    uint64_t n = o->used / sizeof *slots;
    uint64_t i = (uint64_t)(uint32_t)hash_text(s.p, s.n, 0) * n >> 32;
    while (slots[i] && !str_eq(text_get(vm, (val)slots[i] * 16), s))
        if (++i == n) i = 0;
    return &slots[i];
}

int text_freeze(struct vm *vm) {
    const struct ostore *from = heap_at(&vm->heap, vm_root(vm)->interned);
    uint64_t count = (uint64_t)val_int(from->data[0]);
    uint64_t bytes = (count + count / 2) * sizeof(uint32_t);
    val table = heap_store(vm, bytes, 0);
    if (!table) return -1;
    ((struct ostore *)heap_at(&vm->heap, table))->used = bytes;
    vm->heap.names = table;
    for (uint64_t i = 1; i <= table_slots(from); i++)
        if (from->data[i])
            *name_slot(vm, text_get(vm, from->data[i])) =
                (uint32_t)(from->data[i] / 16);
    vm_root(vm)->interned = VAL_UNSET;
    return 0;
}

static val find_interned(struct vm *vm, str s) {
    if (s.n == 0) return TEXT_EMPTY_VAL;
    if (s.n == 1) return CHAR_VAL((unsigned char)*s.p);
    if (s.n > 256) vm_spend(vm, s.n / 4);
    uint32_t cp;
    if (s.n == 2 && utf8_decode(s.p, 2, &cp) == 2 && cp < 256)
        return CHAR_VAL(cp);
    val v = vm->heap.names ? (val)*name_slot(vm, s) * 16 : VAL_UNSET;
    if (!v && vm_root(vm)->interned)
        v = *table_slot(vm, vm_root(vm)->interned, s);
    return v;
}

static val add_interned(struct vm *vm, val text) {
    if (grow_table(vm)) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, vm_root(vm)->interned);
    *table_slot(vm, vm_root(vm)->interned, text_get(vm, text)) = text;
    o->data[0] = val_of_int(val_int(o->data[0]) + 1);
    text_at_ref(vm, text)->h.flags |= OBJ_INTERNED;
    return text;
}

val text_intern(struct vm *vm, str s) {
    val v = find_interned(vm, s);
    if (v) return v;
    uint16_t label = vm->ambient;
    vm->ambient = 0; /* it is shared with all that have the same text */
    v = text_new(vm, s.p, s.n);
    vm->ambient = label;
    return v ? add_interned(vm, v) : VAL_UNSET;
}

val text_interned(struct vm *vm, val text) {
    if (vm_obj(vm, text)->flags & OBJ_INTERNED) return text;
    return find_interned(vm, text_get(vm, text));
}

val text_intern_val(struct vm *vm, val text) {
    val v = text_interned(vm, text);
    if (v) return v;
    /* A view would keep a whole store alive, a subclass its attributes. */
    if ((vm_obj(vm, text)->flags & (OBJ_VIEW | OBJ_ATTRS | OBJ_PINNED)) ||
        vm_obj(vm, text)->label)
        return text_intern(vm, text_get(vm, text));
    return add_interned(vm, text);
}

/* The table that serves while the template is made lies behind all that will
 * be kept. */
static void place_table(struct vm *vm) {
    uint64_t size = sizeof(struct ostore) + (BUILD_SLOTS + 1) * sizeof(val);
    vm->heap.limit = (vm->heap.limit - size) & ~15ull;
    struct ostore *o = heap_at(&vm->heap, vm->heap.limit);
    o->h = (struct obj){.kind = KIND_STORE, .flags = OBJ_TRACED};
    o->size = o->used = (BUILD_SLOTS + 1) * sizeof(val);
    o->data[0] = val_of_int(0);
    vm_root(vm)->interned = vm->heap.limit;
}

void text_template(struct vm *vm) {
    place_table(vm);
    for (uint32_t cp = 0; cp <= 256; cp++) {
        struct ostr *s = heap_at(&vm->heap, CHAR_VAL(cp));
        memset(s, 0, CHAR_BYTES);
        s->h.kind = KIND_STR;
        s->h.type = (uint32_t)(TYPE_VAL(str) / 8);
        s->h.flags = OBJ_INTERNED | OBJ_PINNED;
        s->chars = cp < 256;
        s->len = cp < 256 ? (uint32_t)utf8_encode(cp, s->as.bytes) : 0;
    }
}
