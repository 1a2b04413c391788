/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include "base/file.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static int load(struct cli *cli, const char *option, struct err *e) {
    char name[] = "cordon", command[] = "doctor", third[64];
    char *argv[] = {name, command, third, NULL};
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    CHECK(strlen(option) < sizeof third);
    memcpy(third, option, strlen(option) + 1);
    if (args_parse(3, argv, &cli->args, e)) return -1;
    int result = settings_load(cli, &a, &root, e);
    args_fini(&cli->args);
    return result;
}

static void check_level(const char *option, enum log_level want) {
    struct err e;
    struct cli cli = {.log = LOG_TO(2, LOG_INFO)};
    CHECK_OK(load(&cli, option, &e), &e);
    CHECK_EQ(cli.log.level, want);
}

TEST(settings_set_the_log_level_unless_an_option_does) {
    struct err e;
    setenv("XDG_CONFIG_HOME", test_folder(), 1);
    check_level("--json", LOG_INFO); /* no file */
    CHECK_OK(file_make_dirs("cordon", 0700, &e), &e);
    CHECK_OK(file_replace("cordon/cordon.json",
                          STR("{\"log\": {\"level\": \"warn\"}}"), 0600, &e),
             &e);
    check_level("--json", LOG_WARN);
    check_level("--verbose", LOG_INFO);
    CHECK_OK(file_replace("cordon.json",
                          STR("{\"log\": {\"level\": \"error\"}}"), 0600, &e),
             &e);
    check_level("--json", LOG_ERROR); /* the nearer file, alone */
    check_level("--config=cordon/cordon.json", LOG_WARN);
}

TEST(settings_that_are_wrong_change_nothing) {
    struct err e;
    setenv("XDG_CONFIG_HOME", test_folder(), 1);
    struct cli cli = {.log = LOG_TO(2, LOG_INFO)};
    CHECK_OK(file_replace("cordon.json",
                          STR("{\"log\": {\"level\": \"warn\"}, \"x\": 1}"),
                          0600, &e),
             &e);
    CHECK_FAIL(load(&cli, "--json", &e), &e, ERR_INVALID);
    CHECK_EQ(cli.log.level, LOG_INFO);
    CHECK_FAIL(load(&cli, "--config=none.json", &e), &e, ERR_MISSING);
}

static int load_again(void) {
    struct err e;
    struct cli cli = {.log = LOG_TO(2, LOG_INFO)};
    return load(&cli, "--json", &e);
}

TEST(settings_survive_every_failed_allocation) {
    struct err e;
    setenv("XDG_CONFIG_HOME", test_folder(), 1);
    CHECK_OK(file_make_dirs("cordon", 0700, &e), &e);
    CHECK_OK(file_replace("cordon/cordon.json",
                          STR("{\"log\": {\"level\": \"warn\"}}"), 0600, &e),
             &e);
    TORTURE(load_again());
}
