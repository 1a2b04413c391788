/* SPDX-License-Identifier: MIT */
#include "sandbox/auto.h"

#include "sandbox/jail.h"
#include "sandbox/start.h"
#include "test.h"
#include "vm/engine.h"

static void python(const char *code, const char *tier, const char *reason) {
    static const char *const tools[] = {"mail.send", "weather", NULL};
    struct err e;
    struct auto_choice c;
    CHECK_OK(auto_python(str_of(code), tools, &c, &e), &e);
    CHECK_TEXT(auto_name(&c), tier);
    CHECK_HAS(c.reason, reason);
    engine_fini();
}

TEST(what_our_interpreter_can_run_is_a_script) {
    python("print(1 + 1)", "script", "our interpreter can run it");
    python("import json, math, re\nprint(json.dumps([math.pi]))", "script", "");
    python("mail.send(to='x')\nweather('Oslo')", "script", "");
    python("import mail\nmail.send(to='x')", "script", "");
    python("from mail import send\nsend(to='x')", "script", "");
    python("class A:\n    def f(self): return [x for x in range(3)]\nA().f()",
           "script", "");
    python("", "script", "");
}

TEST(python_that_needs_more_goes_to_a_container_and_says_why) {
    python("import ctypes as c\nc.sizeof(3)", "container", "imports ctypes");
    python("from os import path", "container", "imports os");
    python("def f():\n    import subprocess\nf()", "container",
           "imports subprocess");
    python("open('/tmp/x')", "container", "uses open");
    python("import math\nmath.no_such_thing(1)", "container", "no_such_thing");
    python("x = (", "container", "'(' was never closed");
}

/* CPython would not find it either. */
TEST(a_module_that_is_nowhere_is_no_reason) {
    python("import no_such_module", "container", "No module named");
    python("import no_such_module, ctypes", "container", "imports ctypes");
}

TEST(programs_go_to_a_container_and_declared_ones_to_a_process) {
    static const char *const argv[] = {"/bin/sh", "-c", "true", NULL};
    struct auto_choice c;
    auto_program(argv, false, &c);
    CHECK_TEXT(auto_name(&c), "container");
    CHECK_HAS(c.reason, "sh");
    auto_program(argv, true, &c);
    CHECK_TEXT(auto_name(&c), "process");
}

/* Whatever cannot be had is refused; nothing is run in another tier. */
TEST(a_tier_is_never_exchanged_for_another) {
    static const char *const argv[] = {"true", NULL};
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct cage c;
    struct started s;
    const int std[3] = {0, 1, 2};
    cage_init(&c, &a);
    c.argv = argv;
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        if (tier == TIER_PROCESS || tier == TIER_CONTAINER || tier == TIER_WASM)
            continue;
        c.tier = (enum cage_tier)tier;
        CHECK_FAIL(start_task(&c, std, &s, &e), &e, ERR_UNSUPPORTED);
        CHECK_HAS(e.text, cage_tier_name(c.tier));
    }
    CHECK_FAIL(cage_set_tier(&c, STR("firejail"), &e), &e, ERR_INVALID);
}
