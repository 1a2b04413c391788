/* SPDX-License-Identifier: MIT
 *
 * The description of a task as the configuration writes it.
 */
#include "sandbox/cage.h"

static int json_text(const struct json *v, const char *what, str *out,
                     struct err *e) {
    if (json_type(v) != JSON_STRING)
        return fail(e, ERR_INVALID, "%s: a string is wanted, not %s", what,
                    json_type_name(json_type(v)));
    *out = json_str(v);
    return 0;
}

typedef int adder(struct cage *c, str item, struct err *e);

static int add_ro(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RO, s, e);
}

static int add_rw(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RW, s, e);
}

static int add_overlay(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_OVERLAY, s, e);
}

static const struct member {
    const char *name;
    adder *add;
    bool list; /* an array of strings, else one string */
} members[] = {
    {"tier", cage_set_tier, false},
    {"net", cage_set_net, false},
    {"root", cage_set_root, false},
    {"cwd", cage_set_cwd, false},
    {"ro_bind", add_ro, true},
    {"bind", add_rw, true},
    {"overlay", add_overlay, true},
    {"egress", cage_add_egress, true},
    {"allow_missing", cage_allow_missing, true},
};

static int set_member(struct cage *c, const struct member *m,
                      const struct json *v, struct err *e) {
    str text;
    if (!m->list)
        return json_text(v, m->name, &text, e) || m->add(c, text, e) ? -1 : 0;
    if (json_type(v) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "%s: a list of strings is wanted", m->name);
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        if (json_text(item, m->name, &text, e) || m->add(c, text, e)) return -1;
    return 0;
}

static int json_env(struct cage *c, const struct json *v, struct err *e) {
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "env: an object is wanted");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        str value;
        if (json_text(key + 1, "env", &value, e)) return -1;
        char *text = arena_printf(c->arena, e, "%.*s=%.*s",
                                  STR_ARG(json_str(key)), STR_ARG(value));
        if (!text || cage_add_env(c, str_of(text), e)) return -1;
    }
    return 0;
}

static int json_limits(struct cage *c, const struct json *v, struct err *e) {
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "limits: an object is wanted");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        AUTO_BUF struct buf text = BUF_MAX(64);
        const struct json *value = key + 1;
        int rc = json_type(value) == JSON_STRING
                     ? buf_add_str(&text, json_str(value), e)
                     : json_write(value, JSON_COMPACT, &text, e);
        if (rc || cage_set_limit(c, json_str(key), buf_str(&text), e))
            return -1;
    }
    return 0;
}

static int json_credentials(struct cage *c, const struct json *v,
                            struct err *e) {
    if (json_type(v) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "credentials: a list is wanted");
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        if (cage_add_credential(
                c, json_get_text(item, "host", STR("")),
                json_get_text(item, "header", STR("Authorization")),
                json_get_text(item, "value", STR("")), e))
            return -1;
    return 0;
}

static int json_member(struct cage *c, str name, const struct json *v,
                       struct err *e) {
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (str_is(name, members[i].name))
            return set_member(c, &members[i], v, e);
    if (str_is(name, "env")) return json_env(c, v, e);
    if (str_is(name, "limits")) return json_limits(c, v, e);
    if (str_is(name, "credentials")) return json_credentials(c, v, e);
    if (str_is(name, "unix_sockets") && json_type(v) == JSON_BOOL) {
        c->unix_sockets = v->as.boolean;
        return 0;
    }
    return fail(e, ERR_INVALID, "unknown member \"%.*s\"", STR_ARG(name));
}

int cage_from_json(struct cage *c, const struct json *v, struct err *e) {
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "sandbox: an object is wanted");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (json_member(c, json_str(key), key + 1, e))
            return fail_while(e, "sandbox");
    return 0;
}
