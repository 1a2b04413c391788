/* SPDX-License-Identifier: MIT
 *
 * How a run stands, as data for a model: short, and what is left out can be
 * had by its handle.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "call/approval.h"
#include "runs/inside.h"
#include "json/build.h"
#include "json/write.h"

#define SHOWN_BYTES ((size_t)16 * 1024)
#define WEEK_NS     ((int64_t)7 * 24 * 3600 * 1000000000)

static size_t shown_max(const struct run *r) {
    size_t max = r->runs->config.shown_max;
    return max ? max : SHOWN_BYTES;
}

void outcome_add_call(struct run *r, const struct run_call *c, const char *name,
                      const char *status) {
    struct err e;
    struct jw w = JW(&r->timeline);
    r->call_count++;
    if (r->call_count > CALLS_SHOWN) return;
    if (r->timeline.len && buf_add_char(&r->timeline, ',', &e)) return;
    jw_object(&w);
    jw_put_int(&w, "call", (int64_t)c->id);
    jw_put_text(&w, "tool", str_of(name));
    jw_put_text(&w, "status", str_of(status));
    jw_put_int(&w, "ms", (clock_mono_ns() - c->began) / 1000000);
    jw_end_object(&w);
}

/* -- parts --------------------------------------------------------------------
 */

int outcome_keep(struct run *r, str owner, const char *type, str bytes,
                 char id[STORE_ID], struct err *e) {
    int64_t now = clock_wall_ns();
    if (store_new_id("h_", id, e)) return -1;
    struct store_blob b = {.id = str_of(id),
                           .owner = owner,
                           .type = str_of(type),
                           .bytes = bytes,
                           .created = now,
                           .expires = now + WEEK_NS};
    return store_blob_put(r->runs->config.store, &b, e);
}

/* Where the whole of a long text is kept; the name says what it is. */
static int keep_rest(struct run *r, struct jw *w, const char *what, str text,
                     struct err *e) {
    char id[STORE_ID];
    if (outcome_keep(r, r->conversation, "text/plain", text, id, e)) return -1;
    jw_key(w, what);
    jw_object(w);
    jw_put_text(w, "handle", str_of(id));
    jw_put_int(w, "bytes", (int64_t)text.n);
    jw_end_object(w);
    return 0;
}

/* Not more than max bytes, cut between characters. */
static str head_of(str text, size_t max) {
    if (text.n <= max) return text;
    while (max > 0 && ((unsigned char)text.p[max] & 0xc0) == 0x80)
        max--;
    return str_sub(text, 0, max);
}

static void put_value(struct jw *w, struct run *r,
                      const struct worker_event *ev, str *value) {
    if (ev->text.p) {
        *value = ev->text;
        if (value->n > shown_max(r)) {
            jw_put_text(w, "value_head", head_of(*value, shown_max(r)));
            return;
        }
        jw_key(w, "value");
        jw_raw(w, *value);
        return;
    }
    if (ev->repr.n) jw_put_text(w, "repr", head_of(ev->repr, shown_max(r)));
}

static void put_usage(struct jw *w, struct run *r) {
    struct cordon_usage u = r->usage;
    jw_key(w, "usage");
    jw_object(w);
    jw_put_int(w, "steps", (int64_t)u.steps);
    jw_put_int(w, "memory", (int64_t)u.memory_peak);
    jw_put_int(w, "cpu_us", (int64_t)u.time_ns / 1000);
    jw_put_int(w, "calls", (int64_t)r->call_count);
    jw_end_object(w);
}

static void put_calls(struct jw *w, const struct run *r) {
    jw_key(w, "calls");
    jw_array(w);
    if (r->timeline.len) jw_raw(w, buf_str(&r->timeline));
    jw_end_array(w);
}

void outcome_put_work(struct jw *w, struct run *r) {
    put_calls(w, r);
    put_usage(w, r);
}

static void put_head(struct jw *w, const struct run *r, const char *state) {
    jw_put_text(w, "run", str_of(r->id));
    jw_put_text(w, "state", str_of(state));
    if (r->session_id.n) jw_put_text(w, "session", r->session_id);
}

/* The last line of a traceback is "Type: message". */
static void put_error(struct jw *w, str traceback) {
    str text = str_trim(traceback), line = text;
    for (size_t i = text.n; i > 0; i--)
        if (text.p[i - 1] == '\n') {
            line = str_sub(text, i, text.n);
            break;
        }
    str rest = line;
    str type = str_cut(&rest, ':');
    jw_key(w, "error");
    jw_object(w);
    jw_put_text(w, "type", type);
    jw_put_text(w, "message", rest.p ? str_trim(rest) : STR(""));
    jw_put_text(w, "traceback", text);
    jw_end_object(w);
}

static int read_back(struct run *r, struct jw *w, const struct json **out,
                     struct err *e) {
    if (jw_done(w, e)) return -1;
    struct json_limits limits = {.keep_duplicates = true};
    return json_parse(buf_str(w->out), &limits, &r->arena, out, e);
}

/* -- ends ---------------------------------------------------------------------
 */

static void put_limit(struct jw *w, str message) {
    jw_key(w, "error");
    jw_object(w);
    jw_put_text(w, "type", STR("Limit"));
    jw_put_text(w, "message", message);
    jw_end_object(w);
}

int outcome_ended(struct run *r, const struct worker_event *ev,
                  const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    struct jw w = JW(&text);
    str output = buf_str(&r->output), value = {NULL, 0};
    bool done = ev->kind == WORKER_DONE;
    jw_object(&w);
    put_head(&w, r, done ? "done" : "failed");
    if (done) put_value(&w, r, ev, &value);
    if (ev->kind == WORKER_RAISED) put_error(&w, ev->traceback);
    if (ev->kind == WORKER_LIMIT || ev->kind == WORKER_FAILED)
        put_limit(&w, ev->error);
    jw_put_text(&w, "output", head_of(output, shown_max(r)));
    put_calls(&w, r);
    put_usage(&w, r);
    if (output.n > shown_max(r) || value.n > shown_max(r)) {
        jw_key(&w, "truncated");
        jw_object(&w);
        jw_put_text(&w, "hint",
                    STR("tools.read(handle, start, end) in a program gives the "
                        "rest"));
        if (value.n > shown_max(r) && keep_rest(r, &w, "value", value, e))
            return -1;
        if (output.n > shown_max(r) && keep_rest(r, &w, "output", output, e))
            return -1;
        jw_end_object(&w);
    }
    jw_end_object(&w);
    return read_back(r, &w, out, e);
}

/* What a model gets back before anything ran: each problem with its line. */
int outcome_checked(struct run *r, const struct json *problems,
                    const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    struct jw w = JW(&text);
    const struct json *first = json_at(problems, 0);
    jw_object(&w);
    put_head(&w, r, "failed");
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "type", STR("CheckError"));
    jw_put_text(&w, "message", json_get_text(first, "message", STR("")));
    jw_put_text(&w, "hint", STR("Nothing was run and no tool was called."));
    jw_key(&w, "problems");
    jw_value(&w, problems);
    jw_end_object(&w);
    put_calls(&w, r);
    put_usage(&w, r);
    jw_end_object(&w);
    return read_back(r, &w, out, e);
}

int outcome_warn(struct run *r, str text, const struct json **outcome,
                 struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *was = *outcome;
    build_object(&b);
    const struct json *key = json_first(was);
    for (size_t i = json_len(was); i > 0; i--, key = json_skip(key + 1)) {
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_put_text(&b, "warning", text);
    build_end(&b);
    return build_done(&b, outcome, e);
}

int outcome_failed(struct run *r, const char *type, const char *message,
                   const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    struct jw w = JW(&text);
    jw_object(&w);
    put_head(&w, r,
             r->expired     ? "expired"
             : r->cancelled ? "cancelled"
                            : "failed");
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "type", str_of(type));
    jw_put_text(&w, "message", str_of(message));
    jw_end_object(&w);
    put_calls(&w, r);
    put_usage(&w, r);
    jw_end_object(&w);
    return read_back(r, &w, out, e);
}

int outcome_waiting(struct run *r, const struct json **out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    struct jw w = JW(&text);
    struct store_approval p;
    const struct json *card;
    if (store_approval_get(r->runs->config.store, str_of(r->approval), &a, &p,
                           e) ||
        json_parse(p.card, NULL, &a, &card, e))
        return -1;
    jw_object(&w);
    put_head(&w, r, "waiting");
    jw_key(&w, "waiting");
    jw_object(&w);
    jw_put_text(&w, "approval", p.id);
    jw_put_text(&w, "tool", p.tool);
    jw_put_text(&w, "reason", json_get_text(card, "reason", STR("")));
    jw_end_object(&w);
    jw_put_text(&w, "hint",
                STR("A person must answer first. The run goes on by itself "
                    "after that; ask for it by its id."));
    put_calls(&w, r);
    jw_end_object(&w);
    return read_back(r, &w, out, e);
}
