/* SPDX-License-Identifier: MIT
 *
 * schema_index -- finds what references name.
 *
 * Before a document is compiled its schemas are walked once for $id, $anchor
 * and $dynamicAnchor. A schema with an $id is a resource. Because a subtree is
 * one range of nodes, the resource of any node is the innermost range around
 * it; no context needs to travel with a schema.
 */
#ifndef CORDON_JSON_SCHEMA_INDEX_H
#define CORDON_JSON_SCHEMA_INDEX_H

#include "base/map.h"
#include "json/schema_ir.h"

enum vocabulary {
    VOCABULARY_CORE,
    VOCABULARY_APPLICATOR,
    VOCABULARY_UNEVALUATED,
    VOCABULARY_VALIDATION,
    VOCABULARY_FORMAT,
};

struct dialect {
    enum schema_dialect draft;
    unsigned off;        /* bit 1 << vocabulary for each one left out */
    bool assert_formats; /* by the metaschema's vocabulary */
};

struct resource {
    str uri; /* absolute as far as the document says; no fragment */
    const struct json *node, *end;
    struct source *source;
    uint32_t parent; /* the resource around it; itself at a document's root */
    struct dialect dialect;
};

struct anchor {
    const struct json *node;
    uint32_t resource;
    bool dynamic;
    str name;
    const struct anchor *same; /* the dynamic one before it of that name */
};

struct index {
    struct schema *schema;
    const struct schema_options *options;
    struct resource *resources; /* outer before inner in each document */
    size_t resource_count, resource_cap;
    struct anchor **anchors;
    size_t anchor_count, anchor_cap;
    struct map uris;    /* "uri" to a resource, "uri#name" to an anchor */
    struct map dynamic; /* name to the newest dynamic anchor of it */
    struct map members; /* address of a large object to its member_table */
};

/* What a reference leads to. */
struct target {
    struct source *source;
    const struct json *node;
    const struct anchor *anchor; /* NULL unless it was named by one */
};

/* The keywords of one schema object, by keyword. */
struct place {
    const struct json *at[KEY_COUNT]; /* value, NULL where absent */
};

void place_read(struct place *p, const struct json *schema,
                const struct dialect *d);

/* Sets *d by the value of $schema; what it does not tell stays as it is. */
int dialect_read(const struct index *x, const struct json *value,
                 struct dialect *d, struct err *e);

/* The document given under this URI, or NULL. */
const struct json *index_given(const struct index *x, str uri);

int index_add(struct index *x, const struct json *root, str uri,
              struct source **out, struct err *e);

uint32_t index_resource_of(const struct index *x, const struct source *source,
                           const struct json *node);

/* The newest dynamic anchor of this name; the others hang on it. NULL: none. */
const struct anchor *index_dynamic(const struct index *x, str name);

int index_resolve(struct index *x, uint32_t resource, str ref,
                  struct target *out, struct err *e);

void index_fini(struct index *x);

/* Text of a metaschema built in, or NULL. */
const char *schema_meta(str uri);

#endif
