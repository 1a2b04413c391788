/* SPDX-License-Identifier: MIT
 *
 * pin_news -- what becomes of a definition that changed or is new: an event in
 * the audit log, and a warning with the difference.
 */
#ifndef CORDON_CLI_PIN_NEWS_H
#define CORDON_CLI_PIN_NEWS_H

#include "policy/pin_keeper.h"

/* For struct pin_keeper_config; data is a struct authority. */
void pin_news_tell(void *data, const struct pin_news *news);
void pin_news_failed(void *data, str server, const struct err *why);

#endif
