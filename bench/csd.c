/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other decoder: OpenCSD through its C interface, in the configuration in
 * which it has least to do: one source without a formatter, code in a buffer,
 * no printing, and a callback that only counts.
 */
#include "contender.h"

#include "memory.h"

#include <opencsd/c_api/opencsd_c_api.h>

#include <stdio.h>
#include <string.h>

/* Its sizes have 32 bits. */
#define PIECE ((size_t)1 << 30)

bool etm_bench_csd_is_here(void)
{
    return true;
}

const char *etm_bench_csd_version(void)
{
    return ocsd_get_version_str();
}

static ocsd_datapath_resp_t count_element(const void *context,
                                          const ocsd_trc_index_t at,
                                          const uint8_t id,
                                          const ocsd_generic_trace_elem *e)
{
    /* its callbacks have a const context, which is ours to write */
    uint64_t *count = *(uint64_t *const *)context;

    (void)at;
    (void)id;
    if (e->elem_type == OCSD_GEN_TRC_ELEM_INSTR_RANGE)
        *count += e->num_instr_range;
    return OCSD_RESP_CONT;
}

static ocsd_datapath_resp_t count_packet(const void *context,
                                         const ocsd_datapath_op_t op,
                                         const ocsd_trc_index_t at,
                                         const void *packet)
{
    uint64_t *count = *(uint64_t *const *)context;

    (void)at;
    (void)packet;
    *count += op == OCSD_OP_DATA;
    return OCSD_RESP_CONT;
}

struct csd {
    dcd_tree_handle_t tree;
    uint64_t *count;
    bool dead; /* it gave up */
};

static void must(ocsd_err_t error, const char *what)
{
    if (error == OCSD_OK)
        return;
    fprintf(stderr, "OpenCSD: %s: error %d\n", what, (int)error);
    abort();
}

static void create(dcd_tree_handle_t tree, const struct etm_bench_stream *s,
                   int flags, unsigned char *id)
{
    ocsd_core_profile_t profile =
        s->config.profile == ETM_PROFILE_M ? profile_CortexM : profile_CortexA;
    ocsd_ptm_cfg ptm = {.reg_idr = s->etmidr,
                        .reg_ctrl = s->etmcr,
                        .reg_ccer = s->etmccer,
                        .reg_trc_id = s->config.trace_id,
                        .arch_ver = ARCH_V7,
                        .core_prof = profile};
    ocsd_etmv3_cfg etmv3 = {.reg_idr = s->etmidr,
                            .reg_ctrl = s->etmcr,
                            .reg_ccer = s->etmccer,
                            .reg_trc_id = s->config.trace_id,
                            .arch_ver = ARCH_V7,
                            .core_prof = profile};

    if (s->config.protocol == ETM_PROTOCOL_PFT)
        must(
            ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_PTM, flags, &ptm, id),
            "PTM decoder");
    else
        must(ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV3, flags, &etmv3,
                                    id),
             "ETMv3 decoder");
}

void etm_bench_csd_init(struct etm_bench_contender *c,
                        const struct etm_bench_stream *s)
{
    bool full = c->what == ETM_BENCH_CSD;
    struct csd *csd = etm_bench_memory(sizeof *csd);
    unsigned char id;

    *csd = (struct csd){.count = &c->count};
    c->decoder = csd;
    ocsd_def_errlog_init(OCSD_ERR_SEV_NONE, 0);
    csd->tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
    if (csd->tree == C_API_INVALID_TREE_HANDLE)
        abort();
    create(csd->tree, s,
           full ? OCSD_CREATE_FLG_FULL_DECODER : OCSD_CREATE_FLG_PACKET_PROC,
           &id);
    if (full) {
        must(ocsd_dt_set_gen_elem_outfn(csd->tree, count_element, &csd->count),
             "callback");
        must(ocsd_dt_add_buffer_mem_acc(csd->tree, s->code_address,
                                        OCSD_MEM_SPACE_ANY, s->code,
                                        (uint32_t)s->code_size),
             "code");
    } else {
        /* a pointer to a function goes through one to an object here */
        FnDefPktDataIn sink = count_packet;
        void *as_object;
        memcpy(&as_object, &sink, sizeof as_object);
        must(ocsd_dt_attach_packet_callback(
                 csd->tree, id, OCSD_C_API_CB_PKT_SINK, as_object, &csd->count),
             "callback");
    }
}

void etm_bench_csd_push(struct etm_bench_contender *c, const uint8_t *bytes,
                        size_t n)
{
    struct csd *csd = c->decoder;
    uint64_t at = c->offset;

    while (n != 0 && !csd->dead) {
        uint32_t piece = (uint32_t)(n < PIECE ? n : PIECE);
        uint32_t used = 0;
        ocsd_datapath_resp_t response = ocsd_dt_process_data(
            csd->tree, OCSD_OP_DATA, (ocsd_trc_index_t)at, piece, bytes, &used);

        csd->dead = OCSD_DATA_RESP_IS_FATAL(response) || used == 0;
        bytes += used;
        at += used;
        n -= used;
    }
    if (csd->dead)
        fprintf(stderr, "OpenCSD stopped at byte %llu\n",
                (unsigned long long)at);
}

void etm_bench_csd_finish(struct etm_bench_contender *c)
{
    struct csd *csd = c->decoder;
    uint32_t used;

    if (!csd->dead)
        ocsd_dt_process_data(csd->tree, OCSD_OP_EOT, 0, 0, NULL, &used);
}

void etm_bench_csd_fini(struct etm_bench_contender *c)
{
    struct csd *csd = c->decoder;

    ocsd_destroy_dcd_tree(csd->tree);
    free(csd);
}

/* Where its ranges go. */
struct taker {
    etm_bench_csd_range_fn *range;
    void *context;
};

static ocsd_datapath_resp_t give_range(const void *context,
                                       const ocsd_trc_index_t at,
                                       const uint8_t id,
                                       const ocsd_generic_trace_elem *e)
{
    const struct taker *taker = context;

    (void)at;
    if (e->elem_type == OCSD_GEN_TRC_ELEM_INSTR_RANGE)
        taker->range(taker->context, id, e->isa != ocsd_isa_arm,
                     (uint32_t)e->st_addr, e->num_instr_range);
    return OCSD_RESP_CONT;
}

/* As its own lister does: until the end, or an error that it calls fatal. */
static void push_all(dcd_tree_handle_t tree, const uint8_t *bytes, size_t n)
{
    uint64_t at = 0;
    uint32_t used = 0;

    while (n != 0) {
        ocsd_datapath_resp_t response =
            ocsd_dt_process_data(tree, OCSD_OP_DATA, (ocsd_trc_index_t)at,
                                 (uint32_t)n, bytes, &used);

        if (OCSD_DATA_RESP_IS_FATAL(response) || used == 0)
            return;
        bytes += used;
        at += used;
        n -= used;
    }
    ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, &used);
}

void etm_bench_csd_ranges(const struct etm_bench_stream *sources,
                          size_t n_sources, enum etm_bench_csd_frames frames,
                          const uint8_t *bytes, size_t n,
                          etm_bench_csd_range_fn *range, void *context)
{
    static const uint32_t flags[] = {
        [ETM_BENCH_CSD_NO_FRAMES] = 0,
        [ETM_BENCH_CSD_ALIGNED] = OCSD_DFRMTR_FRAME_MEM_ALIGN,
        [ETM_BENCH_CSD_TPIU] = OCSD_DFRMTR_HAS_FSYNCS | OCSD_DFRMTR_HAS_HSYNCS,
    };
    struct taker taker = {range, context};
    dcd_tree_handle_t tree;
    unsigned char id;

    ocsd_def_errlog_init(OCSD_ERR_SEV_NONE, 0);
    tree = ocsd_create_dcd_tree(frames == ETM_BENCH_CSD_NO_FRAMES
                                    ? OCSD_TRC_SRC_SINGLE
                                    : OCSD_TRC_SRC_FRAME_FORMATTED,
                                flags[frames]);
    if (tree == C_API_INVALID_TREE_HANDLE)
        abort();
    for (size_t i = 0; i < n_sources; i++)
        create(tree, &sources[i], OCSD_CREATE_FLG_FULL_DECODER, &id);
    must(ocsd_dt_set_gen_elem_outfn(tree, give_range, &taker), "callback");
    must(ocsd_dt_add_buffer_mem_acc(tree, sources->code_address,
                                    OCSD_MEM_SPACE_ANY, sources->code,
                                    (uint32_t)sources->code_size),
         "code");
    push_all(tree, bytes, n);
    ocsd_destroy_dcd_tree(tree);
}
