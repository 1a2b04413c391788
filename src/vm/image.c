/* SPDX-License-Identifier: MIT
 *
 * image -- the template as bytes that a program is linked with.
 *
 * The bytes are a part of the program's file and are mapped from there: every
 * run of every process looks at the same pages, and none can write to them.
 */
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/mem.h"
#include "lang/bytecode.h"
#include "vm/engine.h"
#include "vm/template.h"

/* In front of the bytes. All of it must match: an image of other tables or
 * layouts is not used. */
struct image {
    char magic[8];
    uint32_t natives, caches, type_version, kinds;
    uint64_t head, first, size, names, build;
    uint64_t rows; /* over the names and signatures of all natives */
};

static uint64_t rows_hash(const struct engine *engine) {
    uint64_t h = 1469598103934665603u;
    for (uint32_t i = 0; i < engine->nnatives; i++) {
        const char *parts[2] = {engine->natives[i]->name,
                                engine->natives[i]->signature};
        for (int k = 0; k < 2; k++)
            for (const char *p = parts[k]; *p; p++)
                h = (h ^ (unsigned char)*p) * 1099511628211u;
    }
    return h;
}

static struct image image_of(const struct engine *engine) {
    return (struct image){
        .magic = "cordon1",
        .natives = engine->nnatives,
        .caches = engine->ncaches,
        .type_version = engine->type_version,
        .kinds = KIND_COUNT | OP_COUNT << 8 | SPECIAL_COUNT << 16,
        .head = TEMPLATE_HEAD,
        .first = template_first(),
        .size = engine->size,
        .names = engine->names,
        .build = engine->build,
        .rows = rows_hash(engine),
    };
}

uint64_t template_first(void) {
    return (TEMPLATE_HEAD + sizeof(struct template_head) + 15) & ~15ull;
}

/* The bytes begin on a page of their own. */
#define HEAD_SIZE 4096

int template_save(const struct engine *engine, struct buf *out, struct err *e) {
    char head[HEAD_SIZE] = {0};
    struct image image = image_of(engine);
    memcpy(head, &image, sizeof image);
    if (buf_add(out, head, sizeof head, e)) return -1;
    return buf_add(out, engine->bytes, engine->size, e);
}

/* Where some bytes of the program stand in its file. */
struct place {
    uintptr_t at;
    off_t offset; /* -1: not in it */
};

/* The program itself is the first object told of, and the only one looked at.
 */
static int find_place(struct dl_phdr_info *info, size_t size, void *data) {
    struct place *place = data;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && place->at >= from &&
            place->at - from < p->p_filesz)
            place->offset = (off_t)(p->p_offset + (place->at - from));
    }
    return 1;
}

/* NULL where the program's file cannot be had, or the bytes are not in it. */
static const void *map_file(const char *bytes, size_t n) {
    struct place place = {(uintptr_t)bytes, -1};
    dl_iterate_phdr(find_place, &place);
    if (place.offset < 0 || place.offset % 4096) return NULL;
    AUTO_FD int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, place.offset);
    return map == MAP_FAILED ? NULL : map;
}

int template_use(struct engine *engine, str bytes, struct err *e) {
    struct image image;
    if (bytes.n < HEAD_SIZE) return fail(e, ERR_INVALID, "no image");
    memcpy(&image, bytes.p, sizeof image);
    if (natives_number(engine, e)) return -1;
    engine->ncaches = image.caches;
    engine->type_version = image.type_version;
    engine->names = image.names;
    engine->build = image.build;
    engine->size = image.size;
    engine->bytes = bytes.p + HEAD_SIZE;
    struct image own = image_of(engine);
    if (memcmp(&own, &image, sizeof image) != 0 ||
        bytes.n - HEAD_SIZE < image.size) {
        template_drop(engine);
        return fail(e, ERR_INVALID, "the template is of another build");
    }
    const void *map = map_file(engine->bytes, engine->size);
    engine->shared = map != NULL;
    if (map) engine->bytes = map;
    return 0;
}

void template_drop(struct engine *engine) {
    if (engine->shared) {
        void *map;
        memcpy(&map, &engine->bytes, sizeof map);
        munmap(map, engine->size);
    }
    mem_free(engine->owned);
    mem_free(engine->natives);
    mem_free(engine->steps);
    *engine = (struct engine){0};
}
