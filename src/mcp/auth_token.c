/* SPDX-License-Identifier: MIT
 *
 * The token endpoint: who asks, the proof of a key (DPoP, RFC 9449) and what
 * comes back.
 */
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "mcp/auth_flow.h"
#include "json/write.h"

enum { PROOF_MAX = 64 << 10, FORM_MAX = 1 << 20, ASSERTION_S = 300 };
#define ASSERTION_TYPE "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

static void take_answer(struct mcp_auth *a, const struct flow_answer *answer);

static int64_t now_s(void) {
    return clock_wall_ns() / 1000000000;
}

/* A pair of a form; without a value it is left out. */
int flow_form(struct buf *form, const char *name, const char *value,
              struct err *e) {
    if (!value) return 0;
    if (form->len && buf_add_char(form, '&', e)) return -1;
    if (buf_addf(form, e, "%s=", name)) return -1;
    return url_encode(str_of(value), form, e);
}

/* -- DPoP --------------------------------------------------------------------
 */

static int add_hash(struct jw *w, const char *token, struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf text = BUF_MAX(64);
    if (crypto_sha256(str_of(token), digest, e) ||
        base64url_encode((str){(const char *)digest, sizeof digest}, &text, e))
        return -1;
    jw_put_text(w, "ath", buf_str(&text));
    return 0;
}

static str without_query(const char *url) {
    str s = str_of(url);
    s = str_cut(&s, '#');
    return str_cut(&s, '?');
}

static int proof_claims(const char *method, const char *url, const char *nonce,
                        const char *token, struct buf *out, struct err *e) {
    AUTO_BUF struct buf id = BUF_MAX(64);
    struct jw w = JW(out);
    if (jwt_random(16, &id, e)) return -1;
    jw_object(&w);
    jw_put_text(&w, "jti", buf_str(&id));
    jw_put_text(&w, "htm", str_of(method));
    jw_put_text(&w, "htu", without_query(url));
    jw_put_int(&w, "iat", now_s());
    if (nonce) jw_put_text(&w, "nonce", str_of(nonce));
    if (token && add_hash(&w, token, e)) return -1;
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int proof_header(const struct jwt_key *key, struct buf *out,
                        struct err *e) {
    if (buf_add_text(out,
                     "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":", e) ||
        jwt_key_public(key, out, e))
        return -1;
    return buf_add_char(out, '}', e);
}

int flow_proof(struct mcp_auth *a, const char *method, const char *url,
               const char *nonce, const char *token, struct buf *out,
               struct err *e) {
    AUTO_BUF struct buf header = BUF_MAX(PROOF_MAX),
                        claims = BUF_MAX(PROOF_MAX);
    if (!a->key && !(a->key = jwt_key_new(e))) return -1;
    if (proof_header(a->key, &header, e) ||
        proof_claims(method, url, nonce, token, &claims, e))
        return -1;
    return jwt_sign(a->key, buf_str(&header), buf_str(&claims), out, e);
}

/* -- who asks ----------------------------------------------------------------
 */

static int add_assertion(struct mcp_auth *a, struct buf *form, struct err *e) {
    AUTO_BUF struct buf claims = BUF_MAX(PROOF_MAX), id = BUF_MAX(64);
    AUTO_BUF struct buf header = BUF_MAX(256), jwt = BUF_MAX(PROOF_MAX);
    struct jw w = JW(&claims);
    if (jwt_random(16, &id, e)) return -1;
    jw_object(&w);
    jw_put_text(&w, "iss", str_of(a->identity.id));
    jw_put_text(&w, "sub", str_of(a->identity.id));
    jw_put_text(&w, "aud", str_of(a->as.issuer));
    jw_put_text(&w, "jti", buf_str(&id));
    jw_put_int(&w, "iat", now_s());
    jw_put_int(&w, "exp", now_s() + ASSERTION_S);
    jw_end_object(&w);
    if (jw_done(&w, e) ||
        buf_addf(&header, e, "{\"alg\":\"%s\",\"typ\":\"JWT\"}",
                 jwt_key_alg(a->client_key)))
        return -1;
    if (jwt_sign(a->client_key, buf_str(&header), buf_str(&claims), &jwt, e))
        return -1;
    return flow_form(form, "client_assertion_type", ASSERTION_TYPE, e) ||
                   flow_form(form, "client_assertion", buf_text(&jwt), e)
               ? -1
               : 0;
}

static int basic(struct mcp_auth *a, struct buf *authorization, struct err *e) {
    AUTO_BUF struct buf pair = BUF_MAX(PROOF_MAX);
    const char *secret = a->identity.secret ? a->identity.secret : "";
    if (url_encode(str_of(a->identity.id), &pair, e) ||
        buf_add_char(&pair, ':', e) || url_encode(str_of(secret), &pair, e) ||
        buf_add_text(authorization, "Basic ", e))
        return -1;
    return base64_encode(buf_str(&pair), authorization, e);
}

static int identify(struct mcp_auth *a, struct buf *form,
                    struct buf *authorization, struct err *e) {
    switch (a->identity.method) {
    case FLOW_BASIC: return basic(a, authorization, e);
    case FLOW_POST:
        return flow_form(form, "client_id", a->identity.id, e) ||
                       flow_form(form, "client_secret", a->identity.secret, e)
                   ? -1
                   : 0;
    case FLOW_KEY:
        return flow_form(form, "client_id", a->identity.id, e) ||
                       add_assertion(a, form, e)
                   ? -1
                   : 0;
    case FLOW_NONE: return flow_form(form, "client_id", a->identity.id, e);
    }
    return fail(e, ERR_INTERNAL, "no such method");
}

/* -- asking ------------------------------------------------------------------
 */

static int send_form(struct mcp_auth *a, struct err *e) {
    AUTO_BUF struct buf form = BUF_MAX(FORM_MAX), who = BUF_MAX(PROOF_MAX);
    AUTO_BUF struct buf proof = BUF_MAX(PROOF_MAX);
    if (buf_add_text(&form, a->body, e) || identify(a, &form, &who, e))
        return -1;
    if ((a->as.dpop || a->dpop_wanted) &&
        flow_proof(a, "POST", a->token_url, a->issuer_nonce, NULL, &proof, e))
        return -1;
    const struct flow_request r = {
        .url = a->token_url,
        .body = buf_text(&form),
        .type = "application/x-www-form-urlencoded",
        .authorization = who.len ? buf_text(&who) : NULL,
        .proof = proof.len ? buf_text(&proof) : NULL,
    };
    flow_fetch(a, &r, take_answer);
    return 0;
}

void flow_request_token(struct mcp_auth *a, const char *url, struct buf *form,
                        flow_step *next) {
    struct err e;
    a->nonce_tried = false;
    a->token_url = url;
    a->token_next = next;
    a->body = arena_text(&a->flow, buf_str(form), &e);
    if (!a->body || send_form(a, &e)) flow_fail_err(a, &e);
}

/* The endpoint may want a nonce of its own in the proof: once more, then. */
static void take_answer(struct mcp_auth *a, const struct flow_answer *answer) {
    struct err e;
    str error = json_get_text(answer->json, "error", STR(""));
    if (answer->nonce.n && flow_set(&a->issuer_nonce, answer->nonce, &e)) {
        flow_fail_err(a, &e);
        return;
    }
    if (!str_is(error, "use_dpop_nonce") || a->nonce_tried) {
        a->token_next(a, answer);
        return;
    }
    a->nonce_tried = true;
    if (send_form(a, &e)) flow_fail_err(a, &e);
}

/* -- the token ---------------------------------------------------------------
 */

static bool usable(str s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || (unsigned char)s.p[i] >= 0x7f)
            return false;
    return s.n > 0;
}

static int keep_token(struct mcp_auth *a, const struct json *v, struct err *e) {
    struct flow_token *t = &a->token;
    str access = json_get_text(v, "access_token", STR(""));
    str type = json_get_text(v, "token_type", STR("Bearer"));
    str refresh = json_get_text(v, "refresh_token", (str){NULL, 0});
    str asked = a->scope ? str_of(a->scope) : (str){NULL, 0};
    str scope = json_get_text(v, "scope", asked);
    int64_t lives = json_get_int(v, "expires_in", 0);
    bool dpop = str_eq_nocase(type, STR("DPoP"));
    if (!usable(access)) return fail(e, ERR_PEER, "no token in the answer");
    if (!dpop && !str_eq_nocase(type, STR("Bearer")))
        return fail(e, ERR_UNSUPPORTED, "tokens of type '%.*s' are unknown",
                    STR_ARG(type));
    bool same = t->issuer && strcmp(t->issuer, a->as.issuer) == 0;
    if (flow_set(&t->access, access, e) || flow_set(&t->scope, scope, e) ||
        flow_set(&t->issuer, str_of(a->as.issuer), e))
        return -1;
    if ((refresh.p || !same) && flow_set(&t->refresh, refresh, e)) return -1;
    t->dpop = dpop;
    t->expires_s = lives > 0 && lives < INT32_MAX ? now_s() + lives : 0;
    return 0;
}

void flow_take_token(struct mcp_auth *a, const struct flow_answer *answer) {
    struct err e;
    const struct json *v = answer->json;
    if (answer->err) {
        flow_fail_err(a, answer->err);
    } else if (answer->status != 200 || !v) {
        str error = json_get_text(v, "error", STR("no reason"));
        str why = json_get_text(v, "error_description", STR(""));
        flow_fail(a, ERR_DENIED, "%s gives no token (HTTP %u): %.*s %.*s",
                  a->as.issuer, answer->status, STR_ARG(error), STR_ARG(why));
    } else if (keep_token(a, v, &e)) {
        flow_fail_err(a, &e);
    } else {
        flow_succeed(a);
    }
}
