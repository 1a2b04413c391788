/* SPDX-License-Identifier: MIT
 *
 * seal -- snapshots carry a MAC: AES-256-GMAC under a key derived for this
 * snapshot alone. Apart from saving and loading, so that a program that never
 * parks a session does without the code, and a worker without the key.
 */
#include <string.h>

#include "base/gmac.h"
#include "base/hash.h"
#include "base/mem.h"
#include "vm/session.h"
#include "vm/snapshot.h"

/* -- authentication
 * --------------------------------------------------------------- */

static int mac_of(const uint8_t key[32], const uint8_t salt[SALT_BYTES],
                  str bytes, uint8_t out[MAC_BYTES], struct err *e) {
    uint8_t own[32];
    char purpose[17 + SALT_BYTES] = "cordon snapshot ";
    memcpy(purpose + 17, salt, SALT_BYTES);
    if (crypto_derive(key, (str){purpose, sizeof purpose}, own, e)) return -1;
    int result = gmac(own, bytes, out, e);
    mem_wipe(own, sizeof own);
    return result;
}

/* -- sealing and opening
 * ------------------------------------------------------------- */

int session_seal(struct buf *bytes, const uint8_t key[32], struct err *e) {
    uint8_t mac[MAC_BYTES];
    struct snapshot_head head;
    if (bytes->len < sizeof head)
        return fail(e, ERR_INVALID, "the snapshot is too short");
    memcpy(&head, bytes->data, sizeof head);
    if (hash_random(head.salt, sizeof head.salt, e)) return -1;
    head.bytes = bytes->len - sizeof head + MAC_BYTES;
    memcpy(bytes->data, &head, sizeof head);
    if (mac_of(key, head.salt, buf_str(bytes), mac, e)) return -1;
    return buf_add(bytes, mac, sizeof mac, e);
}

/* The bytes are authentic: only accidents of this program are checked below. */
int session_open(str bytes, const uint8_t key[32], struct err *e) {
    uint8_t mac[MAC_BYTES];
    struct snapshot_head head;
    if (bytes.n < sizeof head + MAC_BYTES)
        return fail(e, ERR_INVALID, "the snapshot is too short");
    memcpy(&head, bytes.p, sizeof head);
    if (memcmp(head.magic, "cordsnap", 8) != 0)
        return fail(e, ERR_INVALID, "these bytes are not a snapshot");
    if (head.bytes != bytes.n - sizeof head)
        return fail(e, ERR_INVALID, "the snapshot is not whole");
    if (mac_of(key, head.salt, (str){bytes.p, bytes.n - MAC_BYTES}, mac, e))
        return -1;
    if (!crypto_equal(mac, bytes.p + bytes.n - MAC_BYTES, MAC_BYTES))
        return fail(e, ERR_DENIED,
                    "the snapshot was altered or the key is another");
    return 0;
}

/* -- cordon.h
 * ------------------------------------------------------------------------- */

void *cordon_snapshot(cordon_session *s, const uint8_t key[32], size_t *len) {
    AUTO_BUF struct buf out = BUF_MAX(SNAPSHOT_MAX);
    if (session_save(s, &out, &s->err) || session_seal(&out, key, &s->err))
        return NULL;
    *len = out.len;
    return buf_take(&out, &s->err);
}

cordon_session *cordon_restore(const cordon_options *o, const void *bytes,
                               size_t len, const uint8_t key[32],
                               const char **why) {
    static const char *const words[] = {
        [ERR_INVALID] = "the bytes are not a whole snapshot",
        [ERR_LIMIT] = "the memory limit is below the snapshot's",
        [ERR_DENIED] = "the snapshot was altered or the key is another",
        [ERR_UNSUPPORTED] = "the snapshot is of another build",
        [ERR_INTERNAL] = NULL,
    };
    struct err e;
    cordon_session *s = cordon_session_new(o, why);
    if (!s) return NULL;
    str all = {bytes, len};
    if (session_open(all, key, &e) == 0 && session_load(s, all, &e) == 0)
        return s;
    cordon_session_free(s);
    if (why) *why = words[e.kind] ? words[e.kind] : "out of memory";
    return NULL;
}
