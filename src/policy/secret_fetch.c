/* SPDX-License-Identifier: MIT */
#include "policy/secret_fetch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND_WORDS 64
#define COMMAND_NS    (30 * INT64_C(1000000000)) /* a person may unlock */

extern char **environ;

/* NAMEs and PATHs are short; NUL-terminated for the kernel. */
static int as_text(str name, struct buf *out, struct err *e) {
    if (name.n == 0) return fail(e, ERR_INVALID, "nothing is named");
    if (memchr(name.p, '\0', name.n))
        return fail(e, ERR_INVALID, "a name with a NUL");
    return buf_add_str(out, name, e);
}

static void drop_line_end(struct buf *out, size_t from) {
    if (out->len > from && out->data[out->len - 1] == '\n')
        buf_truncate(out, out->len - 1);
    if (out->len > from && out->data[out->len - 1] == '\r')
        buf_truncate(out, out->len - 1);
}

static int from_env(str name, struct buf *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    if (as_text(name, &text, e)) return -1;
    const char *value = getenv(buf_text(&text));
    if (!value) return fail(e, ERR_MISSING, "the variable is not set");
    return buf_add_text(out, value, e);
}

static int from_file(str name, struct buf *out, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(4096);
    size_t from = out->len;
    const char *home = getenv("HOME");
    if (str_starts(name, STR("~/")) && home) {
        if (buf_add_text(&path, home, e)) return -1;
        name = str_sub(name, 1, name.n);
    }
    if (as_text(name, &path, e)) return -1;
    if (str_is(buf_str(&path), "-"))
        return fail(e, ERR_INVALID, "standard input is not a file to keep");
    if (file_read(buf_text(&path), out, e)) return -1;
    drop_line_end(out, from);
    return 0;
}

/* -- commands ---------------------------------------------------------------
 */

/* Words at white space; single or double quotes keep it. There is no shell: a
 * configuration value should not be able to become two commands. */
static int split_words(char *text, char *words[COMMAND_WORDS + 1],
                       struct err *e) {
    size_t count = 0;
    char *from = text, *to = text, quote = '\0';
    bool inside = false;
    for (;; from++) {
        bool ends =
            *from == '\0' || (!quote && (*from == ' ' || *from == '\t'));
        if (!ends && !inside) {
            if (count == COMMAND_WORDS)
                return fail(e, ERR_LIMIT, "more than %d words", COMMAND_WORDS);
            words[count++] = to;
            inside = true;
        }
        if (ends) {
            char last = *from;
            if (inside) *to++ = '\0';
            inside = false;
            if (last == '\0') break;
        } else if (quote ? *from == quote : *from == '\'' || *from == '"') {
            quote = quote ? '\0' : *from;
        } else {
            *to++ = *from;
        }
    }
    words[count] = NULL;
    if (quote) return fail(e, ERR_INVALID, "a quote that is not closed");
    return count ? 0 : fail(e, ERR_INVALID, "no command is named");
}

static int spawn(char **words, int output, pid_t *pid, struct err *e) {
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return fail(e, ERR_MEMORY, "no memory for a child");
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
                                              O_RDONLY, 0) ||
             posix_spawn_file_actions_adddup2(&actions, output, 1);
    int why = failed
                  ? ENOMEM
                  : posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (why == 0) return 0;
    errno = why;
    return fail_sys(e, "start %s", words[0]);
}

static int read_until(int fd, int64_t deadline, struct buf *out,
                      struct err *e) {
    for (;;) {
        int64_t left = deadline - clock_mono_ns();
        if (left <= 0) return fail(e, ERR_TIMEOUT, "it took too long");
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, (int)(left / 1000000) + 1);
        if (ready < 0 && errno != EINTR) return fail_sys(e, "poll");
        if (ready <= 0) continue;
        char chunk[4096];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "read");
        if (n == 0) return 0;
        int failed = buf_add(out, chunk, (size_t)n, e);
        mem_wipe(chunk, sizeof chunk);
        if (failed) return -1;
    }
}

static int await_end(pid_t pid, bool stop, struct err *e) {
    int status;
    if (stop) kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return fail_sys(e, "waitpid");
    if (stop) return -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    if (WIFEXITED(status))
        return fail(e, ERR_INVALID, "it exited with status %d",
                    WEXITSTATUS(status));
    return fail(e, ERR_INVALID, "it was ended by a signal");
}

static int run_words(char **words, struct buf *out, struct err *e) {
    int ends[2];
    pid_t pid;
    size_t from = out->len;
    if (pipe2(ends, O_CLOEXEC)) return fail_sys(e, "pipe");
    AUTO_FD int in = ends[0];
    AUTO_FD int child = ends[1];
    if (spawn(words, child, &pid, e)) return -1;
    close(fd_take(&child));
    int failed = read_until(in, clock_mono_ns() + COMMAND_NS, out, e);
    if (await_end(pid, failed != 0, e)) return -1;
    drop_line_end(out, from);
    return 0;
}

static int from_command(str name, struct buf *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(8192);
    char *words[COMMAND_WORDS + 1];
    if (as_text(name, &text, e) || split_words(text.data, words, e)) return -1;
    return run_words(words, out, e);
}

/* -- keyrings ---------------------------------------------------------------
 */

/* A key of type "user" called cordon:NAME, in the session's keyring or the
 * user's: keyctl padd user cordon:NAME @u */
static bool from_kernel(const char *description, struct buf *out,
                        struct err *e) {
    static const int rings[] = {KEY_SPEC_SESSION_KEYRING,
                                KEY_SPEC_USER_KEYRING};
    char value[4096];
    for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
        long key = syscall(SYS_keyctl, KEYCTL_SEARCH, rings[i], "user",
                           description, 0);
        if (key < 0) continue;
        long n = syscall(SYS_keyctl, KEYCTL_READ, key, value, sizeof value);
        if (n < 0 || (size_t)n > sizeof value) continue;
        bool added = buf_add(out, value, (size_t)n, e) == 0;
        mem_wipe(value, sizeof value);
        return added;
    }
    return false;
}

static int from_keyring(str name, struct buf *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    if (buf_add_text(&text, "cordon:", e) || as_text(name, &text, e)) return -1;
    if (from_kernel(buf_text(&text), out, e)) return 0;
    char lookup[] = "lookup", service[] = "service", cordon[] = "cordon",
         account[] = "account", program[] = "secret-tool";
    char *words[] = {program, lookup,  service,
                     cordon,  account, text.data + strlen("cordon:"),
                     NULL};
    if (run_words(words, out, e) == 0) return 0;
    return fail(e, ERR_MISSING,
                "neither the kernel's keyring (keyctl padd user %s @u) nor "
                "secret-tool (service cordon, account %.*s) has it",
                buf_text(&text), STR_ARG(name));
}

/* ---------------------------------------------------------------------------
 */

int secret_fetch(str kind, str name, struct buf *out, struct err *e) {
    static const struct {
        const char *word;
        int (*fetch)(str name, struct buf *out, struct err *e);
    } kinds[] = {
#define KIND(word, fetch) {word, fetch},
#include "policy/secret_kinds.def"
#undef KIND
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (str_is(kind, kinds[i].word)) return kinds[i].fetch(name, out, e);
    return fail(e, ERR_INVALID,
                "secrets come from env, file, command or keyring");
}
