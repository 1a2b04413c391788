/* SPDX-License-Identifier: MIT
 *
 * The description of a task: defaults, setters shared by flags and
 * configuration, and the checks that need the whole.
 */
#include "sandbox/cage.h"

#include <string.h>

#include "base/num.h"
#include "sandbox/egress.h"

/* A program finds itself and a place to write; nothing comes from us. */
static const char *const fixed_env[] = {
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "HOME=/tmp",
    "LANG=C.UTF-8",
};
enum { FIXED_ENV = sizeof fixed_env / sizeof fixed_env[0] };

enum limit_kind { LIMIT_SIZE, LIMIT_TIME, LIMIT_CPUS, LIMIT_COUNT };

static const struct limit {
    const char *name;
    enum limit_kind kind;
    size_t offset;
} limit_table[] = {
#define LIMIT(field, text, kind, value, what) \
    {text, LIMIT_##kind, offsetof(struct cage_limits, field)},
#include "sandbox/limits.def"
#undef LIMIT
};
enum { LIMIT_COUNT_ALL = sizeof limit_table / sizeof limit_table[0] };

static const char *const layer_names[] = {
#define LAYER(name, text, what) text,
#include "sandbox/layers.def"
#undef LAYER
    NULL,
};

static const char *const layer_texts[] = {
#define LAYER(name, text, what) what,
#include "sandbox/layers.def"
#undef LAYER
};

#define LAYER(name) LAYER_BIT(LAYER_##name)
static const uint32_t tier_layers[] = {
#define TIER(name, text, layers, what) layers,
#include "sandbox/tiers.def"
#undef TIER
};
#undef LAYER

static const char *const tier_names[] = {
#define TIER(name, text, layers, what) text,
#include "sandbox/tiers.def"
#undef TIER
    NULL,
};

static const char *const tier_texts[] = {
#define TIER(name, text, layers, what) what,
#include "sandbox/tiers.def"
#undef TIER
};

static const char *const net_names[] = {"none", "loopback", "egress", NULL};

const char *cage_layer_name(enum cage_layer layer) {
    return layer_names[layer];
}

const char *cage_layer_text(enum cage_layer layer) {
    return layer_texts[layer];
}

const char *cage_tier_name(enum cage_tier tier) {
    return tier_names[tier];
}

const char *cage_tier_text(enum cage_tier tier) {
    return tier_texts[tier];
}

uint32_t cage_tier_layers(enum cage_tier tier) {
    return tier_layers[tier];
}

void cage_init(struct cage *c, struct arena *a) {
    *c = (struct cage){
        .arena = a,
        .tier = TIER_CONTAINER,
        .limits =
            {
#define LIMIT(field, text, kind, value, what) .field = value,
#include "sandbox/limits.def"
#undef LIMIT
            },
    };
    for (size_t i = 0; i < FIXED_ENV; i++)
        c->env[c->env_count++] = fixed_env[i];
}

/* The index of name in a NULL-terminated list, or -1 and an error that lists
 * the nearest one. */
static int pick(const char *const *names, const char *what, str name,
                struct err *e) {
    for (int i = 0; names[i]; i++)
        if (str_is(name, names[i])) return i;
    const char *near = str_nearest(name, names);
    if (near)
        return fail(e, ERR_INVALID, "no %s \"%.*s\"; did you mean \"%s\"?",
                    what, STR_ARG(name), near);
    return fail(e, ERR_INVALID, "no %s \"%.*s\"", what, STR_ARG(name));
}

int cage_set_tier(struct cage *c, str name, struct err *e) {
    int i = pick(tier_names, "tier", name, e);
    if (i < 0) return -1;
    c->tier = (enum cage_tier)i;
    return 0;
}

int cage_set_net(struct cage *c, str mode, struct err *e) {
    int i = pick(net_names, "network mode", mode, e);
    if (i < 0) return -1;
    c->net = (enum cage_net)i;
    return 0;
}

int cage_allow_missing(struct cage *c, str layer, struct err *e) {
    int i = pick(layer_names, "layer", layer, e);
    if (i < 0) return -1;
    c->may_miss |= LAYER_BIT((unsigned)i);
    return 0;
}

static int parse_cpus(str text, uint64_t *milli, struct err *e) {
    str rest = text;
    str whole = str_cut(&rest, '.');
    uint64_t cpus = 0, part = 0;
    if (num_parse_u64(whole, &cpus, e)) return -1;
    if (rest.n > 3 || cpus > 100000)
        return fail(e, ERR_INVALID, "not a number of processors");
    if (rest.n && num_parse_u64(rest, &part, e)) return -1;
    for (size_t i = rest.n; i < 3; i++)
        part *= 10;
    *milli = cpus * 1000 + part;
    return 0;
}

static int parse_limit(enum limit_kind kind, str text, uint64_t *out,
                       struct err *e) {
    int64_t ns = 0;
    switch (kind) {
    case LIMIT_SIZE: return num_parse_size(text, out, e);
    case LIMIT_COUNT: return num_parse_u64(text, out, e);
    case LIMIT_CPUS: return parse_cpus(text, out, e);
    case LIMIT_TIME:
        if (num_parse_duration(text, &ns, e)) return -1;
        if (ns < 0) return fail(e, ERR_INVALID, "a negative time");
        *out = (uint64_t)ns;
        return 0;
    }
    return fail(e, ERR_INTERNAL, "limit kind %d", (int)kind);
}

int cage_set_limit(struct cage *c, str name, str text, struct err *e) {
    const char *names[LIMIT_COUNT_ALL + 1] = {0};
    for (size_t i = 0; i < LIMIT_COUNT_ALL; i++)
        names[i] = limit_table[i].name;
    int i = pick(names, "limit", name, e);
    if (i < 0) return -1;
    uint64_t value = 0;
    if (parse_limit(limit_table[i].kind, text, &value, e))
        return fail_while(e, "limit %.*s", STR_ARG(name));
    /* A zero limit would mean "none of it", and no task runs on no memory:
     * whoever writes 0 means "unlimited", which there is not. */
    if (value == 0)
        return fail(e, ERR_INVALID, "limit %.*s may not be 0", STR_ARG(name));
    memcpy((char *)&c->limits + limit_table[i].offset, &value, sizeof value);
    return 0;
}

int cage_set_limits(struct cage *c, str list, struct err *e) {
    while (list.n) {
        str item = str_cut(&list, ',');
        str value = item;
        str name = str_cut(&value, '=');
        if (!value.p)
            return fail(e, ERR_INVALID, "limit \"%.*s\" has no value",
                        STR_ARG(item));
        if (cage_set_limit(c, name, value, e)) return -1;
    }
    return 0;
}

/* Absolute, and every part a plain name: the kernel would resolve ".." after
 * symlinks, so a path that has one is not the path it seems. */
static int check_path(str path, struct err *e) {
    if (path.n == 0 || path.p[0] != '/')
        return fail(e, ERR_INVALID, "path \"%.*s\" is not absolute",
                    STR_ARG(path));
    if (memchr(path.p, 0, path.n))
        return fail(e, ERR_INVALID, "path holds a NUL byte");
    if (path.n >= 4096) return fail(e, ERR_INVALID, "path is too long");
    for (str rest = path; rest.p;) {
        str part = str_cut(&rest, '/');
        if (str_is(part, ".") || str_is(part, ".."))
            return fail(e, ERR_INVALID, "path \"%.*s\" holds \"%.*s\"",
                        STR_ARG(path), STR_ARG(part));
    }
    return 0;
}

static int keep_path(struct cage *c, str path, const char **out,
                     struct err *e) {
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    if (check_path(path, e)) return -1;
    char *copy = arena_text(c->arena, path, e);
    if (!copy) return -1;
    *out = copy;
    return 0;
}

int cage_set_root(struct cage *c, str path, struct err *e) {
    return keep_path(c, path, &c->root, e);
}

int cage_set_cwd(struct cage *c, str path, struct err *e) {
    return keep_path(c, path, &c->cwd, e);
}

/* Places that are ours: a bind there would cover what the sandbox needs. */
static bool reserved(const char *to) {
    static const char *const whole[] = {"/", "/tmp", "/etc", NULL};
    static const char *const below[] = {"/proc", "/dev", "/sys", NULL};
    for (int i = 0; whole[i]; i++)
        if (strcmp(to, whole[i]) == 0) return true;
    for (int i = 0; below[i]; i++) {
        size_t n = strlen(below[i]);
        if (strncmp(to, below[i], n) == 0 && (to[n] == 0 || to[n] == '/'))
            return true;
    }
    return false;
}

bool cage_is_below(const char *path, const char *top) {
    size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && path[n] == '/';
}

/* Before what lies below it, which it would cover; in the place of another one
 * to the same place. */
static int insert_bind(struct cage *c, struct cage_bind bind, struct err *e) {
    size_t at = 0;
    while (at < c->bind_count && strcmp(c->binds[at].to, bind.to) != 0)
        at++;
    if (at < c->bind_count) {
        c->binds[at] = bind;
        return 0;
    }
    if (c->bind_count == CAGE_MAX_BINDS)
        return fail(e, ERR_LIMIT, "more than %d binds", CAGE_MAX_BINDS);
    at = 0;
    while (at < c->bind_count && !cage_is_below(c->binds[at].to, bind.to))
        at++;
    memmove(c->binds + at + 1, c->binds + at,
            (c->bind_count - at) * sizeof c->binds[0]);
    c->binds[at] = bind;
    c->bind_count++;
    return 0;
}

int cage_add_bind(struct cage *c, enum cage_bind_kind kind, str spec,
                  struct err *e) {
    str to = spec;
    str from = str_cut(&to, ':');
    struct cage_bind bind = {.kind = kind};
    if (keep_path(c, from, &bind.from, e) ||
        keep_path(c, to.p ? to : from, &bind.to, e))
        return fail_while(e, "bind");
    if (reserved(bind.to))
        return fail(e, ERR_INVALID, "bind: %s is the sandbox's own", bind.to);
    return insert_bind(c, bind, e);
}

bool cage_has_bind(const struct cage *c, enum cage_bind_kind kind) {
    for (size_t i = 0; i < c->bind_count; i++)
        if (c->binds[i].kind == kind) return true;
    return false;
}

static int check_assignment(str text, struct err *e) {
    ptrdiff_t eq = str_find_char(text, '=');
    if (eq <= 0)
        return fail(e, ERR_INVALID, "\"%.*s\" is not NAME=value",
                    STR_ARG(text));
    if (memchr(text.p, 0, text.n))
        return fail(e, ERR_INVALID, "environment holds a NUL byte");
    return 0;
}

int cage_add_env(struct cage *c, str assignment, struct err *e) {
    if (check_assignment(assignment, e)) return -1;
    char *copy = arena_text(c->arena, assignment, e);
    if (!copy) return -1;
    size_t name = (size_t)str_find_char(assignment, '=') + 1;
    for (size_t i = 0; i < c->env_count; i++) {
        if (strncmp(c->env[i], copy, name) != 0) continue;
        c->env[i] = copy;
        return 0;
    }
    if (c->env_count == CAGE_MAX_ENV)
        return fail(e, ERR_LIMIT, "more than %d variables", CAGE_MAX_ENV);
    c->env[c->env_count++] = copy;
    return 0;
}

int cage_add_egress(struct cage *c, str host_port, struct err *e) {
    if (c->egress_count == CAGE_MAX_EGRESS)
        return fail(e, ERR_LIMIT, "more than %d egress rules", CAGE_MAX_EGRESS);
    struct egress_rule rule;
    if (egress_parse(host_port, &rule, e)) return -1;
    char *copy = arena_text(c->arena, host_port, e);
    if (!copy) return -1;
    c->egress[c->egress_count++] = copy;
    c->net = NET_EGRESS;
    return 0;
}

int cage_add_registry(struct cage *c, str host_port, struct err *e) {
    if (c->registry_count == CAGE_MAX_REGISTRY)
        return fail(e, ERR_LIMIT, "more than %d hosts", CAGE_MAX_REGISTRY);
    struct egress_rule rule;
    if (egress_parse(host_port, &rule, e)) return -1;
    char *copy = arena_text(c->arena, host_port, e);
    if (!copy) return -1;
    c->registry[c->registry_count++] = copy;
    return 0;
}

/* A header that ends in the middle would be two headers. */
static bool header_safe(str s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f) return false;
    return s.n > 0;
}

int cage_add_token(struct cage *c, str host, str token, str value,
                   struct err *e) {
    if (c->token_count == CAGE_MAX_TOKENS)
        return fail(e, ERR_LIMIT, "more than %d tokens", CAGE_MAX_TOKENS);
    if (!header_safe(host) || !header_safe(token) || !header_safe(value))
        return fail(e, ERR_INVALID,
                    "token for \"%.*s\": empty, or with control bytes",
                    STR_ARG(host));
    struct cage_token t = {
        .host = arena_text(c->arena, host, e),
        .token = arena_text(c->arena, token, e),
        .value = arena_text(c->arena, value, e),
    };
    if (!t.host || !t.token || !t.value) return -1;
    c->tokens[c->token_count++] = t;
    return 0;
}

int cage_add_credential(struct cage *c, str host, str header, str value,
                        struct err *e) {
    if (c->credential_count == CAGE_MAX_CREDENTIALS)
        return fail(e, ERR_LIMIT, "more than %d credentials",
                    CAGE_MAX_CREDENTIALS);
    if (!header_safe(host) || !header_safe(header) || !header_safe(value) ||
        str_find_char(header, ':') >= 0)
        return fail(e, ERR_INVALID,
                    "credential for \"%.*s\": empty, or with control bytes",
                    STR_ARG(host));
    struct cage_credential cred = {
        .host = arena_text(c->arena, host, e),
        .header = arena_text(c->arena, header, e),
        .value = arena_text(c->arena, value, e),
    };
    if (!cred.host || !cred.header || !cred.value) return -1;
    c->credentials[c->credential_count++] = cred;
    return 0;
}

/* --- what a tier gives --- */

static const struct {
    const char *name, *why[TIER_COUNT]; /* in the order of tiers.def */
} members[] = {
#define MEMBER(name, text, ...) {text, {__VA_ARGS__}},
#include "sandbox/members.def"
#undef MEMBER
};

static bool is_usual(const struct cage *c, size_t offset) {
    struct cage usual;
    cage_init(&usual, NULL);
    return memcmp((const char *)&c->limits + offset,
                  (const char *)&usual.limits + offset, sizeof(uint64_t)) == 0;
}

/* Whether a description has it. What every description has needs no answer:
 * there is no tier without it. */
static bool has(const struct cage *c, enum cage_member m) {
    switch (m) {
    case MEMBER_CWD: return c->cwd;
    case MEMBER_ROOT: return c->root;
    case MEMBER_RO_BIND: return cage_has_bind(c, BIND_RO);
    case MEMBER_BIND: return cage_has_bind(c, BIND_RW);
    case MEMBER_OVERLAY: return cage_has_bind(c, BIND_OVERLAY);
    case MEMBER_LOOPBACK: return c->net == NET_LOOPBACK;
    case MEMBER_EGRESS: return c->net == NET_EGRESS;
    case MEMBER_CREDENTIALS: return c->credential_count;
    case MEMBER_TOKENS: return c->token_count;
    case MEMBER_UNIX_SOCKETS: return c->unix_sockets;
    /* The socket to the tools may be among them already. */
    case MEMBER_FDS: return c->fd_count > (c->tools ? 1 : 0);
    case MEMBER_TOOLS: return c->tools;
    case MEMBER_COLLECT: return c->keep_scratch;
    case MEMBER_KVM: return c->kvm;
    case MEMBER_CPUS: return c->limits.cpu > 1000;
    case MEMBER_TRAFFIC:
        return !is_usual(c, offsetof(struct cage_limits, traffic));
    case MEMBER_REQUESTS:
        return !is_usual(c, offsetof(struct cage_limits, requests));
    case MEMBER_ARGV:
    case MEMBER_ENV:
    case MEMBER_CPU:
    case MEMBER_MEMORY:
    case MEMBER_TIME:
    case MEMBER_PIDS:
    case MEMBER_SCRATCH:
    case MEMBER_INODES:
    case MEMBER_OUTPUT:
    case MEMBER_FILES:
    case MEMBER_FILE_SIZE:
    case MEMBER_COUNT: break;
    }
    return false;
}

static int check_members(const struct cage *c, struct err *e) {
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const char *why = members[i].why[c->tier];
        if (why && has(c, (enum cage_member)i))
            return fail(e, ERR_INVALID, "tier %s has no %s: %s",
                        cage_tier_name(c->tier), members[i].name, why);
    }
    if (c->registry_count)
        return fail(e, ERR_INVALID,
                    "registry: only package runners that are stdio servers "
                    "have one");
    return 0;
}

static int check_tier(const struct cage *c, struct err *e) {
    uint32_t core = LAYER_BIT(LAYER_NNP) | LAYER_BIT(LAYER_SECCOMP);
    if (c->may_miss & core)
        return fail(e, ERR_INVALID, "nnp and seccomp cannot be left out");
    if ((c->tier == TIER_CONTAINER || c->tier == TIER_WASM ||
         c->tier == TIER_MICROVM) &&
        (c->may_miss & (LAYER_BIT(LAYER_NAMESPACES) | LAYER_BIT(LAYER_ROOT))))
        return fail(e, ERR_INVALID,
                    "a container without namespaces or root is none: ask for "
                    "tier process");
    return 0;
}

static int check_net(const struct cage *c, struct err *e) {
    if (c->net == NET_EGRESS && c->egress_count == 0)
        return fail(e, ERR_INVALID, "network egress, but no host is listed");
    if (c->net != NET_EGRESS && c->egress_count > 0)
        return fail(e, ERR_INVALID, "egress hosts need network egress");
    if (c->credential_count + c->token_count > 0 && c->net != NET_EGRESS)
        return fail(e, ERR_INVALID, "a credential needs network egress");
    return 0;
}

int cage_check(const struct cage *c, struct err *e) {
    if (!c->argv || !c->argv[0] || !c->argv[0][0])
        return fail(e, ERR_INVALID, "no program to run");
    if (check_members(c, e) || check_tier(c, e) || check_net(c, e)) return -1;
    if (c->limits.pids < 2)
        return fail(e, ERR_INVALID, "limit pids: 2 is the least");
    if (c->limits.files < 8)
        return fail(e, ERR_INVALID, "limit files: 8 is the least");
    return 0;
}
