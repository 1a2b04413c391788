/* SPDX-License-Identifier: MIT
 *
 * embed -- a file of the source tree as a C string.
 *
 *     EMBED(enum_py, "src/stdlib/enum.py");   declares: const char enum_py[]
 *
 * The path is relative to the root of the tree, where the compiler runs.
 */
#ifndef CORDON_STDLIB_EMBED_H
#define CORDON_STDLIB_EMBED_H

#define EMBED(name, path)                                                  \
    __asm__(".pushsection .rodata\n.hidden " #name "\n.global " #name      \
            "\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n"); \
    extern const char name[]

#endif
