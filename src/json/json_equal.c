/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "json/decimal.h"
#include "json/json.h"
#include "json/keys.h"

#include <stdio.h>
#include <string.h>

/* The exact digits of a double that is out of range for int64_t, hence whole.
 */
#define WHOLE_TEXT_SIZE 320

static str exact_text(const struct json *v, char out[WHOLE_TEXT_SIZE]) {
    if (json_type(v) != JSON_REAL) return json_str(v);
    int n = snprintf(out, WHOLE_TEXT_SIZE, "%.0f", v->as.real);
    return (str){out, (size_t)n};
}

static bool equal_text(str a, str b) {
    struct decimal x, y;
    if (!decimal_of(a, &x) || !decimal_of(b, &y)) return str_eq(a, b);
    return decimal_equal(&x, &y);
}

static bool is_int64(double d) {
    return d >= -0x1p63 && d < 0x1p63 && (double)(int64_t)d == d;
}

/* A JSON_BIG never equals a JSON_INT, nor a real that an int64_t could hold:
 * it is out of their range. */
static bool equal_numbers(const struct json *a, const struct json *b) {
    enum json_type x = json_type(a), y = json_type(b);
    if (x > y) return equal_numbers(b, a);
    if (x == JSON_INT && y == JSON_INT) return a->as.integer == b->as.integer;
    if (x == JSON_REAL && y == JSON_REAL) return a->as.real == b->as.real;
    if (x == JSON_INT)
        return y == JSON_REAL && is_int64(b->as.real) &&
               (int64_t)b->as.real == a->as.integer;
    if (x == JSON_REAL && a->as.real < 0x1p63 && a->as.real >= -0x1p63)
        return false;
    char left[WHOLE_TEXT_SIZE], right[WHOLE_TEXT_SIZE];
    return equal_text(exact_text(a, left), exact_text(b, right));
}

static bool equal_arrays(const struct json *a, const struct json *b) {
    size_t n = json_len(a);
    if (json_len(b) != n) return false;
    a = json_first(a);
    b = json_first(b);
    for (; n > 0; n--, a = json_skip(a), b = json_skip(b))
        if (!json_equal(a, b)) return false;
    return true;
}

static bool same_key_order(const struct json *a, const struct json *b) {
    size_t n = json_len(a);
    a = json_first(a);
    b = json_first(b);
    for (; n > 0; n--, a = json_skip(a + 1), b = json_skip(b + 1))
        if (!str_eq(json_str(a), json_str(b))) return false;
    return true;
}

static bool equal_in_order(const struct json *a, const struct json *b) {
    size_t n = json_len(a);
    a = json_first(a);
    b = json_first(b);
    for (; n > 0; n--, a = json_skip(a + 1), b = json_skip(b + 1))
        if (!json_equal(a + 1, b + 1)) return false;
    return true;
}

/* Each member of a looked up in b: no memory, but quadratic. */
static bool equal_looked_up(const struct json *a, const struct json *b) {
    const struct json *key = json_first(a);
    for (size_t i = json_len(a); i > 0; i--, key = json_skip(key + 1)) {
        const struct json *other = json_get_str(b, json_str(key));
        if (!other || !json_equal(key + 1, other)) return false;
    }
    return true;
}

static bool equal_sorted(const struct json *a, const struct json *b) {
    struct err e;
    AUTO_MEM const struct json **x = keys_sorted(a, str_cmp, &e);
    AUTO_MEM const struct json **y = x ? keys_sorted(b, str_cmp, &e) : NULL;
    if (!y) return equal_looked_up(a, b);
    for (size_t i = 0; i < json_len(a); i++)
        if (!str_eq(json_str(x[i]), json_str(y[i])) ||
            !json_equal(x[i] + 1, y[i] + 1))
            return false;
    return true;
}

/* Whichever way, no value is compared twice: with values inside values that
 * would double the work at each level. */
static bool equal_objects(const struct json *a, const struct json *b) {
    if (json_len(a) != json_len(b)) return false;
    if (same_key_order(a, b)) return equal_in_order(a, b);
    return json_len(a) <= 16 ? equal_looked_up(a, b) : equal_sorted(a, b);
}

bool json_equal(const struct json *a, const struct json *b) {
    if (json_is_number(a) && json_is_number(b)) return equal_numbers(a, b);
    if (json_type(a) != json_type(b)) return false;
    switch (json_type(a)) {
    case JSON_NULL: return true;
    case JSON_BOOL: return a->as.boolean == b->as.boolean;
    case JSON_STRING: return str_eq(json_str(a), json_str(b));
    case JSON_ARRAY: return equal_arrays(a, b);
    case JSON_OBJECT: return equal_objects(a, b);
    case JSON_INT:
    case JSON_REAL:
    case JSON_BIG: break;
    }
    return false;
}
