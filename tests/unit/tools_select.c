/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "tools/select/cluster.h"
#include "tools/select/embed.h"
#include "tools/select/memory.h"
#include "tools/select/select.h"
#include "tools/select/session.h"
#include "tools/select/usage.h"

#include "test.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char catalogue_text[] =
    "{\"name\":\"send_email\",\"server\":\"mail\",\"description\":\"Sends a "
    "message to a person. Do not use for calendar invitations.\"}\n"
    "{\"name\":\"create_event\",\"server\":\"calendar\",\"description\":\"Adds "
    "an appointment to the calendar.\",\"keywords\":[\"dentist\"]}\n"
    "{\"name\":\"get_weather\",\"server\":\"weather\",\"description\":"
    "\"Forecast of rain and temperature for a city.\",\"aliases\":"
    "[\"meteo\"]}\n"
    "{\"name\":\"search\",\"server\":\"web\",\"description\":\"Looks something "
    "up in the world wide web.\"}\n"
    "{\"name\":\"now\",\"server\":\"time\",\"description\":\"Says what time it "
    "is.\",\"always\":true}\n";

struct fixture {
    struct catalogue catalogue;
    struct selector selector;
    struct selection found;
};

static void load(struct fixture *f, str text) {
    struct err e;
    f->catalogue = CATALOGUE_INIT;
    CHECK_OK(catalogue_add_text(&f->catalogue, text, &e), &e);
    CHECK_OK(selector_init(&f->selector, NULL, &e), &e);
    CHECK_OK(selector_sync(&f->selector, &f->catalogue, &e), &e);
}

static void unload(struct fixture *f) {
    selector_fini(&f->selector);
    catalogue_fini(&f->catalogue);
}

static void ask(struct fixture *f, struct select_request r) {
    struct err e;
    CHECK_OK(select_tools(&f->selector, &r, &f->found, &e), &e);
}

static str id_at(const struct fixture *f, size_t i) {
    CHECK(i < f->found.count);
    return corpus_id(&f->selector.corpus, f->found.items[i].doc);
}

static bool has(const struct fixture *f, const char *id) {
    for (size_t i = 0; i < f->found.count; i++)
        if (str_is(id_at(f, i), id)) return true;
    return false;
}

static struct fixture fx;

TEST(a_request_finds_its_tool) {
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("will it rain in Oslo?")});
    CHECK_STR(id_at(&fx, 0), "weather/get_weather");
    CHECK_EQ(fx.found.items[0].why, WHY_RANK);
    unload(&fx);
}

TEST(a_tool_named_in_the_request_comes_first) {
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){
                 .text = STR("use send_email to tell Ann about the weather")});
    CHECK_STR(id_at(&fx, 0), "mail/send_email");
    CHECK_EQ(fx.found.items[0].why, WHY_EXACT);
    ask(&fx, (struct select_request){.text = STR("getWeather for Rome")});
    CHECK_EQ(fx.found.items[0].why, WHY_EXACT);
    ask(&fx, (struct select_request){.text = STR("call `meteo`")});
    CHECK_STR(id_at(&fx, 0), "weather/get_weather");
    ask(&fx, (struct select_request){.text = STR("search for an appointment")});
    CHECK(fx.found.items[0].why != WHY_EXACT); /* a verb, not a name */
    unload(&fx);
}

TEST(keywords_and_rules_call_for_tools) {
    const struct keyword_rule rules[] = {{STR("stock exchange"), STR("web/*")}};
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("dentist at noon")});
    CHECK_STR(id_at(&fx, 0), "calendar/create_event");
    CHECK_EQ(fx.found.items[0].why, WHY_KEYWORD);
    ask(&fx, (struct select_request){.text = STR("is the stock exchange open"),
                                     .rules = rules,
                                     .rule_count = 1});
    CHECK_STR(id_at(&fx, 0), "web/search");
    ask(&fx, (struct select_request){.text = STR("exchange stock"),
                                     .rules = rules,
                                     .rule_count = 1});
    CHECK(fx.found.items[0].why != WHY_KEYWORD);
    unload(&fx);
}

TEST(what_a_tool_is_not_for_does_not_lead_to_it) {
    load(&fx, str_of(catalogue_text));
    ask(&fx,
        (struct select_request){.text = STR("calendar invitations"), .k = 1});
    CHECK_STR(id_at(&fx, 0), "calendar/create_event");
    unload(&fx);
}

static bool not_weather(void *context, str id) {
    (void)context;
    return !str_starts(id, STR("weather/"));
}

TEST(a_filtered_tool_is_never_seen) {
    const str pinned[] = {STR("weather/get_weather")};
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("get_weather rain forecast"),
                                     .pinned = pinned,
                                     .pinned_count = 1,
                                     .filter = not_weather});
    CHECK(!has(&fx, "weather/get_weather"));
    unload(&fx);
}

TEST(always_sticky_and_pinned_tools_come_on_top_of_k) {
    const str sticky[] = {STR("web/search"), STR("gone/tool")};
    const str pinned[] = {STR("mail/send_email")};
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("rain"),
                                     .k = 2,
                                     .sticky = sticky,
                                     .sticky_count = 2,
                                     .pinned = pinned,
                                     .pinned_count = 1});
    CHECK_STR(id_at(&fx, 0), "mail/send_email");
    CHECK_STR(id_at(&fx, 1), "weather/get_weather");
    CHECK_EQ(fx.found.items[2].why, WHY_STICKY);
    CHECK(has(&fx, "time/now"));
    CHECK_EQ(fx.found.count, 4);
    unload(&fx);
}

TEST(a_server_filter_filters_and_does_not_score) {
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("rain in the calendar"),
                                     .server = STR("calendar")});
    CHECK_STR(id_at(&fx, 0), "calendar/create_event");
    CHECK(!has(&fx, "weather/get_weather"));
    unload(&fx);
}

TEST(when_nothing_fits_the_answer_is_empty_and_says_so) {
    static const char text[] =
        "{\"name\":\"send_email\",\"description\":\"Sends a message.\"}\n"
        "{\"name\":\"get_weather\",\"description\":\"Forecast of rain.\"}";
    load(&fx, (str){text, sizeof text - 1});
    ask(&fx, (struct select_request){.text = STR("qwzx vbnk")});
    CHECK(fx.found.nothing_fits);
    CHECK_EQ(fx.found.count, 0);
    CHECK_HAS(fx.found.hint, "No tool fits");
    ask(&fx, (struct select_request){.text = STR("")});
    CHECK(fx.found.nothing_fits);
    unload(&fx);
}

/* ---- routing ---- */

static uint8_t cluster_of(const struct fixture *f, const char *id) {
    uint32_t doc = corpus_find(&f->selector.corpus, str_of(id));
    CHECK(doc != CORPUS_NONE);
    return corpus_doc(&f->selector.corpus, doc)->cluster;
}

TEST(tools_without_a_category_are_clustered_by_what_they_say) {
    static const char text[] =
        "{\"name\":\"a\",\"description\":\"Plays a song or an album.\"}\n"
        "{\"name\":\"b\",\"description\":\"Sends money to a bank.\"}\n"
        "{\"name\":\"c\",\"description\":\"Music of an artist.\"}\n"
        "{\"name\":\"d\",\"description\":\"Balance of an account.\"}\n"
        "{\"name\":\"e\",\"description\":\"Money.\",\"category\":\"x\"}\n";
    struct err e;
    load(&fx, str_of(text));
    CHECK_OK(cluster_tools(&fx.selector.corpus, 2, &e), &e);
    CHECK(cluster_of(&fx, "a") == cluster_of(&fx, "c"));
    CHECK(cluster_of(&fx, "b") == cluster_of(&fx, "d"));
    CHECK(cluster_of(&fx, "a") != cluster_of(&fx, "b"));
    CHECK_EQ(cluster_of(&fx, "e"), 0); /* it has declared its own */
    fx.selector.corpus.weights.w[WEIGHT_ROUTE] = 0.5f;
    ask(&fx, (struct select_request){.text = STR("play an album"), .k = 2});
    CHECK_STR(id_at(&fx, 0), "a");
    CHECK_STR(id_at(&fx, 1), "c"); /* lent by its neighbour */
    unload(&fx);
}

TEST(a_dropped_tool_is_never_offered_again) {
    load(&fx, str_of(catalogue_text));
    CHECK(corpus_drop(&fx.selector.corpus, STR("weather/get_weather")));
    ask(&fx, (struct select_request){
                 .text = STR("get_weather forecast of rain"), .pad = true});
    CHECK(fx.found.count > 0);
    CHECK(!has(&fx, "weather/get_weather"));
    unload(&fx);
}

TEST(a_changed_tool_is_offered_once) {
    struct err e;
    static struct document d;
    load(&fx, str_of(catalogue_text));
    struct tool t = fx.catalogue.tools[2];
    t.description = STR("Forecast of rain and snow.");
    document_of(&t, &d);
    CHECK_OK(corpus_put(&fx.selector.corpus, &t, &d, &e), &e);
    ask(&fx, (struct select_request){.text = STR("rain"), .pad = true});
    size_t times = 0;
    for (size_t i = 0; i < fx.found.count; i++)
        times += str_eq(id_at(&fx, i), t.id);
    CHECK_EQ(times, 1);
    unload(&fx);
}

/* ---- router ---- */

static int pick_last(void *context, str request,
                     const struct route_option *options, size_t count,
                     int64_t budget_ns, struct select_wait *wait, size_t *picks,
                     size_t max, struct err *e) {
    (void)request, (void)options, (void)wait, (void)e;
    *(int64_t *)context = budget_ns;
    picks[0] = count - 1;
    picks[1] = 1000; /* nonsense is ignored */
    return max >= 2 ? 2 : 1;
}

static int pick_fails(void *context, str request,
                      const struct route_option *options, size_t count,
                      int64_t budget_ns, struct select_wait *wait,
                      size_t *picks, size_t max, struct err *e) {
    (void)context, (void)request, (void)options, (void)count;
    (void)budget_ns, (void)wait, (void)picks, (void)max;
    return fail(e, ERR_TIMEOUT, "model was too slow");
}

TEST(a_router_may_choose_and_its_failure_changes_nothing) {
    int64_t budget = 0;
    struct router router = {pick_last, &budget, 5000000};
    load(&fx, str_of(catalogue_text));
    struct select_request r = {.text = STR("message about rain today"),
                               .router = &router};
    ask(&fx, r);
    CHECK_EQ(fx.found.items[0].why, WHY_ROUTED);
    CHECK_EQ(budget, 5000000);
    router.pick = pick_fails;
    ask(&fx, r);
    CHECK_EQ(fx.found.items[0].why, WHY_RANK);
    CHECK_HAS(fx.found.router_note, "too slow");
    unload(&fx);
}

static struct select_wait *asked; /* of a router that never knows */

static int pick_later(void *context, str request,
                      const struct route_option *options, size_t count,
                      int64_t budget_ns, struct select_wait *wait,
                      size_t *picks, size_t max, struct err *e) {
    (void)context, (void)request, (void)options, (void)count;
    (void)budget_ns, (void)picks, (void)max;
    select_queue(wait, &asked);
    return fail(e, ERR_WAITING, "later");
}

static void count_calls(struct select_wait *w) {
    ++*(int *)w->data;
}

TEST(who_need_not_wait_is_called_and_not_over_and_over) {
    int calls = 0, other = 0;
    struct router router = {pick_later, NULL, 0};
    struct select_wait wait = {.fn = count_calls, .data = &calls};
    struct select_wait gone = {.fn = count_calls, .data = &other};
    struct err e;
    load(&fx, str_of(catalogue_text));
    struct select_request r = {.text = STR("message about rain today"),
                               .router = &router,
                               .wait = &wait};
    while (select_tools(&fx.selector, &r, &fx.found, &e)) {
        CHECK_EQ(e.kind, ERR_WAITING);
        select_queue(&gone, &asked);
        select_unwait(&gone);
        select_wake(&asked);
        CHECK(!asked && !wait.link);
        if (calls > 10) break;
    }
    CHECK_EQ(calls, 4);
    CHECK_EQ(other, 0);
    CHECK_EQ(fx.found.items[0].why, WHY_RANK);
    select_unwait(&gone); /* once more does nothing */
    select_queue(&gone, &asked);
    select_forget(&asked);
    CHECK(!gone.link && other == 0);
    unload(&fx);
}

/* ---- memory of use ---- */

TEST(a_request_that_led_to_a_call_leads_there_again) {
    struct err e;
    AUTO_USAGE struct uses u = USAGE_INIT;
    load(&fx, str_of(catalogue_text));
    struct select_request r = {.text = STR("ping grandma"), .k = 1};
    CHECK_OK(usage_note(&u, STR("mail/send_email"), STR("ping grandma"), 1, &e),
             &e);
    static struct document d;
    const struct tool *t = &fx.catalogue.tools[0];
    document_of(t, &d);
    usage_add(&u, t->id, &d);
    CHECK_OK(corpus_put(&fx.selector.corpus, t, &d, &e), &e);
    ask(&fx, r);
    CHECK_STR(id_at(&fx, 0), "mail/send_email");
    unload(&fx);
}

TEST(memory_of_use_is_bounded_written_and_read_back) {
    struct err e;
    AUTO_USAGE struct uses u = USAGE_INIT, back = USAGE_INIT;
    for (int i = 0; i < 50; i++) {
        char text[32];
        snprintf(text, sizeof text, "request %d", i);
        CHECK_OK(usage_note(&u, STR("a"), str_of(text), 2, &e), &e);
        CHECK_OK(usage_note(&u, STR("a"), str_of(text), 2, &e), &e);
    }
    AUTO_BUF struct buf lines = BUF_MAX(1 << 20);
    CHECK_OK(usage_write(&u, &lines, &e), &e);
    CHECK_OK(usage_read(&back, buf_str(&lines), &e), &e);
    static struct document d;
    d = (struct document){0};
    usage_add(&back, STR("a"), &d);
    CHECK_EQ(d.count, USAGE_KEEP);
    CHECK_STR(d.pieces[0].text, "request 49"); /* newest first */
    CHECK(fabsf(d.pieces[0].credit - 0.5f) < 0.01f);
    CHECK(usage_forget(&back, STR("a")));
    CHECK(!usage_forget(&back, STR("a")));
    CHECK_FAIL(usage_read(&back, STR("{\"tool\":\"\"}"), &e), &e, ERR_INVALID);
}

static int use_it(void) {
    struct err e;
    AUTO_USAGE struct uses u = USAGE_INIT;
    if (usage_note(&u, STR("a"), STR("x y"), 1, &e)) return -1;
    return usage_note(&u, STR("b"), STR("x z"), 1, &e);
}

TEST(memory_of_use_survives_every_failed_allocation) {
    TORTURE(use_it());
}

/* ---- sessions ---- */

TEST(a_session_only_appends) {
    struct err e;
    struct select_session s = {0};
    size_t added;
    str sticky[SESSION_TOOLS];
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("rain"), .k = 1});
    CHECK_OK(session_offer(&s, &fx.selector.corpus, &fx.found, &added, &e), &e);
    CHECK_EQ(added, 2); /* and the one that is always there */
    ask(&fx, (struct select_request){.text = STR("message"), .k = 1});
    CHECK_OK(session_offer(&s, &fx.selector.corpus, &fx.found, &added, &e), &e);
    CHECK_EQ(added, 1);
    CHECK_TEXT(s.ids[0], "weather/get_weather");
    CHECK_TEXT(s.ids[2], "mail/send_email");
    session_use(&s, STR("weather/get_weather"));
    CHECK_EQ(session_sticky(&s, sticky), 1);
    CHECK_STR(sticky[0], "weather/get_weather");
    session_fini(&s);
    unload(&fx);
}

/* ---- hostile catalogues ---- */

static void add_line(struct buf *b, const char *server, int n,
                     const char *text) {
    struct err e;
    CHECK_OK(buf_addf(b, &e,
                      "{\"name\":\"t%d\",\"server\":\"%s\",\"description\":"
                      "\"%s\"}\n",
                      n, server, text),
             &e);
}

TEST(a_server_with_thousands_of_copies_does_not_drown_the_others) {
    AUTO_BUF struct buf b = BUF_MAX(8 << 20);
    for (int i = 0; i < 5000; i++)
        add_line(&b, "flood", i,
                 "Best tool to convert currency exchange rate euro dollar "
                 "currency convert rate.");
    add_line(&b, "bank", 1, "Converts an amount between currencies.");
    add_line(&b, "news", 2, "Reads the newest exchange rates of the day.");
    int64_t start = clock_cpu_ns();
    load(&fx, buf_str(&b));
    ask(&fx, (struct select_request){
                 .text = STR("convert 5 euro to dollar at today's rate")});
    CHECK(has(&fx, "bank/t1"));
    CHECK(clock_cpu_ns() - start < (int64_t)20 * 1000000000);
    CHECK_EQ(fx.found.count, SELECT_K);
    unload(&fx);
}

TEST(stuffed_and_endless_descriptions_are_bounded) {
    AUTO_BUF struct buf b = BUF_MAX(16 << 20);
    struct err e;
    CHECK_OK(buf_add_text(&b,
                          "{\"name\":\"s\",\"server\":\"x\","
                          "\"description\":\"",
                          &e),
             &e);
    for (int i = 0; i < 100000; i++)
        CHECK_OK(buf_add_text(&b, "rain wind ", &e), &e);
    CHECK_OK(buf_add_text(&b, "\"}\n", &e), &e);
    add_line(&b, "weather", 1, "Forecast of rain and wind for a city.");
    int64_t start = clock_cpu_ns();
    load(&fx, buf_str(&b));
    ask(&fx, (struct select_request){.text = STR("forecast: rain or wind?")});
    CHECK_STR(id_at(&fx, 0), "weather/t1");
    CHECK(clock_cpu_ns() - start < (int64_t)10 * 1000000000);
    CHECK(corpus_bytes(&fx.selector.corpus) < 8 << 20);
    unload(&fx);
}

TEST(bad_bytes_and_invisible_characters_do_no_harm) {
    static const char text[] =
        "{\"name\":\"bad\",\"server\":\"x\",\"description\":\"r\xff\xfe\xc3 "
        "\xe2\x80\xae"
        "desrever\"}\n"
        "{\"name\":\"good\",\"server\":\"y\",\"description\":\"Fore\xe2\x80\x8b"
        "cast of rain\"}\n";
    load(&fx, (str){text, sizeof text - 1});
    ask(&fx, (struct select_request){.text = STR("forecast")});
    CHECK_STR(id_at(&fx, 0), "y/good");
    unload(&fx);
}

TEST(a_request_of_any_size_is_answered) {
    static char text[1 << 20];
    load(&fx, str_of(catalogue_text));
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "rain, and then "[i % 15];
    ask(&fx, (struct select_request){.text = {text, sizeof text}});
    CHECK_STR(id_at(&fx, 0), "weather/get_weather");
    memset(text, 0xff, sizeof text);
    ask(&fx, (struct select_request){.text = {text, sizeof text}});
    unload(&fx);
}

TEST(a_request_is_remembered_for_the_tool_it_led_to) {
    struct err e;
    char path[] = "/tmp/cordon-memory-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    struct memory *m = memory_new(path, &e);
    struct standing standing = {.memory = m};
    load(&fx, str_of(catalogue_text));
    fx.selector.standing = &standing;
    struct select_request r = {
        .text = STR("is it brolly weather"), .who = STR("ann"), .pad = true};
    ask(&fx, r);
    CHECK(!memory_called(m, STR("bob"), STR("weather/get_weather")));
    CHECK(!memory_called(m, STR("ann"), STR("nobody/knows_it")));
    CHECK(memory_called(m, STR("ann"), STR("weather/get_weather")));
    CHECK(!memory_called(m, STR("ann"), STR("weather/get_weather")));
    CHECK_OK(selector_sync(&fx.selector, &fx.catalogue, &e), &e);
    ask(&fx, (struct select_request){.text = STR("brolly"), .k = 1});
    CHECK_STR(id_at(&fx, 0), "weather/get_weather");
    memory_free(m);
    /* A line that was torn by a crash, and one of somebody else. */
    FILE *f = fopen(path, "a");
    CHECK(f && fputs("[1]\n{\"tool\":\"weather/get_we", f) >= 0);
    fclose(f);
    m = memory_new(path, &e);
    CHECK_EQ(memory_usage(m)->tools.live, 1);
    CHECK(usage_forget(memory_usage(m), STR("weather/get_weather")));
    CHECK_OK(memory_keep(m, &e), &e);
    memory_free(m);
    m = memory_new(path, &e);
    CHECK_EQ(memory_usage(m)->tools.live, 0);
    memory_free(m);
    unlink(path);
    fx.selector.standing = NULL;
    unload(&fx);
}

static int remember_once(void) {
    struct err e;
    struct memory *m = memory_new(NULL, &e);
    if (!m) return -1;
    memory_asked(m, STR("ann"), STR("brolly"), &fx.selector.corpus, &fx.found);
    bool noted = memory_called(m, STR("ann"), id_at(&fx, 0));
    memory_free(m);
    return noted ? 0 : -1;
}

TEST(remembering_survives_every_failed_allocation) {
    load(&fx, str_of(catalogue_text));
    ask(&fx, (struct select_request){.text = STR("will it rain")});
    TORTURE(remember_once());
    unload(&fx);
}

TEST(what_stands_for_every_request_holds) {
    const struct keyword_rule rules[] = {
        {STR("blue monday"), STR("weather/*")}};
    const str always[] = {STR("*/send_email")};
    struct standing standing = {.k = 1,
                                .rules = rules,
                                .rule_count = 1,
                                .always = always,
                                .always_count = 1};
    load(&fx, str_of(catalogue_text));
    fx.selector.standing = &standing;
    ask(&fx, (struct select_request){.text = STR("a Blue Monday again")});
    CHECK_EQ(fx.found.items[0].why, WHY_KEYWORD);
    CHECK_EQ(fx.found.items[fx.found.count - 1].why, WHY_ALWAYS);
    ask(&fx, (struct select_request){.text = STR("rain forecast")});
    CHECK_EQ(fx.found.items[0].why, WHY_RANK);
    CHECK_EQ(fx.found.items[1].why, WHY_ALWAYS); /* k is 1 */
    fx.selector.standing = NULL;
    unload(&fx);
}

/* ---- the embeddings endpoint ---- */

enum script { ANSWER, REFUSE, SLOW, WRONG_DIMS, WRONG_COUNT, NOT_A_NUMBER };

struct endpoint {
    enum script script;
    size_t calls;
    float values[EMBED_BATCH * 8];
};

/* A vector that tells "rain" from everything else. */
static int answer(void *context, const str *texts, size_t count,
                  int64_t budget_ns, struct embed_reply *r, struct err *e) {
    struct endpoint *p = context;
    p->calls++;
    if (p->script == REFUSE) return fail(e, ERR_PEER, "status 503");
    if (p->script == SLOW) {
        struct timespec t = {0, (long)(budget_ns + 2000000)};
        nanosleep(&t, NULL);
    }
    size_t dims = p->script == WRONG_DIMS ? 3 : 4;
    for (size_t i = 0; i < count; i++) {
        float *v = p->values + i * dims;
        bool wet = str_find(texts[i], STR("rain")) >= 0 ||
                   str_find(texts[i], STR("umbrella")) >= 0;
        memset(v, 0, dims * sizeof *v);
        v[wet ? 0 : 1] = p->script == NOT_A_NUMBER ? NAN : 2.0f;
    }
    *r = (struct embed_reply){p->script == WRONG_COUNT ? count + 1 : count,
                              dims, p->values};
    return 0;
}

static void learn_all(struct embed *m) {
    for (size_t i = 0; i < fx.catalogue.count; i++)
        embed_learn(m, &fx.catalogue.tools[i]);
}

static void embed_fixture(struct endpoint *p, struct embed *m) {
    struct err e;
    *m = (struct embed){.fetch = answer, .context = p, .budget_ns = 5000000};
    learn_all(m);
    CHECK_OK(embed_drain(m, 1000000000, &e), &e);
    CHECK_EQ(m->count, fx.catalogue.count);
}

TEST(an_endpoint_adds_what_words_do_not_say) {
    struct err e;
    static struct endpoint p;
    struct embed m;
    struct remote remote = {.score = embed_score, .context = &m};
    load(&fx, str_of(catalogue_text));
    embed_fixture(&p, &m);
    size_t calls = p.calls;
    learn_all(&m);
    CHECK_OK(embed_drain(&m, 1000000, &e), &e);
    CHECK_EQ(p.calls, calls); /* all are known */
    for (int i = 0; i < 2; i++) {
        ask(&fx, (struct select_request){
                     .text = STR("umbrella"), .k = 1, .remote = &remote});
        CHECK_STR(id_at(&fx, 0), "weather/get_weather");
        CHECK_EQ(fx.found.remote_note[0], 0);
        CHECK_EQ(p.calls, calls + 1); /* the same words: no second question */
    }
    embed_fini(&m);
    unload(&fx);
}

TEST(a_failing_endpoint_is_noted_and_selection_goes_on) {
    static const struct {
        enum script script;
        const char *note;
    } cases[] = {{REFUSE, "status 503"},
                 {SLOW, "took"},
                 {WRONG_DIMS, "3 numbers, not 4"},
                 {WRONG_COUNT, "2 vectors for 1"},
                 {NOT_A_NUMBER, "a number that is none"}};
    static struct endpoint p;
    struct embed m;
    struct remote remote = {.score = embed_score, .context = &m};
    load(&fx, str_of(catalogue_text));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct select_request r = {.text = STR("will it rain"),
                                   .remote = &remote};
        p.script = ANSWER;
        embed_fixture(&p, &m);
        p.script = cases[i].script;
        ask(&fx, r);
        CHECK_STR(id_at(&fx, 0), "weather/get_weather");
        CHECK_HAS(fx.found.remote_note, cases[i].note);
        size_t calls = p.calls;
        ask(&fx, r); /* it rests: no second call, no second wait */
        CHECK_EQ(p.calls, calls);
        CHECK_STR(id_at(&fx, 0), "weather/get_weather");
        embed_fini(&m);
    }
    unload(&fx);
}

/* One text that the endpoint refuses, among many. */
static int answer_but_one(void *context, const str *texts, size_t count,
                          int64_t budget_ns, struct embed_reply *r,
                          struct err *e) {
    for (size_t i = 0; i < count; i++)
        if (str_find(texts[i], STR("send_email")) >= 0)
            return fail(e, ERR_PEER, "status 400");
    return answer(context, texts, count, budget_ns, r, e);
}

TEST(one_bad_text_does_not_hold_up_the_others) {
    static struct endpoint p;
    struct embed m = {.fetch = answer_but_one, .context = &p};
    str texts[EMBED_BATCH];
    struct embed_reply r;
    struct err e;
    load(&fx, str_of(catalogue_text));
    p.script = ANSWER;
    learn_all(&m);
    for (int round = 0; round < 60 && m.wanted_count > 1; round++) {
        size_t n = embed_next(&m, texts);
        if (answer_but_one(&p, texts, n, 1000000, &r, &e))
            embed_refused(&m, n);
        else
            CHECK_OK(embed_take(&m, n, &r, &e), &e);
        CHECK_EQ(m.count + m.wanted_count, fx.catalogue.count);
    }
    CHECK_EQ(m.wanted_count, 1);
    CHECK(embed_rests(&m) > 0);
    embed_fini(&m);
    unload(&fx);
}

TEST(learning_survives_every_failed_allocation) {
    load(&fx, str_of(catalogue_text));
    for (size_t n = 0; n < 40; n++) {
        struct embed m = {0};
        mem_fail_after(n + 1);
        learn_all(&m);
        mem_fail_after(0);
        CHECK(m.wanted_count <= fx.catalogue.count);
        embed_fini(&m);
    }
    unload(&fx);
}

TEST(embeddings_are_kept_on_disk_for_their_model) {
    struct err e;
    static struct endpoint p;
    struct embed m, back = {0};
    char path[64];
    snprintf(path, sizeof path, "/tmp/cordon-embed-test-%d", (int)getpid());
    load(&fx, str_of(catalogue_text));
    embed_fixture(&p, &m);
    CHECK_OK(embed_save(&m, STR("model-a"), path, &e), &e);
    CHECK_FAIL(embed_load(&back, STR("model-b"), path, &e), &e, ERR_MISSING);
    CHECK_OK(embed_load(&back, STR("model-a"), path, &e), &e);
    CHECK_EQ(back.count, m.count);
    CHECK_EQ(back.dims, m.dims);
    CHECK_EQ(truncate(path, 60), 0);
    CHECK_FAIL(embed_load(&back, STR("model-a"), path, &e), &e, ERR_INVALID);
    unlink(path);
    embed_fini(&m);
    embed_fini(&back);
    unload(&fx);
}

/* ---- kill -9 during an update ---- */

static void change_and_save_forever(const char *path) {
    struct err e;
    static struct document d;
    for (unsigned n = 0;; n++) {
        char text[32];
        struct tool t = fx.catalogue.tools[n % fx.catalogue.count];
        snprintf(text, sizeof text, "Changed %u times.", n);
        t.description = str_of(text);
        document_of(&t, &d);
        if (corpus_put(&fx.selector.corpus, &t, &d, &e) ||
            corpus_save(&fx.selector.corpus, path, &e))
            _exit(1);
    }
}

/* A writer that is killed leaves its temporary file: all of them go. */
static void remove_folder(const char *folder) {
    DIR *d = opendir(folder);
    CHECK(d != NULL);
    for (struct dirent *f; (f = readdir(d));)
        if (f->d_name[0] != '.' || f->d_name[1] > '.')
            unlinkat(dirfd(d), f->d_name, 0);
    closedir(d);
    rmdir(folder);
}

TEST(an_index_file_survives_a_kill_at_any_moment) {
    struct err e;
    char folder[] = "/tmp/cordon-kill-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/index", folder);
    load(&fx, str_of(catalogue_text));
    CHECK_OK(corpus_save(&fx.selector.corpus, path, &e), &e);
    for (int round = 0; round < 12; round++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) change_and_save_forever(path);
        struct timespec t = {0, 1000000L * (1 + round * 3)};
        nanosleep(&t, NULL);
        CHECK_EQ(kill(child, SIGKILL), 0);
        CHECK_EQ(waitpid(child, NULL, 0), child);
        struct corpus back;
        CHECK_OK(corpus_load(&back, path, &fx.selector.corpus.weights,
                             &fx.selector.table, &e),
                 &e);
        CHECK_EQ(back.live, fx.catalogue.count);
        corpus_fini(&back);
    }
    remove_folder(folder);
    unload(&fx);
}

/* Whatever registers the machine has, the products are the same. */
TEST(vectors_are_multiplied_exactly) {
    static int8_t rows[11 * VECTOR_DIMS], query[VECTOR_DIMS];
    int32_t out[11];
    unsigned seed = 7;
    for (size_t round = 0; round < 50; round++) {
        for (size_t i = 0; i < sizeof rows; i++)
            rows[i] =
                (int8_t)(round == 0 ? -127 : (int)(rand_r(&seed) % 255) - 127);
        for (size_t i = 0; i < sizeof query; i++)
            query[i] = (int8_t)(round < 2 ? (i % 2 ? 127 : -127)
                                          : (int)(rand_r(&seed) % 255) - 127);
        for (size_t count = 0; count <= 11; count++) {
            vectors_scan(rows, count, query, out);
            for (size_t i = 0; i < count; i++) {
                int32_t want = 0;
                for (size_t d = 0; d < VECTOR_DIMS; d++)
                    want += rows[i * VECTOR_DIMS + d] * query[d];
                CHECK_EQ(out[i], want);
            }
        }
    }
}
