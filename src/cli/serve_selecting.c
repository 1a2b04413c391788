/* SPDX-License-Identifier: MIT
 *
 * How `cordon serve` chooses tools.
 */
#include "base/mem.h"
#include "cli/selecting.h"
#include "cli/serve.h"

struct part {
    struct serve *serve;
    struct selecting *selecting;
    struct hub_waiter settled;
};

const struct standing *serve_standing(const struct serve *s) {
    const struct part *p = s->parts[SERVE_selecting];
    return p ? selecting_standing(p->selecting) : NULL;
}

int serve_selecting_reload(struct serve *s, const struct json *settings,
                           struct err *e) {
    struct part *p = s->parts[SERVE_selecting];
    return p ? selecting_reload(p->selecting, settings, e) : 0;
}

/* Indexed before somebody asks: the first request need not wait for it, and
 * an embeddings endpoint gets its work early. */
static void on_settled(struct hub_waiter *w) {
    struct part *p = w->data;
    struct err e;
    if (!registry_selector(p->serve->authority.registry, &e))
        log_warn(p->serve->log, "index of tools: %s", e.text);
}

int serve_selecting_start(struct serve *s, struct err *e) {
    const struct provider_host host =
        authority_host(&s->authority, s->loop, s->http, s->log);
    struct part *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    p->serve = s;
    p->selecting = selecting_new(&host, s->settings, e);
    if (!p->selecting) {
        mem_free(p);
        return -1;
    }
    s->parts[SERVE_selecting] = p;
    p->settled = (struct hub_waiter){.done = on_settled, .data = p};
    hub_wait(s->hub, &p->settled);
    return 0;
}

void serve_selecting_end(struct serve *s) {
    struct part *p = s->parts[SERVE_selecting];
    if (!p) return;
    hub_unwait(&p->settled);
    selecting_free(p->selecting);
    mem_free(p);
    s->parts[SERVE_selecting] = NULL;
}
