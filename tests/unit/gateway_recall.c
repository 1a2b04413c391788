/* SPDX-License-Identifier: MIT
 *
 * Lists of tools that came before: what is read is the same as ever.
 */
#include "gateway/recall.h"

#include "test.h"
#include "json/write.h"

#define ROOM ((size_t)64 << 20)

/* One tool: what stands around its name. */
static const struct {
    const char *before, *after;
} forms[API_COUNT] = {
    [API_CHAT] = {"{\"type\":\"function\",\"function\":{\"name\":\"",
                  "\",\"description\":\"a ] \\\" [ \\\\\",\"parameters\":"
                  "{\"type\": \"object\"}}}"},
    [API_RESPONSES] = {"{\"type\":\"function\",\"name\":\"",
                       "\",\"parameters\":{\"type\":\"object\"},"
                       "\"description\":\"\\\"tools\\\":[]\"}"},
    [API_ANTHROPIC] = {"{\"name\":\"",
                       "\",\"description\":\"d ] \\\\\",\"input_schema\":"
                       "{\"type\":\"object\",\"tools\":[1]}}"},
};

/* A list of tools, over a kilobyte; n tells lists apart. */
static int add_tools(struct buf *out, enum api api, int n, struct err *e) {
    if (buf_add_char(out, '[', e)) return -1;
    for (int i = 0; i < 20; i++)
        if (buf_addf(out, e, "%s%st%d_%d%s", i ? ", " : "", forms[api].before,
                     n, i, forms[api].after))
            return -1;
    return buf_add_char(out, ']', e);
}

/* "@" in the text stands for the tools. */
static void fill(const char *text, enum api api, int n, struct buf *out) {
    struct err e;
    for (; *text; text++)
        CHECK_OK(*text == '@' ? add_tools(out, api, n, &e)
                              : buf_add_char(out, *text, &e),
                 &e);
}

/* As the server gets it. */
static void write_out(const struct model_request *q, struct buf *out) {
    struct err e;
    CHECK_OK(request_encode(vendor_of_api(q->api), q, out, &e), &e);
}

static bool is_known(struct recall *k, enum api api, str body) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM), b = ARENA_MAX(ROOM);
    AUTO_BUF struct buf got = BUF_MAX(ROOM), want = BUF_MAX(ROOM);
    struct model_request q, plain;
    struct recalled *held;
    const struct json *v;
    struct err e;
    CHECK_OK(recall_decode(k, api, body, &a, &q, &held, &e), &e);
    CHECK_OK(json_parse(body, NULL, &b, &v, &e), &e);
    CHECK_OK(request_decode(api, v, &b, &plain, &e), &e);
    CHECK_EQ(q.offers.count, plain.offers.count);
    write_out(&q, &got);
    write_out(&plain, &want);
    CHECK(str_eq(buf_str(&got), buf_str(&want)));
    recall_drop(held);
    return held != NULL;
}

static bool knows(struct recall *k, enum api api, int n, const char *text) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    fill(text, api, n, &body);
    return is_known(k, api, buf_str(&body));
}

static const char chat[] =
    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],"
    "\"tools\" : @ ,\"user\":\"u\"}";

static struct recall *taught(void) {
    struct err e;
    struct recall *k = recall_new(&e);
    CHECK(k != NULL);
    CHECK(!knows(k, API_CHAT, 0, chat));
    CHECK(!knows(k, API_CHAT, 0, chat));
    CHECK(knows(k, API_CHAT, 0, chat));
    return k;
}

TEST(a_list_that_came_twice_is_known_and_reads_the_same) {
    struct recall *k = taught();
    CHECK(knows(k, API_CHAT, 0,
                "{\"tools\":\n@,\"model\":\"other\",\"stream\":true,"
                "\"messages\":[{\"role\":\"user\",\"content\":"
                "\"\\\"tools\\\":[\"}],\"x\":[{\"tools\":[]}]}"));
    CHECK(!knows(k, API_CHAT, 1, chat));
    recall_free(k);
}

TEST(every_api_has_its_lists) {
    static const char responses[] = "{\"input\":\"hi\",\"tools\":@}";
    static const char messages[] =
        "{\"tools\":@,\"max_tokens\":5,\"messages\":[{\"role\":\"user\","
        "\"content\":\"hi\"}]}";
    struct recall *k = taught();
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(knows(k, API_RESPONSES, 0, responses), i == 2);
        CHECK_EQ(knows(k, API_ANTHROPIC, 0, messages), i == 2);
    }
    CHECK(knows(k, API_CHAT, 0, chat));
    recall_free(k);
}

TEST(the_tools_of_another_object_are_not_the_requests) {
    struct recall *k = taught();
    CHECK(
        !knows(k, API_CHAT, 0, "{\"messages\":[],\"metadata\":{\"tools\":@}}"));
    CHECK(!knows(k, API_CHAT, 0,
                 "{\"messages\":[],\"metadata\":{\"tools\":@},\"tools\":[]}"));
    CHECK(!knows(k, API_CHAT, 0, "{\"messages\":[],\"a\\\"tools\":@}"));
    CHECK(knows(k, API_CHAT, 0,
                "{\"messages\":[],\"metadata\":{\"tools\":@},\"tools\":@}"));
    for (int i = 0; i < 4; i++)
        CHECK(!knows(k, API_CHAT, 7,
                     "{\"messages\":[],\"metadata\":{\"tools\":@}}"));
    recall_free(k);
}

static void refused(struct recall *k, const char *text) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q;
    struct recalled *held;
    struct err e;
    fill(text, API_CHAT, 0, &body);
    CHECK_FAIL(recall_decode(k, API_CHAT, buf_str(&body), &a, &q, &held, &e),
               &e, ERR_INVALID);
    CHECK(!held);
}

TEST(what_is_no_json_stays_none) {
    struct recall *k = taught();
    refused(k, "{\"messages\":[],\"tools\":@");
    refused(k, "{\"messages\":[],\"tools\":@]}");
    refused(k, "{\"messages\":[],\"tools\":@,\"tools\":[]}");
    refused(k, "{\"messages\":[],\"tools\":@,\"\\u0074ools\":[]}");
    refused(k, "{\"messages\":1,\"tools\":@}");
    refused(k, "{\"messages\":[],\"tools\":");
    refused(k, "\"tools\":@");
    refused(k, "");
    recall_free(k);
}

TEST(lists_that_are_held_outlive_those_that_are_kept) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct recall *k = taught();
    struct model_request q;
    struct recalled *held;
    struct err e;
    fill(chat, API_CHAT, 0, &body);
    CHECK_OK(recall_decode(k, API_CHAT, buf_str(&body), &a, &q, &held, &e), &e);
    for (int n = 1; n < 40; n++)
        for (int i = 0; i < 3; i++)
            CHECK_EQ(knows(k, API_CHAT, n, chat), i == 2);
    CHECK(!knows(k, API_CHAT, 0, chat));
    recall_free(k);
    CHECK_EQ(held->offers.count, 20);
    CHECK_STR(q.offers.last->name, "t0_19");
    recall_drop(held);
}
