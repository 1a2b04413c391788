/* SPDX-License-Identifier: MIT
 *
 * dirs -- where Cordon's files lie, by the XDG base directory rules.
 */
#ifndef CORDON_BASE_DIRS_H
#define CORDON_BASE_DIRS_H

#include "base/buf.h"

enum dirs_kind {
    DIRS_CONFIG,  /* what people write: ~/.config/cordon */
    DIRS_STATE,   /* what must not be lost: ~/.local/state/cordon */
    DIRS_CACHE,   /* what can be made again: ~/.cache/cordon */
    DIRS_RUNTIME, /* sockets of this login: $XDG_RUNTIME_DIR/cordon */
};

/* Appends the path of `name` in the folder, or of the folder itself when name
 * is "". Nothing is created. A relative value of an XDG variable is ignored,
 * as its rules demand; without XDG_RUNTIME_DIR the state folder serves. */
int dirs_path(enum dirs_kind kind, const char *name, struct buf *out,
              struct err *e);

#endif
