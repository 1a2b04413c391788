/* SPDX-License-Identifier: MIT
 *
 * cordon tools search, among the tools of the configured servers or with what
 * the configuration says of choosing: an endpoint, a router, memory.
 */
#include <unistd.h>

#include "base/mem.h"
#include "cli/corpus.h"
#include "cli/offered.h"
#include "cli/programs.h"
#include "cli/search.h"
#include "cli/settings.h"
#include "cli/toolbox.h"
#include "tools/plain.h"

#define SETTINGS_MAX ((size_t)64 << 20)
#define ROUTED_BYTES 200 /* of a description, for a router */

/* ---- files ---- */

/* Its name and the beginning of its description, for a router. */
static int describe(void *context, str id, struct buf *out, struct err *e) {
    const struct search *s = context;
    const struct tool *t = catalogue_find(s->catalogue, id);
    if (buf_addf(out, e, "%.*s: ", STR_ARG(id))) return -1;
    return t ? plain_add(out, t->description, ROUTED_BYTES, e) : 0;
}

static int search_selected(struct search *s, struct selecting *selecting,
                           struct err *e) {
    const struct standing *standing = selecting_standing(selecting);
    const char *index = args_text(&s->cli->args, "index");
    struct selector own;
    if (selector_init(&own, standing->weights, e)) return -1;
    own.standing = standing;
    own.describe = describe;
    own.describe_context = s;
    int result = search_load(s, &own, index ? index : standing->index, e);
    if (result == 0) {
        selecting_wait(selecting);
        result = search_run(s, e);
    }
    selector_fini(&own);
    return result;
}

static int search_files(struct search *s, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(SETTINGS_MAX);
    const struct json *settings;
    char folder[PATH_MAX];
    if (settings_load(s->cli, &a, &settings, e)) return -1;
    if (!getcwd(folder, sizeof folder)) folder[0] = '\0';
    struct secrets *secrets = secrets_new(e);
    struct registry *registry = secrets ? registry_new(e) : NULL;
    const struct provider_host host = {.registry = registry,
                                       .secrets = secrets,
                                       .folder = folder,
                                       .log = &s->cli->log};
    struct selecting *selecting =
        registry ? selecting_new(&host, settings, e) : NULL;
    int result = selecting ? search_selected(s, selecting, e) : -1;
    selecting_free(selecting);
    registry_free(registry);
    secrets_free(secrets);
    return result;
}

/* ---- servers ---- */

static int list_tools(struct search *s, struct registry *r, struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        if (t->fault || t->flags & (TOOL_BUILTIN | TOOL_QUARANTINED)) continue;
        if (catalogue_add(s->catalogue, &t->tool, e)) return -1;
    }
    if (s->catalogue->count == 0)
        log_info(&s->cli->log,
                 "no tools are configured: see `cordon mcp add`, or name tools "
                 "with --corpus or --server");
    return 0;
}

static int search_servers(struct search *s, struct err *e) {
    struct toolbox box;
    int result = toolbox_open(&box, s->cli, e);
    if (result == 0) {
        struct registry *r = box.authority.registry;
        s->selector = registry_selector(r, e);
        result = s->selector ? list_tools(s, r, e) : -1;
        if (result == 0) {
            selecting_wait(box.selecting);
            result = search_run(s, e);
        }
    }
    toolbox_close(&box);
    return result;
}

static struct search *search_of(struct cli *cli, struct catalogue *c,
                                struct err *e) {
    struct search *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->cli = cli;
    s->catalogue = c;
    s->request = str_of(cli_operand(cli, 0));
    return s;
}

/* The tools of files, or of one server that was asked. */
static int search_in(struct cli *cli, struct catalogue *c, struct err *e) {
    AUTO_MEM struct search *s = search_of(cli, c, e);
    return s ? search_files(s, e) : -1;
}

int net_tools_search(struct cli *cli, struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    if (args_nth(&cli->args, "corpus", 0))
        return corpus_add(&c, &cli->args, e) ? -1 : search_in(cli, &c, e);
    if (args_text(&cli->args, "server")) return offered(cli, search_in, e);
    AUTO_MEM struct search *s = search_of(cli, &c, e);
    return s ? search_servers(s, e) : -1;
}
