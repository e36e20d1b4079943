/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3 packets -> elements (ETM architecture, chapter 7). */
#ifndef ETM_FLOW_ETMV3_FLOW_H
#define ETM_FLOW_ETMV3_FLOW_H

#include "flow/walk/data.h"
#include "flow/walk/imprint.h"
#include "flow/walk/position.h"
#include "flow/walk/walk.h"
#include "proto/etmv3.h"

#include <etm/packet.h>

/* What a P-header amounts to if its atoms are a run (tables 7-2, 7-3): `before`
 * W atoms, then n times `each` W and an atom E or N. n is ETM_ETMV3_NO_RUN if
 * they are not, and for other headers. */
struct etm_etmv3_shape {
    uint8_t before, n, each;
    uint8_t exec;   /* enum etm_tri: of the last one */
    uint8_t others; /* of those before it */
};
#define ETM_ETMV3_NO_RUN 0xffu

/* Maximum number of instructions in a P-header; and in cycle-accurate mode:
 * seven that passed and one that failed (format 1, table 7-3). */
#define ETM_ETMV3_ATOMS 16u
#define ETM_ETMV3_ATOMS_CYCLES 8u

/* What a header adds to a batch (batch.h): its atoms, without the place. 32
 * bytes, so that a shift is enough to look it up. */
struct etm_etmv3_share {
    union {
        uint8_t plain[ETM_ETMV3_ATOMS];
        uint16_t timed[ETM_ETMV3_ATOMS_CYCLES]; /* if cycles are counted */
    } all;
    uint64_t n; /* atoms, or ETM_ETMV3_NOT_ATOMS if no batch has this header */
    uint32_t cycles;
    bool branch; /* a branch packet */
};
#define ETM_ETMV3_NOT_ATOMS (UINT64_C(1) << 63)

struct etm_etmv3_flow {
    struct etm_walk walk;
    struct etm_etmv3_shape runs[256];   /* by P-header */
    struct etm_etmv3_share shares[256]; /* by header */
    struct etm_config config;
    bool data_traced;
    bool timed;                /* cycles are counted, and wanted */
    struct etm_broadcast base; /* what branch and I-sync packets said */
    /* For etm_etmv3_mark(): data addresses are still relative to what they were
     * at the mark, and data came whose address may be. */
    bool base_kept, base_used;

    bool synced; /* an I-sync came since the stream broke off */

    /* A gap whose length is still to come in a cycle count packet (7.3.4). */
    bool gap_pending, gap_unreliable;
    uint64_t gap_cycles;
    bool gap_used; /* for etm_etmv3_mark(): a gap from before the mark was
                      given, or would have been if there had been one */
};

/* Nothing can be cancelled any more. What an exception exit pops can be,
 * whatever is known of the instruction before it (7.5.4). */
static inline bool etm_etmv3_is_final(const struct etm_etmv3_flow *flow)
{
    return (flow->walk.last & ETM_LAST_VALID) == 0 &&
           ((flow->walk.last & ETM_LAST_EXIT) == 0 ||
            (flow->walk.data.owner.kind != ETM_DATA_OWNER_POP &&
             flow->walk.data.before.kind != ETM_DATA_OWNER_POP));
}

/* NS came with ETMv3.2; without the security extensions everything counts as
 * Secure (3.5.18, ETMIDR[19]). Hyp came with ETMv3.5. */
static inline enum etm_tri
etm_etmv3_secure_of(const struct etm_etmv3_flow *flow, bool ns)
{
    if (flow->config.minor < 2)
        return ETM_UNKNOWN;
    return ns ? ETM_FALSE : ETM_TRUE;
}

static inline enum etm_tri etm_etmv3_hyp_of(const struct etm_etmv3_flow *flow,
                                            bool hyp)
{
    return flow->config.virtualization && hyp ? ETM_TRUE : ETM_FALSE;
}

/*
 * There is nothing that would have to be looked at with each packet: nothing is
 * lost or has to be given first, and the state is that of the last address.
 * Only functions of the flow can change that.
 */
static inline bool etm_etmv3_is_settled(const struct etm_etmv3_flow *flow)
{
    const struct etm_walk *w = &flow->walk;

    return flow->synced && !w->mismatch && !w->has_lost &&
           !w->context_changed && w->blind_cycles == 0 && w->status == ETM_OK &&
           w->now.secure == (uint8_t)etm_etmv3_secure_of(flow, flow->base.ns) &&
           w->now.hyp == (uint8_t)etm_etmv3_hyp_of(flow, flow->base.hyp) &&
           w->isa != ETM_ISA_JAZELLE && !etm_blocks_full(&w->blocks);
}

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_etmv3_flow_init(struct etm_etmv3_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator);
void etm_etmv3_flow_fini(struct etm_etmv3_flow *flow);

/* From here on base_kept, base_used and gap_used are valid. */
static inline void etm_etmv3_mark(struct etm_etmv3_flow *flow)
{
    flow->base_kept = true;
    flow->base_used = flow->gap_used = false;
}

/* Append elements to `out`; see walk.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_etmv3_flow_push(struct etm_etmv3_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out);

/* etm_etmv3_flow_push() of one packet, to the output of the last call. */
int etm_etmv3_flow_packet(struct etm_etmv3_flow *flow,
                          const struct etm_packet *packet);

/* The last `n` instructions of the P-header `byte` at `offset`, and the W atoms
 * before each of them. */
void etm_etmv3_flow_rest(struct etm_etmv3_flow *flow, uint8_t byte,
                         struct etm_etmv3_header header, unsigned n,
                         uint64_t offset);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_etmv3_flow_gap(struct etm_etmv3_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_etmv3_flow_finish(struct etm_etmv3_flow *flow, uint64_t offset,
                          struct etm_vec *out);

/* All that the decoder and the flow will use again (base/imprint.h). */
void etm_etmv3_imprint(const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_flow *flow,
                       struct etm_imprint *imprint);

/* Since etm_etmv3_mark(): the state of ETMv3 that may stay unchanged for long,
 * and some of it set from an imprint; see session/decoder.h. */
struct etm_carried_sets etm_etmv3_carried(const struct etm_etmv3_flow *flow);
void etm_etmv3_carry(struct etm_etmv3_flow *flow, unsigned kinds,
                     const struct etm_imprint *imprint);

/* Packets that move the position (sync.c). */
void etm_etmv3_flow_branch(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
void etm_etmv3_flow_i_sync(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
void etm_etmv3_flow_cycle_count(struct etm_etmv3_flow *flow,
                                const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no atom. */
void etm_etmv3_flow_in_progress(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_gap_unknown(struct etm_etmv3_flow *flow, uint64_t offset);
void etm_etmv3_flow_entry(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_exit(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p);

/* Bytes -> elements, where that is usual (loop.c). */

/*
 * Take bytes while they hold whole packets and there are not enough elements
 * yet; `d` is before the first byte. Returns the number of bytes taken: 0 if
 * damage or the end of the bytes comes next. Elements are as from
 * etm_etmv3_flow_push(). When out of memory it stops, and
 * etm_etmv3_flow_push() returns that from then on.
 */
size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Whether it can take anything: only if each instruction has one atom. */
static inline bool etm_etmv3_has_fast_path(const struct etm_config *config)
{
    return !config->thumb32_split && !config->data_only;
}

/* etm_etmv3_flow_fast() if data are traced. */
size_t etm_etmv3_flow_fast_data(struct etm_etmv3_flow *flow,
                                struct etm_etmv3_decoder *d,
                                const uint8_t *bytes, size_t n,
                                struct etm_vec *out);

#endif
