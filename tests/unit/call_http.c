/* SPDX-License-Identifier: MIT */
#include "call/http.h"
#include "call/openapi_request.h"
#include "io/server.h"

#include "call_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char document[] =
    "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Shop\",\"description\":\"A "
    "shop.\"},\"servers\":[{\"url\":\"http://{host}/v1/\",\"variables\":"
    "{\"host\":{\"default\":\"shop.example\"}}}],"
    "\"paths\":{"
    "\"/items/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\","
    "\"required\":true,\"schema\":{\"type\":\"string\"}}],"
    "\"get\":{\"operationId\":\"items/get\",\"summary\":\"Get an item\","
    "\"description\":\"Long text.\",\"parameters\":["
    "{\"$ref\":\"#/components/parameters/Fields\"},"
    "{\"name\":\"filter\",\"in\":\"query\",\"style\":\"deepObject\","
    "\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"ids\",\"in\":\"query\",\"explode\":false,\"schema\":"
    "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0,"
    "\"exclusiveMinimum\":true}}},"
    "{\"name\":\"X-Trace\",\"in\":\"header\",\"schema\":{\"type\":\"string\"}},"
    "{\"name\":\"Authorization\",\"in\":\"header\",\"schema\":{}},"
    "{\"name\":\"taste\",\"in\":\"cookie\",\"schema\":{\"type\":\"string\"}}],"
    "\"responses\":{\"200\":{\"description\":\"\",\"content\":{"
    "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Item\"}"
    "}}}}},"
    "\"delete\":{\"responses\":{}}},"
    "\"/items\":{\"post\":{\"operationId\":\"items/create\",\"parameters\":["
    "{\"name\":\"Idempotency-Key\",\"in\":\"header\",\"schema\":{}}],"
    "\"requestBody\":{\"required\":true,\"content\":{\"text/plain\":{},"
    "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Item\"}"
    "}}}}},"
    "\"/form\":{\"post\":{\"operationId\":\"form\",\"requestBody\":{"
    "\"content\":{\"application/x-www-form-urlencoded\":{\"schema\":{"
    "\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":"
    "{\"type\":\"array\"}}}}}}}},"
    "\"/upload\":{\"post\":{\"operationId\":\"upload\",\"requestBody\":{"
    "\"content\":{\"multipart/form-data\":{\"schema\":{\"type\":\"object\","
    "\"properties\":{\"file\":{\"type\":\"string\"}}}}}}}},"
    "\"/note\":{\"put\":{\"operationId\":\"note\",\"requestBody\":{"
    "\"content\":{\"text/plain\":{\"schema\":{\"type\":\"string\"}}}}}},"
    "\"/any\":{\"post\":{\"operationId\":\"any\",\"requestBody\":{"
    "\"content\":{\"application/json\":{\"schema\":{\"oneOf\":[{\"type\":"
    "\"integer\"},{\"type\":\"array\"}]}}}}}},"
    "\"/secure\":{\"get\":{\"operationId\":\"secure\",\"security\":[{\"key\":"
    "[]}]}}},"
    "\"components\":{\"securitySchemes\":{\"key\":{\"type\":\"apiKey\",\"in\":"
    "\"query\",\"name\":\"api_key\"}},"
    "\"parameters\":{\"Fields\":{\"name\":\"fields\",\"in\":\"query\","
    "\"description\":\"Which.\",\"schema\":{\"type\":\"array\",\"items\":"
    "{\"type\":\"string\"}}}},"
    "\"schemas\":{\"Item\":{\"type\":\"object\",\"required\":[\"id\",\"name\"],"
    "\"properties\":{\"id\":{\"type\":\"integer\",\"readOnly\":true},"
    "\"name\":{\"type\":\"string\",\"nullable\":true},\"parent\":{\"$ref\":"
    "\"#/components/schemas/Item\"}}}}}}";

/* ---- the document ---- */

struct sheet {
    struct arena arena;
    struct api api;
    struct api_request request;
};

static void load(struct sheet *d) {
    struct err e;
    const struct json *v;
    d->arena = ARENA_MAX((size_t)64 << 20);
    CHECK_OK(json_parse(str_of(document), NULL, &d->arena, &v, &e), &e);
    CHECK_OK(api_read(v, &d->api, &e), &e);
}

static void unload(struct sheet *d) {
    api_fini(&d->api);
    arena_fini(&d->arena);
}

static const char *tool_text(struct sheet *d, const char *name) {
    static char out[4096];
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(sizeof out - 1);
    const struct json *v = json_first(d->api.tools);
    for (size_t i = json_len(d->api.tools); i > 0; i--, v = json_skip(v))
        if (str_is(json_get_text(v, "name", STR("")), name))
            CHECK_OK(json_write(v, JSON_COMPACT, &text, &e), &e);
    snprintf(out, sizeof out, "%s", buf_text(&text));
    return out;
}

TEST(every_operation_becomes_a_tool) {
    struct sheet d;
    load(&d);
    CHECK_EQ(d.api.count, 8);
    CHECK_STR(d.api.base, "http://shop.example/v1/");
    CHECK_TEXT(
        tool_text(&d, "items_create"),
        "{\"name\":\"items_create\",\"description\":\"\",\"inputSchema\":{"
        "\"type\":\"object\",\"properties\":{\"name\":{\"anyOf\":[{\"type\":"
        "\"string\"},{\"type\":\"null\"}]},\"parent\":{\"$ref\":\"#/$defs/0\"}"
        "},\"required\":[\"name\"],\"additionalProperties\":false,\"$defs\":{"
        "\"0\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{"
        "\"name\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]},"
        "\"parent\":{\"$ref\":\"#/$defs/0\"}}}}},\"annotations\":{"
        "\"readOnlyHint\":false,\"idempotentHint\":false,\"destructiveHint\":"
        "false}}");
    const char *get = tool_text(&d, "items_get");
    CHECK_HAS(get, "\"description\":\"Get an item.\\nLong text.\"");
    CHECK_HAS(get, "\"fields\":{\"description\":\"Which.\",\"type\":\"array\"");
    CHECK_HAS(get, "\"exclusiveMinimum\":0");
    CHECK_HAS(get, "\"readOnlyHint\":true");
    CHECK_HAS(get, "\"cordon/shape\":{\"type\":\"object\",\"properties\":{"
                   "\"id\":{\"type\":\"integer\"}");
    CHECK(!strstr(get, "uthorization"));
    CHECK(*tool_text(&d, "delete_items_id"));
    unload(&d);
}

static const char *request(struct sheet *d, const char *op, const char *args) {
    struct err e;
    const struct json *v;
    const struct api_op *o = api_find(&d->api, str_of(op));
    CHECK(o != NULL);
    CHECK_OK(json_parse(str_of(args), NULL, &d->arena, &v, &e), &e);
    if (api_request_make(o, STR("http://h/v1"), v, &d->arena, &d->request, &e))
        return arena_text(&d->arena, str_of(e.text), &e);
    return d->request.url;
}

static const char *header(const struct sheet *d, const char *name) {
    for (size_t i = 0; d->request.headers[i].name; i++)
        if (!strcmp(d->request.headers[i].name, name))
            return d->request.headers[i].value;
    return "";
}

TEST(arguments_go_where_the_document_says) {
    struct sheet d;
    load(&d);
    CHECK_TEXT(request(&d, "items_get",
                       "{\"id\":\"a/b c\",\"fields\":[\"x\",\"y&z\"],"
                       "\"filter\":{\"k\":1,\"l\":\"m\"},\"ids\":[1,2],"
                       "\"X-Trace\":\"t\",\"taste\":\"a;b\"}"),
               "http://h/v1/items/a%2Fb%20c?fields=x&fields=y%26z&filter%5Bk%5D"
               "=1&filter%5Bl%5D=m&ids=1,2");
    CHECK_TEXT(header(&d, "X-Trace"), "t");
    CHECK_TEXT(header(&d, "Cookie"), "taste=a%3Bb");
    CHECK_TEXT(d.request.method, "GET");
    CHECK(!d.request.body.p);
    request(&d, "items_create", "{\"name\":\"n\",\"parent\":{\"name\":null}}");
    CHECK_STR(d.request.body, "{\"name\":\"n\",\"parent\":{\"name\":null}}");
    CHECK_TEXT(header(&d, "Content-Type"), "application/json");
    request(&d, "form", "{\"a\":\"x y\",\"b\":[1,2]}");
    CHECK_STR(d.request.body, "a=x%20y&b=1&b=2");
    request(&d, "upload", "{\"file\":\"data\\r\\n--x\"}");
    CHECK_HAS(d.request.body.p,
              "name=\"file\"\r\n\r\ndata\r\n--x\r\n--cordon-");
    CHECK_HAS(header(&d, "Content-Type"), "multipart/form-data; boundary=");
    request(&d, "note", "{\"body\":\"plain\"}");
    CHECK_STR(d.request.body, "plain");
    request(&d, "any", "{\"body\":[7]}");
    CHECK_STR(d.request.body, "[7]");
    unload(&d);
}

TEST(arguments_cannot_leave_their_place) {
    struct sheet d;
    load(&d);
    CHECK_HAS(request(&d, "items_get", "{\"id\":\"..\"}"), "'.' or '..'");
    CHECK_HAS(request(&d, "items_get", "{\"id\":\".\"}"), "'.' or '..'");
    CHECK_HAS(request(&d, "items_get", "{\"id\":\"\"}"), "nothing cannot");
    CHECK_HAS(request(&d, "items_get", "{}"), "the path needs {id}");
    CHECK_HAS(request(&d, "items_get",
                      "{\"id\":\"1\",\"X-Trace\":\"a\\r\\nHost: evil\"}"),
              "one line");
    CHECK_TEXT(request(&d, "items_get", "{\"id\":\"1?x=#../\"}"),
               "http://h/v1/items/1%3Fx%3D%23..%2F");
    unload(&d);
}

TEST(what_is_no_openapi_3_document_is_refused) {
    static const char *const bad[] = {"{}", "{\"swagger\":\"2.0\"}", "[]",
                                      "{\"openapi\":\"4\"}"};
    struct err e;
    struct api api;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
        const struct json *v;
        CHECK_OK(json_parse(str_of(bad[i]), NULL, &a, &v, &e), &e);
        CHECK_FAIL(api_read(v, &api, &e), &e, ERR_INVALID);
        CHECK_HAS(e.text, "OpenAPI 3");
    }
}

/* ---- calls, to a server in the same loop ---- */

struct fixture {
    struct fake fake;
    struct server *server;
    char seen[1024]; /* method, path, headers of the last request */
    unsigned status;
    const char *type, *body;
    bool silent;
};

static void handle(void *data, struct exchange *x) {
    struct fixture *f = data;
    struct err e;
    str auth = exchange_header(x, "authorization");
    str key = exchange_header(x, "idempotency-key");
    str query = exchange_query(x, "api_key");
    str body = exchange_body(x);
    snprintf(f->seen, sizeof f->seen,
             "%.*s %.*s auth=%.*s key=%.*s q=%.*s %.*s",
             STR_ARG(exchange_method(x)), STR_ARG(exchange_path(x)),
             STR_ARG(auth), STR_ARG(key), STR_ARG(query), STR_ARG(body));
    if (f->silent) return;
    struct http_header headers[] = {{"Content-Type", f->type},
                                    {"Link", "<next>; rel=next"},
                                    {"Location", "http://elsewhere.example/"},
                                    {NULL, NULL}};
    exchange_answer(x, f->status, headers, str_of(f->body), &e);
}

static void serve(struct fixture *f, const char *extra) {
    struct err e;
    char config[8192];
    memset(f, 0, sizeof *f);
    fake_init(&f->fake);
    f->fake.host.http = client_new(f->fake.host.loop, &e);
    struct server_config server = {
        .address = "127.0.0.1:0", .handle = handle, .data = f};
    f->server = server_new(f->fake.host.loop, &server, &e);
    CHECK(f->fake.host.http && f->server);
    setenv("TEST_TOKEN", "s3cret-token", 1);
    snprintf(config, sizeof config,
             "{\"document\":%s,\"url\":\"http://127.0.0.1:%u/v1/\"%s}",
             document, server_port(f->server), extra);
    f->fake.provider = provider_http_new(&f->fake.host, STR("shop"),
                                         fake_json(&f->fake, config), &e);
    if (!f->fake.provider) test_fail(__FILE__, __LINE__, "%s", e.text);
    f->status = 200;
    f->type = "application/json";
    f->body = "{\"id\":1}";
}

static void stop(struct fixture *f) {
    server_free(f->server);
    fake_fini(&f->fake);
}

TEST(a_call_is_a_request_and_its_answer_a_result) {
    struct fixture f;
    serve(&f, ",\"auth\":{\"bearer\":\"${env:TEST_TOKEN}\"}");
    CHECK_TEXT(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
               "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"id\\\":1}\"}],"
               "\"structuredContent\":{\"id\":1},\"_meta\":{\"status\":200,"
               "\"link\":\"<next>; rel=next\"}}");
    CHECK_HAS(f.seen, "GET /v1/items/7 auth=Bearer s3cret-token key= ");
    fake_call(&f.fake, "shop__items_create", "{\"name\":\"n\"}");
    CHECK_HAS(f.seen, "POST /v1/items ");
    CHECK_HAS(f.seen, "key=key-of-this-call");
    CHECK_HAS(f.seen, "{\"name\":\"n\"}");
    stop(&f);
}

TEST(schemes_apply_where_they_are_asked_for) {
    struct fixture f;
    serve(&f, ",\"auth\":[{\"scheme\":\"key\",\"value\":\"abc\"}]");
    fake_call(&f.fake, "shop__secure", "{}");
    CHECK_HAS(f.seen, "q=abc");
    fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}");
    CHECK_HAS(f.seen, "q= ");
    stop(&f);
}

TEST(answers_of_every_kind_become_results) {
    struct fixture f;
    serve(&f, "");
    f.body = "[1,2]";
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "\"text\":\"[1,2]\"");
    f.body = "plain";
    f.type = "text/plain; charset=utf-8";
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "\"text\":\"plain\"");
    f.type = "image/png";
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":");
    f.type = "text/plain";
    f.body = "\xff\xfe";
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "\"blob\":");
    f.status = 204;
    f.body = "";
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "\"structuredContent\":{\"status\":204}");
    stop(&f);
}

TEST(errors_are_told_apart) {
    static const struct {
        unsigned status;
        const char *type, *body, *want;
        bool sent;
    } cases[] = {
        {404, "application/json", "{\"message\":\"no\"}", "\"isError\":true",
         false},
        {422, "application/json", "not json", "\"isError\":true", false},
        {401, "text/plain", "who?",
         "unauthorized: the server answers 401: who?", false},
        {429, "text/plain", "", "rate_limited: ", false},
        {503, "text/plain", "down", "unavailable: ", true},
        {302, "text/plain", "", "bad_response: ", false},
        {200, "application/json", "{\"a\":", "bad_response: ", true},
    };
    struct fixture f;
    serve(&f, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f.status = cases[i].status;
        f.type = cases[i].type;
        f.body = cases[i].body;
        CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
                  cases[i].want);
        CHECK_EQ(f.fake.sent, cases[i].sent);
    }
    stop(&f);
}

TEST(waiting_and_size_are_bounded) {
    struct fixture f;
    serve(&f, "");
    f.silent = true;
    f.fake.timeout_ns = SECOND / 5;
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "timeout: ");
    f.silent = false;
    f.fake.timeout_ns = 0;
    f.fake.result_max = 4;
    CHECK_HAS(fake_call(&f.fake, "shop__items_get", "{\"id\":\"7\"}"),
              "bad_response: ");
    f.silent = true;
    f.fake.result_max = 0;
    fake_start(&f.fake, "shop__items_get", "{\"id\":\"7\"}");
    f.fake.provider->class->cancel(f.fake.provider, &f.fake.call);
    CHECK(!f.fake.ended);
    stop(&f);
}

TEST(configuration_is_checked) {
    static const char *const cases[][2] = {
        {"{}", "document: a path"},
        {"{\"dokument\":1}", "did you mean document?"},
        {"{\"document\":\"nowhere.json\"}", "nowhere.json"},
        {"{\"document\":{\"openapi\":\"3.1.0\"}}", "names no server"},
        {"{\"document\":{\"openapi\":\"3.1.0\"},\"url\":\"ftp://x\"}", "url"},
        {"{\"document\":{\"openapi\":\"3.1.0\"},\"url\":\"http://x\",\"auth\":"
         "{\"scheme\":\"k\",\"value\":\"v\"}}",
         "no scheme 'k'"},
        {"{\"document\":{\"openapi\":\"3.1.0\"},\"url\":\"http://x\",\"auth\":"
         "{}}",
         "bearer, basic"},
        {"{\"document\":{\"openapi\":\"3.1.0\"},\"url\":\"http://x\","
         "\"allow\":\"x\"}",
         "allow: a list"},
    };
    struct fake f;
    struct err e;
    fake_init(&f);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(!provider_http_new(&f.host, STR("a"), fake_json(&f, cases[i][0]),
                                 &e));
        CHECK_HAS(e.text, cases[i][1]);
        CHECK_HAS(e.text, "api a: ");
    }
    fake_fini(&f);
}
