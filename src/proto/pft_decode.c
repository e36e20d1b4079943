/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFT: bytes to packets.
 *
 * One parser (pft_payload.h) serves all: it may read ETM_PFT_WINDOW bytes,
 * without checking for the end, because no packet is longer. In the middle of a
 * buffer it reads the buffer itself. Near its ends it reads a window with the
 * available bytes, filled up with zeros; a packet that turns out longer than
 * these bytes is not complete, whatever the zeros were decoded as.
 */
#include "proto/i_sync.h"
#include "proto/pft_payload.h"

#include <string.h>

/* Bytes processed between two reservations of room for packets. */
#define CHUNK 4096u

/* Additional packets of a chunk, beyond one for each byte: unsynchronized bytes
 * and zeros that were held back before it, and what was kept of an incomplete
 * packet. */
#define CHUNK_EXTRA (4u + ETM_PFT_WINDOW)

void etm_pft_decoder_init(struct etm_pft_decoder *d,
                          const struct etm_config *config)
{
    *d = (struct etm_pft_decoder){.format = etm_pft_format_of(config),
                                  .state = ETM_PFT_START};
    etm_pft_table_init(&d->table, &d->format);
}

/* The next packet's place; room was reserved. */
static struct etm_packet *packet_next(struct etm_vec *out)
{
    return (struct etm_packet *)out->data + out->n;
}

/* Output a packet of `size` bytes without other fields. */
static void emit(struct etm_pft_decoder *d, struct etm_vec *out,
                 enum etm_packet_kind kind, uint8_t header, uint32_t size,
                 unsigned fields)
{
    *packet_next(out) = (struct etm_packet){.offset = d->offset,
                                            .size = size,
                                            .fields = (uint16_t)fields,
                                            .kind = (uint8_t)kind,
                                            .header = header};
    out->n++;
    d->offset += size;
}

static void lose_synchronization(struct etm_pft_decoder *d)
{
    d->state = ETM_PFT_UNSYNCHRONIZED;
    d->skipped = 0;
    d->zeros = 0;
}

static void emit_skipped(struct etm_pft_decoder *d, struct etm_vec *out)
{
    if (d->skipped != 0)
        emit(d, out, ETM_PACKET_UNSYNCHRONIZED, d->first, d->skipped, 0);
    d->skipped = 0;
}

/*
 * `n` unsynchronized bytes are known not to belong to an A-sync; p is NULL if
 * they are zeros held back from an earlier call. They are divided into packets
 * counted from where synchronization was lost, so that the packets do not
 * depend on how the stream is divided into calls.
 */
static void skip(struct etm_pft_decoder *d, struct etm_vec *out,
                 const uint8_t *p, size_t n)
{
    if (n != 0)
        d->tail = 0;
    while (n != 0) {
        size_t room = ETM_PACKET_BYTES_MAX - d->skipped;
        size_t take = n < room ? n : room;

        if (d->skipped == 0)
            d->first = p != NULL ? *p : 0;
        d->skipped += (uint32_t)take;
        if (d->skipped == ETM_PACKET_BYTES_MAX)
            emit_skipped(d, out);
        if (p != NULL)
            p += take;
        n -= take;
    }
}

/* Number of zeros just before `q`, but not before `p`; at most five. */
static uint32_t zeros_before(const uint8_t *p, const uint8_t *q)
{
    uint32_t n = 0;

    while (n < ETM_PFT_A_SYNC_ZEROS && q != p && q[-1] == 0) {
        q--;
        n++;
    }
    return n;
}

void etm_pft_decoder_pass(struct etm_pft_decoder *d, const uint8_t *bytes,
                          size_t n)
{
    uint32_t zeros = zeros_before(bytes, bytes + n);

    if (zeros == n)
        zeros += d->tail;
    d->tail =
        (uint8_t)(zeros < ETM_PFT_A_SYNC_ZEROS ? zeros : ETM_PFT_A_SYNC_ZEROS);
}

/* The 0x80 of an A-sync was found, and `zeros` before it are in no packet: five
 * at least, or what the packet before has left. */
static void give_a_sync(struct etm_pft_decoder *d, struct etm_vec *out,
                        uint32_t zeros)
{
    uint32_t own = zeros;

    if (own > ETM_PFT_A_SYNC_ZEROS)
        own = ETM_PFT_A_SYNC_ZEROS;
    skip(d, out, NULL, zeros - own);
    emit_skipped(d, out);
    emit(d, out, ETM_PACKET_A_SYNC, own != 0 ? 0 : 0x80, own + 1, 0);
    d->state = ETM_PFT_SYNCHRONIZED;
    d->zeros = 0;
    d->tail = 0;
}

/*
 * Look for five zeros and 0x80 (4.5, A-sync). Zeros before
 * these five are skipped bytes: it is not known what they belong to. The first
 * of the five may be in the packet whose damage ended synchronization
 * (doc/errata.md, E-441).
 */
static const uint8_t *find_a_sync(struct etm_pft_decoder *d, const uint8_t *p,
                                  const uint8_t *end, struct etm_vec *out)
{
    const uint8_t *q = p;
    size_t n;
    uint32_t zeros;
    uint32_t held;

    while ((q = memchr(q, 0x80, (size_t)(end - q))) != NULL) {
        n = (size_t)(q - p);
        zeros = zeros_before(p, q);
        if (zeros == ETM_PFT_A_SYNC_ZEROS) {
            skip(d, out, NULL, d->zeros);
            skip(d, out, p, n - zeros);
        } else if (zeros == n &&
                   zeros + d->zeros + d->tail >= ETM_PFT_A_SYNC_ZEROS) {
            zeros += d->zeros;
        } else {
            q++;
            continue;
        }
        give_a_sync(d, out, zeros);
        return q + 1;
    }
    n = (size_t)(end - p);
    zeros = zeros_before(p, end);
    if (zeros != n) {
        skip(d, out, NULL, d->zeros);
        skip(d, out, p, n - zeros);
        d->zeros = zeros;
        return end;
    }
    held = zeros + d->zeros;
    if (held > ETM_PFT_A_SYNC_ZEROS)
        held = ETM_PFT_A_SYNC_ZEROS;
    skip(d, out, NULL, zeros + d->zeros - held);
    d->zeros = held;
    return end;
}

/* Synchronized, a zero came as a header: all zeros belong to the A-sync. */
static const uint8_t *gather_zeros(struct etm_pft_decoder *d, const uint8_t *p,
                                   const uint8_t *end, struct etm_vec *out)
{
    while (p != end && *p == 0 && d->zeros < ETM_PACKET_BYTES_MAX) {
        d->zeros++;
        p++;
    }
    if (p == end && d->zeros < ETM_PACKET_BYTES_MAX)
        return p;
    if (d->zeros >= ETM_PFT_A_SYNC_ZEROS && d->zeros < ETM_PACKET_BYTES_MAX &&
        *p == 0x80) {
        emit(d, out, ETM_PACKET_A_SYNC, 0, d->zeros + 1, 0);
        d->state = ETM_PFT_SYNCHRONIZED;
        d->zeros = 0;
        return p + 1;
    }
    emit(d, out, ETM_PACKET_BAD, 0, d->zeros, 0);
    lose_synchronization(d);
    return p;
}

/* Parse one packet into its place, where ETM_PFT_WINDOW bytes can be read.
 * Returns its size, as etm_pft_parse(). The packet is not counted yet. */
static inline unsigned parse_next(const struct etm_pft_decoder *d,
                                  const uint8_t *p, uint64_t offset,
                                  struct etm_packet *k,
                                  struct etm_i_sync_like *like)
{
    unsigned size;

    *k = (struct etm_packet){.offset = offset, .header = p[0]};
    size = etm_pft_parse(d, p, k, like);
    k->size = size;
    return size;
}

/* The packet whose first bytes are in d->carry, with zeros after them: it may
 * not be whole. */
static unsigned parse_carry(const struct etm_pft_decoder *d,
                            struct etm_packet *k)
{
    struct etm_i_sync_like like;

    return parse_next(d, d->carry, d->offset, k, &like);
}

static inline bool ends_synchronization(const struct etm_packet *k)
{
    return k->kind == ETM_PACKET_BAD || k->kind == ETM_PACKET_RESERVED;
}

/* A bad packet has its bytes, and no fields. */
static void accept(struct etm_pft_decoder *d, struct etm_vec *out)
{
    struct etm_packet *k = packet_next(out);

    if (ends_synchronization(k)) {
        *k = (struct etm_packet){.offset = k->offset,
                                 .size = k->size,
                                 .kind = k->kind,
                                 .header = k->header};
        lose_synchronization(d);
    } else if (k->kind == ETM_PACKET_I_SYNC) {
        etm_i_sync_remember(&d->like, k);
    }
    d->offset += k->size;
    out->n++;
}

static const uint8_t *step(struct etm_pft_decoder *d, const uint8_t *p,
                           const uint8_t *end, struct etm_vec *out);

/* A bad packet of `size` bytes was shorter than the `had` bytes that were kept
 * for it: the others are taken from there, not from before `p`, which is where
 * a caller's buffer may begin. Returns `p`. */
static const uint8_t *take_again(struct etm_pft_decoder *d, size_t size,
                                 size_t had, const uint8_t *p,
                                 struct etm_vec *out)
{
    uint8_t kept[ETM_PFT_WINDOW];
    const uint8_t *q = kept, *end = kept + (had - size);

    memcpy(kept, d->carry + size, had - size);
    etm_pft_decoder_pass(d, d->carry, size);
    while (q != end)
        q = step(d, q, end, out);
    return p;
}

/*
 * One packet of which only `n` bytes, fewer than ETM_PFT_WINDOW, are at `p`,
 * and `d->n_carry` came before them. If it is not complete, they are kept.
 */
static const uint8_t *near_end(struct etm_pft_decoder *d, const uint8_t *p,
                               const uint8_t *end, struct etm_vec *out)
{
    size_t had = d->n_carry;
    size_t n = (size_t)(end - p);
    unsigned size, needed;

    if (n > ETM_PFT_WINDOW - had)
        n = ETM_PFT_WINDOW - had;
    memcpy(d->carry + had, p, n);
    memset(d->carry + had + n, 0, ETM_PFT_WINDOW - had - n);
    size = parse_carry(d, packet_next(out));
    /* of a bad one, what broke it must be there too: the next byte, or all
     * bytes of an I-sync */
    needed = size;
    if (packet_next(out)->kind == ETM_PACKET_BAD)
        needed = d->table.kind[d->carry[0]] == ETM_PFT_HEADER_I_SYNC
                     ? 6u + d->format.context_id_bytes
                     : size + 1;
    if (needed > had + n) {
        d->n_carry = (uint32_t)(had + n);
        return end;
    }
    d->n_carry = 0;
    if (size == 0) {
        d->state = ETM_PFT_ZEROS;
        return p;
    }
    accept(d, out);
    if (size < had)
        return take_again(d, size, had, p, out);
    return p + (size - had);
}

/* Do these bytes begin an I-sync like the last one (4.5, I-sync)? */
static enum etm_i_sync_match match(const struct etm_pft_decoder *d,
                                   const uint8_t *p, size_t n)
{
    enum etm_i_sync_match matches;

    if (*p != ETM_I_SYNC_HEADER)
        return ETM_I_SYNC_OTHER;
    matches = etm_i_sync_match_address(&d->like, p + 1, n - 1);
    if (matches != ETM_I_SYNC_MATCHES)
        return matches;
    if (n < 6)
        return ETM_I_SYNC_BEGINS;
    return etm_i_sync_match_info(&d->like, p[5]) ? ETM_I_SYNC_MATCHES
                                                 : ETM_I_SYNC_OTHER;
}

/* The place of such an I-sync, or the end. */
static const uint8_t *find_i_sync(const struct etm_pft_decoder *d,
                                  const uint8_t *p, const uint8_t *end)
{
    const uint8_t *q = p;

    while ((q = memchr(q, ETM_I_SYNC_HEADER, (size_t)(end - q))) != NULL) {
        if (match(d, q, (size_t)(end - q)) != ETM_I_SYNC_OTHER)
            return q;
        q++;
    }
    return end;
}

/* An I-sync was found: the bytes before it are in no packet. */
static void synchronize(struct etm_pft_decoder *d, struct etm_vec *out)
{
    skip(d, out, NULL, d->zeros);
    emit_skipped(d, out);
    d->state = ETM_PFT_SYNCHRONIZED;
    d->zeros = 0;
    d->tail = 0;
}

/*
 * One byte more of what may be an I-sync. If it is none, its first bytes are
 * given up until the others may be one. No A-sync ends in them, because these
 * are no zeros.
 */
static const uint8_t *gather_i_sync(struct etm_pft_decoder *d, const uint8_t *p,
                                    struct etm_vec *out)
{
    enum etm_i_sync_match matches;

    d->carry[d->n_carry++] = *p;
    while (d->n_carry != 0 &&
           (matches = match(d, d->carry, d->n_carry)) != ETM_I_SYNC_BEGINS) {
        if (matches == ETM_I_SYNC_MATCHES) { /* it may be whole with `p` */
            synchronize(d, out);
            d->n_carry--;
            return p;
        }
        (void)find_a_sync(d, d->carry, d->carry + 1, out);
        d->n_carry--;
        memmove(d->carry, d->carry + 1, d->n_carry);
    }
    return p + 1;
}

/*
 * Unsynchronized: look for an A-sync, or an I-sync like the last one
 * (doc/errata.md, E-660).
 */
static const uint8_t *search(struct etm_pft_decoder *d, const uint8_t *p,
                             const uint8_t *end, struct etm_vec *out)
{
    const uint8_t *at, *next;

    if (d->like.word == 0)
        return find_a_sync(d, p, end, out);
    if (d->n_carry != 0)
        return gather_i_sync(d, p, out);
    at = find_i_sync(d, p, end);
    if (at != p) {
        next = find_a_sync(d, p, at, out);
        if (d->state != ETM_PFT_UNSYNCHRONIZED || at == end)
            return next;
    }
    if (match(d, at, (size_t)(end - at)) == ETM_I_SYNC_MATCHES) {
        synchronize(d, out);
        return at;
    }
    d->n_carry = (uint32_t)(end - at);
    memcpy(d->carry, at, d->n_carry);
    return end;
}

/* Bytes of an I-sync up to its information byte. */
#define I_SYNC_INFO 6u

/*
 * The beginning of the stream: packets, if the first one is an I-sync that says
 * so (doc/errata.md, E-610). Its bytes are kept until it is whole. If it turns
 * out not to be one, up to five were kept, in which no A-sync ends.
 */
static const uint8_t *start(struct etm_pft_decoder *d, const uint8_t *p,
                            const uint8_t *end, struct etm_vec *out)
{
    static const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_packet *k = packet_next(out);
    size_t had = d->n_carry, all = had + (size_t)(end - p);
    bool begins;

    if (all > ETM_PFT_WINDOW)
        all = ETM_PFT_WINDOW;
    memcpy(d->carry + had, p, all - had);
    memset(d->carry + all, 0, ETM_PFT_WINDOW - all);
    begins = d->table.kind[d->carry[0]] == ETM_PFT_HEADER_I_SYNC;
    if (begins && all >= I_SYNC_INFO) {
        (void)parse_carry(d, k);
        begins = etm_i_sync_begins(&pft, k);
    }
    if (begins && (all < I_SYNC_INFO || all < k->size)) {
        d->n_carry = (uint32_t)all;
        return end;
    }
    d->n_carry = 0;
    if (begins) {
        d->state = ETM_PFT_SYNCHRONIZED;
        accept(d, out);
        return p + (k->size - had);
    }
    lose_synchronization(d);
    d->tail = 0;
    (void)find_a_sync(d, d->carry, d->carry + had, out);
    return p;
}

void etm_pft_decoder_enter(struct etm_pft_decoder *d, uint64_t offset)
{
    d->offset = offset;
    lose_synchronization(d);
}

unsigned etm_pft_decoder_next(struct etm_pft_decoder *d, const uint8_t *bytes,
                              struct etm_packet *packet)
{
    unsigned size = parse_next(d, bytes, d->offset, packet, &d->like);

    if (ends_synchronization(packet))
        return 0;
    d->offset += size;
    return size;
}

size_t etm_pft_decoder_one(struct etm_pft_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_packet *k = packet_next(out);
    size_t size;

    if (d->state == ETM_PFT_START || d->state == ETM_PFT_UNSYNCHRONIZED ||
        n < ETM_PFT_WINDOW || out->n == out->capacity ||
        (d->n_carry != 0 && out->capacity - out->n < CHUNK_EXTRA))
        return 0;
    if (d->n_carry != 0) {
        size = (size_t)(near_end(d, bytes, bytes + n, out) - bytes);
    } else if (d->state == ETM_PFT_ZEROS || *bytes == 0) {
        d->state = ETM_PFT_ZEROS;
        size = (size_t)(gather_zeros(d, bytes, bytes + n, out) - bytes);
    } else {
        size = etm_pft_decoder_next(d, bytes, k);
        out->n += size != 0;
    }
    etm_pft_decoder_pass(d, bytes, size);
    return size;
}

/* As far as the state goes. */
static const uint8_t *step(struct etm_pft_decoder *d, const uint8_t *p,
                           const uint8_t *end, struct etm_vec *out)
{
    const uint8_t *next = p;

    switch (d->state) {
    case ETM_PFT_START:
        next = start(d, p, end, out);
        break;
    case ETM_PFT_UNSYNCHRONIZED:
        return search(d, p, end, out);
    case ETM_PFT_ZEROS:
        next = gather_zeros(d, p, end, out);
        break;
    case ETM_PFT_SYNCHRONIZED:
        next = near_end(d, p, end, out);
        break;
    }
    etm_pft_decoder_pass(d, p, (size_t)(next - p));
    return next;
}

/* Packets in the middle of a buffer, where ETM_PFT_WINDOW bytes can be read. */
static const uint8_t *packets(struct etm_pft_decoder *d, const uint8_t *p,
                              const uint8_t *end, struct etm_vec *out)
{
    struct etm_packet *k = packet_next(out);
    const uint8_t *start = p;
    uint64_t offset = d->offset;
    unsigned size = 1;

    while ((size_t)(end - p) >= ETM_PFT_WINDOW) {
        size = parse_next(d, p, offset + (uint64_t)(p - start), k, &d->like);
        if (size == 0 || ends_synchronization(k))
            break;
        p += size;
        k++;
    }
    out->n = (size_t)(k - (struct etm_packet *)out->data);
    d->offset += (uint64_t)(p - start);
    if (size == 0) {
        d->state = ETM_PFT_ZEROS;
    } else if ((size_t)(end - p) >= ETM_PFT_WINDOW) { /* bad or reserved */
        accept(d, out);
        p += size;
    }
    etm_pft_decoder_pass(d, start, (size_t)(p - start));
    return p;
}

int etm_pft_decoder_push(struct etm_pft_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out)
{
    while (n != 0) {
        size_t chunk = n < CHUNK ? n : CHUNK;
        const uint8_t *end = bytes + chunk;

        if (etm_vec_reserve(out, chunk + CHUNK_EXTRA) != ETM_OK)
            return ETM_ERR_MEMORY;
        while (bytes != end)
            bytes = d->state == ETM_PFT_SYNCHRONIZED && d->n_carry == 0 &&
                            (size_t)(end - bytes) >= ETM_PFT_WINDOW
                        ? packets(d, bytes, end, out)
                        : step(d, bytes, end, out);
        n -= chunk;
    }
    return ETM_OK;
}

/* Output what was held back. */
static int flush(struct etm_pft_decoder *d, struct etm_vec *out,
                 unsigned fields)
{
    if (etm_vec_reserve(out, CHUNK_EXTRA) != ETM_OK)
        return ETM_ERR_MEMORY;
    switch (d->state) {
    case ETM_PFT_START:
        skip(d, out, d->carry, d->n_carry);
        emit_skipped(d, out);
        d->n_carry = 0;
        break;
    case ETM_PFT_UNSYNCHRONIZED:
        skip(d, out, NULL, d->zeros);
        skip(d, out, d->carry, d->n_carry);
        emit_skipped(d, out);
        d->n_carry = 0;
        break;
    case ETM_PFT_ZEROS:
        emit(d, out, ETM_PACKET_BAD, 0, d->zeros, fields);
        break;
    case ETM_PFT_SYNCHRONIZED:
        if (d->n_carry != 0)
            emit(d, out, ETM_PACKET_BAD, d->carry[0], d->n_carry, fields);
        d->n_carry = 0;
        break;
    }
    lose_synchronization(d);
    d->tail = 0;
    return ETM_OK;
}

int etm_pft_decoder_gap(struct etm_pft_decoder *d, struct etm_vec *out)
{
    return flush(d, out, 0);
}

int etm_pft_decoder_finish(struct etm_pft_decoder *d, struct etm_vec *out)
{
    return flush(d, out, ETM_FIELD_TRUNCATED);
}

void etm_pft_decoder_imprint(const struct etm_pft_decoder *d,
                             struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)d->state);
    etm_imprint_put(imprint, d->offset);
    etm_imprint_put(imprint, d->tail);
    if (d->state != ETM_PFT_SYNCHRONIZED)
        etm_imprint_put(imprint, d->zeros);
    if (d->state == ETM_PFT_UNSYNCHRONIZED) {
        etm_imprint_put(imprint, d->skipped);
        etm_imprint_put(imprint, d->skipped != 0 ? d->first : 0);
    }
    etm_imprint_bytes(imprint, d->carry, d->n_carry);
    etm_i_sync_imprint(&d->like, imprint);
}
