/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/i_sync.h"

/* M-profile processors have Thumb state alone (ARMv7-M ARM, A2.3.1). */
static bool has_isa(const struct etm_config *c, unsigned isa)
{
    return c->profile != ETM_PROFILE_M || isa == ETM_ISA_THUMB;
}

/* Does a branch address packet name a state that the processor has? */
static bool branch_is_possible(const struct etm_config *c,
                               const struct etm_packet *p)
{
    return c->profile != ETM_PROFILE_M ||
           ((p->isa == ETM_ISA_UNKNOWN || has_isa(c, p->isa)) &&
            (p->fields & (ETM_FIELD_ALT_ISA | ETM_FIELD_NS)) == 0);
}

/* ETMv3.0 leaves bits 3 to 1 clear, data-only mode those of the instruction
 * (7.7.3). */
bool etm_i_sync_can_be(const struct etm_config *c, const struct etm_packet *p)
{
    unsigned clear = 0;

    if (c->protocol == ETM_PROTOCOL_PFT)
        clear = ETM_PFT_I_SYNC_CLEAR;
    else if (c->minor == 0)
        clear = 0x0eu;
    if (c->protocol == ETM_PROTOCOL_ETMV3 && c->data_only)
        clear |= 0x94u;
    if (c->profile == ETM_PROFILE_M)
        clear |= ETM_I_SYNC_NS;
    if ((p->fields & ETM_FIELD_ADDRESS) != 0 && !has_isa(c, p->isa))
        return false;
    return etm_i_sync_is_sound(p, clear);
}

bool etm_says_impossible(const struct etm_config *c, const struct etm_packet *p)
{
    if (etm_is_i_sync(p))
        return !etm_i_sync_can_be(c, p);
    return p->kind == ETM_PACKET_BRANCH_ADDRESS && !branch_is_possible(c, p);
}

bool etm_i_sync_is_possible(const struct etm_config *c,
                            const struct etm_packet *p)
{
    bool data = c->data_address || c->data_value || c->cprt;

    if (c->protocol == ETM_PROTOCOL_ETMV3 && !data && (p->info & 0x80u) != 0)
        return false;
    return etm_i_sync_can_be(c, p);
}

bool etm_i_sync_begins(const struct etm_config *config,
                       const struct etm_packet *p)
{
    return etm_is_i_sync(p) && p->reason != ETM_SYNC_PERIODIC &&
           etm_i_sync_is_possible(config, p);
}

enum etm_i_sync_match
etm_i_sync_match_address(const struct etm_i_sync_like *like,
                         const uint8_t *bytes, size_t n)
{
    const bool jazelle = (like->word & 0x10) != 0;

    /* bit 0 is 1 in Thumb code; ARM code is aligned to 4 */
    if (n != 0 && !jazelle && (bytes[0] & 3) == 2)
        return ETM_I_SYNC_OTHER;
    if (n < 4)
        return ETM_I_SYNC_BEGINS;
    return bytes[3] == like->word >> 24 ? ETM_I_SYNC_MATCHES : ETM_I_SYNC_OTHER;
}

void etm_i_sync_imprint(const struct etm_i_sync_like *like,
                        struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, like->word);
}
