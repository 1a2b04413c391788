/* SPDX-License-Identifier: MIT
 *
 * sni -- the server name a TLS client asks for, read from its first bytes.
 */
#ifndef CORDON_SANDBOX_SNI_H
#define CORDON_SANDBOX_SNI_H

#include "base/str.h"

enum sni_answer {
    SNI_MORE,    /* a prefix of a hello: read on */
    SNI_FOUND,   /* *name points into the bytes */
    SNI_NONE,    /* a hello that names no server */
    SNI_NOT_TLS, /* something else */
};

enum { SNI_MAX_BYTES = 5 + 16384 }; /* of one record; a longer hello is none */

enum sni_answer sni_read(str bytes, str *name);

#endif
