/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the streams of several sources to frames. The layout is in <etm/port.h>.
 * Data are output a halfword at a time, and an even byte depends on the byte
 * after it: therefore the last byte pushed is always held back.
 */
#include "base/size.h"
#include "base/vec.h"

#include <etm/port.h>

#include <string.h>

#define REPEAT_ID 8u /* CoreSight TRM, DDI 0314H, 8.12.1 */

struct source_byte {
    uint8_t id;
    uint8_t value;
};

struct etm_framer {
    struct etm_framer_config config;
    struct etm_allocator allocator;
    struct etm_vec out;
    bool taken;
    int status; /* sticky */
    uint8_t id; /* current ID; ETM_ID_UNKNOWN before the first one */
    uint8_t frame[ETM_FRAME_BYTES];
    unsigned at; /* an even position in it: everything before it is final */
    bool holding;
    struct source_byte held;
    uint32_t quiet;     /* frames since an ID byte */
    uint32_t frames;    /* since a full synchronization */
    uint32_t halfwords; /* since a halfword synchronization */
};

static void put(struct etm_framer *f, const uint8_t *bytes, size_t n)
{
    if (etm_vec_append(&f->out, bytes, n) != ETM_OK)
        f->status = ETM_ERR_MEMORY;
}

static void end_frame(struct etm_framer *f)
{
    static const uint8_t full[] = {0xff, 0xff, 0xff, 0x7f};
    static const uint8_t half[] = {0xff, 0x7f};

    if (f->config.full_sync != 0 && f->frames == 0)
        put(f, full, sizeof full);
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i += 2) {
        put(f, f->frame + i, 2);
        if (f->config.half_sync != 0 && ++f->halfwords == f->config.half_sync) {
            put(f, half, sizeof half);
            f->halfwords = 0;
        }
    }
    if (++f->frames == f->config.full_sync)
        f->frames = 0;
    f->quiet++;
    f->at = 0;
    memset(f->frame, 0, sizeof f->frame);
}

/* Write the even byte, and the odd one if there is room for it. */
static void put_pair(struct etm_framer *f, uint8_t even, bool flag, uint8_t odd)
{
    f->frame[f->at] = even;
    if (flag)
        f->frame[15] |= (uint8_t)(1u << f->at / 2);
    if (f->at + 1 < ETM_FRAME_DATA)
        f->frame[f->at + 1] = odd;
    f->at += 2;
    if (f->at == ETM_FRAME_BYTES)
        end_frame(f);
}

static void put_id(struct etm_framer *f, uint8_t id, bool deferred, uint8_t odd)
{
    f->id = id;
    f->quiet = 0;
    put_pair(f, (uint8_t)(id << 1 | 1), deferred, odd);
}

/*
 * Send what can be sent of byte `a`, which is followed by byte `b`. Returns
 * how many of the two went out: 0 when there was room for an ID byte only.
 */
static int send(struct etm_framer *f, struct source_byte a,
                struct source_byte b)
{
    uint32_t repeat =
        f->config.repeat_id != 0 ? f->config.repeat_id : REPEAT_ID;
    bool last = f->at == ETM_FRAME_BYTES - 2;

    if (a.id != f->id || (f->at == 0 && f->quiet >= repeat)) {
        put_id(f, a.id, false, a.value);
        return last ? 0 : 1;
    }
    if (!last && b.id != f->id) {
        /* Byte `a` belongs to the old ID, beside the new or a repeated one. */
        if (f->config.no_deferred_id)
            put_id(f, a.id, false, a.value);
        else
            put_id(f, b.id, true, a.value);
        return 1;
    }
    put_pair(f, a.value & 0xfeu, (a.value & 1) != 0, b.value);
    return last ? 1 : 2;
}

static void push_byte(struct etm_framer *f, struct source_byte next)
{
    while (f->holding) {
        int sent = send(f, f->held, next);

        if (sent == 1) {
            f->held = next;
            return;
        }
        f->holding = sent == 0;
        if (sent == 2)
            return;
    }
    f->held = next;
    f->holding = true;
}

static void begin_call(struct etm_framer *f)
{
    if (f->taken)
        f->out.n = 0;
    f->taken = false;
}

int etm_framer_push(struct etm_framer *f, uint8_t id, const uint8_t *bytes,
                    size_t n)
{
    if (f == NULL || id >= ETM_ID_SYNC || (bytes == NULL && n != 0))
        return ETM_ERR_ARGUMENT;
    begin_call(f);
    for (size_t i = 0; i < n && f->status == ETM_OK; i++)
        push_byte(f, (struct source_byte){id, bytes[i]});
    return f->status;
}

int etm_framer_flush(struct etm_framer *f)
{
    const struct source_byte padding = {ETM_ID_NULL, 0};

    if (f == NULL)
        return ETM_ERR_ARGUMENT;
    begin_call(f);
    /* Padding that is held back at the beginning of a frame need not be
     * sent. */
    while (f->status == ETM_OK &&
           !(f->at == 0 && (!f->holding || f->held.id == ETM_ID_NULL)))
        push_byte(f, padding);
    f->holding = false;
    return f->status;
}

void etm_framer_take(struct etm_framer *f, const uint8_t **bytes, size_t *n)
{
    begin_call(f);
    f->taken = true;
    *bytes = f->out.data;
    *n = f->out.n;
}

int etm_framer_new(struct etm_framer **framer,
                   const struct etm_framer_config *config)
{
    struct etm_framer_config own;
    struct etm_allocator allocator;
    struct etm_framer *f;
    bool synchronized;
    int status;

    if (framer == NULL)
        return ETM_ERR_ARGUMENT;
    *framer = NULL;
    status = ETM_TAKE(etm_framer_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    synchronized = config->full_sync != 0 || config->half_sync != 0;
    if (config->layout != ETM_FRAME_TPIU &&
        (config->layout != ETM_FRAME_ALIGNED || synchronized))
        return ETM_ERR_ARGUMENT;
    allocator = etm_allocator_or_default(config->allocator);
    f = etm_alloc_zero(&allocator, sizeof *f);
    if (f == NULL)
        return ETM_ERR_MEMORY;
    f->config = *config;
    f->config.allocator = NULL;
    f->allocator = allocator;
    f->id = ETM_ID_UNKNOWN;
    etm_vec_init(&f->out, 1, &allocator);
    *framer = f;
    return ETM_OK;
}

void etm_framer_free(struct etm_framer *f)
{
    struct etm_allocator allocator;

    if (f == NULL)
        return;
    allocator = f->allocator;
    etm_vec_fini(&f->out);
    etm_alloc_free(&allocator, f);
}
