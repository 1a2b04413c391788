/* SPDX-License-Identifier: MIT
 *
 * template -- builds what all runs share: classes, natives, names, prelude.
 *
 * The template is made in a range of its own by the same code that a run uses,
 * then its bytes begin the range of every run (image.c, heap.c). Order matters
 * only at the beginning: singletons and classes have fixed places, so anything
 * may refer to them before they are filled in.
 */
#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "vm/bind.h"
#include "vm/dict.h"
#include "vm/engine.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/pack.h"
#include "vm/taint.h"
#include "vm/template.h"
#include "vm/type.h"

#define TEMPLATE_MAX (32u << 20)
#define TEXTS_MAX    (4u << 20) /* of modules that are kept as text */

struct builder {
    struct vm *vm;
    struct engine *engine;
    struct err *e;
    uint32_t next; /* number of the next native to be made */
    val *seen;     /* parts of code, by a hash of their bytes */
    str packed;    /* modules that are kept as text, with a NUL behind each */
};

#define SEEN_BITS 16
enum { PARTS_SHARED = 0x01 }; /* flag of what had its parts looked at */

static const struct native_type *const type_rows[] = {
#define TYPE(id, file) &native_##id,
#include "vm/types.def"
#undef TYPE
};

static const struct {
    const char *name, *base;
} exc_rows[] = {
#define EXC(name, base) {#name, #base},
#include "vm/exceptions.def"
#undef EXC
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static int broken(struct builder *b, const char *what) {
    val exc = vm_root(b->vm)->exception;
    AUTO_BUF struct buf words = BUF_MAX(1 << 16);
    struct err ignored;
    if (exc) exc_print(b->vm, exc, &words, &ignored);
    return fail(b->e, ERR_INTERNAL, "template: %s: %s", what, buf_text(&words));
}

/* -- names ------------------------------------------------------------------
 */

static void singleton(struct vm *vm, val at, enum kind kind, val type) {
    *vm_obj(vm, at) =
        (struct obj){.kind = (uint8_t)kind, .type = (uint32_t)(type / 8)};
}

static void fill_singletons(struct vm *vm) {
    singleton(vm, VAL_NONE, KIND_NONE, TYPE_VAL(NoneType));
    singleton(vm, VAL_ELLIPSIS, KIND_NONE, TYPE_VAL(ellipsis));
    singleton(vm, VAL_NOTIMPLEMENTED, KIND_NONE, TYPE_VAL(NotImplementedType));
    singleton(vm, VAL_FALSE, KIND_BOOL, TYPE_VAL(bool));
    singleton(vm, VAL_TRUE, KIND_BOOL, TYPE_VAL(bool));
    singleton(vm, VAL_EMPTY_TUPLE, KIND_TUPLE, TYPE_VAL(tuple));
}

static int index_specials(struct builder *b) {
    struct template_head *head = template_head(b->vm);
    val index = dict_new(b->vm), number = val_of_int(SPECIAL_ARITH);
    if (!index) return broken(b, "names");
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (dict_set(b->vm, index, head->specials[i], val_of_int(i)))
            return broken(b, "names");
    for (int i = NAME_OP_ADD; i <= NAME_I_MATMUL; i++)
        if (dict_set(b->vm, index, head->names[i], number))
            return broken(b, "names");
    head->special_index = index;
    return 0;
}

static int fill_names(struct builder *b) {
    static const char *const names[] = {
#define NAME(id, text) text,
#include "vm/names.def"
#undef NAME
    };
    static const char *const specials[] = {
#define SPECIAL(name, text) text,
#include "lang/specials.def"
#undef SPECIAL
    };
    struct template_head *head = template_head(b->vm);
    for (size_t i = 0; i < COUNT(names); i++)
        if (!(head->names[i] = text_intern(b->vm, str_of(names[i]))))
            return broken(b, "names");
    for (size_t i = 0; i < COUNT(specials); i++)
        if (!(head->specials[i] = text_intern(b->vm, str_of(specials[i]))))
            return broken(b, "names");
    return index_specials(b);
}

/* -- natives ----------------------------------------------------------------
 */

static int number_of(struct builder *b, const struct native *row,
                     uint32_t *out) {
    if (b->next == b->engine->nnatives || b->engine->natives[b->next] != row)
        return fail(b->e, ERR_INTERNAL, "%s is not in its place", row->name);
    *out = b->next++;
    return 0;
}

static unsigned native_flags(const struct native *row, bool method) {
    if (!strcmp(row->name, "__new__")) return NATIVE_NEW;
    if (!strncmp(row->signature, "@class", 6)) return NATIVE_CLASS;
    if (!strncmp(row->signature, "@method", 7)) return NATIVE_METHOD;
    if (!strncmp(row->signature, "@static", 7)) return 0;
    return method ? NATIVE_METHOD : 0;
}

static val make_native(struct builder *b, const struct native *row, val owner,
                       bool method) {
    struct vm *vm = b->vm;
    struct nsig sig;
    val names;
    uint32_t number;
    unsigned flags = native_flags(row, method);
    if (number_of(b, row, &number) ||
        bind_parse(vm, row, flags != 0, &sig, &names, b->e))
        return VAL_UNSET;
    val type = flags ? TYPE_VAL(method_descriptor) : TYPE_VAL(builtin);
    struct onative *o = heap_new(vm, KIND_NATIVE, type, sizeof *o);
    if (!o) return broken(b, row->name), VAL_UNSET;
    if (row->fn && !sig.star && !sig.starstar && !sig.nkwonly)
        flags |= NATIVE_DIRECT | (unsigned)(sig.self + sig.npos) << 8 |
                 (unsigned)(sig.self + sig.required) << 16;
    else if (row->fn && !sig.kwrequired)
        flags |= NATIVE_SPREAD;
    if ((flags & NATIVE_DIRECT) && !(flags & (NATIVE_CLASS | NATIVE_NEW)))
        flags |= NATIVE_PLAIN;
    flags |= native_flow_of(vm, method ? owner : VAL_UNSET, row->name)
             << NATIVE_FLOW_SHIFT;
    if ((flags & NATIVE_METHOD) && !method) owner = TYPE_VAL(object);
    *o = (struct onative){.h = o->h,
                          .number = number,
                          .flags = flags,
                          .sig = sig,
                          .names = names,
                          .owner = owner};
    return heap_ref(&vm->heap, o);
}

static int put(struct builder *b, val dict, const char *name, val v) {
    if (!v) return vm_root(b->vm)->exception ? broken(b, name) : -1;
    if (dict_set_text(b->vm, dict, str_of(name), v)) return broken(b, name);
    return 0;
}

static int put_natives(struct builder *b, val dict, const struct native *rows,
                       val owner, bool method) {
    for (const struct native *r = rows; r && r->name; r++)
        if (put(b, dict, r->name, make_native(b, r, owner, method))) return -1;
    return 0;
}

static val make_getter(struct builder *b, const struct native *row, val owner) {
    val get = make_native(b, row, owner, true);
    if (!get) return VAL_UNSET;
    struct odescr *d =
        heap_new(b->vm, KIND_DESCR, TYPE_VAL(getset_descriptor), sizeof *d);
    if (!d) return broken(b, row->name), VAL_UNSET;
    d->get = get;
    d->name = text_intern(b->vm, str_of(row->name));
    return heap_ref(&b->vm->heap, d);
}

static int put_getters(struct builder *b, val dict, const struct native *rows,
                       val owner) {
    for (const struct native *r = rows; r && r->name; r++)
        if (put(b, dict, r->name, make_getter(b, r, owner))) return -1;
    return 0;
}

/* -- classes ----------------------------------------------------------------
 */

static val find_type(const char *name) {
    if (!name) return TYPE_VAL(object);
    for (size_t i = 0; i < COUNT(type_rows); i++)
        if (!strcmp(type_rows[i]->name, name)) return TYPE_AT(i);
    for (size_t i = 0; i < COUNT(exc_rows); i++)
        if (!strcmp(exc_rows[i].name, name)) return EXC_AT(i);
    return VAL_UNSET;
}

/* Bases are filled in before what derives from them, or the mro is not there
 * yet: types.def and exceptions.def are ordered so. */
static int fill_type(struct builder *b, val at, const char *name, val bases) {
    struct vm *vm = b->vm;
    struct otype *t = type_at(vm, at);
    t->h =
        (struct obj){.kind = KIND_TYPE, .type = (uint32_t)(TYPE_VAL(type) / 8)};
    t->name = t->qualname = text_intern(vm, str_of(name));
    t->module = vm_name(vm, NAME_BUILTINS);
    t->bases = bases;
    t->base = tuple_len(vm, bases) ? tuple_items(vm, bases)[0] : VAL_UNSET;
    t->dict = dict_new(vm);
    t->mro = type_mro(vm, at, bases);
    t->version = ++vm->type_version;
    return t->name && t->dict && t->mro ? 0 : broken(b, name);
}

static int fill_builtin_type(struct builder *b, size_t i) {
    const struct native_type *row = type_rows[i];
    val at = TYPE_AT(i), bases = VAL_EMPTY_TUPLE;
    if (at != TYPE_VAL(object)) {
        val base = find_type(row->base);
        if (!base) return fail(b->e, ERR_INTERNAL, "no base %s", row->base);
        bases = tuple_new(b->vm, &base, 1);
    }
    if (fill_type(b, at, row->name, bases)) return -1;
    struct otype *t = type_at(b->vm, at);
    t->instance_kind = (uint8_t)row->kind;
    t->flags = (uint16_t)row->flags;
    if (row->doc &&
        put(b, t->dict, "__doc__", text_intern(b->vm, str_of(row->doc))))
        return -1;
    return put_natives(b, t->dict, row->methods, at, true) ||
           put_getters(b, t->dict, row->getters, at);
}

static val exception_bases(struct vm *vm, size_t i) {
    val bases[2] = {find_type(exc_rows[i].base), EXC_VAL(Exception)};
    return tuple_new(vm, bases, i == EXC_ExceptionGroup ? 2 : 1);
}

static int fill_exception(struct builder *b, size_t i) {
    /* Attributes that are None where nothing was given. */
    static const struct {
        enum exc exc;
        const char *name;
    } unset[] = {
        {EXC_ImportError, "name"},    {EXC_ImportError, "path"},
        {EXC_AttributeError, "name"}, {EXC_AttributeError, "obj"},
        {EXC_NameError, "name"},
    };
    if (fill_type(b, EXC_AT(i), exc_rows[i].name, exception_bases(b->vm, i)))
        return -1;
    struct otype *t = type_at(b->vm, EXC_AT(i));
    t->instance_kind = KIND_EXCEPTION;
    t->flags = TYPE_EXCEPTION;
    for (size_t k = 0; k < COUNT(unset); k++)
        if (unset[k].exc == i && put(b, t->dict, unset[k].name, VAL_NONE))
            return -1;
    const struct native_type *row = exc_native_type(exc_rows[i].name);
    if (!row) return 0;
    return put_natives(b, t->dict, row->methods, EXC_AT(i), true) ||
           put_getters(b, t->dict, row->getters, EXC_AT(i));
}

static int fill_types(struct builder *b) {
    for (size_t i = 0; i < COUNT(type_rows); i++)
        if (fill_builtin_type(b, i))
            return fail_while(b->e, "%s", type_rows[i]->name);
    for (size_t i = 0; i < COUNT(exc_rows); i++)
        if (fill_exception(b, i))
            return fail_while(b->e, "%s", exc_rows[i].name);
    return 0;
}

/* -- modules ----------------------------------------------------------------
 */

static int put_classes(struct builder *b, val names) {
    for (size_t i = 0; i < COUNT(type_rows); i++)
        if (!(type_rows[i]->flags & TYPE_HIDDEN) &&
            put(b, names, type_rows[i]->name, TYPE_AT(i)))
            return -1;
    for (size_t i = 0; i < COUNT(exc_rows); i++)
        if (put(b, names, exc_rows[i].name, EXC_AT(i))) return -1;
    return 0;
}

static int put_constants(struct builder *b, val names) {
    return put(b, names, "Ellipsis", VAL_ELLIPSIS) ||
           put(b, names, "NotImplemented", VAL_NOTIMPLEMENTED) ||
           put(b, names, "IOError", EXC_VAL(OSError)) ||
           put(b, names, "EnvironmentError", EXC_VAL(OSError)) ||
           put(b, names, "__debug__", VAL_TRUE);
}

/* A module with its natives; a run's import makes a copy of it and then runs
 * the code. */
static val module_proto(struct builder *b, const struct native_module *row) {
    val names = dict_new(b->vm), name = text_intern(b->vm, str_of(row->name));
    if (!names || put_natives(b, names, row->functions, name, false))
        return VAL_UNSET;
    if (!strcmp(row->name, "builtins") &&
        (put_natives(b, names, core_natives, name, false) ||
         put_classes(b, names) || put_constants(b, names)))
        return VAL_UNSET;
    val module = module_new(b->vm, name, names);
    if (!module) broken(b, row->name);
    return module;
}

static const struct python_source *source_of(const char *module) {
    for (const struct python_source *s = module_sources; s->name; s++)
        if (!strcmp(s->name, module)) return s;
    return NULL;
}

/* Modules are filled in the order of their sources. */
static val next_packed(struct builder *b) {
    str text = str_cut(&b->packed, 0);
    return bytes_new(b->vm, text.p, text.n);
}

static int pack_texts(struct builder *b, struct buf *all) {
    for (const struct python_source *s = module_sources; s->name; s++)
        if (s->as_text && (pack_squeeze(str_of(s->text), all, b->e) ||
                           buf_add_char(all, 0, b->e)))
            return -1;
    if (pack_learn(all, &template_head(b->vm)->pack, b->e)) return -1;
    b->packed = buf_str(all);
    return 0;
}

static int fill_module(struct builder *b, const struct native_module *row) {
    struct vm *vm = b->vm;
    val pair[2] = {module_proto(b, row), VAL_NONE};
    if (!pair[0]) return -1;
    if (!template_head(vm)->builtins) template_head(vm)->builtins = pair[0];
    if (row->init && row->init(vm, pair[0])) return broken(b, row->name);
    const struct python_source *python = source_of(row->name);
    if (python) {
        char file[80];
        snprintf(file, sizeof file, "<%s>", row->name);
        pair[1] = python->as_text
                      ? next_packed(b)
                      : load_source(vm, str_of(python->text), file, pair[0]);
        if (!pair[1]) return broken(b, file);
    }
    return put(b, template_head(vm)->modules, row->name,
               tuple_new(vm, pair, 2));
}

/* -- sharing ----------------------------------------------------------------
 *
 * The same names, constants and instructions are in many functions: one of
 * each is kept. What becomes free is taken by what comes next.
 */

static void share_part(struct builder *b, val *where) {
    if (!*where || *where == VAL_EMPTY_TUPLE) return;
    static const uint64_t key[2];
    struct heap *h = &b->vm->heap;
    uint64_t size = object_size(heap_at(h, *where));
    uint64_t hash = hash_bytes(heap_at(h, *where), size, key);
    val *slot = &b->seen[hash >> (64 - SEEN_BITS)];
    if (*slot == *where) return;
    if (*slot && object_size(heap_at(h, *slot)) == size &&
        !memcmp(heap_at(h, *slot), heap_at(h, *where), size)) {
        heap_free(b->vm, *where);
        *where = *slot;
        return;
    }
    *slot = *where;
}

/* Tuples among constants; nothing has run yet that could have taken one. */
static void share_items(struct builder *b, val consts) {
    val *items = tuple_items(b->vm, consts);
    for (uint32_t i = 0; i < tuple_len(b->vm, consts); i++)
        if (vm_is(b->vm, items[i], KIND_TUPLE)) share_part(b, &items[i]);
}

/* An empty store has many owners from the start (load.c). */
static void share_code(struct builder *b, struct ocode *c) {
    const struct ostore *handlers = heap_at(&b->vm->heap, c->handlers);
    share_items(b, c->consts);
    share_part(b, &c->names);
    share_part(b, &c->varnames);
    share_part(b, &c->consts);
    share_part(b, &c->words);
    if (handlers->used) share_part(b, &c->handlers);
}

/* What is new has parts of its own. */
static void share(struct builder *b) {
    struct vm *vm = b->vm;
    for (uint64_t at = template_first(); at < vm->heap.top;) {
        struct obj *o = heap_at(&vm->heap, at);
        at += object_size(o);
        if ((o->kind != KIND_CODE && o->kind != KIND_NATIVE) ||
            (o->flags & PARTS_SHARED))
            continue;
        o->flags |= PARTS_SHARED;
        if (o->kind == KIND_NATIVE)
            share_part(b, &((struct onative *)o)->names);
        else
            share_code(b, (struct ocode *)o);
    }
}

/* -- prelude ----------------------------------------------------------------
 */

static int find_prelude(struct builder *b, bool some) {
    static const char *const names[] = {
#define PRELUDE(name) #name,
#include "lang/prelude.def"
#undef PRELUDE
    };
    struct vm *vm = b->vm;
    struct template_head *head = template_head(vm);
    for (size_t i = 0; i < COUNT(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "_%s", names[i]);
        head->prelude[i] = module_get(vm, head->builtins, str_of(name));
        if (!head->prelude[i] && !some)
            return fail(b->e, ERR_INTERNAL, "prelude lacks %s", names[i]);
    }
    return 0;
}

static int run_part(struct builder *b, const struct python_source *part) {
    struct vm *vm = b->vm;
    val builtins = template_head(vm)->builtins;
    val code = load_source(vm, str_of(part->text), part->name, builtins);
    if (!code) return broken(b, part->name);
    share(b);
    if (vm_grow_caches(vm, b->e)) return -1;
    if (vm_start(vm, code, builtins) || vm_run(vm) != VM_DONE)
        return broken(b, part->name);
    return 0;
}

static int run_prelude(struct builder *b) {
    struct vm *vm = b->vm;
    vm_root(vm)->module = template_head(vm)->builtins;
    for (const struct python_source *p = prelude_sources; p->name; p++) {
        if (run_part(b, p)) return -1;
        /* Classes in the next part are made by functions of this one. */
        if (p == prelude_sources && find_prelude(b, true)) return -1;
    }
    return find_prelude(b, false);
}

/* Walks all natives made so far and gives each its stand-in. */
static int link_slow(struct builder *b) {
    struct vm *vm = b->vm;
    uint64_t at = template_first();
    while (at < vm->heap.top) {
        struct obj *o = heap_at(&vm->heap, at);
        at += object_size(o);
        if (o->kind != KIND_NATIVE) continue;
        struct onative *n = (struct onative *)o;
        const struct native *row = b->engine->natives[n->number];
        if (!row->slow || row->slow[0] == '@') continue;
        n->slow =
            module_get(vm, template_head(vm)->builtins, str_of(row->slow));
        if (!n->slow)
            return fail(b->e, ERR_INTERNAL, "prelude lacks %s (for %s)",
                        row->slow, row->name);
    }
    return 0;
}

/* -- trimming --------------------------------------------------------------
 */

/* What was made so far grows no more: the room it has left is for what comes
 * next. Entries are used from the first on, and so are slots. */
static void trim(struct vm *vm) {
    for (uint64_t at = template_first(); at < vm->heap.top;) {
        struct obj *o = heap_at(&vm->heap, at);
        at += object_size(o);
        if (o->kind == KIND_DICT) {
            dict_trim(vm, heap_ref(&vm->heap, o));
        } else if (o->kind == KIND_MODULE) {
            const struct omodule *m = (struct omodule *)o;
            const struct ostore *s = heap_at(&vm->heap, m->slots);
            heap_store_trim(vm, m->builtins, s->used);
            heap_store_trim(vm, m->slots, s->used);
        }
    }
}

/* builtins is the first row: the prelude completes it, and only then are the
 * other modules compiled, which find their builtins there. */
static int fill_modules(struct builder *b) {
    AUTO_BUF struct buf texts = BUF_MAX(TEXTS_MAX);
    template_head(b->vm)->modules = dict_new(b->vm);
    if (pack_texts(b, &texts)) return -1;
    const struct native_module *const *row = stdlib_modules;
    if (fill_module(b, *row) || run_prelude(b)) return -1;
    for (row++; *row; row++) {
        share(b);
        trim(b->vm);
        if (fill_module(b, *row)) return fail_while(b->e, "%s", (*row)->name);
    }
    share(b);
    trim(b->vm);
    return 0;
}

/* -- the whole --------------------------------------------------------------
 */

static int fill(struct builder *b) {
    struct vm *vm = b->vm;
    fill_singletons(vm);
    text_template(vm);
    if (fill_names(b) || fill_types(b)) return -1;
    template_head(vm)->memory_error =
        exc_new(vm, EXC_VAL(MemoryError), NULL, 0);
    return fill_modules(b) || link_slow(b);
}

/* Pinned: the collector passes it over, and nothing may write to it. Hashes of
 * strings are computed now because they cannot be stored later. */
static int freeze(struct builder *b) {
    struct vm *vm = b->vm;
    int64_t hash;
    if (text_freeze(vm)) return broken(b, "names");
    for (unsigned c = 0; c <= 256; c++)
        if (value_hash(vm, CHAR_VAL(c), &hash)) return broken(b, "hash");
    for (uint64_t at = template_first(); at < vm->heap.top;) {
        struct obj *o = heap_at(&vm->heap, at);
        if (o->kind == KIND_STR && value_hash(vm, at, &hash))
            return broken(b, "hash");
        if (o->kind == KIND_CODE || o->kind == KIND_NATIVE)
            o->flags &= (uint8_t)~PARTS_SHARED;
        if (o->kind != KIND_FREE) o->flags |= OBJ_PINNED;
        at += object_size(o);
    }
    return 0;
}

static int copy_out(struct builder *b) {
    struct vm *vm = b->vm;
    uint64_t size = (vm->heap.top + 4095) & ~4095ull;
    void *bytes = mem_alloc(size, b->e);
    if (!bytes) return -1;
    memset((char *)vm->heap.base + vm->heap.top, 0, size - vm->heap.top);
    memcpy(bytes, vm->heap.base, size);
    b->engine->bytes = b->engine->owned = bytes;
    b->engine->size = size;
    b->engine->names = vm->heap.names;
    b->engine->ncaches = vm->next_cache;
    b->engine->type_version = vm->type_version;
    const uint64_t seed[2] = {0x636f72646f6e, 1};
    b->engine->build = hash_bytes(bytes, size, seed);
    return 0;
}

static int build(struct engine *engine, struct err *e) {
    struct vm vm = {.building = true, .library = true, .engine = engine};
    vm.limits = (struct vm_limits){.steps = 1u << 30,
                                   .memory = TEMPLATE_MAX,
                                   .time_ns = INT64_MAX,
                                   .depth = 1000};
    vm_budget_begin(&vm);
    vm_clock_start(&vm);
    struct builder b = {.vm = &vm, .engine = engine, .e = e};
    b.seen = mem_zalloc(1u << SEEN_BITS, sizeof *b.seen, e);
    vm.lookups = mem_zalloc(LOOKUP_SLOTS, sizeof *vm.lookups, e);
    int bad = -1;
    if (b.seen && vm.lookups && !natives_number(engine, e) &&
        !heap_init(&vm.heap, NULL, false, TEMPLATE_ROOT, TEMPLATE_MAX, e)) {
        vm.heap.top = template_first();
        vm.heap.collect_at = 0; /* each allocation looks for a hole first */
        bad = fill(&b) || freeze(&b) || copy_out(&b);
    }
    vm_drop(&vm);
    mem_free(b.seen);
    return bad ? -1 : 0;
}

const struct template_origin template_origin = {.build = build};
