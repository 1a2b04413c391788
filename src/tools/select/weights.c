/* SPDX-License-Identifier: MIT */
#include "tools/select/weights.h"

struct weights weights_default(void) {
    return (struct weights){
        .w =
            {
#define WEIGHT(id, name, value, text) value,
#include "tools/select/weights.def"
#undef WEIGHT
            },
        .lexical =
            {
#define FIELD(id, name, lexical, vector, text) lexical,
#include "tools/select/fields.def"
#undef FIELD
            },
        .vector =
            {
#define FIELD(id, name, lexical, vector, text) vector,
#include "tools/select/fields.def"
#undef FIELD
            },
    };
}

static const char *const names[] = {
#define WEIGHT(id, name, value, text) name,
#include "tools/select/weights.def"
#undef WEIGHT
    NULL,
};

const char *weight_name(enum weight w) {
    return names[w];
}

/* "field.lead" -> LEAD, or FIELD_COUNT. */
static size_t field_after(str name, str prefix) {
    if (!str_starts(name, prefix)) return FIELD_COUNT;
    str rest = str_sub(name, prefix.n, name.n);
    size_t f = 0;
    while (f < FIELD_COUNT && !str_is(rest, field_name((enum field)f)))
        f++;
    return f;
}

int weights_set(struct weights *w, str name, float value, struct err *e) {
    for (size_t i = 0; i < WEIGHT_COUNT; i++) {
        if (!str_is(name, names[i])) continue;
        w->w[i] = value;
        return 0;
    }
    size_t lexical = field_after(name, STR("field."));
    size_t vector = field_after(name, STR("vector."));
    if (lexical < FIELD_COUNT) {
        w->lexical[lexical] = value;
        return 0;
    }
    if (vector < FIELD_COUNT) {
        w->vector[vector] = value;
        return 0;
    }
    const char *near = str_nearest(name, names);
    return fail(e, ERR_MISSING, "no weight \"%.*s\"%s%s%s", STR_ARG(name),
                near ? "; did you mean \"" : "", near ? near : "",
                near ? "\"?" : "");
}
