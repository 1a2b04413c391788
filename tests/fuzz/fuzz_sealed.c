/* SPDX-License-Identifier: MIT
 *
 * What stands behind a snapshot's seal and is checked all the same: the head,
 * the list of runs and the table of labels. A snapshot whose parts were altered
 * and that was sealed again with the right key is refused, or becomes a session
 * that can be given back; loading it touches nothing outside its range. Objects
 * behind the seal are trusted, so such a session is not run (vm/snapshot.c).
 *
 * The input is a list of edits, six bytes each: where ('H' in the head, 'R' a
 * word of a run's place, 'L' in what follows the runs, 'C' cuts), four of the
 * offset, one of the value.
 */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "vm/session.h"
#include "vm/snapshot.h"

static const uint8_t key[32] = "for tests only, never for a run";

struct sample {
    cordon_options *options;
    struct buf bytes; /* saved, not sealed */
};

/* Labels, garbage between live objects and printed text. */
static void make_sample(struct sample *m) {
    struct err e;
    m->options = cordon_options_new();
    assert(m->options && !cordon_options_function(m->options, "h", 0));
    cordon_options_labels(m->options, CORDON_LABELS_ON);
    cordon_session *s = cordon_session_new(m->options, NULL);
    assert(s);
    enum cordon_status status =
        cordon_run(s, "kept = [str(i) * 9 for i in range(2000)][::7]\n"
                      "print('before')\n"
                      "h(kept[0])");
    assert(status == CORDON_CALL);
    m->bytes.max = SNAPSHOT_MAX;
    assert(!session_save(s, &m->bytes, &e));
    cordon_session_free(s);
}

static const struct sample *sample(void) {
    static struct sample made;
    if (!made.options) make_sample(&made);
    return &made;
}

/* Made before the first input. */
__attribute__((constructor)) static void warm_up(void) {
    (void)sample();
}

/* Where the n-th run begins, or the end of their list. */
static size_t run_at(const struct buf *b, uint32_t n) {
    size_t at = sizeof(struct snapshot_head);
    uint64_t run[2];
    for (; at + sizeof run <= b->len; n--) {
        memcpy(run, b->data + at, sizeof run);
        if (n == 0 || run[0] == 0 || run[1] > b->len - at - sizeof run)
            return at;
        at += sizeof run + run[1];
    }
    return sizeof(struct snapshot_head);
}

static size_t place(const struct buf *b, char where, uint32_t n) {
    size_t head = sizeof(struct snapshot_head), last = run_at(b, UINT32_MAX);
    if (where == 'R') return run_at(b, n / 16) + n % 16;
    if (where == 'L' && last < b->len) return last + n % (b->len - last);
    return n % head;
}

static void edit(struct buf *b, const uint8_t *data, size_t size) {
    for (; size >= 6; data += 6, size -= 6) {
        uint32_t n = (uint32_t)data[1] | (uint32_t)data[2] << 8 |
                     (uint32_t)data[3] << 16 | (uint32_t)data[4] << 24;
        size_t at = place(b, (char)data[0], n);
        if (at >= b->len) continue;
        if (data[0] != 'C')
            b->data[at] = (char)data[5];
        else if (n % b->len >= sizeof(struct snapshot_head))
            b->len = n % b->len;
    }
}

/* The range of a session that was given back serves the next one. */
static void next_session(const cordon_options *o) {
    cordon_session *s = cordon_session_new(o, NULL);
    assert(s && cordon_run(s, "[0] * 99 + [{}]") == CORDON_DONE);
    cordon_session_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct sample *m = sample();
    AUTO_BUF struct buf bytes = BUF_MAX(SNAPSHOT_MAX);
    struct err e;
    const char *why = NULL;
    if (size > 6000 || buf_add_str(&bytes, buf_str(&m->bytes), &e)) return 0;
    edit(&bytes, data, size);
    assert(!session_seal(&bytes, key, &e));
    cordon_session *s =
        cordon_restore(m->options, bytes.data, bytes.len, key, &why);
    assert(s || (why && why[0]));
    if (s && size < 6) assert(cordon_resume_json(s, "1", 1) == CORDON_DONE);
    cordon_session_free(s);
    next_session(m->options);
    return 0;
}
