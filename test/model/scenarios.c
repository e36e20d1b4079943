/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the scenarios of a folder (test/README.md). Each case is run event by
 * event; again with as many events at a time as can be; and with an allocation
 * that fails, each in turn. The second time nobody asks for packets, if the
 * case does not.
 */
#include "scenario.h"

#include <stdio.h>

#define ROWS 1000u

struct unit unit;

/* The trace of each row of the case, event by event. */
static struct {
    uint64_t sum[ROWS];
    unsigned n;
} first;

static bool stops(void)
{
    return cases.quiet && unit.status != ETM_OK;
}

static void begin(void)
{
    unit.at_once = unit.no_packets = false;
    first.n = 0;
}

/* Whatever the case expects, no way may change the trace. */
static void same(void)
{
    uint64_t sum = unit_sum(&unit);

    if (!unit.at_once)
        first.sum[first.n % ROWS] = sum;
    else if (first.sum[first.n % ROWS] != sum)
        (void)wrong("the trace is not that of one event at a time");
    first.n++;
}

static void end(bool good)
{
    unit_flush(&unit);
    if (good && !cases.quiet && unit.status != ETM_OK)
        (void)wrong("refused: %s", etm_status_text(unit.status));
    if (good && !cases.quiet && !cases.failed)
        same();
    unit_end(&unit);
    if (unit.memory.live != 0)
        (void)wrong("memory is lost");
    unit.memory.live = 0;
}

/* Does memory fail cleanly? Only what is refused for want of it ends early. */
static bool without_memory(const struct line *from, const struct line *to)
{
    cases.quiet = true;
    for (size_t fail_at = 1; fail_at < 40; fail_at++) {
        unit.memory = (struct faulty){.fail_at = fail_at};
        (void)case_rows(from, to);
        if (unit.memory.calls < fail_at)
            break;
    }
    cases.quiet = false;
    unit.memory = (struct faulty){0};
    return !cases.failed;
}

/* Does a case expect something of packets? */
static bool about_packets(const struct line *from, const struct line *to)
{
    static const char *const words[] = {"packets", "count", "values",
                                        "addresses", "atoms"};

    for (const struct line *l = from; l < to; l++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (begins(l, "expect") && strstr(l->text, words[i]) != NULL)
                return true;
    return false;
}

static bool again(const struct line *from, const struct line *to)
{
    unit.at_once = true;
    first.n = 0;
    unit.no_packets = !about_packets(from, to);
    if (!case_rows(from, to))
        printf("# with many events at a time, without packets\n");
    return !cases.failed && without_memory(from, to);
}

int main(int argc, char **argv)
{
    static const struct case_room room = {.ending = ".scn",
                                          .line = scenario_line,
                                          .end = end,
                                          .begin = begin,
                                          .again = again,
                                          .stops = stops};

    return cases_main(argc, argv, &room);
}
