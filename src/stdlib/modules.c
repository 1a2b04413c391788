/* SPDX-License-Identifier: MIT
 *
 * modules -- the table of importable modules, and the prelude's text.
 */
#include "stdlib/embed.h"
#include "vm/template.h"

#define MODULE(name) extern const struct native_module module_##name;
#define PYTHON(id, dotted)                                             \
    EMBED(id##_py, "src/stdlib/" #id ".py");                           \
    static const struct native_module module_##id = {.name = (dotted), \
                                                     .python = id##_py};
#include "stdlib/modules.def"
#undef PYTHON
#undef MODULE

const struct native_module *const stdlib_modules[] = {
#define MODULE(name)         &module_##name,
#define PYTHON(name, dotted) &module_##name,
#include "stdlib/modules.def"
#undef PYTHON
#undef MODULE
    NULL,
};

EMBED(core_py, "src/stdlib/prelude_core.py");
EMBED(union_py, "src/stdlib/prelude_union.py");
EMBED(prelude_py, "src/stdlib/prelude.py");

const struct prelude_part prelude_parts[] = {
    {"<prelude_core>", core_py},
    {"<prelude_union>", union_py},
    {"<prelude>", prelude_py},
    {0},
};
