/* SPDX-License-Identifier: MIT */
#include "agent/codec.h"

#include "agent/doubt.h"
#include "agent/wire.h"

int request_decode(enum api api, const struct json *v, struct arena *a,
                   struct model_request *out, struct err *e) {
    struct model_request q = {
        .api = api,
        .native = v,
        .max_tokens = -1,
        .choice = {.api = api, .parallel = -1},
    };
    if (!wire_object(v)) return fail(e, ERR_INVALID, "not a JSON object");
    q.model = wire_text(v, "model");
    switch (api) {
#define API(id, name, prefix, path)                          \
    case API_##id:                                           \
        if (prefix##_decode_request(v, a, &q, e)) return -1; \
        break;
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    if (q.offers.count > WIRE_OFFERS)
        return fail(e, ERR_LIMIT, "more than %d tools", WIRE_OFFERS);
    *out = q;
    return 0;
}

int answer_decode(enum api api, const struct json *v, struct arena *a,
                  struct model_answer *out, struct err *e) {
    struct model_answer m = {.api = api, .native = v, .usage = USAGE_UNSAID};
    if (!wire_object(v)) return fail(e, ERR_INVALID, "not a JSON object");
    switch (api) {
#define API(id, name, prefix, path)                         \
    case API_##id:                                          \
        if (prefix##_decode_answer(v, a, &m, e)) return -1; \
        break;
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    if (m.parts.count > WIRE_PARTS)
        return fail(e, ERR_LIMIT, "more than %d parts", WIRE_PARTS);
    wire_settle(&m);
    (void)odds_read(api, v, &m.odds);
    *out = m;
    return 0;
}

int request_encode(const struct vendor *to, const struct model_request *q,
                   struct buf *out, struct err *e) {
    struct jw w = JW(out);
    switch (to->api) {
#define API(id, name, prefix, path)                           \
    case API_##id:                                            \
        if (prefix##_encode_request(to, q, &w, e)) return -1; \
        break;
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    return jw_done(&w, e);
}

int answer_encode(enum api api, const struct model_answer *m, struct buf *out,
                  struct err *e) {
    struct jw w = JW(out);
    switch (api) {
#define API(id, name, prefix, path)                      \
    case API_##id:                                       \
        if (prefix##_encode_answer(m, &w, e)) return -1; \
        break;
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    return jw_done(&w, e);
}
