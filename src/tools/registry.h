/* SPDX-License-Identifier: MIT
 *
 * registry -- the tools that can be called now, by every name they go by.
 *
 * A server (or a config section, or an OpenAPI document) puts its whole list
 * at once and replaces what it had before; a tool whose definition did not
 * change stays the same entry. Entries are counted: a call in flight holds its
 * entry, also when the list changed meanwhile. A tool whose schema is not
 * valid is set aside with the reason, its neighbours are not.
 *
 * The selection index follows the registry.
 */
#ifndef CORDON_TOOLS_REGISTRY_H
#define CORDON_TOOLS_REGISTRY_H

#include "base/crypto.h"
#include "tools/select/select.h"
#include "tools/tool.h"
#include "json/schema.h"

#define REGISTRY_TOOLS ((size_t)1 << 20)

/* What is said of a tool. Hints are the server's word: they may let reads
 * overlap and sort a list, never more. The others are the user's. */
enum tool_flag {
    TOOL_HINT_READ_ONLY = 1 << 0,
    TOOL_HINT_IDEMPOTENT = 1 << 1,
    TOOL_HINT_DESTRUCTIVE = 1 << 2,
    TOOL_HINT_CLOSED_WORLD = 1 << 3,
    TOOL_READ_ONLY = 1 << 4,
    TOOL_IDEMPOTENT = 1 << 5,
    TOOL_SET_ASIDE = 1 << 6,   /* not callable: see entry.fault */
    TOOL_QUARANTINED = 1 << 7, /* differs from its pin: see policy/pin.h */
    TOOL_BUILTIN = 1 << 8,     /* of ours: found by name, not by searching */
    TOOL_NEED = 1 << 9,        /* what a run asks for: see call/needs.h */
};

struct entry {
    struct tool tool;              /* views into the entry's own memory */
    const struct json *definition; /* whole, as the server gave it */
    str name;                      /* flat and unique: "mail__send" */
    str space, method;             /* Python: mail.send(...) */
    unsigned flags;                /* enum tool_flag */
    uint8_t pin[CRYPTO_SHA256];    /* of the canonical definition */
    const char *fault;             /* why it is set aside, or NULL */
    const char *doubt;             /* why it is quarantined; static text */
    void *provider;                /* struct provider of call/provider.h */
};

/* Of the arguments, compiled when it is first asked for; NULL only when memory
 * is short, for a tool that is not set aside. */
struct schema *entry_input(struct entry *t, struct err *e);
/* Of results, for a tool that declares tool.output. */
struct schema *entry_output(struct entry *t, struct err *e);

struct registry;

struct registry *registry_new(struct err *e);
void registry_free(struct registry *r);

/* How a server's tools are to be taken. Zero is a sound choice. */
struct registry_source {
    str server;
    str server_text; /* its instructions */
    void *provider;
    /* Patterns with * and ?; empty allow: all. */
    const str *allow, *exclude;
    size_t allow_count, exclude_count;
    /* {"tool": {"description", "examples", "category", "keywords", "always",
     * "readOnly", "idempotent"}}, from the user's config; or NULL. */
    const struct json *overrides;
    /* What the server itself is, where that is known: {"package": {...}} or
     * {"certificate": "<sha256>"}; or NULL. See policy/pin.h. */
    const struct json *identity;
    /* Of ours: may take a namespace that programs need ("tools"). */
    bool builtin;
    bool needs; /* TOOL_NEED */
};

/* Sees what every registry_put put (but what is builtin) before anybody can
 * call it, so that no way into the registry can leave it out. */
struct registry_guard {
    void (*check)(void *data, struct registry *r,
                  const struct registry_source *source);
    void *data;
};
void registry_set_guard(struct registry *r, struct registry_guard guard);

/* tools: an array of definitions, copied. Duplicate names in one list: the
 * later is set aside. The count of callable tools is returned, -1 on failure;
 * then the server's old list stands. */
int registry_put(struct registry *r, const struct registry_source *source,
                 const struct json *tools, struct err *e);
void registry_remove(struct registry *r, str server);

/* Every server of a catalogue, for looking at its tools: they have no
 * provider. */
int registry_put_catalogue(struct registry *r, const struct catalogue *c,
                           struct err *e);

/* By flat name, "server.tool", "server/tool" or Python name; NULL: none. The
 * entry lives until the next registry_put of its server, or until dropped. */
struct entry *registry_find(const struct registry *r, str name);
struct entry *entry_hold(struct entry *t);
void entry_drop(struct entry *t); /* t may be NULL */

/* The nearest names to one that does not exist, best first, for errors. */
size_t registry_near(struct registry *r, str name, str *out, size_t max);

size_t registry_count(const struct registry *r);
struct entry *registry_at(const struct registry *r, size_t index);

/* Changes with every put and remove; lists made from the registry compare it.
 */
uint64_t registry_generation(const struct registry *r);

/* The index over callable tools, brought up to date; NULL on failure. Document
 * ids are flat names. */
struct selector *registry_selector(struct registry *r, struct err *e);

/* What holds for every selection from now on; borrowed, NULL: nothing. */
void registry_stand(struct registry *r, const struct standing *s);

/* Is it offered with every request? */
bool registry_always(const struct registry *r, const struct entry *t);

/* A call of it succeeded, made for `who`: see select/memory.h. */
void registry_used(struct registry *r, struct entry *t, str who);

#endif
