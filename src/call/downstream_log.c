/* SPDX-License-Identifier: MIT
 *
 * What a server writes to its standard error, in a file of bounded size.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/dirs.h"
#include "base/file.h"
#include "call/downstream_link.h"

/* A server's name is a person's text: only what is harmless in a file name
 * stays. */
static int add_name(const char *name, struct buf *out, struct err *e) {
    for (; *name; name++) {
        char c = *name;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (buf_add_char(out, plain ? c : '_', e)) return -1;
    }
    return buf_add_text(out, ".log", e);
}

int downstream_log_path(const char *name, struct buf *out, struct err *e) {
    if (dirs_path(DIRS_STATE, "mcp", out, e) || buf_add_char(out, '/', e))
        return -1;
    return add_name(name, out, e);
}

static int open_log(struct downstream *d, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX), folder = BUF_MAX(PATH_MAX);
    struct stat st;
    if (dirs_path(DIRS_STATE, "mcp", &folder, e) ||
        file_make_dirs(buf_text(&folder), 0700, e) ||
        downstream_log_path(d->config.name, &path, e))
        return -1;
    d->log_fd =
        open(buf_text(&path),
             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (d->log_fd < 0) return fail_sys(e, "open %s", buf_text(&path));
    d->log_size = fstat(d->log_fd, &st) ? 0 : (size_t)st.st_size;
    return 0;
}

static void start_over(struct downstream *d) {
    if (ftruncate(d->log_fd, 0)) return;
    d->log_size = 0;
}

void down_log_line(struct downstream *d, str line) {
    AUTO_BUF struct buf text = BUF_MAX(DOWNSTREAM_LOG_MAX);
    char when[CLOCK_TEXT_SIZE];
    struct err e;
    if (!d->config.keep_log || (d->log_fd < 0 && open_log(d, &e))) return;
    if (buf_addf(&text, &e, "%s %.*s\n", clock_format(clock_wall_ns(), when),
                 STR_ARG(line)))
        return;
    if (d->log_size + text.len > DOWNSTREAM_LOG_MAX) start_over(d);
    if (!fd_write_all(d->log_fd, buf_str(&text), &e)) d->log_size += text.len;
}
