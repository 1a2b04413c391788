/* SPDX-License-Identifier: MIT
 *
 * cordon policy suggest: what people kept agreeing to, as rules that would have
 * spared the question. They are as narrow as the answers were: this tool, this
 * argument, these values.
 */
#include "base/map.h"
#include "base/mem.h"
#include "cli/events.h"
#include "cli/programs.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)16 << 20)
#define KEYS      100000

struct seen {
    size_t times;
    bool denied; /* someone said no: nothing is suggested */
};

struct suggesting {
    struct map values; /* tool \n path \n value -> struct seen */
    struct map asked;  /* id of an approval -> its key, owned */
};

static int remember_question(struct suggesting *s, str id, str key,
                             struct err *e) {
    char *copy = mem_dup(key.p, key.n, e);
    void *old = NULL;
    if (!copy || map_put(&s->asked, id, copy, &old, e)) {
        mem_free(copy);
        return -1;
    }
    mem_free(old);
    return 0;
}

/* A call that was asked about: which tool, argument and value. */
static int note_call(struct suggesting *s, const struct json *data,
                     struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(OUT_BYTES);
    str id = json_get_text(data, "approval", STR(""));
    str path = json_get_text(data, "path", STR(""));
    const struct json *v = json_pointer(json_get(data, "args"), path);
    if (id.n == 0 || path.n == 0 || !v || json_type(v) != JSON_STRING ||
        !str_is(json_get_text(data, "status", STR("")), "asked"))
        return 0;
    str tool = json_get_text(data, "tool", STR(""));
    str rest = str_sub(path, 1, path.n), arg = str_cut(&rest, '/');
    if (buf_addf(&key, e, "%.*s\n%.*s\n", STR_ARG(tool), STR_ARG(arg)) ||
        json_write(v, JSON_COMPACT, &key, e))
        return -1;
    return remember_question(s, id, buf_str(&key), e);
}

static int note_answer(struct suggesting *s, const struct json *data,
                       struct err *e) {
    const char *key = map_get(&s->asked, json_get_text(data, "id", STR("")));
    if (!key) return 0;
    struct seen *seen = map_get(&s->values, str_of(key));
    if (!seen) {
        seen = mem_zalloc(1, sizeof *seen, e);
        if (!seen) return -1;
        if (map_put(&s->values, str_of(key), seen, NULL, e)) {
            mem_free(seen);
            return -1;
        }
    }
    bool no = str_is(json_get_text(data, "choice", STR("")), "deny");
    seen->denied = seen->denied || no;
    seen->times += !no;
    return 0;
}

static int note_event(void *data, const struct json *event, struct err *e) {
    str kind = json_get_text(event, "kind", STR(""));
    const struct json *body = json_get(event, "data");
    if (str_is(kind, "call")) return note_call(data, body, e);
    if (str_is(kind, "approval")) return note_answer(data, body, e);
    return 0;
}

static int add_rule(const struct map_entry *it, size_t times, int number,
                    struct buf *out, struct err *e) {
    str rest = {it->key, it->key_len};
    str tool = str_cut(&rest, '\n'), arg = str_cut(&rest, '\n');
    ptrdiff_t at = str_find(tool, STR("__"));
    str server = at < 0 ? STR("") : str_sub(tool, 0, (size_t)at);
    str name = at < 0 ? tool : str_sub(tool, (size_t)at + 2, tool.n);
    return buf_addf(out, e,
                    "# agreed to %zu times\n"
                    "allow S%d tool \"%.*s%s%.*s\" and arg %.*s in %.*s\n",
                    times, number, STR_ARG(server), at < 0 ? "" : ".",
                    STR_ARG(name), STR_ARG(arg), STR_ARG(rest));
}

static int write_rules(const struct suggesting *s, int64_t least,
                       struct buf *out, struct err *e) {
    const struct map_entry *it;
    int number = 0;
    for (size_t i = 0; (it = map_next(&s->values, &i));) {
        const struct seen *seen = it->value;
        if (seen->denied || seen->times < (size_t)least) continue;
        if (add_rule(it, seen->times, ++number, out, e)) return -1;
    }
    if (number == 0)
        return buf_addf(out, e, "# nothing was agreed to %lld times\n",
                        (long long)least);
    return buf_add_text(out,
                        "# An allow rule does not overrule a deny or ask rule: "
                        "narrow those with\n# `and not arg ... in ...`.\n",
                        e);
}

static void suggesting_fini(struct suggesting *s) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&s->values, &i));)
        mem_free(it->value);
    for (size_t i = 0; (it = map_next(&s->asked, &i));)
        mem_free(it->value);
    map_fini(&s->values);
    map_fini(&s->asked);
}

int cmd_policy_suggest(struct cli *cli, struct err *e) {
    struct suggesting s = {.values = MAP_MAX(KEYS), .asked = MAP_MAX(KEYS)};
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    int failed = events_each(cli_operand(cli, 0), note_event, &s, e) ||
                 write_rules(&s, args_int(&cli->args, "least", 3), &out, e) ||
                 cli_out(buf_str(&out), e);
    suggesting_fini(&s);
    return failed ? -1 : 0;
}
