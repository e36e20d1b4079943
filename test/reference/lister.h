/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What trc_pkt_lister, the example program of OpenCSD, prints for one source
 * of a snapshot, as packets and elements. It is run when the test runs.
 */
#ifndef ETM_TEST_REFERENCE_LISTER_H
#define ETM_TEST_REFERENCE_LISTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETM_LISTER_UNTOLD UINT64_MAX

/* A line with bytes. What it does not tell is ETM_LISTER_UNTOLD. */
struct etm_lister_packet {
    uint64_t at;       /* place in the capture file */
    const char *name;  /* "I_SYNC" */
    const char *atoms; /* "WEN"; NULL: untold */
    uint8_t bytes[32];
    size_t n;
    uint64_t address, cycles, timestamp;
    char isa;    /* A, T; 0: untold */
    char secure; /* S, N; 0: untold */
    char reason; /* first letter of the I-sync's reason; 0: untold */
};

/* A line that begins with OCSD_GEN_TRC_ELEM_. */
struct etm_lister_element {
    uint64_t at;
    const char *name;    /* "INSTR_RANGE" */
    uint64_t start, end; /* INSTR_RANGE; address: ADDR_NACC, EXCEPTION */
    uint64_t n;          /* instructions; exception number; time */
    bool executed;       /* INSTR_RANGE: the last one */
};

struct etm_lister {
    char *text;
    struct etm_lister_packet *packets;
    size_t n_packets;
    struct etm_lister_element *elements;
    size_t n_elements;
};

/* False when there is no such program or no such snapshot. */
bool etm_lister_run(struct etm_lister *lister, const char *snapshot,
                    unsigned id);
void etm_lister_free(struct etm_lister *lister);

/* The bytes of a source in the frames, at most `room`; their number. */
size_t etm_lister_raw(const char *snapshot, unsigned id, uint8_t *bytes,
                      size_t room);

#endif
