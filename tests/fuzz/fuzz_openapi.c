/* SPDX-License-Identifier: MIT
 *
 * fuzz_openapi -- any JSON as an OpenAPI document, its member "x-args" as the
 * arguments of every operation.
 *
 * Whatever both hold, a request stays at its server and in its lines.
 */
#include "call/openapi_request.h"
#include "tools/registry.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_line(const char *s) {
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 && *s != '\t') abort();
}

/* Text of the document itself (a path with a blank) is the user's. */
static void check_request(const struct api_op *op, const struct json *args) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    struct api_request r;
    if (api_request_make(op, STR("http://h/v1"), args, &a, &r, &e)) return;
    if (strncmp(r.url, "http://h/v1/", 12) != 0) abort();
    for (size_t i = 0; r.headers[i].name; i++) {
        check_line(r.headers[i].name);
        check_line(r.headers[i].value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str text = {(const char *)data, size};
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct json *doc;
    struct api api;
    struct json_limits limits = {.depth = 64, .keep_duplicates = true};
    if (json_parse(text, &limits, &a, &doc, &e) || api_read(doc, &api, &e))
        return 0;
    const struct json *args = json_get(doc, "x-args");
    for (size_t i = 0; args && i < api.count; i++)
        check_request(&api.ops[i], args);
    struct registry *r = registry_new(&e);
    struct registry_source s = {.server = STR("api")};
    if (r && registry_put(r, &s, api.tools, &e) < 0) abort();
    registry_free(r);
    api_fini(&api);
    return 0;
}
