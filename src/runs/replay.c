/* SPDX-License-Identifier: MIT */
#include "runs/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "cordon.h"
#include "runs/failure.h"
#include "json/write.h"

#define MEMORY ((size_t)256 << 20)

/* One call of the journal. */
struct past {
    const struct json *intent, *result;
};

struct replaying {
    struct arena arena;
    struct map calls; /* number -> struct past */
    struct store_run run;
    const struct json *options;
    cordon_session *vm;
    struct replay *out;
};

static str name_of(uint64_t call, char out[24]) {
    snprintf(out, 24, "%" PRIu64, call);
    return str_of(out);
}

static int take_event(void *data, const struct store_event *ev, struct err *e) {
    struct replaying *p = data;
    const struct json *v;
    char name[24];
    bool intent = str_is(ev->kind, "intent");
    if (!intent && !str_is(ev->kind, "result")) return 0;
    if (json_parse(ev->data, NULL, &p->arena, &v, e)) return -1;
    str key = name_of((uint64_t)json_get_int(v, "call", 0), name);
    struct past *past = map_get(&p->calls, key);
    if (!past) {
        past = arena_zalloc(&p->arena, 1, sizeof *past, e);
        if (!past || map_put(&p->calls, key, past, NULL, e)) return -1;
    }
    *(intent ? &past->intent : &past->result) = v;
    return 0;
}

/* The functions the run called are all that it needs. */
static int add_functions(struct replaying *p, cordon_options *o,
                         struct err *e) {
    const struct map_entry *it;
    AUTO_MAP struct map seen = MAP_MAX(1 << 16);
    for (size_t i = 0; (it = map_next(&p->calls, &i));) {
        const struct past *past = it->value;
        str as = json_get_text(past->intent, "as", STR(""));
        if (as.n == 0 || map_get(&seen, as)) continue;
        const char *name = arena_text(&p->arena, as, e);
        if (!name || map_put(&seen, as, p, NULL, e)) return -1;
        if (cordon_options_function(o, name, 0))
            return fail(e, ERR_INVALID, "%s cannot be a function", name);
    }
    return cordon_options_function(o, "tools.call", 0)
               ? fail(e, ERR_MEMORY, "out of memory")
               : 0;
}

static int open_vm(struct replaying *p, struct err *e) {
    const struct json *o = p->options;
    const char *why = "";
    struct cordon_limits limits = {
        .steps = (uint64_t)json_get_int(o, "steps", 0),
        .memory = (uint64_t)json_get_int(o, "memory", 0),
        .time_ms = (uint64_t)json_get_int(o, "time_ms", 0),
        .output = (uint64_t)json_get_int(o, "output", 0),
        .depth = (uint32_t)json_get_int(o, "depth", 0),
        .calls = (uint32_t)json_get_int(o, "calls", 0)};
    cordon_options *options = cordon_options_new();
    if (!options) return fail(e, ERR_MEMORY, "out of memory");
    cordon_options_limits(options, &limits);
    int status = add_functions(p, options, e);
    if (status == 0 && !(p->vm = cordon_session_new(options, &why)))
        status = fail(e, ERR_MEMORY, "%s", why);
    cordon_options_free(options);
    return status;
}

static void differ(struct replaying *p, const char *text) {
    p->out->at = cordon_call_id(p->vm);
    snprintf(p->out->why, sizeof p->out->why, "%.*s",
             (int)sizeof p->out->why - 1, text);
}

/* In the words it had then. */
static enum cordon_status raise_again(struct replaying *p,
                                      const struct past *past) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    const struct json *error = json_get(past->result, "error");
    const struct json *value = json_get(past->result, "value");
    const char *type = error ? failure_type(error) : "";
    struct err e;
    int status =
        error ? failure_text(json_get_text(past->intent, "tool", STR("tool")),
                             error, &text, &e)
        : value && json_type(value) == JSON_STRING
            ? buf_add_str(&text, json_str(value), &e)
        : value ? json_write(value, JSON_COMPACT, &text, &e)
                : 0;
    return cordon_resume_error(p->vm, type[0] ? type : NULL,
                               status ? "failed" : buf_text(&text));
}

/* CORDON_FAILED with p->out->why set when the way is another one. */
static enum cordon_status hand_out(struct replaying *p) {
    char name[24];
    AUTO_BUF struct buf text = BUF_MAX(MEMORY);
    struct err e;
    const struct past *past =
        map_get(&p->calls, name_of(cordon_call_id(p->vm), name));
    if (!past || !past->intent) {
        differ(p, "it makes a call that is not in the journal");
        return CORDON_FAILED;
    }
    str as = json_get_text(past->intent, "as", STR(""));
    str now = str_of(cordon_call_name(p->vm));
    if (!str_eq(as, now) && !str_is(now, "tools.call")) {
        differ(p, "it calls another tool than it did");
        return CORDON_FAILED;
    }
    if (!past->result) {
        differ(p, "the journal has no result for this call");
        return CORDON_FAILED;
    }
    p->out->calls++;
    const struct json *value = json_get(past->result, "value");
    str status = json_get_text(past->result, "status", STR(""));
    if (!str_is(status, "done") || !value) return raise_again(p, past);
    if (json_write(value, JSON_COMPACT, &text, &e)) {
        differ(p, e.text);
        return CORDON_FAILED;
    }
    return cordon_resume_json(p->vm, text.data, text.len);
}

static void compare(struct replaying *p, enum cordon_status status) {
    struct json_limits loose = {.keep_duplicates = true};
    const struct json *then, *now = NULL;
    struct err e;
    bool done = status == CORDON_DONE;
    if (p->out->why[0]) return;
    if (done != (p->run.state == RUN_DONE)) {
        differ(p, done ? "it ends well now" : "it fails now");
        return;
    }
    const char *json = done ? cordon_result_json(p->vm) : NULL;
    if (p->run.result.n == 0 ||
        json_parse(p->run.result, &loose, &p->arena, &then, &e))
        return;
    const struct json *value = json_get(then, "value");
    size_t len;
    const char *printed = cordon_output(p->vm, &len);
    str output = json_get_text(then, "output", STR(""));
    if (value && json &&
        (json_parse(str_of(json), &loose, &p->arena, &now, &e) ||
         !json_equal(value, now)))
        differ(p, "its value is another one");
    else if (!str_starts((str){printed, len}, output))
        differ(p, "it prints something else");
    else
        p->out->same = true;
}

static int write_outcome(struct replaying *p, enum cordon_status status,
                         struct buf *out, struct err *e) {
    struct jw w = JW(out);
    size_t len;
    const char *printed = cordon_output(p->vm, &len);
    const char *json = status == CORDON_DONE ? cordon_result_json(p->vm) : NULL;
    jw_object(&w);
    jw_put_bool(&w, "same", p->out->same);
    jw_put_int(&w, "calls", (int64_t)p->out->calls);
    if (p->out->why[0]) {
        jw_put_int(&w, "differs_at_call", (int64_t)p->out->at);
        jw_put_text(&w, "why", str_of(p->out->why));
    }
    if (json) {
        jw_key(&w, "value");
        jw_raw(&w, str_of(json));
    }
    jw_put_text(&w, "output", (str){printed, len});
    if (status == CORDON_RAISED)
        jw_put_text(&w, "traceback", str_of(cordon_traceback(p->vm)));
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int replay(struct replaying *p, struct store *s, str id,
                  struct buf *outcome, struct err *e) {
    if (store_run_get(s, id, &p->arena, &p->run, e)) return -1;
    if (p->run.session.n)
        return fail(e, ERR_UNSUPPORTED,
                    "a run in a session begins with variables that are gone");
    if (json_parse(p->run.options, NULL, &p->arena, &p->options, e) ||
        store_events(s, id, 1, take_event, p, e) || open_vm(p, e))
        return -1;
    enum cordon_status status =
        cordon_run_file(p->vm, p->run.program.p, p->run.program.n, "<program>");
    while (status == CORDON_CALL)
        status = hand_out(p);
    compare(p, status);
    return write_outcome(p, status, outcome, e);
}

int replay_run(struct store *s, str id, struct replay *out, struct buf *outcome,
               struct err *e) {
    struct replaying p = {
        .arena = ARENA_MAX(MEMORY), .calls = MAP_MAX(1 << 20), .out = out};
    *out = (struct replay){0};
    int status = replay(&p, s, id, outcome, e);
    cordon_session_free(p.vm);
    map_fini(&p.calls);
    arena_fini(&p.arena);
    return status;
}
