/* SPDX-License-Identifier: MIT
 *
 * Resources and prompts that the configuration itself declares.
 *
 *   "resources": [{"uri", "name", "description", "mimeType", "text" | "file"}]
 *   "prompts":   [{"name", "description", "arguments": [{"name", ...}],
 *                  "text": "Review {{file}}"}]
 */
#include <limits.h>
#include <stdio.h>

#include "base/codec.h"
#include "base/file.h"
#include "base/utf8.h"
#include "gateway/hub_inside.h"
#include "json/build.h"

#define FILE_BYTES ((size_t)16 << 20)

static int check(const struct json *list, const char *what, const char *needed,
                 struct err *e) {
    if (!list) return 0;
    const struct json *item = json_first(list);
    for (size_t i = 0; i < json_len(list); i++, item = json_skip(item)) {
        if (!json_get_text(item, needed, STR("")).n)
            return fail(e, ERR_INVALID, "%s[%zu]: no \"%s\"", what, i, needed);
        if (!json_get(item, "text") && !json_get(item, "file"))
            return fail(e, ERR_INVALID,
                        "%s[%zu]: neither \"text\" nor "
                        "\"file\"",
                        what, i);
    }
    return 0;
}

static int copy(const struct json *root, const char *key, struct arena *a,
                const struct json **out, struct err *e) {
    const struct json *v = json_get(root, key);
    struct json_build b = JSON_BUILD(a);
    *out = NULL;
    if (!v) return 0;
    build_copy(&b, v);
    return build_done(&b, out, e);
}

int local_read(const struct json *root, struct arena *a,
               const struct json **resources, const struct json **prompts,
               const struct json **roots, struct err *e) {
    if (copy(root, "resources", a, resources, e) ||
        copy(root, "prompts", a, prompts, e) ||
        copy(root, "roots", a, roots, e))
        return -1;
    return check(*resources, "resources", "uri", e) ||
                   check(*prompts, "prompts", "name", e)
               ? -1
               : 0;
}

void local_put(struct json_build *b, const struct json *item) {
    const struct json *key = json_first(item);
    build_object(b);
    for (size_t i = json_len(item); i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "text") || str_is(json_str(key), "file"))
            continue;
        build_key(b, json_str(key));
        build_copy(b, key + 1);
    }
    if (!json_get(item, "name"))
        build_put_text(b, "name", json_get_text(item, "uri", STR("")));
    build_end(b);
}

/* The text of an item, from the configuration or from its file as it is now. */
static int load(const struct json *item, struct buf *out, struct err *e) {
    str text = json_get_text(item, "text", (str){NULL, 0});
    str file = json_get_text(item, "file", STR(""));
    char path[PATH_MAX];
    if (text.p) return buf_add_str(out, text, e);
    (void)snprintf(path, sizeof path, "%.*s", STR_ARG(file));
    return file_read(path, out, e);
}

/* What was built, or why it was not; a mistake of the caller's is told as one.
 */
static void answer(struct mcp_request *r, int failed, const struct json *result,
                   const struct err *e) {
    if (failed)
        mcp_refuse(r, e->kind == ERR_INVALID ? RPC_BAD_PARAMS : RPC_INTERNAL,
                   NULL, "%s", e->text);
    else
        mcp_answer(r, result);
}

static void put_body(struct json_build *b, const struct buf *body) {
    AUTO_BUF struct buf text = BUF_MAX(2 * FILE_BYTES);
    struct err e;
    if (utf8_valid(buf_text(body), body->len) == body->len)
        build_put_text(b, "text", buf_str(body));
    else if (!base64_encode(buf_str(body), &text, &e))
        build_put_text(b, "blob", buf_str(&text));
}

static int build_resource(const struct json *item, str uri, struct arena *a,
                          const struct json **out, struct err *e) {
    AUTO_BUF struct buf body = BUF_MAX(FILE_BYTES);
    struct json_build b = JSON_BUILD(a);
    str mime = json_get_text(item, "mimeType", STR(""));
    if (load(item, &body, e)) return -1;
    build_object(&b);
    build_key(&b, STR("contents"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "uri", uri);
    if (mime.n) build_put_text(&b, "mimeType", mime);
    put_body(&b, &body);
    build_end(&b);
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

static const struct json *find_resource(const struct hub *h, str uri) {
    const struct json *list = h->local_resources;
    const struct json *item = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0;
         i--, item = json_skip(item))
        if (str_eq(json_get_text(item, "uri", STR("")), uri)) return item;
    return NULL;
}

int local_resource(const struct hub *h, str uri, struct arena *a,
                   const struct json **out, struct err *e) {
    const struct json *item = find_resource(h, uri);
    if (item) return build_resource(item, uri, a, out, e);
    return fail(e, ERR_MISSING, "the configuration has no resource %.*s",
                STR_ARG(str_sub(uri, 0, 200)));
}

bool local_read_resource(struct hub *h, struct mcp_request *r, str uri) {
    const struct json *item = find_resource(h, uri), *result;
    struct err e;
    if (!item) return false;
    int failed = build_resource(item, uri, mcp_arena(r), &result, &e);
    answer(r, failed, result, &e);
    return true;
}

/* -- prompts -----------------------------------------------------------------
 */

/* {{name}} stands for an argument; one that was not given leaves nothing. */
static int fill(str text, const struct json *arguments, struct buf *out,
                struct err *e) {
    for (;;) {
        ptrdiff_t at = str_find(text, STR("{{"));
        str rest = str_sub(text, (size_t)(at < 0 ? 0 : at) + 2, text.n);
        ptrdiff_t end = at < 0 ? -1 : str_find(rest, STR("}}"));
        if (end < 0) return buf_add_str(out, text, e);
        str name = str_trim(str_sub(rest, 0, (size_t)end));
        const struct json *v = json_get_str(arguments, name);
        if (buf_add_str(out, str_sub(text, 0, (size_t)at), e) ||
            (v && json_type(v) == JSON_STRING &&
             buf_add_str(out, json_str(v), e)))
            return -1;
        text = str_sub(rest, (size_t)end + 2, rest.n);
    }
}

/* The name of a required argument that is missing; p NULL: none. */
static str missing(const struct json *definition, const struct json *given) {
    const struct json *list = json_get(definition, "arguments");
    const struct json *item =
        list && json_type(list) == JSON_ARRAY ? json_first(list) : NULL;
    for (size_t i = item ? json_len(list) : 0; i > 0;
         i--, item = json_skip(item)) {
        str name = json_get_text(item, "name", STR(""));
        if (json_get_bool(item, "required", false) &&
            !json_get_str(given, name))
            return name;
    }
    return (str){NULL, 0};
}

static void put_message(struct json_build *b, str text) {
    build_object(b);
    build_put_text(b, "role", STR("user"));
    build_key(b, STR("content"));
    build_object(b);
    build_put_text(b, "type", STR("text"));
    build_put_text(b, "text", text);
    build_end(b);
    build_end(b);
}

int local_prompt(const struct json *definition, const struct json *given,
                 struct arena *a, const struct json **out, struct err *e) {
    AUTO_BUF struct buf body = BUF_MAX(FILE_BYTES), text = BUF_MAX(FILE_BYTES);
    struct json_build b = JSON_BUILD(a);
    str lacking = missing(definition, given);
    if (lacking.p)
        return fail(e, ERR_INVALID, "the argument '%.*s' is missing",
                    STR_ARG(lacking));
    if (load(definition, &body, e) || fill(buf_str(&body), given, &text, e))
        return -1;
    build_object(&b);
    build_key(&b, STR("messages"));
    build_array(&b);
    put_message(&b, buf_str(&text));
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

void local_get_prompt(struct mcp_request *r, const struct json *definition) {
    const struct json *given = json_get(mcp_params(r), "arguments"), *result;
    struct err e;
    int failed = local_prompt(definition, given, mcp_arena(r), &result, &e);
    answer(r, failed, result, &e);
}
