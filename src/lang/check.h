/* SPDX-License-Identifier: MIT
 *
 * check -- mistakes that can be seen without running a program.
 *
 * Names that nothing defines, modules and attributes that do not exist, calls
 * whose arguments cannot fit. Only what is certain is reported: a name that is
 * bound in two ways, a call with *args, anything in a `try` with handlers and
 * everything in a program that reaches for globals() is left alone.
 */
#ifndef CORDON_LANG_CHECK_H
#define CORDON_LANG_CHECK_H

#include "base/arena.h"
#include "lang/fault.h"

/* Types of literals, as a set. */
enum check_types {
    CHECK_STR = 1,
    CHECK_INT = 2,
    CHECK_FLOAT = 4, /* an int will do */
    CHECK_BOOL = 8,
    CHECK_LIST = 16,
    CHECK_DICT = 32,
    CHECK_NONE = 64,
};

struct check_param {
    str name;
    unsigned types; /* enum check_types; 0: anything */
    bool required;
};

/* A function of the host, by its parameters in the order in which positional
 * arguments mean them. */
struct check_function {
    str space; /* "mail" of mail.send, or empty */
    str name;
    const struct check_param *params;
    size_t count;
    bool open; /* takes other names too */
};

/* What a program finds when it runs. `module` is empty for builtins. */
struct check_world {
    void *user;
    uint64_t seed[2]; /* as in struct compile_env */
    bool (*has_module)(void *user, str module);
    /* Why it cannot be imported, or NULL. */
    const char *(*no_module)(void *user, str module);
    bool (*has_name)(void *user, str module, str name);
    /* Parameters as in a def ("a, b=1, *, c"), or NULL when not known. */
    const char *(*signature)(void *user, str module, str name);
    /* A name it may have been meant to be, or NULL. */
    const char *(*nearest)(void *user, str module, str name);
    const struct check_function *functions; /* of the host, beside these */
    size_t nfunctions;
};

struct finding {
    uint32_t start, end; /* bytes of the source */
    const char *text;
    struct finding *next;
};

enum { CHECK_MAX = 100 }; /* findings that are reported */

/* Findings in the order of the source; *fault as in parse(). */
int check_source(str source, const struct check_world *world, struct arena *a,
                 struct finding **out, struct fault *fault, struct err *e);

#endif
