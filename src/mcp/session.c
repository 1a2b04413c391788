/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/codec.h"
#include "base/hash.h"
#include "base/mem.h"
#include "mcp/serve.h"
#include "json/build.h"

static int set_up(struct mcp_server *s, struct mcp_session *session,
                  str principal, struct err *e) {
    session->server = s;
    session->arena = ARENA_MAX(1 << 20);
    session->watched = MAP_MAX(MCP_WATCHED_MAX);
    session->log_level = 0;
    session->next_id = 1;
    session->used_at = loop_now(s->loop);
    /* What ties a client to its session, though never what proves who it is.
     */
    if (hash_random_id(session->id, e) ||
        arena_dup(&session->arena, principal, &session->principal, e))
        return -1;
    return map_put(&s->by_id, str_of(session->id), session, NULL, e);
}

static bool in_use(const struct mcp_session *session) {
    if (session->stream && !session->streams) return true; /* a pipe */
    if (http_is_open(session)) return true;
    for (const struct mcp_request *r = session->server->requests; r;
         r = r->next)
        if (r->session == session && (!r->is_task || r->task.running))
            return true;
    return false;
}

/* Few clients say that they leave, so a new one takes the place of who was
 * silent the longest; should that one come back, it begins anew. */
static void make_room(struct mcp_server *s) {
    struct mcp_session *oldest = NULL;
    if (s->by_id.live < MCP_SESSIONS_MAX) return;
    for (struct mcp_session *p = s->sessions; p; p = p->next)
        if ((!oldest || p->used_at < oldest->used_at) && !in_use(p)) oldest = p;
    if (oldest) session_free(oldest);
}

struct mcp_session *session_new(struct mcp_server *s, str principal,
                                struct err *e) {
    make_room(s);
    if (s->by_id.live >= MCP_SESSIONS_MAX) {
        err_set(e, ERR_LIMIT, "too many sessions");
        return NULL;
    }
    struct mcp_session *session = mem_zalloc(1, sizeof *session, e);
    if (!session) return NULL;
    if (set_up(s, session, principal, e)) {
        arena_fini(&session->arena);
        mem_free(session);
        return NULL;
    }
    session->link = &s->sessions;
    session->next = s->sessions;
    if (session->next) session->next->link = &session->next;
    s->sessions = session;
    return session;
}

/* An id that became known is not enough: it must be the same principal. */
struct mcp_session *session_find(struct mcp_server *s, str id, str principal) {
    struct mcp_session *session = map_get(&s->by_id, id);
    if (!session || !str_eq(session->principal, principal)) return NULL;
    session->used_at = loop_now(s->loop);
    return session;
}

static void stop_watching(struct mcp_session *session) {
    const struct mcp_service *service = &session->server->service;
    const struct map_entry *entry;
    for (size_t i = 0; (entry = map_next(&session->watched, &i));)
        if (service->watching)
            service->watching(service->data, (str){entry->key, entry->key_len},
                              false);
}

/* Requests of the session that still run end without an answer, and then its
 * tasks: nobody waits for these by now. */
static void end_requests(struct mcp_session *session, bool tasks) {
    struct mcp_request *next;
    for (struct mcp_request *r = session->server->requests; r; r = next) {
        next = r->next;
        if (r->session != session || r->is_task != tasks) continue;
        r->session = NULL;
        r->caps = NULL; /* they are the session's */
        if (tasks)
            task_expire(r);
        else
            request_cancelled(r);
    }
}

void session_free(struct mcp_session *session) {
    end_requests(session, false);
    end_requests(session, true);
    stop_watching(session);
    http_forget(session);
    replay_forget(session);
    (void)map_del(&session->server->by_id, str_of(session->id));
    *session->link = session->next;
    if (session->next) session->next->link = session->link;
    map_fini(&session->watched);
    arena_fini(&session->arena);
    mem_free(session);
}

/* -- our own requests -------------------------------------------------------
 */

/* The question's parameters, and its name beside them. */
static int with_name(struct mcp_request *r, const struct mcp_need *need,
                     const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *p = need->params;
    const struct json *key = p ? json_first(p) : NULL;
    build_object(&b);
    for (size_t i = p ? json_len(p) : 0; i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "_meta")) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_key(&b, STR("_meta"));
    build_object(&b);
    build_put_text(&b, MCP_META_QUESTION, str_of(need->key));
    task_put_related(&b, r);
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

int session_ask(struct mcp_request *r, struct mcp_channel *c,
                struct mcp_need *need, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(MCP_MESSAGE_MAX);
    struct json id = {.head = JSON_INT};
    const struct json *params;
    if (!r->session || !c) return fail(e, ERR_PEER, "the client is gone");
    if (!need->id) need->id = r->session->next_id++;
    id.as.integer = (int64_t)need->id;
    if (with_name(r, need, &params, e) ||
        rpc_write_request(&id, need->method, params, &out, e))
        return -1;
    return c->send(c, buf_str(&out), e);
}

static bool is_asking(const struct mcp_request *r) {
    return r->waiting || (r->is_task && r->task.status == TASK_ASKING);
}

static struct mcp_need *find_need(struct mcp_session *session, int64_t id,
                                  struct mcp_request **owner) {
    for (struct mcp_request *r = session->server->requests; r; r = r->next)
        for (size_t i = r->round_start;
             r->session == session && is_asking(r) && i < r->need_count; i++)
            if (id > 0 && r->needs[i].id == (uint64_t)id &&
                !r->needs[i].answered) {
                *owner = r;
                return &r->needs[i];
            }
    return NULL;
}

static bool all_answered(const struct mcp_request *r) {
    for (size_t i = r->round_start; i < r->need_count; i++)
        if (!r->needs[i].answered) return false;
    return true;
}

/* The message's memory goes when this returns, so the answer is copied. */
void session_take_answer(struct mcp_session *session,
                         const struct rpc_message *m) {
    struct mcp_request *r;
    struct err e;
    if (!m->id || json_type(m->id) != JSON_INT) return;
    struct mcp_need *need = find_need(session, m->id->as.integer, &r);
    if (!need) return; /* late, or never asked: not an error */
    need->answered = true;
    if (m->kind == RPC_ERROR) {
        const struct mcp_service *service = &r->server->service;
        if (service->abandoned) service->abandoned(service->data, r->memo);
        mcp_refuse(r, RPC_INTERNAL, NULL, "the client refused %s: %.*s",
                   need->method, STR_ARG(rpc_error_message(m->error)));
        return;
    }
    struct json_build b = JSON_BUILD(&r->arena);
    build_copy(&b, m->result);
    if (build_done(&b, &need->answer, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else if (all_answered(r))
        input_complete(r);
}
