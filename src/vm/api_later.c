/* SPDX-License-Identifier: MIT
 *
 * api_later -- declared in cordon.h and not there yet: each fails and says so.
 */
#include "vm/session.h"

#define LATER(s, what) \
    err_set(&(s)->err, ERR_UNSUPPORTED, what " are not available yet")

int cordon_options_replay(cordon_options *o, const void *journal, size_t len) {
    (void)o, (void)journal, (void)len;
    return -1;
}

void cordon_options_record(cordon_options *o, int on) {
    o->record = on != 0;
}

const void *cordon_journal(const cordon_session *s, size_t *len) {
    (void)s;
    *len = 0;
    return NULL;
}

int cordon_replaying(const cordon_session *s) {
    (void)s;
    return 0;
}
