/* SPDX-License-Identifier: MIT */
#include "sandbox/vm/firecracker.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/num.h"

enum { MIB = 1 << 20, MAX_ANSWER = 64 << 10, RETRY_MS = 5, GUEST_CID = 3 };

bool fc_find(char *out, size_t size) {
    const char *path = getenv("PATH");
    for (str rest = str_of(path ? path : ""); rest.p;) {
        str dir = str_cut(&rest, ':');
        int n = snprintf(out, size, "%.*s/firecracker", STR_ARG(dir));
        if (dir.n && dir.p[0] == '/' && n > 0 && (size_t)n < size &&
            access(out, X_OK) == 0)
            return true;
    }
    return false;
}

/* --- its cage --- */

static int add_bind(struct cage *c, enum cage_bind_kind kind, const char *from,
                    const char *to, struct err *e) {
    AUTO_BUF struct buf spec = BUF_MAX(2 * PATH_MAX);
    return buf_addf(&spec, e, "%s:%s", from, to) ||
                   cage_add_bind(c, kind, buf_str(&spec), e)
               ? -1
               : 0;
}

int fc_cage(const struct vm_parts *p, const char *folder, const char *door,
            bool may_write, struct cage *c, struct err *e) {
    static const char *const argv[] = {"/firecracker", "--api-sock",
                                       FC_DOOR "/api", NULL};
    c->argv = argv;
    c->kvm = true;
    c->unix_sockets = true;
    return add_bind(c, BIND_RO, p->program, argv[0], e) ||
                   add_bind(c, may_write ? BIND_RW : BIND_RO, folder, "/vm",
                            e) ||
                   add_bind(c, BIND_RW, door, FC_DOOR, e)
               ? -1
               : 0;
}

/* --- its sockets --- */

static int patience(const struct fc *f, int fd, short what, struct err *e) {
    for (;;) {
        int64_t left = (f->deadline - clock_mono_ns()) / 1000000;
        struct pollfd p = {fd, what, 0};
        if (left <= 0)
            return fail(e, ERR_TIMEOUT, "the machine takes too long");
        int rc = poll(&p, 1, left < 100 ? (int)left : 100);
        if (rc < 0 && errno != EINTR) return fail_sys(e, "poll");
        if (rc > 0 && fd >= 0) return 0;
        if (f->alive(f->context, e)) return -1;
        if (fd < 0) return 0;
    }
}

/* A pause in which it may have come further. */
static int wait_a_little(const struct fc *f, struct err *e) {
    if (f->alive(f->context, e)) return -1;
    if (clock_mono_ns() > f->deadline)
        return fail(e, ERR_TIMEOUT, "the machine takes too long");
    (void)poll(NULL, 0, RETRY_MS);
    return 0;
}

/* The socket appears when it listens. */
static int reach(const struct fc *f, const char *name, struct err *e) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int n = snprintf(at.sun_path, sizeof at.sun_path, "%s/%s", f->door, name);
    if (n < 0 || (size_t)n >= sizeof at.sun_path)
        return fail(e, ERR_LIMIT, "path %s", f->door);
    for (;;) {
        AUTO_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) return fail_sys(e, "socket");
        if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
            return fd_take(&fd);
        if (errno != ENOENT && errno != ECONNREFUSED)
            return fail_sys(e, "%s", at.sun_path);
        if (wait_a_little(f, e)) return -1;
    }
}

static int read_some(const struct fc *f, int fd, struct buf *b, struct err *e) {
    char chunk[4096];
    if (patience(f, fd, POLLIN, e)) return -1;
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno != EINTR) return fail_sys(e, "read");
    if (n == 0) return fail(e, ERR_PEER, "it hangs up");
    return n > 0 ? buf_add(b, chunk, (size_t)n, e) : 0;
}

/* --- requests --- */

static bool field_is(str line, const char *name, str *value) {
    str key = str_cut(&line, ':');
    if (!line.p || !str_eq_nocase(key, str_of(name))) return false;
    *value = str_trim(line);
    return true;
}

/* Of a whole head: its status, and how long its body is. */
static int read_head(str head, unsigned *status, uint64_t *length,
                     struct err *e) {
    str line = str_trim(str_cut(&head, '\n')), value;
    uint64_t code;
    struct err bad;
    *length = 0;
    if (!str_starts(line, STR("HTTP/1.1 ")) ||
        num_parse_u64(str_sub(line, 9, 12), &code, &bad) || code < 100)
        return fail(e, ERR_PEER, "what it answers is not HTTP");
    while (head.n)
        if (field_is(str_trim(str_cut(&head, '\n')), "content-length",
                     &value) &&
            (num_parse_u64(value, length, &bad) || *length > MAX_ANSWER / 2))
            return fail(e, ERR_PEER, "its answer has no good length");
    *status = (unsigned)code;
    return 0;
}

static int refused(unsigned status, str body, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(8 * MAX_ANSWER);
    const struct json *v;
    struct err ignored;
    str why = body;
    if (!json_parse(body, NULL, &a, &v, &ignored))
        why = json_get_text(v, "fault_message", body);
    return fail(e, ERR_SYSTEM, "answer %u: %.*s", status,
                STR_ARG(str_sub(why, 0, 200)));
}

static int read_answer(const struct fc *f, int fd, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(MAX_ANSWER);
    unsigned status;
    uint64_t length;
    ptrdiff_t end;
    while ((end = str_find(buf_str(&b), STR("\r\n\r\n"))) < 0)
        if (read_some(f, fd, &b, e)) return -1;
    size_t body = (size_t)end + 4;
    if (read_head(str_sub(buf_str(&b), 0, body), &status, &length, e))
        return -1;
    while (b.len < body + length)
        if (read_some(f, fd, &b, e)) return -1;
    if (status >= 200 && status < 300) return 0;
    return refused(status, str_sub(buf_str(&b), body, body + length), e);
}

int fc_ask(const struct fc *f, const char *method, const char *path,
           const char *body, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(MAX_ANSWER);
    AUTO_FD int fd = reach(f, "api", e);
    if (fd < 0 ||
        buf_addf(&b, e,
                 "%s %s HTTP/1.1\r\nHost: localhost\r\n"
                 "Accept: application/json\r\n"
                 "Content-Type: application/json\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 method, path, strlen(body), body) ||
        fd_write_all(fd, buf_str(&b), e) || read_answer(f, fd, e))
        return fail_while(e, "Firecracker: %s %s", method, path);
    return 0;
}

/* --- a machine --- */

/* Without a serial port, which would be a device more, and without PCI, which
 * it has only if told so. */
static const char boot_source[] =
    "{\"kernel_image_path\":\"/vm/" VM_KERNEL
    "\",\"initrd_path\":\"/vm/" VM_INITRD
    "\",\"boot_args\":\"quiet loglevel=0 rdinit=/init panic=-1 "
    "reboot=k pci=off random.trust_cpu=on init_on_free=1 8250.nr_uarts=0\"}";

static const char drive[] =
    "{\"drive_id\":\"disk\",\"path_on_host\":\"/vm/" VM_DISK
    "\",\"is_root_device\":false,\"is_read_only\":true}";

int fc_boot(const struct fc *f, const struct vm_parts *p, struct err *e) {
    char machine[96], vsock[96];
    snprintf(machine, sizeof machine,
             "{\"vcpu_count\":1,\"mem_size_mib\":%llu}",
             (unsigned long long)(p->memory / MIB));
    snprintf(vsock, sizeof vsock,
             "{\"guest_cid\":%d,\"uds_path\":\"" FC_DOOR "/vsock\"}",
             GUEST_CID);
    if (fc_ask(f, "PUT", "/machine-config", machine, e) ||
        fc_ask(f, "PUT", "/boot-source", boot_source, e) ||
        (p->disk && fc_ask(f, "PUT", "/drives/disk", drive, e)) ||
        fc_ask(f, "PUT", "/vsock", vsock, e))
        return -1;
    return fc_ask(f, "PUT", "/actions", "{\"action_type\":\"InstanceStart\"}",
                  e);
}

int fc_save(const struct fc *f, struct err *e) {
    if (fc_ask(f, "PATCH", "/vm", "{\"state\":\"Paused\"}", e)) return -1;
    return fc_ask(
        f, "PUT", "/snapshot/create",
        "{\"snapshot_type\":\"Full\",\"snapshot_path\":\"/vm/" VM_STATE
        ".new\",\"mem_file_path\":\"/vm/" VM_MEMORY "\"}",
        e);
}

int fc_restore(const struct fc *f, struct err *e) {
    return fc_ask(f, "PUT", "/snapshot/load",
                  "{\"snapshot_path\":\"/vm/" VM_STATE "\",\"mem_backend\":"
                  "{\"backend_type\":\"File\",\"backend_path\":\"/vm/" VM_MEMORY
                  "\"},\"resume_vm\":true}",
                  e);
}

/* "OK port", or it hangs up because nobody listens in there yet. 1: not yet. */
static int greet(const struct fc *f, int fd, struct err *e) {
    char word[32];
    size_t n = 0;
    int length = snprintf(word, sizeof word, "CONNECT %d\n", VM_PORT);
    if (send(fd, word, (size_t)length, MSG_NOSIGNAL) != length) return 1;
    /* A byte at a time: what follows the line is the guest's. */
    while (n < sizeof word) {
        if (patience(f, fd, POLLIN, e)) return -1;
        if (read(fd, word + n, 1) != 1) return 1;
        if (word[n++] == '\n') break;
    }
    if (n > 3 && memcmp(word, "OK ", 3) == 0) return 0;
    return fail(e, ERR_PEER, "Firecracker: its vsock answers %.*s", (int)n,
                word);
}

int fc_connect(const struct fc *f, int *out, struct err *e) {
    for (;;) {
        AUTO_FD int fd = reach(f, "vsock", e);
        if (fd < 0) return fail_while(e, "Firecracker");
        int rc = greet(f, fd, e);
        if (rc < 0) return -1;
        if (rc == 0) {
            *out = fd_take(&fd);
            return 0;
        }
        if (wait_a_little(f, e)) return -1;
    }
}
