/* SPDX-License-Identifier: MIT
 *
 * pack -- a copy of a value that is kept for long, in as little memory as it
 * takes: one piece, with texts that occur several times held once.
 */
#ifndef CORDON_JSON_PACK_H
#define CORDON_JSON_PACK_H

#include "json/json.h"

/* Release it with mem_free(): the value is the beginning of its memory. */
struct json *json_pack(const struct json *v, struct err *e);

#endif
