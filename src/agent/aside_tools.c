/* SPDX-License-Identifier: MIT
 *
 * What is asked of a model about tools.
 */
#include "agent/aside.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "tools/plain.h"
#include "tools/stub.h"
#include "json/build.h"

#define TEXT_BYTES    ((size_t)256 << 10)
#define REQUEST_BYTES 2000 /* of the request that the model is shown */
#define EXAMPLE_BYTES 200
#define PICK_TOKENS   100
#define LINE_TOKENS   60

/* ---- routing ---- */

static int write_options(str request, const struct route_option *options,
                         size_t count, struct buf *out, struct err *e) {
    if (buf_add_text(out, "Request: ", e) ||
        plain_add(out, request, REQUEST_BYTES, e) ||
        buf_add_text(out, "\n\nTools:\n", e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (buf_addf(out, e, "%zu. %.*s\n", i + 1, STR_ARG(options[i].text)))
            return -1;
    return 0;
}

/* The numbers in a text, each once, from 1 to count. */
static size_t read_numbers(str text, size_t count, size_t *picks, size_t max) {
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < max; i++) {
        size_t number = 0, start = i;
        while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9' &&
               number <= count)
            number = number * 10 + (size_t)(text.p[i++] - '0');
        if (i == start || number == 0 || number > count) continue;
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known |= picks[k] == number - 1;
        if (!known) picks[n++] = number - 1;
    }
    return n;
}

static const char instruction[] =
    "You choose tools for a request. Answer with the numbers of the tools that "
    "are needed, best first, separated by commas, and nothing else.";

static int check_awake(const struct model_router *r, struct err *e) {
    if (clock_mono_ns() >= r->rest_until_ns) return 0;
    return fail(e, ERR_TIMEOUT, "the model failed a moment ago");
}

static int rest(struct model_router *r, const struct err *why) {
    r->rest_until_ns = clock_mono_ns() + ROUTER_REST_S * INT64_C(1000000000);
    if (r->log)
        log_warn(r->log, "router: %s; left alone for %d s", why->text,
                 ROUTER_REST_S);
    return -1;
}

static int read_picks(struct model_router *r, str answer, size_t count,
                      size_t *picks, size_t max, struct err *e) {
    size_t n = read_numbers(answer, count, picks, max);
    if (n > 0) return (int)n;
    err_set(e, ERR_PEER, "the model named no tool");
    return rest(r, e);
}

static int ask_model(struct model_router *r, str question, size_t count,
                     int64_t budget_ns, size_t *picks, size_t max,
                     struct err *e) {
    AUTO_BUF struct buf answer = BUF_MAX(TEXT_BYTES);
    if (check_awake(r, e)) return -1;
    if (aside_ask(r->aside, str_of(instruction), question, PICK_TOKENS,
                  budget_ns, &answer, e))
        return rest(r, e);
    return read_picks(r, buf_str(&answer), count, picks, max, e);
}

static uint64_t key_of(str question) {
    static const uint64_t key[2] = {0x726f75746572, 1};
    return hash_bytes(question.p, question.n, key) | 1; /* 0: an empty place */
}

static int recall(const struct model_router *r, uint64_t key, size_t *picks,
                  size_t max) {
    for (size_t i = 0; i < ROUTER_KEPT; i++) {
        if (r->kept[i].key != key) continue;
        size_t n = r->kept[i].count < max ? r->kept[i].count : max;
        memcpy(picks, r->kept[i].picks, n * sizeof *picks);
        return (int)n;
    }
    return 0;
}

static void keep(struct model_router *r, uint64_t key, const size_t *picks,
                 size_t count) {
    size_t n = count < ROUTER_PICKS ? count : ROUTER_PICKS;
    r->kept[r->kept_at].key = key;
    r->kept[r->kept_at].count = n;
    memcpy(r->kept[r->kept_at].picks, picks, n * sizeof *picks);
    r->kept_at = (r->kept_at + 1) % ROUTER_KEPT;
}

/* -- asked in the loop */

struct router_question {
    struct model_router *router;
    uint64_t key;
    size_t count; /* of options */
    struct aside_question aside;
    struct select_wait *waiting;
    struct router_question *next, **link;
};

static void end_question(struct router_question *q, bool told) {
    *q->link = q->next;
    if (q->next) q->next->link = q->link;
    q->router->question_count--;
    aside_stop(&q->aside);
    if (told)
        select_wake(&q->waiting);
    else
        select_forget(&q->waiting);
    mem_free(q);
}

void model_router_end(struct model_router *r, bool told) {
    while (r->questions)
        end_question(r->questions, told);
}

static void on_answer(struct aside_question *a) {
    struct router_question *q = a->data;
    struct model_router *r = q->router;
    size_t picks[ROUTER_PICKS];
    struct err e;
    int n = a->failed ? rest(r, &a->why)
                      : read_picks(r, buf_str(&a->answer), q->count, picks,
                                   ROUTER_PICKS, &e);
    if (n > 0) keep(r, q->key, picks, (size_t)n);
    end_question(q, true);
}

static struct router_question *ask_later(struct model_router *r, uint64_t key,
                                         str question, size_t count,
                                         int64_t budget_ns, struct err *e) {
    if (check_awake(r, e)) return NULL;
    if (r->question_count >= ROUTER_ASKED) {
        err_set(e, ERR_LIMIT, "the model has %d questions", ROUTER_ASKED);
        return NULL;
    }
    struct router_question *q = mem_zalloc(1, sizeof *q, e);
    if (!q) return NULL;
    *q = (struct router_question){.router = r,
                                  .key = key,
                                  .count = count,
                                  .aside = {.done = on_answer, .data = q},
                                  .next = r->questions,
                                  .link = &r->questions};
    if (q->next) q->next->link = &q->next;
    r->questions = q;
    r->question_count++;
    if (aside_start(r->aside, r->loop, r->client, str_of(instruction), question,
                    PICK_TOKENS, budget_ns, &q->aside, e) == 0)
        return q;
    end_question(q, false);
    return NULL;
}

static int queue(struct model_router *r, uint64_t key, str question,
                 size_t count, int64_t budget_ns, struct select_wait *wait,
                 struct err *e) {
    struct router_question *q = r->questions;
    while (q && q->key != key)
        q = q->next;
    if (!q && !(q = ask_later(r, key, question, count, budget_ns, e)))
        return -1;
    select_queue(wait, &q->waiting);
    return fail(e, ERR_WAITING, "the model is asked");
}

static int pick(void *context, str request, const struct route_option *options,
                size_t count, int64_t budget_ns, struct select_wait *wait,
                size_t *picks, size_t max, struct err *e) {
    struct model_router *r = context;
    AUTO_BUF struct buf question = BUF_MAX(TEXT_BYTES);
    if (write_options(request, options, count, &question, e)) return -1;
    uint64_t key = key_of(buf_str(&question));
    int n = recall(r, key, picks, max);
    if (n > 0) return n;
    n = wait && r->client
            ? queue(r, key, buf_str(&question), count, budget_ns, wait, e)
            : ask_model(r, buf_str(&question), count, budget_ns, picks, max, e);
    if (n < 0) return fail_while(e, "router");
    keep(r, key, picks, (size_t)n);
    return n;
}

struct router model_router(struct model_router *r, int64_t budget_ns) {
    return (struct router){pick, r, budget_ns};
}

/* ---- examples ---- */

/* "3. Send a mail to Ann" -> "Send a mail to Ann" */
static str without_mark(str line) {
    size_t i = 0;
    while (i < line.n &&
           ((line.p[i] >= '0' && line.p[i] <= '9') || line.p[i] == '.' ||
            line.p[i] == ')' || line.p[i] == '-' || line.p[i] == '*' ||
            line.p[i] == ' ' || line.p[i] == '"'))
        i++;
    line = str_sub(line, i, line.n);
    while (line.n > 0 && line.p[line.n - 1] == '"')
        line.n--;
    return line;
}

static int read_lines(str text, size_t max, struct arena *a,
                      const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    size_t n = 0;
    build_array(&b);
    for (str rest = text; rest.p && n < max;) {
        AUTO_BUF struct buf clean = BUF_MAX(EXAMPLE_BYTES + 8);
        str line = without_mark(str_trim(str_cut(&rest, '\n')));
        if (line.n < 3) continue;
        if (plain_add(&clean, line, EXAMPLE_BYTES, e)) return -1;
        build_text(&b, buf_str(&clean));
        n++;
    }
    build_end(&b);
    if (n == 0) return fail(e, ERR_PEER, "the model gave no examples");
    return build_done(&b, out, e);
}

int aside_examples(struct aside *a, const struct entry *t, size_t max,
                   int64_t budget_ns, struct arena *arena,
                   const struct json **out, struct err *e) {
    AUTO_BUF struct buf question = BUF_MAX(TEXT_BYTES);
    AUTO_BUF struct buf answer = BUF_MAX(TEXT_BYTES);
    char task[256];
    int n = snprintf(task, sizeof task,
                     "Write %zu different short requests that a person would "
                     "make for which this tool is the right one. Do not name "
                     "the tool. One request a line, nothing else.",
                     max);
    if (stub_write(t, STUB_NORMAL, NULL, &question, e) ||
        aside_ask(a, (str){task, (size_t)n}, buf_str(&question),
                  (int64_t)max * LINE_TOKENS, budget_ns, &answer, e))
        return -1;
    return read_lines(buf_str(&answer), max, arena, out, e);
}
