/* SPDX-License-Identifier: MIT
 *
 * cordon model list: the configured models, the providers whose habits are
 * known, or what a server offers.
 */
#include "cli/models.h"
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#define ROOM ((size_t)64 << 20)

struct asking {
    struct loop *loop;
    struct buf *out;
    struct err err;
    bool failed;
    unsigned status;
};

static void on_done(void *data, struct request *r, const struct err *e) {
    struct asking *a = data;
    a->status = request_status(r);
    if (e) {
        a->failed = true;
        a->err = *e;
    } else if (buf_add_str(a->out, request_answer(r), &a->err)) {
        a->failed = true;
    }
    loop_stop(a->loop);
}

/* GET of the server's own list. */
static int fetch(const struct model_config *m, struct buf *out, struct err *e) {
    static const struct request_events events = {.done = on_done};
    AUTO_ARENA struct arena a = ARENA_MAX(65536);
    AUTO_BUF struct buf url = BUF_MAX(8192);
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct asking asking = {.loop = loop, .out = out};
    struct request_spec spec = {.method = "GET",
                                .timeout_ns = (int64_t)30 * 1000000000,
                                .events = &events,
                                .data = &asking};
    struct client *c = loop ? client_new(loop, e) : NULL;
    if (!c) return -1;
    int result = provider_url(m, "/models", false, &url, e) ||
                 provider_headers(m, &a, &spec.headers, e);
    spec.url = buf_text(&url);
    if (result == 0) result = !client_start(c, &spec, e) || loop_run(loop, e);
    client_free(c);
    if (result) return -1;
    if (asking.failed) {
        *e = asking.err;
        return -1;
    }
    if (asking.status >= 400)
        return fail(e, ERR_PEER, "%s: status %u: %.200s", spec.url,
                    asking.status, buf_text(out));
    return 0;
}

/* OpenAI and Anthropic say "data" and "id", Gemini "models" and "name". */
static int show_served(struct cli *cli, const struct model_config *m,
                       struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf text = BUF_MAX(ROOM), out = BUF_MAX(ROOM);
    const struct json *v, *list;
    if (fetch(m, &text, e) || json_parse(buf_str(&text), NULL, &a, &v, e))
        return -1;
    if (cli->json) return cli_out(buf_str(&text), e);
    list = json_get(v, "data") ? json_get(v, "data") : json_get(v, "models");
    if (!list || json_type(list) != JSON_ARRAY)
        return fail(e, ERR_PEER, "the server's answer is no list of models");
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item)) {
        str name =
            json_get_text(item, "id", json_get_text(item, "name", STR("?")));
        if (buf_addf(&out, e, "%.*s\n", STR_ARG(name))) return -1;
    }
    return cli_out(buf_str(&out), e);
}

static int show_providers(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct jw w = JW(&out);
    if (cli->json) jw_array(&w);
    for (size_t i = 0; vendor_at(i); i++) {
        const struct vendor *v = vendor_at(i);
        if (!cli->json) {
            if (buf_addf(&out, e, "%-18s %-10s %-20s %s\n", v->name,
                         api_name(v->api), v->key_env, v->base_url))
                return -1;
            continue;
        }
        jw_object(&w);
        jw_put_text(&w, "name", str_of(v->name));
        jw_put_text(&w, "api", str_of(api_name(v->api)));
        jw_put_text(&w, "key", str_of(v->key_env));
        jw_put_text(&w, "url", str_of(v->base_url));
        jw_end_object(&w);
    }
    if (cli->json) {
        jw_end_array(&w);
        if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
    }
    return cli_out(buf_str(&out), e);
}

static int show_configured(struct cli *cli, const struct models *all,
                           struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct jw w = JW(&out);
    if (cli->json) jw_array(&w);
    for (size_t i = 0; i < all->count; i++) {
        const struct model_config *m = &all->list[i];
        if (!cli->json) {
            if (buf_addf(&out, e, "%.*s  %s  %.*s%s\n", STR_ARG(m->name),
                         m->vendor->name, STR_ARG(m->model),
                         m->key.n > 0 ? "" : "  (no key)"))
                return -1;
            continue;
        }
        jw_object(&w);
        jw_put_text(&w, "name", m->name);
        jw_put_text(&w, "provider", str_of(m->vendor->name));
        jw_put_text(&w, "model", m->model);
        jw_put_bool(&w, "key", m->key.n > 0);
        jw_end_object(&w);
    }
    if (cli->json) {
        jw_end_array(&w);
        if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
    }
    return cli_out(buf_str(&out), e);
}

static int list(struct cli *cli, const struct json *root, struct secrets *s,
                struct arena *a, struct err *e) {
    const char *model = args_text(&cli->args, "model");
    const char *provider = args_text(&cli->args, "provider");
    struct model_config m;
    struct models all;
    if (model || provider)
        return models_choose(root, s, model, provider, a, &m, e) ||
                       show_served(cli, &m, e)
                   ? -1
                   : 0;
    if (models_read(root, a, &all, e)) return -1;
    return show_configured(cli, &all, e);
}

int net_model_list(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *root;
    if (args_flag(&cli->args, "providers")) return show_providers(cli, e);
    if (settings_load(cli, &a, &root, e)) return -1;
    struct secrets *s = secrets_new(e);
    int result = s ? list(cli, root, s, &a, e) : -1;
    secrets_free(s);
    return result;
}
