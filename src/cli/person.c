/* SPDX-License-Identifier: MIT */
#include "cli/person.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "call/approval.h"
#include "cli/records.h"

#define OUT_BYTES ((size_t)64 << 20)

bool person_here(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static int read_choice(enum approval_choice *out, struct err *e) {
    char line[64];
    if (fd_write_all(2,
                     STR("Allow? [y]es, like [c]alls too, [r]emember, "
                         "[N]o: "),
                     e))
        return -1;
    if (!fgets(line, sizeof line, stdin)) line[0] = 'n';
    *out = line[0] == 'y'   ? APPROVE_ONCE
           : line[0] == 'c' ? APPROVE_ALIKE
           : line[0] == 'r' ? APPROVE_REMEMBER
                            : APPROVE_NOT;
    return 0;
}

int person_ask(const struct authority *authority, str approval, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    AUTO_BUF struct buf card = BUF_MAX(OUT_BYTES), by = BUF_MAX(256);
    struct store *s = authority->store;
    struct store_approval question;
    enum approval_choice choice;
    if (store_approval_get(s, approval, &a, &question, e) ||
        buf_add_char(&card, '\n', e) ||
        approval_describe(s, &question, &card, e) ||
        fd_write_all(2, buf_str(&card), e) || read_choice(&choice, e) ||
        records_user(&by, e))
        return -1;
    return approval_answer(s, authority->audit, approval, choice, buf_str(&by),
                           e);
}
