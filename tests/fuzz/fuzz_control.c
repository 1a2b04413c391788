/* SPDX-License-Identifier: MIT
 *
 * fuzz_control -- what policy and audit read beside rule files. The first byte
 * says what the rest is:
 *
 *     i  lists of an agent's settings      l  tools.lock
 *     g  a glob, a line feed and a text    k  keys of a package registry
 *     n  a checkpoint (signed note)        v  a verifier key
 *     e  lines of the audit log            s  its saved state
 *     a  an answer to an approval          r  signatures of a package
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "audit/note.h"
#include "audit/scan.h"
#include "call/approval.h"
#include "policy/explain.h"
#include "policy/pin.h"
#include "policy/pin_package.h"
#include "policy/policy.h"

#define BYTES ((size_t)1 << 24)

/* What an import makes of settings is a rule file that holds. */
static void import(str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf rules = BUF_MAX(BYTES);
    const struct json *v;
    size_t skipped;
    struct err e;
    if (json_parse(text, NULL, &a, &v, &e)) return;
    struct policy *p = policy_import(v, "f", &e);
    if (p && policy_import_text(v, &rules, &skipped, &e) == 0) {
        struct policy *again = policy_parse(buf_str(&rules), "g", &e);
        assert(again);
        policy_free(again);
    }
    policy_free(p);
}

/* A lock that is accepted is written as it was understood. */
static void lock(str text) {
    AUTO_BUF struct buf one = BUF_MAX(BYTES), two = BUF_MAX(BYTES);
    struct err e;
    struct pins *p = pins_parse(text, "tools.lock", &e);
    if (!p) return;
    if (pins_write(p, &one, &e) == 0) {
        struct pins *again = pins_parse(buf_str(&one), "tools.lock", &e);
        assert(again && pins_write(again, &two, &e) == 0);
        assert(str_eq(buf_str(&one), buf_str(&two)));
        pins_free(again);
    }
    pins_free(p);
}

/* The same by trying every way: short texts only. */
static bool matches(str p, str s) {
    if (p.n == 0) return s.n == 0;
    if (p.p[0] == '*')
        return matches(str_sub(p, 1, p.n), s) ||
               (s.n && matches(p, str_sub(s, 1, s.n)));
    return s.n && (p.p[0] == '?' || p.p[0] == s.p[0]) &&
           matches(str_sub(p, 1, p.n), str_sub(s, 1, s.n));
}

static void glob(str text) {
    str pattern = str_cut(&text, '\n');
    str s = text.p ? text : STR("");
    bool found = str_glob(pattern, s);
    if (pattern.n <= 10 && s.n <= 10 && !memchr(pattern.p, '[', pattern.n))
        assert(found == matches(pattern, s));
}

static void note(str text) {
    static const uint8_t key[CRYPTO_KEY] = {1};
    struct note n;
    struct err e;
    for (size_t left = text.n; text.n && note_read(&text, key, &n, &e) == 0;) {
        assert(text.n < left);
        left = text.n;
    }
}

static void verifier(str text) {
    AUTO_BUF struct buf out = BUF_MAX(1024);
    uint8_t key[CRYPTO_KEY], again[CRYPTO_KEY];
    struct err e;
    if (note_key_read(text, key, &e)) return;
    assert(note_key_write(key, &out, &e) == 0);
    assert(note_key_read(buf_str(&out), again, &e) == 0);
    assert(memcmp(key, again, sizeof key) == 0);
}

static void events(str text) {
    struct scan s;
    struct err e;
    scan_init(&s);
    while (text.p) {
        AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
        uint64_t before = s.tree.size;
        int bad = scan_line(&s, str_cut(&text, '\n'), &a, NULL, &e);
        assert(s.tree.size == before + !bad);
    }
}

static void saved(str text) {
    AUTO_BUF struct buf out = BUF_MAX(BYTES);
    struct scan s, again;
    struct err e;
    if (scan_load(text, &s, &e)) return;
    assert(scan_save(&s, &out, &e) == 0);
    assert(scan_load(buf_str(&out), &again, &e) == 0);
    assert(s.tree.size == again.tree.size && s.offset == again.offset);
}

/* Only four words are answers; nothing else is a yes. */
static void answer(str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    enum approval_choice choice = APPROVE_NOT;
    const struct json *body;
    struct err e;
    if (json_parse(text, NULL, &a, &body, &e)) return;
    str word = json_get_text(body, "answer", STR(""));
    if (approval_choice_read(word, &choice, &e) == 0)
        assert(str_is(word, approval_choice_word(choice)));
    else
        assert(choice == APPROVE_NOT);
}

static void keys(str text) {
    struct err e;
    struct registry_keys *k = registry_keys_new(&e);
    if (k) (void)registry_keys_add(k, text, &e);
    registry_keys_free(k);
}

/* Nobody here has npm's keys: nothing verifies. */
static void signatures(str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf out = BUF_MAX(BYTES);
    const struct json *v;
    struct err e;
    str id;
    struct registry_keys *k = registry_keys_new(&e);
    if (k && json_parse(text, NULL, &a, &v, &e) == 0) {
        enum signed_state state =
            registry_verify(k, STR("p"), STR("1.0.0"), STR("sha512-x"),
                            json_get(v, "signatures"), &id);
        assert(state != SIGNED_WELL);
        assert(!pin_package_forged(v) || json_get(v, "packages"));
        (void)pin_package_same(v, v);
        (void)pin_package_describe(v, &out, &e);
    }
    registry_keys_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 16) return 0;
    str text = {(const char *)data + 1, size - 1};
    switch (data[0]) {
    case 'i': import(text); break;
    case 'l': lock(text); break;
    case 'g': glob(text); break;
    case 'n': note(text); break;
    case 'v': verifier(text); break;
    case 'e': events(text); break;
    case 's': saved(text); break;
    case 'a': answer(text); break;
    case 'k': keys(text); break;
    case 'r': signatures(text); break;
    default: break;
    }
    return 0;
}
