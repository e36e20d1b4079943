/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of exceptions, all of them: Excp[8:0] of table 7-17 for M-profile
 * cores and Excp[3:0] of table 7-12 for others are written down here once more,
 * and generator and decoder have to agree with them.
 */
#include "../support/test.h"
#include "gen_util.h"

#include <etm/decode.h>

#define CODES 512u

struct meaning {
    uint8_t type; /* enum etm_exception_type */
    uint16_t irq;
};

/* Cores that are not ARMv7-M, and the first minor version with that code. */
static const struct {
    uint8_t type, since;
} classic[16] = {
    [0x1] = {ETM_EXCEPTION_DEBUG_HALT, 0},
    [0x2] = {ETM_EXCEPTION_SMC, 0},
    [0x3] = {ETM_EXCEPTION_HYP_ENTRY, 5},
    [0x4] = {ETM_EXCEPTION_ASYNC_DATA_ABORT, 0},
    [0x5] = {ETM_EXCEPTION_JAZELLE_THUMBEE, 0},
    [0x6] = {ETM_EXCEPTION_RESERVED, 0},
    [0x7] = {ETM_EXCEPTION_RESERVED, 0},
    [0x8] = {ETM_EXCEPTION_RESET, 0},
    [0x9] = {ETM_EXCEPTION_UNDEFINED, 0},
    [0xa] = {ETM_EXCEPTION_SVC, 0},
    [0xb] = {ETM_EXCEPTION_PREFETCH_ABORT, 0},
    [0xc] = {ETM_EXCEPTION_DATA_ABORT, 0},
    [0xd] = {ETM_EXCEPTION_GENERIC, 3},
    [0xe] = {ETM_EXCEPTION_IRQ, 0},
    [0xf] = {ETM_EXCEPTION_FIQ, 0},
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

struct wanted {
    unsigned code;
    struct meaning meaning;
};

static int hear(void *context, const struct etm_element *elements, size_t n)
{
    const struct wanted *wanted = context;
    struct meaning m = wanted->meaning;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        assert_int_not_equal(e->kind, ETM_ELEMENT_LOST);
        if (e->kind != ETM_ELEMENT_EXCEPTION)
            continue;
        heard++;
        assert_int_equal(e->u.exception.number, wanted->code);
        assert_int_equal(e->u.exception.type, m.type);
        if (m.type == ETM_EXCEPTION_IRQ_N)
            assert_int_equal(e->u.exception.irq, m.irq);
    }
    return ETM_OK;
}

static void decode(const struct etm_config *config, unsigned code,
                   struct meaning meaning, const uint8_t *bytes, size_t n)
{
    struct wanted wanted = {code, meaning};
    struct etm_decoder *decoder;
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = config,
                                     .elements = hear,
                                     .context = &wanted};

    heard = 0;
    assert_ok(etm_decoder_new(&decoder, &how));
    assert_ok(etm_decoder_push(decoder, bytes, n));
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
    assert_int_equal(heard, 1);
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

static int make(const struct etm_config *config, struct made *made,
                struct meaning m)
{
    const struct etm_place at = place(0x400, ETM_ISA_THUMB);
    struct etm_event events[] = {start(at), thumb(0x400, 0x3001),
                                 exception((enum etm_exception_type)m.type,
                                           false, place(0x600, ETM_ISA_THUMB))};
    struct etm_generator_config how = {
        .size = sizeof how, .config = config, .bytes = keep, .context = made};
    struct etm_generator *generator;
    int status;

    made->n = 0;
    events[2].u.exception.irq = m.irq;
    assert_ok(etm_generator_new(&generator, &how));
    status = etm_generator_push(generator, events, COUNT(events));
    if (status == ETM_OK)
        status = etm_generator_finish(generator);
    etm_generator_free(generator);
    return status;
}

/* In one information byte where it fits, and in two; cancelling or not.
 * V3-EX-10, V3-EXN-03, V3-EXN-04, V3-EXB-04, -11, -15: a byte 1 that says
 * nothing is accepted. V3-CFG-18 */
TEST(each_code_is_what_the_table_says)
{
    uint8_t trace[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08, 0x21, 0x01,
                       0x04, 0x00, 0x00, 0x84, 0x81, 0x4c, 0x00, 0x00};
    struct made made;

    for (unsigned code = 1; code < CODES; code++) {
        struct meaning m = meaning_of(code);

        for (unsigned cancel = 0; cancel < 2; cancel++) {
            trace[15] = (uint8_t)(cancel << 5 | (code & 0xf) << 1);
            if (code < 0x10)
                decode(&m_profile, code, m, trace, sizeof trace - 1);
            trace[15] |= 0x80;
            trace[16] = (uint8_t)(code >> 4);
            decode(&m_profile, code, m, trace, sizeof trace);
        }
        if (m.type == ETM_EXCEPTION_RESERVED)
            continue;
        assert_ok(make(&m_profile, &made, m));
        decode(&m_profile, code, m, made.bytes, made.n);
    }
    assert_int_equal(make(&m_profile, &made,
                          (struct meaning){ETM_EXCEPTION_IRQ_N, CODES - 0x10}),
                     ETM_ERR_ARGUMENT);
}

/* V3-EXN-01, V3-EXN-02, V3-EXN-05, V3-EXN-07, V3-EXB-10, V3-EXB-16, V3-CFG-18:
 * and one information byte is made. */
TEST(codes_of_other_cores_are_those_of_their_version)
{
    uint8_t trace[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08,
                       0x21, 0x00, 0x04, 0x00, 0x00, 0x84, 0x81,
                       0x80, 0x80, 0x80, 0x48, 0x00};

    for (unsigned i = 0; i < 6 * 16; i++) {
        struct etm_config c = {.size = sizeof c,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = (uint8_t)(i / 16),
                               .profile = ETM_PROFILE_A};
        unsigned code = i % 16;
        bool exists = c.minor >= classic[code].since;
        struct meaning m = {.type = classic[code].type}, said = m;
        struct made made;

        if (!exists)
            said.type = ETM_EXCEPTION_RESERVED;
        for (unsigned cancel = 0; cancel < 2 && code != 0; cancel++) {
            trace[sizeof trace - 1] = (uint8_t)(cancel << 5 | code << 1);
            decode(&c, code, said, trace, sizeof trace);
        }
        if (code < 2 || m.type == ETM_EXCEPTION_RESERVED)
            continue;
        c.security = c.minor >= 2;
        c.virtualization = c.minor == 5;
        assert_int_equal(make(&c, &made, m),
                         exists ? ETM_OK : ETM_ERR_ARGUMENT);
        if (!exists)
            continue;
        assert_int_equal(made.bytes[made.n - 2] >> 4, 5); /* Thumb */
        assert_int_equal(made.bytes[made.n - 1] >> 1 & 15, code);
        assert_int_equal(made.bytes[made.n - 1] & 0x80, 0);
    }
}
