/* SPDX-License-Identifier: MIT
 *
 * Resource bombs: each takes what it can get and says how much it was.
 *
 *     bomb NAME
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void idle(void) {
    for (;;)
        pause();
}

/* How many processes can exist at once. */
static int forks(void) {
    int n = 0;
    for (; n < 5000; n++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0) idle();
    }
    printf("%d\n", n);
    return 0;
}

static void *thread(void *unused) {
    (void)unused;
    idle();
    return NULL;
}

static int threads(void) {
    int n = 0;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 65536);
    for (pthread_t t; n < 5000; n++)
        if (pthread_create(&t, &attr, thread, NULL)) break;
    printf("%d\n", n);
    return 0;
}

/* Children that fork on: the classic. */
static int tree(void) {
    while (fork() < 0 || usleep(1000) == 0)
        continue;
    return 0;
}

static int memory(void) {
    for (size_t total = 0; total < (size_t)16 << 30; total += 1 << 20) {
        char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) {
            printf("refused after %zu MiB\n", total >> 20);
            return 3;
        }
        memset(p, 1, 1 << 20);
    }
    printf("16 GiB\n");
    return 0;
}

/* Memory that no process maps. */
static int memfds(void) {
    static char chunk[1 << 20];
    for (size_t total = 0; total < (size_t)8 << 30;) {
        int fd = (int)syscall(SYS_memfd_create, "m", 0);
        if (fd < 0) {
            printf("refused after %zu MiB\n", total >> 20);
            return 3;
        }
        for (int i = 0; i < 32; i++, total += sizeof chunk)
            if (write(fd, chunk, sizeof chunk) < 0) return 3;
    }
    printf("8 GiB\n");
    return 0;
}

static int sysv(void) {
    for (int i = 0; i < 64; i++) {
        int id = shmget(IPC_PRIVATE, 64 << 20, 0600 | IPC_CREAT);
        char *p = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
        if (p == (void *)-1) return 3;
        memset(p, 1, 64 << 20);
    }
    printf("4 GiB\n");
    return 0;
}

static int spin(void) {
    for (volatile long i = 0; i >= 0; i++)
        continue;
    return 0;
}

static int stubborn(void) {
    for (int s = 1; s < 64; s++)
        signal(s, SIG_IGN);
    idle();
    return 0;
}

/* A daemon that wants to live on, holding the output open. */
static int daemonize(void) {
    if (fork() > 0) return 0;
    setsid();
    if (fork() > 0) return 0;
    stubborn();
    return 0;
}

static int zombies(void) {
    int n = 0;
    for (; n < 5000; n++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0) _exit(0);
    }
    printf("%d\n", n);
    return 0;
}

static int flood(void) {
    static char line[65536];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 256; i++)
        if (write(1, line, sizeof line) < 0) return 3;
    return 0;
}

/* Refused calls without end: the one who answers must not be kept busy. */
static int refusals(void) {
    int n = 0;
    for (; n < 100000; n++)
        if (syscall(SYS_unshare, 0x10000000) == 0) return 9;
    printf("%d\n", n);
    return 0;
}

static int spoof(void) {
    /* Reports look like this; there must be nobody to send them to. */
    char report[600] = {7};
    for (int fd = 3; fd < 256; fd++)
        if (write(fd, report, sizeof report) >= 0) return 9;
    return 7;
}

static const struct {
    const char *name;
    int (*run)(void);
} bombs[] = {
    {"forks", forks},     {"threads", threads},   {"tree", tree},
    {"memory", memory},   {"memfds", memfds},     {"sysv", sysv},
    {"spin", spin},       {"stubborn", stubborn}, {"daemon", daemonize},
    {"zombies", zombies}, {"flood", flood},       {"refusals", refusals},
    {"spoof", spoof},
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof bombs / sizeof bombs[0]; i++)
        if (strcmp(argv[1], bombs[i].name) == 0) {
            int rc = bombs[i].run();
            fflush(stdout);
            _exit(rc);
        }
    fprintf(stderr, "usage: bomb NAME\n");
    return 2;
}
