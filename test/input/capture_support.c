/* SPDX-License-Identifier: Apache-2.0 */
#include "capture_support.h"

#include <string.h>

struct etm_capture capture;

const struct etm_capture_source *source_at(size_t i)
{
    assert_true(i < capture.sources.n);
    return (const struct etm_capture_source *)capture.sources.data + i;
}

const struct etm_capture_core *core_at(size_t i)
{
    assert_true(i < capture.cores.n);
    return (const struct etm_capture_core *)capture.cores.data + i;
}

const struct etm_capture_buffer *buffer_at(size_t i)
{
    assert_true(i < capture.buffers.n);
    return (const struct etm_capture_buffer *)capture.buffers.data + i;
}

const struct etm_capture_memory *memory_at(size_t core, size_t i)
{
    assert_true(i < core_at(core)->memory.n);
    return (const struct etm_capture_memory *)core_at(core)->memory.data + i;
}

bool has_note(const char *part)
{
    const char *const *notes = capture.notes.data;

    for (size_t i = 0; i < capture.notes.n; i++) {
        if (strstr(notes[i], part) != NULL)
            return true;
    }
    return false;
}

bool has_fault(const char *part)
{
    const char *const *faults = capture.faults.data;

    for (size_t i = 0; i < capture.faults.n; i++) {
        if (strstr(faults[i], part) != NULL)
            return has_note(part);
    }
    return false;
}
