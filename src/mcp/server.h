/* SPDX-License-Identifier: MIT
 *
 * server -- the serving side of MCP, in both eras, over any transport.
 *
 * What is served is a `struct mcp_service`: one function that gets requests
 * for tools, prompts, resources and completions and answers each when it can.
 * The protocol around it (handshake, sessions, discovery, subscriptions,
 * logging levels, cancellation, errors, headers) is done here.
 *
 * A request that needs something from the client (a form filled in, a model's
 * answer, its roots) is written once for both eras: the function asks for what
 * is missing with mcp_need() and ends with mcp_wait(); it is called again when
 * the answers are there and finds them with mcp_input(). In the modern era that
 * is an input-required result and a new request; in the legacy one the server
 * sends its own requests meanwhile.
 */
#ifndef CORDON_MCP_SERVER_H
#define CORDON_MCP_SERVER_H

#include "base/log.h"
#include "io/loop.h"
#include "mcp/protocol.h"
#include "mcp/rpc.h"
#include "json/build.h"

struct mcp_server;
struct mcp_request;

/* May a call of a tool become a task? As execution.taskSupport says it. */
enum mcp_task_support {
    MCP_TASK_FORBIDDEN,
    MCP_TASK_OPTIONAL,
    MCP_TASK_REQUIRED,
};
enum mcp_task_support mcp_task_support(const struct json *definition);

struct mcp_service {
    const char *name, *title, *version, *instructions; /* title.. may be NULL */
    enum mcp_era only; /* speaks this era alone; 0: both */
    /* Capabilities as a JSON object for an era; NULL leaves them out. */
    const struct json *(*capabilities)(void *data, enum mcp_era era);
    /* Called for every request of the service, and again after mcp_wait(). */
    void (*handle)(void *data, struct mcp_request *r);
    /* The client no longer wants the answer; may be NULL. The request must
     * still be answered (the answer is dropped). */
    void (*cancelled)(void *data, struct mcp_request *r);
    /* The definition of a tool, to check headers against its arguments; may be
     * NULL, and may return NULL. */
    const struct json *(*tool)(void *data, str name);
    /* In the legacy era the client says that its call becomes a task, and this
     * whether it may; where capabilities promise tasks. */
    enum mcp_task_support (*task_support)(void *data, str tool);
    /* A request that waited for the client's answers will not be called again;
     * may be NULL. */
    void (*abandoned)(void *data, str memo);
    /* Somebody (un)subscribed to a resource; may be NULL. */
    void (*watching)(void *data, str uri, bool on);
    void *data;
};

struct mcp_server *mcp_server_new(struct loop *loop,
                                  const struct mcp_service *service,
                                  struct log *log, struct err *e);

/* After the transports: server_free() of io comes first. */
void mcp_server_free(struct mcp_server *s);

/* -- a request, as the service sees it ---------------------------------------
 */

enum mcp_method mcp_method(const struct mcp_request *r);
enum mcp_era mcp_era(const struct mcp_request *r);
const struct json *mcp_params(const struct mcp_request *r); /* never NULL */

/* Who asks, as whoever accepted the connection found out. */
struct mcp_who {
    str principal; /* requests of another one are none of their business */
    str scopes;    /* separated by spaces; p NULL: not limited by scopes */
};
const struct mcp_who *mcp_who(const struct mcp_request *r);

/* The session it is part of: of the legacy era, of the pipe it came on, or of
 * the principal. */
str mcp_session_name(const struct mcp_request *r);

/* Memory that lives as long as the request. */
struct arena *mcp_arena(struct mcp_request *r);

/* A place for the service's own state of the request. */
void mcp_set_state(struct mcp_request *r, void *state);
void *mcp_state(const struct mcp_request *r);
bool mcp_is_cancelled(const struct mcp_request *r);

/* The client said it can do that: "sampling", "elicitation", "roots", or a
 * path such as the one of tasks. */
#define MCP_CAN_TASKS "extensions/io.modelcontextprotocol~1tasks"
bool mcp_client_can(const struct mcp_request *r, const char *capability);

/* Told while it runs; dropped when the client did not ask for it. */
void mcp_progress(struct mcp_request *r, double progress, double total,
                  const char *message);
void mcp_log_to(struct mcp_request *r, int level, const char *logger,
                const struct json *data);

/* Exactly one of these ends a request. The result is an object. */
void mcp_answer(struct mcp_request *r, const struct json *result);

/* With what was built, or an internal error when building failed. */
void mcp_answer_built(struct mcp_request *r, struct json_build *b);
void mcp_refuse(struct mcp_request *r, int code, const struct json *data,
                const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* -- what only the client can tell -------------------------------------------
 */

/* The client's answer to what was asked for under this key, or NULL. */
const struct json *mcp_input(const struct mcp_request *r, const char *key);

/* Asks: method is "elicitation/create", "sampling/createMessage" or
 * "roots/list". Nothing is sent before mcp_wait. A capability the client lacks
 * makes mcp_wait refuse the request. In the legacy era, whose questions have no
 * keys, it travels in _meta (MCP_META_QUESTION). */
void mcp_need(struct mcp_request *r, const char *key, const char *method,
              const struct json *params);

/* Until the answers are there. `memo` is handed back by mcp_memo() in the next
 * round; the client carries it sealed and cannot read or change it. */
void mcp_wait(struct mcp_request *r, str memo);
str mcp_memo(const struct mcp_request *r); /* p NULL in the first round */

/* -- answers that take long ---------------------------------------------------
 */

enum mcp_task_outcome {
    MCP_TASK_NONE,    /* it is none: answer as usual */
    MCP_TASK_MADE,    /* the client has been told; go on as usual, the answer is
                         kept for it */
    MCP_TASK_REFUSED, /* the request is over */
};

/* Turns the request into a task (modern clients that declared the extension;
 * that of a legacy client is one already when it wants that). With `required` a
 * modern client without tasks is refused, and so is one that has too many
 * already; otherwise the request stays what it is. */
enum mcp_task_outcome mcp_make_task(struct mcp_request *r, bool required);

/* -- things that happen without a request ------------------------------------
 */

enum mcp_list { MCP_LIST_TOOLS, MCP_LIST_PROMPTS, MCP_LIST_RESOURCES };

void mcp_list_changed(struct mcp_server *s, enum mcp_list list);
void mcp_resource_updated(struct mcp_server *s, str uri);

/* A person has done what the page of an elicitation was for: told to the legacy
 * client that was shown it (mcp_session_name); the modern era has no such
 * message. */
void mcp_elicitation_complete(struct mcp_server *s, str session, str id);

/* -- transports ---------------------------------------------------------------
 */

/* Serves lines on two descriptors; done is called at end of file. */
int mcp_serve_stdio(struct mcp_server *s, int in, int out,
                    void (*done)(void *data), void *data, struct err *e);

/* Answers one HTTP exchange at the MCP endpoint. The caller has checked who
 * asks (Host, Origin, token); who is copied, NULL: nobody in particular. */
struct exchange;
void mcp_serve_http(struct mcp_server *s, struct exchange *x,
                    const struct mcp_who *who);

#endif
