/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <stdio.h>
#include <unistd.h>

#include "mcp/rpc.h"
#include "policy/poison.h"
#include "json/build.h"

#define ROOM ((size_t)1 << 20)

bool terminal_present(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

#define TASKS "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}"

const struct json *terminal_can(struct arena *a) {
    str text = terminal_present()
                   ? STR("{\"elicitation\":{\"form\":{}}," TASKS "}")
                   : STR("{" TASKS "}");
    const struct json *can;
    struct err e;
    return json_parse(text, NULL, a, &can, &e) ? NULL : can;
}

/* The one member of a form whose values are listed, or NULL. */
static const struct json *only_choice(const struct json *params, str *name) {
    const struct json *members =
        json_pointer(params, STR("/requestedSchema/properties"));
    if (!members || json_type(members) != JSON_OBJECT || json_len(members) != 1)
        return NULL;
    const struct json *key = json_first(members);
    const struct json *words = json_get(key + 1, "enum");
    *name = json_str(key);
    return words && json_type(words) == JSON_ARRAY ? words : NULL;
}

/* Invisible and acting characters are shown, not sent to the terminal. */
static void show(str text) {
    AUTO_BUF struct buf plain = BUF_MAX(ROOM);
    struct err e;
    if (visible_add(text, &plain, &e) == 0)
        fprintf(stderr, "%.*s\n", STR_ARG(buf_str(&plain)));
}

static const struct json *read_choice(const struct json *words) {
    char line[128];
    const struct json *v = json_first(words);
    for (size_t i = json_len(words); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING) return NULL;
        fprintf(stderr, "%.*s%s", STR_ARG(json_str(v)), i > 1 ? ", " : "? ");
    }
    ssize_t n = read(STDIN_FILENO, line, sizeof line);
    str said = str_trim((str){line, n > 0 ? (size_t)n : 0});
    v = json_first(words);
    for (size_t i = json_len(words); i > 0; i--, v = json_skip(v))
        if (str_eq(json_str(v), said)) return v;
    return NULL;
}

static void answer(struct mcp_ask *ask, str name, const struct json *word) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct json_build b = JSON_BUILD(&a);
    const struct json *result;
    struct err e;
    build_object(&b);
    build_put_text(&b, "action", word ? STR("accept") : STR("decline"));
    if (word) {
        build_key(&b, STR("content"));
        build_object(&b);
        build_key(&b, name);
        build_copy(&b, word);
        build_end(&b);
    }
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_ask_refuse(ask, RPC_INTERNAL, e.text);
    else
        mcp_ask_answer(ask, result);
}

void terminal_answer(struct mcp_ask *ask) {
    const struct json *params = mcp_ask_params(ask), *words = NULL;
    str name;
    if (!str_is(mcp_ask_method(ask), "elicitation/create") || !params) {
        mcp_ask_refuse(ask, RPC_NO_METHOD, "nobody can be asked this");
        return;
    }
    words = only_choice(params, &name);
    show(json_get_text(params, "message", STR("")));
    answer(ask, name, words ? read_choice(words) : NULL);
}
