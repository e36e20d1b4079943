/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where bytes begin, in captures of ports narrower than a byte (ETM
 * architecture, 7.7.2).
 *
 * The only sign is an A-sync, 47 or more 0 bits and a 1. Wherever it begins,
 * five whole bytes of the input are zero, which no valid stream has without an
 * A-sync: most of the input is skipped by looking for the next zero bytes.
 *
 *     bits of the input     next          A-sync          p
 *     ...|good|...........|....suspect....|0 .. 0 0 0 0 1|...
 *
 * If the byte that ends with bit p is one of those counted from `next`, the
 * suspect bits are good. If not, bits were lost or doubled somewhere among
 * them. They are dropped, and bytes are counted from the A-sync on.
 *
 * Damage can look like this, too: zeros written over trace end with any bit of
 * the byte after them. The next A-sync decides: if it agrees with the earlier
 * ones, nothing has shifted; without a next one, the number of zeros decides
 * (E-395).
 */
#include "port/pins.h"

#include "base/size.h"

#include <string.h>

#define A_SYNC_ZEROS 47u /* doc/errata.md, E-03 */
#define A_SYNC_BITS 48u

/* More zeros than an A-sync and the byte before it have. */
#define MANY_ZEROS 64u

static unsigned low_zeros(uint8_t byte)
{
    unsigned n = 0;

    while (n < 8 && (byte >> n & 1) == 0)
        n++;
    return n;
}

static unsigned high_zeros(uint8_t byte)
{
    unsigned n = 0;

    while (n < 8 && (byte << n & 0x80) == 0)
        n++;
    return n;
}

void etm_realigner_init(struct etm_realigner *r, uint32_t hold,
                        const struct etm_allocator *allocator)
{
    *r = (struct etm_realigner){
        .allocator = etm_allocator_or_default(allocator),
        .hold = hold != 0 ? hold : ETM_REALIGN_HOLD,
    };
    if (r->hold < ETM_REALIGN_HOLD_MIN)
        r->hold = ETM_REALIGN_HOLD_MIN;
    etm_vec_init(&r->stream, sizeof(uint8_t), allocator);
    etm_vec_init(&r->runs, sizeof(struct etm_realign_run), allocator);
    etm_vec_init(&r->held, sizeof(uint8_t), allocator);
}

void etm_realigner_fini(struct etm_realigner *r)
{
    etm_vec_fini(&r->stream);
    etm_vec_fini(&r->runs);
    etm_vec_fini(&r->held);
}

/* `n` bytes from bit `next` on are about to be appended to the stream. */
static int add_run(struct etm_realigner *r, uint64_t n)
{
    struct etm_realign_run *last = r->runs.data;
    struct etm_realign_run run = {
        .stream = r->made,
        .input = r->next / 8,
        .bit = (uint8_t)(r->next % 8),
        .gap = r->gap,
        .lost = r->lost,
        .n = n,
    };

    if (!r->gap && r->runs.n != 0) {
        /* Without a gap the bits follow each other. */
        last[r->runs.n - 1].n += n;
        return ETM_OK;
    }
    r->gap = false;
    r->lost = 0;
    return etm_vec_append(&r->runs, &run, 1);
}

/* Output the whole bytes that end at or before bit `end` of the input: they are
 * good. */
static void release(struct etm_realigner *r, uint64_t end)
{
    uint64_t n = end > r->next ? (end - r->next) / 8 : 0;
    unsigned shift = (unsigned)(r->next % 8);
    const uint8_t *in;
    uint8_t *out;

    if (n == 0 || r->status != ETM_OK)
        return;
    if (etm_vec_reserve(&r->stream, (size_t)n) != ETM_OK ||
        add_run(r, n) != ETM_OK) {
        r->status = ETM_ERR_MEMORY;
        return;
    }
    in = (const uint8_t *)r->held.data + (r->next / 8 - r->base);
    out = (uint8_t *)r->stream.data + r->stream.n;
    if (shift == 0) {
        memcpy(out, in, (size_t)n);
    } else {
        for (uint64_t i = 0; i < n; i++)
            out[i] = (uint8_t)(in[i] >> shift | in[i + 1] << (8 - shift));
    }
    r->stream.n += (size_t)n;
    r->made += n;
    r->next += 8 * n;
}

/* The A-sync in doubt is a real one. */
static void slip(struct etm_realigner *r)
{
    r->doubt = false;
    r->gap = true;
    r->lost += (r->begin - r->next + 7) / 8;
    r->next = r->begin;
    release(r, r->begin + A_SYNC_BITS);
}

/* No other A-sync decides about the one in doubt. */
static void decide(struct etm_realigner *r)
{
    if (!r->many)
        slip(r);
    r->doubt = false;
}

/* Hold back no more than `hold` bytes before byte `at` of the input, or after
 * an A-sync in doubt. */
static void limit_hold(struct etm_realigner *r, uint64_t at)
{
    if (r->doubt && at - r->at > r->hold)
        decide(r);
    if (!r->doubt && at > r->hold)
        release(r, 8 * (at - r->hold));
}

/* An A-sync ends with bit `one`, which is in byte `at`, after that many
 * zeros. */
static void found(struct etm_realigner *r, uint64_t at, uint64_t one,
                  unsigned zeros)
{
    limit_hold(r, at);
    if (r->doubt && (one + 1 - r->next) % 8 == 0) {
        r->doubt = false;
        limit_hold(r, at);
    }
    if (r->doubt && (one + 1 - r->begin) % 8 == 0)
        slip(r);
    else if (r->doubt)
        decide(r);
    if ((one + 1 - r->next) % 8 != 0) {
        limit_hold(r, at);
        r->doubt = true;
        r->at = at;
        r->begin = one + 1 - A_SYNC_BITS;
        r->many = zeros >= MANY_ZEROS;
        if (!r->proven)
            slip(r);
    } else {
        release(r, one + 1);
    }
    r->proven = true;
}

static unsigned more_zeros(unsigned zeros, unsigned n)
{
    return zeros + n < MANY_ZEROS ? zeros + n : MANY_ZEROS;
}

/* Of five zero bytes two are in one of these lanes, wherever they begin. */
#define LANES_LOW UINT64_C(0x0001000100010001)
#define LANES_HIGH UINT64_C(0x8000800080008000)

/* Skip bytes: no five zero bytes begin at or after `i` and before the returned
 * index. Single zero bytes, which are frequent in data trace, are skipped. */
static size_t pass_over(const uint8_t *bytes, size_t i, size_t n)
{
    size_t from = i;
    uint64_t lanes;

    for (; n - i >= sizeof lanes; i += sizeof lanes) {
        memcpy(&lanes, bytes + i, sizeof lanes);
        if (((lanes - LANES_LOW) & ~lanes & LANES_HIGH) != 0)
            break;
    }
    return i > from && bytes[i - 1] == 0 ? i - 1 : i;
}

/* Look for A-syncs in `n` bytes at `seen`, which are in `held` already. */
static void look(struct etm_realigner *r, const uint8_t *bytes, size_t n)
{
    unsigned zeros = r->zeros;

    for (size_t i = 0; i < n && r->status == ETM_OK; i++) {
        unsigned low;

        if (zeros < 8) {
            /* No A-sync before the next zero byte. */
            size_t k = pass_over(bytes, i, n);
            const uint8_t *zero = memchr(bytes + k, 0, n - k);

            k = zero != NULL ? (size_t)(zero - bytes) : n;
            if (k > i)
                zeros = high_zeros(bytes[k - 1]);
            i = k;
            if (i == n)
                break;
        }
        if (bytes[i] == 0) {
            zeros = more_zeros(zeros, 8);
            continue;
        }
        low = low_zeros(bytes[i]);
        zeros = more_zeros(zeros, low);
        if (zeros >= A_SYNC_ZEROS)
            found(r, r->seen + i, 8 * (r->seen + i) + low, zeros);
        zeros = high_zeros(bytes[i]);
    }
    r->zeros = zeros;
    r->seen += n;
}

/* Forget what was held and is output, if this is worth moving the rest. */
static void forget_held(struct etm_realigner *r)
{
    size_t done = (size_t)(r->next / 8 - r->base);

    if (done < r->held.n - done)
        return;
    etm_vec_drop(&r->held, done);
    r->base += done;
}

static void begin_call(struct etm_realigner *r)
{
    if (r->taken)
        r->stream.n = r->runs.n = 0;
    r->taken = false;
}

int etm_realigner_push(struct etm_realigner *r, const uint8_t *bytes, size_t n)
{
    if (r == NULL || r->finished || (bytes == NULL && n != 0))
        return ETM_ERR_ARGUMENT;
    begin_call(r);
    if (n == 0 || r->status != ETM_OK)
        return r->status;
    if (etm_vec_append(&r->held, bytes, n) != ETM_OK) {
        r->status = ETM_ERR_MEMORY;
        return r->status;
    }
    look(r, bytes, n);
    limit_hold(r, r->seen);
    forget_held(r);
    return r->status;
}

int etm_realigner_finish(struct etm_realigner *r)
{
    if (r == NULL || r->finished)
        return ETM_ERR_ARGUMENT;
    begin_call(r);
    r->finished = true;
    if (r->doubt)
        decide(r);
    release(r, 8 * r->seen);
    return r->status;
}

void etm_realigner_take(struct etm_realigner *r, struct etm_realigned *made)
{
    begin_call(r);
    r->taken = true;
    *made = (struct etm_realigned){
        .bytes = r->stream.data,
        .n_bytes = r->stream.n,
        .runs = r->runs.data,
        .n_runs = r->runs.n,
    };
}

int etm_realigner_new(struct etm_realigner **realigner,
                      const struct etm_realigner_config *config)
{
    struct etm_realigner_config own;
    struct etm_allocator allocator;
    int status;

    if (realigner == NULL)
        return ETM_ERR_ARGUMENT;
    *realigner = NULL;
    status = ETM_TAKE(etm_realigner_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->hold != 0 && config->hold < ETM_REALIGN_HOLD_MIN)
        return ETM_ERR_ARGUMENT;
    allocator = etm_allocator_or_default(config->allocator);
    *realigner = etm_alloc_zero(&allocator, sizeof **realigner);
    if (*realigner == NULL)
        return ETM_ERR_MEMORY;
    etm_realigner_init(*realigner, config->hold, &allocator);
    return ETM_OK;
}

void etm_realigner_free(struct etm_realigner *r)
{
    struct etm_allocator allocator;

    if (r == NULL)
        return;
    allocator = r->allocator;
    etm_realigner_fini(r);
    etm_alloc_free(&allocator, r);
}
