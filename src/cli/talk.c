/* SPDX-License-Identifier: MIT */
#include "cli/talk.h"

#include "base/clock.h"
#include "base/file.h"
#include "cli/settings.h"
#include "gateway/sample.h"
#include "runs/nursery.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOM      ((size_t)256 << 20)
#define TITLE     72
#define PRINCIPAL STR("local")

/* -- the store --------------------------------------------------------------
 */

static int keep_thread(struct talk *t, const struct message *m, struct err *e) {
    AUTO_BUF struct buf meta = BUF_MAX(4096);
    struct jw w = JW(&meta);
    if (t->title.n == 0 && m->role == ROLE_USER && m->parts.first) {
        str line = m->parts.first->text;
        if (arena_dup(&t->arena, str_sub(str_cut(&line, '\n'), 0, TITLE),
                      &t->title, e))
            return -1;
    }
    jw_object(&w);
    jw_put_text(&w, "model", t->model.model);
    jw_put_text(&w, "provider", str_of(t->model.vendor->name));
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    struct store_thread thread = {.id = str_of(t->thread),
                                  .principal = PRINCIPAL,
                                  .title = t->title,
                                  .meta = buf_str(&meta),
                                  .created = clock_wall_ns(),
                                  .updated = clock_wall_ns()};
    return store_thread_put(t->authority.store, &thread, e);
}

static int keep_message(struct talk *t, const struct message *m,
                        struct err *e) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    if (canon_write_message(m, &body, e)) return -1;
    struct store_message row = {
        .seq = ++t->seq, .body = buf_str(&body), .at = clock_wall_ns()};
    return store_message_put(t->authority.store, str_of(t->thread), &row, e);
}

static void on_message(void *data, const struct message *m) {
    struct talk *t = data;
    struct err e;
    if (t->thread[0] && (keep_thread(t, m, &e) || keep_message(t, m, &e)))
        log_warn(&t->cli->log, "the conversation is not kept: %s", e.text);
    if (t->wanted->message) t->wanted->message(t->data, m);
}

static int take_stored(void *data, const struct store_message *m,
                       struct err *e) {
    struct talk *t = data;
    struct arena *a = agent_arena(t->agent);
    const struct json *v;
    str body;
    t->seq = m->seq;
    if (arena_dup(a, m->body, &body, e) || json_parse(body, NULL, a, &v, e))
        return -1;
    const struct json *parts = json_get(v, "parts");
    if (!parts || json_len(parts) == 0) return 0; /* it was taken back */
    return canon_read_message(v, a, agent_talk(t->agent), e);
}

static int first_thread(void *data, const struct store_thread *thread,
                        struct err *e) {
    struct talk *t = data;
    (void)e;
    snprintf(t->thread, sizeof t->thread, "%.*s", STR_ARG(thread->id));
    return 1;
}

static int find_thread(struct talk *t, const char *which, struct err *e) {
    struct store *s = t->authority.store;
    struct store_thread thread;
    if (strcmp(which, "last") == 0) {
        if (store_threads(s, PRINCIPAL, 1, first_thread, t, e) < 0) return -1;
        if (!t->thread[0])
            return fail(e, ERR_MISSING, "there is no earlier conversation");
    } else {
        snprintf(t->thread, sizeof t->thread, "%s", which);
    }
    if (store_thread_get(s, str_of(t->thread), &t->arena, &thread, e))
        return -1;
    t->title = thread.title;
    return 0;
}

static int begin_thread(struct talk *t, const struct talk_options *o,
                        struct err *e) {
    if (!t->authority.store) return 0;
    if (o->resume && find_thread(t, o->resume, e)) return -1;
    if (!t->thread[0] && !o->forget && store_new_id("talk_", t->thread, e))
        return -1;
    if (!t->thread[0]) return store_new_id("talk_", t->session, e);
    memcpy(t->session, t->thread, sizeof t->session);
    return 0;
}

/* What is taken back is written over, so that it does not come back. */
bool talk_undo(struct talk *t) {
    struct err e;
    uint64_t kept;
    if (!agent_undo(t->agent)) return false;
    kept = 0;
    for (const struct message *m = agent_talk(t->agent)->first; m; m = m->next)
        kept += m->role != ROLE_SYSTEM;
    for (uint64_t seq = kept + 1; t->thread[0] && seq <= t->seq; seq++) {
        struct store_message row = {
            .seq = seq, .body = STR("{\"parts\":[]}"), .at = clock_wall_ns()};
        if (store_message_put(t->authority.store, str_of(t->thread), &row, &e))
            log_warn(&t->cli->log, "%s", e.text);
    }
    t->seq = kept;
    return true;
}

/* -- events in between ------------------------------------------------------
 */

static void on_delta(void *data, enum part_kind kind, str text) {
    struct talk *t = data;
    if (t->wanted->delta) t->wanted->delta(t->data, kind, text);
}

static void on_calling(void *data, const struct part *call) {
    struct talk *t = data;
    if (t->wanted->calling) t->wanted->calling(t->data, call);
}

static void on_called(void *data, const struct part *call,
                      const struct part *result) {
    struct talk *t = data;
    if (t->wanted->called) t->wanted->called(t->data, call, result);
}

static void on_retry(void *data, const char *why, int64_t wait_ns) {
    struct talk *t = data;
    log_info(&t->cli->log, "model server: %s; again in %lld ms", why,
             (long long)(wait_ns / 1000000));
    if (t->wanted->retry) t->wanted->retry(t->data, why, wait_ns);
}

/* Where nobody can be asked the answer stands. */
static void on_unsure(void *data, double sure) {
    struct talk *t = data;
    if (t->wanted->unsure) {
        t->wanted->unsure(t->data, sure);
        return;
    }
    log_warn(&t->cli->log,
             "the model was only %.0f%% sure that it needs no tool",
             100 * sure);
    agent_insist(t->agent, false);
}

static void on_done(void *data, enum agent_end end, const char *why) {
    struct talk *t = data;
    t->over = true;
    t->end = end;
    snprintf(t->why, sizeof t->why, "%s", why);
    if (t->wanted->done) t->wanted->done(t->data, end, why);
}

/* -- opening ----------------------------------------------------------------
 */

static void settled(struct hub_waiter *w) {
    *(bool *)w->data = true;
}

/* A server that may ask a model asks the one that is spoken to, unless another
 * is named. */
static int model_for(void *data, str name, struct arena *a,
                     struct model_config *out, struct err *e) {
    const struct talk *t = data;
    if (name.n)
        return models_choose(t->settings, t->authority.secrets, name.p, NULL, a,
                             out, e);
    *out = t->model;
    return 0;
}

/* Starts the configured servers and waits for them, but not for long. */
static int open_servers(struct talk *t, struct err *e) {
    struct servers_context context = authority_context(&t->authority);
    const struct samples_config samples = {
        .loop = t->loop, .http = t->http, .model = model_for, .data = t};
    if (!(t->samples = samples_new(&samples, e))) return -1;
    const struct hub_config config = {.loop = t->loop,
                                      .log = &t->cli->log,
                                      .http = t->http,
                                      .boundary = t->authority.boundary,
                                      .audit = t->authority.audit,
                                      .pins = t->authority.pins,
                                      .registry_keys =
                                          t->authority.registry_keys,
                                      .surface = HUB_ALL,
                                      .samples = t->samples};
    bool ready = false;
    struct hub_waiter w = {.done = settled, .data = &ready};
    t->hub = hub_new(&config, e);
    if (!t->hub || hub_configure(t->hub, t->settings, &context, e)) return -1;
    hub_wait(t->hub, &w);
    while (!ready)
        if (loop_step(t->loop, -1, e)) return -1;
    return 0;
}

static int open_sources(struct talk *t, struct err *e) {
    const struct provider_host host =
        authority_host(&t->authority, t->loop, t->http, &t->cli->log);
    t->selecting = selecting_new(&host, t->settings, e);
    if (t->selecting) t->sources = sources_open(&host, t->settings, e);
    return t->sources ? 0 : -1;
}

static int read_system(struct talk *t, str *out, struct err *e) {
    const char *given = args_text(&t->cli->args, "system");
    AUTO_BUF struct buf text = BUF_MAX((size_t)1 << 20);
    *out = str_of(agent_default_system);
    if (!given) return 0;
    if (given[0] != '@') {
        *out = str_of(given);
        return 0;
    }
    if (file_read(given + 1, &text, e)) return -1;
    return arena_dup(&t->arena, buf_str(&text), out, e);
}

static struct agent_limits limits_of(const struct args *a) {
    return (struct agent_limits){
        .turns = (int)args_int(a, "max-turns", 0),
        .calls = (int)args_int(a, "max-calls", 0),
        .tokens = args_int(a, "max-tokens", 0),
        .cost = args_real(a, "max-cost", 0),
        .wall_ns = args_duration(a, "max-time", 0),
    };
}

static bool allows(void *data, str scopes, str tool) {
    struct talk *t = data;
    return bound_allows(t->bound, scopes, tool);
}

/* Code mode: runs are rows of the store. */
static int open_runs(struct talk *t, struct err *e) {
    const struct runs_config config = {.loop = t->loop,
                                       .boundary = t->authority.boundary,
                                       .store = t->authority.store,
                                       .audit = t->authority.audit,
                                       .nursery = t->nursery,
                                       .allows = allows,
                                       .data = t};
    if (!t->authority.store) return 0;
    t->runs = runs_new(&config, e);
    return t->runs ? 0 : -1;
}

static enum bound_mode mode_of(const struct args *a) {
    const char *given = args_text(a, "mode");
    str word = given ? str_of(given) : STR("auto");
    if (str_is(word, "code")) return BOUND_CODE;
    return str_is(word, "calls") ? BOUND_CALLS : BOUND_AUTO;
}

static struct choice choice_of(const char *given) {
    static const char *const words[] = {[CHOICE_AUTO] = "auto",
                                        [CHOICE_NONE] = "none",
                                        [CHOICE_REQUIRED] = "required"};
    if (!given) return (struct choice){0};
    for (int i = CHOICE_AUTO; i <= CHOICE_REQUIRED; i++)
        if (str_is(str_of(given), words[i]))
            return (struct choice){.mode = (enum choice_mode)i};
    return (struct choice){.mode = CHOICE_ONE, .name = str_of(given)};
}

static int read_pins(struct talk *t, struct bound_config *out, struct err *e) {
    const struct args *a = &t->cli->args;
    size_t n = 0;
    while (args_nth(a, "pin", n))
        n++;
    str *pins = arena_zalloc(&t->arena, n + 1, sizeof *pins, e);
    if (!pins) return -1;
    for (size_t i = 0; i < n; i++)
        pins[i] = str_of(args_nth(a, "pin", i));
    out->pinned = pins;
    out->pinned_count = n;
    return 0;
}

static int open_agent(struct talk *t, const struct talk_options *o,
                      struct err *e) {
    struct bound_config bc = {
        .boundary = t->authority.boundary,
        .mode = mode_of(&t->cli->args),
        .runs = t->runs,
        .only = o->only,
        .only_count = o->only_count,
        .who = {.principal = PRINCIPAL,
                .client = STR("cordon"),
                .session = str_of(t->session)},
        .approve = o->approve,
        .data = o->data,
    };
    struct agent_config ac = {
        .loop = t->loop,
        .client = t->http,
        .model = &t->model,
        .tools = &t->tools,
        .events = &t->events,
        .data = t,
        .limits = limits_of(&t->cli->args),
        .choice = choice_of(o->choice),
        .stream = o->stream,
    };
    if (read_pins(t, &bc, e)) return -1;
    t->bound = bound_new(&bc, e);
    if (!t->bound || read_system(t, &ac.system, e)) return -1;
    t->tools = bound_tools(t->bound);
    t->events = (struct agent_events){.delta = on_delta,
                                      .calling = on_calling,
                                      .called = on_called,
                                      .retry = on_retry,
                                      .unsure = on_unsure,
                                      .message = on_message,
                                      .done = on_done};
    t->agent = agent_new(&ac, e);
    return t->agent ? 0 : -1;
}

/* Without prices nothing would ever cost anything. */
static int check_cost(const struct talk *t, struct err *e) {
    const struct model_config *m = &t->model;
    if (!args_text(&t->cli->args, "max-cost") || m->input_price > 0 ||
        m->output_price > 0)
        return 0;
    return fail(e, ERR_USAGE,
                "--max-cost: the configuration has no input_price and no "
                "output_price of this model");
}

/* A pattern that fits nothing is a mistake: the model would have no tools, and
 * guess. */
static int check_only(const struct talk *t, const struct talk_options *o,
                      struct err *e) {
    struct registry *r = boundary_registry(t->authority.boundary);
    for (size_t k = 0; k < o->only_count; k++) {
        bool fits = false;
        for (size_t i = 0; i < registry_count(r) && !fits; i++)
            fits = str_glob(o->only[k], registry_at(r, i)->name);
        if (!fits)
            return fail(e, ERR_MISSING, "--tools: no tool is called \"%.*s\"",
                        STR_ARG(o->only[k]));
    }
    return 0;
}

static int watch_model(struct talk *t) {
    t->model.audit = t->authority.audit;
    t->model.by = "loop";
    return 0;
}

static int open_parts(struct talk *t, const struct talk_options *o,
                      struct err *e) {
    const struct args *a = &t->cli->args;
    if (settings_load(t->cli, &t->arena, &t->settings, e)) return -1;
    if (!(t->loop = loop_new(e)) || !(t->http = client_new(t->loop, e)) ||
        authority_open(&t->authority, t->loop, t->settings,
                       args_text(a, "policy"), &t->cli->log, e) ||
        models_choose(t->settings, t->authority.secrets, args_text(a, "model"),
                      args_text(a, "provider"), &t->arena, &t->model, e) ||
        watch_model(t) || check_cost(t, e) || open_sources(t, e) ||
        open_servers(t, e) || check_only(t, o, e) || begin_thread(t, o, e) ||
        open_runs(t, e) || open_agent(t, o, e))
        return -1;
    if (!o->resume || !t->authority.store) return 0;
    return store_messages(t->authority.store, str_of(t->thread), 1, take_stored,
                          t, e);
}

int talk_open(struct talk *t, struct cli *cli, const struct talk_options *o,
              struct err *e) {
    *t = (struct talk){.cli = cli,
                       .arena = ARENA_MAX(ROOM),
                       .wanted = o->events,
                       .on_attached = o->attached,
                       .data = o->data};
    if (nursery_start(&t->nursery, e) == 0 && open_parts(t, o, e) == 0)
        return 0;
    talk_close(t);
    return -1;
}

static void on_gone(void *data) {
    *(bool *)data = true;
}

/* Servers get a moment to end in order. */
static void close_servers(struct talk *t) {
    bool gone = false;
    struct err e;
    int64_t until = clock_mono_ns() + (int64_t)5 * 1000000000;
    if (!t->hub) return;
    hub_close(t->hub, on_gone, &gone);
    while (!gone && clock_mono_ns() < until &&
           !loop_step(t->loop, 100000000, &e))
        continue;
    hub_free(t->hub);
}

void talk_close(struct talk *t) {
    agent_free(t->agent);
    runs_free(t->runs);
    samples_free(t->samples);
    close_servers(t);
    sources_close(t->sources);
    bound_free(t->bound);
    selecting_free(t->selecting);
    authority_close(&t->authority, &t->cli->log);
    client_free(t->http);
    if (t->loop) loop_free(t->loop);
    nursery_free(t->nursery);
    arena_fini(&t->arena);
}

int talk_say(struct talk *t, str text, struct err *e) {
    t->over = false;
    if (talk_begin(t, text, e)) return -1;
    while (!t->over)
        if (loop_step(t->loop, -1, e)) return -1;
    return 0;
}
