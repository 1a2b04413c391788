/* SPDX-License-Identifier: MIT
 *
 * mktemplate -- writes the interpreter's template to standard output; the
 * Makefile links it into the programs, so that they start without compiling
 * the prelude.
 */
#include <stdio.h>

#include "base/file.h"
#include "vm/template.h"

int main(void) {
    AUTO_BUF struct buf out = BUF_MAX((size_t)64 << 20);
    struct engine engine = {0};
    struct err e;
    if (template_build(&engine, &e) || template_save(&engine, &out, &e) ||
        fd_write_all(1, buf_str(&out), &e)) {
        fprintf(stderr, "mktemplate: %s\n", e.text);
        return 1;
    }
    return 0;
}
