/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of branch packets: those that 7.3.5 constructs step by step, for
 * every highest bit that changes, in both encodings; and atoms with cycles.
 */
#include "gen_util.h"

#include <stdlib.h>

#include "proto/broadcast.h"
#include "proto/etmv3.h"

static const struct {
    enum etm_isa isa;
    unsigned shift; /* of an aligned address */
    uint32_t branch;
    unsigned size;
    unsigned limits[2][4]; /* n + 1 bytes have the bits below; alternative */
} sets[] = {
    {ETM_ISA_ARM, 2, 0xe12fff1e, 4, {{8, 15, 22, 29}, {8, 14, 21, 28}}},
    {ETM_ISA_THUMB, 1, 0x4770, 2, {{7, 14, 21, 28}, {7, 13, 20, 27}}},
    {ETM_ISA_JAZELLE, 0, 0xac, 1, {{6, 13, 20, 27}, {6, 12, 19, 26}}},
};

/* What is generated; the packets are those of the A-sync, the I-sync, the
 * P-header and the branch. */
struct made {
    uint8_t bytes[64];
    size_t n;
    struct etm_packet branch;
};

static int keep_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct made *made = context;

    assert_true(made->n + n <= sizeof made->bytes);
    memcpy(made->bytes + made->n, bytes, n);
    made->n += n;
    return ETM_OK;
}

static int keep_branch(void *context, const struct etm_packet *p, size_t n)
{
    struct made *made = context;

    for (size_t i = 0; i < n; i++)
        if (p[i].kind == ETM_PACKET_BRANCH_ADDRESS)
            made->branch = p[i];
    return ETM_OK;
}

static void make(struct made *made, const struct etm_config *c,
                 const struct etm_event *events, size_t n)
{
    struct etm_generator_config how = {.size = sizeof how,
                                       .config = c,
                                       .packets = keep_branch,
                                       .bytes = keep_bytes,
                                       .context = made};
    struct etm_generator *generator;

    memset(made, 0, sizeof *made);
    assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
    assert_int_equal(etm_generator_push(generator, events, n), ETM_OK);
    assert_int_equal(etm_generator_finish(generator), ETM_OK);
    etm_generator_free(generator);
    assert_int_equal(made->branch.offset + made->branch.size, made->n);
}

/* The state that the packets leave. */
static struct etm_broadcast state_after(const struct made *made,
                                        const struct etm_config *c)
{
    struct etm_etmv3_decoder *d = malloc(sizeof *d);
    struct etm_broadcast b = {0};
    const struct etm_packet *p;
    struct etm_vec vec;

    assert_non_null(d);
    etm_vec_init(&vec, sizeof(struct etm_packet), NULL);
    etm_etmv3_decoder_init(d, c);
    assert_int_equal(etm_etmv3_decoder_push(d, made->bytes, made->n, &vec),
                     ETM_OK);
    assert_int_equal(etm_etmv3_decoder_finish(d, &vec), ETM_OK);
    p = vec.data;
    for (size_t i = 0; i < vec.n; i++)
        etm_broadcast_apply(&b, c, &p[i]);
    etm_vec_fini(&vec);
    free(d);
    return b;
}

/* 7.3.5: a 1 above the 32 bits, shifted down by the alignment, a 1 appended at
 * the low end, cut into five pieces, C set on all but the last. */
static void construct(uint8_t bytes[5], uint32_t address, unsigned shift)
{
    uint64_t value = (UINT64_C(1) << 32 | address) >> shift << 1 | 1;

    for (unsigned i = 0; i < 5; i++) {
        bytes[i] = (uint8_t)((value & 0x7f) | (i < 4 ? 0x80 : 0));
        value >>= 7;
    }
    assert_int_equal(value, 0);
}

/* The address bytes that a packet needs if `bit` is the highest that changed,
 * and the whole address if `all`. */
static unsigned length(unsigned set, unsigned alternative, unsigned bit,
                       bool all, bool exception)
{
    unsigned n = 1;

    if (all || (exception && !alternative))
        return 5;
    while (n < 5 && bit >= sets[set].limits[alternative][n - 1])
        n++;
    return exception && n < 2 ? 2 : n;
}

static void check_address(const struct made *made, unsigned set, uint32_t to,
                          unsigned n, bool alternative, bool exception)
{
    const uint8_t *bytes = made->bytes + made->branch.offset;
    uint8_t last, expected[5];

    construct(expected, to, sets[set].shift);
    last = expected[n - 1];
    if (n < 5)
        last &= alternative && n > 1 ? 0x3f : 0x7f;
    if (exception)
        last |= 0x40;
    assert_int_equal(made->branch.address_bytes, n);
    assert_memory_equal(bytes, expected, n - 1);
    assert_int_equal(bytes[n - 1], last);
}

static uint32_t noise(void)
{
    static uint64_t state = 1;

    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Two addresses of which `bit` is the highest that differs. */
static void choose(uint32_t *from, uint32_t *to, unsigned bit, unsigned shift)
{
    uint32_t aligned = UINT32_MAX << shift;

    *from = noise() & aligned;
    *to = *from ^ UINT32_C(1) << bit;
    *to ^= noise() & aligned & ((UINT32_C(1) << bit) - 1);
}

/* V3-BR-04, -06, -08, -09, V3-ORG-01, -02, -04, V3-ALT-01 to -04, V3-ALT-08:
 * as few bytes as have all bits that changed, in the form of the construction;
 * and V3-BR-15: one to five. */
static void branches_have_the_bytes_that_changed(void **state)
{
    unsigned seen[2] = {0, 0};

    (void)state;
    for (unsigned i = 0; i < 3 * 2 * 32 * 20; i++) {
        unsigned set = i / 2 % 3, alternative = i % 2, bit = i / 6 % 32;
        struct etm_config c = {.size = sizeof c,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = 4,
                               .alternative_branches = alternative != 0};
        struct etm_broadcast b;
        uint32_t from, to_address;
        struct made made;

        if (bit < sets[set].shift)
            continue;
        choose(&from, &to_address, bit, sets[set].shift);
        {
            const struct etm_event events[] = {
                start(place(from, sets[set].isa)),
                to(insn(from, sets[set].isa, sets[set].branch, sets[set].size,
                        true, 0),
                   place(to_address, sets[set].isa))};

            make(&made, &c, events, COUNT(events));
        }
        check_address(&made, set, to_address,
                      length(set, alternative, bit, false, false),
                      alternative != 0, false);
        assert_int_equal(made.branch.size, made.branch.address_bytes);
        seen[alternative] |= 1u << made.branch.size;
        b = state_after(&made, &c);
        assert_int_equal(b.address, to_address);
        assert_int_equal(b.isa, sets[set].isa);
    }
    assert_int_equal(seen[0], 0x3e);
    assert_int_equal(seen[1], 0x3e);
}

/* V3-ORG-05, V3-ORG-08: five and one; V3-ALT-05 to -07: what is needed, at
 * least two, and one. V3-EXB-05, V3-EXB-10: one exception byte on a processor
 * that is not ARMv7-M, cancelling or not. */
static void exceptions_have_an_information_byte(void **state)
{
    unsigned seen[2] = {0, 0};

    (void)state;
    for (unsigned i = 0; i < 2 * 2 * 32 * 20; i++) {
        unsigned set = i / 2 % 2, alternative = i % 2, bit = i / 4 % 32;
        bool cancels = (i & 128) != 0;
        struct etm_config c = {.size = sizeof c,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = 4,
                               .alternative_branches = alternative != 0};
        uint32_t from, to_address;
        struct etm_broadcast b;
        struct made made;

        if (bit < sets[set].shift)
            continue;
        choose(&from, &to_address, bit, sets[set].shift);
        {
            const struct etm_event events[] = {
                start(place(from, sets[set].isa)),
                insn(from, sets[set].isa, set == 0 ? 0xe2800001 : 0x3001,
                     sets[set].size, true, 0),
                exception(ETM_EXCEPTION_FIQ, cancels,
                          place(to_address, sets[set].isa))};

            make(&made, &c, events, COUNT(events));
        }
        check_address(&made, set, to_address,
                      length(set, alternative, bit, false, true),
                      alternative != 0, true);
        assert_int_equal(made.branch.size, made.branch.address_bytes + 1);
        assert_int_equal(made.bytes[made.n - 1], cancels ? 0x3e : 0x1e);
        seen[alternative] |= 1u << made.branch.address_bytes;
        b = state_after(&made, &c);
        assert_int_equal(b.address, to_address);
        assert_int_equal(b.isa, sets[set].isa);
    }
    assert_int_equal(seen[0], 0x20);
    assert_int_equal(seen[1], 0x3c);
}

/* V3-ALT-07: a change of the instruction set takes five bytes in both. */
static void changes_of_the_instruction_set_are_whole(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3 * 3 * 2; i++) {
        unsigned set = i / 2 % 3, next = i / 6, alternative = i % 2;
        struct etm_config c = {.size = sizeof c,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = 4,
                               .alternative_branches = alternative != 0};
        const struct etm_event events[] = {
            start(place(0x8000, sets[set].isa)),
            to(insn(0x8000, sets[set].isa, sets[set].branch, sets[set].size,
                    true, 0),
               place(0x8004, sets[next].isa))};
        struct made made;

        make(&made, &c, events, COUNT(events));
        check_address(&made, next, 0x8004,
                      length(next, alternative, 2, set != next, false),
                      alternative != 0, false);
        assert_int_equal(state_after(&made, &c).isa, sets[next].isa);
    }
}

/* V3-EXB-04, V3-EXB-05, V3-EXB-09: a change of Hyp takes bytes 0 and 1. */
static void hyp_takes_a_second_information_byte(void **state)
{
    struct etm_config c = {.size = sizeof c,
                           .protocol = ETM_PROTOCOL_ETMV3,
                           .minor = 5,
                           .security = true,
                           .virtualization = true};
    const struct etm_place at = non_secure(place(0x8000, ETM_ISA_ARM));
    struct etm_place hyp = non_secure(place(0x14, ETM_ISA_ARM));
    struct etm_event events[] = {
        start(at), arm(0x8000, 0xe1400070), /* hvc #0 */
        exception(ETM_EXCEPTION_HYP_ENTRY, false, hyp)};

    (void)state;
    events[2].u.exception.next.hyp = true;
    BECOME(&c, events, "08 29 00 80 00 00 84 8B 80 80 80 48 87 20");
    events[0].u.trace_on.at.hyp = true;
    BECOME(&c, events, "08 2B 00 80 00 00 84 8B 80 80 80 48 07");
}

struct atoms {
    char text[512];
    size_t n, waits;
};

static int keep_atoms(void *context, const struct etm_packet *p, size_t n)
{
    struct atoms *atoms = context;

    for (size_t i = 0; i < n; i++) {
        if (p[i].kind == ETM_PACKET_BRANCH_ADDRESS)
            atoms->text[atoms->n++] = 'b';
        for (unsigned a = 0; p[i].kind == ETM_PACKET_P_HEADER && a < p[i].count;
             a++) {
            unsigned atom = p[i].value >> (2 * a) & 3;

            atoms->waits += atom == ETM_ATOM_W;
            if (atom != ETM_ATOM_W)
                atoms->text[atoms->n++] = atom == ETM_ATOM_E ? 'E' : 'N';
        }
        assert_true(atoms->n + 20 < sizeof atoms->text);
    }
    return ETM_OK;
}

/* V3-PH-14: with cycles there are the same atoms of instructions, and W. */
static void cycles_add_nothing_but_waits(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 6 * 50; round++) {
        struct etm_config c = {.size = sizeof c,
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = (uint8_t)(round % 6)};
        struct etm_event events[120] = {start(place(0x8000, ETM_ISA_ARM))};
        struct atoms atoms[2] = {0};

        for (uint32_t i = 1; i < COUNT(events); i++) {
            uint32_t dice = noise(), at = 0x7ffc + 4 * i;

            events[i] = arm(at, dice % 8 == 0 ? 0xe12fff1e : 0x12800001);
            events[i].u.insn.passed = dice % 8 < 6;
            if (dice % 8 == 0) /* bx lr, to the next one */
                events[i].u.insn.next = place(at + 4, ETM_ISA_ARM);
            events[i].cycles = dice >> 8 & (dice % 64 == 9 ? 0xfff : 3);
        }
        for (unsigned k = 0; k < 2; k++) {
            struct etm_generator_config how = {
                .config = &c, .packets = keep_atoms, .context = &atoms[k]};
            struct etm_generator *generator;

            c.cycle_accurate = k == 1;
            assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
            assert_int_equal(
                etm_generator_push(generator, events, COUNT(events)), ETM_OK);
            assert_int_equal(etm_generator_finish(generator), ETM_OK);
            etm_generator_free(generator);
        }
        assert_string_equal(atoms[0].text, atoms[1].text);
        assert_int_equal(atoms[0].waits, 0);
        assert_true(atoms[1].waits > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_have_the_bytes_that_changed),
        cmocka_unit_test(exceptions_have_an_information_byte),
        cmocka_unit_test(changes_of_the_instruction_set_are_whole),
        cmocka_unit_test(hyp_takes_a_second_information_byte),
        cmocka_unit_test(cycles_add_nothing_but_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
