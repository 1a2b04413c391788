/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "vm/pattern.h"

#include <pcre2.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vm/native.h"
#include "vm/ops.h"
#include "vm/pattern_plain.h"
#include "vm/text.h"

enum {
    CACHED = 32,         /* patterns kept, the least recently used goes */
    NESTING = 200,       /* parentheses */
    HEAP_KIB = 32 << 10, /* for backtracking, where the run has that left */
    KEPT = 256 << 10,    /* bytes that backtracking took, for the next match */
    UNWATCHED = 1 << 24, /* characters a match may look at uncounted */
    WATCHED = 1 << 14,   /* and counted, until they are charged */
    MATCH_COST = 100,    /* units of a match, backtracking not counted */
    STEPS_LEAST = 100000,
    STEPS_MOST = 4000000,
    STEPS_PER_BYTE = 64,
    PATTERN_MAX = 1 << 20,
};

/* What a pattern is compiled for. */
enum code_kind {
    WIDE = 0,
    NARROW = 1,   /* ASCII texts, which need no tables of Unicode */
    WATCHING = 2, /* texts on which it could take long: it counts */
    KINDS = 4,
};

struct pattern {
    char *source; /* owned; NULL in a free place */
    size_t length;
    unsigned flags;
    uint64_t used;           /* when, for eviction */
    pcre2_code *code[KINDS]; /* the first always; others when needed */
    bool tried[KINDS];       /* NULL above because it cannot be made */
    struct plain *plain;     /* for ASCII texts; NULL: not of that kind */
    bool plain_tried;
    unsigned repeats; /* repetitions in it, or more */
    uint32_t groups;
};

struct pattern_cache {
    struct pattern place[CACHED];
    uint64_t clock;
    pcre2_general_context *memory; /* of data: counts what it takes */
    pcre2_match_context *limits;
    pcre2_compile_context *how;
    pcre2_match_data *data; /* keeps the memory that backtracking took */
    uint32_t groups;        /* it has room for */
    size_t taken;           /* the largest piece of memory data asked for */
    /* A match that counts: where it was last, units that are not charged, and
     * those of an item, distances apart. */
    size_t at, work, item_cost;
    size_t spans[2 * (PLAIN_GROUPS + 1)]; /* of a plain pattern's match */
};

/* -- the cache --------------------------------------------------------------
 */

static void *take_memory(PCRE2_SIZE size, void *data) {
    struct pattern_cache *c = data;
    struct err e;
    if (size > c->taken) c->taken = size;
    return mem_alloc(size, &e);
}

static void give_memory(void *memory, void *data) {
    (void)data;
    mem_free(memory);
}

/* Called by a match that counts. */
static int count(pcre2_callout_block *now, void *data) {
    struct vm *vm = data;
    struct pattern_cache *c = vm->patterns;
    size_t at = now->current_position;
    c->work += c->item_cost + (at > c->at ? at - c->at : c->at - at);
    c->at = at;
    if (c->work < WATCHED) return 0;
    size_t work = c->work;
    c->work = 0;
    return vm_charge(vm, work) ? 0 : PCRE2_ERROR_CALLOUT;
}

static struct pattern_cache *cache_of(struct vm *vm) {
    struct err e;
    if (vm->patterns) return vm->patterns;
    struct pattern_cache *c = mem_zalloc(1, sizeof *c, &e);
    if (c) {
        c->memory = pcre2_general_context_create(take_memory, give_memory, c);
        c->limits = pcre2_match_context_create(NULL);
        c->how = pcre2_compile_context_create(NULL);
        vm->patterns = c;
    }
    if (!c || !c->memory || !c->limits || !c->how) {
        vm_raise(vm, EXC_MemoryError, "no memory for regular expressions");
        return NULL;
    }
    pcre2_set_callout(c->limits, count, vm);
    pcre2_set_newline(c->how, PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(c->how, NESTING);
    return c;
}

static void forget(struct pattern *p) {
    mem_free(p->source);
    for (size_t i = 0; i < KINDS; i++)
        pcre2_code_free(p->code[i]);
    plain_free(p->plain);
    *p = (struct pattern){0};
}

void pattern_cache_free(struct vm *vm) {
    struct pattern_cache *c = vm->patterns;
    if (!c) return;
    for (size_t i = 0; i < CACHED; i++)
        forget(&c->place[i]);
    pcre2_match_data_free(c->data);
    pcre2_match_context_free(c->limits);
    pcre2_compile_context_free(c->how);
    pcre2_general_context_free(c->memory);
    mem_free(c);
    vm->patterns = NULL;
}

static struct pattern *find(struct pattern_cache *c, str source,
                            unsigned flags) {
    for (size_t i = 0; i < CACHED; i++) {
        struct pattern *p = &c->place[i];
        if (p->source && p->flags == flags && p->length == source.n &&
            memcmp(p->source, source.p, source.n) == 0)
            return p;
    }
    return NULL;
}

static struct pattern *oldest(struct pattern_cache *c) {
    struct pattern *least = &c->place[0];
    for (size_t i = 1; i < CACHED; i++)
        if (c->place[i].used < least->used) least = &c->place[i];
    return least;
}

/* -- compiling --------------------------------------------------------------
 */

static const struct {
    unsigned python;
    uint32_t pcre2;
} flag_map[] = {
    {PATTERN_IGNORECASE, PCRE2_CASELESS},
    {PATTERN_MULTILINE, PCRE2_MULTILINE},
    {PATTERN_DOTALL, PCRE2_DOTALL},
    {PATTERN_VERBOSE, PCRE2_EXTENDED},
};

static uint32_t options_of(unsigned flags, unsigned kind) {
    uint32_t options = PCRE2_NEVER_BACKSLASH_C;
    if (!(kind & NARROW)) options |= PCRE2_UTF | PCRE2_NO_UTF_CHECK;
    if (!(kind & NARROW) && !(flags & PATTERN_ASCII)) options |= PCRE2_UCP;
    for (size_t i = 0; i < sizeof flag_map / sizeof flag_map[0]; i++)
        if (flags & flag_map[i].python) options |= flag_map[i].pcre2;
    return options;
}

/* PCRE2 takes the letter that a lookahead begins with for the first one of a
 * match, and looks for the last one behind it: `(?=a)a` with a group between
 * the two would not match "a". */
static uint32_t start_option(str source) {
    return str_find(source, STR("(?=")) < 0 ? 0 : PCRE2_NO_START_OPTIMIZE;
}

/* Not less than the repetitions of a pattern; one of a group is like many. */
static unsigned count_repeats(str s) {
    unsigned n = 0;
    for (size_t i = 1; i < s.n; i++) {
        char c = s.p[i], before = s.p[i - 1];
        if (!c || !strchr("*+?{", c)) continue;
        if (before == ')' && c != '?') n += NESTING;
        if (c != '?' || !strchr("(*+?}", before)) n++;
    }
    return n;
}

/* A pattern that counts reports every try, and where it has repetitions, every
 * item of it. */
static pcre2_code *compile(struct pattern_cache *c, str source, unsigned flags,
                           unsigned kind, struct pattern_fault *fault,
                           struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4 * PATTERN_MAX);
    int why;
    PCRE2_SIZE where;
    uint32_t options = options_of(flags, kind) | start_option(source);
    if (kind & WATCHING) {
        if (count_repeats(source))
            options |= PCRE2_AUTO_CALLOUT;
        else if (buf_add_text(&text, "(?C)", e))
            return NULL;
    }
    if (pattern_translate(source, flags, &text, fault, e)) return NULL;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)buf_text(&text), text.len,
                                     options, &why, &where, c->how);
    if (code) return code;
    pattern_explain(fault, source, why, where);
    err_set(e, ERR_INVALID, "%s", fault->text);
    return NULL;
}

static int fill(struct pattern_cache *c, struct pattern *p, str source,
                unsigned flags, struct pattern_fault *fault, struct err *e) {
    pcre2_code *code = compile(c, source, flags, WIDE, fault, e);
    if (!code) return -1;
    forget(p);
    p->code[WIDE] = code;
    p->source = mem_dup(source.p, source.n, e);
    if (!p->source) {
        forget(p);
        return fail(e, ERR_MEMORY, "no memory for a pattern");
    }
    p->length = source.n;
    p->flags = flags;
    p->repeats = count_repeats(source);
    (void)pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &p->groups);
    return 0;
}

/* On an ASCII text a pattern means the same without Unicode, unless it has
 * characters beyond a byte in it: written out, or as an escape, which does not
 * compile then. What is compiled for another kind of text is not charged: it
 * costs as much again, at most three times. */
static pcre2_code *code_for(struct vm *vm, struct pattern *p, unsigned kind) {
    struct pattern_fault fault;
    struct err e;
    str source = {p->source, p->length};
    if ((kind & NARROW) && !utf8_is_ascii(source.p, source.n)) kind &= WATCHING;
    if (!p->code[kind] && !p->tried[kind]) {
        p->tried[kind] = true;
        p->code[kind] =
            compile(vm->patterns, source, p->flags, kind, &fault, &e);
    }
    if (p->code[kind]) return p->code[kind];
    if (kind & NARROW) return code_for(vm, p, kind & WATCHING);
    vm_raise(vm, EXC_RuntimeError,
             "regular expression too large for a text that long");
    return NULL;
}

static const struct plain *plain_for(struct pattern *p) {
    if (!p->plain_tried)
        p->plain = plain_new((str){p->source, p->length}, p->flags);
    p->plain_tried = true;
    return p->plain;
}

/* -- what was paid for --------------------------------------------------------
 *
 * Compiling is charged, so a run that is restored from a snapshot must find
 * compiled what was compiled before: the cache is mirrored in the run's heap,
 * three items a place, and is filled from there without charge.
 */

enum { ITEM_TEXT, ITEM_FLAGS, ITEM_USED, ITEMS };

static val *mirror_of(struct vm *vm, size_t place) {
    return list_items(vm, vm_root(vm)->patterns) + ITEMS * place;
}

static bool make_mirror(struct vm *vm) {
    val none[ITEMS * CACHED];
    for (size_t i = 0; i < ITEMS * CACHED; i++)
        none[i] = VAL_NONE;
    vm_root(vm)->patterns = list_new(vm, none, ITEMS * CACHED);
    return vm_root(vm)->patterns;
}

static bool refill(struct vm *vm, struct pattern_cache *c) {
    struct pattern_fault fault;
    struct err e;
    for (size_t i = 0; i < CACHED; i++) {
        const val *m = mirror_of(vm, i);
        struct pattern *p = &c->place[i];
        if (!vm_is(vm, m[ITEM_TEXT], KIND_STR)) continue;
        if (fill(c, p, text_get(vm, m[ITEM_TEXT]),
                 (unsigned)val_int(m[ITEM_FLAGS]), &fault, &e)) {
            pattern_cache_free(vm);
            vm_raise(vm, EXC_MemoryError, "%s", e.text);
            return false;
        }
        p->used = (uint64_t)val_int(m[ITEM_USED]);
        if (p->used > c->clock) c->clock = p->used;
    }
    return true;
}

static struct pattern_cache *ready_cache(struct vm *vm) {
    bool fresh = !vm->patterns;
    struct pattern_cache *c = cache_of(vm);
    if (!c || !fresh) return c;
    bool ready = vm_root(vm)->patterns ? refill(vm, c) : make_mirror(vm);
    if (!ready) pattern_cache_free(vm);
    return ready ? c : NULL;
}

static void note_used(struct vm *vm, struct pattern_cache *c, struct pattern *p,
                      val text) {
    val *m = mirror_of(vm, (size_t)(p - c->place));
    p->used = ++c->clock;
    m[ITEM_TEXT] = text;
    m[ITEM_FLAGS] = val_of_int((int64_t)p->flags);
    m[ITEM_USED] = val_of_int((int64_t)p->used);
}

struct pattern *pattern_get(struct vm *vm, val text, unsigned flags,
                            struct pattern_fault *fault) {
    struct pattern_cache *c = ready_cache(vm);
    str source = text_get(vm, text);
    struct err e;
    if (!c) return NULL;
    struct pattern *p = find(c, source, flags);
    if (!p) {
        p = oldest(c);
        if (source.n > PATTERN_MAX) {
            vm_raise(vm, EXC_OverflowError, "pattern too long");
            return NULL;
        }
        if (!vm_charge(vm, 64 + 32 * source.n)) return NULL;
        if (fill(c, p, source, flags, fault, &e)) {
            if (e.kind == ERR_MEMORY)
                vm_raise(vm, EXC_MemoryError, "%s", e.text);
            return NULL;
        }
    }
    note_used(vm, c, p, text);
    return p;
}

unsigned pattern_groups(const struct pattern *p) {
    return p->groups;
}

val pattern_names(struct vm *vm, const struct pattern *p) {
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table = NULL;
    val dict = dict_new(vm);
    (void)pcre2_pattern_info(p->code[WIDE], PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info(p->code[WIDE], PCRE2_INFO_NAMEENTRYSIZE, &size);
    (void)pcre2_pattern_info(p->code[WIDE], PCRE2_INFO_NAMETABLE, &table);
    /* The table is sorted by name; Python orders by number. */
    for (unsigned n = 1; dict && n <= p->groups; n++)
        for (uint32_t i = 0; i < count; i++) {
            PCRE2_SPTR row = table + (size_t)i * size;
            if ((unsigned)(row[0] << 8 | row[1]) != n) continue;
            if (dict_set_text(vm, dict, str_of((const char *)row + 2),
                              val_of_int((int64_t)n)))
                return VAL_UNSET;
        }
    return dict;
}

/* -- matching ---------------------------------------------------------------
 */

static uint32_t steps_for(size_t bytes) {
    size_t steps = STEPS_LEAST + bytes * STEPS_PER_BYTE;
    return steps > STEPS_MOST ? STEPS_MOST : (uint32_t)steps;
}

/* Room for the groups of p. */
static bool prepare(struct vm *vm, const struct pattern *p) {
    struct pattern_cache *c = vm->patterns;
    if (c->data && c->taken <= KEPT && c->groups >= p->groups) return true;
    pcre2_match_data_free(c->data);
    c->groups = p->groups < 8 ? 8 : p->groups;
    c->taken = 0;
    c->data = pcre2_match_data_create(c->groups + 1, c->memory);
    if (!c->data) vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    return c->data;
}

static void set_limits(struct vm *vm, uint32_t steps) {
    struct pattern_cache *c = vm->patterns;
    uint64_t used = vm->heap.live + vm->heap.template_end;
    uint64_t left = used < vm->heap.limit ? vm->heap.limit - used : 0;
    left /= 2; /* it grows by copying */
    uint32_t kib = left >> 10 < HEAP_KIB ? (uint32_t)(left >> 10) : HEAP_KIB;
    pcre2_set_heap_limit(c->limits, kib < 64 ? 64 : kib);
    pcre2_set_match_limit(c->limits, steps);
    pcre2_set_depth_limit(c->limits, steps);
}

/* PCRE2 counts the steps of one try, not how often it tries nor how far a step
 * goes. It is asked to report where that could add up to more than a moment:
 * every place is a start, and every repetition can end at every place. */
static bool could_take_long(const struct pattern *p, size_t bytes) {
    double most = (double)bytes * (1 + (double)p->length / 16);
    for (unsigned i = 0; i < p->repeats && most <= UNWATCHED; i++)
        most *= (double)bytes;
    return most > UNWATCHED;
}

static uint32_t options_for(enum pattern_mode mode) {
    uint32_t options = PCRE2_NO_UTF_CHECK;
    if (mode != PATTERN_SEARCH) options |= PCRE2_ANCHORED;
    if (mode == PATTERN_FULLMATCH) options |= PCRE2_ENDANCHORED;
    if (mode == PATTERN_NOT_EMPTY) options |= PCRE2_NOTEMPTY;
    return options;
}

static int give_up(struct vm *vm, uint32_t steps, size_t bytes) {
    if (vm_charge(vm, steps))
        vm_raise(vm, EXC_RuntimeError,
                 "regular expression gave up after %u steps on %zu bytes: "
                 "nested repetition?",
                 steps, bytes);
    return -1;
}

static int run_pcre2(struct vm *vm, struct pattern *p, unsigned kind, str text,
                     size_t from, enum pattern_mode mode,
                     const size_t **spans) {
    struct pattern_cache *c = vm->patterns;
    uint32_t steps = steps_for(text.n - from);
    if (could_take_long(p, text.n - from)) kind |= WATCHING;
    const pcre2_code *code = code_for(vm, p, kind);
    if (!code || !vm_charge(vm, MATCH_COST) || !prepare(vm, p)) return -1;
    set_limits(vm, steps);
    c->at = from;
    c->work = 0;
    c->item_cost = p->repeats ? 1 : 1 + p->length / 16;
    int n = pcre2_match(code, (PCRE2_SPTR)text.p, text.n, from,
                        options_for(mode), c->data, c->limits);
    if (n == PCRE2_ERROR_CALLOUT) return -1;
    if (n < 0 && n != PCRE2_ERROR_NOMATCH)
        return give_up(vm, steps, text.n - from);
    *spans = pcre2_get_ovector_pointer(c->data);
    size_t seen = (n < 0 ? text.n : (*spans)[1]) - from;
    return vm_charge(vm, c->work + seen / 4) ? n > 0 : -1;
}

int pattern_run(struct vm *vm, struct pattern *p, val text, size_t from,
                size_t to, enum pattern_mode mode, const size_t **spans) {
    bool ascii = text_ascii(vm, text);
    const struct plain *plain = ascii ? plain_for(p) : NULL;
    str bytes = {text_get(vm, text).p, to};
    if (!plain)
        return run_pcre2(vm, p, ascii ? NARROW : WIDE, bytes, from, mode,
                         spans);
    *spans = vm->patterns->spans;
    return plain_run(plain, vm, bytes, from, mode, vm->patterns->spans);
}
