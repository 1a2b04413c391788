/* SPDX-License-Identifier: MIT
 *
 * command -- the table of commands and options, from commands.def.
 *
 * The table is one flat list: options that hold for every command come first,
 * then each command with its own options behind it.
 */
#ifndef CORDON_CLI_COMMAND_H
#define CORDON_CLI_COMMAND_H

#include "base/str.h"

enum command_id {
#define OPTION(name, letter, type, value, text)
#define COMMAND(id, name, part, operands, summary) COMMAND_##id,
#include "cli/commands.def"
#undef COMMAND
#undef OPTION
    COMMAND_COUNT,
};

enum option_type {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_INT,      /* whole, not negative */
    OPTION_REAL,     /* 2.5, not negative */
    OPTION_SIZE,     /* 512, 64k, 1g */
    OPTION_DURATION, /* 200ms, 30s, 5m */
    OPTION_FILE,     /* any text; shells complete file names */
    OPTION_CHOICE,   /* one of the words in `value`, separated by | */
    OPTION_LIST,     /* any text, any number of times */
};

enum command_part { COMMAND_LEAN, COMMAND_NET, COMMAND_BOTH };

struct option {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    enum option_type type;
    const char *value; /* how help shows the value: "FILE" */
    const char *text;  /* what it does, in a phrase */
};

struct command {
    enum command_id id;
    const char *name; /* one or two words: "json fmt" */
    enum command_part part;
    const char *operands;
    const char *summary; /* what it does, in a phrase */
};

/* NULL past the last one. */
const struct command *command_at(size_t index);
const struct command *command_find(str name);

/* True for the first word of two-word commands: "json". */
bool command_is_group(str word);

/* The index-th option: of every command when command is NULL, else the
 * command's own. NULL past the last one. */
const struct option *option_at(const struct command *command, size_t index);

/* Among the command's own (if there is one) and those of every command. */
const struct option *option_find(const struct command *command, str name);
const struct option *option_find_letter(const struct command *command, char c);

/* How many operands a command takes. */
struct operand_count {
    size_t min, max; /* max is SIZE_MAX for "..." */
    bool command;    /* the first operand ends the options */
};
struct operand_count command_operands(const struct command *command);

#endif
