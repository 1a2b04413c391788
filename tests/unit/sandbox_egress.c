/* SPDX-License-Identifier: MIT */
#include "sandbox/egress.h"

#include <arpa/inet.h>
#include <string.h>

#include "sandbox/dns.h"
#include "sandbox/sni.h"
#include "test.h"

TEST(hosts_have_one_spelling) {
    static const char *const same[][2] = {
        {"Example.ORG", "example.org"},
        {"example.org.", "example.org"},
        {"[::1]", "::1"},
        {"[0:0:0:0:0:0:0:1]", "::1"},
        {"203.0.113.5", "203.0.113.5"},
        {"xn--bcher-kva.example", "xn--bcher-kva.example"},
        {"a_b.example", "a_b.example"},
        {"::ffff:10.0.0.1", "::ffff:10.0.0.1"},
    };
    struct err e;
    char out[EGRESS_HOST_SIZE];
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        CHECK_OK(egress_canonical(str_of(same[i][0]), out, &e), &e);
        CHECK_TEXT(out, same[i][1]);
    }
}

TEST(other_spellings_of_addresses_are_no_hosts) {
    static const char *const bad[] = {
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0x7f.1",
        "127.0.0.1.",
        "1.2.3.4.5",
        "[::1",
        "user@host",
        "a b",
        "host\r\nX:y",
        ("b\xc3\xbc"
         "cher.de"),
        "",
        ".",
        "..",
        "a..b",
        "-a.b",
        "a-.b",
        "a.b:80",
        "%31.example",
        "[::1%25lo]",
        "host/path",
        "\"x\"",
        "example.org..",
    };
    struct err e;
    char out[EGRESS_HOST_SIZE];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(egress_canonical(str_of(bad[i]), out, &e), &e, ERR_INVALID);
}

TEST(rules_match_exactly_or_below) {
    struct err e;
    struct egress_rule r;
    CHECK_OK(egress_parse(STR("Example.org:443"), &r, &e), &e);
    CHECK(egress_match(&r, "example.org", 443));
    CHECK(!egress_match(&r, "example.org", 80));
    CHECK(!egress_match(&r, "www.example.org", 443));
    CHECK(!egress_match(&r, "example.org.evil.net", 443));
    CHECK_OK(egress_parse(STR("*.example.org"), &r, &e), &e);
    CHECK(egress_match(&r, "www.example.org", 443));
    CHECK(egress_match(&r, "a.b.example.org", 443));
    CHECK(!egress_match(&r, "example.org", 443));
    CHECK(!egress_match(&r, "evilexample.org", 443));
    static const char *const bad[] = {"*",    "*:443",   "*.org",
                                      "a:0",  "a:65536", "a:x",
                                      ":443", "*.*.org", "a*.org"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(egress_parse(str_of(bad[i]), &r, &e), &e, ERR_INVALID);
}

static bool is_public(const char *text) {
    uint8_t bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1) return egress_public(bytes, 4);
    CHECK_EQ(inet_pton(AF_INET6, text, bytes), 1);
    return egress_public(bytes, 16);
}

TEST(private_addresses_are_known_in_every_wrapping) {
    static const char *const inner[] = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "::",
        "::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "::7f00:1",
        "2001::1",
    };
    static const char *const outer[] = {
        "1.1.1.1",         "172.15.0.1",      "172.32.0.1",
        "100.128.0.1",     "8.8.8.8",         "203.0.113.9",
        "2606:4700::1111", "2001:4860::8888", "::ffff:8.8.8.8",
        "223.255.255.255",
    };
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        if (is_public(inner[i])) test_fail(__FILE__, __LINE__, "%s", inner[i]);
    for (size_t i = 0; i < sizeof outer / sizeof outer[0]; i++)
        if (!is_public(outer[i])) test_fail(__FILE__, __LINE__, "%s", outer[i]);
}

/* A hello with one extension, as bytes. */
static size_t hello(char *out, const char *name) {
    size_t n = strlen(name), at = 0;
    size_t extension = 5 + n, extensions = 4 + extension;
    size_t body = 2 + 32 + 1 + 4 + 2 + 2 + extensions;
#define PUT(v)   (out[at++] = (char)(v))
#define PUT16(v) (PUT((v) >> 8), PUT(v))
    PUT(22), PUT16(0x0301), PUT16(body + 4);
    PUT(1), PUT(0), PUT16(body), PUT16(0x0303);
    for (int i = 0; i < 32; i++)
        PUT(i);
    PUT(0), PUT16(2), PUT16(0x1301), PUT(1), PUT(0), PUT16(extensions);
    PUT16(0), PUT16(extension), PUT16(extension - 2), PUT(0), PUT16(n);
    memcpy(out + at, name, n);
    return at + n;
}

TEST(the_server_name_is_found_in_a_hello) {
    char bytes[512];
    size_t n = hello(bytes, "example.org");
    str name;
    CHECK_EQ(sni_read((str){bytes, n}, &name), SNI_FOUND);
    CHECK_STR(name, "example.org");
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(sni_read((str){bytes, i}, &name), SNI_MORE);
    CHECK_EQ(sni_read(STR("GET / HTTP/1.1\r\n"), &name), SNI_NOT_TLS);
    bytes[n - 12] = 9; /* the name's length no longer fits its list */
    CHECK_EQ(sni_read((str){bytes, n}, &name), SNI_NOT_TLS);
}

TEST(a_hello_cut_into_records_is_refused) {
    char bytes[512];
    size_t n = hello(bytes, "example.org");
    str name;
    bytes[4] = (char)(bytes[4] - 10); /* the first record ends early */
    CHECK_EQ(sni_read((str){bytes, n}, &name), SNI_NOT_TLS);
}

TEST(addresses_are_read_from_replies) {
    struct err e;
    uint8_t m[DNS_QUERY_SIZE];
    size_t n = dns_query("a.example", 7, false, m);
    CHECK_EQ(n, 12 + 11 + 4);
    static const uint8_t record[] = {0xc0, 12, 0, 1, 0,   1, 0,   0,
                                     0,    60, 0, 4, 203, 0, 113, 5};
    memcpy(m + n, record, sizeof record);
    m[2] |= 0x80;
    m[7] = 1;
    struct dns_answer a = {.count = 0};
    str reply = {(char *)m, n + sizeof record};
    CHECK_OK(dns_read(reply, 7, false, &a, &e), &e);
    CHECK_EQ(a.count, 1);
    CHECK_EQ(a.list[0].bytes[0], 203);
    CHECK_FAIL(dns_read(reply, 8, false, &a, &e), &e, ERR_PEER);
    for (size_t i = 0; i < reply.n; i++)
        CHECK_FAIL(dns_read((str){(char *)m, i}, 7, false, &a, &e), &e,
                   ERR_PEER);
}

TEST(the_hosts_file_is_read) {
    struct dns_answer a = {.count = 0};
    dns_read_hosts(STR("# x\n127.0.0.1 localhost\n 203.0.113.7\tName.example "
                       "other # name\n::1 other\nbad other\n"),
                   "other", &a);
    CHECK_EQ(a.count, 2);
    CHECK_EQ(a.list[0].size, 4);
    CHECK_EQ(a.list[1].size, 16);
}
