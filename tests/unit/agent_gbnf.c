/* SPDX-License-Identifier: MIT
 *
 * Grammars of calls at their limits. That grammars
 * accept what they should is in tests/e2e/grammar.py.
 */
#include "agent/gbnf.h"
#include "test.h"

#define ROOM ((size_t)1 << 24)

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
