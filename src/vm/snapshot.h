/* SPDX-License-Identifier: MIT
 *
 * snapshot -- the layout of a saved session: see snapshot.c and seal.c.
 */
#ifndef CORDON_VM_SNAPSHOT_H
#define CORDON_VM_SNAPSHOT_H

#include "base/gmac.h"

#define MAC_BYTES    GMAC_TAG
#define SALT_BYTES   16
#define SNAPSHOT_MAX ((size_t)4 << 30)

struct snapshot_head {
    char magic[8]; /* "cordsnap" */
    uint8_t salt[SALT_BYTES];
    uint64_t build; /* hash of the template and its tables */
    uint64_t bytes; /* of everything behind the head, MAC included */
    uint64_t memory;
    uint64_t top;
    uint64_t peak; /* only told, as what the run used */
    uint64_t fuel_spent, output_spent;
    int64_t time_spent_ns;
    uint64_t output; /* bytes of printed text */
    uint64_t labels; /* bytes of the table of labels, 0: there are none */
    uint16_t strict, literal, error_label, output_label, traceback_label,
        result_label;
    uint32_t calls_spent, next_cache, type_version;
    uint32_t status, exit_status, answering;
    uint32_t vm_status;
};

#endif
