/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets -> elements (PFT architecture, appendix B.3). */
#ifndef ETM_FLOW_PFT_FLOW_H
#define ETM_FLOW_PFT_FLOW_H

#include "flow/pft/retstack.h"
#include "flow/walk/fast.h"
#include "flow/walk/imprint.h"
#include "flow/walk/walk.h"
#include "proto/pft.h"

#include <etm/packet.h>

/* Number of steps kept by the address that led to them: at first, and with much
 * code. */
#define ETM_PFT_TARGETS_LEAST 4096u
#define ETM_PFT_TARGETS_MOST 262144u

/* Facts of a link (image/block.h) are enum etm_step_kind, these, and enum
 * etm_isa from bit ETM_PFT_STEP_ISA on. The top bit: if the branch, which has
 * no link, was taken, the return stack gives its target (PFT architecture,
 * 4.13).
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

/* What the loops of the fast path need in a form that is quick to check. It is
 * all derived from other state; what may change is derived again when a loop
 * begins. */
struct etm_pft_ready {
    /* heads of elements, see struct etm_fast_before */
    uint8_t trace_on[ETM_FAST_HEAD_SIZE];
    uint8_t gap[ETM_FAST_HEAD_SIZE]; /* ETM_ELEMENT_CYCLES */
    uint8_t no_image[ETM_FAST_HEAD_SIZE];
    uint8_t stamp[ETM_FAST_HEAD_SIZE];
    /* the state as an I-sync has it in its first eight bytes, and the mask of
     * these bits */
    uint64_t state, mask;
    uint8_t thumb;                        /* ETM_ISA_THUMB or ETM_ISA_THUMBEE */
    bool gray;                            /* timestamps are Gray code */
    uint8_t context_id_bytes, stamp_bits; /* see struct etm_pft_format; bits of
                                             a full timestamp */
    uint32_t space, last_place;           /* see etm_pft_flow_place() */
    struct etm_target *targets;
};

struct etm_pft_flow {
    struct etm_walk walk; /* CurrentState, and the elements */
    struct etm_config config;
    struct etm_broadcast last; /* LastState */
    struct etm_retstack stack;
    bool synced;   /* an I-sync came since the stream was broken */
    bool mismatch; /* the image proved wrong: wait for an address */
    bool astray;   /* a return led to an unknown address, or Debug state was
                      entered: wait likewise */
    bool updated;  /* the last instruction came from a waypoint update */
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

    /* The space of the blocks in which steps are visible. Steps that addresses
     * of the trace led to are kept as targets, see etm_pft_flow_place(): this
     * only saves lookups. */
    uint16_t space;

    struct etm_pft_ready ready;
};

/*
 * A loop of the fast path: takes complete packets from `bytes`, and gives
 * elements until there are `most` of them. Returns the number of bytes taken;
 * d->offset is left to the caller.
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

/* Append elements to `out`; see walk.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_push(struct etm_pft_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);

/*
 * Take complete packets as long as steps know the way; `d` is before the first
 * byte. Returns the number of bytes taken, usually 0 if a packet is not
 * ordinary. Elements as for etm_pft_flow_push().
 */
size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out);

/*
 * The block with the next waypoint from `first` on, or the first without code.
 * NULL if it is beyond the limit (doc/errata.md, E-14), or if memory has run
 * out, as f->status says.
 */
struct etm_block *etm_pft_way(struct etm_walk *f, struct etm_block *first);

/*
 * Fill the step of `start`, which ends with the waypoint of `block`. NULL if it
 * cannot have a step or memory has run out. May move the steps.
 */
struct etm_step *etm_pft_learn(struct etm_pft_flow *flow,
                               const struct etm_block *start,
                               struct etm_block *block);

/*
 * Fill a step that may be empty, without walking it. Returns the block that it
 * ends with; NULL if this is left to the flow: there is no code, it is too
 * large, blocks must be forgotten first, or memory has run out. May move the
 * steps.
 */
struct etm_block *etm_pft_fill(struct etm_pft_flow *flow, uint32_t at);

/*
 * Find the step after another one, after an atom, and link them. 0 if this is
 * left to the flow, as above or because the atom does not determine it. May
 * move the steps.
 */
uint32_t etm_pft_resolve(struct etm_pft_flow *flow, uint32_t at,
                         unsigned failed);

/* Make this many empty places for targets. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_set_targets(struct etm_pft_flow *flow, size_t places);

/* To be called before step numbers change. */
void etm_pft_flow_forget_returns(struct etm_pft_flow *flow);

/* Use the steps of the code that is visible now. */
void etm_pft_flow_see(struct etm_pft_flow *flow);

/*
 * An address of ARM or Thumb code in one number, which is not 0: the address
 * without the bits that are 0 in its instruction set, and a 1 above it, bit
 * [30] or [31]. A packet with fewer than five address bytes replaces low bits
 * of this number, whichever it is. ThumbEE counts as Thumb: ready.thumb says
 * what it is.
 */
static inline uint32_t etm_pft_key(uint32_t address, unsigned thumb)
{
    return (uint32_t)((UINT64_C(1) << 32 | address) >> (2 - thumb));
}

static inline unsigned etm_pft_key_isa(const struct etm_pft_ready *ready,
                                       uint32_t key)
{
    return key >> 31 != 0 ? ready->thumb : ETM_ISA_ARM;
}

static inline uint32_t etm_pft_key_address(uint32_t key)
{
    return key << (2 - (key >> 31));
}

/* Find the step at an address that is not among the targets, and put it there;
 * 0: out of memory. May move the steps. */
uint32_t etm_pft_flow_find(struct etm_pft_flow *flow, uint32_t key);

/* Derive again what may change in `ready` when blocks come and go. */
static inline void etm_pft_flow_see_targets(struct etm_pft_flow *flow)
{
    const struct etm_vec *targets = &flow->walk.blocks.targets;

    flow->ready.targets = targets->data;
    flow->ready.last_place = (uint32_t)targets->n - 1;
    flow->ready.space =
        4u * flow->space + 2u * (flow->ready.thumb == ETM_ISA_THUMBEE);
}

/*
 * Number of the place where the step at an address may be kept; the other
 * possible place has bit [0] inverted. If the key there is that of the address,
 * the step is visible in this space, and in this instruction set if there is
 * ThumbEE: in each of them the address has other places, because there are
 * fewer than pairs of places.
 */
static inline uint32_t etm_pft_flow_place(const struct etm_pft_ready *ready,
                                          uint32_t key)
{
    return (key * UINT32_C(0x9e3779b1) >> 14 ^ ready->space) &
           ready->last_place;
}

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

/* Cycles between two stretches of trace: those counted, if they are meaningful.
 * From v1.1 on they are not after an overflow or debug state (4.6): as
 * etm_gap_is_reliable(), but in the loops no function is called for it. */
static inline uint64_t etm_pft_flow_gap_cycles(const struct etm_pft_flow *flow,
                                               unsigned reason, uint64_t cycles)
{
    return flow->config.minor >= 1 && reason != ETM_SYNC_TRACE_ON
               ? ETM_CYCLES_UNKNOWN
               : cycles;
}

/* An address came: report what could not be used before it. */
static inline void etm_pft_flow_resume(struct etm_pft_flow *flow,
                                       uint64_t offset)
{
    flow->mismatch = flow->astray = false;
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

/* All that the decoder and the flow will use again (base/imprint.h). */
void etm_pft_imprint(const struct etm_pft_decoder *d,
                     const struct etm_pft_flow *flow,
                     struct etm_imprint *imprint);

#endif
