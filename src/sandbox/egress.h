/* SPDX-License-Identifier: MIT
 *
 * egress -- where a task may connect to: the list, and what is never on it.
 *
 * Pure: names and addresses in, answers out. A rule is "host:port" or
 * "*.host:port" (any name below host, not host itself); "host" alone means
 * port 443. A bare "*" is no rule. Hosts are compared as DNS does, after
 * every other spelling of an address has been refused. What a name resolves
 * to is checked again: no private, loopback, link-local or multicast address
 * is ever connected to, whatever the list says.
 */
#ifndef CORDON_SANDBOX_EGRESS_H
#define CORDON_SANDBOX_EGRESS_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum { EGRESS_HOST_SIZE = 256 };

struct egress_rule {
    char host[EGRESS_HOST_SIZE]; /* canonical; without "*." */
    bool below;                  /* was "*.host" */
    uint16_t port;
};

int egress_parse(str text, struct egress_rule *out, struct err *e);

/* "Example.ORG." to "example.org"; an IPv4 or IPv6 address to its one
 * canonical text. Fails for anything that is neither. */
int egress_canonical(str host, char out[EGRESS_HOST_SIZE], struct err *e);

/* host is canonical. */
bool egress_match(const struct egress_rule *rule, const char *host,
                  uint16_t port);

/* An address as bytes: 4 or 16 of them. */
bool egress_public(const uint8_t *address, size_t size);

#endif
