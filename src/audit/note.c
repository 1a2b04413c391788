/* SPDX-License-Identifier: MIT */
#include "audit/note.h"

#include <inttypes.h>
#include <string.h>

#include "base/codec.h"
#include "base/num.h"

enum { KEY_ID = 4, ED25519 = 1 };

/* The first bytes of SHA-256(name, LF, algorithm, key). */
static int key_id(const uint8_t public_key[CRYPTO_KEY], uint8_t out[KEY_ID],
                  struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(128);
    uint8_t digest[CRYPTO_SHA256];
    if (buf_add_text(&b, NOTE_NAME "\n", e) || buf_add_char(&b, ED25519, e) ||
        buf_add(&b, public_key, CRYPTO_KEY, e) ||
        crypto_sha256(buf_str(&b), digest, e))
        return -1;
    memcpy(out, digest, KEY_ID);
    return 0;
}

static int write_text(const struct note *n, struct buf *out, struct err *e) {
    str root = {(const char *)n->root, sizeof n->root};
    return buf_addf(out, e, NOTE_NAME "\n%" PRIu64 "\n", n->size) ||
           base64_encode(root, out, e) || buf_add_char(out, '\n', e);
}

int note_write(const struct note *n, const uint8_t secret[CRYPTO_KEY],
               struct buf *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(NOTE_MAX);
    uint8_t public_key[CRYPTO_KEY], signature[KEY_ID + CRYPTO_SIGN];
    if (write_text(n, &text, e) || crypto_sign_public(secret, public_key, e) ||
        key_id(public_key, signature, e) ||
        crypto_sign(secret, buf_str(&text), signature + KEY_ID, e))
        return -1;
    str sig = {(const char *)signature, sizeof signature};
    if (buf_add_text(&text, "\n\xe2\x80\x94 " NOTE_NAME " ", e) ||
        base64_encode(sig, &text, e) || buf_add_text(&text, "\n\n", e))
        return -1;
    return buf_add_str(out, buf_str(&text), e);
}

/* -- reading ----------------------------------------------------------------
 */

static int decode_exact(str text, void *out, size_t n, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(256);
    if (base64_decode(text, &b, e)) return -1;
    if (b.len != n) return fail(e, ERR_INVALID, "%zu bytes, not %zu", b.len, n);
    memcpy(out, b.data, n);
    return 0;
}

static int read_fields(str body, struct note *n, struct err *e) {
    str name = str_cut(&body, '\n'), size = str_cut(&body, '\n');
    str root = str_cut(&body, '\n');
    if (!str_is(name, NOTE_NAME))
        return fail(e, ERR_INVALID, "checkpoint of another log: '%.*s'",
                    STR_ARG(str_sub(name, 0, 60)));
    if (num_parse_u64(size, &n->size, e) ||
        decode_exact(root, n->root, sizeof n->root, e))
        return fail_while(e, "checkpoint");
    return 0;
}

static int check_signature(str body, str line,
                           const uint8_t public_key[CRYPTO_KEY],
                           struct err *e) {
    uint8_t signature[KEY_ID + CRYPTO_SIGN], id[KEY_ID];
    static const char start[] = "\xe2\x80\x94 " NOTE_NAME " ";
    if (!str_starts(line, (str){start, sizeof start - 1}))
        return fail(e, ERR_INVALID, "checkpoint without our signature line");
    str text = str_sub(line, sizeof start - 1, line.n);
    if (decode_exact(text, signature, sizeof signature, e))
        return fail_while(e, "checkpoint signature");
    if (key_id(public_key, id, e)) return -1;
    if (memcmp(id, signature, KEY_ID) != 0)
        return fail(e, ERR_INVALID, "checkpoint signed by another key");
    if (!crypto_verify(public_key, body, signature + KEY_ID))
        return fail(e, ERR_INVALID, "checkpoint signature does not verify");
    return 0;
}

int note_read(str *text, const uint8_t public_key[CRYPTO_KEY], struct note *n,
              struct err *e) {
    ptrdiff_t blank = str_find(*text, STR("\n\n"));
    if (blank < 0) return fail(e, ERR_INVALID, "checkpoint is cut short");
    str body = str_sub(*text, 0, (size_t)blank + 1);
    str rest = str_sub(*text, (size_t)blank + 2, text->n);
    str line = str_cut(&rest, '\n');
    struct note read = {0};
    if (read_fields(body, &read, e) ||
        check_signature(body, line, public_key, e))
        return -1;
    if (rest.n && rest.p[0] == '\n') rest = str_sub(rest, 1, rest.n);
    *text = rest;
    *n = read;
    return 0;
}

/* -- the verifier key -------------------------------------------------------
 */

int note_key_write(const uint8_t public_key[CRYPTO_KEY], struct buf *out,
                   struct err *e) {
    uint8_t id[KEY_ID], key[1 + CRYPTO_KEY] = {ED25519};
    memcpy(key + 1, public_key, CRYPTO_KEY);
    if (key_id(public_key, id, e) || buf_add_text(out, NOTE_NAME "+", e) ||
        hex_encode((str){(const char *)id, KEY_ID}, out, e) ||
        buf_add_char(out, '+', e) ||
        base64_encode((str){(const char *)key, sizeof key}, out, e))
        return -1;
    return 0;
}

int note_key_read(str text, uint8_t public_key[CRYPTO_KEY], struct err *e) {
    uint8_t key[1 + CRYPTO_KEY];
    text = str_trim(text);
    str name = str_cut(&text, '+');
    (void)str_cut(&text, '+'); /* the id follows from the key */
    if (!str_is(name, NOTE_NAME) || !text.p ||
        decode_exact(text, key, sizeof key, e) || key[0] != ED25519)
        return fail(e, ERR_INVALID, "not a verifier key of an audit log");
    memcpy(public_key, key + 1, CRYPTO_KEY);
    return 0;
}
