/* SPDX-License-Identifier: MIT
 *
 * config -- configuration files: JSON with comments, checked against a table
 * of known keys.
 *
 * A misspelt key must not silently leave a default in place, so what the table
 * does not know is a problem, with the nearest known key as a suggestion. The
 * caller gets a configuration that is sound as a whole or none: a running
 * program keeps its old one when a changed file is wrong.
 */
#ifndef CORDON_JSON_CONFIG_H
#define CORDON_JSON_CONFIG_H

#include "base/buf.h"
#include "json/json.h"

enum config_type {
    CONFIG_OBJECT, /* members have rows of their own; "x.*" takes any name */
    CONFIG_LIST,   /* items have the row "x[]" */
    CONFIG_BOOL,
    CONFIG_INT,      /* whole, not negative */
    CONFIG_TEXT,     /* not empty */
    CONFIG_SIZE,     /* 65536 or "64k" */
    CONFIG_DURATION, /* seconds, or "200ms" */
    CONFIG_CHOICE,   /* one of the words in `choices` */
    CONFIG_ANY,      /* not looked into */
};

/* A row of the table; the last one has path NULL. */
struct config_key {
    const char *path; /* "log.level", "mcpServers.*.args[]" */
    enum config_type type;
    const char *choices; /* "error|warn|info" for CONFIG_CHOICE, else "" */
    const char *text;    /* what it sets, in a phrase */
};

struct config_problem {
    str path; /* JSON pointer into the file */
    str text; /* `unknown key; did you mean "level"?` */
};

struct config_report {
    const struct config_problem *problems;
    size_t count;
};

/* Everything that is wrong with it, up to a bound, in the order of the file.
 * The report lives in the arena. */
int config_check(const struct json *root, const struct config_key *keys,
                 struct arena *a, struct config_report *out, struct err *e);

/* Parses text (with comments) and checks it. On any problem the error has the
 * first one, and *out is left alone. `name` stands in messages. */
int config_parse(str text, const char *name, const struct config_key *keys,
                 struct arena *a, const struct json **out, struct err *e);

/* Appends the text of a configuration file ("-": standard input). Since a
 * configuration names programs to run, a file that belongs to another user or
 * that everyone can write is refused. */
int config_read(const char *path, struct buf *out, struct err *e);

/* config_read and config_parse. */
int config_load(const char *path, const struct config_key *keys,
                struct arena *a, const struct json **out, struct err *e);

/* Appends a JSON Schema that says the same as the table, for editors. */
int config_add_schema(const struct config_key *keys, struct buf *out,
                      struct err *e);

/* Values of checked CONFIG_SIZE and CONFIG_DURATION keys (the latter in ns);
 * the fallback when v is NULL. */
uint64_t config_size(const struct json *v, uint64_t fallback);
int64_t config_duration(const struct json *v, int64_t fallback);

#endif
