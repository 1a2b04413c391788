/* SPDX-License-Identifier: MIT
 *
 * tree -- filesystems and pieces of them, held by a descriptor until placed.
 *
 * Built on the mount calls that take descriptors (Linux 5.12), so that no path
 * is resolved twice and nothing is mounted where somebody could have moved it.
 * Targets are opened part by part without following symlinks: until
 * pivot_root a symlink would still lead into the host.
 */
#ifndef CORDON_SANDBOX_TREE_H
#define CORDON_SANDBOX_TREE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How a tree may be used. Never set-id files; devices only in TREE_DEVICE. */
enum tree_use { TREE_READ, TREE_WRITE, TREE_DEVICE };

/* New filesystems, detached. */
int tree_tmpfs(uint64_t bytes, uint64_t inodes, const char *mode,
               struct err *e);
int tree_proc(struct err *e); /* of this pid namespace, processes only */

/* What is at lower, changes going to memory: *changes is the directory that has
 * them in "new", as overlayfs keeps them, and belongs to the uid and gid owner.
 * dir is one that nobody else uses, for places to mount on. */
struct tree_room {
    uint64_t bytes, inodes;
    uint32_t owner;
};
int tree_overlay(int dir, int lower, const struct tree_room *room, int *changes,
                 struct err *e);

/* A filesystem with one file, TREE_NODE: the device at path, the owner's. Only
 * root can make it. */
#define TREE_NODE "node"
int tree_device(const char *path, uint32_t owner, struct err *e);

/* A detached copy of what is at path, with everything mounted below it. */
int tree_copy(const char *path, struct err *e);

/* The same with ids shifted: what belongs to path's owner belongs to the uid
 * and gid `outside`. Needs privilege over the filesystem. */
int tree_copy_shifted(const char *path, uint32_t outside, struct err *e);

/* The same for several, with a shift that the caller ends. */
struct ids_shift;
int tree_copy_by(const char *path, struct ids_shift *shift, struct err *e);

int tree_restrict(int tree, enum tree_use use, struct err *e);

/* Puts a tree at an absolute path below root; the place is made where it is
 * missing. A directory on the way that we may not search is covered by one
 * that has nothing but the way. The descriptor stays usable. */
int tree_place(int root, const char *path, int tree, struct err *e);

/* The directory below root that holds path's last part, made where missing;
 * *name points at that part. */
int tree_parent(int root, const char *path, const char **name, struct err *e);

#endif
