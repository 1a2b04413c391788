/* SPDX-License-Identifier: MIT
 *
 * How sure a model was, as each API tells it; and how each is asked for that.
 */
#include "agent/codec.h"
#include "agent/doubt.h"
#include "agent/stream.h"
#include "test.h"

#define ROOM ((size_t)1 << 22)

static bool near(double got, double want) {
    return got > want - 0.001 && got < want + 0.001;
}

static double sure_of(enum api api, const char *body) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    struct model_answer m;
    struct err e;
    CHECK_OK(json_parse(str_of(body), NULL, &a, &v, &e), &e);
    CHECK_OK(answer_decode(api, v, &a, &m, &e), &e);
    return doubt_sure(&m);
}

static double sure_of_stream(enum api api, const char *events) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_answer m;
    struct err e;
    struct stream *s = stream_new(api, NULL, &e);
    CHECK(s);
    for (const char *p = events; *p; p++) /* cut anywhere */
        CHECK_OK(stream_feed(s, (str){p, 1}, &e), &e);
    CHECK_OK(stream_answer(s, &a, &m, &e), &e);
    double sure = doubt_sure(&m);
    stream_free(s);
    return sure;
}

/* -- one form of it ---------------------------------------------------------
 */

/* With this as the first token of a Chat answer: text, or a call. */
static double sure(const char *token, bool called) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    struct err e;
    const char *message =
        called ? "\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":"
                 "\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
                 "\"{}\"}}]"
               : "\"content\":\"It is.\"";
    CHECK_OK(buf_addf(&body, &e,
                      "{\"choices\":[{\"message\":{%s},\"finish_reason\":"
                      "\"stop\",\"logprobs\":{\"content\":[%s]}}]}",
                      message, token),
             &e);
    return sure_of(API_CHAT, buf_text(&body));
}

TEST(how_sure_a_model_was_is_read_from_the_first_token) {
    const char close[] =
        "{\"token\":\"It\",\"logprob\":-0.5,\"top_logprobs\":[{\"token\":"
        "\"It\",\"logprob\":-0.693147},{\"token\":\"<tool_call>\",\"logprob\":"
        "-1.386294},{\"token\":\"The\",\"logprob\":-1.386294}]}";
    CHECK(near(sure(close, false), 0.75));
    CHECK(near(sure("{\"token\":\"Yes\",\"logprob\":-3}", false), 1));
    const char call[] =
        "{\"token\":\"<tool\",\"logprob\":-1,\"top_logprobs\":[{\"token\":"
        "\"<tool\",\"logprob\":-0.693147},{\"token\":\"It\",\"logprob\":"
        "-0.693147}]}";
    CHECK(near(sure(call, true), 0.5));
}

/* An answer that is nothing but a call began with it. */
TEST(the_first_token_of_a_mere_call_begins_it) {
    CHECK(near(sure("{\"token\":\"call\",\"logprob\":-0.693147}", true), 0.5));
    CHECK(near(sure("{\"token\":\"x\",\"logprob\":-0.1,\"top_logprobs\":["
                    "{\"token\":\"x\",\"logprob\":-0.2231},{\"token\":\"y\","
                    "\"logprob\":-1.6094}]}",
                    true),
               0.8));
}

TEST(nothing_is_known_where_nothing_is_told) {
    CHECK(sure("", true) < 0);
    CHECK(sure("", false) < 0);
    CHECK(sure("{\"token\":\"It\"}", false) < 0);
    CHECK(sure("7", false) < 0);
    CHECK(sure("{\"token\":\"\",\"logprob\":\"x\",\"top_logprobs\":[1,{}]}",
               false) < 0);
}

TEST(absurd_numbers_do_no_harm) {
    CHECK(near(sure("{\"token\":\"It\",\"logprob\":1e300}", false), 1));
    CHECK(near(sure("{\"token\":\"x\",\"logprob\":5,\"top_logprobs\":[{"
                    "\"token\":\"x\",\"logprob\":1e308},{\"token\":\"y\","
                    "\"logprob\":-1e308}]}",
                    true),
               1));
}

/* -- each API ----------------------------------------------------------------
 */

#define TOKENS                                                  \
    "[{\"token\":\"It\",\"logprob\":-0.5108,\"top_logprobs\":[" \
    "{\"token\":\"It\",\"logprob\":-0.5108},"                   \
    "{\"token\":\"<tool_call>\",\"logprob\":-0.9163}]}]"

TEST(a_response_tells_it_with_its_text) {
    CHECK(near(
        sure_of(API_RESPONSES,
                "{\"status\":\"completed\",\"output\":[{\"type\":"
                "\"reasoning\",\"id\":\"r\",\"summary\":[]},{\"type\":"
                "\"message\",\"role\":\"assistant\",\"content\":[{"
                "\"type\":\"output_text\",\"text\":\"It\",\"logprobs\":" TOKENS
                "}]}]}"),
        0.6));
    CHECK(near(
        sure_of_stream(
            API_RESPONSES,
            "data: {\"type\":\"response.output_item.added\",\"output_index\":0,"
            "\"item\":{\"type\":\"message\",\"content\":[]}}\n\n"
            "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,"
            "\"delta\":\"It\",\"logprobs\":" TOKENS "}\n\n"
            "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,"
            "\"delta\":\" is\",\"logprobs\":[{\"token\":\" is\",\"logprob\":-9}"
            "]}\n\n"
            "data: {\"type\":\"response.completed\",\"response\":{\"status\":"
            "\"completed\",\"output\":[{\"type\":\"message\",\"role\":"
            "\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"
            "\"It is\"}]}]}}\n\n"),
        0.6));
    CHECK(sure_of(API_RESPONSES,
                  "{\"status\":\"completed\",\"output\":[{\"type\":"
                  "\"function_call\",\"call_id\":\"c\",\"name\":\"f\","
                  "\"arguments\":\"{}\"}]}") < 0);
}

#define GEMINI_CALL                                                            \
    "\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]" \
    "}"
#define GEMINI_ODDS                                                      \
    "\"logprobsResult\":{\"chosenCandidates\":[{\"token\":\"call\","     \
    "\"logProbability\":-0.6931}],\"topCandidates\":[{\"candidates\":["  \
    "{\"token\":\"call\",\"logProbability\":-0.6931},{\"token\":\"It\"," \
    "\"logProbability\":-1.3863},{\"token\":\"The\",\"logProbability\":" \
    "-1.3863}]}]}"

TEST(gemini_tells_it_with_the_candidate) {
    CHECK(near(sure_of(API_GEMINI,
                       "{\"candidates\":[{" GEMINI_CALL
                       ",\"finishReason\":\"STOP\"," GEMINI_ODDS "}]}"),
               0.5));
    CHECK(near(sure_of_stream(API_GEMINI,
                              "data: {\"candidates\":[{" GEMINI_CALL
                              "," GEMINI_ODDS "}]}\n\n"
                              "data: {\"candidates\":[{\"finishReason\":"
                              "\"STOP\"}]}\n\n"),
               0.5));
}

/* The mean has the thoughts in it: real answers that thought have one of -70.
 */
TEST(geminis_mean_counts_only_for_a_call_without_thoughts_or_text) {
    CHECK(near(sure_of(API_GEMINI, "{\"candidates\":[{" GEMINI_CALL
                                   ",\"finishReason\":\"STOP\",\"avgLogprobs\":"
                                   "-0.6931}]}"),
               0.5));
    CHECK(near(sure_of(API_GEMINI, "{\"candidates\":[{" GEMINI_CALL
                                   ",\"finishReason\":\"STOP\",\"avgLogprobs\":"
                                   "0.0000057}]}"),
               1));
    CHECK(sure_of(API_GEMINI, "{\"candidates\":[{" GEMINI_CALL
                              ",\"finishReason\":\"STOP\",\"avgLogprobs\":-70}]"
                              ",\"usageMetadata\":{\"candidatesTokenCount\":9,"
                              "\"thoughtsTokenCount\":300}}") < 0);
    CHECK(sure_of(API_GEMINI, "{\"candidates\":[{\"content\":{\"parts\":[{"
                              "\"text\":\"It\"}]},\"finishReason\":\"STOP\","
                              "\"avgLogprobs\":-0.7}]}") < 0);
}

TEST(servers_are_asked_in_their_own_words) {
    static const struct {
        const char *vendor, *has;
    } rows[] = {
        {"openai", "\"logprobs\":true,\"top_logprobs\":5"},
        {"openai-responses", "\"message.output_text.logprobs\"]"},
        {"openai-responses", "\"top_logprobs\":5"},
        {"gemini", "\"responseLogprobs\":true,\"logprobs\":5"},
        {"anthropic", NULL},
        {"bedrock", NULL},
        {"groq", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AUTO_BUF struct buf out = BUF_MAX(ROOM);
        struct model_request q = {.model = STR("m"),
                                  .max_tokens = -1,
                                  .choice = {.parallel = -1},
                                  .alternatives = DOUBT_TOKENS};
        struct err e;
        const struct vendor *v = vendor_find(str_of(rows[i].vendor), &e);
        CHECK(v);
        CHECK_OK(request_encode(v, &q, &out, &e), &e);
        if (rows[i].has)
            CHECK_HAS(buf_text(&out), rows[i].has);
        else
            CHECK(str_find(buf_str(&out), STR("ogprobs")) < 0);
    }
}
