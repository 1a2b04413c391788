/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "gateway/front_inside.h"

static struct rate *find(struct rates *r, str principal, int64_t now_ns) {
    struct rate *rate = map_get(&r->by_name, principal);
    struct err e;
    if (rate) return rate;
    rate = mem_zalloc(1, sizeof *rate, &e);
    if (!rate) return NULL;
    *rate = (struct rate){.left = r->burst, .at_ns = now_ns};
    if (!map_put(&r->by_name, principal, rate, NULL, &e)) return rate;
    mem_free(rate);
    return NULL;
}

/* A bucket that fills at the rate and holds the burst. */
static bool spend(struct rates *r, struct rate *rate, int64_t now_ns,
                  unsigned *wait) {
    if (r->per_second <= 0) return true;
    rate->left += (double)(now_ns - rate->at_ns) / 1e9 * r->per_second;
    rate->at_ns = now_ns;
    if (rate->left > r->burst) rate->left = r->burst;
    if (rate->left < 1) {
        *wait = (unsigned)((1 - rate->left) / r->per_second) + 1;
        return false;
    }
    rate->left -= 1;
    return true;
}

struct rate *rates_take(struct rates *r, str principal, int64_t now_ns,
                        unsigned *wait) {
    struct rate *rate = find(r, principal, now_ns);
    *wait = 1;
    if (!rate || (r->concurrent && rate->open >= r->concurrent)) return NULL;
    if (!spend(r, rate, now_ns, wait)) return NULL;
    rate->open++;
    return rate;
}

void rates_fini(struct rates *r) {
    const struct map_entry *entry;
    for (size_t i = 0; (entry = map_next(&r->by_name, &i));)
        mem_free(entry->value);
    map_fini(&r->by_name);
}
