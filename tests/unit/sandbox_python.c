/* SPDX-License-Identifier: MIT
 *
 * CPython tasks: warm, as forks of a zygote, and cold.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "sandbox/zygote.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct cage cage;
    struct pool *pool; /* NULL: cold */
};

struct outcome {
    struct cage_result result;
    struct buf value;
};

/* folder, to be written to, is /data; NULL: there is none. */
static void start_with(struct fixture *f, bool warm, size_t slots,
                       const char *folder) {
    struct err e;
    char bind[600];
    char module[512];
    const char *build = getenv("CORDON_BUILD");
    snprintf(module, sizeof module, "%s/cordon-python.so",
             build ? build : "build");
    if (access("/usr/bin/python3", X_OK) != 0) SKIP("no /usr/bin/python3");
    /* A sanitized module cannot be loaded into a plain interpreter. */
    if (strstr(module, "SAN")) SKIP("built with sanitizers");
    static const char *const argv[] = {"python3", "", NULL};
    f->arena = ARENA_MAX(4 << 20);
    f->pool = NULL;
    cage_init(&f->cage, &f->arena);
    f->cage.argv = argv;
    f->cage.keep_scratch = true;
    if (geteuid() != 0) f->cage.may_miss = LAYER_BIT(LAYER_CGROUP);
    snprintf(bind, sizeof bind, "%s:/data", folder ? folder : "");
    if (folder)
        CHECK_OK(cage_add_bind(&f->cage, BIND_RW, str_of(bind), &e), &e);
    if (!warm) return;
    if (zygote_pool(&f->cage, module, "json,numpy", slots, &f->pool, &e)) {
        if (e.kind == ERR_UNSUPPORTED) SKIP("%s", e.text);
        test_fail(__FILE__, __LINE__, "%s", e.text);
    }
}

static void start(struct fixture *f, bool warm, size_t slots) {
    start_with(f, warm, slots, NULL);
}

static void stop(struct fixture *f) {
    pool_free(f->pool);
    arena_fini(&f->arena);
}

static void run(struct fixture *f, const char *text, struct outcome *out) {
    struct err e;
    const char *const argv[] = {"python3", text, NULL};
    struct cage c = f->cage;
    c.argv = argv;
    if (!f->pool) CHECK_OK(zygote_describe(&c, str_of(text), &e), &e);
    struct jail *j;
    CHECK_OK(jail_start_in(f->pool, STR(""), &c, &JAIL_IO_KEEP, &j, &e), &e);
    CHECK_OK(jail_wait(j, &e), &e);
    out->value = BUF_MAX(64 << 10);
    (void)collect_file(jail_scratch(j), ZYGOTE_VALUE, &out->value, &e);
    jail_result_take(j, &out->result);
    jail_free(j);
}

static void forget(struct outcome *o) {
    cage_result_fini(&o->result);
    buf_fini(&o->value);
}

static void expect(struct fixture *f, const char *text, int code,
                   const char *out, const char *value) {
    struct outcome o;
    run(f, text, &o);
    if (o.result.code != code) test_note("%s", buf_text(&o.result.err.kept));
    CHECK_EQ(o.result.code, code);
    CHECK_STR(buf_str(&o.result.out.kept), out);
    CHECK_STR(buf_str(&o.value), value);
    forget(&o);
}

static void programs(struct fixture *f) {
    expect(f, "print(6 * 7)", 0, "42\n", "");
    expect(f, "x = 20\nx + 1", 0, "", "21");
    expect(f, "'a' + 'b'", 0, "", "'ab'");
    expect(f, "def f():\n    return __name__\nf()", 0, "", "'__main__'");
    expect(f, "", 0, "", "");
    expect(f, "import sys; sys.exit(3)", 3, "", "");
    expect(f, "print('part'); 1 / 0", 1, "part\n", "");
    expect(f, "import os; sorted(os.environ)", 0, "",
           "['HOME', 'LANG', 'PATH']");
    expect(f, "import os; os.getpid(), os.getuid(), os.getcwd()", 0, "",
           "(2, 1000, '/tmp')");
    expect(f,
           "import os; [n for n in range(3, 256) if os.path.exists("
           "f'/proc/self/fd/{n}')]",
           0, "", "[]");
    expect(f, "open('/tmp/f', 'w').write('x'); import os; os.listdir('/tmp')",
           0, "", "['f']");
    expect(f,
           "import threading\nt = threading.Thread(target=print, "
           "args=(1,))\nt.start(); t.join()",
           0, "1\n", "");
    expect(f, "import subprocess; subprocess.check_output(['echo', 'hi'])", 0,
           "", "b'hi\\n'");
}

TEST(a_cold_task_runs_python) {
    struct fixture f;
    start(&f, false, 0);
    programs(&f);
    stop(&f);
}

TEST(a_warm_task_runs_python_in_the_same_way) {
    struct fixture f;
    start(&f, true, 2);
    programs(&f);
    stop(&f);
}

TEST(a_warm_task_may_write_where_a_cold_one_may) {
    char here[512];
    CHECK(getcwd(here, sizeof here)); /* the build lies in it */
    const char *folder = test_folder();
    CHECK_EQ(chdir(here), 0);
    for (int warm = 0; warm < 2; warm++) {
        struct fixture f;
        start_with(&f, warm, 1, folder);
        expect(&f, "open('/data/x', 'w').write('abc')", 0, "", "3");
        expect(&f, "open('/data/x').read()", 0, "", "'abc'");
        expect(&f, "open('/usr/x', 'w')", 1, "", "");
        stop(&f);
    }
}

TEST(a_traceback_is_a_result) {
    struct fixture f;
    struct outcome o;
    start(&f, true, 1);
    run(&f, "def f(x):\n    return 1 / x\n\nf(0)\n", &o);
    CHECK_EQ(o.result.code, 1);
    CHECK_STR(buf_str(&o.result.err.kept),
              "Traceback (most recent call last):\n"
              "  File \"<task>\", line 4, in <module>\n"
              "    f(0)\n"
              "  File \"<task>\", line 2, in f\n"
              "    return 1 / x\n"
              "           ~~^~~\n"
              "ZeroDivisionError: division by zero\n");
    forget(&o);
    run(&f, "if:\n", &o);
    CHECK_EQ(o.result.code, 1);
    CHECK_HAS(buf_text(&o.result.err.kept), "SyntaxError: invalid syntax");
    forget(&o);
    stop(&f);
}

TEST(children_do_not_share_random_numbers) {
    struct fixture f;
    struct outcome a, b;
    const char *text = "import random\nout = [random.random()]\n"
                       "try:\n    import numpy\n"
                       "    out.append(numpy.random.rand())\n"
                       "except ImportError:\n    pass\nout";
    start(&f, true, 1);
    run(&f, text, &a);
    run(&f, text, &b);
    CHECK(a.value.len > 10);
    CHECK(!str_eq(buf_str(&a.value), buf_str(&b.value)));
    forget(&a);
    forget(&b);
    stop(&f);
}

TEST(a_warm_task_is_behind_every_layer) {
    struct fixture f;
    struct outcome o;
    start(&f, true, 1);
    run(&f,
        "import ctypes, os, socket\n"
        "def no(f, *a):\n"
        "    try: f(*a)\n"
        "    except OSError as e: return e.errno\n"
        "    return 0\n"
        "status = dict(l.split(':\\t') for l in open('/proc/self/status')"
        ".read().splitlines() if ':\\t' in l)\n"
        "[status[k].strip() for k in ('CapEff', 'CapPrm', 'CapBnd', 'CapAmb',"
        " 'NoNewPrivs', 'Seccomp')] + [no(open, '/etc/shadow'), "
        "no(open, '/usr/x', 'w'), no(socket.socket, 40), "
        "no(os.kill, 1, 9), os.path.exists('/proc/3')]",
        &o);
    CHECK_STR(buf_str(&o.value),
              "['0000000000000000', '0000000000000000', '0000000000000000', "
              "'0000000000000000', '1', '2', 2, 30, 1, 1, False]");
    CHECK_EQ(o.result.layers & ~LAYER_BIT(LAYER_CGROUP),
             cage_tier_layers(TIER_CONTAINER) & ~LAYER_BIT(LAYER_CGROUP));
    CHECK_EQ(o.result.violation_count, 1);
    CHECK_TEXT(o.result.violations[0].name, "socket");
    forget(&o);
    stop(&f);
}

TEST(a_task_cannot_hurt_its_zygote) {
    struct fixture f;
    struct outcome o;
    start(&f, true, 1);
    f.cage.limits.wall = 500000000;
    run(&f, "while True: pass", &o);
    CHECK_EQ(o.result.stop, STOP_TIME);
    forget(&o);
    run(&f, "import os\nos.kill(os.getppid(), 9)\nos.kill(-1, 9)", &o);
    forget(&o);
    run(&f,
        "import builtins, sys\nbuiltins.print = None\n"
        "sys.modules['json'] = None",
        &o);
    forget(&o);
    f.cage.limits.wall = 20000000000;
    expect(&f, "import json; print(json.dumps([1]))", 0, "[1]\n", "");
    stop(&f);
}

/* A child of the launcher, which is our own only child. */
static int child_of(int pid) {
    char path[64], text[32];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *in = fopen(path, "r");
    CHECK(in && fgets(text, sizeof text, in));
    fclose(in);
    CHECK_EQ(sscanf(text, "%d", &found), 1);
    return found;
}

TEST(a_killed_zygote_is_replaced) {
    struct fixture f;
    start(&f, true, 1);
    expect(&f, "print(1)", 0, "1\n", "");
    CHECK_EQ(kill(child_of(child_of(getpid())), SIGKILL), 0);
    usleep(50000);
    expect(&f, "print(2)", 0, "2\n", "");
    stop(&f);
}

TEST(a_zygote_grows_old_and_is_replaced) {
    struct fixture f;
    start(&f, true, 1);
    pool_set_age(f.pool, 4);
    for (int i = 0; i < 10; i++)
        expect(&f, "1", 0, "", "1");
    stop(&f);
}
