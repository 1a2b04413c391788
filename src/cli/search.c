/* SPDX-License-Identifier: MIT */
#include "cli/search.h"

#include "base/mem.h"
#include "tools/select/explain.h"
#include "tools/select/select.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)16 << 20)
#define LINE      72 /* bytes of a description that are shown */

struct search {
    struct cli *cli;
    struct catalogue *catalogue;
    struct selector selector;
    struct selection found;
    str request;
};

static const struct tool *tool_at(const struct search *s, size_t i) {
    str id = corpus_id(&s->selector.corpus, s->found.items[i].doc);
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
    explain(&s->selector.corpus, tool_at(s, i), s->request, &x);
    if (buf_addf(out, e,
                 "     words %.2f, clause words %.2f, vector %.2f, clause "
                 "vector %.2f, n-grams %.2f, neighbours %.2f, cosine %.2f\n",
                 (double)p->words, (double)p->clause_words, (double)p->vector,
                 (double)p->clause_vector, (double)p->gram, (double)p->lent,
                 (double)p->cosine))
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
    if (s->found.nothing_fits) return buf_addf(out, e, "%s\n", s->found.hint);
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
    explain(&s->selector.corpus, tool_at(s, i), s->request, &x);
    jw_key(w, "measures");
    jw_object(w);
    jw_key(w, "words"), jw_real(w, (double)p->words);
    jw_key(w, "clause_words"), jw_real(w, (double)p->clause_words);
    jw_key(w, "vector"), jw_real(w, (double)p->vector);
    jw_key(w, "clause_vector"), jw_real(w, (double)p->clause_vector);
    jw_key(w, "gram"), jw_real(w, (double)p->gram);
    jw_key(w, "neighbours"), jw_real(w, (double)p->lent);
    jw_key(w, "cosine"), jw_real(w, (double)p->cosine);
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

static int search(struct search *s, struct err *e) {
    const struct args *a = &s->cli->args;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct select_request r = {
        .text = s->request,
        .k = (size_t)args_int(a, "count", SELECT_K),
    };
    /* Of servers that are asked, --server says which is. */
    if (args_nth(a, "corpus", 0)) r.server = str_of(args_text(a, "server"));
    if (selector_init(&s->selector, NULL, e) ||
        selector_sync(&s->selector, s->catalogue, e) ||
        select_tools(&s->selector, &r, &s->found, e))
        return -1;
    if (s->cli->json ? add_json(s, &out, e) : add_text(s, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int search_in(struct cli *cli, struct catalogue *c, struct err *e) {
    AUTO_MEM struct search *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return -1;
    s->cli = cli;
    s->catalogue = c;
    s->request = str_of(cli_operand(cli, 0));
    int result = search(s, e);
    selector_fini(&s->selector);
    return result;
}
