/* SPDX-License-Identifier: Apache-2.0 */
/* The capture that is open, and what is in it. */
#ifndef ETM_TEST_INPUT_CAPTURE_SUPPORT_H
#define ETM_TEST_INPUT_CAPTURE_SUPPORT_H

#include "support.h"

#include "input/capture.h"

#include <stdbool.h>

extern struct etm_capture capture;

const struct etm_capture_source *source_at(size_t i);
const struct etm_capture_core *core_at(size_t i);
const struct etm_capture_buffer *buffer_at(size_t i);
const struct etm_capture_memory *memory_at(size_t core, size_t i);

/* Is there a note that holds this part? */
bool has_note(const char *part);

/* What could not be read, reported with this part of a sentence. */
bool has_fault(const char *part);

#endif
