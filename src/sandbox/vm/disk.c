/* SPDX-License-Identifier: MIT
 *
 * The read-only disk of a machine: the host's Python with its modules and the
 * libraries they need, as an ext4 image that mke2fs fills in a container. Made
 * once and kept in the cache, under a name made of what it depends on.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/dirs.h"
#include "base/file.h"
#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "sandbox/vm/vm.h"

#define DISK_BYTES ((uint64_t)2 << 30)

/* Links stay links where they are Python's own; a library is copied as the
 * name it is looked up by. What a package manager keeps beside is left out. */
static const char script[] =
    "set -e; export PATH=/usr/sbin:/usr/bin:/bin; S=/tmp/s; mkdir -p $S; cd /\n"
    "into() { tar -c \"$@\" | tar -C $S -x --no-same-owner; }\n"
    "into $(ls -d usr/bin/python3* usr/lib/python3 usr/lib/python3.[0-9]*"
    " usr/share/zoneinfo 2>/dev/null)\n"
    "find usr/lib/python3* -name '*.so*' -type f >/tmp/so\n"
    "xargs ldd usr/bin/python3 </tmp/so 2>/dev/null |"
    " grep -o '/[^ ]* (0x' | sed 's/ (0x//; s,^/lib,/usr/lib,; s,^/,,' |"
    " sort -u >/tmp/libraries\n"
    "into -h -T /tmp/libraries\n"
    "K=$(du -sk $S | cut -f1)\n"
    "mke2fs -q -t ext4 -O ^has_journal -m 0 -E root_owner=0:0 -d $S /tmp/disk"
    " $((K + K / 4 + 16384))k\n";

bool vm_disk_wanted(void) {
    return access("/usr/bin/python3", X_OK) == 0 &&
           access("/usr/sbin/mke2fs", X_OK) == 0;
}

static int build(uint32_t may_miss, const char *path, struct err *e) {
    static const char *const argv[] = {"/bin/bash", "-c", script, NULL};
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    struct cage c;
    struct jail *j = NULL;
    cage_init(&c, &arena);
    c.argv = argv;
    c.may_miss = may_miss;
    c.keep_scratch = true;
    c.limits.memory = c.limits.scratch = c.limits.file_size = DISK_BYTES;
    c.limits.inodes = 200000;
    c.limits.wall = 300000000000;
    if (jail_start(&c, &JAIL_IO_KEEP, &j, e)) return -1;
    struct cage_result r = {.code = -1};
    AUTO_BUF struct buf disk = BUF_MAX(DISK_BYTES);
    int rc = jail_wait(j, e);
    if (!rc) {
        jail_result_take(j, &r);
        if (r.code != 0)
            rc = fail(e, ERR_SYSTEM, "%.300s", buf_text(&r.err.kept));
        cage_result_fini(&r);
    }
    if (!rc) rc = collect_file(jail_scratch(j), "disk", &disk, e);
    jail_free(j);
    return rc ? rc : file_replace(path, buf_str(&disk), 0644, e);
}

/* It changes with the packages it is made of. */
static int disk_name(struct buf *out, struct err *e) {
    struct stat st = {0};
    char text[96];
    uint8_t digest[CRYPTO_SHA256];
    (void)stat("/var/lib/dpkg/status", &st);
    int n =
        snprintf(text, sizeof text, "%lld %lld %lld", (long long)st.st_size,
                 (long long)st.st_mtim.tv_sec, (long long)st.st_mtim.tv_nsec);
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    int rc = sha256_add(h, (str){text, (size_t)n}, e) ||
             sha256_add(h, str_of(script), e) || sha256_end(h, digest, e);
    sha256_free(h);
    if (rc || dirs_path(DIRS_CACHE, "microvm", out, e) ||
        file_make_dirs(buf_text(out), 0700, e) ||
        buf_add_text(out, "/disk-", e))
        return -1;
    return hex_encode((str){(const char *)digest, 8}, out, e);
}

int vm_disk(uint32_t may_miss, const char *folder, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    char place[PATH_MAX];
    if (disk_name(&path, e)) return fail_while(e, "disk");
    if (!file_exists(buf_text(&path)) && build(may_miss, buf_text(&path), e))
        return fail_while(e, "disk");
    snprintf(place, sizeof place, "%s/" VM_DISK, folder);
    if (link(buf_text(&path), place) < 0) return fail_sys(e, "%s", place);
    return 0;
}
