/* SPDX-License-Identifier: Apache-2.0 */
/* Times by timestamps (etm/program.h). */
#include "../support/test.h"

#include <etm/program.h>

/* What a clock gave: "a100 b110? c-", with `?`: not sure, `-`: not known. */
struct rig {
    struct etm_clock *clock;
    char text[1024];
    size_t n; /* items */
};

static void tell(struct rig *rig, char name, const struct etm_clock_time *time)
{
    size_t n = strlen(rig->text);

    rig->n++;
    if (n + 32 > sizeof rig->text)
        return;
    if (time->known)
        snprintf(rig->text + n, 32, "%c%llu%s ", name,
                 (unsigned long long)time->ticks, time->sure ? "" : "?");
    else
        snprintf(rig->text + n, 32, "%c- ", name);
}

static int take(void *context, void *item, const struct etm_clock_time *time)
{
    tell(context, *(char *)item, time);
    return ETM_OK;
}

static int take_element(void *context, void *item,
                        const struct etm_clock_time *time)
{
    const struct etm_element *e = item;

    tell(context, *etm_element_kind_name((enum etm_element_kind)e->kind), time);
    return ETM_OK;
}

static void start(struct rig *rig)
{
    const struct etm_clock_config config = {
        .size = sizeof config, .take = take, .context = rig, .sizeof_item = 1};

    *rig = (struct rig){0};
    assert_ok(etm_clock_new(&rig->clock, &config));
}

static void item(struct rig *rig, char name, uint64_t at, uint32_t gaps)
{
    assert_ok(
        etm_clock_hold(rig->clock, (struct etm_clock_place){at, gaps}, &name));
}

static void stamp(struct rig *rig, uint64_t at, uint32_t gaps, uint64_t ticks)
{
    assert_ok(etm_clock_timestamp(rig->clock,
                                  (struct etm_clock_place){at, gaps}, ticks));
}

static void finish(struct rig *rig, const char *expected)
{
    assert_ok(etm_clock_finish(rig->clock));
    etm_clock_free(rig->clock);
    assert_string_equal(rig->text, expected);
}

TEST(what_is_between_two_timestamps_is_in_proportion)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    item(&rig, 'a', 0, 0);
    item(&rig, 'b', 10, 0);
    item(&rig, 'c', 50, 0);
    assert_string_equal(rig.text, "");
    stamp(&rig, 100, 0, 1200);
    assert_string_equal(rig.text, "a1000 b1020 c1100 ");
    item(&rig, 'd', 110, 0);
    stamp(&rig, 120, 0, 1210);
    finish(&rig, "a1000 b1020 c1100 d1205 ");
}

TEST(the_ends_have_the_rate_of_the_nearest_timestamps)
{
    struct rig rig;

    start(&rig);
    item(&rig, 'a', 0, 0);
    stamp(&rig, 100, 0, 1000);
    stamp(&rig, 200, 0, 1200);
    stamp(&rig, 300, 0, 1800);
    item(&rig, 'b', 310, 0);
    finish(&rig, "a800 b1860 ");
}

/* A tick more or less would make a rate of 1 ten times as large. */
TEST(the_rate_is_not_that_of_a_few_ticks)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    stamp(&rig, 1000, 0, 2000);
    stamp(&rig, 1001, 0, 2010);
    item(&rig, 'a', 1101, 0);
    finish(&rig, "a2110 ");
}

TEST(one_timestamp_is_the_time_of_its_place_alone)
{
    struct rig rig;

    start(&rig);
    item(&rig, 'a', 0, 0);
    stamp(&rig, 10, 0, 1000);
    item(&rig, 'b', 10, 0);
    item(&rig, 'c', 11, 0);
    finish(&rig, "a- b1000 c- ");
    start(&rig);
    item(&rig, 'a', 0, 0);
    finish(&rig, "a- ");
}

TEST(a_gap_of_unknown_length_makes_times_unsure)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    item(&rig, 'a', 10, 0);
    stamp(&rig, 100, 0, 1100);
    item(&rig, 'b', 110, 0);
    item(&rig, 'c', 110, 1);
    stamp(&rig, 120, 1, 9000);
    item(&rig, 'd', 130, 1);
    stamp(&rig, 220, 1, 9100);
    item(&rig, 'e', 230, 1);
    item(&rig, 'f', 230, 2);
    finish(&rig, "a1010 b5050? c5050? d9010 e9110 f9110? ");
}

/* It shows how long the gap was: its beginning is at the first one. */
TEST(timestamps_at_one_place_are_around_a_gap)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    stamp(&rig, 100, 0, 1100);
    item(&rig, 'a', 100, 0);
    stamp(&rig, 100, 1, 5000);
    item(&rig, 'b', 100, 1);
    stamp(&rig, 200, 1, 5100);
    finish(&rig, "a1100? b5000 ");
}

/* A rate of 0 would be one of a clock that stands still. */
TEST(timestamps_at_one_place_give_no_rate)
{
    struct rig rig;

    start(&rig);
    item(&rig, 'a', 0, 0);
    stamp(&rig, 100, 0, 1000);
    stamp(&rig, 100, 0, 1100);
    item(&rig, 'b', 110, 0);
    finish(&rig, "a1000? b1100? ");
}

TEST(one_timestamp_that_goes_back_is_not_believed)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    stamp(&rig, 100, 0, 1100);
    item(&rig, 'a', 110, 0);
    stamp(&rig, 120, 0, 7);
    item(&rig, 'b', 130, 0);
    stamp(&rig, 200, 0, 1200);
    finish(&rig, "a1110 b1130 ");
}

TEST(two_that_go_back_are_a_clock_that_was_set)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    stamp(&rig, 100, 0, 1100);
    item(&rig, 'a', 110, 0);
    stamp(&rig, 120, 0, 20);
    item(&rig, 'b', 130, 0);
    stamp(&rig, 220, 0, 120);
    item(&rig, 'c', 230, 0);
    stamp(&rig, 320, 0, 220);
    finish(&rig, "a1110 b30 c130 ");
}

/* Time never runs back: what is cut ends where it was seen last. */
TEST(a_place_that_comes_late_is_no_earlier_than_others)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    item(&rig, 'a', 50, 0);
    item(&rig, 'b', 40, 0);
    stamp(&rig, 100, 0, 1100);
    finish(&rig, "a1050 b1050 ");
}

TEST(what_is_held_is_bounded)
{
    struct rig rig;

    start(&rig);
    stamp(&rig, 0, 0, 1000);
    stamp(&rig, 64, 0, 1064);
    for (uint64_t i = 0; i < UINT64_C(3) << 20; i++)
        item(&rig, 'a', 64 + i, 0);
    assert_true(rig.n > (size_t)1 << 20);
    assert_ok(etm_clock_finish(rig.clock));
    etm_clock_free(rig.clock);
    assert_int_equal(rig.n, (size_t)3 << 20);
}

static void run_elements(struct rig *rig, enum etm_time_unit unit,
                         const struct etm_element *elements, size_t n,
                         const char *expected)
{
    const struct etm_clock_config config = {.size = sizeof config,
                                            .take = take_element,
                                            .context = rig,
                                            .sizeof_item = sizeof *elements,
                                            .unit = unit};

    *rig = (struct rig){0};
    assert_ok(etm_clock_new(&rig->clock, &config));
    for (size_t i = 0; i < n; i++)
        assert_ok(etm_clock_elements(rig->clock, &elements[i], 1));
    finish(rig, expected);
}

static struct etm_element range(uint32_t n, uint64_t cycles)
{
    struct etm_element e = {.kind = ETM_ELEMENT_RANGE};

    e.u.range.n = n;
    e.u.range.cycles = cycles;
    return e;
}

static struct etm_element timestamp(uint64_t value)
{
    struct etm_element e = {.kind = ETM_ELEMENT_TIMESTAMP};

    e.u.timestamp.value = value;
    return e;
}

TEST(elements_begin_behind_what_was_counted)
{
    const struct etm_element elements[] = {
        timestamp(1000), range(10, 40),  range(20, 60),   timestamp(1300),
        timestamp(1300), range(30, 100), timestamp(1600), timestamp(0)};
    struct rig rig;

    run_elements(&rig, ETM_TIME_INSTRUCTIONS, elements, 8,
                 "t1000 r1000 r1100 t1300 t1300 r1300 t1600 t1600 ");
    run_elements(&rig, ETM_TIME_CYCLES, elements, 8,
                 "t1000 r1000 r1120 t1300 t1300 r1300 t1600 t1600 ");
}

TEST(a_gap_with_cycles_has_a_length)
{
    struct etm_element gap = {.kind = ETM_ELEMENT_TRACE_ON},
                       cycles = {.kind = ETM_ELEMENT_CYCLES};
    const struct etm_element elements[] = {
        timestamp(1000), range(10, 40), gap,
        cycles,          range(10, 20), timestamp(1100)};
    struct etm_element timed[6];
    struct rig rig;

    memcpy(timed, elements, sizeof timed);
    timed[3].u.cycles.n = 40;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 r1000 t1040 c1040 r1080 t1100 ");
    run_elements(&rig, ETM_TIME_INSTRUCTIONS, timed, 6,
                 "t1000 r1000 t1050? c1050? r1050? t1100 ");
    timed[3].u.cycles.n = ETM_CYCLES_UNKNOWN;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 r1000 t1066? c1066? r1066? t1100 ");
}

TEST(a_local_timestamp_is_the_time_of_what_precedes_it)
{
    struct etm_element software = {.kind = ETM_ELEMENT_SOFTWARE},
                       local = {.kind = ETM_ELEMENT_LOCAL_TIMESTAMP};
    struct etm_element elements[] = {
        timestamp(1000), software, local, software, local, timestamp(1100)};
    struct rig rig;

    elements[2].u.local_timestamp.ticks = 10;
    elements[4].u.local_timestamp.ticks = 50;
    run_elements(&rig, ETM_TIME_LOCAL_TICKS, elements, 6,
                 "t1020 s1020 l1020 s1100 l1100 t1100 ");
}

TEST(misuse_is_refused)
{
    struct etm_clock_config config = {.size = sizeof config, .take = take};
    struct etm_clock *clock;
    struct rig rig;

    assert_int_equal(etm_clock_new(NULL, &config), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_clock_new(&clock, &config), ETM_ERR_ARGUMENT);
    config = (struct etm_clock_config){.size = sizeof config, .sizeof_item = 1};
    assert_int_equal(etm_clock_new(&clock, &config), ETM_ERR_ARGUMENT);
    start(&rig);
    assert_int_equal(etm_clock_timestamp(rig.clock,
                                         (struct etm_clock_place){0, 0},
                                         ETM_TIMESTAMP_UNKNOWN),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_clock_hold(rig.clock, (struct etm_clock_place){0, 0}, NULL),
        ETM_ERR_ARGUMENT);
    assert_int_equal(etm_clock_elements(rig.clock, NULL, 1), ETM_ERR_ARGUMENT);
    etm_clock_free(rig.clock);
    etm_clock_free(NULL);
    assert_int_equal(etm_clock_finish(NULL), ETM_ERR_ARGUMENT);
}
