/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of M-profile exceptions, all of them: Excp[8:0] of table 7-17 is
 * written down here once more, and generator and decoder have to agree with it.
 * V3-EXN-04.
 */
#include "gen_util.h"

#include <etm/decode.h>

#define CODES 512u

struct meaning {
    uint8_t type; /* enum etm_exception_type */
    uint16_t irq;
};

static struct meaning meaning_of(unsigned code)
{
    static const uint8_t named[] = {
        [0x9] = ETM_EXCEPTION_USAGE_FAULT, [0xa] = ETM_EXCEPTION_NMI,
        [0xb] = ETM_EXCEPTION_SVC,         [0xc] = ETM_EXCEPTION_DEBUG_MONITOR,
        [0xd] = ETM_EXCEPTION_MEM_MANAGE,  [0xe] = ETM_EXCEPTION_PEND_SV,
        [0xf] = ETM_EXCEPTION_SYS_TICK,    [0x10] = ETM_EXCEPTION_RESERVED,
        [0x11] = ETM_EXCEPTION_RESET,      [0x12] = ETM_EXCEPTION_RESERVED,
        [0x13] = ETM_EXCEPTION_HARD_FAULT, [0x14] = ETM_EXCEPTION_RESERVED,
        [0x15] = ETM_EXCEPTION_BUS_FAULT,  [0x16] = ETM_EXCEPTION_RESERVED,
        [0x17] = ETM_EXCEPTION_RESERVED,
    };
    struct meaning m = {.type = ETM_EXCEPTION_IRQ_N};

    if (code <= 7)
        m.irq = (uint16_t)code;
    else if (code >= 0x18)
        m.irq = (uint16_t)(code - 0x10);
    else if (code != 8)
        m.type = named[code];
    return m;
}

static const struct etm_config m_profile = {.size = sizeof(struct etm_config),
                                            .protocol = ETM_PROTOCOL_ETMV3,
                                            .minor = 4,
                                            .profile = ETM_PROFILE_M,
                                            .alternative_branches = true};

static unsigned heard; /* exceptions */

/* *context is the code. */
static int hear(void *context, const struct etm_element *elements, size_t n)
{
    const unsigned *code = context;
    struct meaning m = meaning_of(*code);

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        assert_int_not_equal(e->kind, ETM_ELEMENT_LOST);
        if (e->kind != ETM_ELEMENT_EXCEPTION)
            continue;
        heard++;
        assert_int_equal(e->u.exception.number, *code);
        assert_int_equal(e->u.exception.type, m.type);
        if (m.type == ETM_EXCEPTION_IRQ_N)
            assert_int_equal(e->u.exception.irq, m.irq);
    }
    return ETM_OK;
}

static void decode(unsigned code, const uint8_t *bytes, size_t n)
{
    struct etm_decoder *decoder;
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &m_profile,
                                     .elements = hear,
                                     .context = &code};

    heard = 0;
    assert_int_equal(etm_decoder_new(&decoder, &how), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, bytes, n), ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    assert_int_equal(heard, 1);
}

/* In one information byte where it fits, and in two. */
static void each_code_is_what_the_table_says(void **state)
{
    uint8_t trace[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08, 0x21, 0x01,
                       0x04, 0x00, 0x00, 0x84, 0x81, 0x4c, 0x00, 0x00};

    (void)state;
    for (unsigned code = 1; code < CODES; code++) {
        for (unsigned cancel = 0; cancel < 2; cancel++) {
            trace[15] = (uint8_t)(cancel << 5 | (code & 0xf) << 1);
            if (code < 0x10)
                decode(code, trace, sizeof trace - 1);
            trace[15] |= 0x80;
            trace[16] = (uint8_t)(code >> 4);
            decode(code, trace, sizeof trace);
        }
    }
}

struct made {
    uint8_t bytes[64];
    size_t n;
};

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    struct made *made = context;

    assert_true(made->n + n <= sizeof made->bytes);
    memcpy(made->bytes + made->n, bytes, n);
    made->n += n;
    return ETM_OK;
}

static int make(struct made *made, const struct meaning *m)
{
    const struct etm_place at = place(0x400, ETM_ISA_THUMB);
    struct etm_event events[] = {start(at), thumb(0x400, 0x3001),
                                 exception((enum etm_exception_type)m->type,
                                           false, place(0x600, ETM_ISA_THUMB))};
    struct etm_generator_config how = {.size = sizeof how,
                                       .config = &m_profile,
                                       .bytes = keep,
                                       .context = made};
    struct etm_generator *generator;
    int status;

    made->n = 0;
    events[2].u.exception.irq = m->irq;
    assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
    status = etm_generator_push(generator, events, COUNT(events));
    if (status == ETM_OK)
        status = etm_generator_finish(generator);
    etm_generator_free(generator);
    return status;
}

/* V3-EX-10 */
static void each_exception_has_its_code(void **state)
{
    struct meaning m;
    struct made made;

    (void)state;
    for (unsigned code = 1; code < CODES; code++) {
        m = meaning_of(code);
        if (m.type == ETM_EXCEPTION_RESERVED)
            continue;
        assert_int_equal(make(&made, &m), ETM_OK);
        decode(code, made.bytes, made.n);
    }
    m = (struct meaning){ETM_EXCEPTION_IRQ_N, CODES - 0x10};
    assert_int_equal(make(&made, &m), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_is_what_the_table_says),
        cmocka_unit_test(each_exception_has_its_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
