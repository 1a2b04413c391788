/* SPDX-License-Identifier: MIT
 *
 * toolbox -- the configured tools behind the boundary, for the time of one
 * command.
 */
#ifndef CORDON_CLI_TOOLBOX_H
#define CORDON_CLI_TOOLBOX_H

#include "call/sources.h"
#include "cli/authority.h"
#include "cli/selecting.h"
#include "gateway/hub.h"
#include "io/client.h"

struct toolbox {
    struct cli *cli;
    struct arena memory;
    const struct json *settings;
    struct loop *loop;
    struct client *http;
    struct authority authority;
    struct hub *hub;
    struct selecting *selecting;
    struct sources *sources; /* apis, databases, commands, and tools.search */
    bool signalled;          /* SIGINT or SIGTERM came; the loop was stopped */
    bool settled, gone;
    struct hub_waiter waiter;
};

/* The settings with the servers of --servers in them. A name that stands twice
 * is refused. */
int toolbox_settings(struct cli *cli, const struct json *root, struct arena *a,
                     const struct json **out, struct err *e);

/* Opens everything as the configuration, --policy and --servers say, starts
 * the servers and waits until each is ready or has failed. */
int toolbox_open(struct toolbox *t, struct cli *cli, struct err *e);

/* The same for looking at the tools only: pins are not applied, the guard sees
 * what is put. any_key: nor are the keys of hosts, so that a new one can be
 * pinned. */
int toolbox_look(struct toolbox *t, struct cli *cli,
                 struct registry_guard guard, bool any_key, struct err *e);
void toolbox_close(struct toolbox *t); /* also after a failed open */

#endif
