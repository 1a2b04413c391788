/* SPDX-License-Identifier: MIT
 *
 * Landlock: a second opinion on every path, on TCP, signals and abstract
 * sockets.
 *
 * In a container the mounts already say what exists; here the same is said
 * again by a mechanism that shares no code with them. In tier process these
 * rules are what keeps the host's files shut. Each kernel knows the rights up
 * to its ABI number; all that it knows are used.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/plan.h"

/* Rights and fields newer than the headers may be. */
#define FS_REFER     (1ull << 13) /* ABI 2 */
#define FS_TRUNCATE  (1ull << 14) /* ABI 3 */
#define NET_BIND     (1ull << 0)  /* ABI 4 */
#define NET_CONNECT  (1ull << 1)  /* ABI 4 */
#define FS_IOCTL_DEV (1ull << 15) /* ABI 5 */
#define SCOPE_ALL    3ull         /* ABI 6: abstract sockets, signals */

#define FS_ABI1 0x1fffull

#define FS_READ                                                  \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
     LANDLOCK_ACCESS_FS_READ_DIR)
/* Devices can be made nowhere, whatever else may be written. */
#define FS_NEVER (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)
/* What makes sense for something that is not a directory. */
#define FS_OF_FILES                                              \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
     LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define FS_DEVICE (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE)

enum { RULE_PATH = 1, RULE_PORT = 2 };

struct ruleset {
    uint64_t fs, net, scoped;
};

struct port_rule {
    uint64_t allowed, port;
};

int landlock_abi(void) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

static uint64_t known_fs(int abi) {
    uint64_t fs = FS_ABI1;
    if (abi >= 2) fs |= FS_REFER;
    if (abi >= 3) fs |= FS_TRUNCATE;
    if (abi >= 5) fs |= FS_IOCTL_DEV;
    return fs;
}

/* The kernel refuses a structure longer than it knows unless the rest is
 * zero; giving the length it knows is clearer. */
static int create(int abi, bool loopback, struct err *e) {
    struct ruleset r = {.fs = known_fs(abi)};
    size_t size = sizeof r.fs;
    if (abi >= 4) {
        size += sizeof r.net;
        if (!loopback) r.net = NET_BIND | NET_CONNECT;
    }
    if (abi >= 6) {
        size += sizeof r.scoped;
        r.scoped = SCOPE_ALL;
    }
    int fd = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);
    return fd < 0 ? fail_sys(e, "create ruleset") : fd;
}

struct rules {
    int fd;
    uint64_t known;
};

/* A path that is not there needs no rule. */
static int allow(const struct rules *r, const char *path, uint64_t rights,
                 struct err *e) {
    AUTO_FD int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return 0;
    if (fd < 0) return fail_sys(e, "%s", path);
    struct stat st;
    if (fstat(fd, &st) < 0) return fail_sys(e, "%s", path);
    if (!S_ISDIR(st.st_mode)) rights &= FS_OF_FILES;
    struct landlock_path_beneath_attr rule = {
        .allowed_access = rights & r->known,
        .parent_fd = fd,
    };
    if (syscall(SYS_landlock_add_rule, r->fd, RULE_PATH, &rule, 0) < 0)
        return fail_sys(e, "rule for %s", path);
    return 0;
}

static int allow_host(const struct rules *r, struct err *e) {
    static const char *const paths[] = {
#define SYSTEM(path) path,
#define DEVICE(path)
#define WRITTEN(path, text) path,
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
        "/proc",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (allow(r, paths[i], FS_READ, e)) return -1;
    return 0;
}

static int allow_devices(const struct rules *r, struct err *e) {
    static const char *const paths[] = {
#define SYSTEM(path)
#define DEVICE(path) path,
#define WRITTEN(path, text)
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (allow(r, paths[i], FS_DEVICE, e)) return -1;
    return 0;
}

static int allow_binds(const struct rules *r, const struct cage *c,
                       struct err *e) {
    for (size_t i = 0; i < c->bind_count; i++) {
        bool ro = c->binds[i].kind == BIND_RO;
        uint64_t rights = ro ? FS_READ : r->known & ~FS_NEVER;
        if (allow(r, c->binds[i].to, rights, e)) return -1;
    }
    return 0;
}

static int allow_proxy(const struct rules *r, struct err *e) {
    struct port_rule rule = {NET_CONNECT, PROXY_PORT};
    if (syscall(SYS_landlock_add_rule, r->fd, RULE_PORT, &rule, 0) < 0)
        return fail_sys(e, "rule for the proxy's port");
    return 0;
}

static int add_rules(const struct rules *r, const struct plan *p,
                     struct err *e) {
    const struct cage *c = p->cage;
    /* Everything in a fresh root was put there for the task. */
    int rc = plan_has(p, LAYER_ROOT)
                 ? allow(r, "/", FS_READ, e) || allow(r, "/dev", FS_DEVICE, e)
                 : allow_host(r, e) || allow_devices(r, e);
    if (rc || allow_binds(r, c, e)) return -1;
    if (c->kvm && allow(r, "/dev/kvm", FS_DEVICE | FS_IOCTL_DEV, e)) return -1;
    /* Without a mount namespace /tmp is everybody's: then there is none. */
    if (plan_has(p, LAYER_NAMESPACES) &&
        allow(r, "/tmp", r->known & ~FS_NEVER, e))
        return -1;
    if (c->net == NET_EGRESS && p->landlock_abi >= 4 && allow_proxy(r, e))
        return -1;
    return 0;
}

int landlock_apply(const struct plan *p, struct err *e) {
    bool loopback = p->cage->net == NET_LOOPBACK;
    AUTO_FD int fd = create(p->landlock_abi, loopback, e);
    if (fd < 0) return -1;
    struct rules rules = {fd, known_fs(p->landlock_abi)};
    if (add_rules(&rules, p, e)) return -1;
    if (syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return fail_sys(e, "restrict");
    return 0;
}

int landlock_read_only(const char *path, struct err *e) {
    int abi = landlock_abi();
    AUTO_FD int fd = create(abi, true, e);
    if (fd < 0) return -1;
    struct rules rules = {fd, known_fs(abi)};
    if (allow(&rules, path, FS_READ & ~LANDLOCK_ACCESS_FS_EXECUTE, e))
        return -1;
    if (syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return fail_sys(e, "restrict");
    return 0;
}
