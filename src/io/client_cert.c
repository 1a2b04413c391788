/* SPDX-License-Identifier: MIT
 *
 * The hash is over the SubjectPublicKeyInfo, as in "pin-sha256": a certificate
 * that is renewed with the same key is the same host.
 */
#include "io/client_cert.h"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/mem.h"

int client_origin(const char *url, struct buf *out, struct err *e) {
    str rest = str_of(url);
    if (!str_starts(rest, STR("https://")))
        return fail(e, ERR_INVALID, "no https URL");
    rest = str_sub(rest, 8, rest.n);
    size_t n = 0;
    while (n < rest.n && !strchr("/?#", rest.p[n]))
        n++;
    str host = str_sub(rest, 0, n);
    bool ported = host.n > 0 && host.p[host.n - 1] != ']' &&
                  str_find_char(host, ':') >= 0;
    return buf_addf(out, e, "https://%.*s%s", STR_ARG(host),
                    ported ? "" : ":443");
}

/* The server's own certificate is the first of the chain. */
static const char *first_pem(const struct curl_certinfo *chain) {
    if (chain->num_of_certs < 1) return NULL;
    for (struct curl_slist *l = chain->certinfo[0]; l; l = l->next)
        if (strncmp(l->data, "Cert:", 5) == 0) return l->data + 5;
    return NULL;
}

static char *hash_key(const unsigned char *der, size_t n) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    uint8_t hash[CRYPTO_SHA256];
    struct err e;
    if (crypto_sha256((str){(const char *)der, n}, hash, &e) ||
        hex_encode((str){(const char *)hash, sizeof hash}, &hex, &e))
        return NULL;
    return buf_take(&hex, &e);
}

char *client_cert_key(const struct curl_certinfo *chain) {
    const char *pem = first_pem(chain);
    BIO *bio = pem ? BIO_new_mem_buf(pem, -1) : NULL;
    X509 *cert = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
    unsigned char *der = NULL;
    int n = cert ? i2d_X509_PUBKEY(X509_get_X509_PUBKEY(cert), &der) : 0;
    char *hex = n > 0 ? hash_key(der, (size_t)n) : NULL;
    OPENSSL_free(der);
    X509_free(cert);
    BIO_free(bio);
    return hex;
}
