/* SPDX-License-Identifier: MIT */
#include "json/config.h"

#include "base/file.h"
#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES   ((size_t)4 << 20)
#define PATH_BYTES   4096
#define PROBLEMS_MAX 50
#define NAMES_MAX    128

/* A check under way. */
struct check {
    const struct config_key *keys;
    struct arena *arena;
    struct buf path; /* JSON pointer to the value being looked at */
    struct config_problem *problems;
    size_t count;
    struct err *e;
};

/* text is static or of the arena, or NULL when it could not be made. */
static int problem(struct check *c, const char *text) {
    struct config_problem p;
    if (!text || arena_dup(c->arena, buf_str(&c->path), &p.path, c->e))
        return -1;
    p.text = str_of(text);
    if (c->count < PROBLEMS_MAX) c->problems[c->count++] = p;
    return 0;
}

/* --- the table ------------------------------------------------------------ */

/* What stands behind the parent in a row's path; NULL in other rows. */
static const char *below(const struct config_key *k, const char *parent) {
    size_t n = strlen(parent);
    return strncmp(k->path, parent, n) == 0 ? k->path + n : NULL;
}

static const struct config_key *find(const struct config_key *keys,
                                     const char *parent, const char *separator,
                                     str name) {
    size_t n = strlen(separator);
    for (const struct config_key *k = keys; k->path; k++) {
        const char *tail = below(k, parent);
        if (tail && strncmp(tail, separator, n) == 0 && str_is(name, tail + n))
            return k;
    }
    return NULL;
}

/* The row of a member: by its name, else the one that takes any name. The name
 * comes from outside and may hold dots or stars: those are no path. */
static const struct config_key *find_member(const struct config_key *keys,
                                            const char *parent, str name) {
    const char *dot = *parent ? "." : "";
    bool plain = str_find_char(name, '.') < 0 && str_find_char(name, '*') < 0 &&
                 str_find_char(name, '[') < 0;
    const struct config_key *k = plain ? find(keys, parent, dot, name) : NULL;
    return k ? k : find(keys, parent, dot, STR("*"));
}

/* Names of the rows directly below the parent. */
static const char *nearest(const struct config_key *keys, const char *parent,
                           str name) {
    const char *names[NAMES_MAX + 1];
    size_t count = 0;
    for (const struct config_key *k = keys; k->path && count < NAMES_MAX; k++) {
        const char *tail = below(k, parent);
        if (!tail || (*parent && *tail++ != '.')) continue;
        if (*tail && !strpbrk(tail, ".*[")) names[count++] = tail;
    }
    names[count] = NULL;
    return str_nearest(name, names);
}

/* --- values --------------------------------------------------------------- */

static bool is_size(const struct json *v) {
    struct err e;
    uint64_t bytes;
    if (json_type(v) == JSON_INT) return v->as.integer >= 0;
    return json_type(v) == JSON_STRING &&
           num_parse_size(json_str(v), &bytes, &e) == 0;
}

static bool is_duration(const struct json *v) {
    struct err e;
    int64_t ns;
    if (json_type(v) == JSON_INT)
        return v->as.integer >= 0 && v->as.integer <= INT64_MAX / 1000000000;
    return json_type(v) == JSON_STRING &&
           num_parse_duration(json_str(v), &ns, &e) == 0;
}

static bool is_choice(const struct json *v, const char *choices) {
    if (json_type(v) != JSON_STRING) return false;
    for (str rest = str_of(choices); rest.p;)
        if (str_eq(str_cut(&rest, '|'), json_str(v))) return true;
    return false;
}

/* NULL when the value fits, else what was expected. */
static const char *misfit(const struct json *v, const struct config_key *k) {
    enum json_type t = json_type(v);
    switch (k->type) {
    case CONFIG_OBJECT: return t == JSON_OBJECT ? NULL : "an object";
    case CONFIG_LIST: return t == JSON_ARRAY ? NULL : "an array";
    case CONFIG_BOOL: return t == JSON_BOOL ? NULL : "true or false";
    case CONFIG_INT:
        return t == JSON_INT && v->as.integer >= 0
                   ? NULL
                   : "a whole number that is not negative";
    case CONFIG_TEXT:
        return t == JSON_STRING && json_len(v) > 0 ? NULL
                                                   : "a string with text in it";
    case CONFIG_SIZE:
        return is_size(v) ? NULL : "a size, like 65536 or \"64k\"";
    case CONFIG_DURATION:
        return is_duration(v) ? NULL : "a duration, like 30 or \"200ms\"";
    case CONFIG_CHOICE: return is_choice(v, k->choices) ? NULL : k->choices;
    case CONFIG_ANY: return NULL;
    }
    return NULL;
}

/* --- the walk ------------------------------------------------------------- */

static int check_value(struct check *c, const struct json *v,
                       const struct config_key *k);

/* "/name", with ~ and / escaped as JSON pointers demand. */
static int push_name(struct check *c, str name) {
    if (buf_add_char(&c->path, '/', c->e)) return -1;
    for (size_t i = 0; i < name.n; i++) {
        char ch = name.p[i];
        const char *as = ch == '~' ? "~0" : ch == '/' ? "~1" : NULL;
        if (as ? buf_add_text(&c->path, as, c->e)
               : buf_add_char(&c->path, ch, c->e))
            return -1;
    }
    return 0;
}

static int check_member(struct check *c, const struct json *key,
                        const char *parent) {
    const struct config_key *k = find_member(c->keys, parent, json_str(key));
    if (k) return check_value(c, key + 1, k);
    const char *near = nearest(c->keys, parent, json_str(key));
    if (!near) return problem(c, "unknown key");
    return problem(c, arena_printf(c->arena, c->e,
                                   "unknown key; did you mean \"%s\"?", near));
}

static int check_object(struct check *c, const struct json *v,
                        const char *parent) {
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        size_t before = c->path.len;
        if (push_name(c, json_str(key)) || check_member(c, key, parent))
            return -1;
        buf_truncate(&c->path, before);
    }
    return 0;
}

static int check_list(struct check *c, const struct json *v,
                      const char *parent) {
    const struct config_key *k = find(c->keys, parent, "", STR("[]"));
    const struct json *item = json_first(v);
    for (size_t i = 0; k && i < json_len(v); i++, item = json_skip(item)) {
        size_t before = c->path.len;
        if (buf_addf(&c->path, c->e, "/%zu", i) || check_value(c, item, k))
            return -1;
        buf_truncate(&c->path, before);
    }
    return 0;
}

static int check_value(struct check *c, const struct json *v,
                       const struct config_key *k) {
    const char *expected = misfit(v, k);
    if (expected)
        return problem(c, arena_printf(c->arena, c->e, "expected %s, got %s",
                                       expected, json_type_name(json_type(v))));
    if (k->type == CONFIG_OBJECT) return check_object(c, v, k->path);
    if (k->type == CONFIG_LIST) return check_list(c, v, k->path);
    return 0;
}

int config_check(const struct json *root, const struct config_key *keys,
                 struct arena *a, struct config_report *out, struct err *e) {
    static const struct config_key whole = {"", CONFIG_OBJECT, "", ""};
    struct check c = {
        .keys = keys, .arena = a, .path = BUF_MAX(PATH_BYTES), .e = e};
    c.problems = arena_zalloc(a, PROBLEMS_MAX, sizeof c.problems[0], e);
    int result = c.problems ? check_value(&c, root, &whole) : -1;
    buf_fini(&c.path);
    if (result) return -1;
    *out = (struct config_report){c.problems, c.count};
    return 0;
}

/* --- files ---------------------------------------------------------------- */

int config_parse(str text, const char *name, const struct config_key *keys,
                 struct arena *a, const struct json **out, struct err *e) {
    struct json_limits limits = {.comments = true, .bytes = FILE_BYTES};
    const struct json *root;
    struct config_report report;
    if (json_parse(text, &limits, a, &root, e) ||
        config_check(root, keys, a, &report, e))
        return fail_while(e, "%s", name);
    if (report.count > 0)
        return fail(e, ERR_INVALID, "%s: %.*s: %.*s", name,
                    STR_ARG(report.problems[0].path),
                    STR_ARG(report.problems[0].text));
    *out = root;
    return 0;
}

static int check_owner(int fd, struct err *e) {
    struct stat st;
    if (fstat(fd, &st)) return fail_sys(e, "stat");
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return fail(e, ERR_DENIED, "belongs to another user");
    if (st.st_mode & S_IWOTH)
        return fail(e, ERR_DENIED, "everyone may write to it");
    return 0;
}

int config_read(const char *path, struct buf *out, struct err *e) {
    if (strcmp(path, "-") == 0) return file_read(path, out, e);
    AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        bool missing = errno == ENOENT || errno == ENOTDIR;
        (void)fail_sys(e, "open %s", path);
        if (missing) e->kind = ERR_MISSING;
        return -1;
    }
    if (check_owner(fd, e) || fd_read_all(fd, out, e))
        return fail_while(e, "%s", path);
    return 0;
}

int config_load(const char *path, const struct config_key *keys,
                struct arena *a, const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    if (config_read(path, &text, e)) return -1;
    return config_parse(buf_str(&text), path, keys, a, out, e);
}

uint64_t config_size(const struct json *v, uint64_t fallback) {
    struct err e;
    if (!v) return fallback;
    if (json_type(v) == JSON_INT) return (uint64_t)v->as.integer;
    (void)num_parse_size(json_str(v), &fallback, &e);
    return fallback;
}

int64_t config_duration(const struct json *v, int64_t fallback) {
    struct err e;
    if (!v) return fallback;
    if (json_type(v) == JSON_INT) return v->as.integer * 1000000000;
    (void)num_parse_duration(json_str(v), &fallback, &e);
    return fallback;
}
