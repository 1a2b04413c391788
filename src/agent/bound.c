/* SPDX-License-Identifier: MIT */
#include "agent/bound.h"

#include "agent/bound_inside.h"
#include "base/mem.h"
#include "json/write.h"

#include <stdio.h>

struct bound *bound_new(const struct bound_config *config, struct err *e) {
    struct bound *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->config = *config;
    if (b->config.tools == 0) b->config.tools = BOUND_TOOLS;
    bound_only(b, NULL, 0);
    if (code_open(b, e) == 0) return b;
    bound_free(b);
    return NULL;
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
    code_close(b);
    arena_fini(&b->memory);
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

bool bound_wants(const struct bound *b, const struct entry *t) {
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

str bound_last_words(const struct messages *talk) {
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

static int offer_all(struct bound *b, struct registry *r, struct arena *a,
                     struct offers *out, struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++) {
        struct entry *t = registry_at(r, i);
        if (bound_wants(b, t) && offer_entry(b, t, a, out, e)) return -1;
    }
    return 0;
}

static int offer_session(struct bound *b, struct registry *r, struct arena *a,
                         struct offers *out, struct err *e) {
    for (size_t i = 0; i < b->session.count; i++) {
        struct entry *t = registry_find(r, str_of(b->session.ids[i]));
        if (t && bound_wants(b, t) && offer_entry(b, t, a, out, e)) return -1;
    }
    return 0;
}

/* The few that fit; and the rest within reach of programs. */
static int offer_some(struct bound *b, struct registry *r,
                      const struct messages *talk, struct arena *a,
                      struct offers *out, struct err *e) {
    bool code = b->config.mode == BOUND_AUTO && b->config.runs;
    note_used(b, talk);
    if (bound_select(b, r, talk, e) || (code && code_offer(b, a, out, e)))
        return -1;
    return offer_session(b, r, a, out, e);
}

static int offer(void *data, const struct messages *talk, struct arena *a,
                 struct offers *out, struct err *e) {
    struct bound *b = data;
    struct registry *r = boundary_registry(b->config.boundary);
    size_t count = registry_count(r), wanted = 0;
    let_go(b);
    b->talk = talk;
    b->code_offered = false;
    if (b->config.mode == BOUND_CODE) return code_offer(b, a, out, e);
    b->held = mem_zalloc(count + SESSION_TOOLS, sizeof(struct entry *), e);
    if (!b->held) return -1;
    for (size_t i = 0; i < count; i++)
        wanted += bound_wants(b, registry_at(r, i));
    if (wanted <= b->config.tools) return offer_all(b, r, a, out, e);
    return offer_some(b, r, talk, a, out, e);
}

bool bound_allows(void *bound, str scopes, str tool) {
    const struct bound *b = bound;
    (void)scopes;
    return is_wanted(b, tool);
}

/* -- what the model is shown besides -----------------------------------------
 */

int bound_said(struct bound *b, str text, struct err *e) {
    struct shown *s = boundary_shown(b->config.boundary, b->config.who.session);
    return s ? shown_user(s, text, e) : 0;
}

/* Anyone may have written it, and it is the user's own affair. */
int bound_attached(struct bound *b, str server, str what, str text,
                   struct err *e) {
    struct shown *s = boundary_shown(b->config.boundary, b->config.who.session);
    struct origin origin = {.server = server, .tool = what};
    struct label label = *label_unknown();
    label.origins = &origin;
    label.origin_count = 1;
    return s ? shown_text(s, text, &label, e) : 0;
}

/* -- results ----------------------------------------------------------------
 */

static int add_json(const struct json *v, struct arena *a,
                    struct part_list *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(BOUND_CALL_BYTES);
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

void bound_drop(struct bound_call *c) {
    *c->link = c->next;
    if (c->next) c->next->link = c->link;
    arena_fini(&c->arena);
    mem_free(c);
}

void bound_finish(struct bound_call *c, const struct agent_result *r) {
    struct agent_call *call = c->call;
    bound_drop(c);
    agent_done(call, r);
}

void bound_finish_text(struct bound_call *c, str text, bool failed) {
    bound_finish(c, &(struct agent_result){.text = text, .failed = failed});
}

static void refuse(struct bound_call *c, str message) {
    AUTO_BUF struct buf text = BUF_MAX(1024);
    struct jw w = JW(&text);
    struct err e;
    jw_object(&w);
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "code", STR("denied"));
    jw_put_text(&w, "message", message);
    jw_end_object(&w);
    jw_end_object(&w);
    bound_finish_text(c, jw_done(&w, &e) ? message : buf_str(&text), true);
}

void bound_finish_outcome(struct bound_call *c, const struct call_outcome *o) {
    AUTO_ARENA struct arena a = ARENA_MAX(BOUND_CALL_BYTES);
    struct part_list content = {0};
    struct agent_result r = {.content = &content};
    struct err e;
    bool done = o->status == CALL_DONE;
    r.failed = !done || json_get_bool(o->result, "isError", false);
    if (done ? bound_content(o->result, &a, &content, &e)
             : add_json(o->error, &a, &content, &e))
        bound_finish_text(c, str_of(e.text), true);
    else
        bound_finish(c, &r);
}

void bound_put(struct bound_call *c, str approval) {
    struct bound *b = c->bound;
    if (!b->config.approve || c->approval[0]) {
        refuse(c, STR("a person must approve this, and nobody can be asked"));
        return;
    }
    snprintf(c->approval, sizeof c->approval, "%.*s", STR_ARG(approval));
    b->config.approve(b->config.data, c, str_of(c->approval));
}

static void on_done(void *data, const struct call_outcome *o) {
    struct bound_call *c = data;
    c->under_way = NULL;
    if (!c->call) { /* cancelled: nobody waits */
        bound_drop(c);
        return;
    }
    if (o->status != CALL_ASKED)
        bound_finish_outcome(c, o);
    else
        bound_put(c, o->approval);
}

static void make_call(struct bound_call *c) {
    struct bound *b = c->bound;
    struct call_request r = {
        .name = c->name,
        .args = c->args,
        .who = b->config.who,
        .approval = str_of(c->approval),
        .doubt = c->doubt[0] ? c->doubt : NULL,
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
    c->next = b->calls;
    c->link = &b->calls;
    if (c->next) c->next->link = &c->next;
    b->calls = c;
    c->number = ++b->number;
    c->arena = ARENA_MAX(BOUND_CALL_BYTES);
    agent_call_keep(a, c);
    double sure = agent_call_sure(a);
    if (sure < 1)
        snprintf(c->doubt, sizeof c->doubt,
                 "the model was only %.0f%% sure that a tool must be called",
                 100 * sure);
    if (code_has(b, name))
        code_call(c);
    else
        make_call(c);
}

void bound_answer(struct bound_call *c, bool yes) {
    if (c->run[0])
        code_answer(c);
    else if (!yes)
        refuse(c, STR("the user said no to this call"));
    else if (c->need)
        bound_code_ask(c);
    else
        make_call(c);
}

static void cancel(void *data, struct agent_call *a) {
    struct bound_call *c = agent_call_state(a);
    struct call *under_way = c->under_way;
    (void)data;
    if (c->run[0]) {
        code_cancel(c);
        return;
    }
    /* done is called with "cancelled" from within: it must not reach the agent
     * any more */
    c->under_way = NULL;
    c->call = NULL;
    if (under_way)
        boundary_cancel(under_way, "the user stopped it");
    else
        bound_drop(c);
}

static bool reads(void *data, str name) {
    struct bound *b = data;
    const struct entry *t =
        registry_find(boundary_registry(b->config.boundary), name);
    if (code_has(b, name)) return code_reads(b, name);
    return t && (t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY));
}

struct agent_tools bound_tools(struct bound *b) {
    return (struct agent_tools){.offer = offer,
                                .call = call,
                                .cancel = cancel,
                                .reads = reads,
                                .data = b};
}
