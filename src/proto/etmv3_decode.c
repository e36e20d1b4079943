/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3: bytes -> packets.
 *
 * A packet that violates the format ends, as `bad`, before the offending byte,
 * which may be the first zero of an A-sync.
 */
#include "proto/etmv3.h"

#include "proto/i_sync.h"

#include <string.h>

/* Minimum number of zeros of an A-sync (7.7.2), and the byte that ends them. */
#define A_SYNC_ZEROS 5u
#define A_SYNC_END 0x80u

/* Most bytes of a cycle count (7.3.4). */
#define CYCLE_BYTES 5u

_Static_assert(sizeof((struct etm_etmv3_decoder *)0)->carry >
                   ETM_ETMV3_PACKET_MAX,
               "a packet carried over must become whole, or bad, in one step");

/* Input bytes for which room is reserved at a time: each may be a packet. */
#define SLICE 4096u

enum outcome {
    WHOLE,   /* a packet */
    PARTIAL, /* the bytes do not suffice */
    BROKEN   /* `bad` or `reserved`: the packet limits are lost */
};

/* One packet, other than A-sync, from at least one byte. */
static inline enum outcome packet(const struct etm_etmv3_decoder *d,
                                  const uint8_t *bytes, size_t n,
                                  uint64_t offset, struct etm_packet *p)
{
    uint8_t window[ETM_ETMV3_PACKET_MAX];
    const struct etm_etmv3_header *header = &d->headers[*bytes];
    const uint8_t *start = bytes, *next;
    bool valid;

    *p = (struct etm_packet){.offset = offset,
                             .value = header->atoms,
                             .size = 1,
                             .kind = header->kind,
                             .header = *bytes,
                             .count = header->count};
    if (header->kind == ETM_PACKET_P_HEADER)
        return WHOLE;
    if (header->kind == ETM_PACKET_RESERVED)
        return BROKEN;
    if (n < sizeof window) { /* zeros follow, which end every field */
        memset(window, 0, sizeof window);
        memcpy(window, bytes, n);
        start = window;
    }
    next = start + 1;
    valid = etm_etmv3_payload(d, &next, p);
    p->size = (uint32_t)(next - start);
    if (p->size + !valid > n) /* what is missing matters */
        return PARTIAL;
    if (valid)
        return WHOLE;
    *p = (struct etm_packet){.offset = offset,
                             .size = p->size,
                             .kind = ETM_PACKET_BAD,
                             .header = *bytes};
    return BROKEN;
}

static void look_for_a_sync(struct etm_etmv3_decoder *d)
{
    d->state = ETM_ETMV3_UNSYNCHRONIZED;
    d->pending = 0;
}

/* Output a packet of pending bytes that has only a size. */
static struct etm_packet *give(struct etm_etmv3_decoder *d,
                               struct etm_packet *o, enum etm_packet_kind kind,
                               uint32_t size)
{
    *o = (struct etm_packet){
        .offset = d->offset, .size = size, .kind = (uint8_t)kind};
    d->offset += size;
    d->pending -= size;
    return o + 1;
}

static struct etm_packet *give_unsynchronized(struct etm_etmv3_decoder *d,
                                              struct etm_packet *o,
                                              uint32_t size)
{
    while (size > ETM_PACKET_BYTES_MAX) {
        o = give(d, o, ETM_PACKET_UNSYNCHRONIZED, ETM_PACKET_BYTES_MAX);
        size -= ETM_PACKET_BYTES_MAX;
    }
    if (size != 0)
        o = give(d, o, ETM_PACKET_UNSYNCHRONIZED, size);
    return o;
}

/* Up to five zeros that are before `at`, in the input or before it. */
static uint32_t zeros_before(const struct etm_etmv3_decoder *d,
                             const uint8_t *first, const uint8_t *at)
{
    uint32_t n = 0;

    while (n < A_SYNC_ZEROS && at != first && at[-1] == 0) {
        at--;
        n++;
    }
    if (at == first)
        n += d->zeros;
    return n < A_SYNC_ZEROS ? n : A_SYNC_ZEROS;
}

void etm_etmv3_decoder_pass(struct etm_etmv3_decoder *d, const uint8_t *bytes,
                            size_t n)
{
    d->zeros = zeros_before(d, bytes, bytes + n);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * Up to the byte after the next A-sync (7.7.2). Its first zeros may be in the
 * packet whose damage ended synchronization (doc/errata.md, E-441).
 */
static const uint8_t *find_a_sync(struct etm_etmv3_decoder *d,
                                  const uint8_t *first, const uint8_t *end,
                                  struct etm_packet **o)
{
    const uint8_t *at = first;
    uint32_t held;

    while ((at = memchr(at, A_SYNC_END, (size_t)(end - at))) != NULL) {
        if (zeros_before(d, first, at) == A_SYNC_ZEROS) {
            uint32_t own;

            d->pending += (uint32_t)(at - first);
            own = least(d->pending++, A_SYNC_ZEROS) + 1;
            *o = give_unsynchronized(d, *o, d->pending - own);
            *o = give(d, *o, ETM_PACKET_A_SYNC, own);
            (*o)[-1].header = own == 1 ? A_SYNC_END : 0;
            d->state = ETM_ETMV3_PACKETS;
            return at + 1;
        }
        at++;
    }
    d->pending += (uint32_t)(end - first);
    held = least(zeros_before(d, first, end), d->pending);
    while (d->pending - held > ETM_PACKET_BYTES_MAX)
        *o = give(d, *o, ETM_PACKET_UNSYNCHRONIZED, ETM_PACKET_BYTES_MAX);
    return end;
}

/* Do these bytes begin an I-sync like the last one (7.7.3)? */
static enum etm_i_sync_match match(const struct etm_etmv3_decoder *d,
                                   const uint8_t *bytes, size_t n)
{
    size_t at = 1;

    if (*bytes == ETM_I_SYNC_CYCLES_HEADER && d->config.cycle_accurate) {
        while (at < n && at < CYCLE_BYTES && (bytes[at] & 0x80) != 0)
            at++;
        at++;
    } else if (*bytes != ETM_I_SYNC_HEADER) {
        return ETM_I_SYNC_OTHER;
    }
    at += d->config.context_id_bytes;
    if (at >= n)
        return ETM_I_SYNC_BEGINS;
    /* a data instruction in progress is only where tracing starts */
    if (!etm_i_sync_match_info(&d->like, bytes[at]) ||
        (bytes[at] & 0xe0) == 0x80)
        return ETM_I_SYNC_OTHER;
    return etm_i_sync_match_address(&d->like, bytes + at + 1, n - at - 1);
}

/* The place of such an I-sync, or the end. */
static const uint8_t *find_i_sync(const struct etm_etmv3_decoder *d,
                                  const uint8_t *next, const uint8_t *end)
{
    while (next != end &&
           match(d, next, (size_t)(end - next)) == ETM_I_SYNC_OTHER)
        next++;
    return next;
}

/* An I-sync was found: the bytes before it are in no packet. */
static void synchronize(struct etm_etmv3_decoder *d, struct etm_packet **o)
{
    *o = give_unsynchronized(d, *o, d->pending);
    d->state = ETM_ETMV3_PACKETS;
    d->zeros = 0;
}

/* One byte more of what may be an I-sync. If it is none, its first bytes are
 * given up until the others may be one. */
static void gather_i_sync(struct etm_etmv3_decoder *d, uint8_t byte,
                          struct etm_packet **o)
{
    enum etm_i_sync_match matches = ETM_I_SYNC_OTHER;

    d->carry[d->carried++] = byte;
    while (d->carried != 0 &&
           (matches = match(d, d->carry, d->carried)) == ETM_I_SYNC_OTHER) {
        (void)find_a_sync(d, d->carry, d->carry + 1, o);
        etm_etmv3_decoder_pass(d, d->carry, 1);
        d->carried--;
        memmove(d->carry, d->carry + 1, d->carried);
    }
    if (matches != ETM_I_SYNC_MATCHES)
        return;
    synchronize(d, o);
    if (packet(d, d->carry, d->carried, d->offset, *o) == WHOLE) {
        etm_i_sync_remember(&d->like, *o);
        etm_etmv3_decoder_pass(d, d->carry, d->carried);
        d->offset += d->carried;
        d->carried = 0;
        (*o)++;
    }
}

/* Unsynchronized: up to an A-sync, or an I-sync like the last one
 * (doc/errata.md, E-660). */
static const uint8_t *search(struct etm_etmv3_decoder *d, const uint8_t *first,
                             const uint8_t *end, struct etm_packet **o)
{
    const uint8_t *at = end, *next;

    if (d->carried != 0) {
        gather_i_sync(d, *first, o);
        return first + 1;
    }
    if (d->like.word != 0)
        at = find_i_sync(d, first, end);
    if (at != first) {
        next = find_a_sync(d, first, at, o);
        etm_etmv3_decoder_pass(d, first, (size_t)(next - first));
        if (d->state != ETM_ETMV3_UNSYNCHRONIZED || at == end)
            return next;
    }
    if (match(d, at, (size_t)(end - at)) == ETM_I_SYNC_MATCHES) {
        synchronize(d, o);
        return at;
    }
    d->carried = (uint8_t)(end - at);
    memcpy(d->carry, at, d->carried);
    return end;
}

/* Synchronized, and a header of 00: an A-sync, or an error. */
static const uint8_t *zeros(struct etm_etmv3_decoder *d, const uint8_t *next,
                            const uint8_t *end, struct etm_packet **o)
{
    while (next != end && *next == 0 && d->pending < ETM_PACKET_BYTES_MAX) {
        next++;
        d->pending++;
    }
    if (d->pending < ETM_PACKET_BYTES_MAX) {
        if (next == end)
            return end;
        if (*next == A_SYNC_END && d->pending >= A_SYNC_ZEROS) {
            d->pending++;
            *o = give(d, *o, ETM_PACKET_A_SYNC, d->pending);
            d->state = ETM_ETMV3_PACKETS;
            return next + 1;
        }
    }
    *o = give(d, *o, ETM_PACKET_BAD, d->pending);
    look_for_a_sync(d);
    return next;
}

/* A byte that is no header is the end of an A-sync, of which the packets before
 * took all zeros: E-441. Where 80 is a header (E-04), decoding goes on with it:
 * only where it would have to wait for an A-sync is this one looked for. */
static bool ends_a_sync(const struct etm_etmv3_decoder *d, const uint8_t *first,
                        const uint8_t *at)
{
    return *at == A_SYNC_END && d->headers[*at].kind == ETM_PACKET_RESERVED &&
           zeros_before(d, first, at) == A_SYNC_ZEROS;
}

/* Synchronized: packets up to the end, an error or a header of 00. */
static const uint8_t *packets(struct etm_etmv3_decoder *d, const uint8_t *first,
                              const uint8_t *end, struct etm_packet **out)
{
    const uint8_t *next = first;
    struct etm_packet *o = *out;
    uint64_t base = d->offset;

    while (next != end) {
        uint64_t offset = base + (uint64_t)(next - first);
        enum outcome outcome;

        if (*next == 0) {
            d->state = ETM_ETMV3_ZEROS;
            d->pending = 0;
            break;
        }
        outcome = packet(d, next, (size_t)(end - next), offset, o);
        if (outcome == PARTIAL) {
            d->carried = (uint8_t)(end - next);
            memcpy(d->carry, next, d->carried);
            d->offset = offset;
            *out = o;
            return end;
        }
        if (outcome == BROKEN && ends_a_sync(d, first, next)) {
            o->kind = ETM_PACKET_A_SYNC;
            outcome = WHOLE;
        }
        if (etm_is_i_sync(o) && outcome == WHOLE)
            etm_i_sync_remember(&d->like, o);
        next += o->size;
        o++;
        if (outcome == BROKEN) {
            look_for_a_sync(d);
            break;
        }
    }
    d->offset = base + (uint64_t)(next - first);
    *out = o;
    return next;
}

/*
 * Continue the packet that an earlier input began. All bytes carried over
 * belong to it, even if it turns out bad: it was not yet.
 */
static const uint8_t *carry_on(struct etm_etmv3_decoder *d, const uint8_t *next,
                               const uint8_t *end, struct etm_packet **o)
{
    size_t room = sizeof d->carry - d->carried;
    size_t n = (size_t)(end - next) < room ? (size_t)(end - next) : room;
    enum outcome outcome;

    memcpy(d->carry + d->carried, next, n);
    outcome = packet(d, d->carry, d->carried + n, d->offset, *o);
    if (outcome == PARTIAL) { /* n was all: see the assertion above */
        d->carried = (uint8_t)(d->carried + n);
        return end;
    }
    next += (*o)->size - d->carried;
    d->offset += (*o)->size;
    d->carried = 0;
    if (etm_is_i_sync(*o) && outcome == WHOLE)
        etm_i_sync_remember(&d->like, *o);
    (*o)++;
    if (outcome == BROKEN)
        look_for_a_sync(d);
    return next;
}

/*
 * The beginning of the stream: packets, if the first one is an I-sync that says
 * so (doc/errata.md, E-610). Its bytes are kept until it is whole. If it turns
 * out not to be one, those that were kept are passed over: no A-sync ends in
 * them.
 */
static const uint8_t *start(struct etm_etmv3_decoder *d, const uint8_t *next,
                            const uint8_t *end, struct etm_packet **o)
{
    size_t room = sizeof d->carry - d->carried;
    size_t n = (size_t)(end - next) < room ? (size_t)(end - next) : room;
    enum outcome outcome;

    memcpy(d->carry + d->carried, next, n);
    outcome = packet(d, d->carry, d->carried + n, d->offset, *o);
    if (outcome == PARTIAL && etm_is_i_sync(*o)) {
        d->carried = (uint8_t)(d->carried + n);
        return end;
    }
    if (outcome != WHOLE || !etm_i_sync_begins(&d->config, *o)) {
        look_for_a_sync(d);
        d->pending = d->carried;
        d->carried = 0;
        return next;
    }
    next += (*o)->size - d->carried;
    d->offset += (*o)->size;
    d->carried = 0;
    d->state = ETM_ETMV3_PACKETS;
    etm_i_sync_remember(&d->like, *o);
    (*o)++;
    return next;
}

static void slice(struct etm_etmv3_decoder *d, const uint8_t *next, size_t n,
                  struct etm_vec *out)
{
    const uint8_t *first = next, *end = next + n;
    struct etm_packet *o = (struct etm_packet *)out->data + out->n;

    while (next != end) {
        first = next;
        switch (d->state) {
        case ETM_ETMV3_START:
            next = start(d, next, end, &o);
            break;
        case ETM_ETMV3_UNSYNCHRONIZED:
            next = search(d, next, end, &o);
            continue;
        case ETM_ETMV3_PACKETS:
            next = d->carried != 0 ? carry_on(d, next, end, &o)
                                   : packets(d, next, end, &o);
            break;
        case ETM_ETMV3_ZEROS:
            next = zeros(d, next, end, &o);
            break;
        }
        etm_etmv3_decoder_pass(d, first, (size_t)(next - first));
    }
    out->n = (size_t)(o - (struct etm_packet *)out->data);
}

void etm_etmv3_decoder_init(struct etm_etmv3_decoder *decoder,
                            const struct etm_config *config)
{
    *decoder = (struct etm_etmv3_decoder){
        .config = *config,
        .state = ETM_ETMV3_START,
        .state_fields = etm_etmv3_state_fields(config),
        .alternative = etm_etmv3_alternative(config),
        .data_only = etm_etmv3_data_only(config),
    };
    etm_etmv3_headers(config, decoder->headers);
}

void etm_etmv3_decoder_enter(struct etm_etmv3_decoder *decoder, uint64_t offset)
{
    decoder->offset = offset;
    look_for_a_sync(decoder);
}

int etm_etmv3_decoder_push(struct etm_etmv3_decoder *decoder,
                           const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    while (n != 0) {
        size_t some = n < SLICE ? n : SLICE;
        /* every packet has a byte; what is pending may give two more */
        int status = etm_vec_reserve(out, some + 4);

        if (status != ETM_OK)
            return status;
        slice(decoder, bytes, some, out);
        bytes += some;
        n -= some;
    }
    return ETM_OK;
}

/* Decode a packet near the end of the input. */
static const uint8_t *at_edge(struct etm_etmv3_decoder *d, const uint8_t *bytes,
                              const uint8_t *end, struct etm_packet **o)
{
    if (d->carried != 0)
        return carry_on(d, bytes, end, o);
    if (d->state == ETM_ETMV3_PACKETS && *bytes == 0) {
        d->state = ETM_ETMV3_ZEROS;
        d->pending = 0;
    }
    return d->state == ETM_ETMV3_ZEROS ? zeros(d, bytes, end, o) : bytes;
}

/* An A-sync, if its end is among the bytes: its size, or 0. */
static unsigned a_sync(const struct etm_etmv3_decoder *d, const uint8_t *bytes,
                       size_t n, struct etm_packet *p)
{
    size_t most = n < ETM_PACKET_BYTES_MAX ? n : ETM_PACKET_BYTES_MAX;
    unsigned at = 0;

    while (at < most && bytes[at] == 0)
        at++;
    if (at == most || at < A_SYNC_ZEROS || bytes[at] != A_SYNC_END)
        return 0;
    *p = (struct etm_packet){
        .offset = d->offset, .size = at + 1, .kind = ETM_PACKET_A_SYNC};
    return at + 1;
}

size_t etm_etmv3_decoder_next(struct etm_etmv3_decoder *d, const uint8_t *bytes,
                              size_t n, struct etm_packet *p)
{
    if (d->state != ETM_ETMV3_PACKETS || d->carried != 0 || n == 0)
        return 0;
    if (*bytes == 0) {
        if (a_sync(d, bytes, n, p) == 0)
            return 0;
    } else if (packet(d, bytes, n, d->offset, p) != WHOLE) {
        return 0;
    }
    if (etm_is_i_sync(p))
        etm_i_sync_remember(&d->like, p);
    d->offset += p->size;
    return p->size;
}

/* A P-header with an E or N atom. */
static bool executes(const struct etm_packet *p)
{
    uint64_t waits = UINT64_C(0xaaaaaaaaaaaaaaaa) & /* ETM_ATOM_W, each */
                     ((UINT64_C(1) << 2 * p->count) - 1);

    return p->kind == ETM_PACKET_P_HEADER && p->value != waits;
}

size_t etm_etmv3_decoder_one(struct etm_etmv3_decoder *d, const uint8_t *bytes,
                             size_t n, struct etm_vec *out)
{
    struct etm_packet *o = (struct etm_packet *)out->data + out->n;
    struct etm_packet *full = (struct etm_packet *)out->data + out->capacity;
    const uint8_t *at = bytes, *end = bytes + n;

    while (o != full && (size_t)(end - at) >= ETM_ETMV3_PACKET_MAX) {
        if (d->state == ETM_ETMV3_UNSYNCHRONIZED || d->state == ETM_ETMV3_START)
            break;
        if (d->state == ETM_ETMV3_ZEROS || d->carried != 0 || *at == 0) {
            at = at_edge(d, at, end, &o);
            continue;
        }
        if (etm_etmv3_decoder_next(d, at, ETM_ETMV3_PACKET_MAX, o) == 0)
            break;
        at += o->size;
        if (executes(o++))
            break;
    }
    out->n = (size_t)(o - (struct etm_packet *)out->data);
    etm_etmv3_decoder_pass(d, bytes, (size_t)(at - bytes));
    return (size_t)(at - bytes);
}

/* Give what is incomplete. */
static int flush(struct etm_etmv3_decoder *d, struct etm_vec *out,
                 enum etm_packet_field why)
{
    struct etm_packet *o;
    int status = etm_vec_reserve(out, 4);

    if (status != ETM_OK)
        return status;
    o = (struct etm_packet *)out->data + out->n;
    if (d->state == ETM_ETMV3_START)
        look_for_a_sync(d);
    if (d->state == ETM_ETMV3_UNSYNCHRONIZED) {
        d->pending += d->carried;
        o = give_unsynchronized(d, o, d->pending);
    } else if (d->state == ETM_ETMV3_ZEROS || d->carried != 0) {
        d->pending = d->carried != 0 ? d->carried : d->pending;
        o = give(d, o, ETM_PACKET_BAD, d->pending);
        o[-1].header = d->carried != 0 ? d->carry[0] : 0;
        o[-1].fields = (uint16_t)why;
    }
    d->carried = 0;
    look_for_a_sync(d);
    d->zeros = 0;
    out->n = (size_t)(o - (struct etm_packet *)out->data);
    return ETM_OK;
}

int etm_etmv3_decoder_gap(struct etm_etmv3_decoder *decoder,
                          struct etm_vec *out)
{
    return flush(decoder, out, (enum etm_packet_field)0);
}

int etm_etmv3_decoder_finish(struct etm_etmv3_decoder *decoder,
                             struct etm_vec *out)
{
    return flush(decoder, out, ETM_FIELD_TRUNCATED);
}
