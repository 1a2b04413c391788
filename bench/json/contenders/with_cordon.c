/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "contender.h"
#include "json/write.h"

#define MANY ((size_t)1 << 30)

struct doc {
    struct arena arena;
    const struct json *value;
};

void *contender_parse(const char *text, size_t n) {
    struct err e;
    struct doc *d = mem_alloc(sizeof *d, &e);
    if (!d) return NULL;
    d->arena = ARENA_MAX(MANY);
    if (json_parse((str){text, n}, NULL, &d->arena, &d->value, &e) == 0)
        return d;
    contender_free(d);
    return NULL;
}

size_t contender_write(void *doc) {
    struct err e;
    struct doc *d = doc;
    AUTO_BUF struct buf out = BUF_MAX(MANY);
    return json_write(d->value, JSON_COMPACT, &out, &e) ? 0 : out.len;
}

void contender_free(void *doc) {
    struct doc *d = doc;
    arena_fini(&d->arena);
    mem_free(d);
}
