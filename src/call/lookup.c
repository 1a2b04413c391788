/* SPDX-License-Identifier: MIT */
#include "call/lookup.h"

#include "base/codec.h"
#include "base/dirs.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "call/call.h"
#include "call/reply.h"
#include "store/store.h"
#include "tools/stub.h"
#include "json/build.h"

#define STUB_BYTES ((size_t)256 << 10)
#define NEAR       3
#define PART_BYTES ((size_t)4 << 20)  /* read at once */
#define SOME_BYTES ((size_t)64 << 10) /* where no end is given */

struct lookup {
    struct provider provider; /* first */
    struct registry *registry;
};

static const char definitions[] =
    "[{\"name\":\"search\",\"description\":\"Finds tools that fit a request in "
    "words.\",\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true,"
    "\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"query\":{\"type\":\"string\"},\"count\":{\"type\":"
    "\"integer\",\"minimum\":1,\"maximum\":50,\"default\":8}},\"required\":"
    "[\"query\"],\"additionalProperties\":false}},"
    "{\"name\":\"help\",\"description\":\"Tells everything about one tool.\","
    "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true,"
    "\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"],"
    "\"additionalProperties\":false}},"
    "{\"name\":\"read\",\"description\":\"Reads a part of a large or binary "
    "result by its handle: bytes start to end.\",\"annotations\":{"
    "\"readOnlyHint\":true,\"idempotentHint\":true},\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"handle\":{\"type\":\"string\"},\"start\":{"
    "\"type\":\"integer\",\"minimum\":0,\"default\":0},\"end\":{\"type\":["
    "\"integer\",\"null\"],\"minimum\":0}},\"required\":[\"handle\"],"
    "\"additionalProperties\":false}},"
    "{\"name\":\"save\",\"description\":\"Saves a large or binary result as a "
    "file of this name in the folder of saved results.\",\"annotations\":{"
    "\"readOnlyHint\":false,\"destructiveHint\":false,\"idempotentHint\":true,"
    "\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"handle\":{\"type\":\"string\"},\"name\":{\"type\":"
    "\"string\",\"pattern\":\"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$\"}},"
    "\"required\":[\"handle\",\"name\"],\"additionalProperties\":false}}]";

/* ---- search ---- */

static int put_found(struct json_build *b, const struct entry *t,
                     struct arena *a, struct err *e) {
    AUTO_BUF struct buf stub = BUF_MAX(STUB_BYTES);
    if (stub_write(t, STUB_BRIEF, NULL, &stub, e)) return -1;
    char *name = arena_printf(a, e, "%.*s%s%.*s", STR_ARG(t->space),
                              t->space.n > 0 ? "." : "", STR_ARG(t->method));
    if (!name) return -1;
    build_object(b);
    build_put_text(b, "name", str_of(name));
    build_put_text(b, "stub", str_trim(buf_str(&stub)));
    build_end(b);
    return 0;
}

/* What somebody may not call they are not told of. */
static bool is_seen(const struct provider_call *c, str name) {
    const struct caller *who = c->who;
    return !who || !who->sees || who->sees(who->sees_data, name);
}

struct listing {
    const struct lookup *lookup;
    const struct provider_call *call;
};

static bool may_offer(void *context, str id) {
    const struct listing *l = context;
    const struct entry *t = registry_find(l->lookup->registry, id);
    return t && !(t->flags & TOOL_QUARANTINED) && is_seen(l->call, t->name);
}

/* A search that waits for an endpoint or a router; lives in its call's arena.
 */
struct waiting {
    struct provider *provider;
    struct provider_call *call;
    struct select_wait wait;
};

static int search(struct lookup *p, struct provider_call *c,
                  const struct json **out, struct err *e) {
    struct waiting *w = c->state;
    AUTO_MEM struct selection *found = mem_alloc(sizeof *found, e);
    struct selector *s = registry_selector(p->registry, e);
    struct json_build b = JSON_BUILD(c->arena);
    struct listing listing = {p, c};
    if (!found || !s) return -1;
    struct select_request r = {
        .text = json_get_text(c->args, "query", STR("")),
        .who = c->owner.p ? c->owner : STR(""),
        .k = (size_t)json_get_int(c->args, "count", SELECT_K),
        .filter = may_offer,
        .filter_context = &listing,
        .wait = &w->wait};
    if (select_tools(s, &r, found, e)) return -1;
    build_array(&b);
    for (size_t i = 0; i < found->count; i++) {
        str id = corpus_id(&s->corpus, found->items[i].doc);
        const struct entry *t = registry_find(p->registry, id);
        if (t && !t->fault && put_found(&b, t, c->arena, e)) return -1;
    }
    build_end(&b);
    return build_done(&b, out, e);
}

/* ---- help ---- */

static int unknown(struct lookup *p, const struct provider_call *c, str name,
                   struct err *e) {
    str near[NEAR];
    AUTO_BUF struct buf text = BUF_MAX(1024);
    size_t n = registry_near(p->registry, name, near, NEAR);
    for (size_t i = 0; i < n; i++) {
        const struct entry *t = registry_find(p->registry, near[i]);
        if (t && is_seen(c, t->name) &&
            buf_addf(&text, e, "%s%.*s%s%.*s",
                     text.len > 0 ? ", " : "; did you mean ", STR_ARG(t->space),
                     t->space.n > 0 ? "." : "", STR_ARG(t->method)))
            return -1;
    }
    return fail(e, ERR_MISSING, "no tool %.*s%s%s",
                STR_ARG(str_sub(name, 0, 64)), buf_text(&text),
                text.len > 0 ? "?" : "");
}

static int help(struct lookup *p, struct provider_call *c, str *out,
                struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STUB_BYTES);
    str name = json_get_text(c->args, "name", STR(""));
    const struct entry *t = registry_find(p->registry, name);
    if (!t || !is_seen(c, t->name)) return unknown(p, c, name, e);
    if (stub_write(t, STUB_FULL, NULL, &text, e)) return -1;
    return arena_dup(c->arena, buf_str(&text), out, e);
}

/* ---- read and save ---- */

/* A part of a handle of whoever calls; of others nothing is to be learned. */
static int get_part(const struct provider_call *c, size_t from, size_t max,
                    struct buf *out, char type[64], struct err *e) {
    str id = json_get_text(c->args, "handle", STR(""));
    struct store *store = provider_store(c);
    size_t size;
    if (!store)
        return fail(e, ERR_MISSING, "nothing is kept: there are no handles");
    if (!str_starts(id, STR("h_")))
        return fail(e, ERR_INVALID, "'%.*s' is no handle",
                    STR_ARG(str_sub(id, 0, 40)));
    return store_blob_get(store, id, c->holder, from, max, out, &size, type, e);
}

static bool is_text(str type) {
    return str_starts(type, STR("text/")) ||
           str_starts(type, STR("application/json"));
}

/* Text is cut between characters; what is no text comes as hexadecimal. */
static int read_part(struct provider_call *c, const struct json **out,
                     struct err *e) {
    AUTO_BUF struct buf part = BUF_MAX(PART_BYTES),
                        hex = BUF_MAX(2 * PART_BYTES);
    struct json_build b = JSON_BUILD(c->arena);
    char type[64] = "";
    const struct json *end = json_get(c->args, "end");
    int64_t from = json_get_int(c->args, "start", 0);
    int64_t to = end && json_type(end) == JSON_INT ? end->as.integer
                                                   : from + (int64_t)SOME_BYTES;
    size_t max = to > from ? (size_t)(to - from) : 0;
    if (max > PART_BYTES)
        return fail(e, ERR_LIMIT, "at most %zu bytes are read at once",
                    PART_BYTES);
    if (get_part(c, (size_t)from, max, &part, type, e)) return -1;
    size_t good = utf8_valid(part.data ? part.data : "", part.len);
    bool text = is_text(str_of(type)) && good + 4 > part.len;
    build_object(&b);
    if (text)
        build_put_text(&b, "text", (str){part.data, good});
    else if (hex_encode(buf_str(&part), &hex, e))
        return -1;
    else
        build_put_text(&b, "hex", buf_str(&hex));
    build_put_int(&b, "next", from + (int64_t)(text ? good : part.len));
    build_end(&b);
    return build_done(&b, out, e);
}

/* Into a folder of our own, which nothing else writes to. */
static int save(struct provider_call *c, const struct json **out,
                struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(STORE_BLOB_MAX), path = BUF_MAX(4096);
    struct json_build b = JSON_BUILD(c->arena);
    str name = json_get_text(c->args, "name", STR(""));
    if (get_part(c, 0, STORE_BLOB_MAX, &bytes, NULL, e) ||
        dirs_path(DIRS_STATE, "saved", &path, e) ||
        file_make_dirs(buf_text(&path), 0700, e) ||
        buf_addf(&path, e, "/%.*s", STR_ARG(name)) ||
        file_replace(buf_text(&path), buf_str(&bytes), 0600, e))
        return -1;
    build_object(&b);
    build_put_text(&b, "path", buf_str(&path));
    build_put_int(&b, "bytes", (int64_t)bytes.len);
    build_end(&b);
    return build_done(&b, out, e);
}

/* ---- the provider ---- */

static void carry_out(struct provider *provider, struct provider_call *c) {
    struct lookup *p = (struct lookup *)provider;
    struct reply r = {0};
    struct err e;
    str name = c->tool->tool.name;
    int failed = str_is(name, "search") ? search(p, c, &r.value, &e)
                 : str_is(name, "help") ? help(p, c, &r.text, &e)
                 : str_is(name, "read") ? read_part(c, &r.value, &e)
                                        : save(c, &r.value, &e);
    if (failed && e.kind == ERR_WAITING) return;
    if (failed)
        reply_refuse(c, &e);
    else
        reply_done(c, &r);
}

static void on_found(struct select_wait *wait) {
    struct waiting *w = wait->data;
    carry_out(w->provider, w->call);
}

static void call(struct provider *provider, struct provider_call *c) {
    struct err e;
    struct waiting *w = arena_zalloc(c->arena, 1, sizeof *w, &e);
    if (!w) {
        reply_refuse(c, &e);
        return;
    }
    *w = (struct waiting){provider, c, {.fn = on_found, .data = w}};
    c->state = w;
    carry_out(provider, c);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    struct waiting *w = c->state;
    (void)provider;
    if (w) select_unwait(&w->wait);
}

static void free_lookup(struct provider *provider) {
    mem_free(provider);
}

static const struct provider_class class = {"callback", call, cancel,
                                            free_lookup};

struct provider *provider_lookup_new(const struct provider_host *h,
                                     struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)1 << 20);
    const struct json *tools;
    struct lookup *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->provider.class = &class;
    p->provider.server = STR("tools");
    p->registry = h->registry;
    struct registry_source source = {
        .server = p->provider.server, .provider = p, .builtin = true};
    if (json_parse(str_of(definitions), NULL, &scratch, &tools, e) == 0 &&
        registry_put(h->registry, &source, tools, e) == 4)
        return &p->provider;
    mem_free(p);
    return NULL;
}
