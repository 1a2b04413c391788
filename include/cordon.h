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
    CORDON_LIMIT,  /* a limit ended it: cordon_error() says which */
    CORDON_WAIT,   /* it uses values that are pending: cordon_waiting() */
    CORDON_PAUSED  /* cordon_pause() was asked for: cordon_continue() */
};

enum cordon_function_flags {
    CORDON_READ_ONLY = 1 /* calls may overlap: the host may answer with
                            cordon_resume_pending() and first use waits */
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

/* What happens with printed text as it appears; without it the text of both
 * streams is kept in its order and cordon_output() has it. */
enum cordon_stream { CORDON_STDOUT, CORDON_STDERR };
typedef void cordon_print_fn(void *user, enum cordon_stream stream,
                             const char *text, size_t len);
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
 * {"args": [...], "kwargs": {...}}, or NULL where JSON has no word for one of
 * them (infinity, say), which cordon_error() names; answer such a call with an
 * error. The id is unique within the session and is the same when the run is
 * replayed. */
CORDON_API const char *cordon_call_name(const cordon_session *s);
CORDON_API uint64_t cordon_call_id(const cordon_session *s);
CORDON_API const char *cordon_call_args_json(cordon_session *s);

/* Answers it and runs on: with a value, or with an exception that the program
 * can catch (type: a builtin name such as "ValueError"; NULL: "ToolError"). */
CORDON_API enum cordon_status cordon_resume_json(cordon_session *s,
                                                 const char *json, size_t len);
CORDON_API enum cordon_status
cordon_resume_error(cordon_session *s, const char *type, const char *message);

/* -- pending values -----------------------------------------------------------
 *
 * A call of a CORDON_READ_ONLY function need not hold the program up: the host
 * starts the work, says "pending" and the program runs on with a value that is
 * not there yet. It may be assigned, stored in containers and passed on; first
 * use of it waits, and the session is then in CORDON_WAIT:
 *
 *     case CORDON_CALL: begin(id = cordon_call_id(s)); // and do not wait
 *                       st = cordon_resume_pending(s); break;
 *     case CORDON_WAIT: n = cordon_waiting(s, ids, 8); // any of these helps
 *                       cordon_resolve_json(s, id, json, len);
 *                       st = cordon_continue(s); break;
 *
 * Values may be resolved at any time the session is not running, in any order.
 * An error resolved into a value is raised where the value is used. A call of a
 * function that is not read-only leaves only when nothing is pending any more
 * (CORDON_WAIT comes first); so do the end of a `try` block and the end of the
 * program. `await` of a pending value waits for it.
 */

/* "Not yet" for the call in CORDON_CALL, whose id stays good until resolved. */
CORDON_API enum cordon_status cordon_resume_pending(cordon_session *s);
/* The value, or an error, of a call answered so. -1: no such id is pending, or
 * the text is not JSON. */
CORDON_API int cordon_resolve_json(cordon_session *s, uint64_t id,
                                   const char *json, size_t len);
CORDON_API int cordon_resolve_error(cordon_session *s, uint64_t id,
                                    const char *type, const char *message);
/* How many ids a session in CORDON_WAIT needs; the first max of them. */
CORDON_API size_t cordon_waiting(const cordon_session *s, uint64_t *ids,
                                 size_t max);
/* Goes on after CORDON_WAIT; CORDON_WAIT again while one is missing. Also goes
 * on after CORDON_PAUSED. */
CORDON_API enum cordon_status cordon_continue(cordon_session *s);

/* Ends the run at its next step, from a signal handler or another thread. */
CORDON_API void cordon_cancel(cordon_session *s);

/* Stops the run soon, in the middle of its work, with CORDON_PAUSED: it can be
 * snapshotted there and goes on with cordon_continue(). From a signal handler
 * or another thread. What the program does, and the steps it takes, are the
 * same as without. Asked of a session that does not run, its next run pauses.
 */
CORDON_API void cordon_pause(cordon_session *s);

/* -- outcomes ---------------------------------------------------------------
 */

CORDON_API const char *cordon_result_json(cordon_session *s); /* or NULL */
CORDON_API const char *cordon_result_repr(cordon_session *s); /* or NULL */
CORDON_API const char *cordon_output(cordon_session *s, size_t *len);
CORDON_API const char *cordon_traceback(cordon_session *s);
CORDON_API const char *cordon_error(const cordon_session *s);
CORDON_API int cordon_exit_status(const cordon_session *s); /* sys.exit(n) */
CORDON_API int cordon_exited(const cordon_session *s);      /* by sys.exit() */
/* Binds the result to a variable for the runs to come, as an interactive
 * session does with "_". 1: done; 0: there is none, or it is None; -1:
 * cordon_error(). A journal has nothing of it. */
CORDON_API int cordon_keep_result(cordon_session *s, const char *name);
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

/* -- labels -------------------------------------------------------------------
 *
 * Where a value came from travels with it. A label is a number that stands for
 * a struct cordon_label; number 0 is "unlabelled", the bottom. What an
 * operation makes from labelled values carries the join of their labels;
 * elements of containers keep their own, and the container's label is that of
 * its structure (order, length, keys), which joins what is read out of it.
 *
 * Beside values, control has a label: within an `if`, a loop or a handler that
 * a labelled value decided, cordon_call_control() has the join of what decided.
 * With CORDON_LABELS_STRICT that label also joins every value made there.
 *
 * The lattice is the host's: integrity joins to the greater, hidden and kinds
 * by "or", origins by union. All zero is the bottom: most trusted, public, from
 * nowhere.
 */
typedef uint16_t cordon_label_id;

#define CORDON_ORIGINS_MAX 16

struct cordon_label {
    uint8_t integrity; /* 0 most trusted */
    uint8_t kinds;     /* bits with a meaning of the host's */
    uint8_t many;      /* 1: more origins were joined than are kept */
    uint8_t norigins;
    uint32_t origin[CORDON_ORIGINS_MAX]; /* the host's numbers, ascending */
    uint64_t hidden; /* bit i: principal i of the host may not see it. 0 is
                        public, all ones is secret */
};

enum cordon_labels {
    CORDON_LABELS_OFF,
    CORDON_LABELS_ON,
    CORDON_LABELS_STRICT
};

/* Off is the default, and costs nothing. */
CORDON_API void cordon_options_labels(cordon_options *o,
                                      enum cordon_labels mode);

/* The number of a label, made when it is new; -1 when labels are off or memory
 * is short. Equal labels have one number; numbers live as long as the session
 * and travel in snapshots. When 65,535 are in use, further ones lose their
 * origins (many becomes 1), never their integrity, hidden or kinds. */
CORDON_API int cordon_label_number(cordon_session *s,
                                   const struct cordon_label *label);
CORDON_API void cordon_label_read(const cordon_session *s, cordon_label_id id,
                                  struct cordon_label *out);
CORDON_API cordon_label_id cordon_label_join(cordon_session *s,
                                             cordon_label_id a,
                                             cordon_label_id b);

enum cordon_json_type {
    CORDON_JSON_NULL,
    CORDON_JSON_BOOL,
    CORDON_JSON_NUMBER,
    CORDON_JSON_STRING,
    CORDON_JSON_ARRAY, /* its label is that of its length and order */
    CORDON_JSON_OBJECT /* likewise, and of its keys */
};

/* One place in a JSON value: path[0..depth) leads there. key is NULL for the
 * item `index` of an array. */
struct cordon_step {
    const char *key;
    size_t len;
    uint64_t index;
};

struct cordon_place {
    const struct cordon_step *path;
    size_t depth;
    enum cordon_json_type type;
    const char *text; /* of a string; borrowed for the call */
    size_t len;
};

/* Says the label of each place while a value is built. */
typedef cordon_label_id cordon_label_fn(void *user,
                                        const struct cordon_place *place);

/* As cordon_set_json, cordon_resume_json, cordon_resolve_json. */
CORDON_API int cordon_set_labelled(cordon_session *s, const char *name,
                                   const char *json, size_t len,
                                   cordon_label_fn *fn, void *user);
CORDON_API enum cordon_status
cordon_resume_labelled(cordon_session *s, const char *json, size_t len,
                       cordon_label_fn *fn, void *user);
CORDON_API int cordon_resolve_labelled(cordon_session *s, uint64_t id,
                                       const char *json, size_t len,
                                       cordon_label_fn *fn, void *user);
/* The label of errors handed in from now on (their message and the fact). */
CORDON_API void cordon_label_errors(cordon_session *s, cordon_label_id id);

/* The label of literals in programs run from now on: `fn` is asked for each
 * str, bytes and number with its text (as in the source; for a str its value),
 * `base` holds without fn and for what has no text of its own. */
typedef cordon_label_id cordon_literal_fn(void *user, const char *text,
                                          size_t len);
CORDON_API void cordon_label_literals(cordon_session *s, cordon_label_id base,
                                      cordon_literal_fn *fn, void *user);

/* The label of each place in the waiting call's arguments (paths begin with
 * "args" or "kwargs" and join what encloses the place), their join, and that of
 * control. */
typedef void cordon_place_fn(void *user, const struct cordon_place *place,
                             cordon_label_id label);
CORDON_API int cordon_call_labels(cordon_session *s, cordon_place_fn *fn,
                                  void *user);
CORDON_API cordon_label_id cordon_call_label(cordon_session *s);
CORDON_API cordon_label_id cordon_call_control(cordon_session *s);

/* Of everything printed so far in this run, of the result, of the traceback:
 * what a model that is shown them has seen. Each joins the label of control
 * where it was made. */
CORDON_API cordon_label_id cordon_output_label(const cordon_session *s);
CORDON_API cordon_label_id cordon_result_label(cordon_session *s);
CORDON_API cordon_label_id cordon_traceback_label(const cordon_session *s);

/* -- journal and replay
 * --------------------------------------------------------
 *
 * All that reaches a run from outside can be recorded: answers to calls and the
 * order in which pending ones came, clock readings, the seeds of randomness and
 * of hashing, and the step at which a limit or cancellation struck. A session
 * made with the journal runs the same program to the same output, result, calls
 * and step count without asking anybody; where the journal ends it goes on
 * alive, so a run whose process died is continued by replaying it.
 */

/* Sessions made from these options record. */
CORDON_API void cordon_options_record(cordon_options *o, int on);
/* What was recorded; it only ever grows at its end. */
CORDON_API const void *cordon_journal(const cordon_session *s, size_t *len);
/* Sessions made from these options replay a copy of this journal (NULL: none).
 * Programs, inputs and literals are given again by the host; where they differ
 * from the recorded ones the run ends in CORDON_FAILED. */
CORDON_API int cordon_options_replay(cordon_options *o, const void *journal,
                                     size_t len);
/* 1 while the journal is not used up. */
CORDON_API int cordon_replaying(const cordon_session *s);

#ifdef __cplusplus
}
#endif

#endif
