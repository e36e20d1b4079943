/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms to P-headers of ETMv3. */
#ifndef ETM_MODEL_ETMV3_PACK_H
#define ETM_MODEL_ETMV3_PACK_H

#include <etm/packet.h>

/*
 * Fill `packet` with the P-header that takes as many as possible of `n` atoms
 * (enum etm_atom, oldest first, at least one). Returns how many it took.
 * Before v3.3 each instruction needs a W before it.
 */
unsigned etm_etmv3_pack(const struct etm_config *config, const uint8_t *atoms,
                        unsigned n, struct etm_packet *packet);

#endif
