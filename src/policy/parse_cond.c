/* SPDX-License-Identifier: MIT */
#include "policy/parser.h"

#define CHAIN_MAX 256 /* evaluation recurses along a chain */

static struct cond *cond_new(struct parser *p, enum cond_kind kind,
                             struct err *e) {
    struct cond *c = arena_zalloc(&p->policy->arena, 1, sizeof *c, e);
    if (c) c->kind = kind;
    return c;
}

/* -- what is asked of arguments ---------------------------------------------
 */

static struct arg_test *test_new(struct parser *p, enum test_kind kind,
                                 struct err *e) {
    struct arg_test *t = arena_zalloc(&p->policy->arena, 1, sizeof *t, e);
    if (t) t->kind = kind;
    return t;
}

/* dest, content ) */
static int parse_role_list(struct parser *p, unsigned *roles, struct err *e) {
    int more;
    *roles = 0;
    do {
        enum role r = rule_role(p->words.token.text);
        if (p->words.token.kind != WORDS_WORD || r == ROLE_NONE)
            return words_fail(&p->words, e, "%.*s is no role",
                              STR_ARG(p->words.token.text));
        *roles |= ROLE_BIT(r);
        if (words_next(&p->words, e)) return -1;
        more = words_take(&p->words, ",", e);
    } while (more > 0);
    return more < 0 ? -1 : words_expect(&p->words, ")", "behind roles", e);
}

static int parse_has(struct parser *p, struct arg_test **out, struct err *e) {
    str word = p->words.token.text;
    unsigned kinds = p->words.token.kind == WORDS_WORD ? detect_word(word) : 0;
    if (kinds == 0)
        return words_fail(
            &p->words, e,
            "has takes url, email, phone, iban, card, ip, jwt, "
            "key, pem, pii, secret, invisible or instructions, not "
            "%.*s",
            STR_ARG(word));
    if (words_next(&p->words, e) || !(*out = test_new(p, TEST_HAS, e)))
        return -1;
    (*out)->detect = kinds;
    return 0;
}

/* in readers(content), in friends, in "a", "b*" */
static int parse_in(struct parser *p, struct arg_test **out, struct err *e) {
    struct words ahead = p->words;
    if (words_next(&ahead, e)) return -1;
    if (words_is(&p->words, "readers") && words_is(&ahead, "(")) {
        if (words_next(&p->words, e) || words_next(&p->words, e) ||
            !(*out = test_new(p, TEST_IN_READERS, e)))
            return -1;
        return parse_role_list(p, &(*out)->roles, e);
    }
    if (!(*out = test_new(p, TEST_IN, e)) ||
        rule_names(p, "a list or a pattern in quotes", &(*out)->in, e))
        return -1;
    for (const struct name *n = (*out)->in; n; n = n->next) {
        const struct list *l = p->policy->lists;
        while (l && n->list && !str_eq(l->name, n->text))
            l = l->next;
        if (n->list && !l)
            return words_fail(&p->words, e, "there is no list %.*s above",
                              STR_ARG(n->text));
    }
    return 0;
}

static int parse_secrecy(struct parser *p, struct arg_test **out,
                         struct err *e) {
    bool public_ = words_is(&p->words, "public");
    bool secret = words_is(&p->words, "secret"),
         private_ = words_is(&p->words, "private");
    if (!public_ && !secret && !private_)
        return words_fail(&p->words, e,
                          "readers are public, private or secret, not %.*s",
                          STR_ARG(p->words.token.text));
    *out = test_new(p, public_ ? TEST_PUBLIC : TEST_SECRECY, e);
    if (!*out) return -1;
    (*out)->secrecy = secret ? SECRECY_SECRET : SECRECY_PRIVATE;
    return words_next(&p->words, e);
}

static int parse_level(struct parser *p, struct arg_test **out, struct err *e) {
    enum integrity i;
    if (p->words.token.kind != WORDS_WORD ||
        integrity_read(p->words.token.text, &i))
        return words_fail(&p->words, e,
                          "expected a label (user, trusted, meta, untrusted), "
                          "got %.*s",
                          STR_ARG(p->words.token.text));
    *out = test_new(p, i >= INTEGRITY_META ? TEST_WORSE : TEST_BETTER, e);
    if (!*out) return -1;
    (*out)->integrity = i;
    return words_next(&p->words, e);
}

/* 1: one was read; 0: none begins here. */
static int parse_arg_test(struct parser *p, struct arg_test **out,
                          struct err *e) {
    enum integrity i;
    static const struct {
        const char *word;
        int (*parse)(struct parser *p, struct arg_test **out, struct err *e);
    } words[] = {{"integrity", parse_level},
                 {"readers", parse_secrecy},
                 {"has", parse_has},
                 {"in", parse_in}};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        int taken = words_take(&p->words, words[w].word, e);
        if (taken) return taken < 0 || words[w].parse(p, out, e) ? -1 : 1;
    }
    if (words_is(&p->words, "secret") || words_is(&p->words, "private") ||
        words_is(&p->words, "public"))
        return parse_secrecy(p, out, e) ? -1 : 1;
    if (p->words.token.kind != WORDS_WORD ||
        integrity_read(p->words.token.text, &i))
        return 0;
    return parse_level(p, out, e) ? -1 : 1;
}

static int parse_arg_tests(struct parser *p, struct cond *c, struct err *e) {
    struct arg_test **tail = &c->tests;
    int got;
    while ((got = parse_arg_test(p, tail, e)) > 0)
        tail = &(*tail)->next;
    if (got < 0) return -1;
    if (!c->tests)
        return words_fail(&p->words, e,
                          "what about the argument? expected a label, readers, "
                          "has or in, got %.*s",
                          STR_ARG(p->words.token.text));
    return 0;
}

/* -- atoms ------------------------------------------------------------------
 */

/* any(dest, content) ..., any arg ..., all(...) ... */
static int parse_quantified(struct parser *p, enum quantity q,
                            struct cond **out, struct err *e) {
    struct cond *c = cond_new(p, COND_ARGS, e);
    if (!c || words_next(&p->words, e)) return -1;
    c->quantity = q;
    c->roles = ROLE_ALL;
    int arg = words_take(&p->words, "arg", e);
    if (arg < 0) return -1;
    if (!arg && (words_expect(&p->words, "(", "behind any and all", e) ||
                 parse_role_list(p, &c->roles, e)))
        return -1;
    *out = c;
    return parse_arg_tests(p, c, e);
}

/* dest|target untrusted */
static int parse_roles(struct parser *p, struct cond **out, struct err *e) {
    struct cond *c = cond_new(p, COND_ARGS, e);
    int more;
    if (!c) return -1;
    do {
        enum role r = rule_role(p->words.token.text);
        if (r == ROLE_NONE)
            return words_fail(&p->words, e, "%.*s is no role",
                              STR_ARG(p->words.token.text));
        c->roles |= ROLE_BIT(r);
        if (words_next(&p->words, e)) return -1;
        more = words_take(&p->words, "|", e);
    } while (more > 0);
    if (more < 0) return -1;
    *out = c;
    return parse_arg_tests(p, c, e);
}

static const char *const ops[] = {
    [OP_GT] = ">",  [OP_GE] = ">=", [OP_LT] = "<",
    [OP_LE] = "<=", [OP_EQ] = "=",  [OP_NE] = "!=",
};

static int find_op(const struct words *l) {
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (l->token.kind == WORDS_SIGN && str_is(l->token.text, ops[i]))
            return (int)i;
    return -1;
}

static int parse_number_text(struct parser *p, str text, double *out,
                             struct err *e) {
    struct err why;
    const struct json *v;
    if (json_parse(text, NULL, &p->policy->arena, &v, &why) ||
        !json_is_number(v))
        return words_fail(&p->words, e, "%.*s is no number", STR_ARG(text));
    *out = json_number(v);
    return 0;
}

/* amount > 100, amount > 100/run */
static int parse_compare(struct parser *p, struct cond *c, struct err *e) {
    str text;
    c->kind = COND_NUMBER;
    c->op = (enum number_op)find_op(&p->words);
    if (words_next(&p->words, e) || rule_word(p, "a number", &text, e))
        return -1;
    str per = text, number = str_cut(&per, '/');
    if (per.p && !str_is(per, "run"))
        return words_fail(&p->words, e, "sums are per /run, not /%.*s",
                          STR_ARG(per));
    c->per_run = per.p != NULL;
    return parse_number_text(p, number, &c->number, e);
}

/* arg amount untrusted; amount > 100 */
static int parse_one_arg(struct parser *p, struct cond **out, struct err *e) {
    struct cond *c = cond_new(p, COND_ARGS, e);
    if (!c || words_take(&p->words, "arg", e) < 0 ||
        rule_word(p, "an argument", &c->arg, e))
        return -1;
    *out = c;
    if (find_op(&p->words) >= 0) return parse_compare(p, c, e);
    return parse_arg_tests(p, c, e);
}

static int parse_with_names(struct parser *p, enum cond_kind kind,
                            const char *what, struct cond **out,
                            struct err *e) {
    struct cond *c = cond_new(p, kind, e);
    *out = c;
    return c ? rule_names(p, what, &c->names, e) : -1;
}

static int parse_with_level(struct parser *p, enum cond_kind kind,
                            struct cond **out, struct err *e) {
    struct cond *c = cond_new(p, kind, e);
    if (!c) return -1;
    if (p->words.token.kind != WORDS_WORD ||
        integrity_read(p->words.token.text, &c->integrity))
        return words_fail(&p->words, e, "expected a label, got %.*s",
                          STR_ARG(p->words.token.text));
    *out = c;
    return words_next(&p->words, e);
}

static int parse_plain(struct parser *p, enum cond_kind kind, struct cond **out,
                       struct err *e) {
    *out = cond_new(p, kind, e);
    return *out ? 0 : -1;
}

static const struct atom {
    const char *word;
    enum cond_kind kind;
    const char *names; /* takes names; NULL: see below */
    bool level;        /* takes a label */
} atoms[] = {
    {"default", COND_DEFAULT, NULL, false},
    {"unattended", COND_UNATTENDED, NULL, false},
    {"turn", COND_TURN, NULL, true},
    {"pc", COND_PC, NULL, true},
    {"tool", COND_TOOL, "the name of a tool", false},
    {"class", COND_CLASS, "a class", false},
    {"principal", COND_PRINCIPAL, "a principal", false},
    {"client", COND_CLIENT, "a client", false},
    {"session", COND_SESSION, "a session", false},
};

static const struct atom *find_atom(str word) {
    for (size_t i = 0; i < sizeof atoms / sizeof atoms[0]; i++)
        if (str_is(word, atoms[i].word)) return &atoms[i];
    return NULL;
}

bool rule_begins_cond(str word, const struct words *ahead) {
    enum integrity i;
    bool bare = ahead->token.kind == WORDS_END;
    if (find_op(ahead) >= 0) return true;
    if (str_is(word, "default") || str_is(word, "unattended"))
        return bare || words_is(ahead, "and") || words_is(ahead, "or");
    if (str_is(word, "not")) return !bare;
    if (str_is(word, "any") || str_is(word, "all"))
        return words_is(ahead, "(") || words_is(ahead, "arg");
    if (rule_role(word) != ROLE_NONE)
        return words_is(ahead, "|") || words_is(ahead, "has") ||
               words_is(ahead, "in") || words_is(ahead, "integrity") ||
               words_is(ahead, "readers") || words_is(ahead, "secret") ||
               words_is(ahead, "private") || words_is(ahead, "public") ||
               (ahead->token.kind == WORDS_WORD &&
                integrity_read(ahead->token.text, &i) == 0);
    if (str_is(word, "arg")) return !bare;
    return find_atom(word) && !bare &&
           rule_role(ahead->token.text) == ROLE_NONE;
}

static int parse_atom(struct parser *p, struct cond **out, struct err *e) {
    str word = p->words.token.text;
    int open = words_take(&p->words, "(", e);
    if (open < 0) return -1;
    if (open)
        return rule_cond(p, out, e) ||
                       words_expect(&p->words, ")", "behind the condition", e)
                   ? -1
                   : 0;
    if (p->words.token.kind != WORDS_WORD)
        return words_fail(&p->words, e, "expected a condition, got %.*s",
                          STR_ARG(word));
    const struct atom *a = find_atom(word);
    if (a) {
        if (words_next(&p->words, e)) return -1;
        if (a->names) return parse_with_names(p, a->kind, a->names, out, e);
        if (a->level) return parse_with_level(p, a->kind, out, e);
        return parse_plain(p, a->kind, out, e);
    }
    if (str_is(word, "any")) return parse_quantified(p, SOME, out, e);
    if (str_is(word, "all")) return parse_quantified(p, ALL, out, e);
    if (rule_role(word) != ROLE_NONE) return parse_roles(p, out, e);
    return parse_one_arg(p, out, e);
}

static int parse_not(struct parser *p, struct cond **out, struct err *e) {
    int not = words_take(&p->words, "not", e);
    if (not < 0) return -1;
    if (!not ) return parse_atom(p, out, e);
    struct cond *c = cond_new(p, COND_NOT, e), *left;
    if (!c) return -1;
    if (++p->depth > PARSE_DEPTH)
        return words_fail(&p->words, e, "a condition that is nested too deep");
    if (parse_not(p, &left, e)) return -1;
    p->depth--;
    c->left = left;
    *out = c;
    return 0;
}

/* Chains of one word, to the left: and binds closer than or. */
static int parse_chain(struct parser *p, const char *word, enum cond_kind kind,
                       int (*part)(struct parser *, struct cond **,
                                   struct err *),
                       struct cond **out, struct err *e) {
    int more;
    size_t parts = 1;
    if (part(p, out, e)) return -1;
    while ((more = words_take(&p->words, word, e)) > 0) {
        if (++parts > CHAIN_MAX)
            return words_fail(&p->words, e, "more than %d parts of a condition",
                              CHAIN_MAX);
        struct cond *c = cond_new(p, kind, e), *right;
        if (!c || part(p, &right, e)) return -1;
        c->left = *out;
        c->right = right;
        *out = c;
    }
    return more;
}

static int parse_and(struct parser *p, struct cond **out, struct err *e) {
    return parse_chain(p, "and", COND_AND, parse_not, out, e);
}

int rule_cond(struct parser *p, struct cond **out, struct err *e) {
    if (++p->depth > PARSE_DEPTH)
        return words_fail(&p->words, e, "a condition that is nested too deep");
    int failed = parse_chain(p, "or", COND_OR, parse_and, out, e);
    p->depth--;
    return failed;
}
