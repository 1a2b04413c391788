/* SPDX-License-Identifier: MIT */
#include "gateway/question.h"

#include <stdio.h>

#include "call/approval.h"
#include "json/build.h"

#define TEXT_BYTES ((size_t)16 << 20)

static void build_choices(struct json_build *b) {
    static const char *const words[] = {"once", "alike", "remember", "deny"};
    build_key(b, STR("requestedSchema"));
    build_object(b);
    build_put_text(b, "type", STR("object"));
    build_key(b, STR("properties"));
    build_object(b);
    build_key(b, STR("decision"));
    build_object(b);
    build_put_text(b, "type", STR("string"));
    build_put_text(b, "title", STR("Decision"));
    build_put_text(b, "description",
                   STR("once: this call; alike: and like ones of this run; "
                       "remember: as long as the policy lets it; deny: no"));
    build_key(b, STR("enum"));
    build_array(b);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        build_text(b, str_of(words[i]));
    build_end(b);
    build_end(b);
    build_end(b);
    build_key(b, STR("required"));
    build_array(b);
    build_text(b, STR("decision"));
    build_end(b);
    build_end(b);
}

static int describe(struct store *store, str approval, struct buf *out,
                    struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct store_approval p;
    if (store_approval_get(store, approval, &a, &p, e)) return -1;
    return approval_describe(store, &p, out, e);
}

int question_put(struct mcp_request *r, struct store *store, const char *run,
                 str approval, struct err *e) {
    AUTO_BUF struct buf card = BUF_MAX(TEXT_BYTES);
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *params;
    char memo[2 * STORE_ID];
    if (describe(store, approval, &card, e)) return -1;
    build_object(&b);
    build_put_text(&b, "mode", STR("form"));
    build_put_text(&b, "message", buf_str(&card));
    build_choices(&b);
    build_end(&b);
    if (build_done(&b, &params, e)) return -1;
    snprintf(memo, sizeof memo, "%s %.*s", run, STR_ARG(approval));
    mcp_need(r, "approve", "elicitation/create", params);
    mcp_wait(r, str_of(memo));
    return 0;
}

/* The memo is "<run> <approval>". */
str question_run(const struct mcp_request *r) {
    str memo = mcp_memo(r);
    if (!memo.p || !mcp_input(r, "approve")) return STR("");
    return str_cut(&memo, ' ');
}

int question_answer(struct mcp_request *r, struct store *store,
                    struct audit *audit, struct err *e) {
    str approval = mcp_memo(r);
    const struct json *input = mcp_input(r, "approve");
    const struct json *content = json_get(input, "content");
    enum approval_choice choice = APPROVE_NOT;
    bool accepted = str_is(json_get_text(input, "action", STR("")), "accept");
    (void)str_cut(&approval, ' ');
    if (accepted &&
        approval_choice_read(json_get_text(content, "decision", STR("deny")),
                             &choice, e))
        return -1;
    if (approval_answer(store, audit, approval, choice, STR("mcp:host"), e) &&
        e->kind != ERR_EXISTS)
        return -1;
    return 0;
}
