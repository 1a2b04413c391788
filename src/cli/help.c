/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "cli/cli.h"

#include <string.h>

#define HELP_BYTES ((size_t)256 << 10)
#define COLUMN     24 /* where the explanations start */

/* --- text for people ------------------------------------------------------ */

/* "  left                  text" */
static int add_line(struct buf *b, str left, const char *text, struct err *e) {
    int pad = left.n + 4 < COLUMN ? COLUMN - 2 - (int)left.n : 2;
    return buf_addf(b, e, "  %.*s%*s%s\n", STR_ARG(left), pad, "", text);
}

/* "-c, --config FILE" */
static int add_option_name(struct buf *b, const struct option *o,
                           struct err *e) {
    if (o->letter ? buf_addf(b, e, "-%c, --%s", o->letter, o->name)
                  : buf_addf(b, e, "    --%s", o->name))
        return -1;
    if (o->type == OPTION_FLAG) return 0;
    return buf_addf(b, e, " %s", o->value);
}

static int add_options(struct buf *b, const struct command *command,
                       const char *title, struct err *e) {
    const struct option *o = option_at(command, 0);
    if (!o) return 0;
    if (buf_addf(b, e, "\n%s:\n", title)) return -1;
    for (size_t i = 0; (o = option_at(command, i)); i++) {
        AUTO_BUF struct buf name = BUF_MAX(256);
        if (add_option_name(&name, o, e) ||
            add_line(b, buf_str(&name), o->text, e))
            return -1;
    }
    return 0;
}

static int add_command(struct buf *b, const struct command *c, struct err *e) {
    bool own_options = option_at(c, 0) != NULL;
    if (buf_addf(b, e, "usage: cordon %s%s%s%s\n\n", c->name,
                 own_options ? " [OPTIONS]" : "", *c->operands ? " " : "",
                 c->operands))
        return -1;
    /* The summary is a phrase; here it stands as a sentence. */
    if (buf_addf(b, e, "%c%s.\n", *c->summary - 'a' + 'A', c->summary + 1) ||
        add_options(b, c, "options", e))
        return -1;
    return add_options(b, NULL, "options of every command", e);
}

static int add_list(struct buf *b, str group, struct err *e) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        str rest = str_of(c->name), first = str_cut(&rest, ' ');
        if (group.n > 0 && !str_eq(first, group)) continue;
        if (add_line(b, str_of(c->name), c->summary, e)) return -1;
    }
    return 0;
}

static int add_overview(struct buf *b, str group, struct err *e) {
    bool all = group.n == 0;
    if (buf_addf(b, e, "usage: cordon %.*s%sCOMMAND [OPTIONS] ...\n\n",
                 STR_ARG(group), all ? "" : " ") ||
        buf_add_text(b, "commands:\n", e) || add_list(b, group, e) ||
        add_options(b, NULL, "options of every command", e))
        return -1;
    return buf_add_text(b,
                        "\n`cordon help COMMAND` explains a command, "
                        "`man cordon` everything.\n",
                        e);
}

int help_add(const struct command *command, str group, struct buf *out,
             struct err *e) {
    return command ? add_command(out, command, e) : add_overview(out, group, e);
}

int help_show(const struct command *command, str group, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(HELP_BYTES);
    if (help_add(command, group, &b, e)) return -1;
    return cli_out(buf_str(&b), e);
}

/* --- mdoc ----------------------------------------------------------------- */

/* Text in mdoc: a backslash would start an escape. Words of the table never
 * begin a line, so dots need no care; two-letter capitals could be macros and
 * are kept apart by the zero-width escape. */
static int add_man_text(struct buf *b, const char *text, struct err *e) {
    for (; *text; text++) {
        const char *as = *text == '\\' ? "\\e" : *text == '-' ? "\\-" : NULL;
        if (as ? buf_add_text(b, as, e) : buf_add_char(b, *text, e)) return -1;
    }
    return 0;
}

static int add_man_option(struct buf *b, const struct option *o,
                          struct err *e) {
    if (buf_add_text(b, ".It ", e)) return -1;
    if (o->letter && buf_addf(b, e, "Fl %c , ", o->letter)) return -1;
    if (buf_add_text(b, "Fl \\-", e) || add_man_text(b, o->name, e)) return -1;
    if (o->type != OPTION_FLAG && buf_addf(b, e, " Ar %s", o->value)) return -1;
    if (buf_add_char(b, '\n', e) || add_man_text(b, o->text, e)) return -1;
    return buf_add_text(b, ".\n", e);
}

static int add_man_options(struct buf *b, const struct command *c,
                           struct err *e) {
    const struct option *o = option_at(c, 0);
    if (!o) return 0;
    if (buf_add_text(b, ".Bl -tag -width Ds\n", e)) return -1;
    for (size_t i = 0; (o = option_at(c, i)); i++)
        if (add_man_option(b, o, e)) return -1;
    return buf_add_text(b, ".El\n", e);
}

static int add_man_command(struct buf *b, const struct command *c,
                           struct err *e) {
    if (buf_addf(b, e, ".It Cm %s", c->name)) return -1;
    for (str rest = str_of(c->operands); rest.n > 0;) {
        str word = str_cut(&rest, ' ');
        if (buf_addf(b, e, " Ar %.*s", STR_ARG(word))) return -1;
    }
    if (buf_addf(b, e, "\n%c", *c->summary - 'a' + 'A') ||
        add_man_text(b, c->summary + 1, e) || buf_add_text(b, ".\n", e))
        return -1;
    return add_man_options(b, c, e);
}

int help_add_man(struct buf *out, struct err *e) {
    if (buf_add_text(out, ".Sh OPTIONS\nOptions of every command:\n", e) ||
        add_man_options(out, NULL, e) ||
        buf_add_text(out, ".Sh COMMANDS\n.Bl -tag -width Ds\n", e))
        return -1;
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        if (add_man_command(out, c, e)) return -1;
    return buf_add_text(out, ".El\n", e);
}
