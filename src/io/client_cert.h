/* SPDX-License-Identifier: MIT
 *
 * client_cert -- with which key a host proved itself; for client.c alone.
 */
#ifndef CORDON_IO_CLIENT_CERT_H
#define CORDON_IO_CLIENT_CERT_H

#include <curl/curl.h>

#include "base/buf.h"

/* "https://host:port" of a URL; ERR_INVALID for any other scheme. */
int client_origin(const char *url, struct buf *out, struct err *e);

/* SHA-256 of the server's public key in hexadecimal, to be freed; NULL where
 * this request made no handshake. */
char *client_cert_key(const struct curl_certinfo *chain);

#endif
