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

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Zero means default for every field, except that `protocol` must be given.
 * In a configuration made by etm_config_from_registers(), fields that a version
 * of the architecture does not have are false, except thumb32_split, which is
 * true for all versions that trace the halves of BL (4.5.4); and the port of an
 * ETMv1 or ETMv2 has 8 pins if no register tells its width.
 */
struct etm_config {
    size_t size; /* sizeof(struct etm_config); or 0 */
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

    /* ETMv1 and ETMv2 do not trace these, but a decoder must know them. */
    uint8_t port_width;     /* TRACEPKT pins: 4, 8 or 16; 0: 8 (4.3.1) */
    bool high_vectors;      /* HIVECS: vectors at 0xffff0000 (4.5.3) */
    enum etm_endian endian; /* of data (4.9.2) */
    /*
     * Words transferred by LDC and STC of coprocessor n, 1 to 32: [n][0] in
     * their short form, [n][1] in their long form, which has bit [22] of the
     * opcode set; 0: unknown. The coprocessor decides this, and if it is
     * unknown, ETMv1 loses the data packets after such an instruction up to the
     * next address (4.11.2). For VFP, coprocessors 10 and 11, the opcode gives
     * the number of words.
     */
    uint8_t coprocessor_words[16][2];
    uint64_t reserve[8]; /* 0 */
};

/* One register value, by the name of the specification (ETMCR, ETMIDR ...). */
struct etm_register {
    char name[24];   /* without a number in brackets; case does not matter */
    uint32_t number; /* register number (offset / 4), ETM_REGISTER_NONE */
    uint64_t value;
};
#define ETM_REGISTER_NONE UINT32_MAX

/* Bits of a full timestamp, 48 or 64. PFTv1.0 has ETMCCER[29] reserved. */
static inline unsigned etm_timestamp_bits(const struct etm_config *config)
{
    if (config->protocol == ETM_PROTOCOL_PFT && config->minor == 0)
        return 48;
    return config->timestamp_64bit ? 64 : 48;
}

/*
 * Make a configuration from register values; the caller has set its size, or 0.
 * The protocol and its version come from ETMIDR; `protocol`, if not
 * ETM_PROTOCOL_NONE, must agree with it. If ETMIDR is missing, `protocol`
 * replaces it: the last version of the protocol is assumed, with the original
 * branch encoding and, where the protocol allows, with Security Extensions and
 * with 32-bit Thumb instructions traced as one. Any other missing register
 * counts as 0, except that without ETMCR the port of ETMv1 and ETMv2 has the
 * default width. Registers that say nothing about the trace format are
 * ignored; a register with an unknown name is identified by its number.
 * `profile` is set if ETMIDR is that of a known macrocell. For
 * ETM_PROTOCOL_ITM only ITM_TCR or ETMTRACEIDR matter, for the trace ID.
 *
 * Returns ETM_OK, or ETM_ERR_CONFIG if a value is invalid or contradicts
 * another, or if a required register is missing: *diag then names the register,
 * and *config is zero except for its size.
 */
int etm_config_from_registers(struct etm_config *config,
                              enum etm_protocol protocol,
                              const struct etm_register *registers, size_t n,
                              struct etm_diag *diag);

/*
 * The reverse: the register values of a macrocell with this configuration, in
 * ascending order of their numbers. Writes at most `capacity` registers (none
 * if `registers` is NULL) and returns how many there are (0 of an ITM), or
 * ETM_ERR_CONFIG if no macrocell can have this configuration.
 */
int etm_config_to_registers(const struct etm_config *config,
                            struct etm_register *registers, size_t capacity);

/* Check that the fields agree with each other. ETM_OK; ETM_ERR_CONFIG;
 * ETM_ERR_UNSUPPORTED: a member of a later version is set. */
int etm_config_check(const struct etm_config *config, struct etm_diag *diag);

/*
 * Name and version of a configuration's protocol: "ETMv3.5", "PFT 1.1".
 * Writes at most `capacity` bytes with the terminator; returns `text`.
 */
const char *etm_config_title(const struct etm_config *config, char *text,
                             size_t capacity);

/*
 * Number of the register of that name, or ETM_REGISTER_NONE. Case does not
 * matter, and the prefix ETM may be left out. Registers beside the macrocell
 * that select for it have their addresses as numbers: "DWT_COMP0" to
 * "DWT_FUNCTION3", and "DEMCR", of M-profile processors. Those of buffers that
 * say where trace begins, such as "ETB_RWP", have numbers above all others.
 */
uint32_t etm_register_number(const char *name);

/* Name of a register by its number; NULL if the architecture has no such
 * register. Static storage. */
const char *etm_register_name(uint32_t number);

#ifdef __cplusplus
}
#endif
#endif
