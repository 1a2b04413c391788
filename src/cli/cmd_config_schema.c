/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)1 << 20)

/* Made compact, shown in shape. */
int cmd_config_schema(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES), out = BUF_MAX(TEXT_BYTES);
    AUTO_ARENA struct arena a = ARENA_MAX(16 * TEXT_BYTES);
    const struct json *schema;
    (void)cli;
    if (config_add_schema(settings_keys(), &text, e) ||
        json_parse(buf_str(&text), NULL, &a, &schema, e) ||
        json_write(schema, JSON_PRETTY, &out, e) || buf_add_char(&out, '\n', e))
        return -1;
    return cli_out(buf_str(&out), e);
}
