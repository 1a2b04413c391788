/* SPDX-License-Identifier: MIT
 *
 * call -- calling anything, and binding arguments to a function's parameters.
 */
#include <stdio.h>

#include "vm/bind.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/pending.h"
#include "vm/run.h"
#include "vm/taint.h"

/* -- frames -----------------------------------------------------------------
 */

enum step call_too_deep(struct vm *vm) {
    vm_raise(vm, EXC_RecursionError, "maximum recursion depth exceeded");
    return STEP_RAISE;
}

/* The frame runs; its registers are not cleared. */
static struct oframe *frame_new(struct vm *vm, val func, const struct ofunc *fn,
                                const struct ocode *code, struct ret ret) {
    struct root *root = vm_root(vm);
    if (root->depth >= vm->limits.depth) return call_too_deep(vm), NULL;
    uint64_t size = sizeof(struct oframe) + code->nregs * sizeof(val);
    struct oframe *f = frame_take(vm, code->frame_class);
    if (!f) f = heap_new_raw(vm, KIND_FRAME, TYPE_VAL(frame), size);
    if (!f) return NULL;
    struct oframe *caller = root->frame ? vm_frame(vm) : NULL;
    f->h = (struct obj){.kind = KIND_FRAME,
                        .type = (uint32_t)(TYPE_VAL(frame) / 8)};
    f->code = fn->code;
    f->func = func;
    f->back = root->frame;
    f->handled = caller ? caller->handled : VAL_UNSET;
    f->owner = VAL_UNSET;
    f->pc = 0;
    f->nregs = code->nregs;
    f->ret_word = ret.word;
    f->ret_reg = ret.reg;
    f->ret_how = ret.how;
    f->state = ret.state;
    f->size_class = (uint8_t)code->frame_class;
    f->tried = 0;
    if (vm->labels) taint_begin(vm, f, caller);
    root->frame = heap_ref(&vm->heap, f);
    root->depth++;
    return f;
}

struct oframe *frame_push(struct vm *vm, val func, struct ret ret) {
    const struct ofunc *fn = heap_at(&vm->heap, func);
    const struct ocode *code = heap_at(&vm->heap, fn->code);
    struct oframe *f = frame_new(vm, func, fn, code, ret);
    if (f) memset(f->reg, 0, code->nregs * sizeof(val));
    return f;
}

void frame_pop(struct vm *vm) {
    struct root *root = vm_root(vm);
    val frame = root->frame;
    struct oframe *f = heap_at(&vm->heap, frame);
    root->frame = f->back;
    root->depth--;
    if (!f->owner) frame_give(vm, frame, f);
}

/* -- the words of TypeErrors ------------------------------------------------
 */

struct pycall {
    struct vm *vm;
    const struct ofunc *fn;
    const struct ocode *code;
    struct oframe *frame;
    const val *args;
    size_t npos;
    val kwnames;
    bool stand_in; /* of a native: arguments not given may be unset */
};

static str call_name(const struct pycall *c) {
    return text_get(c->vm, c->fn->qualname);
}

static uint32_t default_count(const struct pycall *c) {
    return c->fn->defaults ? tuple_len(c->vm, c->fn->defaults) : 0;
}

static int too_many(const struct pycall *c) {
    unsigned given_kwonly = 0, nargs = c->code->nargs;
    for (unsigned i = 0; i < c->code->nkwonly; i++)
        given_kwonly += c->frame->reg[nargs + i] != VAL_UNSET;
    unsigned least = nargs - default_count(c);
    bool one = least == nargs ? nargs == 1 : false;
    char takes[64], kwonly[96] = "";
    if (least == nargs)
        snprintf(takes, sizeof takes, "%u", nargs);
    else
        snprintf(takes, sizeof takes, "from %u to %u", least, nargs);
    if (given_kwonly)
        snprintf(kwonly, sizeof kwonly,
                 " positional argument%s (and %u keyword-only argument%s)",
                 c->npos == 1 ? "" : "s", given_kwonly,
                 given_kwonly == 1 ? "" : "s");
    vm_raise(c->vm, EXC_TypeError,
             "%.*s() takes %s positional argument%s but %zu%s %s given",
             STR_ARG(call_name(c)), takes, one ? "" : "s", c->npos, kwonly,
             c->npos == 1 && !given_kwonly ? "was" : "were");
    return -1;
}

/* "'a'", "'a' and 'b'", "'a', 'b', and 'c'". */
static void list_names(const struct pycall *c, unsigned from, unsigned to,
                       struct buf *out, unsigned *count) {
    struct err e;
    const val *names = tuple_items(c->vm, c->code->varnames);
    unsigned n = 0;
    *count = 0;
    for (unsigned i = from; i < to; i++)
        n += c->frame->reg[i] == VAL_UNSET;
    for (unsigned i = from; i < to; i++) {
        if (c->frame->reg[i]) continue;
        const char *sep = *count == 0       ? ""
                          : n == 2          ? " and "
                          : *count + 1 == n ? ", and "
                                            : ", ";
        str name = text_get(c->vm, names[i]);
        if (buf_addf(out, &e, "%s'%.*s'", sep, STR_ARG(name))) return;
        ++*count;
    }
}

static int missing(const struct pycall *c, unsigned from, unsigned to,
                   const char *kind) {
    AUTO_BUF struct buf names = BUF_MAX(4096);
    unsigned n;
    list_names(c, from, to, &names, &n);
    vm_raise(
        c->vm, EXC_TypeError, "%.*s() missing %u required %s argument%s: %s",
        STR_ARG(call_name(c)), n, kind, n == 1 ? "" : "s", buf_text(&names));
    return -1;
}

static int keyword_error(const struct pycall *c, const char *fmt, val keyword) {
    AUTO_BUF struct buf b = BUF_MAX(1024);
    struct err e;
    str name = text_get(c->vm, keyword);
    if (buf_addf(&b, &e, "%.*s() %s '%.*s'", STR_ARG(call_name(c)), fmt,
                 STR_ARG(name)))
        buf_truncate(&b, 0);
    vm_raise(c->vm, EXC_TypeError, "%s", buf_text(&b));
    return -1;
}

/* -- binding ----------------------------------------------------------------
 */

static int find_param(const struct pycall *c, val keyword, unsigned from,
                      unsigned to) {
    const val *names = tuple_items(c->vm, c->code->varnames);
    for (unsigned i = from; i < to; i++)
        if (names[i] == keyword) return (int)i;
    for (unsigned i = from; i < to; i++)
        if (text_equal(c->vm, names[i], keyword)) return (int)i;
    return -1;
}

/* The register of **kwargs, which stands behind *args. */
static val *kwargs_reg(const struct pycall *c) {
    unsigned at = c->code->nargs + c->code->nkwonly;
    if (c->code->flags & CODE_VARARGS) at++;
    return &c->frame->reg[at];
}

/* One of the keywords names a parameter that takes none: an error, which says
 * so before anything else. */
static bool positional_only(struct pycall *c) {
    uint32_t n = tuple_len(c->vm, c->kwnames);
    for (uint32_t i = 0; i < n; i++) {
        val keyword = tuple_items(c->vm, c->kwnames)[i];
        if (find_param(c, keyword, 0, c->code->nposonly) < 0) continue;
        keyword_error(c,
                      "got some positional-only arguments passed as keyword "
                      "arguments:",
                      keyword);
        return true;
    }
    return false;
}

static int bind_keyword(struct pycall *c, val keyword, val value) {
    unsigned named = c->code->nargs + c->code->nkwonly;
    int at = find_param(c, keyword, c->code->nposonly, named);
    if (at >= 0) {
        if (c->frame->reg[at])
            return keyword_error(c, "got multiple values for argument",
                                 keyword);
        c->frame->reg[at] = value;
        return 0;
    }
    if (c->code->flags & CODE_VARKW)
        return dict_set(c->vm, *kwargs_reg(c), keyword, value);
    if (positional_only(c)) return -1;
    return keyword_error(c, "got an unexpected keyword argument", keyword);
}

static int bind_keywords(struct pycall *c) {
    if ((c->code->flags & CODE_VARKW) && !(*kwargs_reg(c) = dict_new(c->vm)))
        return -1;
    if (!c->kwnames) return 0;
    uint32_t n = tuple_len(c->vm, c->kwnames);
    for (uint32_t i = 0; i < n; i++)
        if (bind_keyword(c, tuple_items(c->vm, c->kwnames)[i],
                         c->args[c->npos + i]))
            return -1;
    return 0;
}

static int bind_positional(struct pycall *c) {
    size_t nargs = c->code->nargs, extra = 0, direct = c->npos;
    if (direct > nargs) {
        extra = direct - nargs;
        direct = nargs;
    }
    memcpy(c->frame->reg, c->args, direct * sizeof(val));
    if (!(c->code->flags & CODE_VARARGS)) return 0;
    val rest =
        extra ? tuple_new(c->vm, c->args + direct, extra) : VAL_EMPTY_TUPLE;
    c->frame->reg[nargs + c->code->nkwonly] = rest;
    return rest ? 0 : -1;
}

static void fill_defaults(struct pycall *c) {
    unsigned nargs = c->code->nargs, n = default_count(c);
    for (unsigned i = 0; i < n; i++) {
        val *reg = &c->frame->reg[nargs - n + i];
        if (!*reg) *reg = tuple_items(c->vm, c->fn->defaults)[i];
    }
    for (unsigned i = 0; c->stand_in && i < nargs; i++)
        if (!c->frame->reg[i]) c->frame->reg[i] = VAL_NONE;
    if (!c->fn->kwdefaults) return;
    for (unsigned i = nargs; i < nargs + c->code->nkwonly; i++) {
        val name = tuple_items(c->vm, c->code->varnames)[i], v;
        if (!c->frame->reg[i] &&
            dict_get(c->vm, c->fn->kwdefaults, name, &v) > 0)
            c->frame->reg[i] = v;
    }
}

static int check_missing(const struct pycall *c) {
    unsigned nargs = c->code->nargs, named = nargs + c->code->nkwonly;
    for (unsigned i = 0; i < nargs; i++)
        if (!c->frame->reg[i]) return missing(c, 0, nargs, "positional");
    for (unsigned i = nargs; i < named; i++)
        if (!c->frame->reg[i]) return missing(c, nargs, named, "keyword-only");
    return 0;
}

static int bind(struct pycall *c) {
    if (bind_positional(c) || bind_keywords(c)) return -1;
    if (c->npos > c->code->nargs && !(c->code->flags & CODE_VARARGS))
        return too_many(c);
    fill_defaults(c);
    return check_missing(c);
}

static enum step start_generator(struct vm *vm, struct oframe *f,
                                 struct ret ret) {
    struct root *root = vm_root(vm);
    val gen = gen_new(vm, f);
    if (!gen) {
        frame_pop(vm);
        return STEP_RAISE;
    }
    root->frame = f->back;
    root->depth--;
    f->back = VAL_UNSET;
    return deliver(vm, ret, gen);
}

/* Callers in C may leave arguments to their defaults. */
static bool all_given(const val *args, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!args[i]) return false;
    return true;
}

static enum step enter_function(struct vm *vm, val func, const val *args,
                                size_t npos, val kwnames, bool stand_in,
                                struct ret ret) {
    const struct ofunc *fn = heap_at(&vm->heap, func);
    const struct ocode *code = heap_at(&vm->heap, fn->code);
    struct oframe *f = frame_new(vm, func, fn, code, ret);
    if (!f) return STEP_RAISE;
    if (code->simple == npos + 1 && !kwnames && all_given(args, npos)) {
        for (size_t i = 0; i < npos; i++)
            f->reg[i] = args[i];
        memset(f->reg + npos, 0, (code->nregs - npos) * sizeof(val));
        return STEP_FRAME;
    }
    memset(f->reg, 0, code->nregs * sizeof(val));
    struct pycall c = {vm, fn, code, f, args, npos, kwnames, stand_in};
    if (bind(&c)) {
        /* The error belongs to the caller. */
        frame_pop(vm);
        return STEP_RAISE;
    }
    if (code->flags & (CODE_GENERATOR | CODE_COROUTINE))
        return start_generator(vm, f, ret);
    return STEP_FRAME;
}

static enum step call_function(struct vm *vm, val func, const val *args,
                               size_t npos, val kwnames, struct ret ret) {
    return enter_function(vm, func, args, npos, kwnames, false, ret);
}

/* -- natives and host functions ---------------------------------------------
 */

/* math.sqrt() of an object with __float__: again, with what that gives. Only
 * where every argument is given that stands before another one: they are
 * passed on by their places. */
static enum step call_with_floats(struct vm *vm, val native,
                                  const struct bound *b, struct ret ret) {
    val args[BOUND_MAX + 1] = {native};
    size_t n = b->n;
    while (n > 0 && !b->args[n - 1])
        n--;
    if (n > BOUND_MAX) return call_too_deep(vm);
    if (!all_given(b->args, n)) {
        vm_raise(vm, EXC_TypeError,
                 "%s() cannot be used with objects whose methods are written "
                 "in Python",
                 b->row->name);
        return STEP_RAISE;
    }
    memcpy(args + 1, b->args, n * sizeof(val));
    return call_in_prelude(vm, PRELUDE_with_floats, args, n + 1, ret);
}

enum step call_stand_in(struct vm *vm, val native, const struct bound *b,
                        struct ret ret) {
    const struct onative *o = heap_at(&vm->heap, native);
    vm->slow_wanted = false;
    if (!o->slow) return call_with_floats(vm, native, b, ret);
    return enter_function(vm, o->slow, b->args, b->n, VAL_UNSET, true, ret);
}

/* Natives without a C function: a step, or always the prelude. */
static enum step call_step(struct vm *vm, val native, const struct bound *b,
                           struct ret ret) {
    const struct onative *o = heap_at(&vm->heap, native);
    static native_step *const steps[] = {
        NULL,
#define STEP(name) step_##name,
#include "vm/steps.def"
#undef STEP
    };
    native_step *step = steps[vm->engine->steps[o->number]];
    if (!step) return call_stand_in(vm, native, b, ret);
    val room[BOUND_MAX + 1];
    if (b->n > BOUND_MAX) return call_too_deep(vm);
    memcpy(room + 1, b->args, b->n * sizeof(val));
    if (!vm->labels) return step(vm, room + 1, b->n, ret);
    const struct oframe *caller = vm_frame(vm);
    uint16_t label = taint_arguments(vm, b->args, b->n);
    return taint_step(vm, step(vm, room + 1, b->n, ret), ret, caller, label);
}

static enum step call_native(struct vm *vm, val native, val *args, size_t npos,
                             val kwnames, struct ret ret) {
    struct onative *o = heap_at(&vm->heap, native);
    if (o->self) {
        *--args = o->self;
        npos++;
    }
    struct bound b;
    if (!native_bind(vm, native, args, npos, kwnames, &b)) return STEP_RAISE;
    if (!b.row->fn) return call_step(vm, native, &b, ret);
    val v = native_apply(vm, native, b.row, b.args, b.n);
    if (v) return vm->labels ? taint_deliver(vm, ret, v) : deliver(vm, ret, v);
    if (vm->slow_wanted) return call_stand_in(vm, native, &b, ret);
    return STEP_RAISE;
}

static val keywords_dict(struct vm *vm, const val *values, val kwnames) {
    if (!kwnames) return VAL_NONE;
    val dict = dict_new(vm);
    for (uint32_t i = 0; dict && i < tuple_len(vm, kwnames); i++)
        if (dict_set(vm, dict, tuple_items(vm, kwnames)[i], values[i]))
            return VAL_UNSET;
    return dict;
}

/* The run stops here; resume() delivers the host's answer by root.call_*. */
static enum step call_host(struct vm *vm, val hostfn, const val *args,
                           size_t npos, val kwnames, struct ret ret) {
    struct root *root = vm_root(vm);
    if (vm->calls_spent >= vm->limits.calls) {
        exc_limit(vm, LIMIT_CALLS);
        return STEP_RAISE;
    }
    val list = tuple_new(vm, args, npos);
    val keywords = keywords_dict(vm, args + npos, kwnames);
    if (!list || !keywords) return STEP_RAISE;
    val parts[4] = {hostfn, list, keywords,
                    val_of_int((int64_t)root->next_call + 1)};
    val call = tuple_new(vm, parts, 4);
    if (!call) return STEP_RAISE;
    root->call = call;
    root->next_call++;
    root->call_how = ret.how;
    root->call_reg = ret.reg;
    root->call_state = ret.state;
    root->call_word = ret.word;
    vm->calls_spent++;
    const struct ohostfn *fn = heap_at(&vm->heap, hostfn);
    bool later = pending_bars(vm, call, fn->flags & HOSTFN_READ_ONLY);
    vm->status = later ? VM_WAIT : VM_CALL;
    return STEP_STOP;
}

/* -- anything ---------------------------------------------------------------
 */

static enum step not_callable(struct vm *vm, val callee) {
    vm_raise(vm, EXC_TypeError, "'%s' object is not callable",
             vm_type_name(vm, callee));
    return STEP_RAISE;
}

/* With self in front, through memory that has room in front again. The depth of
 * callables whose __call__ is itself an object is bounded like any recursion.
 */
static enum step call_with_self(struct vm *vm, val callee, val self,
                                const val *args, size_t npos, val kwnames,
                                struct ret ret) {
    size_t n = npos + (kwnames ? tuple_len(vm, kwnames) : 0);
    val few[18], *room = few;
    if (n + 2 > sizeof few / sizeof few[0]) {
        struct otuple *t = heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple),
                                    sizeof *t + (n + 2) * sizeof(val));
        if (!t) return STEP_RAISE;
        t->len = (uint32_t)n + 2;
        room = t->item;
    }
    room[1] = self;
    memcpy(room + 2, args, n * sizeof(val));
    if (!vm_enter(vm)) return call_too_deep(vm);
    enum step step = call_any(vm, callee, room + 1, npos + 1, kwnames, ret);
    vm_leave(vm);
    return step;
}

static enum step call_object(struct vm *vm, val callee, val *args, size_t npos,
                             val kwnames, struct ret ret) {
    val method = type_special(vm, type_of(vm, callee), SPECIAL_CALL);
    if (!method) return not_callable(vm, callee);
    if (!vm_is(vm, method, KIND_FUNCTION))
        return call_with_self(vm, method, callee, args, npos, kwnames, ret);
    args[-1] = callee;
    return call_function(vm, method, args - 1, npos + 1, kwnames, ret);
}

static enum step call_method(struct vm *vm, val method, val *args, size_t npos,
                             val kwnames, struct ret ret) {
    const struct omethod *m = heap_at(&vm->heap, method);
    if (!vm_is(vm, m->func, KIND_FUNCTION))
        return call_with_self(vm, m->func, m->self, args, npos, kwnames, ret);
    args[-1] = m->self;
    return call_function(vm, m->func, args - 1, npos + 1, kwnames, ret);
}

/* A staticmethod object can be called; the others cannot. */
static enum step call_descr(struct vm *vm, val callee, val *args, size_t npos,
                            val kwnames, struct ret ret) {
    const struct odescr *d = heap_at(&vm->heap, callee);
    if (!type_is_instance(vm, callee, TYPE_VAL(staticmethod)))
        return call_object(vm, callee, args, npos, kwnames, ret);
    if (!vm_enter(vm)) return call_too_deep(vm);
    enum step step = call_any(vm, d->get, args, npos, kwnames, ret);
    vm_leave(vm);
    return step;
}

enum step call_any(struct vm *vm, val callee, val *args, size_t npos,
                   val kwnames, struct ret ret) {
    if (!val_is_ref(callee)) return not_callable(vm, callee);
    enum kind kind = (enum kind)vm_obj(vm, callee)->kind;
    if (kind == KIND_FUNCTION)
        return call_function(vm, callee, args, npos, kwnames, ret);
    if (kind == KIND_NATIVE)
        return call_native(vm, callee, args, npos, kwnames, ret);
    if (kind == KIND_METHOD)
        return call_method(vm, callee, args, npos, kwnames, ret);
    if (kind == KIND_TYPE)
        return class_call(vm, callee, args, npos, kwnames, ret);
    if (kind == KIND_HOSTFN)
        return call_host(vm, callee, args, npos, kwnames, ret);
    if (kind == KIND_DESCR)
        return call_descr(vm, callee, args, npos, kwnames, ret);
    return call_object(vm, callee, args, npos, kwnames, ret);
}

enum step call_in_prelude(struct vm *vm, enum prelude_id id, const val *args,
                          size_t n, struct ret ret) {
    vm->slow_wanted = false;
    val fn = vm_prelude(vm, id);
    if (!fn) {
        vm_raise(vm, EXC_TypeError,
                 "operation not supported between objects "
                 "whose methods are written in Python");
        return STEP_RAISE;
    }
    return call_function(vm, fn, args, n, VAL_UNSET, ret);
}

/* -- f(*args, **keywords) ----------------------------------------------------
 */

static size_t spread_dict(struct vm *vm, val keywords, val *values,
                          val *names) {
    val key, v;
    size_t n = 0;
    for (uint64_t i = 0; dict_next(vm, keywords, &i, &key, &v);) {
        names[n] = key;
        values[n++] = v;
    }
    return n;
}

static val tuple_room(struct vm *vm, size_t n) {
    struct otuple *t =
        heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple), sizeof *t + n * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = (uint32_t)n;
    return heap_ref(&vm->heap, t);
}

enum step call_spread(struct vm *vm, val callee, val self, val args,
                      val keywords, struct ret ret) {
    const val *items;
    uint64_t n, nkw = 0;
    if (value_items(vm, args, &items, &n)) return STEP_RAISE;
    if (keywords) nkw = ((struct odict *)heap_at(&vm->heap, keywords))->len;
    if (!vm_charge(vm, 1 + n + nkw)) return STEP_RAISE;
    val room = tuple_room(vm, n + nkw + 3);
    val names = nkw ? tuple_room(vm, nkw) : VAL_UNSET;
    if (!room || (nkw && !names)) return STEP_RAISE;
    val *slot = tuple_items(vm, room) + 2; /* one for self, one to spare */
    if (n) memcpy(slot, items, n * sizeof(val));
    if (nkw) spread_dict(vm, keywords, slot + n, tuple_items(vm, names));
    if (self) {
        *--slot = self;
        n++;
    }
    return call_any(vm, callee, slot, n, names, ret);
}
