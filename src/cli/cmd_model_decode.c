/* SPDX-License-Identifier: MIT
 *
 * cordon model decode: what a model server's answer says, for people who debug
 * one.
 */
#include "agent/codec.h"
#include "agent/stream.h"
#include "cli/programs.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)64 << 20)
#define TREE_BYTES ((size_t)1 << 30)

/* -- for people -------------------------------------------------------------
 */

static int add_label(const struct cli *cli, const char *label, struct buf *out,
                     struct err *e) {
    return buf_addf(out, e, "%s%-9s%s ", cli_style(cli->color_out, CLI_BOLD),
                    label, cli_style(cli->color_out, CLI_PLAIN));
}

static int add_part(const struct cli *cli, const struct part *p,
                    struct buf *out, struct err *e) {
    if (add_label(cli, part_kind_name(p->kind), out, e)) return -1;
    if (p->kind == PART_CALL)
        return buf_addf(out, e, "%.*s %.*s %.*s%s\n", STR_ARG(p->name),
                        STR_ARG(p->id), STR_ARG(p->text),
                        p->partial ? "  (partial)"
                        : p->args || p->custom || p->text.n == 0
                            ? ""
                            : "  (not JSON)");
    if (p->kind == PART_OPAQUE) {
        if (json_write(p->native, JSON_COMPACT, out, e)) return -1;
        return buf_add_char(out, '\n', e);
    }
    return buf_addf(out, e, "%.*s\n", STR_ARG(p->text));
}

static int add_usage(const struct cli *cli, const struct usage *u,
                     struct buf *out, struct err *e) {
    if (u->input < 0 && u->output < 0) return 0;
    if (add_label(cli, "usage", out, e) ||
        buf_addf(out, e, "%lld in", (long long)u->input))
        return -1;
    if (u->cache_read > 0 &&
        buf_addf(out, e, " (%lld cached)", (long long)u->cache_read))
        return -1;
    if (u->output >= 0 && buf_addf(out, e, ", %lld out", (long long)u->output))
        return -1;
    if (u->thinking > 0 &&
        buf_addf(out, e, " (%lld thinking)", (long long)u->thinking))
        return -1;
    return buf_add_char(out, '\n', e);
}

static int add_answer(const struct cli *cli, const struct model_answer *m,
                      struct buf *out, struct err *e) {
    if (add_label(cli, "answer", out, e) ||
        buf_addf(out, e, "%.*s %.*s\n", STR_ARG(m->id), STR_ARG(m->model)))
        return -1;
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (add_part(cli, p, out, e)) return -1;
    if (m->error.message.n > 0 &&
        (add_label(cli, "error", out, e) ||
         buf_addf(out, e, "%.*s\n", STR_ARG(m->error.message))))
        return -1;
    if (add_label(cli, "stop", out, e) ||
        buf_addf(out, e, "%s%s%.*s%s%s\n", stop_name(m->stop),
                 m->stop_text.n > 0 ? " (" : "", STR_ARG(m->stop_text),
                 m->stop_text.n > 0 ? ")" : "",
                 m->stop == STOP_NONE ? ": it was cut off" : ""))
        return -1;
    return add_usage(cli, &m->usage, out, e);
}

/* -- reading ----------------------------------------------------------------
 */

static int show_answer(struct cli *cli, const struct model_answer *m,
                       struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(TREE_BYTES);
    int result = cli->json ? canon_write_answer(m, &out, e) ||
                                 buf_add_char(&out, '\n', e)
                           : add_answer(cli, m, &out, e);
    return result ? -1 : cli_out(buf_str(&out), e);
}

static int decode_stream(struct cli *cli, enum api api, str text,
                         struct arena *a, struct err *e) {
    struct model_answer m;
    struct stream *s = stream_new(api, NULL, e);
    if (!s) return -1;
    int result = stream_feed(s, text, e);
    if (result == 0) {
        stream_close(s);
        result = stream_answer(s, a, &m, e) || show_answer(cli, &m, e);
    }
    stream_free(s);
    return result ? -1 : 0;
}

static int decode_request(enum api api, const struct json *v, struct arena *a,
                          struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(TREE_BYTES);
    struct model_request q;
    if (request_decode(api, v, a, &q, e) || canon_write_request(&q, &out, e) ||
        buf_add_char(&out, '\n', e))
        return -1;
    return cli_out(buf_str(&out), e);
}

int cmd_model_decode(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    AUTO_ARENA struct arena a = ARENA_MAX(TREE_BYTES);
    const char *name = args_text(&cli->args, "api");
    const struct json *v;
    struct model_answer m;
    enum api api;
    if (!name) return fail(e, ERR_USAGE, "--api says how the server speaks");
    if (api_parse(str_of(name), &api, e) ||
        cli_read(cli_operand(cli, 0), &text, e))
        return -1;
    if (args_flag(&cli->args, "stream"))
        return decode_stream(cli, api, buf_str(&text), &a, e);
    if (json_parse(buf_str(&text), NULL, &a, &v, e))
        return fail_while(e, "%s", cli_operand_name(cli, 0));
    if (args_flag(&cli->args, "request")) return decode_request(api, v, &a, e);
    if (answer_decode(api, v, &a, &m, e)) return -1;
    return show_answer(cli, &m, e);
}
