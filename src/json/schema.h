/* SPDX-License-Identifier: MIT
 *
 * schema -- JSON Schema 2020-12 and draft 7: compiled once, evaluated often.
 *
 * A schema document becomes flat arrays of units and instructions. References
 * lead only to the document itself, to the documents the caller hands over and
 * to the metaschemas built in; nothing is ever fetched. Evaluation is bounded
 * in steps and depth: a limit that is hit is a failure, never a pass.
 *
 * A compiled schema keeps scratch memory, so one schema is evaluated by one
 * thread at a time. The documents it was compiled from are borrowed: they must
 * outlive it.
 */
#ifndef CORDON_JSON_SCHEMA_H
#define CORDON_JSON_SCHEMA_H

#include "json/json.h"

struct schema;

/* 2019-09 is understood too, but for $recursiveRef, which is refused. Draft 6
 * is read as draft 7. */
enum schema_dialect { SCHEMA_2020_12, SCHEMA_2019_09, SCHEMA_DRAFT7 };

/* A document that references may name. */
struct schema_doc {
    str uri; /* where it would be fetched from; its own $id counts as well */
    const struct json *doc;
};

/* Zero is a sound choice for every field. */
struct schema_options {
    enum schema_dialect dialect; /* where $schema does not say */
    bool assert_formats;         /* default: "format" is an annotation */
    str base_uri;                /* the document's own address, if any */
    const struct schema_doc *docs;
    size_t doc_count;
    size_t bytes; /* of compiled form; 0: 64 MiB */
    size_t steps; /* of one evaluation; 0: 1,000,000 + 200 per value */
    size_t depth; /* of schemas applied inside each other; 0: 1,024 */
};

/* options may be NULL. The error names what is wrong and where in the schema:
 * "#/properties/age/type: ...". */
int schema_compile(const struct json *doc, const struct schema_options *options,
                   struct schema **out, struct err *e);

/* The document compiled from, for stubs and descriptions. */
const struct json *schema_document(const struct schema *s);

/* 0 when v is valid. Otherwise -1: ERR_INVALID with the first violation as
 * text, or ERR_LIMIT. Allocates nothing for ordinary schemas. */
int schema_check(struct schema *s, const struct json *v, struct err *e);

/* One violated keyword. */
struct schema_error {
    str path;            /* JSON pointer into the value; "" is the whole */
    const char *keyword; /* "type"; "false" for a schema that is false */
    str schema_path;     /* "#/properties/age/type", with the document's URI in
                            front when it is another than the compiled one */
    str expected;        /* "integer", "at most 10", "one of \"a\", \"b\"" */
    str got;             /* short excerpt of the value, as JSON */
};

struct schema_report {
    const struct schema_error *errors; /* in document order */
    size_t count;                      /* 0: the value is valid */
    bool more;                         /* there were others past the bound */
};

/* Collects at most `max` violations (0 is taken as 1); they live in the arena.
 * -1 only when the evaluation could not be finished (a limit, memory). */
int schema_explain(struct schema *s, const struct json *v, size_t max,
                   struct arena *a, struct schema_report *out, struct err *e);

void schema_free(struct schema *s); /* s may be NULL */

#define AUTO_SCHEMA __attribute__((cleanup(schema_auto_free)))
void schema_auto_free(struct schema **s);

#endif
