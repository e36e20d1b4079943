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

/*
 * Words: `a@10` is an item at 10, `@10=1000` a timestamp, and `/1` behind a
 * place says how many gaps of unknown length there were before; `>` is what the
 * clock has given by then.
 */
static void play(struct rig *rig, const char *words)
{
    for (; *words != '\0'; words += strspn(words, " ")) {
        const char *text = words;
        struct etm_clock_place place = {0, 0};
        char *end, name = *words;

        if (name == '>') {
            words = strchr(words + 1, '>') + 1;
            assert_memory_equal(rig->text, text + 1,
                                (size_t)(words - text) - 2);
            assert_int_equal(strlen(rig->text), words - text - 2);
            continue;
        }
        place.at = strtoull(strchr(words, '@') + 1, &end, 10);
        if (*end == '/')
            place.gaps = (uint32_t)strtoul(end + 1, &end, 10);
        if (name != '@')
            assert_ok(etm_clock_hold(rig->clock, place, &name));
        else
            assert_ok(etm_clock_timestamp(rig->clock, place,
                                          strtoull(end + 1, &end, 10)));
        words = end;
    }
}

static void finish(struct rig *rig, const char *expected)
{
    assert_ok(etm_clock_finish(rig->clock));
    etm_clock_free(rig->clock);
    assert_string_equal(rig->text, expected);
}

TEST(items_get_times)
{
    static const struct {
        const char *what, *words, *times;
    } rows[] = {
        {"what is between two timestamps is in proportion",
         "@0=1000 a@0 b@10 c@50 >> @100=1200 >a1000 b1020 c1100 > "
         "d@110 @120=1210",
         "a1000 b1020 c1100 d1205 "},
        {"the ends have the rate of the nearest timestamps",
         "a@0 @100=1000 @200=1200 @300=1800 b@310", "a800 b1860 "},
        /* a tick more or less would make a rate of 1 ten times as large */
        {"the rate is not that of a few ticks",
         "@0=1000 @1000=2000 @1001=2010 a@1101", "a2110 "},
        {"a rate of a few ticks is better than none",
         "@0=1000 @10=1010 a@12 @20=1025 b@40", "a1013 b1050 "},
        {"that is measured behind a gap",
         "@0=1000 @10/1=1005 @20/1=1025 a@30/1", "a1045 "},
        {"and again when the clock was set",
         "@0=1000 @100=1100 @120=20 @130=40 a@140", "a60 "},
        {"one timestamp is the time of its place alone",
         "a@0 @10=1000 b@10 c@11", "a- b1000 c- "},
        {"there may be no timestamp", "a@0", "a- "},
        {"a gap of unknown length makes times unsure",
         "@0=1000 a@10 @100=1100 b@110 c@110/1 @120/1=9000 d@130/1 "
         "@220/1=9100 e@230/1 f@230/2",
         "a1010 b5050? c5050? d9010 e9110 f9110? "},
        {"so does one before the first timestamp",
         "a@0 b@5/1 @10/1=1000 @110/1=1100", "a990? b995 "},
        {"a rate that spans a gap of unknown length is better than none",
         "a@0 @20=1000 @100/1=1160 b@110/1", "a960? b1180? "},
        {"it is used until there is another one",
         "@0=1000 @100/1=1200 a@50/1 @200/1=1300 b@90/1 @300/1=1400 c@150/1 "
         "d@310/1",
         "a1100? b1190 c1250 d1410 "},
        /* it shows how long the gap was: its beginning is at the first one */
        {"timestamps at one place are around a gap",
         "@0=1000 @100=1100 a@100 @100/1=5000 b@100/1 @200/1=5100",
         "a1100? b5000 "},
        /* a rate of 0 would be one of a clock that stands still */
        {"timestamps at one place give no rate",
         "a@0 @100=1000 @100=1100 b@110", "a1000? b1100? "},
        {"one timestamp that goes back is not believed",
         "@0=1000 @100=1100 a@110 @120=7 b@130 @200=1200", "a1110 b1130 "},
        {"two that go back are a clock that was set",
         "@0=1000 @100=1100 a@110 @120=20 b@130 @220=120 c@230 @320=220",
         "a1110 b30 c130 "},
        {"two that do not agree are no clock",
         "@0=1000 @100=1100 a@110 @120=20 @130=10 b@140 @200=1200",
         "a1110 b1140 "},
        {"a timestamp at an earlier place is not believed",
         "@0=1000 @100=1100 a@110 @90=1200 b@130 @200=1200", "a1110 b1130 "},
        /* time never runs back: what is cut ends where it was seen last */
        {"a place that comes late is no earlier than others",
         "@0=1000 a@50 b@40 @100=1100", "a1050 b1050 "},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig rig;

        print_message("%s\n", rows[i].what);
        start(&rig);
        play(&rig, rows[i].words);
        finish(&rig, rows[i].times);
    }
}

TEST(what_is_held_is_bounded)
{
    struct rig rig;
    char name = 'a';

    start(&rig);
    play(&rig, "@0=1000 @64=1064");
    for (uint64_t i = 0; i < UINT64_C(3) << 20; i++)
        assert_ok(etm_clock_hold(rig.clock, (struct etm_clock_place){64 + i, 0},
                                 &name));
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

#define TIME(t)                                                                \
    {                                                                          \
        .kind = ETM_ELEMENT_TIMESTAMP, .u.timestamp.value = t                  \
    }
#define RANGE(insns, time)                                                     \
    {                                                                          \
        .kind = ETM_ELEMENT_RANGE, .u.range = {.n = insns, .cycles = time }    \
    }
#define TICKS(t)                                                               \
    {                                                                          \
        .kind = ETM_ELEMENT_LOCAL_TIMESTAMP, .u.local_timestamp.ticks = t      \
    }

TEST(elements_begin_behind_what_was_counted)
{
    const struct etm_element elements[] = {
        TIME(1000), RANGE(10, 40),  RANGE(20, 60), TIME(1300),
        TIME(1300), RANGE(30, 100), TIME(1600),    TIME(0)};
    struct rig rig;

    run_elements(&rig, ETM_TIME_INSTRUCTIONS, elements, 8,
                 "t1000 r1000 r1100 t1300 t1300 r1300 t1600 t1600 ");
    run_elements(&rig, ETM_TIME_CYCLES, elements, 8,
                 "t1000 r1000 r1120 t1300 t1300 r1300 t1600 t1600 ");
}

TEST(a_gap_with_cycles_has_a_length)
{
    struct etm_element timed[] = {TIME(1000),
                                  RANGE(10, 40),
                                  {.kind = ETM_ELEMENT_TRACE_ON},
                                  {.kind = ETM_ELEMENT_CYCLES},
                                  RANGE(10, 20),
                                  TIME(1100)};
    struct rig rig;

    timed[3].u.cycles.n = 40;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 r1000 t1040 c1040 r1080 t1100 ");
    run_elements(&rig, ETM_TIME_INSTRUCTIONS, timed, 6,
                 "t1000 r1000 t1050? c1050? r1050? t1100 ");
    timed[3].u.cycles.n = ETM_CYCLES_UNKNOWN;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 r1000 t1066? c1066? r1066? t1100 ");
    /* two of them are one, unless something was lost, which has no length */
    timed[3].u.cycles.n = 40;
    timed[1].kind = ETM_ELEMENT_TRACE_ON;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 t1000 t1000 c1000 r1066 t1100 ");
    timed[1].kind = ETM_ELEMENT_LOST;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 l1000 t1000 c1000 r1066? t1100 ");
    timed[1].kind = ETM_ELEMENT_TRACE_ON;
    timed[2].kind = ETM_ELEMENT_LOST;
    run_elements(&rig, ETM_TIME_CYCLES, timed, 6,
                 "t1000 t1000 l1000 c1000 r1066? t1100 ");
}

TEST(a_local_timestamp_is_the_time_of_what_precedes_it)
{
    const struct etm_element elements[] = {
        TIME(1000), {.kind = ETM_ELEMENT_SOFTWARE},
        TICKS(10),  {.kind = ETM_ELEMENT_SOFTWARE},
        TICKS(50),  TIME(1100)};
    struct rig rig;

    run_elements(&rig, ETM_TIME_LOCAL_TICKS, elements, 6,
                 "t1020 s1020 l1020 s1100 l1100 t1100 ");
}

static int refuse(void *context, void *item, const struct etm_clock_time *time)
{
    (void)item;
    (void)time;
    ++*(unsigned *)context;
    return -99;
}

TEST(what_the_receiver_returns_is_the_end)
{
    unsigned n = 0;
    const struct etm_element e[2] = {RANGE(1, 1), RANGE(1, 1)};
    const struct etm_clock_config config = {.size = sizeof config,
                                            .take = refuse,
                                            .context = &n,
                                            .sizeof_item = sizeof *e};
    const struct etm_clock_place place = {0, 0};
    struct etm_clock *clock;

    assert_ok(etm_clock_new(&clock, &config));
    assert_ok(etm_clock_elements(clock, e, 2));
    assert_int_equal(etm_clock_finish(clock), -99);
    assert_int_equal(etm_clock_finish(clock), -99);
    assert_int_equal(etm_clock_elements(clock, e, 2), -99);
    assert_int_equal(etm_clock_hold(clock, place, e), -99);
    assert_int_equal(etm_clock_timestamp(clock, place, 1), -99);
    assert_int_equal(n, 1);
    etm_clock_free(clock);
}

TEST(misuse_is_refused)
{
    struct etm_clock_config config = {.size = sizeof config, .take = take};
    const struct etm_clock_place place = {0, 0};
    struct etm_clock *clock;
    struct rig rig;

    assert_refused(etm_clock_new(NULL, &config));
    assert_refused(etm_clock_new(&clock, &config));
    config = (struct etm_clock_config){.size = sizeof config, .sizeof_item = 1};
    assert_refused(etm_clock_new(&clock, &config));
    config = (struct etm_clock_config){
        .size = sizeof config, .take = take, .sizeof_item = SIZE_MAX};
    assert_refused(etm_clock_new(&clock, &config));
    start(&rig);
    assert_refused(
        etm_clock_timestamp(rig.clock, place, ETM_TIMESTAMP_UNKNOWN));
    assert_refused(etm_clock_timestamp(NULL, place, 1));
    assert_refused(etm_clock_hold(rig.clock, place, NULL));
    assert_refused(etm_clock_hold(NULL, place, "a"));
    assert_refused(etm_clock_elements(rig.clock, NULL, 1));
    assert_refused(etm_clock_elements(NULL, NULL, 0));
    etm_clock_free(rig.clock);
    etm_clock_free(NULL);
    assert_refused(etm_clock_finish(NULL));
}
