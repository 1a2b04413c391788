/* SPDX-License-Identifier: MIT
 *
 * audit_make DIR COUNT [EVERY]: appends calls to an audit log, with a
 * checkpoint after each EVERY of them (default: at the end). For tests and the
 * benchmark of verification.
 */
#include "audit/audit.h"
#include "json/build.h"

#include <stdio.h>
#include <stdlib.h>

static int add_call(struct audit *log, long number, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct json_build b = JSON_BUILD(&a);
    const struct json *data;
    char run[32];
    snprintf(run, sizeof run, "run-%ld", number / 10);
    build_object(&b);
    build_put_text(&b, "by", STR("mcp"));
    build_put_text(&b, "session", STR("session-1"));
    build_put_text(&b, "run", str_of(run));
    build_put_int(&b, "call", number);
    build_put_text(&b, "tool", STR("mail__send"));
    build_put_text(&b, "status", number % 7 ? STR("done") : STR("failed"));
    build_put_text(&b, "verdict", number % 7 ? STR("allow") : STR("deny"));
    build_put_text(&b, "rule", STR("R9"));
    build_put_text(&b, "turn", STR("user"));
    build_put_int(&b, "us", 120 + number % 50);
    build_end(&b);
    return build_done(&b, &data, e) || audit_add(log, "call", data, e) ? -1 : 0;
}

static int make(const char *dir, long count, long every, struct err *e) {
    struct audit *log = audit_open(dir, e);
    int failed = !log;
    for (long i = 0; i < count && !failed; i++)
        failed =
            add_call(log, i, e) || ((i + 1) % every == 0 && audit_sync(log, e));
    failed = failed || audit_sync(log, e);
    if (log) audit_close(log);
    return failed ? -1 : 0;
}

int main(int argc, char **argv) {
    struct err e;
    if (argc < 3) {
        fprintf(stderr, "usage: audit_make DIR COUNT [EVERY]\n");
        return 2;
    }
    long count = atol(argv[2]), every = argc > 3 ? atol(argv[3]) : count;
    if (make(argv[1], count, every > 0 ? every : 1, &e) == 0) return 0;
    fprintf(stderr, "audit_make: %s\n", e.text);
    return 1;
}
