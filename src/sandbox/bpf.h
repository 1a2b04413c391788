/* SPDX-License-Identifier: MIT
 *
 * bpf -- seccomp programs: a binary search over ranges of system call numbers.
 *
 * The kernel runs the program once for each number when it is loaded and on
 * each call that is not plainly allowed, so what counts is the number of steps
 * to an answer. Numbers that get the same answer and lie side by side become
 * one range, and all who give one answer share its instruction: a program for
 * 380 calls has about 180 instructions and answers in 7 comparisons.
 */
#ifndef CORDON_SANDBOX_BPF_H
#define CORDON_SANDBOX_BPF_H

#include "base/err.h"

#include <stdint.h>

struct sock_filter;

enum {
    BPF_MAX_CODE = 1024,
    BPF_MAX_CALLS = 512,
    BPF_MAX_TESTS = 16,
    BPF_MAX_NR = 1024, /* numbers are below */
};

/* What a range of numbers leads to: a value for the kernel, or a check. */
struct bpf_answer {
    uint32_t ret; /* SECCOMP_RET_...; used when block is 0 */
    int block;    /* from 1: a piece of code added with bpf_block */
};

struct bpf_call {
    int nr;
    struct bpf_answer answer;
};

/* One comparison in a block: argument (low 32 bits) masked, compared. */
struct bpf_test {
    int arg;           /* 0..5 */
    uint32_t mask;     /* applied first */
    uint32_t value;    /* compared for equality */
    uint32_t then_ret; /* when equal: this is the answer */
    int then_skip;     /* unless > 0: equal skips this many tests instead */
};

struct bpf_block {
    const struct bpf_test *tests;
    size_t count;
    uint32_t else_ret; /* when no test gave an answer */
};

struct bpf_program {
    uint16_t len;
    uint32_t words[BPF_MAX_CODE * 2]; /* struct sock_filter[len] */
};

/* Numbers without an entry give absent, and those below 0 are none. Calls of a
 * foreign architecture kill the process. */
int bpf_compile(struct bpf_program *p, const struct bpf_call *calls,
                size_t count, const struct bpf_block *blocks,
                size_t block_count, uint32_t absent, struct err *e);

/* The answer the kernel would get; for tests and for documentation. */
uint32_t bpf_run(const struct bpf_program *p, uint32_t arch, int nr,
                 const uint64_t args[6]);

/* Audit architecture number of this build. */
uint32_t bpf_arch(void);

#endif
