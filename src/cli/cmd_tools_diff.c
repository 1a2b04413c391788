/* SPDX-License-Identifier: MIT
 *
 * cordon tools diff: what changed since the tools were pinned.
 */
#include "cli/lock.h"
#include "cli/programs.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)64 << 20)

struct counts {
    size_t same, added, changed;
};

static int add_json(const struct tool *t, enum pin_state state,
                    const struct json *pinned, struct jw *w, struct err *e) {
    AUTO_BUF struct buf diff = BUF_MAX(OUT_BYTES);
    if (state == PIN_SAME) return 0;
    if (state == PIN_CHANGED && pin_diff(pinned, t->definition, &diff, e))
        return -1;
    jw_object(w);
    jw_put_text(w, "tool", t->id);
    jw_put_text(w, "state", state == PIN_NEW ? STR("new") : STR("changed"));
    if (diff.len > 0) jw_put_text(w, "diff", buf_str(&diff));
    jw_end_object(w);
    return 0;
}

static int add_text(const struct cli *cli, const struct tool *t,
                    enum pin_state state, const struct json *pinned,
                    struct buf *out, struct err *e) {
    if (state == PIN_NEW)
        return buf_addf(out, e, "new: %.*s\n", STR_ARG(t->id));
    if (state == PIN_CHANGED) return lock_add_diff(cli, t, pinned, out, e);
    return 0;
}

static int compare(const struct cli *cli, const struct lock *l,
                   struct counts *n, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    if (cli->json) jw_array(&w);
    for (size_t i = 0; i < l->catalogue.count; i++) {
        const struct tool *t = &l->catalogue.tools[i];
        const struct json *pinned;
        enum pin_state state;
        if (!lock_chosen(cli, t)) continue;
        if (pins_check(l->pins, t->server, t->name, t->definition, &state,
                       &pinned, e))
            return -1;
        n->same += state == PIN_SAME;
        n->added += state == PIN_NEW;
        n->changed += state == PIN_CHANGED;
        if (cli->json ? add_json(t, state, pinned, &w, e)
                      : add_text(cli, t, state, pinned, out, e))
            return -1;
    }
    if (!cli->json)
        return buf_addf(out, e, "%s: %zu the same, %zu new, %zu changed\n",
                        l->path, n->same, n->added, n->changed);
    jw_end_array(&w);
    return jw_done(&w, e) ? -1 : buf_add_char(out, '\n', e);
}

int cmd_tools_diff(struct cli *cli, struct err *e) {
    AUTO_LOCK struct lock l;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct counts n = {0};
    if (lock_open(&l, cli, e) || compare(cli, &l, &n, &out, e) ||
        cli_out(buf_str(&out), e))
        return -1;
    return n.changed > 0 ? 1 : 0;
}
