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

/* Many pages will be written for the first time: large ones, where the kernel
 * has them, spare most of the faults. Only a hint. */
static void expect_writes(void *p, size_t n) {
    const uintptr_t page = (uintptr_t)2 << 20;
    uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1);
    uintptr_t to = ((uintptr_t)p + n) & ~(page - 1);
    if (to > from)
        madvise((char *)p + (from - (uintptr_t)p), to - from, MADV_HUGEPAGE);
}

static int add_heap(struct vm *vm, struct buf *out, struct err *e) {
    const struct heap *h = &vm->heap;
    uint64_t from = h->template_end, at = first_object(vm);
    while (at < h->top) {
        const struct obj *o = heap_at(h, at);
        uint64_t size = object_size(o);
        if (o->kind == KIND_FREE) {
            if (add_run(out, h, from, at, e)) return -1;
            from = at + size;
        }
        at += size;
    }
    struct run end = {0, 0};
    return add_run(out, h, from, h->top, e) ||
           buf_add(out, &end, sizeof end, e);
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
static int make_room(cordon_session *s, struct buf *out, struct err *e) {
    const struct heap *h = &s->vm.heap;
    size_t n = h->live + h->live / 16 + s->vm.output.len + 65536;
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

int session_save(cordon_session *s, struct buf *out, struct err *e) {
    if (!mostly_live(&s->vm.heap)) heap_collect(&s->vm);
    struct snapshot_head head = head_of(s);
    if (make_room(s, out, e)) return -1;
    if (buf_add(out, &head, sizeof head, e) || add_heap(&s->vm, out, e) ||
        (s->vm.labels &&
         buf_add_str(out, label_table_bytes(s->vm.labels), e)) ||
        buf_add_str(out, buf_str(&s->vm.output), e))
        return -1;
    return 0;
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
