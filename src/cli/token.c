/* SPDX-License-Identifier: MIT */
#include "cli/token.h"

#include "base/codec.h"
#include "base/hash.h"

#define TOKEN_BYTES 24

static int make_token(struct buf *out, struct err *e) {
    uint8_t random[TOKEN_BYTES];
    if (hash_random(random, sizeof random, e) ||
        buf_add_text(out, "cordon_", e))
        return -1;
    return hex_encode((str){(const char *)random, sizeof random}, out, e);
}

/* NAME=${env:REAL}@host:port */
struct credential {
    str name, reference, host;
};

static int read_credential(const char *word, struct credential *out,
                           struct err *e) {
    str rest = str_of(word), host = {0};
    for (size_t i = rest.n; i > 0 && !host.p; i--)
        if (rest.p[i - 1] == '@') host = str_sub(rest, i, rest.n);
    if (!host.n || str_find_char(rest, '=') <= 0)
        return fail(e, ERR_USAGE,
                    "--credential %s: NAME=REFERENCE@HOST:PORT is wanted",
                    word);
    rest = str_sub(rest, 0, rest.n - host.n - 1);
    *out = (struct credential){str_cut(&rest, '='), rest, host};
    if (secret_refers(rest)) return 0;
    return fail(e, ERR_USAGE,
                "--credential %.*s: a reference is wanted, such as "
                "${env:NAME}: a value would stand in the list of processes",
                STR_ARG(out->name));
}

static int add(const char *word, struct secrets *secrets, struct cage *c,
               struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(SECRET_BYTES), token = BUF_MAX(128);
    struct credential r;
    if (read_credential(word, &r, e) ||
        secrets_expand(secrets, r.reference, &value, e) ||
        make_token(&token, e))
        return -1;
    str port = r.host;
    str bare = str_cut(&port, ':');
    char *variable =
        arena_printf(c->arena, e, "%.*s=%s", STR_ARG(r.name), buf_text(&token));
    c->net = NET_EGRESS;
    if (!variable || cage_add_egress(c, r.host, e) ||
        cage_add_env(c, str_of(variable), e))
        return -1;
    return cage_add_token(c, bare, buf_str(&token), buf_str(&value), e);
}

int tokens_add(const struct args *a, struct secrets *secrets, struct cage *c,
               struct err *e) {
    const char *word;
    for (size_t i = 0; (word = args_nth(a, "credential", i)); i++)
        if (add(word, secrets, c, e)) return -1;
    return 0;
}
