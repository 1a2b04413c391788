/* SPDX-License-Identifier: MIT
 *
 * Firecracker as far as its documented interface goes, for tests: a socket that
 * speaks its requests, in the order and with the members that it demands, and
 * the vsock device's socket. There is no machine in it: what the guest would
 * say it says itself. Each request that it took is a line of the file that it
 * saves, and of the output of the task.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../src/sandbox/vm/guest/wire.h"

static char asked[65536]; /* requests so far */
static bool configured[4], running, paused;
enum { MACHINE, BOOT, DRIVE, VSOCK };
static int vsock = -1;

static int listen_at(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
        listen(fd, 4) < 0) {
        fprintf(stderr, "cannot listen at %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return fd;
}

static bool begins(const char *path, const char *magic, size_t n) {
    char head[8] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool same = fd >= 0 && read(fd, head, sizeof head) == sizeof head &&
                memcmp(head, magic, n) == 0;
    if (fd >= 0) close(fd);
    return same;
}

/* A text member of the body. */
static const char *member(const char *body, const char *name, char out[256]) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(body, key);
    if (!at) return NULL;
    at += strlen(key);
    snprintf(out, 256, "%.*s", (int)strcspn(at, "\""), at);
    return out;
}

static const char *boot_source(const char *body) {
    char text[256];
    if (!member(body, "kernel_image_path", text) || !begins(text, "\177ELF", 4))
        return "The kernel file cannot be opened or is not an ELF image";
    if (member(body, "initrd_path", text) && !begins(text, "070701", 6))
        return "The initrd is no archive";
    return member(body, "boot_args", text) ? NULL : "no boot_args";
}

static const char *start(void) {
    if (!configured[MACHINE] || !configured[BOOT]) return "Missing boot source";
    vsock = listen_at("/door/vsock");
    running = true;
    return NULL;
}

static const char *write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t n = strlen(text);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n) return strerror(errno);
    close(fd);
    return NULL;
}

static const char *save(const char *body) {
    char state[256], memory[256];
    if (!paused) return "The microVM is not paused";
    if (!strstr(body, "\"snapshot_type\":\"Full\"") ||
        !member(body, "snapshot_path", state) ||
        !member(body, "mem_file_path", memory))
        return "missing field";
    const char *why = write_file(memory, "memory of the machine\n");
    return why ? why : write_file(state, asked);
}

static const char *load(const char *body) {
    char state[256], memory[256];
    if (running || configured[MACHINE] || configured[BOOT])
        return "Loading a microVM snapshot not allowed after configuring "
               "boot-specific resources.";
    if (!member(body, "snapshot_path", state) ||
        !strstr(body, "\"backend_type\":\"File\"") ||
        !member(body, "backend_path", memory) ||
        !strstr(body, "\"resume_vm\":true"))
        return "missing field";
    if (!begins(memory, "memory", 6)) return "no memory file";
    if (access(memory, W_OK) == 0) return "the test can write to the memory";
    int fd = open(state, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, asked, sizeof asked - 256);
    if (n <= 0) return "no state file";
    asked[n] = 0;
    strcat(asked, "PUT /snapshot/load\n");
    vsock = listen_at("/door/vsock");
    running = true;
    return NULL;
}

/* NULL, or the fault. */
static const char *obey(const char *what, const char *body) {
    char text[256];
    if (running && strncmp(what, "PUT /snapshot/create", 20) != 0 &&
        strcmp(what, "PATCH /vm") != 0)
        return "The requested operation is not supported after starting the "
               "microVM.";
    if (strcmp(what, "PUT /machine-config") == 0) {
        configured[MACHINE] = strstr(body, "\"vcpu_count\":1") &&
                              strstr(body, "\"mem_size_mib\":");
        return configured[MACHINE] ? NULL : "missing field";
    }
    if (strcmp(what, "PUT /boot-source") == 0) {
        configured[BOOT] = true;
        return boot_source(body);
    }
    if (strcmp(what, "PUT /drives/disk") == 0)
        return member(body, "path_on_host", text) && access(text, R_OK) == 0 &&
                       strstr(body, "\"is_read_only\":true") &&
                       strstr(body, "\"drive_id\":\"disk\"")
                   ? NULL
                   : "missing field";
    if (strcmp(what, "PUT /vsock") == 0)
        return strstr(body, "\"guest_cid\":3") &&
                       strstr(body, "\"uds_path\":\"/door/vsock\"")
                   ? NULL
                   : "missing field";
    if (strcmp(what, "PUT /actions") == 0)
        return strstr(body, "\"action_type\":\"InstanceStart\"") ? start()
                                                                 : "no action";
    if (strcmp(what, "PATCH /vm") == 0) {
        paused = running && strstr(body, "\"state\":\"Paused\"");
        return paused ? NULL : "not running";
    }
    if (strcmp(what, "PUT /snapshot/create") == 0) return save(body);
    if (strcmp(what, "PUT /snapshot/load") == 0) return load(body);
    return "Invalid request method and/or path";
}

static void answer(int fd, const char *fault) {
    char text[1024] = "HTTP/1.1 204 \r\nServer: Firecracker API\r\n"
                      "Connection: keep-alive\r\n\r\n";
    char body[512];
    if (fault) {
        int n =
            snprintf(body, sizeof body, "{\"fault_message\":\"%s\"}", fault);
        snprintf(text, sizeof text,
                 "HTTP/1.1 400 \r\nServer: Firecracker API\r\n"
                 "Connection: keep-alive\r\nContent-Type: application/json\r\n"
                 "Content-Length: %d\r\n\r\n%s",
                 n, body);
    }
    if (write(fd, text, strlen(text)) < 0) exit(1);
}

static void serve(int fd) {
    char text[8192], what[256], method[16], path[128];
    size_t n = 0, length = 0;
    const char *end, *field;
    for (;;) {
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        if (got <= 0) return;
        n += (size_t)got;
        text[n] = 0;
        if (!(end = strstr(text, "\r\n\r\n"))) continue;
        field = strstr(text, "Content-Length: ");
        length = field ? strtoul(field + 16, NULL, 10) : 0;
        if (n >= (size_t)(end + 4 - text) + length) break;
    }
    if (sscanf(text, "%15s %127s", method, path) != 2) return;
    snprintf(what, sizeof what, "%s %s", method, path);
    const char *fault = obey(what, end + 4);
    if (!fault && strcmp(what, "PUT /snapshot/load") != 0 &&
        strlen(asked) + sizeof what < sizeof asked) {
        strcat(asked, what);
        strcat(asked, "\n");
    }
    answer(fd, fault);
    close(fd);
}

/* --- the guest --- */

static void say(int fd, enum vm_kind kind, const void *p, size_t n) {
    struct vm_head head = {(uint32_t)kind, (uint32_t)n};
    if (write(fd, &head, sizeof head) < 0 || (n && write(fd, p, n) < 0))
        exit(1);
}

static bool get(int fd, void *p, size_t n) {
    return recv(fd, p, n, MSG_WAITALL) == (ssize_t)n;
}

/* Until GO, then what was asked of it and the program's arguments. */
static void be_a_guest(int fd) {
    static char body[VM_MAX_FRAME];
    char word[32] = "";
    struct vm_head head;
    struct vm_end end = {.status = 7 << 8};
    if (read(fd, word, sizeof word - 1) <= 0 ||
        strcmp(word, "CONNECT 1024\n") != 0 || write(fd, "OK 73\n", 6) < 0)
        return;
    say(fd, VM_READY, NULL, 0);
    while (get(fd, &head, sizeof head) && head.size <= sizeof body &&
           get(fd, body, head.size)) {
        if (head.kind == VM_TASK)
            say(fd, VM_ERR, body + sizeof(struct vm_task),
                strlen(body + sizeof(struct vm_task)));
        if (head.kind != VM_GO) continue;
        say(fd, VM_OUT, asked, strlen(asked));
        say(fd, VM_END, &end, sizeof end);
    }
}

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "--api-sock") != 0) {
        fprintf(stderr, "wrong arguments\n");
        return 1;
    }
    if (access("/dev/kvm", R_OK | W_OK) != 0) {
        fprintf(stderr, "no access to /dev/kvm\n");
        return 1;
    }
    struct pollfd fds[2] = {{listen_at(argv[2]), POLLIN, 0}, {-1, POLLIN, 0}};
    for (;;) {
        fds[1].fd = vsock;
        if (poll(fds, 2, -1) < 0) return 1;
        if (fds[0].revents) serve(accept(fds[0].fd, NULL, NULL));
        if (fds[1].revents) {
            int fd = accept(vsock, NULL, NULL);
            be_a_guest(fd);
            close(fd);
        }
    }
}
