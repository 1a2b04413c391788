/* SPDX-License-Identifier: MIT
 *
 * cluster -- categories for tools that declare none, from their vectors.
 *
 * Spherical k-means with fixed starts: the same index gives the same clusters.
 * A cluster lends its tools a share of its best score, as a category does (the
 * weight "route").
 */
#ifndef CORDON_TOOLS_SELECT_CLUSTER_H
#define CORDON_TOOLS_SELECT_CLUSTER_H

#include "tools/select/corpus.h"

/* Puts every living document that has no category and a vector into one of
 * `count` clusters (0: as many as the number of tools suggests). Declared
 * categories are left alone; clusters of an earlier call are made anew. */
int cluster_tools(struct corpus *ix, size_t count, struct err *e);

#endif
