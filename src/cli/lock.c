/* SPDX-License-Identifier: MIT */
#include "cli/lock.h"

#include <stdio.h>
#include <unistd.h>

#include "policy/pin_keeper.h"
#include "policy/pin_package.h"
#include "policy/poison.h"
#include "json/build.h"
#include "json/write.h"

#define OUT_BYTES  ((size_t)64 << 20)
#define SCAN_BYTES ((size_t)1 << 30)

int lock_read(struct lock *l, const struct cli *cli, const char *path,
              struct err *e) {
    const char *given = args_text(&cli->args, "lock");
    l->path = given ? given : path;
    l->held = pin_hold_folder(l->path, e);
    if (l->held < 0) return -1;
    l->pins = pins_load(l->path, e);
    return l->pins ? 0 : -1;
}

void lock_fini(struct lock *l) {
    pins_free(l->pins);
    catalogue_fini(&l->catalogue);
    if (l->held >= 0) close(l->held);
}

int lock_add_server(struct lock *l, const struct registry_source *source,
                    struct err *e) {
    struct arena *a = &l->catalogue.arena;
    struct lock_server *s = arena_zalloc(a, 1, sizeof *s, e);
    if (!s || arena_dup(a, source->server, &s->name, e)) return -1;
    for (int i = 0; i < PIN_PARTS; i++) {
        struct json_build b = JSON_BUILD(a);
        const struct json *value;
        if (pin_part_of(source, (enum pin_part)i, a, &value, e)) return -1;
        if (!value) continue;
        build_copy(&b, value);
        if (build_done(&b, &s->parts[i], e)) return -1;
    }
    s->next = l->servers;
    l->servers = s;
    return 0;
}

/* Is the tool among the operands (patterns over server.tool)? Without operands
 * all are. */
static bool is_chosen(const struct cli *cli, str server, str tool) {
    char key[512];
    snprintf(key, sizeof key, "%.*s%s%.*s", STR_ARG(server),
             server.n > 0 ? "." : "", STR_ARG(tool));
    if (!cli_operand(cli, 0)) return true;
    for (size_t i = 0; cli_operand(cli, i); i++)
        if (str_glob(str_of(cli_operand(cli, i)), str_of(key))) return true;
    return false;
}

/* A server is meant by "server.*", or when nothing is named. */
static bool server_chosen(const struct cli *cli, str server) {
    return is_chosen(cli, server, STR("*"));
}

/* -- one thing after the other ----------------------------------------------
 */

/* A tool or a part of a server, beside its pin. */
struct item {
    str id; /* "mail/send", "mail: package" */
    enum pin_state state;
    const struct json *before, *now;
    const struct tool *tool; /* NULL: a part */
    const struct lock_server *server;
    enum pin_part part;
};

typedef int visit(void *data, const struct item *it, struct err *e);

static int each_part(struct lock *l, const struct lock_server *s, visit *fn,
                     void *data, struct err *e) {
    for (int i = 0; i < PIN_PARTS; i++) {
        struct item it = {
            .now = s->parts[i], .server = s, .part = (enum pin_part)i};
        char id[300];
        if (!it.now) continue;
        snprintf(id, sizeof id, "%.*s: %s", STR_ARG(str_sub(s->name, 0, 200)),
                 pin_part_word(it.part));
        it.id = str_of(id);
        if (pins_check_server(l->pins, s->name, it.part, it.now, &it.state,
                              &it.before, e) ||
            fn(data, &it, e))
            return -1;
    }
    return 0;
}

static int each(struct lock *l, const struct cli *cli, visit *fn, void *data,
                struct err *e) {
    for (const struct lock_server *s = l->servers; s; s = s->next)
        if (server_chosen(cli, s->name) && each_part(l, s, fn, data, e))
            return -1;
    for (size_t i = 0; i < l->catalogue.count; i++) {
        const struct tool *t = &l->catalogue.tools[i];
        struct item it = {.id = t->id, .now = t->definition, .tool = t};
        if (!is_chosen(cli, t->server, t->name)) continue;
        if (pins_check(l->pins, t->server, t->name, t->definition, &it.state,
                       &it.before, e) ||
            fn(data, &it, e))
            return -1;
    }
    return 0;
}

/* What is known of signatures is told whether something changed or not. */
static int add_signatures(const struct item *it, struct buf *out,
                          struct err *e) {
    if (it->tool || it->part != PIN_PACKAGE) return 0;
    return buf_addf(out, e, "%.*s\n", STR_ARG(it->id)) ||
                   pin_package_describe(it->now, out, e)
               ? -1
               : 0;
}

static int add_diff(const struct cli *cli, const struct item *it,
                    struct buf *out, struct err *e) {
    return buf_addf(out, e, "%schanged: %.*s%s\n",
                    cli_style(cli->color_out, CLI_BOLD), STR_ARG(it->id),
                    cli_style(cli->color_out, CLI_PLAIN)) ||
                   pin_diff(it->before, it->now, out, e)
               ? -1
               : 0;
}

/* -- diff -------------------------------------------------------------------
 */

struct comparing {
    const struct cli *cli;
    struct buf out;
    struct jw w;
    size_t same, added, changed;
};

static int compare_json(struct comparing *c, const struct item *it,
                        struct err *e) {
    AUTO_BUF struct buf diff = BUF_MAX(OUT_BYTES);
    if (it->state == PIN_SAME) return 0;
    if (it->state == PIN_CHANGED && pin_diff(it->before, it->now, &diff, e))
        return -1;
    jw_object(&c->w);
    jw_put_text(&c->w, it->tool ? "tool" : "server", it->id);
    jw_put_text(&c->w, "state",
                it->state == PIN_NEW ? STR("new") : STR("changed"));
    if (diff.len > 0) jw_put_text(&c->w, "diff", buf_str(&diff));
    jw_end_object(&c->w);
    return 0;
}

static int compare(void *data, const struct item *it, struct err *e) {
    struct comparing *c = data;
    c->same += it->state == PIN_SAME && it->tool;
    c->added += it->state == PIN_NEW && it->tool;
    c->changed += it->state == PIN_CHANGED;
    if (c->cli->json) return compare_json(c, it, e);
    if (add_signatures(it, &c->out, e)) return -1;
    if (it->state == PIN_CHANGED) return add_diff(c->cli, it, &c->out, e);
    if (it->state == PIN_SAME || !it->tool) return 0;
    return buf_addf(&c->out, e, "new: %.*s\n", STR_ARG(it->id));
}

int lock_diff(struct lock *l, const struct cli *cli, struct err *e) {
    struct comparing c = {.cli = cli, .out = BUF_MAX(OUT_BYTES)};
    c.w = JW(&c.out);
    if (cli->json) jw_array(&c.w);
    int failed = each(l, cli, compare, &c, e);
    if (!failed && cli->json) {
        jw_end_array(&c.w);
        failed = jw_done(&c.w, e) || buf_add_char(&c.out, '\n', e);
    } else if (!failed) {
        failed = buf_addf(&c.out, e, "%s: %zu the same, %zu new, %zu changed\n",
                          l->path, c.same, c.added, c.changed);
    }
    if (!failed) failed = cli_out(buf_str(&c.out), e);
    buf_fini(&c.out);
    return failed ? -1 : c.changed > 0 ? 1 : 0;
}

/* -- pin --------------------------------------------------------------------
 */

struct pinning {
    const struct cli *cli;
    struct lock *lock;
    struct poison_report report;
    struct buf out;
    size_t same, added, changed, refused, parts;
};

static const struct poison_finding *error_of(const struct pinning *p,
                                             const struct tool *t) {
    for (size_t i = 0; t && i < p->report.count; i++) {
        const struct poison_finding *f = &p->report.findings[i];
        if (str_eq(f->tool, t->id) && poison_severity(f->class) == POISON_ERROR)
            return f;
    }
    return NULL;
}

static int set(struct pinning *p, const struct item *it, struct err *e) {
    struct pins *pins = p->lock->pins;
    if (it->tool)
        return pins_set(pins, it->tool->server, it->tool->name, it->now, e);
    p->parts++;
    return pins_set_server(pins, it->server->name, it->part, it->now, e);
}

static int pin(void *data, const struct item *it, struct err *e) {
    struct pinning *p = data;
    if (add_signatures(it, &p->out, e)) return -1;
    bool forged =
        !it->tool && it->part == PIN_PACKAGE && pin_package_forged(it->now);
    if (forged) return p->refused++, 0;
    if (it->state == PIN_SAME) return p->same += it->tool != NULL, 0;
    if (it->state == PIN_CHANGED && add_diff(p->cli, it, &p->out, e)) return -1;
    const struct poison_finding *f = error_of(p, it->tool);
    if (f && !args_flag(&p->cli->args, "anyway")) {
        p->refused++;
        return buf_addf(&p->out, e, "refused: %.*s: %s: %.*s %.*s\n",
                        STR_ARG(it->id), poison_code(f->class),
                        STR_ARG(f->place), STR_ARG(f->text));
    }
    p->added += it->state == PIN_NEW && it->tool;
    p->changed += it->state == PIN_CHANGED;
    return set(p, it, e);
}

static int pin_all(struct pinning *p, struct err *e) {
    struct lock *l = p->lock;
    if (each(l, p->cli, pin, p, e)) return -1;
    if (p->added + p->changed + p->parts > 0 && pins_save(l->pins, l->path, e))
        return -1;
    return buf_addf(&p->out, e,
                    "%s: %zu the same, %zu new, %zu changed, %zu refused\n",
                    l->path, p->same, p->added, p->changed, p->refused);
}

int lock_pin(struct lock *l, const struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(SCAN_BYTES);
    struct pinning p = {.cli = cli, .lock = l, .out = BUF_MAX(OUT_BYTES)};
    if (poison_scan(l->catalogue.tools, l->catalogue.count, &a, &p.report, e))
        return -1;
    int failed = pin_all(&p, e) || cli_out(buf_str(&p.out), e);
    buf_fini(&p.out);
    return failed ? -1 : p.refused > 0 ? 1 : 0;
}
