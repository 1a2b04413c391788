/* SPDX-License-Identifier: MIT */
#include "audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/note.h"
#include "audit/scan.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

enum { PATH_SIZE = 4096 };

struct audit {
    char dir[PATH_SIZE];
    int events; /* events.jsonl, for appending */
    int lock;   /* flock()ed for each change */
    struct scan scan;
    uint64_t signed_size; /* events in the newest checkpoint we know */
    uint8_t secret[CRYPTO_KEY];
    bool lost; /* an event could not be written */
};

/* -- files of the folder ----------------------------------------------------
 */

static int in_dir(const char *dir, const char *name, char out[PATH_SIZE],
                  struct err *e) {
    if (snprintf(out, PATH_SIZE, "%s/%s", dir, name) >= PATH_SIZE)
        return fail(e, ERR_LIMIT, "path too long: %.80s...", dir);
    return 0;
}

static int open_in(const char *dir, const char *name, int flags,
                   struct err *e) {
    char path[PATH_SIZE];
    if (in_dir(dir, name, path, e)) return -1;
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return fail_sys(e, "open %s", path);
    return fd;
}

static int replace_in(const char *dir, const char *name, str text,
                      struct err *e) {
    char path[PATH_SIZE];
    if (in_dir(dir, name, path, e)) return -1;
    return file_replace(path, text, 0600, e);
}

static int read_in(const char *dir, const char *name, struct buf *out,
                   struct err *e) {
    char path[PATH_SIZE];
    if (in_dir(dir, name, path, e)) return -1;
    return file_read(path, out, e);
}

static bool exists_in(const char *dir, const char *name) {
    char path[PATH_SIZE];
    struct err e;
    return !in_dir(dir, name, path, &e) && file_exists(path);
}

/* -- the key ----------------------------------------------------------------
 */

static int make_key(struct audit *a, struct err *e) {
    uint8_t public_key[CRYPTO_KEY];
    AUTO_BUF struct buf text = BUF_MAX(256);
    if (hash_random(a->secret, sizeof a->secret, e) ||
        crypto_sign_public(a->secret, public_key, e) ||
        note_key_write(public_key, &text, e) || buf_add_char(&text, '\n', e))
        return -1;
    str secret = {(const char *)a->secret, sizeof a->secret};
    if (replace_in(a->dir, "key", secret, e)) return -1;
    return replace_in(a->dir, "key.pub", buf_str(&text), e);
}

/* A new key beside an old log would look like somebody else's signature: only
 * an empty log may get one. */
static int load_key(struct audit *a, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(CRYPTO_KEY);
    if (!exists_in(a->dir, "key")) {
        if (exists_in(a->dir, "events.jsonl"))
            return fail(e, ERR_MISSING,
                        "the signing key of the audit log in %s is gone: "
                        "restore the file 'key', or move the folder away to "
                        "start a new log (the old one still verifies with "
                        "its key.pub)",
                        a->dir);
        return make_key(a, e);
    }
    if (read_in(a->dir, "key", &key, e)) return -1;
    if (key.len != CRYPTO_KEY)
        return fail(e, ERR_INVALID, "%s/key is not a signing key", a->dir);
    memcpy(a->secret, key.data, CRYPTO_KEY);
    mem_wipe(key.data, key.len);
    return 0;
}

/* -- catching up ------------------------------------------------------------
 */

static int lock_log(struct audit *a, struct err *e) {
    while (flock(a->lock, LOCK_EX))
        if (errno != EINTR) return fail_sys(e, "lock the audit log");
    return 0;
}

static void unlock_log(struct audit *a) {
    (void)flock(a->lock, LOCK_UN);
}

static int catch_up(struct audit *a, struct err *e) {
    struct stat st;
    uint64_t torn = 0;
    if (fstat(a->events, &st)) return fail_sys(e, "audit log");
    if ((uint64_t)st.st_size < a->scan.offset)
        return fail(e, ERR_INVALID,
                    "audit log %s has become shorter: events were removed",
                    a->dir);
    if ((uint64_t)st.st_size == a->scan.offset) return 0;
    if (scan_file(&a->scan, a->events, NULL, NULL, &torn, e))
        return fail_while(e, "audit log %s", a->dir);
    if (torn)
        return fail(e, ERR_INVALID,
                    "audit log %s ends in an incomplete line of %" PRIu64
                    " bytes (power cut?): run 'cordon audit mend'",
                    a->dir, torn);
    return 0;
}

/* The state file saves reading everything again. It is only believed when its
 * tree has the root that the newest checkpoint signs. */
static int load_state(struct audit *a, struct err *e) {
    AUTO_BUF struct buf head = BUF_MAX(NOTE_MAX), text = BUF_MAX(64 * 1024);
    uint8_t public_key[CRYPTO_KEY], root[CRYPTO_SHA256];
    struct note note;
    struct scan state;
    scan_init(&a->scan);
    if (!exists_in(a->dir, "head")) return 0;
    if (crypto_sign_public(a->secret, public_key, e) ||
        read_in(a->dir, "head", &head, e))
        return -1;
    str rest = buf_str(&head);
    if (note_read(&rest, public_key, &note, e))
        return fail_while(e, "%s/head", a->dir);
    a->signed_size = note.size;
    struct err ignored; /* a damaged or old state file is only slower */
    if (read_in(a->dir, "state", &text, &ignored) ||
        scan_load(buf_str(&text), &state, &ignored) ||
        state.tree.size != note.size)
        return 0;
    if (merkle_root(&state.tree, root, e)) return -1;
    if (memcmp(root, note.root, sizeof root) == 0) a->scan = state;
    return 0;
}

static int check_signed(struct audit *a, struct err *e) {
    if (a->scan.tree.size >= a->signed_size) return 0;
    return fail(e, ERR_INVALID,
                "audit log %s has %" PRIu64 " events but %" PRIu64
                " were signed: events were removed",
                a->dir, a->scan.tree.size, a->signed_size);
}

/* -- the life of a log ------------------------------------------------------
 */

static int open_files(struct audit *a, struct err *e) {
    char blobs[PATH_SIZE];
    if (in_dir(a->dir, "blobs", blobs, e) || file_make_dirs(blobs, 0700, e))
        return -1;
    a->lock = open_in(a->dir, "lock", O_RDWR | O_CREAT, e);
    if (a->lock < 0 || lock_log(a, e)) return -1;
    int result = load_key(a, e);
    if (!result) {
        a->events =
            open_in(a->dir, "events.jsonl", O_RDWR | O_APPEND | O_CREAT, e);
        result = a->events < 0 || load_state(a, e) || catch_up(a, e) ||
                 check_signed(a, e);
    }
    unlock_log(a);
    return result ? -1 : 0;
}

struct audit *audit_open(const char *dir, struct err *e) {
    struct audit *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    a->events = a->lock = -1;
    int n = snprintf(a->dir, sizeof a->dir, "%s", dir);
    if (n >= PATH_SIZE) err_set(e, ERR_LIMIT, "path too long");
    if (n >= PATH_SIZE || open_files(a, e)) {
        audit_close(a);
        return NULL;
    }
    return a;
}

void audit_close(struct audit *a) {
    if (!a) return;
    fd_auto_close(&a->events);
    fd_auto_close(&a->lock);
    mem_wipe(a->secret, sizeof a->secret);
    mem_free(a);
}

uint64_t audit_size(const struct audit *a) {
    return a->scan.tree.size;
}

/* -- appending --------------------------------------------------------------
 */

/* A write that stops half way (disk full) would leave a torn line and break the
 * log for everyone: what was written of it is taken back. */
static int append(struct audit *a, str line, struct err *e) {
    struct err why;
    if (!fd_write_all(a->events, line, &why)) return 0;
    if (ftruncate(a->events, (off_t)a->scan.offset))
        return fail_sys(e, "audit log: %s; and then", why.text);
    *e = why;
    return fail_while(e, "audit log");
}

static int add_locked(struct audit *a, const char *kind,
                      const struct json *data, struct err *e) {
    char at[CLOCK_TEXT_SIZE];
    AUTO_BUF struct buf line = BUF_MAX(AUDIT_EVENT_MAX);
    AUTO_ARENA struct arena arena = ARENA_MAX(8 << 20);
    if (catch_up(a, e)) return -1;
    str now = str_of(clock_format(clock_wall_ns(), at));
    if (scan_make_line(&a->scan, now, kind, data, &line, e))
        return fail_while(e, "audit event '%s'", kind);
    struct scan next = a->scan;
    if (scan_line(&next, buf_str(&line), &arena, NULL, e)) return -1;
    if (buf_add_char(&line, '\n', e) || append(a, buf_str(&line), e)) return -1;
    a->scan = next;
    return 0;
}

int audit_add(struct audit *a, const char *kind, const struct json *data,
              struct err *e) {
    if (lock_log(a, e)) return -1;
    int result = add_locked(a, kind, data, e);
    unlock_log(a);
    return result;
}

void audit_lost(struct audit *a) {
    a->lost = true;
}

int audit_ready(struct audit *a, struct err *e) {
    if (!a->lost) return 0;
    if (audit_add(a, "gap", NULL, e))
        return fail_while(e, "the audit log cannot be written");
    a->lost = false;
    return 0;
}

static int append_checkpoint(struct audit *a, str text, struct err *e) {
    AUTO_FD int fd =
        open_in(a->dir, "checkpoints", O_WRONLY | O_APPEND | O_CREAT, e);
    if (fd < 0 || fd_write_all(fd, text, e)) return -1;
    return 0;
}

static int sign_locked(struct audit *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(NOTE_MAX), state = BUF_MAX(64 * 1024);
    if (catch_up(a, e)) return -1;
    if (fdatasync(a->events)) return fail_sys(e, "sync the audit log");
    struct note note = {.size = a->scan.tree.size};
    if (note.size == a->signed_size && exists_in(a->dir, "head")) return 0;
    if (merkle_root(&a->scan.tree, note.root, e) ||
        note_write(&note, a->secret, &text, e) ||
        append_checkpoint(a, buf_str(&text), e) ||
        replace_in(a->dir, "head", buf_str(&text), e))
        return -1;
    a->signed_size = note.size;
    if (scan_save(&a->scan, &state, e)) return -1;
    return replace_in(a->dir, "state", buf_str(&state), e);
}

int audit_sync(struct audit *a, struct err *e) {
    if (lock_log(a, e)) return -1;
    int result = sign_locked(a, e);
    unlock_log(a);
    return result;
}
