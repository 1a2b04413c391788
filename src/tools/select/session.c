/* SPDX-License-Identifier: MIT */
#include "tools/select/session.h"

#include "base/mem.h"

static size_t position(const struct select_session *s, str id) {
    size_t i = 0;
    while (i < s->count && !str_is(id, s->ids[i]))
        i++;
    return i;
}

/* Those that were never used go, so that a long conversation finds room. */
static void make_room(struct select_session *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->used[i]) {
            mem_free(s->ids[i]);
            continue;
        }
        s->ids[kept] = s->ids[i];
        s->used[kept++] = true;
    }
    s->count = kept;
}

static size_t count_new(const struct select_session *s, const struct corpus *ix,
                        const struct selection *found) {
    size_t n = 0;
    for (size_t i = 0; i < found->count; i++)
        n += position(s, corpus_id(ix, found->items[i].doc)) == s->count;
    return n;
}

int session_offer(struct select_session *s, const struct corpus *ix,
                  const struct selection *found, size_t *added, struct err *e) {
    if (s->count + count_new(s, ix, found) > SESSION_TOOLS) make_room(s);
    size_t before = s->count;
    for (size_t i = 0; i < found->count && s->count < SESSION_TOOLS; i++) {
        str id = corpus_id(ix, found->items[i].doc);
        if (position(s, id) < s->count) continue;
        char *copy = mem_dup(id.p, id.n, e);
        if (!copy) return -1;
        s->used[s->count] = false;
        s->ids[s->count++] = copy;
    }
    *added = s->count - before;
    return 0;
}

void session_use(struct select_session *s, str id) {
    size_t i = position(s, id);
    if (i < s->count) s->used[i] = true;
}

size_t session_sticky(const struct select_session *s, str out[SESSION_TOOLS]) {
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->used[i]) out[n++] = str_of(s->ids[i]);
    return n;
}

void session_fini(struct select_session *s) {
    for (size_t i = 0; i < s->count; i++)
        mem_free(s->ids[i]);
    s->count = 0;
}
