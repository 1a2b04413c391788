/* SPDX-License-Identifier: MIT
 *
 * sql_config -- what the configuration says of one database.
 */
#ifndef CORDON_CALL_SQL_CONFIG_H
#define CORDON_CALL_SQL_CONFIG_H

#include "base/crypto.h"
#include "json/json.h"

#define SQL_COLUMNS 256 /* with a mask or a label */

enum sql_mask {
#define MASK(name, word, text) MASK_##name,
#include "call/sql_masks.def"
#undef MASK
};

/* Higher is worse; a result is as bad as the worst column it read. */
struct sql_label {
    bool private, secret;
    bool untrusted;
};

struct sql_column {
    str table, column; /* compared without case, as SQL does */
    bool masked;
    enum sql_mask mask;
    bool labelled;
    struct sql_label label;
};

struct sql_config {
    const struct json *json; /* whole; the rest borrows from it */
    size_t rows;             /* of one result */
    size_t bytes;            /* of one result */
    int64_t timeout_ns;      /* of one query */
    uint64_t scan_rows;      /* of a table that may be read from end to end */
    size_t rate_queries;     /* a minute, above which it is unusual */
    size_t rate_rows;
    bool snapshot;             /* a copy is queried, not the file itself */
    const struct json *tables; /* patterns of those that may be read, or NULL */
    struct sql_column columns[SQL_COLUMNS];
    size_t column_count;
    uint8_t key[CRYPTO_KEY]; /* of pseudonyms */
};

/* json must outlive it. The key is not set. */
int sql_config_read(const struct json *json, struct sql_config *out,
                    struct err *e);

bool sql_may_read(const struct sql_config *c, str table);
const struct sql_column *sql_column(const struct sql_config *c, str table,
                                    str column);

#endif
