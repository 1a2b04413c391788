/* SPDX-License-Identifier: MIT */
#include "cli/args.h"

#include "cli/cli.h"
#include "cli/help.h"
#include "test.h"

#include <string.h>

/* Parses words separated by spaces, as if they were a command line. */
#define WORDS 16
static int parse(const char *line, char *copy, size_t size, struct args *out,
                 struct err *e) {
    char *argv[WORDS + 1] = {copy};
    int argc = 0;
    CHECK(strlen(line) < size);
    memcpy(copy, line, strlen(line) + 1);
    for (char *at = copy; at && argc < WORDS;) {
        argv[argc++] = at;
        at = strchr(at, ' ');
        if (at) *at++ = '\0';
    }
    return args_parse(argc, argv, out, e);
}

static void check_usage(const char *line, const char *why) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_FAIL(parse(line, copy, sizeof copy, &a, &e), &e, ERR_USAGE);
    CHECK_HAS(e.text, why);
}

TEST(args_take_options_anywhere) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon -v --config=x.json json fmt --compact -q f.json "
                   "--json",
                   copy, sizeof copy, &a, &e),
             &e);
    CHECK_TEXT(a.command->name, "json fmt");
    CHECK(args_flag(&a, "verbose") && args_flag(&a, "quiet"));
    CHECK(args_flag(&a, "json") && args_flag(&a, "compact"));
    CHECK(!args_flag(&a, "canonical"));
    CHECK_TEXT(args_text(&a, "config"), "x.json");
    CHECK_EQ(a.operand_count, 1);
    CHECK_TEXT(a.operands[0], "f.json");
    args_fini(&a);
}

TEST(args_read_letters_with_attached_and_separate_values) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon run -vqcone -c two", copy, sizeof copy, &a, &e), &e);
    CHECK(args_flag(&a, "verbose") && args_flag(&a, "quiet"));
    CHECK_TEXT(args_text(&a, "code"), "two"); /* the last one counts */
    CHECK_TEXT(args_nth(&a, "code", 0), "one");
    CHECK(args_nth(&a, "code", 2) == NULL);
    args_fini(&a);
}

TEST(args_end_options_at_two_dashes) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon json fmt -- --compact", copy, sizeof copy, &a, &e),
             &e);
    CHECK(!args_flag(&a, "compact"));
    CHECK_TEXT(a.operands[0], "--compact");
    args_fini(&a);
    CHECK_OK(parse("cordon json fmt -", copy, sizeof copy, &a, &e), &e);
    CHECK_TEXT(a.operands[0], "-");
    args_fini(&a);
}

TEST(args_leave_the_rest_to_the_command_that_is_run) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon sandbox exec --tier=process --env A=1 --env B=2 "
                   "ls -la --tier",
                   copy, sizeof copy, &a, &e),
             &e);
    CHECK_TEXT(args_text(&a, "tier"), "process");
    CHECK_TEXT(args_nth(&a, "env", 0), "A=1");
    CHECK_TEXT(args_nth(&a, "env", 1), "B=2");
    CHECK(args_nth(&a, "env", 2) == NULL);
    CHECK_EQ(a.operand_count, 3);
    CHECK_TEXT(a.operands[1], "-la");
    CHECK_TEXT(a.operands[2], "--tier");
    CHECK(a.operands[3] == NULL);
    args_fini(&a);
}

TEST(args_read_numbers) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon json validate s --max-errors 7", copy, sizeof copy,
                   &a, &e),
             &e);
    CHECK_EQ(args_int(&a, "max-errors", 3), 7);
    args_fini(&a);
    CHECK_OK(parse("cordon json validate s", copy, sizeof copy, &a, &e), &e);
    CHECK_EQ(args_int(&a, "max-errors", 3), 3);
    args_fini(&a);
}

TEST(args_know_a_group_without_its_second_word) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon json --help", copy, sizeof copy, &a, &e), &e);
    CHECK(a.command == NULL);
    CHECK_STR(a.group, "json");
    args_fini(&a);
    CHECK_OK(parse("cordon", copy, sizeof copy, &a, &e), &e);
    CHECK(a.command == NULL && a.group.n == 0);
    args_fini(&a);
}

TEST(args_explain_what_is_wrong) {
    check_usage("cordon jsn", "did you mean \"json\"?");
    check_usage("cordon json fnt", "did you mean \"json fmt\"?");
    check_usage("cordon docotr", "did you mean \"doctor\"?");
    check_usage("cordon zzzzzzzz", "`cordon help` lists them");
    check_usage("cordon json fmt --compat", "did you mean --compact?");
    check_usage("cordon doctor --compact", "unknown option --compact");
    check_usage("cordon doctor -x", "unknown option -x");
    check_usage("cordon json fmt --compact=1", "--compact takes no value");
    check_usage("cordon doctor --config", "--config needs a value (FILE)");
    check_usage("cordon run -c", "--code needs a value (CODE)");
    check_usage("cordon doctor extra", "unexpected operand \"extra\"");
    check_usage("cordon completion", "missing operand");
    check_usage("cordon sandbox exec --tier moon ls",
                "--tier: \"moon\" is not one of");
    check_usage("cordon json validate --max-errors -1 s",
                "--max-errors: may not be negative");
    check_usage("cordon json validate --max-errors 1x s",
                "\"1x\" is not a whole number");
}

TEST(args_do_not_ask_those_who_want_help_for_more) {
    struct err e;
    struct args a;
    char copy[256];
    CHECK_OK(parse("cordon completion -h", copy, sizeof copy, &a, &e), &e);
    CHECK(args_flag(&a, "help"));
    args_fini(&a);
}

TEST(operands_are_counted_from_the_usage_text) {
    static const struct {
        const char *operands;
        size_t min, max;
        bool command;
    } cases[] = {
        {"", 0, 0, false},
        {"[FILE]", 0, 1, false},
        {"SCHEMA [FILE]", 1, 2, false},
        {"FILE...", 1, SIZE_MAX, false},
        {"[NAME...]", 0, SIZE_MAX, false},
        {"COMMAND [ARG...]", 1, SIZE_MAX, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command c = {.operands = cases[i].operands};
        struct operand_count n = command_operands(&c);
        CHECK_EQ(n.min, cases[i].min);
        CHECK_EQ(n.max, cases[i].max);
        CHECK_EQ(n.command, cases[i].command);
    }
}

/* What the table must keep so that everything made from it is right. */
TEST(commands_are_well_formed) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        CHECK_EQ(c->id, i);
        CHECK(command_find(str_of(c->name)) == c);
        CHECK(c->summary[0] >= 'a' && c->summary[0] <= 'z');
        CHECK(strchr(c->name, ' ') || !command_is_group(str_of(c->name)));
        const struct option *o;
        for (size_t k = 0; (o = option_at(c, k)); k++) {
            CHECK(option_find(c, str_of(o->name)) == o);
            CHECK(option_find(NULL, str_of(o->name)) == NULL);
            CHECK(!o->letter || option_find_letter(c, o->letter) == o);
            CHECK(!option_find_letter(NULL, o->letter));
            CHECK((o->type == OPTION_FLAG) == (o->value[0] == '\0'));
        }
    }
    CHECK(command_at(COMMAND_COUNT) == NULL);
}

static int parse_and_free(const char *line) {
    struct err e;
    struct args a;
    char copy[256];
    if (parse(line, copy, sizeof copy, &a, &e)) return -1;
    args_fini(&a);
    return 0;
}

TEST(args_survive_every_failed_allocation) {
    TORTURE(parse_and_free("cordon json fmt -vq --config=x --compact f"));
}

/* --- texts made from the table -------------------------------------------- */

static int make_texts(void) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(1 << 20);
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        if (help_add(c, (str){NULL, 0}, &b, &e)) return -1;
    if (help_add(NULL, STR("json"), &b, &e) ||
        help_add(NULL, (str){NULL, 0}, &b, &e) || help_add_man(&b, &e) ||
        complete_add(STR("bash"), &b, &e) || complete_add(STR("zsh"), &b, &e) ||
        complete_add(STR("fish"), &b, &e))
        return -1;
    return 0;
}

TEST(help_survives_every_failed_allocation) {
    TORTURE(make_texts());
}

TEST(help_names_every_option_of_a_command) {
    struct err e;
    const struct command *c;
    const struct option *o;
    for (size_t i = 0; (c = command_at(i)); i++) {
        AUTO_BUF struct buf b = BUF_MAX(1 << 16);
        CHECK_OK(help_add(c, (str){NULL, 0}, &b, &e), &e);
        CHECK_HAS(b.data, c->name);
        for (size_t k = 0; (o = option_at(c, k)); k++)
            CHECK_HAS(b.data, o->text);
        for (size_t k = 0; (o = option_at(NULL, k)); k++)
            CHECK_HAS(b.data, o->text);
    }
}

TEST(completions_know_three_shells) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(1 << 20);
    CHECK_FAIL(complete_add(STR("tcsh"), &b, &e), &e, ERR_USAGE);
}

TEST(styles_are_nothing_without_colour) {
    CHECK_TEXT(cli_style(false, CLI_RED), "");
    CHECK_TEXT(cli_style(true, CLI_PLAIN), "\033[0m");
}
