/* SPDX-License-Identifier: MIT
 *
 * load -- source text to code objects in the heap.
 *
 * The compiler works in an arena of its own; what it made is copied into the
 * run's heap and the arena is dropped. Nesting of units is bounded by the
 * parser's depth, so the recursion here is too.
 */
#include "vm/load.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/real.h"
#include "lang/compile.h"
#include "vm/code.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/taint.h"

#define SOURCE_MAX  (16u << 20)
#define COMPILE_MAX (256u << 20) /* arena of one compilation */
#define COMPILE_MIN (1u << 20)
#define BYTE_COST   100   /* units to compile a byte of source text */
#define NAME_COST   20000 /* and to look up a character by its name */

#define MADE_PART 64 /* of the memory: for the caches of made functions */

struct loader {
    struct vm *vm;
    val module;
    val filename;
    val source;
    val empty;   /* a store with nothing in it, or unset */
    val origin;  /* of code that shares it, or unset */
    bool within; /* a tuple, which has the label: its items may be names of
                    keywords or keys */
};

static val load_code(struct loader *l, const struct code_unit *u);

/* -- constants --------------------------------------------------------------
 */

static val load_const(struct loader *l, const struct constant *c);

static val load_tuple(struct loader *l, const struct constant *c) {
    if (!c->count) return VAL_EMPTY_TUPLE;
    struct otuple *t = heap_new(l->vm, KIND_TUPLE, TYPE_VAL(tuple),
                                sizeof *t + (uint64_t)c->count * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = c->count;
    for (uint32_t i = 0; i < c->count; i++)
        if (!(t->item[i] = load_const(l, &c->as.items[i]))) return VAL_UNSET;
    return heap_ref(&l->vm->heap, t);
}

static val load_frozenset(struct loader *l, const struct constant *c) {
    val set = set_new(l->vm, true);
    if (!set) return VAL_UNSET;
    for (uint32_t i = 0; i < c->count; i++) {
        val item = load_const(l, &c->as.items[i]);
        if (!item || set_add(l->vm, set, item) < 0) return VAL_UNSET;
    }
    return set;
}

static val load_big(struct loader *l, str text) {
    if (str_starts(text, STR("0x")))
        return int_parse(l->vm, str_sub(text, 2, text.n), 16);
    return int_parse(l->vm, text, 10);
}

/* Short texts are interned: they are mostly keys and names. */
static val load_text(struct loader *l, str text) {
    if (text.n <= 40) return text_intern(l->vm, text);
    return text_new(l->vm, text.p, text.n);
}

static val load_bare(struct loader *l, const struct constant *c) {
    switch ((enum const_kind)c->kind) {
    case CONST_NONE: return VAL_NONE;
    case CONST_TRUE: return VAL_TRUE;
    case CONST_FALSE: return VAL_FALSE;
    case CONST_ELLIPSIS: return VAL_ELLIPSIS;
    case CONST_INT: return int_new(l->vm, c->as.integer);
    case CONST_BIG: return load_big(l, c->as.text);
    case CONST_REAL: return float_new(l->vm, c->as.real);
    case CONST_COMPLEX:
        return complex_new(l->vm, c->as.complex.re, c->as.complex.im);
    case CONST_STR: return load_text(l, c->as.text);
    case CONST_BYTES: return bytes_new(l->vm, c->as.text.p, c->as.text.n);
    case CONST_TUPLE: return load_tuple(l, c);
    case CONST_FROZENSET: return load_frozenset(l, c);
    case CONST_CODE: return load_code(l, c->as.code);
    }
    return VAL_UNSET;
}

static uint16_t literal_label(struct loader *l, const struct constant *c);

static uint16_t label_of_items(struct loader *l, const struct constant *c) {
    uint16_t label = 0;
    for (uint32_t i = 0; i < c->count; i++)
        label =
            label_join(l->vm->labels, label, literal_label(l, &c->as.items[i]));
    return label;
}

#define LITERAL_TEXT (REAL_TEXT_SIZE + 24)

/* How a literal is named to the host; p NULL: it has no text of its own. */
static str literal_text(const struct constant *c, char text[LITERAL_TEXT]) {
    switch ((enum const_kind)c->kind) {
    case CONST_NONE:
    case CONST_TRUE:
    case CONST_FALSE:
    case CONST_ELLIPSIS:
    case CONST_TUPLE:
    case CONST_FROZENSET:
    case CONST_CODE: break;
    case CONST_INT:
        return (str){text, (size_t)snprintf(text, LITERAL_TEXT, "%lld",
                                            (long long)c->as.integer)};
    case CONST_REAL: return (str){text, real_format_py(c->as.real, text)};
    case CONST_COMPLEX:
        return (str){text, real_format_py(c->as.complex.im, text)};
    case CONST_BIG:
    case CONST_STR:
    case CONST_BYTES: return c->as.text;
    }
    return (str){NULL, 0};
}

/* What the host says of a literal, by its text. */
static uint16_t literal_label(struct loader *l, const struct constant *c) {
    struct label_table *labels = l->vm->labels;
    char text[LITERAL_TEXT];
    if (c->kind == CONST_TUPLE || c->kind == CONST_FROZENSET)
        return label_of_items(l, c);
    if (c->kind == CONST_CODE) return 0;
    str s = literal_text(c, text);
    if (!s.p || !labels->literal_fn) return labels->literal;
    uint16_t id = labels->literal_fn(labels->literal_user, s.p, s.n);
    return id < labels->n ? id : LABEL_TOP;
}

static val load_const(struct loader *l, const struct constant *c) {
    bool within = l->within;
    l->within = c->kind == CONST_TUPLE || c->kind == CONST_FROZENSET;
    val v = load_bare(l, c);
    l->within = within;
    if (!v || !l->vm->labels || within) return v;
    uint16_t label = literal_label(l, c);
    return label ? taint_attach(l->vm, v, label) : v;
}

/* -- code -------------------------------------------------------------------
 */

/* What is empty is shared. */
static val load_store(struct loader *l, const void *p, uint64_t bytes) {
    if (!bytes && l->empty) return l->empty;
    val v = heap_store(l->vm, bytes, 0);
    if (!v) return VAL_UNSET;
    struct ostore *s = heap_at(&l->vm->heap, v);
    if (bytes) memcpy(s->data, p, bytes);
    s->used = bytes;
    if (!bytes) l->empty = v;
    return v;
}

static val load_names(struct loader *l, const str *names, uint32_t n) {
    if (n == 0) return VAL_EMPTY_TUPLE;
    struct otuple *t = heap_new(l->vm, KIND_TUPLE, TYPE_VAL(tuple),
                                sizeof *t + n * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = n;
    for (uint32_t i = 0; i < n; i++)
        if (!(t->item[i] = text_intern(l->vm, names[i]))) return VAL_UNSET;
    return heap_ref(&l->vm->heap, t);
}

/* Variables whose names are kept. Nobody sees those of a module of ours but the
 * parameters, which keywords name. */
static uint32_t named(const struct loader *l, const struct code_unit *u) {
    if (!l->vm->library) return u->nlocals;
    uint32_t n = u->nargs + u->nkwonly;
    if (u->flags & CODE_VARARGS) n++;
    return u->flags & CODE_VARKW ? n + 1 : n;
}

/* Who is inside a function of ours is nobody's business. */
static str qualname(const struct loader *l, const struct code_unit *u) {
    bool inside = str_find(u->qualname, STR("<locals>")) >= 0;
    return l->vm->library && inside ? u->name : u->qualname;
}

static bool load_texts(struct loader *l, struct ocode *c,
                       const struct code_unit *u) {
    struct constant all = {.kind = CONST_TUPLE, .count = u->nconsts};
    all.as.items = u->consts;
    return (c->consts = load_tuple(l, &all)) &&
           (c->names = load_names(l, u->names, u->nnames)) &&
           (c->varnames = load_names(l, u->varnames, named(l, u))) &&
           (c->name = text_intern(l->vm, u->name)) &&
           (c->qualname = text_intern(l->vm, qualname(l, u)));
}

static bool load_stores(struct loader *l, struct ocode *c,
                        const struct code_unit *u) {
    return (c->words = load_store(l, u->words, u->nwords * 4ull)) &&
           (c->handlers =
                load_store(l, u->handlers, u->nhandlers * sizeof *u->handlers));
}

static bool fill_origin(struct loader *l, struct oorigin *o,
                        const struct code_unit *u) {
    uint32_t spans = l->vm->library ? 0 : u->nspans;
    o->filename = l->filename;
    o->source = l->source;
    return (o->spans = load_store(l, u->spans, spans * sizeof *u->spans)) &&
           (o->freenames = load_names(l, u->freenames, u->nfree)) &&
           (o->captures = load_store(l, u->captures, u->nfree * 2ull)) &&
           (o->doc = u->doc.p ? text_new(l->vm, u->doc.p, u->doc.n) : VAL_NONE);
}

/* Code with neither places, free variables nor a docstring has the same as its
 * neighbours. */
static val load_origin(struct loader *l, const struct code_unit *u) {
    bool common = l->vm->library && u->nfree == 0 && !u->doc.p;
    if (common && l->origin) return l->origin;
    struct oorigin *o = heap_new(l->vm, KIND_ORIGIN, 0, sizeof *o);
    if (!o || !fill_origin(l, o, u)) return VAL_UNSET;
    if (common) l->origin = heap_ref(&l->vm->heap, o);
    return heap_ref(&l->vm->heap, o);
}

static uint16_t frame_class(uint32_t nregs) {
    uint64_t size = sizeof(struct oframe) + nregs * sizeof(val);
    uint64_t class = (size + 15) / 16;
    return class < HEAP_CLASSES ? (uint16_t) class : 0;
}

static val load_code(struct loader *l, const struct code_unit *u) {
    struct ocode *c = heap_new(l->vm, KIND_CODE, TYPE_VAL(code), sizeof *c);
    if (!c || !load_texts(l, c, u) || !load_stores(l, c, u) ||
        !(c->origin = load_origin(l, u)))
        return VAL_UNSET;
    c->nwords = u->nwords;
    c->nregs = u->nregs;
    c->nlocals = u->nlocals;
    c->nargs = u->nargs;
    c->nposonly = u->nposonly;
    c->nkwonly = u->nkwonly;
    c->nfree = u->nfree;
    c->ncaches = u->ncaches;
    c->flags = u->flags | (l->vm->library ? CODE_LIBRARY : 0) |
               (l->vm->made ? CODE_MADE : 0);
    c->frame_class = frame_class(u->nregs);
    const unsigned more =
        CODE_GENERATOR | CODE_COROUTINE | CODE_VARARGS | CODE_VARKW;
    if (c->frame_class && !(u->flags & more) && u->nkwonly == 0)
        c->simple = (uint16_t)(u->nargs + 1);
    c->first_line = u->first_line;
    if (l->vm->labels) c->h.label = l->vm->labels->literal;
    c->cache_base = l->vm->next_cache;
    l->vm->next_cache += u->ncaches;
    return heap_ref(&l->vm->heap, c);
}

/* -- compilation ------------------------------------------------------------
 */

static int slot_of(void *user, str name) {
    struct loader *l = user;
    val text = text_intern(l->vm, name);
    if (!text) return -1;
    int64_t slot = module_slot(l->vm, l->module, text);
    return slot > 0xffff ? -1 : (int)slot;
}

/* Code of ours shows in no traceback: it needs neither its text nor places in
 * it. */
static bool remember_source(struct loader *l, str text, const char *filename) {
    if (l->vm->library) text = STR("");
    l->filename = text_of(l->vm, filename);
    l->source = text_new(l->vm, text.p, text.n);
    return l->filename && l->source;
}

/* What compilation may take outside the heap: as much as the heap has left. */
static size_t compile_room(const struct vm *vm, str text) {
    uint64_t used = vm->heap.live + vm->heap.template_end + text.n;
    uint64_t left = used < vm->heap.limit ? vm->heap.limit - used : 0;
    if (vm->building || left > COMPILE_MAX) return COMPILE_MAX;
    return left < COMPILE_MIN ? COMPILE_MIN : left;
}

/* -- literals ---------------------------------------------------------------
 */

struct telling {
    void (*fn)(void *user, str text);
    void *user;
    int slots;
};

static void tell_unit(struct telling *t, const struct code_unit *u);

static void tell_literal(struct telling *t, const struct constant *c) {
    char text[LITERAL_TEXT];
    if (c->kind == CONST_CODE) {
        tell_unit(t, c->as.code);
        return;
    }
    if (c->kind == CONST_TUPLE || c->kind == CONST_FROZENSET) {
        for (uint32_t i = 0; i < c->count; i++)
            tell_literal(t, &c->as.items[i]);
        return;
    }
    str s = literal_text(c, text);
    if (s.p) t->fn(t->user, s);
}

static void tell_unit(struct telling *t, const struct code_unit *u) {
    for (uint32_t i = 0; i < u->nconsts; i++)
        tell_literal(t, &u->consts[i]);
}

static int any_slot(void *user, str name) {
    struct telling *t = user;
    (void)name;
    return t->slots++;
}

int load_literals(str source, struct arena *a, void (*fn)(void *user, str text),
                  void *user, struct err *e) {
    struct telling t = {fn, user, 0};
    struct compile_env env = {.global_slot = any_slot, .user = &t};
    const struct code_unit *unit;
    hash_process_key(env.seed);
    struct fault fault = {0};
    if (compile_source(source, &env, a, &unit, &fault, e))
        return fault.kind == FAULT_NONE ? -1 : 0;
    tell_unit(&t, unit);
    return 0;
}

/* -- the whole --------------------------------------------------------------
 */

static uint64_t compile_cost(str text) {
    const char *at = text.p, *end = text.p + text.n;
    uint64_t cost = text.n * BYTE_COST;
    while ((at = memmem(at, (size_t)(end - at), "\\N{", 3))) {
        cost += NAME_COST;
        at += 3;
    }
    return cost;
}

val load_source(struct vm *vm, str text, const char *filename, val module) {
    struct loader l = {.vm = vm, .module = module};
    AUTO_ARENA struct arena a = ARENA_MAX(compile_room(vm, text));
    const uint64_t *key = vm->engine->key;
    struct compile_env env = {slot_of, &l, {key[0], key[1]}};
    const struct code_unit *unit;
    struct fault fault = {0};
    struct err e;
    if (text.n > SOURCE_MAX)
        return vm_raise(vm, EXC_MemoryError, "source text over %u bytes",
                        SOURCE_MAX);
    if (!vm_charge(vm, compile_cost(text))) return VAL_UNSET;
    if (compile_source(text, &env, &a, &unit, &fault, &e)) {
        if (vm_root(vm)->exception) return VAL_UNSET;
        if (fault.kind == FAULT_NONE)
            return vm_raise(vm, EXC_MemoryError, "%s", e.text);
        return exc_syntax(vm, &fault, text, filename);
    }
    if (!remember_source(&l, text, filename)) return VAL_UNSET;
    return load_code(&l, unit);
}

val load_library(struct vm *vm, str text, const char *filename, val module) {
    struct label_table *labels = vm->labels;
    uint16_t ambient = vm->ambient;
    struct err e;
    vm->library = true;
    vm->labels = NULL; /* its literals are nobody's data */
    vm->ambient = 0;
    val code = load_source(vm, text, filename, module);
    vm->library = false;
    vm->labels = labels;
    vm->ambient = ambient;
    if (code && vm_grow_caches(vm, &e))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return code;
}

/* Caches lie outside of the heap and are not given back. */
static bool room_for_made(const struct vm *vm) {
    uint64_t used = vm->next_cache - vm->engine->ncaches;
    return used * sizeof(struct cache) <= vm->heap.limit / MADE_PART;
}

val load_made(struct vm *vm, str text, val module_name) {
    val module = module_new(vm, module_name, VAL_UNSET);
    if (!module) return VAL_UNSET;
    if (!room_for_made(vm))
        return vm_raise(vm, EXC_MemoryError, "too many classes are made");
    vm->made = true;
    val body = load_library(vm, text, "<made>", module);
    vm->made = false;
    if (!body) return VAL_UNSET;
    val consts = ((struct ocode *)heap_at(&vm->heap, body))->consts;
    struct ofunc *fn =
        heap_new(vm, KIND_FUNCTION, TYPE_VAL(function), sizeof *fn);
    if (!fn) return VAL_UNSET;
    for (uint64_t i = 0; i < tuple_len(vm, consts); i++)
        if (vm_is(vm, tuple_items(vm, consts)[i], KIND_CODE))
            fn->code = tuple_items(vm, consts)[i];
    if (!fn->code) return vm_raise(vm, EXC_ValueError, "no function was made");
    fn->globals = module;
    fn->name = fn->qualname = vm_name(vm, NAME_NAME);
    return heap_ref(&vm->heap, fn);
}
