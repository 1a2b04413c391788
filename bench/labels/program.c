/* SPDX-License-Identifier: MIT
 *
 * program FILE [on]: runs a Python program in this process, so that valgrind
 * can count its instructions; what it prints is dropped. Labels are off unless
 * asked for.
 */
#include <stdio.h>

#include "base/buf.h"
#include "base/file.h"
#include "cordon.h"

static void drop(void *user, enum cordon_stream stream, const char *text,
                 size_t len) {
    (void)user, (void)stream, (void)text, (void)len;
}

int main(int argc, char **argv) {
    AUTO_BUF struct buf code = BUF_MAX((size_t)16 << 20);
    struct cordon_limits limits = {
        .time_ms = 600000, .memory = (size_t)1 << 30, .steps = 100000000000};
    struct err e;
    if (argc < 2 || file_read(argv[1], &code, &e)) return 2;
    cordon_options *o = cordon_options_new();
    if (!o) return 2;
    cordon_options_limits(o, &limits);
    cordon_options_print(o, drop, NULL);
    if (argc > 2) cordon_options_labels(o, CORDON_LABELS_ON);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    if (!s) return 2;
    str text = buf_str(&code);
    enum cordon_status status = cordon_run_file(s, text.p, text.n, argv[1]);
    fputs(cordon_traceback(s), stderr);
    cordon_session_free(s);
    return status == CORDON_DONE ? 0 : 1;
}
