/* SPDX-License-Identifier: MIT
 *
 * embed -- cosines by an embeddings endpoint, when there is one.
 *
 * The endpoint is a callback (the HTTP client lies in a higher layer). Tools
 * are embedded once, in batches, and kept by a digest of their text, on disk
 * if wanted. A request has a budget: when the endpoint fails, is slow or
 * answers nonsense, selection goes on without it, and it is left alone for a
 * while. Nothing it answers is believed before it is checked.
 */
#ifndef CORDON_TOOLS_SELECT_EMBED_H
#define CORDON_TOOLS_SELECT_EMBED_H

#include "tools/catalogue.h"
#include "tools/select/select.h"

#define EMBED_BATCH  64
#define EMBED_DIMS   4096 /* at most */
#define EMBED_REST_S 30   /* seconds without the endpoint after a failure */

struct embed_reply {
    size_t count; /* vectors */
    size_t dims;
    const float *values; /* count x dims; valid until the next call */
};

/* Embeds texts within budget_ns; -1 and *e when that fails or takes longer. */
typedef int embed_fetch(void *context, const str *texts, size_t count,
                        int64_t budget_ns, struct embed_reply *reply,
                        struct err *e);

struct embed {
    embed_fetch *fetch;
    void *context;
    int64_t budget_ns; /* of one request; 0: 150 ms */
    size_t dims;       /* 0 until the first answer */
    float *rows;       /* unit vectors, dims each */
    uint64_t *keys;    /* the digest each belongs to */
    size_t count, cap;
    uint32_t *row_of; /* document -> row + 1; 0: none */
    size_t row_cap;
    uint64_t seen;     /* corpus.changes + 1 that row_of was made for */
    size_t seen_count; /* and count, then */
    int64_t rest_until_ns;
};

/* Embeds every tool that is not yet known. Stops at the first failure and
 * keeps what it has. */
int embed_tools(struct embed *m, const struct catalogue *c,
                const struct corpus *ix, int64_t budget_ns, struct err *e);

/* For struct remote; context is the struct embed. */
int embed_score(void *context, const struct corpus *ix, str request, float *out,
                struct err *e);

/* The cache file names the model: another model's vectors are not loaded
 * (ERR_MISSING). Saving replaces it whole. */
int embed_save(const struct embed *m, str model, const char *path,
               struct err *e);
int embed_load(struct embed *m, str model, const char *path, struct err *e);

void embed_fini(struct embed *m);

#endif
