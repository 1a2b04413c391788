/* SPDX-License-Identifier: MIT */
#include "cli/lock_servers.h"

#include <limits.h>

#include "cli/toolbox.h"

/* What servers put is noted here instead of being compared. */
struct looking {
    struct toolbox box;
    struct lock lock;
    struct err err;
    bool failed;
};

static void note(void *data, struct registry *r,
                 const struct registry_source *source) {
    struct looking *l = data;
    (void)r;
    if (lock_add_server(&l->lock, source, &l->err)) l->failed = true;
}

static int take_tools(struct looking *l, struct err *e) {
    struct registry *r = l->box.authority.registry;
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        struct tool plain = t->tool;
        if (t->flags & (TOOL_BUILTIN | TOOL_SET_ASIDE)) continue;
        plain.definition = t->definition;
        char *id = arena_printf(&l->lock.catalogue.arena, e, "%.*s/%.*s",
                                STR_ARG(plain.server), STR_ARG(plain.name));
        if (!id) return -1;
        plain.id = str_of(id);
        if (catalogue_add(&l->lock.catalogue, &plain, e)) return -1;
    }
    if (!l->failed) return 0;
    *e = l->err;
    return -1;
}

static int look(struct looking *l, struct cli *cli,
                int (*then)(struct lock *, const struct cli *, struct err *),
                struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    struct registry_guard guard = {note, l};
    bool any_key = then == lock_pin;
    if (toolbox_look(&l->box, cli, guard, any_key, e) ||
        authority_lock(l->box.settings, &path, e) ||
        lock_read(&l->lock, cli, buf_text(&path), e))
        return -1;
    return take_tools(l, e) ? -1 : then(&l->lock, cli, e);
}

int lock_servers(struct cli *cli,
                 int (*then)(struct lock *l, const struct cli *cli,
                             struct err *e),
                 struct err *e) {
    struct looking l = {.lock = LOCK_INIT};
    int status = look(&l, cli, then, e);
    lock_fini(&l.lock);
    toolbox_close(&l.box);
    return status;
}
