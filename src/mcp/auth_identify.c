/* SPDX-License-Identifier: MIT
 *
 * Who we are at the authorization server: what we were given, what we were
 * registered as there before, our metadata document, or a registration now
 * (RFC 7591). An identity is good at the issuer it came from and nowhere else.
 */
#include <string.h>

#include "mcp/auth_flow.h"
#include "json/write.h"

/* The method for a secret that came without one. RFC 8414: a server that lists
 * none takes client_secret_basic. */
static enum flow_method method_for(const struct mcp_auth *a,
                                   const char *secret) {
    if (a->client_key) return FLOW_KEY;
    if (!secret) return FLOW_NONE;
    if (!a->as.methods_told || a->as.basic) return FLOW_BASIC;
    return a->as.post ? FLOW_POST : FLOW_BASIC;
}

static int set_identity(struct mcp_auth *a, str id, str secret, struct err *e) {
    struct flow_identity *me = &a->identity;
    if (flow_set(&me->issuer, str_of(a->as.issuer), e) ||
        flow_set(&me->id, id, e) || flow_set(&me->secret, secret, e))
        return -1;
    me->method = method_for(a, me->secret);
    str redirect = a->config.redirect_uri ? str_of(a->config.redirect_uri)
                                          : (str){NULL, 0};
    return flow_set(&me->redirect_uri, redirect, e);
}

static str or_null(const char *text) {
    return text ? str_of(text) : (str){NULL, 0};
}

static void go_on_as(struct mcp_auth *a, str id, str secret) {
    struct err e;
    if (set_identity(a, id, secret, &e))
        flow_fail_err(a, &e);
    else
        flow_grant(a);
}

/* -- registration ------------------------------------------------------------
 */

static const char *wanted_method(const struct mcp_auth *a) {
    if (!a->as.methods_told || a->as.basic) return "client_secret_basic";
    if (a->as.post && !a->as.none) return "client_secret_post";
    return "none";
}

static void by_name(str name, enum flow_method *out) {
    if (str_is(name, "none"))
        *out = FLOW_NONE;
    else if (str_is(name, "client_secret_basic"))
        *out = FLOW_BASIC;
    else if (str_is(name, "client_secret_post"))
        *out = FLOW_POST;
}

static void take_registration(struct mcp_auth *a,
                              const struct flow_answer *answer) {
    const struct json *v = answer->json;
    struct err e;
    str id = json_get_text(v, "client_id", (str){NULL, 0});
    str secret = json_get_text(v, "client_secret", (str){NULL, 0});
    str method = json_get_text(v, "token_endpoint_auth_method", STR(""));
    if (answer->err) {
        flow_fail_err(a, answer->err);
        return;
    }
    if (answer->status / 100 != 2 || !id.p) {
        str why = json_get_text(v, "error_description",
                                json_get_text(v, "error", STR("")));
        flow_fail(a, ERR_DENIED, "%s does not register us (HTTP %u) %.*s",
                  a->as.issuer, answer->status, STR_ARG(why));
        return;
    }
    if (set_identity(a, id, secret, &e)) {
        flow_fail_err(a, &e);
        return;
    }
    by_name(method, &a->identity.method);
    flow_grant(a);
}

static int write_registration(struct mcp_auth *a, struct buf *out,
                              struct err *e) {
    const struct mcp_auth_config *c = &a->config;
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "client_name",
                str_of(c->client_name ? c->client_name : "Cordon"));
    jw_key(&w, "redirect_uris");
    jw_array(&w);
    if (c->redirect_uri) jw_text(&w, str_of(c->redirect_uri));
    jw_end_array(&w);
    jw_key(&w, "grant_types");
    jw_raw(&w, STR("[\"authorization_code\",\"refresh_token\"]"));
    jw_key(&w, "response_types");
    jw_raw(&w, STR("[\"code\"]"));
    jw_put_text(&w, "token_endpoint_auth_method", str_of(wanted_method(a)));
    jw_put_text(&w, "application_type", STR("native"));
    jw_end_object(&w);
    return jw_done(&w, e);
}

static void register_now(struct mcp_auth *a) {
    AUTO_BUF struct buf body = BUF_MAX(FLOW_URL);
    struct err e;
    if (write_registration(a, &body, &e)) {
        flow_fail_err(a, &e);
        return;
    }
    const struct flow_request r = {.url = a->as.registration,
                                   .body = buf_text(&body),
                                   .type = "application/json"};
    flow_fetch(a, &r, take_registration);
}

/* -- which of them -----------------------------------------------------------
 */

/* A registration names where answers go. One that names another place still
 * serves to refresh a token. */
static bool known_here(struct mcp_auth *a) {
    const struct flow_identity *me = &a->identity;
    if (!me->id || !me->issuer || strcmp(me->issuer, a->as.issuer) != 0)
        if (!a->config.store || !flow_recall(a, a->as.issuer)) return false;
    return flow_can_refresh(a) ||
           str_eq(or_null(me->redirect_uri), or_null(a->config.redirect_uri));
}

void flow_identify(struct mcp_auth *a) {
    const struct mcp_auth_config *c = &a->config;
    if (c->client_id)
        go_on_as(a, str_of(c->client_id), or_null(c->client_secret));
    else if (known_here(a))
        flow_grant(a);
    else if (c->client_url && a->as.cimd)
        go_on_as(a, str_of(c->client_url), (str){NULL, 0});
    else if (a->as.registration)
        register_now(a);
    else
        flow_fail(a, ERR_DENIED,
                  "%s knows no client of ours and registers none: give a "
                  "client id",
                  a->as.issuer);
}
