/* SPDX-License-Identifier: MIT
 *
 * An authority, and the certificates it gives.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "sandbox/tls_inside.h"

enum { DAY_S = 86400, LIFE_DAYS = 7, BUNDLE_BYTES = 4 << 20 };

static int set_serial(X509 *x) {
    unsigned char bytes[16];
    BIGNUM *n = RAND_bytes(bytes, sizeof bytes) == 1
                    ? BN_bin2bn(bytes, sizeof bytes, NULL)
                    : NULL;
    bool done = n && BN_to_ASN1_INTEGER(n, X509_get_serialNumber(x));
    BN_free(n);
    return done ? 0 : -1;
}

static int add_extension(X509 *x, X509 *issuer, int nid, const char *value) {
    X509V3_CTX ctx;
    X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
    X509_EXTENSION *ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    bool done = ext && X509_add_ext(x, ext, -1);
    X509_EXTENSION_free(ext);
    return done ? 0 : -1;
}

/* Valid since a little while: clocks differ. */
static X509 *new_certificate(EVP_PKEY *key, const char *name) {
    X509 *x = X509_new();
    X509_NAME *subject = x ? X509_get_subject_name(x) : NULL;
    if (subject && X509_set_version(x, 2) && !set_serial(x) &&
        X509_gmtime_adj(X509_getm_notBefore(x), -DAY_S) &&
        X509_gmtime_adj(X509_getm_notAfter(x), LIFE_DAYS * DAY_S) &&
        X509_set_pubkey(x, key) &&
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                   (const unsigned char *)name, -1, -1, 0))
        return x;
    X509_free(x);
    return NULL;
}

static int make_authority(struct tls_ca *ca) {
    ca->key = EVP_EC_gen("P-256");
    if (!ca->key) return -1;
    ca->own = new_certificate(ca->key, "Cordon sandbox");
    if (!ca->own ||
        !X509_set_issuer_name(ca->own, X509_get_subject_name(ca->own)))
        return -1;
    return add_extension(ca->own, ca->own, NID_basic_constraints,
                         "critical,CA:TRUE,pathlen:0") ||
                   add_extension(ca->own, ca->own, NID_key_usage,
                                 "critical,keyCertSign") ||
                   add_extension(ca->own, ca->own, NID_subject_key_identifier,
                                 "hash") ||
                   !X509_sign(ca->own, ca->key, EVP_sha256())
               ? -1
               : 0;
}

int tls_ca_new(struct tls_ca **out, struct err *e) {
    struct tls_ca *ca = mem_zalloc(1, sizeof *ca, e);
    if (!ca) return -1;
    if (!make_authority(ca)) {
        *out = ca;
        return 0;
    }
    tls_ca_free(ca);
    return fail(e, ERR_SYSTEM, "no certificate authority could be made");
}

void tls_ca_free(struct tls_ca *ca) {
    if (!ca) return;
    X509_free(ca->own);
    EVP_PKEY_free(ca->key);
    mem_free(ca);
}

int tls_ca_bundle(const struct tls_ca *ca, struct buf *out, struct err *e) {
    struct err ignored;
    AUTO_BUF struct buf machine = BUF_MAX(BUNDLE_BYTES);
    char *text = NULL;
    BIO *bio = BIO_new(BIO_s_mem());
    long n = bio && PEM_write_bio_X509(bio, ca->own)
                 ? BIO_get_mem_data(bio, &text)
                 : 0;
    int rc = n > 0 ? buf_add(out, text, (size_t)n, e)
                   : fail(e, ERR_SYSTEM, "certificate");
    BIO_free(bio);
    /* A machine without authorities has none to trust. */
    if (!rc && !file_read(TLS_MACHINE_BUNDLE, &machine, &ignored))
        rc = buf_add_str(out, buf_str(&machine), e);
    return rc;
}

/* For the host alone; its key is the authority's. */
X509 *tls_ca_leaf(const struct tls_ca *ca, const char *host) {
    char names[300];
    X509 *x = new_certificate(ca->key, host);
    bool address = strspn(host, "0123456789.") == strlen(host) ||
                   strchr(host, ':') != NULL;
    int n =
        snprintf(names, sizeof names, "%s:%s", address ? "IP" : "DNS", host);
    if (x && n > 0 && (size_t)n < sizeof names &&
        X509_set_issuer_name(x, X509_get_subject_name(ca->own)) &&
        !add_extension(x, ca->own, NID_subject_alt_name, names) &&
        !add_extension(x, ca->own, NID_ext_key_usage, "serverAuth") &&
        !add_extension(x, ca->own, NID_authority_key_identifier, "keyid") &&
        X509_sign(x, ca->key, EVP_sha256()))
        return x;
    X509_free(x);
    return NULL;
}
