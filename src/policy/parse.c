/* SPDX-License-Identifier: MIT
 *
 * The statements of a rule file. Conditions are read by parse_cond.c, tests by
 * parse_test.c.
 */
#include "policy/parser.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"

#include <stdlib.h>

#define POLICY_BYTES ((size_t)256 << 20)
#define TOOLS_BOUND  ((size_t)1 << 20)

const char *role_word(enum role r) {
    static const char *const words[] = {
        "no role",
#define ROLE(id, word, meaning) word,
#include "policy/roles.def"
#undef ROLE
    };
    return words[r];
}

enum role rule_role(str word) {
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        if (str_is(word, role_word((enum role)r))) return (enum role)r;
    return ROLE_NONE;
}

/* -- names ------------------------------------------------------------------
 */

int rule_word(struct parser *p, const char *what, str *out, struct err *e) {
    if (p->words.token.kind != WORDS_WORD &&
        p->words.token.kind != WORDS_STRING)
        return words_fail(&p->words, e, "expected %s, got %.*s", what,
                          STR_ARG(p->words.token.text));
    *out = p->words.token.text;
    return words_next(&p->words, e);
}

/* a, b, c: in the order of the file. */
int rule_names(struct parser *p, const char *what, struct name **out,
               struct err *e) {
    struct name **tail = out;
    int comma;
    do {
        struct name *n = arena_zalloc(&p->policy->arena, 1, sizeof *n, e);
        if (!n) return -1;
        n->list = p->words.token.kind == WORDS_WORD;
        if (rule_word(p, what, &n->text, e)) return -1;
        *tail = n;
        tail = &n->next;
        comma = words_take(&p->words, ",", e);
    } while (comma > 0);
    return comma;
}

/* -- sources ----------------------------------------------------------------
 */

static int by_text(const void *a, const void *b) {
    return str_cmp(*(const str *)a, *(const str *)b);
}

struct secrecy_rule {
    enum secrecy secrecy;
    const str *readers;
    size_t count;
};

static int sorted_readers(struct parser *p, const struct name *names,
                          struct secrecy_rule *out, struct err *e) {
    size_t count = 0;
    for (const struct name *n = names; n; n = n->next)
        count++;
    str *readers = arena_alloc(&p->policy->arena, count * sizeof *readers, e);
    if (!readers) return -1;
    count = 0;
    for (const struct name *n = names; n; n = n->next)
        readers[count++] = n->text;
    qsort(readers, count, sizeof *readers, by_text);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(readers[i], readers[kept - 1]))
            readers[kept++] = readers[i];
    *out = (struct secrecy_rule){SECRECY_READERS, readers, kept};
    return 0;
}

/* readers public | private | secret | "a@b.c", "d@e.f" */
static int parse_readers(struct parser *p, struct secrecy_rule *out,
                         struct err *e) {
    static const struct {
        const char *word;
        enum secrecy secrecy;
    } words[] = {{"public", SECRECY_PUBLIC},
                 {"private", SECRECY_PRIVATE},
                 {"secret", SECRECY_SECRET}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        int taken = words_take(&p->words, words[i].word, e);
        if (taken < 0) return -1;
        if (!taken) continue;
        *out = (struct secrecy_rule){words[i].secrecy, NULL, 0};
        return 0;
    }
    struct name *names = NULL;
    if (p->words.token.kind != WORDS_STRING)
        return words_fail(&p->words, e,
                          "readers are public, private, secret or addresses in "
                          "quotes, not %.*s",
                          STR_ARG(p->words.token.text));
    if (rule_names(p, "a reader", &names, e)) return -1;
    return sorted_readers(p, names, out, e);
}

static int parse_integrity(struct parser *p, enum integrity *out,
                           struct err *e) {
    str word = p->words.token.text;
    if (p->words.token.kind != WORDS_WORD || integrity_read(word, out))
        return words_fail(
            &p->words, e,
            "a label is user, trusted, meta or untrusted, not %.*s",
            STR_ARG(word));
    return words_next(&p->words, e);
}

static int add_field(struct parser *p, struct source *s, str path,
                     const struct source_field *like, struct err *e) {
    struct source_field **tail = &s->fields;
    for (; *tail; tail = &(*tail)->next)
        if (str_eq((*tail)->path, path))
            return words_fail(&p->words, e, "field %.*s has two labels",
                              STR_ARG(path));
    *tail = arena_alloc(&p->policy->arena, sizeof **tail, e);
    if (!*tail) return -1;
    **tail = *like;
    (*tail)->path = path;
    return 0;
}

/* [fields] a, b -> meta [token] [readers ...] */
static int parse_fields(struct parser *p, struct source *s, struct err *e) {
    struct name *names = NULL;
    struct source_field f = {0};
    struct secrecy_rule r;
    if (words_take(&p->words, "fields", e) < 0 ||
        rule_names(p, "a field", &names, e) ||
        words_expect(&p->words, "->", "behind fields", e) ||
        parse_integrity(p, &f.integrity, e))
        return -1;
    int token = words_take(&p->words, "token", e);
    int readers = token < 0 ? -1 : words_take(&p->words, "readers", e);
    if (readers < 0) return -1;
    if (f.integrity == INTEGRITY_META) token = 1;
    if (readers && parse_readers(p, &r, e)) return -1;
    f.token = token > 0;
    f.has_secrecy = readers > 0;
    if (readers) {
        f.secrecy = r.secrecy;
        f.readers = r.readers;
        f.reader_count = r.count;
    }
    for (struct name *n = names; n; n = n->next)
        if (add_field(p, s, n->text, &f, e)) return -1;
    return 0;
}

/* labels from _meta.ifc [authoritative] */
static int parse_ifc(struct parser *p, struct source *s, struct err *e) {
    if (words_expect(&p->words, "from", "behind labels", e) ||
        words_expect(&p->words, "_meta.ifc", "behind labels from", e))
        return -1;
    int authoritative = words_take(&p->words, "authoritative", e);
    s->ifc = true;
    s->authoritative = authoritative > 0;
    return authoritative < 0 ? -1 : 0;
}

/* readers from to, cc: who each record names there may read it. */
static int parse_readers_from(struct parser *p, struct source *s,
                              struct err *e) {
    struct name *names = NULL;
    if (rule_names(p, "a field", &names, e)) return -1;
    for (const struct name *n = names; n; n = n->next)
        if (str_find_char(n->text, '.') >= 0 ||
            str_find_char(n->text, '*') >= 0)
            return words_fail(&p->words, e,
                              "readers come from fields of the record itself, "
                              "not from %.*s",
                              STR_ARG(n->text));
    s->readers_from = names;
    s->secrecy = SECRECY_PRIVATE; /* of what is no such record */
    return 0;
}

static int parse_source_clause(struct parser *p, struct source *s,
                               struct err *e) {
    struct secrecy_rule r;
    int taken = words_take(&p->words, "labels", e);
    if (taken) return taken < 0 ? -1 : parse_ifc(p, s, e);
    taken = words_take(&p->words, "readers", e);
    if (!taken) return parse_fields(p, s, e);
    int from = taken < 0 ? -1 : words_take(&p->words, "from", e);
    if (from < 0) return -1;
    if (from) return parse_readers_from(p, s, e);
    if (parse_readers(p, &r, e)) return -1;
    s->secrecy = r.secrecy;
    s->readers = r.readers;
    s->reader_count = r.count;
    return 0;
}

static int parse_source(struct parser *p, struct err *e) {
    struct source **tail = &p->policy->sources;
    while (*tail)
        tail = &(*tail)->next;
    struct source *s = arena_zalloc(&p->policy->arena, 1, sizeof *s, e);
    if (!s) return -1;
    s->line = p->words.token.line;
    s->secrecy = SECRECY_PRIVATE;
    if (rule_names(p, "the name of a tool", &s->tools, e)) return -1;
    int more = 1;
    while (more > 0 && p->words.token.kind != WORDS_END) {
        if (parse_source_clause(p, s, e)) return -1;
        more = words_take(&p->words, ";", e);
    }
    *tail = s;
    return more;
}

static int parse_reads(struct parser *p, struct err *e) {
    struct reads **tail = &p->policy->reads;
    while (*tail)
        tail = &(*tail)->next;
    struct reads *r = arena_zalloc(&p->policy->arena, 1, sizeof *r, e);
    if (!r) return -1;
    r->line = p->words.token.line;
    *tail = r;
    return rule_names(p, "the name of a tool", &r->tools, e);
}

/* -- sinks ------------------------------------------------------------------
 */

static int add_sink_arg(struct parser *p, struct sink *s, str path,
                        enum role role, struct err *e) {
    struct sink_arg **tail = &s->args;
    for (; *tail; tail = &(*tail)->next)
        if (str_eq((*tail)->path, path))
            return words_fail(&p->words, e, "argument %.*s has two roles",
                              STR_ARG(path));
    *tail = arena_zalloc(&p->policy->arena, 1, sizeof **tail, e);
    if (!*tail) return -1;
    (*tail)->path = path;
    (*tail)->role = role;
    return 0;
}

/* class send irreversible: words up to the end of the line. */
static int parse_classes(struct parser *p, struct sink *s, struct err *e) {
    struct name **tail = &s->classes;
    while (*tail)
        tail = &(*tail)->next;
    while (p->words.token.kind == WORDS_WORD &&
           rule_role(p->words.token.text) == ROLE_NONE) {
        struct name *n = arena_zalloc(&p->policy->arena, 1, sizeof *n, e);
        if (!n || rule_word(p, "a class", &n->text, e)) return -1;
        *tail = n;
        tail = &n->next;
        if (words_take(&p->words, ",", e) < 0) return -1;
    }
    return 0;
}

static int parse_sink_clause(struct parser *p, struct sink *s, struct err *e) {
    int is_class = words_take(&p->words, "class", e);
    if (is_class) return is_class < 0 ? -1 : parse_classes(p, s, e);
    enum role role = p->words.token.kind == WORDS_WORD
                         ? rule_role(p->words.token.text)
                         : ROLE_NONE;
    if (role == ROLE_NONE)
        return words_fail(&p->words, e,
                          "expected dest, target, param, content or class, got "
                          "%.*s",
                          STR_ARG(p->words.token.text));
    struct name *names = NULL;
    if (words_next(&p->words, e) || rule_names(p, "an argument", &names, e))
        return -1;
    for (struct name *n = names; n; n = n->next)
        if (add_sink_arg(p, s, n->text, role, e)) return -1;
    return 0;
}

static int parse_sink(struct parser *p, struct err *e) {
    struct sink **tail = &p->policy->sinks;
    while (*tail)
        tail = &(*tail)->next;
    struct sink *s = arena_zalloc(&p->policy->arena, 1, sizeof *s, e);
    if (!s) return -1;
    s->line = p->words.token.line;
    if (rule_names(p, "the name of a tool", &s->tools, e)) return -1;
    while (p->words.token.kind != WORDS_END)
        if (parse_sink_clause(p, s, e) || words_take(&p->words, ";", e) < 0)
            return -1;
    *tail = s;
    return 0;
}

/* -- rules ------------------------------------------------------------------
 */

static struct rule *find_rule(const struct policy *p, str id) {
    for (struct rule *r = p->rules; r; r = r->next)
        if (str_eq(r->id, id)) return r;
    return NULL;
}

/* The word behind the id is a name unless a condition begins with it. */
static int parse_rule_name(struct parser *p, struct rule *r, struct err *e) {
    if (p->words.token.kind == WORDS_STRING)
        return rule_word(p, "a name", &r->name, e);
    if (p->words.token.kind != WORDS_WORD) return 0;
    struct words ahead = p->words;
    if (words_next(&ahead, e)) return -1;
    if (rule_begins_cond(p->words.token.text, &ahead)) return 0;
    return rule_word(p, "a name", &r->name, e);
}

static int parse_rule(struct parser *p, enum verdict verdict, struct err *e) {
    struct rule *r = arena_zalloc(&p->policy->arena, 1, sizeof *r, e);
    if (!r) return -1;
    r->verdict = verdict;
    r->line = p->words.token.line;
    if (rule_word(p, "the id of the rule", &r->id, e)) return -1;
    if (find_rule(p->policy, r->id))
        return words_fail_at(&p->words, r->line, e, "rule %.*s is there twice",
                             STR_ARG(r->id));
    if (parse_rule_name(p, r, e) || rule_cond(p, &r->cond, e)) return -1;
    *p->last_rule = r;
    p->last_rule = &r->next;
    return 0;
}

static int parse_deny(struct parser *p, struct err *e) {
    return parse_rule(p, POLICY_DENY, e);
}

static int parse_ask(struct parser *p, struct err *e) {
    return parse_rule(p, POLICY_ASK, e);
}

static int parse_allow(struct parser *p, struct err *e) {
    return parse_rule(p, POLICY_ALLOW, e);
}

/* remember R2 as value for 30d */
static int parse_remember(struct parser *p, struct err *e) {
    str id, period;
    if (rule_word(p, "the id of a rule", &id, e)) return -1;
    struct rule *r = find_rule(p->policy, id);
    if (!r || r->verdict != POLICY_ASK)
        return words_fail(&p->words, e, "there is no rule %.*s above that asks",
                          STR_ARG(id));
    if (words_expect(&p->words, "as", "behind the rule", e) ||
        words_expect(&p->words, "value",
                     "(only values are remembered, never whole tools)", e) ||
        words_expect(&p->words, "for", "and a time", e) ||
        rule_word(p, "a time such as 30d", &period, e))
        return -1;
    if (num_parse_duration(period, &r->remember_ns, e))
        return words_fail(&p->words, e, "%.*s is no time", STR_ARG(period));
    return 0;
}

/* -- limits -----------------------------------------------------------------
 */

/* 20/run, 1M/session */
static int parse_amount(struct parser *p, struct limit *l, struct err *e) {
    str text;
    if (rule_word(p, "a limit such as 20/run", &text, e)) return -1;
    str per = text, amount = str_cut(&per, '/');
    if (num_parse_size(amount, &l->max, e))
        return words_fail(&p->words, e, "%.*s is no number", STR_ARG(amount));
    if (!str_is(per, "run") && !str_is(per, "session"))
        return words_fail(&p->words, e, "a limit is per /run or /session");
    l->session = str_is(per, "session");
    return 0;
}

static int parse_limit(struct parser *p, struct err *e) {
    int more;
    do {
        struct limit **tail = &p->policy->limits;
        while (*tail)
            tail = &(*tail)->next;
        struct limit *l = arena_zalloc(&p->policy->arena, 1, sizeof *l, e);
        if (!l) return -1;
        l->line = p->words.token.line;
        int calls = words_take(&p->words, "calls", e);
        int egress = calls ? 0 : words_take(&p->words, "egress-bytes", e);
        if (calls < 0 || egress < 0) return -1;
        l->kind = calls ? LIMIT_CALLS : egress ? LIMIT_EGRESS : LIMIT_TOOL;
        if (l->kind == LIMIT_TOOL &&
            rule_names(p, "the name of a tool", &l->tools, e))
            return -1;
        if (parse_amount(p, l, e)) return -1;
        *tail = l;
        more = words_take(&p->words, ";", e);
    } while (more > 0);
    return more;
}

/* -- the rest ---------------------------------------------------------------
 */

/* list friends "a@b.c", "*@d.e" */
static int parse_list(struct parser *p, struct err *e) {
    struct list *l = arena_zalloc(&p->policy->arena, 1, sizeof *l, e);
    if (!l || rule_word(p, "the name of the list", &l->name, e)) return -1;
    for (struct list *o = p->policy->lists; o; o = o->next)
        if (str_eq(o->name, l->name))
            return words_fail(&p->words, e, "list %.*s is there twice",
                              STR_ARG(l->name));
    if (p->words.token.kind != WORDS_STRING)
        return words_fail(&p->words, e, "items of a list stand in quotes");
    if (rule_names(p, "an item", &l->items, e)) return -1;
    l->next = p->policy->lists;
    p->policy->lists = l;
    return 0;
}

int preset_read(str word, enum preset *out, struct err *e) {
    static const char *const words[] = {"balanced", "permissive", "strict",
                                        NULL};
    for (int i = 0; words[i]; i++) {
        if (!str_is(word, words[i])) continue;
        *out = (enum preset)i;
        return 0;
    }
    return fail(e, ERR_INVALID,
                "a preset is balanced, permissive or strict, not %.*s",
                STR_ARG(word));
}

static int parse_preset(struct parser *p, struct err *e) {
    str word;
    struct err why;
    if (rule_word(p, "a preset", &word, e)) return -1;
    if (preset_read(word, &p->policy->preset, &why))
        return words_fail(&p->words, e, "%s", why.text);
    return 0;
}

static int parse_shadow(struct parser *p, struct err *e) {
    (void)e;
    p->policy->shadow = true;
    return 0;
}

static const struct statement {
    const char *word;
    int (*parse)(struct parser *p, struct err *e);
} statements[] = {
#define STATEMENT(word, parse, meaning) {word, parse},
#include "policy/statements.def"
#undef STATEMENT
};

static const struct statement *find_statement(str word) {
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (str_is(word, statements[i].word)) return &statements[i];
    return NULL;
}

static int unknown_statement(struct parser *p, str word, struct err *e) {
    static const char *const words[] = {
#define STATEMENT(word, parse, meaning) word,
#include "policy/statements.def"
#undef STATEMENT
        NULL};
    const char *near = str_nearest(word, words);
    if (near)
        return words_fail(&p->words, e,
                          "%.*s begins no statement; did you mean %s?",
                          STR_ARG(word), near);
    return words_fail(&p->words, e, "%.*s begins no statement", STR_ARG(word));
}

static int parse_statement(struct parser *p, struct err *e) {
    str word = p->words.token.text;
    const struct statement *s =
        p->words.token.kind == WORDS_WORD ? find_statement(word) : NULL;
    if (!s) return unknown_statement(p, word, e);
    if (words_next(&p->words, e) || s->parse(p, e)) return -1;
    if (p->words.token.kind != WORDS_END)
        return words_fail(&p->words, e, "%.*s is too much here",
                          STR_ARG(p->words.token.text));
    return words_next(&p->words, e);
}

static int parse_file(struct policy *policy, str text, const char *name,
                      struct err *e) {
    struct parser p = {.policy = policy, .last_rule = &policy->rules};
    if (crypto_sha256(text, policy->hash, e) ||
        arena_dup(&policy->arena, text, &text, e) ||
        words_init(&p.words, text, name, &policy->arena, e))
        return -1;
    while (p.words.token.kind != WORDS_STOP)
        if (parse_statement(&p, e)) return -1;
    return 0;
}

struct policy *policy_alloc(struct err *e) {
    struct policy *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX(POLICY_BYTES);
    p->bound = MAP_MAX(TOOLS_BOUND);
    return p;
}

void policy_free(struct policy *p) {
    if (!p) return;
    map_fini(&p->bound);
    arena_fini(&p->arena);
    mem_free(p);
}

struct policy *policy_new(enum preset preset, struct err *e) {
    struct policy *p = policy_alloc(e);
    if (!p) return NULL;
    p->preset = preset;
    p->hash[0] = (uint8_t)(preset + 1);
    return p;
}

struct policy *policy_parse(str text, const char *name, struct err *e) {
    struct policy *p = policy_alloc(e);
    if (!p) return NULL;
    if (parse_file(p, text, name, e) == 0) return p;
    policy_free(p);
    return NULL;
}

struct policy *policy_load(const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(WORDS_FILE_BYTES);
    if (file_read(path, &text, e)) return NULL;
    return policy_parse(buf_str(&text), path, e);
}

const uint8_t *policy_hash(const struct policy *p) {
    return p->hash;
}
