/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes a branch packet of ETMv3 has, by the highest bit of the
 * address that has changed (ETM architecture 7.3.5). */
#include "gen_util.h"

#define BASE 0x40000000u

struct counted {
    size_t n; /* bytes of the last packet */
};

static int last_packet(void *context, const struct etm_packet *packets,
                       size_t n)
{
    struct counted *c = context;

    for (size_t i = 0; i < n; i++)
        if (packets[i].kind == ETM_PACKET_BRANCH_ADDRESS)
            c->n = packets[i].size;
    return ETM_OK;
}

/* The bytes of the packet of a branch from BASE to where `bit` differs; with an
 * exception, of its packet. */
static size_t bytes_of(bool alternative, enum etm_isa isa, bool excepts,
                       unsigned bit)
{
    struct etm_config trace = {.size = sizeof trace,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = 4,
                               .alternative_branches = alternative};
    struct counted counted = {0};
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &trace,
                                           .packets = last_packet,
                                           .context = &counted};
    const struct etm_place target = place(BASE ^ 1u << bit, isa);
    struct etm_event e[3] = {start(place(BASE, isa))};
    struct etm_generator *g;

    if (isa == ETM_ISA_ARM)
        e[1] = arm(BASE, excepts ? 0xe1a00000u : 0xe12fff1eu);
    else if (isa == ETM_ISA_THUMB)
        e[1] = thumb(BASE, excepts ? 0x46c0u : 0x4770u);
    else /* iadd, ireturn */
        e[1] = insn(BASE, isa, excepts ? 0x60u : 0xacu, 1, true, 0);
    if (!excepts)
        e[1].u.insn.next = target;
    e[2] = exception(ETM_EXCEPTION_IRQ, false, target);
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    assert_int_equal(etm_generator_push(g, e, excepts ? 3 : 2), ETM_OK);
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
    return counted.n;
}

/* V3-EX-06, figures 7-7 to 7-24: the highest bit for each number of bytes. */
static void a_bit_more_takes_a_byte_more(void **state)
{
    static const struct {
        bool alternative;
        enum etm_isa isa;
        bool excepts;
        unsigned first; /* bytes up to the first bit */
        unsigned bits[5];
    } rows[] = {
        {false, ETM_ISA_THUMB, false, 1, {6, 13, 20, 27, 31}},
        {true, ETM_ISA_THUMB, false, 1, {6, 12, 19, 26, 31}},
        {true, ETM_ISA_THUMB, true, 3, {12, 19, 26, 31}},
        {true, ETM_ISA_ARM, false, 1, {7, 13, 20, 27, 31}},
        {true, ETM_ISA_JAZELLE, false, 1, {5, 11, 18, 25, 31}},
        {true, ETM_ISA_ARM, true, 3, {13, 20, 27, 31}},
        {true, ETM_ISA_JAZELLE, true, 3, {11, 18, 25, 31}},
        {false, ETM_ISA_THUMB, true, 6, {31}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned bytes = rows[i].first;

        for (unsigned bit = 2, k = 0; bit < 32; bit++) {
            if (bit > rows[i].bits[k]) {
                k++;
                bytes++;
            }
            assert_int_equal(bytes_of(rows[i].alternative, rows[i].isa,
                                      rows[i].excepts, bit),
                             bytes);
        }
    }
}

/* V3-EX-05: as many bytes as the highest bit that has changed asks for */
static void addresses_that_change_in_part(void **state)
{
    static const struct {
        uint32_t from, to;
        const char *original, *alternative;
        enum etm_isa isa;
    } rows[] = {
        {0x12355678, 0x123d5678, "08 21 78 56 35 12 84 BD D6 7A",
         "08 21 78 56 35 12 84 BD D6 3A", ETM_ISA_ARM},
        {0x8000, 0x8010, "08 21 00 80 00 00 84 09", "08 21 00 80 00 00 84 09",
         ETM_ISA_ARM},
        {0x8000, 0x8004, "08 21 00 80 00 00 84 03", "08 21 00 80 00 00 84 03",
         ETM_ISA_ARM},
        {0x8000, 0x9000, "08 21 01 80 00 00 84 81 20",
         "08 21 01 80 00 00 84 81 20", ETM_ISA_THUMB},
        {0x8000, 0xa000, "08 21 01 80 00 00 84 81 40",
         "08 21 01 80 00 00 84 81 C0 02", ETM_ISA_THUMB},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_config c = {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4};
        const struct etm_place at = place(rows[i].from, rows[i].isa);
        const struct etm_event bx = rows[i].isa == ETM_ISA_ARM
                                        ? arm(rows[i].from, 0xe12fff1e)
                                        : thumb(rows[i].from, 0x4770);
        const struct etm_event e[] = {start(at),
                                      to(bx, place(rows[i].to, rows[i].isa))};

        BECOME(&c, e, rows[i].original);
        c.alternative_branches = true;
        BECOME(&c, e, rows[i].alternative);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_more_takes_a_byte_more),
        cmocka_unit_test(addresses_that_change_in_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
