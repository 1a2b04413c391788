/* SPDX-License-Identifier: MIT */
#include "sandbox/cage.h"

#include <string.h>

#include "test.h"

#define START                                       \
    struct err e;                                   \
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20); \
    struct cage c;                                  \
    cage_init(&c, &a)

TEST(a_fresh_cage_gives_the_documented_least) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct cage c;
    cage_init(&c, &a);
    CHECK_EQ(c.tier, TIER_CONTAINER);
    CHECK_EQ(c.net, NET_NONE);
    CHECK_EQ(c.limits.cpu, 1000);
    CHECK_EQ(c.limits.memory, 512 << 20);
    CHECK_EQ(c.limits.wall, 30000000000);
    CHECK_EQ(c.limits.pids, 64);
    CHECK_EQ(c.limits.scratch, 64 << 20);
    CHECK_EQ(c.limits.output, 1 << 20);
    CHECK_EQ(c.env_count, 3);
    CHECK_FAIL(cage_check(&c, &e), &e, ERR_INVALID); /* no program */
}

TEST(limits_are_read_with_units) {
    START;
    CHECK_OK(cage_set_limits(&c, STR("cpu=0.5,memory=1g,time=1.5s,pids=8"), &e),
             &e);
    CHECK_EQ(c.limits.cpu, 500);
    CHECK_EQ(c.limits.memory, 1 << 30);
    CHECK_EQ(c.limits.wall, 1500000000);
    CHECK_EQ(c.limits.pids, 8);
}

TEST(limits_that_make_no_sense_are_refused) {
    static const char *const bad[] = {
        "cpu",    "memory=0",   "memory=",   "time=-1s",
        "pids=x", "cpu=1.2345", "memroy=1m", "cpu=999999999",
    };
    START;
    struct cage_limits before = c.limits;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(cage_set_limits(&c, str_of(bad[i]), &e), &e, ERR_INVALID);
    CHECK(memcmp(&before, &c.limits, sizeof before) == 0);
    CHECK_FAIL(cage_set_limits(&c, STR("memroy=1m"), &e), &e, ERR_INVALID);
    CHECK_HAS(e.text, "did you mean \"memory\"");
}

TEST(binds_take_plain_absolute_paths_only) {
    static const char *const bad[] = {
        "relative", "/a/../b", "/a:/b/..", "/a:b", "/a:/proc/x", "/a:/dev",
        "/a:/",     "/a:/tmp", "/a:/etc",  "",     ":",          "/./a",
    };
    START;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(cage_add_bind(&c, BIND_RO, str_of(bad[i]), &e), &e,
                   ERR_INVALID);
    CHECK_EQ(c.bind_count, 0);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/srv/a/:/data"), &e), &e);
    CHECK_TEXT(c.binds[0].from, "/srv/a");
    CHECK_TEXT(c.binds[0].to, "/data");
    CHECK_OK(cage_add_bind(&c, BIND_RO, STR("/opt"), &e), &e);
    CHECK_TEXT(c.binds[1].to, "/opt");
}

TEST(a_variable_set_again_is_replaced) {
    START;
    CHECK_OK(cage_add_env(&c, STR("PATH=/x"), &e), &e);
    CHECK_EQ(c.env_count, 3);
    CHECK_TEXT(c.env[0], "PATH=/x");
    CHECK_OK(cage_add_env(&c, STR("PAT=y"), &e), &e);
    CHECK_EQ(c.env_count, 4);
    CHECK_FAIL(cage_add_env(&c, STR("=x"), &e), &e, ERR_INVALID);
    CHECK_FAIL(cage_add_env(&c, STR("novalue"), &e), &e, ERR_INVALID);
}

static int read_config(struct cage *c, const char *text, struct err *e) {
    const struct json *v;
    if (json_parse(str_of(text), NULL, c->arena, &v, e)) return -1;
    return cage_from_json(c, v, e);
}

TEST(the_configuration_says_what_the_flags_say) {
    START;
    CHECK_OK(read_config(&c,
                         "{\"tier\":\"process\",\"limits\":{\"cpu\":0.25,"
                         "\"memory\":\"64m\",\"pids\":4},"
                         "\"env\":{\"A\":\"b\"},\"ro_bind\":[\"/a:/b\"],"
                         "\"egress\":[\"example.org:443\"],"
                         "\"allow_missing\":[\"cgroup\"]}",
                         &e),
             &e);
    CHECK_EQ(c.tier, TIER_PROCESS);
    CHECK_EQ(c.limits.cpu, 250);
    CHECK_EQ(c.limits.memory, 64 << 20);
    CHECK_EQ(c.limits.pids, 4);
    CHECK_EQ(c.net, NET_EGRESS);
    CHECK_EQ(c.may_miss, LAYER_BIT(LAYER_CGROUP));
    CHECK_TEXT(c.env[3], "A=b");
    CHECK_FAIL(read_config(&c, "{\"teir\":\"process\"}", &e), &e, ERR_INVALID);
    CHECK_FAIL(read_config(&c, "{\"bind\":\"/a\"}", &e), &e, ERR_INVALID);
    CHECK_FAIL(read_config(&c, "[]", &e), &e, ERR_INVALID);
}

TEST(contradictions_are_found_before_anything_starts) {
    const char *const argv[] = {"true", NULL};
    START;
    c.argv = argv;
    CHECK_OK(cage_check(&c, &e), &e);
    c.net = NET_EGRESS;
    CHECK_FAIL(cage_check(&c, &e), &e, ERR_INVALID);
    c.net = NET_NONE;
    CHECK_OK(cage_allow_missing(&c, STR("namespaces"), &e), &e);
    CHECK_FAIL(cage_check(&c, &e), &e, ERR_INVALID); /* a container */
    c.tier = TIER_PROCESS;
    CHECK_OK(cage_check(&c, &e), &e);
    CHECK_OK(cage_allow_missing(&c, STR("seccomp"), &e), &e);
    CHECK_FAIL(cage_check(&c, &e), &e, ERR_INVALID);
    CHECK_FAIL(cage_allow_missing(&c, STR("everything"), &e), &e, ERR_INVALID);
}

/* What the e2e test of the same table cannot say with flags is here, too. */
static void give(struct cage *c, enum cage_member m, struct err *e) {
    static const char *const tools[] = {"mail.send", NULL};
    switch (m) {
    case MEMBER_CWD: CHECK_OK(cage_set_cwd(c, STR("/d"), e), e); break;
    case MEMBER_ROOT: CHECK_OK(cage_set_root(c, STR("/d"), e), e); break;
    case MEMBER_RO_BIND:
    case MEMBER_BIND:
    case MEMBER_OVERLAY:
        CHECK_OK(cage_add_bind(c, (enum cage_bind_kind)(m - MEMBER_RO_BIND),
                               STR("/d"), e),
                 e);
        break;
    case MEMBER_LOOPBACK: c->net = NET_LOOPBACK; break;
    case MEMBER_CREDENTIALS:
    case MEMBER_TOKENS:
    case MEMBER_EGRESS:
        CHECK_OK(cage_add_egress(c, STR("a.test"), e), e);
        if (m == MEMBER_CREDENTIALS)
            CHECK_OK(
                cage_add_credential(c, STR("a.test"), STR("A"), STR("b"), e),
                e);
        if (m == MEMBER_TOKENS)
            CHECK_OK(cage_add_token(c, STR("a.test"), STR("t"), STR("b"), e),
                     e);
        break;
    case MEMBER_UNIX_SOCKETS: c->unix_sockets = true; break;
    case MEMBER_FDS: c->fds[c->fd_count++] = 0; break;
    case MEMBER_TOOLS: c->tools = tools; break;
    case MEMBER_COLLECT: c->keep_scratch = true; break;
    case MEMBER_KVM: c->kvm = true; break;
    case MEMBER_CPUS: c->limits.cpu = 2000; break;
    case MEMBER_TRAFFIC: c->limits.traffic++; break;
    case MEMBER_REQUESTS: c->limits.requests++; break;
    case MEMBER_ARGV:
    case MEMBER_ENV:
    case MEMBER_CPU:
    case MEMBER_MEMORY:
    case MEMBER_TIME:
    case MEMBER_PIDS:
    case MEMBER_SCRATCH:
    case MEMBER_INODES:
    case MEMBER_OUTPUT:
    case MEMBER_FILES:
    case MEMBER_FILE_SIZE:
    case MEMBER_COUNT: break;
    }
}

TEST(what_a_tier_does_not_give_is_refused_by_name) {
    static const struct {
        const char *name, *why[TIER_COUNT];
    } members[] = {
#define MEMBER(name, text, ...) {text, {__VA_ARGS__}},
#include "sandbox/members.def"
#undef MEMBER
    };
    const char *const argv[] = {"true", NULL};
    for (int m = 0; m < MEMBER_COUNT; m++)
        for (int tier = 0; tier < TIER_COUNT; tier++) {
            START;
            c.argv = argv;
            c.tier = (enum cage_tier)tier;
            give(&c, (enum cage_member)m, &e);
            bool refused = cage_check(&c, &e) != 0;
            const char *why = members[m].why[tier];
            if (refused != (why != NULL) ||
                (why && (!strstr(e.text, cage_tier_name(c.tier)) ||
                         !strstr(e.text, why))))
                test_fail(__FILE__, __LINE__, "%s in tier %s: %s",
                          members[m].name, cage_tier_name(c.tier),
                          refused ? e.text : "passed over");
        }
}

TEST(binds_come_after_those_above_them) {
    START;
    CHECK_OK(cage_add_bind(&c, BIND_RO, STR("/x:/w/sub"), &e), &e);
    CHECK_OK(cage_add_bind(&c, BIND_RO, STR("/x:/wide"), &e), &e);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/y:/w"), &e), &e);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/z:/wide"), &e), &e);
    CHECK_EQ(c.bind_count, 3);
    CHECK_TEXT(c.binds[0].to, "/w");
    CHECK_TEXT(c.binds[1].to, "/w/sub");
    CHECK_TEXT(c.binds[2].from, "/z"); /* the later one */
}

TEST(a_registry_is_of_servers_that_are_package_runners) {
    const char *const argv[] = {"true", NULL};
    START;
    c.argv = argv;
    CHECK_OK(cage_add_registry(&c, STR("a.test"), &e), &e);
    CHECK_FAIL(cage_check(&c, &e), &e, ERR_INVALID);
}

TEST(a_credential_cannot_smuggle_a_second_header) {
    START;
    CHECK_FAIL(cage_add_credential(&c, STR("h"), STR("Authorization"),
                                   STR("x\r\nHost: evil"), &e),
               &e, ERR_INVALID);
    CHECK_FAIL(cage_add_credential(&c, STR("h"), STR("A:b"), STR("x"), &e), &e,
               ERR_INVALID);
    CHECK_OK(cage_add_credential(&c, STR("h"), STR("A"), STR("x"), &e), &e);
}

TEST(a_record_of_a_start_has_no_secrets) {
    const char *const argv[] = {"tool", "x", NULL};
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    START;
    c.argv = argv;
    CHECK_OK(cage_add_env(&c, STR("TOKEN=s3cret"), &e), &e);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/srv:/data"), &e), &e);
    CHECK_OK(cage_add_egress(&c, STR("example.org:443"), &e), &e);
    CHECK_OK(cage_add_credential(&c, STR("example.org"), STR("Authorization"),
                                 STR("Bearer s3cret"), &e),
             &e);
    CHECK_OK(cage_allow_missing(&c, STR("cgroup"), &e), &e);
    struct jw w = JW(&text);
    cage_write(&c, &w);
    CHECK_OK(jw_done(&w, &e), &e);
    CHECK_HAS(buf_text(&text), "{\"tier\":\"container\",\"argv\":[\"tool\","
                               "\"x\"],\"files\":[{\"kind\":\"bind\"");
    CHECK_HAS(buf_text(&text), "\"TOKEN\"");
    CHECK_HAS(buf_text(&text), "\"credentials\":[\"example.org\"]");
    CHECK_HAS(buf_text(&text), "\"egress\":[\"example.org:443\"]");
    CHECK_HAS(buf_text(&text), "\"memory\":536870912");
    CHECK_HAS(buf_text(&text), "\"may_miss\":[\"cgroup\"]}");
    CHECK(!strstr(buf_text(&text), "s3cret"));
}
