/* SPDX-License-Identifier: MIT
 *
 * The tools that the configuration of `cordon serve` declares itself.
 */
#include "call/sources.h"
#include "cli/serve.h"

int serve_sources_start(struct serve *s, struct err *e) {
    struct provider_host host =
        authority_host(&s->authority, s->loop, s->http, s->log);
    host.pools = s->pools;
    s->parts[SERVE_sources] = sources_open(&host, s->settings, e);
    return s->parts[SERVE_sources] ? 0 : -1;
}

/* A mistake changes nothing: what was changed before it is put back. */
int serve_sources_reload(struct serve *s, const struct json *settings,
                         struct err *e) {
    struct sources *all = s->parts[SERVE_sources];
    struct err ignored;
    if (sources_configure(all, settings, e) == 0) return 0;
    (void)sources_configure(all, s->settings, &ignored);
    return -1;
}

void serve_sources_end(struct serve *s) {
    sources_close(s->parts[SERVE_sources]);
    s->parts[SERVE_sources] = NULL;
}
