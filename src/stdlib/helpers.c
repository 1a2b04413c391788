/* SPDX-License-Identifier: MIT */
#include "stdlib/helpers.h"

#include "vm/attr.h"
#include "vm/bigint.h"
#include "vm/compare.h"
#include "vm/dict.h"
#include "vm/iter.h"
#include "vm/load.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/sort.h"
#include "vm/strformat.h"
#include "vm/text.h"

#include <stdio.h>

#define HELP(name) val help_##name(struct vm *vm, const val *args, size_t n)

HELP(kind) {
    (void)n;
    static const char *const names[] = {
#define KIND(name, layout, what) #name,
#include "vm/kinds.def"
#undef KIND
    };
    enum kind k = val_is_int(args[0])    ? KIND_INT
                  : val_is_real(args[0]) ? KIND_REAL
                                         : vm_obj(vm, args[0])->kind;
    return text_intern(vm, str_of(names[k]));
}

HELP(maker) {
    (void)n;
    vm_obj(vm, args[0])->flags |= OBJ_MAKER;
    return args[0];
}

HELP(tuple_field) {
    (void)n;
    int64_t index;
    if (value_index(vm, args[0], &index)) return VAL_UNSET;
    return descr_tuple_field(vm, (uint64_t)index, args[1]);
}

HELP(items) {
    (void)n;
    if (vm_is(vm, args[0], KIND_LIST))
        return list_new(vm, list_items(vm, args[0]), list_len(vm, args[0]));
    if (vm_is(vm, args[0], KIND_TUPLE))
        return list_new(vm, tuple_items(vm, args[0]), tuple_len(vm, args[0]));
    val it = kind_iter(vm, args[0]);
    return it ? iter_drain(vm, it) : VAL_UNSET;
}

HELP(host_function) {
    (void)n;
    struct ohostfn *fn =
        heap_new(vm, KIND_HOSTFN, TYPE_VAL(hostfn), sizeof *fn);
    if (!fn) return VAL_UNSET;
    fn->name = args[0];
    fn->flags = args[1] == VAL_TRUE ? HOSTFN_READ_ONLY : 0;
    return heap_ref(&vm->heap, fn);
}

/* -- dicts and sets by entry ------------------------------------------------
 */

static int hash_argument(struct vm *vm, val v, int64_t *out) {
    if (!int_get(vm, v, out)) return 0;
    vm_raise(vm, EXC_TypeError, "__hash__ method should return an integer");
    return -1;
}

HELP(same_hash) {
    (void)n;
    int64_t hash;
    if (hash_argument(vm, args[1], &hash)) return VAL_UNSET;
    if (vm_is(vm, args[0], KIND_SET)) return set_same_hash(vm, args[0], hash);
    if (dict_own(vm, args[0])) return VAL_UNSET;
    return dict_same_hash(vm, args[0], hash);
}

/* The entry's number where it is still in use; -1 raised: the table was changed
 * while keys were being compared. */
static int64_t entry_of(struct vm *vm, val table, val number) {
    uint64_t i = (uint64_t)val_int(number), slots;
    if (vm_is(vm, table, KIND_SET)) {
        const struct set_entry *e = set_entries(vm, set_at(vm, table), &slots);
        if (i < slots && e[i].key) return (int64_t)i;
    } else if (i < dict_at(vm, table)->used && dict_key_at(vm, table, i)) {
        return (int64_t)i;
    }
    vm_raise(vm, EXC_RuntimeError, "changed while a key was being compared");
    return -1;
}

HELP(key_at) {
    (void)n;
    int64_t i = entry_of(vm, args[0], args[1]);
    uint64_t slots;
    if (i < 0) return VAL_UNSET;
    if (!vm_is(vm, args[0], KIND_SET))
        return dict_key_at(vm, args[0], (uint64_t)i);
    return set_entries(vm, set_at(vm, args[0]), &slots)[i].key;
}

HELP(value_at) {
    (void)n;
    int64_t i = entry_of(vm, args[0], args[1]);
    return i < 0 ? VAL_UNSET : *dict_value_at(vm, args[0], (uint64_t)i);
}

HELP(set_at) {
    (void)n;
    int64_t i = entry_of(vm, args[0], args[1]);
    if (i < 0) return VAL_UNSET;
    *dict_value_at(vm, args[0], (uint64_t)i) = args[2];
    return VAL_NONE;
}

HELP(add_entry) {
    (void)n;
    int64_t hash;
    if (hash_argument(vm, args[1], &hash)) return VAL_UNSET;
    int bad = vm_is(vm, args[0], KIND_SET)
                  ? set_add_new(vm, args[0], hash, args[2])
                  : dict_add(vm, args[0], hash, args[2], args[3]);
    return bad ? VAL_UNSET : VAL_NONE;
}

HELP(del_at) {
    (void)n;
    int64_t i = entry_of(vm, args[0], args[1]);
    if (i < 0) return VAL_UNSET;
    if (vm_is(vm, args[0], KIND_SET))
        set_del_at(vm, args[0], (uint64_t)i);
    else if (dict_del_at(vm, args[0], (uint64_t)i))
        return VAL_UNSET;
    return VAL_NONE;
}

/* -- hashes -----------------------------------------------------------------
 */

HELP(hash_items) {
    (void)n;
    const val *items;
    uint64_t len;
    int64_t hash;
    if (value_items(vm, args[0], &items, &len)) return VAL_UNSET;
    if (hash_lanes(vm, items, len, &hash)) return VAL_UNSET;
    return int_new(vm, hash);
}

HELP(int_hash) {
    (void)n;
    int64_t h;
    if (!int_is(vm, args[0]))
        return vm_raise(vm, EXC_TypeError,
                        "__hash__ method should return an integer");
    if (int_get(vm, args[0], &h)) h = int_hash(vm, args[0]);
    return int_new(vm, h == -1 ? -2 : h);
}

/* -- sorting ----------------------------------------------------------------
 */

HELP(take_items) {
    (void)n;
    val copy = list_new(vm, list_items(vm, args[0]), list_len(vm, args[0]));
    if (copy) list_clear(vm, args[0]);
    return copy;
}

HELP(put_items) {
    (void)n;
    uint64_t len = list_len(vm, args[1]);
    list_clear(vm, args[0]);
    if (len && list_resize(vm, args[0], len)) return VAL_UNSET;
    if (len)
        memcpy(list_items(vm, args[0]), list_items(vm, args[1]),
               len * sizeof(val));
    return VAL_NONE;
}

/* -- repr -------------------------------------------------------------------
 */

/* root.repr is the list of containers whose repr Python code is making. */
HELP(repr_enter) {
    (void)n;
    struct root *root = vm_root(vm);
    if (!root->repr && !(root->repr = list_new(vm, NULL, 0))) return VAL_UNSET;
    for (uint64_t i = 0; i < list_len(vm, root->repr); i++)
        if (list_items(vm, root->repr)[i] == args[0]) return VAL_FALSE;
    return list_append(vm, root->repr, args[0]) ? VAL_UNSET : VAL_TRUE;
}

HELP(repr_leave) {
    (void)n;
    val list = vm_root(vm)->repr;
    for (uint64_t i = list ? list_len(vm, list) : 0; i-- > 0;)
        if (list_items(vm, list)[i] == args[0]) {
            list_resize(vm, list, i);
            break;
        }
    return VAL_NONE;
}

/* -- pending values ---------------------------------------------------------
 */

HELP(settled) {
    (void)n;
    val v = list_len(vm, args[0]) ? *list_items(vm, args[0]) : VAL_NONE;
    const struct obox *box = heap_at(&vm->heap, v);
    return val_of_bool(!vm_is(vm, v, KIND_BOX) || box->inner);
}

HELP(forced) {
    (void)vm, (void)n;
    return args[0];
}

/* -- iterators and formats --------------------------------------------------
 */

HELP(iter_wrap) {
    (void)n;
    return iter_over_frame(vm, args[0], args[1]);
}

static val piece_tuple(struct vm *vm, const struct format_piece *p) {
    val t[4] = {text_new(vm, p->literal.p, p->literal.n), VAL_NONE, VAL_NONE,
                TEXT_EMPTY_VAL};
    if (p->has_field) {
        t[1] = text_new(vm, p->name.p, p->name.n);
        t[2] =
            p->conversion ? CHAR_VAL((unsigned char)p->conversion) : VAL_NONE;
        t[3] = text_new(vm, p->spec.p, p->spec.n);
    }
    return t[0] && t[1] && t[3] ? tuple_new(vm, t, 4) : VAL_UNSET;
}

HELP(format_parse) {
    (void)n;
    val list = list_new(vm, NULL, 0);
    str s = text_get(vm, args[0]);
    for (size_t i = 0; list && i < s.n;) {
        struct format_piece piece;
        if (!vm_charge(vm, 8) || format_next(vm, s, &i, &piece))
            return VAL_UNSET;
        val t = piece_tuple(vm, &piece);
        if (!t || list_append(vm, list, t)) return VAL_UNSET;
    }
    return list;
}

/* -- operators --------------------------------------------------------------
 */

HELP(handled) {
    (void)args;
    (void)n;
    const struct oframe *f = heap_at(&vm->heap, vm_root(vm)->frame);
    return f->handled ? f->handled : VAL_NONE;
}

HELP(kind_eq) {
    (void)n;
    return compare_try(vm, OP_EQ, args[0], args[1]);
}

HELP(raise_order) {
    (void)n;
    char left[80];
    snprintf(left, sizeof left, "%s", vm_type_name(vm, args[1]));
    return vm_raise(vm, EXC_TypeError,
                    "'%.*s' not supported between instances of '%s' and '%s'",
                    STR_ARG(text_get(vm, args[0])), left,
                    vm_type_name(vm, args[2]));
}

HELP(raise_binary) {
    (void)n;
    char left[80];
    snprintf(left, sizeof left, "%s", vm_type_name(vm, args[1]));
    return vm_raise(vm, EXC_TypeError,
                    "unsupported operand type(s) for %.*s: '%s' and '%s'",
                    STR_ARG(text_get(vm, args[0])), left,
                    vm_type_name(vm, args[2]));
}

HELP(write) {
    (void)n;
    enum cordon_stream stream =
        args[0] == VAL_TRUE ? CORDON_STDERR : CORDON_STDOUT;
    return vm_print(vm, stream, text_get(vm, args[1])) ? VAL_NONE : VAL_UNSET;
}

bool stdout_replaced(struct vm *vm, val *sys) {
    val modules = vm_root(vm)->modules;
    *sys = modules ? dict_get_text(vm, modules, STR("sys")) : VAL_UNSET;
    return *sys && module_get(vm, *sys, STR("stdout")) !=
                       module_get(vm, *sys, STR("__stdout__"));
}

HELP(redirected) {
    (void)args, (void)n;
    val sys;
    if (!stdout_replaced(vm, &sys)) return tuple_new(vm, NULL, 0);
    val now = module_get(vm, sys, STR("stdout"));
    return now ? tuple_new(vm, &now, 1)
               : vm_raise(vm, EXC_RuntimeError, "lost sys.stdout");
}

HELP(traceback_class) {
    (void)vm, (void)args, (void)n;
    return TYPE_VAL(traceback);
}

/* The program's own module is among them. */
HELP(loaded_modules) {
    (void)args, (void)n;
    struct root *root = vm_root(vm);
    if (!root->modules) root->modules = dict_new(vm);
    if (!root->modules ||
        dict_set_text(vm, root->modules, STR("__main__"), root->module))
        return VAL_UNSET;
    return dict_proxy(vm, root->modules);
}
