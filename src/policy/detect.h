/* SPDX-License-Identifier: MIT
 *
 * detect -- addresses, account numbers, keys, links and hidden orders in text.
 *
 * Linear in the text, no patterns from outside. A find is a fact about its
 * form (check digits are computed), never a proof of meaning.
 */
#ifndef CORDON_POLICY_DETECT_H
#define CORDON_POLICY_DETECT_H

#include "base/str.h"

enum detect_kind {
#define DETECT(id, word, placeholder, meaning) DETECT_##id,
#include "policy/detect.def"
#undef DETECT
    DETECT_COUNT,
};

#define DETECT_BIT(kind) (1U << (kind))
#define DETECT_PII                                         \
    (DETECT_BIT(DETECT_EMAIL) | DETECT_BIT(DETECT_PHONE) | \
     DETECT_BIT(DETECT_IBAN) | DETECT_BIT(DETECT_CARD) |   \
     DETECT_BIT(DETECT_IP))
#define DETECT_SECRETS \
    (DETECT_BIT(DETECT_JWT) | DETECT_BIT(DETECT_KEY) | DETECT_BIT(DETECT_PEM))

struct detect_hit {
    enum detect_kind kind;
    size_t from, to; /* bytes */
};

/* A word of detect.def, "pii" or "secret": which kinds; 0: no such word. */
unsigned detect_word(str word);
const char *detect_placeholder(enum detect_kind kind);
const char *detect_meaning(enum detect_kind kind);

/* The first of the kinds at or behind `from`; of two at one place the longer.
 */
bool detect_next(str text, size_t from, unsigned kinds, struct detect_hit *hit);
bool detect_any(str text, unsigned kinds);

/* A character a person does not see but a model reads, or that changes how
 * the others are shown. */
bool detect_invisible(uint32_t cp);

#endif
