/* SPDX-License-Identifier: MIT
 *
 * Calls in the text of answers, and tools in the text of prompts.
 */
#include "agent/codec.h"
#include "agent/textcall.h"
#include "test.h"

#define ROOM ((size_t)1 << 22)

struct heard {
    struct arena a;
    struct model_answer m;
};

static struct heard hear(enum textcall format, const char *text,
                         enum stop stop) {
    struct heard h = {.a = ARENA_MAX(ROOM)};
    struct offers offers = {0};
    struct err e;
    struct offer *o = offers_add(&offers, &h.a, &e);
    o->name = STR("f");
    h.m = (struct model_answer){.stop = stop, .usage = USAGE_UNSAID};
    parts_add(&h.m.parts, PART_TEXT, &h.a, &e)->text = str_of(text);
    CHECK_OK(textcall_answer(format, &offers, &h.a, &h.m, &e), &e);
    return h;
}

static void check(enum textcall format, const char *text, size_t calls) {
    struct heard h = hear(format, text, STOP_END);
    const struct part *p = NULL;
    size_t n = 0;
    while ((p = next_call(&h.m.parts, p))) {
        CHECK_STR(p->name, "f");
        CHECK(json_get(p->args, "x"));
        n++;
    }
    CHECK_EQ(n, calls);
    CHECK_EQ(h.m.stop, calls ? STOP_CALLS : STOP_END);
    if (calls == 0) CHECK_STR(h.m.parts.first->text, text);
    arena_fini(&h.a);
}

TEST(marked_calls_are_taken_out_of_the_text) {
    check(TEXTCALL_HERMES,
          "Let me see.\n<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":1}}"
          "\n</tool_call>",
          1);
    check(TEXTCALL_HERMES,
          "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":1}}</tool_call>"
          "<tool_call>{\"name\":\"f\",\"parameters\":{\"x\":2}}</tool_call>",
          2);
    check(TEXTCALL_MISTRAL,
          "[TOOL_CALLS][{\"name\":\"f\",\"arguments\":{\"x\":1}},"
          "{\"name\":\"f\",\"arguments\":{\"x\":2}}]",
          2);
    check(TEXTCALL_LLAMA, " {\"name\":\"f\",\"parameters\":{\"x\":1}} ", 1);
}

TEST(what_is_not_surely_a_call_stays_text) {
    check(TEXTCALL_HERMES,
          "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":1}}",
          0); /* cut off */
    check(TEXTCALL_HERMES,
          "<tool_call>{\"name\":\"g\",\"arguments\":{\"x\":1}}</tool_call>",
          0); /* not offered */
    check(TEXTCALL_HERMES, "<tool_call>{\"name\":\"f\"}</tool_call>", 0);
    check(TEXTCALL_LLAMA,
          "For example: {\"name\":\"f\",\"parameters\":{\"x\":1}}", 0);
    struct heard h =
        hear(TEXTCALL_HERMES,
             "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":1}}</tool_call>",
             STOP_LENGTH);
    CHECK(!next_call(&h.m.parts, NULL));
    arena_fini(&h.a);
}

TEST(a_request_describes_tools_and_tells_calls_and_results_as_text) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct model_request q = {.max_tokens = -1, .choice = {.parallel = -1}};
    struct model_request r;
    struct err e;
    struct offer *o = offers_add(&q.offers, &a, &e);
    o->name = STR("f");
    messages_say(&q.messages, ROLE_USER, STR("go"), &a, &e);
    struct message *m = messages_add(&q.messages, ROLE_ASSISTANT, &a, &e);
    struct part *c = parts_add(&m->parts, PART_CALL, &a, &e);
    c->id = STR("1");
    c->name = STR("f");
    CHECK_OK(part_set_args(c, STR("{\"x\":1}"), &a, &e), &e);
    m = messages_add(&q.messages, ROLE_USER, &a, &e);
    struct part *res = parts_add(&m->parts, PART_RESULT, &a, &e);
    res->id = STR("1");
    res->name = STR("f");
    parts_add(&res->content, PART_TEXT, &a, &e)->text = STR("fine");
    CHECK_OK(textcall_request(TEXTCALL_HERMES, &q, &a, &r, &e), &e);
    CHECK_OK(request_encode(vendor_of_api(API_CHAT), &r, &out, &e), &e);
    CHECK_HAS(buf_text(&out), "You can call tools");
    CHECK_HAS(buf_text(&out), "<tool_call>{\\\"name\\\":\\\"f\\\"");
    CHECK_HAS(buf_text(&out), "Result of f: fine");
    CHECK(str_find(buf_str(&out), STR("\"tools\"")) < 0);
}
