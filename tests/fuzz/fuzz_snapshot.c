/* SPDX-License-Identifier: MIT
 *
 * Snapshots: one that was altered, cut or made up is refused, whatever was done
 * to it; the one that was not still runs on.
 *
 * The input is a list of edits of a real snapshot, six bytes each (what, four
 * of the offset, one of the value); 'R' as the first byte makes the rest the
 * whole snapshot.
 */
#include "fuzz.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cordon.h"

static const uint8_t key[32] = "for tests only, never for a run";

struct sample {
    cordon_options *options;
    void *bytes; /* a genuine snapshot */
    size_t len;
};

static cordon_options *options(void) {
    cordon_options *o = cordon_options_new();
    assert(o && cordon_options_function(o, "h", 0) == 0);
    return o;
}

/* A session that waits in the middle of things. */
static void *waiting(const cordon_options *o, size_t *len) {
    cordon_session *s = cordon_session_new(o, NULL);
    assert(s);
    enum cordon_status status =
        cordon_run(s, "class A:\n"
                      "    def __init__(self): self.x = [1, 'é', 2.5, {'k': "
                      "(None, 10**30)}]\n"
                      "def g(n):\n"
                      "    try:\n"
                      "        for i in range(n): yield h(i)\n"
                      "    finally: pass\n"
                      "a = A()\n"
                      "sum(g(3)) + len(a.x)");
    assert(status == CORDON_CALL);
    void *bytes = cordon_snapshot(s, key, len);
    assert(bytes);
    cordon_session_free(s);
    return bytes;
}

static uint32_t four(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Bytes to change, to cut off; the length that is left. */
static size_t edit(uint8_t *bytes, size_t len, const uint8_t *data,
                   size_t size) {
    for (; size >= 6; data += 6, size -= 6) {
        size_t at = len ? four(data + 1) % len : 0;
        if (data[0] == 'C')
            len = at;
        else if (len && data[0] == 'X')
            bytes[at] ^= data[5];
        else if (len)
            bytes[at] = data[5];
    }
    return len;
}

static void try_restore(const cordon_options *o, const uint8_t *bytes,
                        size_t len, bool genuine) {
    const char *why = NULL;
    cordon_session *s = cordon_restore(o, bytes, len, key, &why);
    assert(genuine == (s != NULL));
    if (!s) {
        assert(why && why[0]);
        return;
    }
    enum cordon_status status = CORDON_CALL;
    while (status == CORDON_CALL)
        status = cordon_resume_json(s, "5", 1);
    assert(status == CORDON_DONE);
    assert(strcmp(cordon_result_json(s), "19") == 0);
    cordon_session_free(s);
}

/* Made once, before the first input. */
static const struct sample *sample(void) {
    static struct sample made;
    if (made.bytes) return &made;
    made.options = options();
    made.bytes = waiting(made.options, &made.len);
    return &made;
}

__attribute__((constructor)) static void warm_up(void) {
    (void)sample();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct sample *m = sample();
    if (size && data[0] == 'R') {
        try_restore(m->options, data + 1, size - 1, false);
        return 0;
    }
    uint8_t *copy = malloc(m->len);
    assert(copy);
    memcpy(copy, m->bytes, m->len);
    size_t left = edit(copy, m->len, data, size);
    bool same = left == m->len && memcmp(copy, m->bytes, left) == 0;
    try_restore(m->options, copy, left, same);
    free(copy);
    return 0;
}
