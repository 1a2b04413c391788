/* SPDX-License-Identifier: MIT
 *
 * Pins and the registry: what a server has just put is compared with what was
 * recorded of it.
 */
#include "policy/pin.h"

#include "policy/pin_package.h"
#include "json/build.h"

#define VALUE_BYTES ((size_t)64 << 20)

struct applying {
    struct pins *pins;
    const struct registry_source *source;
    bool trust_new;
    const struct pin_listener *listener;
    struct pin_summary sum;
    const char *doubt; /* about the server itself: all its tools share it */
    bool fresh;        /* some tool was not quarantined before */
};

/* -- the server -------------------------------------------------------------
 */

int pin_part_of(const struct registry_source *source, enum pin_part part,
                struct arena *a, const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    *out = NULL;
    if (part != PIN_TEXT) {
        if (source->identity)
            *out = json_get(source->identity, pin_part_word(part));
        return 0;
    }
    build_text(&b, source->server_text);
    return build_done(&b, out, e);
}

static const char *doubt_of(enum pin_part part) {
    switch (part) {
    case PIN_TEXT: return "what its server says of itself changed";
    case PIN_PACKAGE: return "the package of its server changed";
    case PIN_CERTIFICATE: return "the certificate of its server changed";
    case PIN_PARTS: break;
    }
    return "its server changed";
}

static void tell(const struct applying *a, const struct pin_news *news) {
    if (a->listener && a->listener->tell)
        a->listener->tell(a->listener->data, news);
}

static int check_part(struct applying *a, enum pin_part part, struct err *e) {
    AUTO_ARENA struct arena memory = ARENA_MAX(VALUE_BYTES);
    str server = a->source->server;
    const struct json *value, *pinned;
    enum pin_state state;
    if (pin_part_of(a->source, part, &memory, &value, e)) return -1;
    if (!value) return 0;
    bool forged = part == PIN_PACKAGE && pin_package_forged(value);
    if (pins_check_server(a->pins, server, part, value, &state, &pinned, e))
        return -1;
    struct pin_news news = {.state = state,
                            .server = server,
                            .part = part,
                            .before = pinned,
                            .after = value};
    if (forged) {
        a->doubt = "the registry's signature of its package is wrong";
        if (a->fresh) tell(a, &news);
        return 0;
    }
    switch (state) {
    case PIN_SAME: return 0;
    case PIN_CHANGED:
        a->doubt = doubt_of(part);
        if (a->fresh) tell(a, &news);
        return 0;
    case PIN_NEW:
        if (!a->trust_new) return 0;
        a->sum.added += part != PIN_TEXT;
        return pins_set_server(a->pins, server, part, value, e);
    }
    return 0;
}

/* -- its tools --------------------------------------------------------------
 */

/* A tool that is set aside cannot be called: it is recorded once it can. */
static bool concerns(const struct applying *a, const struct entry *t) {
    return str_eq(t->tool.server, a->source->server) &&
           !(t->flags & (TOOL_BUILTIN | TOOL_SET_ASIDE));
}

static void quarantine(struct entry *t, const char *why) {
    t->flags |= TOOL_QUARANTINED;
    t->doubt = why;
}

static int apply_tool(struct applying *a, struct entry *t, struct err *e) {
    str server = t->tool.server, tool = t->tool.name;
    bool before = (t->flags & TOOL_QUARANTINED) != 0;
    const struct json *pinned;
    enum pin_state state;
    /* What cannot be compared is not trusted. */
    quarantine(t, "it could not be compared with its pin");
    if (pins_check(a->pins, server, tool, t->definition, &state, &pinned, e))
        return -1;
    struct pin_news news = {.state = state,
                            .server = server,
                            .tool = tool,
                            .before = pinned,
                            .after = t->definition};
    a->sum.same += state == PIN_SAME;
    a->sum.added += state == PIN_NEW;
    a->sum.changed += state == PIN_CHANGED;
    if (state == PIN_CHANGED)
        quarantine(t, "its definition changed since it was pinned");
    else if (a->doubt)
        quarantine(t, a->doubt);
    else if (state == PIN_NEW && !a->trust_new)
        quarantine(t, "it is new, and nobody has pinned it");
    else {
        t->flags &= ~(unsigned)TOOL_QUARANTINED;
        t->doubt = NULL;
    }
    if (state != PIN_SAME && !before) tell(a, &news);
    /* Of a server that is not what it was nothing new is believed. */
    if (state != PIN_NEW || !a->trust_new || a->doubt) return 0;
    return pins_set(a->pins, server, tool, t->definition, e);
}

int pins_apply(struct pins *p, struct registry *r,
               const struct registry_source *source, bool trust_new,
               const struct pin_listener *listener, struct pin_summary *out,
               struct err *e) {
    struct applying a = {.pins = p,
                         .source = source,
                         .trust_new = trust_new,
                         .listener = listener};
    size_t count = 0;
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        if (!concerns(&a, t)) continue;
        count++;
        a.fresh |= !(t->flags & TOOL_QUARANTINED);
    }
    /* A server that lists nothing (yet) is not looked at. */
    for (int part = 0; count > 0 && part < PIN_PARTS; part++)
        if (check_part(&a, (enum pin_part)part, e)) return -1;
    for (size_t i = 0; i < registry_count(r); i++) {
        struct entry *t = registry_at(r, i);
        if (concerns(&a, t) && apply_tool(&a, t, e)) return -1;
    }
    *out = a.sum;
    return 0;
}
