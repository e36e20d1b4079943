/* SPDX-License-Identifier: Apache-2.0 */
/* The data side of ETMv1, for etmv1_gen.c. */
#ifndef ETM_MODEL_ETMV1_DATA_GEN_H
#define ETM_MODEL_ETMV1_DATA_GEN_H

#include "model/generator.h"

/* Cycles between full addresses (5.6.2, 5.7.5). */
#define ETM_ETMV1_SYNC_CYCLES 1024u

/* An address and a doubleword. */
#define ETM_ETMV1_DATA_MAX (ETM_ETMV1_ADDRESS_MAX + 8u)

/* An address in bytes of 7 bits (5.6.2, 5.7.5): as many as differ from the
 * last one, or all, if it is to be `full`. Returns their number. */
unsigned etm_etmv1_address_bytes(uint32_t address, uint32_t base, bool full,
                                 uint8_t bytes[ETM_ETMV1_ADDRESS_MAX]);

/* Make the bytes that transfer `i` of the held instruction puts into the FIFO,
 * at most ETM_ETMV1_DATA_MAX. Returns their number, which may be 0. */
unsigned etm_etmv1_data_bytes(struct etm_gen *gen, unsigned i, uint8_t *bytes);

/* Whether the data of the held instruction are traced if it is executed: the
 * first transfer decides (4.11.3, 5.7.1). */
bool etm_etmv1_data_traced(const struct etm_gen *gen);

#endif
