/* SPDX-License-Identifier: MIT */
#include "io/url.h"

#include "test.h"

TEST(a_url_is_taken_apart) {
    struct url u;
    struct err e;
    CHECK_OK(url_parse(STR("HTTPS://Example.com:8443/a/b?x=1#f"), &u, &e), &e);
    CHECK_STR(u.host, "Example.com");
    CHECK_STR(u.port, "8443");
    CHECK_STR(u.origin, "HTTPS://Example.com:8443");
    CHECK_STR(u.path, "/a/b");
    CHECK_STR(u.query, "x=1");
    CHECK_OK(url_parse(STR("http://[::1]:80"), &u, &e), &e);
    CHECK_STR(u.host, "::1");
    CHECK_STR(u.path, "");
    CHECK(!u.query.p);
}

TEST(what_is_no_http_url_is_refused) {
    static const char *const bad[] = {"",
                                      "example.com",
                                      "ftp://a",
                                      "file:///etc/passwd",
                                      "http://",
                                      "http:///x",
                                      "http://a:b/",
                                      "http://a:99999/",
                                      "http://[::1",
                                      "http://u@a/",
                                      "http://u:p@a/",
                                      "http://a b/",
                                      "http://a/\n",
                                      "http://a\\b/",
                                      "javascript://a"};
    struct url u;
    struct err e;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (url_parse(str_of(bad[i]), &u, &e) == 0)
            test_fail(__FILE__, __LINE__, "'%s' was taken", bad[i]);
}

static bool same(const char *a, const char *b) {
    struct url x, y;
    struct err e;
    CHECK_OK(url_parse(str_of(a), &x, &e), &e);
    CHECK_OK(url_parse(str_of(b), &y, &e), &e);
    return url_same_origin(&x, &y);
}

TEST(an_origin_is_scheme_host_and_port) {
    CHECK(same("http://a/x", "HTTP://A:80/y?z"));
    CHECK(same("https://a", "https://a:443/"));
    CHECK(!same("http://a", "https://a"));
    CHECK(!same("http://a", "http://a:81"));
    CHECK(!same("http://a", "http://a.b"));
}

TEST(this_machine_is_known_by_name_and_address) {
    static const struct {
        const char *url;
        bool local;
    } cases[] = {{"http://localhost:1", true}, {"http://LOCALHOST", true},
                 {"http://127.0.0.1/", true},  {"http://127.9.9.9", true},
                 {"http://[::1]:3", true},     {"http://localhost.evil", false},
                 {"http://10.0.0.1", false},   {"http://127.0.0.1.evil", false},
                 {"http://0.0.0.0", false}};
    struct url u;
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_OK(url_parse(str_of(cases[i].url), &u, &e), &e);
        CHECK_EQ(url_is_local(&u), cases[i].local);
    }
}

static void resolves(const char *base, const char *ref, const char *want) {
    AUTO_BUF struct buf out = BUF_MAX(200);
    struct err e;
    CHECK_OK(url_resolve(str_of(base), str_of(ref), &out, &e), &e);
    CHECK_STR(buf_str(&out), want);
}

TEST(a_reference_is_resolved) {
    resolves("http://a/x/y", "/m?s=1", "http://a/m?s=1");
    resolves("http://a/x/y", "m", "http://a/x/m");
    resolves("http://a", "m", "http://a/m");
    resolves("http://a/x", "https://b/c", "https://b/c");
    resolves("https://a/x", "//b/c", "https://b/c");
}

TEST(encoding_and_decoding_are_inverse) {
    AUTO_BUF struct buf out = BUF_MAX(100), back = BUF_MAX(100);
    struct err e;
    CHECK_OK(url_encode(STR("a b&=/\xc3\xa9-._~%"), &out, &e), &e);
    CHECK_STR(buf_str(&out), "a%20b%26%3D%2F%C3%A9-._~%25");
    CHECK_OK(url_decode(buf_str(&out), &back, &e), &e);
    CHECK_STR(buf_str(&back), "a b&=/\xc3\xa9-._~%");
}

TEST(a_parameter_is_found_in_a_query) {
    AUTO_BUF struct buf out = BUF_MAX(100);
    CHECK(url_query(STR("a=1&b=x%20y+z&c"), "b", &out));
    CHECK_STR(buf_str(&out), "x y z");
    buf_truncate(&out, 0);
    CHECK(url_query(STR("a=1&b=2&c"), "c", &out));
    CHECK_STR(buf_str(&out), "");
    CHECK(!url_query(STR("a=1&b=2"), "d", &out));
    CHECK(!url_query(STR(""), "d", &out));
}
