/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined functions: frames on top of that of the function whose code has
 * theirs, as debug information tells of each instruction. */
#include "analyze/calls.h"

/* Chains of more places are forgotten. */
#define CHAINS_MOST ((size_t)1 << 16)

#define NO_PLACE 1u /* code is aligned to halfwords */

int etm_inlined_init(struct etm_calls *c)
{
    struct etm_inlined_place *places;

    etm_vec_init(&c->places, sizeof *places, &c->allocator);
    etm_vec_init(&c->chains, sizeof(struct etm_inlined), &c->allocator);
    if (!c->config.inlined)
        return ETM_OK;
    if (etm_vec_reserve(&c->places, ETM_INLINED_PLACES) != ETM_OK)
        return ETM_ERR_MEMORY;
    places = c->places.data;
    for (size_t i = 0; i < ETM_INLINED_PLACES; i++)
        places[i] = (struct etm_inlined_place){.address = NO_PLACE};
    return ETM_OK;
}

void etm_inlined_fini(struct etm_calls *c)
{
    etm_vec_fini(&c->places);
    etm_vec_fini(&c->chains);
}

/* What is inlined at an address. NULL: it failed. */
static const struct etm_inlined_place *look_up(struct etm_calls *c,
                                               uint32_t address)
{
    struct etm_inlined_place *places = c->places.data;
    struct etm_inlined_place *place =
        &places[(address >> 1) % ETM_INLINED_PLACES];
    size_t n = ETM_INLINED_MOST;

    if (place->address == address)
        return place;
    if (c->chains.n > CHAINS_MOST) {
        c->chains.n = 0;
        for (size_t i = 0; i < ETM_INLINED_PLACES; i++)
            places[i].address = NO_PLACE;
    }
    c->status = etm_vec_reserve(&c->chains, n);
    if (c->status == ETM_OK)
        c->status = c->config.inlined(
            c->config.inlined_context, address,
            (struct etm_inlined *)c->chains.data + c->chains.n, &n);
    if (c->status != ETM_OK)
        return NULL;
    *place = (struct etm_inlined_place){
        .address = address, .first = (uint32_t)c->chains.n, .n = (uint32_t)n};
    c->chains.n += n;
    return place;
}

static struct etm_frame *inlined_frame(const struct etm_calls *c, size_t i)
{
    return (struct etm_frame *)c->now->inlined.data + i;
}

static void enter(struct etm_calls *c, const struct etm_inlined *inlined,
                  uint32_t address)
{
    struct etm_frame frame;

    etm_stack_new(c, &frame);
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
    const struct etm_inlined_place *place;
    const struct etm_inlined *inlined;
    size_t same = 0, first;

    if (!top || etm_frame_is_exception(top))
        return;
    place = look_up(c, address);
    if (!place)
        return;
    inlined = (const struct etm_inlined *)c->chains.data + place->first;
    first = c->now->inlined.n - top->inlined;
    while (same < top->inlined && same < place->n &&
           inlined_frame(c, first + same)->instance == inlined[same].instance)
        same++;
    etm_stack_leave_inlined(
        c, same, c->after >= ETM_AFTER_GAP ? (unsigned)ETM_CALL_CUT : 0);
    for (; same < place->n && c->status == ETM_OK; same++)
        enter(c, &inlined[same], address);
}
