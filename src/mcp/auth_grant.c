/* SPDX-License-Identifier: MIT
 *
 * The grants: what is shown to the authorization server for a token.
 */
#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "mcp/auth_flow.h"

enum { FORM_MAX = 1 << 20, SCOPE_MAX = 16 << 10 };

#define GRANT_JWT      "urn:ietf:params:oauth:grant-type:jwt-bearer"
#define GRANT_EXCHANGE "urn:ietf:params:oauth:grant-type:token-exchange"
#define TYPE_ID_TOKEN  "urn:ietf:params:oauth:token-type:id_token"
#define TYPE_ID_JAG    "urn:ietf:params:oauth:token-type:id-jag"

/* -- scopes ------------------------------------------------------------------
 */

static bool has_scope(str scopes, str one) {
    while (scopes.n)
        if (str_eq(str_cut(&scopes, ' '), one)) return true;
    return false;
}

static int add_scope(struct buf *to, str one, struct err *e) {
    if (!one.n || has_scope(buf_str(to), one)) return 0;
    if (to->len && buf_add_char(to, ' ', e)) return -1;
    return buf_add_str(to, one, e);
}

static int add_scopes(struct buf *to, str many, struct err *e) {
    while (many.n)
        if (add_scope(to, str_cut(&many, ' '), e)) return -1;
    return 0;
}

static int add_list(struct buf *to, const struct json *list, struct err *e) {
    if (!list || json_type(list) != JSON_ARRAY) return 0;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && add_scope(to, json_str(v), e))
            return -1;
    return 0;
}

static bool offers_offline(const struct mcp_auth *a) {
    const struct json *list = a->as.scopes;
    if (!list || json_type(list) != JSON_ARRAY) return false;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING &&
            str_is(json_str(v), "offline_access"))
            return true;
    return false;
}

/* What the server asks for, else all it has, else what the user wants; after a
 * 403 on top of what was granted before. */
static int choose_scope(struct mcp_auth *a, struct err *e) {
    AUTO_BUF struct buf s = BUF_MAX(SCOPE_MAX);
    if (a->status == 403 && a->token.scope &&
        add_scopes(&s, str_of(a->token.scope), e))
        return -1;
    if (a->wanted_scope) {
        if (add_scopes(&s, str_of(a->wanted_scope), e)) return -1;
    } else if (add_list(&s, json_get(a->prm, "scopes_supported"), e)) {
        return -1;
    }
    if (!s.len && a->config.scope && add_scopes(&s, str_of(a->config.scope), e))
        return -1;
    if (a->config.grant == MCP_GRANT_CODE && offers_offline(a) &&
        add_scope(&s, STR("offline_access"), e))
        return -1;
    a->scope = s.len ? arena_text(&a->flow, buf_str(&s), e) : NULL;
    return s.len && !a->scope ? -1 : 0;
}

/* -- a person in a browser ---------------------------------------------------
 */

static int challenge_of(const char *verifier, struct buf *out, struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    if (crypto_sha256(str_of(verifier), digest, e)) return -1;
    return base64url_encode((str){(const char *)digest, sizeof digest}, out, e);
}

static const char *random_text(struct mcp_auth *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(128);
    if (jwt_random(32, &text, e)) return NULL;
    return arena_text(&a->flow, buf_str(&text), e);
}

static int authorize_url(struct mcp_auth *a, struct buf *url, struct err *e) {
    AUTO_BUF struct buf challenge = BUF_MAX(128), query = BUF_MAX(FLOW_URL);
    a->verifier = random_text(a, e);
    a->state = a->verifier ? random_text(a, e) : NULL;
    if (!a->state || challenge_of(a->verifier, &challenge, e) ||
        flow_form(&query, "response_type", "code", e) ||
        flow_form(&query, "client_id", a->identity.id, e) ||
        flow_form(&query, "redirect_uri", a->config.redirect_uri, e) ||
        flow_form(&query, "code_challenge", buf_text(&challenge), e) ||
        flow_form(&query, "code_challenge_method", "S256", e) ||
        flow_form(&query, "state", a->state, e) ||
        flow_form(&query, "resource", a->resource, e) ||
        flow_form(&query, "scope", a->scope, e))
        return -1;
    char join = strchr(a->as.authorize, '?') ? '&' : '?';
    return buf_addf(url, e, "%s%c%s", a->as.authorize, join, buf_text(&query));
}

static int may_visit(struct mcp_auth *a, struct err *e) {
    struct url u;
    if (!a->config.visit || !a->config.redirect_uri)
        return fail(e, ERR_WAITING, "a person must log in at %s", a->as.issuer);
    if (!a->as.authorize)
        return fail(e, ERR_PEER, "%s has no authorization endpoint",
                    a->as.issuer);
    if (!a->as.s256)
        return fail(e, ERR_DENIED, "%s does not offer PKCE with S256",
                    a->as.issuer);
    if (url_parse(str_of(a->as.authorize), &u, e)) return -1;
    if (!a->local && !str_eq_nocase(u.scheme, STR("https")))
        return fail(e, ERR_DENIED, "%s: not https", a->as.authorize);
    return 0;
}

static void send_person(struct mcp_auth *a) {
    AUTO_BUF struct buf url = BUF_MAX(2 * FLOW_URL);
    struct err e;
    if (may_visit(a, &e) || authorize_url(a, &url, &e)) {
        flow_fail_err(a, &e);
        return;
    }
    a->visiting = true;
    a->config.visit(a->config.data, a, buf_text(&url));
}

void mcp_auth_abandoned(struct mcp_auth *a, const char *reason) {
    if (a->visiting) flow_fail(a, ERR_DENIED, "%s", reason);
}

/* The answer names its issuer, or need not; a wrong name is never taken, and
 * neither is silence where a name was promised (RFC 9207). */
static int check_redirect(struct mcp_auth *a, str query, struct err *e) {
    AUTO_BUF struct buf state = BUF_MAX(FLOW_URL), iss = BUF_MAX(FLOW_URL);
    AUTO_BUF struct buf error = BUF_MAX(FLOW_URL), why = BUF_MAX(FLOW_URL);
    if (!url_query(query, "state", &state) ||
        !crypto_equal_str(buf_str(&state), str_of(a->state)))
        return fail(e, ERR_DENIED, "the answer is not to our question");
    bool named = url_query(query, "iss", &iss);
    if (named && !str_is(buf_str(&iss), a->as.issuer))
        return fail(e, ERR_DENIED, "the answer comes from '%s', not from %s",
                    buf_text(&iss), a->as.issuer);
    if (!named && a->as.iss)
        return fail(e, ERR_DENIED, "the answer does not say who gives it");
    if (!url_query(query, "error", &error)) return 0;
    (void)url_query(query, "error_description", &why);
    return fail(e, ERR_DENIED, "%s refuses: %s%s%s", a->as.issuer,
                buf_text(&error), why.len ? ": " : "", buf_text(&why));
}

static int code_form(struct mcp_auth *a, str query, struct buf *form,
                     struct err *e) {
    AUTO_BUF struct buf code = BUF_MAX(FLOW_URL);
    if (check_redirect(a, query, e)) return -1;
    if (!url_query(query, "code", &code))
        return fail(e, ERR_PEER, "the answer holds no code");
    return flow_form(form, "grant_type", "authorization_code", e) ||
                   flow_form(form, "code", buf_text(&code), e) ||
                   flow_form(form, "redirect_uri", a->config.redirect_uri, e) ||
                   flow_form(form, "code_verifier", a->verifier, e) ||
                   flow_form(form, "resource", a->resource, e)
               ? -1
               : 0;
}

void mcp_auth_redirected(struct mcp_auth *a, str url) {
    AUTO_BUF struct buf form = BUF_MAX(FORM_MAX);
    struct err e;
    if (!a->visiting) return;
    a->visiting = false;
    str query = url;
    if (str_find_char(url, '?') >= 0) (void)str_cut(&query, '?');
    query = str_cut(&query, '#');
    if (code_form(a, query, &form, &e))
        flow_fail_err(a, &e);
    else
        flow_request_token(a, a->as.token, &form, flow_take_token);
}

/* -- without a person --------------------------------------------------------
 */

static void ask_with(struct mcp_auth *a, const char *grant,
                     const char *assertion) {
    AUTO_BUF struct buf form = BUF_MAX(FORM_MAX);
    struct err e;
    if (flow_form(&form, "grant_type", grant, &e) ||
        flow_form(&form, "assertion", assertion, &e) ||
        flow_form(&form, "resource", a->resource, &e) ||
        flow_form(&form, "scope", a->scope, &e))
        flow_fail_err(a, &e);
    else
        flow_request_token(a, a->as.token, &form, flow_take_token);
}

static void take_id_jag(struct mcp_auth *a, const struct flow_answer *answer) {
    str token = json_get_text(answer->json, "access_token", (str){NULL, 0});
    if (answer->err) {
        flow_fail_err(a, answer->err);
        return;
    }
    if (answer->status != 200 || !token.p) {
        str why = json_get_text(answer->json, "error", STR(""));
        flow_fail(a, ERR_DENIED, "the identity provider refuses: HTTP %u %.*s",
                  answer->status, STR_ARG(why));
        return;
    }
    const char *assertion = flow_text(a, "%.*s", STR_ARG(token));
    if (assertion) ask_with(a, GRANT_JWT, assertion);
}

/* The company's identity provider says who we are; its word is then shown to
 * the authorization server. */
static void exchange(struct mcp_auth *a) {
    const struct mcp_auth_config *c = &a->config;
    AUTO_BUF struct buf form = BUF_MAX(FORM_MAX);
    struct err e;
    if (!c->id_token || !c->idp_token_endpoint) {
        flow_fail(a, ERR_INVALID, "no ID token or identity provider is given");
        return;
    }
    if (flow_form(&form, "grant_type", GRANT_EXCHANGE, &e) ||
        flow_form(&form, "requested_token_type", TYPE_ID_JAG, &e) ||
        flow_form(&form, "audience", a->as.issuer, &e) ||
        flow_form(&form, "resource", a->resource, &e) ||
        flow_form(&form, "scope", a->scope, &e) ||
        flow_form(&form, "subject_token", c->id_token, &e) ||
        flow_form(&form, "subject_token_type", TYPE_ID_TOKEN, &e) ||
        flow_form(&form, "client_id", c->idp_client_id, &e) ||
        flow_form(&form, "client_secret", c->idp_client_secret, &e)) {
        flow_fail_err(a, &e);
        return;
    }
    const struct flow_request r = {.url = c->idp_token_endpoint,
                                   .body = buf_text(&form),
                                   .type = "application/x-www-form-urlencoded"};
    flow_fetch(a, &r, take_id_jag);
}

/* -- refreshing --------------------------------------------------------------
 */

/* A token that is no longer good is forgotten, and so is an identity that is
 * not known any more; then the search goes on from there. */
static void take_refreshed(struct mcp_auth *a,
                           const struct flow_answer *answer) {
    struct err e;
    str error = json_get_text(answer->json, "error", STR(""));
    if (answer->status == 200 || answer->err) {
        flow_take_token(a, answer);
        return;
    }
    if (flow_set(&a->token.refresh, (str){NULL, 0}, &e) ||
        (str_is(error, "invalid_client") &&
         flow_set(&a->identity.redirect_uri, STR(""), &e)))
        flow_fail_err(a, &e);
    else
        flow_identify(a);
}

bool flow_can_refresh(const struct mcp_auth *a) {
    return a->token.refresh && a->token.issuer && a->status == 401 &&
           strcmp(a->token.issuer, a->as.issuer) == 0;
}

static void refresh(struct mcp_auth *a) {
    AUTO_BUF struct buf form = BUF_MAX(FORM_MAX);
    struct err e;
    if (flow_form(&form, "grant_type", "refresh_token", &e) ||
        flow_form(&form, "refresh_token", a->token.refresh, &e) ||
        flow_form(&form, "resource", a->resource, &e))
        flow_fail_err(a, &e);
    else
        flow_request_token(a, a->as.token, &form, take_refreshed);
}

/* -- which of them -----------------------------------------------------------
 */

static void grant_by_kind(struct mcp_auth *a) {
    switch (a->config.grant) {
    case MCP_GRANT_CODE: send_person(a); return;
    case MCP_GRANT_CLIENT: ask_with(a, "client_credentials", NULL); return;
    case MCP_GRANT_ENTERPRISE: exchange(a); return;
    case MCP_GRANT_WORKLOAD:
        if (a->config.assertion)
            ask_with(a, GRANT_JWT, a->config.assertion);
        else
            flow_fail(a, ERR_INVALID, "no assertion is given");
        return;
    }
}

void flow_grant(struct mcp_auth *a) {
    struct err e;
    if (choose_scope(a, &e))
        flow_fail_err(a, &e);
    else if (flow_can_refresh(a))
        refresh(a);
    else
        grant_by_kind(a);
}
