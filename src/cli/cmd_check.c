/* SPDX-License-Identifier: MIT
 *
 * What exists is asked of the interpreter itself, in a session that runs
 * nothing of the program; signatures are those of the tables and sources it is
 * made of.
 */
#include <string.h>

#include "base/hash.h"
#include "cli/cli.h"
#include "cli/programs.h"
#include "cordon.h"
#include "lang/check.h"
#include "vm/native.h"
#include "vm/template.h"
#include "json/write.h"

#define SOURCE_BYTES ((size_t)16 << 20)
#define WORK_BYTES   ((size_t)512 << 20)
#define REPORT_BYTES ((size_t)1 << 20)

struct world {
    cordon_session *session;
    const struct cli *cli;
    struct arena *arena;
    struct err *e;
};

/* -- what there is -------------------------------------------------------- */

/* Whether code runs to its end. */
static bool runs(struct world *w, const char *code) {
    return code && cordon_run(w->session, code) == CORDON_DONE;
}

/* "name(a, b=1)" of --function: the parameters if it is this one. */
static const char *given(struct world *w, str name) {
    const char *text;
    for (size_t i = 0; (text = args_nth(&w->cli->args, "function", i)); i++) {
        str s = str_of(text);
        ptrdiff_t open = str_find_char(s, '(');
        if (open < 0 && str_eq(s, name)) return "*args, **kwargs";
        if (open < 0 || !str_eq(str_sub(s, 0, (size_t)open), name) ||
            !str_ends(s, STR(")")))
            continue;
        return arena_text(w->arena, str_sub(s, (size_t)open + 1, s.n - 1),
                          w->e);
    }
    return NULL;
}

static bool has_module(void *user, str module) {
    struct world *w = user;
    return runs(w,
                arena_printf(w->arena, w->e, "import %.*s", STR_ARG(module)));
}

static bool has_name(void *user, str module, str name) {
    struct world *w = user;
    if (module.n == 0 && given(w, name)) return true;
    if (module.n == 0) return runs(w, arena_text(w->arena, name, w->e));
    return runs(w,
                arena_printf(w->arena, w->e, "import %.*s\n%.*s.%.*s",
                             STR_ARG(module), STR_ARG(module), STR_ARG(name)));
}

/* -- signatures ----------------------------------------------------------- */

static const struct native_module *find_module(str name) {
    if (name.n == 0) name = STR("builtins");
    for (size_t i = 0; stdlib_modules[i]; i++)
        if (str_is(name, stdlib_modules[i]->name)) return stdlib_modules[i];
    return NULL;
}

static const char *native_signature(const struct native *rows, str name) {
    for (; rows && rows->name; rows++)
        if (str_is(name, rows->name) && rows->signature[0] != '@')
            return rows->signature;
    return NULL;
}

/* Up to the bracket that closes the one before the text. */
static str to_close(str s) {
    int depth = 1;
    size_t i = 0;
    for (; i < s.n; i++) {
        depth += s.p[i] == '(' || s.p[i] == '[' || s.p[i] == '{';
        depth -= s.p[i] == ')' || s.p[i] == ']' || s.p[i] == '}';
        if (depth == 0) break;
    }
    return str_sub(s, 0, i);
}

/* Of a plain function of a module's Python part: decorated ones, and those
 * defined twice, may have another. */
static const char *python_signature(struct world *w, const char *source,
                                    str name) {
    str text = str_of(source), needle;
    const char *def =
        arena_printf(w->arena, w->e, "\ndef %.*s(", STR_ARG(name));
    if (!def) return NULL;
    needle = str_of(def);
    ptrdiff_t at = str_find(text, needle);
    if (at < 0) return NULL;
    str before = str_sub(text, 0, (size_t)at);
    str rest = str_sub(text, (size_t)at + needle.n, text.n);
    size_t line = before.n;
    while (line > 0 && before.p[line - 1] != '\n')
        line--;
    if (str_starts(str_sub(before, line, before.n), STR("@")) ||
        str_find(rest, needle) >= 0)
        return NULL;
    return arena_text(w->arena, to_close(rest), w->e);
}

static const char *signature(void *user, str module, str name) {
    struct world *w = user;
    const char *host = module.n == 0 ? given(w, name) : NULL;
    if (host) return host;
    const struct native_module *m = find_module(module);
    if (!m) return NULL;
    const char *found = native_signature(m->functions, name);
    if (found || !m->python || module.n == 0) return found;
    return python_signature(w, m->python, name);
}

/* -- suggestions ---------------------------------------------------------- */

/* The nearest word of a text with spaces between words. */
static const char *nearest_word(struct world *w, str words, str name) {
    str best = {NULL, 0};
    size_t best_distance = name.n < 3 ? 0 : name.n < 5 ? 2 : 3;
    while (words.p) {
        str word = str_cut(&words, ' ');
        size_t d = str_distance(name, word, 2);
        if (d >= best_distance) continue;
        best_distance = d;
        best = word;
    }
    return best.p ? arena_text(w->arena, best, w->e) : NULL;
}

static const char *nearest(void *user, str module, str name) {
    struct world *w = user;
    const char *code =
        module.n
            ? arena_printf(w->arena, w->e, "import %.*s\n' '.join(dir(%.*s))",
                           STR_ARG(module), STR_ARG(module))
            : "import builtins\n' '.join(dir(builtins))";
    if (!runs(w, code)) return NULL;
    const char *json = cordon_result_json(w->session);
    if (!json) return NULL;
    str s = str_of(json);
    return nearest_word(w, s.n > 2 ? str_sub(s, 1, s.n - 1) : STR(""), name);
}

/* -- the report ----------------------------------------------------------- */

static int add_json(str source, const struct finding *f, struct buf *b,
                    struct err *e) {
    struct jw w = JW(b);
    jw_object(&w);
    jw_key(&w, "findings");
    jw_array(&w);
    for (; f; f = f->next) {
        struct place at = place_of(source, f->start);
        struct place end = place_of(source, f->end);
        jw_object(&w);
        jw_put_int(&w, "line", at.line);
        jw_put_int(&w, "column", at.column + 1);
        jw_put_int(&w, "end_line", end.line);
        jw_put_int(&w, "end_column", end.column + 1);
        jw_put_text(&w, "message", str_of(f->text));
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(b, '\n', e);
}

static int add_text(str source, const char *path, const struct finding *f,
                    struct buf *b, struct err *e) {
    for (; f; f = f->next) {
        struct place at = place_of(source, f->start);
        str line = place_line(source, at.line);
        if (buf_addf(b, e, "%s:%u:%u: %s\n    %.*s\n", path, at.line,
                     at.column + 1, f->text, STR_ARG(str_trim(line))))
            return -1;
    }
    return 0;
}

/* A program that does not even parse has that one finding. */
static int find(str source, struct world *w, struct finding **out,
                struct err *e) {
    struct check_world cw = {.user = w,
                             .has_module = has_module,
                             .has_name = has_name,
                             .signature = signature,
                             .nearest = nearest};
    struct fault fault = {0};
    if (hash_random(cw.seed, sizeof cw.seed, e)) return -1;
    if (check_source(source, &cw, w->arena, out, &fault, e) == 0) return 0;
    if (fault.kind == FAULT_NONE) return -1;
    struct finding *f = arena_zalloc(w->arena, 1, sizeof *f, e);
    if (!f) return -1;
    f->start = fault.start;
    f->end = fault.end;
    f->text =
        arena_printf(w->arena, e, "%s: %s", fault_type(fault.kind), fault.text);
    *out = f;
    return f->text ? 0 : -1;
}

static int report(const struct cli *cli, str source,
                  const struct finding *found, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(REPORT_BYTES);
    const char *path = cli_operand(cli, 0);
    if (!path || !strcmp(path, "-")) path = "<stdin>";
    if (cli->json ? add_json(source, found, &b, e)
                  : add_text(source, path, found, &b, e))
        return -1;
    if (cli_out(buf_str(&b), e)) return -1;
    return found ? err_exit_status(ERR_INVALID) : 0;
}

int cmd_check(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf source = BUF_MAX(SOURCE_BYTES);
    AUTO_ARENA struct arena arena = ARENA_MAX(WORK_BYTES);
    if (cli_read(cli_operand(cli, 0), &source, e)) return -1;
    const char *why = NULL;
    cordon_session *s = cordon_session_new(NULL, &why);
    if (!s) return fail(e, ERR_MEMORY, "%s", why ? why : "no session");
    struct world w = {s, cli, &arena, e};
    struct finding *found = NULL;
    int result = find(buf_str(&source), &w, &found, e);
    if (result == 0) result = report(cli, buf_str(&source), found, e);
    cordon_session_free(s);
    return result;
}
