/* SPDX-License-Identifier: MIT
 *
 * files -- what a task left in its scratch, as a list that says what it is.
 */
#ifndef CORDON_SANDBOX_FILES_H
#define CORDON_SANDBOX_FILES_H

#include "base/arena.h"
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

/* [{"name", "size", "type"}, ...] */
void files_write(const struct file_list *l, struct jw *w);

#endif
