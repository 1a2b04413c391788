/* SPDX-License-Identifier: MIT
 *
 * objexc -- methods and fields of the builtin exceptions.
 */
#include <errno.h>
#include <stdio.h>

#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/template.h"

#define UNUSED_N (void)n

static val or_none(val v) {
    return v ? v : VAL_NONE;
}

static struct oexc *self(struct vm *vm, const val *args) {
    return exc_at(vm, args[0]);
}

static val arg(struct vm *vm, val exc, uint32_t i) {
    val args = exc_at(vm, exc)->args;
    return i < tuple_len(vm, args) ? tuple_items(vm, args)[i] : VAL_UNSET;
}

static uint32_t arg_count(struct vm *vm, val exc) {
    return tuple_len(vm, exc_at(vm, exc)->args);
}

/* -- making
 * ------------------------------------------------------------------------ */

/* args: class, keywords, arguments. Keywords are __init__'s to judge. */
/* OSError(2, ...) is a FileNotFoundError: the class of a number. */
static val class_of_errno(val number) {
    if (!val_is_int(number)) return EXC_VAL(OSError);
    switch (val_int(number)) {
    case EPERM:
    case EACCES: return EXC_VAL(PermissionError);
    case ENOENT: return EXC_VAL(FileNotFoundError);
    case EEXIST: return EXC_VAL(FileExistsError);
    case EISDIR: return EXC_VAL(IsADirectoryError);
    case ENOTDIR: return EXC_VAL(NotADirectoryError);
    case EINTR: return EXC_VAL(InterruptedError);
    case ESRCH: return EXC_VAL(ProcessLookupError);
    case ECHILD: return EXC_VAL(ChildProcessError);
    case EAGAIN:
    case EALREADY:
    case EINPROGRESS: return EXC_VAL(BlockingIOError);
    case EPIPE:
    case ESHUTDOWN: return EXC_VAL(BrokenPipeError);
    case ECONNABORTED: return EXC_VAL(ConnectionAbortedError);
    case ECONNREFUSED: return EXC_VAL(ConnectionRefusedError);
    case ECONNRESET: return EXC_VAL(ConnectionResetError);
    case ETIMEDOUT: return EXC_VAL(TimeoutError);
    default: return EXC_VAL(OSError);
    }
}

static val exception_new(struct vm *vm, const val *args, size_t n) {
    val type = args[0];
    if (type == EXC_VAL(OSError) && n >= 4)
        type = class_of_errno(value_plain(vm, args[2]));
    if (!vm_is(vm, type, KIND_TYPE) ||
        type_at(vm, type)->instance_kind != KIND_EXCEPTION)
        return vm_raise(vm, EXC_TypeError, "not an exception class");
    return exc_new(vm, type, args + 2, n - 2);
}

static val exception_init(struct vm *vm, const val *args, size_t n) {
    if (args[1])
        return vm_raise(vm, EXC_TypeError, "%s() takes no keyword arguments",
                        vm_type_name(vm, args[0]));
    val list = n > 2 ? tuple_new(vm, args + 2, n - 2) : VAL_EMPTY_TUPLE;
    if (!list) return VAL_UNSET;
    self(vm, args)->args = list;
    return VAL_NONE;
}

/* ImportError(name=, path=), AttributeError(name=, obj=), NameError(name=): the
 * keywords become attributes. */
static val keyword_init(struct vm *vm, const val *args, size_t n) {
    val key, v;
    struct attrs *at = attrs_of(vm, args[0]);
    for (uint64_t i = 0; args[1] && dict_next(vm, args[1], &i, &key, &v);)
        if (attrs_set(vm, at, text_intern_val(vm, key), v)) return VAL_UNSET;
    val list = n > 2 ? tuple_new(vm, args + 2, n - 2) : VAL_EMPTY_TUPLE;
    if (!list) return VAL_UNSET;
    self(vm, args)->args = list;
    return VAL_NONE;
}

/* -- text
 * -------------------------------------------------------------------------- */

/* Text a between two words, then text b and a last word. */
static val join2(struct vm *vm, const char *before, val a, const char *between,
                 val b, const char *behind) {
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    struct err e;
    if (buf_add_text(&out, before, &e) ||
        buf_add_str(&out, text_get(vm, a), &e) ||
        buf_add_text(&out, between, &e) ||
        buf_add_str(&out, text_get(vm, b), &e) ||
        buf_add_text(&out, behind, &e))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return text_new(vm, buf_text(&out), out.len);
}

static val os_error_str(struct vm *vm, val exc) {
    val number = value_str(vm, arg(vm, exc, 0));
    val words = number ? value_str(vm, arg(vm, exc, 1)) : VAL_UNSET;
    if (!words) return VAL_UNSET;
    val text = join2(vm, "[Errno ", number, "] ", words, "");
    val file = arg(vm, exc, 2);
    if (!text || !file) return text;
    val shown = value_repr(vm, file);
    return shown ? join2(vm, "", text, ": ", shown, "") : VAL_UNSET;
}

static val group_str(struct vm *vm, val exc) {
    val words = value_str(vm, arg(vm, exc, 0)), list = arg(vm, exc, 1);
    int64_t count = list ? value_len(vm, list) : 0;
    if (!words || count < 0) return VAL_UNSET;
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    struct err e;
    if (buf_addf(&out, &e, "%.*s (%lld sub-exception%s)",
                 STR_ARG(text_get(vm, words)), (long long)count,
                 count == 1 ? "" : "s"))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return text_new(vm, buf_text(&out), out.len);
}

static val syntax_str(struct vm *vm, val exc) {
    val words = value_str(vm, arg(vm, exc, 0)), where = arg(vm, exc, 1);
    if (!words || !where || !vm_is(vm, where, KIND_TUPLE)) return words;
    val file = value_str(vm, tuple_items(vm, where)[0]);
    val line = value_str(vm, tuple_items(vm, where)[1]);
    if (!file || !line) return VAL_UNSET;
    val place = join2(vm, "", file, ", line ", line, "");
    return place ? join2(vm, "", words, " (", place, ")") : VAL_UNSET;
}

/* UnicodeDecodeError(encoding, object, start, end, reason). */
static val unicode_str(struct vm *vm, val exc, bool decode) {
    int64_t from = 0, to = 0;
    int_get(vm, arg(vm, exc, 2), &from);
    int_get(vm, arg(vm, exc, 3), &to);
    val coding = value_str(vm, arg(vm, exc, 0));
    val reason = value_str(vm, arg(vm, exc, 4));
    if (!coding || !reason) return VAL_UNSET;
    val object = arg(vm, exc, 1);
    char what[64] = "";
    if (to == from + 1 && decode && vm_is(vm, object, KIND_BYTES)) {
        str b = bytes_get(vm, object);
        unsigned byte = (size_t)from < b.n ? (unsigned char)b.p[from] : 0;
        snprintf(what, sizeof what, "byte 0x%02x in position %lld", byte,
                 (long long)from);
    } else if (to == from + 1 && vm_is(vm, object, KIND_STR)) {
        val c = value_getitem(vm, object, val_of_int(from));
        val shown = c ? value_ascii(vm, c) : VAL_UNSET;
        if (!shown) return VAL_UNSET;
        snprintf(what, sizeof what, "character %.*s in position %lld",
                 STR_ARG(text_get(vm, shown)), (long long)from);
    } else {
        snprintf(what, sizeof what, "%s in position %lld-%lld",
                 decode ? "bytes" : "characters", (long long)from,
                 (long long)to - 1);
    }
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    struct err e;
    if (buf_addf(&out, &e, "'%.*s' codec can't %scode %s: %.*s",
                 STR_ARG(text_get(vm, coding)), decode ? "de" : "en", what,
                 STR_ARG(text_get(vm, reason))))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return text_new(vm, buf_text(&out), out.len);
}

val exc_str(struct vm *vm, val exc) {
    uint32_t n = arg_count(vm, exc);
    val type = type_of(vm, exc);
    if (n == 0) return text_intern(vm, STR(""));
    if (n >= 2 && type_is_subclass(vm, type, EXC_VAL(OSError)))
        return os_error_str(vm, exc);
    if (n == 2 && type_is_subclass(vm, type, EXC_VAL(BaseExceptionGroup)))
        return group_str(vm, exc);
    if (n == 2 && type_is_subclass(vm, type, EXC_VAL(SyntaxError)))
        return syntax_str(vm, exc);
    if (n == 5 && type_is_subclass(vm, type, EXC_VAL(UnicodeDecodeError)))
        return unicode_str(vm, exc, true);
    if (n == 5 && type_is_subclass(vm, type, EXC_VAL(UnicodeEncodeError)))
        return unicode_str(vm, exc, false);
    if (n == 1 && type_is_subclass(vm, type, EXC_VAL(KeyError)))
        return value_repr(vm, arg(vm, exc, 0));
    if (n == 1) return value_str(vm, arg(vm, exc, 0));
    return value_repr(vm, exc_at(vm, exc)->args);
}

val exc_repr(struct vm *vm, val exc) {
    bool one = arg_count(vm, exc) == 1;
    val inner = one ? value_repr(vm, arg(vm, exc, 0))
                    : value_repr(vm, exc_at(vm, exc)->args);
    if (!inner) return VAL_UNSET;
    val name = type_at(vm, type_of(vm, exc))->name;
    return join2(vm, "", name, one ? "(" : "", inner, one ? ")" : "");
}

static val exception_str(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return exc_str(vm, args[0]);
}

static val exception_repr(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return exc_repr(vm, args[0]);
}

/* -- fields
 * ------------------------------------------------------------------------- */

static val get_args(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return self(vm, args)->args;
}
static val get_cause(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(self(vm, args)->cause);
}
static val get_context(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(self(vm, args)->context);
}
static val get_traceback(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(self(vm, args)->traceback);
}
static val get_suppress(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_bool(self(vm, args)->suppress_context != 0);
}
static val get_notes(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val notes = self(vm, args)->notes;
    if (notes) return notes;
    return vm_raise(vm, EXC_AttributeError,
                    "'%s' object has no attribute '__notes__'",
                    vm_type_name(vm, args[0]));
}

static int wrong_field(struct vm *vm, const char *what) {
    vm_raise(vm, EXC_TypeError, "%s", what);
    return -1;
}

static int set_link(struct vm *vm, val *field, val v, const char *what) {
    v = value_plain(vm, v);
    if (v != VAL_NONE && !vm_is(vm, v, KIND_EXCEPTION)) {
        vm_raise(vm, EXC_TypeError,
                 "exception %s must be None or derive from BaseException",
                 what);
        return -1;
    }
    *field = v == VAL_NONE ? VAL_UNSET : v;
    return 1;
}

/* An iterator written in Python cannot run here. */
static int set_args(struct vm *vm, struct oexc *x, val v) {
    val list = list_from(vm, v);
    if (vm->slow_wanted) {
        vm->slow_wanted = false;
        vm_raise(vm, EXC_TypeError, "args must be a builtin sequence, not %s",
                 vm_type_name(vm, v));
        return -1;
    }
    val args = list ? tuple_new(vm, list_items(vm, list), list_len(vm, list))
                    : VAL_UNSET;
    if (args) x->args = args;
    return args ? 1 : -1;
}

int exc_set_field(struct vm *vm, val exc, val name, val v) {
    struct oexc *x = exc_at(vm, exc);
    if (exc < vm->heap.template_end) return 0;
    if (name == vm_name(vm, NAME_ARGS)) return set_args(vm, x, v);
    if (name == vm_name(vm, NAME_CAUSE)) {
        x->suppress_context = 1;
        return set_link(vm, &x->cause, v, "cause");
    }
    if (name == vm_name(vm, NAME_CONTEXT))
        return set_link(vm, &x->context, v, "context");
    if (name == vm_name(vm, NAME_SUPPRESS)) {
        x->suppress_context = value_plain(vm, v) == VAL_TRUE;
        return 1;
    }
    if (name == vm_name(vm, NAME_NOTES)) {
        x->notes = v;
        return 1;
    }
    if (name != vm_name(vm, NAME_TRACEBACK)) return 0;
    v = value_plain(vm, v);
    if (v != VAL_NONE && !vm_is(vm, v, KIND_TRACEBACK))
        return wrong_field(vm, "__traceback__ must be a traceback or None");
    x->traceback = v == VAL_NONE ? VAL_UNSET : v;
    return 1;
}

static val with_traceback(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    int done = exc_set_field(vm, args[0], vm_name(vm, NAME_TRACEBACK), args[1]);
    return done < 0 ? VAL_UNSET : args[0];
}

static val add_note(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError, "note must be a str, not '%s'",
                        vm_type_name(vm, args[1]));
    struct oexc *x = self(vm, args);
    if (!x->notes && !(x->notes = list_new(vm, NULL, 0))) return VAL_UNSET;
    if (!vm_is(vm, x->notes, KIND_LIST))
        return vm_raise(vm, EXC_TypeError,
                        "Cannot add note: __notes__ is not a list");
    return list_append(vm, x->notes, args[1]) ? VAL_UNSET : VAL_NONE;
}

static val exception_reduce(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val parts[2] = {type_of(vm, args[0]), self(vm, args)->args};
    return tuple_new(vm, parts, 2);
}

/* -- fields by position of the arguments
 * ---------------------------------------------- */

#define ARG_GETTER(name, i)                                     \
    static val name(struct vm *vm, const val *args, size_t n) { \
        UNUSED_N;                                               \
        return or_none(arg(vm, args[0], i));                    \
    }
ARG_GETTER(first_arg, 0)
ARG_GETTER(second_arg, 1)
ARG_GETTER(third_arg, 2)
ARG_GETTER(fourth_arg, 3)
ARG_GETTER(fifth_arg, 4)

/* OSError has its fields only with two arguments or more. */
static val os_errno(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return arg_count(vm, args[0]) < 2 ? VAL_NONE : arg(vm, args[0], 0);
}

static val exit_code(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    uint32_t count = arg_count(vm, args[0]);
    return count > 1 ? self(vm, args)->args : or_none(arg(vm, args[0], 0));
}

static val group_exceptions(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val list = list_from(vm, or_none(arg(vm, args[0], 1)));
    if (!list) return VAL_UNSET;
    return tuple_new(vm, list_items(vm, list), list_len(vm, list));
}

static val syntax_field(struct vm *vm, const val *args, unsigned i) {
    val where = arg(vm, args[0], 1);
    if (!where || !vm_is(vm, where, KIND_TUPLE) || tuple_len(vm, where) <= i)
        return VAL_NONE;
    return tuple_items(vm, where)[i];
}
static val syntax_filename(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 0);
}
static val syntax_lineno(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 1);
}
static val syntax_offset(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 2);
}
static val syntax_text(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 3);
}
static val syntax_end_lineno(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 4);
}
static val syntax_end_offset(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return syntax_field(vm, args, 5);
}

/* -- tables
 * ----------------------------------------------------------------------------
 */

static const struct native base_methods[] = {
    {"__new__", "*args, **kwargs", exception_new, "", NULL},
    {"__init__", "*args, **kwargs", exception_init, "", NULL},
    {"__str__", "", exception_str, "", "_exc_str"},
    {"__repr__", "", exception_repr, "", "_exc_repr"},
    {"with_traceback", "tb, /", with_traceback, "sets __traceback__", NULL},
    {"add_note", "note, /", add_note, "adds a note", NULL},
    {"__reduce__", "", exception_reduce, "", NULL},
    {0},
};
static const struct native base_getters[] = {
    {"args", "", get_args, "", NULL},
    {"__cause__", "", get_cause, "", NULL},
    {"__context__", "", get_context, "", NULL},
    {"__traceback__", "", get_traceback, "", NULL},
    {"__suppress_context__", "", get_suppress, "", NULL},
    {"__notes__", "", get_notes, "", NULL},
    {0},
};
static const struct native keyword_methods[] = {
    {"__init__", "*args, **kwargs", keyword_init, "", NULL},
    {0},
};
static const struct native stop_getters[] = {
    {"value", "", first_arg, "", NULL},
    {0},
};
static const struct native exit_getters[] = {
    {"code", "", exit_code, "", NULL},
    {0},
};
static const struct native os_getters[] = {
    {"errno", "", os_errno, "", NULL},
    {"strerror", "", second_arg, "", NULL},
    {"filename", "", third_arg, "", NULL},
    {0},
};
static const struct native unicode_getters[] = {
    {"encoding", "", first_arg, "", NULL}, {"object", "", second_arg, "", NULL},
    {"start", "", third_arg, "", NULL},    {"end", "", fourth_arg, "", NULL},
    {"reason", "", fifth_arg, "", NULL},   {0},
};
static const struct native syntax_getters[] = {
    {"msg", "", first_arg, "", NULL},
    {"filename", "", syntax_filename, "", NULL},
    {"lineno", "", syntax_lineno, "", NULL},
    {"offset", "", syntax_offset, "", NULL},
    {"text", "", syntax_text, "", NULL},
    {"end_lineno", "", syntax_end_lineno, "", NULL},
    {"end_offset", "", syntax_end_offset, "", NULL},
    {0},
};
static const struct native group_methods[] = {
    {"__new__", "*args, **kwargs", NULL, "", "_group_new"},
    {"split", "condition, /", NULL, "(matching, rest)", "_group_split_method"},
    {"subgroup", "condition, /", NULL, "matching", "_group_subgroup"},
    {"derive", "exceptions, /", NULL, "a group like it", "_group_derive"},
    {0},
};
static const struct native import_getters[] = {
    {"msg", "", first_arg, "", NULL},
    {0},
};
static const struct native group_getters[] = {
    {"message", "", first_arg, "", NULL},
    {"exceptions", "", group_exceptions, "", NULL},
    {0},
};

static const struct native_type rows[] = {
    {"BaseException", KIND_EXCEPTION, NULL, 0, base_methods, base_getters,
     NULL},
    {"StopIteration", KIND_EXCEPTION, NULL, 0, NULL, stop_getters, NULL},
    {"SystemExit", KIND_EXCEPTION, NULL, 0, NULL, exit_getters, NULL},
    {"OSError", KIND_EXCEPTION, NULL, 0, NULL, os_getters, NULL},
    {"ImportError", KIND_EXCEPTION, NULL, 0, keyword_methods, import_getters,
     NULL},
    {"AttributeError", KIND_EXCEPTION, NULL, 0, keyword_methods, NULL, NULL},
    {"NameError", KIND_EXCEPTION, NULL, 0, keyword_methods, NULL, NULL},
    {"UnicodeDecodeError", KIND_EXCEPTION, NULL, 0, NULL, unicode_getters,
     NULL},
    {"UnicodeEncodeError", KIND_EXCEPTION, NULL, 0, NULL, unicode_getters,
     NULL},
    {"SyntaxError", KIND_EXCEPTION, NULL, 0, NULL, syntax_getters, NULL},
    {"BaseExceptionGroup", KIND_EXCEPTION, NULL, 0, group_methods,
     group_getters, NULL},
};

const struct native_type *exc_native_type(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}
