/* SPDX-License-Identifier: MIT
 *
 * engine -- what all runs of a process share, and how a run begins.
 */
#include "vm/engine.h"
#include "vm/pattern.h"

#include <pthread.h>

#include "base/hash.h"
#include "base/mem.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/template.h"
#include "vm/type.h"

/* The one place with state outside a run: made once, read only afterwards. */
static struct {
    pthread_mutex_t lock;
    bool made;
    struct engine engine;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int make(struct engine *engine, struct err *e) {
    const struct template_origin *from = &template_origin;
    hash_process_key(engine->key);
    if (from->build) return from->build(engine, e);
    size_t n = (size_t)(from->image_end - from->image);
    return template_use(engine, (str){from->image, n}, e);
}

const struct engine *engine_get(struct err *e) {
    pthread_mutex_lock(&shared.lock);
    if (!shared.made) {
        struct engine fresh = {0};
        if (make(&fresh, e) == 0) {
            shared.engine = fresh;
            shared.made = true;
        }
    }
    pthread_mutex_unlock(&shared.lock);
    return shared.made ? &shared.engine : NULL;
}

void vm_begin(struct vm *vm) {
    struct root *root = vm_root(vm);
    vm->heap.names = vm->engine->names;
    vm->next_cache = vm->engine->ncaches;
    vm->status = VM_READY;
    vm->collect_wanted = vm->memory_failed = vm->slow_wanted = false;
    vm->cancel = false;
    vm->c_depth = 0;
    root->next_id = 1;
    root->table_seed = vm->engine->key[0];
    vm_budget_begin(vm);
}

static int make_tables(struct vm *vm, struct err *e) {
    vm->ncaches = vm->engine->ncaches + 1024;
    vm->caches = mem_zalloc(vm->ncaches, sizeof *vm->caches, e);
    vm->lookups = mem_zalloc(LOOKUP_SLOTS, sizeof *vm->lookups, e);
    vm->type_version = vm->engine->type_version;
    return vm->caches && vm->lookups ? 0 : -1;
}

int vm_grow_caches(struct vm *vm, struct err *e) {
    if (vm->next_cache <= vm->ncaches) return 0;
    uint32_t want = vm->next_cache * 2;
    struct cache *grown = mem_resize(vm->caches, want, sizeof *grown, e);
    if (!grown) return -1;
    memset(grown + vm->ncaches, 0, (want - vm->ncaches) * sizeof *grown);
    vm->caches = grown;
    vm->ncaches = want;
    return 0;
}

/* -- the pool -----------------------------------------------------------------
 *
 * Mapping a range and copying the template into it costs far more than a short
 * run, so ranges that were given back are used again: scrubbed of all bytes of
 * their former run, caches of its code cleared.
 */

#define POOL_MAX 8

static struct {
    pthread_mutex_t lock;
    size_t n;
    struct pooled {
        struct heap heap;
        struct cache *caches;
        struct lookup *lookups;
        uint32_t ncaches, next_cache, type_version, run_number;
    } range[POOL_MAX];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool take_range(struct vm *vm, const struct vm_limits *limits) {
    uint64_t need = vm->engine->size + limits->memory + HEAP_RESERVE;
    bool found = false;
    struct pooled p;
    pthread_mutex_lock(&pool.lock);
    for (size_t i = pool.n; i > 0 && !found; i--) {
        if (pool.range[i - 1].heap.mapped < need) continue;
        p = pool.range[i - 1];
        pool.range[i - 1] = pool.range[--pool.n];
        found = true;
    }
    pthread_mutex_unlock(&pool.lock);
    if (!found) return false;
    vm->heap = p.heap;
    vm->caches = p.caches;
    vm->lookups = p.lookups;
    vm->ncaches = p.ncaches;
    vm->type_version = p.type_version;
    vm->run_number = p.run_number + 1;
    heap_reset(&vm->heap, limits->memory);
    memset(vm->caches + vm->engine->ncaches, 0,
           (p.next_cache - vm->engine->ncaches) * sizeof *vm->caches);
    return true;
}

static bool give_range(struct vm *vm) {
    bool room = false;
    if (!vm->engine || vm->building || !vm->heap.base || !vm->caches ||
        !vm->lookups || vm->next_cache > vm->ncaches)
        return false;
    /* Nothing of the run stays behind while the range waits. */
    heap_reset(&vm->heap, 0);
    pthread_mutex_lock(&pool.lock);
    if (pool.n < POOL_MAX) {
        pool.range[pool.n++] = (struct pooled){
            vm->heap,       vm->caches,       vm->lookups,   vm->ncaches,
            vm->next_cache, vm->type_version, vm->run_number};
        room = true;
    }
    pthread_mutex_unlock(&pool.lock);
    return room;
}

void engine_fini(void) {
    for (size_t i = 0; i < pool.n; i++) {
        heap_fini(&pool.range[i].heap);
        mem_free(pool.range[i].caches);
        mem_free(pool.range[i].lookups);
    }
    pool.n = 0;
    if (shared.made) template_drop(&shared.engine);
    shared.made = false;
}

int vm_init(struct vm *vm, const struct engine *engine,
            const struct vm_limits *limits, struct err *e) {
    *vm = (struct vm){.engine = engine, .limits = *limits};
    vm->output = BUF_MAX(limits->output);
    if (!take_range(vm, limits) &&
        (make_tables(vm, e) ||
         heap_init(&vm->heap, engine->bytes, engine->shared, engine->size,
                   limits->memory, e))) {
        vm_drop(vm);
        return -1;
    }
    vm_begin(vm);
    return 0;
}

void vm_drop(struct vm *vm) {
    heap_fini(&vm->heap);
    mem_free(vm->caches);
    mem_free(vm->lookups);
    buf_fini(&vm->output);
    *vm = (struct vm){0};
}

void vm_fini(struct vm *vm) {
    pattern_cache_free(vm);
    if (give_range(vm)) {
        vm->heap = (struct heap){0};
        vm->caches = NULL;
        vm->lookups = NULL;
    }
    vm_drop(vm);
}
