/* SPDX-License-Identifier: MIT */
#include "json/config.h"

#include "json/write.h"

#include <string.h>

#define SIZE_PATTERN     "^[0-9]+([kKmMgGtT]([iI]?[bB])?|[bB])?$"
#define DURATION_PATTERN "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d)?$"

/* A table being written. */
struct writer {
    const struct config_key *keys;
    struct jw jw;
};

static void write_value(struct writer *w, const struct config_key *k);

/* The name of a row directly below the parent; NULL for other rows. */
static const char *child_name(const char *path, const char *parent) {
    size_t n = strlen(parent);
    if (strncmp(path, parent, n) != 0) return NULL;
    const char *tail = path + n;
    if (n > 0 && *tail++ != '.') return NULL;
    return *tail && !strpbrk(tail, ".[") ? tail : NULL;
}

static void write_members(struct writer *w, const char *parent) {
    const struct config_key *any = NULL;
    jw_key(&w->jw, "properties");
    jw_object(&w->jw);
    for (const struct config_key *k = w->keys; k->path; k++) {
        const char *name = child_name(k->path, parent);
        if (!name) continue;
        if (strcmp(name, "*") == 0) {
            any = k;
            continue;
        }
        jw_key(&w->jw, name);
        write_value(w, k);
    }
    jw_end_object(&w->jw);
    jw_key(&w->jw, "additionalProperties");
    if (any)
        write_value(w, any);
    else
        jw_bool(&w->jw, false);
}

static void write_items(struct writer *w, const char *parent) {
    size_t n = strlen(parent);
    for (const struct config_key *k = w->keys; k->path; k++) {
        if (strncmp(k->path, parent, n) != 0) continue;
        if (strcmp(k->path + n, "[]") != 0) continue;
        jw_key(&w->jw, "items");
        write_value(w, k);
    }
}

static void write_choices(struct jw *w, const char *choices) {
    jw_key(w, "enum");
    jw_array(w);
    for (str rest = str_of(choices); rest.p;)
        jw_text(w, str_cut(&rest, '|'));
    jw_end_array(w);
}

/* A whole number, or text of a pattern. */
static void write_either(struct jw *w, str pattern) {
    jw_key(w, "type");
    jw_raw(w, STR("[\"integer\",\"string\"]"));
    jw_put_int(w, "minimum", 0);
    jw_put_text(w, "pattern", pattern);
}

static void write_rules(struct writer *w, const struct config_key *k) {
    struct jw *jw = &w->jw;
    switch (k->type) {
    case CONFIG_OBJECT:
        jw_put_text(jw, "type", STR("object"));
        write_members(w, k->path);
        break;
    case CONFIG_LIST:
        jw_put_text(jw, "type", STR("array"));
        write_items(w, k->path);
        break;
    case CONFIG_BOOL: jw_put_text(jw, "type", STR("boolean")); break;
    case CONFIG_INT:
        jw_put_text(jw, "type", STR("integer"));
        jw_put_int(jw, "minimum", 0);
        break;
    case CONFIG_TEXT:
        jw_put_text(jw, "type", STR("string"));
        jw_put_int(jw, "minLength", 1);
        break;
    case CONFIG_SIZE: write_either(jw, STR(SIZE_PATTERN)); break;
    case CONFIG_DURATION: write_either(jw, STR(DURATION_PATTERN)); break;
    case CONFIG_CHOICE: write_choices(jw, k->choices); break;
    case CONFIG_ANY: break;
    }
}

static void write_value(struct writer *w, const struct config_key *k) {
    jw_object(&w->jw);
    if (*k->text) jw_put_text(&w->jw, "description", str_of(k->text));
    write_rules(w, k);
    jw_end_object(&w->jw);
}

int config_add_schema(const struct config_key *keys, struct buf *out,
                      struct err *e) {
    static const struct config_key whole = {"", CONFIG_OBJECT, "", ""};
    struct writer w = {keys, JW(out)};
    jw_object(&w.jw);
    jw_put_text(&w.jw, "$schema",
                STR("https://json-schema.org/draft/2020-12/schema"));
    write_rules(&w, &whole);
    jw_end_object(&w.jw);
    return jw_done(&w.jw, e);
}
