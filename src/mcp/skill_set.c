/* SPDX-License-Identifier: MIT */
#include "mcp/skill_set.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/file.h"
#include "base/mem.h"
#include "mcp/skill.h"
#include "json/build.h"

#define SET_MEMORY ((size_t)64 << 20)
#define SKILL_SIZE ((size_t)16 << 20) /* of all its files, by the extension */
#define SCHEME     "skill://"
enum { FILES_MAX = 512, NAMES_MAX = 4096, DEPTH_MAX = 8, NAME_MOST = 64 };

struct skill_file {
    const char *path; /* in the file system */
    str uri;
};

struct skill_set {
    struct arena memory;
    struct log *log;
    struct json_build entries, resources; /* while it is made */
    const struct json *entry_list, *resource_list;
    struct skill_file *files;
    size_t file_count, file_cap;
};

/* A skill being read. */
struct scan {
    struct skill_set *set;
    const char *name;
    size_t root_length; /* of the path of its folder */
    size_t first_file;  /* in the set */
    size_t size;
};

/* -- files -------------------------------------------------------------------
 */

static int add_file(struct scan *s, const char *path, struct err *e) {
    struct skill_set *set = s->set;
    if (set->file_count - s->first_file == FILES_MAX)
        return fail(e, ERR_LIMIT, "more than %d files", FILES_MAX);
    if (set->file_count == set->file_cap) {
        size_t cap = set->file_cap ? 2 * set->file_cap : 64;
        void *grown = mem_resize(set->files, cap, sizeof *set->files, e);
        if (!grown) return -1;
        set->files = grown;
        set->file_cap = cap;
    }
    struct skill_file *f = &set->files[set->file_count];
    char *uri = arena_printf(&set->memory, e, SCHEME "%s%s", s->name,
                             path + s->root_length);
    f->path = arena_text(&set->memory, str_of(path), e);
    if (!uri || !f->path) return -1;
    f->uri = str_of(uri);
    set->file_count++;
    return 0;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What lies in a folder, sorted; hidden things are left out. */
static int list_folder(const char *path, struct arena *a, const char ***out,
                       size_t *count, struct err *e) {
    DIR *d = opendir(path);
    struct dirent *entry;
    const char **names = arena_zalloc(a, NAMES_MAX, sizeof *names, e);
    int result = names ? 0 : -1;
    *count = 0;
    if (!d) return fail_sys(e, "%s", path);
    while (result == 0 && (entry = readdir(d))) {
        if (entry->d_name[0] == '.') continue;
        if (*count == NAMES_MAX)
            result = fail(e, ERR_LIMIT, "%s: too many files", path);
        else if (!(names[*count] = arena_text(a, str_of(entry->d_name), e)))
            result = -1;
        else
            ++*count;
    }
    (void)closedir(d);
    if (result) return -1;
    qsort(names, *count, sizeof *names, by_text);
    *out = names;
    return 0;
}

/* Links are not followed: a skill is what lies in its folder. */
static int scan_folder(struct scan *s, const char *path, int depth,
                       struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    const char **names;
    size_t count;
    if (list_folder(path, &a, &names, &count, e)) return -1;
    for (size_t i = 0; i < count; i++) {
        char inner[PATH_MAX];
        struct stat st;
        int n = snprintf(inner, sizeof inner, "%s/%s", path, names[i]);
        if (n < 0 || (size_t)n >= sizeof inner || lstat(inner, &st)) continue;
        bool folder = S_ISDIR(st.st_mode) && depth < DEPTH_MAX;
        if (folder ? scan_folder(s, inner, depth + 1, e)
                   : S_ISREG(st.st_mode) && add_file(s, inner, e))
            return -1;
    }
    return 0;
}

/* -- entries -----------------------------------------------------------------
 */

static int put_file(struct scan *s, struct json_build *b,
                    const struct skill_file *f, struct err *e) {
    AUTO_BUF struct buf content = BUF_MAX(SKILL_SIZE), text = BUF_MAX(128);
    uint8_t digest[CRYPTO_SHA256];
    if (file_read(f->path, &content, e)) return -1;
    s->size += content.len;
    if (s->size > SKILL_SIZE) return fail(e, ERR_LIMIT, "over 16 MiB in all");
    if (buf_add_text(&text, "sha256:", e) ||
        crypto_sha256(buf_str(&content), digest, e) ||
        hex_encode((str){(const char *)digest, sizeof digest}, &text, e))
        return -1;
    build_object(b);
    build_put_text(b, "uri", f->uri);
    build_put_text(b, "digest", buf_str(&text));
    build_put_int(b, "size", (int64_t)content.len);
    build_end(b);
    return 0;
}

static int put_files(struct scan *s, struct json_build *b, struct err *e) {
    build_key(b, STR("resources"));
    build_array(b);
    for (size_t i = s->first_file; i < s->set->file_count; i++)
        if (put_file(s, b, &s->set->files[i], e)) return -1;
    build_end(b);
    return 0;
}

static bool is_name(str name) {
    if (!name.n || name.n > NAME_MOST || name.p[0] == '-' ||
        name.p[name.n - 1] == '-' || str_find(name, STR("--")) >= 0)
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return true;
}

static int check_front(const struct scan *s, const struct json *front,
                       struct err *e) {
    str name = json_get_text(front, "name", STR(""));
    if (!is_name(name) || !str_is(name, s->name))
        return fail(e, ERR_INVALID,
                    "the front matter's name is not the "
                    "folder's, or not a name");
    if (!json_get_text(front, "description", STR("")).n)
        return fail(e, ERR_INVALID, "the front matter has no description");
    return 0;
}

/* The entry is made apart, so that a skill that fails leaves no trace. */
static int make_entry(struct scan *s, const char *document,
                      const struct json **out, struct err *e) {
    AUTO_BUF struct buf content = BUF_MAX(SKILL_SIZE);
    struct json_build b = JSON_BUILD(&s->set->memory);
    const struct json *front;
    char uri[PATH_MAX];
    if (file_read(document, &content, e) ||
        skill_front(buf_str(&content), &s->set->memory, &front, e) ||
        check_front(s, front, e))
        return -1;
    (void)snprintf(uri, sizeof uri, SCHEME "%s/SKILL.md", s->name);
    build_object(&b);
    build_put_text(&b, "uri", str_of(uri));
    build_put(&b, "frontmatter", front);
    if (put_files(s, &b, e)) return -1;
    build_end(&b);
    return build_done(&b, out, e);
}

static void put_resource(struct skill_set *set, const struct json *entry) {
    struct json_build *b = &set->resources;
    const struct json *front = json_get(entry, "frontmatter");
    build_object(b);
    build_put_text(b, "uri", json_get_text(entry, "uri", STR("")));
    build_put_text(b, "name", json_get_text(front, "name", STR("")));
    build_put_text(b, "description",
                   json_get_text(front, "description", STR("")));
    build_put_text(b, "mimeType", STR("text/markdown"));
    build_end(b);
}

static int add_skill(struct skill_set *set, const char *folder,
                     const char *name, struct err *e) {
    char path[PATH_MAX], document[PATH_MAX + 16];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    struct scan s = {.set = set, .name = name, .first_file = set->file_count};
    const struct json *entry;
    if (n < 0 || (size_t)n >= sizeof path)
        return fail(e, ERR_LIMIT, "the path is too long");
    (void)snprintf(document, sizeof document, "%s/SKILL.md", path);
    if (!file_exists(document)) return 0;
    s.root_length = (size_t)n;
    if (scan_folder(&s, path, 0, e) || make_entry(&s, document, &entry, e)) {
        set->file_count = s.first_file;
        return -1;
    }
    build_copy(&set->entries, entry);
    put_resource(set, entry);
    return 0;
}

static int add_folder(struct skill_set *set, const char *folder,
                      struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    const char **names;
    size_t count;
    if (list_folder(folder, &a, &names, &count, e))
        return fail_while(e, "skills");
    for (size_t i = 0; i < count; i++) {
        if (!add_skill(set, folder, names[i], e)) continue;
        if (e->kind == ERR_MEMORY) return -1;
        log_warn(set->log, "the skill %s is left out: %s", names[i], e->text);
    }
    return 0;
}

/* -- life --------------------------------------------------------------------
 */

static int make(struct skill_set *set, const struct json *folders,
                struct err *e) {
    const struct json *item = json_first(folders);
    build_array(&set->entries);
    build_array(&set->resources);
    for (size_t i = json_len(folders); i > 0; i--, item = json_skip(item)) {
        const char *path = arena_text(&set->memory, json_str(item), e);
        if (!path || add_folder(set, path, e)) return -1;
    }
    build_end(&set->entries);
    build_end(&set->resources);
    return build_done(&set->entries, &set->entry_list, e) ||
                   build_done(&set->resources, &set->resource_list, e)
               ? -1
               : 0;
}

struct skill_set *skill_set_new(const struct json *folders, struct log *log,
                                struct err *e) {
    struct skill_set *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->memory = ARENA_MAX(SET_MEMORY);
    s->log = log;
    s->entries = JSON_BUILD(&s->memory);
    s->resources = JSON_BUILD(&s->memory);
    if (!make(s, folders, e)) return s;
    skill_set_free(s);
    return NULL;
}

void skill_set_free(struct skill_set *s) {
    if (!s) return;
    arena_fini(&s->memory);
    mem_free(s->files);
    mem_free(s);
}

const struct json *skill_set_entries(const struct skill_set *s) {
    return s->entry_list;
}

const struct json *skill_set_resources(const struct skill_set *s) {
    return s->resource_list;
}

const struct json *skill_set_find(const struct skill_set *s, str uri) {
    const struct json *entry = json_first(s->entry_list);
    for (size_t i = json_len(s->entry_list); i > 0;
         i--, entry = json_skip(entry))
        if (str_eq(json_get_text(entry, "uri", STR("")), uri)) return entry;
    return NULL;
}

/* -- reading -----------------------------------------------------------------
 */

static const struct {
    const char *end, *mime;
} mimes[] = {
    {".md", "text/markdown"}, {".json", "application/json"},
    {".py", "text/x-python"}, {".sh", "application/x-sh"},
    {".txt", "text/plain"},   {".html", "text/html"},
    {".png", "image/png"},    {".csv", "text/csv"},
};

const char *skill_mime(str uri) {
    for (size_t i = 0; i < sizeof mimes / sizeof mimes[0]; i++)
        if (str_ends(uri, str_of(mimes[i].end))) return mimes[i].mime;
    return "application/octet-stream";
}

static const struct json *entry_of(const struct skill_set *s, str uri) {
    const struct json *entry = json_first(s->entry_list);
    for (size_t i = json_len(s->entry_list); i > 0;
         i--, entry = json_skip(entry)) {
        str own = json_get_text(entry, "uri", STR(""));
        str root = str_sub(own, 0, own.n - (sizeof "SKILL.md" - 1));
        if (str_starts(uri, root)) return entry;
    }
    return NULL;
}

int skill_set_read(const struct skill_set *s, str uri, struct buf *out,
                   struct err *e) {
    for (size_t i = 0; i < s->file_count; i++) {
        if (!str_eq(s->files[i].uri, uri)) continue;
        size_t start = out->len;
        if (file_read(s->files[i].path, out, e)) return -1;
        str content = str_sub(buf_str(out), start, out->len);
        if (skill_verify_bytes(entry_of(s, uri), uri, content, e))
            return fail_while(e, "it changed since it was listed");
        return 0;
    }
    return fail(e, ERR_MISSING, "there is no such file of a skill");
}

/* The part of a file's URI below the directory, up to the next slash. */
static bool child_of(str directory, str uri, str *child, bool *is_folder) {
    if (!str_starts(uri, directory) || uri.n <= directory.n + 1 ||
        uri.p[directory.n] != '/')
        return false;
    str rest = str_sub(uri, directory.n + 1, uri.n);
    *child = str_cut(&rest, '/');
    *is_folder = rest.p != NULL;
    return true;
}

static void put_child(struct json_build *b, str uri, str name, bool is_folder) {
    build_object(b);
    build_put_text(b, "uri", uri);
    build_put_text(b, "name", name);
    build_put_text(b, "mimeType",
                   is_folder ? STR("inode/directory")
                             : str_of(skill_mime(uri)));
    build_end(b);
}

/* Files are sorted, so the files of one folder stand together. */
const struct json *skill_set_directory(const struct skill_set *s, str uri,
                                       struct arena *a, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *list;
    str last = {NULL, 0};
    size_t found = 0;
    if (uri.n && uri.p[uri.n - 1] == '/') uri.n--;
    build_array(&b);
    for (size_t i = 0; i < s->file_count; i++) {
        bool folder;
        str child, file = s->files[i].uri;
        if (!child_of(uri, file, &child, &folder)) continue;
        found++;
        if (last.p && str_eq(last, child)) continue;
        last = child;
        put_child(&b, (str){file.p, uri.n + 1 + child.n}, child, folder);
    }
    build_end(&b);
    if (!found) {
        err_set(e, ERR_MISSING, "there is no such directory");
        return NULL;
    }
    return build_done(&b, &list, e) ? NULL : list;
}
