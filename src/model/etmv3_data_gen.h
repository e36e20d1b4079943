/* SPDX-License-Identifier: Apache-2.0 */
/* Data trace of ETMv3: events of the data side to packets. */
#ifndef ETM_MODEL_ETMV3_DATA_GEN_H
#define ETM_MODEL_ETMV3_DATA_GEN_H

#include "model/generator.h"

/* A stretch of trace begins; the last data instruction is still in progress,
 * or data have no owner yet. */
void etm_etmv3_data_start(struct etm_gen *gen, bool in_progress);

/* Data from now on belong to this instruction, if it moves any; `traced_as_e`
 * says whether its atom makes it a data instruction. */
void etm_etmv3_data_insn(struct etm_gen *gen, const struct etm_gen_insn *insn,
                         bool traced_as_e);

/* Data from now on belong to the processor's own push or pop (7.5.3, 7.5.4);
 * the caller outputs the packet that says so. */
void etm_etmv3_data_stacking(struct etm_gen *gen);

/* The last instruction is cancelled or paused: if it is a data instruction, it
 * moves no more. */
void etm_etmv3_data_cancelled(struct etm_gen *gen);

/* A data, data_value or suppress event. */
void etm_etmv3_data_event(struct etm_gen *gen, const struct etm_event *event);

#endif
