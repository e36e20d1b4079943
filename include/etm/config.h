/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of one trace source: what its registers say about the
 * format of its trace.
 *
 * A struct etm_config is a plain value. Either fill it from register values
 * with etm_config_from_registers(), or set its fields by hand.
 */
#ifndef ETM_CONFIG_H
#define ETM_CONFIG_H

#include <etm/status.h>
#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Zero means default for every field, except that `protocol` must be given.
 * Fields that a version of the architecture does not have are false in a
 * configuration made by etm_config_from_registers().
 */
struct etm_config {
    size_t size; /* sizeof(struct etm_config); 0 is taken as that */
    enum etm_protocol protocol;
    enum etm_profile profile;
    uint8_t minor;    /* Y of ETMvX.Y or PFTv1.Y */
    uint8_t trace_id; /* ETMTRACEIDR[6:0]; 0 in an unformatted stream */

    /* ETMCR (ETM architecture 3.5.1; PFT: same offsets) */
    bool cycle_accurate;      /* [12] */
    uint8_t context_id_bytes; /* [15:14] as a number of bytes: 0, 1, 2, 4 */
    bool data_value;          /* [2] ETMv3 */
    bool data_address;        /* [3] ETMv3 */
    bool cprt;                /* [1] ETMv3: monitor coprocessor transfers */
    bool cprt_filter;         /* [19] ETMv3 */
    bool data_only;           /* [20] ETMv3.1 and later */
    bool branch_broadcast;    /* [8] */
    bool timestamps;          /* [28] ETMv3.5 and PFT */
    bool return_stack;        /* [29] PFT */
    bool vmid;                /* [30] ETMv3.5 and PFTv1.1 */

    /* ETMIDR (3.5.18) */
    bool pc_first;             /* [16] load/store multiples: PC first */
    bool thumb32_split;        /* not [18]: 32-bit Thumb traced as two */
    bool security;             /* [19] security extensions */
    bool alternative_branches; /* [20] ETMv3.4 and later */

    /* ETMCCER (3.5.19) */
    bool return_stack_implemented; /* [23] PFT */
    bool barriers_are_waypoints;   /* [24] PFT: DMB and DSB */
    bool virtualization;           /* [26] Hyp and VMID */
    bool timestamp_binary;         /* [28] natural binary, not Gray */
    bool timestamp_64bit;          /* [29] 64 bits, not 48 */

    /* ETMSYNCFR (3.5.17): bytes (ETMv2, ETMv3.0: cycles) between
       synchronizations; 0 is unknown */
    uint32_t sync_period;

    /* ETMv1 and ETMv2 do not trace these; they must be known to decode. */
    uint8_t port_width;     /* TRACEPKT pins: 4, 8 or 16; 0: 8 (4.3.1) */
    bool high_vectors;      /* HIVECS: vectors at 0xffff0000 (4.5.3) */
    enum etm_endian endian; /* of data (4.9.2) */
    /*
     * Words that LDC and STC of coprocessor n move in their short form, [n][0],
     * and their long one, [n][1], which has bit [22] of the opcode set: 1 to
     * 32; 0: not known. It is a matter of the coprocessor, and without it
     * ETMv1 loses the data packets behind such an instruction up to the next
     * address (4.11.2). VFP, coprocessors 10 and 11, is known by its opcodes.
     */
    uint8_t coprocessor_words[16][2];
};

/* One register value, by the name of the specification (ETMCR, ETMIDR ...). */
struct etm_register {
    char name[24];   /* without a number in brackets; case does not matter */
    uint32_t number; /* register number (offset / 4), ETM_REGISTER_NONE */
    uint64_t value;
};
#define ETM_REGISTER_NONE UINT32_MAX

/*
 * Make a configuration of register values. The protocol and its version come
 * from ETMIDR; `protocol`, if not ETM_PROTOCOL_NONE, must agree with it, and
 * stands in for it where ETMIDR is missing: then the last version of the
 * protocol is assumed, with Security Extensions and 32-bit Thumb instructions
 * traced as one where it may have them, and the original branch encoding.
 * Another missing register counts as 0, but without ETMCR the port of ETMv1
 * and ETMv2 has the default width. Registers that say nothing about the
 * trace format are passed over; one with a name that is not known counts by
 * its number. `profile` is set where ETMIDR is that of a known macrocell.
 *
 * Returns ETM_OK; ETM_ERR_CONFIG when a value makes no sense, contradicts
 * another or a needed register is missing: *diag names the register, and
 * *config is zero but for its size.
 */
int etm_config_from_registers(struct etm_config *config,
                              enum etm_protocol protocol,
                              const struct etm_register *registers, size_t n,
                              struct etm_diag *diag);

/*
 * The other way round: the register values that a macrocell with this
 * configuration shows, in ascending order of their numbers. Writes at most
 * `capacity` and returns the number of registers; a negative status is
 * ETM_ERR_CONFIG when no macrocell can be like that. `registers` may be NULL:
 * none is written.
 */
int etm_config_to_registers(const struct etm_config *config,
                            struct etm_register *registers, size_t capacity);

/* Check that the fields fit each other. ETM_OK or ETM_ERR_CONFIG. */
int etm_config_check(const struct etm_config *config, struct etm_diag *diag);

/*
 * Number of the register of that name, without case and with or without its
 * prefix ETM; or ETM_REGISTER_NONE.
 */
uint32_t etm_register_number(const char *name);

/* Name of a register number; NULL if the architecture names none. */
const char *etm_register_name(uint32_t number);

#ifdef __cplusplus
}
#endif
#endif
