/* SPDX-License-Identifier: MIT */
#include "call/sql_config.h"

#include "base/num.h"
#include "call/host.h"

#define SECOND INT64_C(1000000000)

/* A count with its default and its bounds. */
static int read_count(const struct json *v, const char *key, int64_t fallback,
                      int64_t max, int64_t *out, struct err *e) {
    const struct json *n = json_get(v, key);
    *out = n ? json_get_int(v, key, -1) : fallback;
    if (*out >= 1 && *out <= max) return 0;
    return fail(e, ERR_INVALID, "%s: a number from 1 to %lld", key,
                (long long)max);
}

static int read_limits(struct sql_config *c, struct err *e) {
    const struct json *v = c->json;
    int64_t rows, bytes, ms, scan, queries, rate;
    const struct json *unusual = json_get(v, "unusual");
    if (read_count(v, "rows", 1000, 1000000, &rows, e) ||
        read_count(v, "bytes", 1 << 20, 256 << 20, &bytes, e) ||
        read_count(v, "timeout_ms", 5000, 600000, &ms, e) ||
        read_count(v, "scan_rows", 1000000, INT64_MAX, &scan, e) ||
        read_count(unusual, "queries", 120, INT32_MAX, &queries, e) ||
        read_count(unusual, "rows", 100000, INT32_MAX, &rate, e))
        return -1;
    c->rows = (size_t)rows;
    c->bytes = (size_t)bytes;
    c->timeout_ns = ms * (SECOND / 1000);
    c->scan_rows = (uint64_t)scan;
    c->rate_queries = (size_t)queries;
    c->rate_rows = (size_t)rate;
    return 0;
}

static struct sql_column *column_for(struct sql_config *c, const char *where,
                                     str name, struct err *e) {
    ptrdiff_t dot = str_find_char(name, '.');
    if (dot <= 0 || (size_t)dot + 1 == name.n) {
        err_set(e, ERR_INVALID, "%s: %.*s is not TABLE.COLUMN", where,
                STR_ARG(name));
        return NULL;
    }
    str table = str_sub(name, 0, (size_t)dot);
    str column = str_sub(name, (size_t)dot + 1, name.n);
    for (size_t i = 0; i < c->column_count; i++)
        if (str_eq_nocase(c->columns[i].table, table) &&
            str_eq_nocase(c->columns[i].column, column))
            return &c->columns[i];
    if (c->column_count == SQL_COLUMNS) {
        err_set(e, ERR_LIMIT, "%s: more than %d columns", where, SQL_COLUMNS);
        return NULL;
    }
    struct sql_column *fresh = &c->columns[c->column_count++];
    *fresh = (struct sql_column){.table = table, .column = column};
    return fresh;
}

static int read_mask(str word, enum sql_mask *out, struct err *e) {
    static const char *const words[] = {
#define MASK(name, word_, text) word_,
#include "call/sql_masks.def"
#undef MASK
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(word, words[i])) {
            *out = (enum sql_mask)i;
            return 0;
        }
    return fail(e, ERR_INVALID, "mask: no way to mask is called '%.*s'",
                STR_ARG(word));
}

static int read_label(const struct json *v, struct sql_label *out,
                      struct err *e) {
    static const char *const known[] = {"integrity", "confidentiality", NULL};
    if (host_check_members(v, known, e)) return fail_while(e, "labels");
    str integrity = json_get_text(v, "integrity", STR("untrusted"));
    str secrecy = json_get_text(v, "confidentiality", STR("private"));
    if ((!str_is(integrity, "trusted") && !str_is(integrity, "untrusted")) ||
        (!str_is(secrecy, "public") && !str_is(secrecy, "private") &&
         !str_is(secrecy, "secret")))
        return fail(e, ERR_INVALID,
                    "labels: integrity is trusted or untrusted, "
                    "confidentiality public, private or secret");
    out->untrusted = str_is(integrity, "untrusted");
    out->private = !str_is(secrecy, "public");
    out->secret = str_is(secrecy, "secret");
    return 0;
}

static int read_columns(struct sql_config *c, const char *member,
                        struct err *e) {
    const struct json *all = json_get(c->json, member);
    bool masks = str_is(str_of(member), "mask");
    if (!all) return 0;
    if (json_type(all) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "%s: an object of TABLE.COLUMN", member);
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1)) {
        struct sql_column *col = column_for(c, member, json_str(key), e);
        if (!col) return -1;
        if (!masks) {
            col->labelled = true;
            if (read_label(key + 1, &col->label, e)) return -1;
            continue;
        }
        col->masked = true;
        str word =
            json_type(key + 1) == JSON_STRING ? json_str(key + 1) : STR("?");
        if (read_mask(word, &col->mask, e)) return -1;
    }
    return 0;
}

static int read_tables(struct sql_config *c, struct err *e) {
    c->tables = json_get(c->json, "tables");
    if (!c->tables) return 0;
    bool good = json_type(c->tables) == JSON_ARRAY;
    const struct json *v = json_first(c->tables);
    for (size_t i = good ? json_len(c->tables) : 0; i > 0; i--) {
        good = good && json_type(v) == JSON_STRING;
        v = json_skip(v);
    }
    return good ? 0 : fail(e, ERR_INVALID, "tables: a list of patterns");
}

int sql_config_read(const struct json *json, struct sql_config *out,
                    struct err *e) {
    static const char *const known[] = {
        "sqlite",  "postgres",  "snapshot",    "rows",      "bytes",
        "tables",  "mask",      "labels",      "mask_key",  "timeout_ms",
        "unusual", "scan_rows", "queries",     "allow",     "exclude",
        "tools",   "limits",    "description", "functions", NULL};
    *out = (struct sql_config){.json = json};
    if (host_check_members(json, known, e)) return -1;
    out->snapshot = json_get_bool(json, "snapshot", false);
    if (read_limits(out, e) || read_tables(out, e) ||
        read_columns(out, "mask", e) || read_columns(out, "labels", e))
        return -1;
    return 0;
}

bool sql_may_read(const struct sql_config *c, str table) {
    if (!c->tables) return true;
    const struct json *v = json_first(c->tables);
    for (size_t i = json_len(c->tables); i > 0; i--, v = json_skip(v))
        if (str_glob(json_str(v), table)) return true;
    return false;
}

const struct sql_column *sql_column(const struct sql_config *c, str table,
                                    str column) {
    for (size_t i = 0; i < c->column_count; i++)
        if (str_eq_nocase(c->columns[i].table, table) &&
            str_eq_nocase(c->columns[i].column, column))
            return &c->columns[i];
    return NULL;
}
