/* SPDX-License-Identifier: MIT */
#include "cli/args.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/real.h"

#include <assert.h>
#include <string.h>

/* A walk over argv. */
struct walk {
    char *const *next;  /* NULL-terminated */
    bool only_operands; /* after "--", or after the operand COMMAND */
    struct args *args;
};

/* --- suggestions ---------------------------------------------------------- */

#define NAMES_MAX 128
#define NAME_SIZE 64

static const char *nearest_option(const struct command *command, str name) {
    const char *names[NAMES_MAX + 1];
    size_t n = 0;
    const struct option *o;
    for (size_t i = 0; command && n < NAMES_MAX && (o = option_at(command, i));
         i++)
        names[n++] = o->name;
    for (size_t i = 0; n < NAMES_MAX && (o = option_at(NULL, i)); i++)
        names[n++] = o->name;
    names[n] = NULL;
    return str_nearest(name, names);
}

static int unknown_option(const struct args *a, str name, struct err *e) {
    const char *near = nearest_option(a->command, name);
    (void)fail(e, ERR_USAGE, "unknown option --%.*s", STR_ARG(name));
    if (!near) return -1;
    return fail(e, ERR_USAGE, "%s; did you mean --%s?", e->text, near);
}

/* As many words of the command's name as the given one has. */
static void copy_words(char *out, size_t size, const char *name, str given) {
    str rest = str_of(name), words = str_cut(&rest, ' ');
    if (str_find_char(given, ' ') >= 0) words = str_of(name);
    size_t n = words.n < size ? words.n : size - 1;
    memcpy(out, words.p, n);
    out[n] = '\0';
}

static int unknown_command(str name, struct err *e) {
    char words[COMMAND_COUNT][NAME_SIZE];
    const char *names[COMMAND_COUNT + 1];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        copy_words(words[i], sizeof words[i], command_at(i)->name, name);
        names[i] = words[i];
    }
    names[COMMAND_COUNT] = NULL;
    const char *near = str_nearest(name, names);
    if (near)
        return fail(e, ERR_USAGE,
                    "unknown command \"%.*s\"; did you mean \"%s\"?",
                    STR_ARG(name), near);
    return fail(e, ERR_USAGE,
                "unknown command \"%.*s\"; `cordon help` lists them",
                STR_ARG(name));
}

/* --- values --------------------------------------------------------------- */

static int check_choice(str choices, str value, struct err *e) {
    for (str rest = choices; rest.p;)
        if (str_eq(str_cut(&rest, '|'), value)) return 0;
    return fail(e, ERR_USAGE, "\"%.*s\" is not one of %.*s", STR_ARG(value),
                STR_ARG(choices));
}

/* Digits with a point among them: what can be mistaken for nothing else. */
static int check_real(str value, struct err *e) {
    size_t points = 0, digits = 0;
    for (size_t i = 0; i < value.n; i++) {
        points += value.p[i] == '.';
        digits += value.p[i] >= '0' && value.p[i] <= '9';
    }
    if (digits > 0 && digits < 18 && points <= 1 &&
        digits + points == value.n && value.p[0] != '.')
        return 0;
    return fail(e, ERR_USAGE, "\"%.*s\" is not a number like 2.5",
                STR_ARG(value));
}

static int check_value(const struct option *o, str value, struct err *e) {
    uint64_t u64;
    int64_t i64;
    switch (o->type) {
    case OPTION_INT:
        if (num_parse_i64(value, &i64, e)) return -1;
        if (i64 < 0) return fail(e, ERR_USAGE, "may not be negative");
        return 0;
    case OPTION_REAL: return check_real(value, e);
    case OPTION_SIZE: return num_parse_size(value, &u64, e);
    case OPTION_DURATION: return num_parse_duration(value, &i64, e);
    case OPTION_CHOICE: return check_choice(str_of(o->value), value, e);
    case OPTION_FLAG:
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_LIST: return 0;
    }
    return 0;
}

static int give(struct args *a, const struct option *o, const char *value,
                struct err *e) {
    if (value && check_value(o, str_of(value), e)) {
        e->kind = ERR_USAGE;
        return fail_while(e, "--%s", o->name);
    }
    a->given[a->given_count++] = (struct given){o, value};
    return 0;
}

/* The value behind "=" or a letter, or the next argument. */
static int give_with_value(struct walk *w, const struct option *o,
                           const char *attached, struct err *e) {
    if (!attached) attached = *w->next ? *w->next++ : NULL;
    if (!attached)
        return fail(e, ERR_USAGE, "--%s needs a value (%s)", o->name, o->value);
    return give(w->args, o, attached, e);
}

/* --- options -------------------------------------------------------------- */

static int take_long(struct walk *w, const char *text, struct err *e) {
    str rest = str_of(text), name = str_cut(&rest, '=');
    const struct option *o = option_find(w->args->command, name);
    if (!o) return unknown_option(w->args, name, e);
    if (o->type != OPTION_FLAG) return give_with_value(w, o, rest.p, e);
    if (rest.p) return fail(e, ERR_USAGE, "--%s takes no value", o->name);
    return give(w->args, o, NULL, e);
}

static int take_letters(struct walk *w, const char *text, struct err *e) {
    for (; *text; text++) {
        const struct option *o = option_find_letter(w->args->command, *text);
        if (!o) return fail(e, ERR_USAGE, "unknown option -%c", *text);
        if (o->type != OPTION_FLAG)
            return give_with_value(w, o, text[1] ? text + 1 : NULL, e);
        if (give(w->args, o, NULL, e)) return -1;
    }
    return 0;
}

/* --- commands and operands ------------------------------------------------ */

static int take_command(struct walk *w, const char *word, struct err *e) {
    struct args *a = w->args;
    char name[NAME_SIZE];
    size_t group = a->group.n, length = strlen(word);
    if (group + 1 + length >= sizeof name)
        return unknown_command(str_of(word), e);
    memcpy(name, a->group.p ? a->group.p : "", group);
    if (group > 0) name[group++] = ' ';
    memcpy(name + group, word, length + 1);
    a->command = command_find(str_of(name));
    if (a->command) {
        a->group = (str){NULL, 0};
        return 0;
    }
    if (group > 0 || !command_is_group(str_of(word)))
        return unknown_command(str_of(name), e);
    a->group = str_of(word);
    return 0;
}

static int take_operand(struct walk *w, const char *word, struct err *e) {
    struct args *a = w->args;
    if (!a->command) return take_command(w, word, e);
    a->operands[a->operand_count++] = word;
    if (command_operands(a->command).command) w->only_operands = true;
    return 0;
}

static int take(struct walk *w, struct err *e) {
    const char *word = *w->next++;
    if (w->only_operands || word[0] != '-' || word[1] == '\0')
        return take_operand(w, word, e);
    if (word[1] != '-') return take_letters(w, word + 1, e);
    if (word[2] != '\0') return take_long(w, word + 2, e);
    w->only_operands = true;
    return 0;
}

/* Someone who asks for help need not have given everything. */
static int check_count(const struct args *a, struct err *e) {
    if (!a->command || args_flag(a, "help")) return 0;
    struct operand_count count = command_operands(a->command);
    if (a->operand_count < count.min)
        return fail(e, ERR_USAGE, "missing operand: cordon %s %s",
                    a->command->name, a->command->operands);
    if (a->operand_count > count.max)
        return fail(e, ERR_USAGE, "unexpected operand \"%s\"",
                    a->operands[count.max]);
    return 0;
}

static int parse(struct walk *w, struct err *e) {
    while (*w->next)
        if (take(w, e)) return -1;
    return check_count(w->args, e);
}

/* Flags share arguments (-vq), so there may be more of them than arguments,
 * but not more than letters. */
static size_t most_given(int argc, char *const *argv) {
    size_t most = 0;
    for (int i = 1; i < argc; i++)
        most += argv[i][0] == '-' ? strlen(argv[i]) : 0;
    return most;
}

int args_parse(int argc, char *const *argv, struct args *out, struct err *e) {
    size_t count = argc > 0 ? (size_t)argc : 1;
    struct args a = {.command = NULL};
    a.given = mem_zalloc(most_given(argc, argv) + 1, sizeof a.given[0], e);
    if (!a.given) return -1;
    a.operands = mem_zalloc(count, sizeof a.operands[0], e);
    struct walk w = {.next = argc > 0 ? argv + 1 : argv, .args = &a};
    if (!a.operands || parse(&w, e)) {
        args_fini(&a);
        return -1;
    }
    *out = a;
    return 0;
}

void args_fini(struct args *a) {
    mem_free(a->given);
    mem_free(a->operands);
    *a = (struct args){.command = NULL};
}

/* --- reading -------------------------------------------------------------- */

/* The last one given counts. */
static const struct given *find(const struct args *a, const char *name) {
    const struct option *o = option_find(a->command, str_of(name));
    assert(o);
    for (size_t i = a->given_count; i-- > 0;)
        if (a->given[i].option == o) return &a->given[i];
    return NULL;
}

bool args_flag(const struct args *a, const char *name) {
    return find(a, name) != NULL;
}

const char *args_text(const struct args *a, const char *name) {
    const struct given *g = find(a, name);
    return g ? g->value : NULL;
}

const char *args_nth(const struct args *a, const char *name, size_t index) {
    for (size_t i = 0; i < a->given_count; i++)
        if (strcmp(a->given[i].option->name, name) == 0 && index-- == 0)
            return a->given[i].value;
    return NULL;
}

/* The values were checked when they were given: parsing cannot fail again. */

int64_t args_int(const struct args *a, const char *name, int64_t fallback) {
    struct err e;
    const char *text = args_text(a, name);
    if (text) (void)num_parse_i64(str_of(text), &fallback, &e);
    return fallback;
}

double args_real(const struct args *a, const char *name, double fallback) {
    const char *text = args_text(a, name);
    return text ? real_parse(str_of(text)) : fallback;
}

uint64_t args_size(const struct args *a, const char *name, uint64_t fallback) {
    struct err e;
    const char *text = args_text(a, name);
    if (text) (void)num_parse_size(str_of(text), &fallback, &e);
    return fallback;
}

int64_t args_duration(const struct args *a, const char *name,
                      int64_t fallback) {
    struct err e;
    const char *text = args_text(a, name);
    if (text) (void)num_parse_duration(str_of(text), &fallback, &e);
    return fallback;
}
