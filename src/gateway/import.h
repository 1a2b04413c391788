/* SPDX-License-Identifier: MIT
 *
 * import -- the MCP servers that other hosts are configured with, in our terms.
 *
 * Secrets stay where they are: a value that the other host takes from a
 * variable or asks a person for becomes a reference to a variable here.
 */
#ifndef CORDON_GATEWAY_IMPORT_H
#define CORDON_GATEWAY_IMPORT_H

#include "base/buf.h"
#include "json/json.h"

struct import_place {
    const char *host;    /* "cursor" */
    const char *path;    /* "~/..." or relative */
    const char *pointer; /* to the servers; "." in it is where we are */
    bool toml;
};

/* The places that are known; NULL past the last one. */
const struct import_place *import_place(size_t index);

/* Appends the path with the home folder in place of "~". */
int import_path(const struct import_place *place, const char *home,
                struct buf *out, struct err *e);

/* Reads the text of a file of that host: an object of servers as mcpServers has
 * them. ERR_MISSING: the file has none. */
int import_read(const struct import_place *place, str text, struct arena *a,
                const struct json **out, struct err *e);

/* The place that a file looks like, by its name, else by its members. */
int import_guess(const char *path, str text, const struct import_place **out,
                 struct err *e);

#endif
