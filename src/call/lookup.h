/* SPDX-License-Identifier: MIT
 *
 * lookup -- tools that find tools, for programs:
 *
 *     tools.search("send a message")   [{"name": "mail.send", "stub": ...},
 * ...] tools.help("mail.send")          everything about it, as text
 *
 * They are calls like any other: through the boundary, into the journal.
 */
#ifndef CORDON_CALL_LOOKUP_H
#define CORDON_CALL_LOOKUP_H

#include "call/host.h"

struct provider *provider_lookup_new(const struct provider_host *h,
                                     struct err *e);

#endif
