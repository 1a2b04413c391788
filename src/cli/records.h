/* SPDX-License-Identifier: MIT
 *
 * records -- the store and the audit log of this user, for commands that look
 * at runs and answer questions beside a running cordon.
 */
#ifndef CORDON_CLI_RECORDS_H
#define CORDON_CLI_RECORDS_H

#include "audit/audit.h"
#include "cli/cli.h"
#include "store/store.h"

struct records {
    struct store *store;
    struct audit *audit; /* NULL where only the store was asked for */
};

int records_open(struct records *r, bool with_audit, struct err *e);
int records_close(struct records *r, struct err *e);

/* "3s", "12m", "5h", "2d" since then. */
#define RECORDS_AGE 16
char *records_age(int64_t then, char out[RECORDS_AGE]);

/* Who sits at this terminal: "cli:name". */
int records_user(struct buf *out, struct err *e);

/* The first line of a program, shortened, with nothing that moves a cursor. */
int records_line(str text, size_t max, struct buf *out, struct err *e);

#endif
