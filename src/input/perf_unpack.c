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

/* Take the records in the piece, of which there are n bytes. */
static int take(struct etm_perf *p, size_t n)
{
    struct etm_perf_unpacker *u = &p->unpacker;
    const size_t known = p->code.mappings.n + p->code.ids.n;
    uint8_t *piece = u->piece;
    int status = ETM_OK;
    size_t taken = etm_perf_take_records(p, piece, n, &status);

    u->n = n - taken;
    u->stopped = u->n > PIECE / 2; /* what is there is no record */
    if (status != ETM_OK || p->code.mappings.n + p->code.ids.n == known) {
        memmove(piece, piece + taken, u->n);
        return status;
    }
    /* names of files are in it */
    status = etm_vec_append(&u->kept, &piece, 1);
    if (status != ETM_OK)
        return status;
    u->piece = NULL;
    status = begin(u);
    if (status == ETM_OK)
        memcpy(u->piece, piece + taken, u->n);
    return status;
}

int etm_perf_unpack(struct etm_perf *p, const uint8_t *at, size_t n)
{
    struct etm_perf_unpacker *u = &p->unpacker;
    ZSTD_inBuffer in = {.src = at, .size = n};
    int status = u->stopped ? ETM_OK : begin(u);
    bool full = false;

    while (!u->stopped && status == ETM_OK && (in.pos < in.size || full)) {
        ZSTD_outBuffer out = {.dst = u->piece, .size = PIECE, .pos = u->n};

        u->stopped = ZSTD_isError(
            ZSTD_decompressStream((ZSTD_DStream *)u->stream, &out, &in));
        full = out.pos == out.size;
        if (!u->stopped)
            status = take(p, out.pos);
    }
    return status;
}

const char *etm_perf_unpack_fault(void)
{
    return "some of its compressed records are damaged";
}
