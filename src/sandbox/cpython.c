/* SPDX-License-Identifier: MIT
 *
 * The folders are those that python3 -I searches on this kind of system.
 */
#include "sandbox/cpython.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Inside the program itself, so in no folder; those that ours lacks. */
static const char *const built_in[] = {"_thread", "atexit",  "faulthandler",
                                       "gc",      "marshal", "posix",
                                       "pwd",     "signal",  "tracemalloc"};

/* With {} in the place of the version, as "python3.11". */
static const char *const folders[] = {"/usr/lib/{}", "/usr/lib/{}/lib-dynload",
                                      "/usr/lib/python3/dist-packages",
                                      "/usr/local/lib/{}/dist-packages"};

static bool is_plain(str name) {
    for (size_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789_",
                    name.p[i]))
            return false;
    return name.n > 0 && name.n < 64;
}

/* A package, a file, or a library as name.cpython-311-x86_64-linux-gnu.so. */
static bool holds(str folder, str version, str module) {
    AUTO_BUF struct buf pattern = BUF_MAX(PATH_MAX);
    struct err e;
    str rest = folder, before = str_cut(&rest, '{');
    glob_t found;
    if (buf_addf(&pattern, &e, "%.*s", STR_ARG(before)) ||
        (rest.p && buf_addf(&pattern, &e, "%.*s%.*s", STR_ARG(version),
                            STR_ARG(str_sub(rest, 1, rest.n)))) ||
        buf_addf(&pattern, &e, "/%.*s{,.py,.*.so}", STR_ARG(module)))
        return false;
    bool there =
        glob(buf_str(&pattern).p, GLOB_BRACE | GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return there;
}

bool cpython_has(str module) {
    char real[PATH_MAX];
    if (!is_plain(module) || !realpath(CPYTHON, real)) return false;
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (str_is(module, built_in[i])) return true;
    str version = str_of(strrchr(real, '/') + 1);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (holds(str_of(folders[i]), version, module)) return true;
    return false;
}
