/* SPDX-License-Identifier: MIT
 *
 * hub_inside -- what the parts of the hub know of each other.
 */
#ifndef CORDON_GATEWAY_HUB_INSIDE_H
#define CORDON_GATEWAY_HUB_INSIDE_H

#include "base/map.h"
#include "call/downstream.h"
#include "gateway/hub.h"
#include "mcp/skill_set.h"
#include "tools/select/session.h"
#include "json/build.h"

#define HUB_MS     ((int64_t)1000000)
#define HUB_SECOND ((int64_t)1000000000)
enum {
    HUB_TOOLS_MAX = 64,     /* of the surface itself */
    HUB_QUESTIONS_MAX = 30, /* open at once for one request */
    HUB_PAGE = 2000,        /* items of one page of a list */
    HUB_NAMES_MAX = 1 << 20,
};

struct page;

/* A server as part of the hub. */
struct member {
    struct hub *hub;
    struct member *next, **link;
    const struct server_spec *spec; /* NULL once it is retired */
    struct downstream *down;
    struct provider *provider;
    struct mcp_auth *auth;
    char *prefix;       /* of tools and prompts */
    char *uri_prefix;   /* of resources */
    char *mark;         /* of the spec it was started with */
    char *home;         /* its private one, or NULL without a sandbox */
    bool key_told;      /* that its host's key is not the pinned one */
    struct page *pages; /* that hosts were shown for it, newest first */
    size_t page_count;
};

/* A list as hosts see it, made when it is asked for and something changed. */
struct hub_list {
    struct arena memory;
    const struct json *items; /* NULL: to be made */
    struct map by_name;       /* prompts: name -> struct prompt_at */
    bool told;                /* somebody has seen it: changes are told */
    bool small; /* tools: it had all of them, beside code mode's */
};

enum hub_list_kind {
    HUB_TOOLS,
    HUB_PROMPTS,
    HUB_RESOURCES,
    HUB_TEMPLATES,
    HUB_LISTS,
};

struct prompt_at {
    struct member *member; /* NULL: of the configuration */
    str name;              /* as the server knows it */
    const struct json *definition;
};

struct errand;

struct hub {
    struct hub_config config;
    struct loop *loop;
    struct log *log;
    struct mcp_server *server;
    struct servers servers;
    struct member *members, *retired;
    struct hub_list lists[HUB_LISTS];
    bool changed[HUB_LISTS]; /* to be told when change_timer runs out */
    struct io_timer change_timer, wait_timer;
    bool waited; /* wait_timer ran out: nobody waits any more */
    struct hub_waiter *waiters;
    struct io_task settled_task;
    struct errand *errands;
    struct arena memory;       /* of definitions and capabilities */
    struct arena local_memory; /* of what the configuration declares: */
    const struct json *local_resources, *local_prompts, *roots;
    struct skill_set *skills; /* NULL: none are configured */
    struct hub_tool tools[HUB_TOOLS_MAX];
    const struct json *definitions[HUB_TOOLS_MAX];
    size_t tool_count;
    const struct json *capabilities[3]; /* legacy, modern, modern with skills */
    struct map chosen; /* principal -> struct select_session; HUB_SELECT */
    void (*gone)(void *data);
    void *gone_data;
};

/* -- servers (hub_member.c) --------------------------------------------------
 */

struct member *member_by_uri(struct hub *h, str prefix);
struct member *member_of(const struct hub *h, const struct entry *tool);
struct member *member_new(struct hub *h, const struct server_spec *spec,
                          struct err *e);
/* What the server asks in a call, answered by the configuration: its roots, and
 * a model's word where the user allowed that. False: it does not, and answer
 * was not called. */
bool member_answer(struct member *m, str method, const struct json *params,
                   void (*answer)(void *to, const struct json *result),
                   void *to);
/* The same as struct boundary_answers has it; data is the hub. */
bool member_answer_call(void *data, const struct entry *tool, str method,
                        const struct json *params,
                        void (*answer)(void *to, const struct json *result),
                        void *to);
/* Takes its tools away and lets it end. */
void member_retire(struct member *m);
void member_free(struct member *m);

/* -- lists (hub_list.c) ------------------------------------------------------
 */

void list_answer(struct hub *h, struct mcp_request *r, enum hub_list_kind kind);
/* It is not what it was: hosts are told, soon. */
void list_dirty(struct hub *h, enum hub_list_kind kind);
/* The tools are the hub's own, whatever servers have. */
bool list_is_constant(const struct hub *h);
const struct prompt_at *list_find_prompt(struct hub *h, str name);
void lists_free(struct hub *h);

/* -- requests that servers answer (errand.c) ---------------------------------
 */

void errand_call_tool(struct hub *h, struct mcp_request *r, str name);
void errand_forward(struct hub *h, struct mcp_request *r, struct member *m,
                    const char *method, const struct json *params);
/* A further round of a request; false: it is the first. */
bool errand_resume(struct hub *h, struct mcp_request *r);
void errand_logged(struct hub *h, const struct member *m, str owner,
                   const struct json *params);
void errand_cancel(struct errand *t);
/* What the user says of it, or else its server. */
enum mcp_task_support errand_task_support(const struct member *m,
                                          const struct entry *tool);
void errand_abandon(struct hub *h, str memo);
void errands_free(struct hub *h);

/* -- pages that hosts were shown (hub_page.c) --------------------------------
 */

/* The host of the request is shown one: an elicitation's parameters. */
void page_shown(struct member *m, const struct mcp_request *r,
                const struct json *elicitation);
void pages_shown(struct member *m, const struct mcp_request *r,
                 const struct json *list); /* all of them; may be NULL */
/* The server says that a person is done with it. */
void page_done(struct member *m, str id);
void pages_free(struct member *m);

/* -- what the configuration declares (local.c) -------------------------------
 */

int local_read(const struct json *root, struct arena *a,
               const struct json **resources, const struct json **prompts,
               const struct json **roots, struct err *e);
void local_put(struct json_build *b, const struct json *item);
bool local_read_resource(struct hub *h, struct mcp_request *r, str uri);
int local_resource(const struct hub *h, str uri, struct arena *a,
                   const struct json **out, struct err *e);
int local_prompt(const struct json *definition, const struct json *given,
                 struct arena *a, const struct json **out, struct err *e);
void local_get_prompt(struct mcp_request *r, const struct json *definition);

/* -- skills (hub_skill.c) ----------------------------------------------------
 */

/* True when the request was one for skills, and is answered. */
bool hub_skill_request(struct hub *h, struct mcp_request *r);
bool hub_skill_read(struct hub *h, struct mcp_request *r, str uri);

/* -- the surfaces' own tools (surface.c) -------------------------------------
 */

int surface_add_tools(struct hub *h, struct err *e);
void surface_free(struct hub *h);
/* To everybody, whatever they chose. */
bool surface_offers(struct hub *h, const struct entry *t);
/* The caller calls it. */
void surface_used(struct hub *h, const struct mcp_request *r, str name);
/* What the caller has chosen, in that order; NULL: nothing. */
const struct select_session *surface_session(struct hub *h,
                                             const struct mcp_request *r);

#endif
