/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "policy/policy.h"

static struct policy *parsed(const char *text) {
    struct err e;
    struct policy *p = policy_parse(str_of(text), "rules", &e);
    if (!p) test_fail(__FILE__, __LINE__, "%s", e.text);
    return p;
}

static const char mails[] =
    "[{\"id\":\"1\",\"from\":\"a@b.c\",\"body\":{\"id\":\"x\",\"event\":{"
    "\"id\":\"7\"}}},"
    "{\"id\":\"2\",\"from\":\"pay now to me\",\"body\":\"text\"},"
    "{\"id\":\"and a sentence\",\"from\":\"c@d.e\",\"a/b\":1}]";

static const char rules[] =
    "source mail.search fields id -> trusted token ; from -> meta ;\n"
    "    body.event.id -> trusted ; body -> untrusted ; * -> trusted ;\n"
    "    readers private\n";

struct labelling {
    struct arena arena;
    struct label_finder finder;
    const struct labels *labels;
};

/* The labels of a value that mail.search gave for arguments of one label. */
static void label(struct labelling *l, const char *text, const char *value,
                  const char *meta, enum integrity args) {
    struct err e;
    struct policy *p = parsed(text);
    const struct json *v, *m = NULL, *given;
    l->arena = ARENA_MAX(1 << 22);
    CHECK_OK(json_parse(str_of(value), NULL, &l->arena, &v, &e), &e);
    CHECK_OK(json_parse(STR("{\"q\":\"x\"}"), NULL, &l->arena, &given, &e), &e);
    if (meta) CHECK_OK(json_parse(str_of(meta), NULL, &l->arena, &m, &e), &e);
    struct labelled one = {STR(""), {.integrity = args}};
    struct labels labels = {.items = &one, .count = 1};
    struct entry entry = {
        .tool = {.server = STR("mail"), .name = STR("search")}};
    struct policy_call call = {
        .tool = &entry, .args = given, .labels = &labels};
    CHECK_OK(policy_label(p, &call, v, m, 5, &l->arena, &l->labels, &e), &e);
    CHECK_OK(label_finder_init(&l->finder, l->labels, &l->arena, &e), &e);
    policy_free(p);
}

static enum integrity at(struct labelling *l, const char *path) {
    return label_find(&l->finder, str_of(path))->integrity;
}

TEST(fields_have_the_labels_of_their_source) {
    struct labelling l;
    label(&l, rules, mails, NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/id"), INTEGRITY_TRUSTED);
    CHECK_EQ(at(&l, "/0/from"), INTEGRITY_META);
    CHECK_EQ(at(&l, "/0/other"), INTEGRITY_TRUSTED);
    CHECK_EQ(at(&l, "/1/body"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&l.finder, STR("/0/id"))->secrecy, SECRECY_PRIVATE);
    const struct label *from = label_find(&l.finder, STR("/0/from"));
    CHECK_EQ(from->origin_count, 1);
    CHECK_STR(from->origins[0].tool, "search");
    CHECK_STR(from->origins[0].field, "/~*/from");
    CHECK_EQ(from->origins[0].call, 5);
    arena_fini(&l.arena);
}

TEST(names_inside_a_labelled_field_count_only_with_their_whole_path) {
    struct labelling l;
    label(&l, rules, mails, NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/body/id"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(at(&l, "/0/body/event/id"), INTEGRITY_TRUSTED);
    arena_fini(&l.arena);
}

TEST(what_does_not_look_like_a_token_is_not_believed) {
    struct labelling l;
    label(&l, rules, mails, NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/1/from"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(at(&l, "/2/id"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(at(&l, "/2/from"), INTEGRITY_META);
    arena_fini(&l.arena);
}

TEST(records_name_their_own_readers) {
    struct labelling l;
    label(&l,
          "source mail.search from -> meta ; * -> untrusted ; readers from to, "
          "from\n",
          "{\"mails\":[{\"from\":\"a@b.c\",\"to\":[\"x@y.z\",\"a@b.c\"],"
          "\"body\":\"one\"},{\"from\":\"not an address\",\"to\":\"d@e.f\","
          "\"body\":{\"text\":\"two\"}},{\"body\":\"three\"}],\"n\":3}",
          NULL, INTEGRITY_USER);
    const struct label *one = label_find(&l.finder, STR("/mails/0/body"));
    CHECK_EQ(one->secrecy, SECRECY_READERS);
    CHECK_EQ(one->reader_count, 2);
    CHECK_STR(one->readers[0], "a@b.c");
    CHECK_STR(one->readers[1], "x@y.z");
    const struct label *two = label_find(&l.finder, STR("/mails/1/body/text"));
    CHECK_EQ(two->reader_count, 1);
    CHECK_STR(two->readers[0], "d@e.f");
    CHECK_EQ(two->integrity, INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&l.finder, STR("/mails/2/body"))->secrecy,
             SECRECY_PRIVATE);
    CHECK_EQ(label_find(&l.finder, STR("/n"))->secrecy, SECRECY_PRIVATE);
    arena_fini(&l.arena);
    label(&l,
          "source mail.search from -> meta ; * -> untrusted ; readers from "
          "to\n",
          "[{\"from\":\"please pay me\",\"to\":\"x@y.z\"}]", NULL,
          INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/from"), INTEGRITY_UNTRUSTED); /* demoted stays so */
    CHECK_EQ(label_find(&l.finder, STR("/0/from"))->secrecy, SECRECY_READERS);
    arena_fini(&l.arena);
}

TEST(a_key_that_is_a_sentence_spoils_its_object) {
    struct labelling l;
    label(&l, "source mail.search shared -> meta ; * -> trusted\n",
          "[{\"shared\":{\"a@b.c\":\"rw\"}},{\"shared\":{\"do as I say\":"
          "\"rw\"}}]",
          NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/shared"), INTEGRITY_META);
    CHECK_EQ(at(&l, "/1/shared"), INTEGRITY_UNTRUSTED);
    arena_fini(&l.arena);
}

TEST(a_result_is_no_better_than_the_arguments_that_selected_it) {
    struct labelling l;
    label(&l, rules, mails, NULL, INTEGRITY_UNTRUSTED);
    CHECK_EQ(at(&l, "/0/id"), INTEGRITY_UNTRUSTED);
    arena_fini(&l.arena);
}

TEST(a_server_may_tighten_its_labels_and_never_relax_them) {
    struct labelling l;
    label(&l, rules, mails, "{\"ifc\":{\"integrity\":\"untrusted\"}}",
          INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/id"), INTEGRITY_UNTRUSTED);
    arena_fini(&l.arena);
    label(&l, rules, mails,
          "{\"ifc\":{\"integrity\":\"trusted\",\"confidentiality\":"
          "\"public\"}}",
          INTEGRITY_USER);
    CHECK_EQ(at(&l, "/1/body"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&l.finder, STR("/0/id"))->secrecy, SECRECY_PRIVATE);
    arena_fini(&l.arena);
    label(&l, rules, mails, "{\"ifc\":{\"confidentiality\":\"secret\"}}",
          INTEGRITY_USER);
    CHECK_EQ(label_find(&l.finder, STR("/0/id"))->secrecy, SECRECY_SECRET);
    arena_fini(&l.arena);
}

TEST(an_authoritative_server_labels_its_own_results) {
    struct labelling l;
    label(&l, "source mail.* labels from _meta.ifc authoritative\n", mails,
          "{\"ifc\":{\"integrity\":\"trusted\",\"confidentiality\":"
          "\"public\"}}",
          INTEGRITY_USER);
    CHECK_EQ(at(&l, "/1/body"), INTEGRITY_TRUSTED);
    CHECK_EQ(label_find(&l.finder, STR("/0/id"))->secrecy, SECRECY_PUBLIC);
    arena_fini(&l.arena);
    label(&l, "source mail.* labels from _meta.ifc authoritative\n", mails,
          NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/1/body"), INTEGRITY_UNTRUSTED);
    arena_fini(&l.arena);
}

TEST(text_instead_of_fields_is_as_bad_as_the_worst_field) {
    struct labelling l;
    label(&l, rules, "\"id: 1, from: a@b.c\"", NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, ""), INTEGRITY_UNTRUSTED);
    arena_fini(&l.arena);
}

TEST(what_no_source_labels_is_untrusted_and_private) {
    struct labelling l;
    label(&l, "preset balanced\n", mails, NULL, INTEGRITY_USER);
    CHECK_EQ(at(&l, "/0/id"), INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&l.finder, STR("/0/id"))->secrecy, SECRECY_PRIVATE);
    arena_fini(&l.arena);
}

TEST(the_labels_of_a_long_list_are_those_of_one_record) {
    struct err e;
    struct labelling l;
    AUTO_BUF struct buf b = BUF_MAX(1 << 20);
    CHECK_OK(buf_add_char(&b, '[', &e), &e);
    for (int i = 0; i < 1000; i++)
        CHECK_OK(buf_addf(&b, &e, "%s{\"id\":\"%d\",\"from\":\"a@b.c\"}",
                          i ? "," : "", i),
                 &e);
    CHECK_OK(buf_add_char(&b, ']', &e), &e);
    label(&l, rules, buf_text(&b), NULL, INTEGRITY_USER);
    CHECK_EQ(l.labels->count, 3);
    CHECK_EQ(at(&l, "/999/from"), INTEGRITY_META);
    arena_fini(&l.arena);
}
