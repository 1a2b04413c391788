/* SPDX-License-Identifier: MIT
 *
 * Sessions: variables that stay between runs, and what their model has seen.
 * One run at a time uses a session, in whichever process; after each its state
 * is in the store, if the run was still that process's.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "runs/inside.h"
#include "json/write.h"

#define WEEK_NS ((int64_t)7 * 24 * 3600 * 1000000000)

/* -- from the store -----------------------------------------------------------
 */

static int load_origins(struct run *r, str state, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * OUTCOME_BYTES);
    const struct json *v;
    if (json_parse(state, NULL, &a, &v, e)) return -1;
    const struct json *saved = json_get(v, "bridge");
    if (!saved)
        return fail(e, ERR_INVALID, "session %.*s has no labels",
                    STR_ARG(r->session_id));
    buf_truncate(&r->origins, 0);
    return json_write(saved, JSON_COMPACT, &r->origins, e);
}

static int load(struct run *r, struct session *s, struct err *e) {
    struct store *store = r->runs->config.store;
    AUTO_ARENA struct arena a = ARENA_MAX(STORE_BLOB_MAX * 2);
    struct store_session row;
    if (store_session_get(store, str_of(s->id), &a, &row, e))
        return e->kind == ERR_MISSING ? 0 : -1;
    if (!str_eq(row.principal, r->principal))
        return fail(e, ERR_DENIED, "session %s belongs to somebody else",
                    s->id);
    s->created = row.created;
    if (row.snapshot.n == 0) return 0;
    buf_truncate(&r->state, 0);
    if (load_origins(r, row.state, e) ||
        buf_add_str(&r->state, row.snapshot, e))
        return -1;
    r->entering = true;
    return 0;
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
    s->created = clock_wall_ns();
    if (map_put(&rs->sessions, r->session_id, s, NULL, e)) {
        mem_free(s);
        return NULL;
    }
    return s;
}

static void forget(struct runs *rs, struct session *s) {
    (void)map_del(&rs->sessions, str_of(s->id));
    mem_free(s);
}

static int fail_busy(const struct session *s, const char *run, struct err *e) {
    return fail(e, ERR_EXISTS, "session %s is busy with run %s: wait for it",
                s->id, run);
}

/* The run that asks is in the store already: of two that begin at once in two
 * processes at least one sees the other. */
static int check_elsewhere(struct run *r, const struct session *s,
                           struct err *e) {
    char run[STORE_ID];
    int found =
        store_session_elsewhere(r->runs->config.store, str_of(s->id), run, e);
    return found > 0 ? fail_busy(s, run, e) : found;
}

int session_take(struct run *r, struct err *e) {
    struct session *s = find(r, e);
    if (!s) return -1;
    if (s->busy && s->busy != r) return fail_busy(s, s->busy->id, e);
    bool ours = s->busy;
    s->busy = r;
    r->session = s;
    if ((ours || check_elsewhere(r, s, e) == 0) && load(r, s, e) == 0) return 0;
    session_give_back(r);
    return -1;
}

/* -- to the store -------------------------------------------------------------
 */

int session_put(struct run *r, str state, str origins, struct err *e) {
    struct session *s = r->session;
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    int64_t now = clock_wall_ns();
    if (state.n > STORE_BLOB_MAX)
        return fail(e, ERR_LIMIT,
                    "the session's variables are too large to keep: they are "
                    "as they were before this run");
    if (buf_add_text(&text, "{\"bridge\":", e) ||
        buf_add_str(&text, origins, e) || buf_add_char(&text, '}', e))
        return -1;
    struct store_session row = {.id = str_of(s->id),
                                .principal = r->principal,
                                .client = r->client,
                                .state = buf_str(&text),
                                .snapshot = state,
                                .created = s->created,
                                .updated = now,
                                .expires = now + WEEK_NS};
    return store_session_put(r->runs->config.store, str_of(r->id),
                             r->journal.fence, &row, e);
}

void session_give_back(struct run *r) {
    struct session *s = r->session;
    if (!s) return;
    r->session = NULL;
    forget(r->runs, s);
}

int runs_end_session(struct runs *rs, str session, struct err *e) {
    const struct session *s = map_get(&rs->sessions, session);
    if (s)
        return fail(e, ERR_EXISTS, "session %s is busy with run %s", s->id,
                    s->busy->id);
    boundary_forget(rs->config.boundary, session);
    return store_session_drop(rs->config.store, session, e);
}

void sessions_fini(struct runs *rs) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&rs->sessions, &i));)
        mem_free(it->value);
    map_fini(&rs->sessions);
}
