/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <simdjson.h>

/* The library's advice: one parser, its buffers used again for each document;
 * the text is copied because it must be padded. */
static simdjson::dom::parser parser;

void *contender_parse(const char *text, size_t n) {
    simdjson::dom::element doc;
    return parser.parse(text, n).get(doc) ? nullptr : &parser;
}

size_t contender_write(void *) {
    return 0;
}

void contender_free(void *) {}
