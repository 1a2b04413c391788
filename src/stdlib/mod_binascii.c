/* SPDX-License-Identifier: MIT
 *
 * _binascii: what base64, binascii, hashlib and zlib do to every byte.
 */
#include "base/codec.h"
#include "base/crypto.h"
#include "vm/native.h"
#include "vm/ops.h"

#define BYTE_COST 4 /* units for a byte, of the slowest of them */

static bool take(struct vm *vm, val v, str *out) {
    if (!vm_is(vm, v, KIND_BYTES))
        return vm_raise(vm, EXC_TypeError, "bytes expected"), false;
    *out = bytes_get(vm, v);
    return vm_charge(vm, out->n * BYTE_COST);
}

static val b_b64(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str data;
    struct err e;
    if (!take(vm, args[0], &data)) return VAL_UNSET;
    AUTO_BUF struct buf out = BUF_MAX(vm->heap.limit);
    if (base64_encode(data, &out, &e))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return bytes_new(vm, buf_text(&out), out.len);
}

static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
}

/* Letters of the alphabet and nothing else; bits over are left out. */
static val b_unb64(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str text;
    struct err e;
    if (!take(vm, args[0], &text)) return VAL_UNSET;
    AUTO_BUF struct buf out = BUF_MAX(text.n);
    uint32_t bits = 0;
    for (size_t i = 0; i < text.n; i++) {
        bits = bits << 6 | (uint32_t)digit_of(text.p[i]);
        unsigned have = (unsigned)(i % 4) * 6 + 6; /* of this group of four */
        if (have >= 12 &&
            buf_add_char(&out, (char)(bits >> (24 - have) / 3 & 255), &e))
            return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    }
    return bytes_new(vm, buf_text(&out), out.len);
}

static bool start_value(struct vm *vm, val v, uint32_t *out) {
    if (!val_is_int(v) || val_int(v) < 0 || val_int(v) > UINT32_MAX)
        return vm_raise(vm, EXC_TypeError, "32 bits expected"), false;
    *out = (uint32_t)val_int(v);
    return true;
}

static val b_crc32(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str data;
    uint32_t crc, row[256];
    if (!take(vm, args[0], &data) || !start_value(vm, args[1], &crc))
        return VAL_UNSET;
    for (uint32_t i = 0; i < 256; i++) {
        row[i] = i;
        for (int k = 0; k < 8; k++)
            row[i] = row[i] >> 1 ^ (row[i] & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    for (size_t i = 0; i < data.n; i++)
        crc = crc >> 8 ^ row[(crc ^ (unsigned char)data.p[i]) & 255];
    return val_of_int((int64_t)(uint32_t)~crc);
}

static val b_adler32(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str data;
    uint32_t start;
    if (!take(vm, args[0], &data) || !start_value(vm, args[1], &start))
        return VAL_UNSET;
    uint32_t a = start & 0xffff, b = start >> 16;
    for (size_t i = 0; i < data.n; i++) {
        a = (a + (unsigned char)data.p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return val_of_int((int64_t)(b << 16 | a));
}

static val b_sha256(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str data;
    uint8_t digest[CRYPTO_SHA256];
    struct err e;
    if (!take(vm, args[0], &data)) return VAL_UNSET;
    if (crypto_sha256(data, digest, &e))
        return vm_raise(vm, EXC_RuntimeError, "%s", e.text);
    return bytes_new(vm, digest, sizeof digest);
}

static const struct native functions[] = {
    {"b64", "data, /", b_b64, "Base64 of bytes.", NULL},
    {"unb64", "data, /", b_unb64, "Bytes of base64 without padding.", NULL},
    {"crc32", "data, value, /", b_crc32, "The checksum of zip files.", NULL},
    {"adler32", "data, value, /", b_adler32, "The checksum of zlib.", NULL},
    {"sha256", "data, /", b_sha256, "The SHA-256 digest.", NULL},
    {0},
};

const struct native_module module_binascii = {.name = "_binascii",
                                              .functions = functions};
