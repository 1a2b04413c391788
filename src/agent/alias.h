/* SPDX-License-Identifier: MIT
 *
 * alias -- names of tools and ids of calls in the form a vendor takes.
 *
 * Apps and servers name tools as they like ("files.read", 90 letters); vendors
 * refuse some of that. A name that is refused goes out under another, made of
 * it in the same way every time, and comes back as itself. Names that are taken
 * stay; no two ever meet.
 */
#ifndef CORDON_AGENT_ALIAS_H
#define CORDON_AGENT_ALIAS_H

#include "agent/vendor.h"

/* The names that were changed; they live in the arena. */
struct aliases {
    struct alias {
        str name, alias;
    } * list;
    size_t count;
};

/* The request as the vendor takes it: q itself where nothing is refused.
 * ERR_INVALID when two names would meet. */
int alias_request(const struct vendor *to, const struct model_request *q,
                  struct arena *a, struct model_request *out,
                  struct aliases *names, struct err *e);

/* Calls get their tools' own names back. */
void alias_answer(const struct aliases *names, struct model_answer *m);

#endif
