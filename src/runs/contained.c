/* SPDX-License-Identifier: MIT
 *
 * Runs in the container tier: CPython in a fresh sandbox (task.h). A job begins
 * again when it was killed or its time was over, and finds its checkpoint
 * folder as it left it; after a crash of ours every run does. Calls that were
 * made are not made again: the same call gets the same answer. The row, the
 * journal, the quota, progress, the end and who is told of it are those of
 * every run. One that waits for a person waits as a process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "runs/checkpoint.h"
#include "runs/inside.h"
#include "runs/task.h"
#include "sandbox/python.h"
#include "json/write.h"

#define CAGE_BYTES ((size_t)16 << 20)
#define LOOK_NS    ((int64_t)1000000000)

struct contained {
    struct run *run;
    struct arena arena; /* of the cage and what was called before */
    struct cage cage;
    struct task *task;
    struct buf path;      /* of the checkpoint folder; empty: it has none */
    struct io_timer look; /* at its size */
    struct io_task asked; /* a question was put */
    struct io_task after; /* the attempt: nothing of it is in use then */
    bool again;           /* another attempt follows */
    struct err err;       /* why there is none */
};

/* -- the sandbox --------------------------------------------------------------
 */

/* The class of the run, unless the operator gives less. */
static void set_limits(struct cage *c, const struct cordon_limits *l) {
    if (l->time_ms) c->limits.wall = l->time_ms * 1000000;
    if (l->memory) c->limits.memory = l->memory;
    if (l->output) c->limits.output = l->output;
}

static int add_checkpoint(struct contained *k, struct err *e) {
    const char *folder = k->run->runs->config.checkpoints;
    char bind[4096];
    if (checkpoint_make(folder, k->run->id, &k->path, e)) return -1;
    snprintf(bind, sizeof bind, "%s:%s", buf_text(&k->path), CHECKPOINT_AT);
    return cage_add_bind(&k->cage, BIND_RW, str_of(bind), e) ||
                   cage_add_env(&k->cage, STR(CHECKPOINT_ENV "=" CHECKPOINT_AT),
                                e)
               ? -1
               : 0;
}

static int describe(struct contained *k, struct err *e) {
    const struct runs_config *config = &k->run->runs->config;
    const struct json *v = config->sandbox;
    cage_init(&k->cage, &k->arena);
    k->cage.tls = config->tls;
    set_limits(&k->cage, &k->run->limits);
    if (v && config->secrets &&
        secrets_expand_json(config->secrets, v, &k->arena, &v, e))
        return -1;
    if (v && cage_from_json(&k->cage, v, e)) return fail_while(e, "sandbox");
    k->cage.tier = TIER_CONTAINER;
    k->cage.keep_scratch = true;
    return strcmp(k->run->kind, "job") == 0 ? add_checkpoint(k, e) : 0;
}

/* -- what was called before ---------------------------------------------------
 */

static int by_number(const void *a, const void *b) {
    const struct task_past *x = a, *y = b;
    int64_t n = json_get_int(x->intent, "call", 0);
    int64_t m = json_get_int(y->intent, "call", 0);
    return n < m ? -1 : n > m;
}

/* Newest last: the task keeps them newest first, and hands out the oldest. */
static int take_past(struct contained *k, struct task_config *to,
                     struct err *e) {
    const struct map *memory = &k->run->memory;
    const struct map_entry *it;
    struct task_past *all =
        arena_zalloc(&k->arena, memory->live + 1, sizeof *all, e);
    size_t n = 0;
    if (!all) return -1;
    for (size_t i = 0; (it = map_next(memory, &i));) {
        const struct memory *m = it->value;
        if (m->intent) all[n++] = (struct task_past){m->intent, m->result};
    }
    qsort(all, n, sizeof *all, by_number);
    to->past = all;
    to->past_count = n;
    if (n)
        to->past_number = (uint64_t)json_get_int(all[n - 1].intent, "call", 0);
    return 0;
}

static int take_given(struct contained *k, struct task_config *to,
                      struct err *e) {
    size_t n = 0;
    for (const struct run_grant *g = k->run->grants; g; g = g->next)
        n++;
    const struct json **all = arena_zalloc(&k->arena, n + 1, sizeof *all, e);
    if (!all) return -1;
    for (const struct run_grant *g = k->run->grants; g; g = g->next)
        all[to->given_count++] = g->need;
    to->given = all;
    return 0;
}

/* -- ends ---------------------------------------------------------------------
 */

static void put_value(struct jw *w, const struct python_left *left) {
    if (left->value) {
        jw_key(w, "value");
        jw_value(w, left->value);
    } else if (left->has_repr) {
        cage_put_bytes(w, "repr", left->repr);
    }
}

/* [{"type", "handle"}]: the run owns the bytes. */
static void put_pictures(struct jw *w, struct run *r, int scratch,
                         const struct file_list *files) {
    size_t room = FILES_SHOWN;
    jw_key(w, "pictures");
    jw_array(w);
    for (size_t i = 0; i < files->count; i++) {
        AUTO_BUF struct buf bytes = BUF_MAX(FILES_SHOWN);
        const struct file_entry *f = &files->entries[i];
        char id[STORE_ID];
        struct err e;
        if (!files_picture(scratch, f, &room, &bytes) ||
            outcome_keep(r, str_of(r->id), f->type, buf_str(&bytes), id, &e))
            continue;
        jw_object(w);
        jw_put_text(w, "type", str_of(f->type));
        jw_put_text(w, "handle", str_of(id));
        jw_end_object(w);
    }
    jw_end_array(w);
}

static int put_left(struct jw *w, struct run *r, struct jail *jail, bool good,
                    struct err *e) {
    struct python_left left;
    int scratch = jail ? jail_scratch(jail) : -1;
    if (scratch < 0) return 0;
    if (python_left(scratch, &r->arena, &left, e)) return -1;
    if (good) put_value(w, &left);
    if (left.files.count == 0) return 0;
    jw_key(w, "files");
    files_list_write(&left.files, w);
    put_pictures(w, r, scratch, &left.files);
    return 0;
}

static str last_line(str text) {
    str all = str_trim(text);
    size_t at = all.n;
    while (at > 0 && all.p[at - 1] != '\n')
        at--;
    return str_sub(all, at, all.n);
}

static void put_error(struct jw *w, const struct cage_result *result) {
    str text = buf_str(&result->err.kept), line = last_line(text), rest = line;
    str type = str_cut(&rest, ':');
    char words[100];
    jw_key(w, "error");
    jw_object(w);
    if (result->stop != STOP_NONE || result->signal) {
        snprintf(words, sizeof words, "ended by %s",
                 result->stop == STOP_TIME     ? "its time limit"
                 : result->stop == STOP_MEMORY ? "its memory limit"
                                               : "a signal");
        jw_put_text(w, "type", STR("Limit"));
        jw_put_text(w, "message", str_of(words));
    } else {
        cage_put_bytes(w, "type", rest.p ? type : STR("Exit"));
        cage_put_bytes(w, "message", rest.p ? str_trim(rest) : line);
    }
    cage_put_bytes(w, "traceback",
                   str_sub(text, text.n > 16384 ? text.n - 16384 : 0, text.n));
    jw_end_object(w);
}

static int write_outcome(struct contained *k, const struct cage_result *result,
                         struct jail *jail, struct buf *out, struct err *e) {
    struct run *r = k->run;
    bool good = cage_exit_status(result) == 0;
    str output = buf_str(&result->out.kept);
    size_t shown =
        r->runs->config.shown_max ? r->runs->config.shown_max : 16384;
    struct jw w = JW(out);
    r->usage.memory_peak = result->memory_peak;
    r->usage.time_ns = (uint64_t)result->cpu_ns;
    jw_object(&w);
    jw_put_text(&w, "run", str_of(r->id));
    jw_put_text(&w, "state", good ? STR("done") : STR("failed"));
    jw_put_text(&w, "tier", STR("container"));
    if (put_left(&w, r, jail, good, e)) return -1;
    if (!good) put_error(&w, result);
    cage_put_bytes(&w, "output", str_sub(output, 0, shown));
    if (output.n > shown) jw_put_bool(&w, "output_cut", true);
    jw_put_int(&w, "attempts", (int64_t)r->attempts);
    outcome_put_work(&w, r);
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* CPython does not carry labels: what the model is shown is as bad as all that
 * the program was handed. */
static void note_shown(const struct contained *k, str outcome) {
    const struct run *r = k->run;
    struct shown *s = boundary_shown(r->runs->config.boundary, r->conversation);
    struct err e;
    if (s && shown_text(s, outcome, task_label(k->task), &e)) shown_forgot(s);
}

/* Killed, or out of time: what it kept is worth another attempt. */
static bool may_go_on(const struct contained *k,
                      const struct cage_result *result) {
    bool cut = result->stop == STOP_TIME || result->stop == STOP_MEMORY ||
               (result->stop == STOP_NONE && result->signal == 9);
    return cut && k->run->attempts < k->run->attempts_max;
}

static void on_done(void *data, const struct cage_result *result,
                    struct jail *jail, const struct err *why) {
    struct contained *k = data;
    struct run *r = k->run;
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    k->again = result && may_go_on(k, result);
    if (!result)
        k->err = *why;
    else if (!k->again && (write_outcome(k, result, jail, &text, &k->err) ||
                           json_parse(buf_str(&text), NULL, &r->arena,
                                      &r->outcome, &k->err)))
        result = NULL;
    if (result && !k->again) note_shown(k, buf_str(&text));
    r->end_state =
        result && cage_exit_status(result) == 0 ? RUN_DONE : RUN_FAILED;
    if (!result) r->outcome = NULL;
    loop_post(r->runs->config.loop, &k->after);
}

static void on_after(struct io_task *t) {
    struct contained *k = t->data;
    struct run *r = k->run;
    struct err e;
    bool again = k->again;
    const struct json *outcome = r->outcome;
    e = k->err;
    contained_stop(r);
    if (again && run_recall(r, &e) == 0)
        run_start(r);
    else if (!again && outcome)
        run_end(r, r->end_state, outcome);
    else
        run_fail(r, e.kind == ERR_DENIED ? "PermissionError" : "SandboxError",
                 e.text);
}

/* -- while it runs ------------------------------------------------------------
 */

static void on_progress(void *data, const struct json *python) {
    struct contained *k = data;
    struct run_call c = {.run = k->run, .python = python};
    struct err e;
    (void)run_note_progress(&c, &e); /* what is wrong with it is left alone */
}

static void on_called(void *data, str tool, const char *status, int64_t ns) {
    struct contained *k = data;
    struct run_call c = {.run = k->run, .began = clock_mono_ns() - ns};
    char text[200];
    snprintf(text, sizeof text, "%.*s", STR_ARG(tool));
    outcome_add_call(k->run, &c, text, status);
}

static enum task_right on_right(void *data, const struct entry *t) {
    const struct contained *k = data;
    if (run_allows(k->run, t)) return TASK_HAS;
    return run_wants(k->run, t) ? TASK_ASKS : TASK_NONE;
}

/* Those who wait are told later: they may end the run. */
static void on_asked(void *data, str approval) {
    struct contained *k = data;
    struct run *r = k->run;
    snprintf(r->approval, sizeof r->approval, "%.*s", STR_ARG(approval));
    loop_post(r->runs->config.loop, &k->asked);
}

static void on_asked_later(struct io_task *t) {
    struct contained *k = t->data;
    struct run *r = k->run;
    store_wait_stop(r->runs->config.store, &r->written); /* of one before */
    run_paused(r);
}

static void on_look(struct io_timer *t) {
    struct contained *k = t->data;
    struct run *r = k->run;
    struct err e;
    if (checkpoint_check(buf_text(&k->path), &e)) {
        run_fail(r, "Limit", e.text);
        return;
    }
    (void)loop_timer(r->runs->config.loop, t, LOOK_NS, &e);
}

/* -- a life -------------------------------------------------------------------
 */

static int note_attempt(struct run *r, struct err *e) {
    char text[40];
    snprintf(text, sizeof text, "{\"attempt\":%llu}",
             (unsigned long long)++r->attempts);
    return journal_add(&r->journal, "attempt", str_of(text), e);
}

static int begin(struct contained *k, struct err *e) {
    struct run *r = k->run;
    const struct runs_config *all = &r->runs->config;
    struct shown *shown = boundary_shown(all->boundary, r->conversation);
    struct task_config config = {.loop = all->loop,
                                 .boundary = all->boundary,
                                 .store = all->store,
                                 .audit = all->audit,
                                 .pools = all->pools,
                                 .cage = &k->cage,
                                 .program = r->program,
                                 .tier_reason = r->tier_why,
                                 .principal = r->principal,
                                 .client = r->client,
                                 .user_text = r->user_text,
                                 .turn = shown ? shown_turn(shown) : NULL,
                                 .right = on_right,
                                 .can_ask = r->can_ask,
                                 .journal = &r->journal,
                                 .progress = on_progress,
                                 .called = on_called,
                                 .asked = on_asked,
                                 .done = on_done,
                                 .data = k};
    k->look = (struct io_timer){.fn = on_look, .data = k};
    k->asked = (struct io_task){.fn = on_asked_later, .data = k};
    k->after = (struct io_task){.fn = on_after, .data = k};
    if (describe(k, e) || take_past(k, &config, e) ||
        take_given(k, &config, e) || note_attempt(r, e) ||
        (k->path.len && loop_timer(all->loop, &k->look, LOOK_NS, e)))
        return -1;
    k->task = task_start(&config, e);
    return k->task ? 0 : -1;
}

void contained_start(struct run *r) {
    struct err e;
    struct contained *k = mem_zalloc(1, sizeof *k, &e);
    if (!k) {
        run_fail(r, "SandboxError", e.text);
        return;
    }
    *k = (struct contained){
        .run = r, .arena = ARENA_MAX(CAGE_BYTES), .path = BUF_MAX(4096)};
    r->contained = k;
    if (begin(k, &e)) run_fail(r, "SandboxError", e.text);
}

void contained_stop(struct run *r) {
    struct contained *k = r->contained;
    if (!k) return;
    r->contained = NULL;
    loop_timer_stop(&k->look);
    loop_unpost(r->runs->config.loop, &k->asked);
    loop_unpost(r->runs->config.loop, &k->after);
    store_wait_stop(r->runs->config.store, &r->written);
    task_free(k->task);
    buf_fini(&k->path);
    arena_fini(&k->arena);
    mem_free(k);
}

/* -- folders that nobody needs ------------------------------------------------
 */

static void remove_stale(void *data, const char *run) {
    struct runs *rs = data;
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    struct store_run row;
    struct err e;
    bool there =
        store_run_get(rs->config.store, str_of(run), &a, &row, &e) == 0;
    bool gone = there ? run_state_ended(row.state) : e.kind == ERR_MISSING;
    if (gone) (void)checkpoint_remove(rs->config.checkpoints, run, &e);
}

void contained_tidy(struct runs *rs) {
    if (rs->config.checkpoints)
        checkpoint_each(rs->config.checkpoints, remove_stale, rs);
}

void contained_forget(struct run *r) {
    struct err e;
    if (r->contains)
        (void)checkpoint_remove(r->runs->config.checkpoints, r->id, &e);
}
