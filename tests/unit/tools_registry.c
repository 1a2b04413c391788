/* SPDX-License-Identifier: MIT */
#include "tools/names.h"
#include "tools/registry.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

static const char *flat(str server, str tool) {
    static char out[128];
    struct err e;
    str name;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    CHECK_OK(name_flat(server, tool, &a, &name, &e), &e);
    CHECK(name.n <= NAME_MAX_VENDOR);
    snprintf(out, sizeof out, "%.*s", STR_ARG(name));
    return out;
}

static const char *python(str name) {
    static char out[256];
    struct err e;
    str spelt;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    CHECK_OK(name_python(name, &a, &spelt, &e), &e);
    snprintf(out, sizeof out, "%.*s", STR_ARG(spelt));
    return out;
}

TEST(names_that_fit_are_kept) {
    CHECK_TEXT(flat(STR("mail"), STR("send")), "mail__send");
    CHECK_TEXT(flat(STR("my-mail"), STR("send-it")), "my-mail__send-it");
    CHECK_TEXT(flat(STR(""), STR("send")), "send");
    CHECK_TEXT(flat(STR("a"), STR("b__c")), "a__b__c");
}

TEST(names_that_do_not_fit_are_tagged) {
    CHECK_HAS(flat(STR("mail"), STR("send.it now")), "mail__send_it_now_");
    CHECK_HAS(flat(STR("1st"), STR("x")), "_1st__x_");
    CHECK_EQ(strlen(flat(STR("s"), STR("1234567890123456789012345678901234567"
                                       "8901234567890123456789012"))),
             NAME_MAX_VENDOR);
    CHECK_HAS(flat(STR(""), STR("")), "_");
}

/* Pairs that a careless scheme would give one name. */
TEST(two_tools_never_share_a_name) {
    static const char *const all[][2] = {
        {"a", "b__c"},   {"a__b", "c"},  {"a_", "b"},  {"a", "_b"},
        {"", "a__b__c"}, {"a.b", "c"},   {"a", "b.c"}, {"a_b", "c"},
        {"", "a_b__c"},  {"", "a.b__c"}, {"a", "b c"}, {"a", "b_c"},
        {"a", "b\tc"},   {"a", "B.c"},
    };
    enum { N = sizeof all / sizeof all[0] };
    static char names[N][80];
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "%s",
                 flat(str_of(all[i][0]), str_of(all[i][1])));
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(names[i], names[k]) != 0);
    }
    /* A tool that calls itself by another's tagged name. */
    char tagged[80];
    snprintf(tagged, sizeof tagged, "%s", flat(STR(""), STR("b.c")));
    CHECK(strcmp(flat(STR(""), str_of(tagged)), tagged) != 0);
}

TEST(python_names_are_identifiers) {
    CHECK_TEXT(python(STR("create-issue")), "create_issue");
    CHECK_TEXT(python(STR("from")), "from_");
    CHECK_TEXT(python(STR("3d")), "_3d");
    CHECK_TEXT(python(STR("a.b/c")), "a_b_c");
    CHECK_TEXT(python(STR("größe")), "größe");
    CHECK_TEXT(python(STR("\xef\xbd\x89\xef\xbd\x86")), "if_"); /* wide "if" */
    CHECK_HAS(python(STR("!!!")), "_");
    CHECK(strlen(python(STR("!!!"))) == NAME_TAG);
    CHECK_HAS(python(STR("x\xff\xfe\x00y")), "x_y");
}

/* ---- the registry ---- */

struct fixture {
    struct registry *r;
    struct arena arena;
};

static struct fixture fresh(void) {
    struct err e;
    struct fixture f = {registry_new(&e), ARENA_MAX((size_t)64 << 20)};
    CHECK(f.r != NULL);
    return f;
}

static void done(struct fixture *f) {
    registry_free(f->r);
    arena_fini(&f->arena);
}

static const struct json *parse(struct fixture *f, const char *text) {
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, &f->arena, &v, &e), &e);
    return v;
}

static int put(struct fixture *f, const char *server, const char *tools) {
    struct err e = {0};
    struct registry_source s = {.server = str_of(server)};
    int n = registry_put(f->r, &s, parse(f, tools), &e);
    if (n < 0) test_note("%s", e.text);
    return n;
}

static const char mail[] =
    "[{\"name\":\"send\",\"description\":\"Sends a mail.\",\"inputSchema\":"
    "{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\"}}}},"
    "{\"name\":\"list-all\",\"annotations\":{\"readOnlyHint\":true}}]";

TEST(a_tool_is_found_by_each_of_its_names) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "my.mail", mail), 2);
    struct entry *t = registry_find(f.r, STR("my.mail.list-all"));
    CHECK(t != NULL);
    CHECK(registry_find(f.r, t->name) == t);
    CHECK(registry_find(f.r, STR("my.mail/list-all")) == t);
    CHECK(registry_find(f.r, STR("my_mail.list_all")) == t);
    CHECK(!registry_find(f.r, STR("my_mail.list_al")));
    CHECK_STR(t->space, "my_mail");
    CHECK_STR(t->method, "list_all");
    CHECK_EQ(t->flags, TOOL_HINT_READ_ONLY);
    struct err e;
    CHECK(entry_input(t, &e) != NULL);
    CHECK(registry_find(f.r, STR("my_mail.send"))->flags &
          TOOL_HINT_DESTRUCTIVE);
    done(&f);
}

TEST(a_name_that_could_mean_two_tools_means_none) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "a", "[{\"name\":\"b.c\"}]"), 1);
    CHECK(registry_find(f.r, STR("a.b.c")) != NULL);
    CHECK_EQ(put(&f, "a.b", "[{\"name\":\"c\"}]"), 1);
    CHECK(registry_find(f.r, STR("a.b.c")) == NULL);
    CHECK(registry_find(f.r, STR("a_b.c")) != NULL);
    done(&f);
}

TEST(servers_that_spell_alike_get_their_own_namespaces) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "my-x", "[{\"name\":\"t\"}]"), 1);
    CHECK_EQ(put(&f, "my_x", "[{\"name\":\"t\"}]"), 1);
    CHECK_EQ(put(&f, "time", "[{\"name\":\"now\"}]"), 1);
    CHECK(!str_eq(registry_at(f.r, 0)->space, registry_at(f.r, 1)->space));
    CHECK_STR(registry_at(f.r, 2)->space, "time_");
    done(&f);
}

TEST(methods_that_spell_alike_stay_apart) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "s", "[{\"name\":\"a-b\"},{\"name\":\"a_b\"}]"), 2);
    CHECK_STR(registry_find(f.r, STR("s.a_b"))->tool.name, "a_b");
    const struct entry *other = registry_at(f.r, 0);
    CHECK(str_starts(other->method, STR("a_b_")));
    CHECK(registry_find(f.r, STR("s.a-b")) == other);
    done(&f);
}

TEST(what_did_not_change_stays_the_same_entry) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "m", mail), 2);
    struct entry *send = registry_find(f.r, STR("m.send"));
    struct entry *list = entry_hold(registry_find(f.r, STR("m.list-all")));
    uint64_t before = registry_generation(f.r);
    CHECK_EQ(put(&f, "m",
                 "[{\"name\":\"send\",\"description\":\"Sends a mail.\","
                 "\"inputSchema\":{\"properties\":{\"to\":{\"type\":\"string\"}"
                 "},\"type\":\"object\"}},{\"name\":\"list-all\"}]"),
             2);
    CHECK(registry_generation(f.r) != before);
    CHECK(registry_find(f.r, STR("m.send")) == send);
    CHECK(registry_find(f.r, STR("m.list-all")) != list);
    CHECK_STR(list->tool.name, "list-all"); /* held: still there */
    entry_drop(list);
    done(&f);
}

TEST(a_faulty_tool_is_set_aside_and_its_neighbours_are_not) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "s",
                 "[{\"name\":\"a\",\"inputSchema\":{\"type\":\"obiect\"}},"
                 "{\"name\":\"b\"},{\"name\":\"b\"},7,{\"x\":1}]"),
             1);
    CHECK_EQ(registry_count(f.r), 5);
    CHECK_HAS(registry_at(f.r, 0)->fault, "input schema");
    CHECK(!registry_at(f.r, 1)->fault);
    CHECK_HAS(registry_at(f.r, 2)->fault, "twice");
    CHECK_HAS(registry_at(f.r, 3)->fault, "object");
    CHECK_HAS(registry_at(f.r, 4)->fault, "name");
    CHECK(registry_find(f.r, STR("s.b")) == registry_at(f.r, 1));
    CHECK(registry_find(f.r, STR("s.a"))->flags & TOOL_SET_ASIDE);
    /* Identical duplicates do not become one entry the second time. */
    CHECK_EQ(put(&f, "s", "[{\"name\":\"b\"},{\"name\":\"b\"}]"), 1);
    CHECK(!registry_at(f.r, 0)->fault && registry_at(f.r, 1)->fault);
    done(&f);
}

TEST(a_server_can_neither_take_a_place_nor_anothers_name) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "evil",
                 "[{\"name\":\"x\",\"id\":\"mail__send\",\"server\":\"mail\","
                 "\"always\":true,\"keywords\":[\"mail\"],\"aliases\":"
                 "[\"send\"],\"category\":\"mail\"}]"),
             1);
    const struct entry *t = registry_at(f.r, 0);
    CHECK_STR(t->tool.server, "evil");
    CHECK_STR(t->tool.id, "evil__x");
    CHECK(!t->tool.always && !t->tool.keywords && !t->tool.aliases);
    CHECK_EQ(t->tool.category.n, 0);
    done(&f);
}

TEST(the_user_chooses_and_overrides) {
    struct fixture f = fresh();
    struct err e;
    str allow[] = {STR("s*"), STR("list*")}, exclude[] = {STR("*-all")};
    struct registry_source s = {
        .server = STR("m"),
        .allow = allow,
        .allow_count = 2,
        .exclude = exclude,
        .exclude_count = 1,
        .overrides = parse(&f, "{\"send\":{\"description\":\"Posts.\","
                               "\"readOnly\":true,\"always\":true,"
                               "\"category\":\"c\",\"examples\":[\"x\"]}}"),
    };
    CHECK_EQ(registry_put(f.r, &s, parse(&f, mail), &e), 1);
    struct entry *t = registry_find(f.r, STR("m__send"));
    CHECK_STR(t->tool.description, "Posts.");
    CHECK_STR(t->tool.category, "c");
    CHECK(t->tool.always && json_len(t->tool.examples) == 1);
    CHECK(t->flags & TOOL_READ_ONLY);
    CHECK_STR(json_get_text(t->definition, "description", STR("")),
              "Sends a mail.");
    done(&f);
}

static size_t search(struct fixture *f, str text, str *first) {
    static struct selection found;
    struct err e;
    struct selector *s = registry_selector(f->r, &e);
    CHECK(s != NULL);
    struct select_request r = {.text = text};
    CHECK_OK(select_tools(s, &r, &found, &e), &e);
    if (found.count > 0) *first = corpus_id(&s->corpus, found.items[0].doc);
    return found.count;
}

TEST(the_index_follows_the_registry) {
    struct fixture f = fresh();
    str first;
    CHECK_EQ(put(&f, "m", mail), 2);
    CHECK(search(&f, STR("send a mail"), &first) > 0);
    CHECK_STR(first, "m__send");
    CHECK_EQ(put(&f, "m", "[{\"name\":\"zap\",\"description\":\"Weather.\"}]"),
             1);
    CHECK_EQ(search(&f, STR("weather"), &first), 1);
    CHECK_STR(first, "m__zap");
    CHECK_EQ(search(&f, STR("send"), &first), 0);
    registry_remove(f.r, STR("m"));
    CHECK_EQ(search(&f, STR("weather"), &first), 0);
    CHECK_EQ(registry_count(f.r), 0);
    CHECK(!registry_find(f.r, STR("m.zap")));
    CHECK_EQ(put(&f, "m", mail), 2);
    CHECK(search(&f, STR("send a mail"), &first) > 0);
    done(&f);
}

TEST(near_names_are_offered) {
    struct fixture f = fresh();
    str near[3];
    put(&f, "mail", mail);
    put(&f, "web",
        "[{\"name\":\"fetch_page\",\"description\":\"Gets a page.\""
        "}]");
    CHECK(registry_near(f.r, STR("send"), near, 3) >= 1);
    CHECK_STR(near[0], "mail__send");
    CHECK(registry_near(f.r, STR("mail__sned"), near, 3) >= 1);
    CHECK_STR(near[0], "mail__send");
    CHECK(registry_near(f.r, STR("browser.get_page"), near, 3) >= 1);
    CHECK_STR(near[0], "web__fetch_page");
    CHECK_EQ(registry_near(f.r, STR("x"), near, 0), 0);
    done(&f);
}

TEST(a_list_that_cannot_be_taken_leaves_the_old_one) {
    struct fixture f = fresh();
    CHECK_EQ(put(&f, "m", mail), 2);
    CHECK_EQ(put(&f, "m", "{}"), -1);
    CHECK_EQ(put(&f, "m\n", "[]"), -1);
    CHECK(registry_find(f.r, STR("m.send")) != NULL);
    done(&f);
}

/* Half of the list changes, one tool goes and one comes. */
static int replace(struct fixture *f, const struct json *first,
                   const struct json *second) {
    struct err e;
    struct registry_source s = {.server = STR("m")};
    struct registry *r = registry_new(&e);
    if (!r) return -1;
    int result = registry_put(r, &s, first, &e);
    if (result >= 0 && registry_put(r, &s, second, &e) < 0) {
        CHECK(registry_find(r, STR("m.send")) != NULL);
        CHECK_STR(registry_find(r, STR("m.send"))->tool.description,
                  "Sends a mail.");
        result = -1;
    }
    if (result >= 0 && !registry_selector(r, &e)) result = -1;
    registry_free(r);
    (void)f;
    return result < 0 ? -1 : 0;
}

TEST(registry_survives_every_failed_allocation) {
    struct fixture f = fresh();
    const struct json *first = parse(&f, mail);
    const struct json *second =
        parse(&f, "[{\"name\":\"send\",\"description\":\"Else.\"},"
                  "{\"name\":\"new one\"},{\"name\":\"new_one\"}]");
    TORTURE(replace(&f, first, second));
    done(&f);
}
