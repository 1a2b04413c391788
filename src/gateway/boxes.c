/* SPDX-License-Identifier: MIT */
#include "gateway/boxes.h"

#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/mem.h"
#include "gateway/hub.h"
#include "gateway/question.h"
#include "runs/task.h"
#include "sandbox/python.h"
#include "sandbox/tls.h"
#include "json/build.h"

#define BOX_BYTES    ((size_t)64 << 20)
#define ANSWER_BYTES ((size_t)32 << 20)
#define OUTPUT_BYTES                                         \
    ((uint64_t)64 << 10) /* of each stream: a model reads it \
                          */
#define WAIT_NS ((int64_t)50 * 1000000000)

enum { BOXES_MAX = 64 };

/* One program. It stays until somebody was told how it ended. */
struct box {
    struct boxes *owner;
    struct box *next;
    struct arena arena;
    struct cage cage;
    str code, principal;
    struct task *task;
    struct mcp_request *request; /* who waits for it; NULL: nobody just now */
    struct io_timer timer;       /* after which it is told that it runs */
    struct io_task goodbye;      /* it is freed when its task is not at work */
    char approval[STORE_ID];     /* the question that stands, or "" */
    const struct json *answer; /* how it ended, as MCP has it; NULL: it runs */
};

struct boxes {
    struct boxes_config config;
    struct arena arena; /* of a copy: settings change */
    struct box *first;
    size_t count;
};

/* -- boxes --------------------------------------------------------------------
 */

static void free_box(struct box *x) {
    struct boxes *b = x->owner;
    struct box **at = &b->first;
    while (*at && *at != x)
        at = &(*at)->next;
    if (*at) *at = x->next;
    b->count--;
    loop_timer_stop(&x->timer);
    loop_unpost(b->config.loop, &x->goodbye);
    task_free(x->task);
    arena_fini(&x->arena);
    mem_free(x);
}

static void on_goodbye(struct io_task *t) {
    free_box(t->data);
}

/* The oldest whose end nobody came for makes room. */
static int make_room(struct boxes *b, struct err *e) {
    struct box *oldest = NULL;
    if (b->count < BOXES_MAX) return 0;
    for (struct box *x = b->first; x; x = x->next)
        if (x->answer && !x->request) oldest = x;
    if (!oldest)
        return fail(e, ERR_LIMIT, "%d programs run already", BOXES_MAX);
    free_box(oldest);
    return 0;
}

/* Of the same principal: others do not learn that it exists. */
static struct box *find_box(const struct boxes *b, str run, str principal) {
    for (struct box *x = b->first; x; x = x->next)
        if (x->task && str_is(run, task_id(x->task)) &&
            str_eq(x->principal, principal))
            return x;
    return NULL;
}

/* -- answers ------------------------------------------------------------------
 */

static void let_go(struct box *x) {
    loop_timer_stop(&x->timer);
    mcp_set_state(x->request, NULL);
    x->request = NULL;
}

static void tell_end(struct box *x) {
    struct mcp_request *r = x->request;
    let_go(x);
    mcp_answer(r, x->answer);
    x->goodbye = (struct io_task){.fn = on_goodbye, .data = x};
    loop_post(x->owner->config.loop, &x->goodbye);
}

static void tell_state(struct box *x, const char *state, const char *hint) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct mcp_request *r = x->request;
    struct jw w = JW(&text);
    struct err e;
    jw_object(&w);
    jw_put_text(&w, "run", str_of(task_id(x->task)));
    jw_put_text(&w, "state", str_of(state));
    if (x->approval[0]) jw_put_text(&w, "approval", str_of(x->approval));
    jw_put_text(&w, "hint", str_of(hint));
    jw_end_object(&w);
    let_go(x);
    if (jw_done(&w, &e)) buf_truncate(&text, 0);
    hub_answer_text(r, buf_str(&text), false);
}

static void on_long(struct io_timer *t) {
    tell_state(t->data, "running",
               "It takes longer. Call run_code with this run's id to wait for "
               "it.");
}

static void tell_asked(struct box *x) {
    struct mcp_request *r = x->request;
    struct err e;
    if (mcp_client_can(r, "elicitation")) {
        let_go(x);
        if (question_put(r, x->owner->config.store, task_id(x->task),
                         str_of(x->approval), &e))
            hub_answer_text(r, str_of(e.text), true);
        return;
    }
    tell_state(x, "waiting",
               "A person must agree first; call run_code with this run's id "
               "later.");
}

/* What a model reads, and a program that drives Cordon as well. */
static void write_outcome(const struct box *x, const struct cage_result *r,
                          const struct python_left *left, struct jw *w) {
    bool done = cage_exit_status(r) == 0;
    jw_object(w);
    jw_put_text(w, "run", str_of(task_id(x->task)));
    jw_put_text(w, "state", done ? STR("done") : STR("failed"));
    if (left->value) {
        jw_key(w, "value");
        jw_value(w, left->value);
    } else if (left->has_repr) {
        cage_put_bytes(w, "repr", left->repr);
    }
    if (r->out.total) cage_put_bytes(w, "output", buf_str(&r->out.kept));
    if (r->err.total) cage_put_bytes(w, "error", buf_str(&r->err.kept));
    if (r->out.total > r->out.kept.len || r->err.total > r->err.kept.len)
        jw_put_bool(w, "truncated", true);
    if (!done) jw_put_int(w, "exit", cage_exit_status(r));
    if (r->stop != STOP_NONE)
        jw_put_text(w, "stopped_by", str_of(cage_stop_name(r->stop)));
    if (left->files.count) {
        jw_key(w, "files");
        files_list_write(&left->files, w);
    }
    jw_end_object(w);
}

static void write_pictures(int scratch, const struct file_list *files,
                           struct jw *w) {
    size_t room = FILES_SHOWN;
    for (size_t i = 0; i < files->count; i++) {
        AUTO_BUF struct buf bytes = BUF_MAX(FILES_SHOWN);
        AUTO_BUF struct buf text = BUF_MAX(2 * FILES_SHOWN);
        struct err e;
        if (!files_picture(scratch, &files->entries[i], &room, &bytes) ||
            base64_encode(buf_str(&bytes), &text, &e))
            continue;
        jw_object(w);
        jw_put_text(w, "type", STR("image"));
        jw_put_text(w, "data", buf_str(&text));
        jw_put_text(w, "mimeType", str_of(files->entries[i].type));
        jw_end_object(w);
    }
}

static int write_answer(const struct box *x, const struct cage_result *r,
                        int scratch, struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BOX_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(ANSWER_BYTES);
    struct python_left left = {.value = NULL};
    const struct json *outcome;
    struct jw o = JW(&text), w = JW(out);
    if (scratch >= 0 && python_left(scratch, &a, &left, e)) return -1;
    write_outcome(x, r, &left, &o);
    if (jw_done(&o, e) || json_parse(buf_str(&text), NULL, &a, &outcome, e))
        return -1;
    jw_object(&w);
    jw_key(&w, "content");
    jw_array(&w);
    jw_object(&w);
    jw_put_text(&w, "type", STR("text"));
    jw_put_text(&w, "text", buf_str(&text));
    jw_end_object(&w);
    if (scratch >= 0) write_pictures(scratch, &left.files, &w);
    jw_end_array(&w);
    jw_key(&w, "structuredContent");
    jw_value(&w, outcome);
    jw_put_bool(&w, "isError", cage_exit_status(r) != 0);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int write_failure(const struct err *why, struct buf *out,
                         struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "content");
    jw_array(&w);
    jw_object(&w);
    jw_put_text(&w, "type", STR("text"));
    jw_put_text(&w, "text", str_of(why->text));
    jw_end_object(&w);
    jw_end_array(&w);
    jw_put_bool(&w, "isError", true);
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* -- the task -----------------------------------------------------------------
 */

static void on_done(void *data, const struct cage_result *r, struct jail *jail,
                    const struct err *why) {
    struct box *x = data;
    AUTO_BUF struct buf text = BUF_MAX(ANSWER_BYTES);
    struct err e;
    int scratch = jail ? jail_scratch(jail) : -1;
    if (r && write_answer(x, r, scratch, &text, &e)) why = &e;
    if (why || !r) {
        struct err gone = {.kind = ERR_DENIED, .text = "it was not allowed"};
        buf_truncate(&text, 0);
        if (write_failure(why ? why : &gone, &text, &e)) buf_truncate(&text, 0);
    }
    if (json_parse(buf_str(&text), NULL, &x->arena, &x->answer, &e))
        (void)json_parse(STR("{\"content\":[],\"isError\":true}"), NULL,
                         &x->arena, &x->answer, &e);
    if (x->request && x->answer) tell_end(x);
}

static void on_asked(void *data, str approval) {
    struct box *x = data;
    snprintf(x->approval, sizeof x->approval, "%.*s", STR_ARG(approval));
    if (x->request && x->task) tell_asked(x);
}

static int describe(struct box *x, struct err *e) {
    const struct boxes_config *config = &x->owner->config;
    const struct json *v = config->sandbox;
    cage_init(&x->cage, &x->arena);
    x->cage.tls = &tls_openssl;
    if (v && (secrets_expand_json(config->secrets, v, &x->arena, &v, e) ||
              cage_from_json(&x->cage, v, e)))
        return -1;
    x->cage.tier = TIER_CONTAINER;
    x->cage.keep_scratch = true;
    x->cage.limits.output = OUTPUT_BYTES;
    return 0;
}

static void attach(struct box *x, struct mcp_request *r) {
    const struct boxes_config *config = &x->owner->config;
    struct err e;
    x->request = r;
    mcp_set_state(r, x);
    x->timer = (struct io_timer){.fn = on_long, .data = x};
    (void)loop_timer(config->loop, &x->timer,
                     config->wait_ns ? config->wait_ns : WAIT_NS, &e);
}

static int start(struct box *x, struct mcp_request *r, struct err *e) {
    const struct boxes_config *config = &x->owner->config;
    const struct task_config task = {.loop = config->loop,
                                     .boundary = config->boundary,
                                     .store = config->store,
                                     .audit = config->audit,
                                     .pools = config->pools,
                                     .cage = &x->cage,
                                     .program = x->code,
                                     .principal = x->principal,
                                     .client = STR("mcp"),
                                     .can_ask = true,
                                     .asked = on_asked,
                                     .done = on_done,
                                     .data = x};
    if (describe(x, e)) return -1;
    x->task = task_start(&task, e);
    if (!x->task) return -1;
    attach(x, r);
    if (x->answer)
        tell_end(x); /* it could not begin */
    else if (x->approval[0])
        tell_asked(x);
    return 0;
}

static int submit(struct boxes *b, struct mcp_request *r, str code,
                  struct err *e) {
    if (!code.n) return fail(e, ERR_INVALID, "code: a program is wanted");
    if (make_room(b, e)) return -1;
    struct box *x = mem_zalloc(1, sizeof *x, e);
    if (!x) return -1;
    *x = (struct box){
        .owner = b, .next = b->first, .arena = ARENA_MAX(BOX_BYTES)};
    b->first = x;
    b->count++;
    if (!arena_dup(&x->arena, code, &x->code, e) &&
        !arena_dup(&x->arena, mcp_who(r)->principal, &x->principal, e) &&
        !start(x, r, e))
        return 0;
    free_box(x);
    return -1;
}

/* -- requests -----------------------------------------------------------------
 */

static void wait_for(struct box *x, struct mcp_request *r) {
    if (x->request) {
        hub_answer_text(r, STR("somebody waits for this run already"), true);
        return;
    }
    attach(x, r);
    if (x->answer) tell_end(x);
}

bool boxes_take(struct boxes *b, struct mcp_request *r,
                const struct json *arguments) {
    str tier = json_get_text(arguments, "tier", STR("script"));
    str asked = question_run(r), run = json_get_text(arguments, "run", STR(""));
    struct err e;
    struct box *x = find_box(b, asked.n ? asked : run, mcp_who(r)->principal);
    if (x && asked.n) {
        x->approval[0] = 0;
        if (question_answer(r, b->config.store, b->config.audit, &e))
            hub_answer_text(r, str_of(e.text), true);
        else
            wait_for(x, r);
    } else if (x) {
        wait_for(x, r);
    } else if (run.n || asked.n || !str_is(tier, "container")) {
        return false;
    } else if (submit(b, r, json_get_text(arguments, "code", STR("")), &e)) {
        hub_answer_text(r, str_of(e.text), true);
    }
    return true;
}

bool boxes_cancel(struct boxes *b, struct mcp_request *r) {
    for (struct box *x = b->first; x; x = x->next) {
        if (x->request != r) continue;
        let_go(x);
        free_box(x);
        hub_answer_text(r, STR("the client cancelled"), true);
        return true;
    }
    return false;
}

/* -- a life -------------------------------------------------------------------
 */

struct boxes *boxes_new(const struct boxes_config *config, struct err *e) {
    struct boxes *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->config = *config;
    b->arena = ARENA_MAX(BOX_BYTES);
    struct json_build copy = JSON_BUILD(&b->arena);
    if (!config->sandbox) return b;
    build_copy(&copy, config->sandbox);
    if (!build_done(&copy, &b->config.sandbox, e)) return b;
    boxes_free(b);
    return NULL;
}

void boxes_free(struct boxes *b) {
    if (!b) return;
    while (b->first)
        free_box(b->first);
    arena_fini(&b->arena);
    mem_free(b);
}
