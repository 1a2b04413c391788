/* SPDX-License-Identifier: MIT
 *
 * cordon policy replay: calls of the past, decided by these rules.
 */
#include "cli/events.h"
#include "cli/policy_file.h"
#include "cli/programs.h"
#include "policy/explain.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)64 << 20)

struct replaying {
    const struct cli *cli;
    struct policy *policy;
    struct buf out;
    size_t calls, changed, counts[3];
};

static int add_json(struct replaying *r, const struct replayed *x,
                    const struct json *event, struct err *e) {
    struct jw w = JW(&r->out);
    jw_object(&w);
    jw_put_int(&w, "seq", json_get_int(event, "seq", 0));
    jw_put_text(&w, "tool", x->tool);
    jw_put_text(&w, "was", str_of(verdict_word(x->was)));
    jw_put_text(&w, "was_rule", x->was_rule);
    jw_put_text(&w, "now", str_of(verdict_word(x->now.verdict)));
    jw_put_text(&w, "rule", x->now.rule);
    jw_put_text(&w, "reason", x->now.reason);
    jw_end_object(&w);
    return jw_done(&w, e) ? -1 : buf_add_char(&r->out, '\n', e);
}

static int add_text(struct replaying *r, const struct replayed *x,
                    const struct json *event, struct err *e) {
    return buf_addf(&r->out, e,
                    "%6lld  %.*s: %s %.*s -> %s %.*s\n        %.*s\n",
                    (long long)json_get_int(event, "seq", 0), STR_ARG(x->tool),
                    verdict_word(x->was), STR_ARG(x->was_rule),
                    verdict_word(x->now.verdict), STR_ARG(x->now.rule),
                    STR_ARG(x->now.reason));
}

static int replay_event(void *data, const struct json *event, struct err *e) {
    struct replaying *r = data;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct replayed x;
    if (!str_is(json_get_text(event, "kind", STR("")), "call")) return 0;
    /* A call that was turned away before a decision has nothing to compare. */
    if (!json_get(json_get(event, "data"), "verdict")) return 0;
    if (policy_replay(r->policy, event, &a, &x, e)) return -1;
    r->calls++;
    r->counts[x.now.verdict]++;
    if (x.now.verdict == x.was) return 0;
    r->changed++;
    return r->cli->json ? add_json(r, &x, event, e) : add_text(r, &x, event, e);
}

int cmd_policy_replay(struct cli *cli, struct err *e) {
    AUTO_POLICY_FILE struct policy_file f;
    struct replaying r = {.cli = cli, .out = BUF_MAX(OUT_BYTES)};
    if (policy_file_open(&f, cli, e)) return -1;
    r.policy = f.policy;
    int failed = events_each(cli_operand(cli, 1), replay_event, &r, e);
    if (!failed && !cli->json)
        failed = buf_addf(&r.out, e,
                          "%zu calls: %zu would be decided otherwise; now %zu "
                          "allowed, %zu asked, %zu denied\n",
                          r.calls, r.changed, r.counts[POLICY_ALLOW],
                          r.counts[POLICY_ASK], r.counts[POLICY_DENY]);
    if (!failed) failed = cli_out(buf_str(&r.out), e);
    buf_fini(&r.out);
    return failed;
}
