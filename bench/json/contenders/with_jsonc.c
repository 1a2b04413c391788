/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <json-c/json.h>
#include <string.h>

void *contender_parse(const char *text, size_t n) {
    struct json_tokener *tokener = json_tokener_new_ex(128);
    struct json_object *doc = json_tokener_parse_ex(tokener, text, (int)n);
    json_tokener_free(tokener);
    return doc;
}

/* The text stays with the document, which is how the library does it. */
size_t contender_write(void *doc) {
    size_t n;
    json_object_to_json_string_length(doc, JSON_C_TO_STRING_PLAIN, &n);
    return n;
}

void contender_free(void *doc) {
    json_object_put(doc);
}
