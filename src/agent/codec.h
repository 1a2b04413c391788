/* SPDX-License-Identifier: MIT
 *
 * codec -- between the canonical form and what an API speaks.
 *
 * Both directions: a client of a model encodes requests and decodes answers, a
 * proxy also decodes requests and encodes answers. Streams are in stream.h and
 * emit.h. Decoding takes anything a server may send: what is not understood is
 * kept (PART_OPAQUE, native) or an error, never dropped in silence.
 */
#ifndef CORDON_AGENT_CODEC_H
#define CORDON_AGENT_CODEC_H

#include "agent/message.h"
#include "agent/vendor.h"
#include "base/buf.h"

/* Bounds of what one request or answer may hold. */
#define WIRE_PARTS    20000
#define WIRE_MESSAGES 10000
#define WIRE_OFFERS   4096

/* The results borrow from v and live in the arena. */
int request_decode(enum api api, const struct json *v, struct arena *a,
                   struct model_request *out, struct err *e);
int answer_decode(enum api api, const struct json *v, struct arena *a,
                  struct model_answer *out, struct err *e);

/* Appends JSON text for the vendor's API. ERR_UNSUPPORTED names what it has no
 * form for. */
int request_encode(const struct vendor *to, const struct model_request *q,
                   struct buf *out, struct err *e);
int answer_encode(enum api api, const struct model_answer *m, struct buf *out,
                  struct err *e);

/* The canonical form itself as JSON, for people, logs and the store. */
int canon_write_request(const struct model_request *q, struct buf *out,
                        struct err *e);
int canon_write_answer(const struct model_answer *m, struct buf *out,
                       struct err *e);
int canon_write_message(const struct message *m, struct buf *out,
                        struct err *e);
/* An answer that owes nothing to where it came from: all of it is in the
 * arena. */
int canon_copy_answer(const struct model_answer *m, struct arena *a,
                      struct model_answer *out, struct err *e);
int canon_read_message(const struct json *v, struct arena *a,
                       struct messages *to, struct err *e);
int canon_read_request(const struct json *v, struct arena *a,
                       struct model_request *out, struct err *e);
int canon_read_answer(const struct json *v, struct arena *a,
                      struct model_answer *out, struct err *e);

#endif
