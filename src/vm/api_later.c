/* SPDX-License-Identifier: MIT
 *
 * api_later -- declared in cordon.h and not there yet: each fails and says so.
 */
#include "vm/session.h"

#define LATER(s, what) \
    err_set(&(s)->err, ERR_UNSUPPORTED, what " are not available yet")

enum cordon_status cordon_resume_pending(cordon_session *s) {
    LATER(s, "pending values");
    return CORDON_FAILED;
}

int cordon_resolve_json(cordon_session *s, uint64_t id, const char *json,
                        size_t len) {
    (void)id, (void)json, (void)len;
    LATER(s, "pending values");
    return -1;
}

int cordon_resolve_error(cordon_session *s, uint64_t id, const char *type,
                         const char *message) {
    (void)id, (void)type, (void)message;
    LATER(s, "pending values");
    return -1;
}

size_t cordon_waiting(const cordon_session *s, uint64_t *ids, size_t max) {
    (void)s, (void)ids, (void)max;
    return 0;
}

enum cordon_status cordon_continue(cordon_session *s) {
    LATER(s, "pending values");
    return CORDON_FAILED;
}

int cordon_resolve_labelled(cordon_session *s, uint64_t id, const char *json,
                            size_t len, cordon_label_fn *fn, void *user) {
    (void)id, (void)json, (void)len, (void)fn, (void)user;
    LATER(s, "labels");
    return -1;
}

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
