/* SPDX-License-Identifier: MIT */
#include "agent/vet.h"

#include "json/build.h"
#include "json/coerce.h"
#include "json/repair.h"

#define NEAR     3   /* names that are suggested */
#define FAR      9   /* slips that are too many */
#define PROBLEMS 8   /* violations that are told */
#define EXCERPT  800 /* bytes of text that was no JSON */

/* -- names ------------------------------------------------------------------
 */

/* Fewer slips are nearer; a name inside the other counts as near too, since
 * models drop and invent prefixes. */
static size_t distance(str a, str b) {
    size_t slips = str_distance(a, b, FAR - 1);
    if (a.n >= 4 && b.n >= 4 && (str_find(a, b) >= 0 || str_find(b, a) >= 0))
        return slips < 4 ? slips : 4;
    return slips;
}

/* Each is measured once; of those that are as near the first come first. */
size_t vet_near(str name, const struct offers *offers, str *out, size_t max) {
    size_t slips[NEAR], count = 0;
    if (max > NEAR) max = NEAR;
    for (const struct offer *o = offers->first; o; o = o->next) {
        size_t d = o->kind == OFFER_OPAQUE ? FAR : distance(name, o->name);
        if (d >= FAR || o->name.n <= d) continue;
        size_t at = count;
        while (at > 0 && slips[at - 1] > d)
            at--;
        if (at == max) continue;
        count += count < max;
        for (size_t i = count - 1; i > at; i--)
            slips[i] = slips[i - 1], out[i] = out[i - 1];
        slips[at] = d;
        out[at] = o->name;
    }
    return count;
}

/* -- errors -----------------------------------------------------------------
 */

static void begin_error(struct json_build *b, const char *code, str message) {
    build_object(b);
    build_key(b, STR("error"));
    build_object(b);
    build_put_text(b, "code", str_of(code));
    build_put_text(b, "message", message);
}

/* retryable: another call of this tool may do. */
static int end_error(struct json_build *b, bool retryable,
                     const struct json **out, struct err *e) {
    build_put_bool(b, "retryable", retryable);
    build_end(b);
    build_end(b);
    return build_done(b, out, e);
}

int vet_error(const char *code, str message, struct arena *a,
              const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    begin_error(&b, code, message);
    return end_error(&b, false, out, e);
}

static int unknown_tool(const struct part *call, const struct offers *offers,
                        struct arena *a, struct vetted *out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    str near[NEAR];
    char *text = arena_printf(a, e, "there is no tool \"%.*s\"",
                              (int)(call->name.n < 200 ? call->name.n : 200),
                              call->name.p ? call->name.p : "");
    if (!text) return -1;
    size_t count = vet_near(call->name, offers, near, NEAR);
    out->code = "unknown_tool";
    begin_error(&b, out->code, str_of(text));
    if (count > 0) {
        build_key(&b, STR("near"));
        build_array(&b);
        for (size_t i = 0; i < count; i++)
            build_text(&b, near[i]);
        build_end(&b);
    }
    return end_error(&b, true, &out->error, e);
}

static int bad_json(const struct part *call, const struct err *why,
                    struct arena *a, struct vetted *out, struct err *e) {
    str shown = str_sub(call->text, 0, EXCERPT);
    char *text = arena_printf(a, e,
                              "the arguments are not a JSON object: %s; they "
                              "were: %.*s",
                              why->text, STR_ARG(shown));
    struct json_build b = JSON_BUILD(a);
    if (!text) return -1;
    out->code = "invalid_json";
    begin_error(&b, out->code, str_of(text));
    return end_error(&b, true, &out->error, e);
}

static int bad_args(struct schema *s, const struct json *args,
                    const struct err *why, struct arena *a, struct vetted *out,
                    struct err *e) {
    struct schema_report report = {0};
    struct json_build b = JSON_BUILD(a);
    if (schema_explain(s, args, PROBLEMS, a, &report, e) &&
        e->kind == ERR_MEMORY)
        return -1;
    out->code = "invalid_arguments";
    begin_error(&b, out->code, str_of(why->text));
    build_key(&b, STR("problems"));
    build_array(&b);
    for (size_t i = 0; i < report.count; i++) {
        build_object(&b);
        build_put_text(&b, "path", report.errors[i].path);
        build_put_text(&b, "expected", report.errors[i].expected);
        build_put_text(&b, "got", report.errors[i].got);
        build_end(&b);
    }
    build_end(&b);
    return end_error(&b, true, &out->error, e);
}

/* -- arguments --------------------------------------------------------------
 */

static int empty_object(struct arena *a, const struct json **out,
                        struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

int vet_args(const struct part *call, struct arena *a, const struct json **out,
             struct err *why) {
    struct repair_result r;
    *out = NULL;
    if (call->partial) return fail(why, ERR_INVALID, "the call was cut off");
    if (call->args) {
        *out = call->args;
        return 0;
    }
    if (str_trim(call->text).n == 0) return empty_object(a, out, why);
    if (repair_parse(call->text, NULL, a, &r, why)) return -1;
    if (json_type(r.value) != JSON_OBJECT)
        return fail(why, ERR_INVALID, "got %s, not an object",
                    json_type(r.value) == JSON_ARRAY ? "an array" : "a value");
    *out = r.value;
    return 0;
}

static int fit(struct schema *s, const struct part *call,
               const struct json *args, struct arena *a, struct vetted *out,
               struct err *e) {
    struct coerce_result c;
    struct err why;
    if (!s || schema_check(s, args, &why) == 0) {
        out->args = args;
    } else if (coerce_value(s, args, a, &c, &why) == 0) {
        out->args = c.value;
    } else {
        if (why.kind == ERR_MEMORY) {
            *e = why;
            return -1;
        }
        return bad_args(s, args, &why, a, out, e);
    }
    out->changed = out->args != call->args;
    return 0;
}

int vet_call(const struct part *call, const struct offers *offers,
             const struct vet_schemas *schemas, struct arena *a,
             struct vetted *out, struct err *e) {
    const struct offer *o = offer_find(offers, call->name);
    const struct json *args;
    struct vetted v = {0};
    struct err why;
    *out = v;
    if (!o) return unknown_tool(call, offers, a, out, e);
    if (o->kind == OFFER_CUSTOM || call->custom) return 0;
    if (vet_args(call, a, &args, &why)) {
        if (why.kind == ERR_MEMORY) {
            *e = why;
            return -1;
        }
        return bad_json(call, &why, a, out, e);
    }
    struct schema *s = schemas ? schemas->find(schemas->data, o) : NULL;
    return fit(s, call, args, a, out, e);
}
