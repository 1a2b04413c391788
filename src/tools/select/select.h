/* SPDX-License-Identifier: MIT
 *
 * select -- the few tools that fit a request, out of thousands.
 *
 * Rules come before ranking: what the filter forbids is never seen; a tool
 * named in the request comes first; pinned tools and tools called for by
 * keywords follow; the rest is ranked. Tools that are always offered, and
 * those this session used, come on top of k. When nothing fits the answer is
 * empty and says so, rather than padded to k.
 */
#ifndef CORDON_TOOLS_SELECT_SELECT_H
#define CORDON_TOOLS_SELECT_SELECT_H

#include "base/buf.h"
#include "tools/catalogue.h"
#include "tools/select/score.h"

#define SELECT_K   8   /* tools offered when the caller does not say */
#define SELECT_MAX 256 /* tools of one answer */

enum why {
    WHY_RANK,    /* it scored */
    WHY_EXACT,   /* the request names it */
    WHY_PINNED,  /* the caller asked for it */
    WHY_KEYWORD, /* a keyword calls for it */
    WHY_ROUTED,  /* the router picked it */
    WHY_STICKY,  /* this session used it */
    WHY_ALWAYS,  /* it is always offered */
};
const char *why_name(enum why w);

/* Words that call for tools: every tool whose id matches the pattern. */
struct keyword_rule {
    str words;   /* "pull request" */
    str pattern; /* of ids, with * and ? as in a shell */
};

/* One line of what a router may choose from. */
struct route_option {
    str id;
    str text; /* what it is: its stub, or a line of its description */
    float score;
};

/* One who need not be kept waiting: they are called when selecting again makes
 * sense. Zero-initialise, set fn and data. */
struct select_wait {
    void (*fn)(struct select_wait *w);
    void *data;
    struct select_wait *next, **link; /* of those who wait for one answer;
                                         link NULL: it does not wait */
    int times;                        /* that it waited */
};
void select_unwait(struct select_wait *w); /* also where it does not wait */

/* For those who answer. */
void select_queue(struct select_wait *w, struct select_wait **list);
void select_wake(struct select_wait **list);   /* calls each, none is left */
void select_forget(struct select_wait **list); /* calls nobody */

/* A small model picks from the best of the ranking. Fills picks with indexes
 * of options, best first, and returns how many; -1 and *e when it failed, was
 * too slow or made no sense, and then the ranking stands. Where wait is given
 * and the answer is not there yet, it is queued, for ERR_WAITING. */
struct router {
    int (*pick)(void *context, str request, const struct route_option *options,
                size_t count, int64_t budget_ns, struct select_wait *wait,
                size_t *picks, size_t max, struct err *e);
    void *context;
    int64_t budget_ns;
};

/* Cosines of the request with every document by an embeddings endpoint, into
 * out[corpus.docs.count]; -1 when it failed or took too long, and then the
 * other measures stand alone. See embed.h. wait is as above. */
struct remote {
    int (*score)(void *context, const struct corpus *ix, str request,
                 struct select_wait *wait, float *out, struct err *e);
    void *context;
    /* A tool came into the index or changed there; or NULL. */
    void (*learn)(void *context, const struct tool *t);
};

struct memory;

/* What holds for every request, beside what the request says: the user's
 * configuration. Zero is none of it. Borrowed. */
struct standing {
    size_t k; /* where a request does not say; 0: SELECT_K */
    const struct keyword_rule *rules;
    size_t rule_count;
    const str *always; /* patterns of ids that are always offered */
    size_t always_count;
    const struct router *router;   /* or NULL */
    const struct remote *remote;   /* or NULL */
    const struct weights *weights; /* NULL: the defaults; holds for selectors
                                      made from then on */
    struct memory *memory;         /* of use; see memory.h; or NULL */
    const char *index;             /* file the index is kept in, or NULL */
};

/* Does one of the patterns say so? s may be NULL. */
bool standing_always(const struct standing *s, str id);

struct select_request {
    str text;     /* what is wanted; the conversation's last turn or plan */
    str who;      /* asks; p NULL: not to be remembered */
    size_t k;     /* 0: SELECT_K */
    str server;   /* only this one's tools; empty: all */
    str category; /* only this category's; empty: all */
    bool pad;     /* answer with k even if nothing fits */
    size_t per_server;          /* of one server among k; 0: see select.c */
    const str *pinned, *sticky; /* ids */
    size_t pinned_count, sticky_count;
    const struct keyword_rule *rules;
    size_t rule_count;
    bool (*filter)(void *context, str id); /* may it be offered? or NULL */
    void *filter_context;
    const struct router *router; /* NULL: the standing one */
    const struct remote *remote; /* NULL: the standing one */
    bool local;                  /* neither of them: nothing is waited for */
    struct select_wait *wait;    /* NULL: their answers are waited for here,
                                    else as select_tools says */
};

struct selected {
    uint32_t doc;
    enum why why;
    float score;
    struct parts parts;
};

struct selection {
    size_t count;
    struct selected items[SELECT_MAX];
    bool nothing_fits;     /* and so the answer has none by rank */
    bool doubtful;         /* nothing fits, whether or not it was padded */
    char hint[192];        /* what to do when nothing fits */
    char router_note[512]; /* why the router did not decide, or empty */
    char remote_note[512]; /* why the endpoint did not count, or empty */
};

struct selector {
    struct corpus corpus;
    struct vectors table;
    struct scorer *scorer;
    float *remote; /* room for remote cosines */
    size_t remote_cap;
    const struct standing *standing; /* or NULL */
    /* Appends a line that says what a tool is, for a router; NULL: its id. */
    int (*describe)(void *context, str id, struct buf *out, struct err *e);
    void *describe_context;
};

/* With the built-in table and the given weights (NULL: the defaults). */
int selector_init(struct selector *s, const struct weights *w, struct err *e);
void selector_fini(struct selector *s);

/* Takes the index of a file instead of its own, if it is there and of these
 * weights; ERR_MISSING otherwise, and then nothing changed. Tools that are put
 * afterwards cost only what changed. */
int selector_load(struct selector *s, const char *path, struct err *e);

/* Adds a tool or replaces it, with what is remembered of its use. */
int selector_put(struct selector *s, const struct tool *t, struct document *d,
                 struct err *e);

/* Puts every tool of the catalogue; drops those it no longer has. */
int selector_sync(struct selector *s, const struct catalogue *c, struct err *e);

/* Sorts tools without a category into clusters, if the weight "route" asks for
 * it; selector_sync does it by itself. */
int selector_route(struct selector *s, struct err *e);

/* ERR_WAITING: an endpoint or a router was asked, and r->wait is called when it
 * answered or did not in time. The same request then goes on from there. */
int select_tools(struct selector *s, const struct select_request *r,
                 struct selection *out, struct err *e);

#define AUTO_SELECTOR __attribute__((cleanup(selector_fini)))

#endif
