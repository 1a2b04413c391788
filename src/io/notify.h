/* SPDX-License-Identifier: MIT
 *
 * notify -- word of changes to a file (inotify), in the loop.
 *
 * Editors replace files rather than write to them, so it is the folder that is
 * watched, for the name. Many changes in a row are told once, when they have
 * ended.
 */
#ifndef CORDON_IO_NOTIFY_H
#define CORDON_IO_NOTIFY_H

#include "io/loop.h"

struct notify {
    struct loop *loop;
    struct io_watch watch; /* the inotify descriptor; fd -1: none */
    struct io_timer calm;
    char *name; /* of the file in its folder */
    void (*changed)(void *data);
    void *data;
};

int notify_init(struct notify *n, struct loop *loop, const char *path,
                void (*changed)(void *data), void *data, struct err *e);
/* Safe on one that is zeroed. */
void notify_fini(struct notify *n);

#endif
