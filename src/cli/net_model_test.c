/* SPDX-License-Identifier: MIT
 *
 * cordon model test: does a model server do what agents need? Text and a tool
 * call, streamed and not.
 */
#include "agent/shape.h"
#include "base/clock.h"
#include "cli/models.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#include <stdio.h>

#define ROOM ((size_t)64 << 20)

struct trial {
    struct loop *loop;
    bool over;
    bool good;
    char text[256];
    bool wants_call;
    const struct model_config *model;
    const struct model_request *request; /* before it was shaped */
    struct arena *arena;
};

static void judge(struct trial *t, const struct model_answer *m) {
    const struct part *call = next_call(&m->parts, NULL);
    struct err text;
    if (m->stop == STOP_ERROR) {
        err_set(&text, ERR_PEER, "%.*s", STR_ARG(m->error.message));
    } else if (t->wants_call && (!call || !answer_executable(m) ||
                                 !json_get(call->args, "number"))) {
        err_set(&text, ERR_PEER, "no call of the tool (stop: %s)",
                stop_name(m->stop));
    } else if (!t->wants_call && m->stop != STOP_END) {
        err_set(&text, ERR_PEER, "no answer (stop: %s)", stop_name(m->stop));
    } else {
        t->good = true;
        err_set(&text, ERR_PEER, "%lld tokens in, %lld out",
                (long long)m->usage.input, (long long)m->usage.output);
    }
    (void)snprintf(t->text, sizeof t->text, "%.250s", text.text);
}

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct trial *t = data;
    struct model_answer read = m ? *m : (struct model_answer){0};
    struct err why;
    t->over = true;
    loop_stop(t->loop);
    if (m && shape_answer(t->model, &t->request->offers, t->arena, &read, &why))
        e = &why, m = NULL;
    if (m)
        judge(t, &read);
    else
        (void)snprintf(t->text, sizeof t->text, "%.250s", e->text);
}

static int make_request(bool call, bool stream, const struct model_config *m,
                        struct arena *a, struct model_request *q,
                        struct err *e) {
    *q = (struct model_request){.model = m->model,
                                .max_tokens = 200,
                                .stream = stream,
                                .choice = {.parallel = -1}};
    if (!messages_say(&q->messages, ROLE_USER,
                      call ? STR("Call the tool take_number with the number "
                                 "7.")
                           : STR("Say hello in one word."),
                      a, e))
        return -1;
    if (!call) return 0;
    struct offer *o = offers_add(&q->offers, a, e);
    if (!o) return -1;
    o->name = STR("take_number");
    o->description = STR("Takes a number.");
    return json_parse(STR("{\"type\":\"object\",\"properties\":{\"number\":{"
                          "\"type\":\"integer\"}},\"required\":[\"number\"]}"),
                      NULL, a, &o->schema, e);
}

static int try_once(const struct model_config *m, bool call, bool stream,
                    struct trial *t, struct err *e) {
    static const struct turn_events events = {.done = on_done};
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct client *c = loop ? client_new(loop, e) : NULL;
    struct model_request q, shaped;
    if (!c) return -1;
    *t = (struct trial){.loop = loop,
                        .wants_call = call,
                        .model = m,
                        .request = &q,
                        .arena = &a};
    struct turn *turn = NULL;
    if (make_request(call, stream, m, &a, &q, e) == 0 &&
        shape_request(m, &q, &a, &shaped, e) == 0)
        turn = turn_start(c, loop, m, &shaped, &events, t, e);
    int result = turn ? loop_run(loop, e) : -1;
    turn_free(turn);
    client_free(c);
    return result;
}

static int test_model(struct cli *cli, const struct model_config *m,
                      struct err *e) {
    static const char *const names[] = {"text", "text, streamed", "tool call",
                                        "tool call, streamed"};
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct jw w = JW(&out);
    bool good = true;
    if (cli->json) jw_array(&w);
    for (int i = 0; i < 4; i++) {
        struct trial t;
        int64_t start = clock_mono_ns();
        if (try_once(m, i >= 2, i % 2, &t, e)) return -1;
        long long ms = (long long)((clock_mono_ns() - start) / 1000000);
        good = good && t.good;
        if (!cli->json) {
            if (buf_addf(
                    &out, e, "%s%-8s%s%-22s %6lld ms  %s\n",
                    cli_style(cli->color_out, t.good ? CLI_GREEN : CLI_RED),
                    t.good ? "works" : "fails",
                    cli_style(cli->color_out, CLI_PLAIN), names[i], ms, t.text))
                return -1;
            continue;
        }
        jw_object(&w);
        jw_put_text(&w, "test", str_of(names[i]));
        jw_put_bool(&w, "works", t.good);
        jw_put_int(&w, "ms", ms);
        jw_put_text(&w, "detail", str_of(t.text));
        jw_end_object(&w);
    }
    if (cli->json) {
        jw_end_array(&w);
        if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
    }
    if (cli_out(buf_str(&out), e)) return -1;
    return good ? 0 : 1;
}

int net_model_test(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_config m;
    const struct json *root;
    if (settings_load(cli, &a, &root, e)) return -1;
    struct secrets *s = secrets_new(e);
    int result = s ? models_choose(root, s, args_text(&cli->args, "model"),
                                   args_text(&cli->args, "provider"), &a, &m, e)
                   : -1;
    if (result == 0) result = test_model(cli, &m, e);
    secrets_free(s);
    return result;
}
