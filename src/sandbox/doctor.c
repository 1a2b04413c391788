/* SPDX-License-Identifier: MIT
 *
 * What this machine gives a sandbox, for `cordon doctor`. The tiers are tried
 * for real: a version number says what a kernel knows, not what it lets this
 * user do.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/probe.h"
#include "sandbox/cgroup.h"
#include "sandbox/cpython.h"
#include "sandbox/jail.h"
#include "sandbox/oci.h"
#include "sandbox/plan.h"
#include "sandbox/vm/vm.h"
#include "sandbox/wasm.h"
#include "sandbox/zygote.h"

probe_fn doctor_process, doctor_container, doctor_cgroup, doctor_landlock;
probe_fn doctor_python, doctor_oci, doctor_gvisor, doctor_wasm;
probe_fn doctor_microvm, doctor_pool;

void doctor_landlock(struct probe *p) {
    int abi = landlock_abi();
    if (abi)
        probe_says(p, PROBE_THERE, "ABI %d%s", abi,
                   abi < 4   ? " (no rules on TCP before 4)"
                   : abi < 6 ? " (no rules on signals before 6)"
                             : "");
    else
        probe_says(p, PROBE_MISSING, "the kernel has it not, or off");
}

void doctor_cgroup(struct probe *p) {
    struct err e;
    struct cgroup_base base;
    struct cgroup g;
    struct cage_limits limits = {.cpu = 1000, .memory = 64 << 20, .pids = 8};
    if (cgroup_here(&base, &e) || cgroup_open(&base, &limits, &g, &e)) {
        probe_says(p, PROBE_MISSING, "%s", e.text);
        return;
    }
    (void)cgroup_close(&g, &e);
    probe_says(p, PROBE_THERE, "%s",
               base.unified ? "v2" : "v1 controllers, v2 to kill");
}

static int try_true(enum cage_tier tier, bool without_cgroup, uint32_t *layers,
                    struct err *e) {
    static const char *const argv[] = {"true", NULL};
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    struct cage c;
    cage_init(&c, &arena);
    c.tier = tier;
    c.argv = argv;
    c.limits.wall = 20000000000;
    if (without_cgroup) c.may_miss = LAYER_BIT(LAYER_CGROUP);
    struct cage_result r;
    if (jail_run(&c, &JAIL_IO_KEEP, &r, e)) return -1;
    int rc = r.code == 0 ? 0 : fail(e, ERR_SYSTEM, "true did not end well");
    *layers = r.layers;
    cage_result_fini(&r);
    return rc;
}

static void try_tier(struct probe *p, enum cage_tier tier) {
    struct err e;
    uint32_t layers;
    if (!try_true(tier, false, &layers, &e))
        probe_says(p, PROBE_THERE, "every layer");
    else if (!try_true(tier, true, &layers, &e))
        probe_says(p, PROBE_PARTLY,
                   "only with --allow-missing cgroup: limits hold per process");
    else
        probe_says(p, PROBE_MISSING, "%s", e.text);
}

void doctor_process(struct probe *p) {
    try_tier(p, TIER_PROCESS);
}
void doctor_container(struct probe *p) {
    try_tier(p, TIER_CONTAINER);
}

/* Each that is found is tried: what is installed need not work here. */
static void find_runtime(struct probe *p, enum cage_tier tier) {
    struct err e;
    struct oci oci;
    uint32_t layers;
    if (oci_find(tier, &oci, &e)) {
        probe_says(p, PROBE_MISSING, "%s", e.text);
        return;
    }
    const char *note =
        oci.kind->untried ? " (Cordon was never tested with it)" : "";
    if (!try_true(tier, false, &layers, &e))
        probe_says(p, PROBE_THERE, "%s%s", oci.runtime, note);
    else if (!try_true(tier, true, &layers, &e))
        probe_says(p, PROBE_PARTLY,
                   "%s%s, only with --allow-missing cgroup: limits hold per "
                   "process",
                   oci.runtime, note);
    else
        probe_says(p, PROBE_MISSING, "%s%s", e.text, note);
}

void doctor_oci(struct probe *p) {
    find_runtime(p, TIER_OCI);
}
void doctor_gvisor(struct probe *p) {
    find_runtime(p, TIER_GVISOR);
}

/* How much the machines that were made take, and why one kind was given up. */
static void describe_machines(const struct vm_parts *parts, char *out,
                              size_t size) {
    AUTO_BUF struct buf why = BUF_MAX(512);
    struct vm_stock stock;
    struct err e;
    const char *what = parts->monitor == VM_FIRECRACKER
                           ? "Firecracker and KVM (its driver was never run "
                             "against the real program)"
                       : parts->kvm ? "QEMU and KVM"
                                    : "QEMU, emulated (TCG), slow";
    int n = snprintf(out, size, "%s, kernel %s", what, parts->release);
    if (!vm_stock(&stock, &e) && stock.count)
        n += snprintf(out + n, size - (size_t)n,
                      "; %zu machines made, %llu MiB in %s", stock.count,
                      (unsigned long long)(stock.bytes >> 20), stock.folder);
    vm_why_not(VM_NO_FIRECRACKER, &why);
    if (why.len)
        snprintf(out + n, size - (size_t)n, "; no Firecracker: %.200s",
                 buf_text(&why));
}

void doctor_microvm(struct probe *p) {
    struct err e;
    struct vm_parts parts;
    char text[4096 + 1024];
    if (vm_find(&parts, &e)) {
        probe_says(p, PROBE_MISSING, "%s", e.text);
        return;
    }
    describe_machines(&parts, text, sizeof text);
    probe_says(p, parts.kvm ? PROBE_THERE : PROBE_PARTLY, "%s", text);
}

/* The container it needs has a row of its own. */
void doctor_wasm(struct probe *p) {
    struct err e;
    if (wasm_tools(&e))
        probe_says(p, PROBE_MISSING, "%s", e.text);
    else
        probe_says(p, PROBE_THERE, "wasm2c and a C compiler");
}

/* The one that tasks get, whatever PATH says. */
void doctor_python(struct probe *p) {
    static const char path[] = CPYTHON;
    if (access(path, X_OK) == 0)
        probe_says(p, PROBE_THERE, "%s", path);
    else
        probe_says(p, PROBE_MISSING, "no %s", path);
}

/* Slots are tried as `cordon serve` will make them. */
static int try_slot(const struct cage *c, const char *module, struct err *e) {
    struct pool *pool = NULL;
    if (module ? zygote_pool(c, module, "", 1, &pool, e)
               : pool_new(c, 1, &pool, e))
        return -1;
    pool_free(pool);
    return 0;
}

void doctor_pool(struct probe *p) {
    static const char *const argv[] = {"true", NULL};
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 16);
    AUTO_BUF struct buf module = BUF_MAX(4096);
    struct cage c;
    struct err e;
    cage_init(&c, &arena);
    c.argv = argv;
    bool whole = try_slot(&c, NULL, &e) == 0;
    if (!whole) c.may_miss = LAYER_BIT(LAYER_CGROUP);
    if (!whole && try_slot(&c, NULL, &e)) {
        probe_says(p, PROBE_MISSING, "%s", e.text);
        return;
    }
    if (zygote_module(&module, &e) || try_slot(&c, buf_text(&module), &e)) {
        probe_says(p, PROBE_PARTLY, "no CPython that waits: %s", e.text);
        return;
    }
    probe_says(p, whole ? PROBE_THERE : PROBE_PARTLY, "%s",
               whole ? "programs, and a CPython that waits"
                     : "only with --allow-missing cgroup");
}
