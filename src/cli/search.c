/* SPDX-License-Identifier: MIT */
#include "cli/search.h"

#include "tools/select/explain.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)16 << 20)
#define LINE      72 /* bytes of a description that are shown */
#define PINS      64

static const struct tool *tool_at(const struct search *s, size_t i) {
    str id = corpus_id(&s->selector->corpus, s->found.items[i].doc);
    return catalogue_find(s->catalogue, id);
}

/* The first sentence, on one line. */
static str first_line(str text) {
    str line = str_cut(&text, '\n');
    return str_sub(str_trim(line), 0, LINE);
}

static int add_bold(const struct cli *cli, str text, struct buf *out,
                    struct err *e) {
    return buf_addf(out, e, "%s%.*s%s", cli_style(cli->color_out, CLI_BOLD),
                    STR_ARG(text), cli_style(cli->color_out, CLI_PLAIN));
}

static int add_explanation(const struct search *s, size_t i, struct buf *out,
                           struct err *e) {
    const struct selected *item = &s->found.items[i];
    const struct parts *p = &item->parts;
    struct explanation x;
    explain(s->selector, tool_at(s, i), s->request, &x);
    if (buf_addf(out, e,
                 "     words %.2f, clause words %.2f, vector %.2f, clause "
                 "vector %.2f, n-grams %.2f, neighbours %.2f, cosine %.2f",
                 (double)p->words, (double)p->clause_words, (double)p->vector,
                 (double)p->clause_vector, (double)p->gram, (double)p->lent,
                 (double)p->cosine) ||
        (p->remote > 0 &&
         buf_addf(out, e, ", endpoint %.2f", (double)p->remote)) ||
        buf_add_char(out, '\n', e))
        return -1;
    for (size_t f = 0; f < FIELD_COUNT; f++) {
        if (!(x.field[f] > 0)) continue;
        if (buf_addf(out, e, "     %-12s %5.2f ", field_name((enum field)f),
                     (double)x.field[f]))
            return -1;
        for (size_t w = 0; w < x.word_count; w++) {
            if (!(x.words[w].fields >> f & 1)) continue;
            if (buf_add_char(out, ' ', e) ||
                add_bold(s->cli, x.words[w].text, out, e))
                return -1;
        }
        if (buf_add_char(out, '\n', e)) return -1;
    }
    return 0;
}

static int add_text(const struct search *s, struct buf *out, struct err *e) {
    bool detail = args_flag(&s->cli->args, "explain");
    if (s->found.nothing_fits && buf_addf(out, e, "%s\n", s->found.hint))
        return -1;
    for (size_t i = 0; i < s->found.count; i++) {
        const struct tool *t = tool_at(s, i);
        const struct selected *item = &s->found.items[i];
        if (buf_addf(out, e, "%3zu  ", i + 1) ||
            add_bold(s->cli, t->id, out, e) ||
            buf_addf(out, e, "  %.3f%s%s\n     %.*s\n", (double)item->score,
                     item->why == WHY_RANK ? "" : "  ",
                     item->why == WHY_RANK ? "" : why_name(item->why),
                     STR_ARG(first_line(t->description))))
            return -1;
        if (detail && add_explanation(s, i, out, e)) return -1;
    }
    return 0;
}

static void write_explanation(const struct search *s, size_t i, struct jw *w) {
    const struct parts *p = &s->found.items[i].parts;
    struct explanation x;
    explain(s->selector, tool_at(s, i), s->request, &x);
    jw_key(w, "measures");
    jw_object(w);
    jw_key(w, "words"), jw_real(w, (double)p->words);
    jw_key(w, "clause_words"), jw_real(w, (double)p->clause_words);
    jw_key(w, "vector"), jw_real(w, (double)p->vector);
    jw_key(w, "clause_vector"), jw_real(w, (double)p->clause_vector);
    jw_key(w, "gram"), jw_real(w, (double)p->gram);
    jw_key(w, "neighbours"), jw_real(w, (double)p->lent);
    jw_key(w, "cosine"), jw_real(w, (double)p->cosine);
    jw_key(w, "endpoint"), jw_real(w, (double)p->remote);
    jw_end_object(w);
    jw_key(w, "fields");
    jw_object(w);
    for (size_t f = 0; f < FIELD_COUNT; f++)
        if (x.field[f] > 0) {
            jw_key(w, field_name((enum field)f));
            jw_real(w, (double)x.field[f]);
        }
    jw_end_object(w);
    jw_key(w, "matched");
    jw_array(w);
    for (size_t k = 0; k < x.word_count; k++)
        jw_text(w, x.words[k].text);
    jw_end_array(w);
}

static int add_json(const struct search *s, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "query", s->request);
    jw_put_bool(&w, "nothing_fits", s->found.nothing_fits);
    if (s->found.nothing_fits) jw_put_text(&w, "hint", str_of(s->found.hint));
    if (s->found.remote_note[0])
        jw_put_text(&w, "endpoint_failed", str_of(s->found.remote_note));
    if (s->found.router_note[0])
        jw_put_text(&w, "router_failed", str_of(s->found.router_note));
    jw_key(&w, "tools");
    jw_array(&w);
    for (size_t i = 0; i < s->found.count; i++) {
        const struct tool *t = tool_at(s, i);
        jw_object(&w);
        jw_put_text(&w, "id", t->id);
        jw_put_text(&w, "name", t->name);
        if (t->server.n > 0) jw_put_text(&w, "server", t->server);
        jw_put_text(&w, "why", str_of(why_name(s->found.items[i].why)));
        jw_key(&w, "score");
        jw_real(&w, (double)s->found.items[i].score);
        if (args_flag(&s->cli->args, "explain")) write_explanation(s, i, &w);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

/* What --pin names: ids, or patterns of them. */
static size_t find_pins(const struct search *s, str out[PINS]) {
    const char *pattern;
    size_t n = 0;
    for (size_t i = 0; (pattern = args_nth(&s->cli->args, "pin", i)); i++)
        for (size_t k = 0; k < s->catalogue->count && n < PINS; k++)
            if (str_glob(str_of(pattern), s->catalogue->tools[k].id))
                out[n++] = s->catalogue->tools[k].id;
    return n;
}

int search_run(struct search *s, struct err *e) {
    const struct args *a = &s->cli->args;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    int64_t count = args_int(a, "count", 0);
    str pins[PINS];
    if (args_text(a, "count") && (count < 1 || count > SELECT_MAX))
        return fail(e, ERR_USAGE, "-k: from 1 to %d", SELECT_MAX);
    struct select_request r = {
        .text = s->request,
        .k = (size_t)count,
        /* Of servers that are asked, --server says which is. */
        .server =
            str_of(args_nth(a, "corpus", 0) ? args_text(a, "server") : NULL),
        .category = str_of(args_text(a, "category")),
        .pinned = pins,
        .pinned_count = find_pins(s, pins),
    };
    if (select_tools(s->selector, &r, &s->found, e)) return -1;
    if (s->cli->json ? add_json(s, &out, e) : add_text(s, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int search_load(struct search *s, struct selector *own, const char *index,
                struct err *e) {
    struct err none;
    uint64_t changes;
    /* A file that is missing, damaged or of other weights is made anew. */
    if (index) (void)selector_load(own, index, &none);
    changes = own->corpus.changes;
    if (selector_sync(own, s->catalogue, e)) return -1;
    s->selector = own;
    if (!index || own->corpus.changes == changes) return 0;
    return corpus_save(&own->corpus, index, e);
}
