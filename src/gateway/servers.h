/* SPDX-License-Identifier: MIT
 *
 * servers -- the MCP servers of the configuration: "mcpServers" as people have
 * it for other hosts, and what Cordon adds to it.
 *
 * References such as ${HOME}, ${env:TOKEN} and ${TOKEN:-none} are put in place
 * here. A server whose reference has no value, or that names neither a command
 * nor a URL, is set aside with its problem; the others stand.
 */
#ifndef CORDON_GATEWAY_SERVERS_H
#define CORDON_GATEWAY_SERVERS_H

#include "base/buf.h"
#include "io/server.h" /* struct http_header */
#include "json/json.h"

struct server_spec {
    const char *name;    /* the key in mcpServers */
    const char *prefix;  /* stands before its names; "": they stay */
    const char *problem; /* why it cannot be used; NULL: nothing */
    bool disabled;

    const char *const *argv; /* the program, or NULL */
    const char *const *env;  /* "NAME=value", ended by NULL */
    const char *cwd;         /* NULL: ours */

    const char *url; /* the endpoint, or NULL */
    const struct http_header *headers;
    const char *ca; /* file of the certificates to trust; NULL: the system's */

    int64_t start_ns;   /* until it must be ready; 0: the default */
    int64_t timeout_ns; /* of a silent call; 0: the default */
    const struct json *allowed, *excluded; /* arrays of globs, or NULL */
    const struct json *tools;              /* changes by tool name, or NULL */
    const struct json *sandbox;            /* object or boolean, or NULL */
    bool record;              /* what becomes of that is for the audit log */
    const struct json *oauth; /* who we are there, or NULL */
    /* Its questions to models are answered by ours: true, or a model's name;
     * NULL: they are not. */
    const struct json *sampling;
    const char *mark; /* differs when anything of it differs */
};

struct servers {
    struct arena arena;
    struct server_spec *list;
    size_t count;
};

/* Where references get their values. */
struct servers_context {
    const char *const *env; /* of the process: "NAME=value", ended by NULL */
    const char *folder;     /* what ${workspaceFolder} means */
    /* The value of a reference with a scheme that is not known here
     * ("file:/run/token"); NULL: there are none. */
    int (*secret)(void *data, str reference, struct buf *out, struct err *e);
    void *data;
};

/* root is a configuration that was checked against the table of keys. */
int servers_read(const struct json *root, const struct servers_context *context,
                 struct servers *out, struct err *e);
void servers_fini(struct servers *s);

const struct server_spec *servers_find(const struct servers *s, str name);

/* Its headers say who we are: a refusal is final, and nobody logs in. */
bool server_has_token(const struct server_spec *s);

/* Whether the lists of the server let this tool through. */
bool server_offers(const struct server_spec *s, str tool);

/* Appends text with its references replaced. */
int servers_expand(const struct servers_context *context, str text,
                   struct buf *out, struct err *e);

#endif
