/* SPDX-License-Identifier: MIT
 *
 * fuzz_tools -- catalogues, the tokeniser and requests, from any bytes.
 *
 * The input is a catalogue; its last line is the request.
 */
#include "tools/select/lint.h"
#include "tools/select/select.h"
#include "tools/select/tokenise.h"

#include "fuzz.h"

#include <stdlib.h>

static str last_line(str text) {
    size_t at = text.n;
    while (at > 0 && text.p[at - 1] != '\n')
        at--;
    return str_sub(text, at, text.n);
}

/* Every term lies where it says it does. */
static void check_terms(str text, bool plain) {
    struct tokens t = plain ? TOKENS_PLAIN(text) : TOKENS(text);
    while (tokens_next(&t))
        if (t.len == 0 || t.len > TERM_MAX || t.start >= t.end ||
            t.end > text.n)
            abort();
}

static void search(const struct catalogue *c, str request) {
    struct err e;
    static struct selection found;
    AUTO_SELECTOR struct selector s = {0};
    if (selector_init(&s, NULL, &e) || selector_sync(&s, c, &e)) return;
    struct select_request r = {.text = request};
    if (select_tools(&s, &r, &found, &e)) return;
    if (found.count > SELECT_MAX) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str text = {(const char *)data, size};
    check_terms(text, true);
    check_terms(text, false);
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    AUTO_LINT struct lint l = LINT_INIT;
    if (catalogue_add_text(&c, text, &e) && c.count == 0) return 0;
    search(&c, last_line(text));
    if (c.count < 20) (void)lint_catalogue(&l, &c, &e);
    return 0;
}
