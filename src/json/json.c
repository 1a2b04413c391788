/* SPDX-License-Identifier: MIT */
#include "json/json.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/real.h"
#include "json/keys.h"

#include <string.h>

const char *json_type_name(enum json_type t) {
    switch (t) {
    case JSON_NULL: return "null";
    case JSON_BOOL: return "boolean";
    case JSON_INT: return "integer";
    case JSON_REAL: return "number";
    case JSON_BIG: return "number";
    case JSON_STRING: return "string";
    case JSON_ARRAY: return "array";
    case JSON_OBJECT: return "object";
    }
    return "value";
}

const struct json *json_get_str(const struct json *v, str key) {
    if (!v || json_type(v) != JSON_OBJECT) return NULL;
    const struct json *found = NULL, *k = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, k = json_skip(k + 1))
        if (str_eq(json_str(k), key)) found = k + 1;
    return found;
}

const struct json *json_get(const struct json *v, const char *key) {
    return json_get_str(v, str_of(key));
}

const struct json *json_at(const struct json *v, size_t index) {
    if (!v || json_type(v) != JSON_ARRAY || index >= json_len(v)) return NULL;
    const struct json *item = json_first(v);
    while (index-- > 0)
        item = json_skip(item);
    return item;
}

/* Does the key equal a pointer's token, in which ~1 is '/' and ~0 is '~'? */
static bool token_is(str token, str key) {
    size_t j = 0;
    for (size_t i = 0; i < token.n; i++, j++) {
        char c = token.p[i];
        if (c == '~') {
            char next = i + 1 < token.n ? token.p[++i] : '\0';
            if (next != '0' && next != '1') return false;
            c = next == '0' ? '~' : '/';
        }
        if (j >= key.n || key.p[j] != c) return false;
    }
    return j == key.n;
}

static const struct json *step_object(const struct json *v, str token) {
    const struct json *found = NULL, *k = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, k = json_skip(k + 1))
        if (token_is(token, json_str(k))) found = k + 1;
    return found;
}

/* An index has no sign and no leading zero. */
static const struct json *step_array(const struct json *v, str token) {
    uint64_t index;
    struct err e;
    if (token.n == 0 || token.p[0] < '0' || token.p[0] > '9') return NULL;
    if (token.n > 1 && token.p[0] == '0') return NULL;
    if (num_parse_u64(token, &index, &e) || index > SIZE_MAX) return NULL;
    return json_at(v, (size_t)index);
}

const struct json *json_pointer(const struct json *v, str pointer) {
    if (pointer.n == 0) return v;
    if (pointer.p[0] != '/') return NULL;
    str rest = str_sub(pointer, 1, pointer.n);
    while (v && rest.p) {
        str token = str_cut(&rest, '/');
        if (json_type(v) == JSON_OBJECT)
            v = step_object(v, token);
        else
            v = json_type(v) == JSON_ARRAY ? step_array(v, token) : NULL;
    }
    return v;
}

str json_get_text(const struct json *v, const char *key, str fallback) {
    const struct json *m = json_get(v, key);
    return m && json_type(m) == JSON_STRING ? json_str(m) : fallback;
}

int64_t json_get_int(const struct json *v, const char *key, int64_t fallback) {
    const struct json *m = json_get(v, key);
    return m && json_type(m) == JSON_INT ? m->as.integer : fallback;
}

bool json_get_bool(const struct json *v, const char *key, bool fallback) {
    const struct json *m = json_get(v, key);
    return m && json_type(m) == JSON_BOOL ? m->as.boolean : fallback;
}

double json_number(const struct json *v) {
    switch (json_type(v)) {
    case JSON_INT: return (double)v->as.integer;
    case JSON_REAL: return v->as.real;
    case JSON_BIG: return real_parse(json_str(v));
    case JSON_NULL:
    case JSON_BOOL:
    case JSON_STRING:
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    return 0;
}
