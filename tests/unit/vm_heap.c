/* SPDX-License-Identifier: MIT
 *
 * The heap of a run and its collector: what is given out, given back, refused,
 * found again and moved.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"
#include "vm/exc.h"
#include "vm/seq.h"
#include "vm/session.h"
#include "vm/text.h"

static void start(struct vm *vm, uint64_t memory) {
    struct err e;
    const struct engine *engine = engine_get(&e);
    CHECK(engine != NULL);
    struct vm_limits limits = {.steps = 1u << 30,
                               .memory = memory,
                               .time_ns = 10000000000,
                               .output = 1 << 20,
                               .depth = 1000,
                               .calls = 10};
    CHECK_OK(vm_init(vm, engine, &limits, &e), &e);
    vm_budget_begin(vm);
    heap_collect(vm); /* from here on `live` counts objects alone */
}

static void stop(struct vm *vm) {
    vm_fini(vm);
    engine_fini();
}

/* Objects from the first to the top, one after the other without a gap; their
 * bytes are what `live` says. */
static void check_walk(struct vm *vm) {
    const struct heap *h = &vm->heap;
    uint64_t at = (h->template_end + sizeof(struct root) + 15) & ~15ull;
    uint64_t live = 0;
    while (at < h->top) {
        const struct obj *o = heap_at(h, at);
        uint64_t size = object_size(o);
        CHECK(size > 0 && size % 16 == 0 && o->kind < KIND_COUNT);
        CHECK(!(o->flags & OBJ_MARK));
        if (o->kind != KIND_FREE) live += size;
        at += size;
    }
    CHECK_EQ(at, h->top);
    CHECK_EQ(live, h->live);
}

/* -- giving out and taking back
 * ---------------------------------------------------------- */

TEST(what_was_freed_is_given_out_again) {
    struct vm vm;
    start(&vm, 4 << 20);
    for (uint64_t bytes = 16; bytes <= 100000; bytes = bytes * 3 / 2) {
        val a = heap_store(&vm, bytes, 0);
        val guard = heap_store(&vm, 16, 0);
        CHECK(a && guard);
        uint64_t top = vm.heap.top;
        heap_free(&vm, a);
        CHECK_EQ(heap_store(&vm, bytes, 0), a);
        CHECK_EQ(vm.heap.top, top);
        check_walk(&vm);
    }
    stop(&vm);
}

TEST(the_last_object_gives_its_bytes_back_to_the_top) {
    struct vm vm;
    start(&vm, 4 << 20);
    uint64_t top = vm.heap.top, live = vm.heap.live;
    val a = heap_store(&vm, 1000, 0);
    CHECK(vm.heap.top > top);
    heap_free(&vm, a);
    CHECK_EQ(vm.heap.top, top);
    CHECK_EQ(vm.heap.live, live);
    stop(&vm);
}

TEST(a_new_object_is_zero_whatever_lay_there) {
    struct vm vm;
    start(&vm, 4 << 20);
    val a = heap_store(&vm, 400, 0);
    CHECK(heap_store(&vm, 16, 0));
    struct ostore *s = heap_at(&vm.heap, a);
    memset(s->data, 0xff, s->size);
    heap_free(&vm, a);
    val b = heap_store(&vm, 400, OBJ_TRACED);
    CHECK_EQ(b, a);
    s = heap_at(&vm.heap, b);
    for (uint64_t i = 0; i < s->size / sizeof(val); i++)
        CHECK_EQ(s->data[i], 0);
    stop(&vm);
}

TEST(a_store_grows_in_place_at_the_top_and_moves_elsewhere) {
    struct vm vm;
    start(&vm, 4 << 20);
    val a = heap_store(&vm, 64, OBJ_TRACED);
    ((struct ostore *)heap_at(&vm.heap, a))->data[7] = val_of_int(5);
    CHECK_EQ(heap_store_grow(&vm, a, 5000), a);
    CHECK(heap_store(&vm, 16, 0));
    val b = heap_store_grow(&vm, a, 20000);
    CHECK(b && b != a);
    const struct ostore *s = heap_at(&vm.heap, b);
    CHECK_EQ(s->data[7], val_of_int(5));
    CHECK_EQ(s->data[1000], 0);
    check_walk(&vm);
    stop(&vm);
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Each store is filled with its own number: two that overlap are found. */
TEST(stores_never_overlap) {
    enum { N = 300 };
    struct vm vm;
    val held[N] = {0};
    uint64_t state = 7;
    start(&vm, 8 << 20);
    for (int i = 0; i < 20000; i++) {
        uint64_t n = next_random(&state) % N;
        if (held[n]) {
            const struct ostore *s = heap_at(&vm.heap, held[n]);
            for (uint64_t k = 0; k < s->size / sizeof(val); k++)
                CHECK_EQ(s->data[k], val_of_int((int64_t)n));
            heap_free(&vm, held[n]);
            held[n] = 0;
            continue;
        }
        uint64_t bytes = next_random(&state) % (n % 10 ? 300 : 9000);
        held[n] = heap_store(&vm, bytes, 0);
        struct ostore *s = heap_at(&vm.heap, held[n]);
        for (uint64_t k = 0; k < s->size / sizeof(val); k++)
            s->data[k] = val_of_int((int64_t)n);
    }
    check_walk(&vm);
    stop(&vm);
}

/* -- the limit
 * ------------------------------------------------------------------------- */

TEST(the_limit_refuses_with_an_exception_and_then_serves_again) {
    struct vm vm;
    start(&vm, 1 << 20);
    CHECK(!heap_store(&vm, (uint64_t)1 << 62, 0));
    CHECK(exc_take(&vm));
    CHECK(!heap_store(&vm, 2 << 20, 0));
    CHECK(vm.memory_failed);
    val exc = exc_take(&vm);
    CHECK(exc_matches(&vm, exc, EXC_MemoryError));
    vm.memory_failed = false;
    uint64_t many = 0;
    while (heap_store(&vm, 5000, 0))
        many++;
    CHECK(many > 180 && many < 210);
    CHECK(vm.heap.top <= vm.heap.limit + HEAP_RESERVE);
    exc_take(&vm);
    heap_collect(&vm);
    check_walk(&vm);
    CHECK(heap_store(&vm, 500000, 0));
    stop(&vm);
}

/* -- collection
 * ------------------------------------------------------------------------- */

static val a_text(struct vm *vm, const char *words) {
    return text_new(vm, words, strlen(words));
}

TEST(what_the_root_does_not_reach_is_swept) {
    struct vm vm;
    start(&vm, 8 << 20);
    heap_collect(&vm);
    uint64_t before = vm.heap.live;
    struct root *root = vm_root(&vm);
    root->spare[0] = list_new(&vm, NULL, 0);
    for (int64_t i = 0; i < 1000; i++) {
        val kept = a_text(&vm, "kept text of some length");
        CHECK(kept && a_text(&vm, "garbage of the same kind"));
        CHECK_EQ(list_append(&vm, root->spare[0], kept), 0);
    }
    heap_collect(&vm);
    check_walk(&vm);
    CHECK_EQ(list_len(&vm, root->spare[0]), 1000);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_STR(text_get(&vm, list_items(&vm, root->spare[0])[i]),
                  "kept text of some length");
    root->spare[0] = VAL_UNSET;
    heap_collect(&vm);
    CHECK_EQ(vm.heap.live, before);
    check_walk(&vm);
    stop(&vm);
}

/* A chain as long as this overflows the marker's stack many times over. */
TEST(depth_of_data_is_no_depth_of_the_collector) {
    struct vm vm;
    start(&vm, 64 << 20);
    struct root *root = vm_root(&vm);
    for (int i = 0; i < 200000; i++) {
        val pair[2] = {root->spare[0] ? root->spare[0] : VAL_NONE,
                       val_of_int(i)};
        root->spare[0] = tuple_new(&vm, pair, 2);
        CHECK(root->spare[0]);
    }
    uint64_t live = vm.heap.live;
    heap_collect(&vm);
    CHECK_EQ(vm.heap.live, live);
    val at = root->spare[0];
    for (int i = 199999; i >= 0; i--) {
        CHECK_EQ(tuple_items(&vm, at)[1], val_of_int(i));
        at = tuple_items(&vm, at)[0];
    }
    CHECK_EQ(at, VAL_NONE);
    stop(&vm);
}

TEST(a_cycle_is_garbage_when_nothing_else_holds_it) {
    struct vm vm;
    start(&vm, 8 << 20);
    heap_collect(&vm);
    uint64_t before = vm.heap.live;
    for (int i = 0; i < 100; i++) {
        val a = list_new(&vm, NULL, 0), b = list_new(&vm, &a, 1);
        CHECK_EQ(list_append(&vm, a, b), 0);
    }
    heap_collect(&vm);
    CHECK_EQ(vm.heap.live, before);
    stop(&vm);
}

TEST(a_range_that_was_given_back_is_blank) {
    struct vm vm;
    start(&vm, 4 << 20);
    struct ostore *s = heap_at(
        &vm.heap, heap_store(&vm, 3 << 20, 0)); /* beyond the kept part */
    memset(s->data, 0xee, s->size);
    heap_reset(&vm.heap, 4 << 20);
    for (uint64_t at = vm.heap.template_end; at < vm.heap.mapped; at++)
        CHECK_EQ(vm.heap.base[at], 0);
    stop(&vm);
}

/* -- survival of every kind, and relocation
 * ------------------------------------------------ */

/* Something of each kind that a program can hold, and how it is looked at. */
static const struct {
    const char *name, *make, *look;
} kinds[] = {
    {"INT", "10**40 + 1", "x"},
    {"REAL", "1e300 * 10", "x"},
    {"COMPLEX", "complex(1.5, -2)", "x"},
    {"STR", "'é' * 40 + str(1)", "(len(x), x[-2:], x.count('é'))"},
    {"STR view", "('ab' * 500)[3:700]", "(len(x), x[:4], x[-1])"},
    {"BYTES", "bytes(range(200))", "sum(x)"},
    {"BYTES mutable", "bytearray(b'abc') * 99", "(len(x), x[1])"},
    {"TUPLE", "(1, 'a', (2.5, None))", "x"},
    {"LIST", "[[i] for i in range(9)]", "x"},
    {"DICT by shape", "{'a': [1], 'b': {}}", "x"},
    {"DICT by index", "{i: str(i) for i in range(40)}", "(len(x), x[39])"},
    {"SET", "{1, 2, 'x'}", "sorted(map(str, x))"},
    {"SET frozen", "frozenset(range(50))", "(len(x), 49 in x)"},
    {"RANGE", "range(3, 10**25, 7)", "(x[5], x.step)"},
    {"SLICE", "slice('a', None, 10**20)", "x"},
    {"ITER", "iter([1, 2, [3]])", "list(x)"},
    {"ITER of a dict", "iter({'k': 1, 'l': 2})", "list(x)"},
    {"VIEW", "{'k': [1]}.items()", "list(x)"},
    {"FUNCTION", "(lambda a, b=[4]: (a, b))", "x(3)"},
    {"CELL", "(lambda c: lambda: c)([8])", "x()"},
    {"NATIVE", "len", "x([1, 2])"},
    {"METHOD", "[3, 1, 2].index", "x(1)"},
    {"GENERATOR", "(n * n for n in [1, 2, 3])", "list(x)"},
    {"TYPE", "type('T', (), {'f': lambda self: [7]})", "x().f()"},
    {"INSTANCE", "P(1, [2])", "(x.a, x.b)"},
    {"INSTANCE of a builtin", "L([1, 2])", "(x, x.extra)"},
    {"EXCEPTION", "caught(lambda: {}['gone'])", "repr(x)"},
    {"TRACEBACK", "caught(lambda: 1 / 0).__traceback__",
     "type(x).__name__, x.tb_lineno > 0"},
    {"DESCR", "property(lambda self: 5)", "x.fget(0)"},
    {"MODULE", "math", "x.floor(2.5)"},
    {"HOSTFN", "ask", "x is ask"},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static const char setting[] =
    "import math\n"
    "class P:\n"
    "    def __init__(self, a, b): self.a, self.b = a, b\n"
    "class L(list):\n"
    "    extra = ('e', [1])\n"
    "def caught(f):\n"
    "    try: f()\n"
    "    except Exception as e: return e\n"
    "things = []";

static const uint8_t key[32] = "a key of the tests and no other";

static void run(cordon_session *s, const char *code) {
    enum cordon_status status = cordon_run(s, code);
    if (status != CORDON_DONE) test_note("%s: %s", code, cordon_traceback(s));
    CHECK_EQ(status, CORDON_DONE);
}

static cordon_session *with_things(const cordon_options *o) {
    char code[256];
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    run(s, setting);
    for (size_t i = 0; i < KINDS; i++) {
        snprintf(code, sizeof code, "things.append(%s)", kinds[i].make);
        run(s, code);
    }
    return s;
}

/* What all things look like, one after the other, as they are used up. */
static void describe(cordon_session *s, char *out, size_t size) {
    char code[256];
    size_t n = 0;
    for (size_t i = 0; i < KINDS; i++) {
        snprintf(code, sizeof code, "x = things[%zu]; repr((%s))", i,
                 kinds[i].look);
        run(s, code);
        n += (size_t)snprintf(out + n, size - n, "%s: %s\n", kinds[i].name,
                              cordon_result_json(s));
        CHECK(n < size);
    }
}

static cordon_options *options(void) {
    cordon_options *o = cordon_options_new();
    CHECK(o && cordon_options_function(o, "ask", 0) == 0);
    return o;
}

static void collected(cordon_session *s) {
    run(s, "for i in range(30000): [str(i), {i: (i,)}]");
    heap_collect(&s->vm);
    check_walk(&s->vm);
    run(s, "for i in range(3000): ['over', {'what': i, 'was': 'swept'}]");
}

TEST(every_kind_survives_collections) {
    char want[8192], got[8192];
    cordon_options *o = options();
    cordon_session *s = with_things(o);
    describe(s, want, sizeof want);
    cordon_session_free(s);
    s = with_things(o);
    collected(s);
    describe(s, got, sizeof got);
    CHECK_TEXT(got, want);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

/* In a range that lies elsewhere: nothing in the heap is an address. */
TEST(every_kind_survives_relocation) {
    char want[8192], got[8192];
    size_t n;
    cordon_options *o = options();
    cordon_session *s = with_things(o);
    collected(s);
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    cordon_session *back = cordon_restore(o, bytes, n, key, NULL);
    CHECK(back && back->vm.heap.base != s->vm.heap.base);
    check_walk(&back->vm);
    describe(s, want, sizeof want);
    cordon_session_free(s); /* its range is scrubbed */
    collected(back);
    describe(back, got, sizeof got);
    CHECK_TEXT(got, want);
    cordon_free(bytes);
    cordon_session_free(back);
    cordon_options_free(o);
    engine_fini();
}

/* -- limits of a session
 * ----------------------------------------------------------------- */

TEST(a_session_is_usable_after_each_limit) {
    static const struct {
        const char *code, *words;
    } cases[] = {
        {"while True: pass", "step limit"},
        {"sum(range(10**12))", "limit"},
        {"x = []\nwhile True: x.append('a' * 1000)", "MemoryError"},
        {"x = 'a' * 10**9", "MemoryError"},
        {"while True: print('x' * 100)", "output limit"},
        {"def f(): f()\nf()", "RecursionError"},
        {"def f(): yield from f()\nlist(f())", "RecursionError"},
        {"10 ** 10 ** 8", "MemoryError"},
    };
    struct cordon_limits l = {.steps = 2000000,
                              .time_ms = 60000,
                              .output = 1000,
                              .depth = 50,
                              .calls = 2,
                              .memory = 4 << 20};
    cordon_options *o = options();
    cordon_options_limits(o, &l);
    cordon_session *s = cordon_session_new(o, NULL);
    run(s, "kept = {'k': [1, 2]}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum cordon_status status = cordon_run(s, cases[i].code);
        CHECK(status == CORDON_LIMIT || status == CORDON_RAISED);
        CHECK_HAS(cordon_error(s), cases[i].words);
        run(s, "x = f = None; kept['k'] + [len(kept)]");
        CHECK_TEXT(cordon_result_json(s), "[1, 2, 1]");
        heap_collect(&s->vm);
        check_walk(&s->vm);
        CHECK(s->vm.heap.live < 1 << 20);
    }
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}
