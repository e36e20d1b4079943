/* SPDX-License-Identifier: Apache-2.0 */
/* The short path of I-syncs at which tracing restarts, beside the long one,
 * whatever came before. */
#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"
#include "flow/imprint.h"
#include "proto/etmv3.h"
#include "random.h"

#include <etm/config.h>
#include <etm/image.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 20000u

static struct etm_config config;
static struct etm_etmv3_decoder decoder;

static struct side {
    struct etm_etmv3_flow flow;
    struct etm_vec out;
    struct etm_imprint imprint;
} sides[2];

/* An I-sync, as it is parsed; as a rule it has what `same` is. */
static struct etm_packet make_sync(struct random *r, uint64_t offset,
                                   unsigned same)
{
    struct etm_packet p = {.offset = offset,
                           .size = 6,
                           .address = 0x8000 + 4 * random_below(r, 8),
                           .fields = ETM_FIELD_ADDRESS,
                           .kind = ETM_PACKET_I_SYNC,
                           .isa = ETM_ISA_ARM,
                           .reason = (uint8_t)(1 + random_below(r, 3)),
                           .address_bits = 32,
                           .address_bytes = 4};
    unsigned state = random_chance(r, 80) ? same : random_below(r, 8);

    p.fields |= (uint16_t)(((state & 1) != 0 ? ETM_FIELD_NS : 0) |
                           ((state & 2) != 0 ? ETM_FIELD_HYP : 0));
    p.fields &= (uint16_t)(etm_etmv3_state_fields(&config) | ETM_FIELD_ADDRESS);
    p.isa = (state & 4) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    if (config.context_id_bytes != 0) {
        p.fields |= ETM_FIELD_CONTEXT_ID;
        p.context_id = random_chance(r, 80) ? 7 : 8;
    }
    if (random_chance(r, 50)) {
        p.fields |= ETM_FIELD_CYCLES;
        p.cycle_count = random_below(r, 3);
        p.kind = ETM_PACKET_I_SYNC_CYCLE_COUNT;
    }
    return p;
}

/* What may have come before. */
static void make_past(struct etm_etmv3_flow *flow, uint32_t what)
{
    struct etm_follow *f = &flow->follow;

    f->cycles = what & 7;
    if ((what >> 3 & 15) == 0)
        etm_follow_lose(f, ETM_LOST_BAD_PACKET, 50, 3);
    if ((what >> 7 & 15) == 0)
        f->blind_cycles = 5;
    if ((what >> 11 & 15) == 0) {
        flow->gap_pending = true;
        flow->gap_cycles = 9;
    }
    if ((what >> 15 & 15) == 0)
        flow->at.mismatch = true;
    if ((what >> 19 & 3) == 0)
        etm_follow_nowhere(f);
    if ((what >> 21 & 7) == 0)
        flow->at.awaiting = true;
    if ((what >> 24 & 7) == 0)
        flow->at.last = ETM_LAST_VALID | ETM_LAST_TARGETED;
    if ((what >> 27 & 15) == 0)
        f->now.secure = ETM_UNKNOWN;
    if ((what >> 27 & 15) == 1)
        f->now.hyp = ETM_UNKNOWN;
    if ((what >> 27 & 15) == 2)
        flow->base.alt_isa = true;
    if ((what >> 27 & 15) == 3)
        f->now.context_id ^= 1;
    if (what >> 31 != 0)
        flow->data.owner.previous_known = true;
}

static void init(struct random *r, const struct etm_image *image)
{
    struct etm_allocator a = etm_allocator_or_default(NULL);

    config =
        (struct etm_config){.size = sizeof config,
                            .protocol = ETM_PROTOCOL_ETMV3,
                            .minor = (uint8_t)random_below(r, 6),
                            .profile = ETM_PROFILE_A,
                            .cycle_accurate = random_chance(r, 50),
                            .virtualization = random_chance(r, 50),
                            .context_id_bytes = random_chance(r, 50) ? 4 : 0};
    etm_etmv3_decoder_init(&decoder, &config);
    for (unsigned i = 0; i < 2; i++) {
        struct side *s = &sides[i];

        assert_int_equal(
            etm_etmv3_flow_init(&s->flow, &config, image, ETM_LEVEL_RANGES, &a),
            ETM_OK);
        etm_vec_init(&s->out, sizeof(struct etm_element), &a);
        etm_imprint_init(&s->imprint, &a);
        s->flow.follow.out = &s->out;
    }
}

static void compare(void)
{
    const struct side *a = &sides[0], *b = &sides[1];

    for (unsigned i = 0; i < 2; i++)
        etm_etmv3_imprint(&decoder, &sides[i].flow, &sides[i].imprint);
    assert_true(etm_imprint_same(&a->imprint, &b->imprint));
    assert_int_equal(a->out.n, b->out.n);
    assert_memory_equal(a->out.data, b->out.data,
                        a->out.n * sizeof(struct etm_element));
    assert_int_equal(a->flow.follow.held, b->flow.follow.held);
    assert_int_equal(a->flow.follow.address, b->flow.follow.address);
    assert_int_equal(a->flow.at.last, b->flow.at.last);
    assert_int_equal(a->flow.gap_pending, b->flow.gap_pending);
}

/* Whether the fast path takes it, as an I-sync of a chart. */
static bool is_short(const struct etm_etmv3_flow *flow,
                     const struct etm_packet *p)
{
    uint8_t state, same;
    unsigned info = 0x01 | ((p->fields & ETM_FIELD_NS) != 0 ? 0x08u : 0) |
                    ((p->fields & ETM_FIELD_HYP) != 0 ? 0x02u : 0);

    return etm_etmv3_keeps_state(flow, &state, &same) &&
           (info & state) == same &&
           ((p->fields & ETM_FIELD_CYCLES) != 0) == config.cycle_accurate &&
           (config.context_id_bytes == 0 ||
            p->context_id == flow->base.context_id);
}

static void go_short(struct side *s, const struct etm_packet *p)
{
    struct etm_follow *f = &s->flow.follow;
    const struct etm_etmv3_mark mark = {.address = p->address,
                                        .gap = p->cycle_count,
                                        .isa =
                                            (uint8_t)(p->isa | ETM_MARK_SYNC)};
    struct etm_etmv3_walk w = {.index = 0};

    assert_int_equal(etm_vec_reserve(&s->out, 2), ETM_OK);
    w.e = (struct etm_element *)s->out.data + s->out.n;
    etm_etmv3_arrive_at_restart(&s->flow, &w, &mark, p->reason, p->offset,
                                f->cycles);
}

static void i_syncs_are_the_same_on_the_short_way(void **state)
{
    struct random r = {1};
    struct etm_image *image;
    unsigned some = 0;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned same = random_below(&r, 8);
        struct etm_packet first, next;
        uint32_t past = (uint32_t)random_next(&r);

        init(&r, image);
        first = make_sync(&r, 0, same);
        next = make_sync(&r, 100, same);
        for (unsigned i = 0; i < 2; i++) {
            etm_etmv3_flow_i_sync(&sides[i].flow, &first);
            make_past(&sides[i].flow, past);
        }
        etm_etmv3_flow_i_sync(&sides[0].flow, &next);
        if (is_short(&sides[1].flow, &next)) {
            go_short(&sides[1], &next);
            some++;
        } else {
            etm_etmv3_flow_i_sync(&sides[1].flow, &next);
        }
        compare();
        for (unsigned i = 0; i < 2; i++) {
            etm_imprint_fini(&sides[i].imprint);
            etm_vec_fini(&sides[i].out);
            etm_etmv3_flow_fini(&sides[i].flow);
        }
    }
    assert_true(some > ROUNDS / 20);
    etm_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(i_syncs_are_the_same_on_the_short_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
