/* SPDX-License-Identifier: MIT */
#include "runs/failure.h"

const char *failure_type(const struct json *error) {
    static const struct {
        const char *code, *type;
    } types[] = {
        {"denied", "PermissionError"},
        {"approval_needed", "PermissionError"},
        {"approval_void", "PermissionError"},
        {"timeout", "TimeoutError"},
        {"invalid_arguments", "ValueError"},
        {"unknown_tool", "NameError"},
    };
    str code = json_get_text(error, "code", STR(""));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_is(code, types[i].code)) return types[i].type;
    return "";
}

static int add_near(const struct json *near, struct buf *out, struct err *e) {
    for (size_t i = 0; near && i < json_len(near); i++)
        if (buf_addf(out, e, "%s%.*s", i ? ", " : "; near: ",
                     STR_ARG(json_str(json_at(near, i)))))
            return -1;
    return 0;
}

int failure_text(str tool, const struct json *error, struct buf *out,
                 struct err *e) {
    str path = json_get_text(error, "path", STR(""));
    str hint = json_get_text(error, "hint", STR(""));
    if (buf_addf(out, e, "%.*s: %.*s", STR_ARG(tool),
                 STR_ARG(json_get_text(error, "message", STR("failed")))))
        return -1;
    if (path.n && buf_addf(out, e, " (argument %.*s)", STR_ARG(path)))
        return -1;
    if (add_near(json_get(error, "near"), out, e)) return -1;
    return hint.n ? buf_addf(out, e, "; %.*s", STR_ARG(hint)) : 0;
}
