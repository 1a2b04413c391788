/* SPDX-License-Identifier: MIT
 *
 * api_journal -- cordon.h: recording and replaying.
 */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "vm/session.h"

#define JOURNAL_MAX ((size_t)1 << 30)

void cordon_options_record(cordon_options *o, int on) {
    o->record = on != 0;
}

int cordon_options_replay(cordon_options *o, const void *journal, size_t len) {
    struct err e;
    void *copy = journal ? mem_dup(journal, len, &e) : NULL;
    if (journal && !copy) return -1;
    mem_free(o->replay);
    o->replay = copy;
    o->replay_len = copy ? len : 0;
    return 0;
}

const void *cordon_journal(const cordon_session *s, size_t *len) {
    *len = s->journal.failed ? 0 : s->journal.out.len;
    return s->journal.failed ? NULL : buf_text(&s->journal.out);
}

int cordon_replaying(const cordon_session *s) {
    return history_replaying(&s->journal);
}

int session_journal(cordon_session *s, const cordon_options *o) {
    struct history *j = &s->journal;
    j->out = j->in = j->noted = BUF_MAX(JOURNAL_MAX);
    if (!o || (!o->record && !o->replay)) return 0;
    j->record = o->record;
    s->vm.journal = j;
    return o->replay ? buf_add(&j->in, o->replay, o->replay_len, &s->err) : 0;
}

void session_journal_free(cordon_session *s) {
    buf_fini(&s->journal.out);
    buf_fini(&s->journal.in);
    buf_fini(&s->journal.noted);
}

/* -- recording ----------------------------------------------------------------
 */

/* What the host does is new. */
static bool alive(const cordon_session *s) {
    return s->vm.journal && !s->journal.draws && !s->journal.following &&
           !history_replaying(&s->journal);
}

static void add_record(cordon_session *s, enum history_type type,
                       const uint64_t *words, size_t n, const str *texts,
                       size_t ntexts) {
    AUTO_BUF struct buf body = BUF_MAX(JOURNAL_MAX);
    if (!s->journal.record || s->journal.failed) return;
    if (history_put(&body, words, n, texts, ntexts))
        s->journal.failed = true;
    else
        history_add(&s->journal, type, buf_str(&body));
}

static uint64_t hash_of(str a, str b) {
    static const uint64_t key[2] = {0x6a6f75726e616c, 1};
    uint64_t both[3] = {hash_bytes(a.p, a.n, key), hash_bytes(b.p, b.n, key),
                        a.n};
    return hash_bytes(both, sizeof both, key);
}

static int differs(cordon_session *s, const char *what) {
    s->journal.diverged = true;
    return fail(&s->err, ERR_INVALID, "replay: %s is not the recorded one",
                what);
}

int session_note(cordon_session *s, enum history_type type, str name,
                 str value) {
    uint64_t now = 0, then;
    if (!s->vm.journal || s->journal.draws) return 0;
    now = hash_of(name, value);
    if (!history_replaying(&s->journal)) {
        add_record(s, type, &now, 1, NULL, 0);
        return 0;
    }
    if (!history_take(&s->journal, type, &then, sizeof then) || then != now)
        return differs(s, type == HISTORY_PROGRAM ? "the program" : "an input");
    return 0;
}

static uint64_t call_hash(cordon_session *s) {
    const char *args = cordon_call_args_json(s);
    return hash_of(str_of(cordon_call_name(s)), str_of(args ? args : ""));
}

void session_note_answer(cordon_session *s, enum history_type type, str a,
                         str b) {
    if (!alive(s)) return;
    uint64_t words[2] = {cordon_call_id(s), call_hash(s)};
    str texts[2] = {a, b};
    add_record(s, type, words, 2, texts,
               type == HISTORY_ANSWER  ? 1
               : type == HISTORY_ERROR ? 2
                                       : 0);
}

void session_note_value(cordon_session *s, enum history_type type, uint64_t id,
                        str a, str b) {
    uint64_t words[2] = {id, 0};
    str texts[2] = {a, b};
    if (!alive(s)) return;
    add_record(s, type, words, 2, texts, type == HISTORY_RESOLVE ? 1 : 2);
}

void session_note_continue(cordon_session *s) {
    uint64_t zero = 0;
    if (alive(s)) add_record(s, HISTORY_CONTINUE, &zero, 1, NULL, 0);
}

/* -- labels -------------------------------------------------------------------
 */

cordon_label_id session_note_label(void *notes,
                                   const struct cordon_place *place) {
    struct label_notes *n = notes;
    struct history *j = &n->s->journal;
    struct err e;
    cordon_label_id id = 0;
    if (j->labels.n >= sizeof id) {
        memcpy(&id, j->labels.p, sizeof id);
        j->labels = str_sub(j->labels, sizeof id, j->labels.n);
        return id;
    }
    if (n->fn) id = n->fn(n->user, place);
    if (j->record && !j->draws && buf_add(&j->noted, &id, sizeof id, &e))
        j->failed = true;
    return id;
}

void session_note_labels(cordon_session *s) {
    struct history *j = &s->journal;
    struct record r;
    if (j->draws) return;
    if (j->following) {
        j->labels = (str){NULL, 0};
    } else if (history_replaying(j)) {
        /* The host said them again: an input. */
        if (history_peek(j, &r) && r.type == HISTORY_LABELS) history_skip(j);
    } else {
        history_add(j, HISTORY_LABELS, buf_str(&j->noted));
    }
    buf_truncate(&j->noted, 0);
}

/* -- replaying ----------------------------------------------------------------
 */

static enum cordon_status lost(cordon_session *s, const char *what) {
    s->journal.diverged = true;
    err_set(&s->err, ERR_INVALID, "replay: %s", what);
    return s->status = CORDON_FAILED;
}

/* The value as the host gave it, with the labels it gave. */
static enum cordon_status answer_again(cordon_session *s, str json) {
    if (s->journal.labels.p)
        return cordon_resume_labelled(s, json.p, json.n, NULL, NULL);
    return cordon_resume_json(s, json.p, json.n);
}

static int resolve_again(cordon_session *s, uint64_t id, str json) {
    if (s->journal.labels.p)
        return cordon_resolve_labelled(s, id, json.p, json.n, NULL, NULL);
    return cordon_resolve_json(s, id, json.p, json.n);
}

/* Texts of errors end in NUL for the functions of cordon.h. */
struct error_text {
    char *type, *message;
};

static int error_of(const str *texts, struct error_text *out, struct err *e) {
    out->type = mem_dup(texts[0].p, texts[0].n, e);
    out->message = mem_dup(texts[1].p, texts[1].n, e);
    return out->type && out->message ? 0 : -1;
}

static enum cordon_status follow_call(cordon_session *s,
                                      const struct record *r) {
    uint64_t words[2];
    str texts[2] = {STR(""), STR("")};
    size_t n = r->type == HISTORY_ANSWER ? 1 : r->type == HISTORY_ERROR ? 2 : 0;
    struct error_text error = {NULL, NULL};
    if (!history_get(r->body, words, 2, texts, n))
        return lost(s, "a record is not whole");
    if (s->status != CORDON_CALL || words[0] != cordon_call_id(s) ||
        words[1] != call_hash(s))
        return lost(s, "another call is made than was recorded");
    enum cordon_status st;
    if (r->type == HISTORY_ANSWER) {
        st = answer_again(s, texts[0]);
    } else if (r->type == HISTORY_PENDING) {
        st = cordon_resume_pending(s);
    } else if (error_of(texts, &error, &s->err)) {
        st = lost(s, "out of memory");
    } else {
        st = cordon_resume_error(s, error.type[0] ? error.type : NULL,
                                 error.message);
    }
    mem_free(error.type);
    mem_free(error.message);
    return st;
}

static enum cordon_status follow_value(cordon_session *s,
                                       const struct record *r) {
    uint64_t words[2];
    str texts[2] = {STR(""), STR("")};
    struct error_text error = {NULL, NULL};
    bool failed = r->type == HISTORY_REJECT;
    if (!history_get(r->body, words, 2, texts, failed ? 2 : 1))
        return lost(s, "a record is not whole");
    int bad;
    if (!failed)
        bad = resolve_again(s, words[0], texts[0]);
    else
        bad =
            error_of(texts, &error, &s->err) ||
            cordon_resolve_error(s, words[0], error.type[0] ? error.type : NULL,
                                 error.message);
    mem_free(error.type);
    mem_free(error.message);
    return bad ? lost(s, "a value comes that is not pending") : s->status;
}

/* One record: the run goes on by it. */
static enum cordon_status follow_one(cordon_session *s,
                                     const struct record *r) {
    struct cordon_label label;
    switch (r->type) {
    case HISTORY_LABEL:
        if (!s->vm.labels || r->body.n != sizeof label)
            return lost(s, "labels are off, or a record is not whole");
        memcpy(&label, r->body.p, sizeof label);
        label_number(s->vm.labels, &label);
        return s->status;
    case HISTORY_LABELS: s->journal.labels = r->body; return s->status;
    case HISTORY_ANSWER:
    case HISTORY_ERROR:
    case HISTORY_PENDING: return follow_call(s, r);
    case HISTORY_RESOLVE:
    case HISTORY_REJECT: return follow_value(s, r);
    case HISTORY_CONTINUE: return cordon_continue(s);
    case HISTORY_SEED:
    case HISTORY_PROGRAM:
    case HISTORY_INPUT:
    case HISTORY_CLOCK:
    case HISTORY_LIMIT:
    case HISTORY_LATER:
    case HISTORY_CAME:
    case HISTORY_COUNT: break;
    }
    return lost(s, "the run stops where the recorded one did not");
}

enum cordon_status session_follow(cordon_session *s, enum cordon_status st) {
    struct history *j = &s->journal;
    struct record r;
    while (!j->draws && (st == CORDON_CALL || st == CORDON_WAIT) &&
           history_replaying(j)) {
        if (!history_peek(j, &r)) return lost(s, "a record is not whole");
        /* A program that comes next was run by a host that gave up this one. */
        if (r.type == HISTORY_PROGRAM || r.type == HISTORY_INPUT) return st;
        if (r.type == HISTORY_LABELS) j->labels = (str){NULL, 0};
        history_skip(j);
        j->following = true;
        st = follow_one(s, &r);
        j->following = false;
        if (r.type != HISTORY_LABELS && r.type != HISTORY_LABEL)
            j->labels = (str){NULL, 0};
    }
    if (j->diverged && st != CORDON_FAILED)
        return lost(s, "what it read is not what was recorded");
    return st;
}
