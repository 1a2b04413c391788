/* SPDX-License-Identifier: MIT
 *
 * files -- what a task left in its scratch, as a list that says what it is.
 */
#ifndef CORDON_SANDBOX_FILES_H
#define CORDON_SANDBOX_FILES_H

#include "base/arena.h"
#include "base/buf.h"
#include "json/write.h"

struct file_list {
    struct file_entry {
        const char *path; /* relative to the scratch */
        const char *type; /* "image/png"; static */
        uint64_t size;
    } * entries;
    size_t count;
    bool cut; /* there were more than FILES_MAX */
};

enum { FILES_MAX = 256 };

/* Regular files whose names do not begin with a dot, in the order found. */
int files_list(int scratch, struct arena *a, struct file_list *out,
               struct err *e);

/* By its first bytes, else by its name. */
const char *files_type(str head, const char *path);

/* A picture that is small enough to be shown rather than named: its bytes are
 * appended. False where it is none, or cannot be read. *room is what is left
 * for pictures of one task, FILES_SHOWN at first. */
enum { FILES_SHOWN = 4 << 20 };
bool files_picture(int scratch, const struct file_entry *f, size_t *room,
                   struct buf *out);

/* [{"name", "size", "type"}, ...] */
void files_list_write(const struct file_list *l, struct jw *w);

/* The same; pictures with "data", as base64. */
void files_write(int scratch, const struct file_list *l, struct jw *w);

#endif
