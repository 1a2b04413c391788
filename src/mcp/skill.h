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

#endif
