/* SPDX-License-Identifier: MIT
 *
 * tool -- one tool's definition, as its server or its author gave it.
 *
 * A struct tool is a view: all text and schemas are borrowed from the JSON it
 * was read from and live as long as that. Nothing in it is trusted.
 */
#ifndef CORDON_TOOLS_TOOL_H
#define CORDON_TOOLS_TOOL_H

#include "json/json.h"

struct tool {
    str id;    /* unique in a catalogue: "server/name" where not given */
    str name;  /* as the server knows it */
    str title; /* for people; may be empty, like all that follow */
    str description;
    str server;
    str server_text; /* what the server says of itself */
    str category;
    const struct json *input;    /* schema of the arguments, or NULL */
    const struct json *output;   /* schema of the result, or NULL */
    const struct json *aliases;  /* array of other names, or NULL */
    const struct json *examples; /* array of requests it answers, or NULL */
    const struct json *keywords; /* array of words that call for it, or NULL */
    bool always;                 /* offered with every request */
    const struct json *definition; /* the object it was read from */
};

/* Reads an object in any of the shapes tools are written in: MCP (inputSchema),
 * OpenAI (parameters, also inside "function"), Anthropic (input_schema), or a
 * catalogue line (schema, server, category ...). server names it where the
 * object does not; the id is made in the arena when it must be. */
int tool_read(const struct json *v, str server, struct arena *a,
              struct tool *out, struct err *e);

#endif
