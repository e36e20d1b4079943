/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as text, each disassembled once. */
#include "write/text_cache.h"

#include <stddef.h>
#include <string.h>

#define TABLE_START ((size_t)1 << 12)

void etm_text_cache_init(struct etm_text_cache *cache, unsigned caches,
                         const struct etm_allocator *allocator)
{
    memset(cache, 0, sizeof *cache);
    cache->allocator = *allocator;
    cache->limit = ETM_TEXT_CHUNKS / (caches != 0 ? caches : 1);
    if (cache->limit == 0)
        cache->limit = 1;
}

void etm_text_cache_fini(struct etm_text_cache *cache)
{
    for (size_t i = 0; i < ETM_TEXT_CHUNKS; i++)
        etm_alloc_free(&cache->allocator, cache->chunks[i]);
    etm_alloc_free(&cache->allocator, cache->table);
    memset(cache, 0, sizeof *cache);
}

void etm_text_cache_forget(struct etm_text_cache *cache)
{
    cache->chunk = cache->used = cache->n = 0;
    if (cache->table)
        memset(cache->table, 0, (cache->mask + 1) * sizeof *cache->table);
}

static size_t hash(uint32_t address, uint32_t opcode, unsigned isa, unsigned it)
{
    uint32_t h = address * 0x9e3779b1u ^ opcode;

    h ^= isa << 7 ^ it << 3;
    return h ^ h >> 15;
}

struct etm_text_entry *etm_text_cache_find(const struct etm_text_cache *cache,
                                           const struct etm_disasm_insn *insn)
{
    size_t i = hash(insn->address, insn->opcode, insn->isa, insn->it);
    uint32_t number;

    if (!cache->table)
        return NULL;
    for (; (number = cache->table[i & cache->mask]) != 0; i++) {
        struct etm_text_entry *entry = etm_text_cache_at(cache, number);

        if (etm_text_is_of(entry, insn))
            return entry;
    }
    return NULL;
}

static void enter(const struct etm_text_cache *cache,
                  const struct etm_text_entry *e)
{
    size_t i = hash(e->address, e->opcode, e->isa, e->it);

    while (cache->table[i & cache->mask] != 0)
        i++;
    cache->table[i & cache->mask] = e->number;
}

/* Twice the rows. */
static bool grow(struct etm_text_cache *cache)
{
    size_t rows = cache->table ? 2 * (cache->mask + 1) : TABLE_START;
    uint32_t *old = cache->table;
    size_t n = old ? cache->mask + 1 : 0;
    uint32_t *table = etm_alloc_zero(&cache->allocator, rows * sizeof *table);

    if (!table)
        return false;
    cache->table = table;
    cache->mask = rows - 1;
    for (size_t i = 0; i < n; i++)
        if (old[i] != 0)
            enter(cache, etm_text_cache_at(cache, old[i]));
    etm_alloc_free(&cache->allocator, old);
    return true;
}

/* Bytes that an entry takes: the text can be read up to ETM_TEXT_READY. */
static size_t size_of(const struct etm_text_entry *entry)
{
    size_t n = entry->n < ETM_TEXT_READY ? ETM_TEXT_READY : entry->n;

    return (offsetof(struct etm_text_entry, text) + n + 7) / 8 * 8;
}

static bool make_room(struct etm_text_cache *cache, size_t size)
{
    if (ETM_TEXT_CHUNK - cache->used < size) {
        cache->chunk++;
        cache->used = 0;
    }
    if (cache->chunk >= cache->limit)
        etm_text_cache_forget(cache);
    if (!cache->chunks[cache->chunk])
        cache->chunks[cache->chunk] =
            etm_alloc_zero(&cache->allocator, ETM_TEXT_CHUNK);
    return cache->chunks[cache->chunk] != NULL;
}

struct etm_text_entry *etm_text_cache_keep(struct etm_text_cache *cache,
                                           struct etm_text_entry *entry)
{
    size_t size = size_of(entry);
    struct etm_text_entry *kept;
    char *at;

    if (2 * cache->n >= cache->mask && !grow(cache))
        return entry;
    if (!make_room(cache, size))
        return entry;
    at = cache->chunks[cache->chunk] + cache->used;
    memcpy(at, entry, size);
    kept = (struct etm_text_entry *)(void *)at;
    kept->number =
        (uint32_t)((cache->chunk * ETM_TEXT_CHUNK + cache->used) / 8 + 1);
    kept->behind = 0;
    cache->used += size;
    cache->n++;
    enter(cache, kept);
    return kept;
}
