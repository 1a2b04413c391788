/* SPDX-License-Identifier: MIT
 *
 * run_labelled FILE on|strict: runs a program all of whose literals carry a
 * label. What it prints must be what it prints without. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "cordon.h"

static void print(void *user, enum cordon_stream stream, const char *text,
                  size_t len) {
    (void)user, (void)stream;
    fwrite(text, 1, len, stdout);
}

static int run(cordon_session *s, str code, const char *name) {
    struct cordon_label label = {.integrity = 1};
    int number = cordon_label_number(s, &label);
    if (number <= 0) return 2;
    cordon_label_literals(s, (cordon_label_id)number, NULL, NULL);
    enum cordon_status status = cordon_run_file(s, code.p, code.n, name);
    fflush(stdout);
    fputs(cordon_traceback(s), stderr);
    return status == CORDON_DONE ? cordon_exit_status(s) : 1;
}

int main(int argc, char **argv) {
    AUTO_BUF struct buf code = BUF_MAX((size_t)16 << 20);
    struct cordon_limits limits = {.time_ms = 60000, .memory = 512u << 20};
    struct err e;
    if (argc != 3) return 2;
    if (file_read(argv[1], &code, &e)) return 2;
    cordon_options *o = cordon_options_new();
    if (!o) return 2;
    cordon_options_limits(o, &limits);
    cordon_options_labels(o, !strcmp(argv[2], "strict") ? CORDON_LABELS_STRICT
                                                        : CORDON_LABELS_ON);
    cordon_options_print(o, print, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    int result = s ? run(s, buf_str(&code), argv[1]) : 2;
    cordon_session_free(s);
    return result;
}
