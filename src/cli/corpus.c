/* SPDX-License-Identifier: MIT */
#include "cli/corpus.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "call/openapi_doc.h"

#define SNIFFED 4096 /* bytes in which an OpenAPI document says what it is */

static bool looks_like_openapi(str text) {
    return str_find(str_sub(text, 0, SNIFFED), STR("\"openapi\"")) >= 0;
}

/* "/a/github.json" -> "github". */
static str stem(const char *path) {
    const char *slash = strrchr(path, '/');
    str name = str_of(slash ? slash + 1 : path);
    ptrdiff_t dot = str_find_char(name, '.');
    return dot > 0 ? str_sub(name, 0, (size_t)dot) : name;
}

static int add_api(struct catalogue *c, str text, str server, struct err *e) {
    struct json_limits limits = {.bytes = CATALOGUE_FILE,
                                 .keep_duplicates = true};
    AUTO_ARENA struct arena scratch = ARENA_MAX(CATALOGUE_BYTES);
    struct api api;
    const struct json *doc;
    if (json_parse(text, &limits, &scratch, &doc, e) || api_read(doc, &api, e))
        return -1;
    int result = catalogue_add_json(c, api.tools, server, e);
    api_fini(&api);
    return result;
}

static int add_file(struct catalogue *c, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CATALOGUE_FILE);
    if (file_read(path, &text, e)) return -1;
    int failed = looks_like_openapi(buf_str(&text))
                     ? add_api(c, buf_str(&text), stem(path), e)
                     : catalogue_add_text(c, buf_str(&text), e);
    return failed ? fail_while(e, "%s", path) : 0;
}

int corpus_add(struct catalogue *c, const struct args *a, struct err *e) {
    for (size_t i = 0; args_nth(a, "corpus", i); i++)
        if (add_file(c, args_nth(a, "corpus", i), e)) return -1;
    return 0;
}
