/* SPDX-License-Identifier: MIT
 *
 * api -- cordon.h: options, sessions, runs, outcomes.
 */
#include "cordon.h"

#include <string.h>

#include "base/mem.h"
#include "vm/exc.h"
#include "vm/jsonval.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/pending.h"
#include "vm/session.h"
#include "vm/taint.h"

#define NAME_MAX_BYTES 128
#define TEXT_MAX       ((size_t)64 << 20) /* of a result or a traceback */

const char *cordon_version(void) {
    return "0.1.0";
}

/* -- options
 * ----------------------------------------------------------------------------
 */

cordon_options *cordon_options_new(void) {
    struct err e;
    return mem_zalloc(1, sizeof(cordon_options), &e);
}

void cordon_options_free(cordon_options *o) {
    if (!o) return;
    for (size_t i = 0; i < o->nfunctions; i++)
        mem_free(o->functions[i].name);
    mem_free(o->functions);
    mem_free(o->replay);
    mem_free(o);
}

void cordon_options_limits(cordon_options *o,
                           const struct cordon_limits *limits) {
    o->limits = *limits;
}

static bool usable_name(const char *name) {
    bool start = true;
    size_t n = strlen(name);
    if (n == 0 || n > NAME_MAX_BYTES) return false;
    for (const char *p = name; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                      *p == '_' || (unsigned char)*p >= 0x80;
        bool digit = *p >= '0' && *p <= '9';
        if (*p == '.' && !start)
            start = true;
        else if (letter || (digit && !start))
            start = false;
        else
            return false;
    }
    return !start;
}

int cordon_options_function(cordon_options *o, const char *name,
                            unsigned flags) {
    struct err e;
    if (!usable_name(name)) return -1;
    struct host_function *grown =
        mem_resize(o->functions, o->nfunctions + 1, sizeof *o->functions, &e);
    if (!grown) return -1;
    o->functions = grown;
    char *copy = mem_dup(name, strlen(name), &e);
    if (!copy) return -1;
    o->functions[o->nfunctions++] = (struct host_function){copy, flags};
    return 0;
}

void cordon_options_print(cordon_options *o, cordon_print_fn *fn, void *user) {
    o->print = fn;
    o->print_user = user;
}

/* -- sessions
 * ----------------------------------------------------------------------------
 */

static uint64_t or_default(uint64_t given, uint64_t otherwise) {
    return given ? given : otherwise;
}

static struct vm_limits limits_of(const struct cordon_limits *l) {
    return (struct vm_limits){
        .steps = or_default(l->steps, 1000000000),
        .memory = or_default(l->memory, 64u << 20),
        .time_ns = (int64_t)or_default(l->time_ms, 10000) * 1000000,
        .output = or_default(l->output, 1u << 20),
        .depth = (uint32_t)or_default(l->depth, 1000),
        .calls = (uint32_t)or_default(l->calls, 200),
    };
}

/* A module of functions that stands for the first `n` bytes of a name. */
static val new_space(struct vm *vm, val outer, str first, str whole, size_t n) {
    val key = text_intern(vm, first),
        path = text_intern(vm, str_sub(whole, 0, n));
    val space = key && path ? module_new(vm, path, VAL_UNSET) : VAL_UNSET;
    if (!space || module_set(vm, outer, key, space) ||
        import_offer(vm, path, space))
        return VAL_UNSET;
    return space;
}

/* "mail.send": a module `mail` among the globals with the name `send`. */
static int bind_function(struct vm *vm, str name, val fn) {
    val at = vm_root(vm)->module;
    str rest = name;
    for (;;) {
        str first = str_cut(&rest, '.');
        if (!rest.p) {
            val key = text_intern(vm, first);
            return key ? module_set(vm, at, key, fn) : -1;
        }
        val inner = module_get(vm, at, first);
        if (!inner || !vm_is(vm, inner, KIND_MODULE))
            inner = new_space(vm, at, first, name,
                              (size_t)(first.p - name.p) + first.n);
        if (!inner) return -1;
        at = inner;
    }
}

static int add_functions(struct vm *vm, const cordon_options *o) {
    for (size_t i = 0; i < o->nfunctions; i++) {
        struct ohostfn *fn =
            heap_new(vm, KIND_HOSTFN, TYPE_VAL(hostfn), sizeof *fn);
        if (!fn) return -1;
        str name = str_of(o->functions[i].name);
        fn->number = (uint32_t)i;
        fn->flags = o->functions[i].flags & CORDON_READ_ONLY;
        val v = heap_ref(&vm->heap, fn);
        if (!(fn->name = text_intern(vm, name)) || bind_function(vm, name, v))
            return -1;
    }
    return 0;
}

static int fill_session(cordon_session *s, const cordon_options *o) {
    struct root *root = vm_root(&s->vm);
    root->module = module_new(&s->vm, vm_name(&s->vm, NAME_MAIN), VAL_UNSET);
    root->result = VAL_NONE;
    s->vm.print = o ? o->print : NULL;
    s->vm.print_user = o ? o->print_user : NULL;
    if (!root->module) return -1;
    return o ? add_functions(&s->vm, o) : 0;
}

static int add_labels(cordon_session *s, const cordon_options *o) {
    if (!o || o->labels == CORDON_LABELS_OFF) return 0;
    s->vm.labels = label_table_new(o->labels == CORDON_LABELS_STRICT, &s->err);
    return s->vm.labels ? 0 : -1;
}

cordon_session *cordon_session_new(const cordon_options *o, const char **why) {
    static const struct cordon_limits defaults;
    struct err e;
    const char *reason = "out of memory";
    cordon_session *s = mem_zalloc(1, sizeof *s, &e);
    const struct engine *engine = s ? engine_get(&e) : NULL;
    struct vm_limits limits = limits_of(o ? &o->limits : &defaults);
    if (s) s->text = BUF_MAX(TEXT_MAX);
    if (s && !engine) reason = "the interpreter's template cannot be built";
    if (engine && vm_init(&s->vm, engine, &limits, &e) == 0) {
        if (add_labels(s, o) == 0 && session_journal(s, o) == 0 &&
            fill_session(s, o) == 0)
            return s;
        reason = "the memory limit is too small";
    }
    cordon_session_free(s);
    if (why) *why = reason;
    return NULL;
}

void cordon_session_free(cordon_session *s) {
    if (!s) return;
    label_table_free(s->vm.labels);
    session_journal_free(s);
    vm_fini(&s->vm);
    buf_fini(&s->text);
    mem_free(s);
}

int session_set(cordon_session *s, const char *name, val v) {
    val key = v ? text_intern(&s->vm, str_of(name)) : VAL_UNSET;
    int bad = !key || module_set(&s->vm, vm_root(&s->vm)->module, key, v);
    exc_take(&s->vm);
    return bad ? -1 : 0;
}

int cordon_set_json(cordon_session *s, const char *name, const char *json,
                    size_t len) {
    if (session_note(s, HISTORY_INPUT, str_of(name), (str){json, len}))
        return -1;
    vm_clock_start(&s->vm);
    return session_set(s, name,
                       jsonval_read(&s->vm, (str){json, len}, &s->err));
}

/* -- ends of runs
 * ------------------------------------------------------------------------- */

/* sys.exit(3): the number; a text goes to the traceback and means 1. */
static enum cordon_status system_exit(cordon_session *s, val exc) {
    struct vm *vm = &s->vm;
    val args = exc_at(vm, exc)->args;
    val code = tuple_len(vm, args) ? tuple_items(vm, args)[0] : VAL_NONE;
    int64_t n = 1;
    if (code == VAL_NONE)
        n = 0;
    else if (int_is(vm, code))
        int_get(vm, code, &n);
    else if (vm_is(vm, code, KIND_STR)) {
        buf_add_str(&s->text, text_get(vm, code), &s->err);
        buf_add_char(&s->text, '\n', &s->err);
    }
    s->exit_status = (int)(n & 0xff);
    s->exited = true;
    return CORDON_DONE;
}

/* The traceback in Python, which can call __str__ of the program's exceptions;
 * with a little budget of its own. */
static bool print_in_python(cordon_session *s, val exc) {
    struct vm *vm = &s->vm;
    struct vm_limits limits = vm->limits;
    uint32_t calls = vm->calls_spent;
    if (vm->fired || !vm_prelude(vm, PRELUDE_format_exception)) return false;
    vm->limits.steps += 2000000;
    vm->limits.time_ns += 200000000;
    vm->limits.calls = 0;
    vm->steady = true;
    bool good = vm_start_call(vm, vm_prelude(vm, PRELUDE_format_exception),
                              &exc, 1) == 0 &&
                vm_run(vm) == VM_DONE &&
                vm_is(vm, vm_root(vm)->value, KIND_STR);
    vm->steady = false;
    vm->limits = limits;
    vm->calls_spent = calls;
    vm->fired = LIMIT_NONE;
    if (!good) return false;
    return !buf_add_str(&s->text, text_get(vm, vm_root(vm)->value), &s->err);
}

/* The exception's text, or 0 when there is no memory to write it in. */
static size_t print_traceback(cordon_session *s, val exc) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    root->spare[0] = exc;
    if (!print_in_python(s, exc)) {
        exc_take(vm);
        buf_truncate(&s->text, 0);
        exc_print(vm, exc, &s->text, &s->err);
    }
    root->spare[0] = VAL_UNSET;
    exc_take(vm);
    return s->text.len;
}

/* The last line of the traceback is what cordon_error() says. */
static void keep_last_line(cordon_session *s, enum err_kind kind) {
    str all = str_trim(buf_str(&s->text));
    size_t line = all.n;
    while (line > 0 && all.p[line - 1] != '\n')
        line--;
    err_set(&s->err, kind, "%.*s", STR_ARG(str_sub(all, line, all.n)));
}

/* The exception in flight ended the run; without one the host's own memory did
 * not suffice, and s->err says so. */
static enum cordon_status raised(cordon_session *s) {
    struct vm *vm = &s->vm;
    val exc = exc_take(vm);
    enum vm_limit fired = vm->fired;
    buf_truncate(&s->text, 0);
    s->exit_status = 1;
    if (!exc) {
        vm_clear(vm);
        return CORDON_FAILED;
    }
    if (exc_matches(vm, exc, EXC_SystemExit)) return system_exit(s, exc);
    bool limit = fired || exc_matches(vm, exc, EXC_LimitExceeded);
    if (vm->labels) vm->labels->traceback = taint_deep(vm, exc);
    bool printed = print_traceback(s, exc) > 0;
    vm_clear(vm);
    if (!printed) return CORDON_FAILED;
    keep_last_line(s, limit ? ERR_LIMIT : ERR_INVALID);
    return limit ? CORDON_LIMIT : CORDON_RAISED;
}

/* Nothing runs any more; what was still pending will not come. */
static void end_run(cordon_session *s) {
    vm_clear(&s->vm);
    pending_abandon(&s->vm);
    s->answering = false;
}

enum cordon_status session_wait_call(cordon_session *s) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    val id = tuple_items(vm, root->call)[3];
    root->waiting = list_new(vm, &id, 1);
    if (!root->waiting) return session_resume(s, VAL_UNSET);
    s->answering = true;
    vm->status = VM_WAIT;
    return s->status = CORDON_WAIT;
}

enum cordon_status session_run_on(cordon_session *s) {
    switch (vm_run(&s->vm)) {
    case VM_DONE: s->status = CORDON_DONE; break;
    case VM_RAISED:
    case VM_LIMIT: s->status = raised(s); break;
    case VM_CALL: s->status = CORDON_CALL; break;
    case VM_WAIT: s->status = CORDON_WAIT; break;
    case VM_PAUSED: s->status = CORDON_PAUSED; break;
    case VM_READY: s->status = CORDON_FAILED; break;
    }
    bool goes_on = s->status == CORDON_CALL || s->status == CORDON_WAIT ||
                   s->status == CORDON_PAUSED;
    if (!goes_on) end_run(s);
    return s->status;
}

/* -- running
 * --------------------------------------------------------------------------------
 */

enum cordon_status cordon_run_file(cordon_session *s, const char *code,
                                   size_t len, const char *filename) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    vm_clear(vm);
    exc_take(vm);
    if (session_note(s, HISTORY_PROGRAM, str_of(filename ? filename : ""),
                     (str){code, len}))
        return s->status = CORDON_FAILED;
    vm_budget_begin(vm);
    vm->cancel = false;
    s->exit_status = 0;
    s->exited = false;
    buf_truncate(&s->text, 0);
    buf_truncate(&vm->output, 0);
    root->result = VAL_NONE;
    if (vm->labels)
        vm->labels->output = vm->labels->traceback = vm->labels->result_under =
            0;
    if (vm->heap.live > vm->heap.collect_at) heap_collect(vm);
    vm_clock_start(vm);
    val unit = load_source(vm, (str){code, len},
                           filename ? filename : "<program>", root->module);
    vm_clock_stop(vm);
    if (!unit || vm_grow_caches(vm, &s->err) ||
        vm_start(vm, unit, root->module))
        return s->status = raised(s);
    return session_follow(s, session_run_on(s));
}

enum cordon_status cordon_run(cordon_session *s, const char *code) {
    return cordon_run_file(s, code, strlen(code), NULL);
}

const char *cordon_call_name(const cordon_session *s) {
    const struct vm *vm = &s->vm;
    val call = vm_root_const(vm)->call;
    if (!call) return NULL;
    const struct ohostfn *fn = heap_at(&vm->heap, tuple_items(vm, call)[0]);
    return text_get(vm, fn->name).p;
}

uint64_t cordon_call_id(const cordon_session *s) {
    val call = vm_root_const(&s->vm)->call;
    return call ? (uint64_t)val_int(tuple_items(&s->vm, call)[3]) : 0;
}

const char *cordon_call_args_json(cordon_session *s) {
    struct vm *vm = &s->vm;
    val call = vm_root(vm)->call;
    if (!call) return NULL;
    const val *part = tuple_items(vm, call);
    buf_truncate(&s->text, 0);
    if (buf_add_text(&s->text, "{\"args\": ", &s->err) ||
        jsonval_write(vm, part[1], &s->text, &s->err) ||
        buf_add_text(&s->text, ", \"kwargs\": ", &s->err) ||
        (part[2] == VAL_NONE ? buf_add_text(&s->text, "{}", &s->err)
                             : jsonval_write(vm, part[2], &s->text, &s->err)) ||
        buf_add_char(&s->text, '}', &s->err))
        return NULL;
    return buf_text(&s->text);
}

enum cordon_status session_not_waiting(cordon_session *s) {
    err_set(&s->err, ERR_INVALID, "the session does not wait for a call");
    return CORDON_FAILED;
}

enum cordon_status session_resume(cordon_session *s, val v) {
    if (!v && !vm_root(&s->vm)->exception) return CORDON_FAILED;
    vm_resume(&s->vm, v);
    return session_run_on(s);
}

enum cordon_status cordon_resume_json(cordon_session *s, const char *json,
                                      size_t len) {
    if (!vm_root(&s->vm)->call) return session_not_waiting(s);
    session_note_answer(s, HISTORY_ANSWER, (str){json, len}, STR(""));
    vm_clock_start(&s->vm); /* waiting does not count */
    return session_resume(s, jsonval_read(&s->vm, (str){json, len}, &s->err));
}

static enum exc exception_named(const char *name) {
    static const char *const names[] = {
#define EXC(name, base) #name,
#include "vm/exceptions.def"
#undef EXC
    };
    for (unsigned i = 0; name && i < EXC_COUNT; i++)
        if (!strcmp(names[i], name)) return (enum exc)i;
    return EXC_ToolError;
}

void session_raise(cordon_session *s, const char *type, const char *message) {
    struct vm *vm = &s->vm;
    if (vm->labels) vm->ambient = vm->labels->error;
    vm_raise(vm, exception_named(type), "%s", message);
    vm->ambient = 0;
}

enum cordon_status cordon_resume_error(cordon_session *s, const char *type,
                                       const char *message) {
    struct vm *vm = &s->vm;
    if (!vm_root(vm)->call) return session_not_waiting(s);
    session_note_answer(s, HISTORY_ERROR, str_of(type ? type : ""),
                        str_of(message));
    session_raise(s, type, message);
    vm_resume(vm, VAL_UNSET);
    return session_run_on(s);
}

void cordon_cancel(cordon_session *s) {
    s->vm.cancel = true;
}

void cordon_pause(cordon_session *s) {
    s->vm.pause = true;
}

/* -- outcomes
 * ----------------------------------------------------------------------------------
 */

const char *cordon_result_json(cordon_session *s) {
    buf_truncate(&s->text, 0);
    if (jsonval_write(&s->vm, vm_root(&s->vm)->result, &s->text, &s->err))
        return NULL;
    return buf_text(&s->text);
}

const char *cordon_result_repr(cordon_session *s) {
    struct vm *vm = &s->vm;
    val text = value_repr(vm, vm_root(vm)->result);
    if (!text && vm->slow_wanted) {
        vm->slow_wanted = false;
        val result = vm_root(vm)->result;
        vm->steady = true;
        if (vm_start_call(vm, vm_prelude(vm, PRELUDE_op_repr), &result, 1) ==
                0 &&
            vm_run(vm) == VM_DONE)
            text = vm_root(vm)->value;
        vm->steady = false;
        vm_clear(vm);
    }
    exc_take(vm);
    buf_truncate(&s->text, 0);
    if (!text || !vm_is(vm, text, KIND_STR)) return NULL;
    if (buf_add_str(&s->text, text_get(vm, text), &s->err)) return NULL;
    return buf_text(&s->text);
}

const char *cordon_output(cordon_session *s, size_t *len) {
    if (len) *len = s->vm.output.len;
    return buf_text(&s->vm.output);
}

const char *cordon_traceback(cordon_session *s) {
    return buf_text(&s->text);
}

const char *cordon_error(const cordon_session *s) {
    return s->err.text;
}

int cordon_exited(const cordon_session *s) {
    return s->exited;
}

int cordon_keep_result(cordon_session *s, const char *name) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    val result = root->result;
    if (s->status != CORDON_DONE || s->exited || !result || result == VAL_NONE)
        return 0;
    val key = text_intern(vm, str_of(name));
    if (key && module_set(vm, root->module, key, result) == 0) return 1;
    exc_take(vm);
    err_set(&s->err, ERR_MEMORY, "no memory for '%s'", name);
    return -1;
}

int cordon_exit_status(const cordon_session *s) {
    return s->exit_status;
}

void cordon_usage(const cordon_session *s, struct cordon_usage *usage) {
    const struct vm *vm = &s->vm;
    const struct heap *h = &vm->heap;
    *usage = (struct cordon_usage){
        .steps = vm_steps(vm),
        .memory_peak = h->peak > h->live ? h->peak : h->live,
        .time_ns = (uint64_t)vm->time_spent_ns,
        .output = vm->output_spent,
        .calls = vm->calls_spent,
    };
}

void cordon_free(void *p) {
    mem_free(p);
}
