/* SPDX-License-Identifier: MIT
 *
 * object -- the size of an object follows from its header and fields.
 */
#include "vm/object.h"

#include <stddef.h>
#include <stdlib.h>

#include "vm/code.h"
#include "vm/vm.h"

static uint64_t text_size(const struct ostr *s) {
    if (s->h.flags & OBJ_VIEW) return sizeof *s;
    return offsetof(struct ostr, as) + s->len + 1;
}

static uint64_t fixed_size(enum kind kind) {
    switch (kind) {
#define KIND(name, layout, what) \
    case KIND_##name:            \
        return sizeof(struct layout);
#include "vm/kinds.def"
#undef KIND
    case KIND_COUNT: break;
    }
    abort();
}

static uint64_t content_size(const struct obj *o) {
    enum kind kind = (enum kind)o->kind;
    if (kind == KIND_FREE) return (uint64_t)o->type * 16;
    if (kind == KIND_STR) return text_size((const struct ostr *)o);
    uint64_t base = fixed_size(kind);
    if (kind == KIND_STORE) return base + ((const struct ostore *)o)->size;
    if (kind == KIND_TUPLE)
        return base + 8ull * ((const struct otuple *)o)->len;
    if (kind == KIND_FRAME)
        return base + 8ull * ((const struct oframe *)o)->nregs;
    if (kind == KIND_INT) {
        int64_t limbs = ((const struct oint *)o)->limbs;
        return base + 8 * (uint64_t)(limbs < 0 ? -limbs : limbs);
    }
    return base;
}

uint64_t object_size(const struct obj *o) {
    uint64_t size = content_size(o);
    if (o->kind != KIND_FREE && (o->flags & OBJ_ATTRS))
        size = ((size + 15) & ~15ull) + 16;
    return (size + 15) & ~15ull;
}
