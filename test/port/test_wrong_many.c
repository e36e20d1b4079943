/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several bytes of a frame that a pin did not carry as it should, in frames of
 * all kinds, against E-627 written out byte by byte. What a trace ID and a flag
 * bit mean is in <etm/port.h> (CoreSight Architecture Specification, "Trace
 * Formatter").
 */
#include "../support/random.h"
#include "../support/test.h"
#include "port/frame.h"

#define FRAMES 24u
#define BYTES (FRAMES * ETM_FRAME_BYTES)
#define WANT 0x01u
#define NEVER_SEEN 0x55u

struct capture {
    uint8_t bytes[BYTES];
    bool wrong[BYTES];
    uint64_t list[BYTES]; /* places that are wrong, counted from `from` */
    size_t n_list;
    uint64_t from;
};

/* The bytes of the source, where each is, and whether some are missing before
 * it. */
struct got {
    uint8_t bytes[BYTES];
    size_t file[BYTES];
    bool gap[BYTES];
    size_t n;
    uint64_t lost;
};

/* Some frames have no ID; an ID that was never seen is one of damage. */
static void make_capture(struct capture *c, struct random *r)
{
    static const uint8_t sources[] = {0x10, WANT, 0x22, 0};
    unsigned often = random_below(r, 2) ? 3 : 12;

    memset(c, 0, sizeof *c);
    c->from = random_below(r, 2) ? 0 : 1000;
    for (size_t i = 0; i < BYTES; i++) {
        bool even = i % 2 == 0, first = i < 8, flags = i % 16 == 15;

        c->bytes[i] = (uint8_t)random_next(r);
        if (even)
            c->bytes[i] &= 0xfe;
        if (even && (first || random_below(r, often) == 0))
            c->bytes[i] =
                (uint8_t)(sources[first ? i / 2 : random_below(r, 4)] << 1 | 1);
        if (first && !even)
            c->bytes[i] = 1;
        /* each source has a byte in the first frame, without doubt */
        if (flags && i < ETM_FRAME_BYTES)
            c->bytes[i] &= 0xf0;
        if (i < ETM_FRAME_BYTES || random_below(r, 12) != 0)
            continue;
        c->wrong[i] = true;
        c->list[c->n_list++] = i + c->from;
        if (even && random_below(r, 4) == 0)
            c->bytes[i] = NEVER_SEEN << 1 | 1;
    }
}

static void take(struct got *g, bool *gap, const struct capture *c, size_t at,
                 unsigned i)
{
    g->bytes[g->n] = c->bytes[at + i];
    if (i % 2 == 0)
        g->bytes[g->n] |= c->bytes[at + 15] >> (i / 2) & 1;
    g->file[g->n] = at + i;
    g->gap[g->n++] = *gap;
    *gap = false;
}

static void miss(struct got *g, bool *gap, unsigned id)
{
    if (id != WANT)
        return;
    *gap = true;
    g->lost++;
}

/* E-627, byte by byte. */
static void expected(struct got *g, const struct capture *c)
{
    unsigned id = ETM_ID_UNKNOWN;
    bool gap = false;

    memset(g, 0, sizeof *g);
    for (size_t at = 0; at < BYTES; at += ETM_FRAME_BYTES) {
        bool flags_known = !c->wrong[at + 15];
        unsigned next = id; /* that is in force after the next byte */

        for (unsigned i = 0; i < ETM_FRAME_DATA; i++) {
            uint8_t byte = c->bytes[at + i];
            bool wrong = c->wrong[at + i], own = next == id;
            bool names = i % 2 == 0 && (byte & 1) != 0 &&
                         !(wrong && byte >> 1 == NEVER_SEEN);

            if (names) {
                bool later = flags_known && i != 14 &&
                             (c->bytes[at + 15] >> (i / 2) & 1) != 0;

                if (wrong || !flags_known)
                    miss(g, &gap, id);
                next = byte >> 1;
                if (!later)
                    id = next;
                continue;
            }
            if (wrong || !flags_known)
                miss(g, &gap, id);
            else if (id == WANT)
                take(g, &gap, c, at, i);
            if (!own)
                id = next;
        }
        id = next;
    }
}

static void deframe(struct got *g, const struct capture *c, size_t part)
{
    struct etm_deframer d;
    struct etm_deframed piece;

    memset(g, 0, sizeof *g);
    etm_deframer_init(&d, ETM_FRAME_ALIGNED, WANT, NULL);
    d.fixed = true; /* that an ID is new is no sign of lost bytes */
    d.wrong = c->list;
    d.n_wrong = c->n_list;
    d.wrong_from = c->from;
    for (size_t at = 0; at < BYTES; at += part) {
        size_t k = BYTES - at < part ? BYTES - at : part;

        assert_ok(etm_deframer_push(&d, c->bytes + at, k));
        if (at + k == BYTES)
            assert_ok(etm_deframer_finish(&d));
        etm_deframer_take(&d, &piece);
        if (piece.n_bytes != 0)
            memcpy(g->bytes + g->n, piece.bytes, piece.n_bytes);
        for (size_t i = 0; i < piece.n_runs; i++) {
            const struct etm_frame_run *run = &piece.runs[i];
            size_t file = (size_t)run->file, place = run->at;

            for (uint32_t j = 0; j < run->n; j++, file++, place++) {
                if (place == ETM_FRAME_DATA)
                    place = 0, file++;
                g->file[g->n] = file;
                g->gap[g->n++] = j == 0 && run->gap;
            }
            g->lost += run->gap ? run->lost : 0;
        }
    }
    g->lost += piece.lost;
    etm_deframer_fini(&d);
}

/* E-627 */
TEST(many_bytes_are_missing_in_their_places)
{
    static struct capture c;
    static struct got want, made;
    struct random r = {11};

    for (unsigned round = 0; round < 2000; round++) {
        make_capture(&c, &r);
        expected(&want, &c);
        deframe(&made, &c, round % 3 == 0 ? 7 : BYTES);
        assert_int_equal(made.n, want.n);
        assert_memory_equal(made.bytes, want.bytes, want.n);
        for (size_t i = 0; i < want.n; i++) {
            assert_int_equal(made.file[i], want.file[i]);
            assert_int_equal(made.gap[i], want.gap[i]);
        }
        assert_int_equal(made.lost, want.lost);
    }
}
