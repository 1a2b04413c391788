/* SPDX-License-Identifier: MIT
 *
 * limit -- how long, how often, how many at once, how much: per tool.
 *
 *     {"*": {"timeout": "60s"},
 *      "mail.*": {"concurrency": 4, "rate": "10/s"},
 *      "mail.search": {"retries": 3, "result": "16m"}}
 *
 * Keys are patterns over "server.tool"; a key without a dot is a server. All
 * that match apply, in the order of the file, so the later one wins.
 */
#ifndef CORDON_CALL_LIMIT_H
#define CORDON_CALL_LIMIT_H

#include "tools/registry.h"

struct limit {
    int64_t timeout_ns;   /* of a call with all its attempts */
    unsigned concurrency; /* calls of the tool at once */
    double rate;          /* calls a second; 0: not limited */
    unsigned retries;     /* of calls that may be repeated */
    unsigned repeats;     /* the same call with the same result: then stop */
    size_t result_max;    /* bytes of a result */
    size_t shown_max;     /* bytes of it that a model is shown */
};

struct limits;

/* config may be NULL. The error names the key. */
struct limits *limits_new(const struct json *config, struct err *e);
void limits_free(struct limits *l); /* l may be NULL */

void limits_for(const struct limits *l, const struct entry *t,
                struct limit *out);

/* For a server as a whole: the same keys, of patterns that match "server.". */
void limits_server(const struct limits *l, str server, struct limit *out);

#endif
