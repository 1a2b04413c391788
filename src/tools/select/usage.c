/* SPDX-License-Identifier: MIT */
#include "tools/select/usage.h"

#include <string.h>

#include "base/mem.h"
#include "json/write.h"

struct usage_request {
    char *text; /* owned */
    size_t len;
    float credit;
};

struct usage_tool {
    size_t count;
    struct usage_request kept[USAGE_KEEP]; /* oldest first */
};

static void forget_at(struct usage_tool *t, size_t i) {
    mem_free(t->kept[i].text);
    t->count--;
    memmove(&t->kept[i], &t->kept[i + 1], (t->count - i) * sizeof t->kept[0]);
}

static struct usage_tool *tool_of(struct uses *u, str id, struct err *e) {
    struct usage_tool *known = map_get(&u->tools, id);
    if (known) return known;
    AUTO_MEM struct usage_tool *fresh = mem_zalloc(1, sizeof *fresh, e);
    if (!fresh || map_put(&u->tools, id, fresh, NULL, e)) return NULL;
    return mem_take(&fresh);
}

int usage_note(struct uses *u, str id, str request, size_t sharers,
               struct err *e) {
    request = str_sub(str_trim(request), 0, USAGE_BYTES);
    if (request.n == 0) return 0;
    AUTO_MEM char *text = mem_dup(request.p, request.n, e);
    if (!text) return -1;
    struct usage_tool *t = tool_of(u, id, e);
    if (!t) return -1;
    for (size_t i = 0; i < t->count; i++)
        if (str_eq((str){t->kept[i].text, t->kept[i].len}, request))
            forget_at(t, i);
    if (t->count == USAGE_KEEP) forget_at(t, 0);
    float credit = 1.0f / (float)(sharers > 0 ? sharers : 1);
    t->kept[t->count++] =
        (struct usage_request){mem_take(&text), request.n, credit};
    return 0;
}

void usage_add(const struct uses *u, str id, struct document *d) {
    const struct usage_tool *t = map_get(&u->tools, id);
    if (!t) return;
    for (size_t i = t->count; i > 0; i--) {
        const struct usage_request *r = &t->kept[i - 1];
        document_add(d, FIELD_USE, (str){r->text, r->len}, r->credit);
    }
}

static void free_tool(struct usage_tool *t) {
    while (t->count > 0)
        forget_at(t, t->count - 1);
    mem_free(t);
}

bool usage_forget(struct uses *u, str id) {
    struct usage_tool *t = map_del(&u->tools, id);
    if (t) free_tool(t);
    return t != NULL;
}

void usage_each(const struct uses *u,
                void (*fn)(void *context, str id, str request), void *context) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&u->tools, &i));) {
        const struct usage_tool *t = it->value;
        for (size_t k = 0; k < t->count; k++)
            fn(context, (str){it->key, it->key_len},
               (str){t->kept[k].text, t->kept[k].len});
    }
}

int usage_write(const struct uses *u, struct buf *out, struct err *e) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&u->tools, &i));) {
        const struct usage_tool *t = it->value;
        for (size_t k = 0; k < t->count; k++) {
            struct jw w = JW(out);
            jw_object(&w);
            jw_put_text(&w, "tool", (str){it->key, it->key_len});
            jw_put_text(&w, "request", (str){t->kept[k].text, t->kept[k].len});
            jw_key(&w, "credit");
            jw_real(&w, (double)t->kept[k].credit);
            jw_end_object(&w);
            if (jw_done(&w, e) || buf_add_char(out, '\n', e)) return -1;
        }
    }
    return 0;
}

static int read_line(struct uses *u, str line, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 10);
    const struct json *v = NULL;
    if (json_parse(line, NULL, &a, &v, e)) return -1;
    str id = json_get_text(v, "tool", STR(""));
    const struct json *credit = json_get(v, "credit");
    double share = credit && json_is_number(credit) ? json_number(credit) : 1;
    if (id.n == 0 || !(share > 0 && share <= 1))
        return fail(e, ERR_INVALID, "needs a tool and a credit in 0..1");
    return usage_note(u, id, json_get_text(v, "request", STR("")),
                      (size_t)(1.0 / share + 0.5), e);
}

int usage_read(struct uses *u, str text, struct err *e) {
    str rest = text;
    for (size_t n = 1; rest.p; n++) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (line.n > 0 && read_line(u, line, e))
            return fail_while(e, "line %zu", n);
    }
    return 0;
}

void usage_fini(struct uses *u) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&u->tools, &i));)
        free_tool(it->value);
    map_fini(&u->tools);
    *u = USAGE_INIT;
}
