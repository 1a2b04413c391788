/* SPDX-License-Identifier: MIT
 *
 * vectors -- see vectors.h.
 *
 * A table is a header, then the parts in the order of struct vectors, each
 * starting at a multiple of 16 bytes. Numbers are little-endian, as on every
 * machine this runs on; the header tells when they are not.
 */
#include "tools/select/vectors.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <sys/platform/x86.h>
#endif

#include <assert.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC           "CORDVEC1"
#define ALIGN           16u
#define ROWS_MAX        ((uint32_t)1 << 20)
#define TEXT_MAX        ((uint32_t)16 << 20)
#define BYTE_ORDER_MARK 0x01020304u

struct header {
    char magic[8];
    uint32_t order; /* BYTE_ORDER_MARK */
    uint32_t dims;
    uint32_t count;
    uint32_t words_len;
    uint32_t provenance_len;
    uint32_t zero;
};

static size_t padded(size_t n) {
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* The next part of the table: n bytes at *at, which moves behind them. */
static const void *part(str bytes, size_t *at, size_t n) {
    if (n > bytes.n || *at > bytes.n - n) return NULL;
    const void *p = bytes.p + *at;
    *at += padded(n);
    return p;
}

static bool words_ascend(const struct vectors *v, size_t words_len) {
    if (v->at[0] != 0 || v->at[v->count] != words_len) return false;
    for (size_t i = 0; i < v->count; i++)
        if (v->at[i] > v->at[i + 1]) return false;
    for (size_t i = 1; i < v->count; i++) {
        str a = {v->words + v->at[i - 1], v->at[i] - v->at[i - 1]};
        str b = {v->words + v->at[i], v->at[i + 1] - v->at[i]};
        if (str_cmp(a, b) >= 0) return false;
    }
    return true;
}

int vectors_open(str bytes, struct vectors *out, struct err *e) {
    struct header h;
    if (bytes.n < sizeof h || (uintptr_t)bytes.p % ALIGN)
        return fail(e, ERR_INVALID, "not a vector table");
    memcpy(&h, bytes.p, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) || h.order != BYTE_ORDER_MARK ||
        h.dims != VECTOR_DIMS || h.count > ROWS_MAX || h.words_len > TEXT_MAX ||
        h.provenance_len > TEXT_MAX)
        return fail(e, ERR_INVALID, "not a vector table of this version");
    size_t at = padded(sizeof h);
    struct vectors v = {.count = h.count};
    v.scale = part(bytes, &at, v.count * sizeof *v.scale);
    v.at = part(bytes, &at, (v.count + 1) * sizeof *v.at);
    v.words = part(bytes, &at, h.words_len);
    v.provenance = (str){part(bytes, &at, h.provenance_len), h.provenance_len};
    v.rows = part(bytes, &at, v.count * VECTOR_DIMS);
    if (!v.scale || !v.at || !v.words || !v.provenance.p || !v.rows)
        return fail(e, ERR_INVALID, "vector table is cut short");
    if (!words_ascend(&v, h.words_len))
        return fail(e, ERR_INVALID, "vector table is not in order");
    *out = v;
    return 0;
}

/* The table lies in the program as it is; nothing is read or copied at start,
 * and its pages are loaded when selection first looks. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        ".globl vectors_table\n"
        ".hidden vectors_table\n"
        "vectors_table:\n"
        ".incbin \"src/tools/select/table.vec\"\n"
        ".globl vectors_table_end\n"
        ".hidden vectors_table_end\n"
        "vectors_table_end:\n"
        ".previous\n");
extern const char vectors_table[]
    __attribute__((visibility("hidden"), aligned(16)));
extern const char vectors_table_end[] __attribute__((visibility("hidden")));

int vectors_builtin(struct vectors *out, struct err *e) {
    str bytes = {vectors_table, (size_t)(vectors_table_end - vectors_table)};
    return vectors_open(bytes, out, e);
}

void vectors_rest(const struct vectors *v) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)vectors_table + page - 1) / page * page;
    uintptr_t to = (uintptr_t)vectors_table_end / page * page;
    if ((const char *)v->rows < vectors_table ||
        (const char *)v->rows >= vectors_table_end || from >= to)
        return;
    /* Nobody writes there, so nothing is lost; a refusal costs memory only. */
    (void)madvise((void *)from, to - from, MADV_DONTNEED);
}

int32_t vectors_find(const struct vectors *v, str stem) {
    size_t lo = 0, hi = v->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        str word = {v->words + v->at[mid], v->at[mid + 1] - v->at[mid]};
        int order = str_cmp(word, stem);
        if (order == 0) return (int32_t)mid;
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

void vectors_add(const struct vectors *v, int32_t row, float weight,
                 float acc[VECTOR_DIMS]) {
    const int8_t *r = v->rows + (size_t)row * VECTOR_DIMS;
    float by = v->scale[row] * weight;
    for (size_t d = 0; d < VECTOR_DIMS; d++)
        acc[d] += by * (float)r[d];
}

float vector_pack(const float acc[VECTOR_DIMS], int8_t out[VECTOR_DIMS]) {
    float max = 0;
    for (size_t d = 0; d < VECTOR_DIMS; d++)
        max = fmaxf(max, fabsf(acc[d]));
    memset(out, 0, VECTOR_DIMS);
    if (!(max > 0) || !isfinite(max)) return 0;
    float square = 0;
    for (size_t d = 0; d < VECTOR_DIMS; d++) {
        out[d] = (int8_t)lrintf(acc[d] / max * 127.0f);
        square += (float)out[d] * (float)out[d];
    }
    return 1.0f / sqrtf(square);
}

static void scan_plain(const int8_t *rows, size_t count, const int8_t *query,
                       int32_t *out) {
    for (size_t i = 0; i < count; i++) {
        const int8_t *row = rows + i * VECTOR_DIMS;
        int32_t sum = 0;
        for (size_t d = 0; d < VECTOR_DIMS; d++)
            sum += row[d] * query[d];
        out[i] = sum;
    }
}

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))

/* Eight partial sums of one row. Products are taken of the query's magnitudes
 * and the row with the query's signs; two of them fit 16 bits, because no
 * packed number is below -127. */
WIDE static inline __m256i row_sums(const int8_t *row, const __m256i *query,
                                    const __m256i *magnitude) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sum = _mm256_setzero_si256();
    for (size_t k = 0; k < VECTOR_DIMS / 32; k++) {
        __m256i r = _mm256_loadu_si256((const __m256i *)(row + 32 * k));
        __m256i pairs =
            _mm256_maddubs_epi16(magnitude[k], _mm256_sign_epi8(r, query[k]));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
    }
    return sum;
}

/* Four rows at a time: their sums are added up together. */
WIDE static void scan_wide(const int8_t *rows, size_t count,
                           const int8_t *query, int32_t *out) {
    __m256i q[VECTOR_DIMS / 32], m[VECTOR_DIMS / 32];
    size_t i = 0;
    for (size_t k = 0; k < VECTOR_DIMS / 32; k++) {
        q[k] = _mm256_loadu_si256((const __m256i *)(query + 32 * k));
        m[k] = _mm256_abs_epi8(q[k]);
    }
    for (; i + 4 <= count; i += 4) {
        const int8_t *row = rows + i * VECTOR_DIMS;
        __m256i a = _mm256_hadd_epi32(row_sums(row, q, m),
                                      row_sums(row + VECTOR_DIMS, q, m));
        __m256i b = _mm256_hadd_epi32(row_sums(row + 2 * VECTOR_DIMS, q, m),
                                      row_sums(row + 3 * VECTOR_DIMS, q, m));
        __m256i all = _mm256_hadd_epi32(a, b);
        __m128i four = _mm_add_epi32(_mm256_castsi256_si128(all),
                                     _mm256_extracti128_si256(all, 1));
        _mm_storeu_si128((__m128i *)(out + i), four);
    }
    scan_plain(rows + i * VECTOR_DIMS, count - i, query, out + i);
}

/* The C library has asked the processor already. The compiler's own function
 * would ask again at every start of the program, and in a virtual machine each
 * question takes tens of microseconds. */
static bool has_wide(void) {
    return CPU_FEATURE_ACTIVE(AVX2);
}
#else
#define scan_wide scan_plain
static bool has_wide(void) {
    return false;
}
#endif

void vectors_scan(const int8_t *rows, size_t count, const int8_t *query,
                  int32_t *out) {
    if (count >= 4 && has_wide())
        scan_wide(rows, count, query, out);
    else
        scan_plain(rows, count, query, out);
}

/* ---- writing ---- */

static int add_padded(struct buf *out, const void *p, size_t n, struct err *e) {
    static const char zeros[ALIGN];
    if (buf_add(out, p, n, e)) return -1;
    return buf_add(out, zeros, padded(n) - n, e);
}

static int add_words(const str *words, size_t count, struct buf *out,
                     struct err *e) {
    uint32_t at = 0;
    size_t start = out->len;
    for (size_t i = 0; i <= count; i++) {
        if (buf_add(out, &at, sizeof at, e)) return -1;
        if (i < count) at += (uint32_t)words[i].n;
    }
    if (add_padded(out, "", 0, e)) return -1;
    while ((out->len - start) % ALIGN)
        if (buf_add_char(out, 0, e)) return -1;
    start = out->len;
    for (size_t i = 0; i < count; i++)
        if (buf_add_str(out, words[i], e)) return -1;
    while ((out->len - start) % ALIGN)
        if (buf_add_char(out, 0, e)) return -1;
    return 0;
}

/* The scale keeps the row's length; the bytes keep its direction. */
static int add_rows(const float *rows, size_t count, struct buf *scales,
                    struct buf *bytes, struct err *e) {
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + i * VECTOR_DIMS;
        int8_t packed[VECTOR_DIMS];
        float square = 0, unit = vector_pack(row, packed);
        for (size_t d = 0; d < VECTOR_DIMS; d++)
            square += row[d] * row[d];
        float scale = unit * sqrtf(square);
        if (buf_add(scales, &scale, sizeof scale, e) ||
            buf_add(bytes, packed, sizeof packed, e))
            return -1;
    }
    return 0;
}

int vectors_write(const str *words, const float *rows, size_t count,
                  str provenance, struct buf *out, struct err *e) {
    assert(out->len == 0);
    AUTO_BUF struct buf scales = BUF_MAX(out->max);
    AUTO_BUF struct buf bytes = BUF_MAX(out->max);
    if (add_rows(rows, count, &scales, &bytes, e)) return -1;
    struct header h = {.magic = MAGIC,
                       .order = BYTE_ORDER_MARK,
                       .dims = VECTOR_DIMS,
                       .count = (uint32_t)count,
                       .provenance_len = (uint32_t)provenance.n};
    for (size_t i = 0; i < count; i++)
        h.words_len += (uint32_t)words[i].n;
    if (add_padded(out, &h, sizeof h, e) ||
        add_padded(out, scales.data, scales.len, e) ||
        add_words(words, count, out, e) ||
        add_padded(out, provenance.p, provenance.n, e))
        return -1;
    return add_padded(out, bytes.data, bytes.len, e);
}
