/* SPDX-License-Identifier: MIT
 *
 * cordon eval calls: does a model call the right tool, and none where none is
 * needed? By system prompt and by the tools' descriptions, so that both can be
 * tuned.
 */
#include "agent/lower.h"
#include "agent/shape.h"
#include "agent/vet.h"
#include "base/mem.h"
#include "cli/models.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "tools/tool.h"
#include "json/write.h"

#define ROOM ((size_t)256 << 20)
#define WIDE 4 /* questions at once */

/* One system prompt with one set of descriptions. */
struct score {
    str system, variant;
    size_t prompts, right, called, wrong_tool, missed, needless, unknown,
        invalid, failed;
};

struct eval {
    struct cli *cli;
    struct loop *loop;
    struct client *client;
    struct model_config model;
    struct arena arena;
    const struct json *set;
    struct offers offers;
    str system_text;
    struct score score;
    const struct json *next; /* prompt to be asked */
    size_t left, open;
    struct err err;
    bool broken;
};

struct question {
    struct eval *eval;
    struct turn *turn;
    const struct json *prompt;
    struct arena arena;
};

/* -- judging ----------------------------------------------------------------
 */

static bool is_name(const struct json *v, str name) {
    if (json_type(v) == JSON_NULL) return name.n == 0;
    return json_type(v) == JSON_STRING && str_eq(json_str(v), name);
}

/* Is calling this tool (empty: none) what was expected? */
static bool is_expected(const struct json *expect, str name) {
    if (!expect) return name.n == 0;
    if (json_type(expect) != JSON_ARRAY) return is_name(expect, name);
    const struct json *item = json_first(expect);
    for (size_t i = json_len(expect); i > 0; i--, item = json_skip(item))
        if (is_name(item, name)) return true;
    return false;
}

static struct schema *compile(void *data, const struct offer *o) {
    struct schema **kept = data;
    struct err e;
    schema_free(*kept);
    *kept = NULL;
    if (o->schema && schema_compile(o->schema, NULL, kept, &e)) *kept = NULL;
    return *kept;
}

static void judge(struct question *q, const struct model_answer *m) {
    struct score *s = &q->eval->score;
    const struct json *expect = json_get(q->prompt, "expect");
    const struct part *call = next_call(&m->parts, NULL);
    AUTO_SCHEMA struct schema *schema = NULL;
    struct vet_schemas schemas = {compile, &schema};
    struct vetted v = {0};
    struct err e;
    bool none = is_expected(expect, STR(""));
    s->called += call != NULL;
    if (!call) {
        s->right += none;
        s->missed += !none;
        return;
    }
    if (vet_call(call, &q->eval->offers, &schemas, &q->arena, &v, &e)) return;
    if (v.code && str_is(str_of(v.code), "unknown_tool")) {
        s->unknown++;
    } else if (is_expected(expect, call->name)) {
        s->right += !v.code;
        s->invalid += v.code != NULL;
    } else if (none) {
        s->needless++;
    } else {
        s->wrong_tool++;
    }
}

/* -- asking -----------------------------------------------------------------
 */

static void ask_more(struct eval *v);

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct question *q = data;
    struct eval *v = q->eval;
    struct model_answer read = m ? *m : (struct model_answer){0};
    struct err why;
    if (m && m->stop != STOP_ERROR && m->stop != STOP_NONE &&
        shape_answer(&v->model, &v->offers, &q->arena, &read, &why) == 0) {
        judge(q, &read);
    } else {
        v->score.failed++;
        log_warn(&v->cli->log, "%s",
                 e ? e->text : "the server failed to answer a question");
    }
    turn_free(q->turn);
    arena_fini(&q->arena);
    mem_free(q);
    v->open--;
    ask_more(v);
}

/* What the vendor takes of them; calls are judged by the tools as they are. */
static int lowered(const struct eval *v, struct arena *a, struct offers *out,
                   struct err *e) {
    *out = (struct offers){0};
    for (const struct offer *o = v->offers.first; o; o = o->next)
        if (!offer_copy(o, out, a, e)) return -1;
    return lower_offers(out, v->model.vendor, a, e);
}

static int ask(struct eval *v, const struct json *prompt, struct err *e) {
    static const struct turn_events events = {.done = on_done};
    struct question *q = mem_zalloc(1, sizeof *q, e);
    struct model_request shaped, r = {.model = v->model.model,
                                      .offers = v->offers,
                                      .choice = {.parallel = -1},
                                      .max_tokens = 500};
    if (!q) return -1;
    q->eval = v;
    q->prompt = prompt;
    q->arena = ARENA_MAX((size_t)64 << 20);
    if (lowered(v, &q->arena, &r.offers, e) == 0 &&
        (v->system_text.n == 0 || messages_say(&r.messages, ROLE_SYSTEM,
                                               v->system_text, &q->arena, e)) &&
        messages_say(&r.messages, ROLE_USER,
                     json_get_text(prompt, "text", STR("")), &q->arena, e) &&
        shape_request(&v->model, &r, &q->arena, &shaped, e) == 0)
        q->turn =
            turn_start(v->client, v->loop, &v->model, &shaped, &events, q, e);
    if (q->turn) {
        v->open++;
        v->score.prompts++;
        return 0;
    }
    arena_fini(&q->arena);
    mem_free(q);
    return -1;
}

static void ask_more(struct eval *v) {
    while (!v->broken && v->left > 0 && v->open < WIDE) {
        if (ask(v, v->next, &v->err)) v->broken = true;
        v->next = json_skip(v->next);
        v->left--;
    }
    if (v->open == 0) loop_stop(v->loop);
}

/* -- the set ----------------------------------------------------------------
 */

static int read_offers(struct eval *v, const struct json *changes,
                       struct err *e) {
    const struct json *tools = json_get(v->set, "tools");
    v->offers = (struct offers){0};
    if (!tools || json_type(tools) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "\"tools\" is not a list");
    const struct json *t = json_first(tools);
    for (size_t i = json_len(tools); i > 0; i--, t = json_skip(t)) {
        struct tool tool;
        struct offer *o = offers_add(&v->offers, &v->arena, e);
        if (!o || tool_read(t, STR(""), &v->arena, &tool, e)) return -1;
        const struct json *other = json_get_str(changes, tool.name);
        o->name = tool.name;
        o->schema = tool.input;
        o->description = other && json_type(other) == JSON_STRING
                             ? json_str(other)
                             : tool.description;
    }
    return 0;
}

/* -- is it a set? ------------------------------------------------------------
 */

static int check_name(const struct eval *v, const struct json *name, size_t at,
                      struct err *e) {
    if (json_type(name) == JSON_NULL) return 0;
    if (json_type(name) != JSON_STRING)
        return fail(e, ERR_INVALID,
                    "prompt %zu: \"expect\" is a tool's name, null, or a list "
                    "of such",
                    at);
    if (offer_find(&v->offers, json_str(name))) return 0;
    return fail(e, ERR_INVALID, "prompt %zu expects \"%.*s\", which is no tool",
                at, STR_ARG(json_str(name)));
}

static int check_prompt(const struct eval *v, const struct json *p, size_t at,
                        struct err *e) {
    const struct json *expect = json_get(p, "expect");
    if (json_get_text(p, "text", STR("")).n == 0)
        return fail(e, ERR_INVALID, "prompt %zu has no \"text\"", at);
    if (!expect) return 0;
    if (json_type(expect) != JSON_ARRAY) return check_name(v, expect, at, e);
    const struct json *item = json_first(expect);
    for (size_t i = json_len(expect); i > 0; i--, item = json_skip(item))
        if (check_name(v, item, at, e)) return -1;
    return 0;
}

/* An object whose members are all of one type, or nothing. */
static int check_members(const struct eval *v, const char *name,
                         enum json_type type, const char *what, struct err *e) {
    const struct json *o = json_get(v->set, name);
    if (o && json_type(o) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "\"%s\" is no object", name);
    const struct json *key = o ? json_first(o) : NULL;
    for (size_t i = o ? json_len(o) : 0; i > 0; i--, key = json_skip(key + 1))
        if (json_type(key + 1) != type)
            return fail(e, ERR_INVALID, "%s.%.*s: %s is wanted", name,
                        STR_ARG(json_str(key)), what);
    return 0;
}

static int check_set(struct eval *v, struct err *e) {
    const struct json *prompts = json_get(v->set, "prompts");
    if (read_offers(v, NULL, e) ||
        check_members(v, "systems", JSON_STRING, "a text", e) ||
        check_members(v, "variants", JSON_OBJECT, "an object", e))
        return -1;
    if (!prompts || json_type(prompts) != JSON_ARRAY || json_len(prompts) == 0)
        return fail(e, ERR_INVALID, "\"prompts\" is not a list of prompts");
    const struct json *p = json_first(prompts);
    for (size_t i = 0; i < json_len(prompts); i++, p = json_skip(p))
        if (check_prompt(v, p, i + 1, e)) return -1;
    return 0;
}

/* -- all questions in one way ------------------------------------------------
 */

static int run_one(struct eval *v, str system, str text, str variant,
                   const struct json *changes, struct score *out,
                   struct err *e) {
    const struct json *prompts = json_get(v->set, "prompts");
    if (read_offers(v, changes, e)) return -1;
    v->score = (struct score){.system = system, .variant = variant};
    v->system_text = text;
    v->next = json_first(prompts);
    v->left = json_len(prompts);
    ask_more(v);
    if (v->open > 0 && loop_run(v->loop, e)) return -1;
    if (v->broken) {
        *e = v->err;
        return -1;
    }
    *out = v->score;
    return 0;
}

/* -- showing ----------------------------------------------------------------
 */

static int add_row(const struct score *s, struct buf *out, struct err *e) {
    size_t n = s->prompts ? s->prompts : 1;
    return buf_addf(out, e,
                    "%-16.*s %-12.*s %5zu %5zu%% %5zu%% %6zu %6zu %8zu %7zu "
                    "%7zu %6zu\n",
                    STR_ARG(s->system), STR_ARG(s->variant), s->prompts,
                    s->right * 100 / n, s->called * 100 / n, s->wrong_tool,
                    s->missed, s->needless, s->unknown, s->invalid, s->failed);
}

static void put_row(const struct score *s, struct jw *w) {
    jw_object(w);
    jw_put_text(w, "system", s->system);
    jw_put_text(w, "descriptions", s->variant);
    jw_put_int(w, "prompts", (int64_t)s->prompts);
    jw_put_int(w, "right", (int64_t)s->right);
    jw_put_int(w, "called", (int64_t)s->called);
    jw_put_int(w, "wrong_tool", (int64_t)s->wrong_tool);
    jw_put_int(w, "missed", (int64_t)s->missed);
    jw_put_int(w, "needless", (int64_t)s->needless);
    jw_put_int(w, "hallucinated", (int64_t)s->unknown);
    jw_put_int(w, "invalid_arguments", (int64_t)s->invalid);
    jw_put_int(w, "failed", (int64_t)s->failed);
    jw_end_object(w);
}

/* Every system prompt with every set of descriptions, the given one first. */
static int run_all(struct eval *v, struct buf *out, struct err *e) {
    const struct json *systems = json_get(v->set, "systems");
    const struct json *variants = json_get(v->set, "variants");
    size_t ns = systems ? json_len(systems) : 1;
    size_t nv = 1 + (variants ? json_len(variants) : 0);
    struct jw w = JW(out);
    struct score score;
    if (v->cli->json)
        jw_array(&w);
    else if (buf_addf(
                 out, e, "%-16s %-12s %5s %6s %6s %6s %6s %8s %7s %7s %6s\n",
                 "system", "descriptions", "asked", "right", "called", "wrong",
                 "missed", "needless", "unknown", "invalid", "failed"))
        return -1;
    const struct json *system = systems ? json_first(systems) : NULL;
    for (size_t i = 0; i < ns; i++) {
        str name = system ? json_str(system) : STR("none");
        str text = system ? json_str(system + 1) : STR("");
        const struct json *variant = variants ? json_first(variants) : NULL;
        for (size_t k = 0; k < nv; k++) {
            if (k > 1) variant = json_skip(variant + 1);
            if (run_one(v, name, text, k ? json_str(variant) : STR("as given"),
                        k ? variant + 1 : NULL, &score, e))
                return -1;
            if (v->cli->json)
                put_row(&score, &w);
            else if (add_row(&score, out, e))
                return -1;
        }
        if (system) system = json_skip(system + 1);
    }
    if (!v->cli->json) return 0;
    jw_end_array(&w);
    return jw_done(&w, e) || buf_add_char(out, '\n', e) ? -1 : 0;
}

static int evaluate(struct eval *v, struct secrets *s, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM), text = BUF_MAX(ROOM);
    const struct args *a = &v->cli->args;
    const struct json *root;
    if (settings_load(v->cli, &v->arena, &root, e) ||
        models_choose(root, s, args_text(a, "model"), args_text(a, "provider"),
                      &v->arena, &v->model, e) ||
        cli_read(cli_operand(v->cli, 0), &text, e))
        return -1;
    if (json_parse(buf_str(&text), &(struct json_limits){.comments = true},
                   &v->arena, &v->set, e) ||
        check_set(v, e))
        return fail_while(e, "%s", cli_operand_name(v->cli, 0));
    if (!(v->loop = loop_new(e)) || !(v->client = client_new(v->loop, e)))
        return -1;
    if (run_all(v, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int net_eval_calls(struct cli *cli, struct err *e) {
    struct eval v = {.cli = cli, .arena = ARENA_MAX(ROOM)};
    struct secrets *s = secrets_new(e);
    int result = s ? evaluate(&v, s, e) : -1;
    client_free(v.client);
    if (v.loop) loop_free(v.loop);
    secrets_free(s);
    arena_fini(&v.arena);
    return result;
}
