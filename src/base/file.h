/* SPDX-License-Identifier: MIT
 *
 * file -- whole files and descriptors, with limits and without surprises.
 */
#ifndef CORDON_BASE_FILE_H
#define CORDON_BASE_FILE_H

#include "base/buf.h"

#include <stdbool.h>

/* Appends the file's bytes; "-" is standard input. Fails past out->max. */
int file_read(const char *path, struct buf *out, struct err *e);
int file_read_at(int dir, const char *name, struct buf *out, struct err *e);

/* Appends everything up to end of file. */
int fd_read_all(int fd, struct buf *out, struct err *e);

/* Writes all of it, through EINTR and short writes. */
int fd_write_all(int fd, str data, struct err *e);

/* Replaces path whole: temporary file beside it, fsync, rename. Readers see
 * the old or the new content, never a part. */
int file_replace(const char *path, str data, unsigned mode, struct err *e);

/* The same for a file that must be new: ERR_EXISTS when somebody was first. */
int file_create(const char *path, str data, unsigned mode, struct err *e);

/* mkdir -p with the given mode for each part it makes. */
int file_make_dirs(const char *path, unsigned mode, struct err *e);

bool file_exists(const char *path);

/* Scope end: `AUTO_FD int fd = open(...);` closes what is not negative. */
#define AUTO_FD __attribute__((cleanup(fd_auto_close)))
void fd_auto_close(int *fd);
int fd_take(int *fd); /* hands it out and leaves -1 */

#endif
