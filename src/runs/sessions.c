/* SPDX-License-Identifier: MIT
 *
 * Sessions: variables that stay between runs, and what their model has seen.
 * One run at a time uses a session; after each its state is in the store.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "runs/inside.h"
#include "json/write.h"

#define WEEK_NS ((int64_t)7 * 24 * 3600 * 1000000000)

static void free_session(struct session *s) {
    cordon_session_free(s->vm);
    bridge_free(s->bridge);
    mem_free(s);
}

/* -- from the store -----------------------------------------------------------
 */

static int load_bridge(struct session *s, str state, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * OUTCOME_BYTES);
    const struct json *v;
    if (json_parse(state, NULL, &a, &v, e)) return -1;
    const struct json *saved = json_get(v, "bridge");
    if (!saved) return fail(e, ERR_INVALID, "session %s has no labels", s->id);
    bridge_free(s->bridge);
    return (s->bridge = bridge_load(saved, e)) ? 0 : -1;
}

static int load(struct run *r, struct session *s, struct err *e) {
    struct store *store = r->runs->config.store;
    AUTO_ARENA struct arena a = ARENA_MAX(STORE_BLOB_MAX * 2);
    struct store_session row;
    const char *why = "";
    if (store_session_get(store, str_of(s->id), &a, &row, e))
        return e->kind == ERR_MISSING ? 0 : -1;
    if (!str_eq(row.principal, r->principal))
        return fail(e, ERR_DENIED, "session %s belongs to somebody else",
                    s->id);
    s->created = row.created;
    if (load_bridge(s, row.state, e)) return -1;
    cordon_options *o = run_options(r, e);
    if (!o) return -1;
    s->vm = cordon_restore(o, row.snapshot.p, row.snapshot.n, store_key(store),
                           &why);
    cordon_options_free(o);
    if (!s->vm)
        return fail(e, ERR_UNSUPPORTED,
                    "the variables of session %s cannot be read (%s): begin "
                    "another session",
                    s->id, why);
    return 0;
}

static int begin(struct run *r, struct session *s, struct err *e) {
    const char *why = "";
    cordon_options *o = run_options(r, e);
    if (!o) return -1;
    s->created = clock_wall_ns();
    if (!s->bridge && !(s->bridge = bridge_new(e))) {
        cordon_options_free(o);
        return -1;
    }
    s->vm = cordon_session_new(o, &why);
    cordon_options_free(o);
    return s->vm ? 0 : fail(e, ERR_MEMORY, "%s", why);
}

static struct session *find(struct run *r, struct err *e) {
    struct runs *rs = r->runs;
    struct session *s = map_get(&rs->sessions, r->session_id);
    if (s) return s;
    if (r->session_id.n >= sizeof s->id) {
        err_set(e, ERR_INVALID, "the name of the session is too long");
        return NULL;
    }
    s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    memcpy(s->id, r->session_id.p, r->session_id.n);
    if (map_put(&rs->sessions, r->session_id, s, NULL, e)) {
        mem_free(s);
        return NULL;
    }
    return s;
}

static void forget(struct runs *rs, struct session *s) {
    (void)map_del(&rs->sessions, str_of(s->id));
    free_session(s);
}

int session_take(struct run *r, struct err *e) {
    struct session *s = find(r, e);
    if (!s) return -1;
    if (s->busy)
        return fail(e, ERR_EXISTS,
                    "session %s is busy with run %s: wait for it", s->id,
                    s->busy->id);
    if (!s->vm && (load(r, s, e) || (!s->vm && begin(r, s, e)))) {
        forget(r->runs, s);
        return -1;
    }
    s->busy = r;
    r->session = s;
    r->vm = s->vm;
    r->bridge = &s->bridge;
    return 0;
}

/* -- to the store -------------------------------------------------------------
 */

static int save(struct run *r, struct session *s, struct err *e) {
    struct store *store = r->runs->config.store;
    AUTO_BUF struct buf state = BUF_MAX(OUTCOME_BYTES);
    size_t len = 0;
    if (buf_add_text(&state, "{\"bridge\":", e) ||
        bridge_save(s->bridge, &state, e) || buf_add_char(&state, '}', e))
        return -1;
    void *bytes = cordon_snapshot(s->vm, store_key(store), &len);
    if (!bytes) return fail(e, ERR_LIMIT, "%s", cordon_error(s->vm));
    int64_t now = clock_wall_ns();
    struct store_session row = {.id = str_of(s->id),
                                .principal = r->principal,
                                .client = r->client,
                                .state = buf_str(&state),
                                .snapshot = {bytes, len},
                                .created = s->created,
                                .updated = now,
                                .expires = now + WEEK_NS};
    int status = store_session_put(store, &row, e);
    cordon_free(bytes);
    return status;
}

/* A session that cannot be saved lives as long as we do. */
void session_give_back(struct run *r) {
    struct session *s = r->session;
    struct err e;
    if (!s) return;
    if (s->vm) (void)save(r, s, &e);
    s->busy = NULL;
    r->session = NULL;
    r->vm = NULL;
    if (!s->vm) forget(r->runs, s);
}

int runs_end_session(struct runs *rs, str session, struct err *e) {
    struct session *s = map_get(&rs->sessions, session);
    if (s && s->busy)
        return fail(e, ERR_EXISTS, "session %s is busy with run %s", s->id,
                    s->busy->id);
    if (s) forget(rs, s);
    boundary_forget(rs->config.boundary, session);
    return store_session_drop(rs->config.store, session, e);
}

void sessions_fini(struct runs *rs) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&rs->sessions, &i));)
        free_session(it->value);
    map_fini(&rs->sessions);
}
