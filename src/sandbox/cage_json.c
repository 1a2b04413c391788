/* SPDX-License-Identifier: MIT
 *
 * The description of a task as the configuration writes it. An error names the
 * member: "sandbox.limits.memory: ...".
 */
#include "sandbox/cage.h"

typedef int setter(struct cage *c, str text, struct err *e);
typedef int reader(struct cage *c, const struct json *v, struct err *e);

static int want(const struct json *v, enum json_type type, struct err *e) {
    if (json_type(v) == type) return 0;
    return fail(e, ERR_INVALID, "%s is wanted, not %s",
                type == JSON_STRING   ? "a string"
                : type == JSON_ARRAY  ? "a list"
                : type == JSON_OBJECT ? "an object"
                                      : "true or false",
                json_type_name(json_type(v)));
}

/* Whoever has a "sandbox" object is declared (auto.h). */
static int set_tier(struct cage *c, str name, struct err *e) {
    return cage_set_tier(c, str_is(name, "auto") ? STR("process") : name, e);
}

static int add_ro(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RO, s, e);
}

static int add_rw(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RW, s, e);
}

static int add_overlay(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_OVERLAY, s, e);
}

static int read_env(struct cage *c, const struct json *v, struct err *e) {
    if (want(v, JSON_OBJECT, e)) return -1;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        if (want(key + 1, JSON_STRING, e))
            return fail_while(e, "%.*s", STR_ARG(json_str(key)));
        char *text =
            arena_printf(c->arena, e, "%.*s=%.*s", STR_ARG(json_str(key)),
                         STR_ARG(json_str(key + 1)));
        if (!text || cage_add_env(c, str_of(text), e)) return -1;
    }
    return 0;
}

/* 64, "512m", "1.5s": a number is what its digits say. */
static int read_limits(struct cage *c, const struct json *v, struct err *e) {
    if (want(v, JSON_OBJECT, e)) return -1;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        AUTO_BUF struct buf text = BUF_MAX(64);
        const struct json *value = key + 1;
        if (!json_is_number(value) && want(value, JSON_STRING, e))
            return fail_while(e, "%.*s", STR_ARG(json_str(key)));
        int rc = json_type(value) == JSON_STRING
                     ? buf_add_str(&text, json_str(value), e)
                     : json_write(value, JSON_COMPACT, &text, e);
        if (rc || cage_set_limit(c, json_str(key), buf_str(&text), e))
            return -1;
    }
    return 0;
}

static int check_credential(const struct json *v, struct err *e) {
    static const char *const names[] = {"host", "header", "value", NULL};
    if (want(v, JSON_OBJECT, e)) return -1;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        size_t n = 0;
        while (names[n] && !str_is(json_str(key), names[n]))
            n++;
        if (!names[n])
            return fail(e, ERR_INVALID, "unknown member \"%.*s\"",
                        STR_ARG(json_str(key)));
        if (want(key + 1, JSON_STRING, e)) return fail_while(e, "%s", names[n]);
    }
    return 0;
}

static int read_credentials(struct cage *c, const struct json *v,
                            struct err *e) {
    if (want(v, JSON_ARRAY, e)) return -1;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item))
        if (check_credential(item, e) ||
            cage_add_credential(
                c, json_get_text(item, "host", STR("")),
                json_get_text(item, "header", STR("Authorization")),
                json_get_text(item, "value", STR("")), e))
            return fail_while(e, "%zu", i);
    return 0;
}

static int read_unix_sockets(struct cage *c, const struct json *v,
                             struct err *e) {
    if (want(v, JSON_BOOL, e)) return -1;
    c->unix_sockets = v->as.boolean;
    return 0;
}

/* One of set (for a string), add (for a list of strings) and read. */
static const struct member {
    const char *name;
    setter *set, *add;
    reader *read;
} members[] = {
    {"tier", .set = set_tier},
    {"net", .set = cage_set_net},
    {"root", .set = cage_set_root},
    {"cwd", .set = cage_set_cwd},
    {"ro_bind", .add = add_ro},
    {"bind", .add = add_rw},
    {"overlay", .add = add_overlay},
    {"egress", .add = cage_add_egress},
    {"registry", .add = cage_add_registry},
    {"allow_missing", .add = cage_allow_missing},
    {"env", .read = read_env},
    {"limits", .read = read_limits},
    {"credentials", .read = read_credentials},
    {"unix_sockets", .read = read_unix_sockets},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static int set_member(struct cage *c, const struct member *m,
                      const struct json *v, struct err *e) {
    if (m->read) return m->read(c, v, e);
    if (m->set)
        return want(v, JSON_STRING, e) || m->set(c, json_str(v), e) ? -1 : 0;
    if (want(v, JSON_ARRAY, e)) return -1;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item))
        if (want(item, JSON_STRING, e) || m->add(c, json_str(item), e))
            return fail_while(e, "%zu", i);
    return 0;
}

static int unknown(str name, struct err *e) {
    const char *names[MEMBERS + 1] = {0};
    for (size_t i = 0; i < MEMBERS; i++)
        names[i] = members[i].name;
    const char *near = str_nearest(name, names);
    if (near)
        return fail(e, ERR_INVALID,
                    "sandbox: unknown member \"%.*s\"; did you mean \"%s\"?",
                    STR_ARG(name), near);
    return fail(e, ERR_INVALID, "sandbox: unknown member \"%.*s\"",
                STR_ARG(name));
}

static int read_member(struct cage *c, str name, const struct json *v,
                       struct err *e) {
    for (size_t i = 0; i < MEMBERS; i++)
        if (str_is(name, members[i].name))
            return set_member(c, &members[i], v, e)
                       ? fail_while(e, "sandbox.%s", members[i].name)
                       : 0;
    return unknown(name, e);
}

int cage_from_json(struct cage *c, const struct json *v, struct err *e) {
    if (want(v, JSON_OBJECT, e)) return fail_while(e, "sandbox");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (read_member(c, json_str(key), key + 1, e)) return -1;
    return 0;
}

/* --- the other way: what a record says of a start --- */

static void put_list(struct jw *w, const char *key, const char *const *list,
                     size_t count) {
    jw_key(w, key);
    jw_array(w);
    for (size_t i = 0; i < count && list[i]; i++)
        jw_text(w, str_of(list[i]));
    jw_end_array(w);
}

static void put_binds(struct jw *w, const struct cage *c) {
    static const char *const kinds[] = {"ro_bind", "bind", "overlay"};
    jw_key(w, "files");
    jw_array(w);
    for (size_t i = 0; i < c->bind_count; i++) {
        jw_object(w);
        jw_put_text(w, "kind", str_of(kinds[c->binds[i].kind]));
        cage_put_bytes(w, "from", str_of(c->binds[i].from));
        cage_put_bytes(w, "to", str_of(c->binds[i].to));
        jw_end_object(w);
    }
    jw_end_array(w);
}

static void put_names(struct jw *w, const struct cage *c) {
    jw_key(w, "env");
    jw_array(w);
    for (size_t i = 0; i < c->env_count; i++) {
        str rest = str_of(c->env[i]);
        cage_bytes(w, str_cut(&rest, '='));
    }
    jw_end_array(w);
    jw_key(w, "credentials");
    jw_array(w);
    for (size_t i = 0; i < c->credential_count; i++)
        jw_text(w, str_of(c->credentials[i].host));
    jw_end_array(w);
}

static void put_limits(struct jw *w, const struct cage *c) {
    jw_key(w, "limits");
    jw_object(w);
#define LIMIT(field, text, kind, value, what) \
    jw_put_int(w, text, (int64_t)c->limits.field);
#include "sandbox/limits.def"
#undef LIMIT
    jw_end_object(w);
}

/* A record must not grow with what it is about. */
static void put_argv(struct jw *w, const struct cage *c) {
    enum { WORDS = 32, BYTES = 512 };
    size_t i = 0;
    bool cut = false;
    jw_key(w, "argv");
    jw_array(w);
    for (; c->argv && c->argv[i] && i < WORDS; i++) {
        str word = str_of(c->argv[i]);
        cut |= word.n > BYTES;
        cage_bytes(w, str_sub(word, 0, BYTES));
    }
    jw_end_array(w);
    if (cut || (c->argv && c->argv[i])) jw_put_bool(w, "argv_cut", true);
}

void cage_write(const struct cage *c, struct jw *w) {
    jw_object(w);
    jw_put_text(w, "tier", str_of(cage_tier_name(c->tier)));
    put_argv(w, c);
    if (c->root) cage_put_bytes(w, "root", str_of(c->root));
    put_binds(w, c);
    put_names(w, c);
    put_list(w, "egress", c->egress, c->egress_count);
    put_limits(w, c);
    jw_key(w, "may_miss");
    jw_array(w);
    for (int i = 0; i < LAYER_COUNT; i++)
        if (c->may_miss & LAYER_BIT(i))
            jw_text(w, str_of(cage_layer_name((enum cage_layer)i)));
    jw_end_array(w);
    jw_end_object(w);
}
