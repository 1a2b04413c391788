/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "audit/blob.h"
#include "audit/note.h"
#include "audit/scan.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "json/build.h"

enum { PATH_SIZE = 4096, BLOB_VIEW = 64 << 20 };
#define CHECKPOINTS_MAX ((size_t)256 << 20)

static int open_part(const char *dir, const char *name, int flags,
                     struct err *e) {
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= PATH_SIZE)
        return fail(e, ERR_LIMIT, "path too long");
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return fail_sys(e, "open %s", path);
    return fd;
}

static int read_part(const char *dir, const char *name, struct buf *out,
                     struct err *e) {
    AUTO_FD int fd = open_part(dir, name, O_RDONLY, e);
    if (fd < 0 || fd_read_all(fd, out, e)) return -1;
    return 0;
}

/* -- blobs ------------------------------------------------------------------
 */

struct check {
    const char *dir;
    struct audit_report *report;
    str notes; /* checkpoints not yet reached */
    uint8_t public_key[CRYPTO_KEY];
    struct note next; /* the first of them */
    bool has_next;
    const struct scan *scan;
};

static int check_blob(struct check *c, const struct json *commitment,
                      struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(BLOB_VIEW);
    if (!commitment || json_type(commitment) != JSON_STRING) return 0;
    if (!blob_get(c->dir, json_str(commitment), &value, e)) {
        c->report->blobs++;
        return 0;
    }
    if (e->kind != ERR_MISSING) return -1;
    c->report->erased++;
    return 0;
}

/* Nodes are one array, so every object of an event is found by walking it. */
static int check_blobs(struct check *c, const struct json *data,
                       struct err *e) {
    const struct json *end = json_skip(data);
    for (const struct json *v = data; v < end; v++)
        if (json_type(v) == JSON_OBJECT &&
            check_blob(c, json_get(v, "$blob"), e))
            return -1;
    return 0;
}

/* -- checkpoints ------------------------------------------------------------
 */

static int take_note(struct check *c, struct err *e) {
    uint64_t before = c->has_next ? c->next.size : 0;
    c->has_next = false;
    if (!c->notes.n) return 0;
    uint64_t number = c->report->checkpoints + 1;
    if (note_read(&c->notes, c->public_key, &c->next, e))
        return fail_while(e, "checkpoint %" PRIu64, number);
    if (c->next.size < before)
        return fail(e, ERR_INVALID,
                    "checkpoint %" PRIu64 " covers fewer events than the one "
                    "before it",
                    number);
    c->has_next = true;
    return 0;
}

static int check_notes_here(struct check *c, struct err *e) {
    while (c->has_next && c->next.size == c->scan->tree.size) {
        uint8_t root[CRYPTO_SHA256];
        if (merkle_root(&c->scan->tree, root, e)) return -1;
        if (memcmp(root, c->next.root, sizeof root) != 0)
            return fail(e, ERR_INVALID,
                        "the first %" PRIu64 " events are not those that "
                        "were signed",
                        c->next.size);
        c->report->checkpoints++;
        c->report->signed_by = c->next.size;
        if (take_note(c, e)) return -1;
    }
    return 0;
}

static int check_event(void *data, const struct audit_event *ev,
                       struct err *e) {
    struct check *c = data;
    c->report->events = ev->seq;
    if (check_blobs(c, ev->data, e))
        return fail_while(e, "event %" PRIu64, ev->seq);
    return check_notes_here(c, e);
}

/* The newest checkpoint also stands in `head`; both must tell the same, or the
 * log was cut back together with its list of checkpoints. */
static int check_head(struct check *c, struct err *e) {
    AUTO_BUF struct buf head = BUF_MAX(NOTE_MAX);
    struct note note;
    if (read_part(c->dir, "head", &head, e)) return -1;
    str text = buf_str(&head);
    if (note_read(&text, c->public_key, &note, e)) return fail_while(e, "head");
    if (note.size != c->report->signed_by)
        return fail(e, ERR_INVALID,
                    "the newest checkpoint signs %" PRIu64
                    " events, the list of checkpoints ends at %" PRIu64,
                    note.size, c->report->signed_by);
    return 0;
}

static int check_ends(struct check *c, uint64_t torn, struct err *e) {
    if (torn)
        return fail(e, ERR_INVALID,
                    "an incomplete line of %" PRIu64 " bytes ends the log: "
                    "run 'cordon audit mend'",
                    torn);
    if (c->has_next)
        return fail(e, ERR_INVALID,
                    "%" PRIu64 " events were signed, %" PRIu64
                    " are there: events were removed",
                    c->next.size, c->report->events);
    return c->report->signed_by ? check_head(c, e) : 0;
}

static int load_public_key(struct check *c, const uint8_t *given,
                           struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1024);
    if (given) {
        memcpy(c->public_key, given, CRYPTO_KEY);
        return 0;
    }
    if (read_part(c->dir, "key.pub", &text, e)) return -1;
    return note_key_read(buf_str(&text), c->public_key, e);
}

static int check_all(struct check *c, struct scan *scan, struct err *e) {
    uint64_t torn = 0;
    AUTO_FD int fd = open_part(c->dir, "events.jsonl", O_RDONLY, e);
    if (fd < 0 || take_note(c, e) || check_notes_here(c, e)) return -1;
    if (scan_file(scan, fd, check_event, c, &torn, e)) {
        c->report->bad_seq = c->report->bad_line = scan->tree.size + 1;
        return -1;
    }
    return check_ends(c, torn, e);
}

int audit_verify(const char *dir, const uint8_t *public_key,
                 struct audit_report *report, struct err *e) {
    AUTO_BUF struct buf notes = BUF_MAX(CHECKPOINTS_MAX);
    struct scan *scan = mem_alloc(sizeof *scan, e);
    if (!scan) return -1;
    scan_init(scan);
    *report = (struct audit_report){0};
    struct check c = {.dir = dir, .report = report, .scan = scan};
    struct err none; /* a log that was never signed has no checkpoints */
    int result = load_public_key(&c, public_key, e);
    if (!result && read_part(dir, "checkpoints", &notes, &none) &&
        none.kind != ERR_SYSTEM)
        result = fail(e, none.kind, "%s", none.text);
    c.notes = buf_str(&notes);
    if (!result) result = check_all(&c, scan, e);
    mem_free(scan);
    return result ? fail_while(e, "%s", dir) : 0;
}

/* -- reading and mending ----------------------------------------------------
 */

struct from {
    uint64_t seq;
    int (*fn)(void *data, const struct audit_event *ev, struct err *e);
    void *data;
};

static int hand_on(void *data, const struct audit_event *ev, struct err *e) {
    struct from *f = data;
    return ev->seq < f->seq ? 0 : f->fn(f->data, ev, e);
}

int audit_each(const char *dir, uint64_t from,
               int (*fn)(void *data, const struct audit_event *ev,
                         struct err *e),
               void *data, struct err *e) {
    AUTO_FD int fd = open_part(dir, "events.jsonl", O_RDONLY, e);
    if (fd < 0) return -1;
    struct scan *scan = mem_alloc(sizeof *scan, e);
    if (!scan) return -1;
    scan_init(scan);
    struct from f = {from, fn, data};
    uint64_t torn;
    int result = scan_file(scan, fd, hand_on, &f, &torn, e);
    mem_free(scan);
    return result;
}

/* Moves the bytes behind the last LF to a file of their own. */
static int set_aside(const char *dir, int fd, uint64_t at, uint64_t torn,
                     char name[64], struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(AUDIT_EVENT_MAX * 8);
    char path[PATH_SIZE];
    char *room = buf_reserve(&bytes, torn, e);
    if (!room) return -1;
    ssize_t n = pread(fd, room, torn, (off_t)at);
    if (n < 0) return fail_sys(e, "read the torn line");
    buf_commit(&bytes, (size_t)n);
    (void)snprintf(name, 64, "torn-%" PRIu64, at);
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= PATH_SIZE)
        return fail(e, ERR_LIMIT, "path too long");
    if (file_replace(path, buf_str(&bytes), 0600, e)) return -1;
    if (ftruncate(fd, (off_t)at)) return fail_sys(e, "cut the torn line");
    return 0;
}

static int record_mending(const char *dir, const char *name, uint64_t torn,
                          struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *data;
    build_object(&b);
    build_put_int(&b, "bytes", (int64_t)torn);
    build_put_text(&b, "kept_as", str_of(name));
    build_end(&b);
    if (build_done(&b, &data, e)) return -1;
    struct audit *a = audit_open(dir, e);
    if (!a) return -1;
    int result = audit_add(a, "log.mended", data, e) || audit_sync(a, e);
    audit_close(a);
    return result ? -1 : 0;
}

int audit_mend(const char *dir, struct err *e) {
    AUTO_FD int fd = open_part(dir, "events.jsonl", O_RDWR, e);
    if (fd < 0) return -1;
    struct scan *scan = mem_alloc(sizeof *scan, e);
    if (!scan) return -1;
    scan_init(scan);
    uint64_t torn = 0;
    char name[64];
    int result = scan_file(scan, fd, NULL, NULL, &torn, e);
    if (!result && !torn)
        result = fail(e, ERR_MISSING,
                      "the log ends with a whole line: there "
                      "is nothing to mend");
    if (!result) result = set_aside(dir, fd, scan->offset, torn, name, e);
    if (!result) result = record_mending(dir, name, torn, e);
    mem_free(scan);
    return result;
}
