/* SPDX-License-Identifier: MIT
 *
 * cage -- what a task may have, and what became of it.
 *
 * One description drives every tier: the flags of `cordon sandbox exec`, the
 * "sandbox" object of the configuration and the C API all fill a struct cage.
 * A cage that was only initialised gives the least: no network, an environment
 * of three fixed names, no file of the caller's. Strings live in the arena
 * that cage_init was given.
 */
#ifndef CORDON_SANDBOX_CAGE_H
#define CORDON_SANDBOX_CAGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "json/json.h"
#include "json/write.h"

#include <stdbool.h>
#include <stdint.h>

enum cage_layer {
#define LAYER(name, text, what) LAYER_##name,
#include "sandbox/layers.def"
#undef LAYER
    LAYER_COUNT,
};
#define LAYER_BIT(layer) (1u << (layer))

enum cage_tier {
#define TIER(name, text, layers, what) TIER_##name,
#include "sandbox/tiers.def"
#undef TIER
    TIER_COUNT,
};

/* What a description may have, see members.def. */
enum cage_member {
#define MEMBER(name, ...) MEMBER_##name,
#include "sandbox/members.def"
#undef MEMBER
    MEMBER_COUNT,
};

enum cage_net {
    NET_NONE,     /* no interface is up, not even loopback */
    NET_LOOPBACK, /* a loopback of its own: tests that start servers */
    NET_EGRESS,   /* through the proxy, to the listed hosts only */
};

enum cage_bind_kind { BIND_RO, BIND_RW, BIND_OVERLAY };

struct cage_bind {
    enum cage_bind_kind kind;
    const char *from; /* outside: absolute */
    const char *to;   /* inside: absolute, no "." or ".." */
};

/* What the task was given instead of a secret: in headers for the host the
 * proxy puts the value in its place. It is worth nothing anywhere else, or once
 * the task ended. */
struct cage_token {
    const char *host, *token, *value;
};

/* A header that the proxy adds to requests for a host; the task never sees
 * the value. */
struct cage_credential {
    const char *host;
    const char *header; /* "Authorization" */
    const char *value;
};

struct tls_way;

struct cage_limits {
#define LIMIT(field, text, kind, value, what) uint64_t field;
#include "sandbox/limits.def"
#undef LIMIT
};

enum {
    CAGE_MAX_ARGS = 4096,
    CAGE_MAX_BINDS = 32,
    CAGE_MAX_ENV = 128,
    CAGE_MAX_EGRESS = 64,
    CAGE_MAX_REGISTRY = 8,
    CAGE_MAX_CREDENTIALS = 16,
    CAGE_MAX_TOKENS = 16,
    CAGE_MAX_FDS = 8,
    CAGE_MAX_VIOLATIONS = 64,
    CAGE_MAX_CHANGES = 4096,
    CAGE_MAX_ATTEMPTS = 256,
};

struct cage {
    struct arena *arena;
    enum cage_tier tier;
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    const char *root;        /* an unpacked image; NULL: the host's system */
    const char *cwd;         /* inside; NULL: /tmp */
    struct cage_bind binds[CAGE_MAX_BINDS];
    size_t bind_count;
    const char *env[CAGE_MAX_ENV + 1]; /* "NAME=value", NULL at the end */
    size_t env_count;
    enum cage_net net;
    const char *egress[CAGE_MAX_EGRESS]; /* "host:port", see egress.h */
    size_t egress_count;
    const char *registry[CAGE_MAX_REGISTRY]; /* of package runners: the egress
                                                while installing, confine.h;
                                                no task has one */
    size_t registry_count;
    struct cage_credential credentials[CAGE_MAX_CREDENTIALS];
    size_t credential_count;
    const struct tls_way *tls; /* for credentials inside TLS (tls.h); NULL:
                                  they are added to plain requests only */
    struct cage_limits limits;
    uint32_t may_miss;     /* LAYER_BITs the caller agreed to do without */
    bool keep_scratch;     /* jail_scratch() is wanted at the end */
    bool unix_sockets;     /* AF_UNIX socket(); pairs are always allowed */
    bool kvm;              /* /dev/kvm is there, for QEMU (vm/vm.h) */
    int fds[CAGE_MAX_FDS]; /* the task gets copies of them as 3, 4, ... */
    size_t fd_count;
    struct cage_token tokens[CAGE_MAX_TOKENS];
    size_t token_count;
    const char *const *tools; /* names it may call (jail_on_call), ended by
                                 NULL; the socket is then descriptor 3, in tier
                                 gvisor standard input */
};

/* How a task ended. */
enum cage_stop {
    STOP_NONE,    /* by itself */
    STOP_TIME,    /* its time was over */
    STOP_MEMORY,  /* the kernel killed in it for memory */
    STOP_SYSCALL, /* killed for a call of a foreign architecture */
    STOP_KILLED,  /* the caller asked */
};

struct cage_violation {
    const char *name; /* of the system call; static */
    uint32_t count;
};

struct cage_change {
    char kind; /* 'A' added, 'M' modified, 'D' deleted */
    const char *path;
};

/* One attempt to reach something through the proxy. */
struct cage_egress {
    int64_t at_ns; /* wall clock */
    uint64_t sent, received;
    uint16_t port;
    bool allowed;
    char reason[64]; /* why not, or why it ended */
    char host[256];
};

struct cage_output {
    struct buf kept; /* at most limits.output bytes, the first ones */
    uint64_t total;  /* bytes the task wrote */
};

struct cage_result {
    struct arena arena; /* of the paths in changes */
    int code;           /* exit status; -1 when a signal ended it */
    int signal;         /* 0 when it exited */
    enum cage_stop stop;
    uint32_t layers;         /* LAYER_BITs that were in force */
    bool warm;               /* it ran in a slot that was made ahead */
    const char *accelerator; /* of a machine: "kvm" or "tcg"; else NULL */
    int64_t wall_ns, cpu_ns;
    uint64_t memory_peak;  /* bytes; of the task, or of its largest process */
    uint64_t pids_refused; /* forks that failed at the limit */
    struct cage_violation violations[CAGE_MAX_VIOLATIONS];
    size_t violation_count;
    uint64_t violation_total;
    struct cage_output out, err;
    struct cage_egress *egress; /* attempts, in the order they ended */
    size_t egress_count;
    uint64_t egress_dropped;     /* over CAGE_MAX_ATTEMPTS */
    struct cage_change *changes; /* of overlays */
    size_t change_count;
    bool changes_cut; /* there were more than CAGE_MAX_CHANGES */
};

void cage_init(struct cage *c, struct arena *a);

/* Each takes the text of a flag or a member of the configuration. */
int cage_set_tier(struct cage *c, str name, struct err *e);
int cage_set_net(struct cage *c, str mode, struct err *e);
int cage_set_limits(struct cage *c, str list, struct err *e);
int cage_set_limit(struct cage *c, str name, str value, struct err *e);
int cage_set_root(struct cage *c, str path, struct err *e);
int cage_set_cwd(struct cage *c, str path, struct err *e);
int cage_add_bind(struct cage *c, enum cage_bind_kind kind, str spec,
                  struct err *e); /* "/outside:/inside", or one path for both;
                                     the later one to a place counts, and none
                                     is covered by one above it */
int cage_add_env(struct cage *c, str assignment, struct err *e);
int cage_add_egress(struct cage *c, str host_port, struct err *e);
int cage_add_registry(struct cage *c, str host_port, struct err *e);
int cage_add_credential(struct cage *c, str host, str header, str value,
                        struct err *e);
int cage_add_token(struct cage *c, str host, str token, str value,
                   struct err *e);
int cage_allow_missing(struct cage *c, str layer, struct err *e);

/* The "sandbox" object of a command tool or a stdio server. */
int cage_from_json(struct cage *c, const struct json *v, struct err *e);

bool cage_is_below(const char *path, const char *top);
bool cage_has_bind(const struct cage *c, enum cage_bind_kind kind);

/* What no single setter can see: contradictions between settings, and what the
 * tier does not give. */
int cage_check(const struct cage *c, struct err *e);

const char *cage_layer_name(enum cage_layer layer);
const char *cage_layer_text(enum cage_layer layer);
const char *cage_tier_name(enum cage_tier tier);
const char *cage_tier_text(enum cage_tier tier);
uint32_t cage_tier_layers(enum cage_tier tier);
const char *cage_stop_name(enum cage_stop stop);

/* The exit status a program running the task should end with: the task's own,
 * 128 + signal, or 124 when its time was over. */
int cage_exit_status(const struct cage_result *r);

/* The start of a task as one JSON object for a record of it: tier, program,
 * files, network, limits and what it may miss. Values of variables and
 * credentials are left out, and long arguments are cut. The result below has
 * the rest: layers in force, kills, violations and attempts to reach the
 * network. */
void cage_write(const struct cage *c, struct jw *w);

/* The result as one JSON object, its output included. */
void cage_result_write(const struct cage_result *r, struct jw *w);
/* Without its output, and of each list the first ones at most. */
void cage_result_record(const struct cage_result *r, size_t most, struct jw *w);
void cage_result_fini(struct cage_result *r);

/* A value, or a member, that came from a task: bytes that are not text are
 * shown as U+FFFD, since JSON has no bytes. */
void cage_bytes(struct jw *w, str s);
void cage_put_bytes(struct jw *w, const char *key, str s);

#endif
