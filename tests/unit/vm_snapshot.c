/* SPDX-License-Identifier: MIT
 *
 * Sessions as bytes: who is refused and why, and what happens when memory runs
 * out on the way.
 */
#include "test.h"

#include <string.h>

#include "cordon.h"
#include "vm/engine.h"
#include "vm/session.h"
#include "vm/snapshot.h"

static const uint8_t key[32] = "a key of the tests and no other";

static const char program[] =
    "import json, re\n"
    "class Row:\n"
    "    def __init__(self, n): self.n, self.text = n, 'row %d' % n\n"
    "rows = [Row(i) for i in range(50)]\n"
    "words = re.findall(r'\\w+', rows[3].text)\n"
    "print('before')\n"
    "answer = ask(rows[7].text, most=10**30)\n"
    "print('after')\n"
    "json.dumps([answer, rows[49].text])";

static cordon_options *options(void) {
    cordon_options *o = cordon_options_new();
    if (o && cordon_options_function(o, "ask", 0) == 0) return o;
    cordon_options_free(o);
    return NULL;
}

/* Ready from the start: what all sessions share is not what is tested. */
static void warm_up(void) {
    cordon_options *o = options();
    CHECK(o);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    cordon_session_free(s);
    cordon_options_free(o);
}

/* -- failed allocations
 * ---------------------------------------------------------------- */

static int create(void) {
    cordon_options *o = options();
    cordon_session *s = o ? cordon_session_new(o, NULL) : NULL;
    cordon_options_free(o);
    cordon_session_free(s);
    return s ? 0 : -1;
}

TEST(creating_a_session_survives_every_failed_allocation) {
    warm_up();
    TORTURE(create());
    engine_fini();
}

/* A program that ran out of memory says so, and is not half done. */
static bool failed_cleanly(cordon_session *s, enum cordon_status status) {
    if (status == CORDON_FAILED) {
        CHECK(cordon_error(s)[0]);
        return true;
    }
    if (status != CORDON_RAISED) return false;
    CHECK_HAS(cordon_traceback(s), "Memory");
    return true;
}

static int run_and_resume(const cordon_options *o) {
    cordon_session *s = cordon_session_new(o, NULL);
    int result = -1;
    if (!s) return -1;
    enum cordon_status status = cordon_run(s, program);
    if (status == CORDON_CALL && cordon_call_args_json(s))
        status = cordon_resume_json(s, "{\"k\": [1, 2]}", 13);
    if (status == CORDON_DONE && cordon_result_json(s))
        result = 0;
    else
        CHECK(status == CORDON_CALL || status == CORDON_DONE ||
              failed_cleanly(s, status));
    cordon_session_free(s);
    return result;
}

TEST(a_run_survives_every_failed_allocation) {
    warm_up();
    cordon_options *o = options();
    CHECK_EQ(run_and_resume(o), 0);
    TORTURE(run_and_resume(o));
    cordon_options_free(o);
    engine_fini();
}

static cordon_session *suspended(const cordon_options *o) {
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    CHECK_EQ(cordon_run(s, program), CORDON_CALL);
    return s;
}

static int save(cordon_session *s) {
    size_t n;
    void *bytes = cordon_snapshot(s, key, &n);
    cordon_free(bytes);
    return bytes ? 0 : -1;
}

TEST(a_snapshot_survives_every_failed_allocation) {
    cordon_options *o = options();
    cordon_session *s = suspended(o);
    TORTURE(save(s));
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "\"[1, \\\"row 49\\\"]\"");
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

static int load(const cordon_options *o, const void *bytes, size_t n) {
    const char *why = NULL;
    cordon_session *s = cordon_restore(o, bytes, n, key, &why);
    if (!s) {
        CHECK(why && why[0]);
        return -1;
    }
    CHECK(cordon_call_name(s));
    cordon_session_free(s);
    return 0;
}

TEST(a_restore_survives_every_failed_allocation) {
    cordon_options *o = options();
    cordon_session *s = suspended(o);
    size_t n;
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    CHECK_EQ(load(o, bytes, n), 0);
    TORTURE(load(o, bytes, n));
    cordon_free(bytes);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

/* -- refusals
 * ------------------------------------------------------------------------- */

/* The bytes of a session that waits, their head altered, and sealed again. */
static const char *resealed(void alter(struct snapshot_head *)) {
    AUTO_BUF struct buf bytes = BUF_MAX(SNAPSHOT_MAX);
    struct snapshot_head head;
    struct err e;
    const char *why = NULL;
    cordon_options *o = options();
    cordon_session *s = suspended(o);
    CHECK_OK(session_save(s, &bytes, &e), &e);
    memcpy(&head, bytes.data, sizeof head);
    alter(&head);
    memcpy(bytes.data, &head, sizeof head);
    CHECK_OK(session_seal(&bytes, key, &e), &e);
    cordon_session *back = cordon_restore(o, bytes.data, bytes.len, key, &why);
    CHECK(!back || !why);
    cordon_session_free(back);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
    return why;
}

static void as_it_is(struct snapshot_head *head) {
    (void)head;
}
static void of_another_build(struct snapshot_head *head) {
    head->build++;
}
static void beyond_the_range(struct snapshot_head *head) {
    head->top = UINT64_MAX & ~15ull;
}
static void of_no_known_state(struct snapshot_head *head) {
    head->status = 99;
}
static void without_caches(struct snapshot_head *head) {
    head->next_cache = 0;
}

TEST(a_snapshot_of_another_build_is_refused) {
    CHECK(!resealed(as_it_is));
    CHECK_TEXT(resealed(of_another_build), "the snapshot is of another build");
}

TEST(a_sealed_head_that_cannot_be_is_refused) {
    CHECK(resealed(beyond_the_range));
    CHECK(resealed(of_no_known_state));
    CHECK(resealed(without_caches));
}

/* Its natives are other ones, so are its numbers for them. */
TEST(two_builds_have_two_numbers) {
    AUTO_BUF struct buf mine = BUF_MAX(SNAPSHOT_MAX);
    AUTO_BUF struct buf theirs = BUF_MAX(SNAPSHOT_MAX);
    struct snapshot_head a, b;
    struct err e;
    cordon_options *o = options();
    cordon_session *s = suspended(o);
    CHECK_OK(session_save(s, &mine, &e), &e);
    struct engine other = *s->vm.engine;
    const struct engine *own = s->vm.engine;
    other.nnatives++;
    s->vm.engine = &other;
    CHECK_OK(session_save(s, &theirs, &e), &e);
    s->vm.engine = own;
    memcpy(&a, mine.data, sizeof a);
    memcpy(&b, theirs.data, sizeof b);
    CHECK(a.build != b.build);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

TEST(a_smaller_memory_limit_is_told) {
    struct cordon_limits small = {.memory = 1 << 20};
    const char *why = NULL;
    size_t n;
    cordon_options *o = options();
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_run(s, "x = list(range(10**6))"), CORDON_DONE);
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    cordon_options_limits(o, &small);
    CHECK(!cordon_restore(o, bytes, n, key, &why));
    CHECK_TEXT(why, "the memory limit is below the snapshot's");
    cordon_free(bytes);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

/* A range that was filled before the load failed serves the next session. */
TEST(a_refused_snapshot_leaves_nothing_behind) {
    AUTO_BUF struct buf bytes = BUF_MAX(SNAPSHOT_MAX);
    struct err e;
    cordon_options *o = options();
    cordon_session *s = suspended(o);
    CHECK_OK(session_save(s, &bytes, &e), &e);
    cordon_session_free(s);
    bytes.len -= strlen("before\n") + 16; /* the end of the list of runs */
    CHECK_OK(session_seal(&bytes, key, &e), &e);
    CHECK(!cordon_restore(o, bytes.data, bytes.len, key, NULL));
    s = cordon_session_new(o, NULL);
    const struct heap *h = &s->vm.heap;
    for (uint64_t at = h->top; at < h->top + 65536; at++)
        CHECK_EQ(h->base[at], 0);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}
