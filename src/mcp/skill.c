/* SPDX-License-Identifier: MIT */
#include "mcp/skill.h"

#include "base/codec.h"
#include "base/crypto.h"
#include "json/build.h"

enum { FRONT_MEMORY = 4 << 20 };

static const struct json *find_file(const struct json *entry, str uri) {
    const struct json *files = json_get(entry, "resources");
    if (!files || json_type(files) != JSON_ARRAY) return NULL;
    const struct json *f = json_first(files);
    for (size_t i = json_len(files); i > 0; i--, f = json_skip(f))
        if (str_eq(json_get_text(f, "uri", STR("")), uri)) return f;
    return NULL;
}

static int check_bytes(const struct json *file, str content, struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf text = BUF_MAX(128);
    const struct json *size = json_get(file, "size");
    str want = json_get_text(file, "digest", STR(""));
    if (size && json_get_int(file, "size", -1) != (int64_t)content.n)
        return fail(e, ERR_DENIED, "%zu bytes, not as many as listed",
                    content.n);
    if (buf_add_text(&text, "sha256:", e) ||
        crypto_sha256(content, digest, e) ||
        hex_encode((str){(const char *)digest, sizeof digest}, &text, e))
        return -1;
    if (!str_eq(buf_str(&text), want))
        return fail(e, ERR_DENIED, "not the content that was listed");
    return 0;
}

/* -- front matter ------------------------------------------------------------
 */

bool skill_front_text(str content, str *front) {
    str rest = content, line = str_cut(&rest, '\n');
    if (!str_is(str_trim(line), "---")) return false;
    const char *start = rest.p;
    while (rest.p) {
        const char *at = rest.p;
        line = str_cut(&rest, '\n');
        if (!str_is(str_trim(line), "---")) continue;
        *front = (str){start, (size_t)(at - start)};
        return true;
    }
    return false;
}

static bool is_quoted(str v) {
    return v.n >= 2 && (v.p[0] == '"' || v.p[0] == '\'') &&
           v.p[v.n - 1] == v.p[0];
}

/* Of YAML only what needs no parser: `key: text`, with quotes or without. */
static int scalar(str v, str *out, struct err *e) {
    if (is_quoted(v)) {
        v = str_sub(v, 1, v.n - 1);
        if (str_find_char(v, '\\') >= 0 || str_find_char(v, '"') >= 0 ||
            str_find_char(v, '\'') >= 0)
            return fail(e, ERR_UNSUPPORTED, "escapes in the front matter");
    } else if (v.n && str_find(STR("[{>|&*!%@`\"'#"), str_sub(v, 0, 1)) >= 0) {
        return fail(e, ERR_UNSUPPORTED, "front matter beyond plain text");
    } else if (str_find(v, STR(" #")) >= 0 || str_find(v, STR(": ")) >= 0) {
        return fail(e, ERR_UNSUPPORTED, "front matter beyond plain text");
    }
    *out = v;
    return 0;
}

static bool same(const struct json *listed, str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(FRONT_MEMORY);
    const struct json *v;
    struct err e;
    if (json_type(listed) == JSON_STRING) return str_eq(json_str(listed), text);
    return json_parse(text, NULL, &a, &v, &e) == 0 && json_equal(v, listed);
}

static int check_line(const struct json *listed, str line, size_t *seen,
                      struct err *e) {
    str value = line, key = str_cut(&value, ':');
    if (!value.p || line.p[0] == ' ' || line.p[0] == '-' || line.p[0] == '\t')
        return fail(e, ERR_UNSUPPORTED, "front matter beyond plain text");
    const struct json *want = json_get_str(listed, str_trim(key));
    str text;
    if (!want)
        return fail(e, ERR_DENIED, "'%.*s' was not listed", STR_ARG(key));
    if (scalar(str_trim(value), &text, e)) return -1;
    if (!same(want, text))
        return fail(e, ERR_DENIED, "'%.*s' is not what was listed",
                    STR_ARG(key));
    ++*seen;
    return 0;
}

static int check_front(const struct json *listed, str content, struct err *e) {
    str front;
    size_t seen = 0;
    if (!listed || json_type(listed) != JSON_OBJECT)
        return fail(e, ERR_DENIED, "no front matter was listed");
    if (!skill_front_text(content, &front))
        return fail(e, ERR_DENIED, "no front matter");
    while (front.n) {
        str line = str_cut(&front, '\n');
        if (str_trim(line).n == 0) continue;
        if (check_line(listed, line, &seen, e)) return -1;
    }
    if (seen != json_len(listed))
        return fail(e, ERR_DENIED, "the front matter lacks what was listed");
    return 0;
}

int skill_verify_bytes(const struct json *entry, str uri, str content,
                       struct err *e) {
    const struct json *file = find_file(entry, uri);
    if (!file) return fail(e, ERR_DENIED, "%.*s is not listed", STR_ARG(uri));
    if (check_bytes(file, content, e))
        return fail_while(e, "%.*s", STR_ARG(uri));
    return 0;
}

int skill_verify(const struct json *entry, str uri, str content,
                 struct err *e) {
    if (skill_verify_bytes(entry, uri, content, e)) return -1;
    if (str_eq(uri, json_get_text(entry, "uri", STR(""))) &&
        check_front(json_get(entry, "frontmatter"), content, e))
        return fail_while(e, "%.*s", STR_ARG(uri));
    return 0;
}
