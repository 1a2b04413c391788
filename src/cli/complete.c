/* SPDX-License-Identifier: MIT
 *
 * Completions for shells. Each script is a frame in the shell's language with
 * lists from the table of commands in between.
 */
#include "cli/help.h"

/* Text inside single quotes of a shell. */
static int add_quoted(struct buf *b, const char *text, struct err *e) {
    if (buf_add_char(b, '\'', e)) return -1;
    for (; *text; text++)
        if (*text == '\'' ? buf_add_text(b, "'\\''", e)
                          : buf_add_char(b, *text, e))
            return -1;
    return buf_add_char(b, '\'', e);
}

/* A command's name in two: "json fmt" is "json" and "fmt", "doctor" has no
 * second word. */
struct name {
    str first, second;
};

static struct name name_of(const struct command *c) {
    str rest = str_of(c->name), first = str_cut(&rest, ' ');
    return (struct name){first, rest};
}

/* True when an earlier command has the same first word. */
static bool seen_before(size_t index) {
    struct name mine = name_of(command_at(index));
    for (size_t i = 0; i < index; i++)
        if (str_eq(name_of(command_at(i)).first, mine.first)) return true;
    return false;
}

/* Space-separated words that may follow: first words when group is empty, else
 * the second words of the group. */
static int add_words(struct buf *b, str group, struct err *e) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        struct name n = name_of(c);
        if (group.n > 0 ? !str_eq(n.first, group) : seen_before(i)) continue;
        str word = group.n > 0 ? n.second : n.first;
        if (buf_addf(b, e, "%.*s ", STR_ARG(word))) return -1;
    }
    return 0;
}

static int add_option_words(struct buf *b, const struct command *c,
                            struct err *e) {
    const struct option *o;
    for (size_t i = 0; (o = option_at(c, i)); i++)
        if (buf_addf(b, e, "--%s ", o->name)) return -1;
    return 0;
}

/* "a|b|c" as words. */
static int add_choices(struct buf *b, const char *choices, struct err *e) {
    for (; *choices; choices++)
        if (buf_add_char(b, *choices == '|' ? ' ' : *choices, e)) return -1;
    return 0;
}

/* For each option with a choice: before, its name, between, its words, after.
 */
static int add_choice_lines(struct buf *b, const struct command *c,
                            const char *before, const char *between,
                            const char *after, struct err *e) {
    const struct option *o;
    for (size_t i = 0; c && (o = option_at(c, i)); i++) {
        if (o->type != OPTION_CHOICE) continue;
        if (buf_addf(b, e, "%s--%s%s", before, o->name, between) ||
            add_choices(b, o->value, e) || buf_add_text(b, after, e))
            return -1;
    }
    return 0;
}

/* --- bash ----------------------------------------------------------------- */

static const char bash_head[] =
    "# bash completion for cordon\n"
    "_cordon() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} first= second= words= i\n"
    "    local prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        [[ ${COMP_WORDS[i]} == -* ]] && continue\n"
    "        if [[ -z $first ]]; then first=${COMP_WORDS[i]}\n"
    "        elif [[ -z $second ]]; then second=${COMP_WORDS[i]}; fi\n"
    "    done\n"
    "    case \"$first $second\" in\n";

static const char bash_tail[] =
    "    esac\n"
    "    [[ -n $words ]] || return\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "}\n"
    "complete -o bashdefault -o default -F _cordon cordon\n";

/* One arm: what may follow, the options behind a dash, the words of a choice
 * behind its option. */
static int add_bash_arm(struct buf *b, const char *pattern, str group,
                        const struct command *c, struct err *e) {
    if (buf_addf(b, e, "    %s)\n        words='", pattern) ||
        (!c && add_words(b, group, e)) ||
        buf_add_text(b, "'\n        [[ $cur == -* ]] && words='", e) ||
        (c && add_option_words(b, c, e)) || add_option_words(b, NULL, e) ||
        buf_add_text(b, "'\n", e) ||
        add_choice_lines(b, c, "        [[ $prev == ", " ]] && words='", "'\n",
                         e))
        return -1;
    return buf_add_text(b, "        ;;\n", e);
}

static int add_bash_command(struct buf *b, size_t index, struct err *e) {
    const struct command *c = command_at(index);
    struct name n = name_of(c);
    AUTO_BUF struct buf p = BUF_MAX(160);
    if (buf_addf(&p, e, "'%.*s %.*s'%s", STR_ARG(n.first), STR_ARG(n.second),
                 n.second.n > 0 ? "" : "*"))
        return -1;
    return add_bash_arm(b, buf_text(&p), n.first, c, e);
}

static int add_bash_group(struct buf *b, size_t index, struct err *e) {
    struct name n = name_of(command_at(index));
    if (n.second.n == 0 || seen_before(index)) return 0;
    AUTO_BUF struct buf p = BUF_MAX(160);
    if (buf_addf(&p, e, "'%.*s '", STR_ARG(n.first))) return -1;
    return add_bash_arm(b, buf_text(&p), n.first, NULL, e);
}

static int add_bash(struct buf *b, struct err *e) {
    if (buf_add_text(b, bash_head, e) ||
        add_bash_arm(b, "' '", (str){NULL, 0}, NULL, e))
        return -1;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (add_bash_group(b, i, e) || add_bash_command(b, i, e)) return -1;
    return buf_add_text(b, bash_tail, e);
}

/* --- zsh ------------------------------------------------------------------ */

static const char zsh_head[] = "#compdef cordon\n"
                               "# zsh completion for cordon\n"
                               "_cordon() {\n"
                               "    local -a names choices options\n"
                               "    names=(${(M)words[2,CURRENT-1]:#[^-]*})\n"
                               "    case \"$names[1] $names[2]\" in\n";

static const char zsh_tail[] =
    "    esac\n"
    "    if [[ $PREFIX == -* ]]; then _describe -o option options\n"
    "    elif (( $#choices )); then _describe command choices\n"
    "    else _files; fi\n"
    "}\n"
    "_cordon \"$@\"\n";

static int add_zsh_options(struct buf *b, const struct command *c,
                           struct err *e) {
    const struct option *o;
    for (size_t i = 0; (o = option_at(c, i)); i++) {
        AUTO_BUF struct buf item = BUF_MAX(1024);
        if (buf_addf(&item, e, "--%s:%s", o->name, o->text) ||
            buf_add_char(b, ' ', e) || add_quoted(b, buf_text(&item), e))
            return -1;
    }
    return 0;
}

/* "word:summary" for what may follow. A group is told by its name alone. */
static int add_zsh_choices(struct buf *b, str group, struct err *e) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        struct name n = name_of(c);
        if (group.n > 0 ? !str_eq(n.first, group) : seen_before(i)) continue;
        bool whole = group.n > 0 || n.second.n == 0;
        str word = group.n > 0 ? n.second : n.first;
        AUTO_BUF struct buf item = BUF_MAX(1024);
        if (buf_addf(&item, e, "%.*s%s%s", STR_ARG(word), whole ? ":" : "",
                     whole ? c->summary : "") ||
            buf_add_char(b, ' ', e) || add_quoted(b, buf_text(&item), e))
            return -1;
    }
    return 0;
}

static int add_zsh_arm(struct buf *b, struct name n, const struct command *c,
                       struct err *e) {
    const char *any = c && n.second.n == 0 ? "*" : "";
    if (buf_addf(b, e, "    '%.*s %.*s'%s)\n        options=(",
                 STR_ARG(n.first), STR_ARG(n.second), any) ||
        (c && add_zsh_options(b, c, e)) || add_zsh_options(b, NULL, e) ||
        buf_add_text(b, ")\n        choices=(", e) ||
        (!c && add_zsh_choices(b, n.first, e)) || buf_add_text(b, ")\n", e) ||
        add_choice_lines(b, c, "        [[ $words[CURRENT-1] == ",
                         " ]] && choices=(", ")\n", e))
        return -1;
    return buf_add_text(b, "        ;;\n", e);
}

static int add_zsh(struct buf *b, struct err *e) {
    if (buf_add_text(b, zsh_head, e) ||
        add_zsh_arm(b, (struct name){{0}, {0}}, NULL, e))
        return -1;
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) {
        struct name n = name_of(c), group = {n.first, {NULL, 0}};
        if (n.second.n > 0 && !seen_before(i) && add_zsh_arm(b, group, NULL, e))
            return -1;
        if (add_zsh_arm(b, n, c, e)) return -1;
    }
    return buf_add_text(b, zsh_tail, e);
}

/* --- fish ----------------------------------------------------------------- */

#define FISH_SEEN "__fish_seen_subcommand_from "

/* complete -c cordon -n 'condition' */
static int add_fish_start(struct buf *b, struct name n, struct err *e) {
    if (buf_add_text(b, "complete -c cordon", e)) return -1;
    if (n.first.n == 0) return 0;
    if (buf_addf(b, e, " -n '" FISH_SEEN "%.*s", STR_ARG(n.first))) return -1;
    if (n.second.n > 0 &&
        buf_addf(b, e, "; and " FISH_SEEN "%.*s", STR_ARG(n.second)))
        return -1;
    return buf_add_char(b, '\'', e);
}

static int add_fish_options(struct buf *b, const struct command *c,
                            struct err *e) {
    struct name n = c ? name_of(c) : (struct name){{0}, {0}};
    const struct option *o;
    for (size_t i = 0; (o = option_at(c, i)); i++) {
        if (add_fish_start(b, n, e) || buf_addf(b, e, " -l %s", o->name))
            return -1;
        if (o->letter && buf_addf(b, e, " -s %c", o->letter)) return -1;
        if (o->type == OPTION_CHOICE
                ? buf_add_text(b, " -xa '", e) || add_choices(b, o->value, e) ||
                      buf_add_char(b, '\'', e)
                : o->type != OPTION_FLAG && buf_add_text(b, " -r", e))
            return -1;
        if (buf_add_text(b, " -d ", e) || add_quoted(b, o->text, e) ||
            buf_add_char(b, '\n', e))
            return -1;
    }
    return 0;
}

/* The words at their place only, and no files there. */
static int add_fish_word(struct buf *b, size_t index, struct err *e) {
    const struct command *c = command_at(index);
    struct name n = name_of(c);
    bool group = n.second.n > 0;
    if (!seen_before(index) &&
        (buf_addf(b, e,
                  "complete -c cordon -f -n __fish_use_subcommand -a %.*s",
                  STR_ARG(n.first)) ||
         (!group &&
          (buf_add_text(b, " -d ", e) || add_quoted(b, c->summary, e))) ||
         buf_add_char(b, '\n', e)))
        return -1;
    if (!group) return 0;
    if (buf_addf(b, e,
                 "complete -c cordon -f -n '" FISH_SEEN
                 "%.*s; and not " FISH_SEEN,
                 STR_ARG(n.first)) ||
        add_words(b, n.first, e) ||
        buf_addf(b, e, "' -a %.*s -d ", STR_ARG(n.second)) ||
        add_quoted(b, c->summary, e))
        return -1;
    return buf_add_char(b, '\n', e);
}

static int add_fish(struct buf *b, struct err *e) {
    if (buf_add_text(b, "# fish completion for cordon\n", e) ||
        add_fish_options(b, NULL, e))
        return -1;
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        if (add_fish_word(b, i, e) || add_fish_options(b, c, e)) return -1;
    return 0;
}

int complete_add(str shell, struct buf *out, struct err *e) {
    if (str_is(shell, "bash")) return add_bash(out, e);
    if (str_is(shell, "zsh")) return add_zsh(out, e);
    if (str_is(shell, "fish")) return add_fish(out, e);
    return fail(e, ERR_USAGE, "no completions for \"%.*s\" (bash, zsh, fish)",
                STR_ARG(shell));
}
