/* SPDX-License-Identifier: MIT */
#include "runs/tool.h"

#include "json/write.h"

const char run_code_definition[] =
    "{\"name\":\"run_code\",\"title\":\"Run code\","
    "\"description\":\"Run a Python program that calls tools, for instance "
    "mail.send(to=['a@b.c'], subject='Hi'). Find tools with search_tools. "
    "Results stay in variables: print, or end with an expression for, only "
    "what you need to see. Independent reads run at once; loops over many "
    "calls are fine. The usual modules without files or network are there "
    "(json, re, math, datetime, collections, itertools ...). Errors are "
    "exceptions. If state is 'waiting' a person must agree first; call again "
    "with the run's id later.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"code\":{\"type\":\"string\",\"description\":\"the program\"},"
    "\"session\":{\"type\":\"string\",\"maxLength\":60,\"description\":\"keep "
    "variables under this name between runs\"},"
    "\"run\":{\"type\":\"string\",\"description\":\"instead of code: the id of "
    "a run to wait for\"},"
    "\"tier\":{\"enum\":[\"script\",\"container\"],\"description\":"
    "\"container: CPython with all it has installed (numpy, pandas ...) and "
    "files in /tmp; plots come back as pictures; a person may be asked "
    "first\"},"
    "\"job\":{\"enum\":[\"script\",\"container\"],\"description\":\"for long "
    "work: its id comes at once. container is CPython, begun again when it "
    "was cut off, with what it kept in /checkpoint; a person may be asked "
    "first\"}},"
    "\"additionalProperties\":false},"
    "\"execution\":{\"taskSupport\":\"optional\"}}";

int run_code_text(const struct json *outcome, struct buf *out, struct err *e) {
    static const char *const shown[] = {
        "run",   "state",   "value",     "value_head", "repr", "output",
        "error", "waiting", "truncated", "files",      "hint"};
    struct jw w = JW(out);
    jw_object(&w);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const struct json *v = json_get(outcome, shown[i]);
        if (!v || (json_type(v) == JSON_STRING && json_len(v) == 0)) continue;
        jw_key(&w, shown[i]);
        jw_value(&w, v);
    }
    jw_end_object(&w);
    return jw_done(&w, e);
}
