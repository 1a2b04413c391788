/* SPDX-License-Identifier: MIT */
#include "call/http_answer.h"

#include "json/build.h"

#define EXCERPT 300 /* bytes of an answer that an error shows */

static str main_type(str type) {
    return str_trim(str_cut(&type, ';'));
}

static bool is_json(str type) {
    str t = main_type(type);
    return str_eq_nocase(t, STR("application/json")) ||
           str_ends(t, STR("+json"));
}

static bool is_text(str type) {
    static const char *const words[] = {"xml", "javascript", "yaml", "csv",
                                        "x-www-form-urlencoded"};
    str t = main_type(type);
    if (t.n == 0 || str_starts(t, STR("text/"))) return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_find(t, str_of(words[i])) >= 0) return true;
    return false;
}

static const struct json *meta_of(const struct http_answer *a,
                                  struct arena *arena) {
    struct json_build b = JSON_BUILD(arena);
    const struct json *out = NULL;
    struct err ignored;
    build_object(&b);
    build_put_int(&b, "status", a->status);
    if (a->link.p) build_put_text(&b, "link", a->link);
    build_end(&b);
    return build_done(&b, &out, &ignored) ? NULL : out;
}

/* An answer without a body says what its status says. */
static const struct json *status_value(const struct http_answer *a,
                                       struct arena *arena) {
    struct json_build b = JSON_BUILD(arena);
    const struct json *out = NULL;
    struct err ignored;
    build_object(&b);
    build_put_int(&b, "status", a->status);
    build_end(&b);
    return build_done(&b, &out, &ignored) ? NULL : out;
}

/* A failure of the service, not of the call; NULL: it is none. */
static const char *failure_code(unsigned status) {
    if (status == 401 || status == 407) return "unauthorized";
    if (status == 429) return "rate_limited";
    if (status >= 500) return "unavailable";
    if (status >= 300 && status < 400) return "bad_response";
    return NULL;
}

static void fail_with(struct provider_call *c, const struct http_answer *a,
                      const char *code) {
    struct err e;
    str body = str_trim(str_sub(a->body, 0, EXCERPT));
    err_set(&e, ERR_PEER, "the server answers %u%s%.*s%s%.*s", a->status,
            a->retry_after.p ? ", try again after " : "",
            STR_ARG(a->retry_after), body.n > 0 ? ": " : "", STR_ARG(body));
    /* Refused before anything was done: a redirect, a login, a rate. */
    provider_failed(c, code, a->status >= 500, &e);
}

void http_answer_take(struct provider_call *c, const struct http_answer *a) {
    struct json_limits limits = {.keep_duplicates = true};
    struct reply r = {.is_error = a->status >= 400};
    struct err e;
    const char *code = failure_code(a->status);
    if (code) {
        fail_with(c, a, code);
        return;
    }
    r.meta = meta_of(a, c->arena);
    r.text = a->body;
    if (a->body.n == 0) {
        r.value = status_value(a, c->arena);
    } else if (is_json(a->type)) {
        if (json_parse(a->body, &limits, c->arena, &r.value, &e) &&
            !r.is_error) {
            err_context(&e, "the answer is not the JSON it claims to be");
            provider_failed(c, "bad_response", true, &e);
            return;
        }
    } else if (!is_text(a->type)) {
        r.media = main_type(a->type);
    }
    reply_done(c, &r);
}
