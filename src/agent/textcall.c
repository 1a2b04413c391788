/* SPDX-License-Identifier: MIT */
#include "agent/textcall.h"

#include "agent/wire.h"
#include "base/buf.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)16 << 20)

static const struct format {
    const char *name, *before, *after, *arguments;
} formats[] = {
#define FORMAT(id, name, before, after, arguments) \
    {name, before, after, arguments},
#include "agent/textcalls.def"
#undef FORMAT
};

int textcall_parse(str name, enum textcall *out, struct err *e) {
    for (int i = 0; i < TEXTCALL_COUNT; i++)
        if (str_is(name, formats[i].name)) {
            *out = (enum textcall)i;
            return 0;
        }
    return fail(e, ERR_INVALID, "no format of calls \"%.*s\"", STR_ARG(name));
}

struct textcall_words textcall_words(enum textcall format) {
    const struct format *f = &formats[format];
    return (struct textcall_words){str_of(f->before), str_of(f->after),
                                   f->arguments};
}

/* -- requests ---------------------------------------------------------------
 */

static int describe(const struct format *f, const struct offers *offers,
                    struct buf *out, struct err *e) {
    bool list = *f->before && !*f->after;
    if (buf_addf(out, e,
                 "You can call tools. To call one, answer with nothing but\n"
                 "%s%s{\"name\": NAME, \"%s\": {...}}%s%s\n"
                 "and wait for its result. The tools:\n",
                 f->before, list ? "[" : "", f->arguments, list ? "]" : "",
                 f->after))
        return -1;
    for (const struct offer *o = offers->first; o; o = o->next) {
        struct jw w = JW(out);
        if (o->kind != OFFER_FUNCTION) continue;
        jw_object(&w);
        jw_put_text(&w, "name", o->name);
        jw_put_text(&w, "description", o->description);
        if (o->schema) jw_key(&w, "parameters"), jw_value(&w, o->schema);
        jw_end_object(&w);
        if (jw_done(&w, e) || buf_add_char(out, '\n', e)) return -1;
    }
    return 0;
}

static int say(struct messages *to, enum role role, const struct buf *text,
               struct arena *a, struct err *e) {
    str copy;
    if (text->len == 0) return 0;
    if (arena_dup(a, buf_str(text), &copy, e)) return -1;
    return messages_say(to, role, copy, a, e) ? 0 : -1;
}

static int add_part(const struct format *f, const struct part *p,
                    struct buf *out, struct err *e) {
    if (p->kind == PART_TEXT) return buf_add_str(out, p->text, e);
    if (p->kind == PART_RESULT)
        return buf_addf(out, e, "%sResult of %.*s: ", out->len ? "\n" : "",
                        STR_ARG(p->name)) ||
                       wire_result_text(p, out, e)
                   ? -1
                   : 0;
    if (p->kind != PART_CALL || p->partial) return 0;
    bool list = *f->before && !*f->after;
    struct jw w = JW(out);
    if (buf_addf(out, e, "%s%s", f->before, list ? "[" : "")) return -1;
    jw_object(&w);
    jw_put_text(&w, "name", p->name);
    jw_key(&w, f->arguments);
    wire_put_args(&w, p);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_addf(out, e, "%s%s", list ? "]" : "", f->after);
}

static int copy_message(const struct format *f, const struct message *m,
                        struct messages *to, struct arena *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (add_part(f, p, &text, e)) return -1;
    return say(to, m->role, &text, a, e);
}

int textcall_request(enum textcall format, const struct model_request *q,
                     struct arena *a, struct model_request *out,
                     struct err *e) {
    AUTO_BUF struct buf tools = BUF_MAX(TEXT_BYTES);
    const struct format *f = &formats[format];
    struct model_request r = *q;
    r.messages = (struct messages){0};
    r.offers = (struct offers){0};
    r.choice = (struct choice){.parallel = -1};
    if (q->offers.count > 0 && (describe(f, &q->offers, &tools, e) ||
                                say(&r.messages, ROLE_SYSTEM, &tools, a, e)))
        return -1;
    for (const struct message *m = q->messages.first; m; m = m->next)
        if (copy_message(f, m, &r.messages, a, e)) return -1;
    *out = r;
    return 0;
}
