/* SPDX-License-Identifier: MIT
 *
 * Where tokens for the server come from: its protected-resource metadata (RFC
 * 9728) names the authorization server, whose own metadata (RFC 8414, OpenID
 * Connect discovery) names the endpoints. A server of 2025-03-26 publishes
 * neither and is its own authorization server.
 */
#include <string.h>

#include "mcp/auth_flow.h"

static void find_server(struct mcp_auth *a);

/* -- the resource ------------------------------------------------------------
 */

/* The server's URL lies at or below what the metadata is about. */
static bool covers(str resource, const char *server) {
    struct url r, s;
    struct err e;
    if (url_parse(resource, &r, &e) || url_parse(str_of(server), &s, &e) ||
        !url_same_origin(&r, &s))
        return false;
    str path = r.path;
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    if (!str_starts(s.path, path)) return false;
    return s.path.n == path.n || s.path.p[path.n] == '/';
}

static const char *first_text(struct mcp_auth *a, const struct json *list) {
    if (!list || json_type(list) != JSON_ARRAY || !json_len(list)) return NULL;
    const struct json *v = json_first(list);
    if (json_type(v) != JSON_STRING) return NULL;
    return flow_text(a, "%.*s", STR_ARG(json_str(v)));
}

static void take_resource(struct mcp_auth *a,
                          const struct flow_answer *answer) {
    str resource = json_get_text(answer->json, "resource", STR(""));
    if (!covers(resource, a->config.server)) {
        flow_fail(a, ERR_DENIED, "the metadata is about '%.*s', not about %s",
                  STR_ARG(resource), a->config.server);
        return;
    }
    a->prm = answer->json;
    a->resource = flow_text(a, "%.*s", STR_ARG(resource));
    if (!a->running) return;
    a->as.issuer =
        first_text(a, json_get(answer->json, "authorization_servers"));
    if (!a->running) return;
    if (!a->as.issuer) {
        flow_fail(a, ERR_PEER, "the metadata names no authorization server");
        return;
    }
    find_server(a);
}

/* No metadata: the old way, in which the server's origin is the issuer. */
static void no_resource(struct mcp_auth *a, const struct flow_answer *answer) {
    struct url u;
    struct err e;
    if (answer->err || url_parse(str_of(a->config.server), &u, &e)) {
        flow_fail_err(a, answer->err ? answer->err : &e);
        return;
    }
    a->as.issuer = flow_text(a, "%.*s", STR_ARG(u.origin));
    if (a->as.issuer) find_server(a);
}

static int resource_candidates(struct mcp_auth *a, struct err *e) {
    static const char at[] = "/.well-known/oauth-protected-resource";
    struct url u;
    a->candidate_count = 0;
    if (a->metadata_url) return flow_candidate(a, e, "%s", a->metadata_url);
    if (url_parse(str_of(a->config.server), &u, e)) return -1;
    if (u.path.n > 1 && flow_candidate(a, e, "%.*s%s%.*s", STR_ARG(u.origin),
                                       at, STR_ARG(u.path)))
        return -1;
    return flow_candidate(a, e, "%.*s%s", STR_ARG(u.origin), at);
}

void flow_discover(struct mcp_auth *a) {
    struct err e;
    if (resource_candidates(a, &e))
        flow_fail_err(a, &e);
    else
        flow_search(a, take_resource, no_resource);
}

/* -- the authorization server ------------------------------------------------
 */

static bool lists(const struct json *list, const char *word) {
    if (!list || json_type(list) != JSON_ARRAY) return false;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_is(json_str(v), word))
            return true;
    return false;
}

static const char *text(struct mcp_auth *a, const struct json *v,
                        const char *key) {
    str s = json_get_text(v, key, (str){NULL, 0});
    return s.p ? flow_text(a, "%.*s", STR_ARG(s)) : NULL;
}

static void read_server(struct mcp_auth *a, const struct json *v) {
    struct flow_server *as = &a->as;
    const struct json *methods =
        json_get(v, "token_endpoint_auth_methods_supported");
    as->authorize = text(a, v, "authorization_endpoint");
    as->token = text(a, v, "token_endpoint");
    as->registration = text(a, v, "registration_endpoint");
    as->s256 = lists(json_get(v, "code_challenge_methods_supported"), "S256");
    as->cimd = json_get_bool(v, "client_id_metadata_document_supported", false);
    as->iss = json_get_bool(v, "authorization_response_iss_parameter_supported",
                            false);
    as->dpop = lists(json_get(v, "dpop_signing_alg_values_supported"), "ES256");
    as->methods_told = methods != NULL;
    as->none = lists(methods, "none");
    as->basic = lists(methods, "client_secret_basic");
    as->post = lists(methods, "client_secret_post");
    as->scopes = json_get(v, "scopes_supported");
}

/* The metadata is that of whom we asked for. A server without metadata of its
 * own named nobody: there any issuer of the server's origin will do. */
static bool is_issuer(struct mcp_auth *a, str issuer) {
    struct url theirs, ours;
    struct err e;
    if (str_is(issuer, a->as.issuer)) return true;
    if (a->prm || url_parse(issuer, &theirs, &e) ||
        url_parse(str_of(a->as.issuer), &ours, &e) ||
        !url_same_origin(&theirs, &ours))
        return false;
    const char *text = flow_text(a, "%.*s", STR_ARG(issuer));
    if (text) a->as.issuer = text;
    return text != NULL;
}

static void take_server(struct mcp_auth *a, const struct flow_answer *answer) {
    str issuer = json_get_text(answer->json, "issuer", STR(""));
    if (!is_issuer(a, issuer)) {
        flow_fail(a, ERR_DENIED, "%s calls itself '%.*s'", a->as.issuer,
                  STR_ARG(issuer));
        return;
    }
    read_server(a, answer->json);
    if (!a->running) return;
    if (!a->as.token)
        flow_fail(a, ERR_PEER, "%s has no token endpoint", a->as.issuer);
    else
        flow_identify(a);
}

/* Without any metadata the endpoints of 2025-03-26 stand at the root. */
static void no_server(struct mcp_auth *a, const struct flow_answer *answer) {
    if (answer->err || a->prm) {
        flow_fail(a, ERR_PEER, "%s publishes no metadata%s%s", a->as.issuer,
                  answer->err ? ": " : "",
                  answer->err ? answer->err->text : "");
        return;
    }
    a->as.authorize = flow_text(a, "%s/authorize", a->as.issuer);
    if (a->running) a->as.token = flow_text(a, "%s/token", a->as.issuer);
    if (a->running)
        a->as.registration = flow_text(a, "%s/register", a->as.issuer);
    a->as.s256 = true;
    if (a->running) flow_identify(a);
}

static int server_candidates(struct mcp_auth *a, struct err *e) {
    static const char oauth[] = "/.well-known/oauth-authorization-server";
    static const char oidc[] = "/.well-known/openid-configuration";
    struct url u;
    a->candidate_count = 0;
    if (url_parse(str_of(a->as.issuer), &u, e))
        return fail_while(e, "%s", a->as.issuer);
    str path = u.path, at = u.origin;
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    if (flow_candidate(a, e, "%.*s%s%.*s", STR_ARG(at), oauth, STR_ARG(path)) ||
        flow_candidate(a, e, "%.*s%s%.*s", STR_ARG(at), oidc, STR_ARG(path)))
        return -1;
    if (path.n == 0) return 0;
    return flow_candidate(a, e, "%.*s%.*s%s", STR_ARG(at), STR_ARG(path), oidc);
}

static void find_server(struct mcp_auth *a) {
    struct err e;
    if (server_candidates(a, &e))
        flow_fail_err(a, &e);
    else
        flow_search(a, take_server, no_server);
}
