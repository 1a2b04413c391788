/* SPDX-License-Identifier: MIT
 *
 * The seccomp program generator, and a machine to test its programs on.
 */
#include "sandbox/bpf.h"

#include <assert.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define ARCH_HERE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH_HERE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH_HERE AUDIT_ARCH_RISCV64
#else
#error "no seccomp support for this architecture: add its number here"
#endif

/* Numbers from here on are the x32 calls of x86-64, a second ABI with the same
 * architecture number; elsewhere nothing is that large. */
#define FOREIGN_NR 0x40000000u

static_assert(sizeof(struct sock_filter) == 8, "two words an instruction");

struct range {
    uint32_t first; /* number; the range ends where the next one starts */
    struct bpf_answer answer;
};

/* Jumps only go forward, so the program is made from its end: when a jump is
 * written, its target is there. Places are counted from the end. */
struct gen {
    struct sock_filter code[BPF_MAX_CODE]; /* last instruction first */
    size_t len;
    struct {
        uint32_t value;
        size_t at;
    } rets[16]; /* the newest copy of each answer, shared by all who give it */
    size_t ret_count;
    size_t block_at[32];
    bool full;
};

enum { NEAR = UINT8_MAX }; /* how far a conditional jump reaches */

uint32_t bpf_arch(void) {
    return ARCH_HERE;
}

static size_t emit(struct gen *g, uint16_t code, uint32_t k, uint8_t jt,
                   uint8_t jf) {
    if (g->len == BPF_MAX_CODE) {
        g->full = true;
        return 0;
    }
    g->code[g->len] = (struct sock_filter){code, jt, jf, k};
    return g->len++;
}

static size_t find_ret(struct gen *g, uint32_t value) {
    for (size_t i = 0; i < g->ret_count; i++)
        if (g->rets[i].value == value) return i;
    assert(g->ret_count < sizeof g->rets / sizeof g->rets[0]);
    g->rets[g->ret_count].value = value;
    g->rets[g->ret_count].at = emit(g, BPF_RET | BPF_K, value, 0, 0);
    return g->ret_count++;
}

/* The place of an instruction that gives this answer. */
static size_t ret_at(struct gen *g, uint32_t value) {
    return g->rets[find_ret(g, value)].at;
}

/* A place near enough for the instruction that comes next but `ahead`: the
 * target itself, or a stepping stone to it. */
static size_t near(struct gen *g, size_t target, size_t ahead) {
    if (g->len + ahead - target - 1 <= NEAR) return target;
    struct sock_filter at = g->code[target];
    if (at.code != (BPF_RET | BPF_K))
        return emit(g, BPF_JMP | BPF_JA, (uint32_t)(g->len - target - 1), 0, 0);
    size_t i = find_ret(g, at.k);
    return g->rets[i].at = emit(g, BPF_RET | BPF_K, at.k, 0, 0);
}

static size_t emit_jump(struct gen *g, uint16_t op, uint32_t k, size_t yes,
                        size_t no) {
    yes = near(g, yes, 1);
    no = near(g, no, 0);
    return emit(g, BPF_JMP | op | BPF_K, k, (uint8_t)(g->len - yes - 1),
                (uint8_t)(g->len - no - 1));
}

static size_t emit_load(struct gen *g, size_t offset) {
    return emit(g, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static size_t answer_at(struct gen *g, struct bpf_answer a) {
    return a.block ? g->block_at[a.block] : ret_at(g, a.ret);
}

/* ranges[lo..hi): a comparison with the middle. Returns where it starts. */
static size_t emit_search(struct gen *g, const struct range *r, size_t lo,
                          size_t hi) {
    if (hi - lo == 1) return answer_at(g, r[lo].answer);
    size_t mid = lo + (hi - lo) / 2;
    size_t right = emit_search(g, r, mid, hi);
    size_t left = emit_search(g, r, lo, mid);
    return emit_jump(g, BPF_JGE, r[mid].first, right, left);
}

static bool same_word(const struct bpf_test *a, const struct bpf_test *b) {
    return a->arg == b->arg && a->mask == b->mask;
}

/* A test that looks at the word the one before it has loaded is entered
 * behind its load. */
static size_t emit_block(struct gen *g, const struct bpf_block *b) {
    size_t load[BPF_MAX_TESTS + 1], compare[BPF_MAX_TESTS + 1];
    assert(b->count <= BPF_MAX_TESTS);
    load[b->count] = compare[b->count] = ret_at(g, b->else_ret);
    for (size_t i = b->count; i-- > 0;) {
        const struct bpf_test *t = &b->tests[i];
        bool next = i + 1 < b->count && same_word(t, t + 1);
        size_t yes = t->then_skip ? load[i + 1 + (size_t)t->then_skip]
                                  : ret_at(g, t->then_ret);
        size_t no = next ? compare[i + 1] : load[i + 1];
        compare[i] = emit_jump(g, BPF_JEQ, t->value, yes, no);
        if (t->mask != UINT32_MAX)
            emit(g, BPF_ALU | BPF_AND | BPF_K, t->mask, 0, 0);
        load[i] = emit_load(g, offsetof(struct seccomp_data, args) +
                                   (size_t)t->arg * 8);
    }
    return load[0];
}

/* First of all: is it a call of our own architecture? */
static void emit_prologue(struct gen *g, size_t search) {
    size_t kill = ret_at(g, SECCOMP_RET_KILL_PROCESS);
    emit_jump(g, BPF_JGE, FOREIGN_NR, kill, search);
    size_t number = emit_load(g, offsetof(struct seccomp_data, nr));
    emit_jump(g, BPF_JEQ, ARCH_HERE, number, kill);
    emit_load(g, offsetof(struct seccomp_data, arch));
}

static bool same(struct bpf_answer a, struct bpf_answer b) {
    return a.block == b.block && (a.block || a.ret == b.ret);
}

static void add_range(struct range *r, size_t *n, uint32_t first,
                      struct bpf_answer a) {
    if (*n && same(r[*n - 1].answer, a)) return;
    r[(*n)++] = (struct range){first, a};
}

/* By number through a table: a program is made at every start, and sorting
 * was most of the work. Behind the last number there is a gap. */
static size_t make_ranges(struct range *r, const struct bpf_call *calls,
                          size_t count, uint32_t absent) {
    const struct bpf_answer gap = {.ret = absent};
    uint16_t at[BPF_MAX_NR + 1] = {0};
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        assert(calls[i].nr < BPF_MAX_NR);
        if (calls[i].nr >= 0) at[calls[i].nr] = (uint16_t)(i + 1);
    }
    for (uint32_t nr = 0; nr <= BPF_MAX_NR; nr++)
        add_range(r, &n, nr, at[nr] ? calls[at[nr] - 1].answer : gap);
    return n;
}

int bpf_compile(struct bpf_program *p, const struct bpf_call *calls,
                size_t count, const struct bpf_block *blocks,
                size_t block_count, uint32_t absent, struct err *e) {
    assert(count <= BPF_MAX_CALLS && block_count < 32);
    struct gen g = {.len = 0};
    struct range ranges[2 * BPF_MAX_CALLS + 1];
    size_t n = make_ranges(ranges, calls, count, absent);
    for (size_t i = 0; i < block_count; i++)
        g.block_at[i + 1] = emit_block(&g, &blocks[i]);
    emit_prologue(&g, emit_search(&g, ranges, 0, n));
    if (g.full) return fail(e, ERR_INTERNAL, "seccomp program too large");
    p->len = (uint16_t)g.len;
    for (size_t i = 0; i < g.len; i++)
        memcpy(&p->words[i * 2], &g.code[g.len - 1 - i], sizeof g.code[0]);
    return 0;
}

static uint32_t load(const struct seccomp_data *d, uint32_t offset) {
    uint32_t word;
    assert(offset <= sizeof *d - sizeof word);
    memcpy(&word, (const char *)d + offset, sizeof word);
    return word;
}

/* Only what emit() uses; anything else is a mistake of ours. */
uint32_t bpf_run(const struct bpf_program *p, uint32_t arch, int nr,
                 const uint64_t args[6]) {
    struct seccomp_data d = {.nr = nr, .arch = arch};
    memcpy(d.args, args, sizeof d.args);
    uint32_t acc = 0;
    for (size_t pc = 0; pc < p->len; pc++) {
        struct sock_filter in;
        memcpy(&in, &p->words[pc * 2], sizeof in);
        switch (in.code) {
        case BPF_LD | BPF_W | BPF_ABS: acc = load(&d, in.k); break;
        case BPF_ALU | BPF_AND | BPF_K: acc &= in.k; break;
        case BPF_JMP | BPF_JEQ | BPF_K:
            pc += acc == in.k ? in.jt : in.jf;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            pc += acc >= in.k ? in.jt : in.jf;
            break;
        case BPF_JMP | BPF_JA: pc += in.k; break;
        case BPF_RET | BPF_K: return in.k;
        default: assert(false && "an instruction that is never emitted");
        }
    }
    assert(false && "a program without an end");
    return SECCOMP_RET_KILL_PROCESS;
}
