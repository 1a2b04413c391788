/* SPDX-License-Identifier: MIT
 *
 * What exists is asked of the interpreter itself, in a session that runs
 * nothing of the program; signatures are those of the tables and functions it
 * is made of.
 */
#include "stdlib/program.h"

#include "base/hash.h"
#include "cordon.h"
#include "vm/native.h"
#include "vm/template.h"

struct world {
    cordon_session *session;
    const struct program_host *host;
    struct arena *arena;
    struct err *e;
};

/* -- what there is -------------------------------------------------------- */

/* Whether code runs to its end. */
static bool runs(struct world *w, const char *code) {
    return code && cordon_run(w->session, code) == CORDON_DONE;
}

/* The parameters of a signature of the host, if it has this one. */
static const char *given(struct world *w, str name) {
    for (size_t i = 0; i < w->host->nsignatures; i++) {
        str s = str_of(w->host->signatures[i]);
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

/* The exception that importing it ends with, without its type. */
static const char *no_module(void *user, str module) {
    struct world *w = user;
    if (has_module(user, module)) return NULL;
    str text = str_of(cordon_traceback(w->session));
    ptrdiff_t at = str_find(text, STR("No module named "));
    if (at < 0) return NULL;
    str line = str_sub(text, (size_t)at, text.n);
    return arena_text(w->arena, str_cut(&line, '\n'), w->e);
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

/* Parameters of a function as they would be written, defaults as dots. */
static const char in_python[] =
    "def _parameters(f):\n"
    "    if type(f) is not type(_parameters): return\n"
    "    c = f.__code__\n"
    "    n, only, kw = c.co_argcount, c.co_posonlyargcount, "
    "c.co_kwonlyargcount\n"
    "    names, optional = c.co_varnames, n - len(f.__defaults__ or ())\n"
    "    out = []\n"
    "    for i in range(n):\n"
    "        out.append(names[i] + '=...' * (i >= optional))\n"
    "        if i + 1 == only: out.append('/')\n"
    "    at = n + kw\n"
    "    if c.co_flags & 4: out.append('*' + names[at])\n"
    "    elif kw: out.append('*')\n"
    "    for name in names[n:at]:\n"
    "        out.append(name + '=...' * (name in (f.__kwdefaults__ or ())))\n"
    "    if c.co_flags & 8:\n"
    "        out.append('**' + names[at + (c.co_flags >> 2 & 1)])\n"
    "    return ', '.join(out)\n"
    "_parameters(%.*s.%.*s)";

/* Of a function of a module's Python part, asked of the function itself. */
static const char *python_signature(struct world *w, str module, str name) {
    const char *code =
        arena_printf(w->arena, w->e, in_python, STR_ARG(module), STR_ARG(name));
    if (!has_module(w, module) || !runs(w, code)) return NULL;
    const char *json = cordon_result_json(w->session);
    if (!json || json[0] != '"') return NULL;
    return arena_text(w->arena, str_sub(str_of(json), 1, strlen(json) - 1),
                      w->e);
}

static const char *signature(void *user, str module, str name) {
    struct world *w = user;
    const char *host = module.n == 0 ? given(w, name) : NULL;
    if (host) return host;
    const struct native_module *m = find_module(module);
    if (!m) return NULL;
    const char *found = native_signature(m->functions, name);
    if (found || module.n == 0) return found;
    return python_signature(w, module, name);
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

/* -- the whole ------------------------------------------------------------ */

/* A program that does not even parse has that one finding. */
static int find(str source, struct world *w, struct finding **out,
                struct err *e) {
    struct check_world cw = {.user = w,
                             .has_module = has_module,
                             .no_module = no_module,
                             .has_name = has_name,
                             .signature = signature,
                             .nearest = nearest,
                             .functions = w->host->functions,
                             .nfunctions = w->host->nfunctions};
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

int program_check(str source, const struct program_host *host, struct arena *a,
                  struct finding **out, struct err *e) {
    const char *why = NULL;
    cordon_session *s = cordon_session_new(NULL, &why);
    if (!s) return fail(e, ERR_MEMORY, "%s", why ? why : "no session");
    struct world w = {s, host, a, e};
    *out = NULL;
    int result = find(source, &w, out, e);
    cordon_session_free(s);
    return result;
}
