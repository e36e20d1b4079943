/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that are whole, but not in an order that a macrocell makes: those of
 * a random execution, of which some are missing, come twice or stand elsewhere,
 * with made ones between them, of every length and in every state.
 */
#include "streams.h"

#include "session/protocols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PACKETS 3000u /* of the execution */
#define ROOM 256u     /* for one packet, and what is put before it */
#define LONGEST 60u   /* bytes of a packet that is taken */
#define MOST (1u << 19)

static uint8_t mixed[MOST];
static size_t n_mixed;

static bool is_pft(void)
{
    return stream.config.protocol == ETM_PROTOCOL_PFT;
}

static void put(uint32_t byte)
{
    mixed[n_mixed++] = (uint8_t)byte;
}

static void copy(const struct etm_packet *p)
{
    if (p->size > LONGEST)
        return;
    memcpy(mixed + n_mixed, stream.bytes + p->offset, p->size);
    n_mixed += p->size;
}

/* `n` bytes of 7 bits, each but the last with bit 7. */
static void put_groups(unsigned n, uint32_t last_below)
{
    for (; n > 1; n--)
        put(0x80 | stream_below(128));
    put(stream_below(last_below));
}

/* 4.5.4 and 7.3.5: address bytes of any place in the program; `excepts`: an
 * exception information byte follows. */
static void put_address(bool excepts)
{
    const struct etm_config *c = &stream.config;
    const struct slot *s =
        &stream.program.slots[stream_below(stream.program.n_slots)];
    bool alternative = is_pft() || (c->minor >= 4 && c->alternative_branches);
    unsigned shift = s->isa == ETM_ISA_ARM       ? 2
                     : s->isa == ETM_ISA_JAZELLE ? 0
                                                 : 1;
    unsigned n = stream_chance(50) ? 5 : 1 + stream_below(5);
    uint64_t bits = ((UINT64_C(1) << 32 | s->address) >> shift) << 1 | 1;

    if (excepts && (n == 1 || !alternative))
        n = 5;
    for (unsigned i = 1; i < n; i++, bits >>= 7)
        put(0x80 | (uint32_t)(bits & 0x7f));
    if (n == 5 || (n > 1 && alternative))
        put((uint32_t)(bits & 0x3f) | (excepts ? 0x40 : 0));
    else
        put((uint32_t)(bits & 0x7f));
}

/* A cycle count in the form of the protocol, of one to five bytes: 4.4, 7.3.4.
 * None follows the fifth, whatever it says; bits of the first one that mean
 * nothing may be set. */
static void put_cycles(void)
{
    unsigned n = stream_chance(20) ? 1 + stream_below(5) : 1;
    uint32_t last = n == 5 && stream_chance(50) ? 256 : 128;

    if (!is_pft()) {
        put_groups(n, last);
        return;
    }
    put((stream_chance(10) ? 0x83 : 0) | stream_below(16) << 2 |
        (n > 1 ? 0x40 : 0));
    if (n > 1)
        put_groups(n - 1, last);
}

static void put_pft_cycles(void)
{
    if (is_pft() && stream.config.cycle_accurate)
        put_cycles();
}

static void put_branch(void)
{
    put_address(false);
    put_pft_cycles();
}

static void put_exception(void)
{
    bool more = stream_chance(10) && (is_pft() || stream.config.minor >= 4);

    put_address(true);
    put(stream_below(128) & (stream_chance(40) ? 0x61 : 0x7f));
    if (more) {
        mixed[n_mixed - 1] |= 0x80;
        put(!is_pft() && stream_chance(40) ? 0x40 | stream_below(16)
                                           : stream_below(64));
    }
    put_pft_cycles();
}

static void put_context_bytes(void)
{
    for (unsigned i = 0; i < stream.config.context_id_bytes; i++)
        put(stream_below(3));
}

/* The information byte of an I-sync at *s, and its address with the T bit. */
static uint32_t information(const struct slot *s, unsigned reason,
                            uint32_t *address)
{
    uint32_t info = 1 | reason << 5 | (stream_chance(30) ? 8 : 0);

    *address = s->address;
    if (s->isa == ETM_ISA_JAZELLE && is_pft())
        *address &= ~UINT32_C(3);
    else if (s->isa == ETM_ISA_JAZELLE)
        info |= 0x10;
    else if (s->isa != ETM_ISA_ARM)
        *address |= 1;
    return s->isa == ETM_ISA_THUMBEE ? info | 4 : info;
}

static void put_word(uint32_t word)
{
    for (unsigned i = 0; i < 32; i += 8)
        put(word >> i & 0xff);
}

static void put_i_sync(void)
{
    const struct slot *s =
        &stream.program.slots[stream_below(stream.program.n_slots)];
    const bool cycles = stream.config.cycle_accurate;
    unsigned reason = stream_below(4);
    uint32_t address, info = information(s, reason, &address);
    bool counted = cycles && reason != 0 && stream_chance(50);
    bool two =
        reason != 0 && stream_chance(20); /* 7.7.3: load/store in progress */

    if (is_pft()) {
        put(0x08);
        put_word(address);
        put(info);
        if (cycles && reason != 0)
            put_cycles();
        put_context_bytes();
        return;
    }
    if (stream.config.data_only) { /* without an address: 7.7.3 */
        put(0x08);
        put_context_bytes();
        put(info & 0x69);
        return;
    }
    put(counted ? 0x70 : 0x08);
    if (counted)
        put_cycles();
    put_context_bytes();
    put(info | (two ? 0x80 : 0));
    put_word(address);
    if (two)
        put_address(stream_chance(10));
}

/* One of as many bytes as it may have; the last one of a full one may be
 * anything. */
static void put_timestamp(void)
{
    unsigned last = stream.config.timestamp_64bit ? 9 : 7;
    unsigned n = stream_chance(20) ? last : 1 + stream_below(last);

    put(stream_chance(50) ? 0x42 : 0x46);
    put_groups(n, n == last ? 256 : 128);
    put_pft_cycles();
}

static void put_a_sync(void)
{
    for (unsigned i = stream_chance(90) ? 5 : 4 + stream_below(20); i != 0; i--)
        put(0);
    put(0x80);
}

static void put_small(void)
{
    static const uint8_t headers[] = {0x0c, 0x66, 0x76, 0x7e};

    put(headers[stream_below(is_pft() ? 3 : 4)]);
}

static void put_context_id(void)
{
    if (stream.config.context_id_bytes == 0)
        return;
    put(0x6e);
    put_context_bytes();
}

static void put_update_or_count(void)
{
    if (is_pft()) {
        put(0x72);
        put_address(false);
    } else if (stream.config.cycle_accurate) {
        put(0x04);
        put_cycles();
    }
}

static void put_atoms(void)
{
    size_t at = n_mixed;

    if (!is_pft()) {
        put(0x84 + 4 * stream_below(4));
    } else if (stream.config.cycle_accurate) {
        put_cycles();
        mixed[at] = (uint8_t)((mixed[at] & 0x7c) | 0x80 | stream_below(2) << 1);
    } else {
        put(0x84 | stream_below(31) << 2 | stream_below(2) << 1);
    }
}

/* 7.4: any data packet, of any value */
static void put_data(void)
{
    static const struct {
        uint8_t header;
        bool address, value;
    } rows[] = {
        {0x02, false, true},  {0x06, false, true},  {0x22, true, true},
        {0x26, true, true},   {0x2a, true, true},   {0x54, false, false},
        {0x74, true, false},  {0x58, false, false}, {0x78, true, false},
        {0x20, false, true},  {0x24, false, true},  {0x44, false, true},
        {0x6a, false, false}, {0x7a, true, false},  {0x62, false, false},
        {0x50, false, false}};
    const struct etm_config *c = &stream.config;
    unsigned i = stream_below(sizeof rows / sizeof *rows);

    if (!c->data_address && !c->data_value)
        return;
    put(rows[i].header);
    if (rows[i].address && c->data_address)
        put_groups(stream_chance(50) ? 1 : 5, 32);
    for (unsigned k = rows[i].header >> 2 & 3;
         k > 0 && rows[i].value && c->data_value; k--)
        put(stream_below(256));
}

/* Where synchronization was lost: it begins again. */
static void put_rare(void)
{
    if (stream_chance(20)) {
        put_a_sync();
        put_i_sync();
    }
}

static void put_made(void)
{
    static void (*const kinds[])(void) = {
        put_branch,    put_exception, put_exception,       put_i_sync,
        put_timestamp, put_small,     put_context_id,      put_branch,
        put_exception, put_i_sync,    put_update_or_count, put_data,
        put_atoms,     put_small,     put_atoms,           put_rare};

    kinds[stream_below(sizeof kinds / sizeof *kinds)]();
}

/* One of the execution: gone, twice, another one, or with others before it. */
static void take(const struct etm_packet *all, size_t n, size_t i,
                 uint32_t rate)
{
    uint32_t kind = stream_chance(rate) ? stream_below(5) : 5;

    if (kind == 0)
        return;
    if (kind == 1)
        copy(&all[i]);
    if (kind == 2)
        copy(&all[stream_below((uint32_t)n)]);
    for (uint32_t k = kind == 3 || kind == 4 ? 1 + stream_below(3) : 0; k > 0;
         k--)
        put_made();
    copy(&all[i]);
}

void stream_mix(void)
{
    const struct etm_protocol_row *row =
        etm_protocol_row(stream.config.protocol);
    bool made = stream_chance(15); /* all of them are, but for the first */
    uint32_t rate = 1 + stream_below(12);
    static union etm_proto_any d;
    struct etm_vec all;
    size_t n, from;

    etm_vec_init(&all, sizeof(struct etm_packet), NULL);
    row->init(&d, &stream.config);
    assert_int_equal(row->push(&d, stream.bytes, stream.n, &all), ETM_OK);
    assert_int_equal(row->finish(&d, &all), ETM_OK);
    n = all.n < PACKETS ? all.n : PACKETS;
    from = made ? 0 : stream_below((uint32_t)(all.n - n + 1));
    n_mixed = 0;
    for (size_t i = from; i < from + n && n_mixed < MOST - ROOM; i++)
        if (made && i > 1)
            put_made();
        else
            take(all.data, all.n, i, rate);
    memcpy(stream.bytes, mixed, n_mixed);
    stream.n = n_mixed;
    etm_vec_fini(&all);
}
