/* SPDX-License-Identifier: MIT */
#include "io/sse.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* Events as text: "type|id|data;". */
struct heard {
    char text[4096];
    size_t n;
    int stop_at; /* this event ends the feeding; 0: none */
    int count;
};

static int hear(void *data, const struct sse_event *ev, struct err *e) {
    struct heard *h = data;
    h->n += (size_t)snprintf(h->text + h->n, sizeof h->text - h->n,
                             "%.*s|%.*s|%.*s;", STR_ARG(ev->type),
                             STR_ARG(ev->id), STR_ARG(ev->data));
    if (++h->count == h->stop_at) return fail(e, ERR_DENIED, "enough");
    return 0;
}

static void feed_in_pieces(const char *text, size_t piece, const char *want) {
    struct sse s;
    struct heard h = {0};
    struct err e;
    str rest = str_of(text);
    sse_init(&s, 1000);
    while (rest.n) {
        str now = str_sub(rest, 0, piece);
        CHECK_OK(sse_feed(&s, now, hear, &h, &e), &e);
        rest = str_sub(rest, now.n, rest.n);
    }
    CHECK_TEXT(h.text, want);
    sse_fini(&s);
}

TEST(events_are_the_same_wherever_the_bytes_are_cut) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"data: a\n\ndata: b\n\n", "message||a;message||b;"},
        {"data: a\r\n\r\ndata: b\r\n\r\n", "message||a;message||b;"},
        {"data: a\r\rdata: b\r\r", "message||a;message||b;"},
        {"event: endpoint\ndata: /x\n\n", "endpoint||/x;"},
        {"data:a\ndata:  b\ndata\n\n", "message||a\n b\n;"},
        {": comment\ndata: a\n\n: another\n\n", "message||a;"},
        {"id: 7\ndata: a\n\ndata: b\n\n", "message|7|a;message|7|b;"},
        {"id: 7\n\nid: 8\ndata: b\n\n", "message|8|b;"},
        {"\xef\xbb\xbf"
         "data: a\n\n",
         "message||a;"},
        {"data: \xc3\xa9\xe2\x82\xac\n\n", "message||\xc3\xa9\xe2\x82\xac;"},
        {"nonsense: 1\ndata: a\n\n", "message||a;"},
        {"data: half", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t piece = 1; piece <= 40; piece++)
            feed_in_pieces(cases[i].text, piece, cases[i].want);
}

TEST(an_event_without_data_is_not_told_but_its_id_and_retry_count) {
    struct sse s;
    struct heard h = {0};
    struct err e;
    sse_init(&s, 1000);
    CHECK_EQ(s.retry_ms, -1);
    CHECK_OK(sse_feed(&s, STR("id: e1\nretry: 250\ndata: \n\nretry: x\n"), hear,
                      &h, &e),
             &e);
    CHECK_EQ(h.count, 0);
    CHECK_EQ(s.retry_ms, 250);
    CHECK_STR(buf_str(&s.id), "e1");
    sse_fini(&s);
}

TEST(an_event_over_the_maximum_is_an_error) {
    struct err e;
    char big[300];
    memset(big, 'x', sizeof big);
    for (int lines = 0; lines < 2; lines++) {
        struct sse s;
        struct heard h = {0};
        sse_init(&s, 100);
        int r = 0;
        for (int i = 0; i < 100 && r == 0; i++)
            r = sse_feed(&s, lines ? STR("data: 0123456789\n") : STR("0123456"),
                         hear, &h, &e);
        CHECK_FAIL(r, &e, ERR_LIMIT);
        sse_fini(&s);
    }
}

TEST(the_listener_can_end_the_feeding) {
    struct sse s;
    struct heard h = {.stop_at = 1};
    struct err e;
    sse_init(&s, 1000);
    CHECK_FAIL(sse_feed(&s, STR("data: a\n\ndata: b\n\n"), hear, &h, &e), &e,
               ERR_DENIED);
    CHECK_TEXT(h.text, "message||a;");
    sse_fini(&s);
}

TEST(a_new_connection_keeps_the_id_and_forgets_the_rest) {
    struct sse s;
    struct heard h = {0};
    struct err e;
    sse_init(&s, 1000);
    CHECK_OK(sse_feed(&s, STR("id: 9\ndata: a\n\ndata: lost"), hear, &h, &e),
             &e);
    sse_restart(&s);
    CHECK_OK(sse_feed(&s, STR("data: b\n\n"), hear, &h, &e), &e);
    CHECK_TEXT(h.text, "message|9|a;message|9|b;");
    sse_fini(&s);
}

static int whole_life(void) {
    struct sse s;
    struct heard h = {0};
    struct err e;
    sse_init(&s, 1000);
    int r = sse_feed(&s, STR("id: 1\nevent: x\ndata: a"), hear, &h, &e);
    if (r == 0) r = sse_feed(&s, STR("b\n\n"), hear, &h, &e);
    sse_fini(&s);
    return r;
}

TEST(sse_survives_every_failed_allocation) {
    TORTURE(whole_life());
}
