/* SPDX-License-Identifier: MIT */
#include "cli/replaying.h"

#include "cli/events.h"
#include "policy/explain.h"
#include "json/write.h"

#define OUT_BYTES   ((size_t)64 << 20)
#define FLUSH_BYTES ((size_t)1 << 20)

struct replaying {
    const struct cli *cli;
    struct policy *policy;
    struct spent *spent;
    const char *run; /* NULL: all */
    struct buf out;
    size_t calls, changed, unknown, counts[3];
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
    str run = json_get_text(json_get(event, "data"), "run", STR(""));
    if (r->run && !str_is(run, r->run)) return 0;
    if (policy_replay(r->policy, r->spent, event, &a, &x, e)) return -1;
    if (x.again) return 0;
    r->calls++;
    r->unknown += x.unknown;
    r->counts[x.now.verdict]++;
    bool same = x.now.verdict == x.was;
    r->changed += !same;
    if (same && !r->run) return 0;
    if (r->out.len > FLUSH_BYTES &&
        (cli_out(buf_str(&r->out), e) || (buf_truncate(&r->out, 0), 0)))
        return -1;
    return r->cli->json ? add_json(r, &x, event, e) : add_text(r, &x, event, e);
}

static int add_end(struct replaying *r, struct err *e) {
    if (r->cli->json) return 0;
    if (buf_addf(&r->out, e,
                 "%zu calls: %zu would be decided otherwise; now %zu "
                 "allowed, %zu asked, %zu denied\n",
                 r->calls, r->changed, r->counts[POLICY_ALLOW],
                 r->counts[POLICY_ASK], r->counts[POLICY_DENY]))
        return -1;
    if (r->unknown == 0) return 0;
    return buf_addf(&r->out, e,
                    "of %zu calls the arguments were too long to be recorded: "
                    "what rules say of them was left out\n",
                    r->unknown);
}

int replaying(const struct cli *cli, struct policy *p, const char *events,
              const char *run, struct err *e) {
    struct replaying r = {.cli = cli,
                          .policy = p,
                          .run = run,
                          .spent = spent_new(e),
                          .out = BUF_MAX(OUT_BYTES)};
    int failed = !r.spent || events_each(events, replay_event, &r, e);
    if (!failed && run && r.calls == 0)
        failed =
            fail(e, ERR_MISSING, "the audit log has no call of run %s", run);
    if (!failed) failed = add_end(&r, e) || cli_out(buf_str(&r.out), e);
    buf_fini(&r.out);
    spent_free(r.spent);
    return failed ? -1 : 0;
}
