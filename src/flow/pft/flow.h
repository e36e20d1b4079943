/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets -> elements (PFT architecture, appendix B.3). */
#ifndef ETM_FLOW_PFT_FLOW_H
#define ETM_FLOW_PFT_FLOW_H

#include "flow/pft/retstack.h"
#include "flow/walk/fast.h"
#include "flow/walk/imprint.h"
#include "flow/walk/walk.h"
#include "proto/broadcast.h"
#include "proto/pft.h"

#include <etm/packet.h>

/*
 * A waypoint more than 4096 bytes beyond the last waypoint's target is
 * announced by a waypoint update (PFT architecture, 4.9): a walk of twice that
 * proves the image wrong.
 */
#define ETM_PFT_WALK_MAX 8192u

struct etm_pft_flow {
    struct etm_walk walk; /* CurrentState, and the elements */
    struct etm_config config;
    struct etm_broadcast last; /* LastState */
    struct etm_retstack stack;
    bool reliable[4]; /* etm_gap_is_reliable(), by enum etm_sync_reason */
    bool synced;      /* an I-sync came since the stream was broken */
    bool updated;     /* the last instruction came from a waypoint update */
    uint32_t updated_address; /* and this is its address */

    /* Unknown code calls and returns, which changes the return stack. The stack
     * is right again if an exception led from `back` to this code, and the
     * trace comes back there. */
    bool interrupted;       /* an exception occurred with entries on the
                               stack */
    bool doubt;             /* and unknown code has run after it */
    bool came_back;         /* and led to `back`: perhaps as a return from it */
    struct etm_return back; /* where the exception returns to */
    uint32_t back_top;      /* stack.top then */
    bool unseen;            /* unknown code has run since the last I-sync: there
                               may be entries of unknown calls */
};

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_pft_flow_init(struct etm_pft_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator);
void etm_pft_flow_fini(struct etm_pft_flow *flow);

/* Append elements to `out`; see walk.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_push(struct etm_pft_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);

/* etm_pft_flow_push() of one packet, to the output of the last call. */
void etm_pft_flow_packet(struct etm_pft_flow *flow,
                         const struct etm_packet *packet);

/* The atoms of a packet, or the last ones. */
void etm_pft_flow_atoms(struct etm_pft_flow *flow,
                        const struct etm_packet *packet);

/*
 * Take complete packets; `d` is before the first byte. Returns the number of
 * bytes taken, 0 if it is better to use the decoder. Elements as for
 * etm_pft_flow_push().
 */
size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out);

/* The security state that was broadcast last, which applies to the next
 * address. */
static inline enum etm_tri etm_pft_flow_secure(const struct etm_pft_flow *flow)
{
    return flow->last.ns ? ETM_FALSE : ETM_TRUE;
}

static inline enum etm_tri etm_pft_flow_hyp(const struct etm_pft_flow *flow)
{
    return flow->config.virtualization && flow->last.hyp ? ETM_TRUE : ETM_FALSE;
}

/* Cycles between two stretches of trace, if they can be trusted (4.6). */
static inline uint64_t etm_pft_flow_gap_cycles(const struct etm_pft_flow *flow,
                                               unsigned reason, uint64_t cycles)
{
    return flow->reliable[reason] ? cycles : ETM_CYCLES_UNKNOWN;
}

static inline void etm_pft_flow_clear_returns(struct etm_pft_flow *flow)
{
    etm_retstack_clear(&flow->stack);
    flow->interrupted = flow->doubt = flow->came_back = false;
}

/* The macrocell's return stack is empty, too. */
static inline void etm_pft_flow_no_returns(struct etm_pft_flow *flow)
{
    etm_pft_flow_clear_returns(flow);
    flow->unseen = false;
}

/* An instruction was executed that cannot be identified: it is not known
 * whether it has called or returned (doc/errata.md, E-378). */
static inline void etm_pft_flow_blind(struct etm_pft_flow *flow)
{
    etm_walk_blind(&flow->walk);
    flow->unseen = flow->config.return_stack;
    flow->came_back = false;
    if (flow->interrupted && flow->stack.top == flow->back_top)
        flow->doubt = true;
    else
        etm_pft_flow_clear_returns(flow);
}

/* An address came: report what could not be used before it. */
static inline void etm_pft_flow_resume(struct etm_pft_flow *flow,
                                       uint64_t offset)
{
    flow->walk.mismatch = flow->walk.astray = false;
    flow->walk.suspect = 0;
    etm_walk_resume(&flow->walk, offset);
}

/* The state that goes with an address in the trace. */
static inline void etm_pft_flow_take_state(struct etm_pft_flow *flow,
                                           uint64_t offset)
{
    etm_walk_state(&flow->walk, etm_pft_flow_secure(flow),
                   etm_pft_flow_hyp(flow), offset);
}

/* Set the position to the address that was broadcast last, in its state. */
static inline void etm_pft_flow_go_last(struct etm_pft_flow *flow,
                                        uint64_t offset)
{
    etm_pft_flow_take_state(flow, offset);
    etm_walk_go(&flow->walk, flow->last.address, (enum etm_isa)flow->last.isa,
                offset);
    /* bytecodes are never traced (PFT architecture, 4.8) */
    if (flow->last.isa == ETM_ISA_JAZELLE)
        etm_walk_nowhere(&flow->walk);
}

/* The time of a timestamp packet; false while its high bits are not known. */
bool etm_pft_flow_time(struct etm_pft_flow *flow,
                       const struct etm_packet *packet, uint64_t *time);

/* branch_with_excp() (B.3.2). */
void etm_pft_flow_exception(struct etm_pft_flow *flow,
                            const struct etm_packet *packet);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_pft_flow_gap(struct etm_pft_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_pft_flow_finish(struct etm_pft_flow *flow, uint64_t offset,
                        struct etm_vec *out);

/* All that the decoder and the flow will use again (base/imprint.h). */
void etm_pft_imprint(const struct etm_pft_decoder *d,
                     const struct etm_pft_flow *flow,
                     struct etm_imprint *imprint);

#endif
