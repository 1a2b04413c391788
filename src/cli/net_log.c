/* SPDX-License-Identifier: MIT
 *
 * cordon log: earlier conversations, and what was said in one.
 */
#include "base/clock.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "cli/talk.h"

#define ROOM ((size_t)256 << 20)

struct listing {
    struct cli *cli;
    struct buf out;
    struct jw w;
};

static int add_thread(void *data, const struct store_thread *t, struct err *e) {
    struct listing *l = data;
    char when[CLOCK_TEXT_SIZE];
    clock_format(t->updated, when);
    if (!l->cli->json)
        return buf_addf(&l->out, e, "%s%.*s%s  %.16s  ",
                        cli_style(l->cli->color_out, CLI_BOLD), STR_ARG(t->id),
                        cli_style(l->cli->color_out, CLI_PLAIN), when) ||
                       cli_tame(t->title, &l->out, e) ||
                       buf_add_char(&l->out, '\n', e)
                   ? -1
                   : 0;
    jw_object(&l->w);
    jw_put_text(&l->w, "id", t->id);
    jw_put_text(&l->w, "title", t->title);
    jw_put_text(&l->w, "updated", str_of(when));
    jw_end_object(&l->w);
    return 0;
}

static int add_message(void *data, const struct store_message *m,
                       struct err *e) {
    struct listing *l = data;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    if (json_parse(m->body, NULL, &a, &v, e)) return -1;
    if (!l->cli->json)
        return talk_show_message(v, l->cli->color_out, &l->out, e);
    jw_value(&l->w, v);
    return 0;
}

static int list(struct listing *l, struct store *s, struct err *e) {
    const char *id = cli_operand(l->cli, 0);
    struct store_thread thread;
    AUTO_ARENA struct arena a = ARENA_MAX(65536);
    if (!id)
        return store_threads(s, STR("local"),
                             (size_t)args_int(&l->cli->args, "count", 20),
                             add_thread, l, e);
    if (store_thread_get(s, str_of(id), &a, &thread, e)) return -1;
    return store_messages(s, str_of(id), 1, add_message, l, e);
}

int net_log(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct listing l = {.cli = cli, .out = BUF_MAX(ROOM)};
    struct authority authority = {0};
    const struct json *settings;
    if (settings_load(cli, &a, &settings, e) ||
        authority_open(&authority, NULL, settings, NULL, &cli->log, e))
        return -1;
    l.w = JW(&l.out);
    if (cli->json) jw_array(&l.w);
    int result = list(&l, authority.store, e);
    if (result == 0 && cli->json) {
        jw_end_array(&l.w);
        result = jw_done(&l.w, e) || buf_add_char(&l.out, '\n', e);
    }
    if (result == 0) result = cli_out(buf_str(&l.out), e);
    authority_close(&authority, &cli->log);
    buf_fini(&l.out);
    return result ? -1 : 0;
}
