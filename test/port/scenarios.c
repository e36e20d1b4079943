/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the cases of a folder (test/README.md): frames, and what comes out of
 * each source; samples of a trace port; pins.
 *
 *     scenarios FOLDER           test; one line of TAP a case
 *     scenarios --wrong FOLDER   each case fails, for the reason in its name
 */
#include "scenario.h"

static bool other(struct words *w)
{
    return strcmp(w->word[0], "expect") == 0
               ? frame_source(w)
               : wrong("not known: %s", w->word[0]);
}

static void begin(void)
{
    made_begin();
    pins_begin();
}

int main(int argc, char **argv)
{
    static const struct case_room room = {
        .ending = ".scn",
        .begin = begin,
        .clear = begin,
        .stops = made_stopped,
        .verbs = {made_verbs, pin_verbs},
        .expected = {frame_expected, found_expected, pin_expected},
        .other = other};

    return cases_main(argc, argv, &room);
}
