/* SPDX-License-Identifier: MIT
 *
 * hostile MILLISECONDS MEBIBYTES FILE: runs a program under these limits in a
 * session of its own and prints what it took: processor time in milliseconds,
 * and by how many KiB the process grew at most. Then the session must still be
 * able to add two numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "cordon.h"

/* A line of /proc/self/status in KiB. */
static long status_kib(const char *word) {
    char line[256];
    long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, word, strlen(word)) == 0)
            kib = strtol(line + strlen(word), NULL, 10);
    if (f) fclose(f);
    return kib;
}

static bool usable(cordon_session *s) {
    if (cordon_run(s, "1 + 1") != CORDON_DONE) return false;
    const char *two = cordon_result_json(s);
    return two && strcmp(two, "2") == 0;
}

static enum cordon_status run(cordon_session *s, str code) {
    enum cordon_status status = cordon_run_file(s, code.p, code.n, "hostile");
    while (status == CORDON_CALL)
        status = cordon_resume_error(s, NULL, "nobody is here");
    return status;
}

static int measure(const char *time, const char *memory, str code) {
    struct cordon_limits limits = {
        .time_ms = strtoul(time, NULL, 10),
        .memory = strtoul(memory, NULL, 10) << 20,
        .steps = (uint64_t)1 << 50, /* time is to decide */
    };
    cordon_options *o = cordon_options_new();
    cordon_options_limits(o, &limits);
    cordon_session *s = cordon_session_new(o, NULL);
    if (!s || !usable(s)) return 2;
    long before = status_kib("VmRSS:");
    int64_t began = clock_cpu_ns();
    enum cordon_status status = run(s, code);
    int64_t took = clock_cpu_ns() - began;
    long grown = status_kib("VmHWM:") - before;
    printf("status %d ms %lld kib %ld usable %d\n", (int)status,
           (long long)took / 1000000, grown, usable(s));
    cordon_session_free(s);
    cordon_options_free(o);
    return status == CORDON_FAILED;
}

int main(int argc, char **argv) {
    struct err e;
    AUTO_BUF struct buf code = BUF_MAX((size_t)64 << 20);
    if (argc != 4) return 2;
    if (file_read(argv[3], &code, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 2;
    }
    return measure(argv[1], argv[2], buf_str(&code));
}
