/* SPDX-License-Identifier: MIT
 *
 * The initramfs of a machine: a cpio archive ("newc") of our first program,
 * its drivers, and a few programs of the host with their libraries.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "sandbox/jail.h"
#include "sandbox/vm/vm.h"

#define IMAGE_BYTES ((size_t)256 << 20)
#define FILE_BYTES  ((size_t)64 << 20)

static const char *const program_names[] = {
#define PROGRAM(name) name,
#include "sandbox/vm/programs.def"
#undef PROGRAM
};
enum { PROGRAMS = sizeof program_names / sizeof program_names[0] };

static const char *const modules[][2] = {
    {"virtio", "drivers/virtio/virtio.ko"},
    {"virtio_ring", "drivers/virtio/virtio_ring.ko"},
    {"virtio_mmio", "drivers/virtio/virtio_mmio.ko"},
    {"virtio_console", "drivers/char/virtio_console.ko"},
    {"virtio_blk", "drivers/block/virtio_blk.ko"},
    {"overlay", "fs/overlayfs/overlay.ko"},
};

/* Of machines that are reached by a socket. */
static const char *const socket_modules[][2] = {
    {"vsock", "net/vmw_vsock/vsock.ko"},
    {"vsock_common", "net/vmw_vsock/vmw_vsock_virtio_transport_common.ko"},
    {"vsock_virtio", "net/vmw_vsock/vmw_vsock_virtio_transport.ko"},
};

/* --- the archive --- */

struct archive {
    struct buf out;
    uint32_t inode;
};

static int pad(struct archive *a, struct err *e) {
    while (a->out.len % 4)
        if (buf_add_char(&a->out, 0, e)) return -1;
    return 0;
}

/* name without a slash in front. */
static int add(struct archive *a, const char *name, unsigned mode, str data,
               struct err *e) {
    size_t n = strlen(name) + 1;
    unsigned links = S_ISDIR(mode) ? 2 : 1;
    if (buf_addf(&a->out, e,
                 "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X",
                 ++a->inode, mode, 0u, 0u, links, 0u, data.n, 0u, 0u, 0u, 0u, n,
                 0u) ||
        buf_add(&a->out, name, n, e) || pad(a, e) ||
        buf_add_str(&a->out, data, e) || pad(a, e))
        return fail_while(e, "%s", name);
    return 0;
}

static int add_file(struct archive *a, const char *name, const char *from,
                    unsigned mode, struct err *e) {
    AUTO_BUF struct buf data = BUF_MAX(FILE_BYTES);
    if (file_read(from, &data, e)) return -1;
    return add(a, name, S_IFREG | mode, buf_str(&data), e);
}

/* --- what goes in --- */

static int add_places(struct archive *a, struct err *e) {
    static const char *const dirs[] = {"usr",     "usr/bin",      "usr/lib",
                                       "etc",     "etc/ssl",      "usr/lib64",
                                       "modules", "etc/ssl/certs"};
    static const char *const links[][2] = {{"bin", "usr/bin"},
                                           {"sbin", "usr/bin"},
                                           {"lib", "usr/lib"},
                                           {"lib64", "usr/lib64"}};
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++)
        if (add(a, dirs[i], S_IFDIR | 0755, STR(""), e)) return -1;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (add(a, links[i][0], S_IFLNK | 0777, str_of(links[i][1]), e))
            return -1;
    if (file_exists(VM_CERTIFICATES) &&
        add_file(a, &VM_CERTIFICATES[1], VM_CERTIFICATES, 0644, e))
        return -1;
    return add(a, "etc/passwd", S_IFREG | 0644,
               STR("sandbox:x:1000:1000::/tmp:/bin/sh\n"), e) ||
                   add(a, "etc/group", S_IFREG | 0644, STR("sandbox:x:1000:\n"),
                       e)
               ? -1
               : 0;
}

static int add_module(struct archive *a, const struct vm_parts *p,
                      const char *const module[2], struct err *e) {
    char from[512], name[64];
    snprintf(from, sizeof from, "/lib/modules/%s/kernel/%s", p->release,
             module[1]);
    snprintf(name, sizeof name, "modules/%s.ko", module[0]);
    /* A kernel that has it built in has no file. */
    return file_exists(from) ? add_file(a, name, from, 0644, e) : 0;
}

static int add_modules(struct archive *a, const struct vm_parts *p,
                       struct err *e) {
    enum { SOCKET = sizeof socket_modules / sizeof socket_modules[0] };
    size_t more = p->monitor == VM_FIRECRACKER ? SOCKET : 0;
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        if (add_module(a, p, modules[i], e)) return -1;
    for (size_t i = 0; i < more; i++)
        if (add_module(a, p, socket_modules[i], e)) return -1;
    return 0;
}

/* What the loader would load, asked of ldd in a container: "name => /path
 * (address)" or "/path (address)" a line. */
static int list_libraries(const char *const *programs, uint32_t may_miss,
                          struct buf *out, struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    const char *argv[PROGRAMS + 2] = {"ldd"};
    for (size_t i = 0; programs[i]; i++)
        argv[i + 1] = programs[i];
    struct cage c;
    struct cage_result r;
    cage_init(&c, &arena);
    c.argv = argv;
    c.may_miss = may_miss;
    if (jail_run(&c, &JAIL_IO_KEEP, &r, e)) return fail_while(e, "ldd");
    int rc = buf_add_str(out, buf_str(&r.out.kept), e);
    cage_result_fini(&r);
    return rc;
}

/* As deep as a library's folder can lie. */
static int add_parents(struct archive *a, const char *path, struct err *e) {
    char part[256];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        int n = snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (n < 0 || (size_t)n >= sizeof part)
            return fail(e, ERR_LIMIT, "path %s", path);
        if (add(a, part, S_IFDIR | 0755, STR(""), e)) return -1;
    }
    return 0;
}

/* Where the system's folders are links into /usr, names in there are the same.
 */
static int add_library(struct archive *a, str path, struct err *e) {
    char from[256], name[264];
    int n = snprintf(from, sizeof from, "%.*s", STR_ARG(path));
    if (n < 0 || (size_t)n >= sizeof from) return 0;
    bool in_usr = strncmp(from, "/usr/", 5) == 0;
    snprintf(name, sizeof name, "%s%s", in_usr ? "" : "usr", from + in_usr);
    if (add_parents(a, name, e)) return -1;
    return add_file(a, name, from, 0755, e);
}

static bool seen_before(str text, str path) {
    return path.p > text.p &&
           str_find((str){text.p, (size_t)(path.p - text.p)}, path) >= 0;
}

static int add_libraries(struct archive *a, str listing, struct err *e) {
    str all = listing;
    while (listing.n) {
        str line = str_trim(str_cut(&listing, '\n'));
        ptrdiff_t slash = str_find_char(line, '/');
        ptrdiff_t open = str_find(line, STR(" (0x"));
        if (slash < 0 || open < slash) continue;
        str path = str_sub(line, (size_t)slash, (size_t)open);
        if (!seen_before(all, path) && add_library(a, path, e)) return -1;
    }
    return 0;
}

static int add_programs(struct archive *a, uint32_t may_miss, struct err *e) {
    AUTO_BUF struct buf libraries = BUF_MAX(1 << 20);
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    const char *found[PROGRAMS + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        char *from = arena_printf(&arena, e, "/usr/bin/%s", program_names[i]);
        if (!from) return -1;
        if (!file_exists(from)) continue;
        if (add_file(a, from + 1, from, 0755, e)) return -1;
        found[count++] = from;
    }
    if (list_libraries(found, may_miss, &libraries, e)) return -1;
    return add_libraries(a, buf_str(&libraries), e);
}

int vm_image(const struct vm_parts *p, uint32_t may_miss, const char *path,
             struct err *e) {
    struct archive a = {.out = BUF_MAX(IMAGE_BYTES)};
    int rc = add_places(&a, e) || add_modules(&a, p, e) ||
                     add_programs(&a, may_miss, e) ||
                     add_file(&a, "init", p->guest, 0755, e) ||
                     add(&a, "TRAILER!!!", 0, STR(""), e)
                 ? -1
                 : file_replace(path, buf_str(&a.out), 0644, e);
    buf_fini(&a.out);
    return rc ? fail_while(e, "initramfs") : 0;
}
