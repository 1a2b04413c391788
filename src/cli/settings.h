/* SPDX-License-Identifier: MIT
 *
 * settings -- the configuration file: which one holds, and its content.
 *
 * --config FILE; else ./cordon.json; else cordon.json in the XDG configuration
 * folder; else none. Files are not merged: one place says everything.
 */
#ifndef CORDON_CLI_SETTINGS_H
#define CORDON_CLI_SETTINGS_H

#include "cli/cli.h"
#include "json/config.h"

/* The table made from config.def. */
const struct config_key *settings_keys(void);

/* Appends the path of the file that holds; nothing when there is none. given
 * is what --config says, or NULL. */
int settings_find(const char *given, struct buf *out, struct err *e);

/* Its content, or an empty object when there is no file. What it says of logs
 * holds from here on, unless --verbose or --quiet was given. */
int settings_load(struct cli *cli, struct arena *a, const struct json **out,
                  struct err *e);

#endif
