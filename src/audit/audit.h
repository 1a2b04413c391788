/* SPDX-License-Identifier: MIT
 *
 * audit -- the record of what happened: append-only, chained, signed.
 *
 * A folder holds
 *     events.jsonl   one canonical JSON object a line:
 *                    {"at":...,"data":{...},"kind":"call","prev":"<hash>",
 *                     "seq":7,"sha256":"<hash>"}
 *                    sha256 is over the line without that last member; prev is
 *                    the sha256 of the line before
 *     head           the newest signed checkpoint (note.h)
 *     checkpoints    all of them, one after another
 *     key, key.pub   the signing key (0600) and its verifier key
 *     blobs/         values kept apart so that they can be erased (blob.h)
 *
 * Several processes may append: each addition holds a lock and catches up with
 * what others wrote. Nothing is repaired in silence: a log that does not fit
 * together is refused, with what to do.
 */
#ifndef CORDON_AUDIT_AUDIT_H
#define CORDON_AUDIT_AUDIT_H

#include "audit/merkle.h"
#include "json/json.h"

#define AUDIT_EVENT_MAX (256 * 1024) /* bytes of a line */

struct audit;

/* Opens the folder, making it and a key when there is none. A log whose key is
 * lost, whose last line is torn or whose chain is broken is an error that says
 * which; audit_mend() handles a torn line. */
struct audit *audit_open(const char *dir, struct err *e);
void audit_close(struct audit *a); /* without a checkpoint */

/* Appends an event. data may be NULL. The line reaches the kernel before this
 * returns; audit_sync makes it reach the disk and signs it. */
int audit_add(struct audit *a, const char *kind, const struct json *data,
              struct err *e);
int audit_sync(struct audit *a, struct err *e);

/* What cannot be recorded is not done. Whoever could not write the event of
 * something that has happened says so with audit_lost; from then on audit_ready
 * fails until an event 'gap' could be written in its place. Ask before doing
 * what must leave an event. */
void audit_lost(struct audit *a);
int audit_ready(struct audit *a, struct err *e);

uint64_t audit_size(const struct audit *a);

/* After a power cut the last line may be incomplete. Moves it to a file of its
 * own beside the log and records that as an event. */
int audit_mend(const char *dir, struct err *e);

/* -- reading ----------------------------------------------------------------
 */

struct audit_event {
    uint64_t seq;
    str at, kind;
    const struct json *data;
    str line; /* the whole line */
};

/* Calls fn for each event from seq `from` on, checking nothing but the form;
 * a non-zero return stops. */
int audit_each(const char *dir, uint64_t from,
               int (*fn)(void *data, const struct audit_event *ev,
                         struct err *e),
               void *data, struct err *e);

struct audit_report {
    uint64_t events;    /* lines that fit together */
    uint64_t signed_by; /* events covered by the newest checkpoint */
    uint64_t checkpoints;
    uint64_t blobs, erased; /* commitments with and without their value */
    uint64_t bad_seq;  /* first event that is wrong (from 1), when it failed */
    uint64_t bad_line; /* its line in the file */
};

/* Verifies everything offline. public_key may be NULL: then key.pub of the
 * folder is used, which proves consistency but not who signed. On failure the
 * error says what is wrong and the report says where. */
int audit_verify(const char *dir, const uint8_t *public_key,
                 struct audit_report *report, struct err *e);

#endif
