/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the generators of all protocols: holding back one instruction, the
 * state that the trace has broadcast so far, compression of addresses, and the
 * output of packets.
 *
 *   events -> generator.c -> <protocol>_gen.c -> etm_gen_emit() -> packets
 *
 * generator.c turns events into calls of struct etm_gen_ops; the protocol
 * answers with packets; generator_object.c delivers them. Errors are sticky
 * (etm_gen.status), so that the protocols can be written without checks. In a
 * macrocell, resources, filters and the FIFO come before this (execute.h): they
 * decide which instructions reach the ops, and turn tracing on and off.
 */
#ifndef ETM_MODEL_GENERATOR_H
#define ETM_MODEL_GENERATOR_H

#include "base/exception.h"
#include "base/vec.h"
#include "base/writer.h"
#include "isa/insn.h"
#include "model/etmv1_port.h"
#include "model/etmv2_port.h"
#include "model/insn_cache.h"

#include <etm/model.h>

struct etm_gen;

/* The fate of an instruction, by the event after it. */
enum etm_gen_fate {
    ETM_GEN_COMPLETES = 0,
    ETM_GEN_CANCELLED, /* an exception cancels it */
    ETM_GEN_PAUSED,    /* M profile: it is resumed later, its data are kept */
    ETM_GEN_CHAINED,   /* M-profile exception return that leads directly to
                          another exception: no branch */
    ETM_GEN_UNDEFINED  /* an Undefined Instruction exception follows */
};

/* One executed instruction with what is known about it. */
struct etm_gen_insn {
    uint32_t address;
    uint8_t isa;
    uint8_t size;
    uint8_t fate; /* enum etm_gen_fate */
    bool passed;
    bool exception_return;
    bool untraced; /* tracing began in the stack pop after it */
    bool open;     /* where it leads will be known later, in `next` */
    uint8_t resume;
    uint64_t cycles; /* since the last event */
    struct etm_insn decoded;
    struct etm_place next;
};

/* A protocol: one row. Tracing is on when these are called, except start. */
struct etm_gen_ops {
    int (*encode)(const struct etm_config *config,
                  const struct etm_packet *packet, struct etm_writer *w);
    /* `gen->place` is the address of the instruction, with its state. */
    void (*insn)(struct etm_gen *gen, const struct etm_gen_insn *insn);
    /* An instruction while tracing is off; or, while it is on, one that is left
     * out. May be NULL. */
    void (*untraced)(struct etm_gen *gen, const struct etm_gen_insn *insn);
    /* `gen->place` is where execution would have continued. */
    void (*exception)(struct etm_gen *gen, const struct etm_event *event);
    /* An event of the data side with no instruction held, also while tracing is
     * off. Those after an instruction are in gen->after when it is released.
     * NULL: no data are traced. */
    void (*data)(struct etm_gen *gen, const struct etm_event *event);
    /* gen->context_id and vmid are the new ones. */
    void (*context)(struct etm_gen *gen, bool context_id, bool vmid);
    /* Output what is held back: a packet of another kind will follow. */
    void (*flush)(struct etm_gen *gen);
    void (*start)(struct etm_gen *gen, enum etm_sync_reason reason,
                  enum etm_in_progress progress);
    void (*stop)(struct etm_gen *gen);
    /* The FIFO has overflowed: forget what is held back, and add its cycles to
     * gen->cycles (not NULL if packets go through etm_gen_emit). */
    void (*drop)(struct etm_gen *gen);
    /* ETMv1, ETMv2: a trigger, instead of a packet. */
    void (*trigger)(struct etm_gen *gen);
    /* ETMv1, ETMv2, whose FIFO is their own: it is the end, and what is in it
     * comes out. Not NULL: there is no A-sync. */
    void (*finish)(struct etm_gen *gen);
    /* ETMv1, ETMv2: let gen->cycles pass, except for the cycle that is open.
     * `complete`: nothing more comes of the last instruction. */
    void (*pass)(struct etm_gen *gen, bool complete);
};

/* What the packets so far have said about the program (ETM architecture 7.3.5,
 * PFT: LastState). */
struct etm_gen_broadcast {
    uint32_t address;
    uint8_t isa; /* enum etm_isa, as broadcast: not that of the walk */
    bool ns, hyp;
    uint64_t timestamp; /* raw */
};

/* Return stack (PFT architecture, 4.13). */
struct etm_gen_return {
    uint32_t address;
    uint8_t isa;
    bool ns;
};

#define ETM_GEN_RETURNS 15u

struct etm_pft_gen {
    uint32_t start; /* where the walk to the next waypoint begins */
    uint32_t last;  /* last instruction of that walk so far */
    bool walked;    /* there is one */
    bool jazelle;   /* in Jazelle state: nothing is traced */
    uint8_t reason; /* enum etm_sync_reason of the I-sync after it */
    bool context_due, vmid_due; /* to output after the next waypoint */
    /*
     * Base of compression if waypoint updates do not change it. The
     * specification leaves that open (doc/errata.md), so addresses are long
     * enough for both.
     */
    uint32_t other_address;
    uint8_t other_isa;
    uint16_t atoms;  /* pending, two bits each, oldest lowest */
    uint8_t n_atoms; /* 0 to 5 */
    uint8_t n_returns, max_returns;
    struct etm_gen_return returns[ETM_GEN_RETURNS]; /* newest last */
};

/* Transfers under one tag whose values are to come: the two words of a
 * doubleword share it, and either may be left out of the trace. */
struct etm_gen_tag {
    uint8_t waits;  /* 0 to 2 */
    uint8_t traced; /* those with a placeholder; the older is bit 0 */
};

#define ETM_ETMV3_ATOMS 64u

/* The data side: what it broadcast, and the instruction it traces. */
struct etm_etmv3_data_gen {
    uint32_t address; /* base of compression */
    bool be;
    bool full;             /* the next address has five bytes (7.7.4) */
    uint64_t synchronized; /* offset of the last address of five bytes */
    uint32_t previous;     /* address of the last transfer */
    bool begun;            /* the owner has a packet */
    bool cprt, jazelle;    /* of the owner */
    bool voided;           /* transfers now are of an instruction that is
                              none that moves data in the trace */
    uint8_t done, count;   /* transfers of the owner; count 0: not known */
    bool owns;             /* the last instruction is the owner */
    uint8_t resume;        /* of the next instruction: done before */
    struct etm_gen_tag tags[4];
    uint8_t event_tag; /* of the last event of the data side */
    uint8_t last_tag;  /* of the last placeholder */
    uint64_t last_end; /* offset after it */
    bool signal;       /* SuppressData */
    bool active;       /* data suppression */
    bool whole;        /* it lasts until the owner has completed (7.4.6) */
};

struct etm_etmv3_gen {
    struct etm_etmv3_data_gen data;
    uint8_t atoms[ETM_ETMV3_ATOMS]; /* enum etm_atom, pending, oldest first */
    uint8_t n_atoms;
    uint64_t debt;  /* W atoms output that had not happened yet */
    uint64_t lost;  /* W atoms that the FIFO had no room for */
    bool count_due; /* a cycle count packet for the last I-sync */
    uint32_t count; /* its value */
};

#define ETM_ETMV1_TRANSFERS 32u

struct etm_etmv1_transfer {
    uint64_t delay; /* cycles after the one before */
    uint64_t value;
    uint32_t address;
    uint8_t size;
    bool filtered;
};

struct etm_etmv1_gen {
    struct etm_etmv1_port port;
    bool has_held; /* an instruction whose end is not known */
    struct etm_gen_insn held;
    uint64_t cycles; /* up to it, and those of its data after */
    uint8_t n_data;
    struct etm_etmv1_transfer data[ETM_ETMV1_TRANSFERS];
    bool trigger_due;   /* after it, */
    bool context_waits; /* and a new context ID */
    uint64_t debt;      /* records that had no cycle of their own */
    bool kept;          /* the last cycle of a gap, for the restart */
    uint8_t reason;     /* enum etm_etmv1_reason of a restart that is due */
    bool overflow;      /* nothing is traced until the FIFO is empty */
    bool context_due;   /* the next branch has the context ID */
    bool base_jazelle;  /* of `base` */
    uint32_t base;      /* last branch address output */
    uint32_t data_base; /* last data address output */
    uint32_t context_id;
};

/* The data side of ETMv2. */
struct etm_etmv2_data_gen {
    uint32_t address; /* base of compression */
    bool full;        /* the next address has five bytes (6.8.3) */
    bool owned;       /* transfers now belong to an instruction as traced */
    bool begun;       /* which has a packet */
    bool cprt, multiple;
    uint8_t last_tag;  /* of the last transfer */
    uint8_t event_tag; /* also if it was not traced */
    struct etm_gen_tag tags[4];
};

struct etm_etmv2_gen {
    struct etm_etmv2_port port;
    struct etm_etmv2_data_gen data;
    bool branch_due; /* when this many data events have passed: */
    unsigned data_left;
    struct etm_place target;
};

/* Steps of a periodic synchronization. */
enum etm_gen_sync {
    ETM_GEN_SYNC_NONE = 0,
    ETM_GEN_SYNC_I /* A-sync is out, I-sync is due */
};

struct etm_gen {
    struct etm_config config;
    struct etm_generator_config options;
    const struct etm_gen_ops *ops;
    struct etm_allocator allocator;
    int status; /* sticky */

    bool has_held;
    struct etm_gen_insn held;
    struct etm_vec behind; /* struct etm_event: data events after `held` */
    struct etm_gen_insn data_insn; /* last data instruction that passed */
    bool data_ns, data_hyp;        /* its state */
    bool has_data_insn;

    bool dense;             /* ETMv3: atoms, densely packed */
    bool flow_only;         /* and nothing but them and branches */
    bool on;                /* tracing */
    bool started;           /* an A-sync has been output */
    struct etm_place place; /* where execution goes on */
    uint32_t context_id;
    uint8_t vmid;
    /* Not traced yet by a count or W atoms. */
    uint64_t cycles;
    bool cycles_unknown;

    struct etm_gen_broadcast out;
    bool full_timestamp;   /* the next one has all its bytes */
    uint64_t synchronized; /* offset of the last A-sync */
    uint8_t sync;          /* enum etm_gen_sync */
    bool sync_waits;       /* while data are suppressed */
    bool sync_by_cycles;   /* ETMv3.0: the caller says when it is due */
    bool sync_due;         /* due (7.7.1) */
    bool d_sync_due;       /* and so is a data address of five bytes */

    uint64_t offset; /* bytes so far */
    /* Room in the FIFO: packets end here. One that does not sets `overflow`,
     * and is lost with all that come while that is set, except for triggers. */
    uint64_t limit;
    bool overflow;
    bool lost; /* ETMv1, ETMv2: trace was lost; cleared when this is shown */
    struct etm_vec packets;
    struct etm_vec bytes;

    union {
        struct etm_pft_gen pft;
        struct etm_etmv3_gen etmv3;
        struct etm_etmv1_gen etmv1;
        struct etm_etmv2_gen etmv2;
    } u;

    struct etm_insn_cache cache;
};

extern const struct etm_gen_ops etm_pft_gen_ops;
extern const struct etm_gen_ops etm_etmv3_gen_ops;
extern const struct etm_gen_ops etm_etmv1_gen_ops;
extern const struct etm_gen_ops etm_etmv2_gen_ops;

/* pft_gen.c: PFT 4.4; what is a barrier counts by ETMCCER[24]. */
bool etm_pft_is_waypoint(const struct etm_config *config,
                         const struct etm_insn *insn);

/* For callers of a generator within the library. */

/* As etm_generator_new(), in place. Nothing to undo after a failure. */
int etm_gen_init(struct etm_gen *gen,
                 const struct etm_generator_config *config);
void etm_gen_fini(struct etm_gen *gen);

/* Change the configuration, with the same protocol: its trace begins with an
 * A-sync. Tracing must be off. */
int etm_gen_configure(struct etm_gen *gen, const struct etm_config *config);

/* One event. Errors are in gen->status. */
void etm_gen_take(struct etm_gen *gen, const struct etm_event *event);

/* An insn event that is decoded already, with isa and size checked; its cycles
 * and where it leads are given beside it. */
void etm_gen_take_insn(struct etm_gen *gen, const struct etm_event *event,
                       const struct etm_insn *decoded, uint64_t cycles,
                       const struct etm_place *next);
/* Data events directly after it. */
void etm_gen_take_data(struct etm_gen *gen, const struct etm_event *events,
                       size_t n, bool filtered);

/* Whether transfers of the held exception return are still to come: its packet
 * comes after them, since those after it are of a pop (ETM architecture 7.5.4).
 * What is traced in between waits with it. */
bool etm_gen_awaits_data(const struct etm_gen *gen);

/* An exception that ETMv3 traces as cancelling in any case (table 4-2): how far
 * the instruction before a reset came is not known. */
bool etm_gen_resets(const struct etm_gen *gen, const struct etm_event *event);

/* Whether the instruction before it did not complete. Of these three it always
 * does, whatever the execution says (table 4-2). */
static inline bool etm_gen_cancels(const struct etm_event *event)
{
    return event->u.exception.cancels &&
           event->u.exception.type != ETM_EXCEPTION_SMC &&
           event->u.exception.type != ETM_EXCEPTION_SVC &&
           event->u.exception.type != ETM_EXCEPTION_UNDEFINED;
}

/* Whether the held instruction waits: for data, or for where it leads. */
static inline bool etm_gen_waits(const struct etm_gen *gen)
{
    return gen->has_held && (gen->held.open || etm_gen_awaits_data(gen));
}

/* Output the instruction that is held, unless it waits: no exception cancels
 * it. */
void etm_gen_release(struct etm_gen *gen);

/* A data event after an instruction, or one that waited among them; its cycles
 * have passed. */
void etm_gen_behind(struct etm_gen *gen, const struct etm_event *event);

/* Whether, while tracing is off, the held instruction may still be traced
 * because of its transfers: it transfers data, and only these came after it. */
bool etm_gen_may_begin(const struct etm_gen *gen);

/* Until etm_gen_take_up(), when tracing may have begun with it, the held
 * instruction is set aside; its time so far passes before. `silent`: its
 * transfers so far are not traced. */
void etm_gen_set_aside(struct etm_gen *gen, bool silent);
void etm_gen_take_up(struct etm_gen *gen, uint64_t cycles);

/* Turn tracing off, and drain its own FIFO, if any. */
void etm_gen_end(struct etm_gen *gen);

/* The FIFO has overflowed: tracing is off, and what is held back is lost,
 * except for its time, which belongs to the gap. */
void etm_gen_drop(struct etm_gen *gen);

/* Deliver what was collected; returns the status of the callbacks. */
int etm_gen_deliver(struct etm_gen *gen);

/* For the protocols. */

/* Encode a packet and append it; fills offset, size and header. */
void etm_gen_emit(struct etm_gen *gen, struct etm_packet *packet);

/* Output a packet of one byte that is known already; packets themselves are not
 * wanted. */
void etm_gen_emit_byte(struct etm_gen *gen, uint8_t byte);

/* A packet that consists of its header alone. */
void etm_gen_emit_kind(struct etm_gen *gen, enum etm_packet_kind kind);

/* Context ID and VMID packets, if the configuration has them. */
void etm_gen_emit_context_id(struct etm_gen *gen);
void etm_gen_emit_vmid(struct etm_gen *gen);

/*
 * How many bytes a packet needs to take `from` to `to` in compression, 1 to 5
 * (ETM architecture 7.3.5; PFT 4.3.3). The alternative encoding of ETMv3 is
 * also that of PFT.
 */
unsigned etm_gen_address_bytes(const struct etm_gen *gen, bool alternative,
                               uint32_t from, enum etm_isa from_isa,
                               uint32_t to, enum etm_isa to_isa);

/* Fill the address fields of a packet; `bytes` is 1 to 5. */
void etm_gen_set_address(struct etm_packet *packet, bool alternative,
                         uint32_t address, enum etm_isa isa, unsigned bytes);

/*
 * A branch packet to `to`, of at least `bytes` address bytes: address,
 * exception information bytes 0 and 1 as far as they are needed (ETM
 * architecture 7.3.5, PFT 4.3.4). `number` is Excp; `resume` asks for byte 2
 * unless it is 0. Updates the broadcast state; the caller adds what is left
 * and emits it.
 */
struct etm_packet etm_gen_branch(struct etm_gen *gen, bool alternative,
                                 const struct etm_place *to, unsigned bytes,
                                 unsigned number, bool cancel, unsigned resume);

/* Whether a branch to `to` has to show a new security state or Hyp mode. */
bool etm_gen_state_changes(const struct etm_gen *gen,
                           const struct etm_place *to);

/* I-sync for `at`; the caller adds the cycle count and emits it. Updates the
 * broadcast state. */
struct etm_packet etm_gen_i_sync(struct etm_gen *gen,
                                 const struct etm_place *at,
                                 enum etm_sync_reason reason);

/*
 * Every config.sync_period bytes an A-sync, an I-sync and, after it, the VMID
 * (PFT 4.2; ETM architecture 7.7). `next` is the next instruction to be traced.
 * Returns true when the I-sync was output.
 */
bool etm_gen_synchronize(struct etm_gen *gen, const struct etm_place *next);

/* Whether synchronization has nothing to do. */
static inline bool etm_gen_synchronized(const struct etm_gen *gen)
{
    return gen->sync == ETM_GEN_SYNC_NONE &&
           (gen->sync_by_cycles
                ? !gen->sync_due
                : gen->offset - gen->synchronized < gen->config.sync_period);
}

/*
 * Whether an exception with the target `to` has the five-byte form of ETMv3
 * (ETM architecture, table 7-8). This has no room for a change of security
 * state or AltISA, and exists only with ARM state as the target and in the
 * original encoding. It is the usual one before exception bytes came with v3.2.
 */
bool etm_gen_deprecated_form(const struct etm_gen *gen,
                             const struct etm_place *to,
                             enum etm_exception_type type, bool cancel);

/* Take the cycles not traced yet, as a count of 32 bits. */
uint32_t etm_gen_take_cycles(struct etm_gen *gen);

/* Let the cycles of an event pass. */
void etm_gen_pass_cycles(struct etm_gen *gen, const struct etm_event *event);

/* ETMv3 without instructions (7.4.10). */
static inline bool etm_gen_data_only(const struct etm_config *config)
{
    return config->protocol == ETM_PROTOCOL_ETMV3 && config->minor >= 1 &&
           config->data_only;
}

/* ETMv3: 0x76 exists from v3.4 on for M profile, from v3.5 on for all. */
static inline bool etm_gen_has_exit(const struct etm_config *config)
{
    return config->minor >= 5 ||
           (config->minor == 4 && config->profile == ETM_PROFILE_M);
}

/* Whether there are data packets at all. */
static inline bool etm_gen_traces_data(const struct etm_config *config)
{
    return config->protocol == ETM_PROTOCOL_ETMV3 &&
           (config->data_value || config->data_address || config->cprt);
}

/* A transfer without its value: the second of its tag, or the first one. */
void etm_gen_tag_transfer(struct etm_gen_tag *tag, bool second);

/* The placeholder of that transfer was output, directly after that of the first
 * if it is `paired`; otherwise a decoder forgets the first. */
void etm_gen_tag_traced(struct etm_gen_tag *tag, bool paired);

/* A value has come: whether its transfer has a placeholder. */
bool etm_gen_tag_value(struct etm_gen_tag *tag);

/* Stop with an error, unless there was one before. */
void etm_gen_fail(struct etm_gen *gen, int status);

/* Gray code of a binary number. */
static inline uint64_t etm_gen_gray(uint64_t value)
{
    return value ^ (value >> 1);
}

#endif
