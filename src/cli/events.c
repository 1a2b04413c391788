/* SPDX-License-Identifier: MIT */
#include "cli/events.h"

#include "base/buf.h"
#include "cli/cli.h"

#define FILE_BYTES ((size_t)1 << 30)
#define LINE_BYTES ((size_t)64 << 20)

int events_each(const char *path,
                int (*fn)(void *data, const struct json *event, struct err *e),
                void *data, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    if (cli_read(path, &text, e)) return -1;
    str rest = buf_str(&text);
    for (size_t line = 1; rest.p && rest.n > 0; line++) {
        AUTO_ARENA struct arena a = ARENA_MAX(LINE_BYTES);
        const struct json *event;
        str row = str_trim(str_cut(&rest, '\n'));
        if (row.n == 0) continue;
        if (json_parse(row, NULL, &a, &event, e) || fn(data, event, e))
            return fail_while(e, "event %zu", line);
    }
    return 0;
}
