/* SPDX-License-Identifier: MIT
 *
 * cordon tools memory: what selection remembers of earlier requests, and how to
 * make it forget.
 */
#include <limits.h>

#include "base/mem.h"
#include "cli/programs.h"
#include "tools/plain.h"
#include "tools/select/memory.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)128 << 20)

struct shown {
    struct buf out;
    struct jw w;
    bool json;
    struct err *e;
    bool failed;
};

static void show(void *context, str id, str request) {
    struct shown *s = context;
    if (s->json) {
        jw_object(&s->w);
        jw_put_text(&s->w, "tool", id);
        jw_put_text(&s->w, "request", request);
        jw_end_object(&s->w);
    } else if (buf_addf(&s->out, s->e, "%.*s  ", STR_ARG(id)) ||
               plain_add(&s->out, request, USAGE_BYTES, s->e) ||
               buf_add_char(&s->out, '\n', s->e)) {
        s->failed = true;
    }
}

static int show_all(struct cli *cli, struct memory *m, struct err *e) {
    struct shown s = {.out = BUF_MAX(OUT_BYTES), .json = cli->json, .e = e};
    struct jw w = JW(&s.out);
    s.w = w;
    if (s.json) jw_array(&s.w);
    usage_each(memory_usage(m), show, &s);
    if (s.json) jw_end_array(&s.w);
    int result =
        s.failed ||
                (s.json && (jw_done(&s.w, e) || buf_add_char(&s.out, '\n', e)))
            ? -1
            : cli_out(buf_str(&s.out), e);
    buf_fini(&s.out);
    return result;
}

/* The first tool that is remembered and matches; p NULL: none. */
struct match {
    str pattern, found;
};

static void match(void *context, str id, str request) {
    struct match *m = context;
    (void)request;
    if (!m->found.p && str_glob(m->pattern, id)) m->found = id;
}

static int forget(struct memory *m, str pattern, struct err *e) {
    for (size_t n = 0;; n++) {
        struct match first = {.pattern = pattern};
        usage_each(memory_usage(m), match, &first);
        if (!first.found.p && n == 0)
            return fail(e, ERR_MISSING, "nothing is remembered of %.*s",
                        STR_ARG(pattern));
        if (!first.found.p) return 0;
        AUTO_MEM char *id = mem_dup(first.found.p, first.found.n, e);
        if (!id) return -1;
        (void)usage_forget(memory_usage(m), (str){id, first.found.n});
    }
}

static int forget_all(const struct args *a, struct memory *m, struct err *e) {
    const char *pattern;
    for (size_t i = 0; (pattern = args_nth(a, "forget", i)); i++)
        if (forget(m, str_of(pattern), e)) return -1;
    return memory_keep(m, e);
}

int cmd_tools_memory(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (memory_path(&path, e)) return -1;
    struct memory *m = memory_new(buf_text(&path), e);
    if (!m) return -1;
    int result = args_nth(&cli->args, "forget", 0)
                     ? forget_all(&cli->args, m, e)
                     : show_all(cli, m, e);
    memory_free(m);
    return result;
}
