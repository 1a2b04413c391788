/* SPDX-License-Identifier: MIT
 *
 * names -- what a tool is called, for whoever calls it.
 *
 * A tool is known by its server and its own name. Model vendors want one name
 * of at most 64 letters, digits, '_' and '-'; Python wants a namespace and an
 * identifier. Both are made here, the same way every time, so that a name
 * means the same tool tomorrow: what fits is kept ("mail__send"), what does
 * not is replaced and gets a tag derived from the original, so two tools never
 * share a name.
 */
#ifndef CORDON_TOOLS_NAMES_H
#define CORDON_TOOLS_NAMES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#define NAME_MAX_VENDOR 64
#define NAME_TAG        15 /* "_" and 14 hexadecimal digits */

/* server + "__" + tool within the vendors' rule. server may be empty. */
int name_flat(str server, str tool, struct arena *a, str *out, struct err *e);

/* An identifier that is no keyword: "create-issue" -> "create_issue". It is at
 * most NAME_MAX_VENDOR bytes long; different names may give the same one. */
int name_python(str name, struct arena *a, str *out, struct err *e);

/* As name_python, for a server: and no name that programs need themselves
 * ("time" -> "time_"). Empty stays empty. */
int name_space(str server, struct arena *a, str *out, struct err *e);

/* name_python's answer made distinct by a tag of what it stands for. */
int name_distinct(str python, str name, struct arena *a, str *out,
                  struct err *e);

#endif
