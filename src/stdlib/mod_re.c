/* SPDX-License-Identifier: MIT
 *
 * re: matching in C; patterns, matches and replacing as Python objects in
 * re.py.
 */
#include "vm/native.h"
#include "vm/ops.h"
#include "vm/pattern.h"
#include "vm/seq.h"
#include "vm/text.h"

/* (message, position) of what is wrong with a pattern. */
static val fault_pair(struct vm *vm, const struct pattern_fault *fault) {
    val at = fault->at == PATTERN_NOWHERE ? VAL_NONE
                                          : val_of_int((int64_t)fault->at);
    val pair[2] = {text_of(vm, fault->text), at};
    return pair[0] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

/* re.py hands over what it checked, but a program can call these too. */
static bool not_text(struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_STR)) return false;
    vm_raise(vm, EXC_TypeError, "expected str, not %s", vm_type_name(vm, v));
    return true;
}

static struct pattern *get(struct vm *vm, const val *args,
                           struct pattern_fault *fault) {
    int64_t flags;
    if (not_text(vm, args[0]) || value_index(vm, args[1], &flags)) return NULL;
    return pattern_get(vm, args[0], (unsigned)flags, fault);
}

/* (groups, names), or (message, position) as a list when it is wrong. */
static val re_compile(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct pattern_fault fault;
    struct pattern *p = get(vm, args, &fault);
    if (!p && vm_failed(vm)) return VAL_UNSET;
    if (!p) {
        val pair = fault_pair(vm, &fault);
        return pair ? list_new(vm, tuple_items(vm, pair), 2) : VAL_UNSET;
    }
    val made[2] = {val_of_int((int64_t)pattern_groups(p)),
                   pattern_names(vm, p)};
    return made[1] ? tuple_new(vm, made, 2) : VAL_UNSET;
}

/* A flat tuple of code point positions, two for each group; -1: no part. */
static val spans_tuple(struct vm *vm, val text, const struct pattern *p,
                       const size_t *spans) {
    size_t n = 2 * ((size_t)pattern_groups(p) + 1);
    val *items;
    val tuple = tuple_alloc(vm, n, &items);
    for (size_t i = 0; tuple && i < n; i++)
        items[i] = spans[i] == (size_t)-1
                       ? val_of_int(-1)
                       : val_of_int((int64_t)text_position(vm, text, spans[i]));
    return tuple;
}

/* -- one match after the other -----------------------------------------------
 */

/* Where the next match of a pattern is looked for. */
struct search {
    struct vm *vm;
    struct pattern *p;
    val text;
    size_t at, end;      /* bytes */
    bool empty, over;    /* the last match was empty; there is no other */
    const size_t *spans; /* of the match found, until the next is looked for */
};

static val not_searched(struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_BYTES))
        return vm_raise(vm, EXC_TypeError,
                        "cannot use a string pattern on a bytes-like object");
    return vm_raise(vm, EXC_TypeError,
                    "expected string or bytes-like object, got '%s'",
                    vm_type_name(vm, v));
}

/* A place between two characters, wherever the number lies. */
static int place(struct vm *vm, val v, int64_t *out, int64_t otherwise,
                 int64_t most) {
    *out = otherwise;
    if (v && v != VAL_NONE && value_index(vm, v, out)) return -1;
    *out = *out < 0 ? 0 : *out > most ? most : *out;
    return 0;
}

/* pattern, flags, text and two places; -1: raised, 1: there is nothing. */
static int begin(struct search *s, struct vm *vm, const val *args, val from,
                 val to) {
    struct pattern_fault fault;
    int64_t first, last;
    if (!vm_is(vm, args[2], KIND_STR)) return not_searched(vm, args[2]), -1;
    int64_t chars = (int64_t)text_chars(vm, args[2]);
    if (place(vm, from, &first, 0, chars) || place(vm, to, &last, chars, chars))
        return -1;
    *s = (struct search){.vm = vm, .text = args[2]};
    if (first > last) return 1;
    s->at = text_offset(vm, s->text, (uint64_t)first);
    s->end = text_offset(vm, s->text, (uint64_t)last);
    s->p = get(vm, args, &fault);
    if (!s->p && !vm_failed(vm)) vm_raise(vm, EXC_ValueError, "%s", fault.text);
    return s->p ? 0 : -1;
}

static int try_at(struct search *s, enum pattern_mode mode) {
    return pattern_run(s->vm, s->p, s->text, s->at, s->end, mode, &s->spans);
}

/* An empty match may stand right behind another one, but where an empty one was
 * found only one that is not comes next. */
static int next_match(struct search *s) {
    int found = 0;
    if (s->over) return 0;
    if (s->empty) {
        if (s->at >= s->end) return 0;
        found = try_at(s, PATTERN_NOT_EMPTY);
        if (!found) s->at = text_step(text_get(s->vm, s->text), s->at, 1);
    }
    if (!found) found = try_at(s, PATTERN_SEARCH);
    s->over = found <= 0;
    if (found <= 0) return found;
    s->empty = s->spans[0] == s->spans[1];
    s->at = s->spans[1];
    return 1;
}

static val group_of(struct search *s, size_t i, val missing) {
    if (s->spans[2 * i] == (size_t)-1) return missing;
    return text_piece(s->vm, s->text, s->spans[2 * i], s->spans[2 * i + 1]);
}

/* pattern, flags, text, from, to, mode */
static val re_run(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct search s;
    int64_t mode;
    if (value_index(vm, args[5], &mode)) return VAL_UNSET;
    if (mode < PATTERN_SEARCH || mode > PATTERN_NOT_EMPTY)
        return vm_raise(vm, EXC_ValueError, "no such mode");
    int nothing = begin(&s, vm, args, args[3], args[4]);
    if (nothing) return nothing < 0 ? VAL_UNSET : VAL_NONE;
    int found = try_at(&s, (enum pattern_mode)mode);
    if (found < 0) return VAL_UNSET;
    return found ? spans_tuple(vm, s.text, s.p, s.spans) : VAL_NONE;
}

/* What findall() has for a match: it, its group, or a tuple of its groups. */
static val found_item(struct search *s, val blank) {
    size_t groups = pattern_groups(s->p);
    val *items;
    if (groups <= 1) return group_of(s, groups, blank);
    val tuple = tuple_alloc(s->vm, groups, &items);
    for (size_t i = 0; tuple && i < groups; i++)
        if (!(items[i] = group_of(s, i + 1, blank))) return VAL_UNSET;
    return tuple;
}

/* pattern, flags, text, from, to */
static val re_findall(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct search s;
    val list = list_new(vm, NULL, 0), blank = text_new(vm, "", 0);
    int more = begin(&s, vm, args, args[3], args[4]);
    if (!list || !blank || more < 0) return VAL_UNSET;
    if (more) return list;
    while ((more = next_match(&s)) > 0) {
        val item = found_item(&s, blank);
        if (!item || list_append(vm, list, item)) return VAL_UNSET;
    }
    return more < 0 ? VAL_UNSET : list;
}

/* pattern, flags, text, how often at most (0: always, below: never) */
static val re_split(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct search s;
    int64_t most;
    size_t from = 0;
    val list = list_new(vm, NULL, 0);
    if (!list || value_index(vm, args[3], &most) ||
        begin(&s, vm, args, VAL_NONE, VAL_NONE))
        return VAL_UNSET;
    int more = 1;
    for (int64_t i = 0; most == 0 || i < most; i++) {
        if ((more = next_match(&s)) <= 0) break;
        val before = text_piece(vm, s.text, from, s.spans[0]);
        if (!before || list_append(vm, list, before)) return VAL_UNSET;
        for (size_t k = 1; k <= pattern_groups(s.p); k++) {
            val group = group_of(&s, k, VAL_NONE);
            if (!group || list_append(vm, list, group)) return VAL_UNSET;
        }
        from = s.at;
    }
    if (more < 0) return VAL_UNSET;
    val rest = text_piece(vm, s.text, from, s.end);
    return rest && !list_append(vm, list, rest) ? list : VAL_UNSET;
}

/* Adds bytes of the text that is searched. */
static void add_span(struct build *b, const struct search *s, size_t from,
                     size_t to) {
    str text = text_get(s->vm, s->text);
    if (text_ascii(s->vm, s->text))
        build_ascii(b, text.p + from, to - from);
    else
        build_add(b, text.p + from, to - from);
}

/* Texts as they are, numbers as what the group has. */
static int add_parts(struct build *b, const struct search *s, val parts) {
    size_t groups = pattern_groups(s->p);
    for (uint64_t i = 0; i < list_len(s->vm, parts); i++) {
        val part = list_items(s->vm, parts)[i];
        if (vm_is(s->vm, part, KIND_STR)) {
            build_val(b, part);
            continue;
        }
        /* One that has a label is an object. */
        int64_t k;
        if (value_index(s->vm, part, &k)) {
            build_drop(b);
            return -1;
        }
        if (k >= 0 && (size_t)k <= groups && s->spans[2 * k] != (size_t)-1)
            add_span(b, s, s->spans[2 * k], s->spans[2 * k + 1]);
    }
    return b->failed ? -1 : 0;
}

/* pattern, flags, text, parts, how often at most; (text, how often) */
static val re_replace(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct search s;
    struct build b;
    int64_t most, i = 0;
    size_t from = 0;
    if (!vm_is(vm, args[3], KIND_LIST))
        return vm_raise(vm, EXC_TypeError, "parts are a list");
    if (value_index(vm, args[4], &most) ||
        begin(&s, vm, args, VAL_NONE, VAL_NONE))
        return VAL_UNSET;
    build_init(&b, vm);
    int more = 0;
    for (; most == 0 || i < most; i++) {
        if ((more = next_match(&s)) <= 0) break;
        add_span(&b, &s, from, s.spans[0]);
        if (add_parts(&b, &s, args[3])) return VAL_UNSET;
        from = s.at;
    }
    add_span(&b, &s, from, s.end);
    if (more < 0) return build_drop(&b), VAL_UNSET;
    val same = i ? VAL_UNSET : text_piece(vm, s.text, 0, s.end);
    val pair[2] = {i ? build_take(&b) : same, val_of_int(i)};
    if (!i) build_drop(&b);
    return pair[0] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

static const struct native functions[] = {
    {"_compile", "pattern, flags, /", re_compile, "Groups and names.", NULL},
    {"_run", "pattern, flags, text, pos, endpos, mode, /", re_run,
     "Positions of the groups, or None.", NULL},
    {"_findall", "pattern, flags, text, pos, endpos, /", re_findall,
     "What every match has.", NULL},
    {"_split", "pattern, flags, text, maxsplit, /", re_split,
     "The text between matches.", NULL},
    {"_replace", "pattern, flags, text, parts, count, /", re_replace,
     "The text with other text for matches, and their number.", NULL},
    {0},
};

const struct native_module module_re = {.name = "re", .functions = functions};
