/* SPDX-License-Identifier: MIT
 *
 * Who is let in over HTTP: tokens that an authorization server signed.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "gateway/front.h"
#include "mcp/jwt.h"
#include "test.h"
#include "json/build.h"

#define ISSUER   "https://as.example"
#define RESOURCE "https://us.example/mcp"

struct place {
    struct loop *loop;
    struct client *client;
    struct front *front;
    struct jwt_key *key;
    struct log log;
    struct arena arena;
    bool done;
    unsigned status;
    char challenge[512], who[128], scopes[128];
};

static void on_mcp(void *data, struct exchange *x,
                   const struct front_caller *who) {
    struct place *p = data;
    struct err e;
    (void)snprintf(p->who, sizeof p->who, "%.*s", STR_ARG(who->principal));
    (void)snprintf(p->scopes, sizeof p->scopes, "%.*s", STR_ARG(who->scopes));
    CHECK_OK(exchange_answer(x, 200, NULL, STR("in"), &e), &e);
}

static const struct json *settings(struct place *p) {
    AUTO_BUF struct buf jwk = BUF_MAX(4096), text = BUF_MAX(16384);
    const struct json *v;
    struct err e;
    CHECK_OK(jwt_key_public(p->key, &jwk, &e), &e);
    CHECK_OK(buf_addf(&text, &e,
                      "{\"oauth\": {\"issuer\": \"" ISSUER
                      "\", \"resource\": \"" RESOURCE
                      "\", \"scope\": \"mcp\", \"jwks\": {\"keys\": [%s]}},"
                      " \"scopes\": {\"mcp\": [\"*\"], \"few\": [\"a_*\"]}}",
                      buf_text(&jwk)),
             &e);
    CHECK_OK(json_parse(buf_str(&text), NULL, &p->arena, &v, &e), &e);
    return v;
}

static void open_place(struct place *p) {
    struct err e;
    *p = (struct place){.log = LOG_TO(2, LOG_ERROR),
                        .arena = ARENA_MAX(1 << 20)};
    CHECK((p->loop = loop_new(&e)));
    CHECK((p->client = client_new(p->loop, &e)));
    CHECK((p->key = jwt_key_new(&e)));
    const struct front_config config = {.address = "127.0.0.1:0",
                                        .settings = settings(p),
                                        .http = p->client,
                                        .log = &p->log};
    CHECK((p->front = front_new(p->loop, &config, &e)));
    const struct front_route route = {
        .prefix = "/mcp", .handle = on_mcp, .data = p};
    CHECK_OK(front_mount(p->front, &route, &e), &e);
}

static void close_place(struct place *p) {
    client_free(p->client);
    front_free(p->front);
    loop_free(p->loop);
    jwt_key_free(p->key);
    arena_fini(&p->arena);
}

/* -- asking ------------------------------------------------------------------
 */

static void on_done(void *data, struct request *r, const struct err *e) {
    struct place *p = data;
    CHECK(!e);
    p->done = true;
    p->status = request_status(r);
    str header = request_header(r, "WWW-Authenticate");
    (void)snprintf(p->challenge, sizeof p->challenge, "%.*s", STR_ARG(header));
}

static unsigned ask(struct place *p, const char *path, const char *token) {
    static const struct request_events events = {.done = on_done};
    char url[128], value[4096];
    struct err e;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u%s",
                   front_port(p->front), path);
    (void)snprintf(value, sizeof value, "Bearer %s", token ? token : "");
    const struct http_header headers[] = {
        {token ? "Authorization" : NULL, value}, {NULL, NULL}};
    const struct request_spec spec = {
        .url = url, .headers = headers, .events = &events, .data = p};
    p->done = false;
    p->who[0] = '\0';
    CHECK(client_start(p->client, &spec, &e));
    while (!p->done)
        CHECK_OK(loop_step(p->loop, -1, &e), &e);
    return p->status;
}

/* A token with these claims; seconds from now until it expires. */
static unsigned ask_with(struct place *p, const struct jwt_key *key,
                         const char *header, const char *issuer,
                         const char *audience, int seconds, const char *scope) {
    AUTO_BUF struct buf claims = BUF_MAX(4096), token = BUF_MAX(8192);
    struct err e;
    long long now = clock_wall_ns() / 1000000000;
    CHECK_OK(buf_addf(&claims, &e,
                      "{\"iss\":\"%s\",\"aud\":%s,\"sub\":\"ann\","
                      "\"exp\":%lld,\"scope\":\"%s\"}",
                      issuer, audience, now + seconds, scope),
             &e);
    CHECK_OK(jwt_sign(key, str_of(header), buf_str(&claims), &token, &e), &e);
    return ask(p, "/mcp", buf_text(&token));
}

#define ES256 "{\"alg\":\"ES256\"}"
#define US    "\"" RESOURCE "\""

TEST(a_signed_token_for_us_lets_in) {
    struct place p;
    open_place(&p);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, US, 60, "mcp few"), 200);
    CHECK_TEXT(p.who, "ann");
    CHECK_TEXT(p.scopes, "mcp few");
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, "[\"x\"," US "]", 60, "mcp"),
             200);
    close_place(&p);
}

TEST(a_token_for_somebody_else_is_no_token) {
    struct place p;
    open_place(&p);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, "\"https://other.example\"", 60,
                      "mcp"),
             401);
    CHECK_HAS(p.challenge, "error=\"invalid_token\"");
    CHECK_EQ(ask_with(&p, p.key, ES256, "https://evil.example", US, 60, "mcp"),
             401);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, US, -3600, "mcp"), 401);
    CHECK_TEXT(p.who, "");
    close_place(&p);
}

TEST(a_token_signed_by_somebody_else_is_no_token) {
    struct place p;
    struct err e;
    open_place(&p);
    struct jwt_key *other = jwt_key_new(&e);
    CHECK(other);
    CHECK_EQ(ask_with(&p, other, ES256, ISSUER, US, 60, "mcp"), 401);
    CHECK_EQ(ask_with(&p, p.key, "{\"alg\":\"none\"}", ISSUER, US, 60, "mcp"),
             401);
    CHECK_EQ(ask_with(&p, p.key, "{\"alg\":\"HS256\"}", ISSUER, US, 60, "mcp"),
             401);
    CHECK_EQ(ask(&p, "/mcp", "a.b.c"), 401);
    CHECK_EQ(ask(&p, "/mcp", "x"), 401);
    jwt_key_free(other);
    close_place(&p);
}

TEST(a_token_without_the_scope_is_told_which) {
    struct place p;
    open_place(&p);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, US, 60, "few"), 403);
    CHECK_HAS(p.challenge, "error=\"insufficient_scope\"");
    CHECK_HAS(p.challenge, "scope=\"mcp\"");
    CHECK(front_allows(p.front, STR("few"), STR("a_tool")));
    CHECK(!front_allows(p.front, STR("few"), STR("b_tool")));
    CHECK(!front_allows(p.front, STR("fe"), STR("a_tool")));
    CHECK(!front_allows(p.front, STR(""), STR("a_tool")));
    close_place(&p);
}

TEST(who_has_no_token_learns_where_to_get_one) {
    struct place p;
    open_place(&p);
    CHECK_EQ(ask(&p, "/mcp", NULL), 401);
    CHECK_HAS(p.challenge, "/.well-known/oauth-protected-resource/mcp\"");
    CHECK(!strstr(p.challenge, "error="));
    CHECK_EQ(ask(&p, "/.well-known/oauth-protected-resource/mcp", NULL), 200);
    close_place(&p);
}

TEST(new_settings_hold_at_once_and_wrong_ones_never) {
    struct place p;
    struct err e;
    const struct json *v;
    open_place(&p);
    CHECK_OK(json_parse(STR("{\"oauth\": {\"issuer\": \"x\"}}"), NULL, &p.arena,
                        &v, &e),
             &e);
    CHECK_FAIL(front_reload(p.front, v, &e), &e, ERR_INVALID);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, US, 60, "mcp"), 200);
    CHECK_OK(json_parse(STR("{\"tokens\": [{\"name\": \"bob\", \"sha256\": "
                            "\"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6"
                            "a25fe97bf527a25b\"}]}"),
                        NULL, &p.arena, &v, &e),
             &e);
    CHECK_OK(front_reload(p.front, v, &e), &e);
    CHECK_EQ(ask_with(&p, p.key, ES256, ISSUER, US, 60, "mcp"), 401);
    CHECK_EQ(ask(&p, "/mcp", "secret"), 200);
    CHECK_TEXT(p.who, "bob");
    close_place(&p);
}
