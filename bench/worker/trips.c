/* SPDX-License-Identifier: MIT
 *
 * trips: what a locked worker costs, in microseconds of wall time (median and
 * best): a fresh one that runs `1 + 1`, another run in it, a call and its
 * answer; and the same in process. And what labels cost on a large answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runs/worker.h"

#define ROUNDS 2000

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void report(const char *what, int64_t *ns, size_t n) {
    qsort(ns, n, sizeof *ns, by_value);
    printf("%-44s median %8.2f us, best %8.2f us\n", what,
           (double)ns[n / 2] / 1000, (double)ns[0] / 1000);
}

static void die(const char *what, const struct err *e) {
    fprintf(stderr, "%s: %s\n", what, e->text);
    exit(1);
}

static enum worker_event_kind step(struct worker *w) {
    struct worker_event ev;
    struct err e;
    if (worker_next(w, 10000, &ev, &e) != 1) die("next", &e);
    return ev.kind;
}

static struct worker *fresh(void) {
    static const struct worker_function f[] = {{"ask", 0}};
    struct worker_options o = {.functions = f, .nfunctions = 1};
    struct worker *w;
    struct err e;
    if (worker_start(&o, &w, &e)) die("start", &e);
    return w;
}

static void in_worker(void) {
    static int64_t ns[ROUNDS];
    struct err e;
    for (size_t i = 0; i < 200; i++) {
        int64_t began = clock_mono_ns();
        struct worker *w = fresh();
        if (worker_run(w, STR("1 + 1"), NULL, &e)) die("run", &e);
        if (step(w) != WORKER_DONE) die("end", &e);
        ns[i] = clock_mono_ns() - began;
        worker_free(w);
    }
    report("fresh worker, 1 + 1", ns, 200);
    struct worker *w = fresh();
    for (size_t i = 0; i < ROUNDS; i++) {
        int64_t began = clock_mono_ns();
        if (worker_run(w, STR("1 + 1"), NULL, &e)) die("run", &e);
        if (step(w) != WORKER_DONE) die("end", &e);
        ns[i] = clock_mono_ns() - began;
    }
    report("warm worker, 1 + 1", ns, ROUNDS);
    if (worker_run(w, STR("for i in range(10**9): ask(i)"), NULL, &e) ||
        step(w) != WORKER_CALL)
        die("call", &e);
    size_t n = 190; /* below the limit of calls */
    for (size_t i = 0; i < n; i++) {
        int64_t began = clock_mono_ns();
        if (worker_answer(w, STR("1"), NULL, &e) || step(w) != WORKER_CALL)
            die("call", &e);
        ns[i] = clock_mono_ns() - began;
    }
    report("call and answer", ns, n);
    worker_free(w);
}

static void in_process(void) {
    static int64_t ns[ROUNDS];
    cordon_session *s = cordon_session_new(NULL, NULL);
    for (size_t i = 0; i < ROUNDS; i++) {
        int64_t began = clock_mono_ns();
        if (cordon_run(s, "1 + 1") != CORDON_DONE) exit(1);
        ns[i] = clock_mono_ns() - began;
    }
    report("in process, 1 + 1", ns, ROUNDS);
    cordon_session_free(s);
    for (size_t i = 0; i < ROUNDS; i++) {
        int64_t began = clock_mono_ns();
        s = cordon_session_new(NULL, NULL);
        if (cordon_run(s, "1 + 1") != CORDON_DONE) exit(1);
        cordon_session_free(s);
        ns[i] = clock_mono_ns() - began;
    }
    report("in process, new session, 1 + 1", ns, ROUNDS);
    struct cordon_limits limits = {.calls = ROUNDS + 1};
    cordon_options *o = cordon_options_new();
    cordon_options_limits(o, &limits);
    cordon_options_function(o, "ask", 0);
    s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    if (cordon_run(s, "while True: ask(1)") != CORDON_CALL) exit(1);
    for (size_t i = 0; i < ROUNDS; i++) {
        int64_t began = clock_mono_ns();
        if (cordon_resume_json(s, "1", 1) != CORDON_CALL) exit(1);
        ns[i] = clock_mono_ns() - began;
    }
    report("in process, call and answer", ns, ROUNDS);
    cordon_session_free(s);
}

/* -- labels through 1 MB of JSON ---------------------------------------------
 */

static cordon_label_id untrusted;

static cordon_label_id label(void *user, const struct cordon_place *p) {
    (void)user;
    return p->type < CORDON_JSON_ARRAY ? untrusted : 0;
}

static int64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* CPU time until the value is there, and until the program has used it. */
static void answer(enum cordon_labels mode, str json, int64_t *read,
                   int64_t *used) {
    static const char code[] = "x = ask()\n"
                               "ask()\n"
                               "n = 0\n"
                               "for row in x['rows']:\n"
                               "    if row['ok']: n += row['id']\n"
                               "n\n";
    cordon_options *o = cordon_options_new();
    cordon_options_function(o, "ask", 0);
    cordon_options_labels(o, mode);
    cordon_session *s = cordon_session_new(o, NULL);
    struct cordon_label l = {.integrity = 3};
    if (mode) untrusted = (cordon_label_id)cordon_label_number(s, &l);
    if (cordon_run(s, code) != CORDON_CALL) exit(1);
    int64_t began = cpu_ns();
    enum cordon_status st =
        mode ? cordon_resume_labelled(s, json.p, json.n, label, NULL)
             : cordon_resume_json(s, json.p, json.n);
    *read = cpu_ns() - began;
    if (st != CORDON_CALL || cordon_resume_json(s, "1", 1) != CORDON_DONE)
        exit(1);
    *used = cpu_ns() - began;
    cordon_session_free(s);
    cordon_options_free(o);
}

static void labels(void) {
    AUTO_BUF struct buf b = BUF_MAX((size_t)4 << 20);
    struct err e;
    static int64_t off[2][60], on[2][60];
    buf_add_text(&b, "{\"rows\": [", &e);
    for (int i = 0; b.len < 1000000; i++)
        buf_addf(
            &b, &e,
            "%s{\"id\": %d, \"ok\": %s, \"from\": \"person%d@example.com\","
            " \"subject\": \"about the plan number %d\", \"body\": \"Some "
            "words that somebody wrote, which go on for a line or two and "
            "end here.\"}",
            i ? ", " : "", i, i % 3 ? "true" : "false", i, i);
    buf_add_text(&b, "]}", &e);
    for (size_t i = 0; i < 60; i++) {
        answer(CORDON_LABELS_OFF, buf_str(&b), &off[0][i], &off[1][i]);
        answer(CORDON_LABELS_ON, buf_str(&b), &on[0][i], &on[1][i]);
    }
    report("1 MB of JSON read, CPU", off[0], 60);
    report("the same, every value labelled", on[0], 60);
    printf("ratio of the best %.2f\n", (double)on[0][0] / (double)off[0][0]);
    report("and looped over, CPU", off[1], 60);
    report("the same, every value labelled", on[1], 60);
    printf("ratio of the best %.2f\n", (double)on[1][0] / (double)off[1][0]);
}

int main(void) {
    in_worker();
    in_process();
    labels();
    return 0;
}
