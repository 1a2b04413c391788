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
    check(TEXTCALL_LMSTUDIO,
          "So [TOOL_REQUEST]{\"name\":\"f\",\"arguments\":{\"x\":1}}"
          "[END_TOOL_REQUEST]",
          1);
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
    check(TEXTCALL_HERMES, "<tool_call>[]</tool_call>", 0);
    check(TEXTCALL_LLAMA, "[1, 2]", 0);
    check(TEXTCALL_LLAMA, " \n ", 0);
}

TEST(calls_of_an_answer_that_did_not_end_in_order_are_never_made) {
    static const struct {
        enum textcall format;
        const char *text;
        size_t calls, partial;
    } cases[] = {
        {TEXTCALL_HERMES,
         "Well. <tool_call>{\"name\":\"f\",\"arguments\":{\"x\":1}}"
         "</tool_call>",
         1, 0},
        {TEXTCALL_HERMES, "Well. <tool_call>{\"name\":\"f\",\"argu", 1, 1},
        {TEXTCALL_MISTRAL, "[TOOL_CALLS][{\"name\":\"f\",\"argu", 1, 1},
        {TEXTCALL_LLAMA, "{\"name\": \"f\", \"para", 1, 1},
        {TEXTCALL_LLAMA, "{\"answer\": 4", 0, 0},
        {TEXTCALL_HERMES, "Well. <tool_c", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct heard h = hear(cases[i].format, cases[i].text, STOP_LENGTH);
        size_t calls = 0, partial = 0;
        for (const struct part *p = NULL; (p = next_call(&h.m.parts, p));)
            calls++, partial += p->partial;
        CHECK_EQ(calls, cases[i].calls);
        CHECK_EQ(partial, cases[i].partial);
        CHECK_EQ(h.m.stop, STOP_LENGTH);
        CHECK(!answer_executable(&h.m));
        arena_fini(&h.a);
    }
}

TEST(an_end_mark_in_an_argument_does_not_end_the_call) {
    struct heard h = hear(TEXTCALL_HERMES,
                          "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":\"a"
                          "\\\"</tool_call>\"}}</tool_call>Then.",
                          STOP_END);
    const struct part *p = next_call(&h.m.parts, NULL);
    CHECK(p);
    CHECK_STR(json_get_text(p->args, "x", STR("")), "a\"</tool_call>");
    CHECK_STR(h.m.parts.last->text, "Then.");
    arena_fini(&h.a);
    /* a string that was never closed does not swallow the next call */
    check(TEXTCALL_HERMES,
          "<tool_call>{\"name\": \"f}\n</tool_call>\n<tool_call>{\"name\":"
          "\"f\",\"arguments\":{\"x\":1}}</tool_call>",
          1);
}

/* -- piece by piece ---------------------------------------------------------
 */

struct listener {
    struct buf shown;
    size_t calls, cut;
};

static int on_text(void *data, str text, struct err *e) {
    struct listener *l = data;
    return buf_add_str(&l->shown, text, e);
}

static int on_call(void *data, str name, const struct json *args,
                   struct err *e) {
    struct listener *l = data;
    (void)e;
    l->calls += args != NULL;
    l->cut += args == NULL;
    if (args) CHECK_STR(name, "f");
    return 0;
}

static const struct textcall_events listener_events = {on_text, on_call};

static const struct {
    enum textcall format;
    const char *text, *shown;
    size_t calls;
} streams[] = {
    {TEXTCALL_HERMES, "Nothing but < text <tool_ca >.", NULL, 0},
    {TEXTCALL_HERMES,
     "  Let me see.\n<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":1}}"
     "\n</tool_call>\n",
     "  Let me see.\n", 1},
    {TEXTCALL_HERMES,
     " <tool_call>{\"name\":\"f\",\"arguments\":{\"x\":\"</tool_call>\"}}"
     "</tool_call> \n <tool_call>{\"name\":\"f\",\"arguments\":{}}"
     "</tool_call> And <",
     " And <", 2},
    {TEXTCALL_HERMES,
     "\n<tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call> \n"
     "<tool_call>none</tool_call>\n\n",
     NULL, 0},
    {TEXTCALL_HERMES, "So <tool_call>{\"name\":\"f\"", NULL, 0},
    {TEXTCALL_MISTRAL, "[TOOL_X][TOOL_CALLS] none", NULL, 0},
    {TEXTCALL_MISTRAL,
     "Hm. [TOOL_CALLS][{\"name\":\"f\",\"arguments\":{\"x\":1}},"
     "{\"name\":\"f\",\"arguments\":{\"x\":2}}]",
     "Hm. ", 2},
    {TEXTCALL_LLAMA, " {\"name\":\"f\",\"parameters\":{\"x\":1}} ", "", 1},
    {TEXTCALL_LLAMA, " {\"name\":\"f\",\"parameters\":{\"x\":1}} !", NULL, 0},
    {TEXTCALL_LLAMA, "\n[ 1 ] as I said: {\"name\":\"f\"}", NULL, 0},
    {TEXTCALL_LLAMA, "Say {\"name\":\"f\",\"parameters\":{}}", NULL, 0},
};
#define STREAMS (sizeof streams / sizeof streams[0])

static struct textcall_reader reader_of(size_t i, const struct offers *offers,
                                        struct arena *a, struct listener *l) {
    struct textcall_reader r;
    *l = (struct listener){.shown = BUF_MAX(ROOM)};
    textcall_begin(&r, streams[i].format, offers, a, &listener_events, l);
    return r;
}

static struct offers one_tool(struct arena *a) {
    struct offers offers = {0};
    struct err e;
    offers_add(&offers, a, &e)->name = STR("f");
    return offers;
}

TEST(text_is_told_alike_however_it_is_cut) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = one_tool(&a);
    struct err e;
    for (size_t i = 0; i < STREAMS; i++) {
        str text = str_of(streams[i].text);
        const char *want = streams[i].shown ? streams[i].shown : text.p;
        for (size_t cut = 0; cut <= text.n + 1; cut++) {
            struct listener l;
            struct textcall_reader r = reader_of(i, &offers, &a, &l);
            size_t step = cut > text.n ? 1 : text.n; /* the last: bytes */
            if (cut <= text.n)
                CHECK_OK(textcall_feed(&r, str_sub(text, 0, cut), &e), &e);
            for (size_t at = cut <= text.n ? cut : 0; at < text.n; at += step)
                CHECK_OK(textcall_feed(&r, str_sub(text, at, at + step), &e),
                         &e);
            CHECK_OK(textcall_flush(&r, true, &e), &e);
            CHECK_STR(buf_str(&l.shown), want);
            CHECK_EQ(l.calls, streams[i].calls);
            CHECK_EQ(l.cut, 0);
            textcall_fini(&r);
            buf_fini(&l.shown);
        }
    }
}

/* However much of it came: no call that the whole does not have, and no text
 * that the whole does not begin with. */
TEST(a_text_that_breaks_off_makes_no_call_of_its_own) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = one_tool(&a);
    struct err e;
    for (size_t i = 0; i < STREAMS; i++) {
        str text = str_of(streams[i].text);
        str want = streams[i].shown ? str_of(streams[i].shown) : text;
        for (size_t cut = 0; cut < text.n; cut++) {
            struct listener l;
            struct textcall_reader r = reader_of(i, &offers, &a, &l);
            CHECK_OK(textcall_feed(&r, str_sub(text, 0, cut), &e), &e);
            CHECK(str_starts(want, buf_str(&l.shown)));
            CHECK(l.calls <= streams[i].calls);
            CHECK_OK(textcall_flush(&r, false, &e), &e);
            CHECK(l.calls <=
                  (streams[i].format == TEXTCALL_LLAMA ? 1 : streams[i].calls));
            textcall_fini(&r);
            buf_fini(&l.shown);
        }
    }
}

TEST(plain_text_is_not_held_back) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = one_tool(&a);
    struct listener l;
    struct err e;
    struct textcall_reader r = reader_of(0, &offers, &a, &l);
    CHECK_OK(textcall_feed(&r, STR("Some text <to"), &e), &e);
    CHECK_STR(buf_str(&l.shown), "Some text ");
    CHECK_OK(textcall_feed(&r, STR("p>."), &e), &e);
    CHECK_STR(buf_str(&l.shown), "Some text <top>.");
    textcall_fini(&r);
    buf_fini(&l.shown);
}

static int read_all(size_t i, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = {0};
    struct model_answer m = {.stop = STOP_END, .usage = USAGE_UNSAID};
    struct offer *o = offers_add(&offers, &a, e);
    if (!o) return -1;
    o->name = STR("f");
    struct part *p = parts_add(&m.parts, PART_TEXT, &a, e);
    if (!p) return -1;
    p->text = str_of(streams[i].text);
    return textcall_answer(streams[i].format, &offers, &a, &m, e);
}

TEST(reading_survives_every_failed_allocation) {
    struct err e;
    for (size_t i = 0; i < STREAMS; i++)
        TORTURE(read_all(i, &e));
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
