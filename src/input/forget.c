/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _DEFAULT_SOURCE
#define HAS_MADVISE 1
#endif

#include "input/file.h"

#ifdef HAS_MADVISE
#include <sys/mman.h>
#include <unistd.h>
#endif

void etm_file_forget(const uint8_t *bytes, size_t n)
{
#ifdef HAS_MADVISE
    long size = sysconf(_SC_PAGESIZE);
    uintptr_t page = size > 0 ? (uintptr_t)size : 4096;
    uintptr_t from = ((uintptr_t)bytes + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)bytes + n) / page * page;

    if (from < to)
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
#else
    (void)bytes;
    (void)n;
#endif
}
