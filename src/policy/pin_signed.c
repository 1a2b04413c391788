/* SPDX-License-Identifier: MIT
 *
 * Packages as they were pinned beside what is there now. Nothing is verified
 * here: commands that only read a lock do without that machinery.
 */
#include "policy/pin_package.h"

const char *signed_word(enum signed_state s) {
    switch (s) {
    case SIGNED_WRONG: return "wrong";
    case SIGNED_NOT: return "unsigned";
    case SIGNED_BY_UNKNOWN: return "unverified";
    case SIGNED_WELL: return "verified";
    }
    return "wrong";
}

static bool same_member(const struct json *a, const struct json *b,
                        const char *key) {
    const struct json *x = json_get(a, key), *y = json_get(b, key);
    return x && y ? json_equal(x, y) : x == y;
}

/* A signature that was verified must stay; one that nobody could verify may
 * come or go: the content is compared all the same. */
static bool same_package(const struct json *known, const struct json *now) {
    bool verified =
        str_is(json_get_text(known, "signature", STR("")), "verified");
    return same_member(known, now, "name") &&
           same_member(known, now, "version") &&
           same_member(known, now, "integrity") &&
           (!verified || (same_member(known, now, "signature") &&
                          same_member(known, now, "keyid")));
}

bool pin_package_same(const struct json *known, const struct json *now) {
    const struct json *a = json_get(known, "packages");
    const struct json *b = json_get(now, "packages");
    if (!same_member(known, now, "runner") ||
        !same_member(known, now, "files") ||
        !same_member(known, now, "sha256") || !a || !b ||
        json_type(a) != JSON_ARRAY || json_type(b) != JSON_ARRAY ||
        json_len(a) != json_len(b))
        return false;
    size_t n = json_len(a);
    for (a = json_first(a), b = json_first(b); n > 0; n--) {
        if (!same_package(a, b)) return false;
        a = json_skip(a);
        b = json_skip(b);
    }
    return true;
}

/* The packages, one after the other; *left counts down. */
static const struct json *packages_of(const struct json *package,
                                      size_t *left) {
    const struct json *list = json_get(package, "packages");
    bool is_list = list && json_type(list) == JSON_ARRAY;
    *left = is_list ? json_len(list) : 0;
    return *left ? json_first(list) : NULL;
}

bool pin_package_forged(const struct json *package) {
    size_t left;
    const struct json *p = packages_of(package, &left);
    for (; left > 0; left--, p = json_skip(p))
        if (str_is(json_get_text(p, "signature", STR("")),
                   signed_word(SIGNED_WRONG)))
            return true;
    return false;
}

static int describe_one(const struct json *p, struct buf *out, struct err *e) {
    str state = json_get_text(p, "signature", STR(""));
    str keyid = json_get_text(p, "keyid", STR(""));
    const char *says =
        str_is(state, "verified")     ? "registry signature verified"
        : str_is(state, "wrong")      ? "the registry signature is WRONG"
        : str_is(state, "unverified") ? "unverified: its registry key is not "
                                        "known (pins.registry_keys)"
                                      : "unsigned: no registry signature at "
                                        "hand";
    if (buf_addf(out, e, "  %.*s@%.*s: %s",
                 STR_ARG(json_get_text(p, "name", STR(""))),
                 STR_ARG(json_get_text(p, "version", STR(""))), says))
        return -1;
    if (keyid.n && buf_addf(out, e, ", key %.*s", STR_ARG(keyid))) return -1;
    return buf_add_char(out, '\n', e);
}

int pin_package_describe(const struct json *package, struct buf *out,
                         struct err *e) {
    size_t left;
    const struct json *p = packages_of(package, &left);
    for (; left > 0; left--, p = json_skip(p))
        if (describe_one(p, out, e)) return -1;
    return 0;
}
