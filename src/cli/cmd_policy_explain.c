/* SPDX-License-Identifier: MIT
 *
 * cordon policy explain: what would be decided about a call, and why.
 */
#include "cli/policy_file.h"
#include "cli/programs.h"
#include "policy/explain.h"
#include "json/write.h"

#define BYTES ((size_t)64 << 20)

static int add_json(const struct decision *d, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "verdict", str_of(verdict_word(d->verdict)));
    jw_put_text(&w, "rule", d->rule);
    jw_put_text(&w, "reason", d->reason);
    if (d->path.n > 0) jw_put_text(&w, "argument", d->path);
    if (d->classes.n > 0) jw_put_text(&w, "classes", d->classes);
    jw_put_bool(&w, "irreversible", d->irreversible);
    if (d->shadowed) jw_put_text(&w, "would", str_of(verdict_word(d->would)));
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int add_text(const struct decision *d, const struct buf *steps,
                    struct buf *out, struct err *e) {
    const char *word = verdict_word(d->shadowed ? d->would : d->verdict);
    return buf_addf(out, e, "%s (%.*s)%s\n%.*s\n", word, STR_ARG(d->rule),
                    d->shadowed ? ", but this policy only watches" : "",
                    STR_ARG(d->reason)) ||
                   buf_add_str(out, buf_str(steps), e)
               ? -1
               : 0;
}

int cmd_policy_explain(struct cli *cli, struct err *e) {
    AUTO_POLICY_FILE struct policy_file f;
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf steps = BUF_MAX(BYTES), out = BUF_MAX(BYTES);
    struct decision d;
    if (policy_file_open(&f, cli, e) ||
        policy_explain(f.policy, str_of(cli_operand(cli, 1)), f.catalogue.tools,
                       f.catalogue.count, &a, &d, &steps, e))
        return -1;
    if (cli->json ? add_json(&d, &out, e) : add_text(&d, &steps, &out, e))
        return -1;
    return cli_out(buf_str(&out), e);
}
