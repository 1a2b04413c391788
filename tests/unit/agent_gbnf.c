/* SPDX-License-Identifier: MIT
 *
 * Grammars of calls at their limits, and how sure a model was. That grammars
 * accept what they should is in tests/e2e/grammar.py.
 */
#include "agent/doubt.h"
#include "agent/gbnf.h"
#include "test.h"

#define ROOM ((size_t)1 << 24)

static const struct json *parse(const char *text, struct arena *a) {
    const struct json *v;
    struct err e;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

/* The grammar of one tool with this schema, or why there is none. */
static int write_one(const char *schema, struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = {0};
    struct offer *o = offers_add(&offers, &a, e);
    if (!o || json_parse(str_of(schema), NULL, &a, &o->schema, e)) return -1;
    o->name = STR("f");
    return gbnf_write(TEXTCALL_HERMES, &offers, out, e);
}

static const char tree[] =
    "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"},\"v\":{"
    "\"enum\":[1,\"a\"]},\"far\":{\"$ref\":\"http://x/y\"}},\"required\":"
    "[\"v\"]}";

TEST(a_schema_that_leads_to_itself_ends) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    CHECK_OK(write_one(tree, &out, &e), &e);
    CHECK_HAS(buf_text(&out), "root ::= t0\n");
    CHECK_HAS(buf_text(&out), "\"1\" | \"\\\"a\\\"\"");
}

TEST(schemas_in_schemas_end_somewhere) {
    AUTO_BUF struct buf schema = BUF_MAX(ROOM), out = BUF_MAX(ROOM);
    struct err e;
    for (int i = 0; i < 100; i++)
        CHECK_OK(buf_add_text(&schema, "{\"anyOf\":[", &e), &e);
    CHECK_OK(buf_add_text(&schema, "{}", &e), &e);
    for (int i = 0; i < 100; i++)
        CHECK_OK(buf_add_text(&schema, "]}", &e), &e);
    CHECK_OK(write_one(buf_text(&schema), &out, &e), &e);
}

TEST(what_does_not_fit_leaves_nothing) {
    AUTO_BUF struct buf out = BUF_MAX(200);
    struct err e;
    CHECK_OK(buf_add_text(&out, "before", &e), &e);
    CHECK_FAIL(write_one(tree, &out, &e), &e, ERR_LIMIT);
    CHECK_TEXT(buf_text(&out), "before");
}

static int write_tree(void) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    return write_one(tree, &out, &e);
}

TEST(a_grammar_survives_every_failed_allocation) {
    TORTURE(write_tree());
}

/* How sure of text, or of a call, with this as the first token. */
static double sure(const char *token, bool called) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_answer m = {0};
    struct err e;
    m.first_token = token ? parse(token, &a) : NULL;
    CHECK(parts_add(&m.parts, called ? PART_CALL : PART_TEXT, &a, &e));
    return doubt_sure(&m);
}

static bool near(double got, double want) {
    return got > want - 0.001 && got < want + 0.001;
}

TEST(how_sure_a_model_was_is_read_from_the_first_token) {
    const char close[] =
        "{\"token\":\"It\",\"logprob\":-0.5,\"top_logprobs\":[{\"token\":"
        "\"It\",\"logprob\":-0.693147},{\"token\":\"<tool_call>\",\"logprob\":"
        "-1.386294},{\"token\":\"The\",\"logprob\":-1.386294}]}";
    CHECK(near(sure(close, false), 0.75));
    CHECK(near(sure(close, true), 0.25));
    CHECK(near(sure("{\"token\":\"Yes\",\"logprob\":-3}", false), 1));
}

TEST(nothing_is_known_where_nothing_is_told) {
    CHECK(sure(NULL, true) < 0);
    CHECK(sure("{\"token\":\"It\",\"logprob\":-0.1}", true) < 0);
    CHECK(sure("{\"token\":\"It\"}", false) < 0);
    CHECK(sure("{\"token\":\"\",\"logprob\":\"x\",\"top_logprobs\":[1,{}]}",
               false) < 0);
}
