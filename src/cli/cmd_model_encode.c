/* SPDX-License-Identifier: MIT
 *
 * cordon model encode: a request (or an answer) in the canonical form, as a
 * model server (or its client) wants it.
 */
#include "agent/codec.h"
#include "agent/gbnf.h"
#include "cli/programs.h"

#define TEXT_BYTES ((size_t)64 << 20)
#define TREE_BYTES ((size_t)1 << 30)

static const struct vendor *find_vendor(const struct cli *cli, struct err *e) {
    const char *provider = args_text(&cli->args, "provider");
    const char *name = args_text(&cli->args, "api");
    enum api api;
    if (provider) return vendor_find(str_of(provider), e);
    if (!name) {
        err_set(e, ERR_USAGE, "--api or --provider says who shall read it");
        return NULL;
    }
    return api_parse(str_of(name), &api, e) ? NULL : vendor_of_api(api);
}

static int encode(struct cli *cli, const struct vendor *to,
                  const struct json *v, struct arena *a, struct buf *out,
                  struct err *e) {
    struct model_request q;
    struct model_answer m;
    if (args_flag(&cli->args, "answer"))
        return canon_read_answer(v, a, &m, e) ||
                       answer_encode(to->api, &m, out, e)
                   ? -1
                   : 0;
    return canon_read_request(v, a, &q, e) || request_encode(to, &q, out, e)
               ? -1
               : 0;
}

/* The grammar of calls of the request's tools, for servers that sample by
 * one. */
static int write_grammar(const char *format, const struct json *v,
                         struct arena *a, struct buf *out, struct err *e) {
    struct model_request q;
    enum textcall how;
    if (textcall_parse(str_of(format), &how, e) ||
        canon_read_request(v, a, &q, e))
        return -1;
    if (q.offers.count == 0)
        return fail(e, ERR_INVALID, "the request has no tools");
    return gbnf_write(how, &q.offers, out, e);
}

int cmd_model_encode(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES), out = BUF_MAX(TREE_BYTES);
    AUTO_ARENA struct arena a = ARENA_MAX(TREE_BYTES);
    const char *grammar = args_text(&cli->args, "grammar");
    const struct vendor *to = grammar ? NULL : find_vendor(cli, e);
    const struct json *v;
    if ((!to && !grammar) || cli_read(cli_operand(cli, 0), &text, e)) return -1;
    if (json_parse(buf_str(&text), NULL, &a, &v, e) ||
        (grammar
             ? write_grammar(grammar, v, &a, &out, e)
             : encode(cli, to, v, &a, &out, e) || buf_add_char(&out, '\n', e)))
        return fail_while(e, "%s", cli_operand_name(cli, 0));
    return cli_out(buf_str(&out), e);
}
