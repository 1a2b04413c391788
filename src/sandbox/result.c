/* SPDX-License-Identifier: MIT
 *
 * The result of a task, as people and programs read it.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sandbox/cage.h"

const char *cage_stop_name(enum cage_stop stop) {
    switch (stop) {
    case STOP_NONE: return "none";
    case STOP_TIME: return "time";
    case STOP_MEMORY: return "memory";
    case STOP_SYSCALL: return "syscall";
    case STOP_KILLED: return "killed";
    }
    return "?";
}

int cage_exit_status(const struct cage_result *r) {
    if (r->stop == STOP_TIME) return err_exit_status(ERR_TIMEOUT);
    return r->signal ? 128 + r->signal : r->code;
}

void cage_bytes(struct jw *w, str s) {
    static const char replacement[] = "\xef\xbf\xbd";
    if (utf8_valid(s.p, s.n) == s.n) {
        jw_text(w, s);
        return;
    }
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(s.n * 3 + 1);
    while (s.n) {
        size_t good = utf8_valid(s.p, s.n);
        if (buf_add(&text, s.p, good, &e)) break;
        s = str_sub(s, good, s.n);
        if (s.n && buf_add(&text, replacement, 3, &e)) break;
        s = str_sub(s, 1, s.n);
    }
    jw_text(w, buf_str(&text));
}

void cage_put_bytes(struct jw *w, const char *key, str s) {
    jw_key(w, key);
    cage_bytes(w, s);
}

static void write_output(struct jw *w, const char *name, const char *cut,
                         const struct cage_output *o) {
    cage_put_bytes(w, name, buf_str(&o->kept));
    jw_put_bool(w, cut, o->total > o->kept.len);
}

static void write_layers(const struct cage_result *r, struct jw *w) {
    jw_key(w, "layers");
    jw_array(w);
    for (int i = 0; i < LAYER_COUNT; i++)
        if (r->layers & LAYER_BIT(i))
            jw_text(w, str_of(cage_layer_name((enum cage_layer)i)));
    jw_end_array(w);
}

static void write_usage(const struct cage_result *r, struct jw *w) {
    jw_key(w, "usage");
    jw_object(w);
    jw_put_int(w, "wall_us", r->wall_ns / 1000);
    jw_put_int(w, "cpu_us", r->cpu_ns / 1000);
    jw_put_int(w, "memory_peak", (int64_t)r->memory_peak);
    jw_put_int(w, "pids_refused", (int64_t)r->pids_refused);
    jw_end_object(w);
}

static void write_violations(const struct cage_result *r, size_t most,
                             struct jw *w) {
    jw_key(w, "violations");
    jw_array(w);
    for (size_t i = 0; i < r->violation_count && i < most; i++) {
        jw_object(w);
        jw_put_text(w, "syscall", str_of(r->violations[i].name));
        jw_put_int(w, "count", r->violations[i].count);
        jw_end_object(w);
    }
    jw_end_array(w);
}

static void write_changes(const struct cage_result *r, size_t most,
                          struct jw *w) {
    jw_key(w, "changes");
    jw_array(w);
    for (size_t i = 0; i < r->change_count && i < most; i++) {
        jw_object(w);
        jw_put_text(w, "kind", (str){&r->changes[i].kind, 1});
        cage_put_bytes(w, "path", str_of(r->changes[i].path));
        jw_end_object(w);
    }
    jw_end_array(w);
    if (r->changes_cut || r->change_count > most)
        jw_put_bool(w, "changes_cut", true);
}

static void write_attempt(const struct cage_egress *a, struct jw *w) {
    char when[CLOCK_TEXT_SIZE];
    jw_object(w);
    jw_put_text(w, "at", str_of(clock_format(a->at_ns, when)));
    cage_put_bytes(w, "host", str_of(a->host));
    jw_put_int(w, "port", a->port);
    jw_put_bool(w, "allowed", a->allowed);
    if (a->reason[0]) cage_put_bytes(w, "reason", str_of(a->reason));
    jw_put_int(w, "sent", (int64_t)a->sent);
    jw_put_int(w, "received", (int64_t)a->received);
    jw_end_object(w);
}

static void write_egress(const struct cage_result *r, size_t most,
                         struct jw *w) {
    size_t told = r->egress_count < most ? r->egress_count : most;
    uint64_t dropped = r->egress_dropped + (r->egress_count - told);
    jw_key(w, "egress");
    jw_array(w);
    for (size_t i = 0; i < told; i++)
        write_attempt(&r->egress[i], w);
    jw_end_array(w);
    if (dropped) jw_put_int(w, "egress_dropped", (int64_t)dropped);
}

static void write_result(const struct cage_result *r, bool output, size_t most,
                         struct jw *w) {
    jw_object(w);
    jw_put_int(w, "exit", cage_exit_status(r));
    if (r->signal) jw_put_int(w, "signal", r->signal);
    jw_put_text(w, "stopped_by", str_of(cage_stop_name(r->stop)));
    if (r->warm) jw_put_bool(w, "warm", true);
    if (r->accelerator) jw_put_text(w, "accelerator", str_of(r->accelerator));
    if (output) {
        write_output(w, "stdout", "stdout_cut", &r->out);
        write_output(w, "stderr", "stderr_cut", &r->err);
    }
    write_usage(r, w);
    write_layers(r, w);
    write_violations(r, most, w);
    if (r->change_count) write_changes(r, most, w);
    if (r->egress_count) write_egress(r, most, w);
    jw_end_object(w);
}

void cage_result_write(const struct cage_result *r, struct jw *w) {
    write_result(r, true, SIZE_MAX, w);
}

void cage_result_record(const struct cage_result *r, size_t most,
                        struct jw *w) {
    write_result(r, false, most, w);
}

void cage_result_fini(struct cage_result *r) {
    buf_fini(&r->out.kept);
    buf_fini(&r->err.kept);
    mem_free(r->changes);
    mem_free(r->egress);
    r->egress = NULL;
    r->egress_count = 0;
    r->changes = NULL;
    r->change_count = 0;
    arena_fini(&r->arena);
}
