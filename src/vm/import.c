/* SPDX-License-Identifier: MIT
 *
 * import -- modules from the template and those of the host's functions;
 * nothing else can be imported.
 *
 * A module's natives are copied from the template and its Python part, if it
 * has one, is run the first time a run imports it, so every run has its own
 * state. Of modules that few programs ask for the template has the text only,
 * which is compiled then.
 */
#include <stdio.h>

#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/pack.h"
#include "vm/slow.h"

/* Modules that programs ask for and that cannot be had, and what to do. */
static const struct {
    const char *name, *hint;
} hints[] = {
#define HINT(name, text) {name, text},
#include "vm/hints.def"
#undef HINT
};

static const char *hint_for(str name) {
    str rest = name, top = str_cut(&rest, '.');
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (str_is(top, hints[i].name)) return hints[i].hint;
    return NULL;
}

static bool is_package(str name) {
    return str_is(name, "asyncio") || str_is(name, "collections") ||
           str_is(name, "json") || str_is(name, "re") || str_is(name, "urllib");
}

/* Of "a.b.c" what is there: nothing, or as far as a module of that name. */
static str known_part(struct vm *vm, str name) {
    str known = STR("");
    for (size_t i = 0; i < name.n; i++) {
        str part = str_sub(name, 0, i);
        if (name.p[i] != '.') continue;
        if (!dict_get_text(vm, template_head(vm)->modules, part) &&
            !dict_get_text(vm, vm_root(vm)->modules, part))
            break;
        known = part;
    }
    return known;
}

/* The first part that is missing is named. */
static enum step no_module(struct vm *vm, val name) {
    str s = text_get(vm, name), known = known_part(vm, s);
    const char *hint = hint_for(s);
    if (known.n && !is_package(known)) {
        vm_raise(vm, EXC_ModuleNotFoundError,
                 "No module named '%.*s'; '%.*s' is not a package", STR_ARG(s),
                 STR_ARG(known));
    } else {
        str rest = str_sub(s, known.n ? known.n + 1 : 0, s.n);
        size_t end = s.n - rest.n + str_cut(&rest, '.').n;
        vm_raise(vm, EXC_ModuleNotFoundError, "No module named '%.*s'%s%s%s",
                 STR_ARG(str_sub(s, 0, end)), hint ? " (" : "",
                 hint ? hint : "", hint ? ")" : "");
        name = text_intern(vm, str_sub(s, 0, end));
    }
    val exc = vm_root(vm)->exception;
    if (exc >= vm->heap.template_end)
        attrs_set(vm, attrs_of(vm, exc), vm_name(vm, NAME_NAME_), name);
    return STEP_RAISE;
}

static val loaded(struct vm *vm, val name) {
    val v = VAL_UNSET;
    struct root *root = vm_root(vm);
    if (!root->modules) root->modules = dict_new(vm);
    if (root->modules) dict_get(vm, root->modules, name, &v);
    return v;
}

/* A module of the same name that comes with the interpreter stays the one that
 * is imported: programs rely on it. */
int import_offer(struct vm *vm, val name, val module) {
    val ours;
    struct root *root = vm_root(vm);
    if (!root->modules && !(root->modules = dict_new(vm))) return -1;
    int found = dict_get(vm, template_head(vm)->modules, name, &ours);
    return found ? found < 0 ? -1 : 0
                 : dict_set(vm, root->modules, name, module);
}

/* "a.b": the module a gets the attribute b when that is imported. */
static int bind_in_parent(struct vm *vm, val name, val module) {
    str s = text_get(vm, name);
    ptrdiff_t dot = -1;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '.') dot = (ptrdiff_t)i;
    if (dot < 0) return 0;
    val parent = text_intern(vm, str_sub(s, 0, (size_t)dot));
    val last = text_intern(vm, str_sub(s, (size_t)dot + 1, s.n));
    if (!parent || !last) return -1;
    val outer = loaded(vm, parent);
    return outer ? module_set(vm, outer, last, module) : 0;
}

static enum step run_body(struct vm *vm, val code, val module, unsigned reg) {
    struct ofunc *fn =
        heap_new(vm, KIND_FUNCTION, TYPE_VAL(function), sizeof *fn);
    if (!fn) return STEP_RAISE;
    fn->code = code;
    fn->globals = module;
    fn->name = fn->qualname = vm_name(vm, NAME_NAME);
    struct oframe *caller = vm_frame(vm);
    struct ret ret = {RET_DROP, (uint8_t)reg, 0, 0};
    if (!frame_push(vm, heap_ref(&vm->heap, fn), ret)) return STEP_RAISE;
    caller->reg[reg] = module;
    return STEP_FRAME;
}

/* builtins as a program may see it: the prelude's own names, which trust their
 * arguments, are left out. */
static val public_builtins(struct vm *vm, val proto) {
    const struct omodule *m = heap_at(&vm->heap, proto);
    val names = dict_new(vm), key, slot;
    for (uint64_t i = 0; names && dict_next(vm, m->names, &i, &key, &slot);) {
        str name = text_get(vm, key);
        bool hidden =
            str_starts(name, STR("_")) && !str_starts(name, STR("__"));
        val v = hidden ? VAL_UNSET : module_get(vm, proto, name);
        if (v && dict_set(vm, names, key, v)) return VAL_UNSET;
    }
    return names ? module_new(vm, m->name, names) : VAL_UNSET;
}

#define LIBRARY_MAX (1u << 20) /* text of one module */

static val compile_text(struct vm *vm, val name, val text, val module) {
    AUTO_BUF struct buf open = BUF_MAX(LIBRARY_MAX);
    struct err e;
    char file[80];
    str s = text_get(vm, name);
    snprintf(file, sizeof file, "<%.*s>", STR_ARG(s));
    if (pack_open(&template_head(vm)->pack, bytes_get(vm, text), &open, &e))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return load_library(vm, buf_str(&open), file, module);
}

/* The module is known under its name before its body runs, as in CPython. */
static enum step load(struct vm *vm, val name, val both, unsigned reg) {
    struct root *root = vm_root(vm);
    val proto = tuple_items(vm, both)[0], code = tuple_items(vm, both)[1];
    val builtins = template_head(vm)->builtins;
    val module = proto == builtins ? public_builtins(vm, proto)
                                   : module_clone(vm, proto);
    if (!module || dict_set(vm, root->modules, name, module) ||
        bind_in_parent(vm, name, module))
        return STEP_RAISE;
    vm_frame(vm)->reg[reg] = module;
    if (code == VAL_NONE || proto == builtins) return STEP_DONE;
    if (vm_is(vm, code, KIND_BYTES))
        code = compile_text(vm, name, code, module);
    enum step step = code ? run_body(vm, code, module, reg) : STEP_RAISE;
    if (step == STEP_RAISE) dict_del(vm, root->modules, name);
    return step;
}

static enum step import_named(struct vm *vm, val name, unsigned reg) {
    val there = loaded(vm, name), both;
    if (!vm_root(vm)->modules) return STEP_RAISE;
    if (there) {
        vm_frame(vm)->reg[reg] = there;
        return STEP_DONE;
    }
    if (name == vm_name(vm, NAME_MAIN)) {
        vm_frame(vm)->reg[reg] = vm_root(vm)->module;
        return STEP_DONE;
    }
    if (dict_get(vm, template_head(vm)->modules, name, &both) <= 0)
        return no_module(vm, name);
    return load(vm, name, both, reg);
}

enum step slow_import(struct vm *vm, uint32_t w) {
    const struct ocode *code = frame_code(vm, vm_frame(vm));
    val name = tuple_items(vm, code->names)[INS_BX(w)];
    str s = text_get(vm, name);
    ptrdiff_t dot = str_find_char(s, '.');
    if (dot > 0) {
        /* The parent first; then this instruction once more. */
        val parent = text_intern(vm, str_sub(s, 0, (size_t)dot));
        if (!parent) return STEP_RAISE;
        val both;
        if (!loaded(vm, parent) && vm_root(vm)->modules &&
            dict_get(vm, template_head(vm)->modules, parent, &both) > 0) {
            vm_frame(vm)->pc--;
            enum step step = import_named(vm, parent, INS_A(w));
            if (step == STEP_RAISE) vm_frame(vm)->pc++;
            return step;
        }
    }
    return import_named(vm, name, INS_A(w));
}

enum step slow_import_from(struct vm *vm, val module, val name,
                           struct ret ret) {
    if (!vm_is(vm, module, KIND_MODULE)) return attr_get(vm, module, name, ret);
    val v = module_get(vm, module, text_get(vm, name));
    if (v) return deliver(vm, ret, v);
    const struct omodule *m = heap_at(&vm->heap, module);
    /* from package import module */
    AUTO_BUF struct buf b = BUF_MAX(512);
    struct err e;
    str outer = text_get(vm, m->name), inner = text_get(vm, name);
    val both;
    if (!buf_addf(&b, &e, "%.*s.%.*s", STR_ARG(outer), STR_ARG(inner))) {
        val full = text_intern(vm, buf_str(&b));
        if (full && dict_get(vm, template_head(vm)->modules, full, &both) > 0)
            return import_named(vm, full, ret.reg);
    }
    /* A global that the module's __getattr__ makes when it is asked for. */
    val hook = module_get(vm, module, STR("__getattr__"));
    val room[2] = {VAL_UNSET, name};
    if (hook && dict_get(vm, m->names, name, &both) > 0)
        return call_any(vm, hook, room + 1, 1, VAL_UNSET, ret);
    vm_raise(vm, EXC_ImportError,
             "cannot import name '%.*s' from '%.*s' (unknown location)",
             STR_ARG(inner), STR_ARG(outer));
    return STEP_RAISE;
}

static int bind_global(struct vm *vm, val name, val v) {
    const struct ofunc *fn = heap_at(&vm->heap, vm_frame(vm)->func);
    return module_set(vm, fn->globals, name, v);
}

enum step slow_import_all(struct vm *vm, val module) {
    if (!vm_is(vm, module, KIND_MODULE)) return STEP_DONE;
    const struct omodule *m = heap_at(&vm->heap, module);
    val all = module_get(vm, module, STR("__all__")), key, number;
    if (all) {
        const val *names;
        uint64_t n;
        if (value_items(vm, all, &names, &n)) return STEP_RAISE;
        for (uint64_t i = 0; i < n; i++) {
            val v = module_get(vm, module, text_get(vm, names[i]));
            if (v && bind_global(vm, names[i], v)) return STEP_RAISE;
        }
        return STEP_DONE;
    }
    for (uint64_t i = 0; dict_next(vm, m->names, &i, &key, &number);) {
        str s = text_get(vm, key);
        val v = module_get(vm, module, s);
        if (!v || str_starts(s, STR("_"))) continue;
        if (bind_global(vm, key, v)) return STEP_RAISE;
    }
    return STEP_DONE;
}

/* -- the class of modules
 * -------------------------------------------------------------- */

static val module_dict(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const struct omodule *m = heap_at(&vm->heap, args[0]);
    val dict = dict_new(vm), key, number;
    for (uint64_t i = 0; dict && dict_next(vm, m->names, &i, &key, &number);) {
        val v = module_get(vm, args[0], text_get(vm, key));
        if (v && dict_set(vm, dict, key, v)) return VAL_UNSET;
    }
    return dict;
}

static val module_repr(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return value_repr(vm, args[0]);
}

static const struct native module_methods[] = {
    {"__repr__", "", module_repr, "", NULL},
    {"__dir__", "", NULL, "its names", "_module_dir"},
    {0},
};
static const struct native module_getters[] = {
    {"__dict__", "", module_dict, "its names, as a copy", NULL},
    {0},
};
const struct native_type native_module = {
    "module",       KIND_MODULE,    NULL, TYPE_HIDDEN | TYPE_FINAL,
    module_methods, module_getters, NULL,
};
