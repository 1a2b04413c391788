/* SPDX-License-Identifier: MIT
 *
 * bind -- signatures of natives, and putting a call's arguments in their order.
 */
#include "vm/bind.h"

#include <stdio.h>

#include "vm/engine.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/taint.h"

#define PARAMS_MAX 24 /* of one native */

/* -- parsing ----------------------------------------------------------------
 */

struct parse {
    str rest;
    struct nsig *sig;
    str names[PARAMS_MAX];
    unsigned n;
    bool kwonly; /* a star was seen */
};

/* Up to the next comma that is not inside quotes or brackets. */
static str next_param(str *rest) {
    size_t i = 0;
    int depth = 0;
    char quote = 0;
    for (; i < rest->n; i++) {
        char c = rest->p[i];
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            depth++;
        } else if (c == ')' || c == ']') {
            depth--;
        } else if (c == ',' && depth == 0) {
            break;
        }
    }
    str param = str_trim(str_sub(*rest, 0, i));
    *rest = str_sub(*rest, i + 1, rest->n);
    return param;
}

static int add_param(struct parse *p, str param, struct err *e) {
    struct nsig *sig = p->sig;
    ptrdiff_t eq = str_find_char(param, '=');
    str name = eq < 0 ? param : str_trim(str_sub(param, 0, (size_t)eq));
    if (p->n == PARAMS_MAX || name.n == 0)
        return fail(e, ERR_INTERNAL, "bad parameter");
    p->names[p->n++] = name;
    if (!p->kwonly) {
        sig->npos++;
        if (eq < 0) sig->required = sig->npos;
        return 0;
    }
    if (eq < 0) sig->kwrequired |= (uint8_t)(1u << sig->nkwonly);
    sig->nkwonly++;
    return 0;
}

static int parse_param(struct parse *p, str param, struct err *e) {
    if (str_is(param, "/")) {
        p->sig->nposonly = p->sig->npos;
        return 0;
    }
    if (str_is(param, "*")) {
        p->kwonly = true;
        return 0;
    }
    if (str_starts(param, STR("**"))) {
        p->sig->starstar = 1;
        return 0;
    }
    if (str_starts(param, STR("*"))) {
        p->sig->star = 1;
        p->kwonly = true;
        return 0;
    }
    return add_param(p, param, e);
}

/* Methods may name their self or cls; a call's own arguments follow it. */
static void skip_self(str *rest) {
    str after = *rest, first = next_param(&after);
    if (str_is(first, "self") || str_is(first, "cls")) *rest = after;
}

int bind_parse(struct vm *vm, const struct native *row, bool self,
               struct nsig *sig, val *names, struct err *e) {
    *sig = (struct nsig){.self = self};
    struct parse p = {.rest = str_of(row->signature), .sig = sig};
    if (str_starts(p.rest, STR("@"))) str_cut(&p.rest, ' ');
    p.rest = str_trim(p.rest);
    if (self) skip_self(&p.rest);
    while (p.rest.n > 0)
        if (parse_param(&p, next_param(&p.rest), e))
            return fail_while(e, "signature of %s", row->name);
    val items[PARAMS_MAX];
    for (unsigned i = 0; i < p.n; i++) {
        items[i] = text_intern(vm, p.names[i]);
        if (!items[i]) return fail(e, ERR_MEMORY, "template");
    }
    *names = p.n ? tuple_new(vm, items, p.n) : VAL_EMPTY_TUPLE;
    return 0;
}

/* -- the words of TypeErrors ------------------------------------------------
 */

struct call {
    struct vm *vm;
    const struct onative *native;
    const struct nsig *sig;
    const char *name;
    const val *args; /* without self */
    size_t npos;
};

/* "list.append" for a method, "len" for a function. */
static void full_name(const struct call *c, char out[128]) {
    val owner = c->native->owner;
    if (c->native->flags & NATIVE_NEW)
        snprintf(out, 128, "%.*s", STR_ARG(type_name(c->vm, owner)));
    else if (owner && vm_is(c->vm, owner, KIND_TYPE))
        snprintf(out, 128, "%.*s.%s", STR_ARG(type_name(c->vm, owner)),
                 c->name);
    else
        snprintf(out, 128, "%s", c->name);
}

static const char *short_name(const struct call *c, char out[128]) {
    if (!(c->native->flags & NATIVE_NEW)) return c->name;
    full_name(c, out);
    return out;
}

static val wrong_exact(const struct call *c) {
    char name[128];
    full_name(c, name);
    if (c->sig->npos == 0)
        return vm_raise(c->vm, EXC_TypeError,
                        "%s() takes no arguments (%zu given)", name, c->npos);
    return vm_raise(c->vm, EXC_TypeError,
                    "%s() takes exactly one argument (%zu given)", name,
                    c->npos);
}

static val wrong_expected(const struct call *c) {
    char buffer[128];
    bool exact = c->sig->required == c->sig->npos && !c->sig->star;
    bool few = c->npos < c->sig->required;
    unsigned want = few ? c->sig->required : c->sig->npos;
    return vm_raise(c->vm, EXC_TypeError,
                    "%s expected %s%u argument%s, got %zu",
                    short_name(c, buffer),
                    exact ? ""
                    : few ? "at least "
                          : "at most ",
                    want, want == 1 ? "" : "s", c->npos);
}

static val wrong_many(const struct call *c) {
    char buffer[128];
    const struct nsig *s = c->sig;
    bool exact = s->required == s->npos && s->nkwonly == 0;
    if (s->npos == 0 && s->nkwonly)
        return vm_raise(c->vm, EXC_TypeError,
                        "%s() takes no positional arguments",
                        short_name(c, buffer));
    return vm_raise(
        c->vm, EXC_TypeError, "%s() takes %s %u %sargument%s (%zu given)",
        short_name(c, buffer), exact ? "exactly" : "at most", s->npos,
        s->nkwonly ? "positional " : "", s->npos == 1 ? "" : "s", c->npos);
}

/* Positional arguments alone do not fit. */
static val wrong_count(const struct call *c) {
    const struct nsig *s = c->sig;
    bool only = s->nposonly == s->npos && s->nkwonly == 0 && !s->starstar;
    if (only && !s->star && s->npos <= 1 && s->required == s->npos)
        return wrong_exact(c);
    if (only) return wrong_expected(c);
    return wrong_many(c);
}

static val missing(const struct call *c, unsigned i) {
    char buffer[128];
    if (i < c->sig->nposonly && c->sig->nposonly == c->sig->npos)
        return wrong_count(c);
    str name = text_get(c->vm, tuple_items(c->vm, c->native->names)[i]);
    return vm_raise(c->vm, EXC_TypeError,
                    "%s() missing required argument '%.*s' (pos %u)",
                    short_name(c, buffer), STR_ARG(name), i + 1);
}

static val unexpected(const struct call *c, val keyword) {
    char buffer[128];
    const struct nsig *s = c->sig;
    full_name(c, buffer);
    if (s->nposonly == s->npos && s->nkwonly == 0)
        return vm_raise(c->vm, EXC_TypeError, "%s() takes no keyword arguments",
                        buffer);
    return vm_raise(c->vm, EXC_TypeError,
                    "'%.*s' is an invalid keyword argument for %s()",
                    STR_ARG(text_get(c->vm, keyword)), short_name(c, buffer));
}

/* -- binding ----------------------------------------------------------------
 */

static int find_param(const struct call *c, val keyword) {
    const val *names = tuple_items(c->vm, c->native->names);
    unsigned n = c->sig->npos + c->sig->nkwonly;
    for (unsigned i = c->sig->nposonly; i < n; i++)
        if (text_equal(c->vm, names[i], keyword)) return (int)i;
    return -1;
}

/* Keywords of a builtin's __new__ where the class has an __init__ of its own,
 * and the other way round: they are for that one. */
static bool for_the_other(const struct call *c) {
    const struct nsig *s = c->sig;
    if (!s->self || s->nposonly != s->npos || s->nkwonly) return false;
    if (c->native->flags & NATIVE_NEW)
        return type_at(c->vm, c->args[-1])->special >> SPECIAL_INIT & 1;
    val type = type_of(c->vm, c->args[-1]);
    return !strcmp(c->name, "__init__") &&
           type_at(c->vm, type)->special >> SPECIAL_NEW & 1;
}

static int put_keyword(const struct call *c, val keyword, val value,
                       val *params) {
    int at = find_param(c, keyword);
    if (at >= 0) {
        char buffer[128];
        if (params[at]) {
            vm_raise(c->vm, EXC_TypeError,
                     "argument for %s() given by name ('%.*s') and position "
                     "(%d)",
                     short_name(c, buffer), STR_ARG(text_get(c->vm, keyword)),
                     at + 1);
            return -1;
        }
        params[at] = value;
        return 0;
    }
    if (!c->sig->starstar) {
        if (for_the_other(c)) return 0;
        unexpected(c, keyword);
        return -1;
    }
    val *rest = &params[c->sig->npos + c->sig->nkwonly];
    if (!*rest) *rest = dict_new(c->vm);
    return *rest ? dict_set(c->vm, *rest, keyword, value) : -1;
}

static int check_required(const struct call *c, const val *params) {
    for (unsigned i = 0; i < c->sig->required; i++) {
        if (params[i]) continue;
        missing(c, i);
        return -1;
    }
    for (unsigned i = 0; i < c->sig->nkwonly; i++) {
        if (!(c->sig->kwrequired >> i & 1) || params[c->sig->npos + i])
            continue;
        missing(c, c->sig->npos + i);
        return -1;
    }
    return 0;
}

/* Fills params (which are unset) in the order native.h promises. */
static int bind(const struct call *c, val kwnames, val *params) {
    const struct nsig *s = c->sig;
    size_t direct = c->npos < s->npos ? c->npos : s->npos;
    if (c->npos > s->npos && !s->star) {
        wrong_count(c);
        return -1;
    }
    memcpy(params, c->args, direct * sizeof(val));
    size_t fixed = (size_t)s->npos + s->nkwonly + s->starstar;
    memcpy(params + fixed, c->args + direct, (c->npos - direct) * sizeof(val));
    uint32_t nkw = kwnames ? tuple_len(c->vm, kwnames) : 0;
    for (uint32_t i = 0; i < nkw; i++)
        if (put_keyword(c, tuple_items(c->vm, kwnames)[i], c->args[c->npos + i],
                        params))
            return -1;
    return check_required(c, params);
}

/* A class handed to __new__, or to a class method taken out of its class: what
 * is made has the owner's layout, so the class must have it too. */
static bool check_class(const struct call *c, val cls) {
    struct vm *vm = c->vm;
    val owner = c->native->owner;
    str own = type_name(vm, owner);
    if (!vm_is(vm, cls, KIND_TYPE)) {
        vm_raise(vm, EXC_TypeError, "%.*s.%s(X): X is not a type object (%s)",
                 STR_ARG(own), c->name, vm_type_name(vm, cls));
        return false;
    }
    str other = type_name(vm, cls);
    if (!type_is_subclass(vm, cls, owner)) {
        vm_raise(vm, EXC_TypeError,
                 "%.*s.%s(%.*s): %.*s is not a subtype of %.*s", STR_ARG(own),
                 c->name, STR_ARG(other), STR_ARG(other), STR_ARG(own));
        return false;
    }
    if (!(c->native->flags & NATIVE_NEW) ||
        type_at(vm, cls)->instance_kind == type_at(vm, owner)->instance_kind)
        return true;
    vm_raise(vm, EXC_TypeError, "%.*s.%s(%.*s) is not safe, use %.*s.%s()",
             STR_ARG(own), c->name, STR_ARG(other), STR_ARG(other), c->name);
    return false;
}

static bool check_self(const struct call *c, const val *args, size_t n) {
    val owner = c->native->owner;
    if (n == 0 && c->native->flags & NATIVE_NEW) {
        vm_raise(c->vm, EXC_TypeError, "%.*s.__new__(): not enough arguments",
                 STR_ARG(type_name(c->vm, owner)));
        return false;
    }
    if (n == 0) {
        vm_raise(c->vm, EXC_TypeError,
                 "unbound method %.*s.%s() needs an argument",
                 STR_ARG(type_name(c->vm, owner)), c->name);
        return false;
    }
    if (c->native->flags & (NATIVE_NEW | NATIVE_CLASS))
        return check_class(c, args[0]);
    if (!(c->native->flags & NATIVE_METHOD)) return true;
    if (type_is_instance(c->vm, args[0], owner)) return true;
    vm_raise(c->vm, EXC_TypeError,
             "descriptor '%s' for '%.*s' objects doesn't apply to a '%.*s' "
             "object",
             c->name, STR_ARG(type_name(c->vm, owner)),
             STR_ARG(type_name(c->vm, type_of(c->vm, args[0]))));
    return false;
}

static val tuple_room(struct vm *vm, size_t n) {
    struct otuple *t =
        heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple), sizeof *t + n * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = (uint32_t)n;
    return heap_ref(&vm->heap, t);
}

bool native_bind(struct vm *vm, val native, const val *args, size_t npos,
                 val kwnames, struct bound *out) {
    const struct onative *o = heap_at(&vm->heap, native);
    const struct nsig *sig = &o->sig;
    out->row = vm->engine->natives[o->number];
    struct call c = {
        vm, o, sig, out->row->name, args + sig->self, npos - sig->self};
    if (sig->self && !check_self(&c, args, npos)) return false;
    bool simple = !kwnames && !sig->star && !sig->starstar && !sig->nkwonly;
    if (simple && c.npos == sig->npos) {
        out->args = args;
        out->n = npos;
        return true;
    }
    size_t extra = sig->star && c.npos > sig->npos ? c.npos - sig->npos : 0;
    out->n =
        (size_t)sig->self + sig->npos + sig->nkwonly + sig->starstar + extra;
    val *params = out->few;
    if (out->n <= BOUND_MAX) {
        memset(params, 0, out->n * sizeof(val));
    } else {
        val room = tuple_room(vm, out->n);
        if (!room) return false;
        params = tuple_items(vm, room);
    }
    out->args = params;
    if (sig->self) params[0] = args[0];
    return bind(&c, kwnames, params + sig->self) == 0;
}

bool native_spread(struct vm *vm, const struct onative *o, val first,
                   const val *args, size_t n, val *out) {
    const struct nsig *sig = &o->sig;
    enum { ROOM = 24 };
    size_t npos = first ? n : n - sig->self, gap = sig->nkwonly + sig->starstar;
    size_t more = npos > sig->npos ? npos - sig->npos : 0;
    size_t total = (size_t)sig->self + sig->npos + gap + more;
    if (npos < sig->required || (more && !sig->star) || total > ROOM)
        return false;
    val room[ROOM], *to = room;
    if (first) *to++ = first;
    memcpy(to, args, (n - more) * sizeof(val));
    to += n - more;
    val *end = room + total - more;
    while (to < end)
        *to++ = VAL_UNSET;
    memcpy(to, args + n - more, more * sizeof(val));
    *out = vm->engine->natives[o->number]->fn(vm, room, total);
    return true;
}

val native_call(struct vm *vm, val native, const val *args, size_t npos,
                val kwnames) {
    struct bound b;
    if (!native_bind(vm, native, args, npos, kwnames, &b)) return VAL_UNSET;
    return native_apply(vm, native, b.row, b.args, b.n);
}
