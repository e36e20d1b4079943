/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1 and ETMv2 with records missing: what is given after the gap is what is
 * given there without it, or less. Random executions; ETM_TEST_ROUNDS=N runs N
 * of each protocol, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/test.h"
#include "etmv1_walk.h"
#include "etmv2_walk.h"
#include "program.h"
#include "proto/sample.h"
#include "side.h"
#include "trace.h"

#include "../support/element_text.h"
#include "../support/setting.h"

#include <etm/model.h>

#define BYTES (1u << 20)
#define ROUNDS 1500u
#define GAPS 4u /* in each of them */

/* Too big for a stack. */
static struct {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    size_t n;
    uint8_t bytes[BYTES];
    struct v1_walk v1;
    struct program program;
    struct v2_walk v2;
} trial;

/* An instruction, exception or transfer, in the context that was given. */
struct claim {
    struct etm_element e;
    bool context_known;
    uint32_t context_id;
};

struct claims {
    struct claim *all;
    size_t n;
};

static struct claims whole, rest;

static void collect(const struct etm_vec *elements, uint64_t skipped,
                    uint64_t from, struct claims *claims)
{
    const struct etm_element *e = elements->data;
    struct claim c = {.context_known = false};

    claims->n = 0;
    claims->all = realloc(claims->all, (elements->n + 1) * sizeof *claims->all);
    assert_non_null(claims->all);
    for (size_t i = 0; i < elements->n; i++) {
        if (e[i].kind == ETM_ELEMENT_CONTEXT) {
            c.context_known = e[i].u.context.context_id_known;
            c.context_id = e[i].u.context.context_id;
        }
        if (e[i].offset < from || (e[i].kind != ETM_ELEMENT_INSN &&
                                   e[i].kind != ETM_ELEMENT_EXCEPTION &&
                                   e[i].kind != ETM_ELEMENT_DATA))
            continue;
        c.e = e[i];
        c.e.offset += skipped;
        claims->all[claims->n++] = c;
    }
}

/* All of the stream, or what comes after a gap at byte `at` of so many bytes
 * more. */
static void decode(const struct etm_image *image, size_t at, size_t gap,
                   struct claims *claims)
{
    static struct side s;

    side_init(&s, &trial.config, image, ETM_LEVEL_INSTRUCTIONS);
    if (gap != 0) {
        side_push(&s, trial.bytes, at);
        assert_ok(s.row->flow_gap(&s.flow, at, gap, &s.elements));
        assert_ok(s.row->gap(&s.proto, &s.packets));
        side_flow(&s);
    }
    side_push(&s, trial.bytes + at + gap, trial.n - at - gap);
    side_finish(&s, trial.n - gap);
    collect(&s.elements, gap, gap != 0 ? at : 0, claims);
    side_fini(&s);
}

/* Which of the transfers it was, of which instruction, where and of which value
 * may be left open. */
static bool is_same_data(const struct etm_element *claim,
                         const struct etm_element *truth)
{
    bool index = claim->u.data.index == ETM_DATA_INDEX_UNKNOWN ||
                 truth->u.data.index == ETM_DATA_INDEX_UNKNOWN ||
                 claim->u.data.index == truth->u.data.index;

    return index &&
           (!claim->u.data.insn_known ||
            claim->u.data.insn == truth->u.data.insn) &&
           (!claim->u.data.address_known ||
            (truth->u.data.address_known &&
             claim->u.data.address == truth->u.data.address)) &&
           (!claim->u.data.value_known ||
            claim->u.data.value == truth->u.data.value);
}

static bool is_same_exception(const struct etm_element *claim,
                              const struct etm_element *truth)
{
    return claim->u.exception.type == truth->u.exception.type &&
           (!claim->u.exception.cancels_known ||
            claim->u.exception.cancels == truth->u.exception.cancels) &&
           (!claim->u.exception.return_known ||
            claim->u.exception.return_address ==
                truth->u.exception.return_address);
}

/* A context is given before the first instruction that it applies to. */
static bool is_same_insn(const struct claim *claim, const struct claim *truth)
{
    const struct etm_element *a = &claim->e, *b = &truth->e;

    return a->u.insn.address == b->u.insn.address &&
           a->u.insn.isa == b->u.insn.isa && a->u.insn.exec == b->u.insn.exec &&
           (!claim->context_known ||
            (truth->context_known && claim->context_id == truth->context_id));
}

static bool is_true(const struct claim *claim, const struct claim *truth)
{
    if (claim->e.kind != truth->e.kind)
        return false;
    if (claim->e.kind == ETM_ELEMENT_DATA)
        return is_same_data(&claim->e, &truth->e);
    if (claim->e.kind == ETM_ELEMENT_EXCEPTION)
        return is_same_exception(&claim->e, &truth->e);
    return is_same_insn(claim, truth);
}

static void compare(size_t at, size_t gap)
{
    size_t k = 0;

    for (size_t i = 0; i < rest.n; i++) {
        const struct claim *c = &rest.all[i];
        char text[ETM_ELEMENT_TEXT_MAX];
        bool found = false;

        /* a value that was missed leaves its transfer without one (E-101) */
        if (c->e.kind == ETM_ELEMENT_DATA && !c->e.u.data.value_known)
            continue;
        while (k < whole.n && whole.all[k].e.offset < c->e.offset)
            k++;
        for (size_t j = k;
             !found && j < whole.n && whole.all[j].e.offset == c->e.offset; j++)
            found = is_true(c, &whole.all[j]);
        if (found)
            continue;
        (void)etm_element_text(&c->e, text);
        fail_msg("ETM_TEST_SEED=%llu: behind a gap from byte %zu to %zu: %s",
                 (unsigned long long)trial.seed, at, at + gap, text);
    }
}

static void check(const struct etm_image *image)
{
    size_t size = etm_sample_size(&trial.config), n = trial.n / size;

    if (n < 100)
        return;
    decode(image, 0, 0, &whole);
    for (unsigned i = 0; i < GAPS; i++) {
        size_t at = random_below(&trial.r, (uint32_t)n - 60) * size;
        size_t gap = (1 + random_below(&trial.r, 40)) * size;

        decode(image, at, gap, &rest);
        compare(at, gap);
    }
}

static void begin(uint64_t seed)
{
    trial.seed = seed;
    trial.r.state = seed;
}

TEST(etmv1_says_nothing_false_after_a_gap)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_generator_config how = {.config = &trial.config};
        struct etm_image *image;

        begin(seed + i);
        v1_walk_make(&trial.v1, seed + i, random_chance(&trial.r, 60));
        trial.config = trial.v1.config;
        how.fifo_size = trial.v1.fifo_size;
        trial.n = trace_make(&how, trial.v1.events, trial.v1.n_events,
                             trial.bytes, BYTES);
        image = v1_walk_image(&trial.v1);
        check(image);
        etm_image_free(image);
    }
}

TEST(etmv2_says_nothing_false_after_a_gap)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_generator_config how = {.config = &trial.config,
                                           .fifo_size = 90};
        struct etm_image *image;

        begin(seed + i);
        v2_config_make(&trial.config, 60, &trial.r);
        trial.config.sync_period = 400;
        program_make(&trial.program, &trial.config, &trial.r);
        v2_walk_make(&trial.v2, &trial.program, &how, &trial.r);
        trial.n =
            trace_make(&how, trial.v2.events, trial.v2.n, trial.bytes, BYTES);
        image = program_image(&trial.program);
        check(image);
        etm_image_free(image);
    }
}

int main(void)
{
    int failed = tests_run();

    free(whole.all);
    free(rest.all);
    return failed;
}
