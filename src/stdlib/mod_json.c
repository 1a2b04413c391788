/* SPDX-License-Identifier: MIT
 *
 * json: plain values to plain text and back in C; options, hooks, odd values
 * and the words of errors are in json.py.
 */
#include "base/utf8.h"
#include "stdlib/embed.h"
#include "vm/jsonval.h"
#include "vm/native.h"
#include "vm/ops.h"

static bool is_printable(char c) {
    return (unsigned char)c < 0x7f;
}

static bool all_printable(str text) {
    for (size_t i = 0; i < text.n; i++)
        if (!is_printable(text.p[i])) return false;
    return true;
}

static int add_unit(struct buf *out, uint32_t unit, struct err *e) {
    static const char digits[] = "0123456789abcdef";
    const char six[6] = {'\\',
                         'u',
                         digits[unit >> 12 & 15],
                         digits[unit >> 8 & 15],
                         digits[unit >> 4 & 15],
                         digits[unit & 15]};
    return buf_add(out, six, sizeof six, e);
}

/* DEL and every character beyond ASCII as \uXXXX, those beyond the BMP as two.
 */
static int add_escaped(struct buf *out, str text, struct err *e) {
    size_t from = 0, at = 0;
    while (at < text.n) {
        if (is_printable(text.p[at])) {
            at++;
            continue;
        }
        uint32_t cp;
        size_t n = utf8_decode_loose(text.p + at, text.n - at, &cp);
        if (buf_add(out, text.p + from, at - from, e)) return -1;
        if (cp >= 0x10000) {
            cp -= 0x10000;
            if (add_unit(out, 0xd800 + (cp >> 10), e)) return -1;
            cp = 0xdc00 + (cp & 0x3ff);
        }
        if (add_unit(out, cp, e)) return -1;
        at += n ? n : 1;
        from = at;
    }
    return buf_add(out, text.p + from, at - from, e);
}

/* None: this is for Python to write. */
static val j_encode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    size_t max = vm->limits.memory;
    AUTO_BUF struct buf text = BUF_MAX(max), ascii = BUF_MAX(max);
    struct err e;
    if (jsonval_write_charged(vm, args[0], &text, &e))
        return vm_failed(vm) ? VAL_UNSET : VAL_NONE;
    if (!vm_charge(vm, text.len)) return VAL_UNSET;
    str out = buf_str(&text);
    if (args[1] == VAL_TRUE && !all_printable(out)) {
        if (!vm_charge(vm, 8 * out.n)) return VAL_UNSET;
        if (add_escaped(&ascii, out, &e)) return VAL_NONE;
        out = buf_str(&ascii);
    }
    return text_new(vm, out.p, out.n);
}

/* None: Python reads it again, to say what is wrong or to accept more. */
static val j_decode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct err e;
    if (!vm_is(vm, args[0], KIND_STR)) return VAL_NONE;
    str text = text_get(vm, args[0]);
    if (!vm_charge(vm, 1 + 8 * text.n)) return VAL_UNSET;
    val v = jsonval_read(vm, text, &e);
    if (!v) return vm_failed(vm) ? VAL_UNSET : VAL_NONE;
    return tuple_new(vm, &v, 1); /* None is a value too */
}

static const struct native functions[] = {
    {"_encode", "obj, ensure_ascii, /", j_encode, "Plain JSON, or None.", NULL},
    {"_decode", "text, /", j_decode, "A tuple of the value, or None.", NULL},
    {0},
};

EMBED(json_py, "src/stdlib/json.py");
const struct native_module module_json = {
    .name = "json", .functions = functions, .python = json_py};
