/* SPDX-License-Identifier: MIT
 *
 * What is the same for every turn: addresses, headers, when to try again.
 */
#include "agent/provider.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/num.h"
#include "io/url.h"

#include <string.h>
#include <time.h>

#define SECOND   ((int64_t)1000000000)
#define WAIT_MAX (60 * SECOND) /* longer than this nobody wants to wait */

/* -- addresses --------------------------------------------------------------
 */

static const char *const paths[] = {
#define API(id, name, prefix, path) path,
#include "agent/apis.def"
#undef API
};

static str base_url(const struct model_config *c) {
    str url = c->url.n > 0 ? c->url : str_of(c->vendor->base_url);
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

/* "{model}" in the path is the model's name. */
static int add_path(const struct model_config *c, str path, struct buf *out,
                    struct err *e) {
    ptrdiff_t at = str_find(path, STR("{model}"));
    if (at < 0) return buf_add_str(out, path, e);
    if (str_is(c->model, ".") || str_is(c->model, ".."))
        return fail(e, ERR_INVALID, "\"%.*s\" is no model's name",
                    STR_ARG(c->model)); /* but a way to another path */
    return buf_add(out, path.p, (size_t)at, e) ||
                   url_encode(c->model, out, e) ||
                   buf_add_str(out, str_sub(path, (size_t)at + 7, path.n), e)
               ? -1
               : 0;
}

int provider_url(const struct model_config *c, const char *path, bool stream,
                 struct buf *out, struct err *e) {
    str base = base_url(c);
    if (base.n == 0)
        return fail(e, ERR_USAGE, "the provider \"%s\" needs a URL",
                    c->vendor->name);
    if (buf_add_str(out, base, e)) return -1;
    if (path) return buf_add_text(out, path, e);
    if (stream && c->vendor->api == API_GEMINI)
        return add_path(c, STR("/models/{model}:streamGenerateContent?alt=sse"),
                        out, e);
    return add_path(c, str_of(paths[c->vendor->api]), out, e);
}

static int add_key(const struct model_config *c, struct http_header *to,
                   size_t *n, struct arena *a, struct err *e) {
    char *value;
    if (c->key.n == 0) return 0;
    if (c->vendor->api == API_ANTHROPIC || c->vendor->api == API_GEMINI)
        value = arena_text(a, c->key, e);
    else
        value = arena_printf(a, e, "Bearer %.*s", STR_ARG(c->key));
    if (!value) return -1;
    to[*n].name = c->vendor->api == API_ANTHROPIC ? "x-api-key"
                  : c->vendor->api == API_GEMINI  ? "x-goog-api-key"
                                                  : "authorization";
    to[(*n)++].value = value;
    return 0;
}

int provider_headers(const struct model_config *c, struct arena *a,
                     const struct http_header **out, struct err *e) {
    size_t more = 0, n = 0;
    while (c->headers && c->headers[more].name)
        more++;
    struct http_header *h = arena_zalloc(a, more + 4, sizeof *h, e);
    if (!h) return -1;
    h[n++] = (struct http_header){"content-type", "application/json"};
    if (c->vendor->api == API_ANTHROPIC)
        h[n++] = (struct http_header){"anthropic-version", "2023-06-01"};
    if (add_key(c, h, &n, a, e)) return -1;
    if (more > 0) memcpy(h + n, c->headers, more * sizeof *h);
    *out = h;
    return 0;
}

/* -- trying again -----------------------------------------------------------
 */

/* "1.5", or a date. */
static int64_t parse_after(str text) {
    char copy[64] = "";
    struct err e;
    int64_t ns;
    if (text.n == 0 || text.n >= sizeof copy) return -1;
    if (num_parse_duration(text, &ns, &e) == 0) return ns;
    memcpy(copy, text.p, text.n);
    struct tm tm = {0};
    if (!strptime(copy, "%a, %d %b %Y %H:%M:%S GMT", &tm)) return -1;
    return (int64_t)timegm(&tm) * SECOND - clock_wall_ns();
}

static int64_t parse_ms(str text) {
    struct err e;
    int64_t ns;
    return num_parse_duration(text, &ns, &e) ? -1 : ns / 1000;
}

/* Half a second, doubled each time up to eight, less up to a quarter so that
 * clients do not come back in step. */
static int64_t backoff(int attempt) {
    uint32_t dice = 0;
    struct err e;
    int64_t wait = SECOND / 2;
    for (int i = 0; i < attempt && wait < 8 * SECOND; i++)
        wait *= 2;
    if (wait > 8 * SECOND) wait = 8 * SECOND;
    if (hash_random(&dice, sizeof dice, &e)) return wait;
    return wait - wait / 4 * (int64_t)(dice >> 8) / ((int64_t)1 << 24);
}

/* Money does not come back by waiting. */
static bool is_spent(str body) {
    static const char *const signs[] = {"insufficient_quota", "credit_balance",
                                        "billing"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (str_find(body, str_of(signs[i])) >= 0) return true;
    return false;
}

static bool may_retry(unsigned status, str should, str body) {
    if (str_is(should, "true")) return true;
    if (str_is(should, "false")) return false;
    if (status == 429) return !is_spent(body);
    return status == 0 || status == 408 || status == 409 || status >= 500;
}

int64_t provider_wait(const struct model_config *c, unsigned status,
                      str retry_after, str retry_after_ms, str should_retry,
                      str body, int attempt) {
    int most = c->retries == 0 ? PROVIDER_RETRIES : c->retries;
    if (attempt >= most || !may_retry(status, should_retry, body)) return -1;
    int64_t wait = parse_ms(retry_after_ms);
    if (wait < 0) wait = parse_after(retry_after);
    return wait >= 0 && wait <= WAIT_MAX ? wait : backoff(attempt);
}
