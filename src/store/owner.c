/* SPDX-License-Identifier: MIT
 *
 * owner -- who holds a lease, and whether they still live.
 *
 *     boot id / pid namespace / pid / start time / random
 *
 * A process of the same boot and the same pid namespace can be looked up: when
 * it is gone its leases are free at once, and no clock matters. Of any other
 * only the lease's time tells.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/num.h"
#include "store/inside.h"

static int boot_id(char out[64], struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(63);
    if (file_read("/proc/sys/kernel/random/boot_id", &text, e)) return -1;
    str id = str_trim(buf_str(&text));
    memcpy(out, id.p, id.n);
    out[id.n] = 0;
    return 0;
}

/* Field 22 of /proc/PID/stat; the name in field 2 may hold anything, so we
 * count from its closing bracket. */
static int start_time(uint64_t pid, uint64_t *out, struct err *e) {
    char path[64];
    AUTO_BUF struct buf text = BUF_MAX(4096);
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", pid);
    if (file_read(path, &text, e)) return -1;
    const char *p = strrchr(buf_text(&text), ')');
    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    if (!p) return fail(e, ERR_SYSTEM, "%s is not as expected", path);
    *out = strtoull(p + 1, NULL, 10);
    return 0;
}

static uint64_t pid_namespace(void) {
    struct stat st;
    return stat("/proc/self/ns/pid", &st) ? 0 : (uint64_t)st.st_ino;
}

int owner_self(char out[OWNER_SIZE], struct err *e) {
    char boot[64];
    uint64_t start = 0, random;
    uint64_t pid = (uint64_t)getpid();
    if (boot_id(boot, e) || start_time(pid, &start, e) ||
        hash_random(&random, sizeof random, e))
        return fail_while(e, "who am I");
    snprintf(out, OWNER_SIZE,
             "%s/%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%016" PRIx64, boot,
             pid_namespace(), pid, start, random);
    return 0;
}

enum owner_life owner_look(str owner) {
    char boot[64];
    uint64_t parts[3], start;
    struct err e;
    str rest = owner;
    str was = str_cut(&rest, '/');
    for (size_t i = 0; i < 3; i++)
        if (num_parse_u64(str_cut(&rest, '/'), &parts[i], &e))
            return OWNER_UNKNOWN;
    if (boot_id(boot, &e)) return OWNER_UNKNOWN;
    /* The machine was started again since: nobody of then is alive. */
    if (!str_is(was, boot)) return OWNER_DEAD;
    if (parts[0] != pid_namespace()) return OWNER_UNKNOWN;
    if (start_time(parts[1], &start, &e)) return OWNER_DEAD;
    return start == parts[2] ? OWNER_ALIVE : OWNER_DEAD;
}
