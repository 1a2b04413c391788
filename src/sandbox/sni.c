/* SPDX-License-Identifier: MIT
 *
 * A ClientHello (RFC 8446, section 4.1.2), as far as its server name.
 */
#include "sandbox/sni.h"

enum { RECORD_HANDSHAKE = 22, CLIENT_HELLO = 1, EXTENSION_SNI = 0 };

/* Takes n bytes off the front; *out is unset when there are fewer. */
static bool take(str *s, size_t n, str *out) {
    if (s->n < n) return false;
    *out = str_sub(*s, 0, n);
    *s = str_sub(*s, n, s->n);
    return true;
}

/* A number of `size` bytes, high byte first. */
static bool take_number(str *s, size_t size, size_t *out) {
    str bytes;
    if (!take(s, size, &bytes)) return false;
    *out = 0;
    for (size_t i = 0; i < size; i++)
        *out = *out << 8 | (unsigned char)bytes.p[i];
    return true;
}

/* A piece that is preceded by its length. */
static bool take_sized(str *s, size_t size, str *out) {
    size_t n;
    return take_number(s, size, &n) && take(s, n, out);
}

/* The list has room for other kinds of name; none was ever defined. */
static enum sni_answer read_names(str list, str *name) {
    str names, value;
    size_t kind;
    if (!take_sized(&list, 2, &names) || !take_number(&names, 1, &kind) ||
        kind != 0 || !take_sized(&names, 2, &value) || names.n || !value.n)
        return SNI_NOT_TLS;
    *name = value;
    return SNI_FOUND;
}

static enum sni_answer read_extensions(str all, str *name) {
    while (all.n) {
        size_t kind;
        str body;
        if (!take_number(&all, 2, &kind) || !take_sized(&all, 2, &body))
            return SNI_NOT_TLS;
        if (kind == EXTENSION_SNI) return read_names(body, name);
    }
    return SNI_NONE;
}

static enum sni_answer read_hello(str hello, str *name) {
    str skip, extensions;
    if (!take(&hello, 2 + 32, &skip) ||  /* version, random */
        !take_sized(&hello, 1, &skip) || /* session */
        !take_sized(&hello, 2, &skip) || /* ciphers */
        !take_sized(&hello, 1, &skip))   /* compression */
        return SNI_NOT_TLS;
    if (hello.n == 0) return SNI_NONE;
    if (!take_sized(&hello, 2, &extensions)) return SNI_NOT_TLS;
    return read_extensions(extensions, name);
}

enum sni_answer sni_read(str bytes, str *name) {
    if (bytes.n && bytes.p[0] != RECORD_HANDSHAKE) return SNI_NOT_TLS;
    if (bytes.n < 6) return SNI_MORE;
    str head, record, hello;
    size_t kind, length;
    str rest = bytes;
    (void)take(&rest, 3, &head); /* type and version */
    if (!take_number(&rest, 2, &length) || length > 16384 || length < 4)
        return SNI_NOT_TLS;
    if (rest.p[0] != CLIENT_HELLO) return SNI_NOT_TLS;
    if (!take(&rest, length, &record)) return SNI_MORE;
    /* A hello cut into several records would hide its name from us and not
     * from the server. */
    if (!take_number(&record, 1, &kind) || !take_sized(&record, 3, &hello) ||
        record.n)
        return SNI_NOT_TLS;
    return read_hello(hello, name);
}
