/* SPDX-License-Identifier: MIT */
#include "tools/select/document.h"

#include "tools/select/sentence.h"

#define SCHEMA_DEPTH   8
#define LEAD_SENTENCES 2
#define ENUM_VALUES    32 /* of one parameter */

const char *field_name(enum field f) {
    static const char *const names[] = {
#define FIELD(id, name, lexical, vector, text) name,
#include "tools/select/fields.def"
#undef FIELD
    };
    return names[f];
}

void document_add(struct document *d, enum field field, str text,
                  float credit) {
    size_t room = DOCUMENT_FIELD_BYTES - d->bytes[field];
    text = str_sub(text, 0, room);
    if (text.n == 0 || d->count == DOCUMENT_PIECES) return;
    d->pieces[d->count++] =
        (struct piece){.field = field, .credit = credit, .text = text};
    d->bytes[field] += text.n;
}

static void add_description(struct document *d, str text) {
    str rest = str_sub(text, 0, 2 * DOCUMENT_FIELD_BYTES), sentence;
    for (size_t n = 0; sentence_next(&rest, &sentence);) {
        if (sentence_is_negative(sentence)) continue;
        document_add(d, n < LEAD_SENTENCES ? FIELD_LEAD : FIELD_REST, sentence,
                     1.0f);
        n++;
    }
}

static void add_texts(struct document *d, enum field field,
                      const struct json *list, size_t max) {
    if (!list || json_type(list) != JSON_ARRAY) return;
    const struct json *item = json_first(list);
    for (size_t i = 0; i < json_len(list) && i < max; i++) {
        if (json_type(item) == JSON_STRING)
            document_add(d, field, json_str(item), 1.0f);
        item = json_skip(item);
    }
}

static void add_schema(struct document *d, const struct json *schema,
                       size_t depth);

static void add_parameter(struct document *d, str name,
                          const struct json *schema, size_t depth) {
    document_add(d, FIELD_PARAM, name, 1.0f);
    if (json_type(schema) != JSON_OBJECT) return;
    document_add(d, FIELD_PARAM_TEXT,
                 json_get_text(schema, "description", STR("")), 1.0f);
    add_texts(d, FIELD_PARAM_TEXT, json_get(schema, "enum"), ENUM_VALUES);
    add_schema(d, schema, depth + 1);
}

/* Properties, and those of items and of properties, with their texts. The
 * words of JSON Schema itself are never indexed. */
static void add_schema(struct document *d, const struct json *schema,
                       size_t depth) {
    if (!schema || json_type(schema) != JSON_OBJECT || depth >= SCHEMA_DEPTH)
        return;
    const struct json *all = json_get(schema, "properties");
    if (all && json_type(all) == JSON_OBJECT) {
        const struct json *key = json_first(all);
        for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1))
            add_parameter(d, json_str(key), key + 1, depth);
    }
    add_schema(d, json_get(schema, "items"), depth + 1);
}

void document_of(const struct tool *t, struct document *out) {
    out->count = 0;
    for (size_t f = 0; f < FIELD_COUNT; f++)
        out->bytes[f] = 0;
    document_add(out, FIELD_NAME, t->name, 1.0f);
    if (!str_eq(t->title, t->name))
        document_add(out, FIELD_NAME, t->title, 1.0f);
    document_add(out, FIELD_SERVER, t->server, 1.0f);
    document_add(out, FIELD_CATEGORY, t->category, 1.0f);
    add_description(out, t->description);
    add_schema(out, t->input, 0);
    document_add(out, FIELD_ABOUT, t->server_text, 1.0f);
    add_texts(out, FIELD_EXAMPLE, t->aliases, 16);
    add_texts(out, FIELD_EXAMPLE, t->keywords, 32);
    add_texts(out, FIELD_EXAMPLE, t->examples, 32);
}
