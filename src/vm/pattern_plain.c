/* SPDX-License-Identifier: MIT */
#include "vm/pattern_plain.h"

#include <string.h>

#include "base/mem.h"
#include "vm/native.h"

enum {
    OPS = 64,
    COST = 30,           /* units of a match, characters not counted */
    UNCHARGED = 1 << 16, /* characters looked at between two charges */
};
#define ANY_NUMBER UINT32_MAX

struct charset {
    uint64_t bits[2];
};

enum op_kind {
    TAKE,  /* characters of a set, as many as there are */
    OPEN,  /* a group begins */
    CLOSE, /* a group ends */
    EDGE,  /* \b */
    FIRST, /* the text begins */
    LAST,  /* the text ends, or only its newline follows */
    END,   /* the text ends */
};

struct op {
    enum op_kind kind;
    uint32_t group;       /* of OPEN and CLOSE; 0: one without a number */
    uint32_t least, most; /* of TAKE */
    struct charset set;
};

struct plain {
    size_t count, lead; /* ops; the first TAKE, or count */
    bool led;           /* a match begins with one of lead's characters */
    bool fixed;         /* a match begins where the text does */
    int letter;         /* led, and this is the only one; or -1 */
    uint32_t groups;
    struct op ops[OPS];
};

/* -- sets ------------------------------------------------------------------ */

static bool has(const struct charset *s, unsigned char c) {
    return s->bits[c >> 6] >> (c & 63) & 1;
}

static void add(struct charset *s, unsigned from, unsigned to) {
    for (unsigned c = from; c <= to && c < 128; c++)
        s->bits[c >> 6] |= (uint64_t)1 << (c & 63);
}

static void join(struct charset *s, struct charset other) {
    s->bits[0] |= other.bits[0];
    s->bits[1] |= other.bits[1];
}

static struct charset others(struct charset s) {
    return (struct charset){{~s.bits[0], ~s.bits[1]}};
}

static bool meet(struct charset a, struct charset b) {
    return (a.bits[0] & b.bits[0]) | (a.bits[1] & b.bits[1]);
}

static void add_other_cases(struct charset *s) {
    for (unsigned c = 'a'; c <= 'z'; c++) {
        unsigned upper = c - 'a' + 'A';
        if (has(s, (unsigned char)c)) add(s, upper, upper);
        if (has(s, (unsigned char)upper)) add(s, c, c);
    }
}

static struct charset digits(void) {
    struct charset s = {0};
    add(&s, '0', '9');
    return s;
}

static struct charset word(void) {
    struct charset s = digits();
    add(&s, 'a', 'z');
    add(&s, 'A', 'Z');
    add(&s, '_', '_');
    return s;
}

static struct charset space(void) {
    struct charset s = {0};
    add(&s, '\t', '\r');
    add(&s, ' ', ' ');
    return s;
}

/* -- reading ---------------------------------------------------------------
 *
 * Every reader answers false for what is not known here.
 */

struct reader {
    str in;
    size_t at;
    unsigned flags;
    struct plain *out;
    uint32_t open[PLAIN_GROUPS]; /* groups that have no end yet */
    size_t depth;
};

static int peek(const struct reader *r, size_t ahead) {
    return r->at + ahead < r->in.n ? (unsigned char)r->in.p[r->at + ahead] : -1;
}

static struct op *new_op(struct reader *r, enum op_kind kind) {
    struct plain *p = r->out;
    if (p->count == OPS) return NULL;
    p->ops[p->count] = (struct op){.kind = kind};
    return &p->ops[p->count++];
}

/* What a backslash and a letter say about characters. */
static bool named_set(int c, struct charset *out) {
    struct charset s = {0};
    static const char controls[] = "nrtfva", codes[] = "\n\r\t\f\v\a";
    const char *control = c > 0 ? strchr(controls, c) : NULL;
    int kind = c | 32;
    if (control) {
        add(&s, (unsigned char)codes[control - controls],
            (unsigned char)codes[control - controls]);
    } else if (kind == 'd' || kind == 'w' || kind == 's') {
        s = kind == 'd' ? digits() : kind == 'w' ? word() : space();
        if (c != kind) s = others(s);
    } else if (c > ' ' && c < 127 && !(kind >= 'a' && kind <= 'z') &&
               !(c >= '0' && c <= '9')) {
        add(&s, (unsigned)c, (unsigned)c);
    } else {
        return false;
    }
    *out = s;
    return true;
}

static bool single(struct charset s, unsigned *c) {
    int n = __builtin_popcountll(s.bits[0]) + __builtin_popcountll(s.bits[1]);
    if (n != 1) return false;
    *c = s.bits[0] ? (unsigned)__builtin_ctzll(s.bits[0])
                   : 64 + (unsigned)__builtin_ctzll(s.bits[1]);
    return true;
}

/* A character or a named set between brackets. */
static bool member(struct reader *r, struct charset *out) {
    int c = peek(r, 0);
    if (c < 0 || c > 127) return false;
    *out = (struct charset){0};
    r->at++;
    if (c != '\\') return add(out, (unsigned)c, (unsigned)c), true;
    c = peek(r, 0);
    r->at++;
    if (c == 'b') return add(out, '\b', '\b'), true;
    return named_set(c, out);
}

static bool bracket(struct reader *r, struct charset *out) {
    *out = (struct charset){0};
    r->at++;
    bool negated = peek(r, 0) == '^';
    if (negated) r->at++;
    for (bool first = true; peek(r, 0) != ']' || first; first = false) {
        struct charset low, high;
        unsigned from, to;
        if (!member(r, &low)) return false;
        if (peek(r, 0) == '-' && peek(r, 1) != ']') {
            r->at++;
            if (!member(r, &high) || !single(low, &from) || !single(high, &to))
                return false;
            add(out, from, to);
        }
        join(out, low);
    }
    r->at++;
    if (r->flags & PATTERN_IGNORECASE) add_other_cases(out);
    if (negated) *out = others(*out);
    return true;
}

static bool number(struct reader *r, uint32_t *out) {
    uint32_t n = 0;
    size_t from = r->at;
    for (; peek(r, 0) >= '0' && peek(r, 0) <= '9'; r->at++) {
        n = 10 * n + (uint32_t)(peek(r, 0) - '0');
        if (n > 65535) return false;
    }
    if (r->at > from) *out = n;
    return r->at > from;
}

/* {3} {3,} {,3} {3,4} */
static bool braces(struct reader *r, struct op *op) {
    r->at++;
    bool low = number(r, &op->least), high = false;
    if (!low) op->least = 0;
    op->most = op->least;
    if (peek(r, 0) == ',') {
        r->at++;
        high = number(r, &op->most);
        if (!high) op->most = ANY_NUMBER;
    }
    if (peek(r, 0) != '}') return false;
    r->at++;
    return low || high;
}

static bool repetition(struct reader *r, struct op *op) {
    int c = peek(r, 0);
    op->least = op->most = 1;
    if (c == '{') {
        if (!braces(r, op)) return false;
    } else if (c == '*' || c == '+' || c == '?') {
        r->at++;
        op->least = c == '+';
        op->most = c == '?' ? 1 : ANY_NUMBER;
    } else {
        return true;
    }
    c = peek(r, 0); /* lazy or possessive */
    return c != '?' && c != '+';
}

static bool take(struct reader *r, struct charset set) {
    struct op *op = new_op(r, TAKE);
    if (!op) return false;
    op->set = set;
    return repetition(r, op);
}

static bool group_name(struct reader *r) {
    while (peek(r, 0) > 0 && peek(r, 0) != '>')
        r->at++;
    r->at++;
    return true;
}

static bool open_group(struct reader *r) {
    uint32_t number = 0;
    r->at++;
    if (peek(r, 0) == '?' && peek(r, 1) == ':') {
        r->at += 2;
    } else {
        number = ++r->out->groups;
        if (peek(r, 0) == '?' &&
            !(peek(r, 1) == 'P' && peek(r, 2) == '<' && group_name(r)))
            return false;
    }
    if (number > PLAIN_GROUPS || r->depth == PLAIN_GROUPS) return false;
    r->open[r->depth++] = number;
    struct op *op = new_op(r, OPEN);
    if (op) op->group = number;
    return op;
}

static bool close_group(struct reader *r) {
    r->at++;
    if (!r->depth) return false;
    struct op *op = new_op(r, CLOSE);
    if (op) op->group = r->open[--r->depth];
    int c = peek(r, 0);
    return op && c != '*' && c != '+' && c != '?' && c != '{';
}

static bool assertion(struct reader *r, enum op_kind kind, size_t letters) {
    r->at += letters;
    int c = peek(r, 0);
    return c != '*' && c != '+' && c != '?' && c != '{' && new_op(r, kind);
}

static bool escape(struct reader *r) {
    struct charset set;
    int c = peek(r, 1);
    if (c == 'b') return assertion(r, EDGE, 2);
    if (c == 'A') return assertion(r, FIRST, 2);
    if (c == 'Z') return assertion(r, END, 2);
    r->at += 2;
    return named_set(c, &set) && take(r, set);
}

static bool letter(struct reader *r, unsigned c) {
    struct charset set = {0};
    add(&set, c, c);
    if (r->flags & PATTERN_IGNORECASE) add_other_cases(&set);
    r->at++;
    return c < 128 && take(r, set);
}

static bool dot(struct reader *r) {
    struct charset set = {0};
    if (!(r->flags & PATTERN_DOTALL)) add(&set, '\n', '\n');
    r->at++;
    return take(r, others(set));
}

static bool item(struct reader *r) {
    struct charset set;
    int c = peek(r, 0);
    switch (c) {
    case '(': return open_group(r);
    case ')': return close_group(r);
    case '[': return bracket(r, &set) && take(r, set);
    case '\\': return escape(r);
    case '.': return dot(r);
    case '^': return assertion(r, FIRST, 1);
    case '$': return assertion(r, LAST, 1);
    case '|':
    case '*':
    case '+':
    case '?':
    case '{': return false;
    default: return letter(r, (unsigned)c);
    }
}

/* -- what is of this kind ----------------------------------------------------
 */

static bool only_closes(const struct plain *p, size_t from) {
    while (from < p->count && p->ops[from].kind == CLOSE)
        from++;
    return from == p->count;
}

/* Nothing but the most that op takes can match: where it took less, one of its
 * characters follows, which nothing behind it begins with. */
static bool takes_all(const struct plain *p, size_t at) {
    const struct op *op = &p->ops[at];
    if (op->kind != TAKE || op->least == op->most) return true;
    for (size_t i = at + 1; i < p->count; i++) {
        const struct op *next = &p->ops[i];
        switch (next->kind) {
        case OPEN:
        case CLOSE: continue;
        case TAKE:
            if (meet(op->set, next->set)) return false;
            if (next->least) return true;
            continue;
        case EDGE: /* there is none between two of its characters */
            return op->least &&
                   !(meet(op->set, word()) && meet(op->set, others(word())));
        case LAST: /* a newline of its own that is left would have been taken */
            return only_closes(p, i + 1);
        case END: return true;
        case FIRST: return false;
        }
    }
    return true;
}

static bool never_goes_back(const struct plain *p) {
    for (size_t i = 0; i < p->count; i++)
        if (!takes_all(p, i)) return false;
    return true;
}

static void find_lead(struct plain *p) {
    unsigned c;
    size_t i = 0;
    for (; i < p->count && p->ops[i].kind != TAKE; i++)
        p->fixed = p->fixed || p->ops[i].kind == FIRST;
    p->lead = i;
    p->led = i < p->count && p->ops[i].least;
    p->letter = p->led && single(p->ops[i].set, &c) ? (int)c : -1;
}

struct plain *plain_new(str source, unsigned flags) {
    struct err e;
    if (flags & (PATTERN_VERBOSE | PATTERN_MULTILINE)) return NULL;
    struct plain *p = mem_zalloc(1, sizeof *p, &e);
    struct reader r = {.in = source, .flags = flags, .out = p};
    bool known = p;
    while (known && r.at < source.n)
        known = item(&r);
    if (known && !r.depth && never_goes_back(p)) {
        find_lead(p);
        return p;
    }
    plain_free(p);
    return NULL;
}

void plain_free(struct plain *p) {
    mem_free(p);
}

/* -- matching ---------------------------------------------------------------
 */

struct run {
    const struct plain *p;
    const unsigned char *text;
    size_t end;
    enum pattern_mode mode;
    size_t *spans;
    size_t lead_end; /* where what the lead took in this try ends */
    size_t work;     /* characters looked at and not charged */
};

static bool is_word(const struct run *r, size_t at) {
    unsigned c = at < r->end ? r->text[at] : ' ';
    return (c | 32) - 'a' < 26 || c - '0' < 10 || c == '_';
}

static bool holds(const struct run *r, enum op_kind kind, size_t at) {
    if (kind == FIRST) return at == 0;
    if (kind == EDGE) return is_word(r, at) != (at && is_word(r, at - 1));
    if (kind == LAST && at + 1 == r->end && r->text[at] == '\n') return true;
    return at == r->end;
}

static size_t run_of(const struct run *r, const struct op *op, size_t at) {
    struct charset set = op->set;
    size_t stop = op->most < r->end - at ? at + op->most : r->end;
    while (at < stop && has(&set, r->text[at]))
        at++;
    return at;
}

static bool match_at(struct run *r, size_t start) {
    const struct plain *p = r->p;
    size_t at = start;
    r->lead_end = start;
    for (size_t i = 0; i < p->count; i++) {
        const struct op *op = &p->ops[i];
        if (op->kind == TAKE) {
            size_t end = run_of(r, op, at);
            size_t n = end - at;
            r->work += n + 1;
            if (i == p->lead) r->lead_end = end;
            if (n < op->least) return false;
            at = end;
        } else if (op->kind == OPEN || op->kind == CLOSE) {
            if (op->group) r->spans[2 * op->group + (op->kind == CLOSE)] = at;
        } else if (!holds(r, op->kind, at)) {
            return false;
        }
    }
    r->spans[0] = start;
    r->spans[1] = at;
    if (r->mode == PATTERN_FULLMATCH) return at == r->end;
    return r->mode != PATTERN_NOT_EMPTY || at > start;
}

/* The next place where a match can begin, or behind the end. */
static size_t next_start(const struct run *r, size_t at) {
    const struct plain *p = r->p;
    if (!p->led || at >= r->end) return p->led ? r->end + 1 : at;
    if (p->letter >= 0) {
        const unsigned char *found =
            memchr(r->text + at, p->letter, r->end - at);
        return found ? (size_t)(found - r->text) : r->end + 1;
    }
    struct charset set = p->ops[p->lead].set;
    while (at < r->end && !has(&set, r->text[at]))
        at++;
    return at < r->end ? at : r->end + 1;
}

/* Where what follows the lead did not match, it does not for those who begin
 * later in what the lead took: they end there too. */
static size_t after_failure(const struct run *r, size_t at) {
    const struct plain *p = r->p;
    bool whole = p->lead < p->count && p->ops[p->lead].most == ANY_NUMBER;
    return whole && r->lead_end > at ? r->lead_end : at + 1;
}

static int search(struct run *r, struct vm *vm, size_t at) {
    for (;;) {
        size_t start = next_start(r, at);
        r->work += start - at;
        if (start > r->end) return 0;
        if (match_at(r, start)) return 1;
        if (r->p->fixed) return 0;
        at = after_failure(r, start);
        if (at > r->end) return 0;
        if (r->work < UNCHARGED) continue;
        if (!vm_charge(vm, r->work)) return -1;
        r->work = 0;
    }
}

int plain_run(const struct plain *p, struct vm *vm, str text, size_t from,
              enum pattern_mode mode, size_t *spans) {
    struct run r = {.p = p,
                    .text = (const unsigned char *)text.p,
                    .end = text.n,
                    .mode = mode,
                    .spans = spans};
    int found =
        mode == PATTERN_SEARCH ? search(&r, vm, from) : match_at(&r, from);
    if (found < 0 || !vm_charge(vm, COST + r.work)) return -1;
    return found;
}
