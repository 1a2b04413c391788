/* SPDX-License-Identifier: MIT
 *
 * What a person can look at: messages, tools, the policy, and the names that
 * may be typed.
 */
#include "cli/talk.h"

#include "base/utf8.h"

#include <string.h>

#define ARENA_BYTES ((size_t)16 << 20)

/* -- messages ----------------------------------------------------------------
 */

static int show_line(const char *style, const char *head, str text,
                     const char *gap, str more, const char *plain,
                     struct buf *out, struct err *e) {
    return buf_addf(out, e, "%s%s", style, head) || cli_tame(text, out, e) ||
                   buf_add_text(out, gap, e) || cli_tame(more, out, e) ||
                   buf_addf(out, e, "%s\n", plain)
               ? -1
               : 0;
}

static int show_part(const struct json *p, bool color, struct buf *out,
                     struct err *e) {
    str kind = json_get_text(p, "kind", STR(""));
    str text = json_get_text(p, "text", STR(""));
    str name = json_get_text(p, "name", STR(""));
    const char *dim = cli_style(color, CLI_DIM);
    const char *plain = cli_style(color, CLI_PLAIN);
    if (str_is(kind, "call"))
        return show_line(dim, "> ", name, " ", text, plain, out, e);
    if (str_is(kind, "result")) {
        const struct json *content = json_get(p, "content");
        str first = json_get_text(json_at(content, 0), "text", STR("..."));
        first.n = utf8_valid(first.p, first.n < 400 ? first.n : 400);
        return show_line(dim, "< ", first, "", STR(""), plain, out, e);
    }
    if (str_is(kind, "thinking") || text.n == 0) return 0;
    return show_line("", "", text, "", STR(""), "", out, e);
}

int talk_show_message(const struct json *body, bool color, struct buf *out,
                      struct err *e) {
    const struct json *parts = json_get(body, "parts");
    bool user = str_is(json_get_text(body, "role", STR("")), "user");
    if (!parts || json_type(parts) != JSON_ARRAY) return 0;
    const struct json *p = json_first(parts);
    for (size_t i = json_len(parts); i > 0; i--, p = json_skip(p)) {
        bool asked =
            user && !str_is(json_get_text(p, "kind", STR("")), "result");
        if (asked && buf_addf(out, e, "%s", cli_style(color, CLI_BOLD)))
            return -1;
        if (show_part(p, color, out, e)) return -1;
        if (asked && buf_addf(out, e, "%s", cli_style(color, CLI_PLAIN)))
            return -1;
    }
    return 0;
}

/* -- tools -------------------------------------------------------------------
 */

int talk_show_tools(struct talk *t, str query, bool color, struct buf *out,
                    struct err *e) {
    struct registry *r = boundary_registry(t->authority.boundary);
    size_t before = out->len;
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *tool = registry_at(r, i);
        if (tool->flags & TOOL_BUILTIN) continue;
        if (query.n > 0 && str_find(tool->name, query) < 0) continue;
        str rest = tool->tool.description;
        str line = str_sub(str_cut(&rest, '\n'), 0, 160);
        if (buf_addf(out, e, "%s%.*s%s  %s", cli_style(color, CLI_BOLD),
                     STR_ARG(tool->name), cli_style(color, CLI_PLAIN),
                     tool->fault ? tool->fault : "") ||
            cli_tame(line, out, e) || buf_add_char(out, '\n', e))
            return -1;
    }
    return out->len > before ? 0 : buf_add_text(out, "there are none\n", e);
}

/* -- the policy --------------------------------------------------------------
 */

/* What holds for a call with nothing in it yet; arguments may change it. */
static int show_verdict(struct talk *t, const struct entry *tool, bool color,
                        struct buf *out, struct err *e) {
    static const enum cli_style styles[] = {[POLICY_DENY] = CLI_RED,
                                            [POLICY_ASK] = CLI_YELLOW,
                                            [POLICY_ALLOW] = CLI_GREEN};
    AUTO_ARENA struct arena a = ARENA_MAX(ARENA_BYTES);
    struct labels none = {0};
    struct decision d;
    const struct json *args;
    if (json_parse(STR("{}"), NULL, &a, &args, e)) return -1;
    struct policy_call call = {.tool = tool,
                               .args = args,
                               .labels = &none,
                               .session = str_of(t->session),
                               .can_ask = true};
    policy_decide(t->authority.policy, &call, &a, &d);
    return buf_addf(out, e, "  %s%-5s%s %.*s  (%.*s%s%.*s)\n",
                    cli_style(color, styles[d.verdict]),
                    verdict_word(d.verdict), cli_style(color, CLI_PLAIN),
                    STR_ARG(tool->name), STR_ARG(d.rule),
                    d.reason.n ? ": " : "", STR_ARG(d.reason));
}

int talk_show_policy(struct talk *t, bool color, struct buf *out,
                     struct err *e) {
    const char *given = args_text(&t->cli->args, "policy");
    str named = json_get_text(t->settings, "policy", STR("balanced"));
    struct registry *r = boundary_registry(t->authority.boundary);
    const struct label *turn = NULL;
    struct shown *shown =
        boundary_shown(t->authority.boundary, str_of(t->session));
    if (shown) turn = shown_turn(shown);
    if (buf_addf(out, e, "policy: %.*s\n",
                 STR_ARG(given ? str_of(given) : named)) ||
        buf_addf(out, e, "the model has been shown: %s\n",
                 turn ? integrity_word(turn->integrity) : "nothing") ||
        (turn && turn->origin_count > 0 &&
         (buf_add_text(out, "  ", e) || label_describe(turn, out, e) ||
          buf_add_char(out, '\n', e))) ||
        buf_add_text(out, "without arguments, a call would be:\n", e))
        return -1;
    for (size_t i = 0; i < registry_count(r); i++)
        if (!(registry_at(r, i)->flags & TOOL_BUILTIN) &&
            show_verdict(t, registry_at(r, i), color, out, e))
            return -1;
    return 0;
}

/* -- names -------------------------------------------------------------------
 */

struct names {
    char mark;   /* '@' or '/' */
    str typed;   /* so far, with the mark */
    size_t skip; /* that fit, before the one that is wanted */
    struct buf *out;
    bool found;
};

static void offer_name(void *data, str server, const struct json *item) {
    struct names *n = data;
    struct err e;
    size_t start = n->out->len;
    str name = json_get_text(item, n->mark == '@' ? "uri" : "name", STR(""));
    if (n->found || name.n == 0 ||
        buf_addf(n->out, &e, "%c%.*s:%.*s", n->mark, STR_ARG(server),
                 STR_ARG(name)))
        return;
    n->found =
        str_starts(str_sub(buf_str(n->out), start, n->out->len), n->typed) &&
        n->skip-- == 0;
    if (!n->found) buf_truncate(n->out, start);
}

bool talk_complete(struct talk *t, str typed, size_t index, struct buf *out) {
    static const char *const commands[] = {"/tools", "/policy", "/undo",
                                           "/save",  "/quit",   "/help"};
    struct names n = {.typed = typed, .skip = index, .out = out};
    struct err e;
    if (typed.n == 0 || (typed.p[0] != '@' && typed.p[0] != '/')) return false;
    n.mark = typed.p[0];
    size_t count = n.mark == '/' ? sizeof commands / sizeof commands[0] : 0;
    for (size_t i = 0; i < count; i++)
        if (str_starts(str_of(commands[i]), typed) && n.skip-- == 0)
            return buf_add_text(out, commands[i], &e) == 0;
    hub_each(t->hub, n.mark == '@' ? HUB_RESOURCE : HUB_PROMPT, offer_name, &n);
    return n.found;
}
