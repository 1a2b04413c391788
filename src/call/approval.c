/* SPDX-License-Identifier: MIT */
#include "call/approval.h"

#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/utf8.h"
#include "json/build.h"
#include "json/write.h"

#define CARD_BYTES ((size_t)16 << 20)
#define SESSION_NS ((int64_t)24 * 3600 * 1000000000)
#define SPACE      "remember"

static int digest(str text, char out[JOURNAL_KEY], struct err *e) {
    AUTO_BUF struct buf hex = BUF_MAX(JOURNAL_KEY);
    uint8_t hash[CRYPTO_SHA256];
    if (crypto_sha256(text, hash, e) ||
        hex_encode((str){(const char *)hash, sizeof hash}, &hex, e))
        return -1;
    memcpy(out, hex.data, hex.len + 1);
    return 0;
}

static void jw_hash(struct jw *w, const uint8_t hash[CRYPTO_SHA256]) {
    AUTO_BUF struct buf hex = BUF_MAX(JOURNAL_KEY);
    if (hex_encode((str){(const char *)hash, CRYPTO_SHA256}, &hex, &w->err))
        w->failed = true;
    else
        jw_text(w, buf_str(&hex));
}

static void jw_labels(struct jw *w, const struct labels *labels) {
    jw_array(w);
    for (size_t i = 0; labels && i < labels->count; i++) {
        const struct labelled *l = &labels->items[i];
        jw_text(w, l->path);
        jw_int(w, l->label.integrity);
        jw_int(w, l->label.secrecy);
        for (size_t r = 0; r < l->label.reader_count; r++)
            jw_text(w, l->label.readers[r]);
    }
    if (labels) jw_int(w, labels->pc.integrity);
    jw_end_array(w);
}

int approval_binding(const struct approval_ask *q, char out[JOURNAL_KEY],
                     struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CARD_BYTES);
    struct jw w = JW(&text);
    jw_array(&w);
    jw_text(&w, q->principal);
    jw_text(&w, q->session);
    jw_text(&w, q->run);
    jw_int(&w, (int64_t)q->number);
    jw_text(&w, q->tool->name);
    jw_hash(&w, q->tool->pin);
    jw_hash(&w, q->policy);
    jw_text(&w, q->decision->rule);
    jw_labels(&w, q->labels);
    jw_end_array(&w);
    if (jw_done(&w, e) || json_write(q->args, JSON_CANONICAL, &text, e))
        return fail_while(e, "approval");
    return digest(buf_str(&text), out, e);
}

/* What makes calls alike within a run. */
int approval_batch_key(const struct approval_ask *q, char out[JOURNAL_KEY],
                       struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CARD_BYTES);
    struct jw w = JW(&text);
    jw_array(&w);
    jw_text(&w, q->principal);
    jw_text(&w, q->run.n ? q->run : q->session);
    jw_text(&w, q->tool->name);
    jw_hash(&w, q->tool->pin);
    jw_hash(&w, q->policy);
    jw_text(&w, q->decision->rule);
    jw_text(&w, q->decision->path);
    /* What a run lacks is granted one by one. */
    if (q->tool->flags & TOOL_NEED) jw_value(&w, q->args);
    jw_end_array(&w);
    if (jw_done(&w, e)) return -1;
    return digest(buf_str(&text), out, e);
}

/* -- the card ---------------------------------------------------------------
 */

static void put(struct jw *w, const char *key, str text) {
    if (text.n) jw_put_text(w, key, text);
}

static int write_card(const struct approval_ask *q, struct buf *out,
                      struct err *e) {
    const struct decision *d = q->decision;
    AUTO_BUF struct buf from = BUF_MAX(64 * 1024);
    struct jw w = JW(out);
    if (d->path.n && label_describe(&d->label, &from, e)) return -1;
    jw_object(&w);
    jw_put_text(&w, "tool", q->tool->name);
    jw_put_text(&w, "server", q->tool->tool.server);
    put(&w, "title", q->tool->tool.title);
    jw_put_text(&w, "rule", d->rule);
    put(&w, "rule_name", d->name);
    jw_put_text(&w, "reason", d->reason);
    put(&w, "path", d->path);
    put(&w, "from", buf_str(&from));
    put(&w, "classes", d->classes);
    put(&w, "finding", q->finding);
    jw_put_bool(&w, "irreversible", d->irreversible);
    jw_put_int(&w, "remember", d->remember);
    jw_put_int(&w, "remember_ns", d->remember_ns);
    jw_key(&w, "args");
    jw_value(&w, q->args);
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* Only a standing question is found again: one that was answered or expired
 * makes room for a new one. */
static int find_standing(struct store *s, const struct approval_ask *q,
                         str binding, char id[STORE_ID], struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(2 * CARD_BYTES);
    struct store_approval p;
    if (store_approval_find(s, q->run, q->number, binding, &a, &p, e))
        return e->kind == ERR_MISSING ? 0 : -1;
    if (p.state != APPROVAL_PENDING || p.id.n >= STORE_ID) return 0;
    memcpy(id, p.id.p, p.id.n);
    id[p.id.n] = 0;
    return 1;
}

int approval_make(struct store *s, const struct approval_ask *q,
                  int64_t expires, char id[STORE_ID], struct err *e) {
    AUTO_BUF struct buf card = BUF_MAX(CARD_BYTES);
    char binding[JOURNAL_KEY], batch[JOURNAL_KEY];
    if (approval_binding(q, binding, e) || approval_batch_key(q, batch, e))
        return -1;
    int standing = find_standing(s, q, str_of(binding), id, e);
    if (standing) return standing < 0 ? -1 : 0;
    if (write_card(q, &card, e) || store_new_id("a_", id, e)) return -1;
    struct store_approval p = {
        .id = str_of(id),
        .run = q->run,
        .session = q->session,
        .principal = q->principal,
        .client = q->client,
        .number = q->number,
        .binding = str_of(binding),
        .batch = str_of(batch),
        .tool = q->tool->name,
        .card = buf_str(&card),
        .memory = str_of(q->decision->key),
        .created = clock_wall_ns(),
        .expires = expires,
    };
    return store_approval_add(s, &p, e);
}

int approval_unknown(struct store *s, const struct approval_ask *q,
                     int64_t expires, char id[STORE_ID], struct err *e) {
    static const uint8_t none[CRYPTO_SHA256];
    struct decision d = {
        .verdict = POLICY_ASK,
        .rule = STR("unknown-outcome"),
        .reason = STR("Cordon was stopped while this call was under way: "
                      "nobody knows whether it was done. Yes makes it again, "
                      "no goes on as if it had failed."),
    };
    struct approval_ask own = *q;
    own.decision = &d;
    own.policy = none;
    own.labels = NULL;
    return approval_make(s, &own, expires, id, e);
}

/* -- memory -----------------------------------------------------------------
 */

bool approval_remembered(struct store *s, str key) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    struct err e;
    return key.n && store_get(s, SPACE, key, &text, &e) == 0;
}

bool approval_covers(struct store *s, const struct approval_ask *q) {
    char batch[JOURNAL_KEY];
    struct err e;
    return approval_batch_key(q, batch, &e) == 0 &&
           approval_remembered(s, str_of(batch));
}

static int remember(struct store *s, const struct store_approval *p, str key,
                    const char *scope, str by, int64_t ns, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_text(&w, "tool", p->tool);
    jw_put_text(&w, "approval", p->id);
    jw_put_text(&w, "scope", str_of(scope));
    jw_put_text(&w, "by", by);
    jw_put_int(&w, "at", clock_wall_ns());
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    int64_t expires = clock_wall_ns() + (ns > 0 ? ns : SESSION_NS);
    return store_put(s, SPACE, key, buf_str(&text), expires, e);
}

static int keep_memory(struct store *s, const struct store_approval *p,
                       const struct json *card, enum approval_choice choice,
                       str by, struct err *e) {
    int64_t how = json_get_int(card, "remember", REMEMBER_NOTHING);
    int64_t ns = json_get_int(card, "remember_ns", 0);
    if (choice == APPROVE_ALIKE &&
        remember(s, p, p->batch, "alike", by, SESSION_NS, e))
        return -1;
    bool told = choice == APPROVE_REMEMBER && how == REMEMBER_IF_TOLD;
    if (p->memory.n == 0 || (!told && how != REMEMBER_SESSION)) return 0;
    return remember(s, p, p->memory, told ? "remember" : "session", by, ns, e);
}

/* -- answers ----------------------------------------------------------------
 */

static const char *const words[] = {"deny", "once", "alike", "remember", NULL};

int approval_choice_read(str word, enum approval_choice *out, struct err *e) {
    for (size_t i = 0; words[i]; i++)
        if (str_is(word, words[i])) {
            *out = (enum approval_choice)i;
            return 0;
        }
    return fail(e, ERR_INVALID,
                "'%.*s' is no answer: deny, once, alike or remember",
                STR_ARG(word));
}

const char *approval_choice_word(enum approval_choice choice) {
    return words[choice];
}

static int record(struct audit *audit, const struct store_approval *p,
                  enum approval_choice choice, str by, struct arena *a,
                  struct err *e) {
    char card[JOURNAL_KEY];
    struct json_build b = JSON_BUILD(a);
    const struct json *data;
    if (!audit) return 0;
    if (digest(p->card, card, e)) return -1;
    build_object(&b);
    build_put_text(&b, "approval", p->id);
    build_put_text(&b, "answer", str_of(words[choice]));
    build_put_text(&b, "by", by);
    build_put_text(&b, "tool", p->tool);
    build_put_text(&b, "run", p->run);
    build_put_int(&b, "call", (int64_t)p->number);
    build_put_text(&b, "binding", p->binding);
    build_put_text(&b, "card_sha256", str_of(card));
    build_end(&b);
    if (build_done(&b, &data, e) || audit_add(audit, "approval", data, e))
        return -1;
    return audit_sync(audit, e);
}

/* Questions that stand on the same card are answered with it. */
static int answer_batch(struct store *s, const struct store_approval *p,
                        bool grant, str by, struct arena *a, struct err *e) {
    struct approval_batch b;
    if (approval_batch(s, p, a, &b, e)) return -1;
    for (size_t i = 0; i < b.count; i++)
        if (!str_eq(b.ids[i], p->id) &&
            store_approval_decide(s, b.ids[i], grant, by, e) &&
            e->kind != ERR_EXISTS && e->kind != ERR_TIMEOUT)
            return -1;
    return 0;
}

int approval_answer(struct store *s, struct audit *audit, str id,
                    enum approval_choice choice, str by, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * CARD_BYTES);
    struct store_approval p;
    const struct json *card;
    if (store_approval_get(s, id, &a, &p, e) ||
        json_parse(p.card, NULL, &a, &card, e))
        return -1;
    bool grant = choice != APPROVE_NOT;
    if (store_approval_decide(s, id, grant, by, e)) return -1;
    if (grant && keep_memory(s, &p, card, choice, by, e)) return -1;
    if ((choice == APPROVE_ALIKE || !grant) &&
        answer_batch(s, &p, grant, by, &a, e))
        return -1;
    if (store_flush(s, true, e)) return -1;
    return record(audit, &p, choice, by, &a, e);
}

/* -- for people -------------------------------------------------------------
 */

/* Printable ASCII and what is plainly visible; everything else as \u{...}, so
 * that nothing hides, moves or turns around on the screen. */
static int add_visible(str s, struct buf *out, struct err *e) {
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_decode(s.p + i, s.n - i, &c);
        bool plain =
            (c >= 0x20 && c < 0x7f) || c == '\n' ||
            (c >= 0xa1 && c < 0x2000 && c != 0xad && c != 0x34f && c != 0x61c &&
             c != 0x115f && c != 0x1160 && c != 0x180e) ||
            (c >= 0x3040 && c < 0xd7a4 && c != 0x3164);
        if (n == 0) {
            n = 1;
            plain = false;
            c = (unsigned char)s.p[i];
        }
        if (plain ? buf_add(out, s.p + i, n, e)
                  : buf_addf(out, e, "\\u{%x}", c))
            return -1;
        i += n;
    }
    return 0;
}

static int add_line(const char *head, str text, struct buf *out,
                    struct err *e) {
    if (text.n == 0) return 0;
    if (buf_addf(out, e, "%-10s", head) || add_visible(text, out, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int add_json(const char *head, const struct json *v, struct buf *out,
                    struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CARD_BYTES);
    if (!v) return 0;
    if (json_write(v, JSON_PRETTY, &text, e)) return -1;
    return add_line(head, buf_str(&text), out, e);
}

/* A row for each call, a column for each argument that differs. */
static int add_table(const struct approval_batch *b, struct buf *out,
                     struct err *e) {
    if (buf_addf(out, e, "calls     %zu on this card\n", b->count)) return -1;
    for (size_t i = 0; i < b->count; i++) {
        if (buf_addf(out, e, "  %3zu", i + 1)) return -1;
        for (size_t k = 0; k < b->differ_count; k++) {
            AUTO_BUF struct buf value = BUF_MAX(CARD_BYTES);
            const struct json *v = json_get_str(b->args[i], b->differs[k]);
            if (v && json_write(v, JSON_COMPACT, &value, e)) return -1;
            if (buf_addf(out, e, "  %.*s=", STR_ARG(b->differs[k])) ||
                add_visible(buf_str(&value), out, e))
                return -1;
        }
        if (buf_add_char(out, '\n', e)) return -1;
    }
    return 0;
}

static int add_batch(struct store *s, const struct store_approval *p,
                     struct arena *a, struct buf *out, struct err *e) {
    struct approval_batch b;
    if (p->state != APPROVAL_PENDING) return 0;
    if (approval_batch(s, p, a, &b, e)) return -1;
    return b.count > 1 ? add_table(&b, out, e) : 0;
}

/* The argument at fault comes first. */
int approval_describe(struct store *s, const struct store_approval *p,
                      struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * CARD_BYTES);
    const struct json *card;
    if (json_parse(p->card, NULL, &a, &card, e)) return -1;
    const struct json *args = json_get(card, "args");
    str path = json_get_text(card, "path", STR(""));
    if (add_line("call", p->tool, out, e) ||
        add_line("why", json_get_text(card, "reason", STR("")), out, e) ||
        add_line("argument", path, out, e) ||
        (path.n && add_json("  value", json_pointer(args, path), out, e)) ||
        add_line("  from", json_get_text(card, "from", STR("")), out, e) ||
        add_line("warning", json_get_text(card, "finding", STR("")), out, e) ||
        add_line("effect", json_get_text(card, "classes", STR("")), out, e) ||
        add_json("arguments", args, out, e) || add_batch(s, p, &a, out, e) ||
        add_line("rule", json_get_text(card, "rule", STR("")), out, e) ||
        add_line("run", p->run, out, e))
        return -1;
    if (!json_get_bool(card, "irreversible", false)) return 0;
    return buf_add_text(out, "This cannot be undone.\n", e);
}
