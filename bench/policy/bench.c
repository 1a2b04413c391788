/* SPDX-License-Identifier: MIT
 *
 * What a decision costs with 200 rules, and what labels add to a result of one
 * megabyte on its way into a program. Processor time of the process; the two
 * ways of the second take turns.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "policy/bridge.h"
#include "policy/policy.h"

#include "cordon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES   200
#define CALLS   200000
#define ROUNDS  20
#define RECORDS 6500 /* about a megabyte */

static void die(const char *what, const struct err *e) {
    fprintf(stderr, "bench: %s: %s\n", what, e->text);
    exit(1);
}

static void add_rules(struct buf *b, struct err *e) {
    int failed = buf_add_text(
        b,
        "list friends \"ann@corp.example\", \"*@home.example\"\n"
        "source mail.search id, date -> trusted token ; from, to -> meta ;\n"
        "    * -> untrusted ; readers private\n"
        "read mail.search\n"
        "sink mail.send dest to, cc content subject, body class send\n"
        "sink bank.pay dest account param amount class money irreversible\n",
        e);
    static const char *const conditions[] = {
        "dest untrusted and class send",
        "target|param untrusted",
        "class money and amount > 100000",
        "turn untrusted and any arg untrusted",
        "class send and not dest in friends and content secret",
        "principal \"guest*\" and class send"};
    for (int i = 0; i < RULES - 1 && !failed; i++)
        failed = buf_addf(b, e, "ask R%d %s\n", i, conditions[i % 6]);
    if (failed || buf_add_text(b, "allow Z default\n", e)) die("rules", e);
}

static double decide_us(struct policy *p) {
    struct err e;
    struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct json *args;
    const char *text = "{\"to\":[\"ann@corp.example\",\"bob@home.example\"],"
                       "\"subject\":\"lunch\",\"body\":\"at noon, as always\"}";
    if (json_parse(str_of(text), NULL, &a, &args, &e)) die("arguments", &e);
    const struct labelled items[] = {
        {STR(""), {0}}, {STR("/body"), {.integrity = INTEGRITY_UNTRUSTED}}};
    struct labels labels = {.items = items, .count = 2};
    struct entry tool = {.tool = {.server = STR("mail"), .name = STR("send")}};
    struct policy_call call = {.tool = &tool,
                               .args = args,
                               .labels = &labels,
                               .principal = STR("ann"),
                               .can_ask = true};
    struct decision d;
    struct arena_mark mark = arena_mark(&a);
    int64_t before = clock_cpu_ns();
    for (int i = 0; i < CALLS; i++) {
        policy_decide(p, &call, &a, &d);
        arena_rewind(&a, mark);
    }
    int64_t spent = clock_cpu_ns() - before;
    if (d.verdict != POLICY_ALLOW) die("decision", &(struct err){0});
    arena_fini(&a);
    return (double)spent / 1e3 / CALLS;
}

static void add_records(struct buf *b, struct err *e) {
    int failed = buf_add_char(b, '[', e);
    for (int i = 0; i < RECORDS && !failed; i++)
        failed = buf_addf(b, e,
                          "%s{\"id\":\"m%d\",\"date\":\"2026-01-01\",\"from\":"
                          "\"someone%d@corp.example\",\"to\":[\"ann@corp."
                          "example\"],\"subject\":\"number %d\",\"body\":"
                          "\"some words about nothing much\"}",
                          i ? "," : "", i, i, i);
    if (failed || buf_add_char(b, ']', e)) die("records", e);
}

static cordon_session *waiting(void) {
    cordon_options *o = cordon_options_new();
    cordon_options_function(o, "f", 0);
    cordon_options_labels(o, CORDON_LABELS_ON);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    if (cordon_run(s, "r = f()\nlen(r)") != CORDON_CALL)
        die("program", &(struct err){0});
    return s;
}

/* One result into a program: ns of processor time. */
static int64_t enter(struct policy *p, str text, bool labelled) {
    struct err e;
    struct arena a = ARENA_MAX((size_t)1 << 30);
    struct bridge *b = bridge_new(&e);
    cordon_session *s = waiting();
    const struct json *value, *args;
    const struct labels *labels;
    struct bridge_result r;
    enum cordon_status st;
    struct entry tool = {
        .tool = {.server = STR("mail"), .name = STR("search")}};
    if (json_parse(STR("{}"), NULL, &a, &args, &e)) die("arguments", &e);
    struct policy_call call = {.tool = &tool, .args = args};
    int64_t before = clock_cpu_ns();
    if (json_parse(text, NULL, &a, &value, &e)) die("result", &e);
    if (labelled) {
        if (policy_label(p, &call, value, NULL, 1, &a, &labels, &e) ||
            bridge_begin(&r, b, s, labels, &a, &e))
            die("labels", &e);
        st = cordon_resume_labelled(s, text.p, text.n, bridge_place, &r);
    } else {
        st = cordon_resume_json(s, text.p, text.n);
    }
    int64_t spent = clock_cpu_ns() - before;
    if (st != CORDON_DONE) die("resume", &(struct err){0});
    cordon_session_free(s);
    bridge_free(b);
    arena_fini(&a);
    return spent;
}

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(void) {
    struct err e;
    AUTO_BUF struct buf rules = BUF_MAX(1 << 20), records = BUF_MAX(1 << 24);
    int64_t plain[ROUNDS], labelled[ROUNDS];
    add_rules(&rules, &e);
    add_records(&records, &e);
    struct policy *p = policy_parse(buf_str(&rules), "rules", &e);
    if (!p) die("rules", &e);
    double us = decide_us(p);
    for (int i = 0; i < ROUNDS; i++) {
        plain[i] = enter(p, buf_str(&records), false);
        labelled[i] = enter(p, buf_str(&records), true);
    }
    qsort(plain, ROUNDS, sizeof plain[0], by_size);
    qsort(labelled, ROUNDS, sizeof labelled[0], by_size);
    printf("{\"rules\":%d,\"decide_us\":%.3f,\"result_bytes\":%zu,"
           "\"plain_ms\":%.3f,\"labelled_ms\":%.3f}\n",
           RULES, us, records.len, (double)plain[ROUNDS / 2] / 1e6,
           (double)labelled[ROUNDS / 2] / 1e6);
    policy_free(p);
    return 0;
}
