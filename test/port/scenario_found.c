/* SPDX-License-Identifier: Apache-2.0 */
/* Where frames begin, and what kind of bytes these are. */
#include "scenario.h"

#include <stdio.h>

/* ---- Where frames begin -------------------------------------------------- */

/* Bytes of a frame before the next one, in what begins at `at`. The second half
 * of a half-word synchronization is a byte of what it cuts. */
static unsigned before_frame(size_t at)
{
    bool within = capture.items[at].at == ETM_FRAME_BYTES && at != 0 &&
                  capture.items[at - 1].byte == 0xff &&
                  capture.items[at].byte == 0x7f;

    while (at < capture.n && capture.items[at].at == ETM_FRAME_BYTES)
        at++;
    return at < capture.n ? (32u - capture.items[at].at + within) % 16 : 0;
}

/* One of these, of a capture without its first `cut` bytes; its words are those
 * that are expected. */
static const char *find_first(size_t cut, bool end)
{
    static const char *const phases[] = {"more", "known", "doubt"};
    static char text[64];
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    uint8_t first = 0xff;
    enum etm_phase phase =
        capture.layout == ETM_FRAME_TPIU
            ? etm_frame_tpiu_phase(bytes + cut, n - cut, &first)
            : etm_frame_phase(bytes + cut, n - cut, end, &first);

    snprintf(text, sizeof text, "%s:%u", phases[phase], first);
    return text;
}

/* first WORD [sofar]; first found N: with each of the N first bytes as the
 * first one, frames are found where they are. */
static bool expect_first(struct words *w)
{
    uint64_t cuts;
    char text[16];

    if (w->n != 4 || strcmp(w->word[2], "found") != 0) {
        const char *is = find_first(0, w->n == 3);

        return w->n > 2 &&
               (strcmp(is, w->word[2]) == 0 || wrong("frames begin at %s", is));
    }
    if (!number(w->word[3], 10, &cuts))
        return false;
    for (size_t cut = 0; cut < cuts && cut < capture.n; cut++) {
        const char *is = find_first(cut, true);

        snprintf(text, sizeof text, "known:%u", before_frame(cut));
        if (strcmp(is, text) != 0)
            return wrong("without %zu bytes: %s, not %s", cut, is, text);
    }
    return true;
}

/* first_sofar N: more and more of its bytes give no answer, and then `known:N`
 * and no other any more. */
static bool expect_sofar(struct words *w)
{
    size_t all = capture.n;
    bool known = false, good = true;

    if (w->n != 3)
        return wrong("sofar known:N");
    for (capture.n = 0; capture.n <= all && good; capture.n += 61) {
        const char *is = find_first(0, false);

        if (!known && strcmp(is, "more:0") == 0)
            continue;
        known = true;
        good = strcmp(is, w->word[2]) == 0 ||
               wrong("%s of %zu bytes", is, capture.n);
    }
    capture.n = all;
    return good && (known || wrong("it is never known"));
}

/* likely, tpiu_likely, unlikely, blocks, synchronized: yes or no [CUTS] */
static bool expect_kind(struct words *w)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    uint64_t cuts = 1;

    if (w->n < 3 || (w->n == 4 && !number(w->word[3], 10, &cuts)))
        return wrong("%s yes or no", w->word[1]);
    for (size_t cut = 0; cut < cuts && cut < n; cut++) {
        bool is = false, yes = strcmp(w->word[2], "yes") == 0;
        unsigned phase = 99;
        int status = ETM_OK;

        if (strcmp(w->word[1], "likely") == 0)
            is = etm_frame_likely(bytes + cut, n - cut, &phase);
        else if (strcmp(w->word[1], "tpiu_likely") == 0)
            is = etm_frame_tpiu_likely(bytes + cut, n - cut);
        else if (strcmp(w->word[1], "unlikely") == 0)
            is = etm_frame_unlikely(bytes + cut, n - cut);
        else if (strcmp(w->word[1], "blocks") == 0)
            status = etm_frame_blocks(bytes + cut, n - cut, NULL, &is);
        else
            status = etm_frame_synchronized(bytes + cut, n - cut, NULL, &is);
        if (status != ETM_OK || is != yes)
            return wrong("%s: %d without %zu bytes", w->word[1], is, cut);
        if (phase != 99 && is && phase != before_frame(cut))
            return wrong("frames begin at %u", phase);
    }
    return true;
}

/* often_likely PERCENT DAMAGED: of 8000 bytes that begin anywhere, DAMAGED of
 * which are others, so many in a hundred are likely frames. */
static bool expect_often(struct words *w)
{
    enum { SLICE = 8000 };
    uint8_t copy[SLICE];
    size_t n, likely = 0, all = 0;
    const uint8_t *bytes = capture_bytes(&n);
    uint64_t percent, damaged;
    unsigned phase;

    if (w->n != 4 || !number(w->word[2], 10, &percent) ||
        !number(w->word[3], 10, &damaged))
        return wrong("often_likely PERCENT DAMAGED");
    for (size_t cut = 0; cut + SLICE <= n; cut += 7) {
        memcpy(copy, bytes + cut, SLICE);
        for (uint64_t i = 0; i < damaged; i++)
            copy[random_next(&capture.random) % SLICE] =
                (uint8_t)random_next(&capture.random);
        likely += etm_frame_likely(copy, SLICE, &phase);
        all++;
    }
    return (all != 0 && likely * 100 >= all * percent) ||
           wrong("%zu of %zu are likely", likely, all);
}

/* swapped N: bytes of a word, whichever of the first 16 bytes' words comes
 * first; bare: of one source without frames */
static bool expect_swapped(struct words *w)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    bool bare = w->n == 4 && strcmp(w->word[3], "bare") == 0;
    uint64_t word;

    if (w->n < 3 || !number(w->word[2], 10, &word))
        return wrong("swapped N [bare]");
    for (size_t cut = 0; cut < 16 && cut <= n; cut += word != 0 ? word : 1) {
        size_t first = word == 0 && cut < n ? before_frame(cut) : 0;

        if (!expected_number(
                "swapped",
                etm_frame_swapped(bytes + cut, n - cut, !bare, first),
                w->word[2], 10))
            return false;
        if (bare)
            break;
    }
    return true;
}

/* seam PLACE; seam found: between the newest and the oldest byte */
static bool expect_seam(struct words *w)
{
    size_t n, place = 0;
    const uint8_t *bytes = capture_bytes(&n);

    if (w->n != 3)
        return wrong("seam PLACE");
    if (strcmp(w->word[2], "found") == 0)
        while (place < n &&
               capture.items[place].place >= capture.items[0].place)
            place++;
    else if (!place_in_capture(w->word[2], &place))
        return false;
    return etm_frame_seam(bytes, n) == (place < n ? place : 0) ||
           wrong("the seam is at %zu", etm_frame_seam(bytes, n));
}

/* bypass N: bytes of trace */
static bool expect_bypass(struct words *w)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);

    return w->n == 3 &&
           expected_number("bypass", etm_bypass_size(bytes, n), w->word[2], 10);
}

/* ---- Bits that have moved ------------------------------------------------ */

/* aligned: each of 24 bits as the first one, the bytes are those of the stream.
 * aligned BYTES: what becomes of it as it is */
static bool expect_aligned(struct words *w)
{
    static uint8_t shifted[MOST_BYTES];
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    bool good = true;

    for (size_t bit = 0; bit < (w->n > 2 ? 1 : 24) && bit <= 8 * n && good;
         bit++) {
        size_t skipped = (bit + 7) / 8;
        struct etm_vec made;

        memset(shifted, 0, n + 1);
        for (size_t i = 0; i + bit < 8 * n; i++)
            shifted[i / 8] |=
                (uint8_t)((bytes[(i + bit) / 8] >> (i + bit) % 8 & 1) << i % 8);
        etm_vec_init(&made, 1, NULL);
        good = etm_frame_align(shifted, 8 * n - bit, &made) == ETM_OK;
        if (good && w->n > 2) {
            struct scenario_text t = {0};

            for (size_t i = 0; i < made.n; i++)
                text_add(&t, "%02x ", ((uint8_t *)made.data)[i]);
            good = same_text(w, 2, &t);
        } else if (good) {
            good = (made.n == n - skipped &&
                    (made.n == 0 ||
                     memcmp(made.data, bytes + skipped, made.n) == 0)) ||
                   wrong("from bit %zu on it is not aligned", bit);
        }
        etm_vec_fini(&made);
    }
    return good;
}

static bool realign(uint32_t hold, size_t step, struct scenario_text *t)
{
    struct etm_realigner_config config = {.size = sizeof config, .hold = hold};
    struct etm_realigner *r;
    struct etm_realigned made;
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    uint64_t end = 0; /* the bit of the input that comes next */
    int status = etm_realigner_new(&r, &config);

    for (size_t at = 0; at <= n && status == ETM_OK; at += step) {
        const uint8_t *byte;

        if (at < n)
            status = etm_realigner_push(r, bytes + at,
                                        step < n - at ? step : n - at);
        if (at + step > n)
            status |= etm_realigner_finish(r);
        etm_realigner_take(r, &made);
        byte = made.bytes;
        for (size_t i = 0; i < made.n_runs; i++) {
            const struct etm_realign_run *run = &made.runs[i];

            if (run->gap)
                text_add(t, "gap:%llu ", (unsigned long long)run->lost);
            if (8 * run->input + run->bit != end)
                text_add(t, "@%llu.%u ", (unsigned long long)run->input,
                         run->bit);
            end = 8 * (run->input + run->n) + run->bit;
            for (uint64_t k = 0; k < run->n; k++)
                text_add(t, "%02x ", *byte++);
        }
    }
    etm_realigner_free(r);
    return status == ETM_OK || wrong("status %d", status);
}

static void bytes_text(struct scenario_text *t)
{
    for (size_t i = 0; i < capture.n; i++)
        text_add(t, "%02x ", capture.items[i].byte);
}

/* realigned HOLD BYTES: of a stream of ETMv3 or PFT; `gap:1 @1.5`: one was
 * lost, and it goes on with bit 5 of byte 1; `... @1.5`: whatever came before;
 * `same`: all of the capture. HOLD: so many wait for an A-sync; 0: as many as
 * usual */
static bool expect_realigned(struct words *w)
{
    uint64_t hold;
    bool good = w->n > 2 && number(w->word[2], 10, &hold);
    bool same = w->n == 4 && strcmp(w->word[3], "same") == 0;
    bool end = w->n > 4 && strcmp(w->word[3], "...") == 0;

    for (size_t step = 1; step <= capture.n && good; step++) {
        struct scenario_text t = {0}, all = {0};
        const char *at;

        good = realign((uint32_t)hold, step, &t);
        if (same) {
            bytes_text(&all);
            good = good && (strcmp(t.text, all.text) == 0 ||
                            wrong("not the same: %s", t.text));
            free(all.text);
        } else {
            at = end && good ? strstr(t.text, w->word[4]) : NULL;
            text_add(&all, "%s", at != NULL ? at : t.text);
            good = same_text(w, 3 + end, &all) && good;
        }
        free(t.text);
    }
    return good;
}

/* ---- Memory that ends ---------------------------------------------------- */

static int deframe_all(const struct etm_allocator *allocator)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    struct etm_deframer d;
    int status;

    etm_deframer_init(&d, capture.layout, capture.ids[0], allocator);
    status = etm_deframer_push(&d, bytes, n);
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    etm_deframer_fini(&d);
    return status;
}

static int survey_all(const struct etm_allocator *allocator)
{
    struct etm_frame_counts counts;
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);

    return etm_frame_survey(&counts, capture.layout, bytes, n, allocator);
}

static int align_all(const struct etm_allocator *allocator)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    struct etm_vec made;
    int status;

    etm_vec_init(&made, 1, allocator);
    status = etm_frame_align(bytes, 8 * n, &made);
    etm_vec_fini(&made);
    return status;
}

static int look_all(const struct etm_allocator *allocator)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    bool is;
    int status = etm_frame_blocks(bytes, n, allocator, &is);

    return status != ETM_OK ? status
                            : etm_frame_synchronized(bytes, n, allocator, &is);
}

static int realign_all(const struct etm_allocator *allocator)
{
    struct etm_realigner_config config = {.size = sizeof config,
                                          .allocator = allocator};
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    struct etm_realigner *r;
    int status = etm_realigner_new(&r, &config);

    if (status == ETM_OK)
        status = etm_realigner_push(r, bytes, n);
    if (status == ETM_OK)
        status = etm_realigner_finish(r);
    etm_realigner_free(r);
    return status;
}

/* scarce WHAT N: whichever of its allocations fails, it is said, and nothing is
 * left; there are at least N. */
static bool expect_scarce(struct words *w)
{
    static const struct {
        const char *name;
        int (*act)(const struct etm_allocator *allocator);
    } acts[] = {{"deframe", deframe_all}, {"survey", survey_all},
                {"align", align_all},     {"look", look_all},
                {"realign", realign_all}, {"unpack", unpack_all},
                {"pack", pack_all},       {"frame", frame_all}};
    uint64_t least;
    size_t i = 0;

    if (w->n != 4 || !number(w->word[3], 10, &least))
        return wrong("scarce WHAT N");
    while (i < sizeof acts / sizeof *acts &&
           strcmp(w->word[2], acts[i].name) != 0)
        i++;
    if (i == sizeof acts / sizeof *acts)
        return wrong("not known: %s", w->word[2]);
    return each_call_fails(acts[i].act, ETM_OK, (size_t)least);
}

const struct verb found_expected[] = {
    {"first", expect_first},         {"sofar", expect_sofar},
    {"likely", expect_kind},         {"often_likely", expect_often},
    {"tpiu_likely", expect_kind},    {"unlikely", expect_kind},
    {"blocks", expect_kind},         {"synchronized", expect_kind},
    {"swapped", expect_swapped},     {"seam", expect_seam},
    {"bypass", expect_bypass},       {"aligned", expect_aligned},
    {"realigned", expect_realigned}, {"bytes", expect_bytes},
    {"scarce", expect_scarce},       {NULL, NULL},
};
