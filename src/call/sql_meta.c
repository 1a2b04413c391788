/* SPDX-License-Identifier: MIT */
#include "call/sql_meta.h"

int sql_names_init(struct sql_names *n, size_t count, struct arena *a,
                   struct err *e) {
    *n = (struct sql_names){.cap = count};
    n->names = arena_zalloc(a, count + 1, sizeof *n->names, e);
    n->labels = arena_zalloc(a, count + 1, sizeof *n->labels, e);
    return n->names && n->labels ? 0 : -1;
}

static bool is_taken(const struct sql_names *n, str name) {
    for (size_t i = 0; i < n->count; i++)
        if (str_eq(n->names[i], name)) return true;
    return false;
}

int sql_names_add(struct sql_names *n, str name, struct arena *a,
                  struct err *e) {
    str free_name = name;
    for (unsigned k = 2; is_taken(n, free_name); k++) {
        char *text = arena_printf(a, e, "%.*s_%u", STR_ARG(name), k);
        if (!text) return -1;
        free_name = str_of(text);
    }
    if (arena_dup(a, free_name, &n->names[n->count], e)) return -1;
    n->count++;
    return 0;
}

void sql_label_join(struct sql_label *to, const struct sql_label *from) {
    to->private |= from->private;
    to->secret |= from->secret;
    to->untrusted |= from->untrusted;
}

static bool says_something(const struct sql_label *l) {
    return l->private || l->secret || l->untrusted;
}

static void write_label(struct jw *w, const struct sql_label *l) {
    jw_object(w);
    jw_put_text(w, "integrity",
                l->untrusted ? STR("untrusted") : STR("trusted"));
    jw_put_text(w, "confidentiality",
                l->secret    ? STR("secret")
                : l->private ? STR("private")
                             : STR("public"));
    jw_end_object(w);
}

void sql_answer_begin(struct jw *w, const struct sql_names *n) {
    jw_object(w);
    jw_key(w, "value");
    jw_object(w);
    jw_key(w, "columns");
    jw_array(w);
    for (size_t i = 0; i < n->count; i++)
        jw_text(w, n->names[i]);
    jw_end_array(w);
    jw_key(w, "rows");
    jw_array(w);
}

void sql_answer_end(struct jw *w, const struct sql_names *n, size_t rows,
                    bool truncated) {
    struct sql_label whole = n->all;
    jw_end_array(w);
    jw_put_int(w, "row_count", (int64_t)rows);
    jw_put_bool(w, "truncated", truncated);
    jw_end_object(w);
    for (size_t i = 0; i < n->count; i++)
        sql_label_join(&whole, &n->labels[i]);
    if (says_something(&whole)) {
        jw_key(w, "meta");
        jw_object(w);
        jw_key(w, "ifc");
        write_label(w, &whole);
        jw_key(w, "cordon/columns");
        jw_object(w);
        for (size_t i = 0; i < n->count; i++) {
            if (!says_something(&n->labels[i])) continue;
            jw_key_str(w, n->names[i]);
            write_label(w, &n->labels[i]);
        }
        jw_end_object(w);
        jw_end_object(w);
    }
    jw_end_object(w);
}
