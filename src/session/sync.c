/* SPDX-License-Identifier: Apache-2.0 */
#include "session/sync.h"
#include "proto/broadcast.h"
#include "proto/etmv1_full.h"

#include <string.h>

/* An A-sync (PFT 4.2.1; 7.7.2). */
static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80};

/* Bytes after an A-sync in which a full data address is expected: a period of
 * synchronization (3.5.17), and some more. */
#define PERIOD 1100u

/* Bytes searched for a synchronization: two periods of 1024 bytes, or of 1024
 * cycles of 3 bytes. */
#define NEAR 2040u
#define NEAR_RECORDS 6120u

/* Bytes that are decoded to packets at a time: whole records. */
#define PIECE 96u

/* Bytes of records, a multiple of 2 and of 3, within which a branch of ETMv1
 * and its address are, and more than those of a TFO. */
#define RECORDS 6u
#define BRANCH (ETM_FULL_ADDRESS_WINDOW / 2 * RECORDS)

void etm_sync_init(struct etm_sync *sync, const struct etm_config *config,
                   const struct etm_allocator *allocator)
{
    *sync = (struct etm_sync){.config = config,
                              .row = etm_protocol_row(config->protocol)};
    sync->near = etm_protocol_is_port(config->protocol) ? NEAR_RECORDS : NEAR;
    etm_vec_init(&sync->packets, sizeof(struct etm_packet), allocator);
}

void etm_sync_fini(struct etm_sync *sync)
{
    etm_vec_fini(&sync->packets);
}

bool etm_sync_is_whole(const struct etm_config *config)
{
    return !etm_protocol_is_port(config->protocol) || !config->data_address;
}

/* Index of the next mark at or after `at`, or SIZE_MAX. */
static size_t find_mark(const uint8_t *bytes, size_t at, size_t n)
{
    size_t before = sizeof mark - 1;
    const uint8_t *last;

    for (at += before; at < n; at++) {
        last = memchr(bytes + at, mark[before], n - at);
        if (last == NULL)
            break;
        at = (size_t)(last - bytes);
        if (memcmp(last - before, mark, before) == 0)
            return at - before;
    }
    return SIZE_MAX;
}

/* Decode the next bytes at `at` to packets, whose number is returned; 0: there
 * are none, or memory ran out. */
static size_t next_packets(struct etm_sync *sync, union etm_proto_any *proto,
                           const uint8_t *bytes, size_t at, size_t n)
{
    size_t piece = n - at < PIECE ? n - at : PIECE;
    int status;

    sync->packets.n = 0;
    if (piece == 0)
        return 0;
    status = sync->row->push(proto, bytes + at, piece, &sync->packets);
    return status == ETM_OK ? piece : 0;
}

static bool is_data(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_NORMAL_DATA ||
           p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
           p->kind == ETM_PACKET_OUT_OF_ORDER_DATA ||
           p->kind == ETM_PACKET_VALUE_NOT_TRACED;
}

/*
 * The index after which a decoder that begins at `at` knows data addresses,
 * because they are relative to the last full one (7.7.4); SIZE_MAX: not by the
 * end. If there are no data for long, it needs no address.
 */
static size_t find_data_address(struct etm_sync *sync, const uint8_t *bytes,
                                size_t at, size_t n)
{
    struct etm_broadcast base = {0};
    union etm_proto_any proto;
    size_t begin = at;
    bool any = false;

    sync->row->init(&proto, sync->config);
    for (size_t piece; (piece = next_packets(sync, &proto, bytes, at, n)) != 0;
         at += piece) {
        const struct etm_packet *p = sync->packets.data;

        for (size_t i = 0; i < sync->packets.n; i++) {
            etm_broadcast_apply(&base, sync->config, &p[i]);
            any = any || is_data(&p[i]);
        }
        if (base.data_valid)
            return at + piece;
    }
    return any || n - begin < PERIOD ? SIZE_MAX : begin;
}

/* Find where everything is known that the A-sync at `begin` gives; or whether
 * more bytes are needed, or the next A-sync. */
static enum etm_sync_look know(struct etm_sync *sync, const uint8_t *bytes,
                               size_t n)
{
    size_t most = sync->begin + PERIOD, end = n < most ? n : most;

    sync->known = sync->begin;
    if (sync->config->protocol != ETM_PROTOCOL_ETMV3 ||
        !sync->config->data_address)
        return ETM_SYNC_FOUND;
    sync->known = find_data_address(sync, bytes, sync->begin, end);
    if (sync->known != SIZE_MAX)
        return ETM_SYNC_FOUND;
    return n < most ? ETM_SYNC_MORE : ETM_SYNC_NONE;
}

static enum etm_sync_look
find_a_sync(struct etm_sync *sync, const uint8_t *bytes, size_t from, size_t n)
{
    enum etm_sync_look look;

    for (;; from = sync->begin + 1) {
        sync->begin = find_mark(bytes, from, n);
        if (sync->begin == SIZE_MAX)
            break;
        look = know(sync, bytes, n);
        if (look != ETM_SYNC_NONE)
            return look;
    }
    /* an A-sync may begin with the last bytes */
    sync->begin = n < from + sizeof mark ? from : n - (sizeof mark - 1);
    return ETM_SYNC_NONE;
}

/* The record of a TFO (ETMv2), or that of a branch whose full address is found
 * (ETMv1). */
static bool is_record(struct etm_sync *sync, struct etm_full_address *full,
                      const struct etm_packet *p)
{
    if (sync->config->protocol == ETM_PROTOCOL_ETMV1) {
        if (!etm_full_address_apply(full, sync->config, p))
            return false;
        sync->begin = (size_t)full->offset;
        return true;
    }
    if (p->kind == ETM_PACKET_PIPESTAT)
        sync->begin = (size_t)p->offset;
    return p->kind == ETM_PACKET_TFO;
}

static enum etm_sync_look
find_record(struct etm_sync *sync, const uint8_t *bytes, size_t from, size_t n)
{
    struct etm_full_address full = {0};
    union etm_proto_any proto;
    size_t at = from;

    n -= (n - from) % RECORDS;
    sync->row->init(&proto, sync->config);
    sync->row->enter(&proto, from);
    for (size_t piece; (piece = next_packets(sync, &proto, bytes, at, n)) != 0;
         at += piece) {
        const struct etm_packet *p = sync->packets.data;

        for (size_t i = 0; i < sync->packets.n; i++)
            if (is_record(sync, &full, &p[i])) {
                sync->known = at + piece;
                return ETM_SYNC_FOUND;
            }
    }
    sync->begin = n < from + BRANCH ? from : n - BRANCH;
    return ETM_SYNC_NONE;
}

enum etm_sync_look etm_sync_find(struct etm_sync *sync, const uint8_t *bytes,
                                 size_t from, size_t n)
{
    return etm_protocol_is_port(sync->config->protocol)
               ? find_record(sync, bytes, from, n)
               : find_a_sync(sync, bytes, from, n);
}
