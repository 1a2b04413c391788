/* SPDX-License-Identifier: MIT
 *
 * sql_postgres -- queries to PostgreSQL, in the loop.
 */
#ifndef CORDON_CALL_SQL_POSTGRES_H
#define CORDON_CALL_SQL_POSTGRES_H

#include "call/host.h"

struct provider *postgres_new(const struct provider_host *h, str name,
                              const struct json *config, struct err *e);

#endif
