/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that was written in a circle: that of an ETB or a TMC (CoreSight
 * Trace Memory Controller TRM, DDI 0461, 3.3; ETB TRM, DDI 0242) or an MTB
 * (MTB-M0+ TRM, DDI 0486, 3.2). Its oldest byte is at the write pointer.
 */
#ifndef ETM_INPUT_WRAP_H
#define ETM_INPUT_WRAP_H

#include "input/capture.h"
#include "input/file.h"

/* Is anything told of it? */
bool etm_wrap_is_told(const struct etm_wrap_facts *facts);

/* What is known of it: from the write pointer alone, if it is not 0, or the
 * registers of the buffer. `*wrap` has a pointer of 0 if nothing needs to be
 * done. ETM_ERR_CONFIG: there is no such place in `n` bytes. */
int etm_wrap_find(struct etm_wrap *wrap, const struct etm_wrap_facts *facts,
                  const struct etm_file *file, const char *path,
                  struct etm_diag *diag);

/* Put a file in the order of time. Errors as of etm_file_reverse(). */
int etm_wrap_undo(const struct etm_wrap *wrap, struct etm_file *file,
                  const char *path, const struct etm_allocator *allocator,
                  struct etm_diag *diag);

/* Say that this was done to a buffer, which is new: it keeps `wrap`. */
int etm_wrap_note(struct etm_capture *capture, struct etm_capture_buffer *b,
                  const struct etm_wrap *wrap);

/* Where the packets of an MTB break off, if it is at one place and the first
 * one goes on from the last; 0: nowhere. */
size_t etm_wrap_seam(const uint8_t *bytes, size_t n);

#endif
