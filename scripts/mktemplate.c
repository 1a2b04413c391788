/* SPDX-License-Identifier: MIT
 *
 * mktemplate -- writes the interpreter's template to standard output; the
 * Makefile links it into the programs, so that they start without compiling
 * the prelude.
 */
#include <stdio.h>

#include "base/file.h"
#include "vm/engine.h"
#include "vm/template.h"

int main(void) {
    AUTO_BUF struct buf out = BUF_MAX((size_t)64 << 20);
    struct err e;
    const struct engine *engine = engine_get(&e);
    int bad = !engine || template_save(engine, &out, &e) ||
              fd_write_all(1, buf_str(&out), &e);
    if (bad) fprintf(stderr, "mktemplate: %s\n", e.text);
    engine_fini();
    return bad;
}
