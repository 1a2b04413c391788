/* SPDX-License-Identifier: MIT
 *
 * Tools as functions of a program: mail.send(...), help(mail.send), and
 * tools.call("mail.send", {...}) for one that a session did not know when it
 * began.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "runs/inside.h"
#include "runs/own.h"
#include "tools/signatures.h"
#include "tools/stub.h"
#include "json/build.h"

/* More are offered only where the program names them. */
#define EVERY_TOOL 3000
#define OWN        3 /* tools.progress, tools.call and help */

/* tools.progress(done, total, message), beside the tools themselves. */
static const struct check_param progress_params[] = {
    {{"done", 4}, CHECK_INT | CHECK_FLOAT, true},
    {{"total", 5}, CHECK_INT | CHECK_FLOAT, false},
    {{"message", 7}, CHECK_STR, false}};
static const struct check_function progress = {
    {"tools", 5}, {"progress", 8}, progress_params, 3, false};

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Does the word stand in the text? */
static bool mentions(str text, str word) {
    for (size_t from = 0; from + word.n <= text.n;) {
        ptrdiff_t at = str_find(str_sub(text, from, text.n), word);
        if (at < 0) return false;
        size_t start = from + (size_t)at, end = start + word.n;
        if ((start == 0 || !is_word(text.p[start - 1])) &&
            (end == text.n || !is_word(text.p[end])))
            return true;
        from = start + 1;
    }
    return false;
}

/* Looking for tools is for everybody: they are told of those they may use. */
bool run_allows(const struct run *r, const struct entry *t) {
    const struct runs_config *config = &r->runs->config;
    bool looks = t->flags & TOOL_BUILTIN &&
                 t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY);
    return looks || !r->scopes.p || !config->allows ||
           config->allows(config->data, r->scopes, t->name) ||
           run_was_granted(r, t->name);
}

static bool names_space(const struct run *r, const struct entry *t) {
    return mentions(r->program, t->space.n ? t->space : t->method);
}

bool run_wants(const struct run *r, const struct entry *t) {
    return names_space(r, t) && mentions(r->program, t->method) &&
           run_may_ask_for(r, t);
}

static bool is_wanted(const struct run *r, const struct entry *t, bool every) {
    if (t->flags & (TOOL_SET_ASIDE | TOOL_NEED)) return false;
    bool has = run_allows(r, t);
    return has ? every || names_space(r, t) : run_wants(r, t);
}

static int add_tool(const struct entry *t, struct arena *a,
                    struct worker_function *out, struct err *e) {
    bool reads = t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY);
    out->name = t->space.n ? arena_printf(a, e, "%.*s.%.*s", STR_ARG(t->space),
                                          STR_ARG(t->method))
                           : arena_text(a, t->method, e);
    out->flags = reads ? CORDON_READ_ONLY : 0;
    return out->name ? 0 : -1;
}

/* The tools of a run, one after the other. */
static const struct entry *next_tool(const struct run *r, size_t *i) {
    struct registry *registry = boundary_registry(r->runs->config.boundary);
    size_t count = registry_count(registry);
    bool every = r->session_id.n && count <= EVERY_TOOL;
    while (*i < count) {
        const struct entry *t = registry_at(registry, (*i)++);
        if (is_wanted(r, t, every)) return t;
    }
    return NULL;
}

static size_t count_tools(const struct run *r) {
    size_t n = 0;
    for (size_t i = 0; next_tool(r, &i);)
        n++;
    return n;
}

int run_functions(struct run *r, struct arena *a,
                  const struct worker_function **out, size_t *n,
                  struct err *e) {
    struct worker_function *all =
        arena_zalloc(a, count_tools(r) + OWN, sizeof *all, e);
    const struct entry *t;
    size_t count = 0;
    if (!all) return -1;
    all[count++].name = OWN_PROGRESS;
    for (size_t i = 0; (t = next_tool(r, &i));)
        if (add_tool(t, a, &all[count++], e)) return -1;
    all[count++].name = OWN_CALL;
    all[count++] = (struct worker_function){OWN_HELP, CORDON_READ_ONLY};
    *out = all;
    *n = count;
    return 0;
}

int run_signatures(struct run *r, struct arena *a,
                   const struct check_function **out, size_t *n,
                   struct err *e) {
    static const struct check_param any = {.name = {"tool", 4}};
    /* Without names: keywords are the tool's, whatever they are called. */
    static const struct check_param by_name[2];
    struct check_function *all =
        arena_zalloc(a, count_tools(r) + OWN, sizeof *all, e);
    const struct entry *t;
    size_t count = 0;
    if (!all) return -1;
    all[count++] = progress;
    for (size_t i = 0; (t = next_tool(r, &i));)
        if (signature_of(t, a, &all[count++], e)) return -1;
    all[count++] = (struct check_function){.space = STR("tools"),
                                           .name = STR("call"),
                                           .params = by_name,
                                           .count = 2,
                                           .open = true};
    all[count++] = (struct check_function){
        .space = STR(""), .name = STR("help"), .params = &any, .count = 1};
    *out = all;
    *n = count;
    return 0;
}

/* What is neither in its set nor can be asked for does not exist for the
 * program. */
static struct entry *find(struct run *r, str name) {
    struct entry *t =
        registry_find(boundary_registry(r->runs->config.boundary), name);
    return t && (run_allows(r, t) || run_may_ask_for(r, t)) ? t : NULL;
}

/* -- calls --------------------------------------------------------------------
 */

int run_bind(struct run *r, struct run_call *c, struct entry **tool, str *name,
             const struct json **args, struct err *e) {
    const struct json *python = c->python;
    if (!python)
        return fail(e, ERR_INVALID,
                    "%.*s(): an argument is nothing that can be sent",
                    STR_ARG(c->name));
    *name = c->name;
    *tool = find(r, *name);
    int own = *tool ? 0 : own_bind(c->name, python, &c->arena, name, args, e);
    if (own < 0) return -1;
    if (own) {
        *tool = find(r, *name);
        return 0;
    }
    if (!*tool) {
        *args = json_get(python, "kwargs");
        return 0;
    }
    return stub_bind(*tool, python, &c->arena, args, e);
}
