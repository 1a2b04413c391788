/* SPDX-License-Identifier: MIT
 *
 * States of runs that wait or work for long. Small ones are a row. Through the
 * queue and the journal of the database a large one would be copied several
 * times: it is a file of its own beside the store, written before the row that
 * names it. Every save makes a new file, so what a committed row names is
 * always there; older ones go once a newer row is on disk.
 *
 *     cordon.db.snapshots/RUN/s_...
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "store/inside.h"

#define ROW_TYPE  "application/x-cordon-snapshot"
#define FILE_TYPE "application/x-cordon-snapshot-file"
#define BESIDE    "beside"
#define STRAY_NS  ((int64_t)3600 * 1000000000)

static str row_name(str run, char out[STORE_ID + 8]) {
    snprintf(out, STORE_ID + 8, "snap_%.*s", STR_ARG(str_sub(run, 0, 31)));
    return str_of(out);
}

/* -- files --------------------------------------------------------------------
 */

static int path_of(const struct store *s, str run, str file, struct buf *out,
                   struct err *e) {
    for (size_t i = 0; i < run.n; i++)
        if (run.p[i] == '/' || run.p[i] == '.')
            return fail(e, ERR_INVALID, "no run is called '%.*s'",
                        STR_ARG(str_sub(run, 0, 40)));
    return buf_addf(out, e, "%s/%.*s%s%.*s", s->snapshots, STR_ARG(run),
                    file.n ? "/" : "", STR_ARG(file));
}

/* The name of the file that the run's row has; empty: none. */
static int read_name(struct store *s, str run, struct buf *out, struct err *e) {
    char name[STORE_ID + 8], type[64];
    size_t size;
    buf_truncate(out, 0);
    if (store_blob_get(s, row_name(run, name), run, 0, STORE_ID, out, &size,
                       type, e))
        return e->kind == ERR_MISSING ? 0 : -1;
    if (strcmp(type, FILE_TYPE) != 0) buf_truncate(out, 0);
    return 0;
}

static void remove_others(const char *folder, str kept) {
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    if (!dir) return;
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.' && !str_is(kept, entry->d_name))
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    if (kept.n == 0) (void)rmdir(folder);
}

void store_snapshot_tidy(struct store *s, str run) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    AUTO_BUF struct buf kept = BUF_MAX(STORE_ID);
    struct err e;
    if (path_of(s, run, STR(""), &path, &e) || !file_exists(buf_text(&path)) ||
        store_flush(s, true, &e) || read_name(s, run, &kept, &e))
        return;
    remove_others(buf_text(&path), buf_str(&kept));
}

/* A folder that nobody wrote to for long, and whose run has no row: whoever
 * made it was killed, or its run was. */
static bool is_stray(int all, const char *name) {
    struct stat st;
    return name[0] != '.' && fstatat(all, name, &st, 0) == 0 &&
           S_ISDIR(st.st_mode) &&
           clock_wall_ns() - (int64_t)st.st_mtim.tv_sec * 1000000000 > STRAY_NS;
}

void snapshots_sweep(struct store *s) {
    const struct dirent *entry;
    DIR *dir = opendir(s->snapshots);
    if (!dir) return;
    while ((entry = readdir(dir)))
        if (is_stray(dirfd(dir), entry->d_name))
            store_snapshot_tidy(s, str_of(entry->d_name));
    closedir(dir);
}

int store_snapshot_file(const struct store *s, str run, str name, str bytes,
                        struct err *e) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX), path = BUF_MAX(PATH_MAX);
    if (path_of(s, run, STR(""), &folder, e) ||
        path_of(s, run, name, &path, e) ||
        file_make_dirs(buf_text(&folder), 0700, e))
        return -1;
    return file_create(buf_text(&path), bytes, 0600, e);
}

/* -- rows ---------------------------------------------------------------------
 */

static int put_rows(struct store *s, str run, uint64_t fence, const char *type,
                    str bytes, str beside, struct err *e) {
    struct sql_value row[] = {sql_text(run), sql_int((int64_t)fence),
                              sql_text(str_of(type)), sql_bytes(bytes),
                              sql_int(clock_wall_ns())};
    return store_push(s, SQL_SNAPSHOT_PUT, PUSH_FENCED, row, COUNT(row), e) ||
                   store_run_put(s, run, fence, BESIDE, beside, 0, e)
               ? -1
               : 0;
}

int store_snapshot_put(struct store *s, str run, uint64_t fence, str bytes,
                       str beside, struct err *e) {
    return put_rows(s, run, fence, ROW_TYPE, bytes, beside, e);
}

int store_snapshot_name(struct store *s, str run, uint64_t fence, str name,
                        str beside, struct err *e) {
    return put_rows(s, run, fence, FILE_TYPE, name, beside, e);
}

int store_snapshot_get(struct store *s, str run, struct buf *bytes,
                       struct buf *beside, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX), file = BUF_MAX(STORE_ID);
    char name[STORE_ID + 8];
    size_t size;
    if (store_get(s, BESIDE, run, beside, e) || read_name(s, run, &file, e))
        return -1;
    if (file.len == 0)
        return store_blob_get(s, row_name(run, name), run, 0, STORE_BLOB_MAX,
                              bytes, &size, NULL, e);
    return path_of(s, run, buf_str(&file), &path, e) ||
                   file_read(buf_text(&path), bytes, e)
               ? -1
               : 0;
}

int store_snapshot_drop(struct store *s, str run, uint64_t fence,
                        struct err *e) {
    struct sql_value args[] = {sql_text(run), sql_int((int64_t)fence),
                               sql_text(str_of(BESIDE))};
    return store_push(s, SQL_SNAPSHOT_DROP, PUSH_ANY, args, 2, e) ||
                   store_push(s, SQL_RUN_KV_DEL, PUSH_ANY, args, 3, e)
               ? -1
               : 0;
}
