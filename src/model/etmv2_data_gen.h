/* SPDX-License-Identifier: Apache-2.0 */
/* The data side of ETMv2, for etmv2_gen.c. */
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

/* An event of the data side. */
void etm_etmv2_data_event(struct etm_gen *gen, const struct etm_event *event);

#endif
