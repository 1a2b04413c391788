/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/library.h"

#include <string.h>

struct api {
    double (*cos)(double);
};

TEST(a_library_is_loaded_by_name) {
    static const struct library_symbol symbols[] = {
        {"cos", offsetof(struct api, cos)}, {NULL, 0}};
    struct api api = {NULL};
    struct err e;
    CHECK_OK(library_load("libm.so.6", symbols, &api, &e), &e);
    CHECK(api.cos(0) > 0.99);
}

TEST(what_is_not_there_is_named) {
    static const struct library_symbol symbols[] = {
        {"no_such_function", offsetof(struct api, cos)}, {NULL, 0}};
    struct api api = {NULL};
    struct err e;
    CHECK_EQ(library_load("libnothing.so.9", symbols, &api, &e), -1);
    CHECK(strstr(e.text, "libnothing.so.9"));
    CHECK_EQ(library_load("libm.so.6", symbols, &api, &e), -1);
    CHECK(strstr(e.text, "no_such_function"));
}
