/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target over the files of a folder, without a fuzzer:
 * replay_json [FOLDER]. A target that does not come back is stopped.
 */
#include "fuzz.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX ((size_t)16 << 20)
#define TIMEOUT_S 100

/* Each input is handed over in memory of exactly its size, so that a read past
 * its end is seen. */
static int replay(int folder, const char *name, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(INPUT_MAX);
    if (file_read_at(folder, name, &b, e)) return -1;
    AUTO_MEM void *exact = mem_alloc(b.len, e);
    if (!exact) return -1;
    memcpy(exact, buf_text(&b), b.len);
    size_t live = mem_live();
    LLVMFuzzerTestOneInput(exact, b.len);
    if (mem_live() != live)
        return fail(e, ERR_INTERNAL, "%s: leaks %zu allocations", name,
                    mem_live() - live);
    return 0;
}

static int replay_all(DIR *d, int *count, struct err *e) {
    for (struct dirent *f; (f = readdir(d));) {
        if (f->d_name[0] == '.') continue;
        printf("# %s\n", f->d_name);
        fflush(stdout);
        if (replay(dirfd(d), f->d_name, e)) return -1;
        ++*count;
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *name = strrchr(argv[0], '/');
    name = name ? name + 1 : argv[0];
    name += strcspn(name, "_") + (strchr(name, '_') != NULL);
    char folder[256];
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
    DIR *d = opendir(argc > 1 ? argv[1] : folder);
    if (!d) {
        printf("not ok 1 - no corpus %s\n1..1\n", folder);
        return 1;
    }
    alarm(TIMEOUT_S);
    struct err e;
    int count = 0;
    int result = replay_all(d, &count, &e);
    closedir(d);
    if (result) printf("# %s\n", e.text);
    bool passed = result == 0 && count > 0;
    printf("%s 1 - %d inputs\n1..1\n", passed ? "ok" : "not ok", count);
    return passed ? 0 : 1;
}
