/* SPDX-License-Identifier: MIT
 *
 * snapshot -- a session as bytes, and back.
 *
 * No C frame belongs to a session that waits, so its whole state is the part of
 * the heap above the template and a few numbers. Garbage is collected first and
 * holes are left out: the bytes are runs of live objects with their offsets.
 * They are in the machine's own layout and good for the same build only, which
 * is checked.
 *
 * What is promised: the seal (seal.c) is the boundary. It is opened before
 * anything is looked at, and the objects behind it are trusted, as they are
 * what this build once wrote. Nothing else is: the head and the list of runs
 * are checked, so that loading writes only within the range and leaves a
 * session that can be given back, whatever was sealed.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/session.h"
#include "vm/snapshot.h"
#include "vm/type.h"

/* A piece of the heap; its bytes follow. An offset of 0 ends the list. */
struct run {
    uint64_t at, bytes;
};

/* -- the build
 * ---------------------------------------------------------------------- */

static uint64_t build_of(const struct engine *engine) {
    return engine->build ^ (uint64_t)engine->nnatives << 48;
}

/* -- saving
 * ------------------------------------------------------------------------- */

static uint64_t first_object(const struct vm *vm) {
    return (vm->heap.template_end + sizeof(struct root) + 15) & ~15ull;
}

static int add_run(struct buf *out, const struct heap *h, uint64_t from,
                   uint64_t to, struct err *e) {
    struct run run = {from, to - from};
    if (from == to) return 0;
    return buf_add(out, &run, sizeof run, e) ||
           buf_add(out, h->base + from, run.bytes, e);
}

/* Many pages will be written for the first time. Large ones, where the kernel
 * has them, spare most of the faults; the small ones before and behind them are
 * asked for together. Only a hint. */
static void expect_writes(char *p, size_t n) {
    const uintptr_t large = (uintptr_t)2 << 20, small = 4096;
    uintptr_t at = (uintptr_t)p, end = at + n;
    uintptr_t first = (at + large - 1) & ~(large - 1),
              last = end & ~(large - 1);
    if (first >= last) return;
    madvise(p + (first - at), last - first, MADV_HUGEPAGE);
    at &= ~(small - 1);
    if (first > at)
        madvise(p - ((uintptr_t)p - at), first - at, MADV_POPULATE_WRITE);
    if (end > last)
        madvise(p + (last - (uintptr_t)p), end - last, MADV_POPULATE_WRITE);
}

/* -- holes ------------------------------------------------------------------
 */

/* Where holes begin, a bit for every 16 bytes above the template. The lists
 * know them all: going through the heap from object to object to find them
 * takes longer than writing it. */
struct hole_map {
    uint64_t *bits;
    uint64_t base, words;
    uint64_t holes, bytes; /* how many, and how large together */
};

static void add_hole(struct hole_map *m, const struct heap *h, uint64_t at) {
    uint64_t i = (at - m->base) / 16;
    m->bits[i / 64] |= 1ull << i % 64;
    m->holes++;
    m->bytes += object_size(heap_at(h, at));
}

static void add_holes(struct hole_map *m, const struct heap *h, uint64_t at) {
    for (; at; at = ((const struct ofree *)heap_at(h, at))->next)
        add_hole(m, h, at);
}

static int hole_map_init(struct hole_map *m, const struct heap *h,
                         struct err *e) {
    *m = (struct hole_map){.base = h->template_end};
    m->words = (h->top - m->base) / 16 / 64 + 1;
    m->bits = mem_zalloc(m->words, sizeof *m->bits, e);
    if (!m->bits) return -1;
    for (size_t i = 0; i < HEAP_CLASSES; i++)
        add_holes(m, h, h->holes[i]);
    for (size_t i = 0; i < HEAP_BINS; i++)
        add_holes(m, h, h->bins[i]);
    if (h->room) add_hole(m, h, h->from);
    return 0;
}

static int add_runs(const struct hole_map *m, const struct heap *h,
                    struct buf *out, struct err *e) {
    uint64_t from = m->base;
    for (uint64_t i = 0; i < m->words; i++) {
        for (uint64_t left = m->bits[i]; left; left &= left - 1) {
            uint64_t bit = i * 64 + (uint64_t)__builtin_ctzll(left);
            uint64_t at = m->base + bit * 16;
            if (add_run(out, h, from, at, e)) return -1;
            from = at + object_size(heap_at(h, at));
        }
    }
    return add_run(out, h, from, h->top, e);
}

static struct snapshot_head head_of(const cordon_session *s) {
    const struct vm *vm = &s->vm;
    struct snapshot_head head = {
        .magic = {'c', 'o', 'r', 'd', 's', 'n', 'a', 'p'},
        .build = build_of(vm->engine),
        .memory = vm->limits.memory,
        .top = vm->heap.top,
        .peak = vm->heap.peak,
        .fuel_spent = vm_steps(vm),
        .output_spent = vm->output_spent,
        .time_spent_ns = vm->time_spent_ns,
        .output = vm->output.len,
        .calls_spent = vm->calls_spent,
        .next_cache = vm->next_cache,
        .type_version = vm->type_version,
        .status = (uint32_t)s->status,
        .exit_status = (uint32_t)s->exit_status,
        .vm_status = (uint32_t)vm->status,
        .answering = s->answering,
    };
    const struct label_table *l = vm->labels;
    if (!l) return head;
    head.labels = label_table_bytes(l).n;
    head.strict = l->strict;
    head.literal = l->literal;
    head.error_label = l->error;
    head.output_label = l->output;
    head.traceback_label = l->traceback;
    head.result_label = l->result_under;
    return head;
}

/* Room for all of it at once, its seal included. */
static int make_room(cordon_session *s, const struct hole_map *m,
                     struct buf *out, struct err *e) {
    const struct heap *h = &s->vm.heap;
    size_t n = sizeof(struct snapshot_head) + (h->top - m->base - m->bytes) +
               (m->holes + 2) * sizeof(struct run) + s->vm.output.len +
               MAC_BYTES;
    if (s->vm.labels) n += label_table_bytes(s->vm.labels).n;
    char *room = buf_reserve(out, n, e);
    if (!room) return -1;
    expect_writes(room, n);
    return 0;
}

/* What was allocated since the last collection is so little that leaving its
 * garbage out would cost more than it saves: looking through a heap takes about
 * as long as writing it. A small one is a suspended run that may be kept for
 * days, and soon looked through. */
static bool mostly_live(const struct heap *h) {
    uint64_t part = h->live < (1u << 20) ? 16 : 4;
    return h->live >= h->collected && h->live - h->collected < h->live / part;
}

static int save(cordon_session *s, const struct hole_map *m, struct buf *out,
                struct err *e) {
    struct snapshot_head head = head_of(s);
    struct run end = {0, 0};
    if (make_room(s, m, out, e) || buf_add(out, &head, sizeof head, e) ||
        add_runs(m, &s->vm.heap, out, e) || buf_add(out, &end, sizeof end, e))
        return -1;
    if (s->vm.labels && buf_add_str(out, label_table_bytes(s->vm.labels), e))
        return -1;
    return buf_add_str(out, buf_str(&s->vm.output), e);
}

int session_save(cordon_session *s, struct buf *out, struct err *e) {
    struct hole_map m;
    if (!mostly_live(&s->vm.heap)) heap_collect(&s->vm);
    if (hole_map_init(&m, &s->vm.heap, e)) return -1;
    int result = save(s, &m, out, e);
    mem_free(m.bits);
    return result;
}

/* -- loading
 * ------------------------------------------------------------------------- */

static bool in_range(uint64_t n, uint64_t least, uint64_t most) {
    return n >= least && n <= most;
}

/* Each cache belongs to an instruction, and a word of code has four bytes. */
static bool head_fits(const struct vm *vm, const struct snapshot_head *head) {
    uint64_t objects = head->top - vm->heap.template_end;
    return head->top % 16 == 0 && head->top >= first_object(vm) &&
           in_range(head->next_cache, vm->engine->ncaches,
                    vm->engine->ncaches + objects / 4) &&
           head->status <= CORDON_PAUSED && head->vm_status <= VM_PAUSED;
}

/* The first run has the root at least, and each lies behind the one before. */
static bool run_fits(const struct vm *vm, struct run run, uint64_t end,
                     uint64_t top) {
    if (run.at % 16 || run.bytes % 16 || !in_range(run.at, end, top) ||
        run.bytes > top - run.at)
        return false;
    return end > vm->heap.template_end ||
           (run.at == end && run.at + run.bytes >= first_object(vm));
}

/* What lies between two runs is a hole. */
static int load_heap(struct vm *vm, const struct snapshot_head *head, str *rest,
                     struct err *e) {
    struct heap *h = &vm->heap;
    uint64_t end = h->template_end, live = 0;
    if (head->top > h->limit + HEAP_RESERVE)
        return fail(e, ERR_LIMIT, "the memory limit is below the snapshot's");
    h->dirty = head->top; /* scrubbed also when this fails half way */
    expect_writes(h->base + end, head->top - end);
    for (;;) {
        struct run run;
        if (rest->n < sizeof run) return fail(e, ERR_INVALID, "cut short");
        memcpy(&run, rest->p, sizeof run);
        *rest = str_sub(*rest, sizeof run, rest->n);
        if (run.at == 0) break;
        if (run.bytes > rest->n || !run_fits(vm, run, end, head->top))
            return fail(e, ERR_INVALID, "a run of bytes is misplaced");
        memcpy(h->base + run.at, rest->p, run.bytes);
        *rest = str_sub(*rest, run.bytes, rest->n);
        if (run.at > end) heap_hole(h, end, run.at - end);
        end = run.at + run.bytes;
        live += run.bytes;
    }
    if (end == h->template_end) return fail(e, ERR_INVALID, "it has no root");
    if (head->top > end) heap_hole(h, end, head->top - end);
    h->top = head->top;
    /* Counted anew: holes that frames left were counted as in use, and are
     * holes like any other now. */
    live -= first_object(vm) - h->template_end; /* of the root */
    h->live = h->collected = live;
    h->peak = head->peak > live ? head->peak : live;
    h->collect_at = h->live + (h->live > (1u << 20) ? h->live : 1u << 20);
    return 0;
}

static int load_state(cordon_session *s, const struct snapshot_head *head,
                      struct err *e) {
    struct vm *vm = &s->vm;
    vm->fuel_spent = head->fuel_spent;
    vm->fuel_slice = vm->fuel = 0;
    vm->output_spent = head->output_spent;
    vm->time_spent_ns = head->time_spent_ns;
    vm->calls_spent = head->calls_spent;
    vm->next_cache = head->next_cache;
    vm->status = (enum vm_status)head->vm_status;
    s->status = (enum cordon_status)head->status;
    s->exit_status = (int)head->exit_status;
    s->answering = head->answering != 0;
    if (vm_grow_caches(vm, e)) return -1;
    /* Versions of the snapshot's classes may have been given to others in this
     * range: its caches start empty. */
    memset(vm->caches, 0, vm->ncaches * sizeof *vm->caches);
    memset(vm->lookups, 0, LOOKUP_SLOTS * sizeof *vm->lookups);
    if (vm->type_version < head->type_version)
        vm->type_version = head->type_version;
    return 0;
}

static bool labels_known(const struct label_table *l,
                         const struct snapshot_head *head) {
    return head->literal < l->n && head->error_label < l->n &&
           head->output_label < l->n && head->traceback_label < l->n &&
           head->result_label < l->n;
}

/* A session that had labels has them again, whatever the options say. */
static int load_labels(struct vm *vm, const struct snapshot_head *head,
                       str *rest, struct err *e) {
    if (!head->labels) return 0;
    if (head->labels > rest->n) return fail(e, ERR_INVALID, "cut short");
    if (!vm->labels) vm->labels = label_table_new(head->strict, e);
    struct label_table *l = vm->labels;
    if (!l || label_table_load(l, str_sub(*rest, 0, head->labels), e))
        return -1;
    if (!labels_known(l, head))
        return fail(e, ERR_INVALID, "a label has no entry in the table");
    *rest = str_sub(*rest, head->labels, rest->n);
    l->strict = head->strict;
    l->literal = head->literal;
    l->error = head->error_label;
    l->output = head->output_label;
    l->traceback = head->traceback_label;
    l->result_under = head->result_label;
    return 0;
}

int session_load(cordon_session *s, str bytes, struct err *e) {
    struct snapshot_head head;
    if (bytes.n < sizeof head + MAC_BYTES)
        return fail(e, ERR_INVALID, "the snapshot is too short");
    memcpy(&head, bytes.p, sizeof head);
    if (head.build != build_of(s->vm.engine))
        return fail(e, ERR_UNSUPPORTED, "the snapshot is of another build");
    str rest = str_sub(bytes, sizeof head, bytes.n - MAC_BYTES);
    if (!head_fits(&s->vm, &head))
        return fail(e, ERR_INVALID, "the snapshot's head is not sound");
    heap_reset(&s->vm.heap, s->vm.limits.memory);
    if (load_heap(&s->vm, &head, &rest, e) || load_state(s, &head, e) ||
        load_labels(&s->vm, &head, &rest, e))
        return -1;
    return buf_add_str(&s->vm.output, rest, e);
}
