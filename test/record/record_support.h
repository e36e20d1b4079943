/* SPDX-License-Identifier: Apache-2.0 */
/* Recording programs with the command, and decoding them in this process. */
#ifndef TEST_RECORD_SUPPORT_H
#define TEST_RECORD_SUPPORT_H

#include <etm/decode.h>
#include <etm/model.h>
#include <etm/session.h>

#include <stdio.h>

/* One instruction, as it ran or as the trace tells it. */
struct step {
    uint32_t address, opcode;
    uint32_t context_id; /* if known */
    uint8_t isa;
    uint8_t exec; /* enum etm_tri */
    bool context_known;
    bool begins; /* a stretch of trace */
};

struct transfer {
    uint64_t value;
    uint32_t address, insn;
    uint8_t size;
    bool store;
};

struct run {
    struct step *steps;
    struct transfer *transfers;
    size_t n_steps, n_transfers, n_exceptions, n_lost, n_overflows, n_triggers;
    uint64_t cycles; /* from the first instruction on */
    uint64_t rest;   /* of them, after the last element but the end */
    bool cycles_known;
    uint32_t context_id; /* of the next instruction */
    bool context_known;
    bool stacking;
    bool begins;
    bool keeps_aborted; /* ETMv1, v2: a data abort does not undo the instruction
                           (4.5.3) */
    bool no_image;      /* the last element was one */
    bool truncated;     /* the end of the trace is missing */
};

/* Arguments of the test: the command, and the folder of the programs. False:
 * there is no emulator, and nothing to test. */
bool record_setup(int argc, char **argv);

/* A folder for each test, and the snapshot in it. */
int folder_make(void **state);
int folder_clear(void **state);
const char *snapshot(void);
#define IN_A_FOLDER(name) TEST_BETWEEN(name, folder_make, folder_clear)

/* "etm record PROGRAM.elf OPTIONS", which has to succeed, into the snapshot and
 * its log; NULL: no program. */
void record(const char *program, const char *format, ...);

/* The events of the log. */
void read_events(enum etm_profile profile, etm_event_fn *events, void *context);

/* What the log says, as far as trace of that version can tell it. */
void read_log(struct run *run, enum etm_profile profile, const char *version);

/* What the snapshot's only source decodes to. */
void decode(struct run *run);

/* Accept NULL. */
void runs_free(struct run *ran, struct run *told);

/* A file beside the snapshot. */
const char *beside(const char *suffix);
FILE *open_beside(const char *suffix, const char *mode);

#endif
