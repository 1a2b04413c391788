/* SPDX-License-Identifier: MIT
 *
 * trial -- one configuration of selection, run over sets of requests.
 *
 * Requests are split in two halves by a hash of their id, so that what is
 * tuned or remembered on one half can be judged on the other.
 */
#ifndef CORDON_TOOLS_SELECT_TRIAL_H
#define CORDON_TOOLS_SELECT_TRIAL_H

#include "tools/select/eval.h"
#include "tools/select/select.h"

enum half { HALF_BOTH, HALF_A, HALF_B };

struct trial_set {
    struct catalogue catalogue;
    struct eval_set queries;
    uint32_t *first;    /* rank of every group, by the last trial_run */
    bool *chosen;       /* the queries it ran and that have a tool */
    size_t off;         /* those that have none, */
    size_t off_refused; /* for which nothing was found to fit, */
    size_t refused;     /* and others for which nothing was found to fit */
};

/* Reads a corpus and its queries. */
int trial_open(struct trial_set *t, const char *corpus, const char *queries,
               struct err *e);
void trial_fini(struct trial_set *t);

enum half trial_half(str query_id);

/* Ranks every request of the half. history: so many past requests a tool, from
 * the other half (0: none). run (may be NULL) gets a line for each request. */
int trial_run(struct trial_set *t, const struct weights *w, enum half half,
              size_t history, struct buf *run, struct err *e);

/* Mean over the sets of recall@5 and recall@10, added: what tuning climbs. */
double trial_quality(const struct trial_set *sets, size_t count);

/* Climbs from *w on one half of the sets, one weight at a time, until no step
 * helps or `rounds` are over. note (may be NULL) is told of each gain. */
typedef void trial_note(void *context, const char *weight, float value,
                        double quality);
int trial_tune(struct trial_set *sets, size_t count, enum half half,
               size_t rounds, struct weights *w, trial_note *note,
               void *context, struct err *e);

#endif
