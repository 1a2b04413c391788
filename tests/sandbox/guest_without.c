/* SPDX-License-Identifier: MIT
 *
 * Runs a program on a kernel that seems to lack a system call: it gets ENOSYS.
 *
 *     without landlock_create_ruleset COMMAND [ARG...]
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned nr;
} calls[] = {
    {"landlock_create_ruleset", SYS_landlock_create_ruleset},
    {"clone3", SYS_clone3},
    {"mount_setattr", SYS_mount_setattr},
    {"fsopen", SYS_fsopen},
};

int main(int argc, char **argv) {
    unsigned nr = 0;
    for (size_t i = 0; argc > 2 && i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(argv[1], calls[i].name) == 0) nr = calls[i].nr;
    if (!nr) return 2;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) return 3;
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
