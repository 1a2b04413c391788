/* SPDX-License-Identifier: MIT
 *
 * cgroup -- limits on a task as a whole, on cgroup v2, v1 or both.
 *
 * With v2 one directory holds all limits. Where the controllers are still on
 * v1, one directory in each of memory, pids and cpu does, and a v2 directory
 * without controllers is added for its kill switch. All or nothing: where one
 * of the three limits cannot be set, opening fails and says which.
 */
#ifndef CORDON_SANDBOX_CGROUP_H
#define CORDON_SANDBOX_CGROUP_H

#include "sandbox/cage.h"

#include <sys/types.h>

enum cgroup_dir { CGROUP_UNIFIED, CGROUP_MEMORY, CGROUP_PIDS, CGROUP_CPU };
enum { CGROUP_DIRS = 4 };

/* Where groups of ours may be made: the group this process is in. */
struct cgroup_base {
    char path[CGROUP_DIRS][512]; /* "" where there is no such hierarchy */
    bool unified; /* v2 has the controllers; the v1 paths are not used */
};

/* Files that are read again and again; opening one costs more. */
enum cgroup_stat { STAT_PIDS, STAT_REFUSED, STAT_MEMORY, STAT_PEAK, STAT_OOM };
enum { CGROUP_STATS = 5 };

struct cgroup {
    char name[48];
    int parent[CGROUP_DIRS]; /* directories the group was made in, or -1 */
    int dir[CGROUP_DIRS];    /* the group's own, or -1 */
    int stat[CGROUP_STATS];  /* or -1 */
    bool unified;
};

#define CGROUP_NONE                              \
    ((struct cgroup){.parent = {-1, -1, -1, -1}, \
                     .dir = {-1, -1, -1, -1},    \
                     .stat = {-1, -1, -1, -1, -1}})

/* From the text of /proc/self/mountinfo and /proc/self/cgroup. */
int cgroup_find(str mountinfo, str own, struct cgroup_base *out, struct err *e);
int cgroup_here(struct cgroup_base *out, struct err *e);

int cgroup_open(const struct cgroup_base *base,
                const struct cage_limits *limits, struct cgroup *out,
                struct err *e);

/* The same in parts, for who has something else to do in between: what clone3
 * needs, what must be before the task runs, and what can wait. A group that was
 * begun is closed by the caller, whatever became of the rest. */
int cgroup_begin(const struct cgroup_base *base, struct cgroup *out,
                 struct err *e);
int cgroup_finish(const struct cgroup_base *base,
                  const struct cage_limits *limits, struct cgroup *g,
                  struct err *e);
void cgroup_settle(struct cgroup *g);

/* New limits for a group that is used again; its peak is forgotten. */
int cgroup_limit(const struct cgroup *g, const struct cage_limits *l,
                 struct err *e);

/* How a new process gets in. The v2 directory is given to clone3; v1 has a
 * file that the process writes "0" to: moving oneself, alone, needs none of
 * the locks that make moving another slow (tens of milliseconds on a busy
 * machine). fds[] receives descriptors of those files, or -1. */
int cgroup_doors(const struct cgroup *g, int fds[CGROUP_DIRS], struct err *e);
int cgroup_join(const int fds[CGROUP_DIRS], struct err *e);

/* Opens the statistics of a group whose directories are open. */
void cgroup_open_stats(struct cgroup *g);

/* What its processes did since it was made. */
struct cgroup_usage {
    uint64_t memory_peak, oom_kills, pids_refused;
};
void cgroup_usage(const struct cgroup *g, struct cgroup_usage *out);

/* What is in it at this moment. */
void cgroup_now(const struct cgroup *g, uint64_t *bytes, uint64_t *pids);

/* Starts the peak anew, where the kernel can. */
void cgroup_forget(const struct cgroup *g);

/* Kills what is in it, where the kernel offers that in one go. */
void cgroup_kill(const struct cgroup *g);

/* For a group that somebody else made and removes: closes what is open. */
void cgroup_drop(struct cgroup *g);
/* Nobody else will remove it: cgroup_close is to do that after all. */
void cgroup_adopt(struct cgroup *g);

/* Removes what a process that is gone had made: how many are in use still. */
size_t cgroup_sweep(pid_t pid);

/* Removes the directories; waits a moment for the last processes to be gone.
 */
int cgroup_close(struct cgroup *g, struct err *e);

#endif
