/* SPDX-License-Identifier: MIT
 *
 * The loop against a model that is a script: what it says next is in a list,
 * what it was sent is kept.
 */
#include "agent/agent.h"
#include "audit/audit.h"
#include "io/server.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define ROOM  ((size_t)1 << 22)
#define CALLS 64

struct play {
    struct loop *loop;
    struct client *client;
    struct server *server;
    struct agent *agent;
    struct model_config model;
    char url[64];
    /* the model */
    const char *const *script; /* bodies, in order; the last one again */
    size_t asked;
    bool fills;      /* the disk is full once it was asked */
    char *heard[64]; /* requests, owned */
    /* the tools */
    struct {
        struct agent_call *call;
        char name[32];
    } open[CALLS];
    size_t started, most_open, now_open;
    char order[256]; /* "+name" when begun, "-name" when ended */
    bool hold;       /* calls end only when told to */
    int hold_until;  /* or when this many are open */
    const char *result;
    /* the end */
    bool over;
    enum agent_end end;
    char why[256];
    char said[512];
};

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void answer(void *data, struct exchange *x) {
    static const struct http_header json[] = {
        {"Content-Type", "application/json"}, {NULL, NULL}};
    struct play *p = data;
    struct err e;
    str body = exchange_body(x);
    if (p->asked < 64) p->heard[p->asked] = mem_dup(body.p, body.n, &e);
    const char *text = p->script[0];
    for (size_t i = 0; i <= p->asked && p->script[i]; i++)
        text = p->script[i];
    p->asked++;
    if (p->fills) limit_files(1);
    CHECK_OK(exchange_answer(x, 200, json, str_of(text), &e), &e);
}

static int offer(void *data, const struct messages *talk, struct arena *a,
                 struct offers *out, struct err *e) {
    static const char *const names[] = {"read_a", "read_b", "write", NULL};
    (void)data;
    (void)talk;
    for (size_t i = 0; names[i]; i++) {
        struct offer *o = offers_add(out, a, e);
        if (!o) return -1;
        o->name = str_of(names[i]);
    }
    return 0;
}

static void note(struct play *p, char sign, const char *name) {
    size_t n = strlen(p->order);
    snprintf(p->order + n, sizeof p->order - n, "%c%s ", sign, name);
}

static void finish(struct play *p, size_t i) {
    struct agent_call *c = p->open[i].call;
    struct agent_result r = {.text = str_of(p->result ? p->result : "fine")};
    p->open[i].call = NULL;
    p->now_open--;
    note(p, '-', p->open[i].name);
    agent_done(c, &r);
}

static void call(void *data, struct agent_call *c, str name,
                 const struct json *args) {
    struct play *p = data;
    CHECK(args && json_type(args) == JSON_OBJECT && p->started < CALLS);
    size_t i = p->started++;
    p->open[i].call = c;
    snprintf(p->open[i].name, sizeof p->open[i].name, "%.*s", STR_ARG(name));
    note(p, '+', p->open[i].name);
    if (++p->now_open > p->most_open) p->most_open = p->now_open;
    if (!p->hold) finish(p, i);
}

static void cancel(void *data, struct agent_call *c) {
    struct play *p = data;
    for (size_t i = 0; i < p->started; i++)
        if (p->open[i].call == c) {
            p->open[i].call = NULL;
            note(p, 'x', p->open[i].name);
        }
}

static bool reads(void *data, str name) {
    (void)data;
    return str_starts(name, STR("read"));
}

static void delta(void *data, enum part_kind kind, str text) {
    struct play *p = data;
    size_t n = strlen(p->said);
    if (kind == PART_TEXT)
        snprintf(p->said + n, sizeof p->said - n, "%.*s", STR_ARG(text));
}

static void done(void *data, enum agent_end end, const char *why) {
    struct play *p = data;
    CHECK(!p->over);
    p->over = true;
    p->end = end;
    snprintf(p->why, sizeof p->why, "%s", why);
}

static const struct agent_tools play_tools = {
    .offer = offer, .call = call, .cancel = cancel, .reads = reads};
static const struct agent_events play_events = {.delta = delta, .done = done};

static void begin(struct play *p, struct agent_tools *tools,
                  const struct agent_limits *limits) {
    struct err e;
    p->loop = loop_new(&e);
    CHECK(p->loop);
    p->client = client_new(p->loop, &e);
    struct server_config sc = {
        .address = "127.0.0.1:0", .handle = answer, .data = p};
    p->server = server_new(p->loop, &sc, &e);
    CHECK(p->client && p->server);
    snprintf(p->url, sizeof p->url, "http://127.0.0.1:%u",
             server_port(p->server));
    p->model = (struct model_config){.vendor = vendor_of_api(API_CHAT),
                                     .model = STR("m"),
                                     .url = str_of(p->url),
                                     .retries = -1};
    *tools = play_tools;
    tools->data = p;
    struct agent_config config = {.loop = p->loop,
                                  .client = p->client,
                                  .model = &p->model,
                                  .tools = tools,
                                  .events = &play_events,
                                  .data = p,
                                  .system = STR("S")};
    if (limits) config.limits = *limits;
    p->agent = agent_new(&config, &e);
    CHECK(p->agent);
}

static void run(struct play *p) {
    struct err e;
    for (int i = 0; i < 10000 && !p->over; i++)
        CHECK_OK(loop_step(p->loop, 1000000000, &e), &e);
    CHECK(p->over);
}

static void end(struct play *p) {
    struct err e;
    agent_free(p->agent);
    for (int i = 0; i < 3; i++)
        CHECK_OK(loop_step(p->loop, 0, &e), &e);
    server_free(p->server);
    client_free(p->client);
    loop_free(p->loop);
    for (size_t i = 0; i < 64; i++)
        mem_free(p->heard[i]);
}

/* {"choices": ...} with calls "id:name:arguments" separated by '|'. */
#define BODY(message, reason)                                             \
    "{\"id\":\"c\",\"choices\":[{\"index\":0,\"message\":{" message "},"  \
    "\"finish_reason\":\"" reason "\"}],\"usage\":{\"prompt_tokens\":10," \
    "\"completion_tokens\":5}}"
#define CALL(id, name, args)                                                  \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name \
    "\",\"arguments\":\"" args "\"}}"
#define CALLING(calls) BODY("\"tool_calls\":[" calls "]", "tool_calls")
#define SAYING(text)   BODY("\"content\":\"" text "\"", "stop")

/* Every call of the conversation has exactly one result, in order. */
static void check_talk(struct play *p) {
    const struct message *m = agent_talk(p->agent)->first;
    for (; m; m = m->next) {
        const struct part *c = NULL;
        if (m->role != ROLE_ASSISTANT || !next_call(&m->parts, NULL)) continue;
        CHECK(m->next && m->next->role == ROLE_USER);
        const struct part *r = m->next->parts.first;
        while ((c = next_call(&m->parts, c))) {
            CHECK(r && r->kind == PART_RESULT && str_eq(r->id, c->id));
            CHECK(r->content.count > 0);
            r = r->next;
        }
        CHECK(!r);
    }
}

static const char *play_once(struct play *p, struct agent_tools *tools,
                             const char *const *script) {
    struct err e;
    p->script = script;
    if (!p->loop) begin(p, tools, NULL);
    CHECK_OK(agent_say(p->agent, STR("go"), &e), &e);
    run(p);
    check_talk(p);
    return p->heard[p->asked - 1];
}

TEST(a_question_is_answered) {
    struct play p = {0};
    struct agent_tools tools;
    play_once(&p, &tools, (const char *const[]){SAYING("hello"), NULL});
    CHECK_EQ(p.end, AGENT_ANSWERED);
    CHECK_HAS(p.heard[0], "\"role\":\"system\"");
    CHECK_EQ(agent_talk(p.agent)->count, 3);
    CHECK_EQ(agent_spent(p.agent).usage.input, 10);
    CHECK(agent_undo(p.agent) && !agent_undo(p.agent));
    CHECK_EQ(agent_talk(p.agent)->count, 1);
    end(&p);
}

TEST(calls_are_carried_out_and_their_results_go_back_in_order) {
    struct play p = {0};
    struct agent_tools tools;
    const char *last = play_once(
        &p, &tools,
        (const char *const[]){
            CALLING(CALL("1", "read_b", "{}") "," CALL("2", "read_a", "{}")),
            SAYING("ok"), NULL});
    CHECK_EQ(p.end, AGENT_ANSWERED);
    CHECK_EQ(p.started, 2);
    CHECK(strstr(last, "\"tool_call_id\":\"1\"") <
          strstr(last, "\"tool_call_id\":\"2\""));
    end(&p);
}

TEST(reads_overlap_and_writes_are_barriers) {
    struct play p = {.hold = true};
    struct agent_tools tools;
    struct err e;
    p.script = (const char *const[]){
        CALLING(
            CALL("1", "read_a", "{}") "," CALL("2", "read_b", "{}") "," CALL(
                "3", "write", "{}") "," CALL("4", "read_a", "{\\\"x\\\":1}")),
        SAYING("ok"), NULL};
    begin(&p, &tools, NULL);
    CHECK_OK(agent_say(p.agent, STR("go"), &e), &e);
    while (p.started < 2)
        CHECK_OK(loop_step(p.loop, 1000000000, &e), &e);
    CHECK_TEXT(p.order, "+read_a +read_b ");
    finish(&p, 1); /* the second ends first */
    finish(&p, 0);
    CHECK_TEXT(p.order, "+read_a +read_b -read_b -read_a +write ");
    finish(&p, 2);
    finish(&p, 3);
    CHECK_TEXT(p.order, "+read_a +read_b -read_b -read_a +write -write "
                        "+read_a -read_a ");
    run(&p);
    check_talk(&p);
    end(&p);
}

TEST(no_more_than_the_allowed_calls_run_at_once) {
    struct play p = {.hold = true};
    struct agent_tools tools;
    struct agent_limits limits = {.concurrent = 2};
    struct err e;
    p.script = (const char *const[]){
        CALLING(CALL("1", "read_a", "{}") "," CALL(
            "2", "read_b", "{}") "," CALL("3", "read_a", "{\\\"x\\\":2}")),
        SAYING("ok"), NULL};
    begin(&p, &tools, &limits);
    CHECK_OK(agent_say(p.agent, STR("go"), &e), &e);
    while (p.started < 2)
        CHECK_OK(loop_step(p.loop, 1000000000, &e), &e);
    for (size_t i = 0; i < 3; i++)
        finish(&p, i);
    run(&p);
    CHECK_EQ(p.most_open, 2);
    end(&p);
}

TEST(a_hallucinated_tool_is_answered_with_the_nearest_names) {
    struct play p = {0};
    struct agent_tools tools;
    const char *last =
        play_once(&p, &tools,
                  (const char *const[]){CALLING(CALL("1", "reed_a", "{}")),
                                        SAYING("sorry"), NULL});
    CHECK_EQ(p.started, 0);
    CHECK_HAS(last, "unknown_tool");
    CHECK_HAS(last, "read_a");
    end(&p);
}

TEST(arguments_that_are_no_json_execute_nothing_and_break_nothing) {
    struct play p = {0};
    struct agent_tools tools;
    const char *last = play_once(
        &p, &tools,
        (const char *const[]){CALLING(CALL("1", "read_a", "{\\\"x\\\": ")),
                              SAYING("sorry"), NULL});
    CHECK_EQ(p.started, 0);
    CHECK_HAS(last, "invalid_json");
    CHECK_HAS(last, "\"arguments\":\"{}\"");
    end(&p);
}

TEST(truncated_and_filtered_answers_execute_nothing) {
    struct play p = {0};
    struct agent_tools tools;
    const char *last = play_once(
        &p, &tools,
        (const char *const[]){BODY("\"content\":\"hm\",\"tool_calls\":[" CALL(
                                       "1", "write", "{}") "]",
                                   "length"),
                              SAYING("ok"), NULL});
    CHECK_EQ(p.started, 0);
    CHECK_HAS(last, "ran out of room");
    p.over = false;
    p.asked = 0;
    mem_free(p.heard[0]), p.heard[0] = NULL;
    mem_free(p.heard[1]), p.heard[1] = NULL;
    play_once(&p, &tools,
              (const char *const[]){
                  BODY("\"tool_calls\":[" CALL("1", "write", "{}") "]",
                       "content_filter"),
                  NULL});
    CHECK_EQ(p.end, AGENT_REFUSED);
    CHECK_EQ(p.started, 0);
    end(&p);
}

TEST(turns_are_limited) {
    struct play p = {0};
    struct agent_tools tools;
    struct agent_limits limits = {.turns = 4};
    struct err e;
    p.script = (const char *const[]){CALLING(CALL("1", "read_a", "{}")), NULL};
    begin(&p, &tools, &limits);
    CHECK_OK(agent_say(p.agent, STR("go"), &e), &e);
    run(&p);
    CHECK_EQ(p.end, AGENT_LIMITED);
    CHECK_EQ(p.asked, 4);
    CHECK_HAS(p.why, "turns");
    check_talk(&p);
    end(&p);
}

TEST(the_same_call_over_and_over_is_pointed_out_then_refused) {
    struct play p = {0};
    struct agent_tools tools;
    play_once(&p, &tools,
              (const char *const[]){CALLING(CALL("1", "read_a", "{}")), NULL});
    CHECK_EQ(p.end, AGENT_LIMITED);
    CHECK_EQ(p.started, 5);
    CHECK_HAS(p.heard[3], "same result several times");
    CHECK_HAS(p.heard[6], "repeated");
    end(&p);
}

TEST(calls_are_limited_and_the_model_is_told) {
    struct play p = {0};
    struct agent_tools tools;
    struct agent_limits limits = {.calls = 1};
    struct err e;
    p.script = (const char *const[]){
        CALLING(CALL("1", "read_a", "{}") "," CALL("2", "read_b", "{}")),
        SAYING("ok"), NULL};
    begin(&p, &tools, &limits);
    CHECK_OK(agent_say(p.agent, STR("go"), &e), &e);
    run(&p);
    CHECK_EQ(p.started, 1);
    CHECK_HAS(p.heard[1], "limit of calls");
    check_talk(&p);
    end(&p);
}

TEST(stopping_gives_every_call_its_result) {
    struct play p = {.hold = true};
    struct agent_tools tools;
    struct err e;
    p.script = (const char *const[]){
        CALLING(CALL("1", "read_a", "{}") "," CALL("2", "write", "{}")),
        SAYING("ok"), NULL};
    begin(&p, &tools, NULL);
    CHECK_OK(agent_say(p.agent, STR("go"), &e), &e);
    while (p.started < 1)
        CHECK_OK(loop_step(p.loop, 1000000000, &e), &e);
    agent_stop(p.agent);
    run(&p);
    CHECK_EQ(p.end, AGENT_STOPPED);
    CHECK_TEXT(p.order, "+read_a xread_a ");
    check_talk(&p);
    /* and it goes on from there */
    p.over = false;
    play_once(&p, &tools,
              (const char *const[]){SAYING("a"), SAYING("b"), NULL});
    CHECK_EQ(p.end, AGENT_ANSWERED);
    end(&p);
}

TEST(ids_are_unique_in_a_conversation) {
    struct play p = {0};
    struct agent_tools tools;
    play_once(&p, &tools,
              (const char *const[]){CALLING(CALL("call_0", "read_a", "{}")),
                                    CALLING(CALL("call_0", "read_b", "{}")),
                                    SAYING("ok"), NULL});
    const char *first = strstr(p.heard[2], "\"tool_call_id\":\"call_0\"");
    CHECK(first && !strstr(first + 1, "\"tool_call_id\":\"call_0\""));
    end(&p);
}

TEST(an_error_of_the_server_leaves_the_conversation_as_it_was) {
    struct play p = {0};
    struct agent_tools tools;
    play_once(
        &p, &tools,
        (const char *const[]){"{\"error\":{\"message\":\"no credit\"}}", NULL});
    CHECK_EQ(p.end, AGENT_FAILED);
    CHECK_HAS(p.why, "no credit");
    CHECK_EQ(agent_talk(p.agent)->count, 2);
    end(&p);
}

static int count_kind(void *data, const struct audit_event *ev, struct err *e) {
    size_t *counts = data;
    (void)e;
    counts[0] += str_is(ev->kind, "model.start");
    counts[1] += str_is(ev->kind, "model");
    counts[2] += str_is(ev->kind, "gap");
    return 0;
}

static void check_rows(const char *dir, size_t starts, size_t ends,
                       size_t gaps) {
    size_t counts[3] = {0};
    struct err e;
    CHECK_OK(audit_each(dir, 0, count_kind, counts, &e), &e);
    CHECK_EQ(counts[0], starts);
    CHECK_EQ(counts[1], ends);
    CHECK_EQ(counts[2], gaps);
}

/* The disk is full from when the model is asked until somebody made room. */
TEST(a_model_is_not_asked_when_that_cannot_be_recorded) {
    static const char *const script[] = {SAYING("hello"), NULL};
    struct play p = {.script = script, .fills = true};
    struct agent_tools tools;
    struct err e;
    test_folder();
    signal(SIGXFSZ, SIG_IGN);
    begin(&p, &tools, NULL);
    struct audit *audit = audit_open("audit", &e);
    CHECK(audit);
    p.model.audit = audit;
    play_once(&p, &tools, script); /* its end has no row */
    CHECK_EQ(p.end, AGENT_ANSWERED);
    check_rows("audit", 1, 0, 0);
    p.over = false;
    play_once(&p, &tools, script);
    CHECK_EQ(p.end, AGENT_FAILED);
    CHECK_HAS(p.why, "the audit log cannot be written");
    CHECK_EQ(p.asked, 1);
    limit_files(RLIM_INFINITY);
    p.over = p.fills = false;
    play_once(&p, &tools, script);
    CHECK_EQ(p.end, AGENT_ANSWERED);
    CHECK_EQ(p.asked, 2);
    end(&p);
    check_rows("audit", 2, 1, 1);
    audit_close(audit);
}
