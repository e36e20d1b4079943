/* SPDX-License-Identifier: Apache-2.0 */
#define ETM_ETMV3_DATA_LOOP etm_etmv3_data_counts
#define ETM_ETMV3_DATA_INSNS false
#define ETM_ETMV3_DATA_COUNTS true
#include "flow/etmv3/data.inc"
