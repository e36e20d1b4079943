/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions as text, each disassembled once. A program runs the same ones
 * again and again, and making the text takes a hundred times as long as
 * copying it.
 *
 * Entries are stored in chunks in the order in which they were first met, which
 * is mostly that of the program. Each remembers the entry that last followed
 * it, which is tried first for the next one. When ETM_TEXT_CACHE_BYTES are
 * full, everything is forgotten.
 */
#ifndef ETM_WRITE_TEXT_CACHE_H
#define ETM_WRITE_TEXT_CACHE_H

#include "base/alloc.h"
#include "write/disasm.h"

#define ETM_TEXT_CHUNK ((size_t)1 << 18)
#define ETM_TEXT_CACHE_BYTES ((size_t)64 << 20)
#define ETM_TEXT_CHUNKS (ETM_TEXT_CACHE_BYTES / ETM_TEXT_CHUNK)

/* The longest text, and how much of any can be read. */
#define ETM_TEXT_MOST 183u
#define ETM_TEXT_READY 48u

struct etm_text_entry {
    uint32_t address, opcode;
    uint8_t isa, it;
    uint8_t n;       /* bytes of text */
    uint32_t behind; /* number of the entry that came next last time */
    uint32_t number; /* of this one; 0: it is not kept */
    uint32_t symbol_offset;
    uint32_t line;
    const char *symbol; /* NULL: none is known */
    const char *file;   /* NULL: no source line is known */
    const char *source; /* text of the line; may be NULL */
    char text[];        /* "c0008014  e1a00000    mov     r0, r0" */
};

struct etm_text_cache {
    struct etm_allocator allocator;
    size_t limit;    /* chunks; tests have fewer */
    size_t chunk;    /* that is being filled */
    size_t used;     /* bytes of it */
    uint32_t *table; /* hash table of numbers of entries; 0: none */
    size_t mask;     /* rows of the table, less one; 0: no table */
    size_t n;        /* entries */
    char *chunks[ETM_TEXT_CHUNKS];
};

/* Initialise one of `n` caches, which share ETM_TEXT_CACHE_BYTES; 0: 1. */
void etm_text_cache_init(struct etm_text_cache *cache, unsigned caches,
                         const struct etm_allocator *allocator);
void etm_text_cache_fini(struct etm_text_cache *cache);

/* Forget all entries, and keep the memory. */
void etm_text_cache_forget(struct etm_text_cache *cache);

/* The entry of that number, which is not 0. */
static inline struct etm_text_entry *
etm_text_cache_at(const struct etm_text_cache *cache, uint32_t number)
{
    size_t at = (size_t)(number - 1) * 8;

    return (
        struct etm_text_entry *)(void *)(cache->chunks[at / ETM_TEXT_CHUNK] +
                                         at % ETM_TEXT_CHUNK);
}

static inline bool etm_text_is_of(const struct etm_text_entry *entry,
                                  const struct etm_disasm_insn *insn)
{
    return entry->address == insn->address && entry->opcode == insn->opcode &&
           entry->isa == insn->isa && entry->it == insn->it;
}

/* The entry of an instruction; NULL: there is none. */
struct etm_text_entry *etm_text_cache_find(const struct etm_text_cache *cache,
                                           const struct etm_disasm_insn *insn);

/*
 * Keep a copy of an entry that was not found. All others may be forgotten for
 * it. Returns `entry` itself, whose number is 0, if there is no memory.
 */
struct etm_text_entry *etm_text_cache_keep(struct etm_text_cache *cache,
                                           struct etm_text_entry *entry);

#endif
