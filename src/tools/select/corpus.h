/* SPDX-License-Identifier: MIT
 *
 * corpus -- the index that is searched: postings, vectors and n-grams of every
 * tool.
 *
 * The index is a handful of flat arrays that refer to each other by number, so
 * saving is writing them and loading is mapping them. A changed tool gets a new
 * document and its old one is marked dead; when a quarter is dead the arrays
 * are made anew. A document's number is therefore valid until the next change.
 *
 * One dictionary serves every exact lookup: a key is a space (words, ids,
 * names, servers ...) followed by text, and each has a list of documents.
 */
#ifndef CORDON_TOOLS_SELECT_CORPUS_H
#define CORDON_TOOLS_SELECT_CORPUS_H

#include "tools/select/document.h"
#include "tools/select/pool.h"
#include "tools/select/vectors.h"
#include "tools/select/weights.h"

#define CORPUS_NONE UINT32_MAX
#define GRAM_HASHES 65536 /* n-grams are hashed to 16 bits */
#define CLUSTERS    64    /* at most; see cluster.h */

enum space {
    SPACE_WORD = 'w',     /* a stem */
    SPACE_ID = 'i',       /* a tool's id */
    SPACE_NAME = 'n',     /* a name or alias, its words joined by '_' */
    SPACE_SERVER = 's',   /* a server's name */
    SPACE_CATEGORY = 'c', /* a category, lower case */
    SPACE_KEYWORD = 'k',  /* a declared keyword, its words joined by '_' */
};

struct term {
    uint64_t hash;
    uint32_t text;       /* number of its first byte in corpus.text */
    uint32_t len;        /* bytes, the space included */
    uint32_t first;      /* number of its first posting */
    uint32_t count, cap; /* postings there, dead ones included */
    uint32_t live;       /* living documents that have it */
    int32_t row;         /* SPACE_WORD: of the vector table, or -1;
                            server, category: its ordinal, from 0 */
    uint32_t zero;
};

struct posting {
    uint32_t doc;
    float weight; /* SPACE_WORD: field-weighted count; else 1 */
};

struct gram {
    uint16_t hash;
    uint16_t weight; /* in 1/256 */
};

struct doc {
    uint64_t digest;            /* of the text that was indexed */
    uint64_t text;              /* corpus_text_key of the tool */
    uint32_t id, id_len;        /* into corpus.text */
    uint32_t terms, term_count; /* into corpus.forward */
    uint32_t grams, gram_count; /* into corpus.grams */
    uint32_t server, category;  /* ordinals, CORPUS_NONE: none */
    float length;               /* field-weighted count of words */
    float vector_scale;         /* 0: no vector */
    float gram_norm;            /* 1 / length of its n-gram vector */
    uint8_t dead, always;
    uint8_t cluster; /* from 1; 0: none, or a category was declared */
    uint8_t zero;
};

struct corpus {
    struct weights weights;
    const struct vectors *table; /* borrowed; NULL: no vectors */
    struct pool docs, text, terms, slots, postings, forward, grams, rows;
    struct pool signs;   /* of each term, for words; see dictionary.h */
    uint32_t *gram_live; /* GRAM_HASHES counts of living documents */
    uint64_t seed[2];    /* of the dictionary's hash */
    double length;       /* sum of doc.length over living documents */
    size_t live, dead;   /* documents */
    uint64_t changes;    /* counts every document that came or went */
    size_t servers, categories, keywords;
    size_t always;       /* living documents that are always offered */
    size_t normed_at;    /* living documents when gram norms were computed */
    struct pool marks;   /* scratch of corpus_put, one a term; all zero */
    float *gram_sum;     /* scratch of corpus_put, GRAM_HASHES, all zero; NULL:
                            there is none */
    uint16_t *gram_seen; /* those that are not zero while it runs */
    size_t gram_count;
    void *map; /* what borrowed arrays lie in, or NULL */
    size_t map_bytes;
};

/* table may be NULL. */
int corpus_init(struct corpus *ix, const struct weights *w,
                const struct vectors *table, struct err *e);
void corpus_fini(struct corpus *ix);

/* Adds a tool or replaces the one with its id; d is what is searched of it.
 * Nothing happens when neither changed. On failure the index is as it was. */
int corpus_put(struct corpus *ix, const struct tool *t,
               const struct document *d, struct err *e);

/* Removes; false when there is none. */
bool corpus_drop(struct corpus *ix, str id);

/* Makes the arrays anew without the dead; done by corpus_put when due. */
int corpus_compact(struct corpus *ix, struct err *e);

/* After many came at once: gaps between arrays are closed, and what only adding
 * needs is let go of until the next. */
int corpus_rest(struct corpus *ix, struct err *e);

/* The number of the living document with this id, or CORPUS_NONE. */
uint32_t corpus_find(const struct corpus *ix, str id);

/* The term for a key, or NULL. */
const struct term *corpus_term(const struct corpus *ix, enum space space,
                               str text);

/* Bytes of memory held. */
size_t corpus_bytes(const struct corpus *ix);

static inline struct doc *corpus_doc(const struct corpus *ix, size_t i) {
    return (struct doc *)ix->docs.items + i;
}

static inline str corpus_id(const struct corpus *ix, size_t i) {
    const struct doc *d = corpus_doc(ix, i);
    return (str){pool_at(&ix->text, d->id), d->id_len};
}

static inline const struct posting *corpus_postings(const struct corpus *ix,
                                                    const struct term *t) {
    return pool_at(&ix->postings, t->first);
}

/* The words of text joined by '_': "getHTTPStatus" and "get http status" are
 * one name. Returns its length, at most max. */
size_t corpus_join(str text, char *out, size_t max);

/* What an embeddings endpoint is given of a tool: its name, and as much of its
 * description. The key is a digest of both. */
#define CORPUS_TEXT_BYTES 2048
uint64_t corpus_text_key(const struct tool *t);

/* Saving replaces the file whole. Loading maps it; a file of another version,
 * other weights or another table is ERR_MISSING: build anew. */
int corpus_save(const struct corpus *ix, const char *path, struct err *e);
int corpus_load(struct corpus *ix, const char *path, const struct weights *w,
                const struct vectors *table, struct err *e);

#endif
