/* SPDX-License-Identifier: MIT */
#include "cli/curve.h"

#define BAR    50 /* characters of a full bar */
#define WIDTH  640
#define HEIGHT 360
#define MARGIN 40

size_t curve_knee(const double *y, size_t n) {
    size_t knee = 1;
    double farthest = -1;
    for (size_t i = 0; i < n; i++) {
        double along = n > 1 ? (double)i / (double)(n - 1) : 0;
        double above = y[i] - (y[0] + (y[n - 1] - y[0]) * along);
        if (above <= farthest) continue;
        farthest = above;
        knee = i + 1;
    }
    return knee;
}

int curve_text(const double *y, size_t n, size_t knee, struct buf *out,
               struct err *e) {
    static const char bar[] =
        "##################################################";
    if (buf_add_text(out, "\nrecall over k\n", e)) return -1;
    for (size_t i = 0; i < n; i++) {
        int full = (int)(y[i] * BAR + 0.5);
        if (buf_addf(out, e, "%4zu %.3f %.*s%s\n", i + 1, y[i], full, bar,
                     i + 1 == knee ? "  <- more buys little" : ""))
            return -1;
    }
    return 0;
}

static double across(size_t i, size_t n) {
    return MARGIN +
           (WIDTH - 2.0 * MARGIN) * (double)i / (double)(n > 1 ? n - 1 : 1);
}

static double down(double y) {
    return HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * y;
}

static int add_axes(size_t n, struct buf *out, struct err *e) {
    for (int tenth = 0; tenth <= 10; tenth += 2) {
        double y = down(tenth / 10.0);
        if (buf_addf(out, e,
                     "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                     "stroke=\"#ccc\"/><text x=\"8\" y=\"%.1f\">%.1f</text>\n",
                     MARGIN, y, WIDTH - MARGIN, y, y + 4, tenth / 10.0))
            return -1;
    }
    for (size_t i = 0; i < n; i += i == 0 ? 4 : 5)
        if (buf_addf(out, e, "<text x=\"%.1f\" y=\"%d\">%zu</text>\n",
                     across(i, n) - 4, HEIGHT - MARGIN + 18, i + 1))
            return -1;
    return 0;
}

int curve_svg(const double *y, size_t n, size_t knee, struct buf *out,
              struct err *e) {
    if (buf_addf(out, e,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                 "height=\"%d\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<title>recall over k</title>\n",
                 WIDTH, HEIGHT) ||
        add_axes(n, out, e) ||
        buf_add_text(out,
                     "<polyline fill=\"none\" stroke=\"#0057b7\" "
                     "stroke-width=\"2\" points=\"",
                     e))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (buf_addf(out, e, "%.1f,%.1f ", across(i, n), down(y[i]))) return -1;
    return buf_addf(out, e,
                    "\"/>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" "
                    "fill=\"#d22\"/>\n<text x=\"%.1f\" y=\"%.1f\">k = %zu: "
                    "%.3f</text>\n</svg>\n",
                    across(knee - 1, n), down(y[knee - 1]),
                    across(knee - 1, n) + 8, down(y[knee - 1]) + 18, knee,
                    y[knee - 1]);
}
