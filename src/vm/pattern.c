/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "vm/pattern.h"

#include <pcre2.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vm/native.h"
#include "vm/ops.h"
#include "vm/text.h"

enum {
    CACHED = 32,         /* patterns kept, the least recently used goes */
    NESTING = 200,       /* parentheses */
    HEAP_KIB = 32 << 10, /* for backtracking, where the run has that left */
    LONG_TEXT = 16 << 10,
    MATCH_COST = 100, /* units of a match, backtracking not counted */
    STEPS_LEAST = 100000,
    STEPS_MOST = 4000000,
    STEPS_PER_BYTE = 64,
    PATTERN_MAX = 1 << 20,
};

struct pattern {
    char *source; /* owned; NULL in a free place */
    size_t length;
    unsigned flags;
    uint64_t used; /* when, for eviction */
    pcre2_code *code;
    pcre2_code *narrow; /* for ASCII texts, which need no tables of Unicode;
                           NULL: not made yet, or the pattern is not for it */
    bool narrow_tried;
    uint32_t groups;
};

struct pattern_cache {
    struct pattern place[CACHED];
    uint64_t clock;
    pcre2_match_context *limits;
    pcre2_compile_context *how;
    pcre2_match_data *data; /* keeps the memory that backtracking took */
    uint32_t groups;        /* it has room for */
    bool large;             /* it may have grown: made anew for the next */
};

/* -- the cache --------------------------------------------------------------
 */

static struct pattern_cache *cache_of(struct vm *vm) {
    struct err e;
    if (vm->patterns) return vm->patterns;
    struct pattern_cache *c = mem_zalloc(1, sizeof *c, &e);
    if (c) {
        c->limits = pcre2_match_context_create(NULL);
        c->how = pcre2_compile_context_create(NULL);
        vm->patterns = c;
    }
    if (!c || !c->limits || !c->how) {
        vm_raise(vm, EXC_MemoryError, "no memory for regular expressions");
        return NULL;
    }
    pcre2_set_newline(c->how, PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(c->how, NESTING);
    return c;
}

static void forget(struct pattern *p) {
    mem_free(p->source);
    pcre2_code_free(p->code);
    pcre2_code_free(p->narrow);
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

enum width { NARROW, WIDE };

static uint32_t options_of(unsigned flags, enum width width) {
    uint32_t options = PCRE2_NEVER_BACKSLASH_C;
    if (width == WIDE) options |= PCRE2_UTF | PCRE2_NO_UTF_CHECK;
    if (width == WIDE && !(flags & PATTERN_ASCII)) options |= PCRE2_UCP;
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

static pcre2_code *compile(struct pattern_cache *c, str source, unsigned flags,
                           enum width width, struct pattern_fault *fault,
                           struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4 * PATTERN_MAX);
    int why;
    PCRE2_SIZE where;
    if (pattern_translate(source, flags, &text, fault, e)) return NULL;
    uint32_t options = options_of(flags, width) | start_option(source);
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
    p->code = code;
    p->source = mem_dup(source.p, source.n, e);
    if (!p->source) {
        forget(p);
        return fail(e, ERR_MEMORY, "no memory for a pattern");
    }
    p->length = source.n;
    p->flags = flags;
    (void)pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &p->groups);
    return 0;
}

/* On an ASCII text a pattern means the same without Unicode, unless it has
 * characters beyond a byte in it: written out, or as an escape, which does not
 * compile then. Two compilations are charged as one. */
static pcre2_code *code_for(struct pattern_cache *c, struct pattern *p,
                            bool ascii) {
    struct pattern_fault fault;
    struct err e;
    if (!ascii || p->narrow_tried)
        return ascii && p->narrow ? p->narrow : p->code;
    str source = {p->source, p->length};
    p->narrow_tried = true;
    if (utf8_is_ascii(source.p, source.n))
        p->narrow = compile(c, source, p->flags, NARROW, &fault, &e);
    return p->narrow ? p->narrow : p->code;
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
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
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
    if (c->data && !c->large && c->groups >= p->groups) return true;
    pcre2_match_data_free(c->data);
    c->groups = p->groups < 8 ? 8 : p->groups;
    c->data = pcre2_match_data_create(c->groups + 1, NULL);
    c->large = false;
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

int pattern_run(struct vm *vm, struct pattern *p, val text, size_t from,
                size_t to, enum pattern_mode mode, const size_t **spans) {
    struct pattern_cache *c = vm->patterns;
    const pcre2_code *code = code_for(c, p, text_ascii(vm, text));
    PCRE2_SPTR bytes = (PCRE2_SPTR)text_get(vm, text).p;
    uint32_t steps = steps_for(to - from);
    uint32_t options = PCRE2_NO_UTF_CHECK;
    if (mode != PATTERN_SEARCH) options |= PCRE2_ANCHORED;
    if (mode == PATTERN_FULLMATCH) options |= PCRE2_ENDANCHORED;
    if (mode == PATTERN_NOT_EMPTY) options |= PCRE2_NOTEMPTY;
    if (!vm_charge(vm, MATCH_COST) || !prepare(vm, p)) return -1;
    set_limits(vm, steps);
    int n = pcre2_match(code, bytes, to, from, options, c->data, c->limits);
    /* What backtracking took is not known: the clock has to tell. */
    if (to - from > LONG_TEXT) vm_look_soon(vm);
    c->large = c->large || to - from > LONG_TEXT;
    if (n == PCRE2_ERROR_NOMATCH)
        return vm_charge(vm, (to - from) / 4) ? 0 : -1;
    if (n < 0) {
        if (vm_charge(vm, steps))
            vm_raise(vm, EXC_RuntimeError,
                     "regular expression gave up after %u steps on %zu bytes: "
                     "nested repetition?",
                     steps, to - from);
        return -1;
    }
    *spans = pcre2_get_ovector_pointer(c->data);
    return vm_charge(vm, ((*spans)[1] - from) / 4) ? 1 : -1;
}
