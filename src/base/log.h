/* SPDX-License-Identifier: MIT
 *
 * log -- lines for people on a descriptor, with levels and redaction.
 *
 * A log belongs to its owner and is passed where it is needed; there is no
 * global one. Secrets registered with log_redact never appear: each occurrence
 * is written as "[redacted]". Control characters from outside are escaped.
 */
#ifndef CORDON_BASE_LOG_H
#define CORDON_BASE_LOG_H

#include "base/err.h"
#include "base/str.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct log {
    int fd;
    enum log_level level; /* lines above this level are dropped */
    bool timestamps;
    bool color;     /* of the level's name, for terminals */
    char **secrets; /* owned copies, wiped when freed */
    size_t secret_count;
};

#define LOG_TO(fd_, level_) ((struct log){.fd = (fd_), .level = (level_)})

void log_line(struct log *log, enum log_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define log_error(log, ...) log_line((log), LOG_ERROR, __VA_ARGS__)
#define log_warn(log, ...)  log_line((log), LOG_WARN, __VA_ARGS__)
#define log_info(log, ...)  log_line((log), LOG_INFO, __VA_ARGS__)
#define log_debug(log, ...) log_line((log), LOG_DEBUG, __VA_ARGS__)

/* Secrets shorter than 4 bytes are refused: they would redact everything. */
int log_redact(struct log *log, str secret, struct err *e);
int log_parse_level(str s, enum log_level *out, struct err *e);
void log_fini(struct log *log);

#endif
