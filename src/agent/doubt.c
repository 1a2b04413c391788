/* SPDX-License-Identifier: MIT */
#include "agent/doubt.h"

#include "agent/wire.h"

#include <math.h>

/* What begins a call in the words of the model families that have such. */
static const char *const marks[] = {
    "<tool_call>",    "<|tool_call|>",         "<|tool_calls_section_begin|>",
    "[TOOL_CALLS]",   "<|python_tag|>",        "<function=",
    "functools",      "<|tool_call_begin|>",   "<\xef\xbd\x9ctool",
    "[TOOL_REQUEST]", "<|channel|>commentary", "{\"name\"",
};

/* A token may be less than the mark, or more. */
static bool begins_call(str token) {
    token = str_trim(token);
    if (token.n == 0) return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        str mark = str_of(marks[i]);
        if (str_starts(mark, token) || str_starts(token, mark)) return true;
    }
    return false;
}

/* Adds a token's probability to those of its kind. */
static void weigh(const struct json *v, double sums[2]) {
    const struct json *p = json_get(v, "logprob");
    if (!p || !json_is_number(p)) return;
    sums[begins_call(wire_text(v, "token"))] += exp(json_number(p));
}

double doubt_sure(const struct model_answer *m) {
    const struct json *top = json_get(m->first_token, "top_logprobs");
    bool called = next_call(&m->parts, NULL) != NULL;
    double sums[2] = {0, 0};
    if (!m->first_token) return -1;
    if (wire_array(top) && json_len(top) > 0) {
        const struct json *item = json_first(top);
        for (size_t i = json_len(top); i > 0; i--, item = json_skip(item))
            weigh(item, sums);
    } else {
        weigh(m->first_token, sums);
    }
    double all = sums[0] + sums[1];
    if (!(all > 0) || (called && !(sums[1] > 0))) return -1;
    return sums[called] / all;
}
