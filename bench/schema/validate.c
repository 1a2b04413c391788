/* SPDX-License-Identifier: MIT
 *
 * One case of bench/schema, measured with Cordon: nanoseconds of CPU for the
 * verdict on a parsed value, for parsing and the verdict, and for compiling.
 */
#include "base/clock.h"
#include "base/file.h"
#include "json/schema.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>

#define ROOM       ((size_t)16 << 20)
#define MAX_VALUES 64
#define ROUNDS     7
#define MIN_NS     20000000 /* of one measurement */

struct bench_case {
    const struct json *schema_doc;
    struct schema *schema;
    const struct json *values[MAX_VALUES];
    str texts[MAX_VALUES];
    size_t count;
    bool valid;
};

typedef void work(struct bench_case *c, size_t i);

static void stop(const char *why) {
    fprintf(stderr, "validate: %s\n", why);
    exit(1);
}

static void check(struct bench_case *c, size_t i) {
    struct err e;
    if ((schema_check(c->schema, c->values[i], &e) == 0) != c->valid)
        stop("wrong verdict");
}

static void parse_and_check(struct bench_case *c, size_t i) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    if (json_parse(c->texts[i], NULL, &a, &v, &e)) stop(e.text);
    if ((schema_check(c->schema, v, &e) == 0) != c->valid)
        stop("wrong verdict");
}

static void compile(struct bench_case *c, size_t i) {
    struct err e;
    struct schema *s;
    (void)i;
    if (schema_compile(c->schema_doc, NULL, &s, &e)) stop(e.text);
    schema_free(s);
}

/* The best of some rounds, in nanoseconds for each piece of work. */
static double measure(struct bench_case *c, work *run) {
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        size_t done = 0;
        int64_t start = clock_cpu_ns(), now;
        do {
            for (size_t k = 0; k < 256; k++)
                run(c, k % c->count);
            done += 256;
            now = clock_cpu_ns();
        } while (now - start < MIN_NS);
        double each = (double)(now - start) / (double)done;
        if (each < best) best = each;
    }
    return best;
}

static void load(struct bench_case *c, const struct json *list, bool valid,
                 struct arena *a) {
    c->count = 0;
    c->valid = valid;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        struct err e;
        AUTO_BUF struct buf text = BUF_MAX(ROOM);
        if (c->count == MAX_VALUES) stop("too many values");
        if (json_write(v, JSON_COMPACT, &text, &e) ||
            arena_dup(a, buf_str(&text), &c->texts[c->count], &e))
            stop(e.text);
        c->values[c->count++] = v;
    }
}

int main(int argc, char **argv) {
    struct err e;
    struct bench_case c = {0};
    AUTO_BUF struct buf text = BUF_MAX(ROOM);
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *doc;
    if (argc != 2) stop("usage: validate CASE");
    if (file_read(argv[1], &text, &e) ||
        json_parse(buf_str(&text), NULL, &a, &doc, &e))
        stop(e.text);
    c.schema_doc = json_get(doc, "schema");
    if (schema_compile(c.schema_doc, NULL, &c.schema, &e)) stop(e.text);
    load(&c, json_get(doc, "valid"), true, &a);
    printf("valid %.1f\n", measure(&c, check));
    printf("parse_and_valid %.1f\n", measure(&c, parse_and_check));
    printf("compile %.1f\n", measure(&c, compile));
    load(&c, json_get(doc, "alike"), true, &a);
    printf("alike %.1f\n", measure(&c, check));
    load(&c, json_get(doc, "invalid"), false, &a);
    printf("invalid %.1f\n", measure(&c, check));
    schema_free(c.schema);
    return 0;
}
