/* SPDX-License-Identifier: MIT
 *
 * call_fake -- calls of a provider without a boundary around it, for the tests
 * of providers. It stands in for the functions of call/provider.h that the
 * boundary brings.
 */
#ifndef CORDON_TESTS_CALL_FAKE_H
#define CORDON_TESTS_CALL_FAKE_H

#include "base/clock.h"
#include "call/host.h"
#include "json/write.h"

#include "test.h"

#define SECOND INT64_C(1000000000)

struct fake {
    struct provider_host host;
    struct arena arena;
    struct provider *provider;
    struct provider_call call;
    struct buf out; /* the result as JSON, or "code: text" */
    bool ended, failed, sent;
    int64_t timeout_ns; /* of a call; 0: 10 s */
    size_t result_max;
};

static struct fake *fake_now; /* one call at a time, one process a test */

struct store *provider_store(const struct provider_call *c) {
    (void)c;
    return NULL;
}

void provider_done(struct provider_call *c, const struct provider_result *r) {
    struct err e;
    CHECK(c == &fake_now->call && !fake_now->ended);
    fake_now->ended = true;
    CHECK_OK(json_write(r->result, JSON_COMPACT, &fake_now->out, &e), &e);
}

void provider_failed(struct provider_call *c, const char *code, bool sent,
                     const struct err *why) {
    struct err e;
    CHECK(c == &fake_now->call && !fake_now->ended);
    fake_now->ended = fake_now->failed = true;
    fake_now->sent = sent;
    CHECK_OK(buf_addf(&fake_now->out, &e, "%s: %s", code, why->text), &e);
}

static void fake_init(struct fake *f) {
    struct err e;
    *f = (struct fake){.arena = ARENA_MAX((size_t)256 << 20),
                       .out = BUF_MAX((size_t)64 << 20)};
    f->host.loop = loop_new(&e);
    f->host.registry = registry_new(&e);
    f->host.secrets = secrets_new(&e);
    CHECK(f->host.loop && f->host.registry && f->host.secrets);
    fake_now = f;
}

static void fake_fini(struct fake *f) {
    registry_free(f->host.registry);
    if (f->provider) f->provider->class->free(f->provider);
    if (f->host.http) client_free(f->host.http);
    secrets_free(f->host.secrets);
    loop_free(f->host.loop);
    arena_fini(&f->arena);
    buf_fini(&f->out);
}

static const struct json *fake_json(struct fake *f, const char *text) {
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, &f->arena, &v, &e), &e);
    return v;
}

static void fake_start(struct fake *f, const char *tool, const char *args) {
    struct entry *t = registry_find(f->host.registry, str_of(tool));
    if (!t) test_fail(__FILE__, __LINE__, "no tool %s", tool);
    if (t->fault) test_fail(__FILE__, __LINE__, "%s: %s", tool, t->fault);
    buf_truncate(&f->out, 0);
    f->ended = f->failed = f->sent = false;
    int64_t timeout = f->timeout_ns ? f->timeout_ns : 10 * SECOND;
    f->call = (struct provider_call){
        .tool = t,
        .args = fake_json(f, args),
        .idempotency_key = STR("key-of-this-call"),
        .deadline_ns = clock_mono_ns() + timeout,
        .result_max = f->result_max,
        .arena = &f->arena,
    };
    f->provider->class->call(f->provider, &f->call);
}

/* The result as JSON text, or "code: reason". */
static const char *fake_call(struct fake *f, const char *tool,
                             const char *args) {
    struct err e;
    fake_start(f, tool, args);
    while (!f->ended)
        CHECK_OK(loop_step(f->host.loop, SECOND, &e), &e);
    return buf_text(&f->out);
}

/* A member of the structured content, as JSON text. */
__attribute__((unused)) static const char *fake_member(struct fake *f,
                                                       const char *pointer) {
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(json_parse(buf_str(&f->out), NULL, &f->arena, &v, &e), &e);
    v = json_pointer(v, str_of(pointer));
    if (!v)
        test_fail(__FILE__, __LINE__, "%s: not in %s", pointer,
                  buf_text(&f->out));
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    CHECK_OK(json_write(v, JSON_COMPACT, &text, &e), &e);
    char *kept = arena_text(&f->arena, buf_str(&text), &e);
    CHECK(kept != NULL);
    return kept;
}

#endif
