/* SPDX-License-Identifier: MIT
 *
 * Methods of str about case and kinds of characters. */
#include "vm/strmethods.h"

#include "base/utf8.h"
#include "vm/unicode.h"

/* -- case -------------------------------------------------------------------
 */

/* Of one character, in units of fuel; case beyond ASCII alone. */
#define CASE_COST 8
#define KIND_COST 2

static char ascii_upper(char c) {
    return (unsigned char)(c - 'a') < 26 ? (char)(c ^ 32) : c;
}
static char ascii_lower(char c) {
    return (unsigned char)(c - 'A') < 26 ? (char)(c ^ 32) : c;
}
static bool ascii_letter(char c) {
    return (unsigned char)((c | 32) - 'a') < 26;
}

/* Room for as much text again, to be filled; *out is NULL where there is none
 * or nothing to fill. */
static val ascii_room(struct vm *vm, str s, char **out) {
    *out = NULL;
    if (!s.n) return TEXT_EMPTY_VAL;
    if (!vm_charge(vm, s.n / 4)) return VAL_UNSET;
    return text_alloc(vm, s.n, s.n, out);
}

/* Eight ASCII characters at once: the case bit, 0x20, of those that are among
 * the 26 letters from `first`. */
static uint64_t case_bits(uint64_t w, char first) {
    const uint64_t ones = 0x0101010101010101u;
    uint64_t from = w + ones * (uint64_t)(0x80 - first);
    uint64_t past = w + ones * (uint64_t)(0x80 - first - 26);
    return ((from ^ past) & (ones * 0x80)) >> 2;
}

/* The first character whose case is to change, or s.n. */
static size_t find_case(str s, char first) {
    size_t i = 0;
    for (uint64_t w; s.n - i >= 8; i += 8) {
        memcpy(&w, s.p + i, sizeof w);
        if (case_bits(w, first)) return i;
    }
    while (i < s.n && (unsigned char)(s.p[i] - first) >= 26)
        i++;
    return i;
}

static val ascii_case(struct vm *vm, val text, bool upper) {
    str s = text_get(vm, text);
    char *out, first = upper ? 'a' : 'A';
    size_t i = find_case(s, first);
    if (i == s.n && type_of(vm, text) == TYPE_VAL(str)) {
        vm_spend(vm, s.n / 4);
        return text;
    }
    val v = ascii_room(vm, s, &out);
    if (!v || !s.n) return v;
    memcpy(out, s.p, i);
    for (uint64_t w; s.n - i >= 8; i += 8) {
        memcpy(&w, s.p + i, sizeof w);
        w ^= case_bits(w, first);
        memcpy(out + i, &w, sizeof w);
    }
    for (; i < s.n; i++) {
        char c = s.p[i];
        out[i] = (unsigned char)(c - first) < 26 ? (char)(c ^ 32) : c;
    }
    return v;
}

static val ascii_titled(struct vm *vm, val text, bool words) {
    str s = text_get(vm, text);
    char *out;
    bool inside = false;
    val v = ascii_room(vm, s, &out);
    for (size_t i = 0; v && i < s.n; i++) {
        out[i] = inside ? ascii_lower(s.p[i]) : ascii_upper(s.p[i]);
        inside = words ? ascii_letter(s.p[i]) : true;
    }
    return v;
}

static val ascii_swapped(struct vm *vm, val text) {
    str s = text_get(vm, text);
    char *out;
    val v = ascii_room(vm, s, &out);
    for (size_t i = 0; v && i < s.n; i++)
        out[i] = ascii_letter(s.p[i]) ? (char)(s.p[i] ^ 32) : s.p[i];
    return v;
}

typedef size_t mapping(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]);

static void add_mapped(struct build *b, mapping *map, uint32_t cp) {
    uint32_t out[UNICODE_CASE_MAX];
    size_t n = map(cp, out);
    for (size_t i = 0; i < n; i++)
        build_char(b, out[i]);
}

static size_t next_point(str s, size_t i, uint32_t *cp) {
    size_t n = utf8_decode_loose(s.p + i, s.n - i, cp);
    return i + (n ? n : 1);
}

/* A sigma at i ends a word: something cased is before it and nothing cased
 * behind, ignoring marks and the like. */
static bool final_sigma(str s, size_t i, size_t after) {
    uint32_t cp = 0;
    bool cased = false;
    for (size_t at = i; at > 0 && !cased;) {
        at--;
        while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80)
            at--;
        next_point(s, at, &cp);
        if (unicode_case_ignorable(cp)) continue;
        cased = unicode_cased(cp);
        if (!cased) return false;
    }
    if (!cased) return false;
    for (size_t at = after; at < s.n;) {
        at = next_point(s, at, &cp);
        if (!unicode_case_ignorable(cp)) return !unicode_cased(cp);
    }
    return true;
}

static void add_lower(struct build *b, str s, size_t i, size_t after,
                      uint32_t cp) {
    if (cp == 0x3a3)
        build_char(b, final_sigma(s, i, after) ? 0x3c2 : 0x3c3);
    else
        add_mapped(b, unicode_to_lower, cp);
}

static val map_all(struct vm *vm, val text, mapping *map) {
    str s = text_get(vm, text);
    struct build b;
    build_init(&b, vm);
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp;
        size_t after = next_point(s, i, &cp);
        if (!vm_charge(vm, CASE_COST)) return VAL_UNSET;
        if (map == unicode_to_lower)
            add_lower(&b, s, i, after, cp);
        else
            add_mapped(&b, map, cp);
        i = after;
    }
    return build_take(&b);
}

val str_m_upper(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (text_ascii(vm, args[0])) return ascii_case(vm, args[0], true);
    return map_all(vm, args[0], unicode_to_upper);
}

val str_m_lower(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (text_ascii(vm, args[0])) return ascii_case(vm, args[0], false);
    return map_all(vm, args[0], unicode_to_lower);
}

val str_m_casefold(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (text_ascii(vm, args[0])) return ascii_case(vm, args[0], false);
    return map_all(vm, args[0], unicode_fold);
}

/* The first letter of each word, or of the text alone. */
static val titled(struct vm *vm, val text, bool words) {
    if (text_ascii(vm, text)) return ascii_titled(vm, text, words);
    str s = text_get(vm, text);
    struct build b;
    bool inside = false;
    build_init(&b, vm);
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp;
        size_t after = next_point(s, i, &cp);
        if (!vm_charge(vm, CASE_COST)) return VAL_UNSET;
        if (inside)
            add_lower(&b, s, i, after, cp);
        else
            add_mapped(&b, unicode_to_title, cp);
        inside = words ? unicode_cased(cp) : true;
        i = after;
    }
    return build_take(&b);
}

val str_m_title(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return titled(vm, args[0], true);
}

val str_m_capitalize(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return titled(vm, args[0], false);
}

val str_m_swapcase(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (text_ascii(vm, args[0])) return ascii_swapped(vm, args[0]);
    str s = text_get(vm, args[0]);
    struct build b;
    build_init(&b, vm);
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp;
        size_t after = next_point(s, i, &cp);
        if (!vm_charge(vm, CASE_COST)) return VAL_UNSET;
        if (unicode_upper(cp))
            add_lower(&b, s, i, after, cp);
        else
            add_mapped(&b, unicode_lower(cp) ? unicode_to_upper : unicode_fold,
                       cp);
        i = after;
    }
    return build_take(&b);
}

/* -- kinds of characters ----------------------------------------------------
 */

typedef bool property(uint32_t cp);

/* Every code point has it, and there is at least one unless `empty`. */
static val all_have(struct vm *vm, val text, property *has, bool empty) {
    str s = text_get(vm, text);
    if (!s.n) return val_of_bool(empty);
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        i = next_point(s, i, &cp);
        if (!vm_charge(vm, KIND_COST)) return VAL_UNSET;
        if (!has(cp)) return VAL_FALSE;
    }
    return VAL_TRUE;
}

static bool alnum(uint32_t cp) {
    return unicode_alpha(cp) || unicode_numeric(cp);
}

#define IS(name, has)                                              \
    val str_m_is##name(struct vm *vm, const val *args, size_t n) { \
        (void)n;                                                   \
        return all_have(vm, args[0], has, false);                  \
    }
IS(alnum, alnum)
IS(alpha, unicode_alpha)
IS(decimal, unicode_decimal)
IS(digit, unicode_digit)
IS(numeric, unicode_numeric)
IS(space, unicode_space)

val str_m_isprintable(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return all_have(vm, args[0], unicode_printable, true);
}

val str_m_isascii(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return val_of_bool(text_ascii(vm, args[0]));
}

val str_m_isidentifier(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = text_get(vm, args[0]);
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        bool first = i == 0;
        i = next_point(s, i, &cp);
        if (!vm_charge(vm, KIND_COST)) return VAL_UNSET;
        if (first ? !unicode_id_start(cp) : !unicode_id_continue(cp))
            return VAL_FALSE;
    }
    return val_of_bool(s.n > 0);
}

/* At least one cased character and none of the other case. */
static val one_case(struct vm *vm, val text, property *want, property *other) {
    str s = text_get(vm, text);
    bool seen = false;
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        i = next_point(s, i, &cp);
        if (!vm_charge(vm, KIND_COST)) return VAL_UNSET;
        if (other(cp) || unicode_title(cp)) return VAL_FALSE;
        seen = seen || want(cp);
    }
    return val_of_bool(seen);
}

val str_m_islower(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], unicode_lower, unicode_upper);
}

val str_m_isupper(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], unicode_upper, unicode_lower);
}

val str_m_istitle(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = text_get(vm, args[0]);
    bool seen = false, inside = false;
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        i = next_point(s, i, &cp);
        if (!vm_charge(vm, KIND_COST)) return VAL_UNSET;
        bool upper = unicode_upper(cp) || unicode_title(cp);
        if (upper ? inside : unicode_lower(cp) && !inside) return VAL_FALSE;
        inside = unicode_cased(cp);
        seen = seen || inside;
    }
    return val_of_bool(seen);
}
