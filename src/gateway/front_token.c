/* SPDX-License-Identifier: MIT
 *
 * Bearer tokens: those of the configuration, and those an authorization server
 * signed for us. A token for somebody else is no token (RFC 8707): its audience
 * must be this server.
 */
#include "base/clock.h"
#include "base/codec.h"
#include "base/crypto.h"
#include "gateway/front_inside.h"
#include "mcp/jwt.h"
#include "json/build.h"

enum { LEEWAY_S = 60 };

/* -- of the configuration ----------------------------------------------------
 */

/* The token itself or, where the file must not hold it, its SHA-256. */
static bool is_token(const struct json *row, str token) {
    str plain = json_get_text(row, "token", STR(""));
    str hash = json_get_text(row, "sha256", STR(""));
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    uint8_t digest[CRYPTO_SHA256];
    struct err e;
    if (plain.n) return crypto_equal_str(plain, token);
    return hash.n && !crypto_sha256(token, digest, &e) &&
           !hex_encode((str){(char *)digest, sizeof digest}, &hex, &e) &&
           crypto_equal_str(hash, buf_str(&hex));
}

static int join_words(const struct json *list, struct arena *a, str *out,
                      struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    if (!list || json_type(list) != JSON_ARRAY) return 0;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (json_type(item) == JSON_STRING &&
            buf_addf(&text, e, "%s%.*s", text.len ? " " : "",
                     STR_ARG(json_str(item))))
            return -1;
    return arena_dup(a, buf_str(&text), out, e);
}

static enum token_verdict check_listed(const struct tokens *t, str token,
                                       struct arena *a,
                                       struct front_caller *who,
                                       struct err *why) {
    const struct json *row = t->list ? json_first(t->list) : NULL;
    for (size_t i = t->list ? json_len(t->list) : 0; i > 0;
         i--, row = json_skip(row)) {
        if (!is_token(row, token)) continue;
        *who = (struct front_caller){
            .principal = json_get_text(row, "name", STR("token"))};
        return join_words(json_get(row, "scopes"), a, &who->scopes, why)
                   ? TOKEN_REFUSED
                   : TOKEN_GOOD;
    }
    return TOKEN_REFUSED;
}

/* -- of an authorization server ----------------------------------------------
 */

static bool names_us(const struct json *audience, str resource) {
    if (!audience) return false;
    if (json_type(audience) == JSON_STRING)
        return str_eq(json_str(audience), resource);
    if (json_type(audience) != JSON_ARRAY) return false;
    const struct json *item = json_first(audience);
    for (size_t i = json_len(audience); i > 0; i--, item = json_skip(item))
        if (json_type(item) == JSON_STRING && str_eq(json_str(item), resource))
            return true;
    return false;
}

static int check_claims(const struct json *oauth, const struct json *claims,
                        struct err *e) {
    int64_t now = clock_wall_ns() / 1000000000;
    str issuer = json_get_text(oauth, "issuer", STR(""));
    str resource = json_get_text(oauth, "resource", STR(""));
    const struct json *until = json_get(claims, "exp");
    if (!str_eq(json_get_text(claims, "iss", STR("")), issuer))
        return fail(e, ERR_DENIED, "token: another issuer");
    if (!names_us(json_get(claims, "aud"), resource))
        return fail(e, ERR_DENIED, "token: made for another audience");
    if (!until || !json_is_number(until) ||
        json_number(until) + LEEWAY_S < (double)now)
        return fail(e, ERR_DENIED, "token: it has expired");
    if (json_get_int(claims, "nbf", 0) > now + LEEWAY_S)
        return fail(e, ERR_DENIED, "token: it does not hold yet");
    return 0;
}

static int read_who(const struct json *claims, struct arena *a,
                    struct front_caller *who, struct err *e) {
    str subject = json_get_text(claims, "sub", STR("unnamed"));
    str scope = json_get_text(claims, "scope", STR(""));
    if (arena_dup(a, subject, &who->principal, e) ||
        arena_dup(a, scope, &who->scopes, e))
        return -1;
    return join_words(json_get(claims, "scp"), a, &who->scopes, e);
}

/* Every word of "scope" in the settings must have been granted. */
static bool scope_suffices(const struct json *oauth, str scopes) {
    str wanted = json_get_text(oauth, "scope", (str){NULL, 0});
    while (wanted.p) {
        str word = str_cut(&wanted, ' ');
        if (word.n && !front_has_scope(scopes, word)) return false;
    }
    return true;
}

static enum token_verdict check_signed(const struct tokens *t, str token,
                                       struct arena *a,
                                       struct front_caller *who,
                                       struct err *why) {
    const struct json *set = keys_set(t->keys), *claims;
    bool unknown;
    if (!set) {
        err_set(why, ERR_PEER, "the authorization server's keys cannot be had");
        return TOKEN_PENDING;
    }
    if (jwt_verify(token, set, a, &claims, &unknown, why))
        return unknown ? TOKEN_PENDING : TOKEN_REFUSED;
    if (check_claims(t->oauth, claims, why) || read_who(claims, a, who, why))
        return TOKEN_REFUSED;
    if (scope_suffices(t->oauth, who->scopes)) return TOKEN_GOOD;
    err_set(why, ERR_DENIED, "the token lacks a scope that is needed here");
    return TOKEN_NARROW;
}

enum token_verdict tokens_check(const struct tokens *t, str authorization,
                                struct arena *a, struct front_caller *who,
                                struct err *why) {
    str token = authorization, scheme = str_cut(&token, ' ');
    err_set(why, ERR_DENIED, "a bearer token is wanted");
    if (!authorization.p || !str_eq_nocase(scheme, STR("Bearer")) || !token.p)
        return TOKEN_REFUSED;
    token = str_trim(token);
    err_set(why, ERR_DENIED, "the token is not known");
    if (check_listed(t, token, a, who, why) == TOKEN_GOOD) return TOKEN_GOOD;
    if (!t->oauth) return TOKEN_REFUSED;
    return check_signed(t, token, a, who, why);
}
