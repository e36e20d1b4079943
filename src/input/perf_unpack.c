/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that perf compressed (perf record -z): one stream of zstd, whose
 * pieces are in records. It contains the records that would otherwise be in the
 * file, which begin and end anywhere in a piece; trace is never among them.
 */
#include "base/alloc.h"
#include "input/perf_private.h"

#include <string.h>
#include <zstd.h>

/* Bytes unpacked at once: a record, of which a part may be there already, has
 * less than half of this. */
#define PIECE ((size_t)1 << 17)

/* Bytes that may come out, and how many for each that went in: records of perf
 * shrink to a tenth or so, but a few kilobytes can claim to be any number of
 * them. doc/reliability.md */
#define UNPACKED_MOST (UINT64_C(64) << 20)
#define UNPACKED_TIMES 200u

static bool is_too_much(const struct etm_perf_unpacker *u)
{
    return u->unpacked > UNPACKED_MOST &&
           u->unpacked / UNPACKED_TIMES > u->packed;
}

void etm_perf_unpacker_init(struct etm_perf_unpacker *u,
                            const struct etm_allocator *allocator)
{
    *u = (struct etm_perf_unpacker){.allocator = *allocator};
    etm_vec_init(&u->kept, sizeof(uint8_t *), allocator);
}

void etm_perf_unpacker_fini(struct etm_perf_unpacker *u)
{
    uint8_t **kept = u->kept.data;

    for (size_t i = 0; i < u->kept.n; i++)
        etm_alloc_free(&u->allocator, kept[i]);
    etm_vec_fini(&u->kept);
    etm_alloc_free(&u->allocator, u->piece);
    (void)ZSTD_freeDStream(u->stream); /* NULL is accepted */
}

/* Begin a piece with the part of a record that is there. */
static int begin(struct etm_perf_unpacker *u)
{
    if (u->stream == NULL)
        u->stream = ZSTD_createDStream();
    if (u->piece == NULL)
        u->piece = etm_alloc_zero(&u->allocator, PIECE);
    return u->stream != NULL && u->piece != NULL ? ETM_OK : ETM_ERR_MEMORY;
}

bool etm_perf_unpack(struct etm_perf_unpacker *u, const uint8_t **at, size_t *n,
                     int *status)
{
    ZSTD_inBuffer in = {.src = *at, .size = *n};
    ZSTD_outBuffer out = {.size = PIECE, .pos = u->n};

    if (u->stopped || *status != ETM_OK || (*n == 0 && !u->full))
        return false;
    *status = begin(u);
    if (*status != ETM_OK)
        return false;
    out.dst = u->piece;
    u->stopped = ZSTD_isError(
        ZSTD_decompressStream((ZSTD_DStream *)u->stream, &out, &in));
    u->packed += in.pos;
    u->unpacked += out.pos - u->n;
    u->stopped = u->stopped || is_too_much(u);
    u->full = out.pos == out.size;
    u->n = out.pos;
    *at += in.pos;
    *n -= in.pos;
    return !u->stopped;
}

int etm_perf_unpacked(struct etm_perf_unpacker *u, size_t taken, bool keep)
{
    uint8_t *piece = u->piece;
    int status;

    u->n -= taken;
    u->stopped = u->n > PIECE / 2; /* what is there is no record */
    if (!keep) {
        memmove(piece, piece + taken, u->n);
        return ETM_OK;
    }
    status = etm_vec_append(&u->kept, &piece, 1);
    if (status != ETM_OK)
        return status;
    u->piece = NULL;
    status = begin(u);
    if (status == ETM_OK)
        memcpy(u->piece, piece + taken, u->n);
    return status;
}

const char *etm_perf_unpack_fault(const struct etm_perf_unpacker *u)
{
    if (is_too_much(u))
        return "its compressed records claim to be more than 200 times as long";
    return "some of its compressed records are damaged";
}
