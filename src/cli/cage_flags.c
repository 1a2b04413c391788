/* SPDX-License-Identifier: MIT */
#include "cli/cage_flags.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/num.h"
#include "policy/secret.h"

#define FILE_BYTES   ((size_t)4 << 20)
#define UNIX_SOCKETS "unix-sockets" /* a flag, the others have values */

/* auto is settled when the program is known. */
static int set_tier(struct cage *c, str name, struct err *e) {
    return str_is(name, "auto") ? 0 : cage_set_tier(c, name, e);
}

static int bind_ro(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RO, s, e);
}

static int bind_rw(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RW, s, e);
}

static int bind_overlay(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_OVERLAY, s, e);
}

/* A directory would be a way into the host's files. */
static int add_fd(struct cage *c, str number, struct err *e) {
    uint64_t fd;
    struct stat st;
    if (num_parse_u64(number, &fd, e)) return -1;
    if (fd < 3 || fd > 1 << 20 || fstat((int)fd, &st) < 0)
        return fail(e, ERR_INVALID, "%.*s is no open descriptor above 2",
                    STR_ARG(number));
    if (S_ISDIR(st.st_mode))
        return fail(e, ERR_INVALID, "%.*s is a directory", STR_ARG(number));
    if (c->fd_count == CAGE_MAX_FDS)
        return fail(e, ERR_LIMIT, "more than %d descriptors", CAGE_MAX_FDS);
    c->fds[c->fd_count++] = (int)fd;
    return 0;
}

/* "HOST=HEADER: VALUE". The value is a secret's, so no message has it. */
static int add_header(struct cage *c, str text, struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(SECRET_BYTES);
    str host = str_cut(&text, '='), header = str_cut(&text, ':');
    if (!text.p || !host.n || !header.n)
        return fail(e, ERR_INVALID, "HOST=HEADER: VALUE is wanted");
    struct secrets *s = secrets_new(e);
    if (!s) return -1;
    int rc = secrets_expand(s, str_trim(text), &value, e) ||
             cage_add_credential(c, host, header, buf_str(&value), e);
    secrets_free(s);
    return rc ? -1 : 0;
}

/* Each option is the text of one setter. */
static const struct {
    const char *option;
    int (*set)(struct cage *c, str text, struct err *e);
    bool common; /* to all ways of running a program */
} setters[] = {
    {"tier", set_tier, true},
    {"root", cage_set_root, false},
    {"cwd", cage_set_cwd, false},
    {"net", cage_set_net, false},
    {"limits", cage_set_limits, true},
    {"ro-bind", bind_ro, false},
    {"bind", bind_rw, false},
    {"overlay", bind_overlay, false},
    {"env", cage_add_env, false},
    {"egress", cage_add_egress, false},
    {"add-header", add_header, false},
    {"fd", add_fd, false},
    {"allow-missing", cage_allow_missing, true},
};
enum { SETTERS = sizeof setters / sizeof setters[0] };

static int set_one(struct cage *c, const struct args *a, size_t s,
                   struct err *e) {
    const char *name = setters[s].option, *text;
    for (size_t i = 0; (text = args_nth(a, name, i)); i++)
        if (setters[s].set(c, str_of(text), e)) return -1;
    return 0;
}

/* The same object as "sandbox" in the configuration. */
static int read_file(const char *path, struct cage *c, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    const struct json *v;
    if (file_read(path, &text, e) ||
        json_parse(buf_str(&text), NULL, c->arena, &v, e))
        return fail_while(e, "%s", path);
    struct secrets *s = secrets_new(e);
    if (!s) return -1;
    int rc =
        secrets_expand_json(s, v, c->arena, &v, e) || cage_from_json(c, v, e);
    secrets_free(s);
    return rc ? -1 : 0;
}

int cage_flags(struct cage *c, const struct args *a, struct err *e) {
    const char *file = args_nth(a, "cage", 0);
    if (file && read_file(file, c, e)) return -1;
    c->unix_sockets |= args_flag(a, UNIX_SOCKETS);
    for (size_t s = 0; s < SETTERS; s++)
        if (set_one(c, a, s, e))
            return fail_while(e, "--%s", setters[s].option);
    return 0;
}

const char *cage_flags_given(const struct args *a) {
    if (args_nth(a, "cage", 0)) return "cage";
    if (args_flag(a, UNIX_SOCKETS)) return UNIX_SOCKETS;
    for (size_t s = 0; s < SETTERS; s++)
        if (!setters[s].common && args_nth(a, setters[s].option, 0))
            return setters[s].option;
    return NULL;
}
