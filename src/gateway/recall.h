/* SPDX-License-Identifier: MIT
 *
 * recall -- requests whose tools came before, text for text.
 *
 * Apps send the same list of tools with every request, and it is most of what
 * they send. A list that came twice is kept as text and as what was read from
 * it; where a request has it again, byte by byte, the rest of the request is
 * all that is parsed. A few lists are kept, those used last.
 */
#ifndef CORDON_GATEWAY_RECALL_H
#define CORDON_GATEWAY_RECALL_H

#include "agent/codec.h"

struct recall;

/* A list that is kept. */
struct recalled {
    struct offers offers; /* not to be changed: others read them too */
    uint64_t key;         /* the holder's to set; 0 at first */
};

struct recall *recall_new(struct err *e);
void recall_free(struct recall *k); /* k may be NULL */

/* As json_parse and request_decode, into the arena. *held is the list that was
 * recognised, good until recall_drop; or NULL. Then out->native has something
 * else in the place of its tools. */
int recall_decode(struct recall *k, enum api api, str body, struct arena *a,
                  struct model_request *out, struct recalled **held,
                  struct err *e);
void recall_drop(struct recalled *r); /* r may be NULL */

#endif
