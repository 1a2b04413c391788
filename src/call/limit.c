/* SPDX-License-Identifier: MIT */
#include "call/limit.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "json/build.h"
#include "json/config.h"

#define SECOND      ((int64_t)1000000000)
#define MEGABYTE    ((size_t)1 << 20)
#define LIMIT_BYTES ((size_t)4 << 20)

static const struct limit defaults = {
    .timeout_ns = 60 * SECOND,
    .concurrency = 32,
    .retries = 2,
    .repeats = 20,
    .result_max = 8 * MEGABYTE,
    .shown_max = 64 * 1024,
};

struct limits {
    struct arena arena;
    const struct json *config; /* an object, or NULL */
};

static const struct config_key keys[] = {
    {"*", CONFIG_OBJECT, "", "limits of the tools that match"},
    {"*.timeout", CONFIG_DURATION, "", "of a call with all its attempts"},
    {"*.concurrency", CONFIG_INT, "", "calls at once"},
    {"*.rate", CONFIG_TEXT, "", "calls a second or minute: 10/s, 100/m"},
    {"*.retries", CONFIG_INT, "", "of calls that may be repeated"},
    {"*.repeats", CONFIG_INT, "", "the same call with the same result"},
    {"*.result", CONFIG_SIZE, "", "of a result"},
    {"*.shown", CONFIG_SIZE, "", "of a result that a model is shown"},
    {NULL, CONFIG_ANY, NULL, NULL},
};

/* "10/s", "600/m", "1000/h" */
static int read_rate(str text, double *out, struct err *e) {
    str rest = text;
    uint64_t count;
    struct err ignored;
    str number = str_cut(&rest, '/');
    double per = str_is(rest, "s")   ? 1
                 : str_is(rest, "m") ? 60
                 : str_is(rest, "h") ? 3600
                                     : 0;
    if (per == 0 || num_parse_u64(number, &count, &ignored) || count == 0)
        return fail(e, ERR_INVALID, "'%.*s' is no rate such as 10/s or 100/m",
                    STR_ARG(text));
    *out = (double)count / per;
    return 0;
}

static unsigned small(const struct json *row, const char *key, unsigned now) {
    int64_t v = json_get_int(row, key, now);
    return v > 1000000 ? 1000000 : (unsigned)v;
}

static int apply(const struct json *row, struct limit *l, struct err *e) {
    const struct json *rate = json_get(row, "rate");
    l->timeout_ns = config_duration(json_get(row, "timeout"), l->timeout_ns);
    l->concurrency = small(row, "concurrency", l->concurrency);
    l->retries = small(row, "retries", l->retries);
    l->repeats = small(row, "repeats", l->repeats);
    l->result_max = (size_t)config_size(json_get(row, "result"), l->result_max);
    l->shown_max = (size_t)config_size(json_get(row, "shown"), l->shown_max);
    if (rate && read_rate(json_str(rate), &l->rate, e)) return -1;
    if (l->concurrency == 0)
        return fail(e, ERR_INVALID, "concurrency 0 would stop every call");
    return 0;
}

static int check(const struct json *config, struct arena *a, struct err *e) {
    struct config_report report;
    if (config_check(config, keys, a, &report, e)) return -1;
    if (report.count)
        return fail(e, ERR_INVALID, "limits: %.*s: %.*s",
                    STR_ARG(report.problems[0].path),
                    STR_ARG(report.problems[0].text));
    const struct json *key = json_first(config);
    for (size_t i = json_len(config); i > 0; i--, key = json_skip(key + 1)) {
        struct limit l = defaults;
        if (apply(key + 1, &l, e))
            return fail_while(e, "limits: %.*s", STR_ARG(json_str(key)));
    }
    return 0;
}

struct limits *limits_new(const struct json *config, struct err *e) {
    struct limits *l = mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    l->arena = ARENA_MAX(LIMIT_BYTES);
    if (!config) return l;
    struct json_build b = JSON_BUILD(&l->arena);
    build_copy(&b, config);
    if (build_done(&b, &l->config, e) == 0 &&
        check(l->config, &l->arena, e) == 0)
        return l;
    limits_free(l);
    return NULL;
}

void limits_free(struct limits *l) {
    if (!l) return;
    arena_fini(&l->arena);
    mem_free(l);
}

/* tool empty: only what is said of the server as a whole. */
static bool matches(str pattern, str server, str tool) {
    if (str_find_char(pattern, '.') < 0) return str_glob(pattern, server);
    str rest = pattern;
    str first = str_cut(&rest, '.');
    return str_glob(first, server) && str_glob(rest, tool);
}

static void apply_all(const struct limits *l, str server, str tool,
                      struct limit *out) {
    struct err ignored; /* every row was tried in check() */
    *out = defaults;
    if (!l->config) return;
    const struct json *key = json_first(l->config);
    for (size_t i = json_len(l->config); i > 0; i--, key = json_skip(key + 1))
        if (matches(json_str(key), server, tool))
            (void)apply(key + 1, out, &ignored);
}

void limits_for(const struct limits *l, const struct entry *t,
                struct limit *out) {
    apply_all(l, t->tool.server, t->tool.name, out);
}

void limits_server(const struct limits *l, str server, struct limit *out) {
    apply_all(l, server, STR(""), out);
}
