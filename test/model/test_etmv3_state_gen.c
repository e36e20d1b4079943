/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: bytes of changes of state and of exceptions, worked out by hand. */
#include "gen_util.h"

#define ADD 0xe2800001u     /* add r0, r0, #1 */
#define MOVS_PC 0xe1b0f00eu /* movs pc, lr: the targets are in the events */
#define T_BX_LR 0x4770u
#define T_LEAVEX 0xf3bf8f0fu

static struct etm_config etmv3(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = (uint8_t)minor};
}

static const struct etm_place at_8000 = {.address = 0x8000, .isa = ETM_ISA_ARM};

#define I_SYNC_8000 "08 21 00 80 00 00 "

/* Table 7-14, V3-ST-01 to -03, V3-ST-10, of no exception, and 0x8004 has no
 * more bits than a short packet. */
static void a_change_of_state_has_five_address_bytes(void **state)
{
    static const struct {
        uint8_t from, to;
        const char *bytes;
    } rows[] = {
        {ETM_ISA_ARM, ETM_ISA_JAZELLE, "08 21 00 80 00 00 84 89 80 84 80 20"},
        {ETM_ISA_ARM, ETM_ISA_THUMB, "08 21 00 80 00 00 84 85 80 82 80 10"},
        {ETM_ISA_ARM, ETM_ISA_THUMBEE,
         "08 21 00 80 00 00 84 85 80 82 80 50 40"},
        {ETM_ISA_JAZELLE, ETM_ISA_ARM, "08 31 00 80 00 00 84 83 80 81 80 08"},
        {ETM_ISA_THUMB, ETM_ISA_ARM, "08 21 01 80 00 00 84 83 80 81 80 08"},
        {ETM_ISA_THUMB, ETM_ISA_THUMBEE,
         "08 21 01 80 00 00 84 85 80 82 80 50 40"},
        {ETM_ISA_THUMBEE, ETM_ISA_ARM,
         "08 25 01 80 00 00 84 83 80 81 80 48 00"},
        {ETM_ISA_THUMBEE, ETM_ISA_THUMB,
         "08 25 01 80 00 00 84 85 80 82 80 50 00"},
    };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        unsigned row = (unsigned)i / 2, from = rows[row].from;
        struct etm_config c = etmv3(4);
        struct etm_event e[] = {start(place(0x8000, (enum etm_isa)from)),
                                to(from == ETM_ISA_ARM ? arm(0x8000, MOVS_PC)
                                   : from == ETM_ISA_JAZELLE
                                       ? insn(0x8000, from, 0x60, 1, true, 0)
                                       : thumb(0x8000, T_BX_LR),
                                   place(0x8004, (enum etm_isa)rows[row].to))};

        e[1].u.insn.isa = (uint8_t)from;
        c.alternative_branches = i % 2;
        BECOME(&c, e, rows[row].bytes);
    }
}

/* The same after LEAVEX: it is not ThumbEE that was broadcast. V3-ST-09 */
static void a_branch_after_leavex_tells_alt_isa(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(place(0x8000, ETM_ISA_THUMBEE)),
        to(insn(0x8000, ETM_ISA_THUMBEE, T_LEAVEX, 4, true, 0),
           place(0x8004, ETM_ISA_THUMB)),
        to(thumb(0x8004, T_BX_LR), place(0x8008, ETM_ISA_THUMB))};

    (void)state;
    BECOME(&c, e, "08 25 01 80 00 00 88 89 80 82 80 50 00");
}

/* Table 7.14 of v3.5: Hyp mode is in byte 1. V3-ST-04 */
static void a_change_of_state_may_tell_hyp_mode(void **state)
{
    struct etm_config c = etmv3(5);
    struct etm_place hyp = non_secure(place(0x14, ETM_ISA_THUMB));
    struct etm_event e[] = {start(non_secure(at_8000)), arm(0x8000, ADD),
                            exception(ETM_EXCEPTION_HYP_ENTRY, false, hyp)};

    (void)state;
    c.security = c.virtualization = true;
    e[2].u.exception.next.hyp = true;
    BECOME(&c, e, "08 29 00 80 00 00 84 95 80 80 80 50 87 20");
}

/* Table 4-2, V3-EXC-02, -03, V3-EXC-05 to -09, V3-EXC-15: Can as the execution
 * says, but for those that are never cancelling. ADD stands for any
 * instruction. */
static void an_exception_cancels_as_its_kind_can(void **state)
{
    static const struct {
        uint8_t type, code;
        bool never;
    } rows[] = {
        {ETM_EXCEPTION_DEBUG_HALT, 1, false},
        {ETM_EXCEPTION_SMC, 2, true},
        {ETM_EXCEPTION_ASYNC_DATA_ABORT, 4, false},
        {ETM_EXCEPTION_JAZELLE_THUMBEE, 5, false},
        {ETM_EXCEPTION_UNDEFINED, 9, true},
        {ETM_EXCEPTION_SVC, 10, true},
        {ETM_EXCEPTION_PREFETCH_ABORT, 11, false},
        {ETM_EXCEPTION_DATA_ABORT, 12, false},
        {ETM_EXCEPTION_GENERIC, 13, false},
        {ETM_EXCEPTION_IRQ, 14, false},
        {ETM_EXCEPTION_FIQ, 15, false},
    };
    char bytes[64];

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        bool cancels = i % 2 != 0;
        unsigned can = cancels && !rows[i / 2].never ? 0x20 : 0;
        struct etm_config c = etmv3(4);
        const struct etm_event e[] = {
            start(at_8000), arm(0x8000, ADD),
            exception((enum etm_exception_type)rows[i / 2].type, cancels,
                      place(0, ETM_ISA_ARM))};

        (void)snprintf(bytes, sizeof bytes,
                       I_SYNC_8000 "84 81 80 80 80 48 %02X",
                       can | (unsigned)rows[i / 2].code << 1);
        BECOME(&c, e, bytes);
    }
}

/* V3-SEC-02: with an exception or another instruction set no byte is added */
static void a_change_of_security_needs_no_more_than_others(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event irq[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))};
    const struct etm_event thumb_too[] = {
        start(at_8000),
        to(arm(0x8000, MOVS_PC), non_secure(place(0x8004, ETM_ISA_THUMB)))};

    (void)state;
    c.security = true;
    for (unsigned ns = 0; ns < 2; ns++) {
        irq[2].u.exception.next.ns = ns;
        c.alternative_branches = false;
        BECOME(&c, irq,
               ns ? I_SYNC_8000 "84 8D 80 80 80 48 1D"
                  : I_SYNC_8000 "84 8D 80 80 80 48 1C");
        c.alternative_branches = true;
        BECOME(&c, irq,
               ns ? I_SYNC_8000 "84 8D 80 40 1D"
                  : I_SYNC_8000 "84 8D 80 40 1C");
        c.alternative_branches = ns;
        BECOME(&c, thumb_too, I_SYNC_8000 "84 85 80 82 80 50 01");
    }
}

/* 7.3.3, V3-CTX-07: after the two cycles that passed before it, not three */
static void a_context_id_stands_in_its_cycle(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        after(5, start(at_8000)), after(1, arm(0x8000, ADD)),
        after(2, context(0x22, 0)), after(1, arm(0x8004, ADD))};

    (void)state;
    c.context_id_bytes = 1;
    c.cycle_accurate = true;
    BECOME(&c, e, "70 05 00 21 00 80 00 00 84 A4 6E 22 84");
}

/* V3-MP-09: and so no exception byte 2 */
static void pauses_in_another_profile_are_refused(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &c};
    struct etm_generator *g;

    (void)state;
    c.data_value = true;
    for (unsigned resumes = 0; resumes < 2; resumes++) {
        struct etm_event e[] = {
            start(at_8000), arm(0x8000, 0xe890001e), /* ldm r0, {r1-r4} */
            exception(ETM_EXCEPTION_IRQ, true, place(0x18, ETM_ISA_ARM)),
            to(arm(0x18, MOVS_PC), at_8000)};

        e[2].u.exception.resume = !resumes;
        e[3].u.insn.resume = (uint8_t)resumes;
        assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
        assert_int_equal(etm_generator_push(g, e, COUNT(e)), ETM_ERR_ARGUMENT);
        etm_generator_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_state_has_five_address_bytes),
        cmocka_unit_test(a_branch_after_leavex_tells_alt_isa),
        cmocka_unit_test(a_change_of_state_may_tell_hyp_mode),
        cmocka_unit_test(an_exception_cancels_as_its_kind_can),
        cmocka_unit_test(a_change_of_security_needs_no_more_than_others),
        cmocka_unit_test(a_context_id_stands_in_its_cycle),
        cmocka_unit_test(pauses_in_another_profile_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
