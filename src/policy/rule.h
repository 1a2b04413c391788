/* SPDX-License-Identifier: MIT
 *
 * rule -- a rule file in memory. Internal to policy; see docs/policy.md for
 * the language.
 *
 * Everything is allocated from the policy's arena and linked in the order of
 * the file.
 */
#ifndef CORDON_POLICY_RULE_H
#define CORDON_POLICY_RULE_H

#include "base/map.h"
#include "policy/detect.h"
#include "policy/policy.h"

enum role {
    ROLE_NONE,
#define ROLE(id, word, meaning) ROLE_##id,
#include "policy/roles.def"
#undef ROLE
    ROLE_COUNT,
};

#define ROLE_BIT(role) (1U << (role))
#define ROLE_ALL       (~ROLE_BIT(ROLE_NONE) & (ROLE_BIT(ROLE_COUNT) - 1))

const char *role_word(enum role r);

struct name {
    str text;
    bool list; /* the name of a list, not a pattern */
    struct name *next;
};

/* source PATTERN... fields a,b -> trusted token readers public ; ... */
struct source_field {
    str path; /* "from", "event.id"; "*" for the rest */
    enum integrity integrity;
    bool token; /* believed only where it looks like a token */
    bool has_secrecy;
    enum secrecy secrecy;
    const str *readers;
    size_t reader_count;
    struct source_field *next;
};

struct source {
    struct name *tools;
    struct source_field *fields;
    enum secrecy secrecy;
    const str *readers;
    size_t reader_count;
    const struct name *readers_from; /* fields of each record that name them */
    bool ifc;                        /* labels from _meta.ifc count ... */
    bool authoritative;              /* ... also where they relax */
    size_t line;
    struct source *next;
};

/* read PATTERN...: these change nothing. */
struct reads {
    struct name *tools;
    size_t line;
    struct reads *next;
};

/* sink PATTERN... dest a,b content c class send irreversible */
struct sink_arg {
    str path; /* "to", "attachments.file_id" */
    enum role role;
    struct sink_arg *next;
};

struct sink {
    struct name *tools;
    struct sink_arg *args;
    struct name *classes;
    size_t line;
    struct sink *next;
};

enum cond_kind {
    COND_AND,
    COND_OR,
    COND_NOT,
    COND_DEFAULT,
    COND_TOOL,
    COND_CLASS,
    COND_TURN,
    COND_PC,
    COND_PRINCIPAL,
    COND_CLIENT,
    COND_SESSION,
    COND_UNATTENDED,
    COND_ARGS,   /* what holds for arguments of some roles */
    COND_NUMBER, /* an argument compared with a number */
};

enum quantity { SOME_OR_ALL, SOME, ALL }; /* the first: as the test implies */

enum test_kind {
    TEST_WORSE,   /* integrity at least: untrusted, meta */
    TEST_BETTER,  /* integrity at most: trusted, user */
    TEST_SECRECY, /* at least: secret, private */
    TEST_PUBLIC,
    TEST_HAS,
    TEST_IN,         /* one of the patterns */
    TEST_IN_READERS, /* may read the arguments of other roles */
};

/* One thing that is asked of an argument. */
struct arg_test {
    enum test_kind kind;
    enum integrity integrity;
    enum secrecy secrecy;
    unsigned detect; /* bits of enum detect_kind */
    struct name *in;
    unsigned roles; /* TEST_IN_READERS */
    struct arg_test *next;
};

enum number_op { OP_GT, OP_GE, OP_LT, OP_LE, OP_EQ, OP_NE };

struct cond {
    enum cond_kind kind;
    const struct cond *left, *right; /* AND, OR; NOT: left */
    struct name *names;
    enum integrity integrity;
    unsigned roles; /* COND_ARGS */
    str arg;        /* COND_ARGS for one argument, COND_NUMBER */
    enum quantity quantity;
    struct arg_test *tests; /* all of one argument */
    enum number_op op;
    double number;
    bool per_run; /* the sum over the run */
};

struct rule {
    enum verdict verdict;
    str id, name;
    struct cond *cond;
    int64_t remember_ns; /* 0: a yes is not remembered */
    size_t line;
    struct rule *next;
};

enum limit_kind { LIMIT_TOOL, LIMIT_CALLS, LIMIT_EGRESS };

struct limit {
    enum limit_kind kind;
    struct name *tools; /* LIMIT_TOOL */
    uint64_t max;
    bool session; /* else of a run */
    size_t line;
    struct limit *next;
};

struct list {
    str name;
    struct name *items;
    struct list *next;
};

/* test "title": tool(arg=untrusted("x")) when turn untrusted => ask R2 */
struct selftest {
    str title, tool;
    const struct json *args;
    const struct labels *labels;
    enum integrity turn;
    bool unattended;
    str principal, client, session;
    enum verdict verdict;
    str rule; /* or empty */
    size_t line;
    struct selftest *next;
};

/* What the file says about one tool, found once. */
struct bound {
    const struct source *source;
    const struct sink *sink;
    bool read;
    bool irreversible;
    const struct rule **rules; /* that could match: deny, ask, allow */
    const struct cond **conds; /* of each, without what is known of the tool */
    size_t rule_count;
    const struct limit **limits;
    size_t limit_count;
};

struct policy {
    struct arena arena;
    enum preset preset;
    bool has_preset;
    bool shadow;
    struct source *sources;
    struct reads *reads;
    struct sink *sinks;
    struct rule *rules;
    struct limit *limits;
    struct list *lists;
    struct selftest *tests;
    struct map bound; /* "server.tool" -> struct bound */
    uint8_t hash[CRYPTO_SHA256];
};

/* An empty policy to fill. */
struct policy *policy_alloc(struct err *e);

/* -- about one tool ---------------------------------------------------------
 */

/* "server.tool", or the tool's name where there is no server. */
int tool_key(const struct tool *t, struct buf *out, struct err *e);

bool names_match(const struct name *names, str text);

/* NULL and *e when memory ran out. */
const struct bound *policy_bind(struct policy *p, const struct tool *t,
                                struct err *e);

/* The role of an argument's dotted path in a sink; ROLE_NONE: nothing said.
 * sink may be NULL. */
enum role sink_role(const struct sink *s, str path);

bool bound_has_class(const struct bound *b, const struct name *classes);

/* The tool a test names: of the list, or made up in *named where there is no
 * list. NULL: there is none. */
const struct tool *selftest_tool(const struct tool *tools, size_t count,
                                 str key, struct tool *named);
void selftest_call(const struct selftest *t, const struct entry *entry,
                   struct policy_call *out);

enum truth { NO, MAYBE, YES };

/* Does it look at arguments of any of these roles? */
bool cond_mentions(const struct cond *c, unsigned roles);

/* COND_ARGS: must it hold for all of them, or for some? */
bool cond_for_all(const struct cond *c);

/* Of what can be known without a call. */
enum truth cond_static(const struct policy *p, const struct cond *c,
                       const struct bound *b, str key);

#endif
