/* SPDX-License-Identifier: MIT
 *
 * What the files of tls share.
 */
#ifndef CORDON_SANDBOX_TLS_INSIDE_H
#define CORDON_SANDBOX_TLS_INSIDE_H

#include <openssl/x509.h>

#include "sandbox/tls.h"

#define TLS_MACHINE_BUNDLE "/etc/ssl/certs/ca-certificates.crt"

struct tls_ca {
    EVP_PKEY *key;
    X509 *own;
};

int tls_ca_new(struct tls_ca **out, struct err *e);
void tls_ca_free(struct tls_ca *ca);
int tls_ca_bundle(const struct tls_ca *ca, struct buf *out, struct err *e);

/* NULL where none could be made; the caller frees it. */
X509 *tls_ca_leaf(const struct tls_ca *ca, const char *host);

#endif
