/* SPDX-License-Identifier: MIT
 *
 * Which tier a run has: our interpreter, or CPython in a sandbox
 * (contained.c). That one is a run's where the operator gives it to all; others
 * ask for it first (call/needs.h), whoever wants it: the program by what it
 * imports, or its caller.
 */
#include <string.h>

#include "call/needs.h"
#include "runs/inside.h"
#include "sandbox/auto.h"
#include "json/build.h"

#define ATTEMPTS      3 /* of a container job */
#define ATTEMPTS_MOST 20
#define NAMES_BYTES   ((size_t)4 << 20)

static bool is_job(const struct run *r) {
    return strcmp(r->kind, "job") == 0;
}

static void contain(struct run *r, uint64_t attempts) {
    r->contains = true;
    r->attempts_max = attempts    ? attempts
                      : is_job(r) ? ATTEMPTS
                                  : 1; /* somebody waits for its end */
    if (r->attempts_max > ATTEMPTS_MOST) r->attempts_max = ATTEMPTS_MOST;
}

int run_take_tier(struct run *r, const struct run_request *q, struct err *e) {
    if (q->tier.n == 0 || str_is(q->tier, "script")) return 0;
    if (!str_is(q->tier, "container"))
        return fail(e, ERR_INVALID,
                    "there is no tier '%.*s': script or "
                    "container",
                    STR_ARG(str_sub(q->tier, 0, 40)));
    if (q->session.n)
        return fail(e, ERR_INVALID,
                    "a run in the tier container has no session");
    if (!r->runs->config.checkpoints)
        return fail(e, ERR_UNSUPPORTED, "there is no tier container here");
    contain(r, q->attempts);
    if (!r->runs->config.container) r->tier_why = "the caller wants CPython";
    return 0;
}

/* A program that is ready for a module to be missing needs no other tier. */
static bool minds_imports(str program) {
    return str_find(program, STR("import ")) >= 0 &&
           str_find(program, STR("ImportError")) < 0 &&
           str_find(program, STR("ModuleNotFoundError")) < 0;
}

static bool may_ask(const struct run *r, const char *why) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 * 1024);
    struct json_build b = JSON_BUILD(&a);
    struct call_request q = {.name = STR(NEEDS_SERVER ".tier"),
                             .who = run_in_need(r)};
    struct err e;
    build_object(&b);
    build_put_text(&b, "tier", STR("container"));
    build_put_text(&b, "why", str_of(why));
    build_end(&b);
    if (build_done(&b, &q.args, &e)) return false;
    switch (boundary_verdict(r->runs->config.boundary, &q)) {
    case POLICY_DENY: return false;
    case POLICY_ASK: return r->can_ask;
    case POLICY_ALLOW: return true;
    }
    return false;
}

/* It imports a module that CPython has and our interpreter has not. */
static bool lacks_module(struct run *r, struct auto_choice *choice) {
    AUTO_ARENA struct arena a = ARENA_MAX(NAMES_BYTES);
    const struct worker_function *functions;
    size_t n;
    struct err ignored;
    if (run_functions(r, &a, &functions, &n, &ignored)) return false;
    const char **names = arena_zalloc(&a, n + 1, sizeof *names, &ignored);
    for (size_t i = 0; names && i < n; i++)
        names[i] = functions[i].name;
    return names && !auto_python(r->program, names, choice, &ignored) &&
           !choice->script &&
           str_starts(str_of(choice->reason), STR("imports "));
}

int run_choose_tier(struct run *r, struct err *e) {
    const struct runs_config *config = &r->runs->config;
    struct auto_choice choice;
    if (!config->checkpoints || r->session_id.n || !minds_imports(r->program) ||
        !lacks_module(r, &choice))
        return 0;
    if (!config->container && !may_ask(r, choice.reason)) return 0;
    contain(r, 0);
    if (config->container) return 0;
    r->tier_why = arena_text(&r->arena, str_of(choice.reason), e);
    return r->tier_why ? 0 : -1;
}
