/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ETMv3's data trace (ETM architecture 7.4), byte for byte: what is no
 * base of an address, what is left out, and what comes in which order. */
#include "gen_util.h"

#define LDR 0xe5910000u    /* ldr r0, [r1] */
#define LDR10 0xe592a000u  /* ldr r10, [r2] */
#define LDRD 0xe1c140d0u   /* ldrd r4, r5, [r1] */
#define LDM2 0xe8900006u   /* ldm r0, {r1, r2} */
#define LDMPC 0xe8908006u  /* ldm r0, {r1, r2, pc} */
#define STREX 0xe1820f91u  /* strex r0, r1, [r2] */
#define STREXD 0xe1a10f92u /* strexd r0, r2, r3, [r1] */
#define MRC 0xee113f10u    /* mrc p15, 0, r3, c1, c0, 0 */
#define MCRR 0xec432f02u   /* mcrr p15, 0, r2, r3, c2 */
#define NOP 0xe1a00000u

#define I_SYNC "08 21 00 80 00 00 "

static struct etm_config both(uint8_t minor)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV3,
                               .minor = minor,
                               .data_value = true,
                               .data_address = true};
}

static struct etm_event filtered(struct etm_event e)
{
    e.u.data.filtered = true;
    return e;
}

static struct etm_event failed(struct etm_event e)
{
    e.u.data.failed = true;
    return e;
}

static struct etm_event big(struct etm_event e)
{
    e.u.data.big_endian = true;
    return e;
}

static struct etm_event late(unsigned tag, struct etm_event e)
{
    e.u.data.tag = (uint8_t)tag;
    return e;
}

static struct etm_event value(unsigned tag, uint64_t v)
{
    struct etm_event e = {.kind = ETM_EVENT_DATA_VALUE};

    e.u.data_value.tag = (uint8_t)tag;
    e.u.data_value.value = v;
    return e;
}

static struct etm_event suppress(bool on)
{
    struct etm_event e = {.kind = ETM_EVENT_SUPPRESS};

    e.u.suppress.on = on;
    return e;
}

/* 7.4.2, V3-DATA-09: 0x1100 is not output, so 0x1084 needs one byte */
static void an_address_that_is_implied_is_no_base(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDM2),
                                 transfer(0x10fc, 1),
                                 transfer(0x1100, 2),
                                 arm(0x8004, LDR),
                                 transfer(0x1084, 3)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 26 FC A1 80 80 00 01 06 02 84 26 04 03");
}

/* 7.4.2, V3-ABIT-02: of what does not follow, in v3.0 only in Jazelle state */
static void bytecodes_have_addresses_in_v3_0(void **state)
{
    struct etm_config c = both(0);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_JAZELLE)),
        insn(0x8000, ETM_ISA_JAZELLE, 0x60, 1, true, 0), transfer(0x1000, 1),
        transfer(0x1010, 2), transfer(0x1014, 3)};

    (void)state;
    BECOME(&c, events,
           "08 31 00 80 00 00 84 26 80 A0 80 80 00 01 26 10 02 06 03");
}

/* 7.4.2, V3-BE-02: a change takes five bytes, with or without values */
static void byte_order_is_told_without_values(void **state)
{
    struct etm_config c = both(1);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 big(transfer(0x1000, 1)),
                                 arm(0x8004, LDR),
                                 big(transfer(0x1004, 2)),
                                 arm(0x8008, LDR),
                                 transfer(0x1008, 3)};

    (void)state;
    c.data_value = false;
    BECOME(&c, events,
           I_SYNC "84 22 80 A0 80 80 10 84 22 04 84 22 88 A0 80 80 00");
}

/* 7.4.5, V3-VNT-02, V3-VNT-03: with an address where it does not follow, and
 * not for an instruction that has one transfer */
static void a_word_not_traced_may_have_an_address(void **state)
{
    struct etm_config c = both(1);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)),
        to(arm(0x8000, LDMPC), place(0x8004, ETM_ISA_ARM)),
        transfer(0x1008, 1),
        filtered(transfer(0x1000, 2)),
        transfer(0x1004, 3),
        arm(0x8004, LDR),
        filtered(transfer(0x1008, 4)),
        arm(0x8008, NOP)};

    (void)state;
    c.pc_first = true;
    BECOME(&c, events, I_SYNC "84 26 88 A0 80 80 00 01 7A 00 06 03 03 88");
}

/* Example 2-2 in one cycle, V3-EX-13, V3-DATA-16 */
static void what_moves_in_one_cycle_stays_in_order(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {after(9, start(place(0x1000, ETM_ISA_ARM))),
                                 after(1, arm(0x1000, LDRD)),
                                 transfer(0x1000, 4),
                                 transfer(0x1004, 5),
                                 arm(0x1004, LDR10),
                                 transfer(0x2008, 10)};

    (void)state;
    c.cycle_accurate = true;
    BECOME(&c, events,
           "70 09 21 00 10 00 00 84 26 80 A0 80 80 00 04 06 05 92 "
           "26 88 40 0A");
}

/* 7.4.6, V3-SUP-01, V3-SUP-02, V3-SUP-06, V3-OOO-12: normal data with their
 * store failed packet, a placeholder and a late value; the base is the address
 * that was output last */
static void each_kind_of_data_is_suppressed(void **state)
{
    struct etm_config c = both(3);
    const struct etm_event kinds[][2] = {
        {transfer(0x2000, 1), {.kind = ETM_EVENT_TRIGGER}},
        {failed(transfer(0x2000, 1)), {.kind = ETM_EVENT_TRIGGER}},
        {late(2, transfer(0x2000, 0)), value(2, 1)},
        {value(1, 7), {.kind = ETM_EVENT_TRIGGER}}};

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                     arm(0x8000, LDR),
                                     late(1, transfer(0x1000, 0)),
                                     arm(0x8004, i == 1 ? STREX : LDR),
                                     suppress(true),
                                     kinds[i][0],
                                     kinds[i][1],
                                     suppress(false),
                                     arm(0x8008, LDR),
                                     transfer(0x1004, 6)};

        BECOME(&c, events,
               i == 2 ? I_SYNC "84 74 80 A0 80 80 00 84 62 84 26 04 06"
                      : I_SYNC "84 74 80 A0 80 80 00 84 62 0C 84 26 04 06");
    }
}

/* 7.4.6, V3-SUP-01, V3-SUP-04: nor is there a packet for a word that is not
 * traced, up to the end of the instruction */
static void a_word_not_traced_is_suppressed(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, 0xe890000e), /* {r1-r3} */
                                 transfer(0x1000, 1),
                                 suppress(true),
                                 filtered(transfer(0x1004, 2)),
                                 suppress(false),
                                 transfer(0x1008, 3),
                                 arm(0x8004, LDR),
                                 transfer(0x100c, 4)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 26 80 A0 80 80 00 01 62 84 26 0C 04");
}

/* 7.4.6, V3-SUP-02, V3-SUP-04: when the instruction is complete, suppression
 * does not last for a value of an older one */
static void suppression_ends_with_its_instruction(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 late(1, transfer(0x1000, 0)),
                                 arm(0x8004, LDM2),
                                 suppress(true),
                                 transfer(0x1004, 1),
                                 suppress(false),
                                 transfer(0x1008, 2),
                                 value(1, 7),
                                 arm(0x8008, NOP)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 74 80 A0 80 80 00 84 62 24 07 84");
}

/* 7.4.6: nor after a load/store multiple that an exception cancelled, which
 * moves no more. The value of an older one comes as its placeholder did
 * (7.4.3). E-493 */
static void suppression_ends_with_a_cancelled_instruction(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)),
        arm(0x8000, LDR),
        late(1, transfer(0x1000, 0)),
        arm(0x8004, 0xe890000e), /* {r1-r3} */
        suppress(true),
        transfer(0x1004, 1),
        suppress(false),
        transfer(0x1008, 2),
        exception(ETM_EXCEPTION_DATA_ABORT, true, place(0x10, ETM_ISA_ARM)),
        value(1, 7),
        arm(0x10, NOP)};

    (void)state;
    BECOME(&c, events,
           I_SYNC "84 74 80 A0 80 80 00 84 62 89 80 80 80 48 38 24 07 84");
}

/* 7.4.10, V3-DO-01, V3-SUP-09, V3-DO-09: no mark of suppression, which leaves
 * nothing out there (E-480), and none of a store that failed; coprocessor
 * registers have no address there either */
static void data_only_mode_has_no_marks(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, STREX),
                                 failed(transfer(0x1000, 1)),
                                 suppress(true),
                                 arm(0x8004, LDR),
                                 transfer(0x1004, 2),
                                 suppress(false),
                                 arm(0x8008, MRC),
                                 transfer(0, 3)};

    (void)state;
    c.data_only = c.cprt = true;
    BECOME(&c, events, "08 21 22 80 A0 80 80 00 26 04 02 06 03");
}

/* 7.7.4, 7.4.10, V3-DO-02: all five bytes of an address are due as often as
 * other synchronization */
static void data_only_mode_has_whole_addresses(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 transfer(0x1000, 1),
                                 arm(0x8004, LDR),
                                 transfer(0x1004, 2),
                                 arm(0x8008, LDR),
                                 transfer(0x1008, 3),
                                 arm(0x800c, LDR),
                                 transfer(0x100c, 4)};

    (void)state;
    c.data_only = true;
    c.sync_period = 12;
    BECOME(&c, events,
           "08 21 26 80 A0 80 80 00 01 26 04 02 00 00 00 00 00 80 08 01 "
           "26 88 A0 80 80 00 03 26 0C 04 00 00 00 00 00 80 08 01");
}

/* 7.4.3, V3-OOO-08: no address within an LSM that has output packets */
static void a_doubleword_within_a_load_multiple(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, 0xe890001e), /* {r1-r4} */
                                 transfer(0x1000, 1),
                                 late(1, transfer(0x1004, 0)),
                                 late(1, transfer(0x1008, 0)),
                                 transfer(0x100c, 4),
                                 value(1, 2),
                                 value(1, 3)};

    (void)state;
    BECOME(&c, events,
           I_SYNC "84 26 80 A0 80 80 00 01 54 54 06 04 24 02 24 03");
}

/* 7.4.7, V3-STX-01, V3-STX-02: directly after the value, which is 0 */
static void a_store_that_failed_late(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, STREX),
                                 late(1, transfer(0x1000, 0)),
                                 arm(0x8004, NOP),
                                 value(1, 5),
                                 arm(0x8008, NOP)};

    (void)state;
    events[4].u.data_value.failed = true;
    BECOME(&c, events, I_SYNC "84 74 80 A0 80 80 00 84 20 50 84");
    c.minor = 0; /* it came with v3.1 */
    BECOME(&c, events, I_SYNC "84 74 80 A0 80 80 00 84 20 84");
}

/* 7.4.7, V3-STX-05: one packet after the second word. E-107 */
static void a_doubleword_fails_once(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)), arm(0x8000, STREXD),
        failed(transfer(0x1000, 1)), failed(transfer(0x1004, 2))};

    (void)state;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 02 50");
}

/* 4.11.3, 7.4.3, V3-CPRT-01, V3-CPRT-02, V3-CPRT-05, V3-OOO-05: two words of a
 * MCRR without an address; a value may come late, as may that of a store */
static void coprocessor_transfers_and_stores_may_come_late(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, MCRR),
                                 transfer(0, 1),
                                 transfer(0, 2),
                                 arm(0x8004, MRC),
                                 late(1, transfer(0, 0)),
                                 arm(0x8008, 0xe5810000), /* str r0, [r1] */
                                 late(2, transfer(0x1000, 0)),
                                 value(2, 8),
                                 value(1, 7)};

    (void)state;
    c.cprt = true;
    BECOME(&c, events,
           I_SYNC "84 06 01 06 02 84 54 84 78 80 A0 80 80 00 44 08 24 07");
}

/* 7.3.2, V3-DATA-02, V3-XDI-03: traced as N, a load owns no data */
static void cancelled_as_failed_it_has_no_data(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)), arm(0x8000, LDR),
        transfer(0x1000, 1),
        exception(ETM_EXCEPTION_DATA_ABORT, true, place(0x10, ETM_ISA_ARM))};

    (void)state;
    c.data_address = false;
    BECOME(&c, events, I_SYNC "84 26 01 89 80 80 80 48 38");
    become(&c, (struct etm_generator_config){.cancelled_as_failed = true},
           events, COUNT(events), I_SYNC "C0 89 80 80 80 48 38");
}

/* 7.4.10, V3-EX-11: five bytes or twelve, and two or nine for a small value */
static void a_word_and_what_it_costs(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 transfer(0x1000, 0x12345678)};

    (void)state;
    c.data_address = false;
    BECOME(&c, events, I_SYNC "84 2E 78 56 34 12");
    events[2].u.data.value = 0xab;
    BECOME(&c, events, I_SYNC "84 26 AB");
    c.data_only = true;
    BECOME(&c, events, "08 21 26 AB");
}

/* 7.4.2, V3-SIZE-02: leading zeros are left out, and no copies of the sign */
static void negative_values_are_not_compressed(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)), arm(0x8000, LDR),
        transfer(0x1000, 0xffffff80),      arm(0x8004, LDR),
        transfer(0x1000, 0xff80),          arm(0x8008, LDR),
        transfer(0x1000, 0x10000)};

    (void)state;
    c.data_address = false;
    BECOME(&c, events,
           I_SYNC "84 2E 80 FF FF FF 84 2A 80 FF 84 2E 00 00 01 00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_that_is_implied_is_no_base),
        cmocka_unit_test(bytecodes_have_addresses_in_v3_0),
        cmocka_unit_test(byte_order_is_told_without_values),
        cmocka_unit_test(a_word_not_traced_may_have_an_address),
        cmocka_unit_test(what_moves_in_one_cycle_stays_in_order),
        cmocka_unit_test(each_kind_of_data_is_suppressed),
        cmocka_unit_test(a_word_not_traced_is_suppressed),
        cmocka_unit_test(suppression_ends_with_its_instruction),
        cmocka_unit_test(suppression_ends_with_a_cancelled_instruction),
        cmocka_unit_test(data_only_mode_has_no_marks),
        cmocka_unit_test(data_only_mode_has_whole_addresses),
        cmocka_unit_test(a_doubleword_within_a_load_multiple),
        cmocka_unit_test(a_store_that_failed_late),
        cmocka_unit_test(a_doubleword_fails_once),
        cmocka_unit_test(coprocessor_transfers_and_stores_may_come_late),
        cmocka_unit_test(cancelled_as_failed_it_has_no_data),
        cmocka_unit_test(a_word_and_what_it_costs),
        cmocka_unit_test(negative_values_are_not_compressed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
