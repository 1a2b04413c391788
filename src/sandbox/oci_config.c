/* SPDX-License-Identifier: MIT
 *
 * A cage as an OCI runtime configuration.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/oci.h"
#include "sandbox/plan.h"
#include "sandbox/start.h"

static void put_limit(struct jw *w, const char *type, uint64_t value) {
    jw_object(w);
    jw_put_text(w, "type", str_of(type));
    jw_put_int(w, "hard", (int64_t)value);
    jw_put_int(w, "soft", (int64_t)value);
    jw_end_object(w);
}

/* As in rlimits.c, where nothing counts the task as a whole. */
static void put_stand_in(struct jw *w, const struct cage *c,
                         const struct oci *o) {
    enum { HEAP = 128 << 20 }; /* of a runtime that is large */
    if (o->kind->large)
        put_limit(w, "RLIMIT_DATA", c->limits.memory + HEAP);
    else
        put_limit(w, "RLIMIT_AS", c->limits.memory);
    put_limit(w, "RLIMIT_CPU", c->limits.wall / 1000000000 + 1);
}

static void write_process(const struct cage *c, const struct oci *o,
                          struct jw *w) {
    jw_key(w, "process");
    jw_object(w);
    jw_put_bool(w, "terminal", false);
    jw_put_bool(w, "noNewPrivileges", true);
    jw_key(w, "user");
    jw_object(w);
    /* Where there is one id to map, runtimes want it to be 0. */
    jw_put_int(w, "uid", oci_user(o));
    jw_put_int(w, "gid", oci_user(o));
    jw_end_object(w);
    jw_key(w, "args");
    jw_array(w);
    for (size_t i = 0; c->argv[i]; i++)
        jw_text(w, str_of(c->argv[i]));
    jw_end_array(w);
    const char *env[CAGE_MAX_ENV + PROXY_ENV + 1];
    start_env(c, env);
    jw_key(w, "env");
    jw_array(w);
    for (size_t i = 0; env[i]; i++)
        jw_text(w, str_of(env[i]));
    jw_end_array(w);
    jw_put_text(w, "cwd", str_of(c->cwd ? c->cwd : "/tmp"));
    jw_key(w, "capabilities"); /* none */
    jw_object(w);
    jw_end_object(w);
    jw_key(w, "rlimits");
    jw_array(w);
    put_limit(w, "RLIMIT_NOFILE", c->limits.files);
    put_limit(w, "RLIMIT_FSIZE", c->limits.file_size);
    put_limit(w, "RLIMIT_NPROC", c->limits.pids);
    put_limit(w, "RLIMIT_CORE", 0);
    put_limit(w, "RLIMIT_MEMLOCK", 64 << 10);
    if (!o->counted) put_stand_in(w, c, o);
    jw_end_array(w);
    jw_end_object(w);
}

static void put_mount(struct jw *w, const char *type, const char *from,
                      const char *to, const char *const *options) {
    jw_object(w);
    jw_put_text(w, "type", str_of(type));
    jw_put_text(w, "source", str_of(from));
    jw_put_text(w, "destination", str_of(to));
    jw_key(w, "options");
    jw_array(w);
    for (; *options; options++)
        jw_text(w, str_of(*options));
    jw_end_array(w);
    jw_end_object(w);
}

static void put_bind(struct jw *w, const char *from, const char *to, bool ro) {
    const char *const options[] = {"rbind", "nosuid", "nodev", ro ? "ro" : "rw",
                                   NULL};
    put_mount(w, "bind", from, to, options);
}

/* The same parts of the host that a container of ours has; what is a symlink
 * there is made in the root directory (oci.c). */
static void put_system(struct jw *w) {
    static const char *const paths[] = {
#define SYSTEM(path) path,
#define DEVICE(path)
#define WRITTEN(path, text)
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
    };
    char link[8];
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (access(paths[i], F_OK) == 0 &&
            readlink(paths[i], link, sizeof link) < 0)
            put_bind(w, paths[i], paths[i], true);
}

/* They lie in the bundle: see place_trees in oci_space.c. */
static void put_binds(const struct cage *c, const struct oci *o, struct jw *w) {
    for (size_t i = 0; i < c->bind_count; i++) {
        char place[96];
        const struct cage_bind *b = &c->binds[i];
        snprintf(place, sizeof place, "%s/binds/%zu", o->dir.path, i);
        put_bind(w, place, b->to, b->kind == BIND_RO);
    }
}

static void write_mounts(const struct cage *c, const struct oci *o,
                         struct jw *w) {
    static const char *const proc[] = {"nosuid", "noexec", "nodev", NULL};
    static const char *const dev[] = {"nosuid", "mode=755", "size=64k", NULL};
    static const char *const shm[] = {"nosuid", "nodev", "ro", NULL};
    char size[40], inodes[40], scratch[96];
    snprintf(scratch, sizeof scratch, "%s/scratch", o->dir.path);
    snprintf(size, sizeof size, "size=%llu",
             (unsigned long long)c->limits.scratch);
    snprintf(inodes, sizeof inodes, "nr_inodes=%llu",
             (unsigned long long)c->limits.inodes);
    const char *const tmp[] = {"nosuid", "nodev", "mode=1777",
                               size,     inodes,  NULL};
    jw_key(w, "mounts");
    jw_array(w);
    put_mount(w, "proc", "proc", "/proc", proc);
    put_mount(w, "tmpfs", "tmpfs", "/dev", dev);
    if (oci_own_scratch(c))
        put_bind(w, scratch, "/tmp", false);
    else
        put_mount(w, "tmpfs", "tmpfs", "/tmp", tmp);
    /* gVisor puts one of its own there unless the bundle has one, and heeds no
     * size: it is there to be seen, not to be written. */
    if (o->kind->tier == TIER_GVISOR)
        put_mount(w, "tmpfs", "tmpfs", "/dev/shm", shm);
    char trusted[96];
    snprintf(trusted, sizeof trusted, "%s/" OCI_TRUSTED, o->dir.path);
    if (start_has_authority(c)) put_bind(w, trusted, VIEW_TRUSTED, true);
    if (!c->root) put_system(w);
    put_binds(c, o, w);
    jw_end_array(w);
}

static void put_names(struct jw *w, const char *key, const char *const *names) {
    jw_key(w, key);
    jw_array(w);
    for (; *names; names++)
        jw_text(w, str_of(*names));
    jw_end_array(w);
}

/* Of the namespace the runtime is in, which has no more than these. */
static void put_map(struct jw *w, const char *key, const struct oci *o) {
    jw_key(w, key);
    jw_array(w);
    jw_object(w);
    jw_put_int(w, "containerID", 0);
    jw_put_int(w, "hostID", o->kind->whole ? o->outside : 0);
    jw_put_int(w, "size", oci_ids(o));
    jw_end_object(w);
    jw_end_array(w);
}

/* A rule of the list: these calls, if the argument masked is zero. */
static void put_unless(struct jw *w, const char *name, unsigned arg,
                       unsigned mask) {
    jw_object(w);
    jw_put_text(w, "action", STR("SCMP_ACT_ALLOW"));
    jw_key(w, "names");
    jw_array(w);
    jw_text(w, str_of(name));
    jw_end_array(w);
    jw_key(w, "args");
    jw_array(w);
    jw_object(w);
    jw_put_int(w, "index", arg);
    jw_put_int(w, "value", mask);
    jw_put_int(w, "valueTwo", 0);
    jw_put_text(w, "op", STR("SCMP_CMP_MASKED_EQ"));
    jw_end_object(w);
    jw_end_array(w);
    jw_end_object(w);
}

/* Where files stay none is set-id, as in seccomp.c. */
static void put_modes(struct jw *w) {
    enum { SET_ID = S_ISUID | S_ISGID };
    enum { MAKES = O_CREAT | (O_TMPFILE & ~O_DIRECTORY) };
    static const struct {
        const char *name;
        unsigned arg, mask;
    } rules[] = {
        {"creat", 1, SET_ID},     {"chmod", 1, SET_ID},
        {"fchmod", 1, SET_ID},    {"fchmodat", 2, SET_ID},
        {"fchmodat2", 2, SET_ID}, {"open", 1, MAKES},
        {"open", 2, SET_ID},      {"openat", 2, MAKES},
        {"openat", 3, SET_ID},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        put_unless(w, rules[i].name, rules[i].arg, rules[i].mask);
    jw_raw(w, STR("{\"names\":[\"openat2\"],\"action\":\"SCMP_ACT_ERRNO\","
                  "\"errnoRet\":38}"));
}

#define NOT_MPTCP "{\"index\":2,\"value\":262,\"op\":\"SCMP_CMP_NE\"}"

/* The list of seccomp.c as far as names go: calls that need a look at their
 * arguments are allowed only in the forms written here. */
static void write_seccomp(const struct cage *c, const struct oci *o,
                          struct jw *w) {
    bool stays = cage_has_bind(c, BIND_RW);
    enum { ALLOW, REPORT, REFUSE, ABSENT, IPC, MODE, CHECKED };
    enum { OPEN = MODE, OPENAT = MODE, MODEAT = MODE, HOW = MODE };
    enum { CLONE = CHECKED, SOCKET = CHECKED, PAIR = ALLOW, IOCTL = ALLOW };
    enum { PERSONALITY = REFUSE, LISTENER = REFUSE, NODE = REFUSE };
    enum { NODEAT = REFUSE };
    static const struct {
        int action;
        const char *name;
    } table[] = {
#define SYS(name, action) {action, #name},
#include "sandbox/syscalls.def"
#undef SYS
    };
    jw_key(w, "seccomp");
    jw_object(w);
    jw_put_text(w, "defaultAction", STR("SCMP_ACT_ERRNO"));
    char told[96];
    snprintf(told, sizeof told, "%s/" OCI_REFUSED, o->dir.path);
    if (o->kind->tells) jw_put_text(w, "listenerPath", str_of(told));
    jw_key(w, "syscalls");
    jw_array(w);
    jw_object(w);
    jw_put_text(w, "action", STR("SCMP_ACT_ALLOW"));
    jw_key(w, "names");
    jw_array(w);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].action == ALLOW || table[i].action == IPC ||
            (table[i].action == MODE && !stays))
            jw_text(w, str_of(table[i].name));
    jw_end_array(w);
    jw_end_object(w);
    if (o->kind->tells) {
        jw_object(w);
        jw_put_text(w, "action", STR("SCMP_ACT_NOTIFY"));
        jw_key(w, "names");
        jw_array(w);
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
            if (table[i].action == REPORT) jw_text(w, str_of(table[i].name));
        jw_end_array(w);
        jw_end_object(w);
    }
    if (c->unix_sockets)
        jw_raw(w, STR("{\"names\":[\"socket\"],\"action\":\"SCMP_ACT_ALLOW\","
                      "\"args\":[{\"index\":0,\"value\":1,"
                      "\"op\":\"SCMP_CMP_EQ\"}]}"));
    if (stays) put_modes(w);
    jw_raw(w, STR("{\"names\":[\"clone\"],\"action\":\"SCMP_ACT_ALLOW\","
                  "\"args\":[{\"index\":0,\"value\":2114060288,"
                  "\"valueTwo\":0,\"op\":\"SCMP_CMP_MASKED_EQ\"}]},"
                  "{\"names\":[\"clone3\"],\"action\":\"SCMP_ACT_ERRNO\","
                  "\"errnoRet\":38},"
                  "{\"names\":[\"socket\"],\"action\":\"SCMP_ACT_ALLOW\","
                  "\"args\":[{\"index\":0,\"value\":2,"
                  "\"op\":\"SCMP_CMP_EQ\"}," NOT_MPTCP "]},"
                  "{\"names\":[\"socket\"],\"action\":\"SCMP_ACT_ALLOW\","
                  "\"args\":[{\"index\":0,\"value\":10,"
                  "\"op\":\"SCMP_CMP_EQ\"}," NOT_MPTCP "]}"));
    jw_end_array(w);
    jw_end_object(w);
}

/* A task with a network has that of the runtime, which is one that we made, and
 * where the proxy listens (oci_space.c). */
static void write_linux(const struct cage *c, const struct oci *o,
                        struct jw *w) {
    static const char *const masked[] = {
        "/proc/acpi",        "/proc/kcore",    "/proc/keys", "/proc/timer_list",
        "/proc/sched_debug", "/proc/kallsyms", "/proc/scsi", NULL};
    static const char *const shut[] = {"/proc/bus",           "/proc/fs",
                                       "/proc/irq",           "/proc/sys",
                                       "/proc/sysrq-trigger", NULL};
    static const char *const spaces[] = {"pid",   "network", "ipc", "uts",
                                         "mount", "user",    NULL};
    jw_key(w, "linux");
    jw_object(w);
    put_map(w, "uidMappings", o);
    put_map(w, "gidMappings", o);
    jw_key(w, "namespaces");
    jw_array(w);
    for (size_t i = 0; spaces[i]; i++) {
        if (c->net != NET_NONE && strcmp(spaces[i], "network") == 0) continue;
        jw_object(w);
        jw_put_text(w, "type", str_of(spaces[i]));
        jw_end_object(w);
    }
    jw_end_array(w);
    put_names(w, "maskedPaths", masked);
    put_names(w, "readonlyPaths", shut);
    write_seccomp(c, o, w);
    jw_end_object(w);
}

int oci_config(const struct cage *c, const struct oci *o, struct buf *out,
               struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "ociVersion", STR("1.0.2"));
    jw_put_text(&w, "hostname", STR("cordon"));
    write_process(c, o, &w);
    jw_key(&w, "root");
    jw_object(&w);
    bool theirs = c->root && !o->outside;
    jw_put_text(&w, "path", str_of(theirs ? c->root : "rootfs"));
    jw_put_bool(&w, "readonly", true);
    jw_end_object(&w);
    write_mounts(c, o, &w);
    write_linux(c, o, &w);
    jw_end_object(&w);
    return jw_done(&w, e);
}
