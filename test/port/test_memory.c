/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are misuse, and memory that is not needed. */
#include "../support/scarce.h"
#include "../support/test.h"

#include <etm/port.h>

/* ---- After warm-up nothing is allocated ---------------------------------- */

#define ROUNDS 100u

TEST(deframer_allocates_nothing_more)
{
    struct scarce scarce = {.left = 1000};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_deframer_config config = {
        .size = sizeof config, .id = 0x10, .allocator = &allocator};
    uint8_t bytes[2048];
    struct etm_deframer *d;
    struct etm_deframed out;

    memset(bytes, 0x42, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i += 48)
        bytes[i] = i % 96 == 0 ? 0x21 : 0x23;
    assert_ok(etm_deframer_new(&d, &config));
    for (unsigned i = 0; i < ROUNDS; i++) {
        assert_ok(etm_deframer_push(d, bytes, sizeof bytes));
        etm_deframer_take(d, &out);
        assert_true(out.n_bytes != 0);
        if (i == 10)
            scarce.left = 0;
    }
    etm_deframer_free(d);
}

TEST(port_allocates_nothing_more)
{
    struct scarce scarce = {.left = 1000};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_port_config config = {.size = sizeof config,
                                     .protocol = ETM_PROTOCOL_ETMV3,
                                     .width = 4,
                                     .allocator = &allocator};
    const struct etm_port_sample *samples;
    struct etm_unpacked made;
    struct etm_unpacker *u;
    struct etm_packer *p;
    size_t n;

    assert_ok(etm_unpacker_new(&u, &config));
    assert_ok(etm_packer_new(&p, &config));
    for (unsigned i = 0; i < ROUNDS; i++) {
        assert_ok(etm_packer_push(p, (const uint8_t *)"abcdefg", 7));
        assert_ok(etm_packer_trigger(p));
        assert_ok(etm_packer_idle(p, 3));
        etm_packer_take(p, &samples, &n);
        assert_int_equal(n, 7 * 2 + 2 + 3);
        assert_ok(etm_unpacker_push(u, samples, n));
        etm_unpacker_take(u, &made);
        assert_int_equal(made.n_bytes, 8);
        if (i == 10)
            scarce.left = 0;
    }
    etm_unpacker_free(u);
    etm_packer_free(p);
}

TEST(realigner_allocates_nothing_more)
{
    struct scarce scarce = {.left = 1000};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_realigner_config config = {
        .size = sizeof config, .hold = 200, .allocator = &allocator};
    static const uint8_t a_sync[] = {0x11, 0, 0, 0, 0, 0, 0x80};
    static const uint8_t moved[] = {0x05, 0, 0, 0, 0, 0, 0x08};
    uint8_t stream[512];
    struct etm_realigner *r;
    struct etm_realigned made;

    memset(stream, 0x55, sizeof stream);
    for (size_t at = 0; at < sizeof stream; at += 64)
        memcpy(stream + at, at < 256 ? a_sync : moved, sizeof moved);
    assert_ok(etm_realigner_new(&r, &config));
    for (unsigned i = 0; i < ROUNDS; i++) {
        assert_ok(etm_realigner_push(r, stream, sizeof stream));
        etm_realigner_take(r, &made);
        assert_true(made.n_runs > 1);
        if (i == 10)
            scarce.left = 0;
    }
    etm_realigner_free(r);
}

/* An allocator with a megabyte, that remembers the largest piece. */
static void *megabyte(void *context, void *old, size_t size)
{
    size_t *most = context;

    if (size > 1u << 20)
        return NULL;
    if (size > *most)
        *most = size;
    return scarce_resize(&(struct scarce){.left = 1}, old, size);
}

/* <etm/port.h>: none of the cycles is output, and no memory taken for a few. */
TEST(more_idle_cycles_than_memory_are_refused_at_once)
{
    static const uint64_t cycles[] = {1u << 20, UINT64_C(1) << 40,
                                      UINT64_C(1) << 60, UINT64_MAX};

    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        size_t most = 0, n;
        struct etm_allocator allocator = {megabyte, &most};
        struct etm_port_config config = {.size = sizeof config,
                                         .protocol = ETM_PROTOCOL_ETMV3,
                                         .width = 4,
                                         .allocator = &allocator};
        const struct etm_port_sample *samples;
        struct etm_packer *p;

        assert_ok(etm_packer_new(&p, &config));
        assert_int_equal(etm_packer_idle(p, cycles[i]), ETM_ERR_MEMORY);
        assert_true(most < 1024);
        etm_packer_take(p, &samples, &n);
        assert_int_equal(n, 0);
        etm_packer_free(p);
    }
}

/* ---- Misuse -------------------------------------------------------------- */

static const uint8_t byte;

TEST(deframers_refuse_misuse)
{
    static const uint8_t no_ids[] = {ETM_ID_TRIGGER, ETM_ID_SYNC};
    struct etm_deframer_config config = {.size = 1, .id = 0x10};
    struct etm_deframer *d;

    assert_int_equal(etm_deframer_new(NULL, &config), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_new(&d, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_new(&d, &config), ETM_ERR_ARGUMENT);
    config.size = sizeof config;
    for (unsigned i = 0; i < sizeof no_ids; i++) {
        config.id = no_ids[i];
        assert_int_equal(etm_deframer_new(&d, &config), ETM_ERR_ARGUMENT);
        assert_null(d);
    }
    config.id = 0x10;
    assert_ok(etm_deframer_new(&d, &config));
    assert_ok(etm_deframer_finish(d));
    assert_int_equal(etm_deframer_push(d, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_finish(d), ETM_ERR_ARGUMENT);
    etm_deframer_free(d);
    etm_deframer_free(NULL);
}

/* A distance of 1 between synchronizations, and blocks of a DSTREAM. */
TEST(framers_refuse_misuse)
{
    static const struct etm_framer_config configs[] = {
        {.size = sizeof *configs, .full_sync = 1},
        {.size = sizeof *configs, .half_sync = 1},
        {.size = sizeof *configs, .layout = ETM_FRAME_DSTREAM}};
    static const struct etm_framer_config good = {.size = sizeof good};
    struct etm_framer *f;

    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        assert_int_equal(etm_framer_new(&f, &configs[i]), ETM_ERR_ARGUMENT);
        assert_null(f);
    }
    assert_ok(etm_framer_new(&f, &good));
    assert_int_equal(etm_framer_push(f, ETM_ID_SYNC, &byte, 1),
                     ETM_ERR_ARGUMENT);
    etm_framer_free(f);
    etm_framer_free(NULL);
}

TEST(realigners_refuse_misuse)
{
    struct etm_realigner_config config = {.size = sizeof config, .hold = 7};
    struct etm_realigner *r;

    assert_int_equal(etm_realigner_new(&r, &config), ETM_ERR_ARGUMENT);
    assert_null(r);
    config.hold = 8;
    config.size = 1;
    assert_int_equal(etm_realigner_new(&r, &config), ETM_ERR_ARGUMENT);
    config.size = sizeof config;
    assert_ok(etm_realigner_new(&r, &config));
    assert_ok(etm_realigner_finish(r));
    assert_int_equal(etm_realigner_push(r, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_finish(r), ETM_ERR_ARGUMENT);
    etm_realigner_free(r);
    etm_realigner_free(NULL);
}

TEST(nothing_takes_no_bytes)
{
    struct etm_unpacker *u;

    assert_int_equal(etm_deframer_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_framer_push(NULL, 1, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_framer_flush(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_unpacker_new(&u, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_unpacker_push(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_drain(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_trigger(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_idle(NULL, 1), ETM_ERR_ARGUMENT);
}
