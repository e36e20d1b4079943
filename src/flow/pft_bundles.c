/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of the fast path of PFT that take all atoms of a packet at once, if
 * steps are only counted, without cycles. They are useful if a program repeats
 * itself; otherwise the plain loops are faster.
 */
#include "flow/pft_loop.h"

/* Number of bundles looked up in a trial: the plain loops are used for some
 * time if less than half of these were found. */
#define TRIAL 16384u

#define ETM_PFT_LOOP bundles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#define ETM_PFT_LOOP_BUNDLES true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP bundles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#define ETM_PFT_LOOP_BUNDLES true
#include "flow/pft_loop.inc"

etm_pft_loop_fn *etm_pft_bundles_loop(struct etm_pft_flow *flow,
                                      etm_pft_loop_fn *plain)
{
    struct etm_bundle_trial *trial = &flow->follow.blocks.trial;

    if (trial->found + trial->missed >= TRIAL)
        etm_bundle_trial_end(trial, trial->found >= trial->missed);
    if (trial->bytes < trial->next)
        return plain;
    if (flow->follow.level == ETM_LEVEL_COVERAGE)
        return etm_pft_coverage_loop(flow, true);
    return flow->config.return_stack ? bundles_returns : bundles;
}
