/* SPDX-License-Identifier: MIT */
#include "json/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/mem.h"
#include "base/utf8.h"

#define MAX_PATTERN   (64u << 10) /* bytes, as written and as rewritten */
#define MATCH_MAX     10000000u
#define HEAP_KIB      (8u << 10) /* backtracking memory */
#define PAREN_NESTING 200

struct regex {
    pcre2_code *code;
    str source;
    struct regex *next;
    char text[]; /* the source's bytes */
};

struct regex_scratch {
    pcre2_general_context *memory;
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

static void *give(size_t n, void *unused) {
    (void)unused;
    struct err ignored;
    return mem_alloc(n, &ignored);
}

static void take_back(void *p, void *unused) {
    (void)unused;
    mem_free(p);
}

static int explain(int code, size_t offset, struct err *e) {
    unsigned char text[128] = "";
    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
        return fail(e, ERR_MEMORY, "out of memory");
    pcre2_get_error_message(code, text, sizeof text);
    return fail(e, ERR_INVALID, "bad pattern, near byte %zu: %s", offset, text);
}

static pcre2_code *compile(str pattern, struct err *e) {
    pcre2_general_context *memory =
        pcre2_general_context_create(give, take_back, NULL);
    pcre2_compile_context *how =
        memory ? pcre2_compile_context_create(memory) : NULL;
    pcre2_code *code = NULL;
    int why = PCRE2_ERROR_NOMEMORY;
    size_t offset = 0;
    uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY |
                       PCRE2_NEVER_BACKSLASH_C | PCRE2_MATCH_UNSET_BACKREF |
                       PCRE2_MATCH_INVALID_UTF;
    if (how) {
        pcre2_set_parens_nest_limit(how, PAREN_NESTING);
        code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, options, &why,
                             &offset, how);
    }
    pcre2_compile_context_free(how);
    pcre2_general_context_free(memory);
    if (!code) (void)explain(why, offset, e);
    return code;
}

struct regex *regex_new(str pattern, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(MAX_PATTERN);
    if (regex_translate(pattern, &text, e)) return NULL;
    struct regex *re = mem_alloc(sizeof *re + pattern.n + 1, e);
    if (!re) return NULL;
    re->next = NULL;
    re->source = (str){re->text, pattern.n};
    for (size_t i = 0; i < pattern.n; i++)
        re->text[i] = pattern.p[i];
    re->code = compile(buf_str(&text), e);
    if (re->code) return re;
    mem_free(re);
    return NULL;
}

void regex_free(struct regex *re) {
    while (re) {
        struct regex *next = re->next;
        pcre2_code_free(re->code);
        mem_free(re);
        re = next;
    }
}

void regex_link(struct regex *re, struct regex **list) {
    re->next = *list;
    *list = re;
}

str regex_source(const struct regex *re) {
    return re->source;
}

struct regex_scratch *regex_scratch_new(struct err *e) {
    struct regex_scratch *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->memory = pcre2_general_context_create(give, take_back, NULL);
    if (s->memory) {
        s->data = pcre2_match_data_create(1, s->memory);
        s->limits = pcre2_match_context_create(s->memory);
    }
    if (s->data && s->limits) {
        pcre2_set_heap_limit(s->limits, HEAP_KIB);
        return s;
    }
    regex_scratch_free(s);
    err_set(e, ERR_MEMORY, "out of memory");
    return NULL;
}

void regex_scratch_free(struct regex_scratch *s) {
    if (!s) return;
    pcre2_match_data_free(s->data);
    pcre2_match_context_free(s->limits);
    pcre2_general_context_free(s->memory);
    mem_free(s);
}

/* Backtracking steps: some for the shortest text, more for each byte. */
static uint32_t step_limit(size_t n, enum regex_effort effort) {
    size_t base = effort == REGEX_FULL ? 20000 : 1000;
    size_t each = effort == REGEX_FULL ? 64 : 8;
    return n < MATCH_MAX / each - base ? (uint32_t)(base + n * each)
                                       : MATCH_MAX;
}

static int match_from(struct regex *re, struct regex_scratch *s, str subject,
                      size_t from, enum regex_effort effort, struct err *e) {
    uint32_t steps = step_limit(subject.n, effort);
    pcre2_set_match_limit(s->limits, steps);
    pcre2_set_depth_limit(s->limits, steps);
    int found = pcre2_match(re->code, (PCRE2_SPTR)subject.p, subject.n, from, 0,
                            s->data, s->limits);
    if (found >= 0) return 1;
    if (found == PCRE2_ERROR_NOMATCH) return 0;
    if (found == PCRE2_ERROR_NOMEMORY)
        return fail(e, ERR_MEMORY, "out of memory");
    return fail(e, ERR_LIMIT,
                "the pattern %.*s takes too long on a text of %zu bytes",
                STR_ARG(str_sub(re->source, 0, 80)), subject.n);
}

int regex_match(struct regex *re, struct regex_scratch *s, str subject,
                enum regex_effort effort, struct err *e) {
    return match_from(re, s, subject, 0, effort, e);
}

int regex_find(struct regex *re, struct regex_scratch *s, str subject,
               size_t from, size_t *start, size_t *end, struct err *e) {
    int found = match_from(re, s, subject, from, REGEX_FULL, e);
    if (found <= 0) return found;
    const size_t *place = pcre2_get_ovector_pointer(s->data);
    *start = place[0];
    *end = place[1];
    return 1;
}
