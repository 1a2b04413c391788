/* SPDX-License-Identifier: MIT
 *
 * openapi_doc -- an OpenAPI 3 document, read as a list of operations and the
 * tools they are.
 *
 * Every operation becomes a tool whose arguments are its parameters and the
 * members of its body, side by side. The document is the user's choice but
 * somebody else's text: counts and sizes are bounded, references that lead
 * nowhere are open schemas, nothing is fetched.
 */
#ifndef CORDON_CALL_OPENAPI_DOC_H
#define CORDON_CALL_OPENAPI_DOC_H

#include "base/map.h"
#include "json/json.h"

#define API_OPERATIONS 20000
#define API_PARAMS     512 /* of one operation */

enum api_in {
    API_PATH,
    API_QUERY,
    API_HEADER,
    API_COOKIE,
    API_MEMBER, /* of the body */
    API_BODY,   /* the whole body */
};

/* How a value that is not plain text is written; see the document's "style". */
enum api_style {
    API_SIMPLE, /* a,b,c */
    API_FORM,   /* name=a&name=b, or name=a,b */
    API_SPACE,  /* name=a%20b */
    API_PIPE,   /* name=a|b */
    API_DEEP,   /* name[key]=value */
    API_JSON,   /* "content": as JSON text */
};

struct api_param {
    str name; /* of the argument */
    str wire; /* in the request */
    enum api_in in;
    enum api_style style;
    bool explode;
};

enum api_body {
    API_NO_BODY,
    API_BODY_JSON,
    API_BODY_FORM,
    API_BODY_MULTIPART,
    API_BODY_TEXT, /* as it is */
};

struct api_op {
    str name;   /* of the tool */
    str method; /* "GET" */
    str path;   /* "/users/{id}" */
    str server; /* a base URL of its own; empty: the document's */
    struct api_param *params;
    size_t param_count;
    enum api_body body;
    str body_type;               /* "application/json" */
    str idempotency;             /* header that takes the key; may be empty */
    const struct json *security; /* requirements; NULL: none said */
};

struct api {
    struct arena arena;
    const struct json *doc; /* borrowed */
    str title, about;
    str base;      /* URL of the first server; may be relative or empty */
    bool nullable; /* 3.0: "nullable", exclusive bounds as flags */
    struct api_op *ops;
    size_t count;
    struct map by_name;       /* tool name -> op */
    const struct json *tools; /* definitions, in the order of ops */
};

/* doc must outlive *out. */
int api_read(const struct json *doc, struct api *out, struct err *e);
const struct api_op *api_find(const struct api *a, str tool);
void api_fini(struct api *a);

/* What a $ref leads to; the value itself where there is none; NULL when it
 * leads nowhere. */
const struct json *api_resolve(const struct api *a, const struct json *v);

#endif
