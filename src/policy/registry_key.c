/* SPDX-License-Identifier: MIT */
#include "policy/registry_key.h"

#include "base/buf.h"
#include "base/codec.h"
#include "base/ecdsa.h"
#include "base/map.h"
#include "base/mem.h"

#define KEYS_MAX       1000
#define KEY_BYTES      512
#define SIGNATURE_MAX  512
#define MESSAGE_BYTES  4096
#define SIGNATURES_MAX 16 /* of one version */

struct registry_keys {
    struct map keys; /* id -> str, the DER */
    struct arena arena;
};

/* Looking at a key sets the whole of libcrypto up, which a process that never
 * sees a signature does without: only those of others are looked at here. */
static int add_key(struct registry_keys *k, str id, str base64, bool trusted,
                   struct err *e) {
    AUTO_BUF struct buf der = BUF_MAX(KEY_BYTES);
    str *kept = arena_alloc(&k->arena, sizeof *kept, e);
    str name;
    if (!kept) return -1;
    if (base64_decode(base64, &der, e) ||
        !(trusted || ecdsa_is_key(buf_str(&der))))
        return fail(e, ERR_INVALID, "key %.*s: no public key of P-256",
                    STR_ARG(str_sub(id, 0, 80)));
    if (map_get(&k->keys, id))
        return fail(e, ERR_EXISTS, "key %.*s: there are two",
                    STR_ARG(str_sub(id, 0, 80)));
    if (arena_dup(&k->arena, buf_str(&der), kept, e) ||
        arena_dup(&k->arena, id, &name, e))
        return -1;
    return map_put(&k->keys, name, kept, NULL, e);
}

static int add_known(struct registry_keys *k, struct err *e) {
    static const char *const known[][2] = {
#define KEY(id, key) {id, key},
#include "policy/registry_keys.def"
#undef KEY
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (add_key(k, str_of(known[i][0]), str_of(known[i][1]), true, e))
            return -1;
    return 0;
}

struct registry_keys *registry_keys_new(struct err *e) {
    struct registry_keys *k = mem_zalloc(1, sizeof *k, e);
    if (!k) return NULL;
    k->keys = MAP_MAX(KEYS_MAX);
    k->arena = ARENA_MAX((size_t)4 << 20);
    if (add_known(k, e) == 0) return k;
    registry_keys_free(k);
    return NULL;
}

void registry_keys_free(struct registry_keys *k) {
    if (!k) return;
    map_fini(&k->keys);
    arena_fini(&k->arena);
    mem_free(k);
}

int registry_keys_add(struct registry_keys *k, str text, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)4 << 20);
    const struct json *doc;
    if (json_parse(text, NULL, &a, &doc, e)) return -1;
    const struct json *keys = json_get(doc, "keys");
    if (!keys || json_type(keys) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "keys: a list is wanted");
    const struct json *at = json_first(keys);
    for (size_t i = json_len(keys); i > 0; i--, at = json_skip(at)) {
        str id = json_get_text(at, "keyid", STR(""));
        str type = json_get_text(at, "keytype", STR("ecdsa-sha2-nistp256"));
        if (id.n == 0) return fail(e, ERR_INVALID, "a key without a keyid");
        if (!str_is(type, "ecdsa-sha2-nistp256"))
            return fail(
                e, ERR_UNSUPPORTED, "key %.*s: keytype %.*s is not known",
                STR_ARG(str_sub(id, 0, 80)), STR_ARG(str_sub(type, 0, 80)));
        if (add_key(k, id, json_get_text(at, "key", STR("")), false, e))
            return -1;
    }
    return 0;
}

static bool fits(str key, str message, str base64) {
    AUTO_BUF struct buf signature = BUF_MAX(SIGNATURE_MAX);
    struct err e;
    return base64_decode(base64, &signature, &e) == 0 &&
           ecdsa_verify(key, message, buf_str(&signature));
}

/* One signature that does not fit is worse than none: any of them decides. */
enum signed_state registry_verify(const struct registry_keys *k, str name,
                                  str version, str integrity,
                                  const struct json *signatures, str *keyid) {
    AUTO_BUF struct buf message = BUF_MAX(MESSAGE_BYTES);
    enum signed_state state = SIGNED_NOT;
    struct err e;
    *keyid = STR("");
    if (!signatures || json_type(signatures) != JSON_ARRAY || !integrity.n)
        return SIGNED_NOT;
    if (json_len(signatures) > SIGNATURES_MAX ||
        buf_addf(&message, &e, "%.*s@%.*s:%.*s", STR_ARG(name),
                 STR_ARG(version), STR_ARG(integrity)))
        return SIGNED_WRONG;
    const struct json *at = json_first(signatures);
    for (size_t i = json_len(signatures); i > 0; i--, at = json_skip(at)) {
        str id = json_get_text(at, "keyid", STR(""));
        const str *key = map_get(&k->keys, id);
        bool good = key && fits(*key, buf_str(&message),
                                json_get_text(at, "sig", STR("")));
        if (key || state == SIGNED_NOT) *keyid = id;
        if (key && !good) return SIGNED_WRONG;
        if (good)
            state = SIGNED_WELL;
        else if (state == SIGNED_NOT)
            state = SIGNED_BY_UNKNOWN;
    }
    return state;
}
