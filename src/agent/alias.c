/* SPDX-License-Identifier: MIT */
#include "agent/alias.h"

#include "base/crypto.h"
#include "tools/names.h"

/* -- what is taken -----------------------------------------------------------
 */

/* What an API takes as the name of a tool. */
static const struct rule {
    size_t most;      /* bytes */
    const char *more; /* besides letters, digits, '_' and '-' */
    bool letter;      /* the first one is a letter or '_' */
} rules[] = {
    [API_CHAT] = {64, "", false},       [API_RESPONSES] = {64, "", false},
    [API_ANTHROPIC] = {128, "", false}, [API_GEMINI] = {128, ".:", true},
    [API_BEDROCK] = {64, "", false},
};

static bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

static bool takes_name(enum api api, str name) {
    const struct rule *r = &rules[api];
    if (name.n == 0 || name.n > r->most) return false;
    if (r->letter && name.p[0] != '_' &&
        (!is_alnum(name.p[0]) || name.p[0] <= '9'))
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!is_alnum(c) && c != '_' && c != '-' &&
            str_find_char(str_of(r->more), c) < 0)
            return false;
    }
    return true;
}

#define ID9 9

static bool takes_id(const struct vendor *to, str id) {
    if (!vendor_has(to, VENDOR_ID9)) return true;
    for (size_t i = 0; i < id.n; i++)
        if (!is_alnum(id.p[i])) return false;
    return id.n == ID9;
}

static bool names_call(const struct part *p) {
    return p->kind == PART_CALL || p->kind == PART_RESULT;
}

/* Of results some APIs say no name. */
static bool takes_part(const struct vendor *to, const struct part *p) {
    return !names_call(p) ||
           ((p->name.n == 0 || takes_name(to->api, p->name)) &&
            takes_id(to, p->id));
}

static bool takes_messages(const struct vendor *to, const struct messages *m) {
    for (const struct message *at = m->first; at; at = at->next)
        for (const struct part *p = at->parts.first; p; p = p->next)
            if (!takes_part(to, p)) return false;
    return true;
}

static bool takes_offers(const struct vendor *to, const struct offers *in) {
    for (const struct offer *o = in->first; o; o = o->next)
        if (o->kind != OFFER_OPAQUE && !takes_name(to->api, o->name))
            return false;
    return true;
}

/* -- changing ----------------------------------------------------------------
 */

struct changing {
    const struct vendor *to;
    const struct model_request *q;
    struct arena *arena;
    struct aliases *names;
    size_t room;
};

static int add_alias(struct changing *c, str name, str alias, struct err *e) {
    struct aliases *n = c->names;
    for (size_t i = 0; i < n->count; i++)
        if (str_eq(n->list[i].alias, alias))
            return fail(e, ERR_INVALID, "the tools %.*s and %.*s look alike",
                        STR_ARG(name), STR_ARG(n->list[i].name));
    if (offer_find(&c->q->offers, alias))
        return fail(e, ERR_INVALID, "the tools %.*s and %.*s look alike",
                    STR_ARG(name), STR_ARG(alias));
    if (n->count == c->room) {
        size_t room = c->room ? 2 * c->room : 16;
        struct alias *list = arena_zalloc(c->arena, room, sizeof *list, e);
        if (!list) return -1;
        for (size_t i = 0; i < n->count; i++)
            list[i] = n->list[i];
        n->list = list;
        c->room = room;
    }
    if (arena_dup(c->arena, name, &name, e)) return -1;
    n->list[n->count++] = (struct alias){name, alias};
    return 0;
}

static int change_name(struct changing *c, str *name, struct err *e) {
    str alias;
    if (name->n == 0 || takes_name(c->to->api, *name)) return 0;
    for (size_t i = 0; i < c->names->count; i++)
        if (str_eq(c->names->list[i].name, *name)) {
            *name = c->names->list[i].alias;
            return 0;
        }
    if (name_flat(STR(""), *name, c->arena, &alias, e) ||
        add_alias(c, *name, alias, e))
        return -1;
    *name = alias;
    return 0;
}

/* Nine letters made of the id: the same for a call and its result. */
static int change_id(struct changing *c, str *id, struct err *e) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    uint8_t digest[CRYPTO_SHA256];
    if (takes_id(c->to, *id)) return 0;
    char *text = arena_alloc(c->arena, ID9 + 1, e);
    if (!text || crypto_sha256(*id, digest, e)) return -1;
    for (size_t i = 0; i < ID9; i++)
        text[i] = letters[digest[i] % (sizeof letters - 1)];
    text[ID9] = '\0';
    *id = (str){text, ID9};
    return 0;
}

static int change_offers(struct changing *c, struct offers *out,
                         struct err *e) {
    struct offers all = {0};
    for (const struct offer *o = c->q->offers.first; o; o = o->next) {
        struct offer *copy = offers_add(&all, c->arena, e);
        if (!copy) return -1;
        *copy = *o;
        copy->next = NULL;
        if (o->kind != OFFER_OPAQUE && change_name(c, &copy->name, e))
            return -1;
    }
    *out = all;
    return 0;
}

static int change_message(struct changing *c, const struct message *from,
                          struct messages *to, struct err *e) {
    struct message *m = messages_add(to, from->role, c->arena, e);
    if (!m) return -1;
    *m = *from;
    m->next = NULL;
    m->parts = (struct part_list){0};
    for (const struct part *p = from->parts.first; p; p = p->next) {
        struct part *copy = parts_add(&m->parts, p->kind, c->arena, e);
        if (!copy) return -1;
        *copy = *p;
        copy->next = NULL;
        if (names_call(p) &&
            (change_name(c, &copy->name, e) || change_id(c, &copy->id, e)))
            return -1;
    }
    return 0;
}

static int change_messages(struct changing *c, struct messages *out,
                           struct err *e) {
    struct messages all = {0};
    for (const struct message *m = c->q->messages.first; m; m = m->next)
        if (change_message(c, m, &all, e)) return -1;
    *out = all;
    return 0;
}

static int change_choice(struct changing *c, struct choice *out,
                         struct err *e) {
    size_t n = out->allowed_count;
    if (change_name(c, &out->name, e)) return -1;
    if (n == 0) return 0;
    str *allowed = arena_zalloc(c->arena, n, sizeof *allowed, e);
    if (!allowed) return -1;
    for (size_t i = 0; i < n; i++) {
        allowed[i] = out->allowed[i];
        if (change_name(c, &allowed[i], e)) return -1;
    }
    out->allowed = allowed;
    return 0;
}

int alias_request(const struct vendor *to, const struct model_request *q,
                  struct arena *a, struct model_request *out,
                  struct aliases *names, struct err *e) {
    struct model_request changed = *q;
    struct changing c = {.to = to, .q = q, .arena = a, .names = names};
    *names = (struct aliases){0};
    if ((!takes_offers(to, &q->offers) &&
         (change_offers(&c, &changed.offers, e) ||
          change_choice(&c, &changed.choice, e))) ||
        (!takes_messages(to, &q->messages) &&
         change_messages(&c, &changed.messages, e)))
        return -1;
    *out = changed;
    return 0;
}

void alias_answer(const struct aliases *names, struct model_answer *m) {
    for (struct part *p = m->parts.first; p && names->count; p = p->next)
        for (size_t i = 0; p->kind == PART_CALL && i < names->count; i++)
            if (str_eq(p->name, names->list[i].alias)) {
                p->name = names->list[i].name;
                break;
            }
}
