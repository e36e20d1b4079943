/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of an execution. */
#ifndef TEST_SUPPORT_TRACE_H
#define TEST_SUPPORT_TRACE_H

#include <etm/model.h>

#include <stddef.h>
#include <stdint.h>

/* What a generator makes of n events: its number of bytes, of which there must
 * be no more than `room`. `how` is all but `size`, `bytes` and `context`. */
size_t trace_make(struct etm_generator_config *how,
                  const struct etm_event *events, size_t n, uint8_t *bytes,
                  size_t room);

#endif
