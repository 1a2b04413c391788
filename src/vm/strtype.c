/* SPDX-License-Identifier: MIT
 *
 * The class str: its table, and methods that fit no other file. */
#include "base/utf8.h"
#include "vm/bytes.h"
#include "vm/dict.h"
#include "vm/format.h"
#include "vm/slots.h"
#include "vm/strmethods.h"

/* -- str() ------------------------------------------------------------------
 */

static val decoded(struct vm *vm, val object, val encoding, val errors) {
    if (vm_is(vm, object, KIND_STR))
        return vm_raise(vm, EXC_TypeError, "decoding str is not supported");
    if (!bytes_is(vm, object))
        return vm_raise(vm, EXC_TypeError,
                        "decoding to str: need a bytes-like object, %s found",
                        vm_type_name(vm, object));
    return text_decode(vm, bytes_get(vm, object), object,
                       (struct codec_args){"str", encoding, errors});
}

static val str_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val v = TEXT_EMPTY_VAL;
    if (args[1])
        v = args[2] || args[3] ? decoded(vm, args[1], args[2], args[3])
                               : value_str(vm, args[1]);
    if (!v || args[0] == TYPE_VAL(str)) return v;
    return text_new_as(vm, args[0], text_get(vm, v), text_chars(vm, v));
}

/* -- padding ----------------------------------------------------------------
 */

static int fill_char(struct vm *vm, val v, uint32_t *cp) {
    *cp = ' ';
    if (!v) return 0;
    if (!vm_is(vm, v, KIND_STR)) {
        vm_raise(vm, EXC_TypeError,
                 "The fill character must be a unicode character, not %s",
                 vm_type_name(vm, v));
        return -1;
    }
    str s = text_get(vm, v);
    if (text_chars(vm, v) != 1) {
        vm_raise(vm, EXC_TypeError,
                 "The fill character must be exactly one character long");
        return -1;
    }
    utf8_decode_loose(s.p, s.n, cp);
    return 0;
}

static val padded(struct vm *vm, val self, uint64_t left, uint64_t right,
                  uint32_t cp) {
    struct build b;
    build_init(&b, vm);
    build_fill(&b, cp, left);
    build_val(&b, self);
    build_fill(&b, cp, right);
    return build_take(&b);
}

/* How many characters are wanted beyond those there are. */
static int missing_chars(struct vm *vm, const val *args, uint64_t *out) {
    int64_t width;
    if (value_index(vm, args[1], &width)) return -1;
    int64_t have = text_chars(vm, args[0]);
    *out = width > have ? (uint64_t)(width - have) : 0;
    return 0;
}

static val justify(struct vm *vm, const val *args, char how) {
    uint64_t more, left = 0;
    uint32_t cp;
    if (missing_chars(vm, args, &more) || fill_char(vm, args[2], &cp))
        return VAL_UNSET;
    if (!more) return text_piece(vm, args[0], 0, text_get(vm, args[0]).n);
    if (how == '>') left = more;
    /* CPython's rule for an odd rest depends on the width. */
    if (how == '^')
        left = more / 2 + (more & (more + text_chars(vm, args[0])) & 1);
    return padded(vm, args[0], left, more - left, cp);
}

static val str_ljust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '<');
}

static val str_rjust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '>');
}

static val str_center(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '^');
}

static val str_zfill(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t more;
    if (missing_chars(vm, args, &more)) return VAL_UNSET;
    str s = text_get(vm, args[0]);
    if (!more) return text_piece(vm, args[0], 0, s.n);
    bool sign = s.n && (s.p[0] == '-' || s.p[0] == '+');
    struct build b;
    build_init(&b, vm);
    build_add(&b, s.p, sign);
    build_fill(&b, '0', more);
    build_add(&b, s.p + sign, s.n - sign);
    return build_take(&b);
}

static val str_expandtabs(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t size = 8, column = 0;
    if (args[1] && value_index(vm, args[1], &size)) return VAL_UNSET;
    str s = text_get(vm, args[0]);
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n)) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp = 0;
        size_t len = utf8_decode_loose(s.p + i, s.n - i, &cp);
        i += len ? len : 1;
        if (cp == '\t') {
            int64_t fill = size > 0 ? size - column % size : 0;
            build_fill(&b, ' ', (uint64_t)fill);
            column += fill;
            continue;
        }
        build_char(&b, cp);
        column = cp == '\n' || cp == '\r' ? 0 : column + 1;
    }
    return build_take(&b);
}

/* -- encode, translate ------------------------------------------------------
 */

static val str_encode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return text_encode(vm, args[0],
                       (struct codec_args){"encode", args[1], args[2]});
}

static int map_chars(struct vm *vm, val dict, val from, val to) {
    if (text_chars(vm, from) != text_chars(vm, to)) {
        vm_raise(vm, EXC_ValueError,
                 "the first two maketrans arguments must have equal length");
        return -1;
    }
    str a = text_get(vm, from), b = text_get(vm, to);
    for (size_t i = 0, j = 0; i < a.n;) {
        uint32_t x = 0, y = 0;
        i += utf8_decode_loose(a.p + i, a.n - i, &x);
        j += utf8_decode_loose(b.p + j, b.n - j, &y);
        if (dict_set(vm, dict, val_of_int(x), val_of_int(y))) return -1;
    }
    return 0;
}

static int map_to_none(struct vm *vm, val dict, val gone) {
    str s = text_get(vm, gone);
    for (size_t i = 0; i < s.n;) {
        uint32_t cp = 0;
        i += utf8_decode_loose(s.p + i, s.n - i, &cp);
        if (dict_set(vm, dict, val_of_int(cp), VAL_NONE)) return -1;
    }
    return 0;
}

static int map_entries(struct vm *vm, val dict, val from) {
    if (!vm_is(vm, from, KIND_DICT)) {
        vm_raise(vm, EXC_TypeError,
                 "if you give only one argument to maketrans it must be a "
                 "dict");
        return -1;
    }
    val k, v;
    for (uint64_t i = 0; dict_next(vm, from, &i, &k, &v);) {
        uint32_t cp = 0;
        if (vm_is(vm, k, KIND_STR)) {
            if (text_chars(vm, k) != 1) {
                vm_raise(vm, EXC_ValueError,
                         "string keys in translate table must be of length 1");
                return -1;
            }
            str s = text_get(vm, k);
            utf8_decode_loose(s.p, s.n, &cp);
            k = val_of_int(cp);
        } else if (!int_is(vm, k)) {
            vm_raise(vm, EXC_TypeError,
                     "keys in translate table must be strings or integers");
            return -1;
        }
        if (dict_set(vm, dict, k, v)) return -1;
    }
    return 0;
}

static val str_maketrans(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val d = dict_new(vm);
    if (!d) return VAL_UNSET;
    if (!args[1]) return map_entries(vm, d, args[0]) ? VAL_UNSET : d;
    for (int i = 0; i < 3; i++)
        if (args[i] && !vm_is(vm, args[i], KIND_STR))
            return vm_raise(vm, EXC_TypeError,
                            "maketrans() argument %d must be str, not %s",
                            i + 1, vm_type_name(vm, args[i]));
    if (map_chars(vm, d, args[0], args[1])) return VAL_UNSET;
    if (args[2] && map_to_none(vm, d, args[2])) return VAL_UNSET;
    return d;
}

/* One code point through the table: -1 raised or slow. */
static int translate_one(struct build *b, val table, uint32_t cp) {
    struct vm *vm = b->vm;
    val to;
    int found = dict_get(vm, table, val_of_int(cp), &to);
    int64_t i;
    if (found < 0) return -1;
    if (!found) {
        build_char(b, cp);
    } else if (vm_is(vm, to, KIND_STR)) {
        build_val(b, to);
    } else if (!int_get(vm, to, &i)) {
        if (i < 0 || i > 0x10ffff) {
            vm_raise(vm, EXC_ValueError,
                     "character mapping must be in range(0x110000)");
            return -1;
        }
        build_char(b, (uint32_t)i);
    } else if (value_plain(vm, to) != VAL_NONE) {
        vm_raise(vm, EXC_TypeError,
                 "character mapping must return integer, None or str");
        return -1;
    }
    return 0;
}

static val str_translate(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_is(vm, args[1], KIND_DICT) ||
        special_of(vm, args[1], SPECIAL_MISSING))
        return vm_slow(vm);
    str s = text_get(vm, args[0]);
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n * 4)) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed;) {
        uint32_t cp = 0;
        i += utf8_decode_loose(s.p + i, s.n - i, &cp);
        if (translate_one(&b, args[1], cp)) {
            build_drop(&b);
            return VAL_UNSET;
        }
    }
    return build_take(&b);
}

/* -- format -----------------------------------------------------------------
 */

static val str_format(struct vm *vm, const val *args, size_t n) {
    val positional = tuple_new(vm, args + 2, n - 2);
    if (!positional) return VAL_UNSET;
    return text_format(vm, args[0], positional, args[1]);
}

static val str_format_map(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return text_format(vm, args[0], VAL_UNSET, args[1]);
}

#define ENDS "self, prefix, start=None, end=None, /"
#define FIND "self, sub, start=None, end=None, /"

static const struct native methods[] = {
    {"__new__", "cls, object='', encoding=None, errors=None", str_make,
     "Text of a value, or decoded bytes.", "_str_new"},
    {"capitalize", "self, /", str_m_capitalize, "First letter upper.", NULL},
    {"casefold", "self, /", str_m_casefold, "For caseless comparison.", NULL},
    {"center", "self, width, fillchar=' ', /", str_center, "Padded.", NULL},
    {"count", FIND, str_m_count, "How often sub occurs.", NULL},
    {"encode", "self, encoding='utf-8', errors='strict'", str_encode,
     "The text as bytes.", NULL},
    {"endswith", "self, suffix, start=None, end=None, /", str_m_endswith,
     "Whether it ends so.", NULL},
    {"expandtabs", "self, tabsize=8", str_expandtabs, "Tabs as spaces.", NULL},
    {"find", FIND, str_m_find, "First position of sub, or -1.", NULL},
    {"format", "self, /, *args, **kwargs", str_format,
     "{} replaced by the arguments.", "_str_format"},
    {"format_map", "self, mapping, /", str_format_map,
     "As format(), names from a mapping.", "_str_format_map"},
    {"index", FIND, str_m_index, "First position of sub.", NULL},
    {"isalnum", "self, /", str_m_isalnum, "All letters or numbers.", NULL},
    {"isalpha", "self, /", str_m_isalpha, "All letters.", NULL},
    {"isascii", "self, /", str_m_isascii, "All ASCII.", NULL},
    {"isdecimal", "self, /", str_m_isdecimal, "All decimal digits.", NULL},
    {"isdigit", "self, /", str_m_isdigit, "All digits.", NULL},
    {"isidentifier", "self, /", str_m_isidentifier, "A name.", NULL},
    {"islower", "self, /", str_m_islower, "Lower case.", NULL},
    {"isnumeric", "self, /", str_m_isnumeric, "All numbers.", NULL},
    {"isprintable", "self, /", str_m_isprintable, "All printable.", NULL},
    {"isspace", "self, /", str_m_isspace, "All white space.", NULL},
    {"istitle", "self, /", str_m_istitle, "Title case.", NULL},
    {"isupper", "self, /", str_m_isupper, "Upper case.", NULL},
    {"join", "self, iterable, /", str_m_join, "Items with self between.",
     "_str_join"},
    {"ljust", "self, width, fillchar=' ', /", str_ljust, "Padded right.", NULL},
    {"lower", "self, /", str_m_lower, "Lower case.", NULL},
    {"lstrip", "self, chars=None, /", str_m_lstrip, "Start removed.", NULL},
    {"maketrans", "@static x, y=None, z=None, /", str_maketrans,
     "A table for translate().", NULL},
    {"partition", "self, sep, /", str_m_partition, "Cut at the first sep.",
     NULL},
    {"removeprefix", "self, prefix, /", str_m_removeprefix, "Without it.",
     NULL},
    {"removesuffix", "self, suffix, /", str_m_removesuffix, "Without it.",
     NULL},
    {"replace", "self, old, new, count=-1, /", str_m_replace,
     "old replaced by new.", NULL},
    {"rfind", FIND, str_m_rfind, "Last position of sub, or -1.", NULL},
    {"rindex", FIND, str_m_rindex, "Last position of sub.", NULL},
    {"rjust", "self, width, fillchar=' ', /", str_rjust, "Padded left.", NULL},
    {"rpartition", "self, sep, /", str_m_rpartition, "Cut at the last sep.",
     NULL},
    {"rsplit", "self, sep=None, maxsplit=-1", str_m_rsplit,
     "Pieces between sep, counted from the end.", NULL},
    {"rstrip", "self, chars=None, /", str_m_rstrip, "End removed.", NULL},
    {"split", "self, sep=None, maxsplit=-1", str_m_split, "Pieces between sep.",
     NULL},
    {"splitlines", "self, keepends=False", str_m_splitlines, "Lines.", NULL},
    {"startswith", ENDS, str_m_startswith, "Whether it starts so.", NULL},
    {"strip", "self, chars=None, /", str_m_strip, "Both ends removed.", NULL},
    {"swapcase", "self, /", str_m_swapcase, "Cases exchanged.", NULL},
    {"title", "self, /", str_m_title, "Words capitalised.", NULL},
    {"translate", "self, table, /", str_translate, "Through a table.",
     "_str_translate"},
    {"upper", "self, /", str_m_upper, "Upper case.", NULL},
    {"zfill", "self, width, /", str_zfill, "Zeros in front.", NULL},
#define SLOTS_SEQUENCE
#define SLOTS_ADD
#define SLOTS_MUL
#define SLOTS_MOD
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_STR
#define SLOTS_FORMAT
#include "vm/slots.def"
    {0},
};

const struct native_type native_str = {
    "str", KIND_STR, NULL, 0, methods, NULL, "Text: immutable code points.",
};
