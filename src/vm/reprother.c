/* SPDX-License-Identifier: MIT
 *
 * repr() of what is no data: functions, classes, modules, instances. */
#include "vm/exc.h"
#include "vm/repr.h"

#include <stdio.h>

static void add_address(struct build *b, val v) {
    char out[40];
    int n = snprintf(out, sizeof out, " at 0x%012llx>",
                     (unsigned long long)value_identity(v));
    build_ascii(b, out, (size_t)n);
}

static void add_text(struct build *b, val text) {
    if (text && vm_is(b->vm, text, KIND_STR))
        build_val(b, text);
    else
        build_cstr(b, "?");
}

void repr_class_name(struct build *b, val type) {
    const struct otype *t = type_at(b->vm, type);
    if (t->module && vm_is(b->vm, t->module, KIND_STR) &&
        !str_is(text_get(b->vm, t->module), "builtins")) {
        build_val(b, t->module);
        build_cstr(b, ".");
    }
    add_text(b, t->qualname ? t->qualname : t->name);
}

static void add_class(struct build *b, val v) {
    build_cstr(b, "<class '");
    repr_class_name(b, v);
    build_cstr(b, "'>");
}

static void add_function(struct build *b, val v) {
    const struct ofunc *f = heap_at(&b->vm->heap, v);
    build_cstr(b, "<function ");
    add_text(b, f->qualname);
    add_address(b, v);
}

static void add_generator(struct build *b, val v) {
    static const char *const what[] = {
        "<generator object ", "<coroutine object ", "<async_generator object "};
    const struct ogen *g = heap_at(&b->vm->heap, v);
    build_cstr(b, what[g->what % 3]);
    add_text(b, g->qualname);
    add_address(b, v);
}

static void add_object(struct build *b, val v) {
    build_cstr(b, "<");
    repr_class_name(b, type_of(b->vm, v));
    build_cstr(b, " object");
    add_address(b, v);
}

/* The name of a native is vm's to know. */
static void add_descr(struct build *b, val v) {
    const struct odescr *d = heap_at(&b->vm->heap, v);
    if (type_of(b->vm, v) != TYPE_VAL(_tuplegetter)) {
        add_object(b, v);
        return;
    }
    char text[40];
    int n = snprintf(text, sizeof text, "_tuplegetter(%llu, ",
                     (unsigned long long)d->pos);
    build_ascii(b, text, (size_t)n);
    val doc = value_repr(b->vm, d->doc);
    if (doc)
        build_val(b, doc);
    else
        b->failed = true;
    build_ascii(b, ")", 1);
}

static void add_native(struct build *b, val v) {
    const struct onative *n = heap_at(&b->vm->heap, v);
    str name = native_name(b->vm, v);
    if (!n->self) {
        build_cstr(b, "<built-in function ");
        build_add(b, name.p, name.n);
        build_cstr(b, ">");
        return;
    }
    build_cstr(b, "<built-in method ");
    build_add(b, name.p, name.n);
    build_cstr(b, " of ");
    repr_class_name(b, type_of(b->vm, n->self));
    build_cstr(b, " object");
    add_address(b, n->self);
}

static void add_module(struct build *b, val v) {
    const struct omodule *m = heap_at(&b->vm->heap, v);
    build_cstr(b, "<module '");
    add_text(b, m->name);
    build_cstr(b, "' (built-in)>");
}

static void add_hostfn(struct build *b, val v) {
    const struct ohostfn *f = heap_at(&b->vm->heap, v);
    build_cstr(b, "<function ");
    add_text(b, f->name);
    add_address(b, v);
}

static void add_method(struct build *b, val v) {
    const struct omethod *m = heap_at(&b->vm->heap, v);
    build_cstr(b, "<bound method ");
    if (vm_is(b->vm, m->func, KIND_FUNCTION))
        add_text(b, ((struct ofunc *)heap_at(&b->vm->heap, m->func))->qualname);
    else
        build_cstr(b, "?");
    build_cstr(b, " of ");
    if (!repr_add(b, m->self, NULL))
        build_cstr(b, ">");
    else
        b->failed = true;
}

static void add_exception(struct build *b, val v) {
    val text = exc_repr(b->vm, v);
    if (text)
        add_text(b, text);
    else
        b->failed = true;
}

void repr_other(struct build *b, val v) {
    switch ((int)vm_obj(b->vm, v)->kind) {
    case KIND_TYPE: add_class(b, v); break;
    case KIND_FUNCTION: add_function(b, v); break;
    case KIND_GENERATOR: add_generator(b, v); break;
    case KIND_NATIVE: add_native(b, v); break;
    case KIND_METHOD: add_method(b, v); break;
    case KIND_MODULE: add_module(b, v); break;
    case KIND_HOSTFN: add_hostfn(b, v); break;
    case KIND_DESCR: add_descr(b, v); break;
    case KIND_EXCEPTION: add_exception(b, v); break;
    default: add_object(b, v); break;
    }
}
