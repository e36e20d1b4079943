/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of the fast path of PFT for coverage, which only counts executions
 * of steps: no cycles, and no elements except where there is no code.
 */
#include "flow/pft_loop.h"

#define ETM_PFT_LOOP plain
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP plain_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP cycles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP bundles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#define ETM_PFT_LOOP_BUNDLES true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP bundles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COVERAGE true
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#define ETM_PFT_LOOP_BUNDLES true
#include "flow/pft_loop.inc"

/* By cycle counts or bundles, return stack. */
static etm_pft_loop_fn *const loops[3][2] = {
    {plain, plain_returns},
    {cycles, cycles_returns},
    {bundles, bundles_returns},
};

etm_pft_loop_fn *etm_pft_coverage_loop(const struct etm_pft_flow *flow,
                                       bool with_bundles)
{
    const struct etm_config *c = &flow->config;

    return loops[with_bundles ? 2 : c->cycle_accurate][c->return_stack];
}
