/* SPDX-License-Identifier: MIT
 *
 * dns -- names to addresses, asked by the proxy itself.
 *
 * The machine's hosts file and name servers, over UDP, without caches and
 * plug-ins: what is checked is what is connected to.
 */
#ifndef CORDON_SANDBOX_DNS_H
#define CORDON_SANDBOX_DNS_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum { DNS_MAX_ADDRESSES = 16 };

struct dns_address {
    uint8_t size; /* 4 or 16 */
    uint8_t bytes[16];
};

struct dns_answer {
    struct dns_address list[DNS_MAX_ADDRESSES];
    size_t count; /* may be 0: the name has none */
};

/* name is canonical (egress.h); an address resolves to itself. */
int dns_resolve(const char *name, struct dns_answer *out, struct err *e);

/* The parts, for tests. A query for the name's A (or AAAA) records; returns
 * its length, or 0 when the name does not fit. */
enum { DNS_QUERY_SIZE = 512 };
size_t dns_query(const char *name, uint16_t id, bool v6,
                 uint8_t out[DNS_QUERY_SIZE]);

/* Adds the addresses in a reply to *out. */
int dns_read(str reply, uint16_t id, bool v6, struct dns_answer *out,
             struct err *e);

/* Adds what a hosts file says of the name. */
void dns_read_hosts(str text, const char *name, struct dns_answer *out);

#endif
