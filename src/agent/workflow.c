/* SPDX-License-Identifier: MIT */
#include "agent/workflow.h"

static str text_of(const struct json *v, const char *key) {
    return json_get_text(v, key, STR(""));
}

/* -- reading ----------------------------------------------------------------
 */

static int find_step(const struct json *steps, str name, size_t *out,
                     struct err *e) {
    const struct json *key = json_first(steps);
    if (str_is(name, "end")) {
        *out = WORKFLOW_END;
        return 0;
    }
    for (size_t i = 0; i < json_len(steps); i++, key = json_skip(key + 1))
        if (str_eq(json_str(key), name)) {
            *out = i;
            return 0;
        }
    return fail(e, ERR_INVALID, "there is no step \"%.*s\"", STR_ARG(name));
}

static int read_move(const struct json *v, const struct json *steps,
                     struct workflow_move *out, struct err *e) {
    if (json_type(v) == JSON_STRING)
        return find_step(steps, json_str(v), &out->to, e);
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "\"next\" has an entry that is no object");
    out->called = text_of(v, "called");
    out->says = text_of(v, "says");
    return find_step(steps, text_of(v, "to"), &out->to, e);
}

static int read_moves(const struct json *v, const struct json *steps,
                      struct arena *a, struct workflow_step *out,
                      struct err *e) {
    bool list = v && json_type(v) == JSON_ARRAY;
    size_t n = list ? json_len(v) : v && json_type(v) != JSON_NULL;
    struct workflow_move *moves = arena_zalloc(a, n + 1, sizeof *moves, e);
    if (!moves) return -1;
    const struct json *item = list ? json_first(v) : v;
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (read_move(item, steps, &moves[i], e)) return -1;
    out->moves = moves;
    out->move_count = n;
    return 0;
}

static int read_tools(const struct json *v, struct arena *a,
                      struct workflow_step *out, struct err *e) {
    if (!v) return 0;
    if (json_type(v) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "\"tools\" is not a list");
    str *list = arena_zalloc(a, json_len(v) + 1, sizeof *list, e);
    if (!list) return -1;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item)) {
        if (json_type(item) != JSON_STRING)
            return fail(e, ERR_INVALID,
                        "\"tools\" has an entry that is no "
                        "text");
        list[i] = json_str(item);
    }
    out->tools = list;
    out->tool_count = json_len(v);
    return 0;
}

static int read_step(str name, const struct json *v, const struct json *steps,
                     struct arena *a, struct workflow_step *out,
                     struct err *e) {
    out->name = name;
    out->say = text_of(v, "say");
    out->turns = (int)json_get_int(v, "turns", 0);
    if (out->say.n == 0) return fail(e, ERR_INVALID, "it has no \"say\"");
    return read_tools(json_get(v, "tools"), a, out, e) ||
                   read_moves(json_get(v, "next"), steps, a, out, e)
               ? -1
               : 0;
}

/* -- checking ---------------------------------------------------------------
 */

static bool ends(const struct workflow_step *s) {
    const struct workflow_move *last =
        s->move_count ? &s->moves[s->move_count - 1] : NULL;
    if (!last || last->called.n > 0 || last->says.n > 0) return true;
    for (size_t i = 0; i < s->move_count; i++)
        if (s->moves[i].to == WORKFLOW_END) return true;
    return false;
}

/* Marks what can be reached from the start, or what reaches the end. */
static void spread(const struct workflow *w, bool *mark, bool backwards) {
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < w->count; i++)
            for (size_t k = 0; k < w->steps[i].move_count; k++) {
                size_t to = w->steps[i].moves[k].to;
                if (to == WORKFLOW_END) continue;
                size_t from = backwards ? to : i, there = backwards ? i : to;
                if (!mark[from] || mark[there]) continue;
                mark[there] = any = true;
            }
    }
}

static int check_graph(const struct workflow *w, struct err *e) {
    bool reached[WORKFLOW_STEPS] = {0}, ending[WORKFLOW_STEPS] = {0};
    reached[w->start] = true;
    for (size_t i = 0; i < w->count; i++)
        ending[i] = ends(&w->steps[i]);
    spread(w, reached, false);
    spread(w, ending, true);
    for (size_t i = 0; i < w->count; i++) {
        const char *why = !reached[i]  ? "is never reached"
                          : !ending[i] ? "never comes to an end"
                                       : NULL;
        if (why)
            return fail(e, ERR_INVALID, "the step \"%.*s\" %s",
                        STR_ARG(w->steps[i].name), why);
    }
    return 0;
}

int workflow_read(const struct json *v, struct arena *a, struct workflow *out,
                  struct err *e) {
    const struct json *steps = json_get(v, "steps");
    size_t n = steps && json_type(steps) == JSON_OBJECT ? json_len(steps) : 0;
    struct workflow w = {.count = n};
    if (n == 0 || n > WORKFLOW_STEPS)
        return fail(e, ERR_INVALID, "\"steps\" has none, or more than %d",
                    WORKFLOW_STEPS);
    struct workflow_step *list = arena_zalloc(a, n, sizeof *list, e);
    if (!list) return -1;
    const struct json *key = json_first(steps);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        if (read_step(json_str(key), key + 1, steps, a, &list[i], e))
            return fail_while(e, "step \"%.*s\"", STR_ARG(json_str(key)));
    w.steps = list;
    str start = text_of(v, "start");
    if (start.n > 0 && find_step(steps, start, &w.start, e))
        return fail_while(e, "start");
    if (w.start == WORKFLOW_END)
        return fail(e, ERR_INVALID, "it starts with its end");
    if (check_graph(&w, e)) return -1;
    *out = w;
    return 0;
}

int workflow_check(const struct workflow *w, const str *names, size_t count,
                   struct err *e) {
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->steps[i].tool_count; k++) {
            bool any = false;
            for (size_t t = 0; t < count && !any; t++)
                any = str_glob(w->steps[i].tools[k], names[t]);
            if (!any)
                return fail(
                    e, ERR_MISSING, "step \"%.*s\": no tool is called \"%.*s\"",
                    STR_ARG(w->steps[i].name), STR_ARG(w->steps[i].tools[k]));
        }
    return 0;
}

/* -- going on ---------------------------------------------------------------
 */

static bool was_called(const struct message *m, str pattern) {
    for (; m; m = m->next)
        for (const struct part *p = NULL; (p = next_call(&m->parts, p));)
            if (str_glob(pattern, p->name)) return true;
    return false;
}

static bool was_said(const struct message *m, str text) {
    for (; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next)
            if (m->role == ROLE_ASSISTANT && p->kind == PART_TEXT &&
                str_find(p->text, text) >= 0)
                return true;
    return false;
}

size_t workflow_next(const struct workflow_step *s,
                     const struct message *first) {
    for (size_t i = 0; i < s->move_count; i++) {
        const struct workflow_move *m = &s->moves[i];
        if ((m->called.n == 0 || was_called(first, m->called)) &&
            (m->says.n == 0 || was_said(first, m->says)))
            return m->to;
    }
    return WORKFLOW_END;
}

/* -- drawing ----------------------------------------------------------------
 */

static str move_name(const struct workflow *w, const struct workflow_move *m) {
    return m->to == WORKFLOW_END ? STR("end") : w->steps[m->to].name;
}

static int add_condition(const struct workflow_move *m, struct buf *out,
                         struct err *e) {
    if (m->called.n > 0 && buf_addf(out, e, "called %.*s", STR_ARG(m->called)))
        return -1;
    if (m->called.n > 0 && m->says.n > 0 && buf_add_text(out, " and ", e))
        return -1;
    if (m->says.n > 0 && buf_addf(out, e, "says \"%.*s\"", STR_ARG(m->says)))
        return -1;
    return 0;
}

int workflow_text(const struct workflow *w, struct buf *out, struct err *e) {
    for (size_t i = 0; i < w->count; i++) {
        const struct workflow_step *s = &w->steps[i];
        if (buf_addf(out, e, "%s%.*s: %.*s\n", i == w->start ? "* " : "  ",
                     STR_ARG(s->name), STR_ARG(s->say)))
            return -1;
        if (s->turns > 0 &&
            buf_addf(out, e, "    at most %d turns\n", s->turns))
            return -1;
        for (size_t k = 0; k < s->tool_count; k++)
            if (buf_addf(out, e, "    uses %.*s\n", STR_ARG(s->tools[k])))
                return -1;
        for (size_t k = 0; k < s->move_count; k++) {
            const struct workflow_move *m = &s->moves[k];
            bool plain = m->called.n == 0 && m->says.n == 0;
            if (buf_addf(out, e, "    -> %.*s%s", STR_ARG(move_name(w, m)),
                         plain ? "" : " when ") ||
                add_condition(m, out, e) || buf_add_char(out, '\n', e))
                return -1;
        }
    }
    return 0;
}

#define BOX_W  260
#define BOX_H  56
#define ROW    100
#define MARGIN 20

static int add_escaped(str text, size_t max, struct buf *out, struct err *e) {
    for (size_t i = 0; i < text.n && i < max; i++) {
        char c = text.p[i];
        const char *as = c == '<'   ? "&lt;"
                         : c == '>' ? "&gt;"
                         : c == '&' ? "&amp;"
                         : c == '"' ? "&quot;"
                                    : NULL;
        if (as ? buf_add_text(out, as, e) : buf_add_char(out, c, e)) return -1;
    }
    return 0;
}

static int add_label(size_t x, size_t y, const char *class, str text,
                     struct buf *out, struct err *e) {
    return buf_addf(out, e, "<text x=\"%zu\" y=\"%zu\" class=\"%s\">", x, y,
                    class) ||
                   add_escaped(text, 44, out, e) ||
                   buf_add_text(out, "</text>\n", e)
               ? -1
               : 0;
}

/* An arrow from one row to another, bent aside by how far it goes. */
static int add_arrow(const struct workflow *w, size_t from, size_t lane,
                     const struct workflow_move *m, struct buf *out,
                     struct err *e) {
    AUTO_BUF struct buf label = BUF_MAX(4096);
    size_t to = m->to == WORKFLOW_END ? w->count : m->to;
    size_t x = MARGIN + BOX_W, bend = x + 40 + lane * 24;
    size_t y1 = MARGIN + from * ROW + BOX_H / 2 + lane * 8;
    size_t y2 = MARGIN + to * ROW + BOX_H / 2;
    if (add_condition(m, &label, e) ||
        buf_addf(out, e,
                 "<path d=\"M%zu %zu C%zu %zu %zu %zu %zu %zu\" "
                 "marker-end=\"url(#tip)\"/>\n",
                 x, y1, bend, y1, bend, y2, x, y2))
        return -1;
    return add_label(bend - 10, (y1 + y2) / 2, "when", buf_str(&label), out, e);
}

int workflow_svg(const struct workflow *w, struct buf *out, struct err *e) {
    if (buf_addf(out, e,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                 "height=\"%zu\" font-family=\"sans-serif\">\n"
                 "<style>rect{fill:#fff;stroke:#333}path{fill:none;"
                 "stroke:#666}.name{font-weight:bold}.say,.when{font-size:"
                 "11px;fill:#444}</style>\n"
                 "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\""
                 " refX=\"7\" refY=\"4\" orient=\"auto\"><path d=\"M0 0L8 4L0 8"
                 "z\" style=\"fill:#666\"/></marker></defs>\n",
                 MARGIN * 2 + BOX_W + 420, MARGIN * 2 + w->count * ROW + BOX_H))
        return -1;
    for (size_t i = 0; i <= w->count; i++) {
        size_t y = MARGIN + i * ROW;
        bool end = i == w->count;
        if (buf_addf(out, e,
                     "<rect x=\"%d\" y=\"%zu\" width=\"%d\" height=\"%d\" "
                     "rx=\"8\"%s/>\n",
                     MARGIN, y, BOX_W, BOX_H,
                     i == w->start ? " stroke-width=\"2.5\"" : "") ||
            add_label(MARGIN + 12, y + 22, "name",
                      end ? STR("end") : w->steps[i].name, out, e) ||
            (!end &&
             add_label(MARGIN + 12, y + 42, "say", w->steps[i].say, out, e)))
            return -1;
        for (size_t k = 0; !end && k < w->steps[i].move_count; k++)
            if (add_arrow(w, i, k, &w->steps[i].moves[k], out, e)) return -1;
    }
    return buf_add_text(out, "</svg>\n", e);
}
