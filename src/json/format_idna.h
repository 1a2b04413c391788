/* SPDX-License-Identifier: MIT
 *
 * format_idna -- labels of internationalised host names (IDNA2008: RFC 5890 to
 * 5893, Punycode of RFC 3492).
 */
#ifndef CORDON_JSON_FORMAT_IDNA_H
#define CORDON_JSON_FORMAT_IDNA_H

#include "base/str.h"

#define IDNA_LABEL 63 /* bytes of a label in its ASCII form */

struct idna_label {
    size_t ascii_length; /* with "xn--" where it needs that */
    bool right_to_left;  /* holds a character written so */
    bool bidi;           /* keeps the rule for names that do */
};

/* A label in UTF-8: letters, digits and hyphens, an A-label ("xn--...") or a
 * U-label. With `composed` a U-label must be in form NFC. */
bool idna_label(str label, bool composed, struct idna_label *out);

#endif
