/* SPDX-License-Identifier: MIT
 *
 * agent_inside -- what agent.c and agent_calls.c share. Not for others.
 */
#ifndef CORDON_AGENT_AGENT_INSIDE_H
#define CORDON_AGENT_AGENT_INSIDE_H

#include "agent/agent.h"
#include "agent/textcall.h"
#include "base/map.h"

#define AGENT_TURNS      20
#define AGENT_CALLS      200
#define AGENT_CONCURRENT 32
#define AGENT_IDLE       5

struct agent {
    struct agent_config config;
    struct arena arena; /* of the conversation */
    struct arena round; /* of the tools on offer */
    struct messages talk;
    struct offers offers; /* of this round */
    struct turn *turn;
    bool busy, finished, stopping;
    struct io_timer deadline;      /* of limits.wall_ns */
    bool told;                     /* some of this answer, as it came */
    struct textcall_reader reader; /* of it, where calls stand in text */
    int mistakes;
    int idle;    /* rounds in a row in which no call could be made */
    double sure; /* of calling, or not; -1: not known */
    struct model_answer unsure; /* that a person looks at; in the turn */
    bool insisted;              /* they decided: once for each question */
    int turns;                  /* in place of the config's, if not 0 */
    int64_t began;
    struct agent_spent spent;
    enum agent_end end;
    struct err why;
    struct io_task ending;
    /* -- calls of the last answer */
    struct agent_call *calls; /* in order */
    size_t call_count, running, ended;
    bool starting;      /* calls_start is at work: ends are only noted */
    struct map ids;     /* of all calls of the conversation */
    struct map repeats; /* name and arguments -> struct repeat */
};

/* Asks the model again, unless a limit or the user says no. */
void agent_next(struct agent *g);
void agent_finish(struct agent *g, enum agent_end end, const char *why);

/* Carries out the calls of a message; then agent_next. */
int calls_begin(struct agent *g, struct message *said, struct err *e);
/* Each that has not ended gets a result that says so. */
void calls_stop(struct agent *g, const char *why);
void calls_abandon(struct agent *g); /* nobody is told any more */

#endif
