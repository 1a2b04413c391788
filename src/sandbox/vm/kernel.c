/* SPDX-License-Identifier: MIT
 *
 * The kernel as Firecracker wants it. A distribution's is compressed, with the
 * program that unpacks it in front; its head says where (boot protocol 2.08).
 * What it is compressed with varies, so the host's programs unpack it, in a
 * container.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "sandbox/vm/firecracker.h"

#define KERNEL_BYTES ((size_t)64 << 20)
#define PLAIN_BYTES  ((size_t)256 << 20)

/* Those who pack it add its length, which an unpacker finds strange; whether it
 * is whole shows in the result. */
static const char script[] =
    "case $(od -An -N4 -tx1 /packed | tr -d ' ') in\n"
    "1f8b*) p=gzip;; fd377a58) p=xz;; 28b52ffd) p=zstd;;\n"
    "02214c18) p=lz4;; 425a68*) p=bzip2;; 5d0000*) p=lzma;;\n"
    "*) echo 'packed in a way that is not known' >&2; exit 1;; esac\n"
    "command -v $p >/dev/null || { echo \"no program $p\" >&2; exit 1; }\n"
    "$p -dc </packed >/tmp/" VM_KERNEL " 2>/dev/null; true\n";

static uint32_t number(str s, size_t at) {
    const uint8_t *p = (const uint8_t *)s.p + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static int find_packed(str image, str *out, struct err *e) {
    enum { HEAD = 0x250, SECTS = 0x1f1, OFFSET = 0x248, LENGTH = 0x24c };
    if (image.n < HEAD || memcmp(image.p + 0x202, "HdrS", 4) != 0)
        return fail(e, ERR_INVALID, "it is no kernel of this kind");
    unsigned sects = (uint8_t)image.p[SECTS] ? (uint8_t)image.p[SECTS] : 4;
    uint64_t from = (sects + 1) * 512ull + number(image, OFFSET);
    uint64_t n = number(image, LENGTH);
    if (n == 0 || from > image.n || n > image.n - from)
        return fail(e, ERR_INVALID, "its head points outside of it");
    *out = str_sub(image, (size_t)from, (size_t)(from + n));
    return 0;
}

static int unpack(const char *packed, uint32_t may_miss, struct buf *plain,
                  struct err *e) {
    static const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    struct cage c;
    struct jail *j = NULL;
    struct cage_result r = {.code = -1};
    cage_init(&c, &arena);
    char *bind = arena_printf(&arena, e, "%s:/packed", packed);
    c.argv = argv;
    c.may_miss = may_miss;
    c.keep_scratch = true;
    c.limits.scratch = c.limits.file_size = PLAIN_BYTES;
    c.limits.memory = 2 * PLAIN_BYTES;
    if (!bind || cage_add_bind(&c, BIND_RO, str_of(bind), e) ||
        jail_start(&c, &JAIL_IO_KEEP, &j, e))
        return -1;
    int rc = jail_wait(j, e);
    if (!rc) {
        jail_result_take(j, &r);
        if (r.code != 0)
            rc = fail(e, ERR_UNSUPPORTED, "%.200s", buf_text(&r.err.kept));
        cage_result_fini(&r);
    }
    if (!rc) rc = collect_file(jail_scratch(j), VM_KERNEL, plain, e);
    jail_free(j);
    return rc;
}

static int make_plain(str packed, uint32_t may_miss, const char *path,
                      struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(PLAIN_BYTES);
    if (file_replace(path, packed, 0644, e) ||
        unpack(path, may_miss, &plain, e))
        return -1;
    if (plain.len < 64 || memcmp(plain.data, "\177ELF", 4) != 0)
        return fail(e, ERR_INVALID, "what it unpacks to is no program");
    return file_replace(path, buf_str(&plain), 0644, e);
}

int fc_kernel(const struct vm_parts *p, uint32_t may_miss, const char *path,
              struct err *e) {
    AUTO_BUF struct buf image = BUF_MAX(KERNEL_BYTES);
    str packed;
    if (file_read(p->kernel, &image, e)) return -1;
    if (find_packed(buf_str(&image), &packed, e) ||
        make_plain(packed, may_miss, path, e))
        return fail_while(e, "%s", p->kernel);
    return 0;
}
