/* SPDX-License-Identifier: MIT */
#include "json/coerce_text.h"

#include "base/real.h"
#include "json/build.h"
#include "json/decimal.h"

/* Parses text that may turn out not to be JSON. */
static int parse(str text, struct arena *a, const struct json **out,
                 struct err *e) {
    struct err why;
    if (json_parse(text, NULL, a, out, &why) == 0) return 0;
    *out = NULL;
    if (why.kind != ERR_MEMORY) return 0;
    *e = why;
    return -1;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The shortest decimal that reads as d has the digits of the text. */
static bool same_digits(str text, double d) {
    char shortest[REAL_TEXT_SIZE];
    struct decimal a, b;
    size_t n = real_format_es(d, shortest);
    return decimal_of(text, &a) && decimal_of((str){shortest, n}, &b) &&
           decimal_equal(&a, &b);
}

static int make_integer(double d, struct arena *a, const struct json **out,
                        struct err *e) {
    struct json_build b = JSON_BUILD(a);
    *out = NULL;
    if (d < -0x1p63 || d >= 0x1p63 || (double)(int64_t)d != d) return 0;
    build_int(&b, (int64_t)d);
    return build_done(&b, out, e);
}

int text_number(str text, bool integral, struct arena *a,
                const struct json **out, struct err *e) {
    const struct json *v;
    *out = NULL;
    if (text.n == 0 || !is_digit(text.p[text.n - 1])) return 0;
    if (!is_digit(text.p[0]) && text.p[0] != '-') return 0;
    if (parse(text, a, &v, e)) return -1;
    if (!v || !json_is_number(v)) return 0;
    bool real = json_type(v) == JSON_REAL;
    if (real && !same_digits(text, v->as.real)) return 0;
    if (real && integral) return make_integer(v->as.real, a, out, e);
    *out = v;
    return 0;
}

int text_boolean(str text, struct arena *a, const struct json **out,
                 struct err *e) {
    bool yes = str_is(text, "true") || str_is(text, "True");
    bool no = str_is(text, "false") || str_is(text, "False");
    *out = NULL;
    if (!yes && !no) return 0;
    struct json_build b = JSON_BUILD(a);
    build_bool(&b, yes);
    return build_done(&b, out, e);
}

static char first_char(str text) {
    str trimmed = str_trim(text);
    return trimmed.n > 0 ? trimmed.p[0] : '\0';
}

int text_container(str text, struct arena *a, const struct json **out,
                   struct err *e) {
    char first = first_char(text);
    *out = NULL;
    return first == '[' || first == '{' ? parse(text, a, out, e) : 0;
}

bool text_may_be_list(str text) {
    char first = first_char(text);
    return first == '\0' || first == '[' || first == '{' ||
           str_find_char(text, ',') >= 0 || str_find_char(text, ';') >= 0 ||
           str_find_char(text, '\n') >= 0;
}
