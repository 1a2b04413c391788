/* SPDX-License-Identifier: MIT
 *
 * The server that the official MCP conformance suites expect to meet, built on
 * the library.
 *
 *     mcp_fixture DEFINITIONS.json             on standard input and output
 *     mcp_fixture DEFINITIONS.json HOST:PORT   over HTTP at /mcp; prints the
 * port
 *
 * MCP_FIXTURE_ERA=legacy or modern in the environment leaves it one era.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/server.h"
#include "mcp/server.h"
#include "json/build.h"
#include "json/write.h"

struct fixture {
    struct loop *loop;
    struct mcp_server *server;
    const struct json *defs;
    struct log log;
};

/* -- answering --------------------------------------------------------------
 */

static void answer(struct mcp_request *r, struct json_build *b) {
    const struct json *result;
    struct err e;
    if (build_done(b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

static void open_content(struct json_build *b) {
    build_object(b);
    build_key(b, STR("content"));
    build_array(b);
}

static void close_content(struct json_build *b) {
    build_end(b);
    build_end(b);
}

static void put_text_block(struct json_build *b, str text) {
    build_object(b);
    build_put_text(b, "type", STR("text"));
    build_put_text(b, "text", text);
    build_end(b);
}

static void put_media(struct fixture *f, struct json_build *b, const char *type,
                      const char *mime, const char *data) {
    build_object(b);
    build_put_text(b, "type", str_of(type));
    build_put_text(b, "data", json_get_text(f->defs, data, STR("")));
    build_put_text(b, "mimeType", str_of(mime));
    build_end(b);
}

static void put_resource(struct json_build *b, str uri, const char *mime,
                         const char *text) {
    build_object(b);
    build_put_text(b, "type", STR("resource"));
    build_key(b, STR("resource"));
    build_object(b);
    build_put_text(b, "uri", uri);
    build_put_text(b, "mimeType", str_of(mime));
    build_put_text(b, "text", str_of(text));
    build_end(b);
    build_end(b);
}

static void answer_text_block(struct mcp_request *r, str text) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_text_block(&b, text);
    close_content(&b);
    answer(r, &b);
}

/* -- asking the client ------------------------------------------------------
 */

static const struct json *ask_params(struct fixture *f, const char *key) {
    return json_get(json_get(f->defs, "asks"), key);
}

static void need_form(struct fixture *f, struct mcp_request *r,
                      const char *key) {
    mcp_need(r, key, "elicitation/create", ask_params(f, key));
}

static void need_sampling(struct fixture *f, struct mcp_request *r,
                          const char *key) {
    mcp_need(r, key, "sampling/createMessage", ask_params(f, key));
}

/* The client's answer as text, for results that must show it. */
static void answer_with_input(struct mcp_request *r, const char *what,
                              const struct json *input) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    struct err e;
    if (buf_add_text(&text, what, &e) ||
        json_write(input, JSON_COMPACT, &text, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        answer_text_block(r, buf_str(&text));
}

/* -- tools ------------------------------------------------------------------
 */

typedef void tool_fn(struct fixture *f, struct mcp_request *r);

static void simple_text(struct fixture *f, struct mcp_request *r) {
    (void)f;
    answer_text_block(r, STR("This is a simple text response for testing."));
}

static void image(struct fixture *f, struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_media(f, &b, "image", "image/png", "png");
    close_content(&b);
    answer(r, &b);
}

static void audio(struct fixture *f, struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_media(f, &b, "audio", "audio/wav", "wav");
    close_content(&b);
    answer(r, &b);
}

static void embedded(struct fixture *f, struct mcp_request *r) {
    (void)f;
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_resource(&b, STR("test://embedded-resource"), "text/plain",
                 "This is an embedded resource content.");
    close_content(&b);
    answer(r, &b);
}

static void mixed(struct fixture *f, struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_text_block(&b, STR("Multiple content types test:"));
    put_media(f, &b, "image", "image/png", "png");
    put_resource(&b, STR("test://mixed-content-resource"), "application/json",
                 "{\"test\":\"data\",\"value\":123}");
    close_content(&b);
    answer(r, &b);
}

static void failing(struct fixture *f, struct mcp_request *r) {
    (void)f;
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_content(&b);
    put_text_block(&b,
                   STR("This tool intentionally returns an error for testing"));
    build_end(&b);
    build_put_bool(&b, "isError", true);
    build_end(&b);
    answer(r, &b);
}

struct steps {
    struct io_timer timer;
    struct mcp_request *request;
    int step;
};

static void progress_step(struct io_timer *t) {
    struct steps *s = t->data;
    struct err e;
    mcp_progress(s->request, s->step * 50, 100, NULL);
    if (s->step++ < 2 && !loop_timer(t->loop, t, 50 * 1000000, &e)) return;
    answer_text_block(s->request, STR("Tool with progress executed."));
}

static void log_text(struct mcp_request *r, const char *text) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *data;
    struct err e;
    build_text(&b, str_of(text));
    if (!build_done(&b, &data, &e))
        mcp_log_to(r, mcp_log_level(STR("info")), NULL, data);
}

static void log_step(struct io_timer *t) {
    static const char *const texts[] = {"Tool execution started",
                                        "Tool processing data",
                                        "Tool execution completed"};
    struct steps *s = t->data;
    struct err e;
    log_text(s->request, texts[s->step]);
    if (s->step++ < 2 && !loop_timer(t->loop, t, 50 * 1000000, &e)) return;
    answer_text_block(s->request, STR("Tool with logging executed."));
}

static void start_steps(struct fixture *f, struct mcp_request *r,
                        void (*fn)(struct io_timer *)) {
    struct err e;
    struct steps *s = arena_zalloc(mcp_arena(r), 1, sizeof *s, &e);
    if (!s) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    *s = (struct steps){.timer = {.fn = fn, .data = s}, .request = r};
    (void)loop_timer(f->loop, &s->timer, 0, &e);
}

static void with_progress(struct fixture *f, struct mcp_request *r) {
    start_steps(f, r, progress_step);
}

static void with_logging(struct fixture *f, struct mcp_request *r) {
    start_steps(f, r, log_step);
}

static void sampling(struct fixture *f, struct mcp_request *r) {
    (void)f;
    const struct json *input = mcp_input(r, "sample");
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *params;
    struct err e;
    if (input) {
        answer_with_input(r, "LLM response: ", input);
        return;
    }
    const struct json *args = json_get(mcp_params(r), "arguments");
    build_object(&b);
    build_key(&b, STR("messages"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "role", STR("user"));
    build_key(&b, STR("content"));
    put_text_block(&b, json_get_text(args, "prompt", STR("")));
    build_end(&b);
    build_end(&b);
    build_put_int(&b, "maxTokens", 100);
    build_end(&b);
    if (build_done(&b, &params, &e)) params = NULL;
    mcp_need(r, "sample", "sampling/createMessage", params);
    mcp_wait(r, STR(""));
}

static void elicitation(struct fixture *f, struct mcp_request *r) {
    (void)f;
    const struct json *input = mcp_input(r, "ask");
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *params;
    struct err e;
    if (input) {
        answer_with_input(r, "User response: ", input);
        return;
    }
    const struct json *args = json_get(mcp_params(r), "arguments");
    build_object(&b);
    build_put_text(&b, "message", json_get_text(args, "message", STR("")));
    build_put(&b, "requestedSchema",
              json_get(ask_params(f, "user_name"), "requestedSchema"));
    build_end(&b);
    if (build_done(&b, &params, &e)) params = NULL;
    mcp_need(r, "ask", "elicitation/create", params);
    mcp_wait(r, STR(""));
}

/* One form, then its answer shown. */
static void one_form(struct fixture *f, struct mcp_request *r,
                     const char *key) {
    const struct json *input = mcp_input(r, key);
    if (input) {
        answer_with_input(r, "Elicitation completed: ", input);
        return;
    }
    need_form(f, r, key);
    mcp_wait(r, STR("asked"));
}

static void defaults(struct fixture *f, struct mcp_request *r) {
    one_form(f, r, "defaults");
}

static void enums(struct fixture *f, struct mcp_request *r) {
    one_form(f, r, "enums");
}

static void form_name(struct fixture *f, struct mcp_request *r) {
    one_form(f, r, "user_name");
}

static void capital(struct fixture *f, struct mcp_request *r) {
    const struct json *input = mcp_input(r, "capital_question");
    if (input) {
        answer_with_input(r, "Sampled: ", input);
        return;
    }
    need_sampling(f, r, "capital_question");
    mcp_wait(r, STR("asked"));
}

static void list_roots(struct fixture *f, struct mcp_request *r) {
    (void)f;
    const struct json *input = mcp_input(r, "client_roots");
    if (input) {
        answer_with_input(r, "Roots: ", input);
        return;
    }
    mcp_need(r, "client_roots", "roots/list", NULL);
    mcp_wait(r, STR("asked"));
}

static void request_state(struct fixture *f, struct mcp_request *r) {
    if (mcp_input(r, "confirm")) {
        bool kept = str_is(mcp_memo(r), "remember this");
        answer_text_block(r, kept ? STR("state-ok") : STR("state lost"));
        return;
    }
    need_form(f, r, "confirm");
    mcp_wait(r, STR("remember this"));
}

static void multiple_inputs(struct fixture *f, struct mcp_request *r) {
    if (mcp_input(r, "user_name") && mcp_input(r, "greeting") &&
        mcp_input(r, "client_roots")) {
        answer_text_block(r, STR("All inputs received."));
        return;
    }
    need_form(f, r, "user_name");
    need_sampling(f, r, "greeting");
    mcp_need(r, "client_roots", "roots/list", NULL);
    mcp_wait(r, STR("asked"));
}

static void multi_round(struct fixture *f, struct mcp_request *r) {
    if (mcp_input(r, "step2")) {
        answer_text_block(r, STR("Both steps done."));
    } else if (mcp_input(r, "step1")) {
        need_form(f, r, "step2");
        mcp_wait(r, STR("round 2"));
    } else {
        need_form(f, r, "step1");
        mcp_wait(r, STR("round 1"));
    }
}

/* Asks only for what the client said it can do. */
static void by_capability(struct fixture *f, struct mcp_request *r) {
    if (mcp_input(r, "user_name") || mcp_input(r, "capital_question")) {
        answer_text_block(r, STR("Input received."));
        return;
    }
    if (mcp_client_can(r, "sampling"))
        need_sampling(f, r, "capital_question");
    else
        need_form(f, r, "user_name");
    mcp_wait(r, STR("asked"));
}

static void needs_sampling(struct fixture *f, struct mcp_request *r) {
    capital(f, r);
}

static void streaming_form(struct fixture *f, struct mcp_request *r) {
    log_text(r, "about to ask");
    one_form(f, r, "user_name");
}

static void logging(struct fixture *f, struct mcp_request *r) {
    (void)f;
    log_text(r, "a message");
    answer_text_block(r, STR("Logged."));
}

static void tools_changed(struct fixture *f, struct mcp_request *r) {
    mcp_list_changed(f->server, MCP_LIST_TOOLS);
    answer_text_block(r, STR("Tool list changed."));
}

static void prompts_changed(struct fixture *f, struct mcp_request *r) {
    mcp_list_changed(f->server, MCP_LIST_PROMPTS);
    answer_text_block(r, STR("Prompt list changed."));
}

/* -- tools that become tasks -------------------------------------------------
 */

static void greet(struct fixture *f, struct mcp_request *r) {
    (void)f;
    const struct json *args = json_get(mcp_params(r), "arguments");
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct err e;
    if (buf_addf(&text, &e, "Hello, %.*s!",
                 STR_ARG(json_get_text(args, "name", STR("")))))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        answer_text_block(r, buf_str(&text));
}

static void slow_end(struct io_timer *t) {
    answer_text_block(((struct steps *)t->data)->request, STR("Computed."));
}

static void slow_compute(struct fixture *f, struct mcp_request *r) {
    const struct json *args = json_get(mcp_params(r), "arguments");
    const struct json *seconds = json_get(args, "seconds");
    struct err e;
    double wait = seconds && json_is_number(seconds) ? json_number(seconds) : 0;
    if (mcp_make_task(r, false) == MCP_TASK_REFUSED) return;
    struct steps *s = arena_zalloc(mcp_arena(r), 1, sizeof *s, &e);
    if (!s) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    *s = (struct steps){.timer = {.fn = slow_end, .data = s}, .request = r};
    mcp_set_state(r, s);
    (void)loop_timer(f->loop, &s->timer, (int64_t)(wait * 1e9), &e);
}

static void failing_job(struct fixture *f, struct mcp_request *r) {
    if (mcp_make_task(r, true) != MCP_TASK_REFUSED) failing(f, r);
}

static void protocol_error_job(struct fixture *f, struct mcp_request *r) {
    (void)f;
    if (mcp_make_task(r, false) != MCP_TASK_REFUSED)
        mcp_refuse(r, RPC_INTERNAL, NULL, "the job broke");
}

static void confirm_delete(struct fixture *f, struct mcp_request *r) {
    if (mcp_make_task(r, false) != MCP_TASK_REFUSED)
        one_form(f, r, "confirm_delete");
}

static void multi_input(struct fixture *f, struct mcp_request *r) {
    if (mcp_make_task(r, false) == MCP_TASK_REFUSED) return;
    if (mcp_input(r, "first") && mcp_input(r, "second")) {
        answer_text_block(r, STR("Both received."));
        return;
    }
    need_form(f, r, "first");
    need_form(f, r, "second");
    mcp_wait(r, STR(""));
}

static void asks_then_task(struct fixture *f, struct mcp_request *r) {
    const struct json *input = mcp_input(r, "user_name");
    if (!input) {
        need_form(f, r, "user_name");
        mcp_wait(r, STR("asked"));
    } else if (mcp_make_task(r, true) != MCP_TASK_REFUSED) {
        answer_with_input(r, "Hello, ", input);
    }
}

/* A cancelled computation stops; everything else ends by itself. */
static void on_cancelled(void *data, struct mcp_request *r) {
    (void)data;
    struct steps *s = mcp_state(r);
    if (!s) return;
    loop_timer_stop(&s->timer);
    answer_text_block(r, STR("stopped"));
}

static void echo(struct fixture *f, struct mcp_request *r) {
    (void)f;
    const struct json *args = json_get(mcp_params(r), "arguments");
    answer_text_block(r, json_get_text(args, "message", STR("")));
}

static const struct {
    const char *name;
    tool_fn *fn;
} tools[] = {
    {"test_simple_text", simple_text},
    {"test_image_content", image},
    {"test_audio_content", audio},
    {"test_embedded_resource", embedded},
    {"test_multiple_content_types", mixed},
    {"test_error_handling", failing},
    {"test_tool_with_progress", with_progress},
    {"test_tool_with_logging", with_logging},
    {"json_schema_2020_12_tool", simple_text},
    {"test_sampling", sampling},
    {"test_elicitation", elicitation},
    {"test_elicitation_sep1034_defaults", defaults},
    {"test_elicitation_sep1330_enums", enums},
    {"test_missing_capability", needs_sampling},
    {"test_streaming_elicitation", streaming_form},
    {"test_logging_tool", logging},
    {"test_trigger_tool_change", tools_changed},
    {"test_trigger_prompt_change", prompts_changed},
    {"test_x_mcp_header", simple_text},
    {"echo", echo},
    {"greet", greet},
    {"slow_compute", slow_compute},
    {"failing_job", failing_job},
    {"protocol_error_job", protocol_error_job},
    {"confirm_delete", confirm_delete},
    {"multi_input", multi_input},
    {"test_tool_with_task", asks_then_task},
    {"test_input_required_result_elicitation", form_name},
    {"test_input_required_result_sampling", capital},
    {"test_input_required_result_list_roots", list_roots},
    {"test_input_required_result_request_state", request_state},
    {"test_input_required_result_multiple_inputs", multiple_inputs},
    {"test_input_required_result_multi_round", multi_round},
    {"test_input_required_result_tampered_state", request_state},
    {"test_input_required_result_capabilities", by_capability},
};

static void call_tool(struct fixture *f, struct mcp_request *r) {
    str name = json_get_text(mcp_params(r), "name", STR(""));
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        if (str_is(name, tools[i].name)) {
            tools[i].fn(f, r);
            return;
        }
    mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown tool: %.*s", STR_ARG(name));
}

/* -- prompts ----------------------------------------------------------------
 */

static void open_messages(struct json_build *b) {
    build_object(b);
    build_key(b, STR("messages"));
    build_array(b);
}

static void open_message(struct json_build *b) {
    build_object(b);
    build_put_text(b, "role", STR("user"));
    build_key(b, STR("content"));
}

static void answer_prompt_text(struct mcp_request *r, str text) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_messages(&b);
    open_message(&b);
    put_text_block(&b, text);
    build_end(&b);
    close_content(&b);
    answer(r, &b);
}

static void prompt_with_arguments(struct mcp_request *r) {
    const struct json *args = json_get(mcp_params(r), "arguments");
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    struct err e;
    str a = json_get_text(args, "arg1", STR(""));
    str b = json_get_text(args, "arg2", STR(""));
    if (buf_addf(&text, &e, "Prompt with arguments: arg1='%.*s', arg2='%.*s'",
                 STR_ARG(a), STR_ARG(b)))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        answer_prompt_text(r, buf_str(&text));
}

static void prompt_with_resource(struct mcp_request *r) {
    const struct json *args = json_get(mcp_params(r), "arguments");
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_messages(&b);
    open_message(&b);
    put_resource(&b, json_get_text(args, "resourceUri", STR("")), "text/plain",
                 "Embedded resource content for testing.");
    build_end(&b);
    open_message(&b);
    put_text_block(&b, STR("Please process the embedded resource above."));
    build_end(&b);
    close_content(&b);
    answer(r, &b);
}

static void prompt_with_image(struct fixture *f, struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    open_messages(&b);
    open_message(&b);
    put_media(f, &b, "image", "image/png", "png");
    build_end(&b);
    open_message(&b);
    put_text_block(&b, STR("Please analyze the image above."));
    build_end(&b);
    close_content(&b);
    answer(r, &b);
}

static void prompt_that_asks(struct fixture *f, struct mcp_request *r) {
    if (mcp_input(r, "user_context")) {
        answer_prompt_text(r, STR("A prompt with the user's context."));
        return;
    }
    need_form(f, r, "user_context");
    mcp_wait(r, STR("asked"));
}

static void get_prompt(struct fixture *f, struct mcp_request *r) {
    str name = json_get_text(mcp_params(r), "name", STR(""));
    if (str_is(name, "test_simple_prompt"))
        answer_prompt_text(r, STR("This is a simple prompt for testing."));
    else if (str_is(name, "test_prompt_with_arguments"))
        prompt_with_arguments(r);
    else if (str_is(name, "test_prompt_with_embedded_resource"))
        prompt_with_resource(r);
    else if (str_is(name, "test_prompt_with_image"))
        prompt_with_image(f, r);
    else if (str_is(name, "test_input_required_result_prompt"))
        prompt_that_asks(f, r);
    else
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown prompt: %.*s",
                   STR_ARG(name));
}

/* -- resources --------------------------------------------------------------
 */

static void answer_resource(struct mcp_request *r, str uri, const char *mime,
                            const char *member, str value) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_key(&b, STR("contents"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "uri", uri);
    build_put_text(&b, "mimeType", str_of(mime));
    build_put_text(&b, member, value);
    build_end(&b);
    close_content(&b);
    answer(r, &b);
}

static void read_template(struct mcp_request *r, str uri) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct err e;
    str id = str_sub(uri, sizeof "test://template/" - 1, uri.n);
    id = str_cut(&id, '/');
    if (buf_addf(&text, &e,
                 "{\"id\":\"%.*s\",\"templateTest\":true,\"data\":\"Data for "
                 "ID: %.*s\"}",
                 STR_ARG(id), STR_ARG(id)))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        answer_resource(r, uri, "application/json", "text", buf_str(&text));
}

static void refuse_resource(struct mcp_request *r, str uri) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *data;
    struct err e;
    build_object(&b);
    build_put_text(&b, "uri", uri);
    build_end(&b);
    if (build_done(&b, &data, &e)) data = NULL;
    mcp_refuse(r, mcp_era(r) == MCP_MODERN ? RPC_BAD_PARAMS : RPC_NO_RESOURCE,
               data, "resource not found");
}

static void read_resource(struct fixture *f, struct mcp_request *r) {
    str uri = json_get_text(mcp_params(r), "uri", STR(""));
    if (str_is(uri, "test://static-text"))
        answer_resource(r, uri, "text/plain", "text",
                        STR("This is the content of the static text "
                            "resource."));
    else if (str_is(uri, "test://static-binary"))
        answer_resource(r, uri, "image/png", "blob",
                        json_get_text(f->defs, "png", STR("")));
    else if (str_is(uri, "test://watched-resource"))
        answer_resource(r, uri, "text/plain", "text", STR("watched"));
    else if (str_starts(uri, STR("test://template/")))
        read_template(r, uri);
    else
        refuse_resource(r, uri);
}

/* -- the service ------------------------------------------------------------
 */

static void answer_list(struct fixture *f, struct mcp_request *r,
                        const char *from, const char *as) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_put(&b, as, json_get(f->defs, from));
    build_end(&b);
    answer(r, &b);
}

static void complete(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_key(&b, STR("completion"));
    build_object(&b);
    build_key(&b, STR("values"));
    build_array(&b);
    build_text(&b, STR("test-value"));
    build_end(&b);
    build_put_int(&b, "total", 1);
    build_put_bool(&b, "hasMore", false);
    build_end(&b);
    build_end(&b);
    answer(r, &b);
}

static void handle(void *data, struct mcp_request *r) {
    struct fixture *f = data;
    switch ((int)mcp_method(r)) {
    case MCP_TOOLS_LIST: answer_list(f, r, "tools", "tools"); break;
    case MCP_TOOLS_CALL: call_tool(f, r); break;
    case MCP_PROMPTS_LIST: answer_list(f, r, "prompts", "prompts"); break;
    case MCP_PROMPTS_GET: get_prompt(f, r); break;
    case MCP_RESOURCES_LIST: answer_list(f, r, "resources", "resources"); break;
    case MCP_RESOURCE_TEMPLATES:
        answer_list(f, r, "templates", "resourceTemplates");
        break;
    case MCP_RESOURCES_READ: read_resource(f, r); break;
    case MCP_COMPLETE: complete(r); break;
    default: mcp_refuse(r, RPC_NO_METHOD, NULL, "method not found");
    }
}

static const struct json *capabilities(void *data, enum mcp_era era) {
    struct fixture *f = data;
    return json_get(json_get(f->defs, "capabilities"),
                    era == MCP_MODERN ? "modern" : "legacy");
}

static const struct json *find_tool(void *data, str name) {
    struct fixture *f = data;
    const struct json *list = json_get(f->defs, "tools");
    const struct json *t = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, t = json_skip(t))
        if (str_eq(json_get_text(t, "name", STR("")), name)) return t;
    return NULL;
}

static enum mcp_task_support task_support(void *data, str name) {
    const struct json *tool = find_tool(data, name);
    return tool ? mcp_task_support(tool) : MCP_TASK_OPTIONAL;
}

/* -- the program ------------------------------------------------------------
 */

static bool is_local(str host) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < 3; i++) {
        str name = str_of(names[i]);
        if (str_starts(host, name) &&
            (host.n == name.n || host.p[name.n] == ':'))
            return true;
    }
    return false;
}

static void on_http(void *data, struct exchange *x) {
    struct fixture *f = data;
    struct err e;
    str origin = exchange_header(x, "Origin");
    ptrdiff_t scheme = str_find(origin.p ? origin : STR(""), STR("://"));
    bool local = is_local(exchange_header(x, "Host")) &&
                 (!origin.p ||
                  (scheme >= 0 &&
                   is_local(str_sub(origin, (size_t)scheme + 3, origin.n))));
    if (!local)
        (void)exchange_answer(x, 403, NULL, STR("forbidden\n"), &e);
    else if (!str_is(exchange_path(x), "/mcp"))
        (void)exchange_answer(x, 404, NULL, STR("not found\n"), &e);
    else
        mcp_serve_http(f->server, x, NULL);
}

static void stop(void *data) {
    loop_stop(data);
}

static void on_signal(void *data, int signal) {
    (void)signal;
    loop_stop(data);
}

static int serve(struct fixture *f, const char *address, struct err *e) {
    const int signals[] = {SIGTERM, SIGINT, 0};
    struct server *http = NULL;
    if (loop_signals(f->loop, signals, on_signal, f->loop, e)) return -1;
    if (!address) {
        if (mcp_serve_stdio(f->server, 0, 1, stop, f->loop, e)) return -1;
    } else {
        struct server_config config = {
            .address = address, .handle = on_http, .data = f};
        http = server_new(f->loop, &config, e);
        if (!http) return -1;
        printf("%u\n", server_port(http));
        (void)fflush(stdout);
    }
    int result = loop_run(f->loop, e);
    server_free(http);
    return result;
}

static enum mcp_era only_era(void) {
    str era = str_of(getenv("MCP_FIXTURE_ERA"));
    if (str_is(era, "legacy")) return MCP_LEGACY;
    return str_is(era, "modern") ? MCP_MODERN : (enum mcp_era)0;
}

static int run(const char *definitions, const char *address, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    AUTO_ARENA struct arena arena = ARENA_MAX(16 << 20);
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct fixture f = {.loop = loop, .log = LOG_TO(2, LOG_WARN)};
    if (!loop || file_read(definitions, &text, e) ||
        json_parse(buf_str(&text), NULL, &arena, &f.defs, e))
        return -1;
    struct mcp_service service = {.name = "cordon-fixture",
                                  .version = "1.0.0",
                                  .only = only_era(),
                                  .capabilities = capabilities,
                                  .handle = handle,
                                  .cancelled = on_cancelled,
                                  .tool = find_tool,
                                  .task_support = task_support,
                                  .data = &f};
    f.server = mcp_server_new(loop, &service, &f.log, e);
    if (!f.server) return -1;
    int result = serve(&f, address, e);
    mcp_server_free(f.server);
    return result;
}

int main(int argc, char **argv) {
    struct err e;
    if (argc < 2 || argc > 3) {
        (void)fputs("usage: mcp_fixture DEFINITIONS.json [HOST:PORT]\n",
                    stderr);
        return 2;
    }
    if (run(argv[1], argc == 3 ? argv[2] : NULL, &e)) {
        (void)fprintf(stderr, "mcp_fixture: %s\n", e.text);
        return 1;
    }
    return 0;
}
