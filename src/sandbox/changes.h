/* SPDX-License-Identifier: MIT
 *
 * changes -- what a task did to an overlay, as a list; or done to the directory
 * itself, where the task had a copy.
 */
#ifndef CORDON_SANDBOX_CHANGES_H
#define CORDON_SANDBOX_CHANGES_H

#include "sandbox/cage.h"

/* Set to "y" on a directory of the upper layer that hides the one below. */
#define CHANGES_OPAQUE "user.overlay.opaque"

/* upper is the filesystem the overlay wrote to. Paths in the list are those
 * the task saw, sorted within each directory. */
int changes_list(int upper, const struct cage_bind *bind,
                 struct cage_result *out, struct err *e);

/* Files, directories and deletions, nothing else; modes without set-id bits,
 * owners as the directory's. */
int changes_apply(int upper, const struct cage_bind *bind, struct err *e);

#endif
