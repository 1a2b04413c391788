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

struct gen {
    struct sock_filter code[BPF_MAX_CODE];
    size_t len;
    size_t block_at[32]; /* where block n starts */
    struct {
        size_t at;
        int block;
    } jumps[BPF_MAX_CALLS]; /* to be filled in when blocks are placed */
    size_t jump_count;
    bool full;
};

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

static void emit_ret(struct gen *g, uint32_t value) {
    emit(g, BPF_RET | BPF_K, value, 0, 0);
}

static void emit_load(struct gen *g, size_t offset) {
    emit(g, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_leaf(struct gen *g, struct bpf_answer a) {
    if (!a.block) {
        emit_ret(g, a.ret);
        return;
    }
    assert(g->jump_count < BPF_MAX_CALLS);
    size_t at = emit(g, BPF_JMP | BPF_JA, 0, 0, 0);
    g->jumps[g->jump_count].at = at;
    g->jumps[g->jump_count++].block = a.block;
}

/* ranges[lo..hi): compares with the middle, left part first. */
static void emit_search(struct gen *g, const struct range *r, size_t lo,
                        size_t hi) {
    if (hi - lo == 1) {
        emit_leaf(g, r[lo].answer);
        return;
    }
    size_t mid = lo + (hi - lo) / 2;
    size_t at = emit(g, BPF_JMP | BPF_JGE | BPF_K, r[mid].first, 0, 0);
    emit_search(g, r, lo, mid);
    size_t skip = g->len - at - 1;
    if (skip > UINT8_MAX)
        g->full = true;
    else
        g->code[at].jt = (uint8_t)skip;
    emit_search(g, r, mid, hi);
}

static void emit_test(struct gen *g, const struct bpf_test *t) {
    emit_load(g, offsetof(struct seccomp_data, args) + (size_t)t->arg * 8);
    emit(g, BPF_ALU | BPF_AND | BPF_K, t->mask, 0, 0);
    /* Every test is four instructions long, so a skip is a multiple. */
    uint8_t jt = t->then_skip ? (uint8_t)(1 + 4 * t->then_skip) : 0;
    emit(g, BPF_JMP | BPF_JEQ | BPF_K, t->value, jt, 1);
    emit_ret(g, t->then_ret);
}

static void emit_block(struct gen *g, const struct bpf_block *b, size_t n) {
    g->block_at[n] = g->len;
    for (size_t i = 0; i < b->count; i++)
        emit_test(g, &b->tests[i]);
    emit_ret(g, b->else_ret);
}

static void emit_prologue(struct gen *g) {
    emit_load(g, offsetof(struct seccomp_data, arch));
    emit(g, BPF_JMP | BPF_JEQ | BPF_K, ARCH_HERE, 1, 0);
    emit_ret(g, SECCOMP_RET_KILL_PROCESS);
    emit_load(g, offsetof(struct seccomp_data, nr));
    emit(g, BPF_JMP | BPF_JGE | BPF_K, FOREIGN_NR, 0, 1);
    emit_ret(g, SECCOMP_RET_KILL_PROCESS);
}

static int by_number(const void *a, const void *b) {
    const struct bpf_call *x = a, *y = b;
    return (x->nr > y->nr) - (x->nr < y->nr);
}

static bool same(struct bpf_answer a, struct bpf_answer b) {
    return a.block == b.block && (a.block || a.ret == b.ret);
}

static void add_range(struct range *r, size_t *n, uint32_t first,
                      struct bpf_answer a) {
    if (*n && same(r[*n - 1].answer, a)) return;
    if (*n && r[*n - 1].first == first)
        r[*n - 1].answer = a;
    else
        r[(*n)++] = (struct range){first, a};
}

static size_t make_ranges(struct range *r, const struct bpf_call *calls,
                          size_t count, uint32_t absent) {
    const struct bpf_answer gap = {.ret = absent};
    size_t n = 0;
    add_range(r, &n, 0, gap);
    for (size_t i = 0; i < count; i++) {
        if (calls[i].nr < 0) continue;
        add_range(r, &n, (uint32_t)calls[i].nr, calls[i].answer);
        bool next = i + 1 < count && calls[i + 1].nr == calls[i].nr + 1;
        if (!next) add_range(r, &n, (uint32_t)calls[i].nr + 1, gap);
    }
    return n;
}

int bpf_compile(struct bpf_program *p, struct bpf_call *calls, size_t count,
                const struct bpf_block *blocks, size_t block_count,
                uint32_t absent, struct err *e) {
    assert(count <= BPF_MAX_CALLS && block_count < 32);
    struct gen g = {.len = 0};
    struct range ranges[2 * BPF_MAX_CALLS + 1];
    qsort(calls, count, sizeof calls[0], by_number);
    size_t n = make_ranges(ranges, calls, count, absent);
    emit_prologue(&g);
    emit_search(&g, ranges, 0, n);
    for (size_t i = 0; i < block_count; i++)
        emit_block(&g, &blocks[i], i + 1);
    if (g.full) return fail(e, ERR_INTERNAL, "seccomp program too large");
    for (size_t i = 0; i < g.jump_count; i++) {
        size_t at = g.jumps[i].at;
        g.code[at].k = (uint32_t)(g.block_at[g.jumps[i].block] - at - 1);
    }
    p->len = (uint16_t)g.len;
    memcpy(p->words, g.code, g.len * sizeof g.code[0]);
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
