/* SPDX-License-Identifier: MIT */
#include "cli/peer.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/dirs.h"
#include "base/mem.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "gateway/launch.h"
#include "mcp/auth_browser.h"
#include "mcp/client.h"

#include "json/build.h"
#include <cordon.h>

enum { WORDS_MAX = 1000, LINE_MAX_BYTES = 64 << 10 };
#define MEMORY_MAX ((size_t)512 << 20)

#define TEXT_OF(x)  TEXT_OF_(x)
#define TEXT_OF_(x) #x
#define VERSION                   \
    TEXT_OF(CORDON_VERSION_MAJOR) \
    "." TEXT_OF(CORDON_VERSION_MINOR) "." TEXT_OF(CORDON_VERSION_PATCH)

struct peer {
    struct cli *cli;
    struct loop *loop;
    struct client *http;
    struct auth_browser *browser;
    struct mcp_auth *auth;
    struct mcp_client *client;
    struct arena arena;
    struct servers servers; /* of the configuration, once one was looked for */
    int64_t timeout_ns;
    bool ready, closed, answered, interrupted;
    const struct json *answer; /* NULL: failed, see err */
    struct err err;
};

/* -- words -------------------------------------------------------------------
 */

/* One word: quotes group, and inside double ones and outside a backslash takes
 * the next byte as it is. */
static int take_word(str *rest, struct buf *out, struct err *e) {
    char quote = '\0';
    size_t i = 0;
    for (; i < rest->n; i++) {
        char c = rest->p[i];
        if (!quote && (c == ' ' || c == '\t' || c == '\n')) break;
        if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? '\0' : c;
            continue;
        }
        if (c == '\\' && quote != '\'' && i + 1 < rest->n) c = rest->p[++i];
        if (buf_add_char(out, c, e)) return -1;
    }
    if (quote) return fail(e, ERR_USAGE, "a quote is not closed");
    *rest = str_sub(*rest, i, rest->n);
    return 0;
}

int peer_words(str line, struct arena *a, const char ***out, struct err *e) {
    const char **words = arena_zalloc(a, WORDS_MAX + 1, sizeof *words, e);
    size_t count = 0;
    if (!words) return -1;
    for (str rest = str_trim(line); rest.n; rest = str_trim(rest)) {
        AUTO_BUF struct buf word = BUF_MAX(LINE_MAX_BYTES);
        if (count == WORDS_MAX) return fail(e, ERR_LIMIT, "too many words");
        if (take_word(&rest, &word, e)) return -1;
        if (!(words[count++] = arena_text(a, buf_str(&word), e))) return -1;
    }
    if (count == 0) return fail(e, ERR_USAGE, "no server is named");
    *out = words;
    return 0;
}

/* -- what the client tells ---------------------------------------------------
 */

static void on_ready(void *data, struct mcp_client *c) {
    (void)c;
    ((struct peer *)data)->ready = true;
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    struct peer *p = data;
    (void)c;
    p->closed = true;
    if (e) p->err = *e;
}

/* Who interrupts a question ends the call: the server's answer may be here
 * before the loop looks at signals. */
static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    struct peer *p = data;
    (void)c;
    terminal_answer(ask);
    if (terminal_interrupted()) p->interrupted = true;
}

static const struct mcp_client_events events = {
    .ready = on_ready, .closed = on_closed, .asked = on_asked};

static void on_signal(void *data, int number) {
    struct peer *p = data;
    (void)number;
    p->interrupted = true;
}

/* Until *flag is set, the connection is lost or somebody interrupts. */
static int wait_for(struct peer *p, const bool *flag, struct err *e) {
    while (!*flag && !p->closed && !p->interrupted)
        if (loop_step(p->loop, -1, e)) return -1;
    if (p->interrupted) return fail(e, ERR_DENIED, "interrupted");
    if (*flag) return 0;
    *e = p->err;
    return -1;
}

/* -- opening -----------------------------------------------------------------
 */

static void show_url(void *data, const char *url) {
    struct peer *p = data;
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(LINE_MAX_BYTES);
    (void)p;
    if (buf_addf(&text, &e,
                 "To log in, open this page in a browser:\n\n  %s\n\n",
                 url) == 0)
        (void)!write(STDERR_FILENO, text.data, text.len);
}

/* A member of the server's "oauth", or NULL. */
static const char *oauth_text(struct peer *p, const struct server_spec *spec,
                              const char *member) {
    const struct json *oauth = spec ? spec->oauth : NULL;
    str text = json_get_text(oauth, member, STR(""));
    struct err e;
    return text.n ? arena_text(&p->arena, text, &e) : NULL;
}

static int set_up_auth(struct peer *p, const char *url,
                       const struct server_spec *spec, struct err *e) {
    AUTO_BUF struct buf store = BUF_MAX(PATH_MAX);
    if (spec && server_has_token(spec)) return 0;
    if (dirs_path(DIRS_STATE, "tokens.json", &store, e)) return -1;
    const struct auth_browser_config browser = {
        .opener = "xdg-open",
        .env = (const char *const *)environ,
        .show = show_url,
        .data = p};
    p->browser = auth_browser_new(p->loop, &browser, e);
    if (!p->browser) return -1;
    const struct mcp_auth_config config = {
        .http = p->http,
        .server = url,
        .ca_file = spec ? spec->ca : NULL,
        .store = buf_text(&store),
        .client_id = oauth_text(p, spec, "clientId"),
        .client_secret = oauth_text(p, spec, "clientSecret"),
        .scope = oauth_text(p, spec, "scope"),
        .client_name = "Cordon",
        .redirect_uri = auth_browser_redirect_uri(p->browser),
        .visit = auth_browser_visit,
        .data = p->browser,
        .log = &p->cli->log};
    p->auth = mcp_auth_new(p->loop, &config, e);
    return p->auth ? 0 : -1;
}

/* A server of the configuration, by its name; NULL: there is none. */
static const struct server_spec *configured(struct peer *p, const char *name,
                                            struct err *e) {
    const struct servers_context context = {.env = (const char *const *)environ,
                                            .folder = "."};
    const struct json *root;
    err_set(e, ERR_MISSING, "no such server");
    if (settings_load(p->cli, &p->arena, &root, e) ||
        servers_read(root, &context, &p->servers, e))
        return NULL;
    const struct server_spec *spec = servers_find(&p->servers, str_of(name));
    if (!spec) err_set(e, ERR_MISSING, "there is no server \"%s\"", name);
    if (!spec || !spec->problem) return spec;
    err_set(e, ERR_INVALID, "%s", spec->problem);
    return NULL;
}

static bool is_name(const char *server) {
    return !strstr(server, "://") && !strchr(server, ' ') &&
           !strchr(server, '/');
}

/* This program once more, as a gateway. */
static int gateway_words(struct peer *p, const char ***out, struct err *e) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    static const char *const passed[] = {"config", "policy"};
    const struct args *a = &p->cli->args;
    size_t files = 0;
    while (args_nth(a, "servers", files))
        files++;
    const char **words =
        arena_zalloc(&p->arena, 9 + 2 * files, sizeof *words, e);
    if (!words) return -1;
    if (n < 0) return fail_sys(e, "find our own program");
    size_t count = 0;
    if (!(words[count++] = arena_text(&p->arena, (str){self, (size_t)n}, e)))
        return -1;
    words[count++] = "serve";
    words[count++] = "--surface";
    words[count++] = "all";
    for (size_t i = 0; i < 2; i++) {
        if (!args_text(a, passed[i])) continue;
        words[count++] = i ? "--policy" : "--config";
        words[count++] = args_text(a, passed[i]);
    }
    for (size_t i = 0; i < files; i++) {
        words[count++] = "--servers";
        words[count++] = args_nth(a, "servers", i);
    }
    *out = words;
    return 0;
}

static int words_for(struct peer *p, const char *server, const char ***out,
                     struct err *e) {
    return server ? peer_words(str_of(server), &p->arena, out, e)
                  : gateway_words(p, out, e);
}

static int connect_to(struct peer *p, const char *server, struct err *e) {
    struct child_spec command = {.env = (const char *const *)environ};
    const char **words;
    struct mcp_client_config config = {.name = "cordon",
                                       .version = VERSION,
                                       .log = &p->cli->log,
                                       .connect_ns = p->timeout_ns,
                                       .call_ns = p->timeout_ns,
                                       .can = terminal_can(&p->arena),
                                       .events = &events,
                                       .data = p};
    const struct server_spec *spec =
        server && is_name(server) ? configured(p, server, e) : NULL;
    if (spec && spec->url) {
        server = spec->url;
        config.headers = spec->headers;
        config.ca_file = spec->ca;
    }
    if (server && strstr(server, "://")) {
        if (!(p->http = client_new(p->loop, e)) ||
            set_up_auth(p, server, spec, e))
            return -1;
        config.url = server;
        config.http = p->http;
        config.auth = p->auth;
    } else if (spec) {
        if (launch_command(spec, &p->arena, &command, NULL, e)) return -1;
        config.command = &command;
    } else {
        if (server && is_name(server) && e->kind != ERR_MISSING) return -1;
        if (words_for(p, server, &words, e)) return -1;
        command.argv = words;
        config.command = &command;
    }
    p->client = mcp_client_new(p->loop, &config, e);
    return p->client ? wait_for(p, &p->ready, e) : -1;
}

struct peer *peer_open(struct cli *cli, const char *server, int64_t timeout_ns,
                       struct err *e) {
    static const int signals[] = {SIGINT, SIGTERM, 0};
    struct peer *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->cli = cli;
    p->arena = ARENA_MAX(MEMORY_MAX);
    p->timeout_ns = timeout_ns;
    p->loop = loop_new(e);
    if (p->loop && loop_signals(p->loop, signals, on_signal, p, e) == 0 &&
        connect_to(p, server, e) == 0)
        return p;
    err_context(e, "%s", server ? server : "the configured servers");
    peer_close(p);
    return NULL;
}

void peer_close(struct peer *p) {
    struct err e;
    if (!p) return;
    if (p->client && !p->closed) {
        mcp_client_close(p->client);
        while (!p->closed && loop_step(p->loop, -1, &e) == 0)
            continue;
    }
    mcp_client_free(p->client);
    mcp_auth_free(p->auth);
    auth_browser_free(p->browser);
    client_free(p->http);
    if (p->loop) loop_free(p->loop);
    servers_fini(&p->servers);
    arena_fini(&p->arena);
    mem_free(p);
}

/* -- asking ------------------------------------------------------------------
 */

static void keep(struct peer *p, const struct json *v, const struct err *why) {
    struct json_build b = JSON_BUILD(&p->arena);
    p->answered = true;
    p->answer = NULL;
    if (why) {
        p->err = *why;
        return;
    }
    build_copy(&b, v);
    (void)build_done(&b, &p->answer, &p->err);
}

static void on_reply(void *data, const struct mcp_reply *reply) {
    keep(data, reply->result, reply->err);
}

static void on_listing(void *data, const struct mcp_listing *listing) {
    keep(data, listing->items, listing->err);
}

static void on_progress(void *data, const struct json *params) {
    struct peer *p = data;
    str message = json_get_text(params, "message", STR(""));
    const struct json *now = json_get(params, "progress");
    const struct json *total = json_get(params, "total");
    double done = now && json_is_number(now) ? json_number(now) : 0;
    if (!now)
        log_info(&p->cli->log, "progress: %.*s", STR_ARG(message));
    else if (total && json_is_number(total))
        log_info(&p->cli->log, "progress: %g of %g %.*s", done,
                 json_number(total), STR_ARG(message));
    else
        log_info(&p->cli->log, "progress: %g %.*s", done, STR_ARG(message));
}

static int wait_for_answer(struct peer *p, const struct json **out,
                           struct err *e) {
    if (wait_for(p, &p->answered, e)) return -1;
    *out = p->answer;
    if (!p->answer) *e = p->err;
    return p->answer ? 0 : -1;
}

int peer_list(struct peer *p, const char *method, const char *key,
              const struct json **out, struct err *e) {
    const struct mcp_list_spec spec = {
        .method = method, .key = key, .done = on_listing, .data = p};
    p->answered = false;
    if (mcp_list_all(p->client, &spec, e)) return -1;
    return wait_for_answer(p, out, e);
}

/* A legacy server says in its list which tools it has only as tasks. */
static int learn_tasks(struct peer *p, struct err *e) {
    const struct json *caps = mcp_client_capabilities(p->client), *tools;
    if (!caps || !json_get(caps, "tasks")) return 0;
    return peer_list(p, "tools/list", "tools", &tools, e);
}

int peer_call(struct peer *p, const char *method, const struct json *params,
              const struct json **out, struct err *e) {
    const struct mcp_call_spec spec = {.method = method,
                                       .params = params,
                                       .done = on_reply,
                                       .progress = on_progress,
                                       .data = p};
    if (learn_tasks(p, e)) return -1;
    p->answered = false;
    struct mcp_call *call = mcp_call(p->client, &spec, e);
    if (!call) return -1;
    int result = wait_for_answer(p, out, e);
    if (!p->answered && !p->closed) mcp_call_cancel(call, "interrupted");
    return result;
}
