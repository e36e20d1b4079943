/* SPDX-License-Identifier: Apache-2.0 */
/* The data side of ETMv2, for etmv2_gen.c and etmv2_port.c. */
#ifndef ETM_MODEL_ETMV2_DATA_GEN_H
#define ETM_MODEL_ETMV2_DATA_GEN_H

#include "model/generator.h"

/* Tracing begins; with a data instruction in progress, or without. */
void etm_etmv2_data_start(struct etm_gen *gen, bool in_progress);

/* An instruction has its status; data that follow belong to it, if it transfers
 * any. */
void etm_etmv2_data_insn(struct etm_gen *gen, const struct etm_gen_insn *insn,
                         bool traced_as_passed);

/* Transfers up to the next data instruction are not traced. */
void etm_etmv2_data_void(struct etm_gen *gen);

/* Load Miss Occurred packets of these tags did not get into the FIFO: their
 * values do not either (6.4.3). */
void etm_etmv2_data_lost(struct etm_gen *gen, unsigned tags);

/* An event of the data side. */
void etm_etmv2_data_event(struct etm_gen *gen, const struct etm_event *event);

/* etmv2_gen.c: a data event has passed; a branch address may wait for it. */
void etm_etmv2_gen_branch_due(struct etm_gen *gen);

#endif
