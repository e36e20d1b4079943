/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace tells, held against what ran. */
#ifndef TEST_RECORD_COMPARE_H
#define TEST_RECORD_COMPARE_H

#include "record_support.h"

#include <etm/setup.h>

struct program {
    const char *name, *core;
    enum etm_profile profile;
    const char *interrupts;
};

/* The programs of test/programs for a core, with what interrupts "nested". */
#define PROGRAMS(suffix, core, is, interrupts)                                 \
    {                                                                          \
        {"recurse-" suffix, core, ETM_PROFILE_##is, ""},                       \
            {"nested-" suffix, core, ETM_PROFILE_##is, interrupts},            \
        {                                                                      \
            "moves-" suffix, core, ETM_PROFILE_##is, ""                        \
        }                                                                      \
    }
/* irq and fiq come while the program waits for them too */
#define IRQ_FIQ "--interrupt irq/700 --interrupt fiq/1100"

/* Programs for the processors of ETMv1 and ETMv2: calls, exceptions, data. */
extern const struct program arm7[3], arm9[3], arm10[3];

/* How many instructions and transfers may be missing at the end. */
size_t tail_of(const char *version);

/* `what` stands in front of what a failure says. */
void same_steps(const struct run *ran, const struct run *told, size_t tail,
                const char *what);
void same_transfers(const struct run *ran, const struct run *told, size_t tail,
                    const char *what);
void same_cycles(const struct run *ran, const struct run *told,
                 const char *version, const char *what);

/* The log has both parts of each transfer: leave those of "--data PART". */
void keep_the_part(struct run *ran, const char *options);

/* Record it, and hold the trace against the log. */
void comes_back(const struct program *p, const char *version,
                const char *options, bool data);

/* Record with the registers that ask for something. */
void record_request(const struct program *p, const char *version,
                    const struct etm_request *request,
                    struct etm_config *config);

#endif
