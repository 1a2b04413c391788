/* SPDX-License-Identifier: MIT
 *
 * pin -- definitions as they were when a person last looked: tools.lock.
 *
 *     {"version": 1,
 *      "servers": {"mail": {
 *          "text": "<what the server says of itself>",
 *          "package": {...} or "certificate": "<sha256>",
 *          "tools": {"send": {"sha256": "<hash>", "definition": {...}}}}}}
 *
 * The hash is SHA-256 over the canonical JSON (RFC 8785) of the whole
 * definition: description, schemas, annotations, everything. The file is
 * written sorted, one member a line, so that it can be kept with a project and
 * its changes reviewed. A tool seen for the first time is recorded; one that
 * changed is quarantined until it is pinned again. A file that cannot be read
 * is refused, never replaced.
 */
#ifndef CORDON_POLICY_PIN_H
#define CORDON_POLICY_PIN_H

#include "base/buf.h"
#include "tools/registry.h"

struct pins;

enum pin_state {
    PIN_CHANGED, /* zero: what is not known to be the same */
    PIN_NEW,
    PIN_SAME,
};

struct pins *pins_new(struct err *e);
void pins_free(struct pins *p); /* p may be NULL */

/* ERR_INVALID says what is wrong and what to do. */
struct pins *pins_parse(str text, const char *name, struct err *e);

/* An absent file is an empty set. */
struct pins *pins_load(const char *path, struct err *e);
int pins_write(const struct pins *p, struct buf *out, struct err *e);
int pins_save(const struct pins *p, const char *path, struct err *e);

int pin_hash(const struct json *definition, uint8_t out[CRYPTO_SHA256],
             struct err *e);

/* The state of a tool, and the definition it is compared with (or NULL). */
int pins_check(const struct pins *p, str server, str tool,
               const struct json *definition, enum pin_state *state,
               const struct json **pinned, struct err *e);
int pins_set(struct pins *p, str server, str tool,
             const struct json *definition, struct err *e);

/* What is pinned of a server beside its tools: what it says of itself (its
 * instructions), the package it runs ({"runner", "packages", "sha256", ...},
 * pin_package.h) and the key of its certificate. */
enum pin_part { PIN_TEXT, PIN_PACKAGE, PIN_CERTIFICATE, PIN_PARTS };

const char *pin_part_word(enum pin_part part); /* "text", "package", ... */

int pins_check_server(const struct pins *p, str server, enum pin_part part,
                      const struct json *value, enum pin_state *state,
                      const struct json **pinned, struct err *e);
/* What is pinned; NULL: nothing. */
const struct json *pins_server(const struct pins *p, str server,
                               enum pin_part part);
int pins_set_server(struct pins *p, str server, enum pin_part part,
                    const struct json *value, struct err *e);

/* -- applying them ----------------------------------------------------------
 */

/* One thing that is not what was pinned, or that was seen for the first time.
 * tool is empty for a part of the server. */
struct pin_news {
    enum pin_state state; /* PIN_CHANGED or PIN_NEW */
    str server, tool;
    enum pin_part part;        /* where there is no tool */
    const struct json *before; /* NULL for what is new */
    const struct json *after;
};

struct pin_summary {
    size_t same, added, changed;
};

struct pin_listener {
    void (*tell)(void *data, const struct pin_news *news); /* may be NULL */
    void *data;
};

/* Compares the tools a server has just put, and the server: quarantines what
 * changed (all tools of a server that changed itself), releases what is the
 * same again, records what is new. Without `trust_new` what is new is
 * quarantined, too: nobody has looked at it. The listener hears of a change
 * once, not at every put. */
int pins_apply(struct pins *p, struct registry *r,
               const struct registry_source *source, bool trust_new,
               const struct pin_listener *listener, struct pin_summary *out,
               struct err *e);

/* The value of a part in what the registry was told, or NULL. */
int pin_part_of(const struct registry_source *source, enum pin_part part,
                struct arena *a, const struct json **out, struct err *e);

/* -- differences ------------------------------------------------------------
 */

/* Appends a line for each place where two definitions differ, with what cannot
 * be seen made visible:
 *     /description
 *       - Adds two numbers.
 *       + Adds two numbers.\u{e0049}\u{e0067}
 */
int pin_diff(const struct json *before, const struct json *after,
             struct buf *out, struct err *e);

#endif
