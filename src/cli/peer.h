/* SPDX-License-Identifier: MIT
 *
 * peer -- an MCP server for the time of one command: started or connected to,
 * asked, closed. Calls wait; an interrupt (SIGINT, SIGTERM) cancels them and
 * ends the server in order.
 */
#ifndef CORDON_CLI_PEER_H
#define CORDON_CLI_PEER_H

#include "cli/cli.h"
#include "json/json.h"

struct peer;

/* server is the name of a configured one, a URL, or a command line: words, with
 * quotes where needed, run without a shell. NULL: a gateway of our own, in
 * front of all that is configured. timeout_ns is for each call. */
struct peer *peer_open(struct cli *cli, const char *server, int64_t timeout_ns,
                       struct err *e);
void peer_close(struct peer *p);

/* All pages of a list; the value lives as long as the peer. */
int peer_list(struct peer *p, const char *method, const char *key,
              const struct json **out, struct err *e);

/* One call; progress is told on standard error. */
int peer_call(struct peer *p, const char *method, const struct json *params,
              const struct json **out, struct err *e);

/* Cuts a command line into words in the arena, ended by NULL. */
int peer_words(str line, struct arena *a, const char ***out, struct err *e);

#endif
