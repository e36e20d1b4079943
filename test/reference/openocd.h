/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenOCD's analyser of ETMv1, run without hardware: `etm load`, `etm image`,
 * `etm analyze`, and what they print.
 */
#ifndef ETM_TEST_REFERENCE_OPENOCD_H
#define ETM_TEST_REFERENCE_OPENOCD_H

#include <etm/config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPENOCD_MAX 12000u

struct openocd_insn {
    uint32_t address, opcode;
    bool passed;
    bool svc; /* became an exception, and is none of OpenOCD's */
};

struct openocd_listing {
    size_t n_insns, n_values, n_addresses, n_triggers;
    struct openocd_insn insns[OPENOCD_MAX];
    uint32_t values[OPENOCD_MAX];
    uint32_t addresses[OPENOCD_MAX]; /* of the first transfers */
};

/* OpenOCD is there, and has what is needed. */
bool openocd_usable(const char *folder, const struct etm_config *config);

/* The files that it reads: code from address 0 on, and the records of a
 * stream (proto/sample.h) as `FOLDER/dump`. */
void openocd_write(const char *folder, const struct etm_config *config,
                   const uint8_t *image, size_t image_size,
                   const uint8_t *stream, size_t n);

/* What it makes of them. */
void openocd_run(const char *folder, struct openocd_listing *listing);

#endif
