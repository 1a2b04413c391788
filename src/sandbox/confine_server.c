/* SPDX-License-Identifier: MIT
 *
 * What the configuration says of a server, checked and packed for its
 * supervisor.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/file.h"
#include "sandbox/confine.h"
#include "sandbox/runner.h"
#include "sandbox/serve.h"

/* The kernel's limit for one variable, less a little. */
enum { MAX_TEXT = 120 << 10, MAX_WORDS = CAGE_MAX_ARGS };

static bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* A folder's name that two servers never share: the name itself where it is
 * plain, else what is plain of it and a hash of the whole. */
static int folder_name(const char *name, struct buf *out, struct err *e) {
    uint8_t hash[CRYPTO_SHA256];
    bool changed = strlen(name) > 64;
    for (const char *c = name; *c && out->len < 64; c++) {
        changed |= !plain(*c);
        if (buf_add_char(out, plain(*c) ? *c : '_', e)) return -1;
    }
    if (out->len == 0) return fail(e, ERR_INVALID, "a server without a name");
    if (!changed) return 0;
    if (crypto_sha256(str_of(name), hash, e)) return -1;
    return buf_addf(out, e, ".%02x%02x%02x%02x", hash[0], hash[1], hash[2],
                    hash[3]);
}

static int make_home(const struct confine_server *s, struct arena *a,
                     const char **out, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (!s->state || s->state[0] != '/')
        return fail(e, ERR_INTERNAL, "the state folder is not absolute");
    AUTO_BUF struct buf name = BUF_MAX(128);
    if (folder_name(s->name, &name, e) ||
        buf_addf(&path, e, "%s/servers/%s", s->state, buf_text(&name)) ||
        file_make_dirs(buf_text(&path), 0700, e))
        return -1;
    *out = arena_text(a, buf_str(&path), e);
    return *out ? 0 : -1;
}

static void put_list(struct jw *w, const char *key, const char *const *list,
                     size_t count) {
    jw_key(w, key);
    jw_array(w);
    for (size_t i = 0; i < count; i++)
        jw_text(w, str_of(list[i]));
    jw_end_array(w);
}

static size_t length(const char *const *list) {
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

static int pack(const struct confine_server *s, const char *home,
                const struct runner_registry *registry, struct buf *out,
                struct err *e) {
    if (buf_add_text(out, CONFINE_VARIABLE "=", e)) return -1;
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "name", str_of(s->name));
    if (s->audit) jw_put_text(&w, "audit", str_of(s->audit));
    jw_put_text(&w, "home", str_of(home));
    if (s->cwd) jw_put_text(&w, "cwd", str_of(s->cwd));
    put_list(&w, "env", s->env, length(s->env));
    put_list(&w, "registry", registry->hosts, registry->count);
    if (registry->variable)
        jw_put_text(&w, "registry_env", str_of(registry->variable));
    if (s->sandbox) {
        jw_key(&w, "sandbox");
        jw_value(&w, s->sandbox);
    }
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* Beside this program, or where an installed one has it. */
static int find_program(const struct confine_server *s, struct arena *a,
                        const char **out, struct err *e) {
    static const char *const places[] = {"cordon", "../../bin/cordon"};
    char own[PATH_MAX];
    if (s->program) {
        *out = s->program;
        return 0;
    }
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n < 0) return fail_sys(e, "/proc/self/exe");
    own[n] = 0;
    *(strrchr(own, '/') + 1) = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *path = arena_printf(a, e, "%s%s", own, places[i]);
        if (!path) return -1;
        if (access(path, X_OK) != 0) continue;
        *out = path;
        return 0;
    }
    return fail(e, ERR_UNSUPPORTED, "no program cordon in or near %s", own);
}

static int build_argv(const char *program, const char *const *argv,
                      struct arena *a, const char *const **out, struct err *e) {
    static const char *const before[] = {"sandbox", "exec", "--server", "--"};
    size_t n = length(argv), k = 0;
    if (n == 0) return fail(e, ERR_INVALID, "no command");
    if (n > MAX_WORDS) return fail(e, ERR_LIMIT, "too many arguments");
    const char **words = arena_zalloc(a, n + 6, sizeof *words, e);
    if (!words) return -1;
    words[k++] = program;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        words[k++] = before[i];
    for (size_t i = 0; i < n; i++) {
        words[k] = arena_text(a, str_of(argv[i]), e);
        if (!words[k++]) return -1;
    }
    *out = words;
    return 0;
}

static int build_env(const struct confine_server *s, const char *home,
                     const struct runner_registry *registry, struct arena *a,
                     const char *const **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(MAX_TEXT);
    if (pack(s, home, registry, &text, e)) return -1;
    const char **env = arena_zalloc(a, 2, sizeof *env, e);
    if (!env) return -1;
    env[0] = arena_text(a, buf_str(&text), e);
    if (!env[0]) return -1;
    *out = env;
    return 0;
}

/* The supervisor reads the same text in the same way; what it would refuse is
 * refused before anything is started. */
static int try_out(const struct confined *c, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    struct serve s;
    const char *text = c->env[0] + sizeof CONFINE_VARIABLE;
    return serve_describe(&s, str_of(text), c->argv + 5, &a, e);
}

int confine_server(const struct confine_server *s, struct arena *a,
                   struct confined *out, struct err *e) {
    struct confined c;
    struct runner_registry registry = {.count = 0};
    const char *home, *program;
    enum runner r = s->argv && s->argv[0] ? runner_of(s->argv) : RUNNER_NONE;
    if (make_home(s, a, &home, e) || find_program(s, a, &program, e) ||
        (r && runner_registry(r, s->env, getenv("HOME"), a, &registry, e)) ||
        build_argv(program, s->argv, a, &c.argv, e) ||
        build_env(s, home, &registry, a, &c.env, e) || try_out(&c, e))
        return fail_while(e, "server \"%s\"", s->name);
    c.home = home;
    *out = c;
    return 0;
}
