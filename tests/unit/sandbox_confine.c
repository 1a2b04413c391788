/* SPDX-License-Identifier: MIT */
#include "sandbox/confine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/runner.h"
#include "sandbox/serve.h"
#include "test.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static void check_words(const char *const *got, const char *want) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(4096);
    for (size_t i = 0; got[i]; i++)
        CHECK_OK(buf_addf(&text, &e, "%s%s", i ? " " : "", got[i]), &e);
    CHECK_STR(buf_str(&text), want);
}

static void check_split(const char *const *argv, const char *install,
                        const char *run) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct runner_steps s;
    CHECK_OK(runner_split(runner_of(argv), argv, "/h", &a, &s, &e), &e);
    check_words(s.install, install);
    check_words(s.run, run);
}

TEST(a_runner_is_taken_apart_into_fetching_and_running) {
    check_split(ARGV("npx", "-y", "@a/server@1.2", "--flag", "x"),
                "npx --yes --package=@a/server@1.2 -c true",
                "npx -y @a/server@1.2 --flag x");
    check_split(ARGV("/usr/bin/npx", "-p", "a", "--package=b", "tool", "-p"),
                "/usr/bin/npx --yes --package=a --package=b -c true",
                "/usr/bin/npx -p a --package=b tool -p");
    check_split(ARGV("uvx", "--from", "pkg==1", "tool", "--from", "y"),
                "uv tool install pkg==1", "uvx --from pkg==1 tool --from y");
    check_split(ARGV("uvx", "--with", "extra", "tool"),
                "uv tool install tool --with extra", "uvx --with extra tool");
    check_split(ARGV("pipx", "run", "tool==2.0", "-v"),
                "pipx install tool==2.0", "/h/.local/bin/tool -v");
    check_split(ARGV("pipx", "run", "--spec", "pkg[x]", "tool"),
                "pipx install pkg[x]", "/h/.local/bin/tool");
}

TEST(a_runner_without_a_package_is_refused) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct runner_steps s;
    CHECK_EQ(runner_of(ARGV("node")), RUNNER_NONE);
    CHECK_EQ(runner_of(ARGV("/opt/npx/node")), RUNNER_NONE);
    CHECK_FAIL(runner_split(RUNNER_NPX, ARGV("npx", "-y"), "/h", &a, &s, &e),
               &e, ERR_INVALID);
    CHECK_FAIL(runner_split(RUNNER_NPX, ARGV("npx", "-p"), "/h", &a, &s, &e),
               &e, ERR_INVALID);
    CHECK_FAIL(
        runner_split(RUNNER_PIPX, ARGV("pipx", "list"), "/h", &a, &s, &e), &e,
        ERR_INVALID);
}

TEST(a_registry_is_found_where_the_runner_would_look) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct runner_registry r;
    unsetenv("npm_config_registry");
    unsetenv("NPM_CONFIG_REGISTRY");
    CHECK_OK(runner_registry(RUNNER_NPX, NULL, NULL, &a, &r, &e), &e);
    CHECK(r.count > 0 && !r.variable);
    const char *const *env = ARGV("A=b", "npm_config_registry=http://r.test/x");
    CHECK_OK(runner_registry(RUNNER_NPX, env, NULL, &a, &r, &e), &e);
    CHECK_EQ(r.count, 1);
    CHECK_TEXT(r.hosts[0], "r.test:80");
    CHECK_TEXT(r.variable, "npm_config_registry=http://r.test/x");

    char home[] = "/tmp/confine-XXXXXX", path[64];
    CHECK(mkdtemp(home) != NULL);
    snprintf(path, sizeof path, "%s/.npmrc", home);
    CHECK_OK(file_replace(path, STR("x=1\nregistry = https://n.test:8443/\n"),
                          0600, &e),
             &e);
    CHECK_OK(runner_registry(RUNNER_NPX, NULL, home, &a, &r, &e), &e);
    CHECK_TEXT(r.hosts[0], "n.test:8443");
    unlink(path);
    rmdir(home);
}

TEST(a_registry_url_with_credentials_is_not_copied) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    const char *host;
    CHECK_FAIL(runner_url_host(STR("https://u:p@r.test/"), &a, &host, &e), &e,
               ERR_INVALID);
    CHECK(!strstr(e.text, "u:p"));
    CHECK_FAIL(runner_url_host(STR("ftp://r.test/"), &a, &host, &e), &e,
               ERR_INVALID);
    CHECK_FAIL(runner_url_host(STR("https:///x"), &a, &host, &e), &e,
               ERR_INVALID);
    CHECK_OK(runner_url_host(STR("https://r.test"), &a, &host, &e), &e);
    CHECK_TEXT(host, "r.test:443");
    CHECK_OK(runner_url_host(STR("http://[2001:db8::1]/"), &a, &host, &e), &e);
    CHECK_TEXT(host, "[2001:db8::1]:80");
}

/* --- the whole --- */

static const struct json *parse(const char *text, struct arena *a) {
    struct err e;
    const struct json *v;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

static int confine(const char *name, const char *const *argv,
                   const char *sandbox, struct arena *a, struct confined *out,
                   struct err *e) {
    char state[] = "/tmp/confine-XXXXXX";
    CHECK(mkdtemp(state) != NULL);
    struct confine_server s = {
        .name = name,
        .argv = argv,
        .env = ARGV("TOKEN=s3cret", "npm_config_registry=https://r.test/"),
        .sandbox = sandbox ? parse(sandbox, a) : NULL,
        .state = arena_text(a, str_of(state), e),
        .program = "/usr/bin/cordon",
    };
    int rc = confine_server(&s, a, out, e);
    struct err ignored;
    AUTO_BUF struct buf gone = BUF_MAX(4096);
    CHECK_OK(buf_addf(&gone, &ignored, "rm -r %s", state), &ignored);
    CHECK_EQ(system(buf_text(&gone)), 0);
    return rc;
}

TEST(secrets_of_a_server_are_not_on_the_command_line) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct confined c;
    CHECK_OK(confine("s", ARGV("tool", "x"), NULL, &a, &c, &e), &e);
    check_words(c.argv, "/usr/bin/cordon sandbox exec --server -- tool x");
    CHECK_HAS(c.env[0], CONFINE_VARIABLE "={");
    CHECK_HAS(c.env[0], "TOKEN=s3cret");
    CHECK(!c.env[1]);
}

TEST(a_server_gets_a_home_and_no_network) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct confined c;
    struct serve s;
    CHECK_OK(confine("My Server!", ARGV("/srv/tool"), NULL, &a, &c, &e), &e);
    const char *text = c.env[0] + sizeof CONFINE_VARIABLE;
    CHECK_OK(serve_describe(&s, str_of(text), c.argv + 5, &a, &e), &e);
    CHECK_HAS(s.home, "/servers/My_Server_.");
    CHECK_EQ(s.run.tier, TIER_PROCESS);
    CHECK_EQ(s.run.net, NET_NONE);
    CHECK_EQ(s.run.bind_count, 2);
    CHECK_EQ(s.run.binds[0].kind, BIND_RW);
    CHECK_TEXT(s.run.binds[0].to, s.home);
    CHECK_EQ(s.run.binds[1].kind, BIND_RO);
    CHECK_TEXT(s.run.binds[1].to, "/srv/tool");
    CHECK(!s.fetches);
}

TEST(a_runner_reaches_its_registry_only_to_install) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct confined c;
    struct serve s;
    CHECK_OK(confine("n", ARGV("npx", "pkg"), NULL, &a, &c, &e), &e);
    const char *text = c.env[0] + sizeof CONFINE_VARIABLE;
    CHECK_OK(serve_describe(&s, str_of(text), c.argv + 5, &a, &e), &e);
    CHECK(s.fetches);
    CHECK_EQ(s.install.net, NET_EGRESS);
    CHECK_EQ(s.install.egress_count, 1);
    CHECK_TEXT(s.install.egress[0], "r.test:443");
    CHECK_EQ(s.run.net, NET_NONE);
    CHECK_EQ(s.run.egress_count, 0);
    CHECK_OK(confine("n", ARGV("npx", "pkg"),
                     "{\"registry\":[\"a.test:80\",\"b.test\"],"
                     "\"egress\":[\"api.test\"]}",
                     &a, &c, &e),
             &e);
    text = c.env[0] + sizeof CONFINE_VARIABLE;
    CHECK_OK(serve_describe(&s, str_of(text), c.argv + 5, &a, &e), &e);
    CHECK_EQ(s.install.egress_count, 2);
    CHECK_TEXT(s.install.egress[0], "a.test:80");
    CHECK_EQ(s.run.egress_count, 1);
    CHECK_TEXT(s.run.egress[0], "api.test");
}

TEST(a_mistake_in_the_configuration_names_its_member) {
    static const char *const cases[][2] = {
        {"{\"teir\":\"process\"}", "unknown member \"teir\"; did you mean"},
        {"{\"tier\":1}", "sandbox.tier: a string is wanted, not integer"},
        {"{\"bind\":\"/a\"}", "sandbox.bind: a list is wanted"},
        {"{\"bind\":[\"/a\",2]}", "sandbox.bind: 1: a string is wanted"},
        {"{\"limits\":{\"memory\":[]}}", "sandbox.limits: memory: a string"},
        {"{\"limits\":{\"memroy\":1}}", "sandbox.limits: no limit \"memroy\""},
        {"{\"env\":{\"A\":1}}", "sandbox.env: A: a string is wanted"},
        {"{\"credentials\":[{\"hst\":\"x\"}]}",
         "sandbox.credentials: 0: unknown member \"hst\""},
        {"{\"unix_sockets\":1}", "sandbox.unix_sockets: true or false"},
        {"{\"egress\":[\"*\"]}", "sandbox.egress: 0: "},
        {"[]", "sandbox: an object is wanted, not array"},
        {"{\"net\":\"egress\"}", "network egress, but no host is listed"},
    };
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct confined c;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_FAIL(confine("x", ARGV("tool"), cases[i][0], &a, &c, &e), &e,
                   ERR_INVALID);
        CHECK_HAS(e.text, "server \"x\"");
        CHECK_HAS(e.text, cases[i][1]);
    }
}

static int torture_once(void) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct confined c;
    struct confine_server s = {.name = "t",
                               .argv = ARGV("npx", "pkg"),
                               .state = "/tmp/cordon-confine-torture",
                               .program = "/usr/bin/cordon"};
    return confine_server(&s, &a, &c, &e);
}

TEST(confining_survives_every_failed_allocation) {
    TORTURE(torture_once());
    CHECK_EQ(system("rm -r /tmp/cordon-confine-torture"), 0);
}
