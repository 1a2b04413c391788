/* SPDX-License-Identifier: MIT
 *
 * How far a run has come, in its own words: tools.progress(done, total, text).
 *
 * Those who wait are told at once; the store has it too, not more often than
 * once a second, with the time that the rest will take at this pace.
 */
#include "base/clock.h"
#include "runs/inside.h"
#include "json/write.h"

#define TELL_NS ((int64_t)1000000000)
#define MESSAGE 1000 /* bytes */

struct progress {
    double done, total;
    str message;
};

/* An argument by its place or by its name. */
static const struct json *argument(const struct run_call *c, size_t place,
                                   const char *name) {
    const struct json *list = json_get(c->python, "args");
    const struct json *v = list ? json_at(list, place) : NULL;
    return v ? v : json_get(json_get(c->python, "kwargs"), name);
}

static int read_progress(const struct run_call *c, struct progress *p,
                         struct err *e) {
    const struct json *done = argument(c, 0, "done");
    const struct json *total = argument(c, 1, "total");
    const struct json *message = argument(c, 2, "message");
    if (!done || !json_is_number(done) || (total && !json_is_number(total)) ||
        (message && json_type(message) != JSON_STRING))
        return fail(e, ERR_INVALID,
                    "tools.progress(done, total=0, message='') takes two "
                    "numbers and a text");
    p->done = json_number(done);
    p->total = total ? json_number(total) : 0;
    p->message = message ? json_str(message) : STR("");
    return 0;
}

/* A line of it, cut between characters. */
static str head_of(str text) {
    size_t n = text.n < MESSAGE ? text.n : MESSAGE;
    while (n < text.n && n > 0 && ((unsigned char)text.p[n] & 0xc0) == 0x80)
        n--;
    return str_sub(text, 0, n);
}

/* At the pace it had so far; of one that goes on after a crash, since then. */
static double rest_seconds(const struct run *r, const struct progress *p) {
    double spent = (double)(clock_mono_ns() - r->paced) / 1e9;
    return spent * (p->total - p->done) / (p->done - r->paced_from);
}

static void take_pace(struct run *r, const struct progress *p) {
    bool whole = !r->taken_over && r->attempts <= 1;
    if (r->paced && p->done >= r->paced_from) return;
    r->paced = whole ? r->started : clock_mono_ns();
    r->paced_from = whole ? 0 : p->done;
}

static int record(struct run *r, const struct progress *p, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_key(&w, "progress");
    jw_object(&w);
    jw_key(&w, "done");
    jw_real(&w, p->done);
    if (p->total > 0) {
        jw_key(&w, "total");
        jw_real(&w, p->total);
    }
    if (p->message.n) jw_put_text(&w, "message", head_of(p->message));
    jw_end_object(&w);
    if (p->done > r->paced_from && p->total > p->done) {
        jw_key(&w, "eta_seconds");
        jw_real(&w, rest_seconds(r, p));
    }
    jw_put_int(&w, "calls", (int64_t)r->call_count);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return store_run_set(r->runs->config.store, str_of(r->id), r->journal.fence,
                         RUN_RUNNING, buf_str(&text), STR(""), e);
}

int run_note_progress(struct run_call *c, struct err *e) {
    struct run *r = c->run;
    struct progress p;
    int64_t now = clock_mono_ns();
    if (!c->python)
        return fail(e, ERR_INVALID,
                    "tools.progress() takes numbers and a text");
    if (read_progress(c, &p, e)) return -1;
    take_pace(r, &p);
    run_progress(r, p.done, p.total, p.message);
    if (r->told && now - r->told < TELL_NS) return 0;
    r->told = now;
    return record(r, &p, e);
}
