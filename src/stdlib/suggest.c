/* SPDX-License-Identifier: MIT
 *
 * suggest -- "Did you mean: ...?" behind an unknown name, by CPython's measure
 * so that the same words are suggested: a letter more or less or another one
 * costs 2, the other case 1, and a third of the letters may be wrong.
 */
#include "stdlib/helpers.h"

#include "vm/code.h"
#include "vm/dict.h"
#include "vm/load.h"
#include "vm/seq.h"
#include "vm/text.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define NAMES_MAX   750 /* a longer list is not looked through */
#define LETTERS_MAX 40
#define MOVE        2
#define CASE        1

static unsigned change(char a, char b) {
    if (a == b) return 0;
    if (((unsigned char)a & 31) != ((unsigned char)b & 31)) return MOVE;
    return isalpha((unsigned char)a) && (a | 32) == (b | 32) ? CASE : MOVE;
}

/* Ends that are alike cost nothing and need no table. */
static void trim(str *a, str *b) {
    while (a->n && b->n && a->p[0] == b->p[0])
        *a = str_sub(*a, 1, a->n), *b = str_sub(*b, 1, b->n);
    while (a->n && b->n && a->p[a->n - 1] == b->p[b->n - 1])
        a->n--, b->n--;
}

static unsigned distance(str a, str b) {
    unsigned row[LETTERS_MAX + 1];
    trim(&a, &b);
    if (a.n > LETTERS_MAX || b.n > LETTERS_MAX) return UINT_MAX;
    for (unsigned i = 0; i <= a.n; i++)
        row[i] = i * MOVE;
    for (unsigned j = 0; j < b.n; j++) {
        unsigned diagonal = row[0];
        row[0] += MOVE;
        for (unsigned i = 0; i < a.n; i++) {
            unsigned swap = diagonal + change(a.p[i], b.p[j]);
            unsigned move = (row[i] < row[i + 1] ? row[i] : row[i + 1]) + MOVE;
            diagonal = row[i + 1];
            row[i + 1] = swap < move ? swap : move;
        }
    }
    return row[a.n];
}

val help_nearest_name(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str wrong = text_get(vm, args[0]);
    size_t count = list_len(vm, args[1]);
    val best = VAL_NONE;
    unsigned least = UINT_MAX;
    if (count >= NAMES_MAX) return VAL_NONE;
    if (!vm_charge(vm, count * (wrong.n < LETTERS_MAX ? wrong.n : 1)))
        return VAL_UNSET;
    for (size_t i = 0; i < count; i++) {
        val name = list_items(vm, args[1])[i];
        if (!vm_is(vm, name, KIND_STR)) continue;
        str s = text_get(vm, name);
        if (s.n == wrong.n && memcmp(s.p, wrong.p, s.n) == 0) continue;
        unsigned most = (unsigned)(s.n + wrong.n + 3) * MOVE / 6;
        unsigned d = distance(wrong, s);
        if (d > most || d >= least) continue;
        least = d;
        best = name;
    }
    return best;
}

/* The names of a module's variables that have a value. */
static val bound_names(struct vm *vm, val module) {
    val list = list_new(vm, NULL, 0), key, slot;
    const struct omodule *m = heap_at(&vm->heap, module);
    val names = m->names;
    for (uint64_t i = 0; list && dict_next(vm, names, &i, &key, &slot);)
        if (module_get(vm, module, text_get(vm, key)) &&
            list_append(vm, list, key))
            return VAL_UNSET;
    return list;
}

/* Variables of the innermost function, the program's, the builtins. */
val help_names_in_sight(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val code = VAL_UNSET, found[3];
    for (val at = args[0]; vm_is(vm, at, KIND_TRACEBACK);) {
        const struct otraceback *t = heap_at(&vm->heap, at);
        code = t->code;
        if (!(at = t->next)) break;
    }
    val locals = code ? ((struct ocode *)heap_at(&vm->heap, code))->varnames
                      : VAL_EMPTY_TUPLE;
    found[0] = list_new(vm, tuple_items(vm, locals), tuple_len(vm, locals));
    found[1] = bound_names(vm, vm_root(vm)->module);
    found[2] = bound_names(vm, template_head(vm)->builtins);
    if (!found[0] || !found[1] || !found[2]) return VAL_UNSET;
    return list_new(vm, found, 3);
}
