/* SPDX-License-Identifier: MIT
 *
 * The parts of authorisation that need no server: challenges, signed tokens,
 * the page on the loopback port. And what a skill's files are checked for.
 */
#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "mcp/auth_browser.h"
#include "mcp/auth_flow.h"
#include "mcp/client_conn.h"
#include "mcp/skill.h"
#include "test.h"
#include "json/json.h"

TEST(a_challenge_is_found_among_others) {
    static const struct {
        const char *header, *metadata, *scope, *error;
        bool found, dpop;
    } cases[] = {
        {"", NULL, NULL, NULL, false, false},
        {"Bearer", NULL, NULL, NULL, true, false},
        {"bearer scope=\"a b\"", NULL, "a b", NULL, true, false},
        {"Bearer resource_metadata=\"https://a/x?y=1,2\", error=invalid_token",
         "https://a/x?y=1,2", NULL, "invalid_token", true, false},
        {"Basic realm=\"Bearer scope=no\", Bearer scope=yes", NULL, "yes", NULL,
         true, false},
        {"Bearer scope=mine, Basic realm=\"x\", scope=other", NULL, "mine",
         NULL, true, false},
        {"DPoP error=\"use_dpop_nonce\"", NULL, NULL, "use_dpop_nonce", true,
         true},
        {"Bearer realm=\"a \\\" scope=no\", SCOPE = \"s\"", NULL, "s", NULL,
         true, false},
        {"Negotiate abc==, Bearer scope=s", NULL, "s", NULL, true, false},
        {"Bearer scope=\"open", NULL, "open", NULL, true, false},
        {",,=\"\"=;;", NULL, NULL, NULL, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct flow_challenge c = flow_read_challenge(str_of(cases[i].header));
        CHECK_EQ(c.found, cases[i].found);
        CHECK_EQ(c.dpop, cases[i].dpop);
        CHECK(!c.scope.p == !cases[i].scope);
        CHECK(!c.error.p == !cases[i].error);
        CHECK(!c.resource_metadata.p == !cases[i].metadata);
        if (c.scope.p) CHECK_STR(c.scope, cases[i].scope);
        if (c.error.p) CHECK_STR(c.error, cases[i].error);
        if (c.resource_metadata.p)
            CHECK_STR(c.resource_metadata, cases[i].metadata);
    }
}

static int sign_something(void) {
    AUTO_BUF struct buf out = BUF_MAX(4096), jwk = BUF_MAX(1024);
    AUTO_BUF struct buf pem = BUF_MAX(4096);
    struct err e;
    struct jwt_key *key = jwt_key_new(&e), *again = NULL;
    int r = key && jwt_sign(key, STR("{}"), STR("{\"a\":1}"), &out, &e) == 0 &&
                    jwt_key_public(key, &jwk, &e) == 0 &&
                    jwt_key_write(key, &pem, &e) == 0 &&
                    (again = jwt_key_read(buf_str(&pem), &e))
                ? 0
                : -1;
    jwt_key_free(key);
    jwt_key_free(again);
    return r;
}

TEST(signing_survives_every_failed_allocation) {
    TORTURE(sign_something());
}

TEST(a_signed_token_has_three_parts_and_64_bytes_of_signature) {
    AUTO_BUF struct buf out = BUF_MAX(4096), sig = BUF_MAX(4096);
    struct err e;
    struct jwt_key *key = jwt_key_new(&e);
    CHECK(key);
    CHECK_TEXT(jwt_key_alg(key), "ES256");
    CHECK_OK(jwt_sign(key, STR("{}"), STR("{\"a\":1}"), &out, &e), &e);
    str rest = buf_str(&out);
    CHECK_STR(str_cut(&rest, '.'), "e30");
    CHECK_STR(str_cut(&rest, '.'), "eyJhIjoxfQ");
    CHECK_OK(base64url_decode(rest, &sig, &e), &e);
    CHECK_EQ(sig.len, 64);
    jwt_key_free(key);
    CHECK(!jwt_key_read(STR("-----BEGIN NONSENSE-----"), &e));
    CHECK_EQ(e.kind, ERR_INVALID);
}

TEST(header_values_are_encoded_where_they_must_be) {
    static const struct {
        const char *value, *want;
    } cases[] = {{"plain", "plain"},
                 {"", ""},
                 {"a b\tc", "a b\tc"},
                 {" a", "=?base64?IGE=?="},
                 {"a ", "=?base64?YSA=?="},
                 {"\xc3\xa9", "=?base64?w6k=?="},
                 {"a\nb", "=?base64?YQpi?="},
                 {"=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="},
                 {"=?base64?x", "=?base64?x"}};
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AUTO_BUF struct buf out = BUF_MAX(100);
        CHECK_OK(params_encode(str_of(cases[i].value), &out, &e), &e);
        CHECK_STR(buf_str(&out), cases[i].want);
    }
}

/* -- skills ------------------------------------------------------------------
 */

/* The digest of "---\nname: x\ndescription: \"a b\"\n---\nbody\n". */
#define SKILL "---\nname: x\ndescription: \"a b\"\n---\nbody\n"

static int verify(const char *front, const char *content, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(100000);
    AUTO_BUF struct buf text = BUF_MAX(10000);
    const struct json *entry;
    uint8_t digest[32];

    CHECK_OK(crypto_sha256(STR(SKILL), digest, e), e);
    AUTO_BUF struct buf hex = BUF_MAX(100);
    CHECK_OK(hex_encode((str){(const char *)digest, 32}, &hex, e), e);
    CHECK_OK(buf_addf(&text, e,
                      "{\"uri\":\"skill://x/SKILL.md\",\"frontmatter\":%s,"
                      "\"resources\":[{\"uri\":\"skill://x/SKILL.md\","
                      "\"size\":%zu,\"digest\":\"sha256:%s\"}]}",
                      front, strlen(SKILL), buf_text(&hex)),
             e);
    CHECK_OK(json_parse(buf_str(&text), NULL, &a, &entry, e), e);
    return skill_verify(entry, STR("skill://x/SKILL.md"), str_of(content), e);
}

TEST(a_skill_is_used_only_when_it_is_what_was_listed) {
    struct err e;
    const char *good = "{\"name\":\"x\",\"description\":\"a b\"}";
    CHECK_OK(verify(good, SKILL, &e), &e);
    CHECK_FAIL(verify(good, SKILL "more", &e), &e, ERR_DENIED);
    CHECK_FAIL(
        verify(good, "---\nname: x\ndescription: \"a b\"\n---\nbodY\n", &e), &e,
        ERR_DENIED);
    CHECK_FAIL(verify("{\"name\":\"y\",\"description\":\"a b\"}", SKILL, &e),
               &e, ERR_DENIED);
    CHECK_FAIL(verify("{\"name\":\"x\"}", SKILL, &e), &e, ERR_DENIED);
    CHECK_FAIL(
        verify("{\"name\":\"x\",\"description\":\"a b\",\"z\":1}", SKILL, &e),
        &e, ERR_DENIED);
}

/* -- the browser's way back --------------------------------------------------
 */

static void take_url(void *data, const char *url) {
    (void)snprintf(data, 100, "%s", url);
}

struct reply {
    bool done;
    unsigned status;
};

static void on_done(void *data, struct request *r, const struct err *e) {
    CHECK(!e);
    *(struct reply *)data = (struct reply){true, request_status(r)};
}

static unsigned get(struct loop *loop, struct client *http, const char *base,
                    const char *rest) {
    static const struct request_events events = {.done = on_done};
    struct reply reply = {0};
    struct err e;
    char url[256];
    (void)snprintf(url, sizeof url, "%s%s", base, rest);
    const struct request_spec spec = {
        .url = url, .events = &events, .data = &reply};
    CHECK(client_start(http, &spec, &e));
    while (!reply.done)
        CHECK_OK(loop_step(loop, -1, &e), &e);
    return reply.status;
}

TEST(only_the_answer_to_a_login_reaches_it) {
    struct err e;
    char shown[100] = "";
    struct loop *loop = loop_new(&e);
    struct client *http = client_new(loop, &e);
    const struct auth_browser_config config = {.show = take_url, .data = shown};
    struct auth_browser *b = auth_browser_new(loop, &config, &e);
    CHECK_OK(b ? 0 : -1, &e);
    const struct mcp_auth_config auth = {.http = http,
                                         .server = "http://127.0.0.1/mcp"};
    struct mcp_auth *a = mcp_auth_new(loop, &auth, &e);
    const char *at = auth_browser_redirect_uri(b);
    CHECK_HAS(at, "http://127.0.0.1:");
    CHECK_EQ(get(loop, http, at, "?state=1&code=2"), 404); /* nobody waits */
    auth_browser_visit(b, a, "https://login.example/");
    CHECK_TEXT(shown, "https://login.example/");
    CHECK_EQ(get(loop, http, at, "x?state=1"), 404);
    CHECK_EQ(get(loop, http, at, "?code=1"), 404);
    CHECK_EQ(get(loop, http, at, "?state=1&code=2"), 200);
    CHECK_EQ(get(loop, http, at, "?state=1&code=2"), 404); /* once */
    mcp_auth_free(a);
    auth_browser_free(b);
    client_free(http);
    loop_free(loop);
}
