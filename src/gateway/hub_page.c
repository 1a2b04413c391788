/* SPDX-License-Identifier: MIT
 *
 * Pages that hosts were shown for a server (elicitation in URL mode). A legacy
 * server may tell when a person is done with one, long after the call that
 * showed it; its host is told then.
 */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "gateway/hub_inside.h"

enum {
    PAGES_MAX = 200, /* of one server; the oldest go */
    ID_MAX = 512,
};

struct page {
    struct page *next;
    char session[HASH_ID_SIZE];
    str id;
    char text[];
};

static void drop(struct member *m, struct page **at) {
    struct page *page = *at;
    *at = page->next;
    m->page_count--;
    mem_free(page);
}

static struct page **oldest(struct member *m) {
    struct page **at = &m->pages;
    while ((*at)->next)
        at = &(*at)->next;
    return at;
}

void page_shown(struct member *m, const struct mcp_request *r,
                const struct json *elicitation) {
    str id = json_get_text(elicitation, "elicitationId", STR(""));
    str session = mcp_session_name(r);
    struct err e;
    if (!m || mcp_era(r) != MCP_LEGACY || !id.n || id.n > ID_MAX ||
        session.n >= HASH_ID_SIZE)
        return;
    struct page *page = mem_zalloc(1, sizeof *page + id.n, &e);
    if (!page) return;
    memcpy(page->session, session.p, session.n);
    memcpy(page->text, id.p, id.n);
    page->id = (str){page->text, id.n};
    page->next = m->pages;
    m->pages = page;
    if (++m->page_count > PAGES_MAX) drop(m, oldest(m));
}

void pages_shown(struct member *m, const struct mcp_request *r,
                 const struct json *list) {
    if (!list || json_type(list) != JSON_ARRAY) return;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        page_shown(m, r, item);
}

void page_done(struct member *m, str id) {
    for (struct page **at = &m->pages; *at;) {
        if (!str_eq((*at)->id, id)) {
            at = &(*at)->next;
            continue;
        }
        mcp_elicitation_complete(m->hub->server, str_of((*at)->session), id);
        drop(m, at);
    }
}

void pages_free(struct member *m) {
    while (m->pages)
        drop(m, &m->pages);
}
