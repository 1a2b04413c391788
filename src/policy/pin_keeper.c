/* SPDX-License-Identifier: MIT */
#include "policy/pin_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "json/build.h"

#define SEEN_BYTES  ((size_t)256 << 20)
#define SERVERS_MAX ((size_t)1 << 16)

/* By which a file that was replaced or written is told from the one before. */
struct version {
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec changed;
};

/* What a server was when it last put its tools. */
struct seen {
    struct arena arena;
    str text;
    const struct json *identity;
};

struct pin_keeper {
    struct pin_keeper_config config;
    struct registry *registry;
    char path[PATH_MAX];
    struct pins *pins;
    struct version read; /* that pins was read from; zero: no file */
    struct map seen;     /* server -> struct seen */
};

static void seen_free(struct seen *s) {
    if (!s) return;
    arena_fini(&s->arena);
    mem_free(s);
}

static struct seen *seen_new(const struct registry_source *source,
                             struct err *e) {
    struct seen *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->arena = ARENA_MAX(SEEN_BYTES);
    struct json_build b = JSON_BUILD(&s->arena);
    int failed = arena_dup(&s->arena, source->server_text, &s->text, e);
    if (!failed && source->identity) {
        build_copy(&b, source->identity);
        failed = build_done(&b, &s->identity, e);
    }
    if (!failed) return s;
    seen_free(s);
    return NULL;
}

static int remember(struct pin_keeper *k, const struct registry_source *source,
                    struct err *e) {
    struct seen *s = seen_new(source, e);
    void *old = NULL;
    if (!s) return -1;
    if (map_put(&k->seen, source->server, s, &old, e)) {
        seen_free(s);
        return -1;
    }
    seen_free(old);
    return 0;
}

static struct version version_of(const char *path) {
    struct stat st;
    if (stat(path, &st)) return (struct version){0};
    return (struct version){st.st_dev, st.st_ino, st.st_size, st.st_ctim};
}

static bool same_version(const struct version *a, const struct version *b) {
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

int pin_hold_folder(const char *path, struct err *e) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    if (n >= sizeof folder) return fail(e, ERR_LIMIT, "%s: too long", path);
    memcpy(folder, slash == path ? "/" : path, n ? n : 1);
    folder[n ? n : 1] = '\0';
    if (!slash) memcpy(folder, ".", 2);
    AUTO_FD int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return fail_sys(e, "folder of %s", path);
    while (flock(fd, LOCK_EX))
        if (errno != EINTR) return fail_sys(e, "lock the folder of %s", path);
    return fd_take(&fd);
}

static int read_again(struct pin_keeper *k, struct err *e) {
    struct version now = version_of(k->path);
    if (k->pins && same_version(&now, &k->read)) return 0;
    struct pins *pins = pins_load(k->path, e);
    if (!pins) return -1;
    pins_free(k->pins);
    k->pins = pins;
    k->read = now;
    return 0;
}

/* After a failed write memory must not know more than the file. */
static int write_back(struct pin_keeper *k, struct err *e) {
    if (pins_save(k->pins, k->path, e)) {
        pins_free(k->pins);
        k->pins = NULL;
        return -1;
    }
    k->read = version_of(k->path);
    return 0;
}

static int compare(struct pin_keeper *k, const struct registry_source *source,
                   struct err *e) {
    struct pin_summary sum;
    AUTO_FD int held = pin_hold_folder(k->path, e);
    if (held < 0 || read_again(k, e)) return -1;
    bool trust = !k->config.refuse_new;
    if (pins_apply(k->pins, k->registry, source, trust, &k->config.listener,
                   &sum, e))
        return -1;
    return trust && sum.added > 0 ? write_back(k, e) : 0;
}

static void quarantine_all(struct registry *r, str server) {
    for (size_t i = 0; i < registry_count(r); i++) {
        struct entry *t = registry_at(r, i);
        if (!str_eq(t->tool.server, server) || t->flags & TOOL_BUILTIN)
            continue;
        t->flags |= TOOL_QUARANTINED;
        t->doubt = "tools.lock cannot be read or written";
    }
}

static void look(struct pin_keeper *k, const struct registry_source *source) {
    struct err e;
    if (compare(k, source, &e) == 0) return;
    quarantine_all(k->registry, source->server);
    if (k->config.failed)
        k->config.failed(k->config.listener.data, source->server, &e);
}

static void check(void *data, struct registry *r,
                  const struct registry_source *source) {
    struct pin_keeper *k = data;
    struct err e;
    (void)r;
    /* Not remembered: what is quarantined now stays so until the next put. */
    (void)remember(k, source, &e);
    look(k, source);
}

bool pin_keeper_refresh(struct pin_keeper *k) {
    struct version now = version_of(k->path);
    const struct map_entry *it;
    if (same_version(&now, &k->read)) return false;
    for (size_t i = 0; (it = map_next(&k->seen, &i));) {
        const struct seen *s = it->value;
        struct registry_source source = {.server = {it->key, it->key_len},
                                         .server_text = s->text,
                                         .identity = s->identity};
        look(k, &source);
    }
    return true;
}

int pin_keeper_key(struct pin_keeper *k, str server, const char **out,
                   struct err *e) {
    *out = NULL;
    if (read_again(k, e)) return -1;
    const struct json *v = pins_server(k->pins, server, PIN_CERTIFICATE);
    if (!v) return 0;
    if (json_type(v) != JSON_STRING)
        return fail(e, ERR_INVALID, "%s: %.*s: certificate: a text is wanted",
                    k->path, STR_ARG(server));
    *out = json_str(v).p;
    return 0;
}

void pin_keeper_refused(struct pin_keeper *k, str server, const char *key) {
    AUTO_ARENA struct arena a = ARENA_MAX(4096);
    struct json_build b = JSON_BUILD(&a);
    struct pin_news news = {
        .state = PIN_CHANGED, .server = server, .part = PIN_CERTIFICATE};
    struct err e;
    build_text(&b, str_of(key));
    if (!k->config.listener.tell || read_again(k, &e) ||
        build_done(&b, &news.after, &e))
        return;
    news.before = pins_server(k->pins, server, PIN_CERTIFICATE);
    if (news.before) k->config.listener.tell(k->config.listener.data, &news);
}

void pin_keeper_rest(struct pin_keeper *k) {
    if (!k) return;
    pins_free(k->pins);
    k->pins = NULL;
}

struct pin_keeper *pin_keeper_new(const struct pin_keeper_config *config,
                                  struct registry *r, struct err *e) {
    struct pin_keeper *k = mem_zalloc(1, sizeof *k, e);
    size_t n = strlen(config->path);
    if (!k) return NULL;
    k->config = *config;
    k->registry = r;
    k->seen = MAP_MAX(SERVERS_MAX);
    if (n >= sizeof k->path) {
        err_set(e, ERR_LIMIT, "%s: too long", config->path);
        mem_free(k);
        return NULL;
    }
    memcpy(k->path, config->path, n + 1);
    if (read_again(k, e)) {
        mem_free(k);
        return NULL;
    }
    registry_set_guard(r, (struct registry_guard){check, k});
    return k;
}

void pin_keeper_free(struct pin_keeper *k) {
    const struct map_entry *it;
    if (!k) return;
    registry_set_guard(k->registry, (struct registry_guard){0});
    for (size_t i = 0; (it = map_next(&k->seen, &i));)
        seen_free(it->value);
    map_fini(&k->seen);
    pins_free(k->pins);
    mem_free(k);
}
