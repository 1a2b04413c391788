/* SPDX-License-Identifier: MIT
 *
 * functions -- the list of tools of a function-calling program, as a provider.
 *
 *     "functions": {"shop": {
 *         "functions": "tools.json",
 *         "url": "https://shop.example/tools/{name}",
 *         "auth": {"bearer": "${env:SHOP_TOKEN}"}}}
 *
 * "functions" is a path to JSON, or the list itself: what such a program sends
 * as "tools" to OpenAI, Anthropic, Gemini or Bedrock, or an object that has it
 * as "tools". With "url" a call is a POST of its arguments to that address,
 * with {name} replaced by the tool's; auth, headers and idempotency are those
 * of http.h. With "argv" it is a program that reads the arguments as JSON from
 * its standard input, as in command.h, {name} replaced likewise; "bind" has
 * other programs by tool: {"restart": {"argv": ["restart", "{unit}"]}}.
 */
#ifndef CORDON_CALL_FUNCTIONS_H
#define CORDON_CALL_FUNCTIONS_H

#include "call/host.h"

struct provider *provider_functions_new(const struct provider_host *h, str name,
                                        const struct json *config,
                                        struct err *e);

#endif
