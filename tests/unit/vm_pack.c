/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "cordon.h"
#include "vm/engine.h"
#include "vm/pack.h"

static void squeezes_to(const char *text, const char *want) {
    AUTO_BUF struct buf out = BUF_MAX(1000);
    struct err e;
    CHECK(!pack_squeeze(str_of(text), &out, &e));
    CHECK_TEXT(buf_text(&out), want);
}

TEST(pack_leaves_out_what_only_people_need) {
    squeezes_to("# all\n\nif x:  # why\n    f( 1 )\n\n        g()\n",
                "if x:\n f( 1 )\n  g()\n");
}

TEST(pack_keeps_what_is_within_strings) {
    squeezes_to("x = '# \\' #'  # y\n", "x = '# \\' #'\n");
    squeezes_to("x = \"\"\"a\n    # b\n\n\" c\"\"\"\n",
                "x = \"\"\"a\n    # b\n\n\" c\"\"\"\n");
}

TEST(pack_opens_what_it_packed) {
    const char text[] = "abcabcabcabcabcabc abab\0abcabcabc xyz\0";
    AUTO_BUF struct buf all = BUF_MAX(1000), one = BUF_MAX(100);
    struct pack pack;
    struct err e;
    CHECK(!buf_add(&all, text, sizeof text - 1, &e));
    CHECK(!pack_learn(&all, &pack, &e));
    CHECK(all.len < (sizeof text - 1) / 2);
    str rest = buf_str(&all), first = str_cut(&rest, 0);
    CHECK(!pack_open(&pack, first, &one, &e));
    CHECK_TEXT(buf_text(&one), text);
    buf_truncate(&one, 0);
    CHECK(!pack_open(&pack, str_cut(&rest, 0), &one, &e));
    CHECK_TEXT(buf_text(&one), "abcabcabc xyz");
}

TEST(pack_says_when_there_is_no_room) {
    const struct pack pack = {.pair = {{'a', 'b'}, {128, 128}}};
    AUTO_BUF struct buf out = BUF_MAX(3);
    struct err e;
    CHECK(pack_open(&pack, STR("\x81"), &out, &e) == -1);
}

/* -- modules that are kept as text --------------------------------------------
 */

static const uint8_t key[32] = "a key of the tests and no other";

static cordon_options *options(void) {
    cordon_options *o = cordon_options_new();
    CHECK(o && cordon_options_function(o, "ask", 0) == 0);
    return o;
}

/* The code of such a module is the run's own: it goes along. */
TEST(a_module_kept_as_text_is_restored_with_its_run) {
    cordon_options *o = options();
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    CHECK_EQ(cordon_run(s, "from decimal import Decimal as D\n"
                           "x = ask(str(D(1) / 7))\n"
                           "str(D(x) + D('0.16').sqrt())"),
             CORDON_CALL);
    size_t n;
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    cordon_session_free(s);
    s = cordon_restore(o, bytes, n, key, NULL);
    CHECK(s);
    CHECK_EQ(cordon_resume_json(s, "2", 1), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "\"2.4\"");
    cordon_free(bytes);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

static int import_text(const cordon_options *o) {
    cordon_session *s = cordon_session_new(o, NULL);
    if (!s) return -1;
    enum cordon_status status =
        cordon_run(s, "import html\nhtml.escape('<a>')");
    bool done = status == CORDON_DONE && cordon_result_json(s);
    cordon_session_free(s);
    return done ? 0 : -1;
}

TEST(an_import_survives_every_failed_allocation) {
    cordon_options *o = options();
    CHECK_EQ(import_text(o), 0);
    TORTURE(import_text(o));
    cordon_options_free(o);
    engine_fini();
}

TEST(an_import_within_little_memory_is_an_error_that_can_be_caught) {
    cordon_options *o = options();
    cordon_options_limits(o, &(struct cordon_limits){.memory = 150000});
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    CHECK_EQ(cordon_run(s, "try: import decimal\n"
                           "except MemoryError: x = 'none'\n"
                           "x"),
             CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "\"none\"");
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}
