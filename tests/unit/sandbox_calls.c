/* SPDX-License-Identifier: MIT
 *
 * The socket between a task and its tools, by hand and from Python.
 */
#include "sandbox/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/collect.h"
#include "sandbox/files.h"
#include "sandbox/jail.h"
#include "sandbox/pool.h"
#include "sandbox/zygote.h"
#include "test.h"
#include "json/write.h"

static const char *const names[] = {"mail.send", "weather", "a.b.c", NULL};

/* --- frames --- */

static void push(int fd, str text) {
    struct err e;
    uint8_t head[4] = {(uint8_t)(text.n >> 24), (uint8_t)(text.n >> 16),
                       (uint8_t)(text.n >> 8), (uint8_t)text.n};
    CHECK_OK(fd_write_all(fd, (str){(char *)head, 4}, &e), &e);
    CHECK_OK(fd_write_all(fd, text, &e), &e);
}

static void pull(int fd, const char *want) {
    struct buf got = BUF_MAX(1 << 20);
    struct err e;
    uint8_t head[4];
    CHECK_EQ(recv(fd, head, 4, MSG_WAITALL), 4);
    size_t n = (size_t)head[2] << 8 | head[3];
    char *to = buf_reserve(&got, n, &e);
    CHECK_EQ(recv(fd, to, n, MSG_WAITALL), n);
    buf_commit(&got, n);
    CHECK_STR(buf_str(&got), want);
    buf_fini(&got);
}

static struct task_call next(struct calls *c, struct arena *a) {
    struct err e;
    struct task_call call;
    CHECK_OK(calls_turn(c, &e), &e);
    CHECK_EQ(calls_next(c, a, &call, &e), 1);
    return call;
}

TEST(a_question_gets_one_answer) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct calls c;
    AUTO_FD int task = -1;
    CHECK_OK(calls_open(&c, names, &task, &e), &e);
    pull(task, "{\"names\":[\"mail.send\",\"weather\",\"a.b.c\"]}");
    push(task, STR("{\"id\":7,\"name\":\"mail.send\",\"args\":[1],"
                   "\"kwargs\":{\"to\":\"x\"}}"));
    push(task, STR("{\"id\":8,\"name\":\"w\",\"args\":[],\"kwargs\":{}}"));
    struct task_call call = next(&c, &a);
    CHECK_EQ(call.id, 7);
    CHECK_STR(call.name, "mail.send");
    CHECK_EQ(json_len(call.args), 1);
    CHECK_STR(json_get_text(call.kwargs, "to", STR("")), "x");
    CHECK_EQ(next(&c, &a).id, 8);
    CHECK_OK(calls_refuse(&c, 8, "ToolDenied", "no", &e), &e);
    CHECK_OK(calls_answer(&c, 7, call.args, &e), &e);
    CHECK_FAIL(calls_answer(&c, 7, call.args, &e), &e, ERR_INVALID);
    pull(task, "{\"id\":8,\"error\":{\"type\":\"ToolDenied\","
               "\"message\":\"no\"}}");
    pull(task, "{\"id\":7,\"result\":[1]}");
    calls_close(&c);
}

TEST(what_is_no_question_ends_the_conversation) {
    static const char *const bad[] = {
        "",
        "[]",
        "{",
        "{\"id\":1}",
        "{\"id\":\"1\",\"name\":\"x\",\"args\":[],\"kwargs\":{}}",
        "{\"id\":1,\"name\":2,\"args\":[],\"kwargs\":{}}",
        "{\"id\":1,\"name\":\"x\",\"args\":{},\"kwargs\":{}}",
        "{\"id\":1,\"name\":\"x\",\"args\":[],\"kwargs\":[]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e;
        AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
        struct calls c;
        struct task_call call;
        AUTO_FD int task = -1;
        CHECK_OK(calls_open(&c, names, &task, &e), &e);
        push(task, str_of(bad[i]));
        CHECK_OK(calls_turn(&c, &e), &e);
        CHECK_FAIL(calls_next(&c, &a, &call, &e), &e, ERR_PEER);
        CHECK_EQ(c.fd, -1);
        calls_close(&c);
    }
}

TEST(a_frame_has_a_limit_that_is_seen_before_it_is_read) {
    struct err e;
    struct calls c;
    AUTO_FD int task = -1;
    CHECK_OK(calls_open(&c, names, &task, &e), &e);
    CHECK_EQ(send(task, "\x7f\xff\xff\xff", 4, 0), 4);
    CHECK_FAIL(calls_turn(&c, &e), &e, ERR_PEER);
    CHECK_EQ(c.fd, -1);
    calls_close(&c);
}

TEST(questions_without_an_answer_are_limited) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct calls c;
    struct task_call call;
    AUTO_FD int task = -1;
    char text[80];
    CHECK_OK(calls_open(&c, names, &task, &e), &e);
    for (int i = 0; i < CALLS_MAX_WAITING + 2; i++) {
        snprintf(text, sizeof text,
                 "{\"id\":%d,\"name\":\"x\",\"args\":[],\"kwargs\":{}}", i);
        push(task, str_of(text));
    }
    for (int i = 0; i < CALLS_MAX_WAITING; i++)
        CHECK_EQ(next(&c, &a).id, i);
    CHECK_EQ(calls_next(&c, &a, &call, &e), 0);
    CHECK_OK(calls_refuse(&c, 5, NULL, "", &e), &e);
    CHECK_EQ(calls_next(&c, &a, &call, &e), 1);
    CHECK_EQ(call.id, CALLS_MAX_WAITING);
    push(task, STR("{\"id\":3,\"name\":\"x\",\"args\":[],\"kwargs\":{}}"));
    CHECK_OK(calls_refuse(&c, 6, NULL, "", &e), &e);
    CHECK_OK(calls_refuse(&c, 7, NULL, "", &e), &e);
    CHECK_EQ(next(&c, &a).id, CALLS_MAX_WAITING + 1);
    CHECK_FAIL(calls_next(&c, &a, &call, &e), &e, ERR_PEER); /* 3 is in use */
    calls_close(&c);
}

TEST(nobody_waits_for_a_task_that_does_not_read) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 20);
    struct calls c;
    AUTO_FD int task = -1;
    AUTO_BUF struct buf big = BUF_MAX(6 << 20);
    CHECK_OK(calls_open(&c, names, &task, &e), &e);
    CHECK_OK(buf_add_char(&big, '"', &e), &e);
    while (big.len < (5 << 20))
        CHECK_OK(buf_add_text(&big, "0123456789abcdef", &e), &e);
    CHECK_OK(buf_add_char(&big, '"', &e), &e);
    const struct json *v;
    CHECK_OK(json_parse(buf_str(&big), NULL, &a, &v, &e), &e);
    int rc = 0, sent = 0;
    for (; !rc && sent < 20; sent++) {
        push(task, STR("{\"id\":1,\"name\":\"x\",\"args\":[],\"kwargs\":{}}"));
        next(&c, &a);
        rc = calls_answer(&c, 1, v, &e);
    }
    CHECK_EQ(e.kind, ERR_LIMIT);
    CHECK(calls_full(&c) && sent > 3 && sent < 20);
    CHECK_OK(calls_refuse(&c, 1, NULL, "too large", &e), &e);
    calls_close(&c);
}

/* --- from Python --- */

struct fixture {
    struct arena arena;
    struct cage cage;
    struct pool *pool;
    int calls; /* that were made */
};

static void start(struct fixture *f, bool warm) {
    struct err e;
    char module[512];
    const char *build = getenv("CORDON_BUILD");
    snprintf(module, sizeof module, "%s/cordon-python.so",
             build ? build : "build");
    if (access("/usr/bin/python3", X_OK) != 0) SKIP("no /usr/bin/python3");
    if (warm && strstr(module, "SAN")) SKIP("built with sanitizers");
    static const char *const argv[] = {"python3", "", NULL};
    *f = (struct fixture){.arena = ARENA_MAX(4 << 20)};
    cage_init(&f->cage, &f->arena);
    f->cage.argv = argv;
    f->cage.tools = names;
    f->cage.keep_scratch = true;
    if (geteuid() != 0) f->cage.may_miss = LAYER_BIT(LAYER_CGROUP);
    if (warm && zygote_pool(&f->cage, module, "", 2, &f->pool, &e)) {
        if (e.kind == ERR_UNSUPPORTED) SKIP("%s", e.text);
        test_fail(__FILE__, __LINE__, "%s", e.text);
    }
}

static void stop(struct fixture *f) {
    pool_free(f->pool);
    arena_fini(&f->arena);
}

/* weather fails, a.b.c is denied, mail.send gives back what it got. */
static void on_call(void *context, struct jail *j,
                    const struct task_call *call) {
    struct fixture *f = context;
    struct err e;
    f->calls++;
    if (str_is(call->name, "weather"))
        CHECK_OK(jail_refuse(j, call->id, "ValueError", "no such place", &e),
                 &e);
    else if (str_is(call->name, "a.b.c"))
        CHECK_OK(jail_refuse(j, call->id, "ToolDenied", "not you", &e), &e);
    else
        CHECK_OK(jail_answer(j, call->id,
                             json_len(call->args) ? call->args : call->kwargs,
                             &e),
                 &e);
}

static void run(struct fixture *f, const char *text, const char *out,
                const char *err, const char *value) {
    struct err e;
    struct cage c = f->cage;
    struct jail *j;
    struct cage_result r;
    const char *const argv[] = {"python3", text, NULL};
    AUTO_BUF struct buf got = BUF_MAX(1 << 20);
    c.argv = argv;
    if (!f->pool) CHECK_OK(zygote_describe(&c, str_of(text), &e), &e);
    CHECK_OK(jail_start_in(f->pool, STR(""), &c, &JAIL_IO_KEEP, &j, &e), &e);
    jail_on_call(j, on_call, f);
    CHECK_OK(jail_wait(j, &e), &e);
    (void)collect_file(jail_scratch(j), ZYGOTE_JSON, &got, &e);
    jail_result_take(j, &r);
    if (err[0])
        CHECK_HAS(buf_text(&r.err.kept), err);
    else
        CHECK_STR(buf_str(&r.err.kept), "");
    CHECK_STR(buf_str(&r.out.kept), out);
    CHECK_STR(buf_str(&got), value);
    cage_result_fini(&r);
    jail_free(j);
}

static void conversation(struct fixture *f) {
    run(f, "mail.send(to='x', n=[1, 2.5, None])", "", "",
        "{\"to\": \"x\", \"n\": [1, 2.5, null]}");
    run(f, "[mail.send(i)[0] for i in range(200)][-1]", "", "", "199");
    run(f, "len(mail.send('x' * 3000000)[0])", "", "", "3000000");
    CHECK_EQ(f->calls, 202);
    run(f,
        "try: weather('Oslo')\nexcept ValueError as e: print(e)\n"
        "try: a.b.c()\nexcept ToolError as e: print(type(e).__name__, e)",
        "no such place\nToolDenied not you\n", "", "");
    run(f, "a.b.c()", "",
        "Traceback (most recent call last):\n"
        "  File \"<task>\", line 1, in <module>\n"
        "    a.b.c()\n"
        "ToolDenied: not you\n",
        "");
    run(f, "mail.delete()", "", "AttributeError: no tool 'mail.delete'", "");
    run(f, "mail.send(object())", "", "TypeError: tools take JSON values", "");
    run(f, "mail.send(float('nan'))", "", "ValueError", "");
    run(f, "import mail as m\nfrom mail import send\nm.send is send", "", "",
        "true");
    run(f, "print(mail, mail.send)", "<tools of mail> <tool mail.send>\n", "",
        "");
    run(f,
        "import threading\nout = []\n"
        "t = [threading.Thread(target=lambda i=i: "
        "out.append(mail.send(i)[0])) for i in range(8)]\n"
        "for x in t: x.start()\nfor x in t: x.join()\nsorted(out)",
        "", "", "[0, 1, 2, 3, 4, 5, 6, 7]");
}

TEST(a_cold_program_calls_tools) {
    struct fixture f;
    start(&f, false);
    conversation(&f);
    stop(&f);
}

TEST(a_warm_program_calls_tools) {
    struct fixture f;
    start(&f, true);
    conversation(&f);
    stop(&f);
}

TEST(a_parked_program_is_like_any_other) {
    struct fixture f;
    start(&f, true);
    for (int i = 0; i < 5; i++) {
        pool_tend(f.pool);
        CHECK_EQ(pool_parked(f.pool), 2);
        run(&f, "print(1)\nmail.send(2)", "1\n", "", "[2]");
        run(&f, "import os; [os.getpid(), os.getcwd(), os.listdir('/tmp')]", "",
            "", "[2, \"/tmp\", []]");
        run(&f, "1 / 0", "", "line 1, in <module>\n    1 / 0\n", "");
        run(&f,
            "import os\n[n for n in range(3, 99) if os.path.exists("
            "f'/proc/self/fd/{n}')]",
            "", "", "[3]");
        usleep(20000);
    }
    f.cage.limits.files = 99; /* not what was parked */
    run(&f, "import resource; resource.getrlimit(resource.RLIMIT_NOFILE)[0]",
        "", "", "99");
    stop(&f);
}

TEST(hostile_frames_cost_a_task_its_tools_and_nothing_else) {
    struct fixture f;
    start(&f, false);
    run(&f, "import os; os.write(3, b'\\xff' * 100); print('on')", "on\n", "",
        "");
    run(&f,
        "import os\nos.write(3, b'\\0\\0\\0\\2[]')\n"
        "try: mail.send(1)\nexcept Exception as e: print(type(e).__name__)",
        "ToolError\n", "", "");
    run(&f, "import os; os.close(3)\nprint('alone')", "alone\n", "", "");
    stop(&f);
}

/* --- files --- */

TEST(files_are_listed_with_what_they_are) {
    struct err e;
    struct fixture f;
    struct jail *j;
    start(&f, false);
    f.cage.tools = NULL;
    const char *text =
        "import os, sys\n"
        "open('/tmp/plot.dat', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n....')\n"
        "open('/tmp/t.csv', 'w').write('a,b\\n')\n"
        "os.mkdir('/tmp/d'); open('/tmp/d/x', 'wb').write(b'a\\0b')\n"
        "open('/tmp/.hidden', 'w').write('x')\n"
        "os.symlink('/etc/passwd', '/tmp/link')\n"
        "class P:\n"
        "    def get_fignums(self): return [1]\n"
        "    def figure(self, n): return self\n"
        "    def savefig(self, path): open(path, 'wb').write("
        "b'\\x89PNG\\r\\n\\x1a\\n')\n"
        "sys.modules['matplotlib.pyplot'] = P()\n1";
    CHECK_OK(zygote_describe(&f.cage, str_of(text), &e), &e);
    CHECK_OK(jail_start(&f.cage, &JAIL_IO_KEEP, &j, &e), &e);
    CHECK_OK(jail_wait(j, &e), &e);
    struct file_list list;
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    CHECK_OK(files_list(jail_scratch(j), &f.arena, &list, &e), &e);
    CHECK_EQ(list.count, 4);
    struct jw w = JW(&out);
    files_write(jail_scratch(j), &list, &w);
    CHECK_OK(jw_done(&w, &e), &e);
    CHECK_HAS(buf_text(&out), "{\"name\":\"plot.dat\",\"size\":12,"
                              "\"type\":\"image/png\","
                              "\"data\":\"iVBORw0KGgouLi4u\"}");
    CHECK_HAS(buf_text(&out), "{\"name\":\"t.csv\",\"size\":4,"
                              "\"type\":\"text/csv\"}");
    CHECK_HAS(buf_text(&out), "{\"name\":\"d/x\",\"size\":3,"
                              "\"type\":\"application/octet-stream\"}");
    CHECK_HAS(buf_text(&out), "{\"name\":\"figure-1.png\",\"size\":8,"
                              "\"type\":\"image/png\","
                              "\"data\":\"iVBORw0KGgo=\"}");
    jail_free(j);
    stop(&f);
}
