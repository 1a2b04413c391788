/* SPDX-License-Identifier: MIT
 *
 * Choosing a tier.
 */
#include "sandbox/auto.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "cordon.h"
#include "lang/check.h"
#include "sandbox/cpython.h"

#define WORK_BYTES ((size_t)64 << 20)

/* What a program would find in tier script, asked of a session in which
 * nothing of the program runs. */
struct world {
    cordon_session *session;
    const char *const *tools;
    struct arena *arena;
    struct err *e;
    char missing[128]; /* the first thing that is not there */
};

static bool runs(struct world *w, const char *code) {
    return code && cordon_run(w->session, code) == CORDON_DONE;
}

static bool is_tool(const struct world *w, str name) {
    for (size_t i = 0; w->tools && w->tools[i]; i++) {
        str whole = str_of(w->tools[i]);
        if (str_eq(str_cut(&whole, '.'), name)) return true;
    }
    return false;
}

static bool note(struct world *w, bool there, const char *what, str name) {
    if (!there && !w->missing[0])
        snprintf(w->missing, sizeof w->missing, "%s %.*s", what,
                 STR_ARG(str_sub(name, 0, 80)));
    return there;
}

static bool has_module(void *user, str module) {
    struct world *w = user;
    str rest = module, top = str_cut(&rest, '.');
    bool there =
        is_tool(w, top) ||
        runs(w, arena_printf(w->arena, w->e, "import %.*s", STR_ARG(module)));
    /* What CPython lacks as well is no reason for it. */
    return there || (cpython_has(top) && note(w, false, "imports", module));
}

/* Some builtins are there only to say why they are not: open, eval, input. */
static bool is_excuse(struct world *w, str name) {
    const char *code =
        arena_printf(w->arena, w->e, "try: %.*s()\nexcept TypeError: %.*s(0)",
                     STR_ARG(name), STR_ARG(name));
    if (!code || cordon_run(w->session, code) != CORDON_RAISED) return false;
    return strstr(cordon_traceback(w->session), "() is not available here");
}

static bool has_name(void *user, str module, str name) {
    struct world *w = user;
    if (is_tool(w, module.n ? module : name)) return true;
    const char *code =
        module.n ? arena_printf(w->arena, w->e, "from %.*s import %.*s",
                                STR_ARG(module), STR_ARG(name))
                 : arena_text(w->arena, name, w->e);
    bool there = runs(w, code) && !(module.n == 0 && is_excuse(w, name));
    return note(w, there, "uses", name);
}

static const char *no_signature(void *user, str module, str name) {
    (void)user, (void)module, (void)name;
    return NULL;
}

static const char *no_reason(void *user, str module) {
    (void)user, (void)module;
    return NULL;
}

static void choose(struct auto_choice *out, bool script, enum cage_tier tier,
                   const char *reason) {
    *out = (struct auto_choice){.script = script, .tier = tier};
    snprintf(out->reason, sizeof out->reason, "%.199s", reason);
}

static int look(str code, struct world *w, struct auto_choice *out,
                struct err *e) {
    struct check_world world = {.user = w,
                                .has_module = has_module,
                                .no_module = no_reason,
                                .has_name = has_name,
                                .signature = no_signature,
                                .nearest = no_signature};
    struct finding *found = NULL;
    struct fault fault = {0};
    if (hash_random(world.seed, sizeof world.seed, e)) return -1;
    int rc = check_source(code, &world, w->arena, &found, &fault, e);
    if (rc && fault.kind == FAULT_NONE) return -1;
    if (rc)
        choose(out, false, TIER_CONTAINER, fault.text);
    else if (w->missing[0])
        choose(out, false, TIER_CONTAINER, w->missing);
    else if (found)
        choose(out, false, TIER_CONTAINER, found->text);
    else
        choose(out, true, TIER_CONTAINER, "our interpreter can run it");
    return 0;
}

int auto_python(str code, const char *const *tools, struct auto_choice *out,
                struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(WORK_BYTES);
    const char *why = "";
    cordon_options *o = cordon_options_new();
    if (!o) return fail(e, ERR_MEMORY, "out of memory");
    struct world w = {.session = cordon_session_new(o, &why),
                      .tools = tools,
                      .arena = &a,
                      .e = e};
    int rc =
        w.session ? look(code, &w, out, e) : fail(e, ERR_INTERNAL, "%s", why);
    if (w.session) cordon_session_free(w.session);
    cordon_options_free(o);
    return rc ? fail_while(e, "tier auto") : 0;
}

void auto_program(const char *const *argv, bool declared,
                  struct auto_choice *out) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    char reason[200];
    if (declared) {
        choose(out, false, TIER_PROCESS, "the configuration declares it");
        return;
    }
    snprintf(reason, sizeof reason, "%.150s is a program of any kind", name);
    choose(out, false, TIER_CONTAINER, reason);
}

const char *auto_name(const struct auto_choice *c) {
    return c->script ? "script" : cage_tier_name(c->tier);
}
