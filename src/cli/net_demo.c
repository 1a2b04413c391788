/* SPDX-License-Identifier: MIT
 *
 * cordon demo: what Cordon is for, in half a minute. A program as a model would
 * write it, over four kinds of tools, under a policy, with one call that a
 * person is asked about; then what was done, what was saved, and the proof.
 */
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "call/approval.h"
#include "cli/demo.h"
#include "cli/programs.h"
#include "runs/runs.h"
#include "tools/stub.h"
#include "json/write.h"

#define BYTES ((size_t)64 << 20)

/* Bytes of JSON that make a token of the usual vocabularies, as measured. */
#define BYTES_A_TOKEN 4.36

/* Of the three constant tools a host is shown, as cordon serve gives them. */
#define SURFACE_BYTES 2400

struct demo {
    struct cli *cli;
    char samples[PATH_MAX], folder[PATH_MAX];
    struct loop *loop;
    struct registry *registry;
    struct store *store;
    struct audit *audit;
    struct policy *policy;
    struct boundary *boundary;
    struct runs *runs;
    struct demo_tools tools;
    struct buf program;
    struct run_waiter waiter;
    char id[STORE_ID];
    bool told;
    enum run_state state;
    struct arena arena;
    const struct json *outcome;
    struct buf out;
};

/* -- telling
 * --------------------------------------------------------------------
 */

static int flush(struct demo *d, struct err *e) {
    int status = cli_out(buf_str(&d->out), e);
    buf_truncate(&d->out, 0);
    return status;
}

static int head(struct demo *d, const char *text, struct err *e) {
    bool color = d->cli->color_out;
    if (buf_addf(&d->out, e, "\n%s%s%s\n\n", cli_style(color, CLI_BOLD), text,
                 cli_style(color, CLI_PLAIN)))
        return -1;
    return flush(d, e);
}

static int indent(struct demo *d, str text, struct err *e) {
    while (text.p && text.n) {
        str line = str_cut(&text, '\n');
        if (buf_addf(&d->out, e, "    %.*s\n", STR_ARG(line))) return -1;
    }
    return flush(d, e);
}

static int show_tools(struct demo *d, struct err *e) {
    AUTO_BUF struct buf stub = BUF_MAX(BYTES);
    if (head(d, "Four kinds of tools, all on this machine", e)) return -1;
    for (size_t i = 0; i < registry_count(d->registry); i++)
        if (stub_write(registry_at(d->registry, i), STUB_BRIEF, NULL, &stub,
                       e) ||
            (stub.len && stub.data[stub.len - 1] != '\n' &&
             buf_add_char(&stub, '\n', e)))
            return -1;
    return indent(d, buf_str(&stub), e);
}

/* -- running
 * --------------------------------------------------------------------
 */

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct demo *d = w->data;
    AUTO_BUF struct buf text = BUF_MAX(BYTES);
    struct err e;
    d->told = true;
    d->state = state;
    arena_fini(&d->arena);
    d->outcome = NULL;
    if (json_write(outcome, JSON_COMPACT, &text, &e) == 0)
        (void)json_parse(buf_str(&text), NULL, &d->arena, &d->outcome, &e);
}

static int wait_until_told(struct demo *d, struct err *e) {
    while (!d->told)
        if (loop_step(d->loop, -1, e)) return -1;
    return d->outcome ? 0 : fail(e, ERR_MEMORY, "out of memory");
}

static enum approval_choice choose(struct err *e) {
    char line[32];
    if (!isatty(STDIN_FILENO)) {
        (void)cli_out(STR("    Nobody sits here: taken as a yes.\n"), e);
        return APPROVE_ONCE;
    }
    (void)cli_out(STR("    Send it? [Y/n] "), e);
    if (!fgets(line, sizeof line, stdin)) return APPROVE_NOT;
    return line[0] == 'n' || line[0] == 'N' ? APPROVE_NOT : APPROVE_ONCE;
}

static int ask(struct demo *d, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf card = BUF_MAX(BYTES);
    struct store_approval p;
    str id =
        json_get_text(json_get(d->outcome, "waiting"), "approval", STR(""));
    if (head(d, "The policy stops one call and asks", e) ||
        store_approval_get(d->store, id, &a, &p, e) ||
        approval_describe(d->store, &p, &card, e) ||
        indent(d, buf_str(&card), e) || cli_out(STR("\n"), e))
        return -1;
    return approval_answer(d->store, d->audit, id, choose(e), STR("demo"), e);
}

static int run(struct demo *d, struct err *e) {
    struct run_request q = {.program = buf_str(&d->program),
                            .principal = STR("you"),
                            .client = STR("demo"),
                            .can_ask = true,
                            .waiter = &d->waiter};
    if (head(d, "A program, as a model writes it", e) ||
        indent(d, buf_str(&d->program), e))
        return -1;
    d->waiter = (struct run_waiter){.done = on_done, .data = d};
    if (runs_submit(d->runs, &q, d->id, e) || wait_until_told(d, e)) return -1;
    while (d->state == RUN_WAITING) {
        if (ask(d, e)) return -1;
        d->told = false;
        if (runs_wait(d->runs, str_of(d->id), &d->waiter, e) ||
            wait_until_told(d, e))
            return -1;
    }
    return 0;
}

/* -- what was done
 * ----------------------------------------------------------------
 */

struct counting {
    struct demo *demo;
    struct store_run run;
    size_t calls;
    size_t context;    /* bytes a model would have read so far, tool by tool */
    size_t sequential; /* and over all its turns */
    char names[64][48];
};

static int add_event(void *data, const struct store_event *ev, struct err *e) {
    struct counting *n = data;
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    const struct json *v;
    if (json_parse(ev->data, NULL, &a, &v, e)) return -1;
    size_t call = (size_t)json_get_int(v, "call", 0) % 64;
    n->context += ev->data.n;
    if (str_is(ev->kind, "intent")) {
        snprintf(n->names[call], sizeof n->names[call], "%.*s",
                 STR_ARG(json_get_text(v, "as", STR(""))));
        return 0;
    }
    if (!str_is(ev->kind, "result")) return 0;
    n->calls++;
    n->sequential += n->context;
    return buf_addf(&n->demo->out, e, "    %8.1f ms  %-18s %-8.*s %7zu bytes\n",
                    (double)(ev->at - n->run.created) / 1e6, n->names[call],
                    STR_ARG(json_get_text(v, "status", STR(""))), ev->data.n);
}

static size_t definition_bytes(const struct demo *d) {
    size_t bytes = 0;
    for (size_t i = 0; i < registry_count(d->registry); i++) {
        AUTO_BUF struct buf text = BUF_MAX(BYTES);
        struct err e;
        if (json_write(registry_at(d->registry, i)->definition, JSON_COMPACT,
                       &text, &e) == 0)
            bytes += text.len;
    }
    return bytes;
}

static int tokens(size_t bytes) {
    return (int)((double)bytes / BYTES_A_TOKEN);
}

static int show_timeline(struct demo *d, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf outcome = BUF_MAX(BYTES);
    struct counting n = {.demo = d};
    if (head(d, "What it did", e) ||
        store_run_get(d->store, str_of(d->id), &a, &n.run, e))
        return -1;
    n.context = definition_bytes(d);
    n.sequential = n.context;
    if (store_events(d->store, str_of(d->id), 1, add_event, &n, e) ||
        json_write(d->outcome, JSON_COMPACT, &outcome, e))
        return -1;
    size_t code = 2 * SURFACE_BYTES + 2 * d->program.len + outcome.len;
    if (buf_addf(&d->out, e,
                 "\n    %zu calls in one turn of the model. It reads about %d "
                 "tokens;\n    call by call it would have read about %d.\n",
                 n.calls, tokens(code), tokens(n.sequential)))
        return -1;
    return flush(d, e);
}

static int show_result(struct demo *d, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(BYTES);
    const struct json *value = json_get(d->outcome, "value");
    const struct json *error = json_get(d->outcome, "error");
    if (head(d, "What the model gets back", e)) return -1;
    if (value
            ? json_write(value, JSON_COMPACT, &text, e)
            : buf_add_str(&text, json_get_text(error, "traceback", STR("")), e))
        return -1;
    return indent(d, buf_str(&text), e);
}

static int show_audit(struct demo *d, struct err *e) {
    struct audit_report report;
    char dir[PATH_MAX];
    if (snprintf(dir, sizeof dir, "%s/audit", d->folder) >= (int)sizeof dir)
        return fail(e, ERR_LIMIT, "path too long");
    if (head(d, "The record", e) || audit_sync(d->audit, e) ||
        audit_verify(dir, NULL, &report, e) ||
        buf_addf(&d->out, e,
                 "    %llu events, each bound to the one before; the chain and "
                 "its signature verify.\n",
                 (unsigned long long)report.events))
        return -1;
    return flush(d, e);
}

static int show_host(struct demo *d, struct err *e) {
    static const char text[] =
        "Take over the servers you have:   cordon mcp import\n"
        "Then give your host one server instead of them:\n"
        "\n"
        "  {\"mcpServers\": {\"cordon\": {\"command\": \"cordon\", "
        "\"args\": [\"serve\"]}}}\n"
        "\n"
        "Questions: cordon approvals list. What happened: cordon runs list.\n";
    if (head(d, "With your own host", e)) return -1;
    return indent(d, str_of(text), e);
}

/* -- a life
 * -----------------------------------------------------------------------
 */

static bool is_samples(const char *folder) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/program.py", folder) < PATH_MAX &&
           file_exists(path);
}

/* Given; or beside the program: as in the source tree, or as installed. */
static int find_samples(struct demo *d, struct err *e) {
    static const char *const places[] = {
        "../examples/demo", "../../examples/demo", "../share/cordon/demo",
        "../../share/cordon/demo"};
    const char *given = cli_operand(d->cli, 0);
    char self[PATH_MAX];
    if (given) {
        if (!realpath(given, d->samples)) return fail_sys(e, "%s", given);
        return is_samples(d->samples)
                   ? 0
                   : fail(e, ERR_MISSING, "%s: no sample data there", given);
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) return fail_sys(e, "where am I");
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int len =
            snprintf(d->samples, sizeof d->samples, "%s/%s", self, places[i]);
        if (len < PATH_MAX && is_samples(d->samples)) return 0;
    }
    return fail(e, ERR_MISSING,
                "the sample data (examples/demo) is not beside this program: "
                "cordon demo DIR says where it is");
}

static int open_records(struct demo *d, struct err *e) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/cordon.db", d->folder);
    struct store_config store = {.path = path, .loop = d->loop};
    if (!(d->store = store_open(&store, e))) return -1;
    snprintf(path, sizeof path, "%s/audit", d->folder);
    if (!(d->audit = audit_open(path, e))) return -1;
    snprintf(path, sizeof path, "%s/rules.policy", d->samples);
    d->policy = policy_load(path, e);
    return d->policy ? 0 : -1;
}

static int open_demo(struct demo *d, struct err *e) {
    char path[PATH_MAX + 16];
    snprintf(d->folder, sizeof d->folder, "/tmp/cordon-demo-XXXXXX");
    if (find_samples(d, e)) return -1;
    if (!mkdtemp(d->folder)) return fail_sys(e, "%s", d->folder);
    snprintf(path, sizeof path, "%s/program.py", d->samples);
    if (file_read(path, &d->program, e) || !(d->loop = loop_new(e)) ||
        !(d->registry = registry_new(e)) || open_records(d, e))
        return -1;
    d->tools = (struct demo_tools){.loop = d->loop,
                                   .samples = d->samples,
                                   .folder = d->folder,
                                   .arena = ARENA_MAX(BYTES)};
    if (demo_tools_open(&d->tools, d->registry, e)) return -1;
    struct boundary_config boundary = {.loop = d->loop,
                                       .registry = d->registry,
                                       .policy = d->policy,
                                       .store = d->store,
                                       .audit = d->audit};
    if (!(d->boundary = boundary_new(&boundary, e))) return -1;
    struct runs_config runs = {.loop = d->loop,
                               .boundary = d->boundary,
                               .store = d->store,
                               .audit = d->audit};
    return (d->runs = runs_new(&runs, e)) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *at) {
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static void close_demo(struct demo *d) {
    struct err e;
    runs_free(d->runs);
    boundary_free(d->boundary);
    registry_free(d->registry);
    demo_tools_close(&d->tools);
    policy_free(d->policy);
    audit_close(d->audit);
    (void)store_close(d->store, &e);
    if (d->loop) loop_free(d->loop);
    buf_fini(&d->program);
    buf_fini(&d->out);
    arena_fini(&d->arena);
    if (strstr(d->folder, "XXXXXX") == NULL && d->folder[0])
        (void)nftw(d->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int net_demo(struct cli *cli, struct err *e) {
    struct demo d = {.cli = cli,
                     .program = BUF_MAX(BYTES),
                     .out = BUF_MAX(BYTES),
                     .arena = ARENA_MAX(BYTES)};
    int status = open_demo(&d, e);
    if (status == 0)
        status = show_tools(&d, e) || run(&d, e) || show_timeline(&d, e) ||
                         show_result(&d, e) || show_audit(&d, e) ||
                         show_host(&d, e)
                     ? -1
                     : 0;
    close_demo(&d);
    return status;
}
