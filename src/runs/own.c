/* SPDX-License-Identifier: MIT */
#include "runs/own.h"

#include <stdio.h>

#include "json/build.h"

#define NAME_SHOWN 100

/* tools.call(name, {...}) or tools.call(name, key=value ...) */
static int bind_call(const struct json *python, struct arena *a, str *tool,
                     const struct json **args, struct err *e) {
    const struct json *list = json_get(python, "args");
    const struct json *words = json_get(python, "kwargs");
    const struct json *first = json_at(list, 0), *second = json_at(list, 1);
    struct json_build b = JSON_BUILD(a);
    if (!first || json_type(first) != JSON_STRING || json_len(list) > 2 ||
        (second && json_type(second) != JSON_OBJECT))
        return fail(e, ERR_INVALID,
                    "tools.call() takes the name of a tool and its arguments");
    if (second && words && json_len(words))
        return fail(e, ERR_INVALID,
                    "tools.call() takes a dict or keywords, not both");
    *tool = json_str(first);
    if (second || words) {
        *args = second ? second : words;
        return 1;
    }
    build_object(&b);
    build_end(&b);
    return build_done(&b, args, e) ? -1 : 1;
}

/* help(mail.send) or help("mail.send") is tools.help("mail.send"). */
static int bind_help(const struct json *python, struct arena *a, str *tool,
                     const struct json **args, struct err *e) {
    const struct json *list = json_get(python, "args");
    const struct json *words = json_get(python, "kwargs");
    const struct json *first = json_at(list, 0);
    struct json_build b = JSON_BUILD(a);
    if (!first || json_type(first) != JSON_STRING || json_len(list) > 1 ||
        (words && json_len(words)))
        return fail(e, ERR_INVALID, "help() takes a tool, or the name of one");
    *tool = STR("tools.help");
    build_object(&b);
    build_put_text(&b, "name", json_str(first));
    build_end(&b);
    return build_done(&b, args, e) ? -1 : 1;
}

int own_bind(str name, const struct json *python, struct arena *a, str *tool,
             const struct json **args, struct err *e) {
    if (str_is(name, OWN_CALL)) return bind_call(python, a, tool, args, e);
    if (str_is(name, OWN_HELP)) return bind_help(python, a, tool, args, e);
    return 0;
}

void own_unknown(struct registry *all, str name,
                 bool (*sees)(const void *data, const struct entry *t),
                 const void *data, char out[OWN_TEXT]) {
    str near[3];
    size_t n = registry_near(all, name, near, 3), told = 0;
    int at = snprintf(out, OWN_TEXT, "there is no tool '%.*s'",
                      STR_ARG(str_sub(name, 0, NAME_SHOWN)));
    for (size_t i = 0; i < n; i++) {
        const struct entry *t = registry_find(all, near[i]);
        if (!t || !sees(data, t) || near[i].n > NAME_SHOWN) continue;
        at += snprintf(out + at, OWN_TEXT - (size_t)at, "%s%.*s",
                       told++ ? ", " : "; did you mean ", STR_ARG(near[i]));
    }
    if (told) snprintf(out + at, OWN_TEXT - (size_t)at, "?");
}
