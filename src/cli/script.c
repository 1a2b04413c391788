/* SPDX-License-Identifier: MIT
 *
 * script -- limits from words, printed text to a descriptor.
 */
#include "cli/script.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"

#define CHUNK 65536

void printer_flush(struct printer *p) {
    struct err e;
    if (p->text.len && !p->failed && fd_write_all(p->fd, buf_str(&p->text), &e))
        p->failed = true;
    buf_truncate(&p->text, 0);
}

static void keep(struct printer *p, str text) {
    struct err e;
    if (p->text.len + text.n > CHUNK) printer_flush(p);
    if (text.n > CHUNK) {
        if (!p->failed && fd_write_all(p->fd, text, &e)) p->failed = true;
        return;
    }
    if (buf_add_str(&p->text, text, &e)) return;
    if (p->at_once && memchr(text.p, '\n', text.n)) printer_flush(p);
}

void printer_take(struct printer *p, const struct worker_event *printed) {
    struct err e;
    if (printed->stream == CORDON_STDOUT) {
        keep(p, printed->text);
        return;
    }
    printer_flush(p);
    (void)fd_write_all(STDERR_FILENO, printed->text, &e);
}

void printer_fini(struct printer *p) {
    printer_flush(p);
    buf_fini(&p->text);
}

/* -- limits ------------------------------------------------------------------
 */

static int set_limit(str name, str value, struct cordon_limits *out,
                     struct err *e) {
    int64_t ns;
    uint64_t n;
    if (str_is(name, "time")) {
        if (num_parse_duration(value, &ns, e)) return -1;
        out->time_ms = (uint64_t)ns / 1000000;
        return 0;
    }
    if (num_parse_size(value, &n, e)) return -1;
    if (str_is(name, "memory"))
        out->memory = n;
    else if (str_is(name, "steps"))
        out->steps = n;
    else if (str_is(name, "output"))
        out->output = n;
    else if (str_is(name, "depth"))
        out->depth = (uint32_t)n;
    else if (str_is(name, "calls"))
        out->calls = (uint32_t)n;
    else
        return fail(e, ERR_USAGE,
                    "no limit '%.*s'; there are time, memory, steps, output, "
                    "depth, calls",
                    STR_ARG(name));
    return 0;
}

int script_limits(const char *words, struct cordon_limits *out, struct err *e) {
    str rest = str_of(words);
    while (rest.n > 0) {
        str value = str_cut(&rest, ',');
        str name = str_cut(&value, '=');
        if (!value.p)
            return fail(e, ERR_USAGE, "limit '%.*s' needs a value",
                        STR_ARG(name));
        if (set_limit(name, value, out, e))
            return fail_while(e, "--limits %.*s", STR_ARG(name));
    }
    return 0;
}

int script_patience(const struct cordon_limits *limits) {
    uint64_t ms = (limits->time_ms ? limits->time_ms : 10000) * 2 + 5000;
    return ms > INT_MAX ? INT_MAX : (int)ms;
}
