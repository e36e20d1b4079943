/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second decoder of all four protocols, to compare the library's with: as
 * plain as the specification, and as slow as that. It has no cache of code, no
 * tables and no way that is faster than another: it takes one packet or cycle
 * after the other, reads one instruction after the other from memory, asks what
 * it is, looks at the atom or status and goes on.
 *
 * Nothing of src/proto, src/flow and src/image is used but etm_image_read() and
 * the form of records (proto/sample.h); of src/isa only what one instruction
 * is. Everything is kept in one list of instructions up to the end of the
 * stream, so that an instruction that an exception cancels is simply taken out
 * again, and ranges are made of the list when it is whole.
 */
#ifndef TEST_PLAIN_PLAIN_H
#define TEST_PLAIN_PLAIN_H

#include "support/capture.h"

#include "isa/insn.h"

#include <etm/decode.h>

/*
 * Decode a whole stream; what came before in *out is dropped. False: no
 * protocol. Registers of data transfers are not named.
 */
bool plain_decode(const struct etm_config *config,
                  const struct etm_image *image, enum etm_level level,
                  const uint8_t *bytes, size_t n,
                  struct etm_test_elements *out);

/* From here on: what plain.c, plain_common.c and the protocols share. */

struct plain_item {
    struct etm_element e; /* never a range */
    bool ends;            /* an instruction: the range ends after it */
    bool cut;             /* and the one after it was cancelled: so does the
                             range, but what stands aside stays before it */
    bool aside;           /* a count: it belongs before the open range */
    unsigned owner;       /* of a transfer, counted from 1 */
    unsigned transfer;    /* which of its packets, counted from 0 */
};

/* What applies to the instructions that are executed. */
struct plain_context {
    uint8_t isa, secure, hyp, vmid;
    bool context_id_known, vmid_known;
    uint32_t context_id;
};

/* What the packets have said: addresses are compressed against it. */
struct plain_said {
    uint32_t address;
    enum etm_isa isa;
    bool ns, alt_isa, hyp;
    uint64_t timestamp;
    unsigned timestamp_bits; /* known, from bit 0 on */
};

struct plain {
    const struct etm_config *config;
    const struct etm_image *image;
    struct plain_item *items;
    size_t n, capacity;

    const struct etm_packet *p; /* the packet at hand */
    bool synced;                /* an I-sync came */
    bool mismatch;              /* the image is wrong: wait for an address */
    unsigned suspect;           /* E-662: low bits of `said.address` that came
                                   from a packet that contradicts it */
    struct plain_said said;

    bool known; /* the position: where the next instruction is */
    uint32_t address;
    enum etm_isa isa;

    struct plain_context now, given;
    bool context_changed;
    uint64_t context_offset;
    bool context_timed; /* by a context ID packet: its cycle means something */
    uint64_t context_since;

    uint64_t cycles; /* since the last instruction that was counted */
    uint64_t blind;  /* of instructions that could not be named */

    bool lost; /* something is to be given as lost */
    enum etm_lost_reason lost_reason;
    uint64_t lost_offset, lost_bytes;
};

/* One protocol, the packets of a whole stream; `end` has the offset where it
 * ends, and nothing else. */
void plain_pft(struct plain *p, const struct etm_packet *packets, size_t n);
void plain_etmv3(struct plain *p, const struct etm_packet *packets, size_t n,
                 const struct etm_packet *end);

/* Protocols that are no packets: the records (proto/sample.h) of a stream. */
void plain_etmv1(struct plain *p, const uint8_t *bytes, size_t n);
void plain_etmv2(struct plain *p, const uint8_t *bytes, size_t n);

/* Append an element that the packet at hand led to. */
struct etm_element *plain_add(struct plain *p, enum etm_element_kind kind);

/* Cycles that are counted between packets of ETMv3 (7.3.3). */
bool plain_counts(const struct plain *p);

/* The element is of a packet whose cycle means something. */
void plain_time(const struct plain *p, struct etm_element *e);

/* Append an instruction. */
struct plain_item *plain_add_insn(struct plain *p, const struct etm_insn *insn,
                                  uint32_t address, enum etm_tri exec,
                                  uint64_t cycles);

/* Take an item out of the list. */
void plain_remove(struct plain *p, size_t index);

/* Read the instruction at an address; false: there is no code. */
bool plain_read(const struct plain *p, uint32_t address, struct etm_insn *insn);

/* A BL or BLX that two halves of Armv4T to Armv6 can make: E-178. */
bool plain_is_bl(const struct etm_insn *insn, uint32_t address);

/* The position, and the instruction set there. */
void plain_go(struct plain *p, uint32_t address, enum etm_isa isa);

/* Security and Hyp state, as enum etm_tri. */
void plain_state(struct plain *p, enum etm_tri secure, enum etm_tri hyp);

/* The context ID and the VMID of the packet at hand. */
void plain_context_id(struct plain *p);
void plain_forget_context_id(struct plain *p);
void plain_vmid(struct plain *p);
void plain_forget_vmid(struct plain *p);

/* Instructions are about to be named: give the context if it is another. */
void plain_give_context(struct plain *p);

/* There is no code at the position. */
void plain_no_image(struct plain *p);

/* Bytes of trace that are no use. */
void plain_lose(struct plain *p, enum etm_lost_reason reason, uint64_t bytes);
void plain_give_lost(struct plain *p);

/* E-662: the branch packet contradicts the image; another one comes: does it
 * leave bits of its address as they are? */
void plain_suspect(struct plain *p);
bool plain_is_suspect(const struct plain *p);

/* The image is not what ran. */
void plain_mismatch(struct plain *p, uint64_t bytes);

/* The trace gave an address. */
void plain_resume(struct plain *p);
/* Where the stream breaks off, cycles so far are given first: E-309. */
void plain_leave(struct plain *p);

/* Where tracing begins. */
void plain_trace_on(struct plain *p);

/* The packets that mean the same in both protocols; false: another one. */
bool plain_common(struct plain *p);

/* Address bits of a branch packet, a waypoint update or the like replace the
 * low bits of the last address; `isa` is what five bytes say. */
void plain_say_address(struct plain *p, uint32_t bits, unsigned n,
                       enum etm_isa isa);

/* The exception that a packet names. */
enum etm_exception_type plain_exception(const struct plain *p, uint16_t *irq);

/* That of a vector, by its offset divided by 4 (ETM architecture 4.5.3). */
enum etm_exception_type plain_vector(unsigned number);

bool plain_is_branch(const struct etm_insn *insn);

/* Transfers of data instructions are in the trace. */
bool plain_traces_data(const struct plain *p);

#endif
