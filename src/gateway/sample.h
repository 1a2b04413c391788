/* SPDX-License-Identifier: MIT
 *
 * sample -- a server's question to a model (sampling/createMessage), answered
 * by a model of the configuration.
 *
 * Only where the user said so for that server, and the host cannot be asked:
 * it costs tokens, and what a server asks is text from outside. Tools are not
 * offered, and the answer is no longer than the model's own limit.
 */
#ifndef CORDON_GATEWAY_SAMPLE_H
#define CORDON_GATEWAY_SAMPLE_H

#include "agent/provider.h"

struct samples; /* those under way */

struct samples_config {
    struct loop *loop;
    struct client *http;
    struct audit *audit; /* may be NULL */
    /* The model of that name; an empty one: the configuration's default. */
    int (*model)(void *data, str name, struct arena *a,
                 struct model_config *out, struct err *e);
    void *data;
};

struct samples *samples_new(const struct samples_config *config, struct err *e);
void samples_free(struct samples *s); /* open ones are answered with NULL */

/* server is who asks. answer is called once, now or later: with the result, or
 * with NULL. */
int sample_ask(struct samples *s, str server, str model,
               const struct json *params,
               void (*answer)(void *to, const struct json *result), void *to,
               struct err *e);

#endif
