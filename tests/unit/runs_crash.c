/* SPDX-License-Identifier: MIT
 *
 * Everything is killed again and again, at moments nobody chose, while runs
 * read, write and wait for a person. In the end every run has ended, every
 * write was made exactly once, and no end that was acknowledged is missing.
 *
 * Then at moments that were chosen: at every single write to the store, and one
 * of two processes that share it.
 *
 * CRASH_RUNS, CRASH_KILLS and CRASH_STEP make it longer;
 * tests/conformance/crash does.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "call/approval.h"
#include "call/callback.h"
#include "runs/runs.h"
#include "test.h"

/* Every second run pays as well, and needs a person for that. */
static int writes_of(int run) {
    return run % 2 ? 4 : 3;
}

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

/* -- the tools: a ledger in a file
 * ---------------------------------------------
 */

static void answer(struct provider_call *c) {
    struct err e;
    struct provider_result r = {result_structured(c->arena, c->args, &e)};
    provider_done(c, &r);
}

static void do_write(void *data, struct provider_call *c) {
    str text = json_get_text(c->args, "text", STR(""));
    char line[128];
    (void)data;
    int n = snprintf(line, sizeof line, "%.*s\n", STR_ARG(text));
    int fd = open("ledger", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, line, (size_t)n) != n) abort();
    close(fd);
    answer(c);
}

static void do_read(void *data, struct provider_call *c) {
    (void)data;
    answer(c);
}

#define TEXT \
    "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}"

static const struct callback functions[] = {
    {"{\"name\":\"write\",\"inputSchema\":" TEXT "}", do_write, NULL},
    {"{\"name\":\"pay\",\"inputSchema\":" TEXT "}", do_write, NULL},
    {"{\"name\":\"read\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":"
     "{\"readOnlyHint\":true}}",
     do_read, NULL},
    {0},
};

/* A write that is said to have
 * failed although it was made is what a person denied: it is passed over. */
static const char program[] = "def once(f, text):\n"
                              "    try:\n"
                              "        f(text=text)\n"
                              "    except ToolError as e:\n"
                              "        print(e)\n"
                              "for i in range(3):\n"
                              "    x = note.read(n=i)\n"
                              "    once(note.write, RUN + '-' + str(x['n']))\n"
                              "if int(RUN[3:]) % 2:\n"
                              "    once(note.pay, RUN + '-3')\n"
                              "RUN\n";

/* -- the process that is killed
 * --------------------------------------------------
 */

struct world {
    struct loop *loop;
    struct store *store;
    struct boundary *boundary;
    struct runs *runs;
    int acknowledge; /* ends are told here */
    int submitted, wanted;
};

struct waiting {
    struct run_waiter waiter;
    struct world *world;
    char id[STORE_ID];
};

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct waiting *x = w->data;
    (void)outcome;
    if (state == RUN_DONE &&
        write(x->world->acknowledge, x->id, sizeof x->id) != sizeof x->id)
        abort();
}

__attribute__((noreturn)) static void give_up(const struct err *e) {
    printf("# %s\n", e->text);
    fflush(stdout);
    abort();
}

static void submit(struct world *w) {
    struct err e;
    char text[1024];
    struct waiting *x = calloc(1, sizeof *x);
    snprintf(text, sizeof text, "RUN = 'run%d'\n%s", w->submitted, program);
    x->waiter = (struct run_waiter){.done = on_done, .data = x};
    x->world = w;
    struct run_request q = {.program = str_of(text),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = &x->waiter};
    if (runs_submit(w->runs, &q, x->id, &e)) give_up(&e);
    w->submitted++;
}

static int count_run(void *data, const struct store_run *r, struct err *e) {
    (void)r;
    (void)e;
    ++*(int *)data;
    return 0;
}

static int count_runs(struct store *s, bool open) {
    struct err e;
    int count = 0;
    struct store_filter f = {.only_open = open, .max = 100000};
    if (store_runs(s, &f, count_run, &count, &e)) abort();
    return count;
}

/* Works until nothing is left to do. */
static void work(int wanted, int acknowledge, bool submits) {
    struct err e;
    struct world w = {.wanted = wanted, .acknowledge = acknowledge};
    struct registry *registry = registry_new(&e);
    AUTO_ARENA struct arena a = ARENA_MAX(4096);
    const struct json *sayings; /* what the user says of the tools */
    w.loop = loop_new(&e);
    struct store_config store = {.path = "store.db", .loop = w.loop};
    w.store = store_open(&store, &e);
    struct policy *policy = policy_parse(
        STR("ask R1 tool note.pay\npreset permissive\n"), "rules", &e);
    if (!w.store || !policy ||
        json_parse(STR("{\"read\":{\"readOnly\":true}}"), NULL, &a, &sayings,
                   &e) ||
        !callback_new(registry, STR("note"), functions, NULL, sayings, &e))
        give_up(&e);
    struct boundary_config boundary = {.loop = w.loop,
                                       .registry = registry,
                                       .policy = policy,
                                       .store = w.store};
    w.boundary = boundary_new(&boundary, &e);
    struct runs_config runs = {.loop = w.loop,
                               .boundary = w.boundary,
                               .store = w.store,
                               .open_max = (size_t)wanted};
    w.runs = runs_new(&runs, &e);
    w.submitted = count_runs(w.store, false);
    if (!w.runs || runs_recover(w.runs, &e) < 0) give_up(&e);
    while (w.submitted < wanted || count_runs(w.store, true) > 0) {
        size_t active, waiting;
        runs_count(w.runs, &active, &waiting);
        if (!submits)
            w.submitted = count_runs(w.store, false);
        else if (active < 5 && w.submitted < wanted)
            submit(&w);
        if (loop_step(w.loop, 2000000, &e)) give_up(&e);
    }
    _exit(0);
}

/* -- the person
 * --------------------------------------------------------------------
 */

static bool in_ledger(str text) {
    AUTO_BUF struct buf all = BUF_MAX((size_t)16 << 20);
    char line[128];
    struct err e;
    if (!file_exists("ledger")) return false;
    CHECK_OK(file_read("ledger", &all, &e), &e);
    snprintf(line, sizeof line, "%.*s\n", STR_ARG(text));
    return strstr(buf_text(&all), line) != NULL;
}

struct questions {
    struct arena arena;
    str ids[64], texts[64];
    bool unknown[64];
    size_t count;
};

static int take(void *data, const struct store_approval *p, struct err *e) {
    struct questions *q = data;
    const struct json *card;
    if (q->count == 64) return 1;
    CHECK_OK(json_parse(p->card, NULL, &q->arena, &card, e), e);
    CHECK_OK(arena_dup(&q->arena, p->id, &q->ids[q->count], e), e);
    q->texts[q->count] = json_get_text(json_get(card, "args"), "text", STR(""));
    q->unknown[q->count++] =
        str_is(json_get_text(card, "rule", STR("")), "unknown-outcome");
    return 0;
}

/* A person looks: what is in the ledger was done, what is not was not. */
static void answer_questions(void) {
    struct err e;
    struct store_config config = {.path = "store.db"};
    struct store *s = store_open(&config, &e);
    CHECK_OK(s ? 0 : -1, &e);
    struct questions q = {.arena = ARENA_MAX((size_t)16 << 20)};
    struct store_approval_filter f = {.only_pending = true};
    CHECK(store_approvals(s, &f, take, &q, &e) >= 0);
    for (size_t i = 0; i < q.count; i++) {
        bool done = q.unknown[i] && in_ledger(q.texts[i]);
        CHECK_OK(approval_answer(s, NULL, q.ids[i],
                                 done ? APPROVE_NOT : APPROVE_ONCE, STR("test"),
                                 &e),
                 &e);
    }
    arena_fini(&q.arena);
    CHECK_OK(store_close(s, &e), &e);
}

/* -- the test
 * ----------------------------------------------------------------------
 */

static void check_ledger(int runs) {
    AUTO_BUF struct buf all = BUF_MAX((size_t)16 << 20);
    struct err e;
    int lines = 0;
    CHECK_OK(file_read("ledger", &all, &e), &e);
    for (const char *p = buf_text(&all); *p; p++)
        lines += *p == '\n';
    for (int r = 0; r < runs; r++)
        for (int i = 0; i < writes_of(r); i++) {
            lines--;
            char text[64];
            snprintf(text, sizeof text, "run%d-%d", r, i);
            CHECK(in_ledger(str_of(text)));
        }
    CHECK_EQ(lines, 0); /* and nothing else */
}

static void check_store(int runs, const struct buf *acknowledged) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct err e;
    struct store_config config = {.path = "store.db"};
    struct store *s = store_open(&config, &e);
    CHECK_OK(s ? 0 : -1, &e);
    CHECK_EQ(count_runs(s, false), runs);
    CHECK_EQ(count_runs(s, true), 0);
    for (size_t i = 0; i + STORE_ID <= acknowledged->len; i += STORE_ID) {
        struct store_run r;
        CHECK_OK(store_run_get(s, str_of(acknowledged->data + i), &a, &r, &e),
                 &e);
        CHECK_EQ(r.state, RUN_DONE);
    }
    CHECK_OK(store_close(s, &e), &e);
}

static void drain(int fd, struct buf *out) {
    char bytes[4096];
    struct err e;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, 0) > 0) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n <= 0) return;
        CHECK_OK(buf_add(out, bytes, (size_t)n, &e), &e);
    }
}

/* Lets it live for a random while; true when it ended by itself. */
static bool live(pid_t child, bool kill_it) {
    struct err e;
    uint32_t chance;
    int status;
    CHECK_OK(hash_random(&chance, sizeof chance, &e), &e);
    int64_t end = clock_mono_ns() + (int64_t)(5 + chance % 120) * 1000000;
    while (!kill_it || clock_mono_ns() < end) {
        pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
            return false; /* by itself */
        if (done == child) {
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            return true;
        }
        answer_questions();
        usleep(5000);
    }
    kill(child, SIGKILL);
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status);
}

/* What is true whatever was killed. */
static void check_all(int runs, int acknowledge, struct buf *acknowledged) {
    drain(acknowledge, acknowledged);
    check_ledger(runs);
    check_store(runs, acknowledged);
}

TEST(nothing_is_lost_or_doubled_however_often_everything_is_killed) {
    int runs = setting("CRASH_RUNS", 12), kills = setting("CRASH_KILLS", 8);
    AUTO_BUF struct buf acknowledged = BUF_MAX((size_t)16 << 20);
    int pipes[2];
    bool over = false;
    test_folder();
    CHECK(pipe(pipes) == 0);
    answer_questions(); /* makes the store */
    for (int round = 0; !over; round++) {
        pid_t child = fork();
        if (child == 0) work(runs, pipes[1], true);
        over = live(child, round < kills);
        drain(pipes[0], &acknowledged);
    }
    check_all(runs, pipes[0], &acknowledged);
    close(pipes[0]);
    close(pipes[1]);
    test_note("%d runs, killed up to %d times; %zu ends were acknowledged",
              runs, kills, acknowledged.len / STORE_ID);
}

/* -- at every write to the store ----------------------------------------------
 */

static int writes_left; /* until this process dies; 0: it does not */
static bool halfway;    /* with a part of it written */

static ssize_t counted_write(int fd, const void *bytes, size_t n, off_t at) {
    if (writes_left && --writes_left == 0) {
        if (halfway && pwrite(fd, bytes, n / 2, at) < 0) abort();
        kill(getpid(), SIGKILL);
    }
    return pwrite(fd, bytes, n, at);
}

static void die_at(int write, bool half) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    writes_left = write;
    halfway = half;
    if (vfs->xSetSystemCall(vfs, "pwrite64",
                            (sqlite3_syscall_ptr)counted_write) != SQLITE_OK)
        abort();
}

/* False: it came to its end before that write. */
static bool die_once(int write) {
    AUTO_BUF struct buf acknowledged = BUF_MAX(1 << 20);
    int pipes[2], runs = 2;
    char folder[32];
    snprintf(folder, sizeof folder, "w%d", write);
    CHECK(mkdir(folder, 0700) == 0 && chdir(folder) == 0 && pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        die_at(write, write % 2);
        work(runs, pipes[1], true);
    }
    bool over = live(child, false), died = !over;
    while (!over) {
        if ((child = fork()) == 0) work(runs, pipes[1], true);
        over = live(child, false);
    }
    check_all(runs, pipes[0], &acknowledged);
    close(pipes[0]);
    close(pipes[1]);
    CHECK_EQ(chdir(".."), 0);
    return died;
}

/* Nothing changes for good but by a write: this is every moment there is, from
 * the making of the store over questions, answers and intents to the end. */
TEST(nothing_is_lost_or_doubled_by_a_kill_at_any_write_of_the_store) {
    int step = setting("CRASH_STEP", 13), write = 1, kills = 0;
    test_folder();
    while (die_once(write))
        write += step, kills++;
    test_note("%d kills in %d writes", kills, write);
    CHECK(kills > 5);
}

/* -- one of two ---------------------------------------------------------------
 */

/* The second only takes up what the first, or the one before it, left. */
TEST(nothing_is_lost_or_doubled_when_one_of_two_is_killed) {
    int runs = setting("CRASH_RUNS", 12), kills = setting("CRASH_KILLS", 8);
    AUTO_BUF struct buf acknowledged = BUF_MAX((size_t)16 << 20);
    pid_t child[2] = {0, 0};
    int pipes[2];
    bool over[2] = {false, false};
    test_folder();
    CHECK(pipe(pipes) == 0);
    answer_questions(); /* makes the store */
    for (int round = 0; !over[0] || !over[1]; round++) {
        int one = round % 2;
        for (int i = 0; i < 2; i++)
            if (!over[i] && !child[i] && (child[i] = fork()) == 0)
                work(runs, pipes[1], i == 0);
        if (over[one]) continue;
        over[one] = live(child[one], round < kills);
        child[one] = 0;
        drain(pipes[0], &acknowledged);
    }
    check_all(runs, pipes[0], &acknowledged);
    close(pipes[0]);
    close(pipes[1]);
}
