/* SPDX-License-Identifier: MIT
 *
 * What a question brings along: @server:uri puts a resource beside it, and
 * /server:prompt is a question that a server wrote. Both are fetched first and
 * then said; where they came from is noted, so that a call made of their words
 * is judged by it.
 */
#include "cli/talk.h"
#include "json/build.h"

#include <string.h>

#define ATTACHED 16 /* resources beside one question */
#define ARGS     32 /* of a prompt */

struct attached {
    struct talk *talk;
    struct attached *next;
    struct hub_wish wish; /* text in the conversation's arena */
    struct hub_fetch *fetch;
    const struct json *result; /* likewise */
};

/* -- what is meant -----------------------------------------------------------
 */

/* "server:rest" of a server there is. */
static bool split_name(const struct talk *t, str word, str *server, str *rest) {
    ptrdiff_t at = str_find_char(word, ':');
    if (at <= 0 || (size_t)at + 1 >= word.n) return false;
    *server = str_sub(word, 0, (size_t)at);
    *rest = str_sub(word, (size_t)at + 1, word.n);
    return hub_has_server(t->hub, *server);
}

bool talk_is_prompt(const struct talk *t, str line) {
    str server, name, word = str_cut(&line, ' ');
    return word.n > 1 && word.p[0] == '/' &&
           split_name(t, str_sub(word, 1, word.n), &server, &name);
}

static struct attached *add(struct talk *t, enum hub_kind kind, str server,
                            str name, struct err *e) {
    struct attached *x = arena_zalloc(agent_arena(t->agent), 1, sizeof *x, e);
    struct attached **end = &t->attached;
    if (!x) return NULL;
    x->talk = t;
    x->wish.kind = kind;
    x->wish.server = server;
    x->wish.name = name;
    while (*end)
        end = &(*end)->next;
    *end = x;
    t->fetching++;
    return x;
}

/* A sentence may end right after a name. */
static str without_stop(str word) {
    while (word.n > 0 && strchr(".,;:!?)", word.p[word.n - 1]))
        word.n--;
    return word;
}

static int find_resources(struct talk *t, str text, struct err *e) {
    str server, uri;
    while (text.n > 0) {
        size_t n = 0;
        while (n < text.n && !strchr(" \t\n", text.p[n]))
            n++;
        str word = str_sub(text, 0, n);
        text = str_sub(text, n < text.n ? n + 1 : n, text.n);
        if (word.n < 2 || word.p[0] != '@' ||
            !split_name(t, without_stop(str_sub(word, 1, word.n)), &server,
                        &uri))
            continue;
        if (t->fetching == ATTACHED)
            return fail(e, ERR_LIMIT, "more than %d resources", ATTACHED);
        if (!add(t, HUB_RESOURCE, server, uri, e)) return -1;
    }
    return 0;
}

/* -- a prompt's arguments ----------------------------------------------------
 */

struct prompt_args {
    str server, prompt; /* that is looked for */
    bool found;
    str names[ARGS], values[ARGS];
    size_t count;
};

static void take_definition(void *data, str server, const struct json *item) {
    struct prompt_args *p = data;
    const struct json *list = json_get(item, "arguments");
    if (p->found || !str_eq(server, p->server) ||
        !str_eq(json_get_text(item, "name", STR("")), p->prompt))
        return;
    p->found = true;
    if (!list || json_type(list) != JSON_ARRAY) return;
    const struct json *arg = json_first(list);
    for (size_t i = json_len(list); i > 0 && p->count < ARGS;
         i--, arg = json_skip(arg))
        p->names[p->count++] = json_get_text(arg, "name", STR(""));
}

/* The first argument that has no value yet. */
static size_t next_free(const struct prompt_args *p) {
    size_t i = 0;
    while (i < p->count && p->values[i].p)
        i++;
    return i;
}

/* One word, or what stands in quotes. */
static str take_word(str *rest) {
    *rest = str_trim(*rest);
    if (rest->n == 0 || rest->p[0] != '"') return str_cut(rest, ' ');
    *rest = str_sub(*rest, 1, rest->n);
    return str_cut(rest, '"');
}

/* "name=", where that is an argument. */
static size_t named(const struct prompt_args *p, str rest) {
    ptrdiff_t at = str_find_char(rest, '=');
    size_t i = 0;
    while (i < p->count &&
           !(at > 0 && str_eq(p->names[i], str_sub(rest, 0, (size_t)at))))
        i++;
    return i;
}

/* Values by name, or in the order of the arguments; the last one takes the
 * rest of the line. */
static int read_args(struct prompt_args *p, str rest, struct err *e) {
    while ((rest = str_trim(rest)).n > 0) {
        size_t i = named(p, rest);
        if (i < p->count) {
            rest = str_sub(rest, p->names[i].n + 1, rest.n);
            p->values[i] = take_word(&rest);
            continue;
        }
        i = next_free(p);
        if (i == p->count)
            return fail(e, ERR_INVALID, "%.*s takes %zu arguments",
                        STR_ARG(p->prompt), p->count);
        bool last = i + 1 == p->count && rest.p[0] != '"';
        p->values[i] = last ? rest : take_word(&rest);
        if (last) return 0;
    }
    return 0;
}

static int build_args(const struct prompt_args *p, struct arena *a,
                      const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    for (size_t i = 0; i < p->count; i++) {
        if (!p->values[i].p) continue;
        build_key(&b, p->names[i]);
        build_text(&b, p->values[i]);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

static int find_prompt(struct talk *t, str line, struct err *e) {
    struct prompt_args p = {0};
    str rest = line, word = str_cut(&rest, ' ');
    (void)split_name(t, str_sub(word, 1, word.n), &p.server, &p.prompt);
    hub_each(t->hub, HUB_PROMPT, take_definition, &p);
    if (!p.found)
        return fail(e, ERR_MISSING, "%.*s has no prompt \"%.*s\"",
                    STR_ARG(p.server), STR_ARG(p.prompt));
    struct attached *x = add(t, HUB_PROMPT, p.server, p.prompt, e);
    return !x || read_args(&p, rest, e) ||
                   build_args(&p, agent_arena(t->agent), &x->wish.args, e)
               ? -1
               : 0;
}

/* -- saying it ---------------------------------------------------------------
 */

static int add_text(struct talk *t, struct message *m, str text,
                    struct err *e) {
    struct part *p = parts_add(&m->parts, PART_TEXT, agent_arena(t->agent), e);
    if (!p) return -1;
    p->text = text;
    return 0;
}

static int note(struct talk *t, const struct attached *x, str text,
                struct err *e) {
    if (t->on_attached)
        t->on_attached(t->data, x->wish.server, x->wish.name, text.n);
    return bound_attached(t->bound, x->wish.server, x->wish.name, text, e);
}

/* One item of resources/read, or what a prompt embeds. */
static int add_content(struct talk *t, const struct attached *x,
                       struct message *m, const struct json *v, struct err *e) {
    struct arena *a = agent_arena(t->agent);
    str text = json_get_text(v, "text", (str){NULL, 0});
    str blob = json_get_text(v, "blob", (str){NULL, 0});
    str mime = json_get_text(v, "mimeType", STR(""));
    str uri = json_get_text(v, "uri", x->wish.name);
    if (blob.p && str_starts(mime, STR("image/"))) {
        struct part *p = parts_add(&m->parts, PART_IMAGE, a, e);
        if (!p) return -1;
        p->mime = mime;
        p->data = blob;
        return note(t, x, STR("an image"), e);
    }
    if (!text.p)
        return fail(e, ERR_UNSUPPORTED,
                    "%.*s:%.*s is neither text nor an image",
                    STR_ARG(x->wish.server), STR_ARG(uri));
    char *whole = arena_printf(
        a, e, "<resource server=\"%.*s\" uri=\"%.*s\">\n%.*s\n</resource>",
        STR_ARG(x->wish.server), STR_ARG(uri), STR_ARG(text));
    if (!whole || add_text(t, m, str_of(whole), e)) return -1;
    return note(t, x, text, e);
}

static int add_resource(struct talk *t, const struct attached *x,
                        struct message *m, struct err *e) {
    const struct json *list = json_get(x->result, "contents");
    if (!list || json_type(list) != JSON_ARRAY || json_len(list) == 0)
        return fail(e, ERR_PEER, "%.*s:%.*s: the server gave nothing",
                    STR_ARG(x->wish.server), STR_ARG(x->wish.name));
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (add_content(t, x, m, item, e)) return -1;
    return 0;
}

static int add_prompt_part(struct talk *t, const struct attached *x,
                           struct message *m, const struct json *v,
                           struct err *e) {
    str type = json_get_text(v, "type", STR(""));
    str text = json_get_text(v, "text", STR(""));
    if (str_is(type, "resource"))
        return add_content(t, x, m, json_get(v, "resource"), e);
    if (str_is(type, "text"))
        return add_text(t, m, text, e) || note(t, x, text, e) ? -1 : 0;
    if (!str_is(type, "image"))
        return fail(e, ERR_UNSUPPORTED, "a prompt with \"%.*s\" in it",
                    STR_ARG(type));
    struct part *p = parts_add(&m->parts, PART_IMAGE, agent_arena(t->agent), e);
    if (!p) return -1;
    p->mime = json_get_text(v, "mimeType", STR("image/png"));
    p->data = json_get_text(v, "data", STR(""));
    return note(t, x, STR("an image"), e);
}

static int say_prompt_message(struct talk *t, const struct attached *x,
                              const struct json *v, struct err *e) {
    const struct json *content = json_get(v, "content");
    bool many = content && json_type(content) == JSON_ARRAY;
    bool user = str_is(json_get_text(v, "role", STR("")), "user");
    struct message *m =
        messages_add(agent_talk(t->agent), user ? ROLE_USER : ROLE_ASSISTANT,
                     agent_arena(t->agent), e);
    if (!m) return -1;
    const struct json *item = many ? json_first(content) : content;
    for (size_t i = many ? json_len(content) : content != NULL; i > 0;
         i--, item = many ? json_skip(item) : item)
        if (add_prompt_part(t, x, m, item, e)) return -1;
    return 0;
}

static int say_prompt(struct talk *t, const struct attached *x, struct err *e) {
    const struct json *list = json_get(x->result, "messages");
    if (!list || json_type(list) != JSON_ARRAY || json_len(list) == 0)
        return fail(e, ERR_PEER, "the prompt %.*s:%.*s is empty",
                    STR_ARG(x->wish.server), STR_ARG(x->wish.name));
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (say_prompt_message(t, x, item, e)) return -1;
    return 0;
}

static int say_question(struct talk *t, struct err *e) {
    struct message *m = messages_say(agent_talk(t->agent), ROLE_USER, t->said,
                                     agent_arena(t->agent), e);
    if (!m) return -1;
    for (const struct attached *x = t->attached; x; x = x->next)
        if (add_resource(t, x, m, e)) return -1;
    return 0;
}

/* Everything is there. What cannot be said leaves no trace. */
static int say(struct talk *t, struct err *e) {
    struct messages before = *agent_talk(t->agent);
    const struct attached *x = t->attached;
    bool prompt = x && x->wish.kind == HUB_PROMPT;
    if (bound_said(t->bound, t->said, e) ||
        (prompt ? say_prompt(t, x, e) : say_question(t, e))) {
        *agent_talk(t->agent) = before;
        if (before.last) before.last->next = NULL;
        return -1;
    }
    t->attached = NULL;
    struct message *m =
        before.last ? before.last->next : agent_talk(t->agent)->first;
    for (; m; m = m->next)
        t->events.message(t, m);
    return agent_run(t->agent, e);
}

/* -- fetching ----------------------------------------------------------------
 */

static void give_up(struct talk *t) {
    for (struct attached *x = t->attached; x; x = x->next)
        if (x->fetch) hub_fetch_cancel(x->fetch);
    t->attached = NULL;
    t->fetching = 0;
}

static void end_with(struct talk *t, enum agent_end end, const char *why) {
    give_up(t);
    t->events.done(t, end, why);
}

static int keep_result(struct attached *x, const struct json *result,
                       struct err *e) {
    struct json_build b = JSON_BUILD(agent_arena(x->talk->agent));
    build_copy(&b, result);
    return build_done(&b, &x->result, e);
}

static void on_fetched(void *data, const struct json *result,
                       const struct err *e) {
    struct attached *x = data;
    struct talk *t = x->talk;
    struct err why;
    x->fetch = NULL;
    if (!result || keep_result(x, result, &why)) {
        if (result) e = &why;
        err_set(&why, e->kind, "%.*s:%.*s: %s", STR_ARG(x->wish.server),
                STR_ARG(x->wish.name), e->text);
        end_with(t, AGENT_FAILED, why.text);
        return;
    }
    if (--t->fetching == 0 && !t->starting && say(t, &why))
        end_with(t, AGENT_FAILED, why.text);
}

static int start(struct talk *t, struct err *e) {
    if (talk_is_prompt(t, t->said) ? find_prompt(t, t->said, e)
                                   : find_resources(t, t->said, e))
        return -1;
    for (struct attached *x = t->attached; x && t->attached; x = x->next) {
        x->wish.done = on_fetched;
        x->wish.data = x;
        if (hub_fetch(t->hub, &x->wish, &x->fetch, e)) return -1;
    }
    return t->fetching == 0 ? say(t, e) : 0;
}

int talk_begin(struct talk *t, str text, struct err *e) {
    if (agent_busy(t->agent) || t->fetching > 0)
        return fail(e, ERR_EXISTS, "an answer is under way");
    if (arena_dup(agent_arena(t->agent), text, &t->said, e)) return -1;
    t->starting = true;
    int result = start(t, e);
    t->starting = false;
    if (result) give_up(t);
    return result;
}

void talk_stop(struct talk *t) {
    if (t->fetching > 0)
        end_with(t, AGENT_STOPPED, "stopped");
    else
        agent_stop(t->agent);
}
