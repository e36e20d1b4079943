/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions, by type and by all the numbers that they have. */
#ifndef ETM_BASE_EXCEPTION_H
#define ETM_BASE_EXCEPTION_H

#include <etm/config.h>
#include <etm/decode.h>

/* There is no such number, or no such vector. */
#define ETM_EXCEPTION_NONE 0xffffu

/* What an exception number of the trace means (ETM architecture, tables 7-12
 * and 7-17); *irq is its number for ETM_EXCEPTION_IRQ_N, otherwise 0. */
enum etm_exception_type etm_exception_meaning(enum etm_profile profile,
                                              enum etm_protocol protocol,
                                              unsigned minor, unsigned number,
                                              uint16_t *irq);

/* The reverse: Excp of a type, or ETM_EXCEPTION_NONE. */
unsigned etm_exception_number(const struct etm_config *config,
                              enum etm_exception_type type, unsigned irq);

/* EEE of the deprecated form (table 7-9). The meaning of 0 depends on the
 * vector. */
enum etm_exception_type etm_exception_deprecated_meaning(unsigned eee,
                                                         uint32_t address);
unsigned etm_exception_deprecated_number(enum etm_exception_type type);

/* The exception that an M-profile processor gives that number (ARMv7-M,
 * B1.5.2); ETM_EXCEPTION_RESERVED if none has it. */
enum etm_exception_type etm_exception_of_number(unsigned number, uint16_t *irq);

/* The offset of its vector on A and R profiles, if it has its own there;
 * ETM_EXCEPTION_NONE (ARMv7-A, B1.8.1). */
unsigned etm_exception_vector(enum etm_exception_type type);

/* The exception with the vector at that offset; ETM_EXCEPTION_RESERVED if none
 * has it. */
enum etm_exception_type etm_exception_of_vector(unsigned offset);

/* Where the vectors are with HIVECS, and their size. */
#define ETM_HIGH_VECTORS UINT32_C(0xffff0000)
#define ETM_VECTORS_SIZE 32u

/* ETMv1 and ETMv2: was the instruction that became a branch to the vector not
 * executed (4.5.3)? */
bool etm_exception_cancels(enum etm_exception_type type);

#endif
