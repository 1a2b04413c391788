/* SPDX-License-Identifier: MIT */
#include "lang/ident.h"

#include <utf8proc.h>

int ident_normal(str s, struct arena *a, str *out, struct err *e) {
    const utf8proc_option_t how =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)s.p;
    utf8proc_ssize_t len = (utf8proc_ssize_t)s.n;
    utf8proc_ssize_t n = utf8proc_decompose(bytes, len, NULL, 0, how);
    if (n < 0) return fail(e, ERR_INVALID, "%s", utf8proc_errmsg(n));
    /* reencode writes UTF-8 over the code points, and a NUL behind it. */
    utf8proc_int32_t *cp = arena_alloc(a, ((size_t)n + 1) * sizeof *cp, e);
    if (!cp) return -1;
    n = utf8proc_decompose(bytes, len, cp, n, how);
    if (n >= 0) n = utf8proc_reencode(cp, n, how);
    if (n < 0) return fail(e, ERR_INVALID, "%s", utf8proc_errmsg(n));
    *out = (str){(const char *)cp, (size_t)n};
    return 0;
}
