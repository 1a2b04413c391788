/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "audit/audit.h"
#include "audit/blob.h"
#include "cli/audit_dir.h"
#include "cli/programs.h"

/* The erasure itself is an event: a record that loses values says so. */
static int record(const char *dir, const char *commitment, struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *data;
    build_object(&b);
    build_put_text(&b, "commitment", str_of(commitment));
    build_end(&b);
    if (build_done(&b, &data, e)) return -1;
    struct audit *a = audit_open(dir, e);
    if (!a) return -1;
    int result = audit_add(a, "blob.erased", data, e) || audit_sync(a, e);
    audit_close(a);
    return result ? -1 : 0;
}

int net_audit_erase(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    const char *commitment = cli_operand(cli, 0);
    if (audit_dir(cli, &dir, e)) return -1;
    if (blob_erase(buf_text(&dir), str_of(commitment), e)) return -1;
    return record(buf_text(&dir), commitment, e);
}
