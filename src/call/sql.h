/* SPDX-License-Identifier: MIT
 *
 * sql -- a database for reading, as a provider.
 *
 *     "databases": {"shop": {
 *         "sqlite": "shop.db",                    (or "postgres": "host=...")
 *         "rows": 1000, "bytes": 1048576, "timeout_ms": 5000,
 *         "scan_rows": 1000000, "snapshot": false,
 *         "tables": ["orders", "customers"],
 *         "mask": {"customers.email": "pseudonym"},
 *         "labels": {"customers.name": {"confidentiality": "private"}},
 *         "queries": {"open_orders": {"description": "Orders not yet sent.",
 *             "sql": "SELECT ... WHERE customer = :customer",
 *             "parameters": {"customer": {"type": "integer"}}}}}}
 *
 * Tools: query(sql, parameters), schema(table) and one for each of "queries".
 * "mask_key" makes pseudonyms the same in every process; without it they are
 * the same as long as this one runs. Above "unusual" ({"queries", "rows"} a
 * minute) results say so in _meta, and so does the log. PostgreSQL takes no
 * "mask" and no "snapshot": give the role rights on columns instead.
 */
#ifndef CORDON_CALL_SQL_H
#define CORDON_CALL_SQL_H

#include "call/host.h"

struct provider *provider_sql_new(const struct provider_host *h, str name,
                                  const struct json *config, struct err *e);

#endif
