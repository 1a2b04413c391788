/* SPDX-License-Identifier: MIT
 *
 * Prints "file parse write" for each file: MB/s of input text, in CPU time.
 * Parsing includes freeing the document. The best of several short runs counts,
 * because other work on the machine only ever adds time.
 */
#include "contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS   7
#define ROUND_NS 15e6

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct text {
    char *p;
    size_t n;
};

static struct text read_text(const char *path) {
    FILE *f = fopen(path, "rb");
    struct text t = {NULL, 0};
    if (!f || fseek(f, 0, SEEK_END)) exit(2);
    t.n = (size_t)ftell(f);
    rewind(f);
    t.p = malloc(t.n + 1);
    if (!t.p || fread(t.p, 1, t.n, f) != t.n) exit(2);
    t.p[t.n] = '\0';
    fclose(f);
    return t;
}

static void parse_once(const struct text *t, void *doc) {
    (void)doc;
    void *fresh = contender_parse(t->p, t->n);
    if (!fresh) exit(3);
    contender_free(fresh);
}

static void write_once(const struct text *t, void *doc) {
    (void)t;
    contender_write(doc);
}

/* Nanoseconds of one call, in the best round. */
static double measure(void (*once)(const struct text *, void *),
                      const struct text *t, void *doc) {
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns(), spent;
        size_t calls = 0;
        do {
            for (int i = 0; i < 1 + (int)(100000 / (t->n + 1)); i++, calls++)
                once(t, doc);
            spent = now_ns() - start;
        } while (spent < ROUND_NS);
        if (spent / (double)calls < best) best = spent / (double)calls;
    }
    return best;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct text t = read_text(argv[i]);
        void *doc = contender_parse(t.p, t.n);
        if (!doc) return 3;
        double bytes = (double)t.n * 1e3;
        double parse = bytes / measure(parse_once, &t, NULL), write = 0;
        if (contender_write(doc) > 0)
            write = bytes / measure(write_once, &t, doc);
        printf("%s %.1f %.1f\n", argv[i], parse, write);
        contender_free(doc);
        free(t.p);
    }
    return 0;
}
