/* SPDX-License-Identifier: MIT */
#include "call/sources.h"

#include "base/mem.h"
#include "call/command.h"
#include "call/http.h"
#include "call/lookup.h"
#include "call/sql.h"

#define SOURCES 256

typedef struct provider *maker(const struct provider_host *h, str name,
                               const struct json *config, struct err *e);

struct sources {
    struct registry *registry;
    struct provider *all[SOURCES];
    size_t count;
};

static const struct {
    const char *section;
    maker *make;
} kinds[] = {
    {"apis", provider_http_new},
    {"databases", provider_sql_new},
    {"commands", provider_command_new},
};

static int keep(struct sources *s, struct provider *p, struct err *e) {
    if (!p) return -1;
    if (s->count < SOURCES) {
        s->all[s->count++] = p;
        return 0;
    }
    registry_remove(s->registry, p->server);
    p->class->free(p);
    return fail(e, ERR_LIMIT, "more than %d sources of tools", SOURCES);
}

/* Two entries of one name would replace each other. */
static bool is_taken(const struct sources *s, str name) {
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->all[i]->server, name)) return true;
    return false;
}

static int open_section(struct sources *s, const struct provider_host *h,
                        const struct json *section, maker *make,
                        struct err *e) {
    if (!section) return 0;
    if (json_type(section) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "an object of entries by name");
    const struct json *key = json_first(section);
    for (size_t i = json_len(section); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if (is_taken(s, name))
            return fail(e, ERR_EXISTS, "two sources are called %.*s",
                        STR_ARG(name));
        if (keep(s, make(h, name, key + 1, e), e)) return -1;
    }
    return 0;
}

static int open_all(struct sources *s, const struct provider_host *h,
                    const struct json *settings, struct err *e) {
    if (keep(s, provider_lookup_new(h, e), e)) return -1;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (open_section(s, h, json_get(settings, kinds[i].section),
                         kinds[i].make, e))
            return fail_while(e, "%s", kinds[i].section);
    return 0;
}

struct sources *sources_open(const struct provider_host *h,
                             const struct json *settings, struct err *e) {
    struct sources *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->registry = h->registry;
    if (open_all(s, h, settings, e) == 0) return s;
    sources_close(s);
    return NULL;
}

void sources_close(struct sources *s) {
    if (!s) return;
    while (s->count > 0) {
        struct provider *p = s->all[--s->count];
        registry_remove(s->registry, p->server);
        p->class->free(p);
    }
    mem_free(s);
}
