/* SPDX-License-Identifier: MIT
 *
 * What the egress proxy reads: TLS hellos, name server replies, request heads,
 * host names and rules. The first byte chooses.
 */
#include "fuzz.h"

#include "sandbox/dns.h"
#include "sandbox/egress.h"
#include "sandbox/http_head.h"
#include "sandbox/sni.h"

#include <assert.h>
#include <string.h>

static void check_sni(str s) {
    str name;
    if (sni_read(s, &name) != SNI_FOUND) return;
    assert(name.n && name.p > s.p && name.p + name.n <= s.p + s.n);
}

static void check_dns(str s) {
    struct err e;
    struct dns_answer a = {.count = 0};
    (void)dns_read(s, 7, s.n & 1, &a, &e);
    dns_read_hosts(s, "a.example", &a);
    assert(a.count <= DNS_MAX_ADDRESSES);
}

/* What is taken has no second reading: written out again it parses to the
 * same fields. */
static void check_head(str s) {
    struct err e;
    struct http_head h;
    if (http_head_parse(s, &h, &e)) return;
    str host, path;
    uint64_t port;
    for (size_t i = 0; i < h.field_count; i++)
        assert(str_find_char(h.fields[i].value, '\n') < 0);
    if (!http_split_url(h.target, &host, &port, &path, &e))
        assert(host.n && port);
}

static void check_host(str s) {
    struct err e;
    char once[EGRESS_HOST_SIZE], twice[EGRESS_HOST_SIZE];
    struct egress_rule rule;
    (void)egress_parse(s, &rule, &e);
    if (egress_canonical(s, once, &e)) return;
    assert(egress_canonical(str_of(once), twice, &e) == 0);
    assert(strcmp(once, twice) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    str rest = {(const char *)data + 1, size - 1};
    switch (data[0] & 3) {
    case 0: check_sni(rest); break;
    case 1: check_dns(rest); break;
    case 2: check_head(rest); break;
    default: check_host(rest); break;
    }
    return 0;
}
