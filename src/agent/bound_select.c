/* SPDX-License-Identifier: MIT
 *
 * Which tools a round of a conversation is offered.
 */
#include "agent/bound_inside.h"
#include "base/mem.h"

/* -- what is asked ---------------------------------------------------------
 */

#define PLAN_STEPS 12
#define STEP_TOOLS 4 /* found for one step of a plan */
#define FEW_WORDS  4 /* "yes, do that" says too little by itself */
#define ASK_BYTES  2000

static size_t count_words(str text) {
    size_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < text.n; i++) {
        bool space = text.p[i] == ' ' || text.p[i] == '\n';
        n += !space && !inside;
        inside = !space;
    }
    return n;
}

/* What the user said last; with what they said before, where that is short. */
static int write_question(const struct messages *talk, struct buf *out,
                          struct err *e) {
    str last = STR(""), before = STR("");
    for (const struct message *m = talk->first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next)
            if (p->kind == PART_TEXT && m->role == ROLE_USER) {
                before = last;
                last = p->text;
            }
    if (count_words(last) < FEW_WORDS && before.n > 0 &&
        (buf_add_str(out, str_sub(before, 0, ASK_BYTES), e) ||
         buf_add_text(out, ". ", e)))
        return -1;
    return buf_add_str(out, last, e);
}

/* "2. Send it to Ann", "- send it", "Step 2: send it": what follows the mark;
 * p NULL: no step. */
static str step_of(str line) {
    size_t i = 0;
    line = str_trim(line);
    if (str_starts(line, STR("Step "))) i = 5;
    size_t digits = i;
    while (i < line.n && line.p[i] >= '0' && line.p[i] <= '9')
        i++;
    bool numbered = i > digits && i < line.n &&
                    (line.p[i] == '.' || line.p[i] == ')' || line.p[i] == ':');
    bool marked = i == 0 && line.n > 2 && line.p[1] == ' ' &&
                  (line.p[0] == '-' || line.p[0] == '*');
    if (!numbered && !marked) return (str){NULL, 0};
    str step = str_trim(str_sub(line, i + 1, line.n));
    return step.n > 0 ? step : (str){NULL, 0};
}

/* The steps of the plan that the model gave since the user last spoke. */
static size_t read_plan(const struct messages *talk, str steps[PLAN_STEPS]) {
    size_t n = 0;
    for (const struct message *m = talk->first; m; m = m->next) {
        bool said = false;
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (p->kind != PART_TEXT) continue;
            said |= m->role == ROLE_USER;
            str rest = p->text;
            while (m->role == ROLE_ASSISTANT && rest.p && n < PLAN_STEPS) {
                str step = step_of(str_cut(&rest, '\n'));
                if (step.p) steps[n++] = step;
            }
        }
        if (said) n = 0;
    }
    return n;
}

/* -- choosing --------------------------------------------------------------
 */

static bool filter(void *data, str id) {
    struct bound *b = data;
    const struct entry *t =
        registry_find(boundary_registry(b->config.boundary), id);
    return t && bound_wants(b, t);
}

static int select_by(struct bound *b, struct selector *s,
                     struct select_request *q, struct selection *found,
                     struct err *e) {
    size_t added;
    q->filter = filter;
    q->filter_context = b;
    if (select_tools(s, q, found, e)) return -1;
    return session_offer(&b->session, &s->corpus, found, &added, e);
}

static int select_pinned(struct bound *b, struct registry *r,
                         struct selector *s, struct selection *found,
                         struct err *e) {
    size_t added;
    found->count = 0;
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        bool wanted = false;
        for (size_t k = 0; k < b->config.pinned_count; k++)
            wanted |= str_glob(b->config.pinned[k], t->name);
        uint32_t doc = wanted && bound_wants(b, t)
                           ? corpus_find(&s->corpus, t->name)
                           : CORPUS_NONE;
        if (doc != CORPUS_NONE && found->count < SELECT_MAX)
            found->items[found->count++] = (struct selected){.doc = doc};
    }
    return session_offer(&b->session, &s->corpus, found, &added, e);
}

int bound_select(struct bound *b, struct registry *r,
                 const struct messages *talk, struct err *e) {
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    AUTO_BUF struct buf text = BUF_MAX(BOUND_CALL_BYTES);
    struct selector *s = registry_selector(r, e);
    str steps[PLAN_STEPS], who = b->config.who.principal;
    if (!found || !s || write_question(talk, &text, e)) return -1;
    struct select_request q = {.text = buf_str(&text),
                               .who = who.p ? who : STR(""),
                               .k = b->config.tools,
                               .pad = true};
    if (select_pinned(b, r, s, found, e) || select_by(b, s, &q, found, e))
        return -1;
    size_t count = read_plan(talk, steps);
    for (size_t i = 0; i < count; i++) {
        struct select_request step = {
            .text = steps[i], .k = STEP_TOOLS, .local = true};
        if (select_by(b, s, &step, found, e)) return -1;
    }
    return 0;
}
