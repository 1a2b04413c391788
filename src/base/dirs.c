/* SPDX-License-Identifier: MIT */
#include "base/dirs.h"

#include <stdlib.h>

static const struct {
    const char *variable;
    const char *below_home;
} places[] = {
    [DIRS_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [DIRS_STATE] = {"XDG_STATE_HOME", ".local/state"},
    [DIRS_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    [DIRS_RUNTIME] = {"XDG_RUNTIME_DIR", NULL},
};

static const char *absolute(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

static int add_base(enum dirs_kind kind, struct buf *out, struct err *e) {
    const char *set = absolute(places[kind].variable);
    if (set) return buf_add_text(out, set, e);
    if (!places[kind].below_home) return add_base(DIRS_STATE, out, e);
    const char *home = absolute("HOME");
    if (!home)
        return fail(e, ERR_SYSTEM, "neither %s nor HOME is set",
                    places[kind].variable);
    return buf_addf(out, e, "%s/%s", home, places[kind].below_home);
}

int dirs_path(enum dirs_kind kind, const char *name, struct buf *out,
              struct err *e) {
    size_t before = out->len;
    if (add_base(kind, out, e) == 0 &&
        buf_addf(out, e, "/cordon%s%s", *name ? "/" : "", name) == 0)
        return 0;
    buf_truncate(out, before);
    return -1;
}
