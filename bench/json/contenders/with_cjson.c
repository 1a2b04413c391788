/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

void *contender_parse(const char *text, size_t n) {
    return cJSON_ParseWithLength(text, n);
}

size_t contender_write(void *doc) {
    char *text = cJSON_PrintUnformatted(doc);
    size_t n = text ? strlen(text) : 0;
    free(text);
    return n;
}

void contender_free(void *doc) {
    cJSON_Delete(doc);
}
