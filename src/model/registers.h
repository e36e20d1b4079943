/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The register file of a macrocell (ETM architecture, chapter 3): what a
 * program sees, and the values that the resources use.
 *
 * The resources read value[] directly, and write those state items that live
 * there: the counters (ETMCNTVR), the sequencer (ETMSQR), and in ETMSR the
 * trigger flag, the start/stop state and the pending overflow. They do not
 * change them while etm_regfile_held(). State derived from the registers is out
 * of date if `generation` has changed.
 */
#ifndef ETM_MODEL_REGISTERS_H
#define ETM_MODEL_REGISTERS_H

#include <etm/macrocell.h>

#define ETM_REGISTERS 1024u

/* Register numbers (table 3-3); of several alike, the first. */
enum {
    ETM_REG_CR = 0x000,
    ETM_REG_CCR = 0x001,
    ETM_REG_TRIGGER = 0x002,
    ETM_REG_ASICCR = 0x003,
    ETM_REG_SR = 0x004,
    ETM_REG_SCR = 0x005,
    ETM_REG_TSSCR = 0x006,
    ETM_REG_TECR2 = 0x007,
    ETM_REG_TEEVR = 0x008,
    ETM_REG_TECR1 = 0x009,
    ETM_REG_FFRR = 0x00a,
    ETM_REG_FFLR = 0x00b,
    ETM_REG_VDEVR = 0x00c,
    ETM_REG_VDCR1 = 0x00d,
    ETM_REG_VDCR2 = 0x00e,
    ETM_REG_VDCR3 = 0x00f,
    ETM_REG_ACVR1 = 0x010,
    ETM_REG_ACTR1 = 0x020,
    ETM_REG_DCVR1 = 0x030, /* even numbers only */
    ETM_REG_DCMR1 = 0x040, /* even numbers only */
    ETM_REG_CNTRLDVR1 = 0x050,
    ETM_REG_CNTENR1 = 0x054,
    ETM_REG_CNTRLDEVR1 = 0x058,
    ETM_REG_CNTVR1 = 0x05c,
    ETM_REG_SQ12EVR = 0x060, /* then 21, 23, 31, 32, 13 */
    ETM_REG_SQR = 0x067,
    ETM_REG_EXTOUTEVR1 = 0x068,
    ETM_REG_CIDCVR1 = 0x06c,
    ETM_REG_CIDCMR = 0x06f,
    ETM_REG_IMPSPEC0 = 0x070,
    ETM_REG_SYNCFR = 0x078,
    ETM_REG_IDR = 0x079,
    ETM_REG_CCER = 0x07a,
    ETM_REG_EXTINSELR = 0x07b,
    ETM_REG_TESSEICR = 0x07c,
    ETM_REG_EIBCR = 0x07d,
    ETM_REG_TSEVR = 0x07e,
    ETM_REG_AUXCR = 0x07f,
    ETM_REG_TRACEIDR = 0x080,
    ETM_REG_IDR2 = 0x082,
    ETM_REG_VMIDCVR = 0x090,
    ETM_REG_OSLAR = 0x0c0,
    ETM_REG_OSLSR = 0x0c1,
    ETM_REG_OSSRR = 0x0c2,
    ETM_REG_PDCR = 0x0c4,
    ETM_REG_PDSR = 0x0c5,
    ETM_REG_ITCTRL = 0x3c0,
    ETM_REG_CLAIMSET = 0x3e8,
    ETM_REG_CLAIMCLR = 0x3e9,
    ETM_REG_LAR = 0x3ec,
    ETM_REG_LSR = 0x3ed,
    ETM_REG_AUTHSTATUS = 0x3ee,
    ETM_REG_DEVID = 0x3f2,
    ETM_REG_DEVTYPE = 0x3f3,
    ETM_REG_PIDR4 = 0x3f4,
    ETM_REG_PIDR0 = 0x3f8,
    ETM_REG_CIDR0 = 0x3fc
};

/* Bits of ETMCR (3.5.1). */
enum {
    ETM_CR_POWER_DOWN = 1 << 0,
    ETM_CR_CPRT = 1 << 1,
    ETM_CR_DATA_VALUE = 1 << 2,
    ETM_CR_DATA_ADDRESS = 1 << 3,
    ETM_CR_PORT_SIZE = 7 << 4,
    ETM_CR_STALL = 1 << 7,
    ETM_CR_BRANCH_OUTPUT = 1 << 8,
    ETM_CR_DEBUG_REQUEST = 1 << 9,
    ETM_CR_PROGRAMMING = 1 << 10,
    ETM_CR_PORT_ENABLE = 1 << 11,
    ETM_CR_CYCLE_ACCURATE = 1 << 12,
    ETM_CR_PORT_MODE_2 = 1 << 13, /* before v3.0: half-rate clocking */
    ETM_CR_CONTEXT_ID = 3 << 14,
    ETM_CR_PORT_MODE = 3 << 16,
    ETM_CR_SUPPRESS_DATA = 1 << 18,
    ETM_CR_CPRT_FILTER = 1 << 19,
    ETM_CR_DATA_ONLY = 1 << 20,
    ETM_CR_PORT_SIZE_3 = 1 << 21,
    ETM_CR_NO_DEBUGGER_WRITES = 1 << 22,
    ETM_CR_NO_SOFTWARE_WRITES = 1 << 23,
    ETM_CR_INSTRUMENTATION = 1 << 24,
    ETM_CR_CORE_SELECT = 7 << 25,
    ETM_CR_TIMESTAMP = 1 << 28,
    ETM_CR_RETURN_STACK = 1 << 29,
    ETM_CR_VMID = 1 << 30
};

/* Bits of ETMSR (3.5.5). */
enum {
    ETM_SR_OVERFLOW = 1 << 0,
    ETM_SR_PROGRAMMING = 1 << 1,
    ETM_SR_START_STOP = 1 << 2,
    ETM_SR_TRIGGER = 1 << 3
};

/* A bit of ETMSCR (3.5.6): the processor heeds FIFOFULL. From v1.3 on. */
#define ETM_SCR_FIFOFULL 0x100u

/*
 * Versions as one number, major in [7:4]: 0x12 is ETMv1.2. PFT continues after
 * ETMv3.5, as its registers do.
 */
enum {
    ETM_V1_0 = 0x10,
    ETM_V1_1 = 0x11,
    ETM_V1_2 = 0x12,
    ETM_V1_3 = 0x13,
    ETM_V2_0 = 0x20,
    ETM_V2_1 = 0x21,
    ETM_V3_0 = 0x30,
    ETM_V3_1 = 0x31,
    ETM_V3_2 = 0x32,
    ETM_V3_3 = 0x33,
    ETM_V3_4 = 0x34,
    ETM_V3_5 = 0x35,
    ETM_PFT1_0 = 0x40,
    ETM_PFT1_1 = 0x41
};

/*
 * From ETMv3.5 and PFT 1.1 on registers are saved and restored one by one
 * while the OS lock is set, and there is no ETMOSSRR (IHI 0014Q, 3.8.2;
 * IHI 0035B, 3.17.2; doc/errata.md, E-333). Software reads and writes them then
 * whatever ETMCR[0] and [10] and the sticky bit are, and debuggers get an
 * error; the claim tag is among them. ETMOSLSR[3] shows that there is a lock,
 * instead of [0], and ETMPDSR[5] its state. With one power domain there is no
 * lock, and no ETMPDCR. A reset sets the lock in every such chip (IHI
 * 0035B, 3.16.39; in PFT 1.0 that is the chip's choice), here if `os_lock_init`
 * is set: otherwise it is one that was unlocked since, and need not be unlocked
 * to program it.
 */
static inline bool etm_version_saves_by_hand(unsigned version)
{
    return version >= ETM_V3_5 && version != ETM_PFT1_0;
}

/* Properties of a register in this macrocell. */
enum etm_reg_flag {
    ETM_REG_EXISTS = 1,
    ETM_REG_READS = 2,     /* reading gives its value */
    ETM_REG_WRITES = 4,    /* writing is allowed */
    ETM_REG_MANAGEMENT = 8 /* not a trace register (table 3-4) */
};

/* How many of each resource there are (3.5.2, 3.5.19). */
struct etm_resource_counts {
    uint8_t sac_pairs, dvcs, mmds, counters, ext_in, ext_out, cidcs;
    uint8_t extsels, ext_ext_in, instrumentation, eices;
    bool sequencer, start_stop, fifofull;
    bool start_stop_eice, eice_behavior; /* ETMCCER[21:20] */
    bool no_data_address;                /* ETMCCER[12] */
    bool reduced_counter;                /* ETMCCER[27]: counter 1 counts
                                            cycles, reloads itself at zero, and
                                            has only a reload value */
};

/* State of a save or restore through ETMOSSRR (table 3-55). */
enum etm_ossrr_state {
    ETM_OSSRR_FIRST = 0, /* the first access is still to come */
    ETM_OSSRR_READY,     /* it gave the count */
    ETM_OSSRR_SAVE,
    ETM_OSSRR_RESTORE
};

struct etm_regfile {
    uint32_t value[ETM_REGISTERS];    /* absent bits are 0 */
    uint32_t writable[ETM_REGISTERS]; /* bits that a write changes */
    uint32_t defined[ETM_REGISTERS];  /* bits that may be written with 1 */
    uint8_t flags[ETM_REGISTERS];     /* enum etm_reg_flag */

    struct etm_macrocell_config config; /* `config` is NULL there */
    struct etm_config trace;
    struct etm_resource_counts counts;
    unsigned version; /* ETM_V3_4 ... */
    bool pft;
    bool security;
    uint8_t interfaces;  /* enum etm_interface */
    uint32_t port_sizes; /* mask of codes, never 0 but in PFT */
    uint32_t port_modes;
    uint8_t fifo_size; /* bytes; never 0 */

    struct etm_macrocell_pins pins;
    bool core_power, debug_power;
    bool sticky; /* ETMPDSR[1] */
    bool os_lock;
    bool lock;           /* the CoreSight lock */
    bool drained;        /* nothing is left in the FIFO */
    uint8_t kept;        /* state items written since ETMCR[10] was set:
                            counter n in bit n, KEPT_... in registers */
    uint8_t ossrr_state; /* enum etm_ossrr_state */
    uint16_t ossrr_index;
    uint16_t saved_count; /* words that ETMOSSRR moves */
    uint16_t saved[160];  /* and their registers, in order */

    uint32_t mistakes;   /* enum etm_mistake, since last taken */
    uint32_t generation; /* changes with any register that was written */
    uint64_t unknown;    /* state of the generator of UNKNOWN bits */
};

/*
 * Make a register file, powered, after an ETM reset. ETM_OK; or
 * ETM_ERR_ARGUMENT (a size) or ETM_ERR_CONFIG, and *diag names the register
 * or field. Keeps no pointer to *config.
 */
int etm_regfile_init(struct etm_regfile *r,
                     const struct etm_macrocell_config *config,
                     struct etm_diag *diag);

/* ETM reset (3.4.2). A processor reset changes no register. */
void etm_regfile_reset(struct etm_regfile *r);

/* One access. *value is 0 unless the result is OK or IGNORED. */
enum etm_access_result etm_regfile_read(struct etm_regfile *r, uint32_t number,
                                        enum etm_access access,
                                        uint32_t *value);
enum etm_access_result etm_regfile_write(struct etm_regfile *r, uint32_t number,
                                         enum etm_access access,
                                         uint32_t value);

/*
 * Power of the debug domain and of the core domain (3.8, 3.9). Without power
 * a domain loses its state. In a macrocell with one domain, `core` counts for
 * both.
 */
void etm_regfile_power(struct etm_regfile *r, bool debug, bool core);

/* Whether tracing and all state items are stopped: by the programming bit
 * (3.4.4), the power down bit, the OS lock (3.8.2), or because there is no
 * power. */
bool etm_regfile_held(const struct etm_regfile *r);

/* The effective programming bit, ETMSR[1]. From v3.2 on it waits for
   `drained` (3.5.5). */
bool etm_regfile_programming(const struct etm_regfile *r);

/* Are there timestamps? PTMs of PFT 1.0 that have them do not set their bit in
 * ETMCCER. E-337 */
bool etm_regfile_has_timestamps(const struct etm_regfile *r);

/*
 * The register that an MRC or MCR p14, 1, Rt, CRn, CRm, opc2 reaches (3.2.2);
 * ETM_REGISTER_NONE if the encoding is out of range in this version.
 */
uint32_t etm_regfile_coprocessor(const struct etm_regfile *r, unsigned crn,
                                 unsigned crm, unsigned opc2);

/* Shared by the files of the register file. */

/* idregs.c: configuration to identification registers. */
int etm_regfile_identity(struct etm_regfile *r, struct etm_diag *diag);
/* And registers that are computed when they are read. */
uint32_t etm_regfile_status(const struct etm_regfile *r);
uint32_t etm_regfile_system(const struct etm_regfile *r);
uint32_t etm_regfile_auth(const struct etm_regfile *r);
/* control.c: what writing a register does. */
void etm_regfile_store(struct etm_regfile *r, uint32_t number, bool debugger,
                       uint32_t value);
void etm_regfile_unknown(struct etm_regfile *r);
/* oslock.c */
void etm_regfile_saved_set(struct etm_regfile *r);
enum etm_access_result etm_regfile_save(struct etm_regfile *r, uint32_t *value);
enum etm_access_result etm_regfile_restore(struct etm_regfile *r,
                                           uint32_t value);

#endif
