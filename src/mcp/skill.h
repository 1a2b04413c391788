/* SPDX-License-Identifier: MIT
 *
 * skill -- is what was read what was listed? (SEP-2640)
 *
 * A skill's entry names its files with sizes and digests, and repeats the front
 * matter of its SKILL.md. A file is used only when it is exactly what the entry
 * says; what cannot be compared is refused.
 */
#ifndef CORDON_MCP_SKILL_H
#define CORDON_MCP_SKILL_H

#include "json/json.h"

/* Content of a file of the skill: size and digest, and for the skill's own
 * document the front matter too. Not listed files are refused. */
int skill_verify(const struct json *entry, str uri, str content, struct err *e);

/* Size and digest alone. */
int skill_verify_bytes(const struct json *entry, str uri, str content,
                       struct err *e);

/* The lines between the two "---" lines; false where there are none. */
bool skill_front_text(str content, str *front);

/* The same as an object in the arena. ERR_UNSUPPORTED: more than the plain YAML
 * that is known here. */
int skill_front(str content, struct arena *a, const struct json **out,
                struct err *e);

#endif
