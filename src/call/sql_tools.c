/* SPDX-License-Identifier: MIT */
#include "call/sql_tools.h"

#include "base/buf.h"
#include "base/clock.h"
#include "call/host.h"
#include "json/build.h"

#define MINUTE (60 * INT64_C(1000000000))

/* ---- definitions ---- */

static void put_annotations(struct json_build *b) {
    build_key(b, STR("annotations"));
    build_object(b);
    build_put_bool(b, "readOnlyHint", true);
    build_put_bool(b, "idempotentHint", true);
    build_put_bool(b, "openWorldHint", false);
    build_end(b);
}

static void put_text_type(struct json_build *b, const char *name,
                          const char *text) {
    build_key(b, str_of(name));
    build_object(b);
    build_put_text(b, "type", STR("string"));
    build_put_text(b, "description", str_of(text));
    build_end(b);
}

static void begin_input(struct json_build *b) {
    build_key(b, STR("inputSchema"));
    build_object(b);
    build_put_text(b, "type", STR("object"));
    build_put_bool(b, "additionalProperties", false);
    build_key(b, STR("properties"));
    build_object(b);
}

/* What a query gives, for stubs. */
static int put_shape(struct json_build *b, struct arena *a, struct err *e) {
    static const char shape[] =
        "{\"cordon/shape\":{\"type\":\"object\",\"properties\":{\"columns\":"
        "{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"rows\":"
        "{\"type\":\"array\",\"items\":{\"type\":\"object\"}},\"row_count\":"
        "{\"type\":\"integer\"},\"truncated\":{\"type\":\"boolean\"}},"
        "\"required\":[\"columns\",\"rows\",\"row_count\",\"truncated\"]}}";
    const struct json *v;
    if (json_parse(str_of(shape), NULL, a, &v, e)) return -1;
    build_put(b, "_meta", v);
    return 0;
}

static int put_query(struct json_build *b, const struct sql_config *c,
                     const char *dialect, struct arena *a, struct err *e) {
    char *text = arena_printf(
        a, e,
        "Runs one SELECT (%s) and gives rows as dicts. At most %zu rows; "
        "truncated says whether there were more. Use parameters for values.",
        dialect, c->rows);
    if (!text) return -1;
    build_object(b);
    build_put_text(b, "name", STR("query"));
    build_put_text(b, "description", str_of(text));
    begin_input(b);
    put_text_type(b, "sql", "One SELECT statement.");
    build_key(b, STR("parameters"));
    build_object(b);
    build_put_text(b, "description",
                   STR("Values for its placeholders, in their order."));
    build_put_text(b, "type", STR("array"));
    build_end(b);
    build_end(b);
    build_key(b, STR("required"));
    build_array(b);
    build_text(b, STR("sql"));
    build_end(b);
    build_end(b);
    put_annotations(b);
    if (put_shape(b, a, e)) return -1;
    build_end(b);
    return 0;
}

static void put_schema(struct json_build *b) {
    build_object(b);
    build_put_text(b, "name", STR("schema"));
    build_put_text(b, "description",
                   STR("Lists tables with their columns and types."));
    begin_input(b);
    put_text_type(b, "table", "Only this table.");
    build_end(b);
    build_end(b);
    put_annotations(b);
    build_end(b);
}

static int put_named(struct json_build *b, str name, const struct json *v,
                     struct arena *a, struct err *e) {
    static const char *const known[] = {"description", "sql", "parameters",
                                        NULL};
    const struct json *parameters = json_get(v, "parameters");
    if (host_check_members(v, known, e)) return -1;
    if (json_get_text(v, "sql", STR("")).n == 0 || str_is(name, "query") ||
        str_is(name, "schema") ||
        (parameters && json_type(parameters) != JSON_OBJECT))
        return fail(e, ERR_INVALID,
                    "a name of its own, sql, and parameters as an object");
    build_object(b);
    build_put_text(b, "name", name);
    build_put_text(b, "description", json_get_text(v, "description", STR("")));
    begin_input(b);
    const struct json *key = parameters ? json_first(parameters) : NULL;
    for (size_t i = key ? json_len(parameters) : 0; i > 0; i--) {
        build_key(b, json_str(key));
        build_copy(b, key + 1);
        key = json_skip(key + 1);
    }
    build_end(b);
    build_key(b, STR("required"));
    build_array(b);
    key = parameters ? json_first(parameters) : NULL;
    for (size_t i = key ? json_len(parameters) : 0; i > 0; i--) {
        build_text(b, json_str(key));
        key = json_skip(key + 1);
    }
    build_end(b);
    build_end(b);
    put_annotations(b);
    if (put_shape(b, a, e)) return -1;
    build_end(b);
    return 0;
}

int sql_tools(const struct sql_config *c, const char *dialect, struct arena *a,
              const struct json **out, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)16 << 20);
    struct json_build b = JSON_BUILD(a);
    const struct json *named = json_get(c->json, "queries");
    bool any = named && json_type(named) == JSON_OBJECT;
    build_array(&b);
    if (put_query(&b, c, dialect, &scratch, e)) return -1;
    put_schema(&b);
    const struct json *key = any ? json_first(named) : NULL;
    for (size_t i = any ? json_len(named) : 0; i > 0; i--) {
        if (put_named(&b, json_str(key), key + 1, &scratch, e))
            return fail_while(e, "queries: %.*s", STR_ARG(json_str(key)));
        key = json_skip(key + 1);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

/* ---- calls ---- */

int sql_request_read(const struct sql_config *c,
                     const struct provider_call *call, struct sql_request *out,
                     struct err *e) {
    str tool = call->tool->tool.name;
    *out = (struct sql_request){.schema = str_is(tool, "schema")};
    if (out->schema) {
        out->table = json_get_text(call->args, "table", STR(""));
        return 0;
    }
    if (str_is(tool, "query")) {
        out->sql = json_get_text(call->args, "sql", STR(""));
        out->parameters = json_get(call->args, "parameters");
        return 0;
    }
    const struct json *named = json_get_str(json_get(c->json, "queries"), tool);
    if (!named) return fail(e, ERR_MISSING, "no query of this name any more");
    out->sql = json_get_text(named, "sql", STR(""));
    out->parameters = call->args;
    return 0;
}

/* ---- answers ---- */

/* A text when this minute is unlike what was expected. */
static const char *unusual(const struct sql_config *c, struct sql_rate *rate,
                           size_t rows, struct provider_call *call) {
    struct err ignored;
    int64_t now = clock_mono_ns();
    if (now - rate->since_ns > MINUTE || rate->since_ns == 0)
        *rate = (struct sql_rate){.log = rate->log, .since_ns = now};
    rate->queries++;
    rate->rows += rows;
    if (rate->queries <= c->rate_queries && rate->rows <= c->rate_rows)
        return NULL;
    if (rate->log)
        log_warn(rate->log,
                 "database %.*s: %zu queries and %zu rows within a minute",
                 STR_ARG(call->tool->tool.server), rate->queries, rate->rows);
    return arena_printf(call->arena, &ignored,
                        "%zu queries and %zu rows within a minute",
                        rate->queries, rate->rows);
}

static const struct json *meta_with(struct provider_call *c,
                                    const struct json *meta, const char *odd) {
    struct json_build b = JSON_BUILD(c->arena);
    const struct json *out;
    struct err ignored;
    if (!odd) return meta;
    build_object(&b);
    const struct json *key = meta ? json_first(meta) : NULL;
    for (size_t i = meta ? json_len(meta) : 0; i > 0; i--) {
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
        key = json_skip(key + 1);
    }
    build_put_text(&b, "cordon/unusual", str_of(odd));
    build_end(&b);
    return build_done(&b, &out, &ignored) ? meta : out;
}

void sql_reply(struct provider_call *c, const struct sql_config *config,
               struct sql_rate *rate, str answer) {
    struct err e;
    const struct json *v;
    if (json_parse(answer, NULL, c->arena, &v, &e)) {
        provider_failed(c, "bad_response", false, &e);
        return;
    }
    const struct json *value = json_get(v, "value");
    size_t rows = (size_t)json_get_int(value, "row_count", 0);
    const char *odd = unusual(config, rate, rows, c);
    reply_done(c,
               &(struct reply){.value = value,
                               .meta = meta_with(c, json_get(v, "meta"), odd)});
}

void sql_reply_error(struct provider_call *c, const struct err *e) {
    if (e->kind == ERR_TIMEOUT)
        provider_failed(c, "timeout", false, e);
    else if (e->kind == ERR_SYSTEM || e->kind == ERR_MEMORY ||
             e->kind == ERR_PEER)
        provider_failed(c, "unavailable", false, e);
    else
        reply_refuse(c, e);
}
