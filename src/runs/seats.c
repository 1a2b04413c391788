/* SPDX-License-Identifier: MIT */
#include "runs/seats.h"

#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

#define SEATS_MAX 16
#define SPARES    4   /* workers that stand ready */
#define ENDING    256 /* that were killed and are not waited for yet */

struct queue {
    struct seat *first, *last;
};

struct seats {
    struct loop *loop;
    struct nursery *nursery;
    bool own; /* the nursery is ours */
    struct io_watch births;
    struct io_task turn; /* hands out what there is */
    struct worker *spare[SPARES];
    size_t spares, max;
    size_t taken, asked;
    struct queue wanted, idle; /* longest first */
    struct seat *told;         /* its events are being told */
    pid_t ending[ENDING];
    size_t nending;
    bool barren;   /* the nursery is gone */
    bool short_of; /* memory, processes or descriptors: one came not */
    struct err why;
};

/* -- queues -------------------------------------------------------------------
 */

static void queue_add(struct queue *q, struct seat *s) {
    s->next = NULL;
    s->before = q->last;
    *(q->last ? &q->last->next : &q->first) = s;
    q->last = s;
}

static void queue_remove(struct queue *q, struct seat *s) {
    *(s->before ? &s->before->next : &q->first) = s->next;
    *(s->next ? &s->next->before : &q->last) = s->before;
    s->next = s->before = NULL;
}

static void set_state(struct seat *s, enum seat_state state) {
    if (s->state == SEAT_WANTED) queue_remove(&s->seats->wanted, s);
    if (s->state == SEAT_IDLE) queue_remove(&s->seats->idle, s);
    s->state = state;
    if (state == SEAT_WANTED) queue_add(&s->seats->wanted, s);
    if (state == SEAT_IDLE) queue_add(&s->seats->idle, s);
}

/* -- ends of processes --------------------------------------------------------
 */

/* A killed process ends when the kernel finds the time: nobody waits for it. */
static void reap(struct seats *all, bool patient) {
    size_t kept = 0;
    for (size_t i = 0; i < all->nending; i++)
        if (waitpid(all->ending[i], NULL, patient ? 0 : WNOHANG) == 0)
            all->ending[kept++] = all->ending[i];
    all->nending = kept;
}

static void end_worker(struct seats *all, struct worker *w) {
    if (all->nending == ENDING) reap(all, true);
    pid_t pid = worker_end(w);
    if (pid) all->ending[all->nending++] = pid;
}

/* -- events -------------------------------------------------------------------
 */

static void tell_gone(struct seat *s, const char *why) {
    struct worker_event ev = {.kind = WORKER_GONE, .text = str_of(why)};
    s->event(s, &ev);
}

/* Whatever has come; the seat may be left, and its owner gone, at any of it. */
static void read_events(struct seat *s) {
    struct seats *all = s->seats;
    struct worker_event ev;
    struct err e;
    int n;
    all->told = s;
    while (all->told == s && (n = worker_next(s->worker, 0, &ev, &e)) != 0) {
        if (n < 0)
            tell_gone(s, e.text);
        else
            s->event(s, &ev);
        if (n < 0 || ev.kind == WORKER_GONE) break;
    }
    all->told = NULL;
}

static void on_worker(struct io_watch *w, uint32_t events) {
    struct seat *s = w->data;
    if (events & EPOLLOUT) seat_sent(s);
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_events(s);
}

void seat_sent(struct seat *s) {
    struct err e;
    uint32_t want = EPOLLIN;
    if (s->state != SEAT_TAKEN && s->state != SEAT_IDLE) return;
    if (worker_flush(s->worker, &e) == 0) want |= EPOLLOUT;
    if (want != s->watch.events)
        (void)loop_watch(s->seats->loop, &s->watch, want, &e);
}

/* -- handing out --------------------------------------------------------------
 */

/* Those that died while they stood ready are none. */
static void bury_spares(struct seats *all) {
    size_t kept = 0;
    for (size_t i = 0; i < all->spares; i++)
        if (worker_gone(all->spare[i]))
            end_worker(all, all->spare[i]);
        else
            all->spare[kept++] = all->spare[i];
    all->spares = kept;
}

static void sit_down(struct seats *all, struct seat *s) {
    struct err e;
    set_state(s, SEAT_TAKEN);
    s->worker = all->spare[--all->spares];
    all->taken++;
    s->watch = (struct io_watch){
        .fd = worker_fd(s->worker), .fn = on_worker, .data = s};
    if (loop_watch(all->loop, &s->watch, EPOLLIN, &e))
        tell_gone(s, e.text);
    else
        s->seated(s);
}

/* Some always stand ready. */
static void order(struct seats *all) {
    while (!all->barren && all->spares + all->asked < SPARES) {
        if (nursery_ask(all->nursery, &all->why))
            all->barren = true;
        else
            all->asked++;
    }
}

static void refuse_all(struct seats *all) {
    while (all->wanted.first) {
        struct seat *s = all->wanted.first;
        set_state(s, SEAT_NONE);
        tell_gone(s, all->why.text);
    }
}

/* One that only waits makes room. */
static void make_room(struct seats *all) {
    struct seat *s = all->idle.first;
    if (!s) return;
    set_state(s, SEAT_TAKEN);
    s->leave(s);
}

static void on_turn(struct io_task *t) {
    struct seats *all = t->data;
    bool poor = all->short_of;
    all->short_of = false;
    reap(all, false);
    if (all->wanted.first) bury_spares(all);
    while (all->wanted.first && all->spares && all->taken < all->max)
        sit_down(all, all->wanted.first);
    bool room = all->taken < all->max;
    if (all->wanted.first && !room) make_room(all);
    /* What just failed is not tried again at once, and nobody waits for it. */
    if (!poor)
        order(all);
    else if (room)
        refuse_all(all);
    if (all->barren && !all->spares) refuse_all(all);
}

static void turn_soon(struct seats *all) {
    all->turn.fn = on_turn;
    all->turn.data = all;
    loop_post(all->loop, &all->turn);
}

/* False: there is none to have, now or ever. */
static bool take_birth(struct seats *all) {
    int fd;
    pid_t pid;
    switch (nursery_take(all->nursery, &fd, &pid, &all->why)) {
    case NURSERY_NONE: return false;
    case NURSERY_GONE:
        all->barren = true;
        loop_unwatch(&all->births);
        return false;
    case NURSERY_FAILED: all->short_of = true; break;
    case NURSERY_BORN:
        if (worker_adopt(fd, pid, &all->spare[all->spares], &all->why))
            all->short_of = true;
        else
            all->spares++;
    }
    if (all->asked) all->asked--;
    return true;
}

static void on_birth(struct io_watch *w, uint32_t events) {
    struct seats *all = w->data;
    (void)events;
    while (all->spares < SPARES && take_birth(all))
        continue;
    turn_soon(all);
}

void seat_take(struct seats *all, struct seat *s) {
    s->seats = all;
    if (s->state != SEAT_NONE) return;
    set_state(s, SEAT_WANTED);
    turn_soon(all);
}

void seat_leave(struct seat *s) {
    struct worker *w = s->worker;
    if (s->state == SEAT_NONE) return;
    set_state(s, SEAT_NONE);
    if (s->seats->told == s) s->seats->told = NULL;
    if (!w) return;
    loop_unwatch(&s->watch);
    s->worker = NULL;
    end_worker(s->seats, w);
    s->seats->taken--;
    turn_soon(s->seats);
}

void seat_rest(struct seat *s, bool resting) {
    if (s->state != SEAT_TAKEN && s->state != SEAT_IDLE) return;
    if (resting == (s->state == SEAT_IDLE)) return;
    set_state(s, resting ? SEAT_IDLE : SEAT_TAKEN);
    if (resting && s->seats->wanted.first) turn_soon(s->seats);
}

/* -- a life -------------------------------------------------------------------
 */

struct seats *seats_new(struct loop *loop, struct nursery *nursery, size_t max,
                        struct err *e) {
    struct seats *all = mem_zalloc(1, sizeof *all, e);
    if (!all) return NULL;
    all->loop = loop;
    all->nursery = nursery;
    all->own = !nursery;
    all->max = max ? max : SEATS_MAX;
    if (!nursery && nursery_start(&all->nursery, e)) {
        mem_free(all);
        return NULL;
    }
    all->births = (struct io_watch){
        .fd = nursery_fd(all->nursery), .fn = on_birth, .data = all};
    if (loop_watch(loop, &all->births, EPOLLIN, e)) {
        seats_free(all);
        return NULL;
    }
    order(all);
    return all;
}

void seats_free(struct seats *all) {
    if (!all) return;
    loop_unwatch(&all->births);
    loop_unpost(all->loop, &all->turn);
    while (all->spares)
        end_worker(all, all->spare[--all->spares]);
    reap(all, true);
    if (all->own) nursery_free(all->nursery);
    mem_free(all);
}
