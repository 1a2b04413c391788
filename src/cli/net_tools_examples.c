/* SPDX-License-Identifier: MIT
 *
 * cordon tools examples: requests that tools answer, written by a model, as
 * "tools" of a configuration. They become a field that searching looks at.
 */
#include "agent/aside.h"
#include "cli/corpus.h"
#include "cli/models.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#define ROOM     ((size_t)256 << 20)
#define EXAMPLES 3
#define BUDGET   (60 * INT64_C(1000000000))

struct work {
    struct cli *cli;
    struct arena arena;
    struct registry *registry;
    struct secrets *secrets;
    struct aside *aside;
    size_t each;
    size_t failed;
};

static bool is_asked(const struct cli *cli, const struct registry *r,
                     const struct entry *t) {
    if (!cli_operand(cli, 0)) return true;
    for (size_t i = 0; cli_operand(cli, i); i++)
        if (registry_find(r, str_of(cli_operand(cli, i))) == t) return true;
    return false;
}

static void write_tool(struct work *w, const struct entry *t, struct jw *out) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)1 << 20);
    const struct json *examples;
    struct err e;
    if (aside_examples(w->aside, t, w->each, BUDGET, &a, &examples, &e)) {
        log_warn(&w->cli->log, "%.*s: %s", STR_ARG(t->name), e.text);
        w->failed++;
        return;
    }
    jw_key_str(out, t->tool.name);
    jw_object(out);
    jw_key(out, "examples");
    jw_value(out, examples);
    jw_end_object(out);
}

/* {"server": {"tools": {"name": {"examples": [...]}}}} */
static int write_all(struct work *w, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct jw jw = JW(&out);
    str server = {NULL, 0};
    jw_object(&jw);
    for (size_t i = 0; i < registry_count(w->registry); i++) {
        const struct entry *t = registry_at(w->registry, i);
        if (t->fault || !is_asked(w->cli, w->registry, t)) continue;
        if (!server.p || !str_eq(server, t->tool.server)) {
            if (server.p) jw_end_object(&jw), jw_end_object(&jw);
            server = t->tool.server;
            jw_key_str(&jw, server);
            jw_object(&jw);
            jw_key(&jw, "tools");
            jw_object(&jw);
        }
        write_tool(w, t, &jw);
    }
    if (server.p) jw_end_object(&jw), jw_end_object(&jw);
    jw_end_object(&jw);
    if (jw_done(&jw, e) || buf_add_char(&out, '\n', e)) return -1;
    return cli_out(buf_str(&out), e);
}

static int load_tools(struct work *w, struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    if (!args_nth(&w->cli->args, "corpus", 0))
        return fail(e, ERR_USAGE, "--corpus says which tools there are");
    if (corpus_add(&c, &w->cli->args, e)) return -1;
    return registry_put_catalogue(w->registry, &c, e);
}

static int run(struct work *w, struct err *e) {
    const struct args *args = &w->cli->args;
    const struct json *root;
    struct model_config model;
    int64_t each = args_int(args, "count", EXAMPLES);
    if (each < 1 || each > 20)
        return fail(e, ERR_USAGE, "--count: from 1 to 20");
    w->each = (size_t)each;
    if (!(w->registry = registry_new(e)) || !(w->secrets = secrets_new(e)) ||
        settings_load(w->cli, &w->arena, &root, e) || load_tools(w, e) ||
        models_choose(root, w->secrets, args_text(args, "model"),
                      args_text(args, "provider"), &w->arena, &model, e) ||
        !(w->aside = aside_new(&model, e)) || write_all(w, e))
        return -1;
    if (w->failed == 0) return 0;
    return fail(e, ERR_PEER, "no examples for %zu tools", w->failed);
}

int net_tools_examples(struct cli *cli, struct err *e) {
    struct work w = {.cli = cli, .arena = ARENA_MAX(ROOM)};
    int result = run(&w, e);
    aside_free(w.aside);
    registry_free(w.registry);
    secrets_free(w.secrets);
    arena_fini(&w.arena);
    return result;
}
