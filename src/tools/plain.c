/* SPDX-License-Identifier: MIT */
#include "tools/plain.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"

static bool is_selector(uint32_t cp) {
    return (cp >= 0xfe00 && cp <= 0xfe0f) || (cp >= 0xe0100 && cp <= 0xe01ef);
}

/* Letters by category that show nothing: fillers and invented blanks. */
static bool is_filler(uint32_t cp) {
    return cp == 0x115f || cp == 0x1160 || cp == 0x3164 || cp == 0xffa0 ||
           cp == 0x2800 || cp == 0x17b4 || cp == 0x17b5 || cp == 0x034f;
}

bool plain_is_invisible(uint32_t cp) {
    if (cp < 0x80) return false;
    if (is_selector(cp) || is_filler(cp)) return true;
    utf8proc_category_t cat = utf8proc_category((utf8proc_int32_t)cp);
    return cat == UTF8PROC_CATEGORY_CF || cat == UTF8PROC_CATEGORY_CO ||
           cat == UTF8PROC_CATEGORY_CS || cat == UTF8PROC_CATEGORY_CN;
}

static bool is_blank(uint32_t cp) {
    if (cp <= 0x20 || cp == 0x7f) return true;
    if (cp < 0x80) return false;
    utf8proc_category_t cat = utf8proc_category((utf8proc_int32_t)cp);
    return cat == UTF8PROC_CATEGORY_CC || cat == UTF8PROC_CATEGORY_ZS ||
           cat == UTF8PROC_CATEGORY_ZL || cat == UTF8PROC_CATEGORY_ZP;
}

/* Reads the next visible character of *rest; a run of blanks is one. Returns
 * its bytes in out, 0 at the end. */
static size_t next_visible(str *rest, char out[UTF8_MAX]) {
    bool blank = false;
    while (rest->n > 0) {
        uint32_t cp;
        size_t n = utf8_decode(rest->p, rest->n, &cp);
        bool shown = n > 0 && !plain_is_invisible(cp);
        bool space = shown && is_blank(cp);
        if (shown && !space && blank) break;
        *rest = str_sub(*rest, n > 0 ? n : 1, rest->n);
        blank |= space;
        if (shown && !space) return utf8_encode(cp, out);
    }
    out[0] = ' ';
    return blank;
}

/* Adds one piece unless that would pass the bound; then "..." for the rest. */
static int add_within(struct buf *out, size_t end, const char *p, size_t n,
                      bool *cut, struct err *e) {
    *cut = out->len + n + 3 > end;
    return *cut ? buf_add_text(out, "...", e) : buf_add(out, p, n, e);
}

static int add_plain(struct buf *out, str text, size_t end, bool *cut,
                     struct err *e) {
    char c[UTF8_MAX];
    str rest = str_trim(text);
    for (size_t n; !*cut && (n = next_visible(&rest, c)) > 0;) {
        if (c[0] == ' ' && rest.n == 0) return 0;
        if (add_within(out, end, c, n, cut, e)) return -1;
    }
    return 0;
}

int plain_add(struct buf *out, str text, size_t max, struct err *e) {
    bool cut = false;
    return add_plain(out, text, out->len + max, &cut, e);
}

int plain_add_lines(struct buf *out, str text, const char *indent, size_t max,
                    struct err *e) {
    size_t end = out->len + max;
    bool cut = false;
    for (str rest = text; rest.p && !cut;) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (line.n == 0) continue;
        if (buf_add_text(out, indent, e) ||
            add_plain(out, line, end, &cut, e) || buf_add_char(out, '\n', e))
            return -1;
    }
    return 0;
}

int plain_add_quoted(struct buf *out, str text, size_t max, struct err *e) {
    size_t end = out->len + max;
    char c[UTF8_MAX], escaped[2] = {'\\', 0};
    bool cut = false;
    if (buf_add_char(out, '\'', e)) return -1;
    for (size_t n; !cut && (n = next_visible(&text, c)) > 0;) {
        bool escape = c[0] == '\'' || c[0] == '\\';
        escaped[1] = c[0];
        if (add_within(out, end, escape ? escaped : c, escape ? 2 : n, &cut, e))
            return -1;
    }
    return buf_add_char(out, '\'', e);
}
