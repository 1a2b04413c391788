/* SPDX-License-Identifier: MIT
 *
 * runner -- programs that fetch a package and run it: npx, uvx, pipx.
 *
 * Their command line is taken apart into a step that only fetches and one that
 * only runs, so that the network is there for the first and not for the
 * second.
 */
#ifndef CORDON_SANDBOX_RUNNER_H
#define CORDON_SANDBOX_RUNNER_H

#include "base/arena.h"

enum runner {
    RUNNER_NONE,
#define RUNNER(name, program, variables, file, key, hosts, offline) \
    RUNNER_##name,
#include "sandbox/runners.def"
#undef RUNNER
};

enum { RUNNER_MAX_HOSTS = 8 };

/* RUNNER_NONE for any other program. */
enum runner runner_of(const char *const *argv);

struct runner_steps {
    const char *const *install;
    const char *const *run;
    const char *offline; /* variable for the run, "NAME=value" */
};

/* home is where the runner keeps what it fetched. */
int runner_split(enum runner r, const char *const *argv, const char *home,
                 struct arena *a, struct runner_steps *out, struct err *e);

/* Where the registry is, as "host:port" texts. env is the server's own, before
 * that of this process; user_home is where the runner's file is looked for.
 * *variable is the setting to pass on, or NULL when the default holds. */
struct runner_registry {
    const char *hosts[RUNNER_MAX_HOSTS];
    size_t count;
    const char *variable;
};
int runner_registry(enum runner r, const char *const *env,
                    const char *user_home, struct arena *a,
                    struct runner_registry *out, struct err *e);

/* "https://host/path" to "host:443". */
int runner_url_host(str url, struct arena *a, const char **out, struct err *e);

#endif
