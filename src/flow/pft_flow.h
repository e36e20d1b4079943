/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets -> elements (PFT architecture, appendix B.3). */
#ifndef ETM_FLOW_PFT_FLOW_H
#define ETM_FLOW_PFT_FLOW_H

#include "flow/fast.h"
#include "flow/follow.h"
#include "flow/retstack.h"
#include "proto/pft.h"

#include <etm/packet.h>

/* Steps that are kept by the address that led to them: at first, and when there
 * is much code. */
#define ETM_PFT_TARGETS_LEAST 4096u
#define ETM_PFT_TARGETS_MOST 262144u

/* Facts of a link (image/block.h) are enum etm_step_kind, these, and enum
 * etm_isa from bit ETM_PFT_STEP_ISA on. The uppermost bit: if it passed, the
 * return stack says where a branch without link went (PFT architecture, 4.13).
 */
#define ETM_PFT_STEP_NO_CODE 8u /* there is no code here */
#define ETM_PFT_STEP_ISA 4u
#define ETM_PFT_STEP_ISA_MASK 7u
#define ETM_PFT_STEP_POP 0x8000u

/*
 * A waypoint more than 4096 bytes beyond the last waypoint's target is
 * announced by a waypoint update (PFT architecture, 4.9): a walk of twice that
 * proves the image wrong.
 */
#define ETM_PFT_WALK_MAX 8192u

/* What the loops of the fast path have ready, so that it is one look each. It
 * says nothing that is not said elsewhere; what may change is noted anew where
 * a loop begins. */
struct etm_pft_ready {
    /* heads of elements, see struct etm_fast_before */
    uint8_t trace_on[ETM_FAST_HEAD_SIZE];
    uint8_t gap[ETM_FAST_HEAD_SIZE]; /* ETM_ELEMENT_CYCLES */
    uint8_t no_image[ETM_FAST_HEAD_SIZE];
    uint8_t stamp[ETM_FAST_HEAD_SIZE];
    /* what an I-sync says of the state that is in force, and where, in its
     * first eight bytes */
    uint64_t state, mask;
    uint8_t thumb;                        /* ETM_ISA_THUMB or ETM_ISA_THUMBEE */
    bool gray;                            /* timestamps are Gray code */
    uint8_t context_id_bytes, stamp_bits; /* see struct etm_pft_format; of a
                                             full timestamp */
    uint32_t space, last_place;           /* see etm_pft_flow_place() */
    uint32_t *targets;
    struct etm_bundle *bundles;
};

/*
 * What a bundle does to the return stack: bit [31] of `push` says that it
 * calls; the rest is the entry that is there after it, 0 if it has returned.
 * Bit [31] of `back` says that it returns before it calls, to what was the
 * newest entry.
 */
#define ETM_PFT_BUNDLE_DOES (UINT32_C(1) << 31)

struct etm_pft_flow {
    struct etm_follow follow; /* CurrentState, and what comes of it */
    struct etm_config config;
    struct etm_broadcast last; /* LastState */
    struct etm_retstack stack;
    bool synced;   /* an I-sync came since the stream was broken */
    bool mismatch; /* the image proved wrong: wait for an address */
    bool astray;   /* a return led it is not known where: likewise */
    bool updated;  /* the last instruction came of a waypoint update */
    uint32_t updated_address; /* and this is its address */

    /* What runs unseen calls and returns, and the return stack is not what it
     * was. It is again where an exception led there from `back`, and the trace
     * comes back to that. */
    bool interrupted;       /* an exception came to a stack with entries */
    bool doubt;             /* and code has run unseen after it */
    bool came_back;         /* and led to `back`: as a return from it? */
    struct etm_return back; /* where the exception returns to */
    uint32_t back_top;      /* stack.top then */
    bool unseen;            /* code has run unseen since the last I-sync: there
                               may be entries of calls that it is not known */

    /* Of the blocks, which steps are seen in. Those that addresses of the trace
     * led to are kept as targets of the blocks, see etm_pft_flow_place(): it
     * changes nothing but what has to be looked up. */
    uint16_t space;

    struct etm_pft_ready ready;
};

/*
 * A loop of the fast path: takes whole packets out of `bytes`, and gives
 * elements until there are as many as `most`. Returns the bytes that it has
 * taken; d->offset is left to the caller.
 */
typedef size_t etm_pft_loop_fn(struct etm_pft_flow *flow,
                               const struct etm_pft_decoder *d,
                               const uint8_t *bytes, size_t n, size_t most);

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_pft_flow_init(struct etm_pft_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator);
void etm_pft_flow_fini(struct etm_pft_flow *flow);

/* Append elements to `out`; see follow.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_push(struct etm_pft_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);

/*
 * Take as many bytes as steps know the way for, whole packets; `d` stands
 * before the first of them. Returns how many that are, 0 as a rule where
 * anything out of the ordinary comes. Elements as etm_pft_flow_push().
 */
size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out);

/*
 * The block with the waypoint that the way from `first` comes to, or that has
 * no code. NULL where it is not as near as it has to be (doc/errata.md, E-14),
 * or memory is short, as f->status says.
 */
struct etm_block *etm_pft_way(struct etm_follow *f, struct etm_block *first);

/*
 * Fill the step of `start`, which goes through the waypoint of `block`. NULL if
 * it cannot have one or memory is short. May move the steps.
 */
struct etm_step *etm_pft_learn(struct etm_pft_flow *flow,
                               const struct etm_block *start,
                               struct etm_block *block);

/*
 * Fill a step that may be empty, without going there: the block that it ends
 * with. NULL where the flow itself has to look: there is no code, it is too
 * large, blocks are to be forgotten, or memory is short. May move the steps.
 */
struct etm_block *etm_pft_fill(struct etm_pft_flow *flow, uint32_t at);

/*
 * The step after another, after an atom; they are linked from now on. 0 where
 * the flow itself has to look, as above or because the atom does not tell. May
 * move the steps.
 */
uint32_t etm_pft_resolve(struct etm_pft_flow *flow, uint32_t at,
                         unsigned failed);

/* The loop for ETM_LEVEL_COVERAGE, with bundles or not. */
etm_pft_loop_fn *etm_pft_coverage_loop(const struct etm_pft_flow *flow,
                                       bool with_bundles);

/* The loop to be taken next where bundles are kept: one that takes them, or
 * `plain`. */
etm_pft_loop_fn *etm_pft_bundles_loop(struct etm_pft_flow *flow,
                                      etm_pft_loop_fn *plain);

/* Have that many places for targets, all empty. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_set_targets(struct etm_pft_flow *flow, size_t places);

/* Before numbers of steps mean something else. */
void etm_pft_flow_forget_returns(struct etm_pft_flow *flow);

/* Have the steps of the code that is seen now. */
void etm_pft_flow_see(struct etm_pft_flow *flow);

/* The step at an address, which is not among the targets, and now is; 0 when
 * memory is short. May move the steps. */
uint32_t etm_pft_flow_find(struct etm_pft_flow *flow, uint32_t address,
                           unsigned isa);

/* Once more what of `ready` may change when blocks come and go. */
static inline void etm_pft_flow_see_targets(struct etm_pft_flow *flow)
{
    const struct etm_vec *targets = &flow->follow.blocks.targets;

    flow->ready.targets = targets->data;
    flow->ready.last_place = (uint32_t)targets->n - 1;
    flow->ready.space = 2u * flow->space;
}

/*
 * Number of the place where the step at an address may be kept, and so it may
 * in the other one of these two (the number with another bit [0]). What is
 * there need not be at this address, but if it is it is seen in this space: one
 * address has different places in different spaces, of which there are fewer
 * than pairs of places.
 */
static inline uint32_t etm_pft_flow_place(const struct etm_pft_ready *ready,
                                          uint32_t address)
{
    return (address * UINT32_C(0x9e3779b1) >> 14 ^ ready->space) &
           ready->last_place;
}

/* The state that was broadcast last, and goes with the next address. */
static inline enum etm_tri etm_pft_flow_secure(const struct etm_pft_flow *flow)
{
    return flow->last.ns ? ETM_FALSE : ETM_TRUE;
}

static inline enum etm_tri etm_pft_flow_hyp(const struct etm_pft_flow *flow)
{
    return flow->config.virtualization && flow->last.hyp ? ETM_TRUE : ETM_FALSE;
}

/* Cycles between two stretches of trace: those counted, if they mean anything.
 * From v1.1 they do not after overflow or debug state (4.6). */
static inline uint64_t etm_pft_flow_gap_cycles(const struct etm_pft_flow *flow,
                                               unsigned reason, uint64_t cycles)
{
    return flow->config.minor >= 1 && reason != ETM_SYNC_TRACE_ON
               ? ETM_CYCLES_UNKNOWN
               : cycles;
}

/* An address came: what was not usable before it is told now. */
void etm_pft_flow_resume(struct etm_pft_flow *flow,
                         const struct etm_packet *packet);

/* The position is the address that was broadcast last, in the state that goes
 * with it. */
void etm_pft_flow_go_last(struct etm_pft_flow *flow,
                          const struct etm_packet *packet);

/* branch_with_excp() (B.3.2). */
void etm_pft_flow_exception(struct etm_pft_flow *flow,
                            const struct etm_packet *packet);

/* Take a timestamp; false while its high bits are not known. */
bool etm_pft_flow_time(struct etm_pft_flow *flow,
                       const struct etm_packet *packet, uint64_t *time);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_pft_flow_gap(struct etm_pft_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_pft_flow_finish(struct etm_pft_flow *flow, uint64_t offset,
                        struct etm_vec *out);

#endif
