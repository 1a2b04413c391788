/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "policy/policy.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

static const char file[] =
    "# who may be written to without a question\n"
    "list friends \"ann@corp.example\", \"*@home.example\"\n"
    "source mail.search fields id,date -> trusted token ; from,to -> meta ;\n"
    "    * -> untrusted ; readers private\n"
    "source contacts.* * -> trusted ; readers private\n"
    "source web.get * -> untrusted ; readers public\n"
    "source vault.* * -> trusted ; readers secret\n"
    "read mail.search, contacts.find, vault.get\n"
    "sink mail.send dest to,cc content subject,body class send\n"
    "sink bank.pay dest account param amount content note\n"
    "    class money irreversible\n"
    "sink web.get dest url class egress-read\n"
    "deny R1 secret-out any(content,dest) readers secret\n"
    "ask R2 dest dest integrity untrusted\n"
    "ask R3 key target|param integrity untrusted\n"
    "ask R4 link class send and content untrusted has url\n"
    "ask R5 tainted-turn turn untrusted and any arg untrusted\n"
    "ask R6 leak class send and not dest in readers(content)\n"
    "    and not dest user and not dest in friends\n"
    "ask R7 money class money and amount > 100/run\n"
    "ask R8 class irreversible and pc untrusted\n"
    "deny R10 principal \"guest*\" and class money\n"
    "allow R9 default\n"
    "remember R2 as value for 30d\n"
    "limit mail.send 2/run ; calls 5/session\n"
    "test \"bill pays attacker\": bank.pay(account=untrusted(\"X\"), "
    "amount=1) => ask R2\n"
    "test \"user typed\": mail.send(to=user(\"a@b.c\"), "
    "body=untrusted(\"hi\")) => allow R9\n"
    "test \"secrets stay\": mail.send(to=\"a@b.c\", body=secret(\"k\"))\n"
    "    => deny R1\n"
    "test \"tainted\": mail.send(to=\"a@b.c\", body=untrusted(\"hi\"))\n"
    "    when turn untrusted => ask R5\n";

static const char tools_text[] =
    "[{\"name\":\"search\",\"server\":\"mail\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"query\":{}}}},"
    "{\"name\":\"send\",\"server\":\"mail\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"to\":{},\"cc\":{},\"subject\":{},\"body\":"
    "{}}}},"
    "{\"name\":\"find\",\"server\":\"contacts\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"name\":{}}}},"
    "{\"name\":\"get\",\"server\":\"web\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"url\":{}}}},"
    "{\"name\":\"get\",\"server\":\"vault\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"name\":{}}}},"
    "{\"name\":\"pay\",\"server\":\"bank\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"account\":{},\"amount\":{},\"note\":{}}}}]";

#define TOOLS 6

static void read_tools(struct arena *a, struct tool out[TOOLS]) {
    struct err e;
    const struct json *v;
    CHECK_OK(json_parse(str_of(tools_text), NULL, a, &v, &e), &e);
    for (size_t i = 0; i < TOOLS; i++)
        CHECK_OK(tool_read(json_at(v, i), STR(""), a, &out[i], &e), &e);
}

static struct policy *parsed(const char *text) {
    struct err e;
    struct policy *p = policy_parse(str_of(text), "rules", &e);
    if (!p) test_fail(__FILE__, __LINE__, "%s", e.text);
    return p;
}

static void wrong(const char *text, const char *why) {
    struct err e;
    struct policy *p = policy_parse(str_of(text), "rules", &e);
    CHECK(!p);
    CHECK_HAS(e.text, why);
}

/* A call with labelled arguments. */
struct sample {
    const char *server, *tool, *args;
    struct labelled labels[4];
    size_t count;
    enum integrity turn, pc;
    const char *principal, *run, *session;
    bool nobody;
    unsigned flags;
    const char *definition;
    const struct spent *spent;
    bool (*granted)(void *data, const char *key);
    void *data;
};

static struct decision decided(struct policy *p, struct arena *a,
                               const struct sample *s) {
    struct err e;
    struct decision d;
    const struct json *args, *definition = NULL;
    CHECK_OK(json_parse(str_of(s->args), NULL, a, &args, &e), &e);
    if (s->definition)
        CHECK_OK(json_parse(str_of(s->definition), NULL, a, &definition, &e),
                 &e);
    struct labels labels = {.items = s->labels, .count = s->count};
    labels.pc.integrity = s->pc;
    struct entry entry = {
        .tool = {.server = str_of(s->server), .name = str_of(s->tool)},
        .definition = definition,
        .flags = s->flags};
    struct policy_call call = {.tool = &entry,
                               .args = args,
                               .labels = &labels,
                               .turn = s->turn,
                               .principal = str_of(s->principal),
                               .run = str_of(s->run),
                               .session = str_of(s->session),
                               .can_ask = !s->nobody,
                               .spent = s->spent,
                               .granted = s->granted,
                               .data = s->data};
    policy_decide(p, &call, a, &d);
    return d;
}

#define LABEL(path_, i_)                \
    {                                   \
        STR(path_), {                   \
            .integrity = INTEGRITY_##i_ \
        }                               \
    }

#define CALL(server_, tool_, args_, i_)                        \
    {                                                          \
        .server = (server_), .tool = (tool_), .args = (args_), \
        .labels = {LABEL("", i_)}, .count = 1                  \
    }

TEST(a_rule_file_passes_its_own_tests) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct tool tools[TOOLS];
    struct policy_report r;
    size_t passed;
    read_tools(&a, tools);
    CHECK_OK(policy_test(p, tools, TOOLS, &a, &r, &passed, &e), &e);
    for (size_t i = 0; i < r.count; i++)
        test_note("%.*s", STR_ARG(r.problems[i].text));
    CHECK_EQ(r.count, 0);
    CHECK_EQ(passed, 4);
    policy_free(p);
}

TEST(a_sound_file_has_no_errors_against_its_tools) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct tool tools[TOOLS];
    struct policy_report r;
    read_tools(&a, tools);
    CHECK_OK(policy_check(p, tools, TOOLS, &a, &r, &e), &e);
    for (size_t i = 0; i < r.count; i++)
        test_note("%zu: %.*s", r.problems[i].line, STR_ARG(r.problems[i].text));
    CHECK_EQ(r.errors, 0);
    policy_free(p);
}

static void finds(const char *extra, const char *want, bool error) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    char text[4096];
    snprintf(text, sizeof text, "%s%s\n", file, extra);
    struct policy *p = parsed(text);
    struct tool tools[TOOLS];
    struct policy_report r;
    read_tools(&a, tools);
    CHECK_OK(policy_check(p, tools, TOOLS, &a, &r, &e), &e);
    bool found = false;
    for (size_t i = 0; i < r.count; i++) {
        if (r.problems[i].error == error &&
            str_find(r.problems[i].text, str_of(want)) >= 0)
            found = true;
        else
            test_note("%.*s", STR_ARG(r.problems[i].text));
    }
    CHECK(found);
    policy_free(p);
}

TEST(checking_finds_what_cannot_be_meant) {
    finds("sink mail.sned dest to", "did you mean mail.send?", true);
    finds("deny R20 tool calendar.*", "no tool is called calendar.*", true);
    finds("ask R20 class teleport", "R20 can never match", true);
    finds("allow R20 tool mail.send", "R20 is never reached", true);
    finds("ask R20 amuont > 5", "R20 can never match", true);
    finds("limit nothing.here 5/run", "no tool is called nothing.here", true);
    finds("ask R20 class money and target untrusted", "R20 can never match",
          true);
}

TEST(checking_finds_misspelt_arguments_and_holes) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed("source mail.search * -> untrusted\n"
                              "sink mail.send dest too content body\n"
                              "sink bank.pay dest account class money\n"
                              "ask R1 content untrusted\n");
    struct tool tools[TOOLS];
    struct policy_report r;
    AUTO_BUF struct buf all = BUF_MAX(1 << 16);
    read_tools(&a, tools);
    CHECK_OK(policy_check(p, tools, TOOLS, &a, &r, &e), &e);
    for (size_t i = 0; i < r.count; i++)
        CHECK_OK(buf_addf(&all, &e, "%s: %.*s\n",
                          r.problems[i].error ? "error" : "warning",
                          STR_ARG(r.problems[i].text)),
                 &e);
    CHECK_HAS(buf_text(&all), "error: mail.send has no argument too; did you "
                              "mean to?");
    CHECK_HAS(buf_text(&all), "warning: mail.send: argument cc has no role");
    CHECK_HAS(buf_text(&all), "warning: web.get: neither read nor sink");
    CHECK_HAS(buf_text(&all), "bank.pay: no rule that asks or denies looks at "
                              "its dest arguments");
    CHECK_HAS(buf_text(&all), "dangerous together: mail.search gives private "
                              "data");
    policy_free(p);
}

TEST(mistakes_are_told_with_their_line) {
    wrong("sorce mail.* * -> trusted\n", "rules:1: sorce begins no statement; "
                                         "did you mean source?");
    wrong("\n\nsource a.b x -> maybe\n", "rules:3: a label is user, trusted");
    wrong("source a.b x -> trusted ; x -> meta\n", "field x has two labels");
    wrong("sink a.b dest x target x\n", "argument x has two roles");
    wrong("deny R1 default\nask R1 default\n", "rules:2: rule R1 is there "
                                               "twice");
    wrong("ask R1 dest has sense\n", "has takes url");
    wrong("ask R1 dest in nobody\n", "there is no list nobody above");
    wrong("allow R1 default\nremember R1 as value for 3d\n",
          "no rule R1 above that asks");
    wrong("ask R1 default\nremember R1 as tool for 3d\n", "never whole tools");
    wrong("limit a.b 5/year\n", "per /run or /session");
    wrong("ask R1 (dest untrusted\n", "expected ')'");
    wrong("ask R1 dest \"\xc3\xa9\" untrusted\n", "rules:1");
    wrong("ask R1 dest untrusted extra words\n", "too much here");
    wrong("preset lax\n", "balanced, permissive or strict");
    wrong("list a \"open\n", "not closed");
    wrong("ask R1 \xff\n", "not UTF-8");
    wrong("test \"t\": a.b(x=perhaps(1)) => deny\n", "expected a value");
    wrong("test \"t\": a.b(x=1) => maybe\n", "deny, ask or allow");
}

TEST(the_argument_that_made_a_rule_match_is_named_with_its_origin) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct origin o = {STR("mail"), STR("search"), STR("/3/body"), 12};
    struct sample s =
        CALL("mail", "send",
             "{\"to\":[\"a@b.c\",\"x@evil.example\"],\"body\":\"hi\"}", USER);
    s.labels[1] = (struct labelled)LABEL("/to/1", UNTRUSTED);
    s.count = 2;
    s.labels[1].label.origins = &o;
    s.labels[1].label.origin_count = 1;
    struct decision d = decided(p, &a, &s);
    CHECK_EQ(d.verdict, POLICY_ASK);
    CHECK_STR(d.rule, "R2");
    CHECK_STR(d.path, "/to/1");
    CHECK_STR(d.classes, "send");
    CHECK(str_find(d.reason, STR("mail.search, call 12, field /3/body")) > 0);
    policy_free(p);
}

TEST(nobody_to_ask_is_a_denial_with_the_reason) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct sample s = CALL("mail", "send", "{\"to\":\"x@y.z\"}", UNTRUSTED);
    s.nobody = true;
    struct decision d = decided(p, &a, &s);
    CHECK_EQ(d.verdict, POLICY_DENY);
    CHECK_STR(d.rule, "R2");
    CHECK(str_find(d.reason, STR("nobody can be asked")) > 0);
    policy_free(p);
}

TEST(unlabelled_arguments_are_untrusted) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct sample s = {
        .server = "mail", .tool = "send", .args = "{\"to\":\"x@y.z\"}"};
    CHECK_STR(decided(p, &a, &s).rule, "R2");
    policy_free(p);
}

TEST(a_pattern_does_not_reach_over_a_comma) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p =
        parsed("sink m.s dest to class send\n"
               "deny D any(dest) in \"*@evil.example\"\n"
               "allow A dest in \"*@home.example\"\npreset strict\n");
    struct sample s = CALL("m", "s", "{\"to\":\"a@home.example\"}", USER);
    CHECK_STR(decided(p, &a, &s).rule, "A");
    s.args = "{\"to\":\"x@other.example, a@home.example\"}";
    CHECK_STR(decided(p, &a, &s).rule, "strict");
    s.args = "{\"to\":\"a@home.example, x@evil.example;\"}";
    CHECK_STR(decided(p, &a, &s).rule, "D");
    s.args = "{\"to\":[\"a@home.example\",\"b@home.example\"]}";
    CHECK_STR(decided(p, &a, &s).rule, "A");
    s.args = "{\"to\":[\"a@home.example\",\"b@other.example\"]}";
    CHECK_STR(decided(p, &a, &s).rule, "strict");
    s.args = "{\"to\":{\"x@evil.example\":1}}";
    CHECK_STR(decided(p, &a, &s).rule, "D");
    policy_free(p);
}

TEST(rules_may_name_who_calls) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct sample s =
        CALL("bank", "pay", "{\"account\":\"X\",\"amount\":1}", USER);
    s.principal = "guest7";
    CHECK_STR(decided(p, &a, &s).rule, "R10");
    s.principal = "ann";
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    policy_free(p);
}

TEST(control_that_untrusted_data_decided_counts_for_what_cannot_be_undone) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct sample s =
        CALL("bank", "pay", "{\"account\":\"X\",\"amount\":1}", USER);
    s.pc = INTEGRITY_UNTRUSTED;
    CHECK_STR(decided(p, &a, &s).rule, "R8");
    s.server = "mail";
    s.tool = "send";
    s.args = "{\"to\":\"a@b.c\"}";
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    s.flags = TOOL_HINT_DESTRUCTIVE; /* MCP's default is no hint */
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    s.definition = "{\"annotations\":{\"destructiveHint\":true}}";
    CHECK_STR(decided(p, &a, &s).rule, "R8");
    policy_free(p);
}

TEST(sums_and_counts_add_up_over_a_run) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct spent *spent = spent_new(&e);
    struct sample s =
        CALL("bank", "pay", "{\"account\":\"X\",\"amount\":60}", USER);
    s.run = "run1";
    s.spent = spent;
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    struct entry entry = {.tool = {.server = STR("bank"), .name = STR("pay")}};
    const struct json *args;
    CHECK_OK(json_parse(str_of(s.args), NULL, &a, &args, &e), &e);
    struct policy_call call = {
        .tool = &entry, .args = args, .run = STR("run1")};
    CHECK_OK(policy_spend(p, spent, &call, &e), &e);
    CHECK_STR(decided(p, &a, &s).rule, "R7");
    s.run = "run2";
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    s.args = "{\"account\":\"X\",\"amount\":\"lots\"}";
    CHECK_STR(decided(p, &a, &s).rule, "R7"); /* not a number: ask */
    entry.tool.server = STR("mail");
    entry.tool.name = STR("send");
    CHECK_OK(policy_spend(p, spent, &call, &e), &e);
    CHECK_OK(policy_spend(p, spent, &call, &e), &e);
    s = (struct sample)CALL("mail", "send", "{\"to\":\"a@b.c\"}", USER);
    s.run = "run1";
    s.spent = spent;
    CHECK_STR(decided(p, &a, &s).rule, "limit");
    spent_end(spent, STR("run1"));
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    spent_free(spent);
    policy_free(p);
}

static char remembered[POLICY_KEY];

static bool was_granted(void *data, const char *key) {
    (void)data;
    return strcmp(key, remembered) == 0;
}

TEST(a_yes_is_remembered_for_the_value_and_its_origin_alone) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct origin o = {STR("mail"), STR("search"), STR("/3/from"), 12};
    struct sample s =
        CALL("mail", "send", "{\"to\":[\"x@y.z\"],\"body\":\"hi\"}", USER);
    s.labels[1] = (struct labelled)LABEL("/to", UNTRUSTED);
    s.count = 2;
    s.labels[1].label.origins = &o;
    s.labels[1].label.origin_count = 1;
    s.granted = was_granted;
    struct decision d = decided(p, &a, &s);
    CHECK_EQ(d.remember, REMEMBER_IF_TOLD);
    memcpy(remembered, d.key, sizeof remembered);
    s.args = "{\"to\":[\"a@b.c\",\"x@y.z\"],\"body\":\"hi\"}";
    s.labels[1].path = STR("/to/1"); /* another place in the list */
    o.field = STR("/7/from");        /* another mail */
    o.call = 99;
    CHECK_STR(decided(p, &a, &s).rule, "R9");
    s.args = "{\"to\":[\"a@b.c\",\"y@y.z\"],\"body\":\"hi\"}";
    CHECK_STR(decided(p, &a, &s).rule, "R2"); /* another value */
    s.args = "{\"to\":[\"a@b.c\",\"x@y.z\"],\"body\":\"hi\"}";
    o.field = STR("/7/body");
    CHECK_STR(decided(p, &a, &s).rule, "R2"); /* another origin */
    o.field = STR("/7/from");
    s.args = "{\"to\":[\"x@y.z\",\"evil@y.z\"],\"body\":\"hi\"}";
    s.labels[1].path = STR("/to");
    CHECK_STR(decided(p, &a, &s).path, "/to/1"); /* the one beside it */
    s.principal = "bob";
    CHECK_STR(decided(p, &a, &s).path, "/to/0"); /* another person */
    policy_free(p);
}

TEST(presets_decide_where_no_rule_does) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct sample s = CALL("x", "y", "{}", USER);
    struct policy *p = policy_new(POLICY_BALANCED, &e);
    struct decision d = decided(p, &a, &s);
    CHECK_EQ(d.verdict, POLICY_ASK);
    CHECK_EQ(d.remember, REMEMBER_SESSION);
    memcpy(remembered, d.key, sizeof remembered);
    s.granted = was_granted;
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_ALLOW);
    s.session = "another";
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_ASK);
    s.flags = TOOL_HINT_READ_ONLY;
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_ALLOW);
    s.flags = TOOL_HINT_READ_ONLY | TOOL_QUARANTINED;
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_DENY);
    policy_free(p);
    p = policy_new(POLICY_PERMISSIVE, &e);
    CHECK_STR(decided(p, &a, &s).rule, "quarantine");
    s.flags = 0;
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_ALLOW);
    policy_free(p);
    p = policy_new(POLICY_STRICT, &e);
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_DENY);
    policy_free(p);
}

TEST(a_shadow_policy_says_what_it_would_have_said) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed("shadow\npreset strict\n");
    struct sample s = CALL("x", "y", "{}", USER);
    struct decision d = decided(p, &a, &s);
    CHECK_EQ(d.verdict, POLICY_ALLOW);
    CHECK(d.shadowed);
    CHECK_EQ(d.would, POLICY_DENY);
    policy_free(p);
}

TEST(a_tool_the_file_does_not_know_is_not_allowed_by_default) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = parsed(file);
    struct sample s = CALL("mail", "purge", "{}", USER);
    CHECK_STR(decided(p, &a, &s).rule, "balanced");
    CHECK_EQ(decided(p, &a, &s).verdict, POLICY_ASK);
    policy_free(p);
}

static int life(void) {
    struct err e;
    struct decision d;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    struct policy *p = policy_parse(str_of(file), "rules", &e);
    if (!p) return -1;
    struct entry entry = {.tool = {.server = STR("mail"), .name = STR("send")}};
    struct policy_call call = {.tool = &entry, .can_ask = true};
    policy_decide(p, &call, &a, &d);
    /* Whatever failed, nothing was allowed that is not. */
    CHECK(d.verdict != POLICY_ALLOW || str_is(d.rule, "R9"));
    policy_free(p);
    return mem_failed() ? -1 : 0;
}

TEST(deciding_survives_every_failed_allocation) {
    TORTURE(life());
}
