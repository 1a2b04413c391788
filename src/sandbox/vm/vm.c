/* SPDX-License-Identifier: MIT
 *
 * One machine: QEMU's command line, the files of a task on their way in, its
 * output on the way out.
 */
#include "sandbox/vm/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "sandbox/collect.h"
#include "sandbox/plan.h"
#include "sandbox/start.h"
#include "sandbox/vm/firecracker.h"

/* For translated code; QEMU would reserve a gigabyte. */
#define CODE_MIB "64"

#define BACKLOG_BYTES ((size_t)128 << 20)
enum { MIB = 1 << 20, MAX_ARGS = 48, QEMU_CPU = 1000, ATTACH_S = 20 };

/* --- QEMU --- */

/* TCG's time stamp counter is the host's; without a clock to measure it by the
 * guest must be told. */
static unsigned tsc_khz(void) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX((size_t)4 << 20);
    unsigned mhz = 0;
    if (file_read("/proc/cpuinfo", &text, &e)) return 0;
    const char *at = strstr(buf_text(&text), "cpu MHz");
    if (at) at = strchr(at, ':');
    if (at) (void)sscanf(at, ": %u", &mhz);
    return mhz * 1000;
}

/* What the kernel freed while it booted is zero in the snapshot, and takes
 * neither space nor time there: init_on_free. */
const char *const *vm_argv(const struct vm_parts *p, int channel, int incoming,
                           int monitor, struct arena *a, struct err *e) {
    const char **argv = arena_zalloc(a, MAX_ARGS, sizeof *argv, e);
    char *socket = arena_printf(a, e, "socket,fd=%d,id=c", channel);
    char *control = arena_printf(a, e, "socket,fd=%d,id=m", monitor);
    char *source = arena_printf(a, e, "fd:%d", incoming);
    char *memory =
        arena_printf(a, e, "%llu", (unsigned long long)(p->memory / MIB));
    char *boot = arena_printf(a, e,
                              "quiet loglevel=0 rdinit=/init panic=-1 reboot=t "
                              "random.trust_cpu=on init_on_free=1 "
                              "tsc_early_khz=%u",
                              p->kvm ? 0 : tsc_khz());
    char *program = arena_text(a, str_of(p->program), e);
    if (!argv || !program || !socket || !control || !source || !memory || !boot)
        return NULL;
    const char *const common[] = {
        program,
        "-M",
        "microvm,acpi=on,isa-serial=off,x-option-roms=off",
        "-accel",
        p->kvm ? "kvm" : "tcg,tb-size=" CODE_MIB,
        "-cpu",
        p->kvm ? "host" : "max",
        "-m",
        memory,
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-no-reboot",
        "-device",
        "virtio-serial-device",
        "-chardev",
        socket,
        "-device",
        "virtserialport,chardev=c,name=cordon",
        "-sandbox",
        "off"};
    const char *const fresh[] = {"-kernel",        "/vm/" VM_KERNEL, "-initrd",
                                 "/vm/" VM_INITRD, "-append",        boot};
    static const char *const disk[] = {
        "-blockdev",
        "driver=raw,node-name=d,read-only=on,file.driver=file,"
        "file.locking=off,file.filename=/vm/" VM_DISK,
        "-device", "virtio-blk-device,drive=d"};
    size_t n = sizeof common / sizeof common[0];
    memcpy(argv, common, sizeof common);
    if (p->disk) {
        memcpy(argv + n, disk, sizeof disk);
        n += sizeof disk / sizeof disk[0];
    }
    /* A machine that is restored has them in its memory. */
    if (incoming < 0) {
        memcpy(argv + n, fresh, sizeof fresh);
        n += sizeof fresh / sizeof fresh[0];
    } else {
        argv[n++] = "-incoming";
        argv[n++] = source;
    }
    if (monitor >= 0) {
        argv[n++] = "-chardev";
        argv[n++] = control;
        argv[n++] = "-mon";
        argv[n++] = "chardev=m,mode=control";
    }
    return argv;
}

/* --- the task on its way in --- */

static int put_frame(struct vm *vm, enum vm_kind kind, str a, str b,
                     struct err *e) {
    struct vm_head head = {(uint32_t)kind, (uint32_t)(a.n + b.n)};
    if (a.n + b.n > VM_MAX_FRAME)
        return fail(e, ERR_LIMIT, "more than %d bytes at once", VM_MAX_FRAME);
    return buf_add(&vm->out, &head, sizeof head, e) ||
                   buf_add_str(&vm->out, a, e) || buf_add_str(&vm->out, b, e)
               ? -1
               : 0;
}

static int add_word(struct buf *b, const char *word, struct err *e) {
    return buf_add(b, word, strlen(word) + 1, e);
}

static enum vm_net net_of(const struct cage *c) {
    switch (c->net) {
    case NET_NONE: return VM_NET_NONE;
    case NET_LOOPBACK: return VM_NET_LOOPBACK;
    case NET_EGRESS: return VM_NET_PROXY;
    }
    return VM_NET_NONE;
}

static int put_task(struct vm *vm, const struct cage *c, struct err *e) {
    const struct cage_limits *l = &c->limits;
    int64_t now = clock_wall_ns();
    struct vm_task t = {.sec = now / 1000000000,
                        .nsec = now % 1000000000,
                        .scratch = l->scratch,
                        .inodes = l->inodes,
                        .files = l->files,
                        .file_size = l->file_size,
                        .pids = l->pids,
                        .keep = c->keep_scratch,
                        .net = (uint32_t)net_of(c),
                        .tools = c->tools != NULL};
    AUTO_BUF struct buf words = BUF_MAX(VM_MAX_FRAME - sizeof t);
    const char *env[CAGE_MAX_ENV + PROXY_ENV + 1];
    start_env(c, env);
    if (hash_random(t.seed, sizeof t.seed, e)) return -1;
    for (; c->argv[t.argc]; t.argc++)
        if (add_word(&words, c->argv[t.argc], e)) return -1;
    for (; env[t.envc]; t.envc++)
        if (add_word(&words, env[t.envc], e)) return -1;
    /* The guest has the list, and none of the places it is looked for in. */
    if (c->net == NET_EGRESS && !start_has_authority(c)) {
        if (add_word(&words, "SSL_CERT_FILE=" VM_CERTIFICATES, e)) return -1;
        t.envc++;
    }
    if (add_word(&words, c->cwd ? c->cwd : "/tmp", e)) return -1;
    return put_frame(vm, VM_TASK, (str){(char *)&t, sizeof t}, buf_str(&words),
                     e);
}

/* A bind's content, from collect_walk. */
struct copying {
    struct vm *vm;
    const char *to;
};

static int put_head(struct vm *vm, const char *to, const char *path,
                    unsigned mode, struct err *e) {
    AUTO_BUF struct buf name = BUF_MAX(PATH_MAX);
    struct vm_file f = {mode};
    if (buf_addf(&name, e, "%s%s%s", to, *path ? "/" : "", path)) return -1;
    return put_frame(vm, VM_FILE, (str){(char *)&f, sizeof f}, buf_str(&name),
                     e);
}

/* The program may read it and nothing else. */
static int put_trusted(struct vm *vm, str trusted, struct err *e) {
    if (!trusted.n) return 0;
    if (put_head(vm, VIEW_TRUSTED, "", S_IFREG | 0444, e)) return -1;
    while (trusted.n) {
        str part = str_sub(trusted, 0, VM_MAX_FRAME / 2);
        if (put_frame(vm, VM_DATA, part, STR(""), e)) return -1;
        trusted = str_sub(trusted, part.n, trusted.n);
    }
    return 0;
}

static int put_content(struct vm *vm, int fd, struct err *e) {
    char chunk[VM_MAX_FRAME / 2];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "read");
        if (n == 0) return 0;
        if (put_frame(vm, VM_DATA, (str){chunk, (size_t)n}, STR(""), e))
            return -1;
    }
}

static int put_entry(void *context, const char *path, int fd, uint64_t size,
                     struct err *e) {
    struct copying *c = context;
    struct stat st = {.st_mode = S_IFDIR};
    (void)size;
    if (fd >= 0 && fstat(fd, &st) < 0) return fail_sys(e, "%s", path);
    if (put_head(c->vm, c->to, path, st.st_mode, e)) return -1;
    return fd < 0 ? 0 : put_content(c->vm, fd, e);
}

static int put_bind(struct vm *vm, const struct cage_bind *b, struct err *e) {
    struct stat st;
    AUTO_FD int fd = open(b->from, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) return fail_sys(e, "%s", b->from);
    struct copying c = {vm, b->to};
    if (b->kind != BIND_RO && !S_ISDIR(st.st_mode))
        return fail(e, ERR_UNSUPPORTED,
                    "tier microvm: %s is no directory, and can only be "
                    "read-only",
                    b->from);
    if (!S_ISDIR(st.st_mode)) {
        if (put_head(vm, b->to, "", st.st_mode, e)) return -1;
        return put_content(vm, fd, e);
    }
    struct collect_limits limits = {.bytes = BACKLOG_BYTES / 2};
    if (put_head(vm, b->to, "", S_IFDIR, e)) return -1;
    return collect_walk(fd, &limits, put_entry, &c, e);
}

/* After all that are read-only: what comes from here on is the program's. */
static int put_changing(struct vm *vm, const struct cage *c, size_t i,
                        struct err *e) {
    const struct vm_bind head = {(uint32_t)i};
    struct vm_keep *k = mem_zalloc(1, sizeof *k, e);
    if (!k) return -1;
    *k = VM_KEEP_NONE;
    vm->binds[i] = k;
    if (vm_keep_open(k, &c->limits, true, e) ||
        put_frame(vm, VM_BIND, (str){(const char *)&head, sizeof head},
                  str_of(c->binds[i].to), e))
        return -1;
    return put_bind(vm, &c->binds[i], e);
}

/* The same list of calls as in a container; nobody in there listens. */
static int put_filter(struct vm *vm, const struct cage *c, struct err *e) {
    struct bpf_program filter;
    uint32_t layers = cage_tier_layers(c->tier) & ~LAYER_BIT(LAYER_VIOLATIONS);
    if (seccomp_compile(c, layers, &filter, e)) return -1;
    str words = {(const char *)filter.words, (size_t)filter.len * 8};
    return put_frame(vm, VM_FILTER, words, STR(""), e);
}

static int put_all(struct vm *vm, const struct cage *c, str trusted,
                   struct err *e) {
    if (put_task(vm, c, e) || put_filter(vm, c, e) ||
        put_trusted(vm, trusted, e))
        return -1;
    for (size_t i = 0; i < c->bind_count; i++)
        if (c->binds[i].kind == BIND_RO && put_bind(vm, &c->binds[i], e))
            return fail_while(e, "bind");
    for (size_t i = 0; i < c->bind_count; i++)
        if (c->binds[i].kind != BIND_RO && put_changing(vm, c, i, e))
            return fail_while(e, "bind");
    return put_frame(vm, VM_GO, STR(""), STR(""), e);
}

/* --- the cage of QEMU --- */

static int check(const struct cage *c, struct err *e) {
    if (cage_check(c, e)) return -1;
    for (size_t i = 0; i < c->bind_count; i++)
        for (size_t k = i + 1; k < c->bind_count; k++)
            if (c->binds[i].kind != BIND_RO &&
                cage_is_below(c->binds[k].to, c->binds[i].to))
                return fail(e, ERR_INVALID,
                            "tier microvm: no bind at %s, below a copy that "
                            "may change",
                            c->binds[k].to);
    if (c->limits.memory < ((uint64_t)64 << 20))
        return fail(e, ERR_INVALID, "limit memory: a machine wants 64m");
    return 0;
}

/* What QEMU itself may use. Without cgroups its address space is what counts,
 * and much of that is only reserved. */
static uint64_t qemu_bytes(const struct cage *c) {
    bool counted = !(c->may_miss & LAYER_BIT(LAYER_CGROUP));
    return (uint64_t)(counted ? 384 : 1536) * MIB;
}

static void monitor_limits(const struct cage *c, struct cage *q) {
    cage_init(q, c->arena);
    q->may_miss = c->may_miss;
    q->limits.memory = c->limits.memory + qemu_bytes(c);
    /* The guest has one processor; the monitor's own threads work beside it.
     * Less than one is for all of them together, or it would be no limit. */
    q->limits.cpu = c->limits.cpu + (c->limits.cpu < 1000 ? 0 : QEMU_CPU);
    q->limits.wall = c->limits.wall;
    q->tls = c->tls;
}

static int qemu_cage(const struct cage *c, const struct vm_parts *p,
                     const char *folder, struct cage *q, struct err *e) {
    char bind[PATH_MAX + 8];
    snprintf(bind, sizeof bind, "%s:/vm", folder);
    monitor_limits(c, q);
    q->kvm = p->kvm;
    q->argv = vm_argv(p, 3, 4, -1, c->arena, e);
    return !q->argv || cage_add_bind(q, BIND_RO, str_of(bind), e) ? -1 : 0;
}

static struct vm new_vm(const struct vm_parts *p) {
    return (struct vm){.fd = -1,
                       .keep = VM_KEEP_NONE,
                       .accelerator = p->kvm ? "kvm" : "tcg",
                       .in = BUF_MAX(sizeof(struct vm_head) + VM_MAX_FRAME),
                       .out = BUF_MAX(BACKLOG_BYTES)};
}

/* QEMU gets its end of the channel, and what it is restored from. */
static int use_qemu(const struct cage *c, const struct vm_parts *p,
                    const char *folder, struct cage *out, struct vm *vm,
                    int theirs[2], struct err *e) {
    int pair[2];
    AUTO_BUF struct buf state = BUF_MAX(PATH_MAX);
    if (qemu_cage(c, p, folder, out, e) ||
        buf_addf(&state, e, "%s/" VM_STATE, folder))
        return -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "channel");
    vm->fd = pair[0];
    theirs[0] = pair[1];
    theirs[1] = open(buf_text(&state), O_RDONLY | O_CLOEXEC);
    if (theirs[1] < 0) return fail_sys(e, "%s", buf_text(&state));
    if (fcntl(vm->fd, F_SETFL, O_NONBLOCK) < 0) return fail_sys(e, "channel");
    memcpy(out->fds, theirs, 2 * sizeof theirs[0]);
    out->fd_count = 2;
    return 0;
}

static int use_firecracker(const struct cage *c, const struct vm_parts *p,
                           const char *folder, struct cage *out, struct vm *vm,
                           struct err *e) {
    monitor_limits(c, out);
    if (tmpdir_make(&vm->door, e)) return -1;
    const char *door = arena_text(c->arena, str_of(vm->door.path), e);
    return !door || fc_cage(p, folder, door, false, out, e) ? -1 : 0;
}

int vm_attach(struct vm *vm, int (*alive)(void *context, struct err *e),
              void *context, struct err *e) {
    const struct fc f = {.door = vm->door.path,
                         .alive = alive,
                         .context = context,
                         .deadline = clock_mono_ns() + ATTACH_S * 1000000000ll};
    if (fc_restore(&f, e) || fc_connect(&f, &vm->fd, e)) return -1;
    if (fcntl(vm->fd, F_SETFL, O_NONBLOCK) < 0) return fail_sys(e, "channel");
    return 0;
}

bool vm_is_ready(const struct cage *c) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    struct vm_parts p;
    struct err e;
    if (check(c, &e) || vm_find(&p, &e)) return false;
    p.memory = c->limits.memory;
    return !vm_folder(&p, &folder, &e) && vm_folder_is_made(buf_text(&folder));
}

int vm_make_ready(const struct cage *c, struct err *e) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    struct vm_parts p;
    if (check(c, e) || vm_find(&p, e)) return fail_while(e, "tier microvm");
    p.memory = c->limits.memory;
    return vm_snapshot(&p, c, &folder, e) ? fail_while(e, "tier microvm") : 0;
}

int vm_cage(const struct cage *c, str trusted, struct cage *out, struct vm *vm,
            int theirs[2], struct err *e) {
    struct vm_parts p;
    struct cage q;
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (check(c, e) || vm_find(&p, e)) return fail_while(e, "tier microvm");
    p.memory = c->limits.memory;
    if (vm_snapshot(&p, c, &folder, e)) return fail_while(e, "tier microvm");
    *vm = new_vm(&p);
    const char *from = buf_text(&folder);
    int rc = p.monitor == VM_FIRECRACKER
                 ? use_firecracker(c, &p, from, &q, vm, e)
                 : use_qemu(c, &p, from, &q, vm, theirs, e);
    if (rc || put_all(vm, c, trusted, e) ||
        (c->keep_scratch && vm_keep_open(&vm->keep, &c->limits, false, e)))
        return fail_while(e, "tier microvm");
    *out = q;
    return 0;
}

/* --- output on its way out --- */

static int flush(struct vm *vm, struct err *e) {
    while (vm->out.len) {
        ssize_t n = send(vm->fd, vm->out.data, vm->out.len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return 0;
        /* What it said before it went is still to be read. */
        if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
            buf_truncate(&vm->out, 0);
        else if (n < 0)
            return fail_sys(e, "channel to the machine");
        else
            buf_consume(&vm->out, (size_t)n);
    }
    return 0;
}

static int take_stream(const struct vm_taker *taker, enum vm_kind kind,
                       str body, struct err *e) {
    struct vm_stream s;
    if (body.n < sizeof s)
        return fail(e, ERR_PEER, "the machine sends half a stream");
    memcpy(&s, body.p, sizeof s);
    return taker->stream(taker->context, kind, &s,
                         str_sub(body, sizeof s, body.n), e);
}

static struct vm_keep *kept(struct vm *vm) {
    return vm->into ? vm->into : &vm->keep;
}

static int take_bind(struct vm *vm, str body, struct err *e) {
    struct vm_bind head;
    if (body.n != sizeof head)
        return fail(e, ERR_PEER, "the machine sends half a bind");
    memcpy(&head, body.p, sizeof head);
    if (head.index >= CAGE_MAX_BINDS || !vm->binds[head.index])
        return fail(e, ERR_PEER, "the machine sends files unasked");
    vm->into = vm->binds[head.index];
    return 0;
}

static int take_frame(struct vm *vm, const struct vm_head *head, str body,
                      const struct vm_taker *taker, struct err *e) {
    enum vm_kind kind = (enum vm_kind)head->kind;
    switch (kind) {
    case VM_OUT: taker->output(taker->context, false, body.p, body.n); return 0;
    case VM_ERR: taker->output(taker->context, true, body.p, body.n); return 0;
    case VM_END:
        if (body.n != sizeof vm->end) break;
        memcpy(&vm->end, body.p, sizeof vm->end);
        vm->ended = true;
        return 0;
    case VM_FAILED:
        return fail(e, ERR_SYSTEM, "%.*s", STR_ARG(str_sub(body, 0, 200)));
    case VM_BIND: return take_bind(vm, body, e);
    case VM_FILE: return vm_keep_file(kept(vm), body, e);
    case VM_DATA: return vm_keep_data(kept(vm), body, e);
    case VM_OPEN:
    case VM_BYTES:
    case VM_MORE:
    case VM_SHUT: return take_stream(taker, kind, body, e);
    case VM_READY: return 0; /* over vsock it is said once more */
    case VM_TASK:
    case VM_FILTER:
    case VM_GO: break;
    }
    return fail(e, ERR_PEER, "the machine sends what is no answer");
}

static int take_frames(struct vm *vm, const struct vm_taker *taker,
                       struct err *e) {
    struct vm_head head;
    while (!vm->ended && vm->in.len >= sizeof head) {
        memcpy(&head, vm->in.data, sizeof head);
        if (head.size > VM_MAX_FRAME)
            return fail(e, ERR_PEER, "the machine sends too much at once");
        if (vm->in.len < sizeof head + head.size) return 0;
        str body =
            str_sub(buf_str(&vm->in), sizeof head, sizeof head + head.size);
        if (take_frame(vm, &head, body, taker, e)) return -1;
        buf_consume(&vm->in, sizeof head + head.size);
    }
    return 0;
}

int vm_turn(struct vm *vm, const struct vm_taker *taker, struct err *e) {
    if (flush(vm, e)) return -1;
    while (vm->fd >= 0 && !vm->ended) {
        size_t room = vm->in.max - vm->in.len;
        char *to = buf_reserve(&vm->in, room, e);
        if (!to) return -1;
        ssize_t n = recv(vm->fd, to, room, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return 0;
        if (n <= 0) {
            vm_close(vm);
            return 0;
        }
        buf_commit(&vm->in, (size_t)n);
        if (take_frames(vm, taker, e)) return -1;
    }
    return 0;
}

int vm_stream(struct vm *vm, enum vm_kind kind, uint32_t id, uint32_t room,
              str data, struct err *e) {
    struct vm_stream s = {id, room};
    return put_frame(vm, kind, (str){(char *)&s, sizeof s}, data, e);
}

void vm_forget_kept(struct vm *vm) {
    vm_keep_close(&vm->keep);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++) {
        if (vm->binds[i]) vm_keep_close(vm->binds[i]);
        mem_free(vm->binds[i]);
        vm->binds[i] = NULL;
    }
}

void vm_close(struct vm *vm) {
    if (vm->fd >= 0) close(vm->fd);
    vm->fd = -1;
    buf_fini(&vm->in);
    buf_fini(&vm->out);
    tmpdir_remove(&vm->door);
}
