/* SPDX-License-Identifier: MIT
 *
 * sources -- the Python text of the prelude and of the modules, from which the
 * template is made. Programs are linked with a ready template, and without
 * this.
 */
#include "stdlib/embed.h"
#include "vm/template.h"

#define MODULE(id)
#define BOTH(id)           EMBED(id##_py, "src/stdlib/" #id ".py");
#define PYTHON(id, dotted) BOTH(id)
#define TEXT(id, dotted)   PYTHON(id, dotted)
#include "stdlib/modules.def"
#undef TEXT
#undef PYTHON
#undef BOTH
#undef MODULE

const struct python_source module_sources[] = {
#define MODULE(id)
#define BOTH(id)           {#id, id##_py, false},
#define PYTHON(id, dotted) {dotted, id##_py, false},
#define TEXT(id, dotted)   {dotted, id##_py, true},
#include "stdlib/modules.def"
#undef TEXT
#undef PYTHON
#undef BOTH
#undef MODULE
    {0},
};

#define PART(name) \
    EMBED(prelude_##name##_py, "src/stdlib/prelude_" #name ".py");
#include "stdlib/preludes.def"
#undef PART

const struct python_source prelude_sources[] = {
#define PART(name) {"<prelude_" #name ">", prelude_##name##_py, false},
#include "stdlib/preludes.def"
#undef PART
    {0},
};
