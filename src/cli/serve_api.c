/* SPDX-License-Identifier: MIT
 *
 * The HTTP API of `cordon serve --http`.
 */
#include <limits.h>

#include "base/dirs.h"
#include "base/mem.h"
#include "cli/serve.h"
#include "gateway/api.h"

struct part {
    struct api *api;
    struct buf audit_dir;
};

static bool allows(void *data, str scopes, str tool) {
    const struct serve *s = data;
    return front_allows(s->front, scopes, tool);
}

static int open_api(struct serve *s, struct part *p, struct err *e) {
    const struct json *serve = json_get(s->settings, "serve");
    if (dirs_path(DIRS_STATE, "audit", &p->audit_dir, e)) return -1;
    const struct api_config config = {.loop = s->loop,
                                      .hub = s->hub,
                                      .runs = serve_runs(s),
                                      .boundary = s->authority.boundary,
                                      .store = s->authority.store,
                                      .audit = s->authority.audit,
                                      .audit_dir = buf_text(&p->audit_dir),
                                      .allows = allows,
                                      .data = s,
                                      .sandbox = json_get(serve, "sandbox"),
                                      .secrets = s->authority.secrets,
                                      .pools = s->pools};
    p->api = api_new(&config, e);
    if (!p->api) return -1;
    api_expect(p->api);
    return 0;
}

int serve_api_start(struct serve *s, struct err *e) {
    if (!s->front || !serve_runs(s)) return 0;
    struct part *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    p->audit_dir = BUF_MAX(PATH_MAX);
    s->parts[SERVE_api] = p;
    if (open_api(s, p, e)) return -1;
    const struct front_route route = {
        .prefix = "/api/v1", .handle = api_handle, .data = p->api};
    return front_mount(s->front, &route, e);
}

void serve_api_end(struct serve *s) {
    struct part *p = s->parts[SERVE_api];
    if (!p) return;
    api_free(p->api);
    buf_fini(&p->audit_dir);
    mem_free(p);
    s->parts[SERVE_api] = NULL;
}
