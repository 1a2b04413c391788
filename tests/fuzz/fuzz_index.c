/* SPDX-License-Identifier: MIT
 *
 * fuzz_index -- an index file of any bytes is refused or does no harm.
 *
 * The input is a list of changes (offset, value) to a sound file, so that the
 * checks behind the header are reached.
 */
#include "base/file.h"
#include "base/mem.h"
#include "tools/select/score.h"

#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int put(struct corpus *ix, int n, struct err *e) {
    char name[16], text[64];
    static struct document d;
    snprintf(name, sizeof name, "tool_%d", n);
    snprintf(text, sizeof text, "Reads file number %d. Category %d.", n, n % 3);
    struct tool t = {.id = str_of(name),
                     .name = str_of(name),
                     .server = n % 2 ? STR("a") : STR("b"),
                     .category = n % 3 ? STR("x") : STR("y"),
                     .description = str_of(text)};
    document_of(&t, &d);
    return corpus_put(ix, &t, &d, e);
}

static int make_sound(const char *path, const struct weights *w,
                      struct buf *out, struct err *e) {
    struct corpus ix;
    if (corpus_init(&ix, w, NULL, e)) return -1;
    int result = 0;
    for (int i = 0; i < 6 && result == 0; i++)
        result = put(&ix, i, e);
    if (result == 0) result = corpus_save(&ix, path, e);
    corpus_fini(&ix);
    return result ? -1 : file_read(path, out, e);
}

static void use(struct corpus *ix) {
    struct err e;
    struct query q;
    struct scorer *s = scorer_new(&e);
    if (!s) return;
    query_read(&q, ix, STR("read the file number 3, and then tool_2"));
    (void)score_all(s, ix, &q, 1, NULL, NULL, NULL, &e);
    scorer_free(s);
    (void)put(ix, 2, &e);
    (void)put(ix, 77, &e);
    corpus_drop(ix, STR("tool_1"));
    (void)corpus_compact(ix, &e);
}

static void change(struct buf *file, const uint8_t *data, size_t size) {
    for (size_t i = 0; i + 4 <= size; i += 4) {
        size_t at = (size_t)data[i] | (size_t)data[i + 1] << 8 |
                    (size_t)data[i + 2] << 16;
        file->data[at % file->len] = (char)data[i + 3];
    }
    if (size % 4 == 3) buf_truncate(file, file->len / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    struct err e;
    struct corpus ix;
    struct weights w = weights_default();
    AUTO_BUF struct buf file = BUF_MAX((size_t)8 << 20);
    snprintf(path, sizeof path, "/tmp/cordon-fuzz-index-%d", (int)getpid());
    if (make_sound(path, &w, &file, &e) == 0) {
        change(&file, data, size);
        if (file_replace(path, buf_str(&file), 0600, &e) == 0 &&
            corpus_load(&ix, path, &w, NULL, &e) == 0) {
            use(&ix);
            corpus_fini(&ix);
        }
    }
    unlink(path);
    return 0;
}
