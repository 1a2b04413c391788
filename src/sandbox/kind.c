/* SPDX-License-Identifier: MIT
 *
 * Kinds of tasks, written and read.
 */
#include "sandbox/kind.h"

#include <string.h>

#include "sandbox/start.h"

/* Followed by texts, each with its NUL: root and working directory (empty
 * where there is none), what is preloaded, two for each bind, then the
 * environment. */
struct head {
    uint32_t tier, net, may_miss, bind_count, env_count;
    uint8_t python, keep_scratch, unix_sockets, kinds[CAGE_MAX_BINDS];
    struct cage_limits limits;
};

int kind_check(const struct cage *c, struct err *e) {
    if (c->tier != TIER_PROCESS && c->tier != TIER_CONTAINER)
        return fail(e, ERR_UNSUPPORTED, "a pool has no tier %s",
                    cage_tier_name(c->tier));
    if (start_has_authority(c))
        return fail(e, ERR_UNSUPPORTED, "a pool has no authorities of its own");
    if (c->env_count + PROXY_ENV > CAGE_MAX_ENV)
        return fail(e, ERR_UNSUPPORTED, "too many variables for a pool");
    if (c->kvm) return fail(e, ERR_UNSUPPORTED, "a pool has no /dev/kvm");
    for (size_t i = 0; i < c->bind_count; i++)
        if (c->binds[i].kind == BIND_OVERLAY ||
            strncmp(c->binds[i].to, "/tmp/", 5) == 0)
            return fail(e, ERR_UNSUPPORTED, "a pool cannot bind %s",
                        c->binds[i].to);
    return 0;
}

/* --- writing --- */

/* What the supervisor holds a task to by itself is no matter of the slot. */
static struct cage_limits limits_of(const struct cage *c) {
    struct cage usual;
    cage_init(&usual, NULL);
    struct cage_limits l = c->limits;
    l.wall = usual.limits.wall;
    l.output = usual.limits.output;
    l.traffic = usual.limits.traffic;
    l.requests = usual.limits.requests;
    return l;
}

static int add_word(struct buf *b, const char *word, struct err *e) {
    return buf_add(b, word ? word : "", word ? strlen(word) + 1 : 1, e);
}

/* A program is told its variables and its directory when it is started; an
 * interpreter that waits has them already. */
int kind_write(const struct cage *c, const char *preload, struct buf *out,
               struct err *e) {
    bool python = preload != NULL;
    struct head h;
    memset(&h, 0, sizeof h); /* the gaps as well: texts are compared */
    h.tier = (uint32_t)c->tier;
    h.net = (uint32_t)c->net;
    h.may_miss = c->may_miss;
    h.bind_count = (uint32_t)c->bind_count;
    h.env_count = python ? (uint32_t)c->env_count : 0;
    h.python = python;
    h.keep_scratch = c->keep_scratch;
    h.unix_sockets = c->unix_sockets;
    h.limits = limits_of(c);
    for (size_t i = 0; i < c->bind_count; i++)
        h.kinds[i] = (uint8_t)c->binds[i].kind;
    if (kind_check(c, e) || buf_add(out, &h, sizeof h, e) ||
        add_word(out, c->root, e) || add_word(out, python ? c->cwd : NULL, e) ||
        add_word(out, preload, e))
        return -1;
    for (size_t i = 0; i < c->bind_count; i++)
        if (add_word(out, c->binds[i].from, e) ||
            add_word(out, c->binds[i].to, e))
            return -1;
    for (size_t i = 0; i < h.env_count; i++)
        if (add_word(out, c->env[i], e)) return -1;
    return 0;
}

/* --- reading --- */

static const char *next_word(str *rest, struct arena *a, struct err *e) {
    const char *end = rest->n ? memchr(rest->p, 0, rest->n) : NULL;
    if (!end) {
        err_set(e, ERR_INVALID, "a kind of task is cut off");
        return NULL;
    }
    str word = {rest->p, (size_t)(end - rest->p)};
    *rest = str_sub(*rest, word.n + 1, rest->n);
    return arena_text(a, word, e);
}

static int check_head(const struct head *h, struct err *e) {
    if (h->tier < TIER_COUNT && h->net <= NET_EGRESS &&
        h->bind_count <= CAGE_MAX_BINDS && h->env_count <= CAGE_MAX_ENV)
        return 0;
    return fail(e, ERR_INVALID, "a kind of task that cannot be");
}

static int read_words(const struct head *h, str rest, struct cage *c,
                      const char **preload, struct err *e) {
    struct arena *a = c->arena;
    const char *root = next_word(&rest, a, e), *cwd = NULL;
    if (!root || !(cwd = next_word(&rest, a, e)) ||
        !(*preload = next_word(&rest, a, e)))
        return -1;
    c->root = *root ? root : NULL;
    c->cwd = *cwd ? cwd : NULL;
    for (size_t i = 0; i < h->bind_count; i++) {
        struct cage_bind *b = &c->binds[i];
        b->kind = (enum cage_bind_kind)h->kinds[i];
        if (!(b->from = next_word(&rest, a, e)) ||
            !(b->to = next_word(&rest, a, e)))
            return -1;
    }
    for (size_t i = 0; i < h->env_count; i++)
        if (!(c->env[i] = next_word(&rest, a, e))) return -1;
    if (!h->python) return 0;
    c->env[h->env_count] = NULL;
    c->env_count = h->env_count;
    return 0;
}

int kind_read(str text, struct arena *a, struct cage *out, const char **preload,
              struct err *e) {
    static const char *const argv[] = {"-", NULL};
    struct head h;
    struct cage c;
    const char *modules;
    if (text.n < sizeof h)
        return fail(e, ERR_INVALID, "a kind of task is cut off");
    memcpy(&h, text.p, sizeof h);
    cage_init(&c, a);
    if (check_head(&h, e) ||
        read_words(&h, str_sub(text, sizeof h, text.n), &c, &modules, e))
        return -1;
    c.argv = argv;
    c.tier = (enum cage_tier)h.tier;
    c.net = (enum cage_net)h.net;
    if (c.net == NET_EGRESS) { /* each task's proxy has a list of its own */
        c.egress[0] = "nowhere.invalid:443";
        c.egress_count = 1;
    }
    c.may_miss = h.may_miss;
    c.bind_count = h.bind_count;
    c.keep_scratch = h.keep_scratch;
    c.unix_sockets = h.unix_sockets;
    c.limits = h.limits;
    if (kind_check(&c, e)) return -1;
    *out = c;
    *preload = h.python ? modules : NULL;
    return 0;
}
