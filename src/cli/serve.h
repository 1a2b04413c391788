/* SPDX-License-Identifier: MIT
 *
 * serve -- what `cordon serve` is made of.
 *
 * A part is something that is served: a row in serve.def and two functions. It
 * finds here what all share, and mounts its paths on the HTTP front.
 */
#ifndef CORDON_CLI_SERVE_H
#define CORDON_CLI_SERVE_H

#include "cli/authority.h"
#include "gateway/front.h"
#include "gateway/hub.h"
#include "io/client.h"

struct nursery;
struct pools;

struct serve {
    struct cli *cli;
    struct loop *loop;
    struct log *log;
    struct client *http;
    struct nursery *nursery; /* of workers for programs */
    struct pools *pools;     /* of sandboxes that are ready; may be NULL */
    struct authority authority;
    struct samples *samples; /* servers' questions to models */
    struct hub *hub;
    struct front *front; /* NULL when it serves standard input and output */
    const struct json *settings; /* with references in place */
    void *parts[16];             /* each part's own, by its number */
};

struct runs;
struct runs *serve_runs(const struct serve *s); /* NULL before it started */

struct standing;
const struct standing *serve_standing(const struct serve *s);
int serve_selecting_reload(struct serve *s, const struct json *settings,
                           struct err *e);

enum serve_part {
#define PART(id, what) SERVE_##id,
#include "cli/serve.def"
#undef PART
    SERVE_PARTS,
};

/* int serve_<id>_start(struct serve *s, struct err *e): mounts and begins.
 * void serve_<id>_end(struct serve *s): after the front is gone; also when
 * starting failed or was never tried. */
#define PART(id, what)                                      \
    int serve_##id##_start(struct serve *s, struct err *e); \
    void serve_##id##_end(struct serve *s);
#include "cli/serve.def"
#undef PART

/* The models and the proxy as the settings have them now; the old ones stay
 * when these are wrong. */
int serve_proxy_reload(struct serve *s, const struct json *root, struct err *e);

/* What the settings have of them now: hosts of webhooks, sources of tools. */
void serve_code_reload(struct serve *s, const struct json *settings);
int serve_sources_reload(struct serve *s, const struct json *settings,
                         struct err *e);

#endif
