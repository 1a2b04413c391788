/* SPDX-License-Identifier: MIT */
#include "policy/leaf.h"

#include "json/build.h"

static bool wanted_at(const struct leaf_rewrite *how, const struct json *node) {
    return json_type(node) == JSON_STRING &&
           how->wanted(how->data, json_str(node));
}

/* Nodes lie in one array, keys among them, so this needs no recursion. */
static bool any_wanted(const struct json *v, const struct leaf_rewrite *how) {
    const struct json *end = json_skip(v);
    for (const struct json *node = v; node < end; node++)
        if (wanted_at(how, node)) return true;
    return false;
}

struct rewriting {
    const struct leaf_rewrite *how;
    struct json_build build;
    struct buf text; /* of the string at hand */
    struct err *e;
};

static int new_text(struct rewriting *r, const struct json *node, str *out) {
    *out = json_str(node);
    if (!wanted_at(r->how, node)) return 0;
    buf_truncate(&r->text, 0);
    if (r->how->write(r->how->data, *out, &r->text, r->e)) return -1;
    *out = buf_str(&r->text);
    return 0;
}

static int add_key(struct rewriting *r, const struct json *key) {
    str text = json_str(key);
    if (r->how->keys && new_text(r, key, &text)) return -1;
    build_key(&r->build, text);
    return 0;
}

struct level {
    const struct json *end;
    bool object;
};

static int add_scalar(struct rewriting *r, const struct json *node) {
    str text;
    if (json_type(node) != JSON_STRING) {
        build_copy(&r->build, node);
        return 0;
    }
    if (new_text(r, node, &text)) return -1;
    build_text(&r->build, text);
    return 0;
}

static int add_all(struct rewriting *r, const struct json *v) {
    struct level stack[JSON_DEPTH_MAX + 1];
    const struct json *node = v, *end = json_skip(v);
    size_t depth = 0;
    while (node < end || depth > 0) {
        if (depth > 0 && node == stack[depth - 1].end) {
            build_end(&r->build);
            depth--;
            continue;
        }
        if (depth > 0 && stack[depth - 1].object && add_key(r, node++))
            return -1;
        if (json_type(node) < JSON_ARRAY) {
            if (add_scalar(r, node++)) return -1;
            continue;
        }
        bool object = json_type(node) == JSON_OBJECT;
        if (object)
            build_object(&r->build);
        else
            build_array(&r->build);
        stack[depth++] = (struct level){json_skip(node), object};
        node++;
    }
    return 0;
}

int leaf_rewrite(const struct json *v, const struct leaf_rewrite *how,
                 struct arena *a, const struct json **out, struct err *e) {
    if (!any_wanted(v, how)) {
        *out = v;
        return 0;
    }
    struct rewriting r = {how, JSON_BUILD(a), BUF_MAX(LEAF_BYTES), e};
    int failed = add_all(&r, v);
    buf_fini(&r.text);
    if (failed) return -1;
    return build_done(&r.build, out, e);
}
