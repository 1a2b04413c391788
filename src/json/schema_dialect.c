/* SPDX-License-Identifier: MIT
 *
 * What $schema says: which draft, and which vocabularies of it.
 */
#include "json/schema_index.h"
#include "json/schema_uri.h"

static const struct {
    const char *uri;
    enum schema_dialect draft;
} drafts[] = {
    {"https://json-schema.org/draft/2020-12/schema", SCHEMA_2020_12},
    {"https://json-schema.org/draft/2019-09/schema", SCHEMA_2019_09},
    {"http://json-schema.org/draft-07/schema", SCHEMA_DRAFT7},
    {"https://json-schema.org/draft-07/schema", SCHEMA_DRAFT7},
    {"http://json-schema.org/draft-06/schema", SCHEMA_DRAFT7},
};

static const struct {
    const char *name;
    unsigned covers; /* vocabularies that stay on when it is listed */
} vocabularies[] = {
    {"core", 0},
    {"applicator", 1u << VOCABULARY_APPLICATOR},
    {"unevaluated", 1u << VOCABULARY_UNEVALUATED},
    {"validation", 1u << VOCABULARY_VALIDATION},
    {"format-annotation", 1u << VOCABULARY_FORMAT},
    {"format-assertion", 1u << VOCABULARY_FORMAT},
    {"meta-data", 0},
    {"content", 0},
};
#define VOCABULARY_COUNT (sizeof vocabularies / sizeof vocabularies[0])
#define VOCABULARY_ALL   0x1eu /* all but the core */

static size_t find_vocabulary(str uri) {
    str prefix = STR("https://json-schema.org/draft/2020-12/vocab/");
    if (!str_starts(uri, prefix)) return VOCABULARY_COUNT;
    str name = str_sub(uri, prefix.n, uri.n);
    size_t i = 0;
    while (i < VOCABULARY_COUNT && !str_is(name, vocabularies[i].name))
        i++;
    return i;
}

/* The dialect of schemas whose metaschema has this $vocabulary. */
static int read_vocabulary(const struct json *list, struct dialect *d,
                           struct err *e) {
    unsigned on = 0;
    bool asserted = false;
    const struct json *key = json_first(list);
    for (size_t n = json_len(list); n > 0; n--, key = json_skip(key + 1)) {
        size_t i = find_vocabulary(json_str(key));
        bool needed = json_type(key + 1) == JSON_BOOL && key[1].as.boolean;
        if (i == VOCABULARY_COUNT && needed)
            return fail(e, ERR_UNSUPPORTED, "$vocabulary: %.*s is not known",
                        STR_ARG(json_str(key)));
        if (i == VOCABULARY_COUNT) continue;
        on |= vocabularies[i].covers;
        asserted |= str_is(str_of(vocabularies[i].name), "format-assertion");
    }
    *d = (struct dialect){SCHEMA_2020_12, VOCABULARY_ALL & ~on, asserted};
    return 0;
}

int dialect_read(const struct index *x, const struct json *value,
                 struct dialect *d, struct err *e) {
    if (json_type(value) != JSON_STRING)
        return fail(e, ERR_INVALID, "$schema: expected a string");
    str fragment, uri = uri_without_fragment(json_str(value), &fragment);
    for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++) {
        if (!str_is(uri, drafts[i].uri)) continue;
        *d = (struct dialect){.draft = drafts[i].draft};
        return 0;
    }
    const struct json *meta = index_given(x, uri);
    const struct json *list = json_get(meta, "$vocabulary");
    if (!meta)
        return fail(e, ERR_UNSUPPORTED, "$schema: %.*s is not known here",
                    STR_ARG(uri));
    if (!list || json_type(list) != JSON_OBJECT) return 0;
    return read_vocabulary(list, d, e);
}
