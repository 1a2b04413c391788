/* SPDX-License-Identifier: MIT
 *
 * rows: a session with 1e5 dicts as bytes and back, each with its MAC, in
 * milliseconds of processor time. Cold is the first time in a fresh process;
 * the goal for each is 10.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cordon.h"

#define PROCESSES 15
#define ROUNDS    4 /* in each; the first one is cold */

static const char make_rows[] =
    "rows = [{'id': i, 'name': 'row %d' % i, 'price': i * 1.5,\n"
    "         'ok': i % 2 == 0} for i in range(100000)]";

struct taken {
    double save, load;
    size_t bytes;
};

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct taken there_and_back(cordon_session *s, cordon_options *o) {
    static const uint8_t key[32] = "a key";
    struct taken t;
    double began = cpu_ms();
    void *bytes = cordon_snapshot(s, key, &t.bytes);
    double saved = cpu_ms();
    cordon_session *again =
        bytes ? cordon_restore(o, bytes, t.bytes, key, NULL) : NULL;
    if (!again) exit(1);
    t.save = saved - began;
    t.load = cpu_ms() - saved;
    cordon_session_free(again);
    cordon_free(bytes);
    return t;
}

static void measure(int to) {
    cordon_options *o = cordon_options_new();
    struct cordon_limits limits = {.memory = 256u << 20};
    struct taken t[ROUNDS];
    cordon_options_limits(o, &limits);
    cordon_session *s = cordon_session_new(o, NULL);
    if (!s || cordon_run(s, make_rows) != CORDON_DONE) exit(1);
    for (int i = 0; i < ROUNDS; i++)
        t[i] = there_and_back(s, o);
    exit(write(to, t, sizeof t) != (ssize_t)sizeof t);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *what, double *ms, size_t n) {
    qsort(ms, n, sizeof *ms, by_value);
    printf("%-16s median %6.2f ms, best %6.2f ms\n", what, ms[n / 2], ms[0]);
}

int main(void) {
    static struct taken all[PROCESSES][ROUNDS];
    static const char *const names[2][2] = {
        {"snapshot, cold", "restore, cold"},
        {"snapshot, warm", "restore, warm"}};
    for (int i = 0; i < PROCESSES; i++) {
        int ends[2], status;
        if (pipe(ends)) return 1;
        pid_t pid = fork();
        if (pid == 0) measure(ends[1]);
        close(ends[1]);
        if (pid < 0 ||
            read(ends[0], all[i], sizeof all[i]) != (ssize_t)sizeof all[i])
            return 1;
        close(ends[0]);
        waitpid(pid, &status, 0);
    }
    for (int warm = 0; warm < 2; warm++) {
        double save[PROCESSES], load[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) {
            save[i] = all[i][warm ? ROUNDS - 1 : 0].save;
            load[i] = all[i][warm ? ROUNDS - 1 : 0].load;
        }
        report(names[warm][0], save, PROCESSES);
        report(names[warm][1], load, PROCESSES);
    }
    printf("%zu bytes\n", all[0][0].bytes);
    return 0;
}
