/* SPDX-License-Identifier: Apache-2.0 */
/* What looks like frames, and what does not (doc/errata.md, E-349): tables as
 * programs have them, and captures, cut anywhere and damaged. */
#include "port_support.h"

#include "port/frame.h"

#include <stdio.h>

#define SLICE 8000u

/* Symbols of an ELF file of 64 bits: a name, a kind, an address and a size,
 * each with more zeros than an A-sync has. */
static void make_symbols(uint8_t *bytes, size_t n, uint64_t *random)
{
    static const uint8_t kinds[] = {0x12, 0x12, 0x22, 0x11};

    memset(bytes, 0, n);
    for (size_t i = 0; i + 24 <= n; i += 24) {
        uint32_t r = random_next(random), at = random_next(random);

        bytes[i] = (uint8_t)r;
        bytes[i + 1] = (uint8_t)(r >> 8);
        bytes[i + 2] = (uint8_t)(r >> 16 & 3);
        bytes[i + 4] = kinds[r >> 20 & 3];
        bytes[i + 6] = 0x0d;
        bytes[i + 8] = (uint8_t)(at & 0xf0);
        bytes[i + 9] = (uint8_t)(at >> 8);
        bytes[i + 10] = (uint8_t)(at >> 16 & 0x1f);
        bytes[i + 16] = (uint8_t)(at >> 24 & 0x7f);
    }
}

/* E-349 */
static void tables_of_programs_are_no_frames(void **state)
{
    unsigned hits = 0, phase;

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        uint8_t bytes[SLICE];

        make_symbols(bytes, sizeof bytes, &random);
        for (unsigned cut = 0; cut < 16; cut += 5)
            hits += etm_frame_likely(bytes + cut, sizeof bytes - cut, &phase);
    }
    assert_int_equal(hits, 0);
}

/* The file, or a skipped test. */
static size_t read_capture(const char *name, uint8_t *bytes, size_t room)
{
    const char *folder = getenv("ETM_SHARED");
    char path[4096];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s/captures/%s",
             folder != NULL ? folder : "../shared", name);
    file = fopen(path, "rb");
    if (file == NULL) {
        print_message("%s is missing: skipped\n", path);
        skip();
    }
    n = fread(bytes, 1, room, file);
    fclose(file);
    assert_true(n < room);
    return n;
}

/* E-349 */
static void captures_are_frames(void **state)
{
    static uint8_t bytes[1u << 16], copy[SLICE];
    size_t n = read_capture("tc2/cstrace.bin", bytes, sizeof bytes);
    uint64_t random = 1;
    unsigned whole = 0, likely = 0, all = 0, phase;

    (void)state;
    for (size_t cut = 0; cut + SLICE <= n; cut += 7) {
        whole += etm_frame_likely(bytes + cut, SLICE, &phase);
        memcpy(copy, bytes + cut, SLICE);
        for (unsigned i = 0; i < SLICE / 100; i++)
            copy[random_next(&random) % SLICE] = (uint8_t)random_next(&random);
        all++;
        likely += etm_frame_likely(copy, SLICE, &phase);
    }
    /* there are few A-syncs, and damage hits some */
    if (whole * 100 < all * 99 || likely * 100 < all * 90)
        fail_msg("%u, damaged %u, of %u", whole, likely, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_programs_are_no_frames),
        cmocka_unit_test(captures_are_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
