/* SPDX-License-Identifier: MIT
 *
 * WWW-Authenticate: scheme, then name=value pairs with commas between them,
 * then perhaps the next scheme. Values are tokens or quoted strings.
 */
#include <string.h>

#include "mcp/auth_flow.h"

static bool is_token_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("!#$%&'*+-.^_`|~/:", c));
}

static void skip(str *s, const char *what) {
    while (s->n && strchr(what, s->p[0]) && s->p[0])
        *s = str_sub(*s, 1, s->n);
}

static str take_token(str *s) {
    size_t n = 0;
    while (n < s->n && is_token_char(s->p[n]))
        n++;
    str t = str_sub(*s, 0, n);
    *s = str_sub(*s, n, s->n);
    return t;
}

/* What stands between quotes; a backslash keeps the quote after it inside. */
static str take_quoted(str *s) {
    size_t n = 1;
    while (n < s->n && s->p[n] != '"')
        n += s->p[n] == '\\' && n + 1 < s->n ? 2 : 1;
    str v = str_sub(*s, 1, n);
    *s = str_sub(*s, n + 1, s->n);
    return v;
}

static str take_value(str *s) {
    skip(s, " \t");
    if (s->n && s->p[0] == '"') return take_quoted(s);
    /* A token68 or a careless value ends at a comma or a space. */
    size_t n = 0;
    while (n < s->n && !strchr(", \t", s->p[n]))
        n++;
    str v = str_sub(*s, 0, n);
    *s = str_sub(*s, n, s->n);
    return v;
}

static void keep(struct flow_challenge *c, str name, str value) {
    if (str_eq_nocase(name, STR("resource_metadata")))
        c->resource_metadata = value;
    else if (str_eq_nocase(name, STR("scope")))
        c->scope = value;
    else if (str_eq_nocase(name, STR("error")))
        c->error = value;
}

struct flow_challenge flow_read_challenge(str header) {
    struct flow_challenge c = {0};
    bool ours = false;
    while (header.n) {
        skip(&header, " \t,");
        str word = take_token(&header);
        if (word.n == 0) {
            header = str_sub(header, 1, header.n);
            continue;
        }
        str ahead = header;
        skip(&ahead, " \t");
        if (ahead.n && ahead.p[0] == '=') {
            header = str_sub(ahead, 1, ahead.n);
            str value = take_value(&header);
            if (ours) keep(&c, word, value);
            continue;
        }
        if (c.found && ours) break; /* the next challenge */
        bool dpop = str_eq_nocase(word, STR("dpop"));
        ours = dpop || str_eq_nocase(word, STR("bearer"));
        c.found = c.found || ours;
        c.dpop = ours && dpop;
    }
    return c;
}
