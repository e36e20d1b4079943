/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real captures with one bit wrong: decoding never stops, most of it is still
 * there, and the sources whose bytes are whole do not notice. bench/damage.c
 * looks closer.
 */
#include "../support/test.h"
#include "support/damage.h"

#define FLIPS 1000u
#define FLIPS_WITHIN 300u /* for each source */
#define ROUNDS 20u
#define SEED 12345u

static struct etm_test_elements elements;

static void flip(const struct etm_damage *d, uint64_t place)
{
    d->sources[0].file.data[place / 8] ^= (uint8_t)(1u << place % 8);
}

static void decode(const struct etm_damage *d, size_t source, uint64_t place)
{
    unsigned ends = 0;

    if (etm_damage_decode(&d->sources[source], d->sources[0].file.data,
                          d->sources[0].file.n, &elements) != ETM_OK)
        fail_msg("bit %llu of the file stops source %zu",
                 (unsigned long long)place, source);
    for (size_t i = 0; i < elements.n; i++)
        ends += elements.all[i].kind == ETM_ELEMENT_END;
    if (ends != 1 || elements.all[elements.n - 1].kind != ETM_ELEMENT_END)
        fail_msg("bit %llu of the file leaves source %zu without its end",
                 (unsigned long long)place, source);
}

static void any_bit(const char *capture)
{
    struct etm_damage d;
    uint32_t random = SEED;
    uint64_t kept = 0;
    double share;

    if (!etm_damage_open(&d, capture))
        skip();
    for (unsigned i = 0; i < FLIPS; i++) {
        uint64_t place = etm_test_random(&random) % (d.sources[0].file.n * 8);
        flip(&d, place);
        for (size_t s = 0; s < d.n; s++) {
            decode(&d, s, place);
            kept += etm_damage_kept(&d.whole[s], &elements);
        }
        flip(&d, place);
    }
    share = (double)kept / ((double)d.instructions * FLIPS);
    printf("%s: %.2f %% of the instructions are still decoded\n", capture,
           100 * share);
    assert_true(share >= 0.97);
    etm_damage_close(&d);
}

static bool as_whole(const struct etm_damage *d, size_t source)
{
    const struct etm_test_elements *whole = &d->whole[source];

    if (whole->n != elements.n)
        return false;
    for (size_t i = 0; i < whole->n; i++)
        if (!etm_test_same(&whole->all[i], &elements.all[i]))
            return false;
    return true;
}

static void others(const char *capture)
{
    struct etm_damage d;
    uint32_t random = SEED;
    unsigned noticed = 0;

    if (!etm_damage_open(&d, capture))
        skip();
    for (unsigned i = 0; i < FLIPS_WITHIN * d.n; i++) {
        size_t source = i % d.n;
        const struct etm_test_capture *c = &d.sources[source];
        uint64_t place;
        if (c->stream.n == 0)
            continue;
        place = etm_damage_place(c, etm_test_random(&random) % c->stream.n,
                                 etm_test_random(&random) % 8);
        flip(&d, place);
        for (size_t s = 0; s < d.n; s++) {
            decode(&d, s, place);
            if (s == source)
                noticed += !as_whole(&d, s);
            else if (!as_whole(&d, s))
                fail_msg("bit %llu is source %zu's, but source %zu noticed",
                         (unsigned long long)place, source, s);
        }
        flip(&d, place);
    }
    assert_true(noticed > FLIPS_WITHIN / 2); /* or nothing was flipped */
    etm_damage_close(&d);
}

/* With 100 bits wrong at a time: the share that is kept, and of what is given
 * the share that never ran. */
static void hundred_bits(const char *capture, double kept_least,
                         double wrong_most)
{
    struct etm_damage d;
    uint32_t random = SEED;
    uint64_t kept = 0, given = 0;

    if (!etm_damage_open(&d, capture))
        skip();
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t places[100];

        for (unsigned k = 0; k < 100; k++) {
            places[k] = etm_test_random(&random) % (d.sources[0].file.n * 8);
            flip(&d, places[k]);
        }
        for (size_t s = 0; s < d.n; s++) {
            decode(&d, s, places[0]);
            kept += etm_damage_kept(&d.whole[s], &elements);
            given += etm_damage_kept(&elements, &elements);
        }
        for (unsigned k = 0; k < 100; k++)
            flip(&d, places[k]);
    }
    printf("%s: %.1f %% are decoded, and %.2f %% of these are wrong\n", capture,
           100 * (double)kept / ((double)d.instructions * ROUNDS),
           100 * (double)(given - kept) / (double)given);
    assert_true((double)kept >= kept_least * (double)d.instructions * ROUNDS);
    assert_true((double)(given - kept) <= wrong_most * (double)given);
    etm_damage_close(&d);
}

TEST(captures_with_a_hundred_bits_wrong_are_mostly_decoded)
{
    hundred_bits("tc2", 0.80, 0.02);
    hundred_bits("snowball", 0.70, 0.03);
}

TEST(tc2_with_any_bit_wrong_is_decoded_to_its_end)
{
    any_bit("tc2");
}

TEST(snowball_with_any_bit_wrong_is_decoded_to_its_end)
{
    any_bit("snowball");
}

TEST(stm32_with_any_bit_wrong_is_decoded_to_its_end)
{
    any_bit("stm32f105");
}

TEST(damage_to_one_tc2_source_costs_the_others_nothing)
{
    others("tc2");
}

TEST(damage_to_one_snowball_source_costs_the_other_nothing)
{
    others("snowball");
}

int main(void)
{
    int failed = tests_run();

    free(elements.all);
    return failed;
}
