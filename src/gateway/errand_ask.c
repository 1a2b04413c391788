/* SPDX-License-Identifier: MIT
 *
 * What a server, or the policy, wants to know before an errand can go on.
 */
#include "gateway/errand.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "call/approval.h"
#include "json/build.h"

#define PATIENCE (15 * 60 * HUB_SECOND)
/* A server that wants several things asks for them in one breath, but the bytes
 * may come in several. */
#define BREATH (15 * HUB_MS)
enum { PAGE_TURNS = 3 };

static void ask_host(struct io_timer *t);
static void on_impatient(struct io_timer *t);

void errand_learn(struct errand *t) {
    for (int i = 0; i < MCP_QUESTIONS; i++)
        t->can[i] = mcp_client_can(
            t->request, mcp_question_capability((enum mcp_question)i));
    t->breath = (struct io_timer){.fn = ask_host, .data = t};
    t->patience = (struct io_timer){.fn = on_impatient, .data = t};
}

void errand_drop_questions(struct errand *t) {
    while (t->question_count) {
        struct question *q = &t->questions[--t->question_count];
        q->answer(q->to, NULL);
    }
}

static void on_impatient(struct io_timer *timer) {
    errand_cancel(timer->data);
}

/* -- questions ---------------------------------------------------------------
 */

/* The host cannot be asked it; it may have to know. */
static void note_lack(struct errand *t, str method) {
    enum mcp_question q = mcp_question_of(method);
    if (q != MCP_QUESTIONS) t->lacks[q] = true;
}

static bool lacks_any(const bool lacks[MCP_QUESTIONS]) {
    for (int i = 0; i < MCP_QUESTIONS; i++)
        if (lacks[i]) return true;
    return false;
}

bool errand_refuse_lacking(const bool lacks[MCP_QUESTIONS],
                           struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *data;
    struct err e;
    if (mcp_era(r) != MCP_MODERN || !lacks_any(lacks)) return false;
    build_object(&b);
    build_key(&b, STR("requiredCapabilities"));
    build_object(&b);
    for (int i = 0; i < MCP_QUESTIONS; i++) {
        if (!lacks[i]) continue;
        build_key(&b, str_of(mcp_question_capability((enum mcp_question)i)));
        build_object(&b);
        build_end(&b);
    }
    build_end(&b);
    build_end(&b);
    if (build_done(&b, &data, &e)) data = NULL;
    mcp_refuse(r, RPC_NEEDS_CAPABILITY, data,
               "the client lacks a capability that this request needs");
    return true;
}

/* The question's method, if the host can be asked it. */
static const char *askable_method(const struct errand *t, str method) {
    enum mcp_question q = mcp_question_of(method);
    return q != MCP_QUESTIONS && t->can[q] ? mcp_question_method(q) : NULL;
}

static void ask_soon(struct errand *t) {
    struct err e;
    if (t->breath.place) return;
    if (loop_timer(t->hub->loop, &t->breath, BREATH, &e)) ask_host(&t->breath);
}

static const struct json *keep(struct errand *t, const struct json *v) {
    struct json_build b = JSON_BUILD(&t->memory);
    const struct json *copy;
    struct err e;
    if (!v) return NULL;
    build_copy(&b, v);
    return build_done(&b, &copy, &e) ? NULL : copy;
}

static bool is_open(const struct errand *t, str key) {
    for (size_t i = 0; i < t->question_count; i++)
        if (str_is(key, t->questions[i].key)) return true;
    return false;
}

static bool is_name(str key) {
    for (size_t i = 0; i < key.n; i++)
        if (!isalnum((unsigned char)key.p[i]) && !strchr("_.-", key.p[i]))
            return false;
    return key.n > 0 && key.n < ERRAND_KEY;
}

/* As the server calls it, where it does and that tells it apart. */
static void name_question(struct errand *t, const struct json *params,
                          char out[ERRAND_KEY]) {
    str own =
        json_get_text(json_get(params, "_meta"), MCP_META_QUESTION, STR(""));
    if (is_name(own) && !is_open(t, own)) {
        (void)snprintf(out, ERRAND_KEY, "%.*s", STR_ARG(own));
        return;
    }
    do
        (void)snprintf(out, ERRAND_KEY, "q%u", ++t->next_key);
    while (is_open(t, str_of(out)));
}

/* What the host cannot be asked the configuration may answer. One that comes
 * while the host ponders another waits for its return. */
void errand_ask(struct errand *t, str method, const struct json *params,
                void (*answer)(void *to, const struct json *result), void *to) {
    const char *name = askable_method(t, method);
    bool parked = t->patience.place != 0;
    if (!name && t->member &&
        member_answer(t->member, method, params, answer, to))
        return;
    if (!name || t->question_count == HUB_QUESTIONS_MAX ||
        (!t->request && !parked)) {
        if (!name) note_lack(t, method);
        answer(to, NULL);
        return;
    }
    struct question q = {
        .method = name, .params = keep(t, params), .answer = answer, .to = to};
    name_question(t, params, q.key);
    if (t->request) page_shown(t->member, t->request, params);
    t->questions[t->question_count++] = q;
    loop_timer_stop(&t->beginning);
    if (t->request) ask_soon(t);
}

/* After mcp_wait the request is not ours: a modern one has ended, a legacy one
 * waits and comes back through errand_resume, or is abandoned. */
static void ask_host(struct io_timer *timer) {
    struct errand *t = timer->data;
    struct mcp_request *r = t->request;
    struct err e;
    if (!r || !t->question_count) return;
    for (size_t i = 0; i < t->question_count; i++) {
        struct question *q = &t->questions[i];
        const char *key = arena_text(mcp_arena(r), str_of(q->key), &e);
        if (!key) {
            errand_cancel(t);
            return;
        }
        mcp_need(r, key, q->method, q->params);
    }
    (void)errand_take(t);
    (void)loop_timer(t->hub->loop, &t->patience, PATIENCE, &e);
    mcp_wait(r, (str){t->id, 32});
}

/* The first question that the host has answered; false: none. */
static bool next_answer(struct errand *t, const struct mcp_request *r,
                        struct question *out, const struct json **answer) {
    for (size_t i = 0; i < t->question_count; i++) {
        const struct json *v = mcp_input(r, t->questions[i].key);
        if (!v) continue;
        *out = t->questions[i];
        *answer = v;
        t->question_count--;
        memmove(&t->questions[i], &t->questions[i + 1],
                (t->question_count - i) * sizeof *t->questions);
        return true;
    }
    return false;
}

/* Answering may end the errand, so it is looked for each time. */
bool errand_resume(struct hub *h, struct mcp_request *r) {
    str memo = mcp_memo(r);
    const struct json *answer;
    struct question q;
    if (!memo.p) return false;
    struct errand *t = errand_find(h, memo);
    if (!t || t->request) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "this request is over");
        return true;
    }
    loop_timer_stop(&t->patience);
    t->request = r;
    mcp_set_state(r, t);
    while (t && t->request == r && next_answer(t, r, &q, &answer)) {
        q.answer(q.to, answer);
        t = errand_find(h, memo);
    }
    if (!t || t->request != r) return true;
    if (t->question_count)
        ask_soon(t); /* what is still open is asked again */
    else
        errand_expect(t);
    return true;
}

/* -- a person's word in between ---------------------------------------------
 */

static void refuse_errand(struct errand *t, const char *why) {
    struct mcp_request *r = errand_take(t);
    errand_free(t);
    if (r) hub_answer_text(r, str_of(why), true);
}

/* {"action": "accept", "content": {"decision": "once"}} */
static void on_decision(void *to, const struct json *answer) {
    struct errand *t = to;
    struct hub *h = t->hub;
    enum approval_choice choice = APPROVE_NOT;
    str action = json_get_text(answer, "action", STR(""));
    str word = json_get_text(json_get(answer, "content"), "decision", STR(""));
    char by[128];
    struct err e;
    if (!answer) return; /* the errand ends by itself */
    if (str_is(action, "accept") && approval_choice_read(word, &choice, &e))
        choice = APPROVE_NOT;
    (void)snprintf(by, sizeof by, "mcp:%.*s", STR_ARG(t->tool.who.principal));
    if (approval_answer(boundary_store(h->config.boundary), h->config.audit,
                        str_of(t->approval), choice, str_of(by), &e))
        refuse_errand(t, e.text);
    else if (choice == APPROVE_NOT)
        refuse_errand(t, "The user does not allow this call.");
    else
        errand_call_again(t);
}

static const struct json *approval_form(struct errand *t, struct err *e) {
    AUTO_BUF struct buf card = BUF_MAX(256 << 10);
    struct json_build b = JSON_BUILD(&t->memory);
    struct store *store = boundary_store(t->hub->config.boundary);
    struct store_approval question;
    const struct json *schema, *form;
    if (store_approval_get(store, str_of(t->approval), &t->memory, &question,
                           e) ||
        approval_describe(store, &question, &card, e) ||
        json_parse(STR("{\"type\":\"object\",\"properties\":{\"decision\":{"
                       "\"type\":\"string\",\"title\":\"Allow this call?\","
                       "\"enum\":[\"once\",\"alike\",\"remember\",\"deny\"],"
                       "\"enumNames\":[\"This once\",\"And calls like it\","
                       "\"Remember it\",\"No\"]}},"
                       "\"required\":[\"decision\"]}"),
                   NULL, &t->memory, &schema, e))
        return NULL;
    build_object(&b);
    build_put_text(&b, "mode", STR("form"));
    build_put_text(&b, "message", buf_str(&card));
    build_put(&b, "requestedSchema", schema);
    build_end(&b);
    return build_done(&b, &form, e) ? NULL : form;
}

bool errand_ask_approval(struct errand *t, str approval) {
    struct err e;
    if (!t->request || !approval.n || approval.n >= sizeof t->approval ||
        !askable_method(t, STR("elicitation/create")))
        return false;
    memcpy(t->approval, approval.p, approval.n);
    t->approval[approval.n] = '\0';
    const struct json *form = approval_form(t, &e);
    if (!form) {
        log_warn(t->hub->log, "approval %s: %s", t->approval, e.text);
        return false;
    }
    errand_ask(t, STR("elicitation/create"), form, on_decision, t);
    return true;
}

/* -- pages that a legacy server wants visited ---------------------------------
 */

static void on_visited(void *to, const struct json *answer) {
    struct errand *t = to;
    if (!answer) return; /* the errand ends by itself */
    if (!str_is(json_get_text(answer, "action", STR("")), "accept"))
        t->page_declined = true;
    if (--t->pages) return;
    t->approval[0] = '\0'; /* one that was given before is spent */
    if (t->page_declined)
        refuse_errand(t, "The user did not open the page that this needs.");
    else
        errand_call_again(t);
}

bool errand_ask_pages(struct errand *t, const struct json *error) {
    const struct json *list =
        json_get(json_get(error, "server_data"), "elicitations");
    if (json_get_int(error, "server_code", 0) != RPC_URL_ELICITATION ||
        !t->request || mcp_era(t->request) != MCP_MODERN || !list ||
        json_type(list) != JSON_ARRAY || !json_len(list) ||
        json_len(list) > HUB_QUESTIONS_MAX - t->question_count ||
        ++t->page_turns > PAGE_TURNS ||
        !mcp_client_can(t->request, "elicitation/url"))
        return false;
    t->pages = (unsigned)json_len(list);
    const struct json *page = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, page = json_skip(page))
        errand_ask(t, STR("elicitation/create"), page, on_visited, t);
    return true;
}
