/* SPDX-License-Identifier: Apache-2.0 */
/* Data trace of ETMv3, byte for byte (ETM architecture 7.4, 7.5, 7.7.3). */
#include "gen_util.h"

#define LDR 0xe5910000u   /* ldr r0, [r1] */
#define LDRD 0xe1c120d0u  /* ldrd r2, r3, [r1] */
#define LDM5 0xe890003eu  /* ldm r0, {r1-r5} */
#define LDMPC 0xe8908006u /* ldm r0, {r1, r2, pc} */
#define SWP 0xe1031092u   /* swp r1, r2, [r3] */
#define STREX 0xe1820f91u /* strex r0, r1, [r2] */
#define MRC 0xee113f10u   /* mrc p15, 0, r3, c1, c0, 0 */
#define STREXD 0xe1a10f92u
#define NOP 0xe1a00000u
#define RFE 0xf8bd0a00u /* rfeia sp! */

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

static struct etm_event tagged(unsigned tag, struct etm_event e)
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

static struct etm_event stacking(bool pop)
{
    struct etm_event e = {.kind = ETM_EVENT_STACKING};

    e.u.stacking.pop = pop;
    return e;
}

#define I_SYNC "08 21 00 80 00 00 "

/* V3-SYNC-07, V3-DS-01, V3-DATA-07, V3-DATA-10, V3-ABIT-01, V3-SIZE-01 */
static void addresses_and_values_are_compressed(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 transfer(0x1000, 0),
                                 arm(0x8004, LDR),
                                 transfer(0x1004, 0x12),
                                 arm(0x8008, LDR),
                                 transfer(0x1104, 0x1234),
                                 arm(0x800c, LDR),
                                 transfer(0x20001104, 0x12345678)};

    (void)state;
    BECOME(&c, events,
           I_SYNC "84 22 80 A0 80 80 00 84 26 04 12 84 2A 84 22 34 12 "
                  "84 2E 84 A2 80 80 02 78 56 34 12");
}

/* AMB-11, V3-BE-01, V3-BE-02 */
static void big_endian_comes_with_all_five_bytes(void **state)
{
    struct etm_config c = both(1);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR), transfer(0x1000, 0),
                                 arm(0x8004, LDR), transfer(0x1000, 0)};

    (void)state;
    events[4].u.data.big_endian = true;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 84 22 80 A0 80 80 10");
    c.minor = 0; /* it came with v3.1 */
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 84 22 00");
}

/* 7.4.4: ViewData from the third word on, but not for the fourth.
 * V3-DATA-14, V3-ABIT-01, V3-LSM-01, V3-LSM-02, V3-LSM-04, V3-VNT-01,
 * V3-EX-12 */
static void load_multiple_is_traced_in_part(void **state)
{
    struct etm_config c = both(1);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDM5),
                                 filtered(transfer(0x1000, 1)),
                                 filtered(transfer(0x1004, 2)),
                                 transfer(0x1008, 3),
                                 filtered(transfer(0x100c, 4)),
                                 transfer(0x1010, 5)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 26 88 A0 80 80 00 03 6A 06 05");
}

/* V3-ABIT-02 to -04, V3-LSM-06 */
static void swap_has_one_address_before_v3_1(void **state)
{
    struct etm_config c = both(0);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, SWP), transfer(0x1000, 1),
                                 transfer(0x1000, 2)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 26 80 A0 80 80 00 01 06 02");
    c.minor = 1;
    BECOME(&c, events, I_SYNC "84 26 80 A0 80 80 00 01 26 00 02");
}

/* AMB-03, V3-ABIT-02, V3-LSM-06 */
static void pc_first_is_not_sequential(void **state)
{
    struct etm_config c = both(0);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)),
        to(arm(0x8000, LDMPC), place(0x8004, ETM_ISA_ARM)), transfer(0x1008, 1),
        transfer(0x1000, 2), transfer(0x1004, 3)};

    (void)state;
    c.pc_first = true;
    BECOME(&c, events, I_SYNC "84 26 88 A0 80 80 00 01 06 02 06 03 03");
    c.minor = 1;
    BECOME(&c, events, I_SYNC "84 26 88 A0 80 80 00 01 26 00 02 06 03 03");
}

/* Table 7-4. V3-EX-03, V3-PH-11 */
static void two_share_a_cycle_and_the_first_has_data(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x1000, ETM_ISA_ARM)),
                                 after(1, arm(0x1000, LDR)),
                                 transfer(0x2000, 5), arm(0x1004, NOP)};

    (void)state;
    c.data_address = false;
    c.cycle_accurate = true;
    events[0].cycles = 9;
    BECOME(&c, events, "70 09 21 00 10 00 00 84 26 05 92");
}

/* V3-DATA-01 */
static void data_may_come_after_later_instructions(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR), arm(0x8004, NOP),
                                 transfer(0x1000, 5), arm(0x8008, NOP)};

    (void)state;
    c.data_address = false;
    BECOME(&c, events, I_SYNC "88 26 05 84");
}

/* V3-DS-01, AMB-02, AMB-12, V3-OOO-01, V3-OOO-02, V3-OOO-04, V3-OOO-08,
   V3-OOO-09, V3-SIZE-04 */
static void values_out_of_order(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDRD),
                                 tagged(1, transfer(0x1000, 0)),
                                 tagged(1, transfer(0x1004, 0)),
                                 arm(0x8004, LDR),
                                 tagged(2, transfer(0x1008, 0)),
                                 value(2, 7),
                                 plain_event(ETM_EVENT_TRACE_OFF),
                                 value(1, 8),
                                 value(1, 0x100),
                                 value(3, 9)};

    (void)state;
    BECOME(&c, events,
           I_SYNC "84 74 80 A0 80 80 00 54 84 78 08 44 07 24 08 28 00 01");
    /* without values there is nothing to wait for */
    c.data_value = false;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 02 84 22 08");
}

/* 7.4.3: ViewData may leave out either word of a doubleword, and then its
 * value. V3-OOO-06 */
static void a_value_needs_a_placeholder_of_its_own(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDRD),
                                 filtered(tagged(1, transfer(0x1000, 0))),
                                 tagged(1, transfer(0x1004, 0)),
                                 arm(0x8004, NOP),
                                 value(1, 8),
                                 value(1, 0x100)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 74 84 A0 80 80 00 84 28 00 01");
    events[2].u.data.filtered = false;
    events[3].u.data.filtered = true;
    BECOME(&c, events, I_SYNC "84 74 80 A0 80 80 00 6A 84 24 08");
}

/* MC-FIFO-18, MC-FIFO-19, MC-FIFO-21: 7.4.6: one mark, up to the end of the
   instruction; in v3.2 and before the next address has five bytes.
   V3-DS-04, V3-SUP-02 to -05 */
static void suppression(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDM5),
                                 transfer(0x1000, 1),
                                 suppress(true),
                                 transfer(0x1004, 2),
                                 suppress(false),
                                 transfer(0x1008, 3),
                                 transfer(0x100c, 4),
                                 transfer(0x1010, 5),
                                 arm(0x8004, LDR),
                                 transfer(0x1004, 6),
                                 suppress(true),
                                 suppress(false)};

    (void)state;
    BECOME(&c, events, I_SYNC "84 26 80 A0 80 80 00 01 62 84 26 04 06");
    c.minor = 2;
    BECOME(&c, events,
           I_SYNC "84 26 80 A0 80 80 00 01 62 84 26 84 A0 80 80 00 06");
}

/* V3-STX-01, V3-STX-02 */
static void store_that_failed(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, STREX), transfer(0x1000, 0x55)};

    (void)state;
    events[2].u.data.failed = true;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 50");
    c.data_only = true; /* AMB-15: not in the list of 7.4.10 */
    BECOME(&c, events, "08 21 22 80 A0 80 80 00");
    c.data_only = c.data_value = false;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00");
}

/* AMB-13, E-107: after the second word, for both. */
static void double_store_that_failed_is_marked_once(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, STREXD), transfer(0x1000, 0x55),
                                 transfer(0x1004, 0x66)};

    (void)state;
    events[2].u.data.failed = events[3].u.data.failed = true;
    BECOME(&c, events, I_SYNC "84 22 80 A0 80 80 00 02 50");
}

/* Table 2-1, 4.11.3. AMB-14, V3-CPRT-01, V3-CPRT-02 */
static void coprocessor_transfers(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, MRC), filtered(transfer(0, 5))};

    (void)state;
    BECOME(&c, events, I_SYNC "84");
    c.cprt = true;
    BECOME(&c, events, I_SYNC "84 06 05");
    c.cprt_filter = true;
    BECOME(&c, events, I_SYNC "84");
}

/* 7.4.10, V3-DO-01, V3-DO-03, V3-DO-05, V3-VNT-04, V3-CTX-08 */
static void data_only(void **state)
{
    struct etm_config c = both(3);
    struct etm_generator_config options = {0};
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDM5),
                                 transfer(0x1000, 1),
                                 filtered(transfer(0x1004, 2)),
                                 transfer(0x1008, 3),
                                 context(0x22, 0),
                                 filtered(transfer(0x100c, 4)),
                                 filtered(transfer(0x1010, 5)),
                                 arm(0x8004, LDR),
                                 transfer(0x1014, 6)};

    (void)state;
    c.data_only = true;
    c.cycle_accurate = true;
    c.context_id_bytes = 1;
    BECOME(&c, events,
           "08 00 21 26 80 A0 80 80 00 01 6A 06 03 6E 22 6A 6A 26 14 06");
    options.data_only_addresses = true;
    become(&c, options, events, COUNT(events),
           "08 00 21 26 80 A0 80 80 00 01 26 08 03 6E 22 26 14 06");
}

/* One word, values only, no context ID: 5 bytes with the header (7.4.10).
 * V3-DO-03, V3-EX-11 */
static void data_only_word_costs_five_bytes(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {start(place(0x8000, ETM_ISA_ARM)),
                                 arm(0x8000, LDR),
                                 transfer(0x1000, 0x12345678)};

    (void)state;
    c.data_only = true;
    c.data_address = false;
    BECOME(&c, events, "08 21 2E 78 56 34 12");
}

/* 7.7.3: the load begins before tracing does.
 * V3-LSIP-01, -02, -03, -09, AMB-16, V3-SEC-05 */
static void load_in_progress(void **state)
{
    struct etm_config c = both(3);
    struct etm_event events[] = {arm(0x8000, LDRD), transfer(0x1000, 1),
                                 start(place(0x8008, ETM_ISA_ARM)),
                                 arm(0x8008, NOP), transfer(0x1004, 2)};

    (void)state;
    events[2].u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    BECOME(&c, events, "08 A1 00 80 00 00 05 84 26 84 A0 80 80 00 02");
    events[2].u.trace_on.in_progress = ETM_IN_PROGRESS_ALONE;
    BECOME(&c, events, "08 21 00 80 00 00 05 84 26 84 A0 80 80 00 02");
    /* Non-secure since */
    c.security = true;
    events[2].u.trace_on.at.ns = true;
    events[2].u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    BECOME(&c, events,
           "08 A1 00 80 00 00 85 80 81 80 48 01 84 26 84 A0 80 80 00 02");
}

static void in_progress_without_a_data_instruction_is_refused(void **state)
{
    struct etm_config c = both(3);
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &c};
    struct etm_event e = start(place(0x8008, ETM_ISA_ARM));
    struct etm_generator *g;

    (void)state;
    e.u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    assert_int_equal(etm_generator_push(g, &e, 1), ETM_ERR_ARGUMENT);
    etm_generator_free(g);
}

/* 7.5.2, 7.5.3: LDM paused by IRQ3 after three words, and the push. AMB-08,
   V3-DATA-04, V3-LSM-14, V3-EX-10, V3-MP-01 to -03, V3-MP-06, -08, -20 to
   -22 */
static void pause_and_resume(void **state)
{
    struct etm_config c = both(4);
    struct etm_event events[] = {
        start(place(0x420, ETM_ISA_THUMB)),
        thumb(0x420, 0xc91d),
        transfer(0x1000, 1),
        transfer(0x1004, 2),
        transfer(0x1008, 3),
        stacking(false),
        transfer(0x2000, 9),
        irq_n(3, true, place(0x600, ETM_ISA_THUMB)),
        to(thumb(0x600, 0x4770), place(0x420, ETM_ISA_THUMB)),
        stacking(true),
        transfer(0x2000, 9),
        thumb(0x420, 0xc91d),
        transfer(0x100c, 4)};

    (void)state;
    c.profile = ETM_PROFILE_M;
    c.alternative_branches = true;
    c.data_address = false;
    events[7].u.exception.resume = 3;
    events[8].u.insn.exception_return = true;
    events[8].u.insn.resume = 3;
    BECOME(&c, events,
           "08 21 21 04 00 00 84 26 01 06 02 06 03 7E 26 09 81 4C A6 43 "
           "84 76 26 09 A1 48 80 43 84 26 04");
    /* instruction trace knows no pause (7.5.2), and has no packet for a push */
    c.data_value = false;
    BECOME(&c, events, "08 21 21 04 00 00 84 81 4C 26 84 76 A1 08 84");
}

/* 7.5.4, V3-MP-44: data after the packet of the return are those of the pop. */
static void data_of_an_exception_return_come_before_its_packet(void **state)
{
    struct etm_config c = both(4);
    struct etm_event events[] = {
        start(place(0x600, ETM_ISA_THUMB)),
        to(thumb(0x600, 0xbd10), place(0x420, ETM_ISA_THUMB)), /* pop r4, pc */
        transfer(0x1ff8, 4),
        plain_event(ETM_EVENT_TRIGGER),
        transfer(0x1ffc, 0xfffffff9),
        stacking(true),
        transfer(0x2000, 9),
        thumb(0x420, 0xbf00)};

    (void)state;
    c.profile = ETM_PROFILE_M;
    c.alternative_branches = true;
    c.data_address = false;
    events[1].u.insn.exception_return = true;
    BECOME(&c, events,
           "08 21 01 06 00 00 84 26 04 0C 0E F9 FF FF FF 76 26 09 A1 08 84");
    /* without the last word it waits for nothing more than what comes next */
    events[4] = plain_event(ETM_EVENT_TRIGGER);
    BECOME(&c, events, "08 21 01 06 00 00 84 26 04 0C 0C 76 26 09 A1 08 84");
}

/* V3-MP-47 */
static void rfe_is_one_of_these(void **state)
{
    struct etm_config c = both(5);
    struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_ARM)),
        to(arm(0x8000, RFE), place(0x8010, ETM_ISA_ARM)),
        transfer(0x1000, 0x8010),
        plain_event(ETM_EVENT_TIMESTAMP),
        transfer(0x1004, 0x13),
        arm(0x8010, NOP)};

    (void)state;
    c.data_address = false;
    c.timestamps = true;
    BECOME(&c, events,
           I_SYNC "84 2A 10 80 42 80 80 80 80 80 80 00 06 13 76 09 84");
}

static void tag_out_of_range_is_refused(void **state)
{
    struct etm_config c = both(3);
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &c};
    struct etm_event e = value(4, 0);
    struct etm_generator *g;

    (void)state;
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    assert_int_equal(etm_generator_push(g, &e, 1), ETM_ERR_ARGUMENT);
    etm_generator_free(g);
}

/* <etm/model.h>: not more transfers than the instruction makes, whether or not
 * tracing is on; without data trace they do not matter. */
static void transfers_that_no_instruction_makes_are_refused(void **state)
{
    const struct etm_event owned[] = {arm(0x8000, LDR), arm(0x8004, NOP),
                                      transfer(0x2000, 1), arm(0x8008, NOP)};
    const struct etm_event none[] = {arm(0x8000, NOP), transfer(0x2000, 1)};
    const struct etm_event more[] = {arm(0x8000, LDR), transfer(0x2000, 1),
                                     arm(0x8004, NOP), transfer(0x2004, 2)};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct etm_config c = both(3);
        struct etm_generator_config options = {.config = &c};
        const struct etm_event on = start(place(0x8000, ETM_ISA_ARM));
        int wrong = i < 2 ? ETM_ERR_ARGUMENT : ETM_OK;

        c.data_value = c.data_address = i < 2;
        for (unsigned j = 0; j < 3; j++) {
            const struct etm_event *e = j == 0 ? owned : j == 1 ? none : more;
            size_t n = j == 1 ? COUNT(none) : COUNT(owned);
            struct etm_generator *g;

            assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
            if (i % 2 == 0)
                assert_int_equal(etm_generator_push(g, &on, 1), ETM_OK);
            assert_int_equal(etm_generator_push(g, e, n - 1), ETM_OK);
            assert_int_equal(etm_generator_push(g, e + n - 1, 1),
                             j == 0 ? ETM_OK : wrong);
            etm_generator_free(g);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_and_values_are_compressed),
        cmocka_unit_test(big_endian_comes_with_all_five_bytes),
        cmocka_unit_test(load_multiple_is_traced_in_part),
        cmocka_unit_test(swap_has_one_address_before_v3_1),
        cmocka_unit_test(pc_first_is_not_sequential),
        cmocka_unit_test(two_share_a_cycle_and_the_first_has_data),
        cmocka_unit_test(data_may_come_after_later_instructions),
        cmocka_unit_test(values_out_of_order),
        cmocka_unit_test(a_value_needs_a_placeholder_of_its_own),
        cmocka_unit_test(suppression),
        cmocka_unit_test(store_that_failed),
        cmocka_unit_test(double_store_that_failed_is_marked_once),
        cmocka_unit_test(coprocessor_transfers),
        cmocka_unit_test(data_only),
        cmocka_unit_test(data_only_word_costs_five_bytes),
        cmocka_unit_test(load_in_progress),
        cmocka_unit_test(in_progress_without_a_data_instruction_is_refused),
        cmocka_unit_test(pause_and_resume),
        cmocka_unit_test(data_of_an_exception_return_come_before_its_packet),
        cmocka_unit_test(rfe_is_one_of_these),
        cmocka_unit_test(tag_out_of_range_is_refused),
        cmocka_unit_test(transfers_that_no_instruction_makes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
