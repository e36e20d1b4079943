/* SPDX-License-Identifier: Apache-2.0 */
#include "port/manchester.h"

/* Between start and stop bit. */
#define BITS_MOST 64u

/* A pulse that is too long is rare if it is one of so many. */
#define RARE 64u

struct reader {
    const struct etm_pin_change *changes;
    size_t n;
    size_t at;     /* the last change that has been passed */
    uint64_t half; /* of a bit, in fractions */
    struct etm_vec *bytes, *wrong;
};

/* The level at a time, in fractions, which only grows. */
static unsigned level_at(struct reader *r, uint64_t time)
{
    while (r->at + 1 < r->n &&
           r->changes[r->at + 1].time << ETM_UART_FRACTION <= time)
        r->at++;
    return r->changes[r->at].level;
}

/* Where a change from 0 to 1 is, from this one on, before which the pin was low
 * for so many halves; n: there is none. */
static size_t find_start(const struct reader *r, size_t from, unsigned halves)
{
    for (size_t i = from == 0 ? 1 : from; i < r->n; i++)
        if (r->changes[i].level == 1 && r->changes[i - 1].level == 0 &&
            (r->changes[i].time - r->changes[i - 1].time)
                    << ETM_UART_FRACTION >=
                halves * r->half - r->half / 2)
            return i;
    return r->n;
}

static int put(struct reader *r, uint64_t bits, unsigned n, bool wrong)
{
    uint64_t index = r->bytes->n;
    int status = ETM_OK;

    for (unsigned i = 0; i < n && status == ETM_OK; i += 8) {
        uint8_t byte = (uint8_t)(bits >> i);

        status = etm_vec_append(r->bytes, &byte, 1);
    }
    if (status == ETM_OK && wrong) {
        index = r->bytes->n > index ? r->bytes->n - 1 : index;
        status = etm_vec_append(r->wrong, &index, 1);
    }
    return status;
}

/*
 * What begins with the start bit at change `start`, up to what is no bit. Bits
 * are measured from the change in the middle of the one before.
 */
static int take(struct reader *r, size_t start)
{
    uint64_t bits = 0, time = r->changes[start].time << ETM_UART_FRACTION;
    unsigned n = 0, first, second;
    bool whole;

    r->at = start;
    (void)level_at(r, time + r->half + r->half / 2); /* of the start bit */
    if (r->at > start)
        time = (r->changes[r->at].time << ETM_UART_FRACTION) - r->half;
    for (;;) {
        time += 2 * r->half;
        first = level_at(r, time + r->half / 2);
        second = level_at(r, time + r->half + r->half / 2);
        if (first == second || first > 1 || second > 1 || n == BITS_MOST)
            break;
        bits |= (uint64_t)first << n++;
        time = (r->changes[r->at].time << ETM_UART_FRACTION) - r->half;
    }
    whole = n % 8 == 0 && n != 0 && first == 0 && second == 0;
    if (!whole && r->at + 1 == r->n) /* cut off by the end of the capture */
        return put(r, bits, n - n % 8, false);
    return put(r, bits, n, !whole);
}

int etm_manchester_bytes(const struct etm_pin_change *changes, size_t n,
                         uint64_t half, struct etm_vec *bytes,
                         struct etm_vec *wrong)
{
    struct reader r = {changes, n, 0, half, bytes, wrong};
    /* at first it is not known what is a start bit: two bits of 1 and 0 are
     * low as long as a stop bit after them would be */
    size_t start = find_start(&r, 0, 3);
    int status = ETM_OK;

    if (start == n)
        start = find_start(&r, 0, 1);
    while (start < n && status == ETM_OK) {
        uint64_t before = wrong->n;

        status = take(&r, start);
        /* after damage, as at first */
        start = find_start(&r, r.at + 1, wrong->n != before ? 3 : 1);
    }
    return status;
}

bool etm_manchester_fits(const struct etm_pin_change *changes, size_t n,
                         uint64_t half)
{
    size_t high = 0, longer = 0;

    for (size_t i = 1; i + 1 < n; i++) {
        if (changes[i].level != 1)
            continue;
        high++;
        longer += (changes[i + 1].time - changes[i].time) << ETM_UART_FRACTION >
                  2 * half + half / 2;
    }
    return high != 0 && longer <= high / RARE;
}
