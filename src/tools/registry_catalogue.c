/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "tools/registry.h"
#include "json/build.h"

#define LIST_BYTES ((size_t)512 << 20)

static int put_server(struct registry *r, const struct catalogue *c, str server,
                      struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(LIST_BYTES);
    struct json_build b = JSON_BUILD(&scratch);
    struct registry_source source = {.server = server};
    const struct json *list;
    build_array(&b);
    for (size_t i = 0; i < c->count; i++) {
        const struct tool *t = &c->tools[i];
        if (!str_eq(t->server, server)) continue;
        build_copy(&b, t->definition);
        if (source.server_text.n == 0) source.server_text = t->server_text;
    }
    build_end(&b);
    if (build_done(&b, &list, e)) return -1;
    return registry_put(r, &source, list, e) < 0 ? -1 : 0;
}

int registry_put_catalogue(struct registry *r, const struct catalogue *c,
                           struct err *e) {
    AUTO_MAP struct map done = MAP_MAX(CATALOGUE_TOOLS);
    for (size_t i = 0; i < c->count; i++) {
        str server = c->tools[i].server;
        if (map_get(&done, server)) continue;
        if (map_put(&done, server, r, NULL, e) || put_server(r, c, server, e))
            return -1;
    }
    return 0;
}
