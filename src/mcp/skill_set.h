/* SPDX-License-Identifier: MIT
 *
 * skill_set -- folders of skills, as a server offers them (SEP-2640).
 *
 * Each folder below a given one that holds a SKILL.md is a skill, called by its
 * name: skill://NAME/SKILL.md and the files beside it. What is listed (sizes,
 * digests, front matter) is what was read when the set was made; a file that
 * changed since is refused, not served under an old digest.
 */
#ifndef CORDON_MCP_SKILL_SET_H
#define CORDON_MCP_SKILL_SET_H

#include "base/buf.h"
#include "base/log.h"
#include "json/json.h"

struct skill_set;

/* folders: an array of paths. A skill that cannot be offered is left out, and
 * the log says why. */
struct skill_set *skill_set_new(const struct json *folders, struct log *log,
                                struct err *e);
void skill_set_free(struct skill_set *s); /* s may be NULL */

/* An array of entries: {"uri", "frontmatter", "resources": [...]}. */
const struct json *skill_set_entries(const struct skill_set *s);
const struct json *skill_set_find(const struct skill_set *s, str uri);

/* The skills' own documents as resources/list has them: an array. */
const struct json *skill_set_resources(const struct skill_set *s);

/* What lies directly in a directory of a skill, as an array of resources; NULL:
 * it is no directory of ours. */
const struct json *skill_set_directory(const struct skill_set *s, str uri,
                                       struct arena *a, struct err *e);

/* Appends a file's content; ERR_MISSING when it is no file of a skill. */
int skill_set_read(const struct skill_set *s, str uri, struct buf *out,
                   struct err *e);

const char *skill_mime(str uri); /* "text/markdown" ... */

#endif
