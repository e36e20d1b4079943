/* SPDX-License-Identifier: Apache-2.0 */
/* PFT: what keeps, changes and clears the return stack (4.13), in bytes. */
#include "gen_util.h"

#define B 0xea000000u /* b: the targets are in the events */
#define BL 0xeb000000u
#define BLX_R3 0xe12fff33u
#define BX_LR 0xe12fff1eu
#define BX_LR_NE 0x112fff1eu
#define MOVS_PC 0xe1b0f00eu /* movs pc, lr */
#define LDR_PC 0xe591f000u  /* ldr pc, [r1] */

static struct etm_place in_arm(uint32_t address)
{
    return place(address, ETM_ISA_ARM);
}

static struct etm_config pft(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_PFT,
                               .minor = (uint8_t)minor,
                               .return_stack = true,
                               .security = true};
}

#define I_SYNC_8000 "08 00 80 00 00 21 "

/* PFT-RS-09, table 4.13: a BX that failed pops nothing, nor does a branch whose
 * target is in its opcode. */
static void only_an_indirect_branch_that_passed_pops(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(in_arm(0x8000)),
        to(arm(0x8000, BL), in_arm(0x8010)),
        to(failing(arm(0x8010, BX_LR_NE)), in_arm(0x8014)),
        to(arm(0x8014, B), in_arm(0x8004)),
        to(arm(0x8004, B), in_arm(0x8020)),
        to(arm(0x8020, BX_LR), in_arm(0x8004))};

    (void)state;
    /* E N E E E: the last one is the entry */
    BECOME(&c, e, I_SYNC_8000 "D0");
}

/* PFT-RS-08, PFT-RS-12: neither another target nor an exception takes the
 * entry away */
static void an_entry_is_kept_until_it_matches(void **state)
{
    struct etm_config c = pft(0);
    const struct etm_event e[] = {
        start(in_arm(0x8000)),
        to(arm(0x8000, BL), in_arm(0x8010)),
        to(arm(0x8010, LDR_PC), in_arm(0x8020)),
        exception(ETM_EXCEPTION_IRQ, false, in_arm(0x18)),
        to(arm(0x18, MOVS_PC), in_arm(0x8020)),
        to(arm(0x8020, BX_LR), in_arm(0x8004))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 11 8D 80 40 1C 91 80 01 84");
}

/* PFT-RS-10, PFT-RS-20: with another security state it is no match, even where
 * the entry has that state; and the entry stays. */
static void a_change_of_security_never_matches(void **state)
{
    struct etm_config c = pft(0);
    const struct etm_event e[] = {
        start(in_arm(0x8000)),
        to(arm(0x8000, BL), in_arm(0x8010)),
        to(arm(0x8010, MOVS_PC), non_secure(in_arm(0x8020))),
        to(arm(0x8020, MOVS_PC), in_arm(0x8004)), /* the entry, but Secure */
        to(arm(0x8004, B), in_arm(0x8010)),
        to(arm(0x8010, BX_LR), in_arm(0x8004))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 91 40 01 83 40 00 88");
}

/* PFT-RS-11: a periodic I-sync, and one that begins the trace again */
static void each_i_sync_clears_the_stack(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event periodic[] = {
        start(in_arm(0x8000)), to(arm(0x8000, BL), in_arm(0x8010)),
        to(arm(0x8010, LDR_PC), in_arm(0x8020)),
        to(arm(0x8020, BX_LR), in_arm(0x8004))};
    const struct etm_event again[] = {
        start(in_arm(0x8000)), to(arm(0x8000, BL), in_arm(0x8010)),
        plain_event(ETM_EVENT_TRACE_OFF), start(in_arm(0x8020)),
        to(arm(0x8020, BX_LR), in_arm(0x8004))};

    (void)state;
    BECOME(&c, again, I_SYNC_8000 "84 08 20 80 00 00 21 03");
    BECOME(&c, periodic, I_SYNC_8000 "84 11 84");
    c.sync_period = 8;
    BECOME(&c, periodic,
           I_SYNC_8000 "84 11 00 00 00 00 00 80 08 20 80 00 00 01 03");
}

/* PFT-RS-14: its return address has not the security state told last */
static void a_call_of_another_security_state_clears_the_stack(void **state)
{
    struct etm_config c = pft(0);
    const struct etm_event e[] = {
        start(in_arm(0x8000)),
        to(arm(0x8000, BL), in_arm(0x8010)),
        to(arm(0x8010, BLX_R3), non_secure(in_arm(0x8020))),
        to(arm(0x8020, MOVS_PC), in_arm(0x8030)),
        to(arm(0x8030, BX_LR), in_arm(0x8014)),
        to(arm(0x8014, BX_LR), in_arm(0x8004)),
    };

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 91 40 01 99 40 00 0B 03");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_an_indirect_branch_that_passed_pops),
        cmocka_unit_test(an_entry_is_kept_until_it_matches),
        cmocka_unit_test(a_change_of_security_never_matches),
        cmocka_unit_test(each_i_sync_clears_the_stack),
        cmocka_unit_test(a_call_of_another_security_state_clears_the_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
