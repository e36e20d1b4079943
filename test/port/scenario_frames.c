/* SPDX-License-Identifier: Apache-2.0 */
/* What comes out of each source, however the capture is cut into pieces. */
#include "scenario.h"

#include "../support/capture.h"
#include "../support/slip.h"

#include <stdio.h>

/* A byte of a source's stream. */
struct byte {
    uint32_t place; /* in the capture */
    uint8_t value;
    bool jumps;    /* it does not follow the one before it in the frames */
    bool gap;      /* bytes were lost before it, */
    uint64_t lost; /* so many */
};

/* What a deframer made of a capture. */
struct deframed {
    struct byte *bytes;
    size_t n, capacity, runs;
    uint64_t end;  /* of the frames of the last run */
    uint64_t lost; /* after the last byte */
    struct scenario_text events;
    struct etm_frame_counts counts;
};

static void deframed_free(struct deframed *d)
{
    free(d->bytes);
    free(d->events.text);
    *d = (struct deframed){0};
}

static void add_run(struct deframed *d, const struct etm_frame_run *run,
                    const uint8_t *bytes)
{
    if (d->n + run->n > d->capacity) {
        d->capacity = 2 * (d->n + run->n);
        d->bytes = realloc(d->bytes, d->capacity * sizeof *d->bytes);
        if (d->bytes == NULL)
            abort();
    }
    for (uint32_t k = 0; k < run->n; k++) {
        uint64_t place = etm_frame_run_file(run, k);
        bool first = k == 0;

        d->bytes[d->n++] =
            (struct byte){.place = (uint32_t)place,
                          .value = bytes[k],
                          .jumps = first && place != d->end,
                          .gap = first && run->gap,
                          .lost = first && run->gap ? run->lost : 0};
    }
    d->end = etm_frame_run_file(run, run->n);
    d->runs++;
}

static bool add_output(struct deframed *d, const struct etm_deframed *out)
{
    static const char *const kinds[] = {"", "trigger", "bad", "unknown",
                                        "barrier"};
    size_t covered = 0;

    for (size_t i = 0; i < out->n_runs; i++) {
        const struct etm_frame_run *run = &out->runs[i];

        if (run->n == 0 || run->stream != d->n || (!run->gap && run->lost != 0))
            return wrong("a run at %zu", d->n);
        add_run(d, run, out->bytes + covered);
        covered += run->n;
    }
    for (size_t i = 0; i < out->n_events; i++) {
        const struct etm_frame_event *e = &out->events[i];

        text_add(&d->events, "%s%s@%llu", d->events.n != 0 ? " " : "",
                 kinds[e->kind], (unsigned long long)e->file);
        if (e->kind == ETM_FRAME_TRIGGER)
            text_add(&d->events, "=%02x", e->value);
        else
            text_add(&d->events, "+%llu", (unsigned long long)e->n);
    }
    d->lost = out->lost;
    return covered == out->n_bytes || wrong("runs do not cover the bytes");
}

/* Of the capture from `from` on, `first` bytes, and then `step` at a time. */
struct pieces {
    size_t from, first, step;
};

static bool deframe(struct deframed *d, uint8_t id, const struct pieces *pieces)
{
    struct etm_deframer deframer;
    struct etm_deframed out;
    size_t n, k = pieces->first, at = pieces->from;
    const uint8_t *bytes = capture_bytes(&n);
    int status = ETM_OK;
    bool good = true;

    *d = (struct deframed){0};
    text_add(&d->events, "%s", "");
    etm_deframer_init(&deframer, capture.layout, id, NULL);
    if (capture.begin != 0 && capture.layout == ETM_FRAME_DSTREAM)
        etm_deframer_begin_block(&deframer, capture.begin);
    else if (capture.begin != 0)
        etm_deframer_begin(&deframer, capture.begin);
    deframer.wrong = &capture.wrong;
    deframer.n_wrong = capture.n_wrong;
    for (; at < n && good; at += k, k = pieces->step) {
        k = k < n - at ? k : n - at;
        status |= etm_deframer_push(&deframer, bytes + at, k);
        etm_deframer_take(&deframer, &out);
        good = add_output(d, &out);
    }
    status |= etm_deframer_finish(&deframer);
    etm_deframer_take(&deframer, &out);
    good = good && add_output(d, &out);
    d->counts = *etm_deframer_counts(&deframer);
    etm_deframer_fini(&deframer);
    return good && (status == ETM_OK || wrong("status %d", status));
}

static bool same(const struct deframed *a, const struct deframed *b)
{
    bool good = a->n == b->n && a->lost == b->lost &&
                strcmp(a->events.text, b->events.text) == 0 &&
                memcmp(&a->counts, &b->counts, sizeof a->counts) == 0;

    for (size_t i = 0; i < a->n && good; i++)
        good = a->bytes[i].value == b->bytes[i].value &&
               a->bytes[i].place == b->bytes[i].place &&
               a->bytes[i].gap == b->bytes[i].gap &&
               a->bytes[i].lost == b->bytes[i].lost;
    return good;
}

static bool same_in_pieces(const struct deframed *whole, uint8_t id,
                           size_t first, size_t step)
{
    struct deframed cut;
    bool good = deframe(&cut, id, &(struct pieces){0, first, step});

    if (good && !same(whole, &cut))
        good =
            wrong("%02x is another in pieces of %zu, %zu ...", id, first, step);
    deframed_free(&cut);
    return good;
}

/* Whole, and the same in pieces of all sizes, if there are not too many. */
static bool deframe_well(struct deframed *d, uint8_t id)
{
    static const size_t steps[] = {1, 7, 16, 511, 4096, 65536};
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);
    bool good = deframe(d, id, &(struct pieces){0, n, n});

    for (size_t i = 0; i < d->n && good; i++)
        if ((d->bytes[i].value & 0xfe) != (bytes[d->bytes[i].place] & 0xfe))
            good =
                wrong("%02x: byte %zu is not at %u", id, i, d->bytes[i].place);
    if (good && d->counts.bytes[id] != d->n)
        good = wrong("%02x: %zu bytes are not counted", id, d->n);
    for (size_t at = 1; at < n && n <= 400 && good; at++)
        good = same_in_pieces(d, id, at, n);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && good; i++)
        if (steps[i] < n && steps[i] * 20000 > n)
            good = same_in_pieces(d, id, 5, steps[i]);
    return good;
}

/* ---- The stream of a source ---------------------------------------------- */

/* "@1 a1 a2 @20 gap:4 b6 lost:5 / bad@4+4": the words that are expected. */
static void describe(const struct deframed *d, struct scenario_text *t)
{
    text_add(t, "%s", "");
    for (size_t i = 0; i < d->n; i++) {
        const struct byte *b = &d->bytes[i];

        if (b->gap)
            text_add(t, "gap:%llu ", (unsigned long long)b->lost);
        if (b->jumps)
            text_add(t, "@%u ", b->place);
        text_add(t, "%02x ", b->value);
    }
    if (d->lost != 0)
        text_add(t, "lost:%llu ", (unsigned long long)d->lost);
    if (d->events.n != 0)
        text_add(t, "/ %s", d->events.text);
}

static bool expect_source(struct words *w, uint8_t id)
{
    struct deframed d;
    struct scenario_text t = {0};
    bool good = deframe_well(&d, id);

    describe(&d, &t);
    good = good && same_text(w, 2, &t);
    deframed_free(&d);
    return good;
}

static bool expect_counts(struct words *w)
{
    static struct deframed d;
    struct etm_frame_counts survey;
    const struct {
        const char *name;
        const uint64_t *value;
    } names[] = {
        {"frames", &survey.frames},
        {"blank", &survey.blank},
        {"full", &survey.full_syncs},
        {"half", &survey.half_syncs},
        {"bad", &survey.bad},
        {"moved", &survey.moved},
        {"unknown", &survey.bytes[ETM_ID_UNKNOWN]},
    };
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);

    if (etm_frame_survey(&survey, capture.layout, bytes, n, NULL) != ETM_OK)
        return wrong("it is not surveyed");
    deframed_free(&d);
    if (capture.n_ids != 0 &&
        deframe(&d, capture.ids[0], &(struct pieces){0, n, n}))
        survey = d.counts;
    for (unsigned i = 2; i < w->n; i++) {
        char *value = strchr(w->word[i], '=');
        const uint64_t *is = NULL;

        if (value == NULL)
            return wrong("counts frames=3 10=14");
        *value++ = 0;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(w->word[i], names[k].name) == 0)
                is = names[k].value;
        if (is == NULL)
            is = &survey.bytes[strtoul(w->word[i], NULL, 16) & 0x7f];
        if (!expected_number(w->word[i], *is, value, 10))
            return false;
    }
    return true;
}

/* plain: each source is what the plainest decoder of frames makes of them, if
 * there is no damage and they begin with the first byte; without an event. */
static bool expect_plain(struct words *w)
{
    static uint8_t frames[MOST_BYTES];
    static uint32_t places[MOST_BYTES];
    size_t n = 0;
    bool good = true;

    (void)w;
    for (size_t i = 0; i < capture.n; i++)
        if (capture.items[i].at != ETM_FRAME_BYTES) {
            places[n] = (uint32_t)i;
            frames[n++] = capture.items[i].byte;
        }
    for (uint8_t id = 1; id < ETM_ID_RESERVED && good; id++) {
        struct etm_test_stream plain;
        struct deframed d = {0};

        etm_test_deframe(frames, n, id, &plain);
        good = plain.n == 0 ? deframe(&d, id, &(struct pieces){0, n, n})
                            : deframe_well(&d, id);
        if (good && (d.n != plain.n || d.lost != 0))
            good = wrong("%02x: %zu bytes, not %zu", id, d.n, plain.n);
        for (size_t i = 0; i < plain.n && good; i++)
            if (d.bytes[i].value != plain.bytes[i] || d.bytes[i].gap ||
                d.bytes[i].place != places[plain.at[i]])
                good = wrong("%02x: byte %zu is another", id, i);
        deframed_free(&d);
        etm_test_stream_free(&plain);
    }
    return good;
}

/* ---- Against the capture as it was --------------------------------------- */

/* The stream of a source in the capture before it was damaged. */
static bool deframe_whole(struct deframed *d, uint8_t id)
{
    static struct capture damaged;
    bool good;

    damaged = capture;
    capture.n = damaged.n_whole;
    for (size_t i = 0; i < capture.n; i++)
        capture.items[i].byte = damaged.whole[i];
    capture.begin = 0;
    if (capture.layout == ETM_FRAME_DSTREAM)
        capture.layout = ETM_FRAME_TPIU;
    good = deframe(d, id, &(struct pieces){0, capture.n, capture.n});
    capture = damaged;
    return good;
}

/* Of a stream: `2000` bytes, `1/3`, `all` */
static bool part(const char *text, size_t all, size_t *n)
{
    unsigned a, b;
    uint64_t value = all;

    if (sscanf(text, "%u/%u", &a, &b) == 2 && b != 0)
        *n = all * a / b;
    else if (strcmp(text, "all") == 0 || number(text, 10, &value))
        *n = (size_t)value;
    else
        return false;
    return true;
}

/* The first or the last `n` bytes of both are the same, from the same places
 * of the capture. */
static bool same_part(const struct deframed *whole, const struct deframed *d,
                      size_t n, bool last)
{
    size_t a = last ? whole->n - n : 0, b = last ? d->n - n : 0;

    if (whole->n < n || d->n < n || n == 0)
        return wrong("%zu of %zu and %zu bytes", n, whole->n, d->n);
    for (size_t i = 0; i < n; i++) {
        const struct byte *x = &whole->bytes[a + i], *y = &d->bytes[b + i];

        if (x->value != y->value || x->place != capture.items[y->place].place)
            return wrong("byte %zu, of %u and %u, is another", i, x->place,
                         y->place);
    }
    return true;
}

static bool part_of(struct words *w, uint8_t id)
{
    struct deframed whole = {0}, d = {0};
    size_t n;
    bool good = deframe_whole(&whole, id) && deframe_well(&d, id) &&
                part(w->word[2], whole.n, &n) &&
                same_part(&whole, &d, n, strcmp(w->word[1], "last") == 0);

    deframed_free(&whole);
    deframed_free(&d);
    return good;
}

/* last PART, first_bytes PART [ID]: of the stream of each source */
static bool expect_part(struct words *w)
{
    uint64_t id;
    bool good = true;

    if (w->n == 4)
        return number(w->word[3], 16, &id) && part_of(w, (uint8_t)id);
    for (unsigned i = 0; i < capture.n_ids && good; i++)
        good = part_of(w, capture.ids[i]);
    return good && w->n == 3;
}

/* Full synchronization at or behind this byte. */
static bool synchronized_behind(size_t at)
{
    size_t n;
    const uint8_t *bytes = capture_bytes(&n);

    for (; at + 4 <= n; at++)
        if (memcmp(bytes + at, "\xff\xff\xff\x7f", 4) == 0)
            return true;
    return false;
}

/* Frames before that of byte `at`, and after the next one with two IDs behind
 * it. */
static void around(size_t at, size_t *before, size_t *after)
{
    unsigned ids = 0;

    *before = at - at % ETM_FRAME_BYTES;
    *after = *before + ETM_FRAME_BYTES;
    for (; *after < capture.n && ids == 0; *after += ETM_FRAME_BYTES)
        for (unsigned k = 0; k < 15; k += 2)
            ids |= capture.items[*after + k].byte & 1u;
}

static bool same_but(const struct deframed *whole, const struct deframed *d,
                     size_t at)
{
    size_t from, to, first = 0, last = 0;

    around(at, &from, &to);
    for (size_t i = 0; i < whole->n; i++) {
        first += whole->bytes[i].place < from;
        last += whole->bytes[i].place >= to;
    }
    return (first == 0 || same_part(whole, d, first, false)) &&
           (last == 0 || same_part(whole, d, last, true));
}

/* one_bit: whichever it is, nothing before it changes in memory, and nothing
 * after the next ID bytes. */
static bool expect_one_bit(struct words *w)
{
    bool good = true;

    (void)w;
    for (unsigned i = 0; i < capture.n_ids && good; i++) {
        struct deframed whole, d;
        const struct pieces all = {0, capture.n, capture.n};

        good = deframe(&whole, capture.ids[i], &all);
        for (size_t bit = 0; bit < 8 * capture.n && good; bit++) {
            uint8_t *byte = &capture.items[bit / 8].byte;

            *byte ^= (uint8_t)(1u << bit % 8);
            good = deframe(&d, capture.ids[i], &all);
            *byte ^= (uint8_t)(1u << bit % 8);
            good = good && same_but(&whole, &d, bit / 8);
            deframed_free(&d);
        }
        deframed_free(&whole);
    }
    return good;
}

/* any_start: from whichever byte of a TPIU's stream on, if there is full
 * synchronization behind it, only what came before it is missing, and what the
 * stretch of unknown ID may have had of the source. */
static bool expect_any_start(struct words *w)
{
    bool good = true;

    (void)w;
    for (unsigned i = 0; i < capture.n_ids && good; i++) {
        struct deframed whole, d;
        size_t n = capture.n, owned;

        good = deframe(&whole, capture.ids[i], &(struct pieces){0, n, n});
        for (size_t from = 0; from + 4 <= n && good; from++) {
            if (!synchronized_behind(from))
                break;
            good = deframe(&d, capture.ids[i], &(struct pieces){from, n, n});
            owned = 0;
            for (size_t k = 0; k < whole.n; k++)
                owned += whole.bytes[k].place >= from;
            for (size_t k = 0; k < d.n; k++)
                d.bytes[k].place += (uint32_t)from;
            good = good && (d.n == 0 || same_part(&whole, &d, d.n, true)) &&
                   (d.n + d.counts.bytes[ETM_ID_UNKNOWN] >= owned ||
                    wrong("from %zu on %zu of %zu bytes", from, d.n, owned));
            deframed_free(&d);
        }
        deframed_free(&whole);
    }
    return good;
}

/* sent: each source has the bytes that were sent, and no gap. */
static bool expect_sent(struct words *w)
{
    bool good = true;

    (void)w;
    for (unsigned i = 0; i < capture.n_ids && good; i++) {
        struct deframed d;

        good = deframe_well(&d, capture.ids[i]);
        if (good && (d.n < capture.n_sent[i] || d.lost != 0))
            good = wrong("%zu of %zu bytes", d.n, capture.n_sent[i]);
        for (size_t k = 0; k < capture.n_sent[i] && good; k++)
            if (d.bytes[k].value != capture.sent[i][k] || d.bytes[k].gap)
                good = wrong("byte %zu of %02x", k, capture.ids[i]);
        deframed_free(&d);
    }
    return good;
}

/* gaps ID N; lost, size, runs: of the source */
static bool expect_gaps(struct words *w)
{
    struct deframed d;
    uint64_t id, lost, gaps = 0;
    const char *what = w->word[1];
    bool good;

    if (w->n != 4 || !number(w->word[2], 16, &id))
        return wrong("%s ID N", what);
    good = deframe_well(&d, (uint8_t)id);
    lost = d.lost;
    for (size_t i = 0; i < d.n; i++) {
        gaps += d.bytes[i].gap;
        lost += d.bytes[i].lost;
    }
    good = good && expected_number(what,
                                   strcmp(what, "gaps") == 0   ? gaps
                                   : strcmp(what, "lost") == 0 ? lost
                                   : strcmp(what, "size") == 0 ? d.n
                                                               : d.runs,
                                   w->word[3], 10);
    deframed_free(&d);
    return good;
}

/* ready: without the end of the capture all of it is given. */
static bool expect_ready(struct words *w)
{
    bool good = true, any = false;

    (void)w;
    for (uint8_t id = 1; id < ETM_ID_RESERVED && good; id++) {
        struct etm_deframer d;
        struct etm_deframed out;
        size_t n;
        const uint8_t *bytes = capture_bytes(&n);

        etm_deframer_init(&d, capture.layout, id, NULL);
        good = etm_deframer_push(&d, bytes, n) == ETM_OK;
        etm_deframer_take(&d, &out);
        any = any || out.n_bytes != 0;
        good = good && etm_deframer_finish(&d) == ETM_OK;
        etm_deframer_take(&d, &out);
        good = good && out.n_bytes == 0;
        etm_deframer_fini(&d);
    }
    return (good && any) || wrong("it waits");
}

/* cost HALF MOST lost=N, or twice=N: in 40 places half of such slips cost at
 * most HALF bytes, nine of ten MOST. */
static bool expect_cost(struct words *w)
{
    enum { ROUNDS = 40 };
    struct etm_test_framed framed;
    struct etm_test_slip slip = {0};
    size_t costs[ROUNDS], n;
    const uint8_t *bytes = capture_bytes(&n);
    char *lost = w->n == 5 ? value_of(w->word[4], "lost") : NULL;
    char *twice = w->n == 5 ? value_of(w->word[4], "twice") : NULL;
    bool good;

    if (lost == NULL && twice == NULL)
        return wrong("cost HALF MOST lost=N");
    slip.lost = lost != NULL ? (unsigned)strtoul(lost, NULL, 10) : 0;
    slip.twice = twice != NULL ? (unsigned)strtoul(twice, NULL, 10) : 0;
    etm_test_framed_init(&framed, capture.layout, bytes, n);
    for (unsigned k = 0; k < ROUNDS; k++) {
        slip.at = n / 8 + random_next(&capture.random) % (n * 3 / 4);
        costs[k] = etm_test_slip_cost(&framed, &slip);
    }
    etm_test_framed_fini(&framed);
    good =
        etm_test_percentile(costs, ROUNDS, 50) <=
            strtoul(w->word[2], NULL, 10) &&
        etm_test_percentile(costs, ROUNDS, 90) <= strtoul(w->word[3], NULL, 10);
    return good ||
           wrong("it costs %zu, %zu", etm_test_percentile(costs, ROUNDS, 50),
                 etm_test_percentile(costs, ROUNDS, 90));
}

/* without FROM: whichever byte from there on is wrong, it is missing, or all of
 * its frame if it is a flag byte, and there is a gap; and nothing else is. */
static bool missing(uint32_t place, size_t at)
{
    return place == at || (capture.items[at].at == 15 && place < at &&
                           at - place < ETM_FRAME_BYTES);
}

static bool is_without(const struct deframed *whole, const struct deframed *d,
                       size_t at)
{
    size_t k = 0, gone = 0;
    uint64_t lost = d->lost;
    bool after = false, id = capture.items[at].at % 2 == 0 &&
                             (capture.items[at].byte & 1) != 0;

    for (size_t i = 0; i < whole->n; i++) {
        const struct byte *x = &whole->bytes[i], *y = &d->bytes[k];

        if (missing(x->place, at)) {
            gone++;
            after = true;
            continue;
        }
        if (k == d->n || x->value != y->value || x->place != y->place ||
            (after && !y->gap))
            return wrong("wrong at %zu: byte %zu", at, i);
        after = false;
        lost += y->lost;
        k++;
    }
    if (k != d->n || lost < gone ||
        lost > gone + (capture.items[at].at < 15 ? id : 8))
        return wrong("wrong at %zu, %02x in place %u: %zu missing, %zu lost",
                     at, capture.items[at].byte, capture.items[at].at, gone,
                     (size_t)lost);
    return true;
}

/* without FROM as BYTE: what was data at an even place is this one, the ID of
 * no source that is known. */
static bool expect_without(struct words *w)
{
    size_t at, n = capture.n;
    bool good = w->n >= 3 && place_in_capture(w->word[2], &at);
    uint64_t byte = 0;

    if (w->n > 3 && (w->n != 5 || !number(w->word[4], 16, &byte)))
        return wrong("without FROM as BYTE");

    for (; good && at < n; at++)
        for (unsigned i = 0; good && i < capture.n_ids; i++) {
            struct deframed whole = {0}, d = {0};
            size_t step = at % 3 == 0 ? 7 : n;
            struct item *item = &capture.items[at], right = *item;

            if (byte != 0 &&
                (item->at % 2 != 0 || item->at > 15 || (right.byte & 1) != 0))
                continue;
            capture.n_wrong = 0;
            good = deframe(&whole, capture.ids[i], &(struct pieces){0, n, n});
            capture.wrong = at;
            capture.n_wrong = 1;
            item->byte = byte != 0 ? (uint8_t)byte : right.byte;
            good = good &&
                   deframe(&d, capture.ids[i], &(struct pieces){0, step, step});
            item->byte = right.byte;
            good = good && is_without(&whole, &d, at);
            deframed_free(&whole);
            deframed_free(&d);
        }
    return good;
}

/* data ID FILE: in a listing that stands beside the captures, with `data:
 * "0x17"` in its lines. */
static bool expect_data(struct words *w)
{
    struct etm_test_bytes file;
    struct deframed d;
    size_t n = 0;
    bool good = w->n == 4;

    if (!good || !etm_test_shared(w->word[3], &file))
        return wrong("data ID FILE");
    good = deframe_well(&d, (uint8_t)strtoul(w->word[2], NULL, 16));
    for (const char *at = strstr((char *)file.data, "data: \"0x");
         at != NULL && good; at = strstr(at + 1, "data: \"0x"), n++)
        if (n == d.n || d.bytes[n].value != strtoul(at + 9, NULL, 16))
            good = wrong("byte %zu is another", n);
    good = good && ((n != 0 && n == d.n) || wrong("%zu bytes", d.n));
    deframed_free(&d);
    free(file.data);
    return good;
}

/* source BYTE ... or a word from below */
bool frame_source(struct words *w)
{
    uint64_t id;

    cases.quiet = true;
    id = ETM_ID_UNKNOWN;
    if (!number(w->word[1], 16, &id))
        id = ETM_ID_UNKNOWN;
    cases.quiet = false;
    if (id >= ETM_ID_UNKNOWN)
        return wrong("not known: %s", w->word[1]);
    return expect_source(w, (uint8_t)id);
}

const struct verb frame_expected[] = {
    {"counts", expect_counts},       {"plain", expect_plain},
    {"sent", expect_sent},           {"last", expect_part},
    {"first_bytes", expect_part},    {"gaps", expect_gaps},
    {"lost", expect_gaps},           {"size", expect_gaps},
    {"runs", expect_gaps},           {"ready", expect_ready},
    {"cost", expect_cost},           {"one_bit", expect_one_bit},
    {"any_start", expect_any_start}, {"without", expect_without},
    {"data", expect_data},           {NULL, NULL},
};
