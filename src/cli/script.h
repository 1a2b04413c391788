/* SPDX-License-Identifier: MIT
 *
 * script -- what `cordon run` and `cordon repl` share: limits from words,
 * printed text to a descriptor.
 */
#ifndef CORDON_CLI_SCRIPT_H
#define CORDON_CLI_SCRIPT_H

#include "base/buf.h"
#include "cordon.h"
#include "runs/worker.h"

/* Collects printed text and writes it when there is enough of it. */
struct printer {
    int fd;
    bool at_once; /* a person is watching: every line as it comes */
    bool failed;  /* nobody reads any more */
    struct buf text;
};

#define PRINTER(fd_) ((struct printer){.fd = (fd_), .text = BUF_MAX(1 << 17)})

/* What a worker's program printed; errors at once, behind what came before. */
void printer_take(struct printer *p, const struct worker_event *printed);
void printer_flush(struct printer *p);
void printer_fini(struct printer *p);

/* "time=60,memory=1g,steps=5000000,output=1m,depth=500,calls=20". */
int script_limits(const char *words, struct cordon_limits *out, struct err *e);

/* Milliseconds to wait for a worker. The interpreter keeps its own time; this
 * is for one that does not. */
int script_patience(const struct cordon_limits *limits);

#endif
