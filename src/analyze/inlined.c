/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined functions: frames on top of that of the function whose code has
 * theirs, as debug information tells of each instruction. */
#include "analyze/calls.h"

static struct etm_frame *inlined_frame(const struct etm_calls *c, size_t i)
{
    return (struct etm_frame *)c->now->inlined.data + i;
}

static void enter(struct etm_calls *c, const struct etm_inlined *inlined,
                  uint32_t address)
{
    struct etm_frame frame = etm_stack_new(c);

    frame.function = etm_functions_inlined(&c->functions, inlined);
    frame.address = address;
    frame.instance = inlined->instance;
    frame.flags = ETM_CALL_INLINED;
    if (address != inlined->address)
        frame.flags |= ETM_CALL_NO_CALLER;
    if (frame.function == ETM_NO_FUNCTION ||
        etm_vec_append(&c->now->inlined, &frame, 1) != ETM_OK) {
        c->status = ETM_ERR_MEMORY;
        return;
    }
    etm_stack_top(c)->inlined++;
    etm_stack_begin(c, inlined_frame(c, c->now->inlined.n - 1));
}

void etm_inlined_run(struct etm_calls *c, uint32_t address)
{
    struct etm_frame *top = etm_stack_top(c);
    struct etm_inlined inlined[ETM_INLINED_MOST];
    size_t n = ETM_INLINED_MOST, same = 0, first;
    int status;

    if (!top || etm_frame_is_exception(top))
        return;
    status = c->config.inlined(c->config.inlined_context, address, inlined, &n);
    if (status != ETM_OK) {
        c->status = status;
        return;
    }
    first = c->now->inlined.n - top->inlined;
    while (same < top->inlined && same < n &&
           inlined_frame(c, first + same)->instance == inlined[same].instance)
        same++;
    etm_stack_leave_inlined(
        c, same, c->after >= ETM_AFTER_GAP ? (unsigned)ETM_CALL_CUT : 0);
    for (; same < n && c->status == ETM_OK; same++)
        enter(c, &inlined[same], address);
}
