/* SPDX-License-Identifier: MIT */
#include "vm/seq.h"

#include "vm/bigint.h"

/* An index clamped to int64, or -1: not an int. */
static int clamp_index(struct vm *vm, val v, int64_t *out) {
    if (val_is_int(v)) {
        *out = val_int(v);
        return 0;
    }
    if (int_is(vm, v)) {
        if (int_get(vm, v, out))
            *out = int_sign(vm, v) < 0 ? INT64_MIN / 2 : INT64_MAX / 2;
        return 0;
    }
    if (special_of(vm, v, SPECIAL_INDEX))
        vm_slow(vm);
    else
        vm_raise(vm, EXC_TypeError,
                 "slice indices must be integers or None or have an __index__ "
                 "method");
    return -1;
}

/* A bound moved into low..high after counting negative ones from len. */
static int slice_bound(struct vm *vm, val v, int64_t len, int64_t low,
                       int64_t high, int64_t missing, int64_t *out) {
    if (v == VAL_NONE) {
        *out = missing;
        return 0;
    }
    int64_t i;
    if (clamp_index(vm, v, &i)) return -1;
    if (i < 0) i = i < -len ? low : i + len;
    *out = i < low ? low : i > high ? high : i;
    return 0;
}

static int slice_indices(struct vm *vm, val slice, int64_t len, int64_t *start,
                         int64_t *stop, int64_t *step) {
    const struct oslice *s = heap_at(&vm->heap, slice);
    *step = 1;
    if (s->step != VAL_NONE && clamp_index(vm, s->step, step)) return -1;
    if (*step == 0) {
        vm_raise(vm, EXC_ValueError, "slice step cannot be zero");
        return -1;
    }
    int64_t low = *step < 0 ? -1 : 0, high = *step < 0 ? len - 1 : len;
    if (slice_bound(vm, s->start, len, low, high, *step < 0 ? high : low,
                    start))
        return -1;
    return slice_bound(vm, s->stop, len, low, high, *step < 0 ? low : high,
                       stop);
}

/* As slice_bound, for ints of any size. */
static val far_bound(struct vm *vm, val v, val len, const val edge[2],
                     val missing) {
    int64_t near;
    if (v == VAL_NONE) return missing;
    if (clamp_index(vm, v, &near)) return VAL_UNSET; /* it is no int */
    if (int_sign(vm, v) < 0 && !(v = int_add(vm, v, len))) return VAL_UNSET;
    return int_cmp(vm, v, edge[0]) < 0   ? edge[0]
           : int_cmp(vm, v, edge[1]) > 0 ? edge[1]
                                         : int_plain(vm, v);
}

int slice_far(struct vm *vm, val slice, val len, val out[3]) {
    const struct oslice *s = heap_at(&vm->heap, slice);
    int64_t near = 1;
    if (s->step != VAL_NONE && clamp_index(vm, s->step, &near)) return -1;
    if (near == 0) {
        vm_raise(vm, EXC_ValueError, "slice step cannot be zero");
        return -1;
    }
    out[2] = s->step == VAL_NONE ? val_of_int(1) : int_plain(vm, s->step);
    bool down = near < 0;
    val less = int_sub(vm, len, val_of_int(1));
    val edge[2] = {val_of_int(down ? -1 : 0), down ? less : len};
    if (!out[2] || !less) return -1;
    out[0] = far_bound(vm, s->start, len, edge, edge[down]);
    if (!out[0]) return -1;
    out[1] = far_bound(vm, s->stop, len, edge, edge[!down]);
    return out[1] ? 0 : -1;
}

int slice_span(struct vm *vm, val slice, uint64_t len, struct span *out) {
    int64_t start, stop, step;
    if (slice_indices(vm, slice, (int64_t)len, &start, &stop, &step)) return -1;
    *out = (struct span){.start = start, .step = step};
    if (step > 0 && start < stop)
        out->count = (uint64_t)((stop - start - 1) / step) + 1;
    if (step < 0 && stop < start)
        out->count = (uint64_t)((start - stop - 1) / -step) + 1;
    return 0;
}

int seq_index(struct vm *vm, val key, uint64_t len, const char *words,
              uint64_t *out) {
    int64_t i;
    if (int_is(vm, key) && int_get(vm, key, &i)) {
        vm_raise(vm, EXC_IndexError,
                 "cannot fit 'int' into an index-sized integer");
        return -1;
    }
    if (value_index(vm, key, &i)) return -1;
    if (i < 0) i += (int64_t)len;
    if (i < 0 || (uint64_t)i >= len) {
        vm_raise(vm, EXC_IndexError, "%s", words);
        return -1;
    }
    *out = (uint64_t)i;
    return 0;
}

int seq_repeat(struct vm *vm, val by, uint64_t n, uint64_t size,
               uint64_t *times) {
    int64_t i;
    if (int_is(vm, by) && int_get(vm, by, &i)) {
        vm_raise(vm, EXC_OverflowError,
                 "cannot fit 'int' into an index-sized integer");
        return -1;
    }
    if (value_index(vm, by, &i)) return -1;
    *times = i < 0 ? 0 : (uint64_t)i;
    if (!n || !*times) return 0;
    uint64_t total;
    if (__builtin_mul_overflow(n, *times, &total) ||
        __builtin_mul_overflow(total, size, &total) || total > vm->heap.limit) {
        vm_raise_args(vm, EXC_MemoryError, NULL, 0);
        return -1;
    }
    return vm_charge(vm, total / 16) ? 0 : -1;
}

int seq_bounds(struct vm *vm, val start, val end, uint64_t len, uint64_t *from,
               uint64_t *to) {
    int64_t n = (int64_t)len, a, b;
    if (!start) start = VAL_NONE;
    if (!end) end = VAL_NONE;
    /* A start behind the end must stay recognisable as such. */
    if (slice_bound(vm, start, n, 0, INT64_MAX / 2, 0, &a)) return -1;
    if (slice_bound(vm, end, n, 0, n, n, &b)) return -1;
    *from = (uint64_t)a;
    *to = (uint64_t)b;
    return 0;
}

int value_index_near(struct vm *vm, val v, int64_t *out) {
    if (!int_is(vm, v)) return value_index(vm, v, out);
    return clamp_index(vm, v, out);
}

int value_index(struct vm *vm, val v, int64_t *out) {
    if (val_is_int(v)) {
        *out = val_int(v);
        return 0;
    }
    if (!int_is(vm, v)) {
        if (special_of(vm, v, SPECIAL_INDEX))
            vm_slow(vm);
        else
            vm_raise(vm, EXC_TypeError,
                     "'%s' object cannot be interpreted as an integer",
                     vm_type_name(vm, v));
        return -1;
    }
    if (!int_get(vm, v, out)) return 0;
    vm_raise(vm, EXC_OverflowError,
             "Python int too large to convert to C ssize_t");
    return -1;
}
