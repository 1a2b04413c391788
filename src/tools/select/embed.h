/* SPDX-License-Identifier: MIT
 *
 * embed -- cosines by an embeddings endpoint, when there is one.
 *
 * The endpoint is a callback (the HTTP client lies in a higher layer). A tool
 * that is learned waits in a queue until its text was embedded, a batch at a
 * time; its vector is kept by a digest of the text, on disk if wanted. A
 * request has a budget: when the endpoint fails, is slow or answers nonsense,
 * selection goes on without it, and it is left alone for a while. Nothing it
 * answers is believed before it is checked.
 */
#ifndef CORDON_TOOLS_SELECT_EMBED_H
#define CORDON_TOOLS_SELECT_EMBED_H

#include "tools/catalogue.h"
#include "tools/select/select.h"

#define EMBED_BATCH  64
#define EMBED_DIMS   4096              /* at most */
#define EMBED_TOOLS  ((size_t)1 << 17) /* vectors and texts that wait */
#define EMBED_REST_S 30 /* seconds without the endpoint after a failure */
#define EMBED_RECENT 32 /* requests whose vectors are kept */

struct embed_reply {
    size_t count; /* vectors */
    size_t dims;
    const float *values; /* count x dims; valid until the next call */
};

/* Embeds texts within budget_ns; -1 and *e when that fails or takes longer. */
typedef int embed_fetch(void *context, const str *texts, size_t count,
                        int64_t budget_ns, struct embed_reply *reply,
                        struct err *e);

/* Begins to embed a request's text, or joins who asked for it before: wait is
 * queued until embed_heard was told. -1 and *e when that cannot be. */
typedef int embed_later(void *context, uint64_t key, str text,
                        int64_t budget_ns, struct select_wait *wait,
                        struct err *e);

/* A tool whose text is to be embedded. */
struct embed_wanted {
    uint64_t key;
    char *text; /* owned */
};

struct embed {
    embed_fetch *fetch;
    embed_later *later; /* NULL: everybody waits for fetch */
    void *context;
    int64_t budget_ns; /* of one request; 0: 150 ms */
    size_t batch;      /* texts of one question; 0: EMBED_BATCH */
    size_t shrunk;     /* after a failure, fewer; 0: as above */
    size_t dims;       /* 0 until the first answer */
    float *rows;       /* unit vectors, dims each */
    uint64_t *keys;    /* the text each belongs to */
    size_t count, cap;
    struct map by_key;           /* key -> row + 1, or that it is wanted */
    struct embed_wanted *wanted; /* in the order they came */
    size_t wanted_count, wanted_cap;
    struct {
        uint64_t key;
        float *vector; /* owned; of unit length */
    } recent[EMBED_RECENT];
    size_t recent_at;
    int64_t rest_until_ns;
};

/* For struct remote; context is the struct embed. A tool that is known or
 * waits already costs a look-up. */
void embed_learn(void *context, const struct tool *t);
int embed_score(void *context, const struct corpus *ix, str request,
                struct select_wait *wait, float *out, struct err *e);

/* What came of embed_later; r NULL: nothing, and the endpoint rests. */
int embed_heard(struct embed *m, uint64_t key, const struct embed_reply *r,
                struct err *e);

/* The texts that are next, at most EMBED_BATCH: fills texts and returns how
 * many. Their answer is handed to embed_take, or the failure to embed_refused.
 */
size_t embed_next(const struct embed *m, str texts[EMBED_BATCH]);
int embed_take(struct embed *m, size_t count, const struct embed_reply *r,
               struct err *e);

/* The endpoint failed: it rests, and what it could not embed goes to the end of
 * the queue in smaller batches, so that one bad text does not hold up all. */
void embed_refused(struct embed *m, size_t count);

/* Nanoseconds until it may be asked again; 0: now. */
int64_t embed_rests(const struct embed *m);

/* Embeds what waits, by fetch, until nothing does or the time is over. Stops at
 * the first failure and keeps what it has. */
int embed_drain(struct embed *m, int64_t budget_ns, struct err *e);

/* The cache file names the model: another model's vectors are not loaded
 * (ERR_MISSING). Saving replaces it whole. */
int embed_save(const struct embed *m, str model, const char *path,
               struct err *e);
int embed_load(struct embed *m, str model, const char *path, struct err *e);

void embed_fini(struct embed *m);

#endif
