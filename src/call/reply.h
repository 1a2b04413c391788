/* SPDX-License-Identifier: MIT
 *
 * reply -- results of providers that do not speak MCP themselves.
 */
#ifndef CORDON_CALL_REPLY_H
#define CORDON_CALL_REPLY_H

#include "call/provider.h"

struct reply {
    const struct json *value; /* structured content, of any type; or NULL */
    str text;                 /* without a value: what is shown */
    str media;                /* text is binary of this type: an image, a file;
                                 empty: it is text */
    const struct json *meta;  /* _meta; or NULL */
    bool is_error;
};

/* Ends the call with it. Text that is not UTF-8 is a file. */
void reply_done(struct provider_call *c, const struct reply *r);

/* Ends the call with an error in the tool's own words, which a model reads:
 * arguments that cannot be used, a refusal of the other side. */
void reply_refuse(struct provider_call *c, const struct err *why);

#endif
