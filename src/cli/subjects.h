/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and exceptions of a source, with what they cost. */
#ifndef ETM_CLI_SUBJECTS_H
#define ETM_CLI_SUBJECTS_H

#include "cli/view.h"

struct etm_cli_subject {
    char *name;
    uint32_t address; /* of a function */
    bool exception, inlined;
    uint8_t type; /* of an exception, */
    uint16_t irq;
    uint64_t calls;    /* those that were seen */
    uint64_t complete; /* of these, those of known duration */
    struct etm_call_cost self;
    struct etm_call_cost total;  /* of recursions once */
    uint64_t least, most, whole; /* durations of the complete ones */
};

/* Zero-initialise it. */
struct etm_cli_subjects {
    struct etm_cli_subject *rows;
    size_t n, room;
    uint32_t *functions; /* row + 1 of each function of the engine; or 0 */
    size_t n_functions;
};

/* The number of the function or exception of a call; SIZE_MAX: out of
 * memory. */
size_t etm_cli_subject_of(struct etm_cli_subjects *subjects,
                          const struct etm_cli_replay *replay,
                          const struct etm_call *call);

/* Count a call. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_subjects_count(struct etm_cli_subjects *subjects,
                           const struct etm_cli_replay *replay,
                           const struct etm_call *call);

/* Order them by what they cost themselves, the most first. Their numbers are no
 * longer valid then. */
void etm_cli_subjects_order(struct etm_cli_subjects *subjects, bool cycles);

void etm_cli_subjects_free(struct etm_cli_subjects *subjects);

#endif
