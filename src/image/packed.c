/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row has two bytes of flags, and then numbers with seven bits in each byte,
 * the lowest first, and bit [7] set if there are more:
 *
 *     15 14  13   12   11       9 8       7 6       5 4  3 2 0
 *     insns  one  odd  last_flags last_exec last_type last isa
 *
 *     start         minus that of the row before
 *     end           minus start; both are halved if neither is odd
 *     insns         only if it does not follow from the bytes (enum insns)
 *     last_address  subtracted from end; only if it does not follow (enum last)
 *     n             only if it is not one
 *
 * Values that do not fit in the flags, which no flow gives, are in four bytes
 * after them (LAST_ALL).
 */
#include "image/packed.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <etm/types.h>

#include <assert.h>
#include <string.h>

enum insns { INSNS_WORDS, INSNS_HALFWORDS, INSNS_ONE, INSNS_STORED };
enum last { LAST_WORD, LAST_HALFWORD, LAST_STORED, LAST_ALL };

#define FLAGS 7u /* of last_flags */
#define ONE (UINT32_C(1) << 13)
#define ODD (UINT32_C(1) << 12)

static_assert(sizeof(struct etm_packed_chunk) + ETM_PACKED_CHUNK <= 8192 + 16,
              "chunks are pages");

static inline uint8_t *put_number(uint8_t *at, uint64_t n)
{
    for (; n > 0x7f; n >>= 7)
        *at++ = (uint8_t)(n | 0x80);
    *at++ = (uint8_t)n;
    return at;
}

static inline const uint8_t *take_number(const uint8_t *at, uint64_t *n)
{
    unsigned shift = 7;
    uint8_t byte = *at++;

    *n = byte & 0x7f;
    for (; (byte & 0x80) != 0; shift += 7) {
        byte = *at++;
        *n |= (uint64_t)(byte & 0x7f) << shift;
    }
    return at;
}

static bool is_ordinary(const struct etm_count *c)
{
    return c->isa <= 7 && c->last_type <= 3 && c->last_exec <= 3 &&
           c->last_flags <= FLAGS;
}

static enum insns insns_of(const struct etm_count *c)
{
    uint32_t bytes = c->end - c->start;

    if (c->insns == bytes / 4)
        return INSNS_WORDS;
    if (c->insns == bytes / 2)
        return INSNS_HALFWORDS;
    return c->insns == 1 ? INSNS_ONE : INSNS_STORED;
}

static enum last last_of(const struct etm_count *c)
{
    uint32_t before = c->end - c->last_address;

    if (!is_ordinary(c))
        return LAST_ALL;
    return before == 4 ? LAST_WORD : before == 2 ? LAST_HALFWORD : LAST_STORED;
}

/* Write a row after one that began at `before`. Returns its end. */
static uint8_t *pack(uint8_t *at, const struct etm_count *c, uint32_t before)
{
    const enum insns insns = insns_of(c);
    const enum last last = last_of(c);
    const uint32_t bytes = c->end - c->start;
    const bool odd = ((c->start | bytes) & 1) != 0;
    uint32_t what = (uint32_t)insns << 14 | (uint32_t)last << 3;

    if (c->n == 1)
        what |= ONE;
    if (odd)
        what |= ODD;
    if (last != LAST_ALL)
        what |= c->isa | (uint32_t)c->last_type << 5 |
                (uint32_t)c->last_exec << 7 | (uint32_t)c->last_flags << 9;
    *at++ = (uint8_t)what;
    *at++ = (uint8_t)(what >> 8);
    if (last == LAST_ALL) {
        *at++ = c->isa;
        *at++ = c->last_type;
        *at++ = c->last_exec;
        *at++ = c->last_flags;
    }
    at = put_number(at, (c->start >> !odd) - (before >> !odd));
    at = put_number(at, bytes >> !odd);
    if (insns == INSNS_STORED)
        at = put_number(at, c->insns);
    if (last >= LAST_STORED)
        at = put_number(at, c->end - c->last_address);
    return c->n != 1 ? put_number(at, c->n) : at;
}

/* The reverse of pack(). */
static const uint8_t *unpack(const uint8_t *at, struct etm_count *c,
                             uint32_t before)
{
    const uint32_t what = etm_le16(at);
    const enum insns insns = (enum insns)(what >> 14);
    const enum last last = (enum last)(what >> 3 & 3);
    const unsigned shift = (what & ODD) == 0;
    uint64_t number;
    uint32_t bytes;

    at += 2;
    if (last == LAST_ALL) {
        c->isa = at[0];
        c->last_type = at[1];
        c->last_exec = at[2];
        c->last_flags = at[3];
        at += 4;
    } else {
        c->isa = what & 7;
        c->last_type = what >> 5 & 3;
        c->last_exec = what >> 7 & 3;
        c->last_flags = what >> 9 & FLAGS;
    }
    at = take_number(at, &number);
    c->start = ((before >> shift) + (uint32_t)number) << shift;
    at = take_number(at, &number);
    bytes = (uint32_t)(number << shift);
    c->end = c->start + bytes;
    number = insns == INSNS_WORDS       ? bytes / 4
             : insns == INSNS_HALFWORDS ? bytes / 2
                                        : 1;
    if (insns == INSNS_STORED)
        at = take_number(at, &number);
    c->insns = (uint32_t)number;
    number = last == LAST_WORD ? 4 : 2;
    if (last >= LAST_STORED)
        at = take_number(at, &number);
    c->last_address = c->end - (uint32_t)number;
    c->n = 1;
    return (what & ONE) != 0 ? at : take_number(at, &c->n);
}

static struct etm_packed_chunk *new_chunk(const struct etm_allocator *a)
{
    return a->resize(a->context, NULL,
                     sizeof(struct etm_packed_chunk) + ETM_PACKED_CHUNK);
}

/* Room for a row in the last chunk. */
static int make_room(struct etm_packed *p, struct etm_packed_chunk **spare,
                     const struct etm_allocator *a)
{
    struct etm_packed_chunk *chunk = *spare;

    if (chunk != NULL)
        *spare = chunk->next;
    else
        chunk = new_chunk(a);
    if (chunk == NULL)
        return ETM_ERR_MEMORY;
    chunk->next = NULL;
    chunk->n = 0;
    if (p->last != NULL)
        p->last->next = chunk;
    else
        p->first = chunk;
    p->last = chunk;
    p->chunks++;
    return ETM_OK;
}

int etm_packed_put(struct etm_packed *p, const struct etm_count *count,
                   struct etm_packed_chunk **spare,
                   const struct etm_allocator *allocator)
{
    uint8_t *at;

    if ((p->last == NULL || ETM_PACKED_CHUNK - p->last->n < ETM_PACKED_ROW) &&
        make_room(p, spare, allocator) != ETM_OK)
        return ETM_ERR_MEMORY;
    at = p->last->bytes + p->last->n;
    p->last->n = (uint32_t)(pack(at, count, p->start) - p->last->bytes);
    p->start = count->start;
    p->n++;
    return ETM_OK;
}

int etm_packed_reserve(struct etm_packed_chunk **spare, size_t n,
                       const struct etm_allocator *a)
{
    for (; n > 0; n--) {
        struct etm_packed_chunk *chunk = new_chunk(a);

        if (chunk == NULL)
            return ETM_ERR_MEMORY;
        chunk->next = *spare;
        *spare = chunk;
    }
    return ETM_OK;
}

void etm_packed_free_chunks(struct etm_packed_chunk *chunk,
                            const struct etm_allocator *a)
{
    while (chunk != NULL) {
        struct etm_packed_chunk *next = chunk->next;

        etm_alloc_free(a, chunk);
        chunk = next;
    }
}

void etm_packed_fini(struct etm_packed *p, const struct etm_allocator *a)
{
    etm_packed_free_chunks(p->first, a);
    *p = (struct etm_packed){0};
}

bool etm_packed_next(struct etm_packed_reader *r, struct etm_count *count,
                     struct etm_packed_chunk **spare)
{
    struct etm_packed_chunk *chunk = r->chunk;

    while (chunk != NULL && r->at == chunk->n) {
        r->chunk = chunk->next;
        r->at = 0;
        if (spare != NULL) {
            chunk->next = *spare;
            *spare = chunk;
        }
        chunk = r->chunk;
    }
    if (chunk == NULL)
        return false;
    r->at = (uint32_t)(unpack(chunk->bytes + r->at, count, r->start) -
                       chunk->bytes);
    r->start = count->start;
    return true;
}
