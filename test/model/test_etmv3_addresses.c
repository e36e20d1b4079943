/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of branch packets: those that 7.3.5 constructs step by step, for
 * every highest bit that changes, in both encodings.
 */
#include "gen_util.h"

#include <stdlib.h>

#include "proto/broadcast.h"
#include "proto/etmv3.h"

static const struct {
    enum etm_isa isa;
    unsigned shift; /* of an aligned address */
    uint32_t branch, other;
    unsigned size;
    unsigned limits[2][4]; /* n + 1 bytes have the bits below; alternative */
} sets[] = {
    {ETM_ISA_ARM,
     2,
     0xe12fff1e,
     0xe2800001,
     4,
     {{8, 15, 22, 29}, {8, 14, 21, 28}}},
    {ETM_ISA_THUMB, 1, 0x4770, 0x3001, 2, {{7, 14, 21, 28}, {7, 13, 20, 27}}},
    {ETM_ISA_JAZELLE, 0, 0xac, 0x60, 1, {{6, 13, 20, 27}, {6, 12, 19, 26}}},
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

/* A branch to where `bit` is the highest that differs, or an exception there:
 * its bytes, and the state that they leave. */
static unsigned check_one(unsigned set, bool alternative, unsigned bit,
                          bool excepts, bool cancels)
{
    enum etm_isa isa = sets[set].isa;
    struct etm_config c = {.size = sizeof c,
                           .protocol = ETM_PROTOCOL_ETMV3,
                           .minor = 4,
                           .alternative_branches = alternative};
    struct etm_event e[3];
    struct etm_broadcast b;
    struct made made;
    uint32_t from, there;

    choose(&from, &there, bit, sets[set].shift);
    e[0] = start(place(from, isa));
    e[1] = insn(from, isa, excepts ? sets[set].other : sets[set].branch,
                sets[set].size, true, 0);
    if (!excepts)
        e[1].u.insn.next = place(there, isa);
    e[2] = exception(ETM_EXCEPTION_FIQ, cancels, place(there, isa));
    make(&made, &c, e, excepts ? 3 : 2);
    check_address(&made, set, there,
                  length(set, alternative, bit, false, excepts), alternative,
                  excepts);
    assert_int_equal(made.branch.size, made.branch.address_bytes + excepts);
    if (excepts)
        assert_int_equal(made.bytes[made.n - 1], cancels ? 0x3e : 0x1e);
    b = state_after(&made, &c);
    assert_int_equal(b.address, there);
    assert_int_equal(b.isa, isa);
    return 1u << made.branch.address_bytes;
}

/* V3-BR-04, -06, -08, -09, V3-ORG-01, -02, -04, V3-ALT-01 to -04, V3-ALT-08,
 * V3-EX-06, figures 7-7 to 7-24: as few bytes as have all bits that changed, in
 * the form of the construction; and V3-BR-15: one to five. V3-ORG-05,
 * V3-ORG-08: of an exception five and one; V3-ALT-05 to -07: what is needed, at
 * least two, and one. V3-EXB-05, V3-EXB-10: one exception byte on a processor
 * that is not ARMv7-M, cancelling or not. */
static void packets_have_the_bytes_that_changed(void **state)
{
    unsigned seen[2][2] = {{0, 0}, {0, 0}}; /* by encoding, with exception */

    (void)state;
    for (unsigned i = 0; i < 3 * 2 * 2 * 32 * 20; i++) {
        unsigned set = i % 3, alternative = i / 3 % 2, bit = i / 12 % 32;
        unsigned excepts = i / 6 % 2;

        if (bit >= sets[set].shift)
            seen[alternative][excepts] |= check_one(
                set, alternative != 0, bit, excepts != 0, i / 384 % 2 != 0);
    }
    assert_int_equal(seen[0][0], 0x3e);
    assert_int_equal(seen[1][0], 0x3e);
    assert_int_equal(seen[0][1], 0x20);
    assert_int_equal(seen[1][1], 0x3c);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_have_the_bytes_that_changed),
        cmocka_unit_test(changes_of_the_instruction_set_are_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
