/* SPDX-License-Identifier: MIT */
#include "cli/offered.h"

#include <string.h>

#include "cli/peer.h"
#include "cli/toolbox.h"

/* What a server is called that was not named, in programs too. */
static str name_for(const char *server) {
    bool named = !strpbrk(server, " /:");
    return named ? str_of(server) : STR("server");
}

static int of_server(struct cli *cli, const char *server, struct catalogue *c,
                     offered_user *then, struct err *e) {
    const struct json *tools;
    struct peer *p =
        peer_open(cli, server, args_duration(&cli->args, "timeout", 0), e);
    if (!p) return -1;
    int result = peer_list(p, "tools/list", "tools", &tools, e) ||
                         catalogue_add_json(c, tools, name_for(server), e)
                     ? -1
                     : then(cli, c, e);
    peer_close(p);
    return result;
}

static int take_all(const struct registry *r, struct catalogue *c,
                    struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        struct tool plain = t->tool;
        if (t->flags & (TOOL_BUILTIN | TOOL_SET_ASIDE)) continue;
        plain.definition = t->definition;
        if (catalogue_add(c, &plain, e)) return -1;
    }
    return 0;
}

static int of_configuration(struct cli *cli, struct catalogue *c,
                            offered_user *then, struct err *e) {
    struct toolbox box = {0};
    int result = toolbox_open(&box, cli, e);
    if (result == 0) result = take_all(box.authority.registry, c, e);
    if (result == 0 && c->count == 0)
        log_info(&cli->log, "no tools are configured: see `cordon mcp add`, or "
                            "name tools with --corpus or --server");
    if (result == 0) result = then(cli, c, e);
    toolbox_close(&box);
    return result;
}

int offered(struct cli *cli, offered_user *then, struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    const char *server = args_text(&cli->args, "server");
    if (server) return of_server(cli, server, &c, then, e);
    return of_configuration(cli, &c, then, e);
}
