/* SPDX-License-Identifier: MIT
 *
 * The embeddings endpoint against a server that keeps to a script: selection
 * answers within its budget whatever the server does.
 */
#include "base/clock.h"
#include "call/embed_http.h"
#include "io/server.h"
#include "json/build.h"
#include "json/write.h"

#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

/* ---- the server, in a process of its own ---- */

static const char *mode; /* what it does */

/* Texts with "weather" or "rain" point one way, all others another. */
static void answer_vectors(struct exchange *x, size_t dims, size_t drop,
                           bool backwards) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    AUTO_BUF struct buf out = BUF_MAX((size_t)16 << 20);
    const struct json *q;
    struct jw w = JW(&out);
    if (json_parse(exchange_body(x), NULL, &a, &q, &e)) _exit(9);
    const struct json *input = json_get(q, "input");
    size_t count = json_len(input);
    jw_object(&w);
    jw_key(&w, "data");
    jw_array(&w);
    for (size_t i = drop; i < count; i++) {
        size_t at = backwards ? count - 1 - i : i;
        str text = json_str(json_at(input, at));
        bool wet = str_find(text, STR("weather")) >= 0 ||
                   str_find(text, STR("umbrella")) >= 0;
        jw_object(&w);
        jw_put_int(&w, "index", (int64_t)at);
        jw_key(&w, "embedding");
        jw_array(&w);
        for (size_t d = 0; d < dims; d++)
            jw_real(&w, d == (wet ? 1u : 0u) ? 1.0 : 0.0);
        jw_end_array(&w);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    exchange_answer(x, 200, NULL, buf_str(&out), &e);
}

static void handle(void *data, struct exchange *x) {
    struct err e;
    (void)data;
    if (!strcmp(mode, "good")) answer_vectors(x, 4, 0, true);
    if (!strcmp(mode, "few")) answer_vectors(x, 4, 1, false);
    if (!strcmp(mode, "flat")) answer_vectors(x, 0, 0, false);
    if (!strcmp(mode, "huge")) answer_vectors(x, 5000, 0, false);
    if (!strcmp(mode, "odd")) answer_vectors(x, 3, 0, false);
    if (!strcmp(mode, "error"))
        exchange_answer(x, 500, NULL, STR("{\"data\":[]}"), &e);
    if (!strcmp(mode, "garbage"))
        exchange_answer(x, 200, NULL, STR("<html>"), &e);
    if (!strcmp(mode, "words"))
        exchange_answer(x, 200, NULL,
                        STR("{\"data\":[{\"index\":0,\"embedding\":[\"a\"]}]}"),
                        &e);
    /* "silent": never */
}

struct endpoint {
    pid_t pid;
    unsigned port;
};

static struct endpoint serve(const char *how) {
    int fds[2];
    struct endpoint s;
    CHECK_EQ(pipe(fds), 0);
    s.pid = fork();
    CHECK(s.pid >= 0);
    if (s.pid == 0) {
        struct err e;
        mode = how;
        struct loop *loop = loop_new(&e);
        struct server_config config = {.address = "127.0.0.1:0",
                                       .handle = handle};
        struct server *server = loop ? server_new(loop, &config, &e) : NULL;
        unsigned port = server ? server_port(server) : 0;
        if (write(fds[1], &port, sizeof port) != sizeof port || !server)
            _exit(8);
        alarm(60);
        (void)loop_run(loop, &e);
        _exit(0);
    }
    CHECK_EQ(read(fds[0], &s.port, sizeof s.port), sizeof s.port);
    close(fds[0]);
    close(fds[1]);
    return s;
}

static void stop(struct endpoint s) {
    kill(s.pid, SIGKILL);
    waitpid(s.pid, NULL, 0);
}

/* ---- the registry ---- */

struct fixture {
    struct registry *registry;
    struct provider_host host;
    struct arena arena;
    struct embed_http *embed;
    struct standing standing;
    struct selection found;
    struct err why; /* of the last sync */
};

static void set_up(struct fixture *f, unsigned port, const char *extra) {
    struct err e;
    char config[512];
    const struct json *tools, *v;
    static const char list[] =
        "[{\"name\":\"send\",\"description\":\"Sends a mail.\"},{\"name\":"
        "\"forecast\",\"description\":\"Tells the weather.\"},{\"name\":"
        "\"add\",\"description\":\"Adds numbers.\"}]";
    memset(f, 0, sizeof *f);
    f->arena = ARENA_MAX((size_t)16 << 20);
    f->registry = registry_new(&e);
    CHECK_OK(json_parse(str_of(list), NULL, &f->arena, &tools, &e), &e);
    struct registry_source s = {.server = STR("s")};
    CHECK_EQ(registry_put(f->registry, &s, tools, &e), 3);
    snprintf(config, sizeof config,
             "{\"url\":\"http://127.0.0.1:%u/v1/embeddings\",\"model\":\"m\","
             "\"budget\":\"300ms\",\"timeout\":\"400ms\"%s}",
             port, extra);
    CHECK_OK(json_parse(str_of(config), NULL, &f->arena, &v, &e), &e);
    f->embed = embed_http_new(&f->host, v, &e);
    if (!f->embed) test_fail(__FILE__, __LINE__, "%s", e.text);
    f->standing.remote = embed_http_remote(f->embed);
    registry_stand(f->registry, &f->standing);
}

static void tear_down(struct fixture *f) {
    registry_stand(f->registry, NULL);
    embed_http_free(f->embed);
    registry_free(f->registry);
    arena_fini(&f->arena);
}

static int sync_tools(struct fixture *f) {
    struct err e;
    CHECK(registry_selector(f->registry, &e) != NULL);
    return embed_http_wait(f->embed, &f->why);
}

/* Finds the tool for a request of which no word is in any tool. */
static const char *ask(struct fixture *f, const char *text) {
    static char id[64];
    struct err e;
    struct selector *s = registry_selector(f->registry, &e);
    struct select_request r = {.text = str_of(text), .k = 1};
    int64_t start = clock_mono_ns();
    CHECK_OK(select_tools(s, &r, &f->found, &e), &e);
    /* The budget is 300 ms; the rest is for a machine under load. */
    CHECK(clock_mono_ns() - start < 10 * SECOND);
    if (f->found.count == 0) return "";
    str found = corpus_id(&s->corpus, f->found.items[0].doc);
    snprintf(id, sizeof id, "%.*s", STR_ARG(found));
    return id;
}

TEST(an_endpoint_finds_what_words_do_not) {
    struct endpoint s = serve("good");
    struct fixture f;
    test_folder();
    set_up(&f, s.port, ",\"cache\":\"tools.emb\"");
    CHECK_TEXT(ask(&f, "umbrella"), "");
    CHECK_OK(sync_tools(&f), &f.why);
    CHECK_TEXT(ask(&f, "umbrella"), "s__forecast");
    CHECK_TEXT(f.found.remote_note, "");
    tear_down(&f);
    /* From the cache, the tools are known without a question. */
    set_up(&f, s.port, ",\"cache\":\"tools.emb\"");
    CHECK_TEXT(ask(&f, "umbrella"), "s__forecast");
    stop(s);
    CHECK_OK(sync_tools(&f), &f.why);
    tear_down(&f);
}

TEST(selection_goes_on_whatever_the_endpoint_does) {
    static const char *const modes[] = {"few",     "flat",  "huge",  "error",
                                        "garbage", "words", "silent"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct endpoint s = serve(modes[i]);
        struct fixture f;
        set_up(&f, s.port, ",\"cache\":false");
        if (sync_tools(&f) == 0)
            test_fail(__FILE__, __LINE__, "%s was taken", modes[i]);
        CHECK(f.why.text[0] != 0);
        CHECK_TEXT(ask(&f, "send a mail"), "s__send");
        CHECK(f.found.remote_note[0] != 0);
        tear_down(&f);
        stop(s);
    }
}

TEST(an_endpoint_that_changes_its_mind_does_not_count) {
    struct endpoint good = serve("good");
    struct fixture f, g;
    test_folder();
    set_up(&f, good.port, ",\"cache\":\"tools.emb\"");
    CHECK_OK(sync_tools(&f), &f.why);
    tear_down(&f);
    stop(good);
    struct endpoint odd = serve("odd");
    set_up(&g, odd.port, ",\"cache\":\"tools.emb\"");
    CHECK_TEXT(ask(&g, "send a mail"), "s__send");
    CHECK_HAS(g.found.remote_note, "3 numbers, not 4");
    tear_down(&g);
    stop(odd);
}

TEST(an_endpoint_that_is_not_there_does_not_count) {
    struct endpoint s = serve("good");
    struct fixture f;
    stop(s);
    set_up(&f, s.port, ",\"cache\":false");
    CHECK(sync_tools(&f) != 0);
    CHECK_TEXT(ask(&f, "send a mail"), "s__send");
    tear_down(&f);
}

TEST(configuration_is_checked) {
    static const char *const cases[][2] = {
        {"{}", "url"},
        {"{\"url\":\"file:///x\"}", "url"},
        {"{\"url\":\"http://x/\",\"budget\":0}", "budget"},
        {"{\"url\":\"http://x/\",\"timeout\":\"1h\"}", "timeout"},
        {"{\"url\":\"http://x/\",\"batch\":65}", "batch"},
        {"{\"url\":\"http://x/\",\"modell\":\"m\"}", "did you mean model?"},
    };
    struct provider_host host = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
        const struct json *v;
        struct err e;
        CHECK_OK(json_parse(str_of(cases[i][0]), NULL, &a, &v, &e), &e);
        CHECK(!embed_http_new(&host, v, &e));
        CHECK_HAS(e.text, cases[i][1]);
    }
}
