/* SPDX-License-Identifier: MIT */
#include "gateway/hub.h"

#include <cordon.h>
#include <string.h>

#include "base/mem.h"
#include "gateway/hub_inside.h"
#include "gateway/uris.h"
#include "json/build.h"
#include "json/write.h"

#define MEMORY_MAX ((size_t)16 << 20)
#define LOCAL_MAX  ((size_t)64 << 20)
#define WAIT       (10 * HUB_SECOND)

#define TEXT_OF(x)  TEXT_OF_(x)
#define TEXT_OF_(x) #x
#define VERSION                   \
    TEXT_OF(CORDON_VERSION_MAJOR) \
    "." TEXT_OF(CORDON_VERSION_MINOR) "." TEXT_OF(CORDON_VERSION_PATCH)

/* -- waiting for the servers -------------------------------------------------
 */

bool hub_settled(const struct hub *h) {
    if (h->waited) return true;
    for (const struct member *m = h->members; m; m = m->next)
        if (!downstream_has_settled(m->down)) return false;
    return true;
}

static void tell_settled(struct io_task *t) {
    struct hub *h = t->data;
    while (h->waiters && hub_settled(h)) {
        struct hub_waiter *w = h->waiters;
        hub_unwait(w);
        w->done(w);
    }
    mem_trim(); /* the lists of all servers were read */
}

static void on_waited(struct io_timer *t) {
    struct hub *h = t->data;
    h->waited = true;
    tell_settled(&h->settled_task);
}

void hub_wait(struct hub *h, struct hub_waiter *w) {
    w->next = h->waiters;
    w->link = &h->waiters;
    if (w->next) w->next->link = &w->next;
    h->waiters = w;
    if (hub_settled(h)) loop_post(h->loop, &h->settled_task);
}

void hub_unwait(struct hub_waiter *w) {
    if (!w->link) return;
    *w->link = w->next;
    if (w->next) w->next->link = w->link;
    w->link = NULL;
}

/* -- requests ----------------------------------------------------------------
 */

/* The parameters with another name in place of the host's. */
static const struct json *with_member(struct mcp_request *r, const char *key,
                                      str value) {
    const struct json *params = mcp_params(r), *k = json_first(params), *out;
    struct json_build b = JSON_BUILD(mcp_arena(r));
    struct err e;
    build_object(&b);
    for (size_t i = json_len(params); i > 0; i--, k = json_skip(k + 1)) {
        str name = json_str(k);
        if (str_is(name, "_meta") || str_is(name, "requestState") ||
            str_is(name, "inputResponses"))
            continue; /* of this hop */
        build_key(&b, name);
        if (str_is(name, key))
            build_text(&b, value);
        else
            build_copy(&b, k + 1);
    }
    build_end(&b);
    if (!build_done(&b, &out, &e)) return out;
    mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    return NULL;
}

static void refuse_resource(struct mcp_request *r, str uri) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *data;
    struct err e;
    build_object(&b);
    build_put_text(&b, "uri", uri);
    build_end(&b);
    if (build_done(&b, &data, &e)) data = NULL;
    mcp_refuse(r, mcp_era(r) == MCP_MODERN ? RPC_BAD_PARAMS : RPC_NO_RESOURCE,
               data, "there is no such resource");
}

/* The server a URI belongs to, and what it calls it. */
static struct member *locate(struct hub *h, str uri, struct buf *inner) {
    str prefix;
    struct member *m = NULL;
    struct err e;
    if (uri_unwrap(uri, &prefix, inner)) m = member_by_uri(h, prefix);
    if (m) return m;
    buf_truncate(inner, 0);
    m = member_by_uri(h, STR(""));
    return m && !buf_add_str(inner, uri, &e) ? m : NULL;
}

static void read_resource(struct hub *h, struct mcp_request *r) {
    AUTO_BUF struct buf inner = BUF_MAX(64 << 10);
    str uri = json_get_text(mcp_params(r), "uri", (str){NULL, 0});
    if (!uri.p) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "params.uri is missing");
        return;
    }
    if (local_read_resource(h, r, uri) || hub_skill_read(h, r, uri)) return;
    struct member *m = locate(h, uri, &inner);
    if (!m) {
        refuse_resource(r, uri);
        return;
    }
    const struct json *params = with_member(r, "uri", buf_str(&inner));
    if (params) errand_forward(h, r, m, "resources/read", params);
}

static void get_prompt(struct hub *h, struct mcp_request *r) {
    str name = json_get_text(mcp_params(r), "name", STR(""));
    const struct prompt_at *at = list_find_prompt(h, name);
    if (!at) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown prompt '%.*s'",
                   STR_ARG(str_sub(name, 0, 100)));
    } else if (!at->member) {
        local_get_prompt(r, at->definition);
    } else {
        const struct json *params = with_member(r, "name", at->name);
        if (params) errand_forward(h, r, at->member, "prompts/get", params);
    }
}

static const struct json *with_reference(struct mcp_request *r, const char *key,
                                         str value) {
    const struct json *params = mcp_params(r), *out;
    const struct json *ref = json_get(params, "ref");
    struct json_build b = JSON_BUILD(mcp_arena(r));
    struct err e;
    build_object(&b);
    build_key(&b, STR("ref"));
    build_object(&b);
    build_put_text(&b, "type", json_get_text(ref, "type", STR("")));
    build_put_text(&b, key, value);
    build_end(&b);
    if (json_get(params, "argument"))
        build_put(&b, "argument", json_get(params, "argument"));
    if (json_get(params, "context"))
        build_put(&b, "context", json_get(params, "context"));
    build_end(&b);
    return build_done(&b, &out, &e) ? NULL : out;
}

static void answer_no_completion(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *result;
    struct err e;
    build_object(&b);
    build_key(&b, STR("completion"));
    build_object(&b);
    build_key(&b, STR("values"));
    build_array(&b);
    build_end(&b);
    build_end(&b);
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

static bool completes(const struct member *m) {
    struct mcp_client *c = m ? downstream_client(m->down) : NULL;
    return c && json_get(mcp_client_capabilities(c), "completions");
}

static void complete(struct hub *h, struct mcp_request *r) {
    AUTO_BUF struct buf inner = BUF_MAX(64 << 10);
    const struct json *ref = json_get(mcp_params(r), "ref"), *params = NULL;
    str uri = json_get_text(ref, "uri", (str){NULL, 0});
    str name = json_get_text(ref, "name", (str){NULL, 0});
    struct member *m = NULL;
    if (!uri.p && !name.p) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "params.ref names nothing");
        return;
    }
    if (uri.p) {
        m = locate(h, uri, &inner);
        params = m ? with_reference(r, "uri", buf_str(&inner)) : NULL;
    } else {
        const struct prompt_at *at = list_find_prompt(h, name);
        m = at ? at->member : NULL;
        params = m ? with_reference(r, "name", at->name) : NULL;
    }
    if (params && completes(m))
        errand_forward(h, r, m, "completion/complete", params);
    else
        answer_no_completion(r);
}

/* -- tools/call --------------------------------------------------------------
 */

static const struct hub_tool *own_tool(struct hub *h, str name) {
    for (size_t i = 0; i < h->tool_count; i++)
        if (str_eq(json_get_text(h->definitions[i], "name", STR("")), name))
            return &h->tools[i];
    return NULL;
}

static bool may_call(const struct hub *h, const struct mcp_request *r,
                     str name) {
    str scopes = mcp_who(r)->scopes;
    return !scopes.p || !h->config.allows ||
           h->config.allows(h->config.data, scopes, name);
}

static void call_tool(struct hub *h, struct mcp_request *r) {
    static const struct json none[] = {{.head = JSON_OBJECT, .as.span = 1}};
    const struct json *args = json_get(mcp_params(r), "arguments");
    str name = json_get_text(mcp_params(r), "name", STR(""));
    const struct hub_tool *own = own_tool(h, name);
    if (args && json_type(args) != JSON_OBJECT) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "params.arguments is no object");
    } else if (own) {
        own->call(own->data, h, r, args ? args : none);
    } else if (!registry_find(boundary_registry(h->config.boundary), name) ||
               !may_call(h, r, name)) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown tool '%.*s'",
                   STR_ARG(str_sub(name, 0, 100)));
    } else {
        errand_call_tool(h, r, name);
    }
}

/* -- the service -------------------------------------------------------------
 */

/* A request that came before the servers were ready. */
struct early {
    struct hub_waiter waiter;
    struct hub *hub;
    struct mcp_request *request;
};

static void dispatch(struct hub *h, struct mcp_request *r) {
    if (hub_skill_request(h, r)) return;
    switch ((int)mcp_method(r)) {
    case MCP_TOOLS_LIST: list_answer(h, r, HUB_TOOLS); break;
    case MCP_PROMPTS_LIST: list_answer(h, r, HUB_PROMPTS); break;
    case MCP_RESOURCES_LIST: list_answer(h, r, HUB_RESOURCES); break;
    case MCP_RESOURCE_TEMPLATES: list_answer(h, r, HUB_TEMPLATES); break;
    case MCP_TOOLS_CALL: call_tool(h, r); break;
    case MCP_PROMPTS_GET: get_prompt(h, r); break;
    case MCP_RESOURCES_READ: read_resource(h, r); break;
    case MCP_COMPLETE: complete(h, r); break;
    default: mcp_refuse(r, RPC_NO_METHOD, NULL, "not served here"); break;
    }
}

static void on_time(struct hub_waiter *w) {
    struct early *early = w->data;
    struct mcp_request *r = early->request;
    mcp_set_state(r, NULL);
    if (mcp_is_cancelled(r))
        mcp_refuse(r, RPC_INTERNAL, NULL, "cancelled");
    else
        dispatch(early->hub, r);
}

static bool can_answer_now(struct hub *h, struct mcp_request *r) {
    bool constant = mcp_method(r) == MCP_TOOLS_LIST && list_is_constant(h);
    return constant || hub_settled(h);
}

/* Its memory is the request's: it is there until the request is answered. */
static void wait_for_servers(struct hub *h, struct mcp_request *r) {
    struct err e;
    struct early *early = arena_zalloc(mcp_arena(r), 1, sizeof *early, &e);
    if (!early) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    *early = (struct early){{.done = on_time, .data = early}, h, r};
    hub_wait(h, &early->waiter);
}

/* Tools of the surface keep memos of their own. */
static bool is_own(struct hub *h, struct mcp_request *r) {
    return mcp_method(r) == MCP_TOOLS_CALL &&
           own_tool(h, json_get_text(mcp_params(r), "name", STR("")));
}

static void on_request(void *data, struct mcp_request *r) {
    struct hub *h = data;
    if (!is_own(h, r) && errand_resume(h, r)) return;
    if (can_answer_now(h, r))
        dispatch(h, r);
    else
        wait_for_servers(h, r);
}

static void on_cancelled(void *data, struct mcp_request *r) {
    struct hub *h = data;
    str name = json_get_text(mcp_params(r), "name", STR(""));
    const struct hub_tool *own =
        mcp_method(r) == MCP_TOOLS_CALL ? own_tool(h, name) : NULL;
    if (own) {
        if (own->cancelled) own->cancelled(own->data, r);
    } else if (mcp_state(r)) {
        errand_cancel(mcp_state(r));
    }
}

static void on_abandoned(void *data, str memo) {
    errand_abandon(data, memo);
}

static void on_watching(void *data, str uri, bool on) {
    AUTO_BUF struct buf inner = BUF_MAX(64 << 10);
    struct member *m = locate(data, uri, &inner);
    if (m) downstream_watch(m->down, buf_str(&inner), on);
}

static const struct json *on_tool(void *data, str name) {
    struct hub *h = data;
    struct entry *t =
        registry_find(boundary_registry(h->config.boundary), name);
    return t ? t->definition : NULL;
}

/* Legacy hosts may have any tool without a task, also one that its server has
 * only as such: then we wait for it. What is not known yet shows in the call.
 */
static enum mcp_task_support on_task_support(void *data, str name) {
    struct hub *h = data;
    const struct hub_tool *own = own_tool(h, name);
    struct entry *t =
        registry_find(boundary_registry(h->config.boundary), name);
    if (own) return mcp_task_support(h->definitions[own - h->tools]);
    if (!t) return MCP_TASK_OPTIONAL;
    return errand_task_support(member_of(h, t), t) == MCP_TASK_FORBIDDEN
               ? MCP_TASK_FORBIDDEN
               : MCP_TASK_OPTIONAL;
}

static const struct json *on_capabilities(void *data, enum mcp_era era) {
    struct hub *h = data;
    if (era != MCP_MODERN) return h->capabilities[0];
    return h->capabilities[h->skills ? 2 : 1];
}

/* -- the surface's own tools -------------------------------------------------
 */

int hub_add_tool(struct hub *h, const struct hub_tool *tool, struct err *e) {
    const struct json *definition;
    if (h->tool_count == HUB_TOOLS_MAX)
        return fail(e, ERR_LIMIT, "too many tools");
    if (json_parse(str_of(tool->definition), NULL, &h->memory, &definition, e))
        return fail_while(e, "definition of a tool");
    h->tools[h->tool_count] = *tool;
    h->definitions[h->tool_count++] = definition;
    return 0;
}

void hub_answer_text(struct mcp_request *r, str text, bool is_error) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_key(&b, STR("content"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", text);
    build_end(&b);
    build_end(&b);
    if (is_error) build_put_bool(&b, "isError", true);
    build_end(&b);
    mcp_answer_built(r, &b);
}

/* -- configuration -----------------------------------------------------------
 */

static struct member *same_member(struct hub *h,
                                  const struct server_spec *spec) {
    for (struct member *m = h->members; m; m = m->next)
        if (!strcmp(downstream_name(m->down), spec->name) &&
            !strcmp(m->mark, spec->mark))
            return m;
    return NULL;
}

static bool usable(const struct server_spec *s) {
    return !s->disabled && !s->problem;
}

/* Two servers cannot share what stands before their names. */
static int check_prefixes(const struct servers *s, struct err *e) {
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < i; k++)
            if (usable(&s->list[i]) && usable(&s->list[k]) &&
                !strcmp(s->list[i].prefix, s->list[k].prefix))
                return fail(e, ERR_INVALID,
                            "mcpServers: \"%s\" and \"%s\" "
                            "have the same prefix",
                            s->list[k].name, s->list[i].name);
    return 0;
}

/* Members that stay point into the new specs, the others are retired. */
static void keep_or_retire(struct hub *h, const struct servers *now) {
    struct member *next;
    for (struct member *m = h->members; m; m = next) {
        const struct server_spec *spec =
            servers_find(now, str_of(downstream_name(m->down)));
        next = m->next;
        if (spec && usable(spec) && !strcmp(spec->mark, m->mark))
            m->spec = spec;
        else
            member_retire(m);
    }
}

static void start_new(struct hub *h, const struct servers *now) {
    for (size_t i = 0; i < now->count; i++) {
        const struct server_spec *spec = &now->list[i];
        struct err e;
        if (spec->problem)
            log_warn(h->log, "%s is left out: %s", spec->name, spec->problem);
        if (!usable(spec) || same_member(h, spec)) continue;
        if (!member_new(h, spec, &e)) log_warn(h->log, "%s", e.text);
    }
}

int hub_configure(struct hub *h, const struct json *root,
                  const struct servers_context *context, struct err *e) {
    struct arena local = ARENA_MAX(LOCAL_MAX);
    const struct json *resources, *prompts, *roots;
    const struct json *folders = json_get(root, "skills");
    struct skill_set *skills = NULL;
    struct servers now;
    if (servers_read(root, context, &now, e)) return -1;
    if (check_prefixes(&now, e) ||
        local_read(root, &local, &resources, &prompts, &roots, e) ||
        (folders && !(skills = skill_set_new(folders, h->log, e)))) {
        servers_fini(&now);
        arena_fini(&local);
        return -1;
    }
    skill_set_free(h->skills);
    h->skills = skills;
    keep_or_retire(h, &now);
    struct servers old = h->servers;
    h->servers = now;
    arena_fini(&h->local_memory);
    h->local_memory = local;
    h->local_resources = resources;
    h->local_prompts = prompts;
    h->roots = roots;
    start_new(h, &h->servers);
    servers_fini(&old);
    for (int i = 0; i < HUB_LISTS; i++)
        list_dirty(h, (enum hub_list_kind)i);
    return 0;
}

/* -- beginning and end -------------------------------------------------------
 */

static const char legacy_capabilities[] =
    "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
    "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
    "\"completions\":{},\"logging\":{},"
    "\"tasks\":{\"list\":{},\"cancel\":{},"
    "\"requests\":{\"tools\":{\"call\":{}}}}}";
static const char modern_capabilities[] =
    "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
    "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
    "\"completions\":{},\"logging\":{},"
    "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

static const char skill_capabilities[] =
    "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
    "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
    "\"completions\":{},\"logging\":{},"
    "\"extensions\":{\"io.modelcontextprotocol/tasks\":{},"
    "\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}}";

static int set_up(struct hub *h, struct err *e) {
    const struct mcp_service service = {.name = "cordon",
                                        .title = "Cordon",
                                        .version = VERSION,
                                        .capabilities = on_capabilities,
                                        .handle = on_request,
                                        .cancelled = on_cancelled,
                                        .abandoned = on_abandoned,
                                        .tool = on_tool,
                                        .task_support = on_task_support,
                                        .watching = on_watching,
                                        .data = h};
    int64_t wait = h->config.wait_ns ? h->config.wait_ns : WAIT;
    if (json_parse(str_of(legacy_capabilities), NULL, &h->memory,
                   &h->capabilities[0], e) ||
        json_parse(str_of(modern_capabilities), NULL, &h->memory,
                   &h->capabilities[1], e) ||
        json_parse(str_of(skill_capabilities), NULL, &h->memory,
                   &h->capabilities[2], e))
        return -1;
    h->server = mcp_server_new(h->loop, &service, h->log, e);
    if (!h->server || surface_add_tools(h, e)) return -1;
    boundary_set_answers(
        h->config.boundary,
        (struct boundary_answers){.ask = member_answer_call, .data = h});
    return loop_timer(h->loop, &h->wait_timer, wait, e);
}

struct hub *hub_new(const struct hub_config *config, struct err *e) {
    struct hub *h = mem_zalloc(1, sizeof *h, e);
    if (!h) return NULL;
    h->config = *config;
    h->loop = config->loop;
    h->log = config->log;
    h->memory = ARENA_MAX(MEMORY_MAX);
    h->local_memory = ARENA_MAX(LOCAL_MAX);
    h->chosen = MAP_MAX(HUB_NAMES_MAX);
    h->wait_timer = (struct io_timer){.fn = on_waited, .data = h};
    h->settled_task = (struct io_task){.fn = tell_settled, .data = h};
    if (set_up(h, e)) {
        hub_free(h);
        return NULL;
    }
    return h;
}

struct mcp_server *hub_server(struct hub *h) {
    return h->server;
}

enum hub_surface hub_surface(const struct hub *h) {
    return h->config.surface;
}

struct boundary *hub_boundary(struct hub *h) {
    return h->config.boundary;
}

void hub_write_state(const struct hub *h, struct jw *w) {
    static const char *const names[] = {
        [DOWN_STARTING] = "starting",
        [DOWN_READY] = "ready",
        [DOWN_PAUSING] = "failed",
        [DOWN_ENDED] = "ended",
    };
    jw_array(w);
    for (const struct member *m = h->members; m; m = m->next) {
        jw_object(w);
        jw_put_text(w, "name", str_of(downstream_name(m->down)));
        jw_put_text(w, "state", str_of(names[downstream_state(m->down)]));
        jw_put_int(w, "tools", (int64_t)downstream_count(m->down, DOWN_TOOLS));
        if (*downstream_fault(m->down))
            jw_put_text(w, "fault", str_of(downstream_fault(m->down)));
        jw_end_object(w);
    }
    jw_end_array(w);
}

void hub_close(struct hub *h, void (*gone)(void *data), void *data) {
    h->gone = gone;
    h->gone_data = data;
    if (!h->members && !h->retired) {
        gone(data);
        return;
    }
    while (h->members)
        member_retire(h->members);
}

void hub_free(struct hub *h) {
    if (!h) return;
    h->gone = NULL;
    boundary_set_answers(h->config.boundary, (struct boundary_answers){0});
    errands_free(h);
    while (h->members)
        member_free(h->members);
    while (h->retired)
        member_free(h->retired);
    loop_timer_stop(&h->wait_timer);
    loop_unpost(h->loop, &h->settled_task);
    lists_free(h);
    mcp_server_free(h->server);
    surface_free(h);
    skill_set_free(h->skills);
    servers_fini(&h->servers);
    arena_fini(&h->local_memory);
    arena_fini(&h->memory);
    mem_free(h);
}
