/* SPDX-License-Identifier: MIT
 *
 * Listing what a task left.
 */
#include "sandbox/files.h"

#include <string.h>
#include <unistd.h>

#include "base/codec.h"
#include "sandbox/cage.h"
#include "sandbox/collect.h"

enum { HEAD = 512 };

static const struct {
    const char *bytes;
    size_t size;
    const char *type;
} magics[] = {
#define MAGIC(bytes, size, type) {bytes, size, type},
#define NAME(end, type)
#include "sandbox/files.def"
#undef MAGIC
#undef NAME
};

static const struct {
    const char *end, *type;
} names[] = {
#define MAGIC(bytes, size, type)
#define NAME(end, type) {end, type},
#include "sandbox/files.def"
#undef MAGIC
#undef NAME
};

const char *files_type(str head, const char *path) {
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (str_starts(head, (str){magics[i].bytes, magics[i].size}))
            return magics[i].type;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_ends(str_of(path), str_of(names[i].end))) return names[i].type;
    return memchr(head.p, 0, head.n) ? "application/octet-stream"
                                     : "text/plain";
}

struct listing {
    struct arena *arena;
    struct file_list list;
};

static bool hidden(const char *path) {
    return path[0] == '.' || strstr(path, "/.");
}

static int add(void *context, const char *path, int fd, uint64_t size,
               struct err *e) {
    struct listing *l = context;
    char head[HEAD];
    if (fd < 0 || hidden(path)) return 0;
    if (l->list.count == FILES_MAX) {
        l->list.cut = true;
        return 0;
    }
    ssize_t n = pread(fd, head, sizeof head, 0);
    struct file_entry *entry = &l->list.entries[l->list.count];
    entry->path = arena_text(l->arena, str_of(path), e);
    if (!entry->path) return -1;
    entry->size = size;
    entry->type = files_type((str){head, n > 0 ? (size_t)n : 0}, path);
    l->list.count++;
    return 0;
}

int files_list(int scratch, struct arena *a, struct file_list *out,
               struct err *e) {
    struct listing l = {.arena = a};
    struct collect_limits limits = {0};
    l.list.entries = arena_zalloc(a, FILES_MAX, sizeof *l.list.entries, e);
    if (!l.list.entries || collect_walk(scratch, &limits, add, &l, e))
        return -1;
    *out = l.list;
    return 0;
}

/* What every host and browser can show. */
static bool is_picture(const char *type) {
    static const char *const known[] = {"image/png", "image/jpeg", "image/gif"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(type, known[i]) == 0) return true;
    return false;
}

bool files_picture(int scratch, const struct file_entry *f, size_t *room,
                   struct buf *out) {
    struct err e;
    if (!is_picture(f->type) || f->size == 0 || f->size > *room) return false;
    size_t before = out->len;
    if (collect_file(scratch, f->path, out, &e)) {
        buf_truncate(out, before);
        return false;
    }
    size_t got = out->len - before;
    *room -= got < *room ? got : *room;
    return true;
}

static void write_picture(int scratch, const struct file_entry *f, size_t *room,
                          struct jw *w) {
    AUTO_BUF struct buf bytes = BUF_MAX(FILES_SHOWN);
    AUTO_BUF struct buf text = BUF_MAX(2 * FILES_SHOWN);
    struct err e;
    if (!files_picture(scratch, f, room, &bytes) ||
        base64_encode(buf_str(&bytes), &text, &e))
        return;
    jw_put_text(w, "data", buf_str(&text));
}

static void write_entry(const struct file_entry *f, struct jw *w) {
    cage_put_bytes(w, "name", str_of(f->path));
    jw_put_int(w, "size", (int64_t)f->size);
    jw_put_text(w, "type", str_of(f->type));
}

void files_list_write(const struct file_list *l, struct jw *w) {
    jw_array(w);
    for (size_t i = 0; i < l->count; i++) {
        jw_object(w);
        write_entry(&l->entries[i], w);
        jw_end_object(w);
    }
    jw_end_array(w);
}

void files_write(int scratch, const struct file_list *l, struct jw *w) {
    size_t room = FILES_SHOWN;
    jw_array(w);
    for (size_t i = 0; i < l->count; i++) {
        jw_object(w);
        write_entry(&l->entries[i], w);
        write_picture(scratch, &l->entries[i], &room, w);
        jw_end_object(w);
    }
    jw_end_array(w);
}
