/* SPDX-License-Identifier: MIT
 *
 * Between APIs: what one says, another is told.
 */
#include "agent/provider.h"
#include "test.h"
#include "json/write.h"

#define ROOM ((size_t)1 << 22)

static const struct json *parse(const char *text, struct arena *a) {
    const struct json *v;
    struct err e;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

static const struct vendor *vendor(const char *name) {
    struct err e;
    const struct vendor *v = vendor_find(str_of(name), &e);
    CHECK(v);
    return v;
}

/* A request of one API as another vendor gets it. */
static const struct json *translate(enum api from, const char *text,
                                    const char *to, struct arena *a) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct model_request q;
    struct err e;
    const struct json *v;
    CHECK_OK(request_decode(from, parse(text, a), a, &q, &e), &e);
    CHECK_OK(request_encode(vendor(to), &q, &out, &e), &e);
    CHECK_OK(json_parse(buf_str(&out), NULL, a, &v, &e), &e);
    return v;
}

static str at(const struct json *v, const char *pointer) {
    const struct json *found = json_pointer(v, str_of(pointer));
    if (!found) test_fail(__FILE__, __LINE__, "nothing at %s", pointer);
    return json_type(found) == JSON_STRING ? json_str(found) : STR("(no text)");
}

static void same(const struct json *v, const char *pointer, const char *want,
                 struct arena *a) {
    const struct json *found = *pointer ? json_pointer(v, str_of(pointer)) : v;
    AUTO_BUF struct buf got = BUF_MAX(ROOM);
    struct err e;
    if (!found) test_fail(__FILE__, __LINE__, "nothing at %s", pointer);
    if (json_equal(found, parse(want, a))) return;
    CHECK_OK(json_write(found, JSON_COMPACT, &got, &e), &e);
    test_fail(__FILE__, __LINE__, "%s is %s", pointer, buf_text(&got));
}

static const char chat_talk[] =
    "{\"model\":\"m\",\"messages\":["
    "{\"role\":\"system\",\"content\":\"Be brief.\"},"
    "{\"role\":\"user\",\"content\":\"Weather?\"},"
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
    "{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"w\","
    "\"arguments\":\"{\\\"city\\\":\\\"Paris\\\"}\"}},"
    "{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":\"w\","
    "\"arguments\":\"{\\\"city\\\":\\\"Rome\"}}]},"
    "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"sunny\"},"
    "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"bad call\"}],"
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"w\","
    "\"description\":\"d\",\"parameters\":{\"type\":\"object\"}}}],"
    "\"tool_choice\":\"required\",\"parallel_tool_calls\":false,"
    "\"max_tokens\":7,\"stop\":\"X\"}";

TEST(chat_becomes_messages_with_one_user_turn_for_all_results) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = translate(API_CHAT, chat_talk, "anthropic", &a);
    CHECK_STR(at(v, "/system/0/text"), "Be brief.");
    CHECK_EQ(json_len(json_get(v, "messages")), 3);
    same(v, "/messages/1/content/0/input", "{\"city\":\"Paris\"}", &a);
    CHECK_STR(at(v, "/messages/2/content/0/tool_use_id"), "c1");
    CHECK_STR(at(v, "/messages/2/content/1/tool_use_id"), "c2");
    same(v, "/tool_choice",
         "{\"type\":\"any\",\"disable_parallel_tool_use\":true}", &a);
    same(v, "/stop_sequences", "[\"X\"]", &a);
    CHECK_EQ(json_get_int(v, "max_tokens", 0), 7);
}

TEST(a_call_that_is_no_json_goes_back_as_an_empty_object) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const char *vendors[] = {"openai", "anthropic", "gemini", "ollama"};
    const char *where[] = {"/messages/2/tool_calls/1/function/arguments",
                           "/messages/1/content/1/input",
                           "/contents/1/parts/1/functionCall/args",
                           "/messages/2/tool_calls/1/function/arguments"};
    for (size_t i = 0; i < 4; i++) {
        const struct json *v = translate(API_CHAT, chat_talk, vendors[i], &a);
        same(v, where[i], i % 3 == 0 ? "\"{}\"" : "{}", &a);
    }
}

TEST(chat_becomes_gemini_with_names_on_results) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = translate(API_CHAT, chat_talk, "gemini", &a);
    CHECK_STR(at(v, "/systemInstruction/parts/0/text"), "Be brief.");
    CHECK_STR(at(v, "/contents/2/parts/0/functionResponse/name"), "w");
    same(v, "/contents/2/parts/0/functionResponse/response",
         "{\"output\":\"sunny\"}", &a);
    CHECK_STR(at(v, "/toolConfig/functionCallingConfig/mode"), "ANY");
    CHECK(json_pointer(v, STR("/contents/1/parts/0/thoughtSignature")));
}

TEST(chat_becomes_responses_items) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        translate(API_CHAT, chat_talk, "openai-responses", &a);
    CHECK_STR(at(v, "/instructions"), "Be brief.");
    CHECK_STR(at(v, "/input/1/call_id"), "c1");
    CHECK_STR(at(v, "/input/3/type"), "function_call_output");
    CHECK_STR(at(v, "/input/3/output"), "sunny");
    same(v, "/tools/0/strict", "false", &a);
    same(v, "/store", "false", &a);
}

TEST(habits_of_vendors_are_kept) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const char *named =
        "{\"model\":\"m\",\"messages\":[],\"tools\":["
        "{\"type\":\"function\",\"function\":{\"name\":\"a\"}},"
        "{\"type\":\"function\",\"function\":{\"name\":\"b\"}}],"
        "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"b\"}},"
        "\"parallel_tool_calls\":true}";
    const struct json *v = translate(API_CHAT, chat_talk, "mistral", &a);
    CHECK_STR(at(v, "/tool_choice"), "any");
    v = translate(API_CHAT, named, "openai", &a);
    CHECK_STR(at(v, "/tool_choice/function/name"), "b");
    v = translate(API_CHAT, named, "llama.cpp", &a);
    CHECK_STR(at(v, "/tool_choice"), "required");
    CHECK_EQ(json_len(json_get(v, "tools")), 1);
    CHECK_STR(at(v, "/tools/0/function/name"), "b");
    v = translate(API_CHAT, named, "ollama", &a);
    CHECK(!json_get(v, "tool_choice") && !json_get(v, "parallel_tool_calls"));
    CHECK_EQ(json_len(json_get(v, "tools")), 1);
}

static const char messages_talk[] =
    "{\"model\":\"c\",\"max_tokens\":9,\"system\":\"S\",\"messages\":["
    "{\"role\":\"user\",\"content\":\"q\"},"
    "{\"role\":\"assistant\",\"content\":["
    "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"sig\"},"
    "{\"type\":\"text\",\"text\":\"Let me \"},{\"type\":\"text\",\"text\":"
    "\"look.\"},"
    "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{\"a\":1}}]}"
    ","
    "{\"role\":\"user\",\"content\":["
    "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"is_error\":true,"
    "\"content\":[{\"type\":\"text\",\"text\":\"no\"},{\"type\":\"image\","
    "\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":"
    "\"AAAA\"}}]},{\"type\":\"text\",\"text\":\"go on\"}]}],"
    "\"tools\":[{\"name\":\"f\",\"input_schema\":{\"type\":\"object\"}}]}";

TEST(messages_become_chat_without_thoughts_of_another_model) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        translate(API_ANTHROPIC, messages_talk, "openai", &a);
    CHECK_STR(at(v, "/messages/0/role"), "system");
    CHECK_STR(at(v, "/messages/2/content"), "Let me look.");
    CHECK_STR(at(v, "/messages/2/tool_calls/0/function/arguments"),
              "{\"a\":1}");
    CHECK_STR(at(v, "/messages/3/role"), "tool");
    CHECK_STR(at(v, "/messages/3/content"), "no\n[image image/png]");
    /* the image itself follows as something the user shows */
    CHECK_STR(at(v, "/messages/4/content/0/image_url/url"),
              "data:image/png;base64,AAAA");
    CHECK_STR(at(v, "/messages/5/content"), "go on");
}

TEST(thoughts_go_back_verbatim_to_their_own_api) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        translate(API_ANTHROPIC, messages_talk, "anthropic", &a);
    same(v, "/messages/1/content/0",
         "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"sig\"}",
         &a);
    same(v, "/messages/2/content/0/is_error", "true", &a);
}

TEST(what_a_user_sent_is_never_dropped_in_silence) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct model_request q;
    struct err e;
    const char *audio = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\","
                        "\"content\":[{\"type\":\"input_audio\","
                        "\"input_audio\":{\"data\":\"AA\"}}]}]}";
    CHECK_OK(request_decode(API_CHAT, parse(audio, &a), &a, &q, &e), &e);
    CHECK_FAIL(request_encode(vendor("anthropic"), &q, &out, &e), &e,
               ERR_UNSUPPORTED);
    CHECK_HAS(e.text, "anthropic");
}

TEST(a_marked_part_is_cached_where_the_vendor_takes_marks) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct model_request q = {.max_tokens = -1, .choice = {.parallel = -1}};
    struct err e;
    struct message *m =
        messages_say(&q.messages, ROLE_SYSTEM, STR("long"), &a, &e);
    m->parts.first->cache = true;
    CHECK_OK(request_encode(vendor("anthropic"), &q, &out, &e), &e);
    CHECK_HAS(buf_text(&out), "\"cache_control\":{\"type\":\"ephemeral\"}");
    buf_truncate(&out, 0);
    CHECK_OK(request_encode(vendor("openai"), &q, &out, &e), &e);
    CHECK(str_find(buf_str(&out), STR("cache_control")) < 0);
}

TEST(answers_may_be_executed_only_when_they_ended_in_order) {
    static const struct {
        const char *reason;
        bool runs;
    } rows[] = {{"\"tool_calls\"", true}, {"\"stop\"", true},
                {"\"length\"", false},    {"\"content_filter\"", false},
                {"\"novel\"", false},     {"null", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
        struct model_answer m;
        struct err e;
        char *text = arena_printf(
            &a, &e,
            "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"x\","
            "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
            "\"finish_reason\":%s}]}",
            rows[i].reason);
        CHECK_OK(answer_decode(API_CHAT, parse(text, &a), &a, &m, &e), &e);
        CHECK_EQ(answer_executable(&m), rows[i].runs);
    }
}

TEST(a_servers_error_is_an_answer_that_says_so) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_answer m;
    struct err e;
    const char *groq = "{\"error\":{\"code\":\"tool_use_failed\",\"message\":"
                       "\"no\",\"failed_generation\":\"maybe\"}}";
    CHECK_OK(answer_decode(API_CHAT, parse(groq, &a), &a, &m, &e), &e);
    CHECK_EQ(m.stop, STOP_ERROR);
    CHECK_STR(m.error.attempt, "maybe");
    CHECK_STR(m.error.code, "tool_use_failed");
}

static int round_trip(const struct json *v) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct model_request q;
    struct err e;
    if (request_decode(API_ANTHROPIC, v, &a, &q, &e)) return -1;
    if (request_encode(vendor_of_api(API_CHAT), &q, &out, &e)) return -1;
    return canon_write_request(&q, &out, &e);
}

TEST(a_models_name_leads_to_no_other_path) {
    AUTO_BUF struct buf url = BUF_MAX(1000);
    struct model_config c = {.vendor = vendor("gemini"),
                             .url = STR("http://h/v1"),
                             .model = STR("../a?b#c")};
    struct err e;
    CHECK_OK(provider_url(&c, NULL, false, &url, &e), &e);
    CHECK_TEXT(buf_text(&url),
               "http://h/v1/models/..%2Fa%3Fb%23c:generateContent");
    c.model = STR("..");
    CHECK_FAIL(provider_url(&c, NULL, false, &url, &e), &e, ERR_INVALID);
    c.model = STR(".");
    CHECK_FAIL(provider_url(&c, NULL, true, &url, &e), &e, ERR_INVALID);
}

TEST(translation_survives_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = parse(messages_talk, &a);
    TORTURE(round_trip(v));
}
