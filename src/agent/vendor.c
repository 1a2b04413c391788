/* SPDX-License-Identifier: MIT */
#include "agent/vendor.h"

static const struct vendor vendors[] = {
#define HAS(flag)                          VENDOR_##flag
#define VENDOR(name, api, url, key, flags) {name, API_##api, url, key, flags},
#include "agent/vendors.def"
#undef VENDOR
#undef HAS
};

#define COUNT (sizeof vendors / sizeof vendors[0])

const struct vendor *vendor_at(size_t index) {
    return index < COUNT ? &vendors[index] : NULL;
}

const struct vendor *vendor_find(str name, struct err *e) {
    const char *names[COUNT + 1] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        if (str_is(name, vendors[i].name)) return &vendors[i];
        names[i] = vendors[i].name;
    }
    const char *near = str_nearest(name, names);
    err_set(e, ERR_MISSING, "no provider \"%.*s\"%s%s%s", STR_ARG(name),
            near ? "; did you mean \"" : "", near ? near : "",
            near ? "\"?" : "");
    return NULL;
}

const struct vendor *vendor_of_api(enum api api) {
    for (size_t i = 0; i < COUNT; i++)
        if (vendors[i].api == api) return &vendors[i];
    return NULL;
}
