/* SPDX-License-Identifier: MIT
 *
 * Supervising a stdio server.
 */
#include "sandbox/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/confine.h"
#include "sandbox/jail.h"
#include "sandbox/runner.h"

#define MARKER ".cordon-installed"

/* A server runs as long as its host does, and talks as much as it likes: its
 * streams are not ours to count. */
static const uint64_t forever_ns = 10ull * 365 * 86400 * 1000000000;
static const uint64_t install_ns = 300ull * 1000000000;

static void server_defaults(struct cage *c) {
    c->tier = TIER_PROCESS;
    c->limits.wall = forever_ns;
    c->limits.memory = 1ull << 30;
    c->limits.pids = 128;
    c->limits.files = 1024;
    c->limits.file_size = 1ull << 30;
}

/* --- describing --- */

static int add_env(struct cage *c, const struct json *list, struct err *e) {
    if (!list) return 0;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (json_type(item) != JSON_STRING ||
            cage_add_env(c, json_str(item), e))
            return fail_while(e, "environment");
    return 0;
}

static int set_home(struct cage *c, const char *home, struct err *e) {
    char *variable = arena_printf(c->arena, e, "HOME=%s", home);
    if (!variable || cage_add_env(c, str_of(variable), e) ||
        cage_add_bind(c, BIND_RW, str_of(home), e))
        return fail_while(e, "home");
    return 0;
}

static bool of_the_system(const char *path) {
    static const char *const places[] = {"/usr/", "/bin/", "/sbin/", "/lib"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0) return true;
    return false;
}

/* A program that is named by its path may be read, and so may the folder it
 * shall start in; what else it needs is for the configuration to say. */
static int show_program(struct cage *c, const char *program, str cwd,
                        struct err *e) {
    if (program[0] == '/' && !of_the_system(program) &&
        cage_add_bind(c, BIND_RO, str_of(program), e))
        return -1;
    if (!cwd.n) return 0;
    if (cage_add_bind(c, BIND_RO, cwd, e) || cage_set_cwd(c, cwd, e))
        return fail_while(e, "cwd");
    return 0;
}

static int describe_run(struct serve *s, const struct json *doc,
                        const char *const *argv, struct err *e) {
    struct cage *c = &s->run;
    const struct json *sandbox = json_get(doc, "sandbox");
    server_defaults(c);
    if (add_env(c, json_get(doc, "env"), e) || set_home(c, s->home, e) ||
        cage_set_cwd(c, str_of(s->home), e))
        return -1;
    if (sandbox && cage_from_json(c, sandbox, e)) return -1;
    str cwd = json_get_text(doc, "cwd", STR(""));
    c->argv = argv;
    return show_program(c, argv[0], cwd, e);
}

/* The list of the configuration, or what confine_server found. */
static int add_registry(struct cage *c, const struct json *doc, struct err *e) {
    const struct json *found = json_get(doc, "registry");
    size_t listed = c->registry_count;
    c->net = NET_NONE;
    c->egress_count = c->credential_count = c->registry_count = 0;
    for (size_t i = 0; i < listed; i++)
        if (cage_add_egress(c, str_of(c->registry[i]), e))
            return fail_while(e, "registry");
    if (listed || !found) return 0;
    const struct json *item = json_first(found);
    for (size_t i = json_len(found); i > 0; i--, item = json_skip(item))
        if (json_type(item) != JSON_STRING ||
            cage_add_egress(c, json_str(item), e))
            return fail_while(e, "registry");
    return 0;
}

static int join(const char *const *words, struct arena *a, const char **out,
                struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    for (; *words; words++)
        if (buf_addf(&text, e, "%s\n", *words)) return -1;
    *out = arena_text(a, buf_str(&text), e);
    return *out ? 0 : -1;
}

/* Two cages from one: the same place, once with the registry and the fetching
 * command, once with the network that the configuration gives. */
static int describe_runner(struct serve *s, enum runner r,
                           const struct json *doc, const char *const *argv,
                           struct err *e) {
    struct runner_steps steps;
    str variable = json_get_text(doc, "registry_env", STR(""));
    if (runner_split(r, argv, s->home, s->run.arena, &steps, e)) return -1;
    if (variable.n && cage_add_env(&s->run, variable, e)) return -1;
    s->install = s->run;
    s->install.argv = steps.install;
    s->install.limits.wall = install_ns;
    s->install.limits.scratch = s->install.limits.file_size;
    s->run.argv = steps.run;
    s->run.registry_count = 0;
    if (cage_add_env(&s->run, str_of(steps.offline), e) ||
        add_registry(&s->install, doc, e) || cage_check(&s->install, e))
        return -1;
    s->fetches = true;
    return join(steps.install, s->run.arena, &s->wanted, e);
}

int serve_describe(struct serve *s, str packed, const char *const *argv,
                   struct arena *a, struct err *e) {
    const struct json *doc;
    *s = (struct serve){.fetches = false};
    cage_init(&s->run, a);
    if (!argv || !argv[0]) return fail(e, ERR_USAGE, "no command");
    if (json_parse(packed, NULL, a, &doc, e))
        return fail_while(e, CONFINE_VARIABLE);
    const struct json *audit = json_get(doc, "audit");
    s->by = arena_printf(a, e, "server %.*s",
                         STR_ARG(json_get_text(doc, "name", STR("?"))));
    s->home = arena_text(a, json_get_text(doc, "home", STR("")), e);
    if (audit && !(s->audit = arena_text(a, json_str(audit), e))) return -1;
    if (!s->by || !s->home || describe_run(s, doc, argv, e)) return -1;
    enum runner r = runner_of(argv);
    if (r && describe_runner(s, r, doc, argv, e)) return -1;
    return cage_check(&s->run, e);
}

/* --- running --- */

/* Signals to us are for the server; SIGCHLD is the jail's own business. */
static int take_signals(struct err *e) {
    static const int passed_on[] = {SIGTERM, SIGINT, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        sigaddset(&set, passed_on[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return fail_sys(e, "signals");
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? fail_sys(e, "signals") : fd;
}

static void pass_on(struct jail *j, int signals) {
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
        jail_signal(j, (int)info.ssi_signo);
}

static int stay(struct jail *j, int signals, struct err *e) {
    struct pollfd fds[] = {{jail_fd(j), POLLIN, 0}, {signals, POLLIN, 0}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR) return fail_sys(e, "poll");
        if (fds[1].revents) pass_on(j, signals);
        int rc = jail_step(j, e);
        if (rc) return rc < 0 ? -1 : 0;
    }
}

/* Held by us, the streams would stay open when the server closes them. */
static int let_go_of_streams(struct err *e) {
    AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
        return fail_sys(e, "/dev/null");
    return 0;
}

static int take_end(struct jail *j, const struct confine_watch *watch) {
    struct cage_result r;
    jail_result_take(j, &r);
    int status = cage_exit_status(&r);
    if (watch) watch->ended(watch->data, &r);
    cage_result_fini(&r);
    return status;
}

/* watch is NULL where nothing is recorded. */
static int run_cage(const struct cage *c, const struct jail_io *io,
                    bool is_server, int signals,
                    const struct confine_watch *watch, struct err *e) {
    struct jail *j = NULL;
    if (watch && watch->started(watch->data, c, e)) return -1;
    int rc = jail_start(c, io, &j, e);
    if (!rc && is_server) rc = let_go_of_streams(e);
    if (!rc) rc = stay(j, signals, e);
    if (rc && watch) watch->failed(watch->data, e);
    if (!rc) rc = take_end(j, watch);
    jail_free(j);
    return rc;
}

static bool installed(const struct serve *s, int home) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    return !file_read_at(home, MARKER, &text, &e) &&
           str_is(buf_str(&text), s->wanted);
}

static int mark(const struct serve *s, int home, struct err *e) {
    AUTO_FD int fd =
        openat(home, MARKER,
               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return fail_sys(e, MARKER);
    return fd_write_all(fd, str_of(s->wanted), e);
}

/* Nobody talks to it yet: what it says is for people. */
static int fetch(const struct serve *s, int signals,
                 const struct confine_watch *watch, struct err *e) {
    AUTO_FD int home =
        open(s->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (home < 0) return fail_sys(e, "%s", s->home);
    if (installed(s, home)) return 0;
    struct jail_io io = {.in = -1,
                         .out = {STREAM_COPY, STDERR_FILENO},
                         .err = {STREAM_COPY, STDERR_FILENO}};
    int status = run_cage(&s->install, &io, false, signals, watch, e);
    if (status < 0) return -1;
    if (status)
        return fail(e, ERR_SYSTEM, "%s ended with status %d",
                    s->install.argv[0], status);
    return mark(s, home, e);
}

int serve_run(const struct serve *s, const struct confine_watch *watch,
              struct err *e) {
    AUTO_FD int signals = take_signals(e);
    if (signals < 0) return -1;
    if (!s->audit) watch = NULL;
    if (watch && watch->open(watch->data, s->audit, s->by, e)) return -1;
    if (s->fetches && fetch(s, signals, watch, e))
        return fail_while(e, "install");
    struct jail_io io = {.in = STDIN_FILENO,
                         .out = {STREAM_GIVE, STDOUT_FILENO},
                         .err = {STREAM_GIVE, STDERR_FILENO}};
    return run_cage(&s->run, &io, true, signals, watch, e);
}

bool confine_is_heavy(void) {
    const char *packed = getenv(CONFINE_VARIABLE);
    return packed &&
           (strstr(packed, "\"credentials\"") || strstr(packed, "\"audit\""));
}

int confine_supervise(const char *const *argv, const struct tls_way *tls,
                      const struct confine_watch *watch, struct err *e) {
    const char *packed = getenv(CONFINE_VARIABLE);
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    struct serve s;
    if (!packed)
        return fail(e, ERR_USAGE,
                    "--server: " CONFINE_VARIABLE " is not set (only Cordon "
                    "itself starts servers so)");
    if (serve_describe(&s, str_of(packed), argv, &a, e)) return -1;
    s.run.tls = tls;
    return serve_run(&s, watch, e);
}
