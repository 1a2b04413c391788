/* SPDX-License-Identifier: MIT
 *
 * What a server offers: fetched whole, kept until something better is there.
 */
#include <string.h>

#include "base/mem.h"
#include "call/downstream_link.h"
#include "json/build.h"
#include "json/write.h"

#define LIST_MEMORY ((size_t)256 << 20)

static const struct {
    const char *method, *key;
    const char *capability; /* that promises it */
} lists[] = {
    [DOWN_TOOLS] = {"tools/list", "tools", "tools"},
    [DOWN_PROMPTS] = {"prompts/list", "prompts", "prompts"},
    [DOWN_RESOURCES] = {"resources/list", "resources", "resources"},
    [DOWN_TEMPLATES] = {"resources/templates/list", "resourceTemplates",
                        "resources"},
};

static void fetch(struct downstream *d, enum downstream_list list);

static int digest_of(const struct json *items, uint8_t out[CRYPTO_SHA256],
                     struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LIST_MEMORY);
    if (json_write(items, JSON_COMPACT, &text, e)) return -1;
    return crypto_sha256(buf_str(&text), out, e);
}

static void let_go(struct down_list *l) {
    arena_fini(&l->memory);
    l->items = NULL;
}

static int keep(struct down_list *l, const struct json *items, struct err *e) {
    struct arena memory = ARENA_MAX(LIST_MEMORY);
    struct json_build b = JSON_BUILD(&memory);
    const struct json *copy;
    build_copy(&b, items);
    if (build_done(&b, &copy, e)) {
        arena_fini(&memory);
        return -1;
    }
    arena_fini(&l->memory);
    l->memory = memory;
    l->items = copy;
    l->count = json_len(copy);
    return 0;
}

static bool same(const struct down_list *l, const uint8_t *digest) {
    return l->known && !memcmp(l->digest, digest, CRYPTO_SHA256);
}

static void take(struct downstream *d, enum downstream_list list,
                 const struct mcp_listing *listing) {
    struct down_list *l = &d->lists[list];
    uint8_t digest[CRYPTO_SHA256];
    struct err e;
    if (listing->err) {
        log_warn(d->config.log, "%s: %s", d->config.name, listing->err->text);
        return;
    }
    if (digest_of(listing->items, digest, &e) ||
        (!same(l, digest) && keep(l, listing->items, &e))) {
        log_warn(d->config.log, "%s: %s: %s", d->config.name,
                 lists[list].method, e.text);
        return;
    }
    if (same(l, digest)) return;
    memcpy(l->digest, digest, sizeof digest);
    l->known = true;
    if (!d->retiring && d->config.events->changed)
        d->config.events->changed(d->config.data, d, list);
    if (list == DOWN_TOOLS) let_go(l);
}

static void on_listing(void *data, const struct mcp_listing *listing) {
    struct down_list *l = data;
    struct downstream *d = l->d;
    enum downstream_list list = (enum downstream_list)(l - d->lists);
    l->fetching = false;
    take(d, list, listing);
    bool again = l->again && d->state == DOWN_READY;
    l->again = false;
    if (again) fetch(d, list);
    if (--d->fetching == 0 && d->state == DOWN_READY) downstream_settle(d);
}

static void fetch(struct downstream *d, enum downstream_list list) {
    struct down_list *l = &d->lists[list];
    const struct mcp_list_spec spec = {.method = lists[list].method,
                                       .key = lists[list].key,
                                       .bytes_max = LIST_MEMORY,
                                       .done = on_listing,
                                       .data = l};
    struct err e;
    l->d = d;
    d->fetching++;
    l->fetching = true;
    if (!mcp_list_all(d->client, &spec, &e)) return;
    log_warn(d->config.log, "%s: %s", d->config.name, e.text);
    d->fetching--;
    l->fetching = false;
}

/* One fetching of a list at a time; a change meanwhile asks for one more. */
void lists_changed(struct downstream *d, enum downstream_list list) {
    if (d->state != DOWN_READY) return;
    if (d->lists[list].fetching)
        d->lists[list].again = true;
    else
        fetch(d, list);
}

void lists_fetch(struct downstream *d) {
    const struct json *can = mcp_client_capabilities(d->client);
    for (int i = 0; i < DOWN_LISTS; i++)
        if (json_get(can, lists[i].capability))
            lists_changed(d, (enum downstream_list)i);
    if (!d->fetching) downstream_settle(d);
}

const struct json *downstream_items(const struct downstream *d,
                                    enum downstream_list list) {
    return d->lists[list].items;
}

size_t downstream_count(const struct downstream *d, enum downstream_list list) {
    return d->lists[list].count;
}

/* -- watching ----------------------------------------------------------------
 */

/* The whole set is told each time: that is how the protocol has it. */
void lists_watch(struct downstream *d) {
    const struct json *can = mcp_client_capabilities(d->client);
    struct mcp_watch watch = {
        .tools = json_pointer(can, STR("/tools/listChanged")) != NULL,
        .prompts = json_pointer(can, STR("/prompts/listChanged")) != NULL,
        .resources = json_pointer(can, STR("/resources/listChanged")) != NULL};
    const struct map_entry *entry;
    struct err e;
    size_t n = 0;
    const char **uris = mem_zalloc(d->watched.live + 1, sizeof *uris, &e);
    if (!uris) return;
    for (size_t i = 0; (entry = map_next(&d->watched, &i));)
        uris[n++] = entry->key;
    watch.uris = n ? uris : NULL;
    if (mcp_client_watch(d->client, &watch, &e))
        log_warn(d->config.log, "%s: %s", d->config.name, e.text);
    mem_free(uris);
}

void downstream_watch(struct downstream *d, str uri, bool on) {
    uintptr_t count = (uintptr_t)map_get(&d->watched, uri);
    struct err e;
    if (!on && !count) return;
    uintptr_t now = on ? count + 1 : count - 1;
    if (now)
        (void)map_put(&d->watched, uri, (void *)now, NULL, &e);
    else
        (void)map_del(&d->watched, uri);
    if ((!count || !now) && d->state == DOWN_READY) lists_watch(d);
}

void lists_fini(struct downstream *d) {
    for (int i = 0; i < DOWN_LISTS; i++)
        arena_fini(&d->lists[i].memory);
}
