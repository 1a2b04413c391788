/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/programs.h"
#include "cli/script.h"

#define LINE_BYTES  ((size_t)1 << 16)
#define INPUT_BYTES ((size_t)1 << 20)

struct repl {
    cordon_session *session;
    struct printer printer;
    struct buf input; /* the lines of the statement being typed */
    bool person;      /* prompts are shown */
};

/* A statement is complete when it is one line that opens no block, or when an
 * empty line ends its block. Text that only an unexpected end makes wrong goes
 * on too: the compiler's own message tells. */
static bool opens_block(str line) {
    line = str_trim(line);
    return str_ends(line, STR(":")) || str_starts(line, STR("@"));
}

static int open_brackets(str text) {
    int depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '#')
            while (i < text.n && text.p[i] != '\n')
                i++;
        if (c == '(' || c == '[' || c == '{') depth++;
        if (c == ')' || c == ']' || c == '}') depth--;
    }
    return depth;
}

static bool complete(const struct repl *r, str line) {
    str all = buf_str(&r->input);
    bool several = memchr(all.p, '\n', all.n - 1) != NULL;
    if (open_brackets(all) > 0) return false;
    if (str_ends(str_trim(line), STR("\\"))) return false;
    if (several) return str_trim(line).n == 0;
    return !opens_block(line);
}

static void show(struct repl *r, enum cordon_status status) {
    while (status == CORDON_CALL)
        status =
            cordon_resume_error(r->session, NULL, "no tools are connected");
    struct err e;
    printer_flush(&r->printer);
    if (status == CORDON_RAISED || status == CORDON_LIMIT)
        fd_write_all(2, str_of(cordon_traceback(r->session)), &e);
    if (status == CORDON_FAILED)
        fprintf(stderr, "%s\n", cordon_error(r->session));
    if (status != CORDON_DONE) return;
    const char *repr = cordon_result_repr(r->session);
    if (repr && strcmp(repr, "None") != 0) printf("%s\n", repr);
    fflush(stdout);
}

/* False at the end of input. */
static bool read_line(struct repl *r, struct err *e) {
    char line[LINE_BYTES];
    if (r->person) {
        fputs(r->input.len ? "... " : ">>> ", stdout);
        fflush(stdout);
    }
    if (!fgets(line, sizeof line, stdin)) return false;
    return buf_add_text(&r->input, line, e) == 0;
}

static void loop(struct repl *r, struct err *e) {
    size_t before = 0;
    while (read_line(r, e)) {
        str line = str_sub(buf_str(&r->input), before, r->input.len);
        before = r->input.len;
        if (!complete(r, line)) continue;
        str code = buf_str(&r->input);
        show(r, cordon_run_file(r->session, code.p, code.n, "<stdin>"));
        buf_truncate(&r->input, 0);
        before = 0;
        if (cordon_exit_status(r->session) && !r->person) break;
    }
}

int cmd_repl(struct cli *cli, struct err *e) {
    const char *why = "", *words;
    struct cordon_limits limits = {0};
    struct repl r = {.printer = PRINTER(1), .input = BUF_MAX(INPUT_BYTES)};
    for (size_t i = 0; (words = args_nth(&cli->args, "limits", i)); i++)
        if (script_limits(words, &limits, e)) return -1;
    cordon_options *o = cordon_options_new();
    if (!o) return fail(e, ERR_MEMORY, "out of memory");
    cordon_options_limits(o, &limits);
    cordon_options_print(o, printer_add, &r.printer);
    r.person = isatty(0);
    r.session = cordon_session_new(o, &why);
    if (r.session)
        loop(&r, e);
    else
        err_set(e, ERR_INTERNAL, "%s", why);
    int result = r.session ? 0 : -1;
    cordon_session_free(r.session);
    printer_fini(&r.printer);
    buf_fini(&r.input);
    cordon_options_free(o);
    return result;
}
