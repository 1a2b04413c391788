/* SPDX-License-Identifier: MIT */
#include "policy/secret.h"

#include "base/codec.h"
#include "base/map.h"
#include "base/mem.h"
#include "policy/leaf.h"
#include "policy/secret_fetch.h"
#include "json/write.h"

#include <string.h>

#define SECRETS    4096 /* values and declarations at most */
#define FORM_BYTES (8 * SECRET_BYTES)
#define TEXT_BYTES ((size_t)16 << 20)

/* One way a value may stand in a text. */
struct form {
    str text;    /* owned */
    size_t name; /* index into names */
};

struct declared {
    str text, servers; /* owned; text is expanded at each use */
};

struct secrets {
    struct form *forms;
    size_t form_count;
    struct map names;    /* name -> the set itself; the order counts */
    struct map handles;  /* name -> struct declared */
    struct map resolved; /* reference -> struct buf: asked for once */
    struct secret_listener listener;
};

struct secrets *secrets_new(struct err *e) {
    struct secrets *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->names = MAP_MAX(SECRETS);
    s->handles = MAP_MAX(SECRETS);
    s->resolved = MAP_MAX(SECRETS);
    return s;
}

void secrets_listen(struct secrets *s, struct secret_listener listener) {
    s->listener = listener;
}

static void tell(const struct secrets *s, str name, str server) {
    if (s->listener.used) s->listener.used(s->listener.data, name, server);
}

static void wipe_str(str s) {
    char *p;
    memcpy(&p, &s.p, sizeof p); /* ours: owned although str is const */
    mem_wipe(p, s.n);
    mem_free(p);
}

static void wipe_buf(struct buf *b) {
    if (b->data) mem_wipe(b->data, b->cap);
    buf_fini(b);
}

#define AUTO_SECRET __attribute__((cleanup(wipe_buf)))

void secrets_free(struct secrets *s) {
    if (!s) return;
    const struct map_entry *it;
    for (size_t i = 0; i < s->form_count; i++)
        wipe_str(s->forms[i].text);
    mem_free(s->forms);
    for (size_t i = 0; (it = map_next(&s->handles, &i));) {
        struct declared *d = it->value;
        wipe_str(d->text);
        wipe_str(d->servers);
        mem_free(d);
    }
    for (size_t i = 0; (it = map_next(&s->resolved, &i));) {
        wipe_buf(it->value);
        mem_free(it->value);
    }
    map_fini(&s->names);
    map_fini(&s->handles);
    map_fini(&s->resolved);
    mem_free(s);
}

/* -- what was given out -----------------------------------------------------
 */

static bool has_form(const struct secrets *s, str text) {
    for (size_t i = 0; i < s->form_count; i++)
        if (str_eq(s->forms[i].text, text)) return true;
    return false;
}

/* Longer forms first, so that a value inside another does not split it. */
static int add_form(struct secrets *s, size_t name, str text, struct err *e) {
    if (text.n < SECRET_SHORTEST || has_form(s, text)) return 0;
    if (s->form_count >= SECRETS)
        return fail(e, ERR_LIMIT, "more than %d secrets", SECRETS);
    struct form *grown =
        mem_resize(s->forms, s->form_count + 1, sizeof *grown, e);
    if (!grown) return -1;
    s->forms = grown;
    char *copy = mem_dup(text.p, text.n, e);
    if (!copy) return -1;
    size_t at = s->form_count++;
    for (; at > 0 && s->forms[at - 1].text.n < text.n; at--)
        s->forms[at] = s->forms[at - 1];
    s->forms[at] = (struct form){{copy, text.n}, name};
    return 0;
}

static int add_percent(str value, struct buf *out, struct err *e) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
                                "stuvwxyz0123456789-._~";
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if (c && strchr(plain, c) ? buf_add_char(out, (char)c, e)
                                  : buf_addf(out, e, "%%%02X", c))
            return -1;
    }
    return 0;
}

static int name_index(struct secrets *s, str name, size_t *out, struct err *e) {
    for (size_t i = 0; i < s->names.used; i++) {
        str known = {s->names.entries[i].key, s->names.entries[i].key_len};
        if (str_eq(known, name)) {
            *out = i;
            return 0;
        }
    }
    if (map_put(&s->names, name, s, NULL, e)) return -1;
    *out = s->names.used - 1;
    return 0;
}

int secrets_add(struct secrets *s, str name, str value, struct err *e) {
    AUTO_SECRET struct buf form = BUF_MAX(FORM_BYTES);
    size_t index;
    if (name_index(s, name, &index, e) || add_form(s, index, value, e) ||
        base64_encode(value, &form, e))
        return -1;
    /* The last group depends on what follows it in a longer text. */
    str inner = str_sub(buf_str(&form), 0, value.n / 3 * 4);
    if (add_form(s, index, inner, e)) return -1;
    buf_truncate(&form, 0);
    if (add_percent(value, &form, e) || add_form(s, index, buf_str(&form), e))
        return -1;
    buf_truncate(&form, 0);
    if (json_write_string(value, &form, e)) return -1;
    return add_form(s, index, str_sub(buf_str(&form), 1, form.len - 1), e);
}

/* -- references -------------------------------------------------------------
 */

/* The next "${kind:name}" at or after *from; false when there is none. *end is
 * behind it, *inner what stands between the braces. "$${" is no reference. */
static bool next_reference(str text, size_t *from, str *inner, size_t *end) {
    for (size_t i = *from; i + 1 < text.n; i++) {
        if (text.p[i] != '$' || text.p[i + 1] != '{') continue;
        if (i > *from && text.p[i - 1] == '$') continue;
        str rest = str_sub(text, i + 2, text.n);
        ptrdiff_t close = str_find_char(rest, '}');
        if (close < 0) return false;
        *from = i;
        *inner = str_sub(rest, 0, (size_t)close);
        *end = i + 3 + (size_t)close;
        return true;
    }
    return false;
}

bool secret_refers(str text) {
    size_t from = 0, end;
    str inner;
    return next_reference(text, &from, &inner, &end);
}

/* "$${" becomes "${". */
static int add_plain(str text, struct buf *out, struct err *e) {
    for (;;) {
        ptrdiff_t at = str_find(text, STR("$${"));
        if (at < 0) return buf_add_str(out, text, e);
        if (buf_add(out, text.p, (size_t)at, e) ||
            buf_add_str(out, STR("${"), e))
            return -1;
        text = str_sub(text, (size_t)at + 3, text.n);
    }
}

static int resolve_new(struct secrets *s, str inner, struct buf **out,
                       struct err *e) {
    str name = inner, kind = str_cut(&name, ':');
    if (!name.p)
        return fail(e, ERR_INVALID, "write it as ${env:NAME} or ${file:PATH}");
    struct buf *value = mem_zalloc(1, sizeof *value, e);
    if (!value) return -1;
    *value = BUF_MAX(SECRET_BYTES);
    if (secret_fetch(kind, name, value, e) ||
        secrets_add(s, name, buf_str(value), e) ||
        map_put(&s->resolved, inner, value, NULL, e)) {
        wipe_buf(value);
        mem_free(value);
        return -1;
    }
    *out = value;
    return 0;
}

static int add_reference(struct secrets *s, str inner, struct buf *out,
                         struct err *e) {
    struct buf *value = map_get(&s->resolved, inner);
    if (!value) {
        if (resolve_new(s, inner, &value, e))
            return fail_while(e, "${%.*s}", STR_ARG(inner));
        tell(s, inner, STR(""));
    }
    return buf_add_str(out, buf_str(value), e);
}

int secrets_expand(struct secrets *s, str text, struct buf *out,
                   struct err *e) {
    size_t from = 0, end;
    str inner;
    while (next_reference(text, &from, &inner, &end)) {
        if (add_plain(str_sub(text, 0, from), out, e) ||
            add_reference(s, inner, out, e))
            return -1;
        text = str_sub(text, end, text.n);
        from = 0;
    }
    return add_plain(text, out, e);
}

static bool may_refer(void *data, str text) {
    (void)data;
    return str_find(text, STR("${")) >= 0;
}

static int expand_leaf(void *data, str text, struct buf *out, struct err *e) {
    return secrets_expand(data, text, out, e);
}

int secrets_expand_json(struct secrets *s, const struct json *v,
                        struct arena *a, const struct json **out,
                        struct err *e) {
    struct leaf_rewrite how = {may_refer, expand_leaf, false, s};
    return leaf_rewrite(v, &how, a, out, e);
}

/* -- handles ----------------------------------------------------------------
 */

#define HANDLE "{{secret:"

int secrets_declare(struct secrets *s, str name, str text, str servers,
                    struct err *e) {
    if (name.n == 0 || str_find(name, STR("}}")) >= 0)
        return fail(e, ERR_INVALID, "a secret needs a name without braces");
    if (map_get(&s->handles, name))
        return fail(e, ERR_EXISTS, "secret %.*s is declared twice",
                    STR_ARG(name));
    struct declared *d = mem_zalloc(1, sizeof *d, e);
    AUTO_MEM char *copy = mem_dup(text.p, text.n, e);
    AUTO_MEM char *whose = mem_dup(servers.p, servers.n, e);
    if (!d || !copy || !whose || map_put(&s->handles, name, d, NULL, e)) {
        mem_free(d);
        return -1;
    }
    *d = (struct declared){{mem_take(&copy), text.n},
                           {mem_take(&whose), servers.n}};
    return 0;
}

static bool meant_for(const struct declared *d, str server) {
    for (str rest = d->servers; rest.p;)
        if (str_glob(str_trim(str_cut(&rest, ',')), server)) return true;
    return false;
}

struct filling {
    struct secrets *secrets;
    str server;
};

static int add_handle(struct filling *f, str name, struct buf *out,
                      struct err *e) {
    struct declared *d = map_get(&f->secrets->handles, name);
    if (!d)
        return fail(e, ERR_DENIED, "there is no secret %.*s", STR_ARG(name));
    if (!meant_for(d, f->server))
        return fail(e, ERR_DENIED, "secret %.*s is not meant for %.*s",
                    STR_ARG(name), STR_ARG(f->server));
    if (secrets_expand(f->secrets, d->text, out, e)) return -1;
    tell(f->secrets, name, f->server);
    return 0;
}

static bool has_handle(void *data, str text) {
    (void)data;
    return str_find(text, STR(HANDLE)) >= 0;
}

static int fill_leaf(void *data, str text, struct buf *out, struct err *e) {
    for (;;) {
        ptrdiff_t at = str_find(text, STR(HANDLE));
        if (at < 0) return buf_add_str(out, text, e);
        str rest = str_sub(text, (size_t)at + strlen(HANDLE), text.n);
        ptrdiff_t close = str_find(rest, STR("}}"));
        if (close < 0) return buf_add_str(out, text, e);
        if (buf_add(out, text.p, (size_t)at, e) ||
            add_handle(data, str_sub(rest, 0, (size_t)close), out, e))
            return -1;
        text = str_sub(rest, (size_t)close + 2, rest.n);
    }
}

int secrets_fill(struct secrets *s, str server, const struct json *v,
                 struct arena *a, const struct json **out, struct err *e) {
    struct filling f = {s, server};
    struct leaf_rewrite how = {has_handle, fill_leaf, false, &f};
    return leaf_rewrite(v, &how, a, out, e);
}

/* -- redaction --------------------------------------------------------------
 */

static const struct form *first_form(const struct secrets *s, str text,
                                     size_t *at) {
    const struct form *best = NULL;
    for (size_t i = 0; i < s->form_count; i++) {
        ptrdiff_t found = str_find(text, s->forms[i].text);
        if (found < 0 || (best && (size_t)found >= *at)) continue;
        best = &s->forms[i];
        *at = (size_t)found;
    }
    return best;
}

bool secrets_occur(const struct secrets *s, str text) {
    size_t at = 0;
    return first_form(s, text, &at) != NULL;
}

int secrets_redact(const struct secrets *s, str text, struct buf *out,
                   struct err *e) {
    size_t at = 0;
    const struct form *f;
    while ((f = first_form(s, text, &at))) {
        if (buf_add(out, text.p, at, e) ||
            buf_addf(out, e, "[secret %s]", s->names.entries[f->name].key))
            return -1;
        text = str_sub(text, at + f->text.n, text.n);
    }
    return buf_add_str(out, text, e);
}

/* leaf_rewrite hands back what it was given; nothing is changed through it. */
static bool occur_leaf(void *data, str text) {
    return secrets_occur(*(const struct secrets **)data, text);
}

static int redact_leaf(void *data, str text, struct buf *out, struct err *e) {
    return secrets_redact(*(const struct secrets **)data, text, out, e);
}

int secrets_redact_json(const struct secrets *s, const struct json *v,
                        struct arena *a, const struct json **out,
                        struct err *e) {
    struct leaf_rewrite how = {occur_leaf, redact_leaf, true, &s};
    return leaf_rewrite(v, &how, a, out, e);
}
