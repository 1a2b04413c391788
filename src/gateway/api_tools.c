/* SPDX-License-Identifier: MIT
 *
 * Tools, questions, kept results and the audit log of the HTTP API.
 */
#include <stdio.h>

#include "base/codec.h"
#include "base/mem.h"
#include "call/approval.h"
#include "gateway/api_inside.h"
#include "tools/stub.h"

/* -- tools
 * ----------------------------------------------------------------------
 */

static bool may_use(const struct api_call *c, const struct entry *t) {
    const struct api_config *config = &c->api->config;
    return !c->scopes.p || !config->allows ||
           config->allows(config->data, c->scopes, t->name);
}

static int put_tool(struct api_call *c, const struct entry *t,
                    enum stub_detail detail, struct err *e) {
    AUTO_BUF struct buf stub = BUF_MAX((size_t)1 << 20);
    const struct json *shape = boundary_shape(c->api->config.boundary, t);
    if (stub_write(t, detail, shape, &stub, e)) return -1;
    jw_object(&c->w);
    jw_put_text(&c->w, "name", t->name);
    jw_put_text(&c->w, "server", t->tool.server);
    jw_put_text(&c->w, "signature", str_trim(buf_str(&stub)));
    if (t->fault) jw_put_text(&c->w, "fault", str_of(t->fault));
    if (t->flags & TOOL_QUARANTINED)
        jw_put_text(&c->w, "quarantined",
                    str_of(t->doubt ? t->doubt : "its definition changed"));
    if (detail == STUB_FULL) {
        jw_key(&c->w, "definition");
        jw_value(&c->w, t->definition);
    }
    jw_end_object(&c->w);
    return 0;
}

static str text_or_none(str s) {
    return s.p ? s : STR("");
}

static bool may_find(void *context, str id) {
    const struct api_call *c = context;
    const struct entry *t =
        registry_find(boundary_registry(c->api->config.boundary), id);
    return t && !(t->flags & TOOL_QUARANTINED) && may_use(c, t);
}

/* An endpoint that is waited for makes this be tried again. */
static int put_found(struct api_call *c, str query, size_t limit,
                     struct err *e) {
    struct registry *registry = boundary_registry(c->api->config.boundary);
    struct selector *selector = registry_selector(registry, e);
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    struct select_request request = {
        .text = query,
        .who = c->principal.p ? c->principal : STR(""),
        .k = limit,
        .server = text_or_none(exchange_query(c->exchange, "server")),
        .category = text_or_none(exchange_query(c->exchange, "category")),
        .filter = may_find,
        .filter_context = c,
        .wait = &c->found};
    if (!selector || !found) return -1;
    if (select_tools(selector, &request, found, e)) {
        if (e->kind != ERR_WAITING) return -1;
        api_keep(c);
        return 0;
    }
    jw_array(&c->w);
    for (size_t i = 0; i < found->count; i++) {
        str id = corpus_id(&selector->corpus, found->items[i].doc);
        const struct entry *t = registry_find(registry, id);
        if (t && put_tool(c, t, STUB_BRIEF, e)) return -1;
    }
    jw_end_array(&c->w);
    return 0;
}

int api_tools(struct api_call *c, struct err *e) {
    struct registry *registry = boundary_registry(c->api->config.boundary);
    str query = exchange_query(c->exchange, "query");
    int64_t limit = api_query_int(c, "limit", query.p ? 0 : 1000);
    if (query.p)
        return put_found(c, query, (size_t)(limit > 30 ? 30 : limit), e);
    jw_array(&c->w);
    for (size_t i = 0; i < registry_count(registry) && limit > 0; i++) {
        const struct entry *t = registry_at(registry, i);
        if (t->flags & TOOL_BUILTIN || !may_use(c, t)) continue;
        if (put_tool(c, t, STUB_BRIEF, e)) return -1;
        limit--;
    }
    jw_end_array(&c->w);
    return 0;
}

int api_tool(struct api_call *c, struct err *e) {
    struct registry *registry = boundary_registry(c->api->config.boundary);
    const struct entry *t = registry_find(registry, c->id);
    if (!t || !may_use(c, t))
        return fail(e, ERR_MISSING, "there is no tool '%.*s'",
                    STR_ARG(str_sub(c->id, 0, 100)));
    return put_tool(c, t, STUB_FULL, e);
}

/* -- calls
 * ----------------------------------------------------------------------
 */

static void on_called(void *data, const struct call_outcome *o) {
    static const char *const words[] = {"failed", "waiting", "done"};
    struct api_call *c = data;
    struct jw *w = &c->w;
    c->call = NULL;
    jw_object(w);
    jw_put_text(w, "status", str_of(words[o->status]));
    if (o->value) {
        jw_key(w, "value");
        jw_value(w, o->value);
    }
    if (o->result) {
        jw_key(w, "result");
        jw_value(w, o->result);
    }
    if (o->error) {
        jw_key(w, "error");
        jw_value(w, o->error);
    }
    if (o->approval.n) jw_put_text(w, "approval", o->approval);
    jw_end_object(w);
    if (c->later) api_answer(c);
}

int api_call(struct api_call *c, struct err *e) {
    struct registry *registry = boundary_registry(c->api->config.boundary);
    const struct entry *t = registry_find(registry, c->id);
    str approval = exchange_query(c->exchange, "approval");
    if (t && !may_use(c, t))
        return fail(e, ERR_MISSING, "there is no tool '%.*s'",
                    STR_ARG(str_sub(c->id, 0, 100)));
    if (arena_dup(&c->arena, approval.p ? approval : STR(""), &approval, e) ||
        arena_dup(&c->arena, c->id, &c->id, e))
        return -1;
    struct call_request q = {
        .name = c->id,
        .args = c->body,
        .who = {.kind = "api",
                .principal = c->principal,
                .client = STR("api"),
                .session = c->principal,
                .can_ask = true},
        .approval = approval,
        .done = on_called,
        .data = c,
    };
    c->call = boundary_call(c->api->config.boundary, &q);
    if (c->call) api_keep(c);
    return 0;
}

/* -- questions
 * ------------------------------------------------------------------
 */

static int put_approval(struct api_call *c, const struct store_approval *p,
                        struct err *e) {
    struct jw *w = &c->w;
    jw_object(w);
    jw_put_text(w, "approval", p->id);
    jw_put_text(w, "state", str_of(approval_state_name(p->state)));
    jw_put_text(w, "tool", p->tool);
    jw_put_text(w, "run", p->run);
    jw_put_text(w, "principal", p->principal);
    jw_put_int(w, "created", p->created / 1000000);
    jw_put_int(w, "expires", p->expires / 1000000);
    jw_key(w, "card");
    jw_raw(w, p->card);
    if (approval_put_batch(c->api->config.store, p, w, e)) return -1;
    jw_end_object(w);
    return 0;
}

static int add_approval(void *data, const struct store_approval *p,
                        struct err *e) {
    struct api_call *c = data;
    if (api_may_approve(c) || api_may_see(c, p->principal))
        return put_approval(c, p, e);
    return 0;
}

int api_approvals(struct api_call *c, struct err *e) {
    struct store_approval_filter f = {
        .only_pending = api_query_int(c, "all", 0) == 0, .max = 1000};
    jw_array(&c->w);
    if (approval_cards(c->api->config.store, &f, add_approval, c, e)) return -1;
    jw_end_array(&c->w);
    return 0;
}

int api_approval(struct api_call *c, struct err *e) {
    struct store_approval p;
    if (store_approval_get(c->api->config.store, c->id, &c->arena, &p, e))
        return -1;
    if (!api_may_approve(c) && !api_may_see(c, p.principal))
        return fail(e, ERR_MISSING, "approval %.*s: not in the store",
                    STR_ARG(c->id));
    return put_approval(c, &p, e);
}

int api_decide(struct api_call *c, struct err *e) {
    enum approval_choice choice;
    const char *by;
    if (!api_may_approve(c))
        return fail(e, ERR_DENIED, "the scope 'approve' is wanted for that");
    if (approval_choice_read(json_get_text(c->body, "answer", STR("")), &choice,
                             e) ||
        !(by = arena_printf(&c->arena, e, "api:%.*s", STR_ARG(c->principal))) ||
        approval_answer(c->api->config.store, c->api->config.audit, c->id,
                        choice, str_of(by), e))
        return -1;
    return api_approval(c, e);
}

/* -- kept results
 * ---------------------------------------------------------------
 */

int api_result(struct api_call *c, struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(STORE_BLOB_MAX);
    char type[64];
    size_t size;
    int64_t from = api_query_int(c, "from", 0);
    int64_t max = api_query_int(c, "bytes", 1 << 20);
    str owner = exchange_query(c->exchange, "owner");
    if (c->scopes.p && !owner.p)
        return fail(e, ERR_INVALID, "owner: the run or session is wanted");
    if (store_blob_get(c->api->config.store, c->id, owner.p ? owner : STR(""),
                       (size_t)from, (size_t)max, &bytes, &size, type, e))
        return -1;
    AUTO_BUF struct buf text = BUF_MAX(2 * STORE_BLOB_MAX);
    if (base64_encode(buf_str(&bytes), &text, e)) return -1;
    jw_object(&c->w);
    jw_put_text(&c->w, "handle", c->id);
    jw_put_text(&c->w, "type", str_of(type));
    jw_put_int(&c->w, "bytes", (int64_t)size);
    jw_put_int(&c->w, "from", from);
    jw_put_text(&c->w, "base64", buf_str(&text));
    jw_end_object(&c->w);
    return 0;
}

/* -- the audit log
 * --------------------------------------------------------------
 */

struct reading {
    struct api_call *call;
    str kind;
    int64_t left;
};

static int add_line(void *data, const struct audit_event *ev, struct err *e) {
    struct reading *r = data;
    (void)e;
    if (r->kind.p && !str_glob(r->kind, ev->kind)) return 0;
    if (r->left-- <= 0) return 1;
    jw_raw(&r->call->w, str_trim(ev->line));
    return 0;
}

int api_audit(struct api_call *c, struct err *e) {
    int64_t limit = api_query_int(c, "limit", 100);
    struct reading r = {c, exchange_query(c->exchange, "kind"),
                        limit > 10000 ? 10000 : limit};
    if (c->scopes.p && !front_has_scope(c->scopes, STR("audit")))
        return fail(e, ERR_DENIED, "the scope 'audit' is wanted for that");
    jw_array(&c->w);
    if (audit_each(c->api->config.audit_dir,
                   (uint64_t)api_query_int(c, "from", 1), add_line, &r, e) < 0)
        return -1;
    jw_end_array(&c->w);
    return 0;
}
