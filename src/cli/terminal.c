/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"
#include "mcp/rpc.h"
#include "policy/poison.h"
#include "json/build.h"

#define ROOM ((size_t)1 << 20)
enum { LINE_BYTES = 4096, TRIES = 3, FIELDS_MAX = 100, LOOK_MS = 200 };

#define TASKS "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}"

bool terminal_present(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

const struct json *terminal_can(struct arena *a) {
    str text = terminal_present()
                   ? STR("{\"elicitation\":{\"form\":{},\"url\":{}}," TASKS "}")
                   : STR("{" TASKS "}");
    const struct json *can;
    struct err e;
    return json_parse(text, NULL, a, &can, &e) ? NULL : can;
}

/* -- showing and reading -----------------------------------------------------
 */

/* Invisible and acting characters are shown, not sent to the terminal. */
static void show(str text, const char *end) {
    AUTO_BUF struct buf plain = BUF_MAX(ROOM);
    struct err e;
    if (visible_add(text, &plain, &e) == 0)
        fprintf(stderr, "%.*s%s", STR_ARG(buf_str(&plain)), end);
}

/* Signals are the loop's, which waits for us. */
bool terminal_interrupted(void) {
    sigset_t set;
    return sigpending(&set) == 0 &&
           (sigismember(&set, SIGINT) > 0 || sigismember(&set, SIGTERM) > 0);
}

/* What the person enters; p NULL: they are gone. */
static str read_line(char line[LINE_BYTES]) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&in, 1, LOOK_MS) == 0)
        if (terminal_interrupted()) return (str){NULL, 0};
    ssize_t n = read(STDIN_FILENO, line, LINE_BYTES);
    if (n <= 0) return (str){NULL, 0};
    return str_trim((str){line, (size_t)n});
}

static bool is_yes(str said) {
    return str_is(said, "y") || str_is(said, "yes") || str_is(said, "true");
}

static bool is_no(str said) {
    return str_is(said, "n") || str_is(said, "no") || str_is(said, "false");
}

/* -- a field with listed values ----------------------------------------------
 */

/* Where the values of a field, or of its items, are listed; NULL: nowhere. */
static const struct json *choices_of(const struct json *field) {
    static const char *const lists[] = {"enum", "oneOf", "anyOf"};
    const struct json *items = json_get(field, "items");
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct json *v = json_get(items ? items : field, lists[i]);
        if (v && json_type(v) == JSON_ARRAY && json_len(v)) return v;
    }
    return NULL;
}

/* A value is listed as it is, or as {"const": value, "title": ...}. */
static str choice_text(const struct json *choice) {
    if (json_type(choice) == JSON_STRING) return json_str(choice);
    return json_get_text(choice, "const", STR(""));
}

static void show_choices(const struct json *choices) {
    const struct json *v = json_first(choices);
    for (size_t i = json_len(choices); i > 0; i--, v = json_skip(v)) {
        str title = json_get_text(v, "title", STR(""));
        show(choice_text(v), "");
        if (title.n) {
            fputs(" (", stderr);
            show(title, ")");
        }
        if (i > 1) fputs(", ", stderr);
    }
}

static bool is_choice(const struct json *choices, str said) {
    const struct json *v = json_first(choices);
    for (size_t i = json_len(choices); i > 0; i--, v = json_skip(v))
        if (said.n && str_eq(choice_text(v), said)) return true;
    return false;
}

/* -- a field -----------------------------------------------------------------
 */

/* The prompt is one line: what it is, what it may be, what it is by default. */
static void prompt(str name, const struct json *field, bool required) {
    const struct json *choices = choices_of(field);
    str about = json_get_text(field, "description", STR(""));
    show(json_get_text(field, "title", name), "");
    if (about.n) {
        fputs(" (", stderr);
        show(about, ")");
    }
    if (choices) {
        fputs(": ", stderr);
        show_choices(choices);
    } else if (str_is(json_get_text(field, "type", STR("")), "boolean")) {
        fputs(": yes or no", stderr);
    }
    if (json_get(field, "default"))
        fputs(" [enter: the default]", stderr);
    else if (!required)
        fputs(" [enter: nothing]", stderr);
    fputs("? ", stderr);
}

static bool put_list(struct json_build *b, const struct json *choices,
                     str said) {
    build_array(b);
    while (said.p) {
        str word = str_trim(str_cut(&said, ','));
        if (choices && !is_choice(choices, word)) return false;
        build_text(b, word);
    }
    build_end(b);
    return true;
}

static bool put_number(struct json_build *b, str said, bool whole) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    struct err e;
    int64_t n;
    if (whole && num_parse_i64(said, &n, &e)) return false;
    if (json_parse(said, NULL, &a, &v, &e) || !json_is_number(v)) return false;
    build_copy(b, v);
    return true;
}

/* False: it does not fit; then what was built is of no use. */
static bool put_value(struct json_build *b, const struct json *field,
                      str said) {
    const struct json *choices = choices_of(field);
    str type = json_get_text(field, "type", STR("string"));
    if (str_is(type, "array")) return put_list(b, choices, said);
    if (choices && !is_choice(choices, said)) return false;
    if (str_is(type, "integer")) return put_number(b, said, true);
    if (str_is(type, "number")) return put_number(b, said, false);
    if (!str_is(type, "boolean")) {
        build_text(b, said);
        return true;
    }
    if (!is_yes(said) && !is_no(said)) return false;
    build_bool(b, is_yes(said));
    return true;
}

enum taken { GONE, WRONG, NOTHING, VALUE };

static enum taken take_once(str name, const struct json *field, bool required,
                            struct arena *a, const struct json **out) {
    char line[LINE_BYTES];
    struct json_build b = JSON_BUILD(a);
    struct err e;
    prompt(name, field, required);
    str said = read_line(line);
    if (!said.p) return GONE;
    if (!said.n && (json_get(field, "default") || !required)) return NOTHING;
    if (!said.n || !put_value(&b, field, said)) return WRONG;
    return build_done(&b, out, &e) ? GONE : VALUE;
}

static enum taken take_field(str name, const struct json *field, bool required,
                             struct arena *a, const struct json **out) {
    enum taken taken = WRONG;
    for (int i = 0; i < TRIES && taken == WRONG; i++) {
        taken = take_once(name, field, required, a, out);
        if (taken == WRONG) fputs("That does not fit.\n", stderr);
    }
    return taken;
}

/* -- a form ------------------------------------------------------------------
 */

static bool is_required(const struct json *schema, str name) {
    const struct json *list = json_get(schema, "required");
    if (!list || json_type(list) != JSON_ARRAY) return false;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), name))
            return true;
    return false;
}

/* What was entered, under the form's defaults; NULL: it was not filled in. */
static const struct json *fill_in(const struct json *schema, struct arena *a) {
    const struct json *fields = json_get(schema, "properties");
    struct json_build b = JSON_BUILD(a);
    const struct json *entered, *content;
    struct err e;
    if (!fields || json_type(fields) != JSON_OBJECT ||
        json_len(fields) > FIELDS_MAX)
        return NULL;
    const struct json *key = json_first(fields);
    build_object(&b);
    for (size_t i = json_len(fields); i > 0; i--, key = json_skip(key + 1)) {
        const struct json *v;
        enum taken taken = take_field(
            json_str(key), key + 1, is_required(schema, json_str(key)), a, &v);
        if (taken == GONE || taken == WRONG) return NULL;
        if (taken == NOTHING) continue;
        build_key(&b, json_str(key));
        build_copy(&b, v);
    }
    build_end(&b);
    if (build_done(&b, &entered, &e) ||
        mcp_form_content(schema, entered, a, &content, &e))
        return NULL;
    return content;
}

static void answer(struct mcp_ask *ask, bool accepted,
                   const struct json *content, struct arena *a) {
    struct json_build b = JSON_BUILD(a);
    const struct json *result;
    struct err e;
    build_object(&b);
    build_put_text(&b, "action", accepted ? STR("accept") : STR("decline"));
    if (accepted && content) build_put(&b, "content", content);
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_ask_refuse(ask, RPC_INTERNAL, e.text);
    else
        mcp_ask_answer(ask, result);
}

/* The page is the server's and the person's business; nothing is opened. */
static bool ask_visit(const struct json *params) {
    char line[LINE_BYTES];
    fputs("It asks you to open this page: ", stderr);
    show(json_get_text(params, "url", STR("")), "\n");
    fputs("Go on once you have? yes or no: ", stderr);
    return is_yes(read_line(line));
}

void terminal_answer(struct mcp_ask *ask) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *params = mcp_ask_params(ask), *content;
    if (!str_is(mcp_ask_method(ask), "elicitation/create") || !params) {
        mcp_ask_refuse(ask, RPC_NO_METHOD, "nobody can be asked this");
        return;
    }
    show(json_get_text(params, "message", STR("")), "\n");
    if (str_is(json_get_text(params, "mode", STR("form")), "url")) {
        answer(ask, ask_visit(params), NULL, &a);
        return;
    }
    content = fill_in(json_get(params, "requestedSchema"), &a);
    answer(ask, content != NULL, content, &a);
}
