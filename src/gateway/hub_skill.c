/* SPDX-License-Identifier: MIT
 *
 * Skills of the configured folders, served over MCP (SEP-2640).
 */
#include "base/codec.h"
#include "base/utf8.h"
#include "gateway/hub_inside.h"

#define FILE_BYTES ((size_t)16 << 20)

static void answer_with(struct mcp_request *r, const char *key,
                        const struct json *v) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_put(&b, key, v);
    build_end(&b);
    mcp_answer_built(r, &b);
}

static void get(struct hub *h, struct mcp_request *r) {
    str uri = json_get_text(mcp_params(r), "uri", STR(""));
    const struct json *entry = skill_set_find(h->skills, uri);
    if (entry)
        answer_with(r, "skill", entry);
    else
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "there is no such skill");
}

static void read_directory(struct hub *h, struct mcp_request *r) {
    str uri = json_get_text(mcp_params(r), "uri", STR(""));
    struct err e;
    const struct json *list =
        skill_set_directory(h->skills, uri, mcp_arena(r), &e);
    if (list)
        answer_with(r, "resources", list);
    else
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "%s", e.text);
}

bool hub_skill_request(struct hub *h, struct mcp_request *r) {
    if (!h->skills) return false;
    switch ((int)mcp_method(r)) {
    case MCP_SKILLS_LIST:
        answer_with(r, "skills", skill_set_entries(h->skills));
        return true;
    case MCP_SKILLS_GET: get(h, r); return true;
    case MCP_RESOURCE_DIRECTORY: read_directory(h, r); return true;
    }
    return false;
}

bool hub_skill_read(struct hub *h, struct mcp_request *r, str uri) {
    AUTO_BUF struct buf body = BUF_MAX(FILE_BYTES),
                        text = BUF_MAX(2 * FILE_BYTES);
    struct json_build b = JSON_BUILD(mcp_arena(r));
    struct err e;
    if (!h->skills || !str_starts(uri, STR("skill://"))) return false;
    if (skill_set_read(h->skills, uri, &body, &e)) {
        if (e.kind == ERR_MISSING) return false;
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return true;
    }
    bool plain = utf8_valid(buf_text(&body), body.len) == body.len;
    if (!plain && base64_encode(buf_str(&body), &text, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return true;
    }
    build_object(&b);
    build_key(&b, STR("contents"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "uri", uri);
    build_put_text(&b, "mimeType", str_of(skill_mime(uri)));
    build_put_text(&b, plain ? "text" : "blob", buf_str(plain ? &body : &text));
    build_end(&b);
    build_end(&b);
    build_end(&b);
    mcp_answer_built(r, &b);
    return true;
}
