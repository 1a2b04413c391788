/* SPDX-License-Identifier: MIT */
#include "base/probe.h"

#include <stdarg.h>
#include <stdio.h>

void probe_says(struct probe *p, enum probe_state state, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->detail, sizeof p->detail, fmt, ap);
    va_end(ap);
    p->state = state;
}
