/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of ETMv3's fast path beside what decoder and broadcast say of the same
 * bytes. */
#include "base/vec.h"
#include "flow/etmv3_address.h"
#include "flow/etmv3_walk.h"
#include "proto/etmv3.h"

#include <etm/config.h>
#include <etm/image.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 4096u

static struct side {
    struct etm_config config;
    struct etm_etmv3_flow flow;
    struct etm_image *image;
} side;

static void side_init(bool cycles)
{
    struct etm_allocator a = etm_allocator_or_default(NULL);

    side.config = (struct etm_config){.size = sizeof side.config,
                                      .protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 5,
                                      .profile = ETM_PROFILE_A,
                                      .cycle_accurate = cycles};
    assert_int_equal(etm_image_new(&side.image, NULL), ETM_OK);
    assert_int_equal(etm_etmv3_flow_init(&side.flow, &side.config, side.image,
                                         ETM_LEVEL_RANGES, &a),
                     ETM_OK);
    side.flow.base.isa = side.flow.follow.isa = ETM_ISA_ARM;
    side.flow.base.address = 0x12345678;
}

static void side_fini(void)
{
    etm_etmv3_flow_fini(&side.flow);
    etm_image_free(side.image);
}

/* The atoms of a header from instruction `n` of a chart on, `waits` cycles from
 * its beginning; returns how many instructions they are. */
static unsigned same_atoms(const struct etm_etmv3_chart *chart, unsigned n,
                           struct etm_etmv3_header header, unsigned place,
                           uint64_t *waits)
{
    const bool cycles = side.config.cycle_accurate;
    unsigned i = n;

    for (unsigned k = 0; k < header.count; k++) {
        unsigned atom = header.atoms >> 2 * k & 3;

        if (atom == ETM_ATOM_W) {
            (*waits)++;
            continue;
        }
        assert_int_equal(etm_chart_failed(chart, i, cycles),
                         atom == ETM_ATOM_N);
        assert_int_equal(etm_chart_place(chart, i, cycles), place);
        if (cycles)
            assert_int_equal(etm_chart_cycles(chart, i), *waits);
        i++;
    }
    return i - n;
}

static bool is_charted(unsigned byte)
{
    return etm_chart_has(&side.flow.shares[byte]);
}

static void each_header_is_charted_as_its_atoms(bool cycles)
{
    static struct etm_etmv3_chart chart;
    struct etm_etmv3_terms terms = {
        .most = ETM_CHART_BYTES, .counts = cycles, .same = 0x01};
    unsigned some = 0;

    side_init(cycles);
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            const uint8_t bytes[16] = {(uint8_t)a, (uint8_t)b};
            unsigned n = 0, place = 0;
            uint64_t waits = 0;

            if (!is_charted(a) || !is_charted(b))
                continue;
            terms.end = bytes + 2;
            assert_ptr_equal(etm_etmv3_chart(&side.flow, &terms, bytes, &chart),
                             bytes + 2);
            for (; place < 2; place++)
                n += same_atoms(&chart, n,
                                etm_etmv3_header(&side.config, bytes[place]),
                                place, &waits);
            assert_int_equal(chart.n, n);
            assert_int_equal(chart.n_marks, 0);
            assert_int_equal(chart.marks[0].at, n);
            assert_int_equal(chart.marks[0].place, 2);
            assert_int_equal(chart.marks[0].cycles, waits);
            some++;
        }
    }
    assert_true(some > 400);
    side_fini();
}

static void headers_are_charted_as_their_atoms(void **state)
{
    (void)state;
    each_header_is_charted_as_its_atoms(false);
}

static void headers_with_cycles_are_charted_as_their_atoms(void **state)
{
    (void)state;
    each_header_is_charted_as_its_atoms(true);
}

/* Bits of the fifth byte of a branch packet: ARM or Thumb code (table 7-8). */
static uint8_t fifth(uint32_t bits)
{
    return (uint8_t)((bits & 1) != 0 ? 0x10 | (bits >> 1 & 0x0f)
                                     : 0x08 | (bits >> 1 & 0x07));
}

/* P-headers and branch packets of one to five bytes. */
static void make_bytes(uint8_t *bytes, uint32_t seed)
{
    for (unsigned i = 0; i < BYTES;) {
        unsigned n;

        seed = seed * 1664525u + 1013904223u;
        if ((seed >> 28) < 11 || i + 8 > BYTES) {
            bytes[i++] = 0x84; /* E, or W and E */
            continue;
        }
        n = (seed >> 16 & 0xff) % 5; /* bit [0] of the first: the header */
        for (unsigned k = 0; k <= n; k++, seed *= 69069u)
            bytes[i++] = (uint8_t)((seed >> 20 & 0x7e) | (k == 0) |
                                   (k < n ? 0x80u : 0u));
        if (n == 4)
            bytes[i - 1] = fifth(seed >> 20);
        else if (n != 0 && side.config.alternative_branches)
            bytes[i - 1] &= 0xbf; /* no exception */
    }
}

/* Marks of a chart of `bytes`, beside packets of the decoder. */
static void same_marks(const struct etm_etmv3_chart *chart,
                       const struct etm_packet *packets, size_t n,
                       uint64_t start)
{
    struct etm_broadcast base = side.flow.base;
    size_t i = 0;

    for (uint32_t k = 0; k < chart->n_marks; k++, i++) {
        const struct etm_etmv3_mark *mark = &chart->marks[k];

        while (i < n && packets[i].kind != ETM_PACKET_BRANCH_ADDRESS)
            i++;
        assert_true(i < n);
        etm_broadcast_apply(&base, &side.config, &packets[i]);
        assert_int_equal(mark->address, base.address);
        assert_int_equal(mark->isa, base.isa);
        assert_int_equal(mark->size, packets[i].size);
        assert_int_equal(mark->place, packets[i].offset - start);
        assert_int_equal(mark->step, 0); /* no code is known */
    }
    side.flow.base = base; /* all were taken */
}

static void marks_have_the_address_that_all_before_them_lead_to(void **state)
{
    static uint8_t bytes[6 + BYTES] = {0, 0, 0, 0, 0, 0x80};
    static struct etm_etmv3_chart chart;
    struct etm_allocator a = etm_allocator_or_default(NULL);
    struct etm_etmv3_decoder decoder;
    struct etm_vec packets;

    (void)state;
    for (uint32_t seed = 1; seed <= 80; seed++) {
        bool alternative = (seed & 2) != 0;
        const struct etm_packet *p;
        const uint8_t *at = bytes + 6, *end = bytes + 6 + BYTES - 8;
        size_t i = 1, marks = 0;

        side_init((seed & 1) != 0);
        side.config.alternative_branches = alternative;
        side.flow.base.alt_isa = (seed & 4) != 0;
        make_bytes(bytes + 6, seed);
        etm_vec_init(&packets, sizeof(struct etm_packet), &a);
        etm_etmv3_decoder_init(&decoder, &side.config);
        assert_int_equal(
            etm_etmv3_decoder_push(&decoder, bytes, sizeof bytes, &packets),
            ETM_OK);
        p = packets.data;
        while (at < end) {
            const struct etm_etmv3_terms terms = {
                .end = end,
                .most = ETM_CHART_BYTES,
                .counts = side.config.cycle_accurate,
                .forms = etm_address_forms[alternative],
                .same = 0x01}; /* no I-sync is */
            const uint8_t *next =
                etm_etmv3_chart(&side.flow, &terms, at, &chart);

            if (next == at)
                break;
            while (i < packets.n && p[i].offset < (uint64_t)(at - bytes))
                i++;
            same_marks(&chart, p + i, packets.n - i, (uint64_t)(at - bytes));
            marks += chart.n_marks;
            at = next;
        }
        assert_true(marks > 100 && at > end - 8);
        etm_vec_fini(&packets);
        side_fini();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_charted_as_their_atoms),
        cmocka_unit_test(headers_with_cycles_are_charted_as_their_atoms),
        cmocka_unit_test(marks_have_the_address_that_all_before_them_lead_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
