/* SPDX-License-Identifier: MIT
 *
 * What model servers and their clients send. The first byte chooses the API
 * and what the rest is: an answer, a stream, a request, or the canonical form.
 *
 * - A stream says the same in one piece and byte by byte, and one without an
 *   end has no calls to execute.
 * - The canonical form of a request or an answer, written and read, is the same
 *   again; what can be encoded for its own API can be decoded.
 * - A grammar is made of any schemas, or refused as a whole.
 * - Calls in text are found alike in one piece and byte by byte.
 */
#include "fuzz.h"

#include "agent/alias.h"
#include "agent/codec.h"
#include "agent/gbnf.h"
#include "agent/stream.h"
#include "agent/textcall.h"

#include <assert.h>

enum { ROOM = 1 << 24 };

static void say(const struct model_answer *m, struct buf *out) {
    struct err e;
    if (canon_write_answer(m, out, &e)) buf_truncate(out, 0);
}

/* Calls found in text are calls of what was offered, and whole. */
static void check_text_calls(const struct model_answer *m, struct arena *a) {
    struct offers offers = {0};
    struct err e;
    struct offer *o = offers_add(&offers, a, &e);
    if (!o) return;
    o->name = STR("f");
    for (int format = 0; format < TEXTCALL_COUNT; format++) {
        struct model_answer copy = *m;
        const struct part *p = NULL;
        copy.stop = STOP_END;
        if (textcall_answer((enum textcall)format, &offers, a, &copy, &e) ||
            copy.stop == STOP_END)
            continue;
        size_t found = 0;
        while ((p = next_call(&copy.parts, p)))
            if (str_is(p->name, "f") && p->args) found++;
        assert(found > 0);
    }
}

static int shown(void *data, str text, struct err *e) {
    return buf_add_str(data, text, e);
}

/* However a text with calls is cut, the same of it is shown. */
static void check_pieces(const struct model_answer *m, struct arena *a) {
    static const struct textcall_events events = {.text = shown};
    struct offers offers = {0};
    struct err e;
    struct offer *o = offers_add(&offers, a, &e);
    if (!o) return;
    o->name = STR("f");
    for (int i = 0; i < 2 * TEXTCALL_COUNT; i++) {
        AUTO_BUF struct buf whole = BUF_MAX(ROOM), bytes = BUF_MAX(ROOM);
        struct textcall_reader one, many;
        enum textcall format = (enum textcall)(i / 2);
        textcall_begin(&one, format, &offers, a, &events, &whole);
        textcall_begin(&many, format, &offers, a, &events, &bytes);
        const struct part *p = m->parts.first;
        for (; p && p->kind == PART_TEXT; p = p->next) {
            (void)textcall_feed(&one, p->text, &e);
            for (size_t k = 0; k < p->text.n; k++)
                (void)textcall_feed(&many, str_sub(p->text, k, k + 1), &e);
        }
        (void)textcall_flush(&one, i % 2, &e);
        (void)textcall_flush(&many, i % 2, &e);
        assert(str_eq(buf_str(&whole), buf_str(&bytes)));
        textcall_fini(&one);
        textcall_fini(&many);
    }
}

static void check_answer(const struct model_answer *m) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf first = BUF_MAX(ROOM), again = BUF_MAX(ROOM),
                        wire = BUF_MAX(ROOM);
    const struct json *v;
    struct model_answer copy;
    struct err e;
    check_text_calls(m, &a);
    check_pieces(m, &a);
    say(m, &first);
    if (first.len == 0) return;
    assert(json_parse(buf_str(&first), NULL, &a, &v, &e) == 0);
    if (canon_read_answer(v, &a, &copy, &e)) return;
    say(&copy, &again);
    assert(str_eq(buf_str(&first), buf_str(&again)));
    for (int api = 0; api < API_COUNT; api++) {
        buf_truncate(&wire, 0);
        if (answer_encode((enum api)api, m, &wire, &e)) continue;
        assert(json_parse(buf_str(&wire),
                          &(struct json_limits){.keep_duplicates = true}, &a,
                          &v, &e) == 0 ||
               e.kind == ERR_LIMIT || e.kind == ERR_MEMORY);
    }
}

static void fuzz_stream(enum api api, str text, size_t piece, struct buf *out) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_answer m;
    struct err e;
    struct stream *s = stream_new(api, NULL, &e);
    bool good = s != NULL;
    for (size_t at = 0; good && at < text.n; at += piece)
        good = stream_feed(s, str_sub(text, at, at + piece), &e) == 0;
    if (good) stream_close(s);
    if (s && stream_answer(s, &a, &m, &e) == 0) {
        assert(s->ended || !answer_executable(&m));
        say(&m, out);
        check_answer(&m);
    }
    stream_free(s);
}

static void fuzz_request(enum api api, const struct json *v, struct arena *a) {
    AUTO_BUF struct buf first = BUF_MAX(ROOM), again = BUF_MAX(ROOM),
                        wire = BUF_MAX(ROOM);
    struct model_request q, copy;
    struct err e;
    if (request_decode(api, v, a, &q, &e)) return;
    if (canon_write_request(&q, &first, &e)) return;
    assert(json_parse(buf_str(&first), NULL, a, &v, &e) == 0 ||
           e.kind == ERR_LIMIT || e.kind == ERR_MEMORY);
    if (canon_read_request(v, a, &copy, &e) == 0) {
        assert(canon_write_request(&copy, &again, &e) == 0);
        assert(str_eq(buf_str(&first), buf_str(&again)));
    }
    buf_truncate(&wire, 0);
    if (gbnf_write(TEXTCALL_HERMES, &q.offers, &wire, &e)) assert(!wire.len);
    for (size_t i = 0; vendor_at(i); i++) {
        struct aliases names;
        buf_truncate(&wire, 0);
        if (alias_request(vendor_at(i), &q, a, &copy, &names, &e) ||
            request_encode(vendor_at(i), &copy, &wire, &e))
            continue;
        if (json_parse(buf_str(&wire), NULL, a, &v, &e)) continue;
        (void)request_decode(vendor_at(i)->api, v, a, &copy, &e);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf whole = BUF_MAX(ROOM), bytes = BUF_MAX(ROOM);
    const struct json *v;
    struct model_request q;
    struct model_answer m;
    struct err e;
    if (size < 1) return 0;
    enum api api = (enum api)(data[0] % 8 % API_COUNT);
    str text = {(const char *)data + 1, size - 1};
    if (data[0] / 8 % 4 == 1) {
        fuzz_stream(api, text, text.n + 1, &whole);
        fuzz_stream(api, text, 1, &bytes);
        assert(str_eq(buf_str(&whole), buf_str(&bytes)));
        return 0;
    }
    if (json_parse(text, NULL, &a, &v, &e)) return 0;
    if (data[0] / 8 % 4 == 2) {
        fuzz_request(api, v, &a);
    } else if (data[0] / 8 % 4 == 3) {
        (void)canon_read_request(v, &a, &q, &e);
        (void)canon_read_answer(v, &a, &m, &e);
    } else if (answer_decode(api, v, &a, &m, &e) == 0) {
        check_answer(&m);
    }
    return 0;
}
