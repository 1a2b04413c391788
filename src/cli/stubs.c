/* SPDX-License-Identifier: MIT */
#include "cli/stubs.h"

#include "tools/stub.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)256 << 20)
#define NEAR      3

static int detail_of(const struct cli *cli, enum stub_detail *out,
                     struct err *e) {
    static const char *const levels[] = {"brief", "normal", "full", NULL};
    const char *asked = args_text(&cli->args, "detail");
    *out = cli_operand(cli, 0) ? STUB_NORMAL : STUB_BRIEF;
    if (!asked) return 0;
    for (unsigned i = 0; levels[i]; i++)
        if (str_is(str_of(asked), levels[i])) {
            *out = (enum stub_detail)i;
            return 0;
        }
    return fail(e, ERR_USAGE, "--detail %s: brief, normal or full", asked);
}

static int unknown(struct registry *r, const char *name, struct err *e) {
    str near[NEAR];
    AUTO_BUF struct buf text = BUF_MAX(1024);
    size_t n = registry_near(r, str_of(name), near, NEAR);
    for (size_t i = 0; i < n; i++)
        if (buf_addf(&text, e, "%s%.*s", i ? ", " : "; did you mean ",
                     STR_ARG(near[i])))
            return -1;
    return fail(e, ERR_MISSING, "no tool %s%s%s", name, buf_text(&text),
                n > 0 ? "?" : "");
}

static int show(const struct cli *cli, const struct entry *t,
                enum stub_detail detail, struct jw *w, struct err *e) {
    AUTO_BUF struct buf stub = BUF_MAX(OUT_BYTES);
    if (!cli->json) return stub_write(t, detail, NULL, w->out, e);
    if (stub_write(t, detail, NULL, &stub, e)) return -1;
    jw_object(w);
    jw_put_text(w, "name", t->name);
    jw_put_text(w, "server", t->tool.server);
    jw_put_text(w, "tool", t->tool.name);
    jw_put_text(w, "stub", str_trim(buf_str(&stub)));
    if (t->fault) jw_put_text(w, "fault", str_of(t->fault));
    jw_end_object(w);
    return 0;
}

/* By any of its names; or by its server's, where only one has it. */
static const struct entry *find(const struct registry *r, str name) {
    const struct entry *found = registry_find(r, name);
    bool twice = false;
    for (size_t i = 0; !found && i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        if (!str_eq(t->tool.name, name)) continue;
        for (size_t k = i + 1; !twice && k < registry_count(r); k++)
            twice = str_eq(registry_at(r, k)->tool.name, name);
        if (twice) return NULL;
        found = t;
    }
    return found;
}

static int show_named(const struct cli *cli, struct registry *r,
                      enum stub_detail detail, struct jw *w, struct err *e) {
    for (size_t i = 0; cli_operand(cli, i); i++) {
        const char *name = cli_operand(cli, i);
        const struct entry *t = find(r, str_of(name));
        if (!t) return unknown(r, name, e);
        if (show(cli, t, detail, w, e)) return -1;
    }
    return 0;
}

static int show_all(const struct cli *cli, struct registry *r,
                    enum stub_detail detail, struct jw *w, struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++)
        if (show(cli, registry_at(r, i), detail, w, e)) return -1;
    return 0;
}

static int run(const struct cli *cli, struct registry *r,
               const struct catalogue *c, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct jw w = JW(&out);
    enum stub_detail detail;
    if (detail_of(cli, &detail, e) || registry_put_catalogue(r, c, e))
        return -1;
    if (cli->json) jw_array(&w);
    if (cli_operand(cli, 0) ? show_named(cli, r, detail, &w, e)
                            : show_all(cli, r, detail, &w, e))
        return -1;
    if (cli->json) {
        jw_end_array(&w);
        if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
    }
    return cli_out(buf_str(&out), e);
}

int stubs_of(struct cli *cli, struct catalogue *c, struct err *e) {
    struct registry *r = registry_new(e);
    if (!r) return -1;
    int result = run(cli, r, c, e);
    registry_free(r);
    return result;
}
