/* SPDX-License-Identifier: MIT
 *
 * poison_scan -- what the parts of the scan share.
 */
#ifndef CORDON_POLICY_POISON_SCAN_H
#define CORDON_POLICY_POISON_SCAN_H

#include "base/map.h"
#include "policy/poison.h"

#define POISON_FINDINGS 10000

struct poison_scan {
    const struct tool *tools;
    size_t tool_count;
    struct arena *arena;
    struct poison_finding *findings;
    size_t count, errors;
    bool more;
    struct map names; /* lower-case name -> tool; the first of each */
    struct err *e;
};

int poison_add(struct poison_scan *s, enum poison_class c, const struct tool *t,
               const struct tool *other, str place, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* The same tool is told of one kind of thing once. */
bool poison_told(const struct poison_scan *s, enum poison_class c,
                 const struct tool *t);

/* Tools beside each other. */
int poison_among(struct poison_scan *s);

/* Words of a text that are names of other servers' tools. */
int poison_references(struct poison_scan *s, const struct tool *t, str text,
                      str place);

/* Does the text tell someone to do something? */
bool poison_commands(str text);

#endif
