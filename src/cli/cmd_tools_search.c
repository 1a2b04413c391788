/* SPDX-License-Identifier: MIT
 *
 * cordon tools search: the tools that fit a request. Files are searched here;
 * what needs a server, an endpoint or a model is left to cordon-net.
 */
#include "base/mem.h"
#include "cli/corpus.h"
#include "cli/handoff.h"
#include "cli/programs.h"
#include "cli/search.h"
#include "cli/settings.h"

static int search_files(struct search *s, struct err *e) {
    struct selector own;
    if (selector_init(&own, NULL, e)) return -1;
    const char *index = args_text(&s->cli->args, "index");
    int result = search_load(s, &own, index, e);
    if (result == 0) result = search_run(s, e);
    selector_fini(&own);
    return result;
}

/* The configuration says how to choose, or the tools are not in files. */
static int needs_more(struct cli *cli, bool *more, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct json *settings;
    if (settings_load(cli, &a, &settings, e)) return -1;
    *more = !args_nth(&cli->args, "corpus", 0) || json_get(settings, "select");
    return 0;
}

int cmd_tools_search(struct cli *cli, struct err *e) {
    bool more;
    if (needs_more(cli, &more, e)) return -1;
    if (more) return handoff_to_net(cli, e);
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    AUTO_MEM struct search *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return -1;
    s->cli = cli;
    s->catalogue = &c;
    s->request = str_of(cli_operand(cli, 0));
    return corpus_add(&c, &cli->args, e) ? -1 : search_files(s, e);
}
