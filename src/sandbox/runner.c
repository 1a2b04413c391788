/* SPDX-License-Identifier: MIT
 *
 * Command lines of package runners, and where their registries are.
 */
#include "sandbox/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_PACKAGES = 8, MAX_WORDS = 256 };

static const struct row {
    const char *program, *variables, *file, *key, *hosts, *offline;
} rows[] = {
    {0},
#define RUNNER(name, program, variables, file, key, hosts, offline) \
    {program, variables, file, key, hosts, offline},
#include "sandbox/runners.def"
#undef RUNNER
};

enum runner runner_of(const char *const *argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    for (size_t i = 1; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].program, name) == 0) return (enum runner)i;
    return RUNNER_NONE;
}

/* --- command lines --- */

/* What the words of a runner's command line are. */
struct words {
    struct names {
        const char *list[MAX_PACKAGES];
        size_t count;
    } packages, extras;
    const char *app;         /* the first word that is no option */
    const char *const *rest; /* what the app is given */
};

/* Options with a value, by what the value is: the package itself, one that
 * comes along, or no business of ours. Any other option has no value. */
enum value { PACKAGE, EXTRA, OTHER };
static const struct {
    enum runner runner;
    const char *option;
    enum value value;
} valued[] = {
    {RUNNER_NPX, "-p", PACKAGE},      {RUNNER_NPX, "--package", PACKAGE},
    {RUNNER_NPX, "-c", OTHER},        {RUNNER_NPX, "--call", OTHER},
    {RUNNER_UVX, "--from", PACKAGE},  {RUNNER_UVX, "--with", EXTRA},
    {RUNNER_UVX, "--python", OTHER},  {RUNNER_UVX, "-p", OTHER},
    {RUNNER_PIPX, "--spec", PACKAGE}, {RUNNER_PIPX, "--python", OTHER},
};
enum { VALUED = sizeof valued / sizeof valued[0] };

/* The row of an option with a value, or VALUED; *value points at what follows
 * an '=' or is NULL. */
static size_t find_option(enum runner r, const char *word, const char **value) {
    const char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < VALUED; i++)
        if (valued[i].runner == r && strlen(valued[i].option) == n &&
            strncmp(valued[i].option, word, n) == 0)
            return i;
    return VALUED;
}

static int add_name(struct names *n, const char *name, struct err *e) {
    if (n->count == MAX_PACKAGES)
        return fail(e, ERR_LIMIT, "more than %d packages", MAX_PACKAGES);
    n->list[n->count++] = name;
    return 0;
}

static int add_value(struct words *w, enum value kind, const char *text,
                     struct err *e) {
    switch (kind) {
    case PACKAGE: return add_name(&w->packages, text, e);
    case EXTRA: return add_name(&w->extras, text, e);
    case OTHER: return 0;
    }
    return 0;
}

static int read_words(enum runner r, const char *const *argv, struct words *w,
                      struct err *e) {
    const char *const *at = argv + 1;
    for (; *at && (*at)[0] == '-'; at++) {
        if (strcmp(*at, "--") == 0) {
            at++;
            break;
        }
        const char *value;
        size_t i = find_option(r, *at, &value);
        if (i == VALUED) continue;
        if (!value) value = *++at;
        if (!value) return fail(e, ERR_INVALID, "%s wants a value", at[-1]);
        if (add_value(w, valued[i].value, value, e)) return -1;
    }
    w->app = *at;
    w->rest = *at ? at + 1 : at;
    if (w->packages.count) return 0;
    if (!w->app) return fail(e, ERR_INVALID, "no package is named");
    return add_name(&w->packages, w->app, e);
}

/* A list of words that grows in the arena. */
struct list {
    const char **words;
    size_t count;
};

static int list_new(struct list *l, struct arena *a, struct err *e) {
    l->words = arena_zalloc(a, MAX_WORDS + 1, sizeof *l->words, e);
    l->count = 0;
    return l->words ? 0 : -1;
}

static int list_add(struct list *l, const char *word, struct err *e) {
    if (!word) return -1; /* arena_printf failed and said so */
    if (l->count == MAX_WORDS)
        return fail(e, ERR_LIMIT, "more than %d words", MAX_WORDS);
    l->words[l->count++] = word;
    return 0;
}

static int list_add_all(struct list *l, const char *const *words,
                        struct err *e) {
    for (; *words; words++)
        if (list_add(l, *words, e)) return -1;
    return 0;
}

/* `npx -p A -p B -c true` fetches A and B to where `npx A` looks for them. */
static int install_npx(const struct words *w, const char *program,
                       struct arena *a, struct list *l, struct err *e) {
    if (list_add(l, program, e) || list_add(l, "--yes", e)) return -1;
    const struct names *n = &w->packages;
    for (size_t i = 0; i < n->count; i++)
        if (list_add(l, arena_printf(a, e, "--package=%s", n->list[i]), e))
            return -1;
    return list_add(l, "-c", e) || list_add(l, "true", e) ? -1 : 0;
}

/* uvx is uv in another name; a tool that is installed is what it runs. */
static int install_uvx(const struct words *w, const char *program,
                       struct arena *a, struct list *l, struct err *e) {
    size_t n = strlen(program) - 1; /* without the x */
    if (list_add(l, arena_text(a, (str){program, n}, e), e) ||
        list_add(l, "tool", e) || list_add(l, "install", e) ||
        list_add(l, w->packages.list[0], e))
        return -1;
    for (size_t i = 0; i < w->extras.count; i++)
        if (list_add(l, "--with", e) || list_add(l, w->extras.list[i], e))
            return -1;
    return 0;
}

static int install_pipx(const struct words *w, const char *program,
                        struct list *l, struct err *e) {
    return list_add(l, program, e) || list_add(l, "install", e) ||
                   list_add(l, w->packages.list[0], e)
               ? -1
               : 0;
}

/* `pipx run` would look for a newer one; what was installed is a program in
 * the home. A version belongs to the package, not to the program. */
static int run_pipx(const struct words *w, const char *home, struct arena *a,
                    struct list *l, struct err *e) {
    if (!w->app) return fail(e, ERR_INVALID, "pipx run names no program");
    int n = (int)strcspn(w->app, "=<>~![ ");
    if (list_add(l, arena_printf(a, e, "%s/.local/bin/%.*s", home, n, w->app),
                 e))
        return -1;
    return list_add_all(l, w->rest, e);
}

int runner_split(enum runner r, const char *const *argv, const char *home,
                 struct arena *a, struct runner_steps *out, struct err *e) {
    struct words w = {.app = NULL};
    struct list install, run;
    const char *const *from = argv;
    if (r == RUNNER_PIPX) {
        if (!argv[1] || strcmp(argv[1], "run") != 0)
            return fail(e, ERR_INVALID, "pipx: only \"pipx run\" is a server");
        from++;
    }
    if (read_words(r, from, &w, e) || list_new(&install, a, e) ||
        list_new(&run, a, e))
        return fail_while(e, "%s", argv[0]);
    int rc = -1;
    switch (r) {
    case RUNNER_NONE: rc = fail(e, ERR_INTERNAL, "no runner"); break;
    case RUNNER_NPX: rc = install_npx(&w, argv[0], a, &install, e); break;
    case RUNNER_UVX: rc = install_uvx(&w, argv[0], a, &install, e); break;
    case RUNNER_PIPX: rc = install_pipx(&w, argv[0], &install, e); break;
    }
    if (!rc)
        rc = r == RUNNER_PIPX ? run_pipx(&w, home, a, &run, e)
                              : list_add_all(&run, argv, e);
    if (rc) return fail_while(e, "%s", argv[0]);
    *out = (struct runner_steps){install.words, run.words, rows[r].offline};
    return 0;
}

/* --- registries --- */

int runner_url_host(str url, struct arena *a, const char **out, struct err *e) {
    str rest = url;
    int port;
    if (str_starts(url, STR("https://"))) {
        rest = str_sub(url, 8, url.n);
        port = 443;
    } else if (str_starts(url, STR("http://"))) {
        rest = str_sub(url, 7, url.n);
        port = 80;
    } else {
        return fail(e, ERR_INVALID, "registry \"%.*s\" is no http(s) URL",
                    STR_ARG(url));
    }
    str host = str_cut(&rest, '/');
    if (host.n == 0 || str_find_char(host, '@') >= 0)
        return fail(e, ERR_INVALID,
                    "the registry's URL has no host, or credentials in it");
    bool ported = host.p[host.n - 1] != ']' && str_find_char(host, ':') >= 0;
    char *text = ported ? arena_text(a, host, e)
                        : arena_printf(a, e, "%.*s:%d", STR_ARG(host), port);
    if (!text) return -1;
    *out = text;
    return 0;
}

static const char *look_up(const char *const *env, str name) {
    for (; env && *env; env++)
        if (strncmp(*env, name.p, name.n) == 0 && (*env)[name.n] == '=')
            return *env + name.n + 1;
    char text[64];
    snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    return getenv(text);
}

/* "key = value", as .npmrc, pip.conf and a flat TOML file have it. */
static str find_key(str text, const char *key) {
    while (text.n) {
        str line = str_cut(&text, '\n');
        str name = str_trim(str_cut(&line, '='));
        if (!line.p || !str_is(name, key)) continue;
        line = str_trim(line);
        if (line.n > 1 && line.p[0] == '"') line = str_sub(line, 1, line.n - 1);
        return line;
    }
    return (str){0};
}

static str file_setting(const struct row *row, const char *home,
                        struct buf *text) {
    struct err e;
    char path[4096];
    int n = home ? snprintf(path, sizeof path, "%s/%s", home, row->file) : -1;
    if (n < 0 || (size_t)n >= sizeof path || file_read(path, text, &e))
        return (str){0};
    return find_key(buf_str(text), row->key);
}

static int use_url(const struct row *row, str url, struct arena *a,
                   struct runner_registry *out, struct err *e) {
    str names = str_of(row->variables);
    str first = str_cut(&names, ',');
    if (runner_url_host(url, a, &out->hosts[0], e)) return -1;
    out->count = 1;
    out->variable =
        arena_printf(a, e, "%.*s=%.*s", STR_ARG(first), STR_ARG(url));
    return out->variable ? 0 : -1;
}

static int use_default(const struct row *row, struct arena *a,
                       struct runner_registry *out, struct err *e) {
    for (str rest = str_of(row->hosts); rest.n;) {
        const char *host = arena_text(a, str_cut(&rest, ','), e);
        if (!host) return -1;
        out->hosts[out->count++] = host;
    }
    return 0;
}

int runner_registry(enum runner r, const char *const *env,
                    const char *user_home, struct arena *a,
                    struct runner_registry *out, struct err *e) {
    const struct row *row = &rows[r];
    AUTO_BUF struct buf file = BUF_MAX(64 << 10);
    struct runner_registry found = {.count = 0};
    str url = {0};
    for (str rest = str_of(row->variables); rest.n && !url.n;)
        url = str_of(look_up(env, str_cut(&rest, ',')));
    if (!url.n) url = file_setting(row, user_home, &file);
    if (url.n ? use_url(row, url, a, &found, e)
              : use_default(row, a, &found, e))
        return fail_while(e, "%s", row->program);
    *out = found;
    return 0;
}
