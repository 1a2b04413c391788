/* SPDX-License-Identifier: MIT
 *
 * demo -- the tools of `cordon demo`: a database, a customer API over HTTP,
 * files and a mailbox. All are on this machine and real: the database is a
 * SQLite file, the API a server on a loopback port, described by an OpenAPI
 * document.
 */
#ifndef CORDON_CLI_DEMO_H
#define CORDON_CLI_DEMO_H

#include "call/provider.h"
#include "io/client.h"
#include "io/server.h"

struct demo_tools {
    struct loop *loop;
    const char *samples; /* the folder with the sample data */
    const char *folder;  /* for what is made: the database, sent mail */
    struct client *http;
    struct server *crm;
    struct provider *providers[4];
    struct arena arena;
    const struct json *customers, *inbox;
};

int demo_tools_open(struct demo_tools *t, struct registry *registry,
                    struct err *e);
void demo_tools_close(struct demo_tools *t); /* after registry and boundary */

#endif
