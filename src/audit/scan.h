/* SPDX-License-Identifier: MIT
 *
 * scan -- reading the events file line by line, checking that it fits together.
 *
 * The appender uses it to catch up with what others wrote, the verifier to go
 * through everything: one description of what a right line is.
 */
#ifndef CORDON_AUDIT_SCAN_H
#define CORDON_AUDIT_SCAN_H

#include "audit/audit.h"

#define SCAN_HEX (2 * CRYPTO_SHA256)

/* Where a chain stands: everything a next line must fit to. */
struct scan {
    struct merkle tree;  /* tree.size is the number of events */
    char last[SCAN_HEX]; /* sha256 of the newest line; zeros before the first */
    uint64_t offset;     /* bytes of the file that were read */
};

void scan_init(struct scan *s);

/* Checks one line (without its LF) and adds it. ev may be NULL; what it points
 * to lives in the arena and in line. On failure *s is unchanged. */
int scan_line(struct scan *s, str line, struct arena *arena,
              struct audit_event *ev, struct err *e);

/* Reads from s->offset to the end of the file. each (may be NULL) is called
 * with every event; *torn receives the bytes behind the last LF. */
int scan_file(struct scan *s, int fd,
              int (*each)(void *data, const struct audit_event *ev,
                          struct err *e),
              void *data, uint64_t *torn, struct err *e);

/* Writes the line for an event that follows *s, without LF. */
int scan_make_line(const struct scan *s, str at, const char *kind,
                   const struct json *data, struct buf *out, struct err *e);

/* The state as text, to be kept beside the log; reading checks the form. */
int scan_save(const struct scan *s, struct buf *out, struct err *e);
int scan_load(str text, struct scan *s, struct err *e);

#endif
