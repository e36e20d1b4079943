/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms to P-headers of ETMv3 (ETM architecture 7.3.1, tables 7-2 and 7-3). */
#include "model/etmv3_pack.h"

static bool is(const uint8_t *atoms, unsigned n, unsigned i, enum etm_atom kind)
{
    return i < n && atoms[i] == kind;
}

static bool is_insn(const uint8_t *atoms, unsigned n, unsigned i)
{
    return i < n && atoms[i] != ETM_ATOM_W;
}

/* Bit F of formats 2 and 4. */
static unsigned failed(const uint8_t *atoms, unsigned i)
{
    return atoms[i] == ETM_ATOM_N;
}

static uint8_t format_2(const uint8_t *atoms, unsigned first)
{
    return (uint8_t)(0x82u | failed(atoms, first) << 3 |
                     failed(atoms, first + 1) << 2);
}

/*
 * Without cycles: format 1 b1NEEEE00, up to 15 E and then perhaps an N; format
 * 2 b1000FF10, any two.
 */
static unsigned pack_plain(const uint8_t *atoms, unsigned n, uint8_t *header)
{
    unsigned e = 0;
    unsigned last;

    while (e < 15 && is(atoms, n, e, ETM_ATOM_E))
        e++;
    last = is(atoms, n, e, ETM_ATOM_N);
    if (n >= 2 && e + last < 2) {
        *header = format_2(atoms, 0);
        return 2;
    }
    *header = (uint8_t)(0x80u | last << 6 | e << 2);
    return e + last;
}

/*
 * With cycles: format 1 b1N0EEE00, up to 7 times W,E and then perhaps W,N;
 * format 2, W and two instructions; format 3 b1E1WWW00, 1 to 8 W and then
 * perhaps an E; format 4 b10010F10 (v3.3), an instruction that shares the cycle
 * of the one before.
 */
static unsigned pack_cycles(const uint8_t *atoms, unsigned n, bool format_0,
                            uint8_t *header)
{
    unsigned pairs = 0;
    unsigned last;
    unsigned w = 0;
    unsigned e;

    if (atoms[0] != ETM_ATOM_W) {
        *header = (uint8_t)(0x92u | failed(atoms, 0) << 2);
        return 1;
    }
    while (pairs < 7 && is(atoms, n, 2 * pairs, ETM_ATOM_W) &&
           is(atoms, n, 2 * pairs + 1, ETM_ATOM_E))
        pairs++;
    last = is(atoms, n, 2 * pairs, ETM_ATOM_W) &&
           is(atoms, n, 2 * pairs + 1, ETM_ATOM_N);
    while (w < 8 && is(atoms, n, w, ETM_ATOM_W))
        w++;
    e = is(atoms, n, w, ETM_ATOM_E);
    /* Format 3 has no N: that one keeps a W for its format 1. */
    if (w > 1 && is(atoms, n, w, ETM_ATOM_N))
        w--;
    if (is_insn(atoms, n, 1) && is_insn(atoms, n, 2) &&
        2 * (pairs + last) < 3) {
        *header = format_2(atoms, 1);
        return 3;
    }
    if (2 * (pairs + last) >= w + e) {
        *header = (uint8_t)(0x80u | last << 6 | pairs << 2);
        return 2 * (pairs + last);
    }
    /* A lone W is format 0 in v3.0. */
    *header = (uint8_t)(0xa0u | e << 6 | (w - 1) << 2);
    if (format_0 && w + e == 1)
        *header = 0x80;
    return w + e;
}

unsigned etm_etmv3_pack(const struct etm_config *config, const uint8_t *atoms,
                        unsigned n, struct etm_packet *packet)
{
    uint8_t header;
    unsigned used;

    if (config->cycle_accurate)
        used = pack_cycles(atoms, n, config->minor == 0, &header);
    else
        used = pack_plain(atoms, n, &header);
    *packet = (struct etm_packet){
        .kind = ETM_PACKET_P_HEADER, .header = header, .count = (uint8_t)used};
    for (unsigned i = 0; i < used; i++)
        packet->value |= (uint64_t)atoms[i] << (2 * i);
    return used;
}
