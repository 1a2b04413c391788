/* SPDX-License-Identifier: MIT
 *
 * collect -- brings out what a task left in its scratch directory.
 *
 * The tree was made by the task, and a writable bind may still be changed by
 * somebody while it is read. So every name is opened relative to the directory
 * it was found in, no symlink is followed, nothing but regular files is read,
 * and counts and sizes are limited.
 */
#ifndef CORDON_SANDBOX_COLLECT_H
#define CORDON_SANDBOX_COLLECT_H

#include "base/buf.h"

#include <stdint.h>

struct collect_limits {
    uint64_t bytes; /* of all files; 0: 256 MiB */
    size_t files;   /* and directories; 0: 4096 */
    int depth;      /* of directories; 0: 32 */
};

/* One file or directory, by its path relative to the scratch. fd is open for
 * reading, or -1 for a directory. */
typedef int collect_fn(void *context, const char *path, int fd, uint64_t size,
                       struct err *e);

/* Calls each for everything found; stops at its first failure. What is not a
 * file or a directory is passed over. */
int collect_walk(int scratch, const struct collect_limits *limits,
                 collect_fn *each, void *context, struct err *e);

/* Copies it all to a directory that does not exist yet. */
int collect_dir(int scratch, const char *path, struct err *e);

/* Appends the content of one file below the scratch. */
int collect_file(int scratch, const char *path, struct buf *out, struct err *e);

#endif
