/* SPDX-License-Identifier: Apache-2.0 */
#define ETM_ETMV3_DATA_LOOP etm_etmv3_data_insns
#define ETM_ETMV3_DATA_INSNS true
#define ETM_ETMV3_DATA_COUNTS false
#include "flow/etmv3/data.inc"
