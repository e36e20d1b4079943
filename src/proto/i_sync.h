/* SPDX-License-Identifier: Apache-2.0 */
/* What a macrocell can say in an I-sync (ETM architecture 7.7.3; PFT
 * architecture 4.5, I-sync). */
#ifndef ETM_PROTO_I_SYNC_H
#define ETM_PROTO_I_SYNC_H

#include "base/imprint.h"

#include <etm/packet.h>

/* Its header; ETMv3 has another one with a cycle count. */
#define ETM_I_SYNC_HEADER 0x08u
#define ETM_I_SYNC_CYCLES_HEADER 0x70u

/* An I-sync in any of its forms. */
static inline bool etm_is_i_sync(const struct etm_packet *packet)
{
    return packet->kind == ETM_PACKET_I_SYNC ||
           packet->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
           packet->kind == ETM_PACKET_LSIP_I_SYNC;
}

/* Bits of the information byte that PFT leaves clear (4.5, I-sync). */
#define ETM_PFT_I_SYNC_CLEAR 0x90u

/* Non-secure state, in which M-profile processors with an ETM never are: they
 * have no security extensions (3.5.18). */
#define ETM_I_SYNC_NS 0x08u

/* Bit 0 of the information byte is set (7.11.2), and those of `clear` are not;
 * Hyp mode is Non-secure, ThumbEE is no ARM state, an ARM address is a multiple
 * of 4. */
static inline bool etm_i_sync_is_sound(const struct etm_packet *p,
                                       unsigned clear)
{
    if ((p->info & (clear | 0x01u)) != 0x01u || (p->info & 0x0au) == 0x02u)
        return false;
    return p->isa != ETM_ISA_ARM ||
           ((p->address & 3u) == 0 && (p->info & 0x04u) == 0);
}

/* Can the information byte and the address of an I-sync, of any form, be those
 * of a macrocell of this configuration? Otherwise the packet is damaged
 * (doc/errata.md, E-661). */
bool etm_i_sync_can_be(const struct etm_config *config,
                       const struct etm_packet *packet);

/* And does one send them? ETMv3 has data in progress (bit 7) only where it
 * traces data (7.7.3). */
bool etm_i_sync_is_possible(const struct etm_config *config,
                            const struct etm_packet *packet);

/* Is it an I-sync, or a branch address packet, that says what no macrocell of
 * this configuration does? Then it is damaged (doc/errata.md, E-661). */
bool etm_says_impossible(const struct etm_config *config,
                         const struct etm_packet *packet);

/*
 * Can a stream that begins with this packet be decoded from there on, without
 * an A-sync before it (doc/errata.md, E-610)? It is an I-sync that is possible,
 * and not a periodic one. Not asked in the middle of a stream, or after lost
 * bytes, where other bytes would look like one too often. ETMv1 and ETMv2 need
 * no A-sync: they begin at a full address, or a TFO.
 */
bool etm_i_sync_begins(const struct etm_config *config,
                       const struct etm_packet *packet);

/*
 * The last I-sync with an address. Where synchronization is lost, one like it
 * is found among any bytes (doc/errata.md, E-660): the highest byte of its
 * address and the state in its information byte (instruction set, security, Hyp
 * mode) are the same, and an ARM address is a multiple of 4. Other bytes look
 * like that once in some million. I-syncs of data-only trace have no address:
 * there is none.
 */
struct etm_i_sync_like {
    uint32_t word; /* both, above and below ETM_I_SYNC_KNOWN; 0: none came */
};
#define ETM_I_SYNC_KNOWN 0x100u

/* All but the reason, and whether a data instruction is in progress. */
#define ETM_I_SYNC_STATE 0x1fu

/* With bit 7 of the information byte, which PFT leaves clear. */
static inline uint32_t etm_i_sync_word(uint32_t address, unsigned info)
{
    return (address & 0xff000000u) | ETM_I_SYNC_KNOWN |
           (info & (ETM_I_SYNC_STATE | 0x80u));
}

static inline void etm_i_sync_remember(struct etm_i_sync_like *like,
                                       const struct etm_packet *p)
{
    if ((p->fields & ETM_FIELD_ADDRESS) == 0 || (p->info & 0x01) == 0)
        return;
    like->word = etm_i_sync_word(p->address, p->info & 0x7fu);
}

/* Whether bytes are those of an I-sync. */
enum etm_i_sync_match {
    ETM_I_SYNC_OTHER,  /* they are not */
    ETM_I_SYNC_BEGINS, /* they may be the first ones */
    ETM_I_SYNC_MATCHES /* address and information byte are like the last ones */
};

/* What to make of address bytes of which `n` are there. */
enum etm_i_sync_match
etm_i_sync_match_address(const struct etm_i_sync_like *like,
                         const uint8_t *bytes, size_t n);

static inline bool etm_i_sync_match_info(const struct etm_i_sync_like *like,
                                         uint8_t info)
{
    return ((info ^ like->word) & ETM_I_SYNC_STATE) == 0;
}

/* It decides what is found. */
void etm_i_sync_imprint(const struct etm_i_sync_like *like,
                        struct etm_imprint *imprint);

#endif
