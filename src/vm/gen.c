/* SPDX-License-Identifier: MIT
 *
 * gen -- generators, coroutines and asynchronous generators: frames that are
 * left and entered again.
 *
 * A resumed generator's frame stands on top of its resumer's; yielding takes it
 * off and hands the value on by the struct ret it was resumed with. `yield
 * from` and await keep the frame at its DELEGATE instruction: what is sent in
 * goes on to the inner iterator, what that yields goes on out.
 */
#include "vm/gen.h"
#include "vm/exc.h"
#include "vm/iter.h"
#include "vm/ops.h"
#include "vm/pending.h"
#include "vm/slow.h"

enum gen_what { GENERATOR, COROUTINE, ASYNC_GENERATOR };

static struct ogen *gen_at(const struct vm *vm, val gen) {
    return heap_kind(&vm->heap, gen, KIND_GENERATOR);
}

static const char *gen_word(const struct ogen *g) {
    return g->what == GENERATOR   ? "generator"
           : g->what == COROUTINE ? "coroutine"
                                  : "async generator";
}

val gen_new(struct vm *vm, struct oframe *f) {
    static const val types[] = {TYPE_VAL(generator), TYPE_VAL(coroutine),
                                TYPE_VAL(async_generator)};
    const struct ocode *code = frame_code(vm, f);
    const struct ofunc *fn = heap_at(&vm->heap, f->func);
    unsigned what = !(code->flags & CODE_COROUTINE)   ? GENERATOR
                    : !(code->flags & CODE_GENERATOR) ? COROUTINE
                                                      : ASYNC_GENERATOR;
    struct ogen *g = heap_new(vm, KIND_GENERATOR, types[what], sizeof *g);
    if (!g) return VAL_UNSET;
    g->frame = heap_ref(&vm->heap, f);
    g->what = what;
    g->state = GEN_CREATED;
    g->name = fn->name;
    g->qualname = fn->qualname;
    f->owner = heap_ref(&vm->heap, g);
    f->handled = VAL_UNSET;
    return f->owner;
}

static enum step left(enum step step) {
    return step == STEP_DONE ? STEP_FRAME : step;
}

/* -- ends ---------------------------------------------------------------------
 */

static void take_jump(struct vm *vm, struct oframe *f) {
    f->pc =
        (uint32_t)((int64_t)f->pc + INS_SJ(code_words(vm, f->code)[f->pc - 1]));
}

enum step gen_end(struct vm *vm, struct ret ret, val value, bool async) {
    struct oframe *f = vm_frame(vm);
    if (async) {
        vm_raise_args(vm, EXC_StopAsyncIteration, NULL, 0);
        return STEP_RAISE;
    }
    switch ((int)ret.how) {
    case RET_NEXT: take_jump(vm, f); return STEP_FRAME;
    case RET_SEND: f->reg[ret.reg] = value; return STEP_FRAME;
    case RET_CLOSE: f->reg[ret.reg] = VAL_NONE; return STEP_FRAME;
    default: break;
    }
    vm_raise_args(vm, EXC_StopIteration, &value,
                  value_plain(vm, value) != VAL_NONE);
    return STEP_RAISE;
}

static void close_gen(struct vm *vm, struct oframe *f) {
    struct ogen *g = gen_at(vm, f->owner);
    g->state = GEN_CLOSED;
    g->frame = VAL_UNSET;
    f->owner = VAL_UNSET;
}

enum step gen_return(struct vm *vm, val value) {
    struct oframe *f = vm_frame(vm);
    bool async = gen_at(vm, f->owner)->what == ASYNC_GENERATOR;
    close_gen(vm, f);
    struct ret ret = gen_leave(vm, f);
    frame_give(vm, heap_ref(&vm->heap, f), f);
    return gen_end(vm, ret, value, async);
}

/* StopIteration must not leave a generator: a loop would take it for the
 * end. */
static void replace_stop(struct vm *vm, const struct ogen *g) {
    bool stop = exc_is(vm, EXC_StopIteration);
    bool stop_async =
        g->what == ASYNC_GENERATOR && exc_is(vm, EXC_StopAsyncIteration);
    if (!stop && !stop_async) return;
    val cause = exc_take(vm);
    vm_raise(vm, EXC_RuntimeError, "%s raised Stop%sIteration", gen_word(g),
             stop ? "" : "Async");
    val exc = vm_root(vm)->exception;
    if (exc < vm->heap.template_end) return;
    exc_at(vm, exc)->cause = exc_at(vm, exc)->context = cause;
    exc_at(vm, exc)->suppress_context = 1;
}

void gen_failed(struct vm *vm, struct oframe *f) {
    replace_stop(vm, gen_at(vm, f->owner));
    close_gen(vm, f);
}

/* -- yielding -----------------------------------------------------------------
 */

enum step gen_yield(struct vm *vm, val value) {
    struct oframe *f = vm_frame(vm);
    if (!f->owner) {
        vm_raise(vm, EXC_RuntimeError,
                 "a task waits for something while no event loop runs");
        return STEP_RAISE;
    }
    struct ogen *g = gen_at(vm, f->owner);
    bool own = INS_OP(code_words(vm, f->code)[f->pc - 1]) == OP_YIELD;
    g->state = GEN_SUSPENDED;
    struct ret ret = gen_leave(vm, f);
    /* What an asynchronous generator yields ends the await of its __anext__;
     * what it awaits passes through. */
    if (g->what == ASYNC_GENERATOR && own)
        return left(gen_end(vm, ret, value, false));
    return left(deliver(vm, ret, value));
}

/* -- resuming -----------------------------------------------------------------
 */

static enum step resume_closed(struct vm *vm, const struct ogen *g, val exc,
                               struct ret ret) {
    if (exc && g->what != COROUTINE) {
        exc_raise(vm, exc);
        return STEP_RAISE;
    }
    if (g->what == COROUTINE) {
        vm_raise(vm, EXC_RuntimeError,
                 "cannot reuse already awaited coroutine");
        return STEP_RAISE;
    }
    return left(gen_end(vm, ret, VAL_NONE, g->what == ASYNC_GENERATOR));
}

static enum step resume_running(struct vm *vm, const struct ogen *g) {
    vm_raise(vm, EXC_ValueError, "%s already executing", gen_word(g));
    return STEP_RAISE;
}

static enum step resume_created(struct vm *vm, struct ogen *g, val exc) {
    if (!exc) {
        vm_raise(vm, EXC_TypeError,
                 "can't send non-None value to a just-started %s", gen_word(g));
        return STEP_RAISE;
    }
    struct oframe *f = heap_at(&vm->heap, g->frame);
    close_gen(vm, f);
    frame_give(vm, heap_ref(&vm->heap, f), f);
    exc_raise(vm, exc);
    replace_stop(vm, g);
    return STEP_RAISE;
}

static enum step delegate(struct vm *vm, uint32_t w, val sent, val exc);

enum step gen_resume(struct vm *vm, val gen, val sent, val exc,
                     struct ret ret) {
    struct ogen *g = gen_at(vm, gen);
    if (g->state == GEN_CLOSED) return resume_closed(vm, g, exc, ret);
    if (g->state == GEN_RUNNING) return resume_running(vm, g);
    if (g->state == GEN_CREATED &&
        (exc || (sent && value_plain(vm, sent) != VAL_NONE)))
        return resume_created(vm, g, exc);
    if (vm_root(vm)->depth >= vm->limits.depth) return call_too_deep(vm);
    bool first = g->state == GEN_CREATED;
    gen_enter(vm, g, ret);
    struct oframe *f = vm_frame(vm);
    if (first) return STEP_FRAME;
    uint32_t w = gen_word_at(vm, g);
    if (INS_OP(w) == OP_DELEGATE) return left(delegate(vm, w, sent, exc));
    if (exc) {
        exc_raise(vm, exc);
        return STEP_RAISE;
    }
    f->reg[INS_A(w)] = sent ? sent : VAL_NONE;
    return STEP_FRAME;
}

/* -- yield from, await
 * ---------------------------------------------------------- */

static enum step delegate_c(struct vm *vm, uint32_t w, val it) {
    val item;
    enum iter_step s = iter_next(vm, it, &item);
    if (s == ITER_RAISED) return STEP_RAISE;
    if (s == ITER_ITEM) return gen_yield(vm, item);
    vm_frame(vm)->reg[INS_A(w)] = VAL_NONE;
    return STEP_DONE;
}

static enum step no_send(struct vm *vm, val it) {
    vm_raise(vm, EXC_AttributeError, "'%s' object has no attribute 'send'",
             vm_type_name(vm, it));
    return STEP_RAISE;
}

/* An iterator written in Python: __next__, or send and throw where it has
 * them. */
static enum step delegate_object(struct vm *vm, val it, val sent, val exc,
                                 struct ret ret) {
    val type = type_of(vm, it), fn;
    val room[3] = {VAL_UNSET, it, exc ? exc : sent};
    if (exc) {
        fn = type_lookup(vm, type, vm_name(vm, NAME_THROW));
        if (!fn) {
            exc_raise(vm, exc);
            return STEP_RAISE;
        }
        return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret);
    }
    if (sent && value_plain(vm, sent) != VAL_NONE) {
        fn = type_lookup(vm, type, vm_name(vm, NAME_SEND));
        if (!fn) return no_send(vm, it);
        return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret);
    }
    fn = type_special(vm, type, SPECIAL_NEXT);
    if (!fn) {
        vm_raise(vm, EXC_TypeError, "'%s' object is not an iterator",
                 vm_type_name(vm, it));
        return STEP_RAISE;
    }
    return call_any(vm, fn, room + 1, 1, VAL_UNSET, ret);
}

static enum step delegate(struct vm *vm, uint32_t w, val sent, val exc) {
    val it = vm_frame(vm)->reg[INS_B(w)];
    struct ret ret = {RET_SEND, (uint8_t)INS_A(w), 0, w};
    if (vm_is(vm, it, KIND_ITER)) {
        struct oiter *i = heap_at(&vm->heap, it);
        if (i->what == ITER_ASEND) {
            /* The first value goes in with the first resume only. */
            val gen = i->source, first = i->extra[0];
            val thrown = i->extra[1];
            i->extra[0] = i->extra[1] = VAL_UNSET;
            return gen_resume(vm, gen, first ? first : sent,
                              thrown ? thrown : exc, ret);
        }
        if (i->what != ITER_FRAME) {
            if (!exc && sent && value_plain(vm, sent) != VAL_NONE)
                return no_send(vm, it);
            if (!exc) return delegate_c(vm, w, it);
            exc_raise(vm, exc);
            return STEP_RAISE;
        }
        it = i->source;
    }
    if (exc && exc_matches(vm, exc, EXC_GeneratorExit)) {
        val args[2] = {it, exc};
        return call_in_prelude(vm, PRELUDE_delegate_exit, args, 2, ret);
    }
    if (vm_is(vm, it, KIND_GENERATOR))
        return gen_resume(vm, it, sent, exc, ret);
    enum step step = delegate_object(vm, it, sent, exc, ret);
    if (step == STEP_RAISE) return slow_caught(vm, ret, false);
    return step;
}

enum step gen_delegate(struct vm *vm, uint32_t w) {
    return left(delegate(vm, w, VAL_UNSET, VAL_UNSET));
}

static enum step not_awaitable(struct vm *vm, val v, unsigned where) {
    if (where)
        vm_raise(vm, EXC_TypeError,
                 "'async %s' received an object from __a%s__ that does not "
                 "implement __await__: %s",
                 where == 1 ? "with" : "for", where == 1 ? "enter" : "next",
                 vm_type_name(vm, v));
    else
        vm_raise(vm, EXC_TypeError,
                 "object %s can't be used in 'await' expression",
                 vm_type_name(vm, v));
    return STEP_RAISE;
}

/* What the host answered can be awaited where it was asked for: `await f()`. */
static bool answered_just_now(struct vm *vm, const struct oframe *f) {
    const struct root *root = vm_root(vm);
    uint64_t at = root->answered_pc;
    if (root->answered != heap_ref(&vm->heap, f) || at >= f->pc) return false;
    if (INS_OP(code_words(vm, f->code)[at]) == OP_MOVE) at++;
    return at + 1 == f->pc;
}

enum step slow_awaitable(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val v = f->reg[INS_B(w)];
    bool direct = type_of(vm, v) == TYPE_VAL(coroutine) ||
                  (vm_is(vm, v, KIND_ITER) &&
                   ((struct oiter *)heap_at(&vm->heap, v))->what == ITER_ASEND);
    if (direct) {
        f->reg[INS_A(w)] = v;
        return STEP_DONE;
    }
    val fn = type_special(vm, type_of(vm, v), SPECIAL_AWAIT);
    if (!fn && answered_just_now(vm, f)) return pending_await(vm, w);
    if (!fn) return not_awaitable(vm, v, INS_C(w));
    val room[2] = {VAL_UNSET, v};
    struct ret ret = {RET_AWAIT, (uint8_t)INS_A(w), 0, w};
    return call_any(vm, fn, room + 1, 1, VAL_UNSET, ret);
}

/* -- methods
 * -------------------------------------------------------------------- */

enum step step_gen_next(struct vm *vm, val *args, size_t n, struct ret ret) {
    (void)n;
    return gen_resume(vm, args[0], VAL_UNSET, VAL_UNSET, ret);
}

enum step step_gen_send(struct vm *vm, val *args, size_t n, struct ret ret) {
    (void)n;
    return gen_resume(vm, args[0], args[1], VAL_UNSET, ret);
}

enum step step_gen_throw(struct vm *vm, val *args, size_t n, struct ret ret) {
    if (!vm_is(vm, args[1], KIND_EXCEPTION))
        return call_in_prelude(vm, PRELUDE_gen_throw, args, n, ret);
    return gen_resume(vm, args[0], VAL_UNSET, args[1], ret);
}

enum step step_gen_close(struct vm *vm, val *args, size_t n, struct ret ret) {
    (void)n;
    struct ogen *g = gen_at(vm, args[0]);
    if (g->state == GEN_CREATED) close_gen(vm, heap_at(&vm->heap, g->frame));
    if (g->state == GEN_CLOSED) return deliver(vm, ret, VAL_NONE);
    val exc = exc_new(vm, EXC_VAL(GeneratorExit), NULL, 0);
    if (!exc) return STEP_RAISE;
    struct ret closing = {RET_CLOSE, ret.reg, 0, ret.word};
    return gen_resume(vm, args[0], VAL_UNSET, exc, closing);
}

static val gen_self(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)n;
    return args[0];
}

static val asend(struct vm *vm, val gen, val sent, val exc) {
    struct oiter *i =
        heap_new(vm, KIND_ITER, TYPE_VAL(async_generator_asend), sizeof *i);
    if (!i) return VAL_UNSET;
    i->what = ITER_ASEND;
    i->source = gen;
    i->extra[0] = sent;
    i->extra[1] = exc;
    return heap_ref(&vm->heap, i);
}

static val agen_next(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return asend(vm, args[0], VAL_UNSET, VAL_UNSET);
}

static val agen_send(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return asend(vm, args[0], args[1], VAL_UNSET);
}

static val agen_throw(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_is(vm, args[1], KIND_EXCEPTION))
        return vm_raise(vm, EXC_TypeError,
                        "exceptions must be classes or instances deriving "
                        "from BaseException, not %s",
                        vm_type_name(vm, args[1]));
    return asend(vm, args[0], VAL_UNSET, args[1]);
}

static val gen_name(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return gen_at(vm, args[0])->name;
}

static val gen_qualname(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return gen_at(vm, args[0])->qualname;
}

static val gen_is_running(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return val_of_bool(gen_at(vm, args[0])->state == GEN_RUNNING);
}

static const struct native gen_getters[] = {
    {"__name__", "", gen_name, "its function's name", NULL},
    {"__qualname__", "", gen_qualname, "its full name", NULL},
    {"gi_running", "", gen_is_running, "whether it runs now", NULL},
    {0},
};

static const struct native gen_methods[] = {
    {"__iter__", "", gen_self, "itself", NULL},
    {"__next__", "", NULL, "the next value", "@gen_next"},
    {"send", "value, /", NULL, "resumes with a value", "@gen_send"},
    {"throw", "type, value=None, traceback=None, /", NULL, "raises inside it",
     "@gen_throw"},
    {"close", "", NULL, "ends it", "@gen_close"},
    {0},
};

static const struct native coroutine_methods[] = {
    {"__await__", "", gen_self, "itself", NULL},
    {"__next__", "", NULL, "the next value", "@gen_next"},
    {"send", "value, /", NULL, "resumes with a value", "@gen_send"},
    {"throw", "type, value=None, traceback=None, /", NULL, "raises inside it",
     "@gen_throw"},
    {"close", "", NULL, "ends it", "@gen_close"},
    {0},
};

static const struct native agen_methods[] = {
    {"__aiter__", "", gen_self, "itself", NULL},
    {"__anext__", "", agen_next, "awaits the next value", NULL},
    {"asend", "value, /", agen_send, "awaits with a value", NULL},
    {"athrow", "exception, /", agen_throw, "raises inside it", NULL},
    {"aclose", "", NULL, "ends it", "_agen_close"},
    {0},
};

static const struct native asend_methods[] = {
    {"__await__", "", gen_self, "itself", NULL},
    {0},
};

const struct native_type native_generator = {
    "generator", KIND_GENERATOR, NULL, TYPE_HIDDEN | TYPE_FINAL,
    gen_methods, gen_getters,    NULL,
};
const struct native_type native_coroutine = {
    "coroutine",       KIND_GENERATOR, NULL, TYPE_HIDDEN | TYPE_FINAL,
    coroutine_methods, gen_getters,    NULL,
};
const struct native_type native_async_generator = {
    "async_generator", KIND_GENERATOR, NULL, TYPE_HIDDEN | TYPE_FINAL,
    agen_methods,      gen_getters,    NULL,
};
const struct native_type native_async_generator_asend = {
    "async_generator_asend", KIND_ITER, NULL, TYPE_HIDDEN | TYPE_FINAL,
    asend_methods,           NULL,      NULL,
};
