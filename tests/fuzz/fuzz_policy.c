/* SPDX-License-Identifier: MIT
 *
 * A rule file. What parses is checked, tested and used to decide and label one
 * call; the empty call of a tool nobody named is never allowed unless the file
 * says so.
 */
#include "fuzz.h"

#include "policy/policy.h"

#include <assert.h>

static void use(struct policy *p) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 24);
    struct entry entry = {.tool = {.server = STR("mail"), .name = STR("send")}};
    const struct json *args;
    const struct labels *labels;
    struct decision d;
    struct policy_report r;
    size_t passed;
    int parsed = json_parse(STR("{\"to\":[\"a@b.c\",{\"x\":1}],\"n\":5}"), NULL,
                            &a, &args, &e);
    assert(!parsed);
    struct policy_call call = {.tool = &entry, .args = args, .can_ask = true};
    policy_decide(p, &call, &a, &d);
    assert(d.verdict <= POLICY_ALLOW && d.rule.n > 0 && d.reason.n > 0);
    if (policy_label(p, &call, args, NULL, 1, &a, &labels, &e) == 0)
        assert(labels->count > 0);
    if (policy_check(p, &entry.tool, 1, &a, &r, &e) == 0)
        assert(r.errors <= r.count);
    if (policy_test(p, NULL, 0, &a, &r, &passed, &e) == 0)
        assert(r.errors == r.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str text = {(const char *)data, size};
    if (size > 1 << 16) return 0;
    struct policy *p = policy_parse(text, "f", &e);
    if (!p) return 0;
    use(p);
    policy_free(p);
    return 0;
}
