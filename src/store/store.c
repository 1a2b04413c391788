/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "store/inside.h"

#define RETRY_NS ((int64_t)250 * 1000000)

static const char *const sql[STATEMENT_COUNT] = {
#define STATEMENT(name, text) [SQL_##name] = text,
#include "store/statements.def"
#undef STATEMENT
};

const char *statement_sql(enum statement st) {
    return sql[st];
}

int store_new_id(const char *prefix, char out[STORE_ID], struct err *e) {
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    uint8_t bytes[16];
    if (hash_random(bytes, sizeof bytes, e)) return -1;
    size_t n = strlen(prefix);
    if (n + sizeof bytes >= STORE_ID)
        return fail(e, ERR_INTERNAL, "prefix too long");
    memcpy(out, prefix, n);
    for (size_t i = 0; i < sizeof bytes; i++)
        out[n + i] = letters[bytes[i] % 32];
    out[n + sizeof bytes] = 0;
    return 0;
}

/* -- opening and closing ----------------------------------------------------
 */

/* The secret lies beside the file and is made with it, by whoever of several
 * processes is first. */
static int make_key(const char *name, struct err *e) {
    uint8_t key[STORE_KEY];
    if (hash_random(key, STORE_KEY, e)) return -1;
    int rc = file_create(name, (str){(const char *)key, STORE_KEY}, 0600, e);
    mem_wipe(key, sizeof key);
    return rc && e->kind != ERR_EXISTS ? -1 : 0;
}

static int load_key(struct store *s, const char *path, struct err *e) {
    char name[PATH_MAX];
    AUTO_BUF struct buf text = BUF_MAX(STORE_KEY);
    if (snprintf(name, sizeof name, "%s.key", path) >= (int)sizeof name)
        return fail(e, ERR_LIMIT, "path too long");
    if (!file_exists(name)) {
        /* Read-only: nothing will be sealed. */
        if (s->db->read_only) return hash_random(s->key, STORE_KEY, e);
        if (make_key(name, e)) return -1;
    }
    if (file_read(name, &text, e)) return -1;
    if (text.len != STORE_KEY)
        return fail(e, ERR_INVALID, "%s is not a key of %d bytes", name,
                    STORE_KEY);
    memcpy(s->key, text.data, STORE_KEY);
    mem_wipe(text.data, text.len);
    return 0;
}

static int name_snapshots(struct store *s, const char *path, struct err *e) {
    int n = snprintf(s->snapshots, sizeof s->snapshots, "%s.snapshots", path);
    return n < (int)sizeof s->snapshots ? 0
                                        : fail(e, ERR_LIMIT, "path too long");
}

static void on_turn(struct io_task *t) {
    struct store *s = t->data;
    struct err e;
    bool durable = false;
    for (const struct store_wait *w = s->waits; w; w = w->next)
        durable = durable || !w->written;
    (void)store_flush(s, durable, &e); /* kept in s->trouble */
}

static void on_retry(struct io_timer *t) {
    on_turn(&((struct store *)t->data)->task);
}

static void renew_later(struct store *s) {
    struct err e;
    if (s->loop) (void)loop_timer(s->loop, &s->renew, STORE_LEASE_NS / 3, &e);
}

static void on_renew(struct io_timer *t) {
    struct store *s = t->data;
    struct err e;
    struct sql_value args[] = {
        sql_text(str_of(s->owner)),
        sql_int(clock_wall_ns() + STORE_LEASE_NS),
    };
    (void)store_push(s, SQL_LEASES_RENEW, PUSH_ANY, args, COUNT(args), &e);
    renew_later(s);
}

struct store *store_open(const struct store_config *config, struct err *e) {
    struct store *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->loop = config->loop;
    s->queue = BUF_MAX(QUEUE_BYTES);
    s->task = (struct io_task){.fn = on_turn, .data = s};
    s->retry = (struct io_timer){.fn = on_retry, .data = s};
    s->renew = (struct io_timer){.fn = on_renew, .data = s};
    s->db = sqlite_open(config->path, e);
    if (s->db && load_key(s, config->path, e) == 0 &&
        name_snapshots(s, config->path, e) == 0 &&
        owner_self(s->owner, e) == 0) {
        if (!s->db->read_only) renew_later(s);
        wake_open(s);
        return s;
    }
    if (s->db) s->db->class->close(s->db);
    mem_free(s);
    return NULL;
}

static int give_leases_back(struct store *s, struct err *e) {
    struct sql_value args[] = {sql_text(str_of(s->owner))};
    if (s->db->read_only) return 0;
    if (store_push(s, SQL_LEASES_RELEASE, PUSH_ANY, args, 1, e)) return -1;
    return store_flush(s, true, e);
}

int store_close(struct store *s, struct err *e) {
    if (!s) return 0;
    s->lost = NULL;
    int status = give_leases_back(s, e);
    wake_close(s);
    if (s->loop) loop_unpost(s->loop, &s->task);
    loop_timer_stop(&s->retry);
    loop_timer_stop(&s->renew);
    s->db->class->close(s->db);
    buf_fini(&s->queue);
    mem_wipe(s->key, sizeof s->key);
    mem_free(s);
    return status;
}

void store_on_lost(struct store *s, void (*fn)(void *data, str run),
                   void *data) {
    s->lost = fn;
    s->lost_data = data;
}

const uint8_t *store_key(const struct store *s) {
    return s->key;
}

int store_ready(struct store *s, struct err *e) {
    if (s->db->read_only)
        return fail(e, ERR_DENIED,
                    "the store is read-only: nothing new can be recorded");
    if (!s->in_trouble) return 0;
    *e = s->trouble;
    return -1;
}

/* -- the queue ----------------------------------------------------------------
 *
 * Each record: statement, how, count of values; then each value as type and
 * number, text with its bytes behind it. Only this process reads it, so plain
 * copies of structs will do.
 */

struct record {
    enum statement st;
    enum push how;
    size_t count;
};

static int add_record(struct buf *q, const struct record *r,
                      const struct sql_value *args, struct err *e) {
    if (buf_add(q, r, sizeof *r, e)) return -1;
    for (size_t i = 0; i < r->count; i++) {
        if (buf_add(q, &args[i], sizeof args[i], e)) return -1;
        if (buf_add_str(q, args[i].text, e)) return -1;
    }
    return 0;
}

int store_push(struct store *s, enum statement st, enum push how,
               const struct sql_value *args, size_t count, struct err *e) {
    struct record r = {st, how, count};
    size_t before = s->queue.len;
    if (s->db->read_only) return store_ready(s, e);
    if (add_record(&s->queue, &r, args, e)) {
        buf_truncate(&s->queue, before);
        if (s->in_trouble) *e = s->trouble;
        return fail_while(e, "the store takes no more");
    }
    if (s->loop && !s->in_trouble) loop_post(s->loop, &s->task);
    return 0;
}

static size_t read_record(const struct buf *q, size_t at, struct record *r,
                          struct sql_value args[SQL_ARGS]) {
    memcpy(r, q->data + at, sizeof *r);
    at += sizeof *r;
    for (size_t i = 0; i < r->count; i++) {
        memcpy(&args[i], q->data + at, sizeof args[i]);
        at += sizeof args[i];
        args[i].text.p = q->data + at;
        at += args[i].text.n;
    }
    return at;
}

/* Calls `lost` for fenced records that changed nothing; their places were
 * noted while the transaction was open. */
static void tell_lost(struct store *s, const struct buf *queue,
                      const struct buf *places) {
    struct sql_value args[SQL_ARGS];
    struct record r;
    size_t at;
    for (size_t i = 0; i + sizeof at <= places->len; i += sizeof at) {
        memcpy(&at, places->data + i, sizeof at);
        (void)read_record(queue, at, &r, args);
        if (s->lost) s->lost(s->lost_data, args[0].text);
    }
}

/* A record that breaks a constraint would break it every time: it is passed
 * over, and counts as lost. */
static int carry_out(struct store *s, struct buf *places, struct err *e) {
    struct sql_value args[SQL_ARGS];
    struct record r;
    for (size_t at = 0, next; at < s->queue.len; at = next) {
        int64_t changed = 0;
        next = read_record(&s->queue, at, &r, args);
        if (s->db->class->exec(s->db, r.st, args, r.count, &changed, e)) {
            if (e->kind != ERR_EXISTS) return -1;
            r.how = PUSH_FENCED;
        }
        if (r.how == PUSH_FENCED && changed == 0 &&
            buf_add(places, &at, sizeof at, e))
            return -1;
    }
    return 0;
}

static int write_queue(struct store *s, struct buf *places, struct err *e) {
    const struct backend_class *c = s->db->class;
    if (s->queue.len == 0) return 0;
    if (c->begin(s->db, e)) return -1;
    if (carry_out(s, places, e) == 0 && c->commit(s->db, e) == 0) return 0;
    c->rollback(s->db);
    return -1;
}

/* Those who waited before this write, oldest first. A callback may wait again
 * (for the next one) or stop one that stands behind it. */
static void serve_waits(struct store *s, bool durable) {
    struct store_wait *w = s->waits, *still = NULL, **end = &still;
    while (w) {
        struct store_wait *next = w->next;
        if (durable || w->written) {
            w->next = s->served;
            s->served = w;
        } else {
            *end = w;
            end = &w->next;
        }
        w = next;
    }
    *end = NULL;
    s->waits = still;
    while ((w = s->served)) {
        s->served = w->next;
        w->queued = false;
        w->fn(w);
    }
}

static int note_trouble(struct store *s, const struct err *e) {
    struct err ignored;
    s->in_trouble = true;
    s->trouble = *e;
    if (s->loop && !s->retry.place)
        (void)loop_timer(s->loop, &s->retry, RETRY_NS, &ignored);
    return -1;
}

/* After a sync that failed the kernel may drop what it could not write and
 * call the next one a success: nothing here may be believed any more. */
static int sync_now(struct store *s, struct err *e) {
    if (s->db->class->sync(s->db, e) == 0) return 0;
    s->broken = true;
    s->in_trouble = true;
    s->trouble = *e;
    return fail_while(e, "start cordon again once the disk is sound");
}

int store_flush(struct store *s, bool durable, struct err *e) {
    AUTO_BUF struct buf places = BUF_MAX(QUEUE_BYTES);
    if (s->broken) return store_ready(s, e);
    if (write_queue(s, &places, e)) return note_trouble(s, e);
    /* The callbacks may add to the queue. */
    AUTO_BUF struct buf written = s->queue;
    s->queue = BUF_MAX(QUEUE_BYTES);
    s->in_trouble = false;
    loop_timer_stop(&s->retry);
    if (durable && sync_now(s, e)) return -1;
    if (places.len) tell_lost(s, &written, &places);
    if (s->waits) serve_waits(s, durable);
    return 0;
}

void store_when_durable(struct store *s, struct store_wait *w) {
    w->next = s->waits;
    w->queued = true;
    s->waits = w;
    if (s->loop && !s->in_trouble) loop_post(s->loop, &s->task);
}

static bool drop_wait(struct store_wait **list, const struct store_wait *w) {
    while (*list && *list != w)
        list = &(*list)->next;
    if (!*list) return false;
    *list = w->next;
    return true;
}

void store_wait_stop(struct store *s, struct store_wait *w) {
    if (!w->queued) return;
    w->queued = false;
    if (!drop_wait(&s->waits, w)) (void)drop_wait(&s->served, w);
}

/* -- at once ------------------------------------------------------------------
 */

int store_now(struct store *s, enum statement st, const struct sql_value *args,
              size_t count, int64_t *changed, struct err *e) {
    const struct backend_class *c = s->db->class;
    if (s->db->read_only) return store_ready(s, e);
    if (store_flush(s, false, e) || c->begin(s->db, e)) return -1;
    if (c->exec(s->db, st, args, count, changed, e) == 0 &&
        c->commit(s->db, e) == 0)
        return sync_now(s, e);
    c->rollback(s->db);
    return -1;
}

int store_query(struct store *s, enum statement st,
                const struct sql_value *args, size_t count, sql_row_fn *row,
                void *data, struct err *e) {
    if (s->queue.len && store_flush(s, false, e)) return -1;
    return s->db->class->query(s->db, st, args, count, row, data, e);
}

struct one {
    struct arena *arena;
    struct sql_value *cols;
    bool found;
};

static int keep_row(void *data, const struct sql_value *cols, size_t count,
                    struct err *e) {
    struct one *one = data;
    for (size_t i = 0; i < count; i++) {
        one->cols[i] = cols[i];
        if (cols[i].type >= SQL_TEXT &&
            arena_dup(one->arena, cols[i].text, &one->cols[i].text, e))
            return -1;
    }
    one->found = true;
    return 0;
}

int store_one(struct store *s, enum statement st, const struct sql_value *args,
              size_t count, struct arena *a, struct sql_value cols[SQL_ARGS],
              struct err *e) {
    struct one one = {a, cols, false};
    if (store_query(s, st, args, count, keep_row, &one, e)) return -1;
    return one.found ? 0 : fail(e, ERR_MISSING, "not in the store");
}
