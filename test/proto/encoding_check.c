/* SPDX-License-Identifier: Apache-2.0 */
/* What a row of a table says, of the decoder and of the encoder. */
#include "encoding.h"
#include "session/protocols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packets {
    struct etm_packet packet[2 * PACKETS];
    size_t n;
};

#define ROOM (sizeof((struct packets *)0)->packet / sizeof(struct etm_packet))

/* The packets of `all`, which it frees. */
static void take(struct packets *out, struct etm_vec *all)
{
    out->n = all->n;
    for (size_t i = 0; i < all->n && i < ROOM; i++) {
        out->packet[i] = ((struct etm_packet *)all->data)[i];
        if (out->packet[i].kind == ETM_PACKET_UNSYNCHRONIZED)
            out->packet[i].header = 0; /* it has none */
    }
    etm_vec_fini(all);
}

/* Is a piece to end before byte `at`? */
static bool ends(const struct row *row, size_t step, size_t cut, size_t at)
{
    for (size_t i = 0; i < row->n_gaps; i++)
        if (row->gap[i] == at)
            return true;
    return at == cut || (step != 0 && at % step == 0);
}

/* The first `n` bytes, in pieces that end at `cut` and after each `step`; each
 * piece is a copy of its own size: nothing before and behind it is there. */
static bool decode(const struct row *row, size_t n, size_t step, size_t cut,
                   struct packets *out)
{
    const struct etm_protocol_row *protocol =
        etm_protocol_row(row->config->protocol);
    static union etm_proto_any decoder;
    struct etm_vec all;
    bool good = true;

    memset(&decoder, 0xa5, sizeof decoder);
    etm_vec_init(&all, sizeof(struct etm_packet), NULL);
    protocol->init(&decoder, row->config);
    for (size_t at = 0, end; good; at = end) {
        uint8_t *piece;

        for (size_t i = 0; i < row->n_gaps; i++)
            if (row->gap[i] == at)
                good &= protocol->gap(&decoder, &all) == ETM_OK;
        if (at == n)
            break;
        for (end = at + 1; end < n && !ends(row, step, cut, end); end++)
            ;
        piece = malloc(end - at);
        if (piece == NULL)
            abort();
        memcpy(piece, row->bytes + at, end - at);
        good &= protocol->push(&decoder, piece, end - at, &all) == ETM_OK;
        free(piece);
    }
    good &= protocol->finish(&decoder, &all) == ETM_OK;
    take(out, &all);
    return good && out->n <= ROOM;
}

/* The packets of the row, and no others, field by field. */
static bool same(const struct row *row, const struct packets *is,
                 const char *how, size_t where)
{
    char text[512], want[512];
    size_t i = 0;

    while (i < is->n && i < row->n_packets &&
           memcmp(&is->packet[i], &row->packet[i], sizeof *row->packet) == 0)
        i++;
    if (i == is->n && i == row->n_packets)
        return true;
    wrong("%s %zu: packet %zu of %zu is not as written", how, where,
          i - row->begin + 1, is->n - row->begin);
    for (; !cases.wrong && (i < is->n || i < row->n_packets); i++) {
        packet_print(&is->packet[i], text, sizeof text);
        packet_print(&row->packet[i], want, sizeof want);
        printf("#   is %s\n# want %s\n", i < is->n ? text : "none",
               i < row->n_packets ? want : "none");
    }
    return false;
}

/* Are the bytes those of its packets? */
static bool encodes(const struct row *row)
{
    uint8_t bytes[BYTES + ETM_PACKET_BYTES_MAX];
    size_t at = 0;

    for (size_t i = 0; i < row->n_packets && at <= row->n; i++) {
        int n = etm_packet_encode(row->config, &row->packet[i], bytes + at,
                                  ETM_PACKET_BYTES_MAX);

        if (n < 0)
            return false;
        at += (size_t)n;
    }
    return at == row->n && memcmp(bytes, row->bytes, at) == 0;
}

/* What the row says is encoded as its bytes, and does not fit into fewer; the
 * sizes of packets become known. */
static bool encode(struct row *row)
{
    uint8_t bytes[ETM_PACKET_BYTES_MAX];
    size_t at = 0;

    for (size_t i = 0; i < row->n_packets; i++) {
        struct etm_packet *p = &row->packet[i];
        int n = etm_packet_encode(row->config, p, bytes, sizeof bytes);

        if (n < 0)
            return wrong("packet %zu is refused", i - row->begin + 1);
        if (at + (size_t)n > row->n ||
            memcmp(bytes, row->bytes + at, (size_t)n))
            return wrong("packet %zu has other bytes", i - row->begin + 1);
        for (size_t room = 0; room <= (size_t)n; room++)
            if (etm_packet_encode(row->config, p, bytes, room) !=
                (room < (size_t)n ? ETM_ERR_ARGUMENT : n))
                return wrong("it has not just room in %d bytes", n);
        p->size = (uint32_t)n;
        at += (size_t)n;
    }
    return at == row->n || wrong("%zu bytes too many", row->n - at);
}

/* The bytes again, of the packets that were decoded of them. */
static bool again(struct row *row, const struct packets *is)
{
    uint8_t bytes[ETM_PACKET_BYTES_MAX];

    for (size_t i = 0; i < is->n; i++) {
        int n =
            etm_packet_encode(row->config, &is->packet[i], bytes, sizeof bytes);

        if (n < 0 || (size_t)n != is->packet[i].size ||
            memcmp(bytes, row->bytes + is->packet[i].offset, (size_t)n) != 0)
            return wrong("packet %zu as decoded has other bytes",
                         i - row->begin + 1);
    }
    return true;
}

/* Where packets are, and their headers: of the bytes. A packet that is decoded
 * only and does not say its size goes to the end. */
static bool place(struct row *row)
{
    size_t at = 0;

    for (size_t i = 0; i < row->n_packets; i++) {
        struct etm_packet *p = &row->packet[i];

        if (i + 1 == row->n_packets && p->size == 0)
            p->size = (uint32_t)(row->n - at);
        p->offset = at;
        p->header =
            p->kind != ETM_PACKET_UNSYNCHRONIZED ? row->bytes[at % BYTES] : 0;
        if (p->size == 0 || at + p->size > row->n)
            return wrong("packet %zu has no size, or too much",
                         i - row->begin + 1);
        at += p->size;
    }
    return at == row->n || wrong("%zu bytes too many", row->n - at);
}

/* What becomes of the packet `i` if it is cut off: it is `bad`, or nothing is
 * known of it, if the stream begins with it, or if it is an I-sync that would
 * be the first packet after damage (E-660), up to its first address. */
static bool is_cut_off(const struct row *row, size_t i,
                       const struct etm_packet *last)
{
    bool damaged = i == 0 ? row->first
                          : row->packet[i - 1].kind == ETM_PACKET_RESERVED &&
                                row->config->protocol != ETM_PROTOCOL_ITM;
    bool later = i != 0 && row->packet[i].kind == ETM_PACKET_LSIP_I_SYNC;

    if (damaged && last->kind == ETM_PACKET_UNSYNCHRONIZED && last->fields == 0)
        return true;
    return (!damaged || later) && last->kind == ETM_PACKET_BAD &&
           last->fields == ETM_FIELD_TRUNCATED;
}

/* The end of the stream is anywhere. */
static bool cut_off(const struct row *row, size_t n, struct packets *is)
{
    const struct etm_packet *last = is->packet;
    size_t i = 0;

    if (!decode(row, n, 0, 0, is) || is->n == 0)
        return wrong("%zu bytes are not decoded", n);
    while (i < row->n_packets &&
           row->packet[i].offset + row->packet[i].size <= n)
        i++;
    last += is->n - 1;
    if (i < row->n_packets && row->packet[i].offset == n)
        return is->n == i || wrong("%zu bytes are not %zu packets", n, i);
    if (is->n != i + 1 || last->offset != row->packet[i].offset ||
        !is_cut_off(row, i, last) || last->offset + last->size != n)
        return wrong("%zu bytes do not end in one that is cut off", n);
    return true;
}

static bool check_pieces(const struct row *row)
{
    static struct packets is;

    for (size_t step = 1; step < row->n && step < 20; step++)
        if (!decode(row, row->n, step, 0, &is) ||
            !same(row, &is, "in pieces of", step))
            return false;
    for (size_t n = row->begin * A_SYNC + 1; n < row->n;
         n += n < 60 || row->n - n < 60 ? 1 : 59) {
        if (!decode(row, row->n, 0, n, &is) ||
            !same(row, &is, "in two pieces, the first of", n))
            return false;
        /* the two packets of a record are cut off together */
        if (row->way == '|' && row->config->protocol != ETM_PROTOCOL_ETMV1 &&
            row->config->protocol != ETM_PROTOCOL_ETMV2 &&
            !cut_off(row, n, &is))
            return false;
    }
    return true;
}

bool encoding_check(struct row *row)
{
    static struct packets is;

    if (row->way == '>' && row->n_gaps == 0 && encodes(row))
        return wrong("it is encoded so, too: the sign is |");
    if (row->way != '>' && !encode(row))
        return false;
    if (row->way == '<')
        return (decode(row, row->n, 0, 0, &is) && again(row, &is)) ||
               wrong("what is decoded is encoded otherwise");
    if (!place(row))
        return false;
    if (!decode(row, row->n, 0, 0, &is))
        return wrong("it cannot be decoded");
    return same(row, &is, "as a whole,", row->n) &&
           (row->way == '>' || again(row, &is)) && check_pieces(row);
}
