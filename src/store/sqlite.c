/* SPDX-License-Identifier: MIT
 *
 * sqlite -- the store in one file. WAL mode: a commit is an append, readers
 * never wait. Commits are not synced one by one (synchronous=NORMAL); where
 * somebody waits for the disk, the log is synced once after the commit.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "store/backend.h"

enum {
    APPLICATION_ID = 0x436f7264, /* "Cord", in the file's header */
    BUSY_MS = 5000,
    FULL_BYTES = 64 << 10,   /* less is a full disk */
    CHECK_BYTES = 256 << 20, /* larger files are not read whole at start */
};

static const char *const migrations[] = {
#define MIGRATION(sql) sql,
#include "store/migrations.def"
#undef MIGRATION
};
enum { SCHEMA_VERSION = sizeof migrations / sizeof migrations[0] };

struct sqlite {
    struct backend backend;
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT]; /* prepared when first used */
    char path[PATH_MAX];
};

/* -- errors -----------------------------------------------------------------
 */

static enum err_kind kind_of(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL: return ERR_LIMIT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ERR_TIMEOUT;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH: return ERR_DENIED;
    case SQLITE_CONSTRAINT: return ERR_EXISTS;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ERR_INVALID;
    case SQLITE_NOMEM: return ERR_MEMORY;
    case SQLITE_TOOBIG: return ERR_LIMIT;
    }
    return ERR_SYSTEM;
}

static int damaged(const struct sqlite *q, const char *what, struct err *e) {
    return fail(e, ERR_INVALID,
                "store %s is damaged (%s): move it away to begin an empty one, "
                "or save what can be read with: sqlite3 %s .recover",
                q->path, what, q->path);
}

/* Files beside the store that cannot be made on a full disk are told of as
 * failures of the disk. */
static bool is_full(const struct sqlite *q) {
    struct statvfs st;
    return statvfs(q->path, &st) == 0 && !(st.f_flag & ST_RDONLY) &&
           st.f_bavail * st.f_frsize < FULL_BYTES;
}

static int broken(const struct sqlite *q, int code, struct err *e) {
    const char *text = sqlite3_errmsg(q->db);
    if ((code & 0xff) == SQLITE_IOERR && is_full(q)) code = SQLITE_FULL;
    switch (code & 0xff) {
    case SQLITE_CORRUPT: return damaged(q, text, e);
    case SQLITE_NOTADB:
        return fail(e, ERR_INVALID, "%s is not a store of cordon", q->path);
    case SQLITE_FULL:
        return fail(e, ERR_LIMIT, "store %s: no space left on the disk",
                    q->path);
    case SQLITE_BUSY:
        return fail(e, ERR_TIMEOUT,
                    "store %s is locked by another process for too long",
                    q->path);
    case SQLITE_READONLY:
        return fail(e, ERR_DENIED, "store %s is read-only", q->path);
    }
    return fail(e, kind_of(code), "store %s: %s", q->path, text);
}

static int run(struct sqlite *q, const char *sql, struct err *e) {
    int code = sqlite3_exec(q->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? 0 : broken(q, code, e);
}

/* -- opening ----------------------------------------------------------------
 */

/* The file is made here, so that nobody else can ever read it. */
static int make_file(const char *path, struct err *e) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash && slash != path) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = 0;
        if (file_make_dirs(folder, 0700, e)) return -1;
    }
    AUTO_FD int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 || errno == EROFS || errno == EACCES) return 0;
    return fail_sys(e, "store %s", path);
}

/* On a file system that cannot be written there can be no files beside it: it
 * is read as it lies. */
static int open_frozen(struct sqlite *q, int flags) {
    AUTO_BUF struct buf uri = BUF_MAX(4 * PATH_MAX);
    struct statvfs st;
    struct err e;
    if (statvfs(q->path, &st) || !(st.f_flag & ST_RDONLY))
        return SQLITE_CANTOPEN;
    if (buf_add_text(&uri, "file:", &e)) return SQLITE_NOMEM;
    for (const char *p = q->path; *p; p++)
        if (*p == '%' || *p == '?' || *p == '#'
                ? buf_addf(&uri, &e, "%%%02x", (unsigned)*p)
                : buf_add_char(&uri, *p, &e))
            return SQLITE_NOMEM;
    if (buf_add_text(&uri, "?immutable=1", &e)) return SQLITE_NOMEM;
    return sqlite3_open_v2(buf_text(&uri), &q->db,
                           flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                           NULL);
}

static int open_file(struct sqlite *q, struct err *e) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    int code = open_frozen(q, flags);
    if (code != SQLITE_OK)
        code = sqlite3_open_v2(q->path, &q->db, flags | SQLITE_OPEN_READWRITE,
                               NULL);
    if (code != SQLITE_OK) {
        sqlite3_close(q->db);
        q->db = NULL;
        code = sqlite3_open_v2(q->path, &q->db, flags | SQLITE_OPEN_READONLY,
                               NULL);
    }
    if (code != SQLITE_OK)
        return fail(e, kind_of(code), "store %s: %s", q->path,
                    q->db ? sqlite3_errmsg(q->db) : sqlite3_errstr(code));
    q->backend.read_only = sqlite3_db_readonly(q->db, "main") == 1;
    sqlite3_busy_timeout(q->db, BUSY_MS);
    sqlite3_extended_result_codes(q->db, 1);
    return 0;
}

/* One number, or with `text` the first column as text (cut at 200). */
static int ask(struct sqlite *q, const char *sql, int64_t *number,
               char text[200], struct err *e) {
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(q->db, sql, -1, &st, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(st);
    if (code == SQLITE_ROW) {
        if (number) *number = sqlite3_column_int64(st, 0);
        if (text) sqlite3_snprintf(200, text, "%s", sqlite3_column_text(st, 0));
        code = SQLITE_OK;
    }
    if (code == SQLITE_DONE) code = SQLITE_OK;
    int status = code == SQLITE_OK ? 0 : broken(q, code, e);
    sqlite3_finalize(st);
    return status;
}

static int migrate(struct sqlite *q, int64_t from, struct err *e) {
    char pragma[96];
    if (run(q, "BEGIN IMMEDIATE", e)) return -1;
    /* Another process may have done it while we waited. */
    if (ask(q, "PRAGMA user_version", &from, NULL, e)) return -1;
    for (int64_t i = from; i < SCHEMA_VERSION; i++)
        if (run(q, migrations[i], e)) return fail_while(e, "new tables");
    sqlite3_snprintf(sizeof pragma, pragma,
                     "PRAGMA user_version = %d; PRAGMA application_id = %d",
                     SCHEMA_VERSION, APPLICATION_ID);
    if (run(q, pragma, e)) return -1;
    return run(q, "COMMIT", e);
}

struct kind {
    int64_t version, application, tables;
};

/* At one moment: another process may be making the tables. */
static int read_kind(struct sqlite *q, struct kind *k, struct err *e) {
    struct err ignored;
    if (run(q, "BEGIN", e)) return -1;
    int status =
        ask(q, "PRAGMA user_version", &k->version, NULL, e) ||
                ask(q, "PRAGMA application_id", &k->application, NULL, e) ||
                ask(q, "SELECT count(*) FROM sqlite_schema", &k->tables, NULL,
                    e)
            ? -1
            : 0;
    (void)run(q, "ROLLBACK", &ignored);
    return status;
}

static int check_version(struct sqlite *q, struct err *e) {
    struct kind k = {0};
    if (read_kind(q, &k, e)) return -1;
    int64_t version = k.version;
    if (k.tables > 0 && k.application != APPLICATION_ID)
        return fail(e, ERR_INVALID,
                    "%s is a database of something else, not a store of cordon",
                    q->path);
    if (version > SCHEMA_VERSION)
        return fail(e, ERR_UNSUPPORTED,
                    "store %s was written by a newer cordon (schema %lld, this "
                    "one knows %d): use that version, or another store",
                    q->path, (long long)version, SCHEMA_VERSION);
    if (version == SCHEMA_VERSION) return 0;
    if (q->backend.read_only)
        return fail(e, ERR_DENIED, "store %s is read-only and %s", q->path,
                    version ? "of an older version" : "empty");
    return migrate(q, version, e);
}

/* Whoever makes the store, or is the first to open it again, has it for itself
 * for a moment. SQLite does not wait then: of two who wait for each other it
 * sends one away. */
static int use_log(struct sqlite *q, struct err *e) {
    for (int waited = 0;;) {
        if (run(q, "PRAGMA journal_mode = WAL", e) == 0) return 0;
        if (e->kind != ERR_TIMEOUT || waited > BUSY_MS) return -1;
        int ms = 5 + (int)(getpid() % 17);
        (void)poll(NULL, 0, ms);
        waited += ms;
    }
}

static int check_content(struct sqlite *q, struct err *e) {
    struct stat st;
    char text[200] = "";
    if (stat(q->path, &st) || st.st_size > CHECK_BYTES) return 0;
    if (ask(q, "PRAGMA quick_check(1)", NULL, text, e)) return -1;
    if (text[0] && strcmp(text, "ok") != 0) return damaged(q, text, e);
    return 0;
}

static void sqlite_close(struct backend *b) {
    struct sqlite *q = (struct sqlite *)b;
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(q->statements[i]);
    sqlite3_close(q->db);
    mem_free(q);
}

/* -- transactions -----------------------------------------------------------
 */

static int sqlite_begin(struct backend *b, struct err *e) {
    return run((struct sqlite *)b, "BEGIN IMMEDIATE", e);
}

static int sqlite_commit(struct backend *b, struct err *e) {
    return run((struct sqlite *)b, "COMMIT", e);
}

static int sqlite_sync(struct backend *b, struct err *e) {
    struct sqlite *q = (struct sqlite *)b;
    sqlite3_file *log = NULL;
    int code = sqlite3_file_control(q->db, "main", SQLITE_FCNTL_JOURNAL_POINTER,
                                    (void *)&log);
    if (code == SQLITE_OK && log && log->pMethods)
        code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
    if (code == SQLITE_OK) return 0;
    return fail(e, ERR_SYSTEM, "store %s: the disk does not take it (%s)",
                q->path, sqlite3_errstr(code));
}

static void sqlite_rollback(struct backend *b) {
    struct sqlite *q = (struct sqlite *)b;
    struct err e;
    /* A full disk may have rolled it back already. */
    if (!sqlite3_get_autocommit(q->db)) (void)run(q, "ROLLBACK", &e);
}

/* -- statements -------------------------------------------------------------
 */

static int bind(sqlite3_stmt *st, int place, const struct sql_value *v) {
    /* Empty text without an address would be NULL. */
    const char *p = v->text.p ? v->text.p : "";
    switch (v->type) {
    case SQL_NULL: return sqlite3_bind_null(st, place);
    case SQL_INT: return sqlite3_bind_int64(st, place, v->integer);
    case SQL_TEXT:
        return sqlite3_bind_text64(st, place, p, v->text.n, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case SQL_BYTES:
        return sqlite3_bind_blob64(st, place, p, v->text.n, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

static int prepare(struct sqlite *q, enum statement name,
                   const struct sql_value *args, size_t count,
                   sqlite3_stmt **out, struct err *e) {
    sqlite3_stmt **st = &q->statements[name];
    int code = SQLITE_OK;
    if (!*st)
        code = sqlite3_prepare_v3(q->db, statement_sql(name), -1,
                                  SQLITE_PREPARE_PERSISTENT, st, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < count; i++)
        code = bind(*st, (int)i + 1, &args[i]);
    if (code != SQLITE_OK) return broken(q, code, e);
    *out = *st;
    return 0;
}

/* Reset gives the code of the last step again, and lets go of the row. */
static void done_with(sqlite3_stmt *st) {
    (void)sqlite3_reset(st);
    (void)sqlite3_clear_bindings(st);
}

static int sqlite_exec(struct backend *b, enum statement name,
                       const struct sql_value *args, size_t count,
                       int64_t *changed, struct err *e) {
    struct sqlite *q = (struct sqlite *)b;
    sqlite3_stmt *st;
    if (prepare(q, name, args, count, &st, e)) return -1;
    int code = sqlite3_step(st);
    int status = code == SQLITE_DONE ? 0 : broken(q, code, e);
    done_with(st);
    if (status == 0) *changed = sqlite3_changes64(q->db);
    return status;
}

static struct sql_value column(sqlite3_stmt *st, int i) {
    const char *p;
    switch (sqlite3_column_type(st, i)) {
    case SQLITE_INTEGER: return sql_int(sqlite3_column_int64(st, i));
    case SQLITE_TEXT:
        p = (const char *)sqlite3_column_text(st, i);
        return sql_text((str){p, (size_t)sqlite3_column_bytes(st, i)});
    case SQLITE_BLOB:
        p = sqlite3_column_blob(st, i);
        return sql_bytes((str){p, (size_t)sqlite3_column_bytes(st, i)});
    }
    return (struct sql_value){0};
}

static int sqlite_query(struct backend *b, enum statement name,
                        const struct sql_value *args, size_t count,
                        sql_row_fn *row, void *data, struct err *e) {
    struct sqlite *q = (struct sqlite *)b;
    struct sql_value cols[SQL_ARGS];
    sqlite3_stmt *st;
    int code, status = 0;
    if (prepare(q, name, args, count, &st, e)) return -1;
    int width = sqlite3_column_count(st);
    while (status == 0 && (code = sqlite3_step(st)) == SQLITE_ROW) {
        for (int i = 0; i < width; i++)
            cols[i] = column(st, i);
        status = row(data, cols, (size_t)width, e);
    }
    if (status == 0 && code != SQLITE_DONE) status = broken(q, code, e);
    done_with(st);
    return status;
}

static const struct backend_class sqlite_class = {
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .sync = sqlite_sync,
    .rollback = sqlite_rollback,
    .exec = sqlite_exec,
    .query = sqlite_query,
    .close = sqlite_close,
};

static int prepare_file(struct sqlite *q, struct err *e) {
    static const char settings[] = "PRAGMA trusted_schema = OFF;"
                                   "PRAGMA cell_size_check = ON;"
                                   "PRAGMA synchronous = NORMAL;";
    if (open_file(q, e) || run(q, settings, e)) return -1;
    if (check_content(q, e)) return -1;
    if (!q->backend.read_only && use_log(q, e)) return -1;
    return check_version(q, e);
}

struct backend *sqlite_open(const char *path, struct err *e) {
    if (strlen(path) >= PATH_MAX) {
        err_set(e, ERR_LIMIT, "path too long: %.80s...", path);
        return NULL;
    }
    if (make_file(path, e)) return NULL;
    struct sqlite *q = mem_zalloc(1, sizeof *q, e);
    if (!q) return NULL;
    q->backend.class = &sqlite_class;
    memcpy(q->path, path, strlen(path) + 1);
    if (prepare_file(q, e) == 0) return &q->backend;
    sqlite_close(&q->backend);
    return NULL;
}
