/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking the program: the one struct that the flows of all protocols have. It
 * is the position in the code, the last instruction, the range that is being
 * walked, the context, the owner of data transfers, and the resulting elements.
 * Elements from index `held` on may still be changed or taken back (a later
 * packet can cancel an instruction); the caller must not use them.
 *
 * walk.h and position.h have what a flow does with it, data.h what data packets
 * do.
 */
#ifndef ETM_FLOW_STATE_H
#define ETM_FLOW_STATE_H

#include "base/vec.h"
#include "flow/walk/fast.h"
#include "image/block.h"
#include "isa/insn.h"

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/packet.h>

/* The context of instructions. */
struct etm_walk_context {
    uint8_t isa;    /* enum etm_isa */
    uint8_t secure; /* enum etm_tri */
    uint8_t hyp;    /* enum etm_tri */
    bool context_id_known, vmid_known;
    uint8_t vmid;
    uint32_t context_id;
};

/* A range: n instructions from `start` to the one at `index` of a block. */
struct etm_walk_range {
    const struct etm_block *block; /* NULL: none */
    uint32_t index, start, n;
    uint8_t exec; /* enum etm_tri: of the last one */
    uint64_t cycles;
};

/* What is known of the last instruction traced. */
enum etm_last {
    ETM_LAST_VALID = 1u << 0,    /* there is one that can be cancelled */
    ETM_LAST_DIRECT = 1u << 1,   /* a direct branch, taken */
    ETM_LAST_INDIRECT = 1u << 2, /* an indirect branch, taken */
    ETM_LAST_EXIT = 1u << 3,     /* an exception exit packet follows it */
    ETM_LAST_TARGETED = 1u << 4, /* a branch packet followed it */
    ETM_LAST_OWNER = 1u << 5,    /* data packets belong to it */
    ETM_LAST_NONE_YET = 1u << 6, /* none since tracing began */
    ETM_LAST_FIRST = 1u << 7,    /* there was none before it */
    ETM_LAST_HALTED = 1u << 8,   /* a Debug entry packet followed it */
    /* It is at `no_code`, where no code is known: not VALID, but an exception
     * can still say that it was cancelled. */
    ETM_LAST_NO_CODE = 1u << 9
};

/* The most words that an instruction transfers: VLDM of 16 doublewords. */
#define ETM_DATA_TRANSFERS_MAX 32u

/*
 * The element that a packet became: its number, counted from the beginning of
 * the stream; or, for a placeholder whose value has not come, its slot:
 * ETM_DATA_SLOT | tag << 1 | which.
 */
#define ETM_DATA_SLOT (UINT64_C(1) << 62)
#define ETM_DATA_NONE UINT64_MAX

/* An element that is not made: at the level of coverage transfers are not
 * wanted. Their owners are still tracked, because other elements depend on
 * them. */
#define ETM_DATA_UNMADE (UINT64_MAX - 1)

enum etm_data_owner_kind {
    ETM_DATA_OWNER_NONE = 0,
    ETM_DATA_OWNER_INSN,
    ETM_DATA_OWNER_PUSH, /* M-profile exception entry (7.5.3) */
    ETM_DATA_OWNER_POP   /* M-profile exception exit (7.5.4) */
};

struct etm_data_owner {
    uint8_t kind;   /* enum etm_data_owner_kind */
    bool pc_first;  /* ETMIDR[16]: the PC is the first transfer */
    bool addressed; /* a transfer after the first gave its address */
    bool unplaced;  /* it is not known which of its transfers were traced */
    bool settled;   /* no more packets will come, and they are numbered */
    bool failed;    /* one of its words was a store that failed (7.4.7) */
    bool previous_known;
    uint8_t done;      /* transfers that were made before it was paused */
    uint32_t insn;     /* address of the instruction */
    uint32_t previous; /* address of the last transfer */
    struct etm_transfers transfers;
    unsigned n;    /* packets so far */
    uint64_t hole; /* number of its data suppressed element */
    uint64_t item[ETM_DATA_TRANSFERS_MAX];
};

/* A placeholder whose value has not come (7.4.3). */
struct etm_data_slot {
    bool used;
    bool void_owner; /* its instruction was cancelled: drop the value */
    bool exclusive;  /* a store that can fail (7.4.7) */
    struct etm_element element;
};

/* No tag: those are 1 to 3, in ETMv2 0 to 3. */
#define ETM_DATA_NO_TAG 0xffu

struct etm_data_join {
    const struct etm_config *config;
    struct etm_data_owner owner;
    /* The instruction before a push: it may still be cancelled, or turn out
     * to have been paused (7.5.2). */
    struct etm_data_owner before;
    struct etm_data_slot slots[4][2]; /* by tag; two for 64-bit transfers */
    uint64_t stream_end;              /* of the last data packet */
    uint64_t last;                    /* its element, if it had a value */
    /* If that value came out of order and was one of the two words of a store
     * that can fail: the other word, which came directly before or still
     * waits. */
    uint64_t partner;
    uint8_t last_tag; /* of the last packet, if it was a placeholder */
    bool timed;       /* packets have their cycles: etm_walk_time() */
    uint8_t done;     /* this many transfers are done already (0: nothing is */
    uint32_t resumes; /* resumed) of the instruction at this address */
};

struct etm_walk {
    struct etm_blocks blocks;
    struct etm_vec *out; /* struct etm_element; set for each push */
    size_t held;         /* elements that are final */
    uint64_t base;       /* elements already output: the number of out[0] */
    uint64_t floor;      /* number of the first element that data may still
                            change; UINT64_MAX: none */
    uint64_t mark;       /* if it holds elements back: number of the first one
                            that would be held anyway */
    int status;          /* sticky: ETM_ERR_MEMORY */
    enum etm_level level;
    enum etm_profile profile;
    bool cycle_accurate;
    uint8_t source;
    /* what ranges and instructions of this source begin with (fast.h) */
    uint8_t range_head[ETM_FAST_HEAD_SIZE], insn_head[ETM_FAST_HEAD_SIZE];

    /* The position: the next instruction is the one at `index` of `block`,
     * which begins at `address`, or is NULL if it must be looked up. */
    bool known;
    uint32_t address;
    uint8_t isa;
    struct etm_block *block;
    unsigned index;

    /* What holds for it where every instruction has an atom or a status
     * (position.h). */
    bool split;    /* the halves of a 32-bit Thumb instruction are traced as two
                      instructions (4.5.4) */
    bool mismatch; /* the image proved wrong: waiting for an address */
    /* And so many low bits of the last address are those of a packet that it
     * contradicts: only one that gives as many will do. 0: of none. */
    uint8_t suspect;
    bool astray;   /* nothing executes before the next address */
    bool awaiting; /* an indirect branch was taken: its target comes next */
    bool half;     /* first half of a 32-bit Thumb instruction was traced */
    bool arrived;  /* by an address in the trace, which may be that of a second
                      half */

    /* The last instruction traced, which may be cancelled. */
    uint32_t last; /* enum etm_last */
    const struct etm_block *last_block;
    uint32_t last_index;
    uint64_t last_cycles; /* counted for it */
    uint32_t no_code;     /* its address, if ETM_LAST_NO_CODE */

    struct etm_walk_context now;   /* according to the packets */
    struct etm_walk_context given; /* according to the last element */
    bool context_changed;          /* now may differ from given */
    uint64_t context_offset;       /* of the packet that changed it */
    bool context_timed;            /* and this packet has its cycle: */
    uint64_t context_since;        /* see etm_walk_since_last() */

    /* The open range: n instructions from `start` to the one at index
     * end_index of end_block, which is `kept` if blocks have been forgotten
     * since. It stays valid after it was closed, for etm_walk_take_back(). */
    bool has_open;
    uint8_t open_exec;   /* enum etm_tri: of the last instruction */
    uint8_t before_exec; /* of the one before it */
    uint32_t open_start;
    uint32_t open_n;
    uint32_t end_index;
    const struct etm_block *end_block;
    const struct etm_block *before_block; /* walked before end_block */
    uint32_t before_index;                /* up to here */
    uint64_t open_cycles, open_offset;

    struct etm_element nothing; /* written to if memory has run out */

    uint64_t cycles;         /* counted since the last instruction */
    uint64_t counted_cycles; /* ETM_LEVEL_COUNTS: of counted executions, if
                                cycles are counted */
    uint64_t blind_cycles;   /* of instructions without known code */

    /* Bytes that could not be used and were not reported yet. */
    uint64_t lost_bytes, lost_offset;
    uint8_t lost_reason;
    bool has_lost;
    bool lost_kept; /* for etm_walk_mark(): they have not changed since */

    struct etm_block kept; /* see end_block */

    /* Ranges are counted in blocks and not given: a closed one only when the
     * next one is closed, because it may be taken back, or at once if it is
     * `certain` that it will not be; but none while they are `muted`. */
    bool counts, certain, muted;
    struct etm_walk_range pending;
    uint64_t unmade; /* elements that were not made since the last time that all
                        were final: ranges, and unwanted ones */

    struct etm_data_join data; /* data trace */
};

#endif
