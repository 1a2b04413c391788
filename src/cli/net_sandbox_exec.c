/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/sandbox_exec.h"
#include "cli/sandbox_log.h"
#include "sandbox/tls.h"

int net_sandbox_exec(struct cli *cli, struct err *e) {
    struct sandbox_log log;
    const struct confine_watch watch = sandbox_log_watch(&log);
    int status = sandbox_exec(cli, &tls_openssl, &watch, e);
    sandbox_log_close(cli, &log);
    return status;
}
