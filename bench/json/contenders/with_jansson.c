/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void *contender_parse(const char *text, size_t n) {
    return json_loadb(text, n, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
}

size_t contender_write(void *doc) {
    char *text = json_dumps(doc, JSON_COMPACT | JSON_ENCODE_ANY);
    size_t n = text ? strlen(text) : 0;
    free(text);
    return n;
}

void contender_free(void *doc) {
    json_decref(doc);
}
