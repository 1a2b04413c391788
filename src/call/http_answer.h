/* SPDX-License-Identifier: MIT
 *
 * http_answer -- what an HTTP API answered, as a result.
 */
#ifndef CORDON_CALL_HTTP_ANSWER_H
#define CORDON_CALL_HTTP_ANSWER_H

#include "call/reply.h"

struct http_answer {
    unsigned status;
    str type;              /* content type; p NULL: none */
    str link, retry_after; /* headers; p NULL: none */
    str body;
};

/* Ends the call: JSON as structured content, text as text, the rest as a file.
 * 4xx is the tool's own error; 401, 429 and 5xx are failures with a code. The
 * status and what tells of more pages stand in _meta. */
void http_answer_take(struct provider_call *c, const struct http_answer *a);

#endif
