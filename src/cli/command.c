/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

/* One row of commands.def: a command, or an option of the last one. */
struct row {
    bool is_command;
    union {
        struct command command;
        struct option option;
    } as;
};

static const struct row rows[] = {
#define OPTION(name, letter, type, value, text) \
    {false, {.option = {name, letter, OPTION_##type, value, text}}},
#define COMMAND(id, name, part, operands, summary) \
    {true, {{COMMAND_##id, name, COMMAND_##part, operands, summary}}},
#include "cli/commands.def"
#undef COMMAND
#undef OPTION
};

static const struct row *const rows_end = rows + sizeof rows / sizeof rows[0];

static const struct row *row_of(const struct command *command) {
    const struct row *r = rows;
    while (r < rows_end && !(r->is_command && &r->as.command == command))
        r++;
    return r;
}

const struct command *command_at(size_t index) {
    for (const struct row *r = rows; r < rows_end; r++)
        if (r->is_command && index-- == 0) return &r->as.command;
    return NULL;
}

const struct command *command_find(str name) {
    for (const struct row *r = rows; r < rows_end; r++)
        if (r->is_command && str_is(name, r->as.command.name))
            return &r->as.command;
    return NULL;
}

bool command_is_group(str word) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        str rest = str_of(c->name), first = str_cut(&rest, ' ');
        if (rest.n > 0 && str_eq(first, word)) return true;
    }
    return false;
}

/* The options of a command follow it; those of all commands come first. */
static const struct row *options_of(const struct command *command) {
    return command ? row_of(command) + 1 : rows;
}

const struct option *option_at(const struct command *command, size_t index) {
    const struct row *r = options_of(command);
    for (; r < rows_end && !r->is_command; r++)
        if (index-- == 0) return &r->as.option;
    return NULL;
}

static bool matches(const struct option *o, str name, char letter) {
    return letter ? o->letter == letter : str_is(name, o->name);
}

static const struct option *find_from(const struct row *r, str name,
                                      char letter) {
    for (; r < rows_end && !r->is_command; r++)
        if (matches(&r->as.option, name, letter)) return &r->as.option;
    return NULL;
}

static const struct option *find(const struct command *command, str name,
                                 char letter) {
    const struct option *own =
        command ? find_from(options_of(command), name, letter) : NULL;
    return own ? own : find_from(rows, name, letter);
}

const struct option *option_find(const struct command *command, str name) {
    return find(command, name, 0);
}

const struct option *option_find_letter(const struct command *command, char c) {
    return c ? find(command, STR(""), c) : NULL;
}

struct operand_count command_operands(const struct command *command) {
    struct operand_count count = {0, 0, false};
    str rest = str_of(command->operands);
    while (rest.n > 0) {
        str word = str_cut(&rest, ' ');
        if (!str_starts(word, STR("["))) count.min++;
        if (str_is(word, "COMMAND")) count.command = true;
        bool repeats = str_find(word, STR("...")) >= 0;
        count.max = repeats ? SIZE_MAX : count.max + 1;
    }
    return count;
}
