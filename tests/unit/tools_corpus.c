/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "tools/select/dictionary.h"
#include "tools/select/ngram.h"
#include "tools/select/score.h"

#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct weights weights;

static int put(struct corpus *ix, const char *id, const char *description,
               struct err *e) {
    struct tool t = {.id = str_of(id),
                     .name = str_of(id),
                     .server = STR("s"),
                     .description = str_of(description)};
    static struct document d;
    document_of(&t, &d);
    return corpus_put(ix, &t, &d, e);
}

static void open_index(struct corpus *ix) {
    struct err e;
    weights = weights_default();
    CHECK_OK(corpus_init(ix, &weights, NULL, &e), &e);
}

/* The best document for a request, as its id; "" when there is none. */
static str best(struct corpus *ix, const char *request) {
    struct err e;
    struct query q;
    static char id[64];
    struct scorer *s = scorer_new(&e);
    CHECK(s != NULL);
    query_read(&q, ix, str_of(request));
    CHECK_OK(score_all(s, ix, &q, 1, NULL, NULL, NULL, &e), &e);
    id[0] = 0;
    if (s->pool_count > 0 && s->pool[0].score > 0)
        snprintf(id, sizeof id, "%.*s", STR_ARG(corpus_id(ix, s->pool[0].doc)));
    scorer_free(s);
    return str_of(id);
}

TEST(a_tool_is_found_by_its_words) {
    struct err e;
    struct corpus ix;
    open_index(&ix);
    CHECK_OK(put(&ix, "mail", "Sends a message to a person.", &e), &e);
    CHECK_OK(put(&ix, "weather", "Forecast of rain and sun.", &e), &e);
    CHECK_STR(best(&ix, "what is the forecast"), "weather");
    CHECK_STR(best(&ix, "send messages"), "mail");
    CHECK_STR(best(&ix, "sned mesages"), "mail"); /* a letter is missing */
    corpus_fini(&ix);
}

TEST(a_changed_tool_replaces_the_old_one) {
    struct err e;
    struct corpus ix;
    open_index(&ix);
    CHECK_OK(put(&ix, "a", "Draws pictures.", &e), &e);
    CHECK_OK(put(&ix, "b", "Plays music.", &e), &e);
    CHECK_OK(put(&ix, "a", "Cooks soup.", &e), &e);
    CHECK_EQ(ix.live, 2);
    CHECK_STR(best(&ix, "soup"), "a");
    CHECK(corpus_term(&ix, SPACE_WORD, STR("pictur"))->live == 0);
    uint64_t changes = ix.changes;
    CHECK_OK(put(&ix, "a", "Cooks soup.", &e), &e);
    CHECK_EQ(ix.changes, changes); /* nothing to do */
    CHECK(corpus_drop(&ix, STR("a")));
    CHECK(!corpus_drop(&ix, STR("a")));
    CHECK_EQ(corpus_find(&ix, STR("a")), CORPUS_NONE);
    CHECK_EQ(ix.live, 1);
    corpus_fini(&ix);
}

/* What must agree however an index came about. */
static void check_same(struct corpus *a, struct corpus *b) {
    CHECK_EQ(a->live, b->live);
    CHECK(fabs(a->length - b->length) < 0.01);
    CHECK_STR(best(a, "number 17 seventeen"), "t17");
    CHECK_STR(best(b, "number 17 seventeen"), "t17");
}

static int put_many(struct corpus *ix, int from, int to, const char *more,
                    struct err *e) {
    for (int i = from; i < to; i++) {
        char id[16], text[64];
        snprintf(id, sizeof id, "t%d", i);
        snprintf(text, sizeof text, "Tool number %d %s.%s", i,
                 i == 17 ? "seventeen" : "", more);
        if (put(ix, id, text, e)) return -1;
    }
    return 0;
}

TEST(many_changes_are_compacted_and_nothing_is_lost) {
    struct err e;
    struct corpus ix, fresh;
    open_index(&ix);
    open_index(&fresh);
    CHECK_OK(put_many(&ix, 0, 100, " Old words.", &e), &e);
    CHECK_OK(put_many(&ix, 0, 100, "", &e), &e);
    CHECK_OK(put_many(&ix, 0, 100, " More words.", &e), &e);
    CHECK_OK(put_many(&ix, 0, 100, "", &e), &e);
    CHECK(ix.dead <= ix.live / 4 + 64);
    CHECK_OK(corpus_compact(&ix, &e), &e);
    CHECK_EQ(ix.dead, 0);
    CHECK(corpus_term(&ix, SPACE_WORD, STR("old")) == NULL);
    CHECK_OK(put_many(&fresh, 0, 100, "", &e), &e);
    check_same(&ix, &fresh);
    corpus_fini(&ix);
    corpus_fini(&fresh);
}

static int build_and_compact(void) {
    struct err e;
    struct corpus ix;
    struct weights w = weights_default();
    if (corpus_init(&ix, &w, NULL, &e)) return -1;
    int result = put_many(&ix, 0, 20, "", &e);
    if (result == 0) result = put_many(&ix, 0, 5, " Changed.", &e);
    if (result == 0) result = corpus_compact(&ix, &e);
    corpus_fini(&ix);
    return result;
}

TEST(an_index_at_rest_is_smaller_and_takes_more) {
    struct err e;
    struct corpus ix;
    open_index(&ix);
    for (int i = 0; i < 200; i++) {
        char id[16], text[64];
        snprintf(id, sizeof id, "t%d", i);
        snprintf(text, sizeof text, "Counts the item%d of a list.", i);
        CHECK_OK(put(&ix, id, text, &e), &e);
    }
    size_t before = corpus_bytes(&ix);
    CHECK_OK(corpus_rest(&ix, &e), &e);
    CHECK(corpus_bytes(&ix) < before);
    CHECK_EQ(ix.live, 200);
    CHECK_STR(best(&ix, "item117"), "t117");
    CHECK_OK(put(&ix, "mail", "Sends a message to a person.", &e), &e);
    CHECK_STR(best(&ix, "send messages"), "mail");
    CHECK_STR(best(&ix, "item117"), "t117");
    corpus_fini(&ix);
}

TEST(an_index_survives_every_failed_allocation) {
    TORTURE(build_and_compact());
}

TEST(a_failed_put_leaves_the_index_as_it_was) {
    struct err e;
    struct corpus ix;
    open_index(&ix);
    CHECK_OK(put_many(&ix, 0, 20, "", &e), &e);
    for (size_t n = 1; n < 40; n++) {
        mem_fail_after(n);
        int result = put(&ix, "t17", "Quite other words in here today.", &e);
        bool failed = mem_failed();
        mem_fail_after(0);
        if (result == 0 && !failed) break;
        if (result == 0) continue;
        CHECK_EQ(ix.live, 20);
        CHECK_STR(best(&ix, "seventeen"), "t17");
    }
    corpus_fini(&ix);
}

static const char *temp_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/cordon-index-test-%d", (int)getpid());
    return path;
}

TEST(an_index_is_saved_and_mapped_back) {
    struct err e;
    struct corpus ix, back;
    open_index(&ix);
    CHECK_OK(put_many(&ix, 0, 50, "", &e), &e);
    CHECK_OK(corpus_save(&ix, temp_path(), &e), &e);
    CHECK_OK(corpus_load(&back, temp_path(), &weights, NULL, &e), &e);
    check_same(&ix, &back);
    CHECK_OK(put(&back, "new", "Quite new thing.", &e), &e); /* copies */
    CHECK(corpus_drop(&back, STR("t3")));
    CHECK_STR(best(&back, "quite new"), "new");
    CHECK_EQ(back.live, 50);
    corpus_fini(&ix);
    corpus_fini(&back);
    unlink(temp_path());
}

TEST(an_index_of_other_weights_is_not_loaded) {
    struct err e;
    struct corpus ix, back;
    open_index(&ix);
    CHECK_OK(put_many(&ix, 0, 3, "", &e), &e);
    CHECK_OK(corpus_save(&ix, temp_path(), &e), &e);
    weights.w[WEIGHT_B] = 0.5f;
    CHECK_FAIL(corpus_load(&back, temp_path(), &weights, NULL, &e), &e,
               ERR_MISSING);
    CHECK_FAIL(corpus_load(&back, "/nonexistent/index", &weights, NULL, &e), &e,
               ERR_MISSING);
    corpus_fini(&ix);
    unlink(temp_path());
}

/* Every byte in turn is damaged; loading must refuse or give something that
 * can be searched without harm. */
TEST(a_damaged_index_file_does_no_harm) {
    struct err e;
    struct corpus ix, back;
    open_index(&ix);
    CHECK_OK(put_many(&ix, 0, 4, "", &e), &e);
    CHECK_OK(corpus_save(&ix, temp_path(), &e), &e);
    AUTO_BUF struct buf file = BUF_MAX(1 << 20);
    CHECK_OK(file_read(temp_path(), &file, &e), &e);
    size_t end = file.len - GRAM_HASHES * 4; /* those counts are harmless */
    for (size_t i = 0; i < end; i += 3) {
        char was = file.data[i];
        file.data[i] = (char)(was ^ (i % 2 ? 0xff : 0x41));
        AUTO_FD int fd = open(temp_path(), O_WRONLY | O_TRUNC);
        CHECK_OK(fd_write_all(fd, buf_str(&file), &e), &e);
        file.data[i] = was;
        if (corpus_load(&back, temp_path(), &weights, NULL, &e)) continue;
        best(&back, "tool number seventeen");
        corpus_fini(&back);
    }
    corpus_fini(&ix);
    unlink(temp_path());
}
