/* SPDX-License-Identifier: MIT
 *
 * WWW-Authenticate headers and URLs. What is found lies inside the text.
 */
#include "fuzz.h"

#include "mcp/auth_flow.h"

#include <assert.h>

static void check_inside(str text, str part) {
    if (!part.p || !part.n) return;
    assert(part.p >= text.p && part.p + part.n <= text.p + text.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    str text = {(const char *)data, size};
    struct flow_challenge c = flow_read_challenge(text);
    struct url u;
    struct err e;
    check_inside(text, c.resource_metadata);
    check_inside(text, c.scope);
    check_inside(text, c.error);
    assert(c.found || (!c.scope.p && !c.error.p && !c.resource_metadata.p));
    if (url_parse(text, &u, &e) == 0) {
        check_inside(text, u.host);
        check_inside(text, u.path);
        check_inside(text, u.query);
        assert(u.host.n > 0 && url_same_origin(&u, &u));
    }
    AUTO_BUF struct buf value = BUF_MAX(size + 1);
    (void)url_query(text, "code", &value);
    return 0;
}
