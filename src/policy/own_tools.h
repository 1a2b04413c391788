/* SPDX-License-Identifier: MIT
 *
 * own_tools -- the tools that stand for what a run asks for (call/needs.h), so
 * that rule files which name them can be checked.
 */
#ifndef CORDON_POLICY_OWN_TOOLS_H
#define CORDON_POLICY_OWN_TOOLS_H

#define OWN_TOOLS_SERVER "sandbox"

/* Their definitions, a JSON list. */
extern const char own_tools[];

#endif
