/* SPDX-License-Identifier: MIT */
#include "tools/select/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/dirs.h"
#include "base/file.h"
#include "base/mem.h"
#include "json/write.h"

#define ASKERS     1024 /* whose last requests are kept in mind */
#define FOUND      32   /* tools of one request */
#define FILE_BYTES ((size_t)64 << 20)
#define STALE      1000 /* lines beyond what counts, before a rewrite */

struct asked {
    char *request;
    char *ids[FOUND];
    bool called[FOUND];
    size_t count, calls;
};

struct memory {
    struct uses usage;
    struct map askers; /* who -> struct asked */
    char *path;        /* or NULL */
    size_t lines;      /* in the file */
};

static void asked_free(struct asked *a) {
    if (!a) return;
    mem_free(a->request);
    for (size_t i = 0; i < a->count; i++)
        mem_free(a->ids[i]);
    mem_free(a);
}

/* ---- the file ---- */

static size_t kept_lines(const struct memory *m) {
    return m->usage.tools.live * USAGE_KEEP;
}

static int read_file(struct memory *m, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    struct err ignored;
    if (!file_exists(m->path)) return 0;
    if (file_read(m->path, &text, e)) return -1;
    for (str rest = buf_str(&text); rest.p;) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (line.n == 0) continue;
        m->lines++;
        (void)usage_read(&m->usage, line, &ignored);
    }
    return 0;
}

int memory_keep(struct memory *m, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    if (!m->path) return 0;
    if (usage_write(&m->usage, &text, e) ||
        file_replace(m->path, buf_str(&text), 0600, e))
        return -1;
    m->lines = 0;
    for (size_t i = 0; i < text.len; i++)
        m->lines += text.data[i] == '\n';
    return 0;
}

static int write_line(str id, str request, size_t sharers, struct buf *out,
                      struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "tool", id);
    jw_put_text(&w, "request", str_sub(request, 0, USAGE_BYTES));
    jw_key(&w, "credit");
    jw_real(&w, 1.0 / (double)sharers);
    jw_end_object(&w);
    return jw_done(&w, e) || buf_add_char(out, '\n', e) ? -1 : 0;
}

/* One line, appended in one write. What cannot be written is remembered for
 * the time of this process. */
static void append(struct memory *m, str id, str request, size_t sharers) {
    AUTO_BUF struct buf line = BUF_MAX((size_t)64 << 10);
    struct err ignored;
    if (!m->path) return;
    if (m->lines > kept_lines(m) + STALE && memory_keep(m, &ignored) == 0)
        return;
    AUTO_FD int fd =
        open(m->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || write_line(id, request, sharers, &line, &ignored)) return;
    if (fd_write_all(fd, buf_str(&line), &ignored) == 0) m->lines++;
}

int memory_path(struct buf *out, struct err *e) {
    return dirs_path(DIRS_STATE, "requests.jsonl", out, e);
}

/* ---- a life ---- */

struct memory *memory_new(const char *path, struct err *e) {
    struct memory *m = mem_zalloc(1, sizeof *m, e);
    if (!m) return NULL;
    m->usage = USAGE_INIT;
    m->askers = MAP_MAX(ASKERS);
    if (path) m->path = mem_dup(path, strlen(path), e);
    if (!path || (m->path && read_file(m, e) == 0)) return m;
    memory_free(m);
    return NULL;
}

void memory_free(struct memory *m) {
    const struct map_entry *it;
    if (!m) return;
    for (size_t i = 0; (it = map_next(&m->askers, &i));)
        asked_free(it->value);
    map_fini(&m->askers);
    usage_fini(&m->usage);
    mem_free(m->path);
    mem_free(m);
}

/* ---- asking and calling ---- */

static struct asked *asked_new(str request, const struct corpus *ix,
                               const struct selection *found, struct err *e) {
    struct asked *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    request = str_sub(request, 0, USAGE_BYTES);
    a->request = mem_dup(request.p, request.n, e);
    for (size_t i = 0; i < found->count && a->count < FOUND; i++) {
        str id = corpus_id(ix, found->items[i].doc);
        char *copy = mem_dup(id.p, id.n, e);
        if (copy) a->ids[a->count++] = copy;
    }
    if (a->request) return a;
    asked_free(a);
    return NULL;
}

/* Whoever asked first is forgotten when there are too many. */
static void make_room(struct memory *m) {
    size_t i = 0;
    if (m->askers.live < ASKERS) return;
    const struct map_entry *it = map_next(&m->askers, &i);
    asked_free(map_del(&m->askers, (str){it->key, it->key_len}));
}

/* A hint that is lost for lack of memory is no failure. */
void memory_asked(struct memory *m, str who, str request,
                  const struct corpus *ix, const struct selection *found) {
    struct err ignored;
    const struct asked *last = map_get(&m->askers, who);
    /* An agent asks with the same words round after round. */
    if (last && str_is(str_sub(request, 0, USAGE_BYTES), last->request)) return;
    struct asked *a = asked_new(request, ix, found, &ignored);
    if (!a) return;
    make_room(m);
    void *old = NULL;
    if (map_put(&m->askers, who, a, &old, &ignored))
        asked_free(a);
    else
        asked_free(old);
}

bool memory_called(struct memory *m, str who, str id) {
    struct asked *a = map_get(&m->askers, who);
    struct err ignored;
    for (size_t i = 0; a && i < a->count; i++) {
        if (!str_is(id, a->ids[i])) continue;
        if (a->called[i]) return false;
        a->called[i] = true;
        a->calls++;
        str request = str_of(a->request);
        if (usage_note(&m->usage, id, request, a->calls, &ignored))
            return false;
        append(m, id, request, a->calls);
        return true;
    }
    return false;
}

void memory_add(const struct memory *m, str id, struct document *d) {
    usage_add(&m->usage, id, d);
}

struct uses *memory_usage(struct memory *m) {
    return &m->usage;
}
