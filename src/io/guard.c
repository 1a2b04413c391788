/* SPDX-License-Identifier: MIT
 *
 * Which addresses are on the public Internet. The table is the IANA registries
 * of special-purpose addresses; what is not listed is public.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "io/client.h"

struct range {
    const char *prefix;
    unsigned bits;
};

static const struct range special4[] = {
    {"0.0.0.0", 8},       /* this network */
    {"10.0.0.0", 8},      /* private */
    {"100.64.0.0", 10},   /* carrier-grade NAT */
    {"127.0.0.0", 8},     /* loopback */
    {"169.254.0.0", 16},  /* link-local, cloud metadata */
    {"172.16.0.0", 12},   /* private */
    {"192.0.0.0", 24},    /* protocol assignments */
    {"192.0.2.0", 24},    /* documentation */
    {"192.88.99.0", 24},  /* 6to4 relays */
    {"192.168.0.0", 16},  /* private */
    {"198.18.0.0", 15},   /* benchmarking */
    {"198.51.100.0", 24}, /* documentation */
    {"203.0.113.0", 24},  /* documentation */
    {"224.0.0.0", 3},     /* multicast, reserved, broadcast */
};

/* Only 2000::/3 is given out; within it these are special. */
static const struct range special6[] = {
    {"2001::", 23},     /* protocol assignments, Teredo among them */
    {"2001:db8::", 32}, /* documentation */
    {"2002::", 16},     /* 6to4: wraps an IPv4 address */
    {"3fff::", 20},     /* documentation */
};

static bool within(const unsigned char *address, const unsigned char *prefix,
                   unsigned bits) {
    if (memcmp(address, prefix, bits / 8)) return false;
    unsigned rest = bits % 8;
    return !rest || !((address[bits / 8] ^ prefix[bits / 8]) >> (8 - rest));
}

static bool listed(const unsigned char *address, int family,
                   const struct range *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char prefix[16];
        (void)inet_pton(family, table[i].prefix, prefix);
        if (within(address, prefix, table[i].bits)) return true;
    }
    return false;
}

static bool public4(const unsigned char *a) {
    return !listed(a, AF_INET, special4, sizeof special4 / sizeof *special4);
}

/* Addresses that carry an IPv4 address inside are judged by that one. */
static bool public6(const unsigned char *a) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const unsigned char nat64[12] = {0, 0x64, 0xff, 0x9b};
    if (!memcmp(a, mapped, 12) || !memcmp(a, nat64, 12)) return public4(a + 12);
    if ((a[0] & 0xe0) != 0x20) return false;
    return !listed(a, AF_INET6, special6, sizeof special6 / sizeof *special6);
}

bool guard_public_only(void *data, const struct sockaddr *address) {
    (void)data;
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return public4((const unsigned char *)&in.sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, address, sizeof in6);
        return public6((const unsigned char *)&in6.sin6_addr);
    }
    return false;
}
