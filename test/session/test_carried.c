/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on from long before a stretch to long after it, and is given then:
 * how long a gap was, and what was lost since when. */
#include "parallel_support.h"
#include "support/capture.h"

#include "../support/status.h"

#include <stdlib.h>
#include <string.h>

#define ALL 60000u /* bytes of a stream, and a few more */
#define UNIT 500u

/* Packets, and after them P-headers or atoms up to the length of a unit; so
 * often that the stream has `until` bytes. 0: the packets alone, once. */
struct step {
    const char *packets;
    size_t n, until;
};

/* ETMv3.5, cycle-accurate where it is about gaps, or PFT, of `b .` at 0x1000;
 * where it is about data, of a load and a branch to it. */
struct trace {
    const char *name;
    enum etm_protocol protocol;
    uint64_t bad; /* joints of a run that do not fit, at most */
    enum etm_element_kind kind;
    uint64_t n, value; /* elements of this kind; the cycles of the last one, its
                          byte order, or more lost bytes than that */
    struct step steps[10];
};

#define TRACE(name, protocol, bad, kind, n, value, ...)                        \
    {                                                                          \
#name, ETM_PROTOCOL_##protocol, bad, ETM_ELEMENT_##kind, n, value,     \
        {                                                                      \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

#define STEP(packets, until)                                                   \
    {                                                                          \
        packets, sizeof(packets) - 1, until                                    \
    }

#define A_SYNC "\0\0\0\0\0\x80"
/* ETMv3: A-sync, and the I-sync of the loop where tracing begins; periodic. */
#define BEGAN A_SYNC "\x08\x21\0\x10\0\0"
#define PERIODIC A_SYNC "\x08\x01\0\x10\0\0"
#define TOLD "\x04\x05" /* a cycle count */
#define LOAD "\x84\x22" /* the header of its address */
/* All I-syncs are lost, as where there should be a context ID in them: bit 0 of
 * the information byte, 7.11.2; a reserved header. */
#define BAD_V3 A_SYNC "\x08\x20\0\x10\0\0"
#define BAD_PFT A_SYNC "\x1e"
#define SYNC_PFT A_SYNC "\x08\0\x10\0\0\x01"

static const struct trace traces[] = {
    /* 7.3.4: the cycle count packet of a gap may never come. */
    TRACE(a_gap_is_given_at_the_end, ETMV3, 1, CYCLES, 1, ETM_CYCLES_UNKNOWN,
          STEP(BEGAN, 0), STEP(PERIODIC, ALL)),
    TRACE(a_gap_is_given_in_the_middle, ETMV3, 2, CYCLES, 1, 5, STEP(BEGAN, 0),
          STEP(PERIODIC, ALL / 2 + UNIT / 2), STEP(TOLD, 0),
          STEP(PERIODIC, ALL)),
    /* Tracing began again meanwhile: nothing says how long the gap before was,
     * or the I-sync itself does, to those who know of no gap before. */
    TRACE(another_gap_comes_before_one_is_given, ETMV3, 5, CYCLES, 4, 5,
          STEP(BEGAN, 0), STEP(PERIODIC, ALL / 4), STEP(BEGAN, 0),
          STEP(PERIODIC, ALL / 2), STEP(BEGAN, 0), STEP(PERIODIC, ALL / 4 * 3),
          STEP(BEGAN, 0), STEP(PERIODIC, ALL), STEP(TOLD, 0)),
    TRACE(another_gap_is_given_at_once, ETMV3, 2, CYCLES, 2, 7, STEP(BEGAN, 0),
          STEP(PERIODIC, ALL / 2 + UNIT / 2), STEP("\x70\x07\x21\0\x10\0\0", 0),
          STEP(PERIODIC, ALL)),
    TRACE(what_is_lost_of_etmv3_is_reported_once, ETMV3, 2, LOST, 1,
          ALL / 3 * 2, STEP(BAD_V3, 0), STEP(A_SYNC, ALL)),
    TRACE(what_was_lost_of_etmv3_is_reported_once, ETMV3, 2, LOST, 1, ALL / 3,
          STEP(BAD_V3, 0), STEP(A_SYNC, ALL / 2), STEP(PERIODIC, ALL)),
    TRACE(what_is_lost_of_pft_is_reported_once, PFT, 2, LOST, 1, ALL / 3 * 2,
          STEP(BAD_PFT, 0), STEP(A_SYNC, ALL)),
    TRACE(what_was_lost_of_pft_is_reported_once, PFT, 2, LOST, 1, ALL / 3,
          STEP(BAD_PFT, 0), STEP(A_SYNC, ALL / 2), STEP(SYNC_PFT, ALL)),
    /* 7.4.2: an address of one byte follows one of five. */
    TRACE(a_data_address_is_relative_to_one_long_before, ETMV3, 1, DATA, 2,
          ETM_FALSE, STEP(BEGAN LOAD "\x80\x80\x80\x80\x05\x84", 0),
          STEP(PERIODIC, ALL), STEP(LOAD "\x04\x84", 0)),
    TRACE(a_byte_order_is_that_of_an_address_long_before, ETMV3, 1, DATA, 2,
          ETM_TRUE, STEP(BEGAN LOAD "\x80\x80\x80\x80\x10\x84", 0),
          STEP(PERIODIC, ALL), STEP(LOAD "\x04\x84", 0)),
};

#define TRACES (sizeof traces / sizeof *traces)

static uint8_t bytes[ALL + 2 * UNIT];
static struct etm_test_elements plain, other;

static size_t make(const struct step *steps)
{
    size_t n = 0;

    for (; steps->n != 0; steps++)
        do {
            memcpy(bytes + n, steps->packets, steps->n);
            n += steps->n;
            for (size_t i = steps->n; i < UNIT && steps->until != 0; i++)
                bytes[n++] = 0x84;
        } while (n < steps->until);
    return n;
}

/* Threads give what one gives. */
static void take_each(const struct input *in, enum etm_level level,
                      unsigned jobs)
{
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};
    const struct cut cut = {jobs, 3 * UNIT, 0};

    OK(etm_test_decode(in->config, in->image, level, in->bytes, in->n, &plain));
    other.n = 0;
    etm_parallel_free(etm_test_parallel(in, level, &cut, &how));
    assert_true(etm_test_same_all(&plain, &other));
}

static void expect_elements(const struct trace *t)
{
    uint64_t n = 0, last = 0;

    for (size_t i = 0; i < plain.n; i++) {
        const struct etm_element *e = &plain.all[i];

        if (e->kind != t->kind)
            continue;
        n++;
        last = t->kind == ETM_ELEMENT_LOST   ? e->u.lost.bytes
               : t->kind == ETM_ELEMENT_DATA ? e->u.data.be8
                                             : e->u.cycles.n;
        if (t->kind == ETM_ELEMENT_LOST) {
            assert_int_equal(e->u.lost.reason, ETM_LOST_BAD_PACKET);
            assert_int_equal(e->offset, sizeof A_SYNC - 1);
        }
    }
    assert_int_equal(n, t->n);
    assert_true(t->kind == ETM_ELEMENT_LOST ? last > t->value
                                            : last == t->value);
}

static void what_goes_on_is_given_once(void **state)
{
    static const uint8_t loop[] = {0xfe, 0xff, 0xff, 0xea}; /* b . */
    static const uint8_t load[] = {0,    0,    0x91, 0xe5,  /* ldr r0, [r1] */
                                   0xfd, 0xff, 0xff, 0xea}; /* b to it */
    const struct trace *t = *state;
    const bool data = t->kind == ETM_ELEMENT_DATA;
    const struct etm_config config = {
        .size = sizeof config,
        .protocol = t->protocol,
        .minor = t->protocol == ETM_PROTOCOL_PFT ? 1 : 5,
        .data_address = data,
        .cycle_accurate = t->kind == ETM_ELEMENT_CYCLES};
    struct input in = {.config = &config, .bytes = bytes, .n = make(t->steps)};
    struct etm_image *image;

    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, 0x1000, data ? load : loop,
                     data ? sizeof load : sizeof loop, NULL));
    in.image = image;
    joints = (struct etm_parallel_joints){0};
    for (unsigned jobs = 2; jobs <= 3; jobs++) {
        take_each(&in, ETM_LEVEL_INSTRUCTIONS, jobs);
        take_each(&in, ETM_LEVEL_RANGES, jobs);
    }
    assert_in_range(joints.bad, 0, 4 * t->bad);
    assert_true(joints.good > 4 * 15);
    expect_elements(t);
    etm_image_free(image);
}

int main(void)
{
    struct CMUnitTest tests[TRACES];

    for (size_t i = 0; i < TRACES; i++)
        tests[i] = (struct CMUnitTest){.name = traces[i].name,
                                       .test_func = what_goes_on_is_given_once,
                                       .initial_state = (void *)&traces[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
