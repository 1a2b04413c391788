/* SPDX-License-Identifier: MIT */
#include "vm/pack.h"

/* A pair's bytes are of earlier pairs, so that the bytes waiting are at most
 * one for each of those. */
int pack_open(const struct pack *pack, str packed, struct buf *out,
              struct err *e) {
    unsigned char waiting[PACK_PAIRS + 1];
    for (size_t i = 0; i < packed.n; i++) {
        size_t n = 0;
        waiting[n++] = (unsigned char)packed.p[i];
        while (n > 0) {
            unsigned char c = waiting[--n];
            if (c < 128) {
                if (buf_add_char(out, (char)c, e)) return -1;
                continue;
            }
            waiting[n++] = pack->pair[c - 128][1];
            waiting[n++] = pack->pair[c - 128][0];
        }
    }
    return 0;
}
