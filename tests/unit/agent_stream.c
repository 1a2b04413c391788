/* SPDX-License-Identifier: MIT
 *
 * Streams as servers send them, and as they should not.
 */
#include "agent/codec.h"
#include "agent/stream.h"
#include "test.h"

#include <stdarg.h>

#define ROOM ((size_t)1 << 24)

struct heard {
    struct stream *s;
    struct arena a;
    struct model_answer m;
};

/* Chunks of Chat Completions: each text is a list of call deltas, or a whole
 * chunk when it begins with '{'. */
static void chunk(struct heard *h, const char *text) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    if (text[0] == '{')
        CHECK_OK(buf_addf(&out, &e, "data: %s\n\n", text), &e);
    else
        CHECK_OK(buf_addf(&out, &e,
                          "data: {\"choices\":[{\"index\":0,\"delta\":{"
                          "\"tool_calls\":%s}}]}\n\n",
                          text),
                 &e);
    CHECK_OK(stream_feed(h->s, buf_str(&out), &e), &e);
}

static struct heard hear(void) {
    struct err e;
    struct heard h = {.s = stream_new(API_CHAT, NULL, &e),
                      .a = ARENA_MAX(ROOM)};
    CHECK(h.s);
    return h;
}

static void finish(struct heard *h, const char *reason) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    CHECK_OK(buf_addf(&out, &e,
                      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":"
                      "\"%s\"}]}\n\n",
                      reason),
             &e);
    CHECK_OK(stream_feed(h->s, buf_str(&out), &e), &e);
    CHECK_OK(stream_answer(h->s, &h->a, &h->m, &e), &e);
}

static void forget(struct heard *h) {
    arena_fini(&h->a);
    stream_free(h->s);
}

static void check_calls(const struct heard *h, size_t count, ...) {
    va_list ap;
    const struct part *p = NULL;
    va_start(ap, count);
    for (size_t i = 0; i < count; i++) {
        p = next_call(&h->m.parts, p);
        CHECK(p);
        CHECK_STR(p->text, va_arg(ap, const char *));
    }
    CHECK(!next_call(&h->m.parts, p));
    va_end(ap);
}

TEST(deltas_are_joined_by_index) {
    struct heard h = hear();
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"\"}}]");
    chunk(&h, "[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\","
              "\"arguments\":\"{\\\"y\\\"\"}}]");
    chunk(&h, "[{\"index\":0,\"function\":{\"arguments\":\"{}\"}},"
              "{\"index\":1,\"function\":{\"arguments\":\":2}\"}}]");
    finish(&h, "tool_calls");
    check_calls(&h, 2, "{}", "{\"y\":2}");
    CHECK(answer_executable(&h.m));
    forget(&h);
}

TEST(parallel_calls_with_one_index_are_told_apart) {
    struct heard h = hear();
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{\\\"x\\\":1}\"}}]");
    chunk(&h, "[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{\\\"x\\\":2}\"}}]");
    finish(&h, "tool_calls");
    check_calls(&h, 2, "{\"x\":1}", "{\"x\":2}");
    forget(&h);
}

TEST(calls_without_index_and_id_are_told_apart) {
    struct heard h = hear();
    chunk(&h,
          "[{\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":\"}}]");
    chunk(&h, "[{\"function\":{\"arguments\":\"1}\"}}]");
    chunk(&h, "[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]");
    finish(&h, "tool_calls");
    check_calls(&h, 2, "{\"x\":1}", "{}");
    forget(&h);
}

TEST(an_id_repeated_in_each_delta_is_one_call) {
    struct heard h = hear();
    chunk(&h, "[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
              "\"{\\\"x\\\"\"}}]");
    chunk(&h, "[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
              "\":1}\"}}]");
    finish(&h, "stop");
    check_calls(&h, 1, "{\"x\":1}");
    CHECK_EQ(h.m.stop, STOP_CALLS);
    forget(&h);
}

/* Each piece looks like the beginning of another call's arguments. */
TEST(arguments_in_many_pieces_are_looked_at_once) {
    struct heard h = hear();
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{\\\"t\\\":\\\"\"}}]");
    for (int i = 0; i < 60000; i++)
        chunk(&h, "[{\"index\":0,\"function\":{\"arguments\":"
                  "\"{[}]{ 0123456789\\\\\\\"\"}}]");
    chunk(&h, "[{\"index\":0,\"function\":{\"arguments\":\"\\\"}\"}}]");
    finish(&h, "tool_calls");
    const struct part *call = next_call(&h.m.parts, NULL);
    CHECK(call && call->args && !next_call(&h.m.parts, call));
    CHECK_EQ(json_len(json_get(call->args, "t")), 60000 * 17);
    forget(&h);
}

TEST(arguments_that_can_be_no_value_are_one_calls) {
    struct heard h = hear();
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{x}\"}}]");
    for (int i = 0; i < 3; i++)
        chunk(&h, "[{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]");
    finish(&h, "tool_calls");
    const struct part *call = next_call(&h.m.parts, NULL);
    CHECK(call && !next_call(&h.m.parts, call));
    CHECK_STR(call->text, "{x}{}{}{}");
    forget(&h);
}

TEST(a_stream_without_end_is_ended) {
    AUTO_BUF struct buf piece = BUF_MAX(ROOM);
    struct heard h = hear();
    struct err e;
    size_t fed = 0;
    CHECK_OK(buf_add_text(&piece, ": ", &e), &e);
    while (piece.len < (1 << 20) - 1)
        CHECK_OK(buf_add_char(&piece, '.', &e), &e);
    CHECK_OK(buf_add_char(&piece, '\n', &e), &e);
    while (stream_feed(h.s, buf_str(&piece), &e) == 0 && fed < 1 << 20)
        fed++;
    CHECK_EQ(fed, 256);
    CHECK_EQ(e.kind, ERR_LIMIT);
    forget(&h);
}

TEST(a_call_that_ran_out_of_room_is_partial) {
    struct heard h = hear();
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{\\\"path\\\":\\\"/\\\"}\"}}]");
    finish(&h, "length");
    CHECK(!answer_executable(&h.m));
    CHECK(next_call(&h.m.parts, NULL)->partial);
    forget(&h);
}

TEST(an_error_inside_a_stream_ends_it) {
    struct heard h = hear();
    struct err e;
    chunk(&h, "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":\"{}\"}}]");
    chunk(&h, "{\"error\":{\"message\":\"overloaded\",\"code\":\"x\"}}");
    finish(&h, "tool_calls");
    CHECK_EQ(h.m.stop, STOP_ERROR);
    CHECK_STR(h.m.error.message, "overloaded");
    CHECK(!answer_executable(&h.m));
    CHECK_FAIL(stream_feed(h.s, STR("data: {\"half\n\n"), &e), &e, ERR_INVALID);
    forget(&h);
}

TEST(an_empty_reason_counts_only_at_the_end) {
    struct heard h = hear();
    struct err e;
    chunk(&h, "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":"
              "\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]},"
              "\"finish_reason\":\"\"}]}");
    CHECK_OK(stream_answer(h.s, &h.a, &h.m, &e), &e);
    CHECK(!answer_executable(&h.m));
    chunk(&h,
          "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
          "\"function\":{\"arguments\":\"}\"}}]},\"finish_reason\":\"\"}]}");
    CHECK_OK(stream_feed(h.s, STR("data: [DONE]\n\n"), &e), &e);
    CHECK_OK(stream_answer(h.s, &h.a, &h.m, &e), &e);
    CHECK(answer_executable(&h.m));
    forget(&h);
}

static void note(void *data, enum part_kind kind, str text) {
    struct err e;
    CHECK(kind == PART_TEXT);
    CHECK_OK(buf_add_str(data, text, &e), &e);
}

TEST(text_is_told_as_it_comes) {
    AUTO_BUF struct buf told = BUF_MAX(100);
    struct err e;
    struct stream_sink sink = {note, &told};
    struct stream *s = stream_new(API_ANTHROPIC, &sink, &e);
    CHECK(s);
    CHECK_OK(stream_event(s, STR(""),
                          STR("{\"type\":\"content_block_start\",\"index\":0,"
                              "\"content_block\":{\"type\":\"text\","
                              "\"text\":\"\"}}"),
                          &e),
             &e);
    CHECK_OK(stream_event(s, STR(""),
                          STR("{\"type\":\"content_block_delta\",\"index\":0,"
                              "\"delta\":{\"type\":\"text_delta\",\"text\":"
                              "\"Hi\"}}"),
                          &e),
             &e);
    CHECK_STR(buf_str(&told), "Hi");
    CHECK(!stream_past_text(s));
    CHECK_FAIL(stream_event(s, STR(""),
                            STR("{\"type\":\"content_block_delta\",\"index\":7,"
                                "\"delta\":{\"type\":\"text_delta\",\"text\":"
                                "\"Hi\"}}"),
                            &e),
               &e, ERR_PEER);
    stream_free(s);
}

static int one_stream(void) {
    static const char text[] =
        "data: "
        "{\"id\":\"c\",\"choices\":[{\"delta\":{\"reasoning\":\"r\"}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\",\"tool_calls\":"
        "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
        "\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n";
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_answer m;
    struct err e;
    struct stream *s = stream_new(API_CHAT, NULL, &e);
    if (!s) return -1;
    int result =
        stream_feed(s, str_of(text), &e) || stream_answer(s, &a, &m, &e);
    stream_free(s);
    return result ? -1 : 0;
}

TEST(streams_survive_every_failed_allocation) {
    TORTURE(one_stream());
}
