/* SPDX-License-Identifier: MIT
 *
 * traceback -- where an exception came through, as CPython 3.11 shows it.
 */
#include "vm/traceback.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "lang/parse.h"
#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/ops.h"

#define LINES_MAX 4096 /* of one traceback that are printed */
#define SAME_MAX  3    /* of repeated lines that are */

/* -- places
 * ---------------------------------------------------------------------------
 */

static const struct code_span *span_at(const struct vm *vm, val code,
                                       uint32_t pc) {
    const struct ocode *c = heap_at(&vm->heap, code);
    const struct ostore *s = heap_at(&vm->heap, code_origin(vm, c)->spans);
    const struct code_span *span = (const struct code_span *)s->data;
    uint64_t low = 0, high = s->used / sizeof *span;
    if (!high) return NULL;
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        if (span[mid].pc <= pc)
            low = mid;
        else
            high = mid;
    }
    return &span[low];
}

uint32_t traceback_line(const struct vm *vm, val code, uint32_t pc) {
    const struct code_span *span = span_at(vm, code, pc);
    return span ? span->line : 0;
}

static str source_line(const struct vm *vm, val code, uint32_t line) {
    const struct oorigin *o = code_origin(vm, heap_at(&vm->heap, code));
    return place_line(text_get(vm, o->source), line);
}

/* -- carets
 * -----------------------------------------------------------------------------
 */

/* Bytes of the first n code points. */
static size_t bytes_of(str s, size_t n) {
    size_t at = 0;
    uint32_t cp;
    while (n-- > 0 && at < s.n) {
        size_t len = utf8_decode_loose(s.p + at, s.n - at, &cp);
        at += len ? len : 1;
    }
    return at;
}

/* The operator of a binary expression, or a subscript's brackets: byte offsets
 * within the segment. CPython finds them by parsing the segment, and so do
 * we. */
static bool find_anchors(str segment, size_t *left, size_t *right) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct ast ast;
    struct fault fault = {0};
    struct err e;
    const uint64_t seed[2] = {1, 2};
    if (segment.n > 4096) return false;
    if (parse(segment, seed, &a, &ast, &fault, &e)) return false;
    const struct nodes *body = ast.module->as.module.body;
    if (body->count != 1 || body->at[0]->kind != N_Expr) return false;
    const struct node *x = body->at[0]->as.expr.value;
    if (x->kind == N_Subscript) {
        *left = x->as.subscript.value->end;
        *right = x->end;
        return true;
    }
    if (x->kind != N_BinOp) return false;
    uint32_t end = x->as.bin.right->start;
    for (uint32_t i = x->as.bin.left->end; i < end; i++) {
        char c = segment.p[i];
        if (c == ' ' || c == '\t' || c == '\f' || c == ')') continue;
        *left = i;
        *right = i + 1;
        char next = i + 1 < end ? segment.p[i + 1] : ' ';
        if (next != ' ' && next != '\t' && next != '\f') ++*right;
        return true;
    }
    return false;
}

static int add_many(struct buf *out, char c, size_t n, struct err *e) {
    for (size_t i = 0; i < n; i++)
        if (buf_add_char(out, c, e)) return -1;
    return 0;
}

static size_t chars(str s, size_t from, size_t to) {
    str part = str_sub(s, from, to);
    return utf8_count(part.p, part.n);
}

/* The line of ~ and ^ under `line`, of which `indent` bytes are not shown. */
static int add_carets(struct buf *out, str line, size_t indent,
                      const struct code_span *span, struct err *e) {
    size_t start = bytes_of(line, span->col);
    size_t end =
        span->end_line == span->line ? bytes_of(line, span->end_col) : line.n;
    if (start < indent) start = indent;
    if (end <= start) return 0;
    size_t left = 0, right = 0;
    bool anchors = span->end_line == span->line &&
                   find_anchors(str_sub(line, start, end), &left, &right);
    if (!anchors && end - start == line.n - indent) return 0;
    if (add_many(out, ' ', 4 + chars(line, indent, start), e)) return -1;
    if (!anchors) {
        if (add_many(out, '^', chars(line, start, end), e)) return -1;
    } else if (add_many(out, '~', chars(line, start, start + left), e) ||
               add_many(out, '^', chars(line, start + left, start + right),
                        e) ||
               add_many(out, '~', chars(line, start + right, end), e)) {
        return -1;
    }
    return buf_add_char(out, '\n', e);
}

/* pc is the last word of the instruction: FOR's jump. */
static bool is_for(const struct vm *vm, val code, uint32_t pc) {
    const struct ocode *c = heap_at(&vm->heap, code);
    const uint32_t *words =
        (uint32_t *)((struct ostore *)heap_at(&vm->heap, c->words))->data;
    return pc > 0 && INS_OP(words[pc - 1]) == OP_FOR;
}

static int add_source(struct vm *vm, val code, uint32_t pc, struct buf *out,
                      struct err *e) {
    const struct code_span *span = span_at(vm, code, pc);
    if (!span) return 0;
    str line = source_line(vm, code, span->line);
    size_t indent = 0;
    while (indent < line.n &&
           (line.p[indent] == ' ' || line.p[indent] == '\t' ||
            line.p[indent] == '\f'))
        indent++;
    while (line.n > indent &&
           (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t' ||
            line.p[line.n - 1] == '\r'))
        line.n--;
    if (line.n == indent) return 0;
    str shown = str_sub(line, indent, line.n);
    if (buf_addf(out, e, "    %.*s\n", STR_ARG(shown))) return -1;
    if (is_for(vm, code, pc)) return 0; /* CPython shows the bare line */
    return add_carets(out, line, indent, span, e);
}

/* -- tracebacks
 * ----------------------------------------------------------------------------
 */

static int add_frame(struct vm *vm, const struct otraceback *t, struct buf *out,
                     struct err *e) {
    const struct ocode *c = heap_at(&vm->heap, t->code);
    if (buf_addf(out, e, "  File \"%.*s\", line %u, in %.*s\n",
                 STR_ARG(text_get(vm, code_origin(vm, c)->filename)),
                 traceback_line(vm, t->code, t->pc),
                 STR_ARG(text_get(vm, c->name))))
        return -1;
    return add_source(vm, t->code, t->pc, out, e);
}

static bool same_line(const struct vm *vm, const struct otraceback *a,
                      const struct otraceback *b) {
    return a->code == b->code && traceback_line(vm, a->code, a->pc) ==
                                     traceback_line(vm, b->code, b->pc);
}

static int add_repeats(struct buf *out, unsigned same, struct err *e) {
    if (same <= SAME_MAX) return 0;
    unsigned more = same - SAME_MAX;
    return buf_addf(out, e, "  [Previous line repeated %u more time%s]\n", more,
                    more == 1 ? "" : "s");
}

int traceback_text(struct vm *vm, val tb, struct buf *out, struct err *e) {
    const struct otraceback *last = NULL;
    unsigned same = 0, lines = 0;
    for (; tb; tb = last->next) {
        const struct otraceback *t = heap_at(&vm->heap, tb);
        if (last && same_line(vm, last, t)) {
            same++;
        } else {
            if (add_repeats(out, same, e)) return -1;
            same = 1;
        }
        if (same <= SAME_MAX && lines++ < LINES_MAX && add_frame(vm, t, out, e))
            return -1;
        last = t;
    }
    return add_repeats(out, same, e);
}

/* -- whole exceptions, without Python
 * ---------------------------------------------------------- */

static int add_last_line(struct vm *vm, val exc, struct buf *out,
                         struct err *e) {
    const struct otype *t = type_at(vm, type_of(vm, exc));
    val text = exc_str(vm, exc);
    str words = text ? text_get(vm, text) : STR("<exception str() failed>");
    vm->slow_wanted = false;
    exc_take(vm);
    return buf_addf(out, e, "%.*s%s%.*s\n", STR_ARG(text_get(vm, t->qualname)),
                    words.n ? ": " : "", STR_ARG(words));
}

int exc_print(struct vm *vm, val exc, struct buf *out, struct err *e) {
    exc_take(vm);
    val tb = exc_at(vm, exc)->traceback;
    if (tb && (buf_add_text(out, "Traceback (most recent call last):\n", e) ||
               traceback_text(vm, tb, out, e)))
        return -1;
    return add_last_line(vm, exc, out, e);
}

/* -- SyntaxError
 * ---------------------------------------------------------------------------------
 */

static enum exc syntax_class(const struct fault *f) {
    return f->kind == FAULT_TAB      ? EXC_TabError
           : f->kind == FAULT_INDENT ? EXC_IndentationError
                                     : EXC_SyntaxError;
}

val exc_syntax(struct vm *vm, const struct fault *fault, str source,
               const char *filename) {
    struct place from = place_of(source, fault->start);
    struct place to = place_of(source, fault->end);
    str line = place_line(source, from.line);
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    struct err e;
    if (buf_add_str(&text, line, &e) || buf_add_char(&text, '\n', &e))
        buf_truncate(&text, 0);
    val where[6] = {
        text_of(vm, filename),       val_of_int(from.line),
        val_of_int(from.column + 1), text_new(vm, buf_text(&text), text.len),
        val_of_int(to.line),         val_of_int(to.column + 1)};
    val args[2] = {text_of(vm, fault->text), VAL_UNSET};
    if (!where[0] || !where[3] || !args[0]) return VAL_UNSET;
    args[1] = tuple_new(vm, where, 6);
    if (!args[1]) return VAL_UNSET;
    return vm_raise_args(vm, syntax_class(fault), args, 2);
}

/* -- as objects
 * ------------------------------------------------------------------------------------
 */

static val tb_next(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val next = ((struct otraceback *)heap_at(&vm->heap, args[0]))->next;
    return next ? next : VAL_NONE;
}

static val tb_lineno(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const struct otraceback *t = heap_at(&vm->heap, args[0]);
    return val_of_int(traceback_line(vm, t->code, t->pc));
}

static val tb_code(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return ((struct otraceback *)heap_at(&vm->heap, args[0]))->code;
}

static val tb_text(struct vm *vm, const val *args, size_t n) {
    (void)n;
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    struct err e;
    if (traceback_text(vm, args[0], &out, &e))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    if (!vm_charge(vm, out.len)) return VAL_UNSET;
    return text_new(vm, buf_text(&out), out.len);
}

static const struct native tb_methods[] = {
    {"_text", "", tb_text, "the lines as they are printed", NULL},
    {0},
};
static const struct native tb_getters[] = {
    {"tb_next", "", tb_next, "", NULL},
    {"tb_lineno", "", tb_lineno, "", NULL},
    {"_code", "", tb_code, "", NULL},
    {0},
};
const struct native_type native_traceback = {
    "traceback", KIND_TRACEBACK, NULL, TYPE_HIDDEN | TYPE_FINAL,
    tb_methods,  tb_getters,     NULL,
};
const struct native_type native_frame = {
    "frame", KIND_FRAME, NULL, TYPE_HIDDEN | TYPE_FINAL, NULL, NULL, NULL,
};
