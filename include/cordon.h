/* SPDX-License-Identifier: MIT
 *
 * cordon.h -- the public interface of libcordon.
 *
 * Run Python that a model wrote, with only the functions you hand to it:
 *
 *     cordon_options *o = cordon_options_new();
 *     cordon_options_function(o, "get_weather", CORDON_READ_ONLY);
 *     cordon_session *s = cordon_session_new(o, NULL);
 *     enum cordon_status st = cordon_run(s, "get_weather('Oslo')['temp'] + 1");
 *     while (st == CORDON_CALL) {
 *         // cordon_call_name(s), cordon_call_args_json(s) say what it wants
 *         st = cordon_resume_json(s, "{\"temp\": 7}", 11);
 *     }
 *     puts(cordon_result_json(s));
 *
 * Rules. Handles are opaque and used by one thread at a time; different
 * sessions are independent. Text is UTF-8. Functions that return a pointer to
 * text return memory of the session, valid until its next call. Failure is a
 * status or NULL, and cordon_error() has the words. Limits are on by default;
 * 0 in cordon_limits means the default, never "none".
 */
#ifndef CORDON_H
#define CORDON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORDON_API __attribute__((visibility("default")))

#define CORDON_VERSION_MAJOR 0
#define CORDON_VERSION_MINOR 1
#define CORDON_VERSION_PATCH 0

CORDON_API const char *cordon_version(void); /* "0.1.0" */

typedef struct cordon_options cordon_options;
typedef struct cordon_session cordon_session;

enum cordon_status {
    CORDON_FAILED, /* the interpreter could not do it: cordon_error() */
    CORDON_DONE,   /* the program ended; cordon_result_json() */
    CORDON_RAISED, /* an uncaught exception: cordon_traceback() */
    CORDON_CALL,   /* it waits for a function of the host: cordon_call_*() */
    CORDON_LIMIT   /* a limit ended it: cordon_error() says which */
};

enum cordon_function_flags {
    CORDON_READ_ONLY = 1 /* calls may overlap: a pending value is returned at
                            once and first use waits for it */
};

/* 0 is the default named in the comment. */
struct cordon_limits {
    uint64_t steps;   /* 1,000,000,000 units of work */
    uint64_t memory;  /* 64 MiB of heap */
    uint64_t time_ms; /* 10,000 of execution; waiting does not count */
    uint64_t output;  /* 1 MiB printed */
    uint32_t depth;   /* 1,000 Python frames */
    uint32_t calls;   /* 200 host calls */
};

struct cordon_usage {
    uint64_t steps, memory_peak, time_ns, output;
    uint32_t calls;
};

/* -- options ----------------------------------------------------------------
 */

CORDON_API cordon_options *cordon_options_new(void);
CORDON_API void cordon_options_free(cordon_options *o);
CORDON_API void cordon_options_limits(cordon_options *o,
                                      const struct cordon_limits *limits);

/* A name the program can call; dots make a namespace ("mail.send"). -1 when the
 * name is not usable or memory is short. */
CORDON_API int cordon_options_function(cordon_options *o, const char *name,
                                       unsigned flags);

/* What happens with printed text as it appears; without it the text is kept and
 * cordon_output() has it. */
typedef void cordon_print_fn(void *user, const char *text, size_t len);
CORDON_API void cordon_options_print(cordon_options *o, cordon_print_fn *fn,
                                     void *user);

/* -- sessions ---------------------------------------------------------------
 */

/* A session keeps variables between runs. NULL on failure; why (may be NULL)
 * then receives a static text. */
CORDON_API cordon_session *cordon_session_new(const cordon_options *o,
                                              const char **why);
CORDON_API void cordon_session_free(cordon_session *s);

/* A variable of the program, from JSON text. */
CORDON_API int cordon_set_json(cordon_session *s, const char *name,
                               const char *json, size_t len);

/* Runs a program; filename stands in tracebacks (NULL: "<program>"). */
CORDON_API enum cordon_status cordon_run(cordon_session *s, const char *code);
CORDON_API enum cordon_status cordon_run_file(cordon_session *s,
                                              const char *code, size_t len,
                                              const char *filename);

/* The call a session in CORDON_CALL waits for. Arguments are a JSON object
 * {"args": [...], "kwargs": {...}}; the id is unique within the session and is
 * the same when the run is replayed. */
CORDON_API const char *cordon_call_name(const cordon_session *s);
CORDON_API uint64_t cordon_call_id(const cordon_session *s);
CORDON_API const char *cordon_call_args_json(cordon_session *s);

/* Answers it and runs on: with a value, or with an exception that the program
 * can catch (type: a builtin name such as "ValueError"; NULL: "ToolError"). */
CORDON_API enum cordon_status cordon_resume_json(cordon_session *s,
                                                 const char *json, size_t len);
CORDON_API enum cordon_status
cordon_resume_error(cordon_session *s, const char *type, const char *message);

/* Ends the run at its next step, from a signal handler or another thread. */
CORDON_API void cordon_cancel(cordon_session *s);

/* -- outcomes ---------------------------------------------------------------
 */

CORDON_API const char *cordon_result_json(cordon_session *s); /* or NULL */
CORDON_API const char *cordon_result_repr(cordon_session *s); /* or NULL */
CORDON_API const char *cordon_output(cordon_session *s, size_t *len);
CORDON_API const char *cordon_traceback(cordon_session *s);
CORDON_API const char *cordon_error(const cordon_session *s);
CORDON_API int cordon_exit_status(const cordon_session *s); /* sys.exit(n) */
CORDON_API void cordon_usage(const cordon_session *s,
                             struct cordon_usage *usage);

/* -- snapshots --------------------------------------------------------------
 */

/* The whole session as bytes, authenticated under key[32]. The caller frees
 * them with cordon_free(). NULL on failure. */
CORDON_API void *cordon_snapshot(cordon_session *s, const uint8_t key[32],
                                 size_t *len);

/* A session from a snapshot of this same build; altered bytes, a wrong key or
 * another build are refused. */
CORDON_API cordon_session *cordon_restore(const cordon_options *o,
                                          const void *bytes, size_t len,
                                          const uint8_t key[32],
                                          const char **why);
CORDON_API void cordon_free(void *p);

#ifdef __cplusplus
}
#endif

#endif
