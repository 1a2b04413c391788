/* SPDX-License-Identifier: MIT
 *
 * wire -- what the codecs share. Not for others.
 *
 * Each API has the functions declared below by apis.def, in its own files.
 */
#ifndef CORDON_AGENT_WIRE_H
#define CORDON_AGENT_WIRE_H

#include "agent/codec.h"
#include "json/write.h"

struct stream;
struct slot;

#define API(id, name, prefix, path)                                          \
    int prefix##_decode_request(const struct json *v, struct arena *a,       \
                                struct model_request *out, struct err *e);   \
    int prefix##_decode_answer(const struct json *v, struct arena *a,        \
                               struct model_answer *out, struct err *e);     \
    int prefix##_decode_event(struct stream *s, str type,                    \
                              const struct json *v, struct err *e);          \
    int prefix##_finish_slot(struct slot *slot, struct arena *a,             \
                             struct part_list *to, struct err *e);           \
    int prefix##_encode_request(const struct vendor *to,                     \
                                const struct model_request *q, struct jw *w, \
                                struct err *e);                              \
    int prefix##_encode_answer(const struct model_answer *m, struct jw *w,   \
                               struct err *e);
#include "agent/apis.def"
#undef API

/* Members: the empty text where it is absent or no text. */
str wire_text(const struct json *v, const char *key);
bool wire_is(const struct json *v, const char *key, const char *want);
bool wire_array(const struct json *v); /* v may be NULL */
bool wire_object(const struct json *v);

/* Walks an array, from NULL: NULL past its last item, or where it is none. */
const struct json *wire_next(const struct json *list, const struct json *item);

/* The member under either of two spellings. */
const struct json *wire_get2(const struct json *v, const char *a,
                             const char *b);

/* As json_pointer; one part of the path may be "*", the first element from
 * which the rest leads somewhere. */
const struct json *wire_pointer(const struct json *v, str path);

/* Writes the members of v (an object, or NULL) but those whose names are
 * words of `known`. */
void wire_rest(struct jw *w, const struct json *v, const char *known);

/* native where it belongs to this API, else NULL. */
static inline const struct json *wire_native(enum api own, enum api api,
                                             const struct json *native) {
    return own == api ? native : NULL;
}

/* A part that is kept as it is. */
struct part *wire_opaque(struct part_list *to, enum api api,
                         const struct json *v, struct arena *a, struct err *e);

/* Calls with arguments as an object (set args and text from it). */
int wire_args_object(struct part *call, const struct json *args,
                     struct arena *a, struct err *e);

/* Writes a call's arguments as an object: an empty one where there are none
 * that could be read, so that a bad call never breaks the conversation. */
void wire_put_args(struct jw *w, const struct part *call);

/* The arguments as JSON text, likewise always an object. */
void wire_put_args_text(struct jw *w, const struct part *call);

/* Why it stopped, where v is a text: the API's word and what it means. */
void wire_read_stop(const struct json *v, struct model_answer *m);

/* Ends the answer: STOP_END with calls is STOP_CALLS. */
void wire_settle(struct model_answer *m);

/* {"error": {...}} in any of the usual shapes: true when v is one. */
bool wire_error(const struct json *v, struct model_answer *out);

/* "data:image/png;base64,AAAA" taken apart; false when it is not one. */
bool wire_data_url(str url, str *mime, str *data);
void wire_put_image_url(struct jw *w, const char *key, const struct part *p);

/* The text of a result's parts, for APIs that take only text there; anything
 * else in it is named in brackets. */
int wire_result_text(const struct part *result, struct buf *out, struct err *e);

int64_t wire_count(const struct json *v, const char *key); /* -1: absent */
int wire_unsupported(const char *what, enum api api, struct err *e);

/* A tool of the vendor's own goes back as it came, to that vendor alone. */
int wire_vendor_tool(struct jw *w, const struct json *native, enum api api,
                     struct err *e);

/* The name of the tool that a result's call called, from the messages before
 * it; empty when there is none. */
str wire_call_name(const struct model_request *q, const struct part *result);

#endif
