/* SPDX-License-Identifier: MIT
 *
 * secret -- values that nobody but a provider may see.
 *
 * Configuration refers to a secret instead of holding it:
 *
 *     ${env:NAME}  ${file:PATH}  ${command:PROGRAM ARG...}  ${keyring:NAME}
 *
 * and "$${" stands for a plain "${". A set resolves references, remembers each
 * value it gave out and takes those values out of text that leaves. Programs
 * and models hold a handle, the text {{secret:NAME}}; the value takes its place
 * on the way into the provider of a server it was declared for.
 */
#ifndef CORDON_POLICY_SECRET_H
#define CORDON_POLICY_SECRET_H

#include "base/buf.h"
#include "json/json.h"

#define SECRET_BYTES 65536 /* of one value */
#define SECRET_SHORTEST                              \
    6 /* shorter values are not redacted: they would \
         take half of every text with them */

struct secrets;

struct secrets *secrets_new(struct err *e);
void secrets_free(struct secrets *s); /* wipes; s may be NULL */

/* Hears of each secret that is fetched (server is empty: the configuration has
 * it) and of each handle that becomes a value on its way to a server. It never
 * hears the value. */
struct secret_listener {
    void (*used)(void *data, str name, str server);
    void *data;
};
void secrets_listen(struct secrets *s, struct secret_listener listener);

/* Does the text hold a reference? */
bool secret_refers(str text);

/* Appends text with its references replaced. The error names the reference,
 * never a value. */
int secrets_expand(struct secrets *s, str text, struct buf *out, struct err *e);

/* The same in every string of a value (keys are left alone). */
int secrets_expand_json(struct secrets *s, const struct json *v,
                        struct arena *a, const struct json **out,
                        struct err *e);

/* A value that came another way, such as a token from a login: it is redacted
 * from now on, as "[secret NAME]". */
int secrets_add(struct secrets *s, str name, str value, struct err *e);

/* -- handles ----------------------------------------------------------------
 */

/* {{secret:NAME}} in arguments for a server that matches one of the patterns
 * (with * and ?, separated by commas) becomes text, expanded at first use. */
int secrets_declare(struct secrets *s, str name, str text, str servers,
                    struct err *e);

/* Arguments with handles replaced, for the provider alone. A handle that is
 * unknown or not meant for the server is ERR_DENIED. *out is v itself where
 * there is none. */
int secrets_fill(struct secrets *s, str server, const struct json *v,
                 struct arena *a, const struct json **out, struct err *e);

/* -- redaction --------------------------------------------------------------
 */

/* Does the text hold a value that was given out (as it is, or in base64, in a
 * URL or in JSON)? */
bool secrets_occur(const struct secrets *s, str text);
int secrets_redact(const struct secrets *s, str text, struct buf *out,
                   struct err *e);

/* In every string and key; *out is v itself where nothing had to go. */
int secrets_redact_json(const struct secrets *s, const struct json *v,
                        struct arena *a, const struct json **out,
                        struct err *e);

#endif
