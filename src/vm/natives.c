/* SPDX-License-Identifier: MIT
 *
 * natives -- the one table of all functions written in C.
 */
#include <string.h>

#include "base/mem.h"
#include "vm/engine.h"
#include "vm/template.h"

#define NATIVES_MAX 4096
#define COUNT(a)    (sizeof(a) / sizeof(a)[0])

static const struct native_type *const type_rows[] = {
#define TYPE(id, file) &native_##id,
#include "vm/types.def"
#undef TYPE
};

static const char *const exc_names[] = {
#define EXC(name, base) #name,
#include "vm/exceptions.def"
#undef EXC
};

static uint8_t find_step(const char *name) {
    static const char *const steps[] = {
#define STEP(name) #name,
#include "vm/steps.def"
#undef STEP
    };
    for (size_t i = 0; i < COUNT(steps); i++)
        if (!strcmp(steps[i], name)) return (uint8_t)(i + 1);
    return STEP_ID_NONE;
}

static int add_row(struct engine *engine, const struct native *row,
                   struct err *e) {
    if (engine->nnatives == NATIVES_MAX)
        return fail(e, ERR_INTERNAL, "template: too many natives");
    if (row->slow && row->slow[0] == '@') {
        uint8_t step = find_step(row->slow + 1);
        if (!step) return fail(e, ERR_INTERNAL, "no step %s", row->slow);
        engine->steps[engine->nnatives] = step;
    }
    engine->natives[engine->nnatives++] = row;
    return 0;
}

static int add_rows(struct engine *engine, const struct native *rows,
                    struct err *e) {
    for (const struct native *r = rows; r && r->name; r++)
        if (add_row(engine, r, e)) return -1;
    return 0;
}

static int add_type_rows(struct engine *engine, const struct native_type *t,
                         struct err *e) {
    return t &&
           (add_rows(engine, t->methods, e) || add_rows(engine, t->getters, e));
}

int natives_number(struct engine *engine, struct err *e) {
    engine->natives = mem_zalloc(NATIVES_MAX, sizeof *engine->natives, e);
    engine->steps = mem_zalloc(NATIVES_MAX, 1, e);
    if (!engine->natives || !engine->steps) return -1;
    for (size_t i = 0; i < COUNT(type_rows); i++)
        if (add_type_rows(engine, type_rows[i], e)) return -1;
    for (size_t i = 0; i < COUNT(exc_names); i++)
        if (add_type_rows(engine, exc_native_type(exc_names[i]), e)) return -1;
    for (const struct native_module *const *row = stdlib_modules; *row; row++) {
        if (add_rows(engine, (*row)->functions, e)) return -1;
        if (row == stdlib_modules && add_rows(engine, core_natives, e))
            return -1;
    }
    return 0;
}
