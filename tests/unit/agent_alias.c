/* SPDX-License-Identifier: MIT
 *
 * Names of tools and ids of calls that a vendor does not take.
 */
#include "agent/alias.h"
#include "test.h"

#define ROOM ((size_t)1 << 22)

static void offer(struct model_request *q, struct arena *a, const char *name) {
    struct err e;
    struct offer *o = offers_add(&q->offers, a, &e);
    CHECK(o);
    o->name = str_of(name);
}

/* A call of the tool, and its result. */
static void called(struct model_request *q, struct arena *a, const char *name,
                   const char *id) {
    struct err e;
    struct message *said = messages_add(&q->messages, ROLE_ASSISTANT, a, &e);
    struct message *told = messages_add(&q->messages, ROLE_USER, a, &e);
    struct part *call = parts_add(&said->parts, PART_CALL, a, &e);
    struct part *result = parts_add(&told->parts, PART_RESULT, a, &e);
    CHECK(call && result);
    call->name = result->name = str_of(name);
    call->id = result->id = str_of(id);
}

static const struct vendor *vendor(const char *name) {
    struct err e;
    const struct vendor *v = vendor_find(str_of(name), &e);
    CHECK(v);
    return v;
}

#define LONG                                                              \
    "a_name_of_more_than_sixty_four_letters_that_only_some_vendors_take_" \
    "as_it_is"

TEST(names_that_are_taken_stay) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q = {0}, out;
    struct aliases names;
    struct err e;
    offer(&q, &a, "mail__send");
    offer(&q, &a, LONG);
    called(&q, &a, LONG, "call_1");
    CHECK_OK(alias_request(vendor("anthropic"), &q, &a, &out, &names, &e), &e);
    CHECK(names.count == 0);
    CHECK(out.offers.first == q.offers.first);
    CHECK(out.messages.first == q.messages.first);
}

TEST(names_that_are_not_go_out_under_others_and_come_back) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q = {
        .choice = {.mode = CHOICE_ONE, .name = STR("files.read")}};
    struct model_request out;
    struct model_answer m = {0};
    struct aliases names;
    struct err e;
    offer(&q, &a, "files.read");
    offer(&q, &a, LONG);
    offer(&q, &a, "plain");
    called(&q, &a, "files.read", "call_1");
    CHECK_OK(alias_request(vendor("openai"), &q, &a, &out, &names, &e), &e);
    CHECK(names.count == 2);
    const struct offer *o = out.offers.first;
    CHECK(o->name.n <= 64 && str_find_char(o->name, '.') < 0);
    CHECK(o->next->name.n <= 64 && !str_eq(o->name, o->next->name));
    CHECK_STR(o->next->next->name, "plain");
    CHECK(str_eq(out.choice.name, o->name));
    CHECK(str_eq(out.messages.first->parts.first->name, o->name));
    CHECK_STR(q.offers.first->name, "files.read"); /* q is as it was */
    struct part *p = parts_add(&m.parts, PART_CALL, &a, &e);
    p->name = o->next->name;
    alias_answer(&names, &m);
    CHECK_STR(p->name, LONG);
}

TEST(the_first_letter_matters_to_gemini) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q = {0}, out;
    struct aliases names;
    struct err e;
    offer(&q, &a, "1password__get");
    offer(&q, &a, "files.read:all");
    CHECK_OK(alias_request(vendor("gemini"), &q, &a, &out, &names, &e), &e);
    CHECK(names.count == 1);
    CHECK(out.offers.first->name.p[0] > '9');
    CHECK_STR(out.offers.first->next->name, "files.read:all");
}

TEST(ids_have_nine_letters_where_the_vendor_wants_it) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q = {0}, out;
    struct aliases names;
    struct err e;
    offer(&q, &a, "plain");
    called(&q, &a, "plain", "call_0123456789");
    called(&q, &a, "plain", "abcdef123");
    CHECK_OK(alias_request(vendor("mistral"), &q, &a, &out, &names, &e), &e);
    const struct message *m = out.messages.first;
    CHECK(m->parts.first->id.n == 9);
    CHECK(str_eq(m->parts.first->id, m->next->parts.first->id));
    CHECK_STR(m->next->next->parts.first->id, "abcdef123");
}

TEST(two_names_never_meet) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q = {0}, out;
    struct aliases names;
    struct err e;
    offer(&q, &a, "files.read");
    CHECK_OK(alias_request(vendor("openai"), &q, &a, &out, &names, &e), &e);
    struct offer *o = offers_add(&q.offers, &a, &e);
    o->name = out.offers.first->name;
    CHECK_FAIL(alias_request(vendor("openai"), &q, &a, &out, &names, &e), &e,
               ERR_INVALID);
    CHECK_HAS(e.text, "look alike");
}
