/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two levels and every way of cutting the input tell the same, on real
 * captures, whole and damaged.
 */
#include "../support/receive.h"
#include "../support/scarce.h"
#include "../support/test.h"
#include "support/damage.h"

#define FLIPS 200u
#define SEED 777u
#define BRANCH_FLAGS (ETM_INSN_LINK | ETM_INSN_RETURN)

static struct etm_test_elements insns, ranges;

/* An `insn` is within what is left of a range. */
struct left {
    uint32_t n;      /* instructions */
    uint32_t next;   /* address */
    uint64_t cycles; /* of the instructions so far */
};

/* The instructions of one range, from *at on. */
static bool is_range(const struct etm_element *range, size_t *at)
{
    struct left left = {range->u.range.n, range->u.range.start, 0};
    const struct etm_element *insn = NULL;

    for (; left.n != 0; left.n--) {
        if (*at == insns.n)
            return false;
        insn = &insns.all[(*at)++];
        if (insn->kind != ETM_ELEMENT_INSN ||
            insn->u.insn.address != left.next ||
            insn->u.insn.isa != range->u.range.isa)
            return false;
        left.next += insn->u.insn.size;
        left.cycles += insn->u.insn.cycles;
    }
    return insn != NULL && range->u.range.end == left.next &&
           range->u.range.last_address == insn->u.insn.address &&
           range->u.range.last_type == insn->u.insn.type &&
           range->u.range.last_exec == insn->u.insn.exec &&
           (range->u.range.last_flags & BRANCH_FLAGS) ==
               (insn->u.insn.flags & BRANCH_FLAGS) &&
           (range->u.range.cycles == ETM_CYCLES_UNKNOWN ||
            range->u.range.cycles == left.cycles);
}

static bool agree(size_t *where)
{
    size_t at = 0;

    *where = 0;
    for (size_t i = 0; i < ranges.n; i++) {
        const struct etm_element *e = &ranges.all[i];
        *where = i;
        if (e->kind == ETM_ELEMENT_RANGE) {
            if (!is_range(e, &at))
                return false;
        } else if (at == insns.n || !etm_test_same(e, &insns.all[at++])) {
            return false;
        }
    }
    return at == insns.n;
}

static void levels_of(const struct etm_test_capture *c, const char *name)
{
    uint32_t random = SEED;
    size_t where;

    for (unsigned i = 0; i <= FLIPS && c->stream.n != 0; i++) {
        size_t byte = etm_test_random(&random) % c->stream.n;
        uint8_t bit = (uint8_t)(1u << etm_test_random(&random) % 8);
        if (i != 0) /* the first time it is whole */
            c->stream.bytes[byte] ^= bit;
        assert_ok(etm_test_decode(&c->config, c->image, ETM_LEVEL_RANGES,
                                  c->stream.bytes, c->stream.n, &ranges));
        assert_ok(etm_test_decode(&c->config, c->image, ETM_LEVEL_INSTRUCTIONS,
                                  c->stream.bytes, c->stream.n, &insns));
        if (!agree(&where))
            fail_msg("%s, byte %zu bit %02x: element %zu (%s) at %llu", name,
                     byte, bit, where,
                     etm_element_kind_name(
                         (enum etm_element_kind)ranges.all[where].kind),
                     (unsigned long long)ranges.all[where].offset);
        if (i != 0)
            c->stream.bytes[byte] ^= bit;
    }
}

TEST(levels_tell_the_same)
{
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;
        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        levels_of(&c, etm_test_sources[i].name);
        etm_test_close(&c);
    }
}

/* Pieces of `most` bytes at the most; 1: every byte is a push. */
static void decode_pieces(const struct etm_test_capture *c,
                          enum etm_level level, unsigned most)
{
    struct etm_decoder *decoder;
    struct etm_decoder_config how =
        etm_test_collecting(&c->config, c->image, level, &insns);
    uint32_t random = SEED;
    size_t at = 0;

    assert_ok(etm_decoder_new(&decoder, &how));
    while (at < c->stream.n) {
        size_t n = 1 + etm_test_random(&random) % most;
        if (n > c->stream.n - at)
            n = c->stream.n - at;
        assert_ok(etm_decoder_push(decoder, c->stream.bytes + at, n));
        at += n;
    }
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
}

static void pieces_of(const struct etm_test_capture *c, enum etm_level level)
{
    static const unsigned most[] = {1, 2, 9, 300, 5000};

    assert_ok(etm_test_decode(&c->config, c->image, level, c->stream.bytes,
                              c->stream.n, &ranges));
    for (size_t i = 0; i < COUNT(most); i++) {
        decode_pieces(c, level, most[i]);
        assert_int_equal(insns.n, ranges.n);
        for (size_t k = 0; k < ranges.n; k++)
            assert_true(etm_test_same(&insns.all[k], &ranges.all[k]));
    }
}

TEST(every_way_of_cutting_tells_the_same)
{
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;
        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        pieces_of(&c, ETM_LEVEL_RANGES);
        pieces_of(&c, ETM_LEVEL_INSTRUCTIONS);
        etm_test_close(&c);
    }
}

RECEIVE(nothing, const struct etm_element *)

TEST(real_trace_allocates_nothing_after_warm_up)
{
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {faulty_resize, &faulty};

    for (size_t i = 0; i < 2 * etm_test_n_sources; i++) {
        struct etm_test_capture c;
        struct etm_decoder *decoder;
        size_t warm = 0;
        if (!etm_test_open(&etm_test_sources[i / 2], &c))
            skip();
        assert_ok(etm_decoder_new(&decoder,
                                  &(struct etm_decoder_config){
                                      .size = sizeof(struct etm_decoder_config),
                                      .config = &c.config,
                                      .image = c.image,
                                      .level = (enum etm_level)(i % 2),
                                      .elements = nothing,
                                      .allocator = &allocator}));
        for (unsigned round = 0; round < 3; round++) {
            warm = faulty.calls;
            assert_ok(etm_decoder_push(decoder, c.stream.bytes, c.stream.n));
        }
        assert_int_equal(faulty.calls, warm);
        etm_decoder_free(decoder);
        etm_test_close(&c);
    }
    assert_true(faulty.calls != 0);
}

int main(void)
{
    int failed = tests_run();

    free(insns.all);
    free(ranges.all);
    return failed;
}
