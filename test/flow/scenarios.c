/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the scenarios of a folder (README.md). Each is decoded and compared
 * with what it expects, at both levels; besides, for each: every split of its
 * trace gives the same elements, nothing is allocated after warm-up, a failing
 * allocator ends in one clean error, and bytes that are wrong do no harm.
 *
 *     scenarios FOLDER             test; one line of TAP a case
 *     scenarios --rebase FOLDER    write what is decoded into the files
 *     scenarios --wrong FOLDER     each case is refused, as its name says
 */
#include "scenario.h"

#include "../support/receive.h"
#include "../support/scarce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG 50u /* bytes, one at a time */

static struct scenario scenario;

/* What has to be so; else the case failed, and the function is left. */
#define NEED(condition)                                                        \
    do {                                                                       \
        if (!(condition))                                                      \
            return wrong("not so: %s", #condition);                            \
    } while (0)

static int collect(void *context, const struct etm_element *elements, size_t n)
{
    for (size_t i = 0; i < n; i++)
        scenario_add(context, &elements[i]);
    return ETM_OK;
}

RECEIVE(ignore, const struct etm_element *)

static int new_decoder(struct etm_decoder **decoder, const struct scenario *s,
                       enum etm_level level, etm_element_fn *elements,
                       void *context, struct faulty *faulty)
{
    struct etm_allocator allocator = {faulty_resize, faulty};
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &s->config,
                                        .image = s->image,
                                        .level = level,
                                        .elements = elements,
                                        .context = context,
                                        .allocator = &allocator};

    return etm_decoder_new(decoder, &config);
}

/*
 * All the trace of a scenario. `step`: bytes to push at a time, 0: whole
 * pieces; `cut`: a place where a piece is cut in two.
 */
static int push(struct etm_decoder *decoder, const struct scenario *s,
                size_t step, size_t cut)
{
    size_t at = 0;
    int status = ETM_OK;

    for (size_t i = 0; i < s->n_pieces && status == ETM_OK; i++) {
        size_t end = s->pieces[i].end;
        while (at < end && status == ETM_OK) {
            size_t n = step != 0 && step < end - at ? step : end - at;
            if (at < cut && cut < at + n)
                n = cut - at;
            status = etm_decoder_push(decoder, s->stream + at, n);
            at += n;
        }
        if (status == ETM_OK && i + 1 < s->n_pieces)
            status = etm_decoder_gap(decoder, s->pieces[i].lost);
    }
    return status;
}

static bool decode(const struct scenario *s, enum etm_level level, size_t step,
                   size_t cut, struct elements *out)
{
    struct faulty faulty = {0};
    struct etm_decoder *decoder;

    out->n = 0;
    NEED(new_decoder(&decoder, s, level, collect, out, &faulty) == ETM_OK);
    NEED(push(decoder, s, step, cut) == ETM_OK);
    NEED(etm_decoder_finish(decoder) == ETM_OK);
    etm_decoder_free(decoder);
    NEED(faulty.live == 0);
    return true;
}

/* ---- What is expected ---------------------------------------------------- */

static bool same_text(const char *what, const char *expected, const char *given)
{
    return strcmp(expected, given) == 0 ||
           wrong("%s\n#   expected: %s\n#   given:    %s", what, expected,
                 given);
}

/* Each packet has the elements that stand behind it. */
static bool each_packet(const struct scenario *s, const struct elements *all)
{
    static struct scenario_text given;
    struct scenario_place place = {0};
    bool good = true;

    for (size_t i = 0; i == 0 || i < s->n_items; i++) {
        scenario_text(s, all, &place, &given);
        good = same_text(s->n_items != 0 ? s->items[i].packet : "nothing",
                         s->n_items != 0 ? s->items[i].expected : "",
                         given.text) &&
               good;
    }
    return good;
}

/* "expect ranges", where instructions do not say what they are. */
static bool ranges(const struct scenario *s, const struct elements *insns)
{
    static struct scenario_text expected, given;
    static struct elements derived, all;
    const char *listed = s->ranges != NULL ? strchr(s->ranges->text, '\n') : "";
    bool derivable;

    derived.n = 0;
    scenario_ranges(s, insns, &derived);
    if (!decode(s, ETM_LEVEL_RANGES, 0, 0, &all))
        return false;
    scenario_list(&derived, &expected);
    scenario_list(&all, &given);
    derivable = strcmp(expected.text, given.text) == 0;
    if (s->ranges == NULL)
        return same_text("ranges", expected.text, given.text);
    if (derivable)
        return wrong("the instructions say which ranges there are");
    expected.n = 0;
    text_add(&expected, "%s\n", listed != NULL ? listed + 1 : "");
    return same_text("ranges", expected.text, given.text);
}

/* ---- For each of them ---------------------------------------------------- */

static bool same_elements(const char *what, const struct elements *a,
                          const struct elements *b)
{
    static struct scenario_text one, other;

    scenario_list(a, &one);
    scenario_list(b, &other);
    return same_text(what, one.text, other.text);
}

static bool every_split_gives_the_same(const struct scenario *s)
{
    static struct elements whole, split;
    size_t n = s->pieces[s->n_pieces - 1].end;

    for (int level = 0; level < 2; level++) {
        if (!decode(s, (enum etm_level)level, 0, 0, &whole) ||
            !decode(s, (enum etm_level)level, 1, 0, &split) ||
            !same_elements("split in bytes", &whole, &split))
            return false;
        for (size_t cut = 1; cut < n; cut++)
            if (!decode(s, (enum etm_level)level, 0, cut, &split) ||
                !same_elements("cut in two", &whole, &split))
                return false;
    }
    return true;
}

static bool nothing_is_allocated_after_warm_up(const struct scenario *s)
{
    for (int level = 0; level < 2; level++) {
        struct faulty faulty = {0};
        struct etm_decoder *decoder;
        size_t before;
        NEED(new_decoder(&decoder, s, (enum etm_level)level, ignore, NULL,
                         &faulty) == ETM_OK);
        /* the second time begins where the first one ended */
        NEED(push(decoder, s, 0, 0) == ETM_OK);
        NEED(push(decoder, s, 0, 0) == ETM_OK);
        before = faulty.calls;
        NEED(push(decoder, s, 0, 0) == ETM_OK);
        NEED(faulty.calls == before);
        NEED(etm_decoder_finish(decoder) == ETM_OK);
        etm_decoder_free(decoder);
    }
    return true;
}

static bool a_failing_allocator_is_one_clean_error(const struct scenario *s)
{
    for (size_t fail_at = 1;; fail_at++) {
        struct faulty faulty = {.fail_at = fail_at};
        struct etm_decoder *decoder;
        int status = new_decoder(&decoder, s, ETM_LEVEL_INSTRUCTIONS, ignore,
                                 NULL, &faulty);
        NEED(status == ETM_OK || decoder == NULL);
        if (status == ETM_OK)
            status = push(decoder, s, 0, 0);
        if (status == ETM_OK)
            status = etm_decoder_finish(decoder);
        etm_decoder_free(decoder);
        NEED(faulty.live == 0);
        if (faulty.calls < fail_at) { /* there are not so many calls */
            NEED(status == ETM_OK);
            return true;
        }
        NEED(status == ETM_ERR_MEMORY);
    }
}

/* What both levels must tell of the same trace. */
struct sums {
    uint64_t instructions;
    uint64_t others[ETM_ELEMENT_LOCAL_TIMESTAMP + 1];
    bool ended;
};

static void sum(struct sums *sums, const struct elements *all)
{
    const struct etm_element *elements = all->e;

    for (size_t i = 0; i < all->n; i++) {
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            sums->instructions += elements[i].u.range.n;
        else if (elements[i].kind == ETM_ELEMENT_INSN)
            sums->instructions++;
        else
            sums->others[elements[i].kind]++;
        sums->ended = elements[i].kind == ETM_ELEMENT_END;
    }
}

static bool one_wrong_trace(const struct scenario *s)
{
    static struct elements whole, split;
    struct sums sums[2];

    for (int level = 0; level < 2; level++) {
        sums[level] = (struct sums){.ended = false};
        if (!decode(s, (enum etm_level)level, 0, 0, &whole) ||
            !decode(s, (enum etm_level)level, 1, 0, &split) ||
            !same_elements("wrong, split in bytes", &whole, &split))
            return false;
        sum(&sums[level], &whole);
        NEED(sums[level].ended);
    }
    NEED(memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0);
    return true;
}

static bool wrong_bytes_do_no_harm(struct scenario *s)
{
    size_t n = s->pieces[s->n_pieces - 1].end;
    uint32_t random = 1;
    bool good = true;

    for (unsigned i = 0; i < WRONG && n != 0 && good; i++) {
        size_t at = (random = random * 1664525u + 1013904223u) / 256 % n;
        uint8_t right = s->stream[at];
        s->stream[at] =
            (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        good = one_wrong_trace(s);
        s->stream[at] = right;
    }
    return good;
}

/* ---- Rebase -------------------------------------------------------------- */

/* Words that do not go beyond a line of 80 columns. */
static void wrapped(struct scenario_text *out, size_t column, const char *text)
{
    while (*text != 0) {
        size_t n = strcspn(text, " ");
        if (column + n + 1 > 80) {
            text_add(out, "\n     ");
            column = 5;
        }
        text_add(out, " %.*s", (int)n, text);
        column += n + 1;
        text += n + strspn(text + n, " ");
    }
}

/* The lines of the trace as they are, and the elements of each. */
static void rebase_trace(const struct scenario *s, const struct elements *all)
{
    static struct scenario_text given;
    struct scenario_text out = {0};
    struct scenario_place place = {0};
    struct line *line = &cases.file.lines[s->trace - cases.file.lines];
    const char *at = cases.file.text;
    size_t implied = s->n_items != 0 && s->items[0].packet == s->text;

    for (unsigned number = 1; number < line->number; number++)
        at = strchr(at, '\n') + 1;
    implied = implied && strncmp(at, "trace first", 11) != 0 &&
              (s->config.protocol == ETM_PROTOCOL_PFT ||
               s->config.protocol == ETM_PROTOCOL_ETMV3);
    if (implied)
        scenario_text(s, all, &place, &given);
    for (unsigned number = line->number; number <= line->last; number++) {
        size_t n = strcspn(at, "\n"), used = n;
        const char *word = at + strspn(at, " ");
        for (const char *c = at; c + 3 < at + n && used == n; c++)
            if (strncmp(c, " > ", 3) == 0)
                used = (size_t)(c - at);
        if (number == line->number || *word == '#') {
            text_add(&out, "%.*s\n", (int)n, at);
        } else if (word - at < 5) {
            text_add(&out, "%.*s", (int)used, at);
            scenario_text(s, all, &place, &given);
            if (given.n != 0) {
                text_add(&out, " >");
                wrapped(&out, used + 2, given.text);
            }
            text_add(&out, "\n");
        }
        at += n + 1;
    }
    line->given = out.text;
}

static bool row_matters(void)
{
    for (unsigned i = 0; i < cases.n_variables; i++)
        if (cases.variables[i].name[0] == '$')
            return true;
    return false;
}

static void rebase(const struct scenario *s, const struct elements *all)
{
    static struct elements ranges;
    struct scenario_text out = {0}, list = {0};

    if (row_matters())
        return;
    rebase_trace(s, all);
    if (s->ranges == NULL)
        return;
    (void)decode(s, ETM_LEVEL_RANGES, 0, 0, &ranges);
    scenario_list(&ranges, &list);
    text_add(&out, "expect ranges\n%s", list.text);
    free(list.text);
    cases.file.lines[s->ranges - cases.file.lines].given = out.text;
}

/* ---- A case -------------------------------------------------------------- */

static bool line(const struct line *l)
{
    return scenario_line(&scenario, l);
}

static bool run(struct scenario *s)
{
    static struct elements all;

    if (s->trace == NULL)
        return wrong("no trace");
    if (!scenario_image(s) ||
        !decode(s, s->only_ranges ? ETM_LEVEL_RANGES : ETM_LEVEL_INSTRUCTIONS,
                0, 0, &all))
        return false;
    if (cases.rebase) {
        rebase(s, &all);
        return true;
    }
    return each_packet(s, &all) && (s->only_ranges || ranges(s, &all)) &&
           every_split_gives_the_same(s) &&
           nothing_is_allocated_after_warm_up(s) &&
           a_failing_allocator_is_one_clean_error(s) &&
           wrong_bytes_do_no_harm(s);
}

static void end(bool good)
{
    if (good)
        (void)run(&scenario);
    scenario_clear(&scenario);
}

int main(int argc, char **argv)
{
    static const struct case_room room = {
        .ending = ".scn", .line = line, .end = end};

    return cases_main(argc, argv, &room);
}
