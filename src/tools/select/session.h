/* SPDX-License-Identifier: MIT
 *
 * session -- the tools one conversation has been offered, in a fixed order.
 *
 * A model's prompt cache survives only while the tools before it do not
 * change: so tools are appended, never reordered or taken away, until the
 * limit is reached; then those that were never used make room. The used ones
 * stay for good and are handed to the next selection as sticky.
 */
#ifndef CORDON_TOOLS_SELECT_SESSION_H
#define CORDON_TOOLS_SELECT_SESSION_H

#include "tools/select/select.h"

#define SESSION_TOOLS 128

struct select_session {
    char *ids[SESSION_TOOLS]; /* owned, in the order they were offered */
    bool used[SESSION_TOOLS];
    size_t count;
};

/* Appends what is new in a selection, best first; *added is how many were. */
int session_offer(struct select_session *s, const struct corpus *ix,
                  const struct selection *found, size_t *added, struct err *e);

/* A tool of this session was called. */
void session_use(struct select_session *s, str id);

/* The used ones, for select_request.sticky; returns how many. */
size_t session_sticky(const struct select_session *s, str out[SESSION_TOOLS]);

void session_fini(struct select_session *s);

#endif
