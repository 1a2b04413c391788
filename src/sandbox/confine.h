/* SPDX-License-Identifier: MIT
 *
 * confine -- a stdio server of somebody else's, started where it can do little.
 *
 * An npm package is as untrusted as a model. confine_server turns what the
 * configuration says of a server into the argv and environment of a small
 * supervisor (`cordon sandbox exec --server`), to be started like any child
 * (io/child.h). The supervisor puts the server into a cage of tier process and
 * hands it its own standard streams: no byte of the conversation passes
 * through anybody. When the supervisor ends, however it ends, so does
 * everything the server started; a SIGTERM is passed on.
 *
 * The server sees the system directories, a private home that stays from run
 * to run (state/servers/NAME) and what "ro_bind" and "bind" name. Its
 * environment is what the configuration gives, nothing of ours. Without an
 * "egress" list there is no network.
 *
 * Package runners (runners.def: npx, uvx, pipx) are run twice: once to fetch
 * the package into that home, with their registry as the only egress, and then
 * offline, as every other server. "registry" names the registry's hosts;
 * without it they are taken from the variables and files in which the runner
 * itself would look.
 */
#ifndef CORDON_SANDBOX_CONFINE_H
#define CORDON_SANDBOX_CONFINE_H

#include "sandbox/cage.h"

struct confine_server {
    const char *name;           /* its name in the configuration */
    const char *const *argv;    /* command and arguments, NULL-terminated */
    const char *const *env;     /* "NAME=value", NULL-terminated; may be NULL */
    const char *cwd;            /* absolute; seen read-only; NULL: the home */
    const struct json *sandbox; /* its "sandbox" object; NULL: defaults */
    const char *state;          /* folder of homes, absolute */
    const char *program;        /* cordon; NULL: the one beside this program */
    const char *audit;          /* folder of the log that has its sandbox; or
                                   NULL */
};

/* For struct child_spec. Nothing secret is in argv. */
struct confined {
    const char *const *argv;
    const char *const *env;
    const char *home; /* its own, on this side */
};

/* The result lives in the arena. A "sandbox" object with mistakes is refused
 * here, with the member named. Makes the home. */
int confine_server(const struct confine_server *s, struct arena *a,
                   struct confined *out, struct err *e);

/* Who writes down what becomes of a sandbox. open comes first, with the folder
 * of the log and whose sandbox it is; where there is no log, none of them. What
 * started cannot write down is not started. */
struct confine_watch {
    void *data;
    int (*open)(void *data, const char *audit, const char *by, struct err *e);
    int (*started)(void *data, const struct cage *c, struct err *e);
    void (*ended)(void *data, const struct cage_result *r);
    void (*failed)(void *data, const struct err *why);
};

/* In the supervisor: from its environment to the server's exit status. */
int confine_supervise(const char *const *argv, const struct tls_way *tls,
                      const struct confine_watch *watch, struct err *e);

/* Whether what it will be told names credentials or a log: more than a lean
 * program has. */
bool confine_is_heavy(void);

/* Variable that carries the description from one to the other. */
#define CONFINE_VARIABLE "CORDON_SERVER"

#endif
