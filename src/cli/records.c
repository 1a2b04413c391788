/* SPDX-License-Identifier: MIT */
#include "cli/records.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/dirs.h"

#define SECOND ((int64_t)1000000000)

int records_open(struct records *r, bool with_audit, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX), dir = BUF_MAX(PATH_MAX);
    struct err ignored;
    *r = (struct records){0};
    if (dirs_path(DIRS_STATE, "cordon.db", &path, e) ||
        dirs_path(DIRS_STATE, "audit", &dir, e))
        return -1;
    struct store_config config = {.path = buf_text(&path)};
    if (!(r->store = store_open(&config, e))) return -1;
    if (!with_audit || (r->audit = audit_open(buf_text(&dir), e))) return 0;
    (void)store_close(r->store, &ignored);
    return -1;
}

int records_close(struct records *r, struct err *e) {
    audit_close(r->audit);
    return store_close(r->store, e);
}

char *records_age(int64_t then, char out[RECORDS_AGE]) {
    int64_t s = (clock_wall_ns() - then) / SECOND;
    if (s < 0) s = 0;
    if (s < 60)
        snprintf(out, RECORDS_AGE, "%ds", (int)s);
    else if (s < 3600)
        snprintf(out, RECORDS_AGE, "%dm", (int)(s / 60));
    else if (s < 48 * 3600)
        snprintf(out, RECORDS_AGE, "%dh", (int)(s / 3600));
    else
        snprintf(out, RECORDS_AGE, "%dd", (int)(s / 86400 % 100000));
    return out;
}

int records_user(struct buf *out, struct err *e) {
    const struct passwd *pw = getpwuid(getuid());
    return buf_addf(out, e, "cli:%s", pw ? pw->pw_name : "unknown");
}

int records_line(str text, size_t max, struct buf *out, struct err *e) {
    str rest = str_trim(text);
    str line = str_cut(&rest, '\n');
    for (size_t i = 0; i < line.n && i < max; i++) {
        unsigned char c = (unsigned char)line.p[i];
        if (buf_add_char(out, c < 0x20 || c >= 0x7f ? '?' : (char)c, e))
            return -1;
    }
    if (line.n > max || rest.p) return buf_add_text(out, " ...", e);
    return 0;
}
