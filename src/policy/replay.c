/* SPDX-License-Identifier: MIT
 *
 * Calls of the audit log, decided again by other rules.
 */
#include "policy/explain.h"

#include "json/build.h"

#define LABELS_RECORDED 256 /* paths of one call in its audit row */

/* -- labels in an event -----------------------------------------------------
 */

static const char *secrecy_word(enum secrecy s) {
    static const char *const words[] = {"public", "readers", "private",
                                        "secret"};
    return words[s];
}

void labels_record(const struct labels *labels, struct json_build *b) {
    size_t count = labels ? labels->count : 0;
    build_key(b, STR("labels"));
    build_object(b);
    for (size_t i = 0; i < count && i < LABELS_RECORDED; i++) {
        const struct label *l = &labels->items[i].label;
        build_key(b, labels->items[i].path);
        build_array(b);
        build_text(b, str_of(integrity_word(l->integrity)));
        build_text(b, str_of(secrecy_word(l->secrecy)));
        if (l->secrecy == SECRECY_READERS) {
            build_array(b);
            for (size_t k = 0; k < l->reader_count; k++)
                build_text(b, l->readers[k]);
            build_end(b);
        }
        for (size_t o = 0; o < l->origin_count && o < 4; o++) {
            AUTO_BUF struct buf text = BUF_MAX(4096);
            struct label one = {.origins = &l->origins[o], .origin_count = 1};
            struct err e;
            if (label_describe(&one, &text, &e) == 0)
                build_text(b, buf_str(&text));
        }
        build_end(b);
    }
    build_end(b);
    if (count > LABELS_RECORDED) build_put_bool(b, "labels_cut", true);
    if (labels)
        build_put_text(b, "pc", str_of(integrity_word(labels->pc.integrity)));
}

static int read_readers(const struct json *v, struct arena *a,
                        struct label *out, struct err *e) {
    str *readers = arena_alloc(a, (json_len(v) + 1) * sizeof *readers, e);
    if (!readers) return -1;
    for (size_t i = 0; i < json_len(v); i++) {
        const struct json *name = json_at(v, i);
        readers[i] = json_type(name) == JSON_STRING ? json_str(name) : STR("");
    }
    out->readers = readers;
    out->reader_count = json_len(v);
    return 0;
}

static int read_label(const struct json *v, struct arena *a, struct label *out,
                      struct err *e) {
    const struct json *i = json_at(v, 0), *s = json_at(v, 1);
    const struct json *names = json_at(v, 2);
    *out = *label_unknown();
    if (i && json_type(i) == JSON_STRING)
        (void)integrity_read(json_str(i), &out->integrity);
    for (int k = SECRECY_PUBLIC; s && k <= SECRECY_SECRET; k++)
        if (json_type(s) == JSON_STRING &&
            str_is(json_str(s), secrecy_word((enum secrecy)k)))
            out->secrecy = (enum secrecy)k;
    if (out->secrecy != SECRECY_READERS) return 0;
    if (names && json_type(names) == JSON_ARRAY)
        return read_readers(names, a, out, e);
    out->secrecy = SECRECY_PRIVATE; /* an old event does not say who */
    return 0;
}

static int read_labels(const struct json *data, struct arena *a,
                       const struct labels **out, struct err *e) {
    const struct json *v = json_get(data, "labels");
    enum integrity pc = INTEGRITY_UNTRUSTED;
    *out = NULL;
    /* Of what is not there in full nothing is trusted. */
    if (!v || json_type(v) != JSON_OBJECT || json_len(v) == 0 ||
        json_get_bool(data, "labels_cut", false))
        return 0;
    struct labels *labels = arena_zalloc(a, 1, sizeof *labels, e);
    struct labelled *items = arena_alloc(a, json_len(v) * sizeof *items, e);
    if (!labels || !items) return -1;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, key = json_skip(key + 1)) {
        items[i].path = json_str(key);
        if (read_label(key + 1, a, &items[i].label, e)) return -1;
    }
    (void)integrity_read(json_get_text(data, "pc", STR("")), &pc);
    *labels = (struct labels){items, json_len(v), {.integrity = pc}};
    *out = labels;
    return 0;
}

/* ---------------------------------------------------------------------------
 */

/* "mail__send" as the registry makes it, or "mail.send". */
static struct tool tool_of(str name) {
    ptrdiff_t flat = str_find(name, STR("__"));
    ptrdiff_t at = flat >= 0 ? flat : str_find_char(name, '.');
    size_t gap = flat >= 0 ? 2 : 1;
    if (at < 0) return (struct tool){.name = name};
    return (struct tool){.server = str_sub(name, 0, (size_t)at),
                         .name = str_sub(name, (size_t)at + gap, name.n)};
}

static int read_verdict(const struct json *data, enum verdict *out,
                        struct err *e) {
    str would = json_get_text(data, "would", STR(""));
    str word = would.n > 0 ? would : json_get_text(data, "verdict", STR(""));
    for (int v = POLICY_DENY; v <= POLICY_ALLOW; v++) {
        if (!str_is(word, verdict_word((enum verdict)v))) continue;
        *out = (enum verdict)v;
        return 0;
    }
    return fail(e, ERR_INVALID, "the event has no verdict");
}

int policy_replay(struct policy *p, struct spent *spent,
                  const struct json *event, struct arena *a,
                  struct replayed *out, struct err *e) {
    const struct json *data = json_get(event, "data");
    str name = json_get_text(data, "tool", STR(""));
    struct entry entry = {.tool = tool_of(name)};
    struct policy_call c = {.tool = &entry,
                            .args = json_get(data, "args"),
                            .turn = INTEGRITY_UNTRUSTED,
                            .principal =
                                json_get_text(data, "principal", STR("")),
                            .client = json_get_text(data, "client", STR("")),
                            .session = json_get_text(data, "session", STR("")),
                            .run = json_get_text(data, "run", STR("")),
                            .can_ask = true,
                            .spent = spent};
    if (name.n == 0) return fail(e, ERR_INVALID, "the event names no tool");
    if (read_verdict(data, &out->was, e) || read_labels(data, a, &c.labels, e))
        return -1;
    if (json_get_bool(data, "read_only", false))
        entry.flags |= TOOL_HINT_READ_ONLY;
    (void)integrity_read(json_get_text(data, "turn", STR("")), &c.turn);
    str status = json_get_text(data, "status", STR(""));
    out->again = json_get(data, "approval") && !str_is(status, "asked");
    out->unknown = !c.args && json_get(data, "args_sha256");
    out->tool = name;
    out->was_rule = json_get_text(data, "rule", STR(""));
    policy_decide(p, &c, a, &out->now);
    if (out->now.shadowed) out->now.verdict = out->now.would;
    if (!str_is(status, "done")) return 0;
    return policy_spend(p, spent, &c, e);
}
