/* SPDX-License-Identifier: MIT
 *
 * Recorded streams, byte by byte and cut everywhere: the answer is the same
 * however the bytes come, and one that was cut never has calls that could be
 * executed, unless its end had been told. Skipped without ../shared/data/wire.
 */
#include "../unit/test.h"
#include "agent/codec.h"
#include "agent/stream.h"
#include "base/buf.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_BYTES ((size_t)256 << 20)
#define EACH_BYTE  12000 /* shorter streams are cut at each byte */

static const char *data_path(const char *name, char out[4096]) {
    const char *root = getenv("CORDON_ROOT");
    snprintf(out, 4096, "%s/../shared/data/wire/%s", root ? root : ".", name);
    return out;
}

static void need_data(void) {
    char path[4096];
    if (!file_exists(data_path("exchanges.jsonl", path)))
        SKIP("no recorded traffic at %s", path);
}

/* The canonical text of what a stream says, after some bytes. */
static void answer_text(struct stream *s, struct buf *out, bool *executable) {
    AUTO_ARENA struct arena a = ARENA_MAX(DATA_BYTES);
    struct model_answer m;
    struct err e;
    buf_truncate(out, 0);
    CHECK_OK(stream_answer(s, &a, &m, &e), &e);
    *executable = answer_executable(&m);
    if (!s->ended) CHECK(!*executable);
    CHECK_OK(canon_write_answer(&m, out, &e), &e);
}

/* One by one, looking at the answer whenever an event was added. */
static void feed_bytes(enum api api, str text, struct buf *out, bool *runs) {
    struct err e;
    struct stream *s = stream_new(api, NULL, &e);
    size_t seen = 0;
    CHECK(s);
    for (size_t i = 0; i < text.n; i++) {
        CHECK_OK(stream_feed(s, str_sub(text, i, i + 1), &e), &e);
        if (s->events == seen || text.n > 60000) continue;
        seen = s->events;
        answer_text(s, out, runs);
    }
    stream_close(s);
    answer_text(s, out, runs);
    stream_free(s);
}

static bool is_cut_of_interest(str text, size_t at) {
    if (text.n <= EACH_BYTE) return true;
    for (size_t i = at > 3 ? at - 3 : 0; i < at + 3 && i < text.n; i++)
        if (text.p[i] == '\n') return text.n < 60000;
    return false;
}

/* Cut there: calls count only if they are those of the whole. */
static void cut_at(enum api api, str text, size_t at, str whole) {
    AUTO_BUF struct buf out = BUF_MAX(DATA_BYTES);
    struct err e;
    struct stream *s = stream_new(api, NULL, &e);
    bool runs;
    CHECK(s);
    CHECK_OK(stream_feed(s, str_sub(text, 0, at), &e), &e);
    stream_close(s);
    answer_text(s, &out, &runs);
    if (runs) {
        /* all but usage, which may come after the end */
        ptrdiff_t parts = str_find(buf_str(&out), STR("\"parts\""));
        ptrdiff_t stop = str_find(buf_str(&out), STR("\"stop_word\""));
        CHECK(parts >= 0 && stop > parts);
        CHECK(str_find(whole, str_sub(buf_str(&out), (size_t)parts,
                                      (size_t)stop)) >= 0);
    }
    stream_free(s);
}

static void check_stream(enum api api, str text, size_t *cuts) {
    AUTO_BUF struct buf whole = BUF_MAX(DATA_BYTES),
                        bytes = BUF_MAX(DATA_BYTES);
    struct err e;
    struct stream *s = stream_new(api, NULL, &e);
    bool runs, runs_too;
    CHECK(s);
    if (stream_feed(s, text, &e)) { /* a fixture that is not JSON */
        stream_free(s);
        return;
    }
    stream_close(s);
    answer_text(s, &whole, &runs);
    stream_free(s);
    feed_bytes(api, text, &bytes, &runs_too);
    CHECK(str_eq(buf_str(&whole), buf_str(&bytes)) && runs == runs_too);
    for (size_t at = 0; at < text.n; at++) {
        if (!is_cut_of_interest(text, at)) continue;
        cut_at(api, text, at, buf_str(&whole));
        ++*cuts;
    }
}

static bool exchange_api(str kind, enum api *out) {
    struct err e;
    return api_parse(kind, out, &e) == 0;
}

/* Some of the exchanges: each test has a time limit of its own. */
static void check_exchanges(const char *only) {
    AUTO_BUF struct buf text = BUF_MAX(DATA_BYTES);
    char path[4096];
    struct err e;
    size_t streams = 0, cuts = 0;
    need_data();
    CHECK_OK(file_read(data_path("exchanges.jsonl", path), &text, &e), &e);
    str rest = buf_str(&text);
    while (rest.n > 0) {
        AUTO_ARENA struct arena a = ARENA_MAX(DATA_BYTES);
        const struct json *v;
        enum api api;
        str line = str_cut(&rest, '\n');
        if (line.n == 0) continue;
        CHECK_OK(json_parse(line, NULL, &a, &v, &e), &e);
        const struct json *r = json_get(v, "response");
        str kind = json_get_text(v, "kind", STR(""));
        if (!str_is(kind, only) || json_type(r) != JSON_STRING ||
            !exchange_api(kind, &api) || str_starts(json_str(r), STR("{")))
            continue;
        check_stream(api, json_str(r), &cuts);
        streams++;
    }
    test_note("%zu streams, %zu cuts", streams, cuts);
    CHECK(streams > 0);
}

TEST(recorded_chat_streams_survive_every_cut) {
    check_exchanges("chat");
}

TEST(recorded_responses_streams_survive_every_cut) {
    check_exchanges("responses");
}

TEST(recorded_anthropic_streams_survive_every_cut) {
    check_exchanges("anthropic");
}

TEST(recorded_gemini_streams_survive_every_cut) {
    check_exchanges("gemini");
}

static enum api fixture_api(const char *name, str text) {
    if (str_find(text, STR("\"response.created\"")) >= 0) return API_RESPONSES;
    if (strncmp(name, "anthropic", 9) == 0) return API_ANTHROPIC;
    if (strncmp(name, "google", 6) == 0) return API_GEMINI;
    if (strncmp(name, "amazon", 6) == 0) return API_BEDROCK;
    return API_CHAT;
}

/* Those whose name begins with one of the words. */
static void check_fixtures(const char *folder, const char *from,
                           const char *to) {
    char path[4096];
    struct err e;
    size_t streams = 0, cuts = 0;
    need_data();
    DIR *d = opendir(data_path(folder, path));
    CHECK(d);
    for (struct dirent *f; (f = readdir(d));) {
        AUTO_BUF struct buf text = BUF_MAX(DATA_BYTES);
        char name[4352];
        bool stream = strstr(f->d_name, ".txt") || strstr(f->d_name, ".sse");
        if (!stream || f->d_name[0] < from[0] || f->d_name[0] > to[0]) continue;
        snprintf(name, sizeof name, "%s/%s", path, f->d_name);
        CHECK_OK(file_read(name, &text, &e), &e);
        bool sse = strcmp(folder, "anthropic-sse") == 0;
        check_stream(sse ? API_ANTHROPIC
                         : fixture_api(f->d_name, buf_str(&text)),
                     buf_str(&text), &cuts);
        streams++;
    }
    closedir(d);
    test_note("%zu streams, %zu cuts", streams, cuts);
    CHECK(streams > 0);
}

TEST(sdk_fixtures_survive_every_cut) {
    check_fixtures("anthropic-sse", "a", "z");
}

TEST(fixtures_a_survive_every_cut) {
    check_fixtures("vercel", "a", "a");
}

TEST(fixtures_c_to_m_survive_every_cut) {
    check_fixtures("vercel", "c", "m");
}

TEST(fixtures_o_to_z_survive_every_cut) {
    check_fixtures("vercel", "o", "z");
}
