/* SPDX-License-Identifier: MIT
 *
 * object -- the layout of everything in a run's heap.
 *
 * An object starts with an eight-byte header and its size follows from its kind
 * and its own fields (object_size), so the heap can be walked from end to end
 * without a side table. Objects never move while a run is loaded; references
 * are offsets (value.h). Fields named with a type `val` are traced by the
 * collector unless the comment says otherwise.
 */
#ifndef CORDON_VM_OBJECT_H
#define CORDON_VM_OBJECT_H

#include "base/str.h"
#include "vm/value.h"

#include <gmp.h>

struct vm;

enum kind {
#define KIND(name, layout, what) KIND_##name,
#include "vm/kinds.def"
#undef KIND
    KIND_COUNT,
};

struct obj {
    uint8_t kind;   /* enum kind */
    uint8_t flags;  /* OBJ_*, meaning depends on the kind below OBJ_MARK */
    uint16_t label; /* 0: unlabelled; else an index into the run's labels */
    uint32_t type;  /* offset of its class divided by 8; 0 for internal kinds */
};

enum {
    OBJ_MARK = 0x80,    /* reached in this collection */
    OBJ_PINNED = 0x40,  /* template object: immutable, never freed */
    OBJ_ATTRS = 0x20,   /* instance of a user's subclass of a builtin type: two
                           more words, shape and store, end the object */
    OBJ_MUTABLE = 0x01, /* BYTES: a bytearray */
    OBJ_FROZEN = 0x01,  /* SET: a frozenset */
    OBJ_SECRET = 0x04,  /* DICT, SET: placed by hash_secret, not by hash */
    OBJ_PLACED = 0x08,  /* DICT, SET: has keys that hash_secret does not know */
    OBJ_MAKER = 0x01,   /* FUNCTION: as __new__ it makes an instance of the very
                           class it is given */
    OBJ_VIEW = 0x01,    /* STR: bytes live in a store shared with others */
    OBJ_INTERNED = 0x02 /* STR: equal text has this very reference */
};

struct oplain {
    struct obj h;
    val means; /* the singleton that a labelled one stands for; 0 in those */
};

/* A hole. Holes of a size class form a list; larger ones are binned. h.type
 * holds its size in units of 16 bytes, so that the smallest hole is 16. */
struct ofree {
    struct obj h;
    uint64_t next; /* offset of the next hole of its list, 0 at the end */
};

/* Backing memory of lists, dicts, sets, bytearrays, growing strings. Owned by
 * exactly one object (strings may share, see ostr) and freed at once when that
 * object outgrows it. */
struct ostore {
    struct obj h;  /* flag OBJ_TRACED: words are values */
    uint64_t size; /* bytes of data[], a multiple of 8 */
    uint64_t used; /* bytes in use: traced words, or text end mark */
    uint64_t data[];
};
enum { OBJ_TRACED = 0x01 };

/* Limbs, least significant first; never zero-padded. It fits 63 bits only where
 * it is of a class derived from int, or labelled. */
struct oint {
    struct obj h;
    int64_t limbs; /* count; negative for a negative number */
    mp_limb_t limb[];
};

struct oreal {
    struct obj h;
    double d;
};

struct ocomplex {
    struct obj h;
    double re, im;
    uint64_t unused;
};

/* UTF-8, lone surrogates allowed. ASCII iff chars == len. */
struct ostr {
    struct obj h;
    uint32_t hash;  /* 0: not computed yet */
    uint32_t len;   /* bytes */
    uint32_t chars; /* code points */
    uint32_t start; /* OBJ_VIEW: first byte within the store's data */
    /* OBJ_VIEW: two vals: the store, and a lazy table (store) of byte offsets
     * of every 16th code point; else the bytes, with a NUL behind them (inline
     * non-ASCII text over 256 bytes is made as a view so that it can have the
     * table). */
    union {
        char bytes[8];
        struct {
            val store;
            val table;
        } view;
    } as;
};

struct obytes {
    struct obj h;
    uint64_t len;
    uint32_t head;    /* data starts at this byte of the store: what a bytearray
                         lost in front is not moved over at once */
    uint32_t exports; /* live memoryviews forbid resizing */
    val store;        /* both bytes and bytearray keep data in a store */
};

struct otuple {
    struct obj h;
    uint32_t len;
    uint32_t hash; /* 0: not computed */
    val item[];
};

struct olist {
    struct obj h;
    uint64_t len;
    val store; /* VAL_UNSET while empty; a deque-like head gap is allowed: */
    uint64_t head; /* items start at this index of the store (pop(0) is O(1)) */
};

/* The keys of a dict literal, a JSON object or an instance, in order. Shapes
 * form a tree from the empty one: adding a key moves to the child for it, which
 * root.shapes finds by the parent's id and the key's text. */
struct oshape {
    struct obj h;
    uint32_t len; /* keys */
    uint32_t id;  /* unique within the run */
    val parent;
    val key;   /* the last key (an interned str) */
    val keys;  /* tuple of all keys, made on first lookup, or unset */
    val table; /* store: hash of key -> position + 1 (uint32), made on first
                  lookup when len > 8, or unset */
};

/* Insertion ordered. Shared form: shape != 0, values in the store by position.
 * Own form: store holds entries (hash, key, value), index holds uint32
 * positions by open addressing. Deletion or a non-str key turns shared into
 * own form. */
struct odict {
    struct obj h;
    uint64_t len;  /* live entries */
    uint64_t used; /* entries in the store, deleted ones counted */
    val shape;     /* VAL_UNSET in own form */
    val store;
    val index;        /* store of uint32 slots; own form only */
    uint64_t version; /* bumped when keys change: iteration checks it */
};

struct oset {
    struct obj h;
    uint64_t len;
    uint64_t used;
    uint32_t hash; /* frozenset only; 0: not computed */
    uint32_t unused;
    val store; /* entries (hash, key) */
    val index;
    uint64_t version;
};

struct orange {
    struct obj h;
    val start, stop, step; /* ints of any size; step is not 0 */
};

struct oslice {
    struct obj h;
    val start, stop, step;
};

/* One layout for every builtin iterator; `what` says over what. */
struct oiter {
    struct obj h;
    uint32_t what;  /* enum iter_what, vm/iter.h */
    uint32_t state; /* free for the iterator */
    val source;     /* VAL_UNSET when exhausted */
    uint64_t pos;   /* untraced number */
    val extra[3];   /* traced */
};

struct oview {
    struct obj h;
    val dict;
    uint64_t what; /* 0 keys, 1 values, 2 items */
};

struct ofunc {
    struct obj h;
    val code;
    val globals;    /* module */
    val defaults;   /* tuple or VAL_UNSET */
    val kwdefaults; /* dict or VAL_UNSET */
    val closure;    /* tuple of cells or VAL_UNSET */
    val name, qualname;
    val annotate; /* function that makes __annotations__, or VAL_UNSET */
    val attrs;    /* dict: __doc__, __annotations__ (lazy), user's own */
};

/* A signature, parsed. Parameters are numbered positional first, then
 * keyword-only; onative.names has their names in that order. */
struct nsig {
    uint8_t self;     /* 1: the call's first argument is self or the class */
    uint8_t npos;     /* positional parameters, self not counted */
    uint8_t nposonly; /* the first ones, which keywords cannot name */
    uint8_t nkwonly;
    uint8_t required;   /* positional ones without a default */
    uint8_t kwrequired; /* bit i: keyword-only parameter i has no default */
    uint8_t star;       /* takes *args */
    uint8_t starstar;   /* takes **kwargs */
};

struct onative {
    struct obj h;
    uint32_t number; /* row in the table of natives, stable within a build */
    uint32_t flags;  /* NATIVE_* */
    struct nsig sig;
    val self;  /* a bound builtin method; VAL_UNSET for a function */
    val names; /* tuple: parameter names that keywords can use */
    val owner; /* class it is a method of, or module name, or unset */
    val slow;  /* the prelude function that stands in for it, or unset */
};
enum {
    NATIVE_METHOD = 1, /* the first argument is self, checked to be an owner */
    NATIVE_CLASS = 2,  /* a class method: the first argument is the class */
    NATIVE_NEW = 4,    /* __new__: the first argument is the class to make */
    NATIVE_DIRECT = 8, /* positional parameters only: the loop may call it with
                          bits 8..15 arguments at most, 16..23 at least, self
                          counted */
    NATIVE_PLAIN = 1 << 24,  /* direct, and the loop knows what comes first: it
                                is bound to nothing and not of a class */
    NATIVE_SPREAD = 1 << 25, /* takes *args or keywords too, none of which it
                                needs: see native_spread() */
    NATIVE_FLOW_SHIFT = 4,   /* bits 4..7: how labels go through it (taint.h) */
    NATIVE_FLOW_MASK = 15
};

struct omethod {
    struct obj h;
    val self;
    val func;
};

struct ocell {
    struct obj h;
    val value; /* VAL_UNSET: unbound */
};

struct obox {
    struct obj h;
    val inner;     /* VAL_UNSET while pending */
    uint64_t call; /* id of the pending call, 0 when the value is there */
};

struct ogen {
    struct obj h;
    val frame;      /* VAL_UNSET when finished */
    uint32_t what;  /* 0 generator, 1 coroutine, 2 async generator */
    uint32_t state; /* 0 created, 1 suspended, 2 running, 3 closed */
    val name, qualname;
};

/* A class. Attribute lookups walk mro; `version` keys inline caches and changes
 * whenever the class or one of its bases is modified. */
struct otype {
    struct obj h;
    val name, qualname, module;
    val base;       /* first base, layout comes from it */
    val bases;      /* tuple */
    val mro;        /* tuple, itself first */
    val dict;       /* odict of attributes */
    val subclasses; /* list */
    uint32_t version;
    uint16_t flags;        /* TYPE_* */
    uint8_t instance_kind; /* kind of its instances */
    uint8_t unused;
    uint64_t special; /* bit i: special method i (specials.def) is found
                         somewhere in the mro and is not object's own */
    val slots;        /* tuple of __slots__ names or VAL_UNSET */
    val shape;        /* shape new instances start from (__slots__) or root */
};
enum {
    TYPE_HEAP = 1,      /* made by a class statement: may be modified */
    TYPE_NO_DICT = 2,   /* __slots__ without __dict__ */
    TYPE_EXCEPTION = 4, /* derives from BaseException */
    TYPE_ABSTRACT = 8,  /* has unimplemented abstract methods */
    TYPE_FINAL = 16,    /* may not be a base (bool, NoneType ...) */
    TYPE_HIDDEN = 32    /* not a name of its own (NoneType, dict_keys ...) */
};

/* Attributes by shape. An instance of a subclass of a builtin type has that
 * type's kind and OBJ_ATTRS. */
struct oinstance {
    struct obj h;
    val shape;
    val store; /* values by position; VAL_UNSET while none */
};

/* Begins as an instance does. Fields that were never set are VAL_UNSET. */
struct oexc {
    struct obj h;
    val shape, store;
    val args; /* tuple */
    val cause, context;
    val traceback; /* the outermost line */
    val notes;     /* list */
    uint64_t suppress_context;
};

struct otraceback {
    struct obj h;
    val next; /* the line further in, or unset */
    val code;
    uint32_t pc; /* the instruction that raised or called */
    uint32_t unused;
};

/* What a class dict can hold that is not a function. Begins as an instance
 * does (a subclass of property has attributes). */
struct odescr {
    struct obj h;
    val shape, store;
    val get; /* property: fget; class/staticmethod: the function; getset: the
                native; slot: its class; super: the class to start behind */
    val set; /* property: fset; super: the object */
    val del; /* property: fdel; super: the object's class */
    val doc;
    val name;     /* slot, getset: the attribute's name; else unset */
    uint64_t pos; /* slot: index in the instance's store; tuple field: that of
                     its item */
};

/* A module, or the globals of a program: values in slots that compiled code
 * addresses by number. */
struct omodule {
    struct obj h;
    val name;
    val names;    /* odict name -> slot number */
    val slots;    /* store of values; VAL_UNSET: not bound */
    val builtins; /* store beside it: the builtin of the slot's name or unset */
    val dict;     /* dict proxy handed out by globals() or vars(), or unset */
};

struct ohostfn {
    struct obj h;
    val name;
    uint32_t number; /* the host's number for it */
    uint32_t flags;  /* HOSTFN_READ_ONLY: calls may overlap */
    val doc;
};
enum { HOSTFN_READ_ONLY = 1 };

/* Bytes an object occupies, a multiple of 16: exactly what was asked of
 * heap_new. For variable layouts that is offsetof(.., item) and the like plus
 * the content (text: and its NUL), plus 16 with OBJ_ATTRS. */
uint64_t object_size(const struct obj *o);

/* Where an object with OBJ_ATTRS keeps its shape and store. */
static inline val *object_attrs(struct obj *o) {
    return (val *)((char *)o + object_size(o)) - 2;
}

#endif
