/* SPDX-License-Identifier: MIT
 *
 * Slots and their launchers.
 */
#include "sandbox/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "sandbox/cpython.h"
#include "sandbox/kind.h"
#include "sandbox/launcher.h"
#include "sandbox/zygote.h"

/* What a launcher and its group hold when nothing runs. Memory that a task
 * left behind (System V segments are freed late) would count against the
 * next one. */
#define IDLE_BYTES ((uint64_t)16 << 20)
enum { SETTLE_MS = 50, GIVE_UP_MS = 1000 };

enum slot_state { SLOT_EMPTY, SLOT_FREE, SLOT_BUSY };

struct slot {
    enum slot_state state;
    char *owner;     /* owned: whose tasks ran in it; NULL: nobody's yet */
    int64_t used_ns; /* when it was made, or its last task ended */
    struct started launcher;    /* its status socket takes requests */
    uint64_t idle_bytes;        /* what the launcher itself holds */
    unsigned tasks;             /* started in it */
    int feed, status;           /* of the task that is parked in it, or -1 */
    struct cgroup_usage before; /* counters when the last task ended */
};

struct pool {
    struct cage like;
    bool zygote;   /* the launchers have one */
    bool lent;     /* the slots are a steward's, who is their parent */
    bool orphaned; /* that was; who sees them off now is us */
    char *preload; /* owned; of zygotes that are made here */
    int module;    /* likewise; -1 */
    void (*released)(void *data); /* may be NULL */
    void *data;
    size_t next;  /* slots take turns, so that each has time to settle */
    unsigned age; /* tasks until a zygote is replaced */
    size_t count;
    struct slot slots[];
};

/* --- slots --- */

static void close_fd(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* A parked task that hears nothing more ends by itself. */
static void unpark(struct slot *s) {
    close_fd(&s->feed);
    close_fd(&s->status);
}

static void end_slot(const struct pool *p, struct slot *s) {
    struct err ignored;
    if (s->state == SLOT_EMPTY) return;
    unpark(s);
    syscall(SYS_pidfd_send_signal, s->launcher.pidfd, SIGKILL, NULL, 0);
    cgroup_kill(&s->launcher.cgroup);
    if (p->orphaned) cgroup_adopt(&s->launcher.cgroup);
    if (p->lent && !p->orphaned) {
        cgroup_drop(&s->launcher.cgroup);
    } else {
        while (!p->lent && waitpid(s->launcher.pid, NULL, 0) < 0 &&
               errno == EINTR)
            continue;
        (void)cgroup_close(&s->launcher.cgroup, &ignored);
    }
    close_fd(&s->launcher.pidfd);
    close_fd(&s->launcher.status);
    close_fd(&s->launcher.listener);
    mem_free(s->owner);
    s->owner = NULL;
    s->state = SLOT_EMPTY;
}

static void open_slot(struct slot *s, const struct started *launcher) {
    uint64_t pids;
    *s = (struct slot){.state = SLOT_FREE,
                       .launcher = *launcher,
                       .feed = -1,
                       .status = -1,
                       .used_ns = clock_mono_ns()};
    cgroup_now(&s->launcher.cgroup, &s->idle_bytes, &pids);
}

static int make_slot(struct pool *p, struct slot *s, struct err *e) {
    const char *const argv[] = {CPYTHON, "-I",       "-c", zygote_text(),
                                "serve", p->preload, NULL};
    struct start_zygote z = {argv, p->module};
    struct started launcher;
    if (p->lent) return fail(e, ERR_LIMIT, "no slot is ready");
    if (start_launcher(&p->like, p->zygote ? &z : NULL, &launcher, e))
        return fail_while(e, "sandbox pool");
    open_slot(s, &launcher);
    return 0;
}

static bool alive(const struct slot *s) {
    struct pollfd end = {s->launcher.pidfd, POLLIN, 0};
    return poll(&end, 1, 0) == 0;
}

/* The launcher is there, and the zygote. */
static bool clean(const struct pool *p, const struct slot *s) {
    if (!(s->launcher.layers & LAYER_BIT(LAYER_CGROUP))) return true;
    uint64_t bytes, pids, idle = p->zygote ? 2 : 1;
    cgroup_now(&s->launcher.cgroup, &bytes, &pids);
    return bytes <= s->idle_bytes + IDLE_BYTES && pids <= idle;
}

/* The last task's namespaces may still be on their way out. Who has a steward
 * has other things to do than to wait for that. */
static bool soon_clean(const struct pool *p, const struct slot *s) {
    for (int i = 0; i < SETTLE_MS * 10; i++) {
        if (clean(p, s)) return true;
        if (p->lent) return false;
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return false;
}

/* --- the pool --- */

static struct pool *new_pool(const struct cage *like, size_t slots,
                             struct err *e) {
    if (kind_check(like, e) || cage_check(like, e)) return NULL;
    if (like->fd_count) {
        err_set(e, ERR_UNSUPPORTED, "a pool passes no descriptors");
        return NULL;
    }
    size_t size = sizeof(struct pool) + slots * sizeof(struct slot);
    struct pool *p = mem_zalloc(1, size, e);
    if (!p) return NULL;
    p->like = *like;
    p->module = -1;
    p->count = slots;
    p->age = ZYGOTE_TASKS;
    for (size_t i = 0; i < slots; i++)
        p->slots[i].feed = p->slots[i].status = -1;
    return p;
}

static int fill(struct pool *p, struct pool **out, struct err *e) {
    for (size_t i = 0; i < p->count; i++) {
        if (!make_slot(p, &p->slots[i], e)) continue;
        pool_free(p);
        return -1;
    }
    *out = p;
    return 0;
}

int pool_new(const struct cage *like, size_t slots, struct pool **out,
             struct err *e) {
    struct pool *p = new_pool(like, slots, e);
    return p ? fill(p, out, e) : -1;
}

int zygote_pool(const struct cage *like, const char *module,
                const char *preload, size_t slots, struct pool **out,
                struct err *e) {
    AUTO_FD int fd = open(module, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_sys(e, "%s", module);
    struct pool *p = new_pool(like, slots, e);
    if (!p) return -1;
    p->zygote = true;
    p->module = fd_take(&fd);
    p->preload = mem_dup(preload, strlen(preload), e);
    if (!p->preload) {
        pool_free(p);
        return -1;
    }
    return fill(p, out, e);
}

int pool_lent(const struct cage *like, bool zygote, size_t slots,
              struct pool **out, struct err *e) {
    struct pool *p = new_pool(like, slots, e);
    if (!p) return -1;
    p->lent = true;
    p->zygote = zygote;
    *out = p;
    return 0;
}

bool pool_put(struct pool *p, const struct started *launcher) {
    for (size_t i = 0; i < p->count; i++) {
        if (p->slots[i].state != SLOT_EMPTY) continue;
        open_slot(&p->slots[i], launcher);
        return true;
    }
    return false;
}

void pool_orphan(struct pool *p) {
    p->orphaned = true;
}

void pool_on_release(struct pool *p, void (*fn)(void *data), void *data) {
    p->released = fn;
    p->data = data;
}

void pool_free(struct pool *p) {
    if (!p) return;
    for (size_t i = 0; i < p->count; i++)
        end_slot(p, &p->slots[i]);
    if (p->module >= 0) close(p->module);
    mem_free(p->preload);
    mem_free(p);
}

/* --- tasks --- */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What the slots were made for cannot differ from task to task. */
static int check_same(const struct cage *a, const struct cage *b,
                      struct err *e) {
    bool same = a->tier == b->tier && a->net == b->net &&
                same_text(a->root, b->root) && a->bind_count == b->bind_count &&
                a->unix_sockets == b->unix_sockets &&
                a->limits.cpu == b->limits.cpu &&
                a->limits.memory == b->limits.memory &&
                a->limits.pids == b->limits.pids;
    for (size_t i = 0; same && i < a->bind_count; i++)
        same = a->binds[i].kind == b->binds[i].kind &&
               strcmp(a->binds[i].from, b->binds[i].from) == 0 &&
               strcmp(a->binds[i].to, b->binds[i].to) == 0;
    return same ? 0 : fail(e, ERR_INVALID, "the pool is for other tasks");
}

static int check_fds(const struct pool *p, const struct cage *c,
                     struct err *e) {
    if (c->fd_count == 0 || (p->zygote && c->tools && c->fd_count == 1))
        return 0;
    return fail(e, ERR_UNSUPPORTED, "a pool passes no descriptors");
}

static bool too_old(const struct pool *p, const struct slot *s) {
    return p->zygote && s->tasks >= p->age;
}

static bool usable(const struct pool *p, const struct slot *s) {
    return s->state == SLOT_FREE && !too_old(p, s) && alive(s);
}

/* A slot whose last task is quite gone, or a new one. What is parked in it is
 * for other tasks than the one that is coming. */
static int freshen(struct pool *p, struct slot *s, struct err *e) {
    unpark(s);
    if (usable(p, s) && soon_clean(p, s)) return 0;
    if (p->lent) return fail(e, ERR_LIMIT, "no slot is ready");
    end_slot(p, s);
    return make_slot(p, s, e);
}

/* One that ran somebody's tasks is for that one alone. */
static bool is_for(const struct slot *s, str owner) {
    return !s->owner || str_is(owner, s->owner);
}

static int claim(struct slot *s, str owner, struct err *e) {
    if (!s->owner) s->owner = mem_dup(owner.p, owner.n, e);
    return s->owner ? 0 : -1;
}

/* Slots take turns; those where nothing is parked come first, since what is
 * parked is lost otherwise. */
static struct slot *take_slot(struct pool *p, str owner, struct err *e) {
    err_set(e, ERR_LIMIT, "all %zu slots of the pool are in use", p->count);
    for (int parked = 0; parked < 2; parked++)
        for (size_t i = 0; i < p->count; i++) {
            struct slot *s = &p->slots[(p->next + i) % p->count];
            if (s->state == SLOT_BUSY || (s->feed >= 0) != parked ||
                !is_for(s, owner))
                continue;
            p->next = (p->next + i + 1) % p->count;
            if (!freshen(p, s, e) && !claim(s, owner, e)) return s;
            if (!p->lent) return NULL;
        }
    return NULL;
}

static int status_pair(int *ours, int *theirs, struct err *e) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "status socket");
    *ours = pair[0];
    *theirs = pair[1];
    return 0;
}

/* --- parking --- */

/* A task that waits must have room to be handed its streams. */
enum { PARKED_FILES = 16 };

/* In what was done ahead. A zygote's text has no say in more than itself. */
static bool as_parked(const struct pool *p, const struct cage *c) {
    const struct cage *a = &p->like;
    struct cage_limits own = c->limits;
    own.output = a->limits.output; /* the supervisor's own */
    own.traffic = a->limits.traffic;
    own.requests = a->limits.requests;
    if (!(c->may_miss & LAYER_BIT(LAYER_CGROUP)))
        own.wall = a->limits.wall; /* likewise; else it is one of a process */
    if (c->keep_scratch != a->keep_scratch || own.files < PARKED_FILES ||
        memcmp(&own, &a->limits, sizeof own) != 0)
        return false;
    if (!p->zygote) return true;
    if (!same_text(c->cwd, a->cwd) || c->env_count != a->env_count ||
        !c->argv[1] || c->argv[2])
        return false;
    for (size_t i = 0; i < c->env_count; i++)
        if (strcmp(c->env[i], a->env[i]) != 0) return false;
    return true;
}

static int park(struct pool *p, struct slot *s, struct err *e) {
    static const char *const argv[] = {"python3", "", NULL};
    AUTO_FD int status = -1, theirs = -1, feed = -1, far = -1;
    AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return fail_sys(e, "/dev/null");
    if (status_pair(&status, &theirs, e) || status_pair(&feed, &far, e))
        return -1;
    struct cage c = p->like;
    c.argv = argv;
    c.fds[0] = far;
    c.fd_count = 1;
    const int std[3] = {null, null, null};
    if (launcher_ask(s->launcher.status, &c, std, theirs, true, e)) return -1;
    s->feed = fd_take(&feed);
    s->status = fd_take(&status);
    s->tasks++;
    return 0;
}

/* What is of no use any more makes room, where somebody else makes the next. */
static void put_away(struct pool *p, struct slot *s) {
    if (!p->lent || s->state != SLOT_FREE) return;
    bool late = clock_mono_ns() - s->used_ns > GIVE_UP_MS * 1000000ll;
    if (!usable(p, s) || (s->feed < 0 && late && !clean(p, s))) end_slot(p, s);
}

void pool_tend(struct pool *p) {
    struct err e;
    for (size_t i = 0; i < p->count; i++) {
        struct slot *s = &p->slots[i];
        put_away(p, s);
        if (s->feed < 0 && usable(p, s) && clean(p, s) && park(p, s, &e))
            return; /* the next task says why, if it fails too */
    }
}

void pool_look(const struct pool *p, struct pool_state *out) {
    *out = (struct pool_state){.oldest_ns = INT64_MAX};
    for (size_t i = 0; i < p->count; i++) {
        const struct slot *s = &p->slots[i];
        if (s->state == SLOT_EMPTY) continue;
        out->slots++;
        out->busy += s->state == SLOT_BUSY;
        if (s->state != SLOT_FREE) continue;
        out->spare += !s->owner;
        out->parked += s->feed >= 0;
        if (s->used_ns < out->oldest_ns) out->oldest_ns = s->used_ns;
    }
}

void pool_retire(struct pool *p, int64_t until_ns) {
    for (size_t i = 0; i < p->count; i++)
        if (p->slots[i].state == SLOT_FREE && p->slots[i].used_ns <= until_ns)
            end_slot(p, &p->slots[i]);
}

void pool_set_age(struct pool *p, unsigned tasks) {
    p->age = tasks;
}

size_t pool_parked(const struct pool *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        n += p->slots[i].state == SLOT_FREE && p->slots[i].feed >= 0;
    return n;
}

static int use(struct pool *p, struct slot *s, int status,
               struct started *out) {
    s->state = SLOT_BUSY;
    *out = (struct started){.pid = -1,
                            .pidfd = -1,
                            .status = status,
                            .listener = -1,
                            .cgroup = CGROUP_NONE,
                            .layers = s->launcher.layers};
    return (int)(s - p->slots);
}

static int feed(const struct pool *p, const struct slot *s,
                const struct cage *c, const int std[3], struct err *e) {
    if (!p->zygote) return launcher_feed(s->feed, c, std, e);
    int tools = c->fd_count ? c->fds[0] : -1;
    return launcher_feed_text(s->feed, str_of(c->argv[1]), std, tools, e);
}

/* A parked task that is like this one, best in a slot of the same owner's: its
 * slot, or -1. One that died while it waited is passed over. */
static int launch_parked(struct pool *p, str owner, const struct cage *c,
                         const int std[3], struct started *out) {
    struct err e;
    if (!as_parked(p, c)) return -1;
    for (size_t i = 0; i < 2 * p->count; i++) {
        struct slot *s = &p->slots[i % p->count];
        bool own = i < p->count;
        if (s->state != SLOT_FREE || s->feed < 0 || own != (s->owner != NULL) ||
            !is_for(s, owner) || claim(s, owner, &e))
            continue;
        cgroup_forget(&s->launcher.cgroup);
        int rc = feed(p, s, c, std, &e);
        close_fd(&s->feed);
        if (!rc) return use(p, s, fd_take(&s->status), out);
        unpark(s);
    }
    return -1;
}

static int launch_now(struct pool *p, str owner, const struct cage *c,
                      const int std[3], struct started *out, struct err *e) {
    struct slot *s = take_slot(p, owner, e);
    if (!s) return -1;
    AUTO_FD int ours = -1, theirs = -1;
    if (status_pair(&ours, &theirs, e)) return -1;
    cgroup_forget(&s->launcher.cgroup);
    if (launcher_ask(s->launcher.status, c, std, theirs, false, e)) return -1;
    s->tasks++;
    return use(p, s, fd_take(&ours), out);
}

int pool_launch(struct pool *p, str owner, const struct cage *c,
                const int std[3], struct started *out, size_t *slot,
                struct err *e) {
    if (cage_check(c, e) || check_same(&p->like, c, e) || check_fds(p, c, e))
        return -1;
    int i = launch_parked(p, owner, c, std, out);
    if (i < 0) i = launch_now(p, owner, c, std, out, e);
    if (i < 0) return -1;
    *slot = (size_t)i;
    return 0;
}

/* Connections of an earlier task that nobody took lead nowhere any more. */
int pool_listener(struct pool *p, size_t slot, struct err *e) {
    int listener = p->slots[slot].launcher.listener, old;
    struct pollfd waiting = {listener, POLLIN, 0};
    if (listener < 0) return fail(e, ERR_INTERNAL, "a slot without egress");
    while (poll(&waiting, 1, 0) > 0 &&
           (old = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        close(old);
    int fd = fcntl(listener, F_DUPFD_CLOEXEC, FD_BASE);
    return fd < 0 ? fail_sys(e, "listener") : fd;
}

void pool_usage(struct pool *p, size_t slot, struct cgroup_usage *out) {
    struct slot *s = &p->slots[slot];
    struct cgroup_usage now;
    cgroup_usage(&s->launcher.cgroup, &now);
    *out = now;
    out->oom_kills -= s->before.oom_kills;
    out->pids_refused -= s->before.pids_refused;
    s->before = now;
}

void pool_release(struct pool *p, size_t slot) {
    p->slots[slot].state = SLOT_FREE;
    p->slots[slot].used_ns = clock_mono_ns();
    if (p->released) p->released(p->data);
}
