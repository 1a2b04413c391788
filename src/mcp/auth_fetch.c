/* SPDX-License-Identifier: MIT
 *
 * Requests of the search for a token. URLs come from outside: they must be
 * https and lead to public addresses, except when the MCP server itself is on
 * this machine. Redirects are not followed.
 */
#include <stdio.h>

#include "mcp/auth_flow.h"

enum { ANSWER_MAX = 1 << 20 };
#define PATIENCE ((int64_t)30 * 1000000000)

char *flow_text(struct mcp_auth *a, const char *fmt, ...) {
    AUTO_BUF struct buf text = BUF_MAX(FLOW_MEMORY / 4);
    struct err e;
    va_list ap;
    va_start(ap, fmt);
    int result = buf_vaddf(&text, &e, fmt, ap);
    va_end(ap);
    char *copy = result ? NULL : arena_text(&a->flow, buf_str(&text), &e);
    if (!copy) flow_fail_err(a, &e);
    return copy;
}

static int check_url(struct mcp_auth *a, const char *text, struct err *e) {
    struct url u;
    if (url_parse(str_of(text), &u, e)) return fail_while(e, "%s", text);
    if (str_eq_nocase(u.scheme, STR("https")) || a->local) return 0;
    return fail(e, ERR_DENIED, "%s: not https", text);
}

static const struct json *parse(struct mcp_auth *a, str text) {
    const struct json *v;
    struct err e;
    if (json_parse(text, NULL, &a->flow, &v, &e)) return NULL;
    return json_type(v) == JSON_OBJECT ? v : NULL;
}

static void on_done(void *data, struct request *r, const struct err *e) {
    struct mcp_auth *a = data;
    a->request = NULL;
    if (a->dead) return;
    struct flow_answer answer = {
        .status = e ? 0 : request_status(r),
        .json = e ? NULL : parse(a, request_answer(r)),
        .nonce = request_header(r, "dpop-nonce"),
        .err = e,
    };
    a->depth++;
    a->next(a, &answer);
    a->depth--;
}

static const struct request_events fetch_events = {.done = on_done};

void flow_fetch(struct mcp_auth *a, const struct flow_request *r,
                flow_step *next) {
    struct err e;
    struct http_header headers[5] = {{"Accept", "application/json"}};
    size_t n = 1;
    if (r->type) headers[n++] = (struct http_header){"Content-Type", r->type};
    if (r->authorization)
        headers[n++] = (struct http_header){"Authorization", r->authorization};
    if (r->proof) headers[n++] = (struct http_header){"DPoP", r->proof};
    const struct request_spec spec = {
        .url = r->url,
        .headers = headers,
        .body = r->body ? str_of(r->body) : (str){NULL, 0},
        .answer_max = ANSWER_MAX,
        .timeout_ns = PATIENCE,
        .ca_file = a->config.ca_file,
        .guard = a->local ? NULL : guard_public_only,
        .events = &fetch_events,
        .data = a,
    };
    a->next = next;
    if (check_url(a, r->url, &e) == 0)
        a->request = client_start(a->config.http, &spec, &e);
    if (!a->request) flow_fail_err(a, &e);
}

/* -- one of several ----------------------------------------------------------
 */

int flow_candidate(struct mcp_auth *a, struct err *e, const char *fmt, ...) {
    AUTO_BUF struct buf text = BUF_MAX(FLOW_URL);
    va_list ap;
    va_start(ap, fmt);
    int result = buf_vaddf(&text, e, fmt, ap);
    va_end(ap);
    if (result) return -1;
    const char *url = arena_text(&a->flow, buf_str(&text), e);
    if (!url) return -1;
    a->candidates[a->candidate_count++] = url;
    return 0;
}

static void on_candidate(struct mcp_auth *a, const struct flow_answer *answer);

static void try_next(struct mcp_auth *a) {
    const struct flow_request r = {.url = a->candidates[a->candidate++]};
    flow_fetch(a, &r, on_candidate);
}

static void on_candidate(struct mcp_auth *a, const struct flow_answer *answer) {
    if (answer->status == 200 && answer->json) {
        a->found(a, answer);
    } else if (a->candidate < a->candidate_count) {
        try_next(a);
    } else {
        a->missing(a, answer);
    }
}

void flow_search(struct mcp_auth *a, flow_step *found, flow_step *missing) {
    a->found = found;
    a->missing = missing;
    a->candidate = 0;
    try_next(a);
}
