/* SPDX-License-Identifier: MIT
 *
 * cordon tools pin: record definitions as they are now, after showing what
 * changed. A definition that hides text or speaks to the model is not pinned
 * unless told to.
 */
#include "cli/lock.h"
#include "cli/programs.h"
#include "policy/poison.h"

#define OUT_BYTES  ((size_t)64 << 20)
#define SCAN_BYTES ((size_t)1 << 30)

struct pinning {
    const struct cli *cli;
    struct lock *lock;
    struct poison_report report;
    struct buf out;
    size_t same, added, changed, refused;
};

static const struct poison_finding *error_of(const struct pinning *p,
                                             const struct tool *t) {
    for (size_t i = 0; i < p->report.count; i++) {
        const struct poison_finding *f = &p->report.findings[i];
        if (str_eq(f->tool, t->id) && poison_severity(f->class) == POISON_ERROR)
            return f;
    }
    return NULL;
}

static int pin_tool(struct pinning *p, const struct tool *t, struct err *e) {
    const struct json *pinned;
    enum pin_state state;
    if (pins_check(p->lock->pins, t->server, t->name, t->definition, &state,
                   &pinned, e))
        return -1;
    if (state == PIN_SAME) return p->same++, 0;
    if (state == PIN_CHANGED && lock_add_diff(p->cli, t, pinned, &p->out, e))
        return -1;
    const struct poison_finding *f = error_of(p, t);
    if (f && !args_flag(&p->cli->args, "anyway")) {
        p->refused++;
        return buf_addf(&p->out, e, "refused: %.*s: %s: %.*s %.*s\n",
                        STR_ARG(t->id), poison_code(f->class),
                        STR_ARG(f->place), STR_ARG(f->text));
    }
    p->added += state == PIN_NEW;
    p->changed += state == PIN_CHANGED;
    return pins_set(p->lock->pins, t->server, t->name, t->definition, e);
}

static int pin_all(struct pinning *p, struct err *e) {
    for (size_t i = 0; i < p->lock->catalogue.count; i++) {
        const struct tool *t = &p->lock->catalogue.tools[i];
        if (lock_chosen(p->cli, t) && pin_tool(p, t, e)) return -1;
    }
    if (p->added + p->changed > 0 && pins_save(p->lock->pins, p->lock->path, e))
        return -1;
    return buf_addf(&p->out, e,
                    "%s: %zu the same, %zu new, %zu changed, %zu refused\n",
                    p->lock->path, p->same, p->added, p->changed, p->refused);
}

int cmd_tools_pin(struct cli *cli, struct err *e) {
    AUTO_LOCK struct lock l;
    AUTO_ARENA struct arena a = ARENA_MAX(SCAN_BYTES);
    struct pinning p = {.cli = cli, .lock = &l, .out = BUF_MAX(OUT_BYTES)};
    if (lock_open(&l, cli, e) ||
        poison_scan(l.catalogue.tools, l.catalogue.count, &a, &p.report, e))
        return -1;
    int failed = pin_all(&p, e) || cli_out(buf_str(&p.out), e);
    buf_fini(&p.out);
    return failed ? -1 : p.refused > 0 ? 1 : 0;
}
