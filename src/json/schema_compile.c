/* SPDX-License-Identifier: MIT */
#include "json/schema_compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

static const enum op_nature natures[] = {
#define OP(name, operand, nature) nature,
#include "json/schema_ops.def"
#undef OP
};

enum op_nature op_nature(enum schema_op op) {
    return natures[op];
}

#define DEFAULT_BYTES (64u << 20)
#define DEFAULT_DEPTH 1024
#define MAX_NESTING   1024
#define WORK_BYTES    (64u << 20) /* scratch of one evaluation */

int compile_fault(struct compile *c, const struct json *node, struct err *e,
                  const char *fmt, ...) {
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct err ignored;
    AUTO_BUF struct buf where = BUF_MAX(4096);
    if (schema_location(c->s, node, &where, &ignored)) buf_truncate(&where, 0);
    return fail(e, ERR_INVALID, "%s: %s", buf_text(&where), text);
}

/* Room for one more item; returns the array, moved or not. */
static void *grow(struct compile *c, void *items, size_t count, size_t *cap,
                  size_t size, struct err *e) {
    if (count < *cap) return items;
    size_t more = *cap ? 2 * *cap : 32;
    if (more > c->max_bytes / size) {
        err_set(e, ERR_LIMIT, "the compiled schema passes %zu bytes",
                c->max_bytes);
        return NULL;
    }
    void *grown = mem_resize(items, more, size, e);
    if (grown) *cap = more;
    return grown;
}

static int add_unit(struct compile *c, struct unit unit, uint32_t *out,
                    struct err *e) {
    struct schema *s = c->s;
    struct unit *units =
        grow(c, s->units, s->unit_count, &s->unit_cap, sizeof *s->units, e);
    if (!units) return -1;
    s->units = units;
    *out = (uint32_t)s->unit_count;
    s->units[s->unit_count++] = unit;
    return 0;
}

static int add_instr(struct compile *c, struct instr in, struct err *e) {
    struct schema *s = c->s;
    struct instr *code =
        grow(c, s->code, s->code_count, &s->code_cap, sizeof *s->code, e);
    if (!code) return -1;
    s->code = code;
    s->code[s->code_count++] = in;
    return 0;
}

int compile_push(struct compile *c, struct instr in, unsigned kinds,
                 struct err *e) {
    struct pending *pending = grow(c, c->pending, c->pending_count,
                                   &c->pending_cap, sizeof *pending, e);
    if (!pending) return -1;
    c->pending = pending;
    pending[c->pending_count++] = (struct pending){in, kinds};
    return 0;
}

static unsigned kinds_of_types(unsigned types) {
    unsigned kinds = 0;
    for (enum json_type t = JSON_NULL; t <= JSON_OBJECT; t++)
        if (types & TYPE_BIT(t)) kinds |= 1u << kind_of(t);
    return kinds;
}

static int flush_kind(struct compile *c, uint32_t unit, size_t from,
                      unsigned kind, struct err *e) {
    size_t start = c->s->code_count;
    for (size_t i = from; i < c->pending_count; i++)
        if ((c->pending[i].kinds >> kind & 1) &&
            add_instr(c, c->pending[i].in, e))
            return -1;
    if (c->s->code_count == start) return 0; /* it stays CODE_END */
    if (add_instr(c, (struct instr){.op = OP_END}, e)) return -1;
    if (start > UINT32_MAX)
        return fail(e, ERR_LIMIT, "the compiled schema is too long");
    c->s->units[unit].code[kind] = (uint32_t)start;
    return 0;
}

static bool all_alike(const struct compile *c, size_t from) {
    for (size_t i = from; i < c->pending_count; i++)
        if (c->pending[i].kinds != KINDS_ALL) return false;
    return true;
}

static bool all_leaves(const struct instr *in) {
    for (; in->op != OP_END; in++)
        if (op_nature((enum schema_op)in->op) != LEAF) return false;
    return true;
}

/* Narrows low..high by one instruction; false when it is no such bound. */
static bool narrow(struct unit *u, const struct instr *in) {
    bool text = in->op == OP_MIN_LENGTH || in->op == OP_MAX_LENGTH;
    bool number = (in->op == OP_MINIMUM || in->op == OP_MAXIMUM) &&
                  json_type(in->as.value) == JSON_INT;
    if (!text && !number) return false;
    int64_t v = number                      ? in->as.value->as.integer
                : in->as.count >= INT64_MAX ? INT64_MAX
                                            : (int64_t)in->as.count;
    bool lower = in->op == OP_MIN_LENGTH || in->op == OP_MINIMUM;
    if (lower && v > u->low) u->low = v;
    if (!lower && v < u->high) u->high = v;
    return true;
}

/* Sets low and high when strings, or integers, are bounded and nothing else;
 * the unit has room for one of the two. */
static void note_bounds(const struct compile *c, struct unit *u) {
    static const enum json_type types[] = {JSON_STRING, JSON_INT};
    for (size_t i = 0; i < 2 && !u->bounded; i++) {
        uint32_t code = u->code[kind_of(types[i])];
        const struct instr *in = &c->s->code[code];
        u->low = INT64_MIN;
        u->high = INT64_MAX;
        while (in->op != OP_END && narrow(u, in))
            in++;
        if (code != CODE_END && in->op == OP_END)
            u->bounded = (uint8_t)(u->types & TYPE_BIT(types[i]));
    }
}

/* What lets an evaluation skip entering the unit. */
static void note_shortcuts(const struct compile *c, struct unit *u) {
    u->plain = u->leaf = u->bounded = 0;
    note_bounds(c, u);
    for (unsigned k = 0; k < KIND_COUNT; k++)
        if (all_leaves(&c->s->code[u->code[k]])) u->leaf |= (uint8_t)(1u << k);
    for (enum json_type t = JSON_NULL; t <= JSON_OBJECT; t++)
        if (u->code[kind_of(t)] == CODE_END)
            u->plain |= (uint8_t)(u->types & TYPE_BIT(t));
}

/* Lays the unit's waiting instructions down, once for each kind of value that
 * its types let through; once for all where they do not differ. */
static int flush(struct compile *c, uint32_t unit, size_t from, struct err *e) {
    unsigned kinds = kinds_of_types(c->s->units[unit].types);
    if (all_alike(c, from)) {
        if (flush_kind(c, unit, from, KIND_PLAIN, e)) return -1;
        uint32_t *code = c->s->units[unit].code;
        for (unsigned k = 1; k < KIND_COUNT; k++)
            code[k] = code[KIND_PLAIN];
    } else {
        for (unsigned k = 0; k < KIND_COUNT; k++)
            if ((kinds >> k & 1) && flush_kind(c, unit, from, k, e)) return -1;
    }
    c->pending_count = from;
    note_shortcuts(c, &c->s->units[unit]);
    return 0;
}

static int compile_object(struct compile *c, struct subject *in,
                          struct err *e) {
    if (c->depth >= MAX_NESTING)
        return fail(e, ERR_LIMIT, "schemas nested deeper than %d", MAX_NESTING);
    size_t from = c->pending_count;
    c->depth++;
    place_read(&in->place, in->node, &c->index.resources[in->resource].dialect);
    if (emit_keywords(c, in, e) || flush(c, in->unit, from, e)) return -1;
    c->depth--;
    return 0;
}

/* Compiles the schema at the node into the unit reserved for it. */
static int compile_unit(struct compile *c, struct subject *in, struct err *e) {
    struct unit *unit = &c->s->units[in->unit];
    unit->where = in->node;
    unit->resource = in->resource;
    unit->types = TYPES_ALL;
    if (json_type(in->node) == JSON_OBJECT) return compile_object(c, in, e);
    if (json_type(in->node) != JSON_BOOL)
        return compile_fault(c, in->node, e,
                             "a schema is an object or a boolean, not %s",
                             json_type_name(json_type(in->node)));
    if (!in->node->as.boolean) unit->types = 0;
    return 0;
}

/* Sets *fresh when the unit was not there yet. */
static int reserve(struct compile *c, struct source *source,
                   const struct json *node, uint32_t *out, bool *fresh,
                   struct err *e) {
    uint32_t *known = &source->units[node - source->root];
    *fresh = *known == 0;
    if (*fresh) {
        if (add_unit(c, (struct unit){.types = TYPES_ALL}, out, e)) return -1;
        *known = *out + 1;
    }
    *out = *known - 1;
    return 0;
}

static bool is_true(const struct json *node) {
    return json_type(node) == JSON_BOOL && node->as.boolean;
}

int compile_child(struct compile *c, const struct subject *in,
                  const struct json *node, uint32_t *out, struct err *e) {
    *out = UNIT_TRUE;
    if (is_true(node)) return 0;
    bool fresh;
    if (reserve(c, in->source, node, out, &fresh, e)) return -1;
    if (!fresh) return 0;
    struct subject child = {.source = in->source, .node = node, .unit = *out};
    child.resource = json_get(node, "$id")
                         ? index_resource_of(&c->index, in->source, node)
                         : in->resource;
    return compile_unit(c, &child, e);
}

int compile_later(struct compile *c, struct source *source,
                  const struct json *node, uint32_t *out, struct err *e) {
    bool fresh;
    if (reserve(c, source, node, out, &fresh, e)) return -1;
    if (!fresh) return 0;
    struct todo *todo =
        grow(c, c->todo, c->todo_count, &c->todo_cap, sizeof *todo, e);
    if (!todo) return -1;
    c->todo = todo;
    todo[c->todo_count++] = (struct todo){source, node, *out};
    return 0;
}

static int compile_todo(struct compile *c, struct err *e) {
    while (c->todo_count > 0) {
        struct todo t = c->todo[--c->todo_count];
        struct subject in = {.source = t.source, .node = t.node};
        in.unit = t.unit;
        in.resource = index_resource_of(&c->index, t.source, t.node);
        if (compile_unit(c, &in, e)) return -1;
    }
    return 0;
}

/* The units of one dynamic anchor in every resource that has it. */
static int bind_dynamic(struct compile *c, struct dynamic_ref *ref,
                        struct err *e) {
    size_t count = ref->bound = c->index.resource_count;
    ref->units = arena_alloc(&c->s->arena, count * sizeof *ref->units, e);
    if (!ref->units) return -1;
    for (size_t i = 0; i < count; i++)
        ref->units[i] = UNIT_NONE;
    const struct anchor *a = index_dynamic(&c->index, ref->anchor);
    for (; a; a = a->same) {
        struct source *source = c->index.resources[a->resource].source;
        uint32_t *unit = &ref->units[a->resource];
        if (compile_later(c, source, a->node, unit, e)) return -1;
    }
    return 0;
}

/* Compiling what a dynamic reference may reach can bring up others, which are
 * put in front, and new documents, for which all must be bound again; so until
 * nothing is new. */
static int compile_all(struct compile *c, struct err *e) {
    if (compile_todo(c, e)) return -1;
    while (c->dynamic && c->dynamic->bound != c->index.resource_count) {
        size_t resources = c->index.resource_count;
        struct dynamic_ref *r = c->dynamic;
        for (; r && r->bound != resources; r = r->next)
            if (bind_dynamic(c, r, e)) return -1;
        if (compile_todo(c, e)) return -1;
    }
    c->s->dynamic = c->dynamic != NULL;
    return 0;
}

/* Unit 0 takes everything, instruction 0 ends at once. */
static int compile_preset(struct compile *c, struct err *e) {
    uint32_t unit;
    struct unit any = {.types = TYPES_ALL, .plain = TYPES_ALL};
    return add_unit(c, any, &unit, e) ||
                   add_instr(c, (struct instr){.op = OP_END}, e)
               ? -1
               : 0;
}

static int compile_document(struct compile *c, const struct json *doc,
                            const struct schema_options *o, struct err *e) {
    struct source *source;
    if (compile_preset(c, e)) return -1;
    if (index_add(&c->index, doc, o->base_uri, &source, e)) return -1;
    if (compile_later(c, source, doc, &c->s->root, e)) return -1;
    return compile_all(c, e);
}

static struct schema *schema_new(const struct schema_options *o,
                                 struct err *e) {
    struct schema *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->arena = ARENA_MAX(o->bytes ? o->bytes : DEFAULT_BYTES);
    s->work = ARENA_MAX(WORK_BYTES);
    s->max_steps = o->steps;
    s->max_depth = o->depth ? o->depth : DEFAULT_DEPTH;
    return s;
}

int schema_compile(const struct json *doc, const struct schema_options *options,
                   struct schema **out, struct err *e) {
    static const struct schema_options defaults;
    const struct schema_options *o = options ? options : &defaults;
    AUTO_SCHEMA struct schema *s = schema_new(o, e);
    if (!s) return -1;
    struct compile c = {.s = s, .assert_formats = o->assert_formats};
    c.max_bytes = o->bytes ? o->bytes : DEFAULT_BYTES;
    c.index = (struct index){.schema = s, .options = o};
    c.dynamic_names = MAP_MAX(c.max_bytes / sizeof(struct dynamic_ref));
    int failed = compile_document(&c, doc, o, e);
    index_fini(&c.index);
    map_fini(&c.dynamic_names);
    mem_free(c.pending);
    mem_free(c.todo);
    if (failed) return -1;
    *out = mem_take(&s);
    return 0;
}

const struct json *schema_document(const struct schema *s) {
    return s->sources->root;
}

void schema_free(struct schema *s) {
    if (!s) return;
    regex_free(s->regexes);
    regex_scratch_free(s->scratch);
    mem_free(s->units);
    mem_free(s->code);
    arena_fini(&s->work);
    arena_fini(&s->arena);
    mem_free(s);
}

void schema_auto_free(struct schema **s) {
    schema_free(*s);
}
