/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps among the elements of a source. */
#include <etm/decode.h>

/* The first time that tracing begins is the beginning of the trace: no gap. */
static void trace_on(struct etm_gaps *gaps, uint8_t reason)
{
    if (reason == ETM_TRACE_ON_OVERFLOW)
        gaps->n[ETM_GAP_OVERFLOW]++;
    else if (reason != ETM_TRACE_ON_DEBUG_EXIT && gaps->on)
        gaps->n[ETM_GAP_OFF]++;
    else if (reason != ETM_TRACE_ON_DEBUG_EXIT)
        gaps->began = true;
    gaps->on = true;
}

void etm_gaps_add(struct etm_gaps *gaps, const struct etm_element *elements,
                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind == ETM_ELEMENT_TRACE_ON)
            trace_on(gaps, elements[i].u.trace_on.reason);
        else if (elements[i].kind == ETM_ELEMENT_LOST)
            gaps->n[ETM_GAP_LOST]++;
        else if (elements[i].kind == ETM_ELEMENT_NO_IMAGE)
            gaps->n[ETM_GAP_NO_CODE]++;
    }
}

void etm_gaps_join(struct etm_gaps *gaps, const struct etm_gaps *later)
{
    for (unsigned i = 0; i < ETM_GAPS; i++)
        gaps->n[i] += later->n[i];
    if (gaps->on && later->began)
        gaps->n[ETM_GAP_OFF]++;
    else
        gaps->began |= later->began;
    gaps->on |= later->on;
}

uint64_t etm_gaps_count(const struct etm_gaps *gaps)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < ETM_GAPS; i++)
        n += gaps->n[i];
    return n;
}
