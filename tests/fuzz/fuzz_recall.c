/* SPDX-License-Identifier: MIT
 *
 * Requests whose tools came before. The first byte chooses the API, and each
 * '@' stands for a list that is known: whatever is around it, what is read is
 * what would be read without knowing it.
 */
#include "fuzz.h"

#include "gateway/recall.h"

#include <assert.h>

enum { ROOM = 1 << 24 };

static const char *const tool[] = {
    "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"a "
    "list ] of \\\" things [ that nobody asked for \\\\\"}}",
    "{\"type\":\"function\",\"name\":\"f\",\"description\":\"\\\"tools\\\":[] "
    "and more of that kind, in so many words\"}",
    "{\"name\":\"f\",\"input_schema\":{\"type\":\"object\",\"tools\":[1]},"
    "\"description\":\"long enough to be worth keeping\"}",
};
static const enum api apis[] = {API_CHAT, API_RESPONSES, API_ANTHROPIC};

static int add_list(size_t api, struct buf *out, struct err *e) {
    if (buf_add_char(out, '[', e)) return -1;
    for (int i = 0; i < 20; i++)
        if (buf_addf(out, e, "%s%s", i ? "," : "", tool[api])) return -1;
    return buf_add_char(out, ']', e);
}

static void fill(size_t api, str text, struct buf *out) {
    struct err e;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '@' ? add_list(api, out, &e)
                             : buf_add_char(out, text.p[i], &e))
            return;
}

static bool read_known(struct recall *k, size_t api, str body,
                       struct buf *out) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct recalled *held;
    struct model_request q;
    struct err e;
    bool good = recall_decode(k, apis[api], body, &a, &q, &held, &e) == 0;
    if (good && request_encode(vendor_of_api(apis[api]), &q, out, &e))
        buf_truncate(out, 0);
    assert(good || !held);
    recall_drop(held);
    return good;
}

static bool read_plain(size_t api, str body, struct buf *out) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct model_request q;
    const struct json *v;
    struct err e;
    if (json_parse(body, NULL, &a, &v, &e) ||
        request_decode(apis[api], v, &a, &q, &e))
        return false;
    if (request_encode(vendor_of_api(apis[api]), &q, out, &e))
        buf_truncate(out, 0);
    return true;
}

/* Each list came twice. */
static struct recall *taught(void) {
    struct err e;
    struct recall *k = recall_new(&e);
    for (size_t i = 0; k && i < 6; i++) {
        AUTO_BUF struct buf body = BUF_MAX(ROOM), out = BUF_MAX(ROOM);
        fill(i % 3, STR("{\"messages\":[],\"input\":[],\"tools\":@}"), &body);
        (void)read_known(k, i % 3, buf_str(&body), &out);
    }
    return k;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_BUF struct buf body = BUF_MAX(ROOM);
    AUTO_BUF struct buf known = BUF_MAX(ROOM), plain = BUF_MAX(ROOM);
    if (size < 1 || size > 4096) return 0;
    struct recall *k = taught();
    if (!k) return 0;
    size_t api = data[0] % 3;
    fill(api, (str){(const char *)data + 1, size - 1}, &body);
    bool a = read_known(k, api, buf_str(&body), &known);
    bool b = read_plain(api, buf_str(&body), &plain);
    recall_free(k);
    assert(a == b);
    assert(str_eq(buf_str(&known), buf_str(&plain)));
    return 0;
}
