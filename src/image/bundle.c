/* SPDX-License-Identifier: Apache-2.0 */
/* What was counted in bundles goes to their steps; and when to use them. */
#include "image/bundle.h"

/* In bytes. Not more at first: much is missed while a program is new. */
#define REST_FIRST (UINT64_C(1) << 16)
#define REST_MOST (UINT64_C(1) << 24)

void etm_bundle_trial_end(struct etm_bundle_trial *trial, bool enough)
{
    trial->found = trial->missed = 0;
    if (enough)
        trial->rest = 0;
    else if (trial->rest == 0)
        trial->rest = REST_FIRST;
    else if (trial->rest < REST_MOST)
        trial->rest *= 2;
    trial->next = trial->bytes + trial->rest;
}

void etm_bundle_flush(struct etm_bundle *bundle, uint64_t *links)
{
    uint32_t step = bundle->key >> ETM_BUNDLE_BITS;

    for (uint32_t bits = bundle->key & 0xff; bits > 1; bits >>= 1) {
        etm_links_hits(links, step)[bits & 1] += bundle->n;
        step = etm_links_next(links, step, true, bits & 1);
        if (step == 0)
            step = bundle->back & ETM_LINK_STEP;
    }
    bundle->n = 0;
}

void etm_header_bundle_flush(struct etm_header_bundle *bundle,
                             const uint32_t *atoms,
                             const struct etm_step *steps, uint64_t *links)
{
    uint32_t step = etm_header_step(bundle->place);
    /* atoms up to the end of the step */
    uint32_t end = steps[step].n - etm_header_index(bundle->place);

    for (uint64_t headers = bundle->headers; headers != 0; headers >>= 8) {
        const uint32_t all = atoms[headers & 0xff];
        const uint32_t n = all & ETM_HEADER_ATOMS;

        /* empty: after an indirect branch, or where there is no code */
        while (steps[step].n != 0 && end <= n) {
            bool failed = etm_header_failed(all, end);

            etm_links_hits(links, step)[failed] += bundle->n;
            step = etm_links_next(links, step, true, failed);
            end += steps[step].n;
        }
        end -= n;
    }
    bundle->n = 0;
}
