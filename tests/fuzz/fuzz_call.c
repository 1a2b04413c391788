/* SPDX-License-Identifier: MIT
 *
 * Valid programs, any answers: whatever a host hands to a program, it ends with
 * a value, an exception or a limit.
 *
 * The first byte chooses a program, the rest are answers separated by NUL: JSON
 * text, or what is no JSON, which becomes an exception.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "cordon.h"

#define PROGRAM(text) text "\n"

static const char *const programs[] = {
    PROGRAM("x = h(); x + x, x * 2, x - 1, -x, x / 3, x // 3, x % 3, x ** 2"),
    PROGRAM("x, y = h(), h()\n"
            "for f in (lambda: x + y, lambda: x * y, lambda: x % y,\n"
            "          lambda: x < y, lambda: x == y, lambda: x in y,\n"
            "          lambda: x[y], lambda: x | y, lambda: x >> y):\n"
            "    try: print(f())\n"
            "    except Exception as e: print(type(e), e)"),
    PROGRAM("x = h()\n"
            "for i in x:\n"
            "    for j in i: print(i, j, end='')"),
    PROGRAM("x = h(); sorted(x, key=h), max(x), min(x), sum(x), len(x)"),
    PROGRAM("x = h(); f'{x} {x!r} {x:>10} {x!s:^20}', '%s %r' % (x, x), "
            "'{0} {0!r}'.format(x), format(x, h())"),
    PROGRAM("import json; x = h(); json.loads(json.dumps(x)) == x, "
            "json.loads(x)"),
    PROGRAM("import re; re.findall(h(), h()), re.sub(h(), h(), h())"),
    PROGRAM("match h():\n"
            "    case [a, *b, c]: print(a, b, c)\n"
            "    case {'k': v, **rest}: print(v, rest)\n"
            "    case str(s): print(s)\n"
            "    case int() | float() as n: print(n)"),
    PROGRAM("a, (b, *c) = h(); {a: b, **h()}, [*c, *h()]"),
    PROGRAM("s = h()\n"
            "s.split(), s.upper(), s.title(), s[::2], s[::-1], s.find(h()), "
            "s.replace(h(), h()), s.encode(), s.center(20), s.strip(h())"),
    PROGRAM("d = h()\n"
            "for k, v in d.items(): print(k, v, d.get(v), k in d)\n"
            "d | d, d == d, list(d), d.pop(h(), None)"),
    PROGRAM("int(h()), float(h()), str(h()), bool(h()), list(h()), set(h()), "
            "tuple(h()), dict(h()), bytes(h()), complex(h())"),
    PROGRAM("def g():\n"
            "    try:\n"
            "        while True: x = yield h()\n"
            "    finally: h()\n"
            "it = g(); print(next(it), it.send(h())); it.close()"),
    PROGRAM("class A:\n"
            "    def __init__(self): self.x = h()\n"
            "    def __eq__(self, o): return h()\n"
            "    def __hash__(self): return h()\n"
            "    def __len__(self): return h()\n"
            "    def __getitem__(self, i): return h()\n"
            "    def __repr__(self): return h()\n"
            "a = A(); print(a == a, len(a), a[0], {a: 1}, [a], list(a))"),
    PROGRAM("import datetime\n"
            "print(datetime.datetime.fromisoformat(h()), "
            "datetime.timedelta(h()), datetime.datetime.strptime(h(), h()))"),
    PROGRAM("try: h()\n"
            "except ExceptionGroup as g: print(g.exceptions)\n"
            "except (ValueError, KeyError) as e: raise TypeError from e\n"
            "finally: print(h())"),
    PROGRAM("import functools, itertools, collections\n"
            "x = h()\n"
            "print(collections.Counter(x), list(itertools.accumulate(x)), "
            "functools.reduce(lambda a, b: h(), x), "
            "list(itertools.groupby(x, h)), collections.deque(x, h()))"),
    PROGRAM("x = [h() for _ in range(3)]; x.sort(); x[h()], x[h():h()], "
            "x.index(h()), x.insert(h(), h()), x * h(), repr(x)"),
};
#define PROGRAMS (sizeof programs / sizeof programs[0])

struct answers {
    const char *p;
    size_t n;
};

/* The next answer, at most up to the next NUL. */
static const char *next(struct answers *a, size_t *len) {
    const char *start = a->p, *nul = a->n ? memchr(a->p, 0, a->n) : NULL;
    *len = nul ? (size_t)(nul - start) : a->n;
    size_t used = nul ? *len + 1 : *len;
    a->p += used;
    a->n -= used;
    return start;
}

static enum cordon_status answer(cordon_session *s, struct answers *a) {
    char words[64];
    size_t len;
    const char *json = next(a, &len);
    assert(cordon_call_name(s));
    assert(cordon_call_args_json(s) || cordon_error(s)[0]);
    enum cordon_status status = cordon_resume_json(s, json, len);
    if (status != CORDON_FAILED) return status;
    size_t some = len < sizeof words ? len : sizeof words - 1;
    if (some) memcpy(words, json, some);
    words[some] = 0;
    return cordon_resume_error(s, len % 2 ? "ValueError" : NULL, words);
}

static void run(cordon_session *s, const char *program, struct answers a) {
    enum cordon_status status = cordon_run(s, program);
    for (int calls = 0; status == CORDON_CALL; calls++) {
        assert(calls < 100);
        status = answer(s, &a);
    }
    assert(status != CORDON_FAILED);
    (void)cordon_result_json(s);
    (void)cordon_result_repr(s);
    assert(cordon_run(s, "1 + 1") == CORDON_DONE);
    assert(strcmp(cordon_result_json(s), "2") == 0);
}

/* What all sessions of a process share is made before the first input. */
__attribute__((constructor)) static void warm_up(void) {
    cordon_options *o = cordon_options_new();
    cordon_session *s = o ? cordon_session_new(o, NULL) : NULL;
    cordon_session_free(s);
    cordon_options_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cordon_limits limits = {.time_ms = 2000,
                                   .memory = (uint64_t)4 << 20,
                                   .steps = 3000000,
                                   .calls = 50};
    if (!size) return 0;
    cordon_options *o = cordon_options_new();
    assert(o);
    cordon_options_limits(o, &limits);
    assert(cordon_options_function(o, "h", 0) == 0);
    cordon_session *s = cordon_session_new(o, NULL);
    assert(s);
    run(s, programs[data[0] % PROGRAMS],
        (struct answers){(const char *)data + 1, size - 1});
    cordon_session_free(s);
    cordon_options_free(o);
    return 0;
}
