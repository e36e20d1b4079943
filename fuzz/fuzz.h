/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzz targets share. */
#ifndef ETM_FUZZ_H
#define ETM_FUZZ_H

#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One input; the fuzzer calls it, or main() of replay.c with files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that was broken. */
static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *b = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A directory of this process, which goes with it. */
static char fuzz_directory[64];

static inline void remove_directory(void)
{
    char command[80];

    snprintf(command, sizeof command, "rm -rf %s", fuzz_directory);
    (void)!system(command);
}

/* The path of a file in it; valid until the next call but three. */
static inline const char *in_directory(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    if (fuzz_directory[0] == '\0') {
        snprintf(fuzz_directory, sizeof fuzz_directory, "/dev/shm/fuzz-XXXXXX");
        must(mkdtemp(fuzz_directory) != NULL && atexit(remove_directory) == 0);
    }
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_directory, name);
    return path;
}

static inline void write_file(const char *name, const uint8_t *bytes, size_t n)
{
    FILE *stream = fopen(in_directory(name), "wb");

    must(stream != NULL && fwrite(bytes, 1, n, stream) == n &&
         fclose(stream) == 0);
}

/* A byte of the input that chooses something; 0 if there is none left. */
static inline uint8_t take(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return 0;
    --*size;
    return *(*data)++;
}

/* The input up to a zero, or its rest: one of several texts. */
static inline const uint8_t *take_text(const uint8_t **data, size_t *size,
                                       size_t *n)
{
    const uint8_t *text = *data, *end = *size ? memchr(text, 0, *size) : NULL;

    *n = end != NULL ? (size_t)(end - text) : *size;
    *data += *n + (end != NULL);
    *size -= *n + (end != NULL);
    return text;
}

#endif
