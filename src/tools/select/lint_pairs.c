/* SPDX-License-Identifier: MIT
 *
 * lint_pairs -- tools that selection cannot tell apart.
 *
 * Each tool is searched with its own words. One that another tool answers
 * nearly as well, and the other way round, will be mistaken for it: the pair
 * is reported once, with the words both use.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tools/select/lint.h"
#include "tools/select/sentence.h"
#include "tools/select/tokenise.h"

#define NEAR      4     /* results that are looked at */
#define ALIKE     0.80f /* of the tool's own score: hard to tell apart */
#define OVERLAP   0.60f /* of their telling words that both have */
#define WORDS_MAX 64

struct words {
    size_t count;
    char text[WORDS_MAX][TERM_MAX]; /* stems */
    size_t len[WORDS_MAX];
    str shown[WORDS_MAX]; /* as the tool writes them */
};

static bool has_word(const struct words *w, str word) {
    for (size_t i = 0; i < w->count; i++)
        if (str_eq((str){w->text[i], w->len[i]}, word)) return true;
    return false;
}

static void add_words(struct words *w, str text) {
    struct tokens t = TOKENS(text);
    while (tokens_next(&t)) {
        if (w->count == WORDS_MAX || has_word(w, tokens_term(&t))) continue;
        memcpy(w->text[w->count], t.term, t.len);
        w->shown[w->count] = str_sub(text, t.start, t.end);
        w->len[w->count++] = t.len;
    }
}

static str lead_of(const struct tool *t) {
    str rest = t->description, lead = STR("");
    if (!sentence_next(&rest, &lead)) return STR("");
    return lead;
}

static void words_of(const struct tool *t, struct words *w) {
    w->count = 0;
    add_words(w, t->name);
    add_words(w, lead_of(t));
}

/* The share of the smaller set that both have, and those words as text. */
static float overlap(const struct words *a, const struct words *b, char *out,
                     size_t size) {
    size_t both = 0, n = 0;
    out[0] = 0;
    for (size_t i = 0; i < a->count; i++) {
        str word = {a->text[i], a->len[i]};
        if (!has_word(b, word)) continue;
        both++;
        if (n + a->shown[i].n + 3 > size) continue;
        n += (size_t)snprintf(out + n, size - n, "%s%.*s", n > 0 ? ", " : "",
                              STR_ARG(a->shown[i]));
    }
    size_t smaller = a->count < b->count ? a->count : b->count;
    return smaller > 0 ? (float)both / (float)smaller : 0;
}

/* What would help, from how the names relate. */
static const char *advice_for(const struct tool *a, const struct tool *b) {
    struct words x = {0}, y = {0};
    char ignored[8];
    add_words(&x, a->name);
    add_words(&y, b->name);
    float same = overlap(&x, &y, ignored, sizeof ignored);
    if (same >= 1.0f && x.count == y.count)
        return "Merge them, or name what differs: the server, the kind of "
               "thing, the scope.";
    if (same >= 0.5f)
        return "Merge them into one tool with a parameter for what differs, "
               "or say in each what it is not for (\"Do not use for ...\").";
    return "Reword one so that its first sentence uses words the other does "
           "not, or put both under a category of their own.";
}

static float score_of(const struct selection *s, const struct corpus *ix,
                      str id, size_t *rank) {
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(corpus_id(ix, s->items[i].doc), id)) {
            *rank = i;
            return s->items[i].score;
        }
    *rank = s->count;
    return 0;
}

/* Searches with a tool's own words; fills *found. */
static int search_own(struct selector *s, const struct tool *t,
                      struct selection *found, struct err *e) {
    char text[1024];
    struct words w;
    words_of(t, &w);
    size_t n = 0;
    for (size_t i = 0; i < w.count && n + w.len[i] + 2 < sizeof text; i++) {
        memcpy(text + n, w.text[i], w.len[i]);
        n += w.len[i];
        text[n++] = ' ';
    }
    struct select_request r = {.text = {text, n}, .k = NEAR, .pad = true};
    return select_tools(s, &r, found, e);
}

/* Does a request in t's own words find the other nearly as well? */
static int mistakes(struct selector *s, const struct tool *t,
                    const struct tool *other, bool *out, struct err *e) {
    AUTO_MEM struct selection *found = mem_alloc(sizeof *found, e);
    if (!found || search_own(s, t, found, e)) return -1;
    size_t own_rank, rank;
    float own = score_of(found, &s->corpus, t->id, &own_rank);
    float its = score_of(found, &s->corpus, other->id, &rank);
    *out = its > 0 && its >= ALIKE * own;
    return 0;
}

static int check_pair(struct lint *l, struct selector *s, const struct tool *a,
                      const struct tool *b, struct err *e) {
    struct words x, y;
    char shared[160];
    bool back = false;
    words_of(a, &x);
    words_of(b, &y);
    if (overlap(&x, &y, shared, sizeof shared) < OVERLAP) return 0;
    if (mistakes(s, b, a, &back, e)) return -1;
    if (!back) return 0;
    return lint_add(l, LINT_CONFUSABLE, a, b, advice_for(a, b), e,
                    "hard to tell from %.*s; both say: %s", STR_ARG(b->id),
                    shared);
}

/* The pair (a, b) is looked at from the tool that comes first. */
static int check_tool(struct lint *l, struct selector *s,
                      const struct catalogue *c, const struct tool *t,
                      struct selection *found, struct err *e) {
    size_t own_rank;
    if (search_own(s, t, found, e)) return -1;
    float own = score_of(found, &s->corpus, t->id, &own_rank);
    for (size_t i = 0; i < found->count; i++) {
        str id = corpus_id(&s->corpus, found->items[i].doc);
        const struct tool *other = catalogue_find(c, id);
        if (!other || other <= t || found->items[i].score < ALIKE * own)
            continue;
        if (check_pair(l, s, t, other, e)) return -1;
    }
    return 0;
}

int lint_pairs(struct lint *l, const struct catalogue *c, struct err *e) {
    AUTO_SELECTOR struct selector s = {0};
    AUTO_MEM struct selection *found = mem_alloc(sizeof *found, e);
    if (!found || selector_init(&s, NULL, e) || selector_sync(&s, c, e))
        return -1;
    for (size_t i = 0; i < c->count; i++)
        if (check_tool(l, &s, c, &c->tools[i], found, e)) return -1;
    return 0;
}
