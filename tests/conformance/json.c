/* SPDX-License-Identifier: MIT
 *
 * JSONTestSuite's verdicts, and doubles judged by libc, Python and node.
 */
#include "../unit/test.h"
#include "base/file.h"
#include "base/real.h"
#include "json/write.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE "../shared/data/json/"
#define ROOM  ((size_t)64 << 20)

/* RFC 8259 leaves repeated keys to the parser; the suite wants them read. */
static const struct json_limits as_rfc = {.keep_duplicates = true};

typedef void visit(const char *name, str text, void *to);

static void each_file(const char *folder, visit *see, void *to) {
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);
    if (n < 0) SKIP("%s is not there", folder);
    for (int i = 0; i < n; i++) {
        AUTO_BUF struct buf text = BUF_MAX(ROOM);
        char path[512];
        struct err e;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            CHECK_OK(file_read(path, &text, &e), &e);
            see(names[i]->d_name, buf_str(&text), to);
        }
        free(names[i]);
    }
    free(names);
}

struct verdicts {
    int right, wrong, taken, refused; /* the last two: of i_ files */
};

static void judge(const char *name, str text, void *to) {
    struct verdicts *v = to;
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *value;
    bool accepted = json_parse(text, &as_rfc, &a, &value, &e) == 0;
    if (name[0] == 'i') {
        v->taken += accepted;
        v->refused += !accepted;
        test_note("%s: %s", name, accepted ? "accepted" : e.text);
    } else if (accepted == (name[0] == 'y')) {
        v->right++;
    } else {
        v->wrong++;
        test_note("%s: %s", name, accepted ? "accepted" : e.text);
    }
}

TEST(json_test_suite_has_no_wrong_verdict) {
    struct verdicts v = {0};
    each_file(SUITE "test_parsing", judge, &v);
    printf("## JSONTestSuite: %d right, %d wrong; of %d either-way files %d "
           "accepted\n",
           v.right, v.wrong, v.taken + v.refused, v.taken);
    CHECK_EQ(v.wrong, 0);
    CHECK_EQ(v.right, 283);
}

/* What becomes of the texts about which parsers differ. NULL: refused. */
static void check_transform(const char *name, str text, void *to) {
    static const struct {
        const char *name, *compact;
    } want[] = {
        {"number_-9223372036854775808.json", "[-9223372036854775808]"},
        {"number_-9223372036854775809.json", "[-9223372036854775809]"},
        {"number_1.0.json", "[1.0]"},
        {"number_1.000000000000000005.json", "[1.0]"},
        {"number_1000000000000000.json", "[1000000000000000]"},
        {"number_10000000000000000999.json", "[10000000000000000999]"},
        {"number_1e-999.json", "[0.0]"},
        {"number_1e6.json", "[1000000.0]"},
        {"number_9223372036854775807.json", "[9223372036854775807]"},
        {"number_9223372036854775808.json", "[9223372036854775808]"},
        {"object_key_nfc_nfd.json", "{\"\u00e9\":\"NFC\",\"e\u0301\":\"NFD\"}"},
        {"object_key_nfd_nfc.json", "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"},
        {"object_same_key_different_values.json", NULL},
        {"object_same_key_same_value.json", NULL},
        {"object_same_key_unclear_values.json", NULL},
        {"string_1_escaped_invalid_codepoint.json", "[\"\\ud800\"]"},
        {"string_1_invalid_codepoint.json", NULL},
        {"string_2_escaped_invalid_codepoints.json", "[\"\\ud800\\ud800\"]"},
        {"string_2_invalid_codepoints.json", NULL},
        {"string_3_escaped_invalid_codepoints.json",
         "[\"\\ud800\\ud800\\ud800\"]"},
        {"string_3_invalid_codepoints.json", NULL},
        {"string_with_escaped_NULL.json", "[\"A\\u0000B\"]"},
    };
    size_t i = 0;
    while (i < sizeof want / sizeof want[0] && strcmp(want[i].name, name) != 0)
        i++;
    if (i == sizeof want / sizeof want[0])
        test_fail(__FILE__, __LINE__, "%s: no expectation", name);
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    const struct json *v;
    int *count = to;
    ++*count;
    if (!want[i].compact) {
        CHECK_FAIL(json_parse(text, NULL, &a, &v, &e), &e, ERR_INVALID);
        return;
    }
    CHECK_OK(json_parse(text, NULL, &a, &v, &e), &e);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_STR(buf_str(&out), want[i].compact);
}

TEST(nothing_is_changed_that_parsers_differ_about) {
    int count = 0;
    each_file(SUITE "test_transform", check_transform, &count);
    printf("## test_transform: %d files as stated (numbers exact, keys not "
           "normalised, repeats refused, lone surrogates kept)\n",
           count);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Every other one has random bits; the rest look like numbers of people. */
static double random_double(uint64_t *state) {
    double d;
    do {
        uint64_t bits = next_random(state);
        memcpy(&d, &bits, sizeof d);
        if (bits & 1)
            d = (double)(bits >> 40) / (double)(1 << (bits >> 1) % 24);
    } while (!isfinite(d));
    return d;
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

TEST(a_million_doubles_survive_the_round_trip) {
    uint64_t state = 0x9e3779b97f4a7c15;
    for (int i = 0; i < 1000000; i++) {
        double d = random_double(&state);
        char ours[REAL_TEXT_SIZE + 1], long_text[64];
        size_t n = real_format_py(d, ours);
        ours[n] = '\0';
        CHECK(same_bits(real_parse((str){ours, n}), d));
        CHECK(same_bits(strtod(ours, NULL), d));
        int len = snprintf(long_text, sizeof long_text, "%.17g", d);
        CHECK(same_bits(real_parse((str){long_text, (size_t)len}), d));
    }
    printf("## doubles: 1000000 written, read back, and judged by libc\n");
}

/* Hands `count` doubles as bits, with our text, to another program. */
static void judged_by(const char *command, const char *who, int count,
                      size_t (*format)(double d, char *out)) {
    char check[64];
    snprintf(check, sizeof check, "command -v %s >/dev/null", who);
    if (system(check) != 0) SKIP("%s is not installed", who);
    FILE *judge = popen(command, "w");
    CHECK(judge != NULL);
    uint64_t state = 42;
    for (int i = 0; i < count; i++) {
        double d = random_double(&state);
        char text[REAL_TEXT_SIZE];
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        fprintf(judge, "%016llx %.*s\n", (unsigned long long)bits,
                (int)format(d, text), text);
    }
    CHECK_EQ(pclose(judge), 0);
    printf("## doubles: %d as %s writes them\n", count, who);
}

TEST(doubles_are_written_as_python_writes_them) {
    judged_by("python3 -c '\n"
              "import struct, sys\n"
              "for line in sys.stdin:\n"
              "    bits, text = line.split()\n"
              "    d, = struct.unpack(\">d\", bytes.fromhex(bits))\n"
              "    assert repr(d) == text, (repr(d), text)\n"
              "'",
              "python3", 200000, real_format_py);
}

TEST(doubles_are_written_as_node_writes_them) {
    judged_by("node -e '\n"
              "const text = require(\"fs\").readFileSync(0, \"utf8\");\n"
              "for (const line of text.trim().split(\"\\n\")) {\n"
              "    const [bits, ours] = line.split(\" \");\n"
              "    const d = Buffer.from(bits, \"hex\").readDoubleBE(0);\n"
              "    if (String(d) !== ours) throw [String(d), ours];\n"
              "}'",
              "node", 200000, real_format_es);
}
