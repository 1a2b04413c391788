/* SPDX-License-Identifier: MIT */
#include "call/sources.h"

#include "base/mem.h"
#include "call/command.h"
#include "call/functions.h"
#include "call/http.h"
#include "call/lookup.h"
#include "call/sql.h"
#include "json/write.h"

#define SOURCES 256

typedef struct provider *maker(const struct provider_host *h, str name,
                               const struct json *config, struct err *e);

struct source {
    struct provider *provider;
    const char *section;
    char *config; /* its text, to see whether it changed */
    bool wanted;  /* it is in the configuration that is being read */
};

/* Calls that began before a change may still need the provider of then, so one
 * that is out of use is freed with the rest, at the end. */
struct sources {
    struct provider_host host;
    struct source now[SOURCES];
    size_t count;
    struct provider *past[SOURCES];
    size_t past_count;
};

static const struct {
    const char *section;
    maker *make;
} kinds[] = {
    {"apis", provider_http_new},
    {"databases", provider_sql_new},
    {"commands", provider_command_new},
    {"functions", provider_functions_new},
};

static struct source *find(struct sources *s, str name) {
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->now[i].provider->server, name)) return &s->now[i];
    return NULL;
}

/* Its tools are gone, or another provider has them. */
static void retire(struct sources *s, struct source *old) {
    s->past[s->past_count++] = old->provider;
    mem_free(old->config);
    *old = s->now[--s->count];
}

static int room_for(const struct sources *s, const struct source *old,
                    struct err *e) {
    if (s->count == SOURCES && !old)
        return fail(e, ERR_LIMIT, "more than %d sources of tools", SOURCES);
    if (s->past_count == SOURCES)
        return fail(e, ERR_LIMIT,
                    "sources changed more than %d times: start anew", SOURCES);
    return 0;
}

static int open_one(struct sources *s, const char *section, maker *make,
                    str name, const struct json *config, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)16 << 20);
    struct source *old = find(s, name);
    if (json_write(config, JSON_CANONICAL, &text, e)) return -1;
    if (old && old->wanted)
        return fail(e, ERR_EXISTS, "two sources are called %.*s",
                    STR_ARG(name));
    if (old && old->section == section && str_is(buf_str(&text), old->config)) {
        old->wanted = true;
        return 0;
    }
    if (room_for(s, old, e)) return -1;
    struct source new = {.section = section, .wanted = true};
    new.config = mem_dup(text.data, text.len, e);
    if (!new.config || !(new.provider = make(&s->host, name, config, e))) {
        mem_free(new.config);
        return -1;
    }
    if (old) retire(s, old);
    s->now[s->count++] = new;
    return 0;
}

static int open_section(struct sources *s, const char *section, maker *make,
                        const struct json *entries, struct err *e) {
    if (!entries) return 0;
    if (json_type(entries) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "an object of entries by name");
    const struct json *key = json_first(entries);
    for (size_t i = json_len(entries); i > 0; i--, key = json_skip(key + 1))
        if (open_one(s, section, make, json_str(key), key + 1, e)) return -1;
    return 0;
}

static void drop_unwanted(struct sources *s) {
    for (size_t i = s->count; i > 0 && s->past_count < SOURCES; i--) {
        if (s->now[i - 1].wanted) continue;
        registry_remove(s->host.registry, s->now[i - 1].provider->server);
        retire(s, &s->now[i - 1]);
    }
}

int sources_configure(struct sources *s, const struct json *settings,
                      struct err *e) {
    for (size_t i = 0; i < s->count; i++)
        s->now[i].wanted = !s->now[i].section; /* our own */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (open_section(s, kinds[i].section, kinds[i].make,
                         json_get(settings, kinds[i].section), e))
            return fail_while(e, "%s", kinds[i].section);
    drop_unwanted(s);
    return 0;
}

struct sources *sources_open(const struct provider_host *h,
                             const struct json *settings, struct err *e) {
    struct sources *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->host = *h;
    s->now[0].provider = provider_lookup_new(h, e);
    if (s->now[0].provider) {
        s->count = 1;
        if (sources_configure(s, settings, e) == 0) return s;
    }
    sources_close(s);
    return NULL;
}

void sources_close(struct sources *s) {
    if (!s) return;
    while (s->count > 0) {
        struct source *now = &s->now[--s->count];
        registry_remove(s->host.registry, now->provider->server);
        now->provider->class->free(now->provider);
        mem_free(now->config);
    }
    while (s->past_count > 0) {
        struct provider *p = s->past[--s->past_count];
        p->class->free(p);
    }
    mem_free(s);
}
