/* SPDX-License-Identifier: MIT
 *
 * lower -- schemas in the subset a vendor can enforce.
 *
 * What the subset lacks goes into the description, so that the model still
 * reads it, and answers are checked against the schema as it was all the same.
 * OpenAI wants every member required: optional ones may then be null, which
 * json/coerce.h takes out again.
 */
#ifndef CORDON_AGENT_LOWER_H
#define CORDON_AGENT_LOWER_H

#include "agent/vendor.h"

/* ERR_UNSUPPORTED with the reason when the schema cannot be enforced. */
int lower_schema(enum api api, const struct json *schema, struct arena *a,
                 const struct json **out, struct err *e);

/* For a request to this vendor: offers with strict set get a lowered schema,
 * or, where that is not possible, their own without strict. Offers that came
 * from the vendor's own API are left alone. -1 only for want of memory. */
int lower_offers(struct offers *offers, const struct vendor *to,
                 struct arena *a, struct err *e);

#endif
