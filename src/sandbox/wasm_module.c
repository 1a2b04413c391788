/* SPDX-License-Identifier: MIT
 *
 * A first look at a WebAssembly module: its imports and exports. The rest is
 * wasm2c's business; what is found here makes better messages than a linker's.
 */
#include "sandbox/wasm.h"

#include <string.h>

#define WASI_MODULE "wasi_snapshot_preview1"

enum section { SECTION_IMPORT = 2, SECTION_EXPORT = 7 };
enum kind { KIND_FUNC, KIND_TABLE, KIND_MEMORY, KIND_GLOBAL };

static const char *const wasi_names[] = {
#define CALL(name, result, parameters) #name,
#include "sandbox/wasi/host/wasi.def"
#undef CALL
    NULL,
};

/* --- reading: `left` shrinks from the front --- */

static int too_short(struct err *e) {
    return fail(e, ERR_INVALID, "the module ends in the middle");
}

static int read_byte(str *left, uint8_t *out, struct err *e) {
    if (left->n == 0) return too_short(e);
    *out = (uint8_t)left->p[0];
    *left = str_sub(*left, 1, left->n);
    return 0;
}

/* LEB128, at most five bytes. */
static int read_u32(str *left, uint32_t *out, struct err *e) {
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        uint8_t byte;
        if (read_byte(left, &byte, e)) return -1;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        if (value > UINT32_MAX) break;
        *out = (uint32_t)value;
        return 0;
    }
    return fail(e, ERR_INVALID, "a number of the module is too large");
}

static int read_piece(str *left, str *out, struct err *e) {
    uint32_t n;
    if (read_u32(left, &n, e)) return -1;
    if (n > left->n) return too_short(e);
    *out = str_sub(*left, 0, n);
    *left = str_sub(*left, n, left->n);
    return 0;
}

/* --- imports and exports --- */

static bool known(str name) {
    for (size_t i = 0; wasi_names[i]; i++)
        if (str_is(name, wasi_names[i])) return true;
    return false;
}

static int read_import(str *left, struct err *e) {
    str module, name;
    uint8_t kind;
    uint32_t type;
    if (read_piece(left, &module, e) || read_piece(left, &name, e) ||
        read_byte(left, &kind, e))
        return -1;
    if (kind != KIND_FUNC || !str_is(module, WASI_MODULE) || !known(name))
        return fail(e, ERR_INVALID,
                    "the module imports %s \"%.*s.%.*s\"; only functions "
                    "of " WASI_MODULE " are there",
                    kind == KIND_FUNC     ? "function"
                    : kind == KIND_MEMORY ? "memory"
                                          : "value",
                    STR_ARG(str_sub(module, 0, 64)),
                    STR_ARG(str_sub(name, 0, 64)));
    return read_u32(left, &type, e);
}

struct exports {
    bool start, memory;
};

static int read_export(str *left, struct exports *found, struct err *e) {
    str name;
    uint8_t kind;
    uint32_t index;
    if (read_piece(left, &name, e) || read_byte(left, &kind, e) ||
        read_u32(left, &index, e))
        return -1;
    if (kind == KIND_FUNC && str_is(name, "_start")) found->start = true;
    if (kind == KIND_MEMORY && str_is(name, "memory")) found->memory = true;
    return 0;
}

static int read_section(uint8_t id, str body, struct wasm_facts *facts,
                        struct exports *found, struct err *e) {
    uint32_t count;
    if (id != SECTION_IMPORT && id != SECTION_EXPORT) return 0;
    if (read_u32(&body, &count, e)) return -1;
    for (uint32_t i = 0; i < count; i++)
        if (id == SECTION_IMPORT ? read_import(&body, e)
                                 : read_export(&body, found, e))
            return -1;
    if (id == SECTION_IMPORT && count) facts->imports = true;
    return 0;
}

int wasm_examine(str module, struct wasm_facts *out, struct err *e) {
    static const char magic[8] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    struct wasm_facts facts = {.imports = false};
    struct exports found = {.start = false};
    if (module.n < sizeof magic || memcmp(module.p, magic, sizeof magic) != 0)
        return fail(e, ERR_INVALID, "not a WebAssembly module (version 1)");
    for (str left = str_sub(module, sizeof magic, module.n); left.n;) {
        uint8_t id;
        str body;
        if (read_byte(&left, &id, e) || read_piece(&left, &body, e) ||
            read_section(id, body, &facts, &found, e))
            return -1;
    }
    if (!found.start)
        return fail(e, ERR_INVALID,
                    "the module exports no function \"_start\": a WASI "
                    "command is wanted");
    if (facts.imports && !found.memory)
        return fail(e, ERR_INVALID, "the module exports no \"memory\"");
    *out = facts;
    return 0;
}
