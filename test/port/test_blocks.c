/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a DSTREAM's memory (doc/errata.md, E-305). */
#include "port_support.h"

#include "port/frame.h"

#define TRACE 20000u /* bytes of both sources together */

/* A TPIU's stream, and the same in blocks. */
struct capture {
    struct bytes plain, blocks;
};

static struct capture make(uint64_t seed, unsigned full_sync,
                           unsigned half_sync)
{
    struct etm_framer_config config = {.size = sizeof config,
                                       .layout = ETM_FRAME_TPIU,
                                       .full_sync = full_sync,
                                       .half_sync = half_sync};
    uint64_t random = seed | 1;
    struct capture c = {{0}, {0}};
    struct etm_framer *f;
    const uint8_t *bytes;
    size_t n;

    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    for (unsigned i = 0; i < TRACE; i++) {
        uint8_t byte = (uint8_t)random_next(&random);

        assert_int_equal(
            etm_framer_push(f, i / 100 % 2 != 0 ? 0x11 : 0x10, &byte, 1),
            ETM_OK);
    }
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    for (size_t i = 0; i < n; i++) {
        bytes_add(&c.plain, bytes[i], i);
        bytes_add(&c.blocks, bytes[i], i);
        for (unsigned k = 0; k < 8 && i % 504 == 503; k++)
            bytes_add(&c.blocks,
                      random_next(&random) % 3 != 0 ? (uint8_t)random : 0xff,
                      0);
    }
    etm_framer_free(f);
    return c;
}

static void capture_free(struct capture *c)
{
    bytes_free(&c->plain);
    bytes_free(&c->blocks);
}

/* Both made one stream, in blocks from the bytes that stand where the footers
 * put them. */
static void expect(const struct made *m, const struct made *plain)
{
    assert_int_equal(m->stream.n, plain->stream.n);
    assert_memory_equal(m->stream.data, plain->stream.data, plain->stream.n);
    for (size_t i = 0; i < m->stream.n; i++)
        assert_int_equal(m->stream.place[i],
                         plain->stream.place[i] +
                             plain->stream.place[i] / 504 * 8);
    assert_int_equal(m->n_gaps, 0);
    assert_memory_equal(&m->counts, &plain->counts, sizeof m->counts);
}

static void what_is_no_trace_is_left_out(void **state)
{
    static const size_t steps[] = {1, 7, 504, 511, 512, 513, 4096, SIZE_MAX};

    (void)state;
    for (unsigned round = 0; round < 8; round++) {
        struct capture c = make(round + 1, 3 + round * 9, round * 5);
        struct made *plain =
            deframe(ETM_FRAME_TPIU, 0x11, c.plain.data, c.plain.n);

        assert_true(plain->stream.n > 9000);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            struct made *m =
                deframe_in_steps(ETM_FRAME_DSTREAM, 0x11, c.blocks.data,
                                 c.blocks.n, 3 + 100 * i, steps[i]);

            expect(m, plain);
            made_free(m);
        }
        made_free(plain);
        capture_free(&c);
    }
}

static void a_part_may_begin_anywhere_in_a_block(void **state)
{
    struct capture c = make(77, 8, 9);
    struct made *all =
        deframe(ETM_FRAME_DSTREAM, 0x10, c.blocks.data, c.blocks.n);

    (void)state;
    for (size_t start = 0; start < 1100; start++) {
        struct etm_deframer d;
        struct etm_deframed out;
        struct made *m = calloc(1, sizeof *m);
        size_t skipped;

        assert_non_null(m);
        etm_deframer_init(&d, ETM_FRAME_DSTREAM, 0x10, NULL);
        etm_deframer_begin_block(&d, (unsigned)(start % ETM_BLOCK_BYTES));
        assert_int_equal(
            etm_deframer_push(&d, c.blocks.data + start, c.blocks.n - start),
            ETM_OK);
        etm_deframer_take(&d, &out);
        made_add(m, &out);
        etm_deframer_fini(&d);
        assert_in_range(m->stream.n, all->stream.n - 1200, all->stream.n);
        skipped = all->stream.n - m->stream.n;
        for (size_t i = 0; i < m->stream.n; i++) {
            assert_int_equal(m->stream.data[i], all->stream.data[skipped + i]);
            assert_int_equal(m->stream.place[i] + start,
                             all->stream.place[skipped + i]);
        }
        made_free(m);
    }
    made_free(all);
    capture_free(&c);
}

static bool is_in_blocks(const uint8_t *bytes, size_t n)
{
    bool blocks;

    assert_int_equal(etm_frame_blocks(bytes, n, NULL, &blocks), ETM_OK);
    return blocks;
}

static void full_synchronization_tells_whether_there_are_blocks(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 8; round++) {
        struct capture c = make(round + 100, 1 + round * 9, round * 5);
        uint64_t random = round + 1;

        assert_true(is_in_blocks(c.blocks.data, c.blocks.n));
        assert_false(is_in_blocks(c.plain.data, c.plain.n));
        /* of a block there is nothing to be known */
        assert_false(is_in_blocks(c.blocks.data, 512));
        assert_false(is_in_blocks(c.plain.data, 600));
        /* and where both are damaged */
        for (unsigned i = 0; i < 20; i++) {
            c.blocks.data[random_next(&random) % c.blocks.n] ^= 0x10;
            c.plain.data[random_next(&random) % c.plain.n] ^= 0x10;
        }
        assert_true(is_in_blocks(c.blocks.data, c.blocks.n));
        assert_false(is_in_blocks(c.plain.data, c.plain.n));
        capture_free(&c);
    }
}

static void no_framer_writes_blocks(void **state)
{
    struct etm_framer_config config = {.size = sizeof config,
                                       .layout = ETM_FRAME_DSTREAM};
    struct etm_framer *f;

    (void)state;
    assert_int_equal(etm_framer_new(&f, &config), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_trace_is_left_out),
        cmocka_unit_test(a_part_may_begin_anywhere_in_a_block),
        cmocka_unit_test(full_synchronization_tells_whether_there_are_blocks),
        cmocka_unit_test(no_framer_writes_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
