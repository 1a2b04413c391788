/* SPDX-License-Identifier: MIT
 *
 * Allow, ask and deny lists as coding agents keep them, as rules:
 *
 *     mcp__github__create_issue, mcp__github__*, mcp__github, github.create_*
 *
 * Lists like these are known for entries that parse and never match, so what
 * has no meaning here is an error, not silence.
 */
#include "policy/explain.h"

#include "base/mem.h"
#include "policy/words.h"

#define TEXT_BYTES ((size_t)4 << 20)

/* Tools that live in the agent: their entries say nothing about ours. */
static bool is_agents_own(str tool) {
    static const char *const own[] = {
#define OWN(name) name,
#include "policy/agent_tools.def"
#undef OWN
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (str_is(tool, own[i])) return true;
    return false;
}

static bool is_pattern(str s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '*' ||
                  c == '?' || c == '.' || c == '/';
        if (!ok) return false;
    }
    return s.n > 0;
}

/* "server.tool" of an entry. */
static int pattern_of(str entry, struct buf *out, struct err *e) {
    if (!is_pattern(entry))
        return fail(e, ERR_INVALID,
                    "\"%.*s\" can never match: conditions in brackets have no "
                    "meaning for these tools",
                    STR_ARG(entry));
    if (!str_starts(entry, STR("mcp__"))) {
        if (str_find_char(entry, '.') > 0)
            return buf_addf(out, e, "\"%.*s\"", STR_ARG(entry));
        return fail(e, ERR_INVALID,
                    "\"%.*s\" can never match: write mcp__server__tool or "
                    "server.tool",
                    STR_ARG(entry));
    }
    str rest = str_sub(entry, 5, entry.n);
    ptrdiff_t cut = str_find(rest, STR("__"));
    str server = cut < 0 ? rest : str_sub(rest, 0, (size_t)cut);
    str tool = cut < 0 ? STR("*") : str_sub(rest, (size_t)cut + 2, rest.n);
    if (server.n == 0 || tool.n == 0)
        return fail(e, ERR_INVALID, "\"%.*s\" names no server and tool",
                    STR_ARG(entry));
    return buf_addf(out, e, "\"%.*s.%.*s\"", STR_ARG(server), STR_ARG(tool));
}

static int import_entry(str entry, const char *verdict, int *number,
                        struct buf *out, size_t *skipped, struct err *e) {
    str rest = entry, name = str_trim(str_cut(&rest, '('));
    entry = str_trim(entry);
    if (is_agents_own(name)) {
        ++*skipped;
        return buf_addf(out, e, "# the agent's own: %.*s\n", STR_ARG(entry));
    }
    if (buf_addf(out, e, "%s I%d tool ", verdict, ++*number) ||
        pattern_of(entry, out, e))
        return -1;
    return buf_add_char(out, '\n', e);
}

static int import_list(const struct json *list, const char *verdict,
                       int *number, struct buf *out, size_t *skipped,
                       struct err *e) {
    if (!list) return 0;
    if (json_type(list) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "%s is no list", verdict);
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING)
            return fail(e, ERR_INVALID, "%s: an entry that is no text",
                        verdict);
        if (str_find_char(json_str(v), '\n') >= 0)
            return fail(e, ERR_INVALID, "%s: an entry of two lines", verdict);
        if (import_entry(json_str(v), verdict, number, out, skipped, e))
            return fail_while(e, "%s", verdict);
    }
    return 0;
}

int policy_import_text(const struct json *settings, struct buf *out,
                       size_t *skipped, struct err *e) {
    static const char *const verdicts[] = {"deny", "ask", "allow"};
    const struct json *p = json_get(settings, "permissions");
    int number = 0;
    if (!p) p = settings;
    *skipped = 0;
    if (json_type(p) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "these are no settings with permissions");
    for (int i = 0; i < 3; i++)
        if (import_list(json_get(p, verdicts[i]), verdicts[i], &number, out,
                        skipped, e))
            return -1;
    if (number == 0 && *skipped == 0)
        return fail(e, ERR_INVALID, "there is no allow, ask or deny list");
    return 0;
}

struct policy *policy_import(const struct json *settings, const char *name,
                             struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    size_t skipped;
    if (policy_import_text(settings, &text, &skipped, e)) {
        err_context(e, "%s", name);
        return NULL;
    }
    return policy_parse(buf_str(&text), name, e);
}
