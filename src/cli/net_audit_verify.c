/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>

#include "audit/audit.h"
#include "audit/note.h"
#include "base/file.h"
#include "cli/audit_dir.h"
#include "cli/programs.h"
#include "json/write.h"

static int read_key(const char *path, uint8_t key[CRYPTO_KEY], struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1024);
    if (file_read(path, &text, e) || note_key_read(buf_str(&text), key, e))
        return fail_while(e, "%s", path);
    return 0;
}

static int say(const struct cli *cli, const struct audit_report *r,
               struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    uint64_t open = r->events - r->signed_by;
    if (cli->json) {
        struct jw w = JW(&out);
        jw_object(&w);
        jw_put_bool(&w, "ok", true);
        jw_put_int(&w, "events", (int64_t)r->events);
        jw_put_int(&w, "signed", (int64_t)r->signed_by);
        jw_put_int(&w, "checkpoints", (int64_t)r->checkpoints);
        jw_put_int(&w, "blobs", (int64_t)r->blobs);
        jw_put_int(&w, "erased", (int64_t)r->erased);
        jw_end_object(&w);
        if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
        return cli_out(buf_str(&out), e);
    }
    if (buf_addf(&out, e,
                 "ok: %" PRIu64 " events, %" PRIu64 " checkpoints, %" PRIu64
                 " blobs (%" PRIu64 " erased)\n",
                 r->events, r->checkpoints, r->blobs, r->erased))
        return -1;
    if (open && buf_addf(&out, e,
                         "note: the last %" PRIu64
                         " events are chained but not signed yet\n",
                         open))
        return -1;
    return cli_out(buf_str(&out), e);
}

int net_audit_verify(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    uint8_t key[CRYPTO_KEY];
    const char *key_file = args_text(&cli->args, "key");
    struct audit_report report;
    if (audit_dir(cli, &dir, e)) return -1;
    if (key_file && read_key(key_file, key, e)) return -1;
    if (audit_verify(buf_text(&dir), key_file ? key : NULL, &report, e))
        return -1;
    return say(cli, &report, e);
}
