/* SPDX-License-Identifier: MIT
 *
 * The front matter of a skill: of YAML only what people write there, that is
 * `key: value` lines, and below a key without a value either indented `key:
 * value` lines or `- item` lines. Anything else is refused, never guessed.
 */
#include "mcp/skill.h"
#include "json/build.h"

static bool is_quoted(str v) {
    return v.n >= 2 && (v.p[0] == '"' || v.p[0] == '\'') &&
           v.p[v.n - 1] == v.p[0];
}

static int put_scalar(struct json_build *b, str v, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 10);
    const struct json *parsed;
    struct err ignored;
    if (is_quoted(v)) {
        str inner = str_sub(v, 1, v.n - 1);
        if (str_find_char(inner, v.p[0]) >= 0 ||
            (v.p[0] == '"' && str_find_char(inner, '\\') >= 0))
            return fail(e, ERR_UNSUPPORTED, "escapes in the front matter");
        build_text(b, inner);
        return 0;
    }
    if ((v.n && str_find(STR("[{>|&*!%@`\"'#"), str_sub(v, 0, 1)) >= 0) ||
        str_find(v, STR(" #")) >= 0 || str_find(v, STR(": ")) >= 0)
        return fail(e, ERR_UNSUPPORTED, "front matter beyond plain text");
    /* true, false, null and numbers are what JSON has, too. */
    if (v.n && !json_parse(v, NULL, &a, &parsed, &ignored) &&
        json_type(parsed) < JSON_STRING)
        build_copy(b, parsed);
    else if (!v.n || str_is(v, "~"))
        build_null(b);
    else
        build_text(b, v);
    return 0;
}

static bool is_inner(str line) {
    return line.n && (line.p[0] == ' ' || line.p[0] == '-');
}

/* Takes the next line that is not blank; false at the end. */
static bool next_line(str *rest, str *line) {
    while (rest->p && rest->n) {
        *line = str_cut(rest, '\n');
        if (line->n && line->p[line->n - 1] == '\r') line->n--;
        if (str_trim(*line).n) return true;
    }
    return false;
}

static int put_pair(struct json_build *b, str line, struct err *e) {
    str value = line, key = str_trim(str_cut(&value, ':'));
    if (!value.p || !key.n)
        return fail(e, ERR_UNSUPPORTED, "front matter: '%.*s' is no key",
                    STR_ARG(str_sub(line, 0, 40)));
    build_key(b, key);
    return put_scalar(b, str_trim(value), e);
}

/* The indented lines below a key. */
static int put_inner(struct json_build *b, str *rest, struct err *e) {
    str ahead = *rest, line;
    (void)next_line(&ahead, &line);
    bool list = str_starts(str_trim(line), STR("- "));
    if (list)
        build_array(b);
    else
        build_object(b);
    for (ahead = *rest; next_line(&ahead, &line) && is_inner(line);
         *rest = ahead) {
        str text = str_trim(line);
        if (list != str_starts(text, STR("- ")))
            return fail(e, ERR_UNSUPPORTED, "front matter of mixed lines");
        if (list ? put_scalar(b, str_trim(str_sub(text, 2, text.n)), e)
                 : put_pair(b, text, e))
            return -1;
    }
    build_end(b);
    return 0;
}

static bool inner_follows(str rest) {
    str line;
    return next_line(&rest, &line) && is_inner(line);
}

static int put_all(struct json_build *b, str front, struct err *e) {
    str line;
    while (next_line(&front, &line)) {
        str value = line, key = str_trim(str_cut(&value, ':'));
        if (is_inner(line))
            return fail(e, ERR_UNSUPPORTED, "front matter beyond plain text");
        if (value.p && !str_trim(value).n && inner_follows(front)) {
            build_key(b, key);
            if (put_inner(b, &front, e)) return -1;
        } else if (put_pair(b, line, e)) {
            return -1;
        }
    }
    return 0;
}

int skill_front(str content, struct arena *a, const struct json **out,
                struct err *e) {
    struct json_build b = JSON_BUILD(a);
    str front;
    if (!skill_front_text(content, &front))
        return fail(e, ERR_INVALID, "no front matter");
    build_object(&b);
    if (put_all(&b, front, e)) return -1;
    build_end(&b);
    return build_done(&b, out, e);
}
