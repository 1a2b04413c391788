/* SPDX-License-Identifier: MIT */
#include "agent/bound.h"

#include "base/mem.h"
#include "tools/registry.h"
#include "tools/select/session.h"
#include "json/write.h"

#define CALL_BYTES ((size_t)256 << 20)

struct bound_call {
    struct bound *bound;
    struct bound_call *next, **link;
    struct agent_call *call;
    struct call *under_way; /* NULL: a person is asked, or it just began */
    str name;
    const struct json *args;
    uint64_t number;    /* the same when it is made again with an approval */
    struct arena arena; /* the approval's id */
    str approval;
};

struct bound {
    struct bound_config config;
    const str *only;
    size_t only_count;
    struct select_session session;
    struct entry **held; /* of the round, so that none goes away meanwhile */
    size_t held_count;
    struct bound_call *calls;
    uint64_t number;
};

struct bound *bound_new(const struct bound_config *config, struct err *e) {
    struct bound *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->config = *config;
    if (b->config.tools == 0) b->config.tools = BOUND_TOOLS;
    bound_only(b, NULL, 0);
    return b;
}

static void let_go(struct bound *b) {
    for (size_t i = 0; i < b->held_count; i++)
        entry_drop(b->held[i]);
    mem_free(b->held);
    b->held = NULL;
    b->held_count = 0;
}

void bound_free(struct bound *b) {
    if (!b) return;
    let_go(b);
    session_fini(&b->session);
    mem_free(b);
}

void bound_only(struct bound *b, const str *only, size_t count) {
    b->only = only ? only : b->config.only;
    b->only_count = only ? count : b->config.only_count;
}

/* -- offering ---------------------------------------------------------------
 */

static bool is_wanted(const struct bound *b, str name) {
    if (b->only_count == 0) return true;
    for (size_t i = 0; i < b->only_count; i++)
        if (str_glob(b->only[i], name)) return true;
    return false;
}

static bool is_callable(const struct bound *b, const struct entry *t) {
    return !(t->flags & (TOOL_SET_ASIDE | TOOL_QUARANTINED | TOOL_BUILTIN)) &&
           is_wanted(b, t->name);
}

static int offer_entry(struct bound *b, struct entry *t, struct arena *a,
                       struct offers *out, struct err *e) {
    struct offer *o = offers_add(out, a, e);
    if (!o) return -1;
    b->held[b->held_count++] = entry_hold(t);
    o->name = t->name;
    o->description = t->tool.description;
    o->schema = t->tool.input;
    return 0;
}

static str last_words(const struct messages *talk) {
    str words = STR("");
    for (const struct message *m = talk->first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next)
            if (p->kind == PART_TEXT && m->role == ROLE_USER) words = p->text;
    return words;
}

static void note_used(struct bound *b, const struct messages *talk) {
    for (const struct message *m = talk->first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next)
            if (p->kind == PART_CALL) session_use(&b->session, p->name);
}

static bool filter(void *data, str id) {
    struct bound *b = data;
    const struct entry *t =
        registry_find(boundary_registry(b->config.boundary), id);
    return t && is_callable(b, t);
}

static int select_some(struct bound *b, struct registry *r,
                       const struct messages *talk, struct err *e) {
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    struct selector *selector = registry_selector(r, e);
    struct select_request q = {.text = last_words(talk),
                               .k = b->config.tools,
                               .pad = true,
                               .filter = filter,
                               .filter_context = b};
    size_t added;
    if (!found || !selector || select_tools(selector, &q, found, e)) return -1;
    return session_offer(&b->session, &selector->corpus, found, &added, e);
}

static int offer_all(struct bound *b, struct registry *r, struct arena *a,
                     struct offers *out, struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++) {
        struct entry *t = registry_at(r, i);
        if (is_callable(b, t) && offer_entry(b, t, a, out, e)) return -1;
    }
    return 0;
}

static int offer_session(struct bound *b, struct registry *r, struct arena *a,
                         struct offers *out, struct err *e) {
    for (size_t i = 0; i < b->session.count; i++) {
        struct entry *t = registry_find(r, str_of(b->session.ids[i]));
        if (t && is_callable(b, t) && offer_entry(b, t, a, out, e)) return -1;
    }
    return 0;
}

static int offer(void *data, const struct messages *talk, struct arena *a,
                 struct offers *out, struct err *e) {
    struct bound *b = data;
    struct registry *r = boundary_registry(b->config.boundary);
    size_t count = registry_count(r), wanted = 0;
    let_go(b);
    b->held = mem_zalloc(count + SESSION_TOOLS, sizeof(struct entry *), e);
    if (!b->held) return -1;
    for (size_t i = 0; i < count; i++)
        wanted += is_callable(b, registry_at(r, i));
    if (wanted <= b->config.tools) return offer_all(b, r, a, out, e);
    note_used(b, talk);
    if (select_some(b, r, talk, e)) return -1;
    return offer_session(b, r, a, out, e);
}

/* -- results ----------------------------------------------------------------
 */

static int add_json(const struct json *v, struct arena *a,
                    struct part_list *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CALL_BYTES);
    struct part *p = parts_add(out, PART_TEXT, a, e);
    if (!p || json_write(v, JSON_COMPACT, &text, e)) return -1;
    return arena_dup(a, buf_str(&text), &p->text, e);
}

static int add_piece(const struct json *v, struct arena *a,
                     struct part_list *out, struct err *e) {
    str type = json_get_text(v, "type", STR(""));
    if (str_is(type, "text")) {
        struct part *p = parts_add(out, PART_TEXT, a, e);
        if (!p) return -1;
        p->text = json_get_text(v, "text", STR(""));
        return 0;
    }
    if (!str_is(type, "image")) return add_json(v, a, out, e);
    struct part *p = parts_add(out, PART_IMAGE, a, e);
    if (!p) return -1;
    p->mime = json_get_text(v, "mimeType", STR("image/png"));
    p->data = json_get_text(v, "data", STR(""));
    return 0;
}

int bound_content(const struct json *result, struct arena *a,
                  struct part_list *out, struct err *e) {
    const struct json *content = json_get(result, "content");
    const struct json *value = json_get(result, "structuredContent");
    bool pieces = content && json_type(content) == JSON_ARRAY;
    size_t n = pieces ? json_len(content) : 0;
    const struct json *item = n > 0 ? json_first(content) : NULL;
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (add_piece(item, a, out, e)) return -1;
    if (n == 0 && value) return add_json(value, a, out, e);
    return n == 0 && !value && result && !pieces ? add_json(result, a, out, e)
                                                 : 0;
}

/* -- calling ----------------------------------------------------------------
 */

static void drop_call(struct bound_call *c) {
    *c->link = c->next;
    if (c->next) c->next->link = c->link;
    arena_fini(&c->arena);
    mem_free(c);
}

static void finish(struct bound_call *c, const struct agent_result *r) {
    struct agent_call *call = c->call;
    drop_call(c);
    agent_done(call, r);
}

static void finish_text(struct bound_call *c, const char *text) {
    struct agent_result r = {.text = str_of(text), .failed = true};
    finish(c, &r);
}

static void finish_outcome(struct bound_call *c, const struct call_outcome *o) {
    AUTO_ARENA struct arena a = ARENA_MAX(CALL_BYTES);
    struct part_list content = {0};
    struct agent_result r = {.content = &content};
    struct err e;
    bool done = o->status == CALL_DONE;
    r.failed = !done || json_get_bool(o->result, "isError", false);
    if (done ? bound_content(o->result, &a, &content, &e)
             : add_json(o->error, &a, &content, &e))
        finish_text(c, e.text);
    else
        finish(c, &r);
}

static void on_done(void *data, const struct call_outcome *o) {
    struct bound_call *c = data;
    struct bound *b = c->bound;
    struct err e;
    c->under_way = NULL;
    if (!c->call) { /* cancelled: nobody waits */
        drop_call(c);
        return;
    }
    if (o->status != CALL_ASKED) {
        finish_outcome(c, o);
        return;
    }
    if (!b->config.approve || c->approval.n > 0 ||
        arena_dup(&c->arena, o->approval, &c->approval, &e)) {
        finish_text(c, "{\"error\":{\"code\":\"denied\",\"message\":\"a person "
                       "must approve this, and nobody can be asked\"}}");
        return;
    }
    b->config.approve(b->config.data, c, c->approval);
}

static void make_call(struct bound_call *c) {
    struct bound *b = c->bound;
    struct call_request r = {
        .name = c->name,
        .args = c->args,
        .who = b->config.who,
        .approval = c->approval,
        .done = on_done,
        .data = c,
    };
    r.who.kind = "loop";
    r.who.number = c->number;
    r.who.can_ask = b->config.approve != NULL;
    struct call *under_way = boundary_call(b->config.boundary, &r);
    if (under_way) c->under_way = under_way;
}

static void call(void *data, struct agent_call *a, str name,
                 const struct json *args) {
    struct bound *b = data;
    struct err e;
    struct bound_call *c = mem_zalloc(1, sizeof *c, &e);
    if (!c) {
        agent_done(a, &(struct agent_result){.text = STR("out of memory"),
                                             .failed = true});
        return;
    }
    c->bound = b;
    c->call = a;
    c->name = name;
    c->args = args;
    c->arena = ARENA_MAX(65536);
    c->next = b->calls;
    c->link = &b->calls;
    if (c->next) c->next->link = &c->next;
    b->calls = c;
    c->number = ++b->number;
    agent_call_keep(a, c);
    make_call(c);
}

void bound_answer(struct bound_call *c, bool yes) {
    if (yes)
        make_call(c);
    else
        finish_text(c, "{\"error\":{\"code\":\"denied\",\"message\":\"the user "
                       "said no to this call\"}}");
}

static void cancel(void *data, struct agent_call *a) {
    struct bound_call *c = agent_call_state(a);
    (void)data;
    struct call *under_way = c->under_way;
    /* done is called with "cancelled" from within: it must not reach the agent
     * any more */
    c->under_way = NULL;
    c->call = NULL;
    if (under_way)
        boundary_cancel(under_way, "the user stopped it");
    else
        drop_call(c);
}

static bool reads(void *data, str name) {
    struct bound *b = data;
    const struct entry *t =
        registry_find(boundary_registry(b->config.boundary), name);
    return t && (t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY));
}

struct agent_tools bound_tools(struct bound *b) {
    return (struct agent_tools){.offer = offer,
                                .call = call,
                                .cancel = cancel,
                                .reads = reads,
                                .data = b};
}
