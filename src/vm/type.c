/* SPDX-License-Identifier: MIT
 *
 * type -- class objects: their order of bases, their versions, their lookups.
 */
#include "vm/type.h"

#include "vm/exc.h"
#include "vm/ops.h"

#define BASES_MAX 64  /* bases of one class */
#define MRO_MAX   256 /* classes in one mro */

str type_name(const struct vm *vm, val type) {
    return text_get(vm, type_at(vm, type)->name);
}

/* Classes of ours that CPython writes in C: messages name them with their
 * module. */
static const struct {
    const char *module, *name; /* NULL: all of the module */
} dotted[] = {
    {"datetime", NULL},
    {"itertools", NULL},
    {"re", "Match"},
    {"re", "Pattern"},
    {"collections", "OrderedDict"},
    {"collections", "defaultdict"},
    {"collections", "deque"},
    {"functools", "partial"},
    {"decimal", "Decimal"},
};

static bool is_dotted(const struct vm *vm, const struct otype *t) {
    if (!(t->flags & TYPE_HEAP) || !t->module ||
        !vm_is(vm, t->module, KIND_STR))
        return false;
    for (size_t i = 0; i < sizeof dotted / sizeof dotted[0]; i++)
        if (str_is(text_get(vm, t->module), dotted[i].module) &&
            (!dotted[i].name || str_is(text_get(vm, t->name), dotted[i].name)))
            return true;
    return false;
}

static const char *dotted_name(struct vm *vm, const struct otype *t) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(200);
    if (buf_addf(&b, &e, "%.*s.%.*s", STR_ARG(text_get(vm, t->module)),
                 STR_ARG(text_get(vm, t->name))))
        return NULL;
    val name = text_intern(vm, buf_str(&b));
    return name ? text_get(vm, name).p : NULL;
}

const char *vm_type_name(struct vm *vm, val v) {
    const struct otype *t = type_at(vm, type_of(vm, v));
    val name = t->name;
    const char *with_module = is_dotted(vm, t) ? dotted_name(vm, t) : NULL;
    if (with_module) return with_module;
    str s = text_get(vm, name);
    /* A view has no terminator, and messages are walked through. */
    if (s.n > 1000 || vm_obj(vm, name)->flags & OBJ_VIEW) return "(long name)";
    return s.p;
}

bool type_is_subclass(const struct vm *vm, val type, val base) {
    if (type == base) return true;
    val mro = type_at(vm, type)->mro;
    const val *item = tuple_items(vm, mro);
    for (uint32_t i = 0, n = tuple_len(vm, mro); i < n; i++)
        if (item[i] == base) return true;
    return false;
}

/* -- lookup -----------------------------------------------------------------
 */

val type_own(struct vm *vm, val type, val name) {
    val found = VAL_UNSET;
    if (dict_get(vm, type_at(vm, type)->dict, name, &found) <= 0)
        return VAL_UNSET;
    return found;
}

static val walk_mro(struct vm *vm, val mro, uint32_t from, val name) {
    for (uint32_t i = from, n = tuple_len(vm, mro); i < n; i++) {
        val found = type_own(vm, tuple_items(vm, mro)[i], name);
        if (found) return found;
    }
    return VAL_UNSET;
}

val type_lookup(struct vm *vm, val type, val name) {
    const struct otype *t = type_at(vm, type);
    uint32_t key = (uint32_t)(name / 8);
    struct lookup *slot =
        &vm->lookups[(t->version * 31 + key / 2) & (LOOKUP_SLOTS - 1)];
    if (slot->version == t->version && slot->name == key && t->version)
        return slot->found;
    val found = walk_mro(vm, t->mro, 0, name);
    *slot = (struct lookup){t->version, key, found};
    return found;
}

val type_lookup_after(struct vm *vm, val type, val after, val name) {
    val mro = type_at(vm, type)->mro;
    uint32_t n = tuple_len(vm, mro), i = 0;
    while (i < n && tuple_items(vm, mro)[i] != after)
        i++;
    return walk_mro(vm, mro, i + 1, name);
}

/* -- change -----------------------------------------------------------------
 */

static uint64_t own_specials(struct vm *vm, val type) {
    uint64_t bits = 0;
    val key, v, number;
    val index = template_head(vm)->special_index;
    for (uint64_t i = 0; dict_next(vm, type_at(vm, type)->dict, &i, &key, &v);)
        if (vm_is(vm, key, KIND_STR) &&
            str_starts(text_get(vm, key), STR("__")) &&
            dict_get(vm, index, key, &number) > 0)
            bits |= 1ull << val_int(number);
    return bits;
}

void type_collect_specials(struct vm *vm, val type) {
    struct otype *t = type_at(vm, type);
    t->special = 0;
    for (uint32_t i = 0, n = tuple_len(vm, t->mro); i < n; i++) {
        val base = tuple_items(vm, t->mro)[i];
        if (!(type_at(vm, base)->flags & TYPE_HEAP)) continue;
        t->special |=
            base == type ? own_specials(vm, type) : type_at(vm, base)->special;
    }
}

/* A class that several paths lead to is visited once: its version is new
 * already. */
static void changed_since(struct vm *vm, val type, uint32_t since) {
    struct otype *t = type_at(vm, type);
    if (t->version > since) return;
    t->version = ++vm->type_version;
    type_collect_specials(vm, type);
    if (!t->subclasses) return;
    for (uint64_t i = 0; i < list_len(vm, t->subclasses); i++)
        changed_since(vm, list_items(vm, t->subclasses)[i], since);
}

void type_changed(struct vm *vm, val type) {
    changed_since(vm, type, vm->type_version);
}

/* -- C3 ---------------------------------------------------------------------
 */

/* The lists being merged: the mro of each base, then the bases themselves. */
struct merge {
    struct vm *vm;
    val lists[BASES_MAX + 1];
    uint32_t next[BASES_MAX + 1]; /* first item not taken yet */
    uint32_t n;
};

static bool in_a_tail(const struct merge *m, val candidate) {
    for (uint32_t i = 0; i < m->n; i++) {
        const val *item = tuple_items(m->vm, m->lists[i]);
        uint32_t len = tuple_len(m->vm, m->lists[i]);
        for (uint32_t k = m->next[i] + 1; k < len; k++)
            if (item[k] == candidate) return true;
    }
    return false;
}

static val next_head(const struct merge *m, bool *left) {
    *left = false;
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->next[i] == tuple_len(m->vm, m->lists[i])) continue;
        *left = true;
        val head = tuple_items(m->vm, m->lists[i])[m->next[i]];
        if (!in_a_tail(m, head)) return head;
    }
    return VAL_UNSET;
}

static void take_head(struct merge *m, val head) {
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t at = m->next[i];
        if (at < tuple_len(m->vm, m->lists[i]) &&
            tuple_items(m->vm, m->lists[i])[at] == head)
            m->next[i]++;
    }
}

static val no_order(struct vm *vm, val bases) {
    AUTO_BUF struct buf b = BUF_MAX(4096);
    struct err e;
    for (uint32_t i = 0; i < tuple_len(vm, bases); i++) {
        str name = type_name(vm, tuple_items(vm, bases)[i]);
        if (buf_addf(&b, &e, "%s%.*s", i ? ", " : "", STR_ARG(name))) break;
    }
    return vm_raise(vm, EXC_TypeError,
                    "Cannot create a consistent method resolution\norder (MRO) "
                    "for bases %s",
                    buf_text(&b));
}

val type_mro(struct vm *vm, val type, val bases) {
    struct merge m = {.vm = vm, .n = tuple_len(vm, bases)};
    if (m.n > BASES_MAX)
        return vm_raise(vm, EXC_TypeError, "too many base classes");
    for (uint32_t i = 0; i < m.n; i++)
        m.lists[i] = type_at(vm, tuple_items(vm, bases)[i])->mro;
    m.lists[m.n++] = bases;
    val order[MRO_MAX];
    uint32_t n = 0;
    order[n++] = type;
    for (bool left = true;;) {
        val head = next_head(&m, &left);
        if (!left) return tuple_new(vm, order, n);
        if (!head) return no_order(vm, bases);
        if (n == MRO_MAX)
            return vm_raise(vm, EXC_TypeError, "too many base classes");
        order[n++] = head;
        take_head(&m, head);
    }
}
