/* SPDX-License-Identifier: MIT
 *
 * cordon doctor: the table of probes, asked one by one.
 */
#include "base/probe.h"
#include "cli/programs.h"
#include "json/write.h"

#define REPORT_BYTES ((size_t)256 << 10)

enum weight { NEED, WISH };

#define PROBE(name, fn, weight, purpose) probe_fn fn;
#include "cli/doctor.def"
#undef PROBE

static const struct row {
    const char *name;
    probe_fn *ask;
    enum weight weight;
    const char *purpose;
} rows[] = {
#define PROBE(name, fn, weight, purpose) {name, fn, weight, purpose},
#include "cli/doctor.def"
#undef PROBE
};

#define ROWS (sizeof rows / sizeof rows[0])

static const char *const state_names[] = {[PROBE_MISSING] = "missing",
                                          [PROBE_PARTLY] = "partly",
                                          [PROBE_THERE] = "ok"};

static enum cli_style style_of(enum probe_state state) {
    switch (state) {
    case PROBE_MISSING: return CLI_RED;
    case PROBE_PARTLY: return CLI_YELLOW;
    case PROBE_THERE: return CLI_GREEN;
    }
    return CLI_PLAIN;
}

static int add_text(const struct probe *answers, bool color, struct buf *out,
                    struct err *e) {
    for (size_t i = 0; i < ROWS; i++) {
        const struct probe *p = &answers[i];
        if (buf_addf(out, e, "%s%-8s%s %-14s %s",
                     cli_style(color, style_of(p->state)),
                     state_names[p->state], cli_style(color, CLI_PLAIN),
                     rows[i].name, rows[i].purpose) ||
            (*p->detail && buf_addf(out, e, ": %s", p->detail)) ||
            buf_add_char(out, '\n', e))
            return -1;
    }
    return 0;
}

static int add_json(const struct probe *answers, bool sound, struct buf *out,
                    struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_bool(&w, "ok", sound);
    jw_key(&w, "checks");
    jw_array(&w);
    for (size_t i = 0; i < ROWS; i++) {
        jw_object(&w);
        jw_put_text(&w, "name", str_of(rows[i].name));
        jw_put_text(&w, "state", str_of(state_names[answers[i].state]));
        jw_put_bool(&w, "required", rows[i].weight == NEED);
        jw_put_text(&w, "purpose", str_of(rows[i].purpose));
        jw_put_text(&w, "detail", str_of(answers[i].detail));
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

int cmd_doctor(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(REPORT_BYTES);
    struct probe answers[ROWS] = {{.state = PROBE_MISSING}};
    bool sound = true;
    for (size_t i = 0; i < ROWS; i++) {
        answers[i].config = args_text(&cli->args, "config");
        rows[i].ask(&answers[i]);
        if (answers[i].state == PROBE_MISSING && rows[i].weight == NEED)
            sound = false;
    }
    if (cli->json ? add_json(answers, sound, &out, e)
                  : add_text(answers, cli->color_out, &out, e))
        return -1;
    if (cli_out(buf_str(&out), e)) return -1;
    return sound ? 0 : err_exit_status(ERR_MISSING);
}
