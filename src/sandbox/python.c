/* SPDX-License-Identifier: MIT */
#include "sandbox/python.h"

#include "sandbox/collect.h"
#include "sandbox/files.h"
#include "sandbox/zygote.h"

/* What the task wrote there may be anything by now. */
static void put_value(int scratch, struct arena *a, struct jw *w) {
    struct err e;
    AUTO_BUF struct buf json = BUF_MAX(2 << 20), repr = BUF_MAX(64 << 10);
    const struct json *v = NULL;
    if (!collect_file(scratch, ZYGOTE_JSON, &json, &e))
        (void)json_parse(buf_str(&json), NULL, a, &v, &e);
    jw_key(w, "result");
    if (v)
        jw_value(w, v);
    else
        jw_null(w);
    if (!collect_file(scratch, ZYGOTE_VALUE, &repr, &e))
        cage_put_bytes(w, "repr", buf_str(&repr));
}

int python_result_write(int scratch, const struct cage_result *r, struct jw *w,
                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 20);
    struct file_list files;
    if (files_list(scratch, &a, &files, e)) return -1;
    jw_object(w);
    put_value(scratch, &a, w);
    jw_key(w, "files");
    files_write(scratch, &files, w);
    jw_key(w, "task");
    cage_result_write(r, w);
    jw_end_object(w);
    return 0;
}
