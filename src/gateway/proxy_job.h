/* SPDX-License-Identifier: MIT
 *
 * proxy_job -- one exchange of the proxy; for proxy*.c alone.
 */
#ifndef CORDON_GATEWAY_PROXY_JOB_H
#define CORDON_GATEWAY_PROXY_JOB_H

#include "agent/emit.h"
#include "agent/textcall.h"
#include "base/map.h"
#include "gateway/proxy.h"
#include "gateway/recall.h"
#include "gateway/toolset.h"

#define JOB_GAP "\n\n"

struct key_state {
    int64_t minute, day;      /* the ones being counted */
    int64_t requests, tokens; /* in them */
};

/* What was used and counted: it outlives a change of the configuration. */
struct ledger {
    size_t refs;
    struct map keys; /* name -> struct key_state */
    struct proxy_counts counts;
};

struct proxy {
    struct proxy_config config;
    struct toolset_cache *sets;
    struct recall *recall;
    struct job *jobs;
    struct ledger *ledger;
};

struct job {
    struct proxy *proxy;
    struct job *next, **link;
    struct exchange *x; /* NULL once it is answered or gone */
    enum api api;       /* the app's */
    bool wants_stream;
    bool same; /* the model speaks the app's API */
    struct arena arena;
    struct model_request q; /* as the model gets it */
    struct offers given;    /* all tools of the app */
    struct recalled *known; /* whose they are, where they came before */
    struct toolset *set;
    struct select_wait chosen; /* while tools are chosen for it */
    struct model_config upstream;
    struct key_state *key; /* NULL: none */
    int64_t wait_s;        /* until it may ask again; 0: it may now */
    struct turn *turn;
    int asked;              /* again */
    struct part_list first; /* what stays of the attempts and rounds before */
    struct usage before;    /* of the attempts before this one */
    /* -- the gateway's own tools (proxy_tools.c) */
    str principal, scopes;
    struct offers ours;     /* those that are offered in this request */
    struct entry **entries; /* held while they are offered */
    size_t entry_count;
    int rounds;   /* of their calls so far */
    bool gap;     /* the next text is a paragraph of its own, */
    bool gap_due; /* and in the stream too */
    struct own_call *calls;
    size_t call_count, call_ended;
    bool starting; /* calls are being started */
    char session[STORE_ID];
    uint64_t number; /* of the last call */
    /* -- a stream to the app */
    bool opened;         /* its headers are out */
    struct buf held;     /* events that are not passed on yet */
    bool lost;           /* some could not be kept or sent */
    size_t told[2];      /* bytes of text and of thinking that were heard */
    size_t passed[2];    /* of them passed on */
    size_t parts_passed; /* and whole parts before them */
    size_t events_passed;
    bool rewritten;    /* what follows is not what was passed on */
    size_t parts_seen; /* begun, when others were last looked for */
    size_t others_out; /* parts that are no text and no call, written here */
    bool emitting;
    struct emit emit;
    struct textcall_reader reader; /* where calls stand in the text */
    struct io_timer ping;
};

/* Ends the exchange with an error in the API's shape, also in the middle of a
 * stream, and frees the job. */
void job_fail(struct job *j, unsigned status, const char *code,
              const char *message);
void job_free(struct job *j); /* a stream that is open is cut */
void job_cut(struct job *j);  /* likewise, and it counts as failed */

/* The exchange, which the job then has no more. */
struct exchange *job_take_exchange(struct job *j);

/* Ends it with an answer; changed says that m is not what the server sent. */
void job_answer(struct job *j, const struct model_answer *m, bool changed);

/* Passes on what a server says went wrong. */
void job_server_error(struct job *j, const struct model_answer *m);

/* Text to the app as it comes. */
extern const struct turn_events job_turn_events;
int job_ask(struct job *j, struct err *e);

/* What job_ask said: the app's doing, ours (no room for the audit log) or that
 * of the way to the model. */
void job_not_asked(struct job *j, const struct err *e);
void job_settle(struct job *j, const struct model_answer *m);

/* The answer as a message of the request, which outlives its turn. */
struct message *job_remember(struct job *j, const struct model_answer *m,
                             struct err *e);

/* The text of a part list goes before what is said next, and with it what else
 * the app must have of it, to send it back. */
int job_keep_round(struct job *j, const struct part_list *said, struct err *e);

/* Thoughts and the like that stand before the text that comes now. */
int job_emit_before(struct job *j, struct err *e);

/* Passed on as the server's own bytes? Only before any round of our own, and
 * not where calls stand in the text. */
static inline bool job_is_verbatim(const struct job *j) {
    return j->same && j->rounds == 0 && !j->upstream.text_calls;
}

/* From here on events are written here: what the server's were is taken up. */
int job_take_up(struct job *j, const struct model_answer *m, struct err *e);

/* -- the gateway's own tools (proxy_tools.c) ---------------------------------
 */

int own_offer(struct job *j, struct err *e); /* adds them to j->given */
bool own_has(const struct job *j, str name);
/* Carries out the calls of an answer, all of which are own ones; then the model
 * is asked again. */
int own_begin(struct job *j, const struct model_answer *m, struct err *e);
void own_fini(struct job *j);

#endif
