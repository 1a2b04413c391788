/* SPDX-License-Identifier: MIT */
#include "cli/events.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/dirs.h"
#include "base/file.h"

#define LINE_BYTES ((size_t)64 << 20)
#define CHUNK      ((size_t)64 << 10)

struct reading {
    struct buf line; /* what was read and not handed on */
    size_t number;
    int (*fn)(void *data, const struct json *event, struct err *e);
    void *data;
};

static int hand_on(struct reading *r, str row, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(2 * LINE_BYTES);
    const struct json *event;
    r->number++;
    row = str_trim(row);
    if (row.n == 0) return 0;
    if (json_parse(row, NULL, &a, &event, e) || r->fn(r->data, event, e))
        return fail_while(e, "event %zu", r->number);
    return 0;
}

/* Every whole line of what is there. */
static int hand_on_lines(struct reading *r, struct err *e) {
    str rest = buf_str(&r->line);
    ptrdiff_t end;
    while ((end = str_find_char(rest, '\n')) >= 0) {
        if (hand_on(r, str_sub(rest, 0, (size_t)end), e)) return -1;
        rest = str_sub(rest, (size_t)end + 1, rest.n);
    }
    AUTO_BUF struct buf left = BUF_MAX(LINE_BYTES);
    if (buf_add_str(&left, rest, e)) return -1;
    buf_truncate(&r->line, 0);
    return buf_add_str(&r->line, buf_str(&left), e);
}

static int read_all(struct reading *r, int fd, struct err *e) {
    for (;;) {
        char chunk[CHUNK];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "read");
        if (n == 0) return hand_on(r, buf_str(&r->line), e);
        if (buf_add(&r->line, chunk, (size_t)n, e))
            return fail_while(e, "event %zu", r->number + 1);
        if (memchr(chunk, '\n', (size_t)n) && hand_on_lines(r, e)) return -1;
    }
}

int events_each(const char *path,
                int (*fn)(void *data, const struct json *event, struct err *e),
                void *data, struct err *e) {
    AUTO_BUF struct buf own = BUF_MAX(PATH_MAX);
    struct reading r = {.line = BUF_MAX(LINE_BYTES), .fn = fn, .data = data};
    AUTO_FD int fd = -1;
    if (!path && dirs_path(DIRS_STATE, "audit/events.jsonl", &own, e))
        return -1;
    if (!path) path = buf_text(&own);
    fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO)
                                : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_sys(e, "%s", path);
    int status = read_all(&r, fd, e);
    buf_fini(&r.line);
    return status ? fail_while(e, "%s", path) : 0;
}
