/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

int library_load(const char *file, const struct library_symbol *symbols,
                 void *api, struct err *e) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail(e, ERR_UNSUPPORTED, "%s cannot be loaded: %s", file,
                    dlerror());
    for (const struct library_symbol *s = symbols; s->name; s++) {
        void *function = dlsym(library, s->name);
        if (!function)
            return fail(e, ERR_UNSUPPORTED, "%s has no function %s", file,
                        s->name);
        memcpy((char *)api + s->offset, &function, sizeof function);
    }
    return 0;
}
