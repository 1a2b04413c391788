/* SPDX-License-Identifier: MIT
 *
 * modules -- the table of importable modules.
 */
#include "vm/template.h"

#define MODULE(id) extern const struct native_module module_##id;
#define BOTH(id)   MODULE(id)
#define PYTHON(id, dotted) \
    static const struct native_module module_##id = {.name = (dotted)};
#define TEXT(id, dotted) PYTHON(id, dotted)
#include "stdlib/modules.def"
#undef TEXT
#undef PYTHON
#undef BOTH
#undef MODULE

const struct native_module *const stdlib_modules[] = {
#define MODULE(id)         &module_##id,
#define BOTH(id)           MODULE(id)
#define PYTHON(id, dotted) &module_##id,
#define TEXT(id, dotted)   PYTHON(id, dotted)
#include "stdlib/modules.def"
#undef TEXT
#undef PYTHON
#undef BOTH
#undef MODULE
    NULL,
};
