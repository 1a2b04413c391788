/* SPDX-License-Identifier: MIT */
#include "sandbox/python.h"

#include "sandbox/collect.h"
#include "sandbox/zygote.h"

/* What the task wrote there may be anything by now. */
int python_left(int scratch, struct arena *a, struct python_left *out,
                struct err *e) {
    AUTO_BUF struct buf json = BUF_MAX(2 << 20), repr = BUF_MAX(64 << 10);
    struct python_left left = {.value = NULL};
    struct err none;
    if (!collect_file(scratch, ZYGOTE_JSON, &json, &none))
        (void)json_parse(buf_str(&json), NULL, a, &left.value, &none);
    left.has_repr = !collect_file(scratch, ZYGOTE_VALUE, &repr, &none);
    if (left.has_repr && arena_dup(a, buf_str(&repr), &left.repr, e)) return -1;
    if (files_list(scratch, a, &left.files, e)) return -1;
    *out = left;
    return 0;
}

int python_result_write(int scratch, const struct cage_result *r, struct jw *w,
                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 20);
    struct python_left left;
    if (python_left(scratch, &a, &left, e)) return -1;
    jw_object(w);
    jw_key(w, "result");
    if (left.value)
        jw_value(w, left.value);
    else
        jw_null(w);
    if (left.has_repr) cage_put_bytes(w, "repr", left.repr);
    jw_key(w, "files");
    files_write(scratch, &left.files, w);
    jw_key(w, "task");
    cage_result_write(r, w);
    jw_end_object(w);
    return 0;
}
