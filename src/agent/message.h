/* SPDX-License-Identifier: MIT
 *
 * message -- conversations with models, in one form for every API.
 *
 * A request, its messages and an answer are made of parts. What all APIs share
 * has fields; what only one of them knows (signatures, item ids, cache marks,
 * citations, blocks of its own tools) stays in `native`, the JSON it came from,
 * and goes back to that API verbatim and to no other. A field always wins over
 * the member of `native` it was read from, so a part may be changed.
 *
 * Everything lives in the arena it was made with; text and JSON are borrowed.
 */
#ifndef CORDON_AGENT_MESSAGE_H
#define CORDON_AGENT_MESSAGE_H

#include "json/json.h"

enum api {
#define API(id, name, prefix, path) API_##id,
#include "agent/apis.def"
#undef API
    API_COUNT
};

const char *api_name(enum api api);
int api_parse(str name, enum api *out, struct err *e);

enum part_kind {
    PART_TEXT,
    PART_THINKING, /* what a model thought; goes back only where it came from */
    PART_REFUSAL,  /* why it would not */
    PART_IMAGE,
    PART_CALL,   /* the model wants a tool called */
    PART_RESULT, /* what came of it */
    PART_OPAQUE, /* something one API knows: native and nothing else */
};

const char *part_kind_name(enum part_kind kind);

struct part;

struct part_list {
    struct part *first, *last;
    size_t count;
};

struct part {
    enum part_kind kind;
    enum api api;              /* that native and inner belong to */
    const struct json *native; /* as it was read; NULL: made here */
    const struct json *inner;  /* Responses: the content within the item */
    str text; /* TEXT, THINKING, REFUSAL; CALL: the arguments as written */
    str id;   /* CALL and RESULT: what pairs them */
    str name; /* CALL and RESULT: the tool; THINKING: the member it stood in */
    const struct json *args;  /* CALL: text as an object; NULL: it is none */
    bool custom;              /* CALL: free text to a tool without a schema */
    bool partial;             /* CALL: its end was never seen */
    bool failed;              /* RESULT: it says what went wrong */
    bool cache;               /* what comes up to here may be cached */
    str mime, data, url;      /* IMAGE: base64 data of that type, or a URL */
    struct part_list content; /* RESULT: text, images, opaque */
    struct part *next;
};

enum role { ROLE_USER, ROLE_ASSISTANT, ROLE_SYSTEM };

const char *role_name(enum role role);

struct message {
    enum role role;
    enum api api;
    str role_word;             /* the API's own ("developer"); empty: none */
    const struct json *native; /* as in struct part */
    struct part_list parts;
    struct message *next;
};

struct messages {
    struct message *first, *last;
    size_t count;
};

/* A tool as it is offered to a model. */
struct offer {
    enum { OFFER_FUNCTION, OFFER_CUSTOM, OFFER_OPAQUE } kind;
    enum api api;
    const struct json *native;
    str name, description;
    const struct json *schema; /* of the arguments; NULL: none was given */
    int strict;                /* -1: not said */
    bool cache;                /* the tools up to here may be cached */
    struct offer *next;
};

struct offers {
    struct offer *first, *last;
    size_t count;
};

enum choice_mode {
    CHOICE_UNSAID,
    CHOICE_AUTO,
    CHOICE_NONE,
    CHOICE_REQUIRED, /* one or more, whichever */
    CHOICE_ONE,      /* the tool in `name` */
};

struct choice {
    enum choice_mode mode;
    str name;
    const str *allowed; /* of the offers only these; NULL: all */
    size_t allowed_count;
    int parallel; /* several calls at once: 1, 0, or -1 for not said */
    enum api api;
    const struct json *native;
};

struct model_request {
    enum api api;
    const struct json *native;
    str model;
    struct messages messages; /* system ones included, in order */
    struct offers offers;
    struct choice choice;
    int64_t max_tokens;                     /* -1: not said */
    const struct json *temperature, *top_p; /* numbers, or NULL */
    const struct json *stop;                /* array of texts, or NULL */
    str grammar;      /* GBNF the answer must follow; empty: none */
    int alternatives; /* to each token, told with probabilities; 0: none */
    bool stream;
};

enum stop {
    STOP_NONE,     /* it did not: the answer was cut off */
    STOP_END,      /* the model was done */
    STOP_CALLS,    /* it waits for results */
    STOP_LENGTH,   /* out of room */
    STOP_FILTER,   /* the vendor cut it */
    STOP_REFUSED,  /* the model would not */
    STOP_PAUSE,    /* send it back as it is to go on */
    STOP_BAD_CALL, /* the vendor says that the model's call makes no sense */
    STOP_ERROR,    /* the vendor failed; see error */
    STOP_OTHER,    /* for a reason we do not know */
};

const char *stop_name(enum stop stop);
enum stop stop_parse(enum api api, str word);
const char *stop_word(enum api api, enum stop stop); /* the nearest there is */

/* Tokens; -1 where nothing was said. */
struct usage {
    int64_t input;       /* all of the prompt, cached parts included */
    int64_t output;      /* thinking included */
    int64_t cache_read;  /* of the input */
    int64_t cache_write; /* of the input */
    int64_t thinking;    /* of the output */
};

#define USAGE_UNSAID ((struct usage){-1, -1, -1, -1, -1})

void usage_sum(struct usage *to, const struct usage *u);

/* How likely tokens were, as the API tells it (odds.def); NULL: not told. */
struct odds {
    const struct json *first;  /* the first that was written */
    const struct json *others; /* and what might have stood there */
    const struct json *mean;   /* of all: a number */
};

struct model_error {
    str code, type, message; /* all empty: no error */
    str attempt; /* what the model wrote, where the error is that it was wrong
                  */
};

struct model_answer {
    enum api api;
    const struct json *native; /* the body, or the last event of a stream */
    str id, model;
    struct part_list parts;
    enum stop stop;
    str stop_text; /* the API's own word */
    struct usage usage;
    const struct json *usage_native;
    struct odds odds;
    struct model_error error;
};

/* May the calls of this answer be carried out? Only of one that ended in
 * order: never of one that was cut, refused, filtered or ran out of room. */
bool answer_executable(const struct model_answer *a);

/* The answer as the next message of a conversation. */
struct message *answer_message(const struct model_answer *a,
                               struct messages *to, struct arena *arena,
                               struct err *e);

/* Appends an empty one; NULL and *e when the arena is full. */
struct part *parts_add(struct part_list *to, enum part_kind kind,
                       struct arena *a, struct err *e);
struct message *messages_add(struct messages *to, enum role role,
                             struct arena *a, struct err *e);
struct offer *offers_add(struct offers *to, struct arena *a, struct err *e);

/* Appends a copy; what it points to is shared. */
struct part *part_copy(const struct part *p, struct part_list *to,
                       struct arena *a, struct err *e);
struct offer *offer_copy(const struct offer *o, struct offers *to,
                         struct arena *a, struct err *e);

/* Appends a message with one text. */
struct message *messages_say(struct messages *to, enum role role, str text,
                             struct arena *a, struct err *e);

/* Sets text, and args where it is a JSON object. */
int part_set_args(struct part *call, str text, struct arena *a, struct err *e);

/* Walks the calls: NULL past the last; from NULL to begin. */
const struct part *next_call(const struct part_list *in,
                             const struct part *from);
const struct offer *offer_find(const struct offers *in, str name);

/* All text parts as one text; in the arena, or borrowed when there is one. */
int parts_text(const struct part_list *in, struct arena *a, str *out,
               struct err *e);

#endif
