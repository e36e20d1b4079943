/* SPDX-License-Identifier: Apache-2.0 */
/* Every value of a public enumeration has a name of its own, and a number that
 * is none of them has none. */
#include "../support/test.h"
#include "base/name.h"

#include <etm/decode.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/setup.h>
#include <etm/types.h>

/* How many values there are, by the function that names them: the compiler
 * holds it and the enumeration together. */
#define CHECK_NAMES(name, type)                                                \
    do {                                                                       \
        unsigned n = 0;                                                        \
                                                                               \
        while (strcmp(name((type)n), "?") != 0) {                              \
            assert_true(strlen(name((type)n)) > 0);                            \
            for (unsigned k = 0; k < n; k++)                                   \
                assert_string_not_equal(name((type)n), name((type)k));         \
            n++;                                                               \
        }                                                                      \
        assert_in_range(n, 2, 100);                                            \
        for (unsigned k = n; k < 300; k++)                                     \
            assert_string_equal(name((type)k), "?");                           \
    } while (0)

TEST(each_value_has_a_name_of_its_own)
{
    CHECK_NAMES(etm_isa_name, enum etm_isa);
    CHECK_NAMES(etm_protocol_name, enum etm_protocol);
    CHECK_NAMES(etm_framing_name, enum etm_framing);
    CHECK_NAMES(etm_port_form_name, enum etm_port_form);
    CHECK_NAMES(etm_packet_kind_name, enum etm_packet_kind);
    CHECK_NAMES(etm_element_kind_name, enum etm_element_kind);
    CHECK_NAMES(etm_trace_on_name, enum etm_trace_on_reason);
    CHECK_NAMES(etm_lost_name, enum etm_lost_reason);
    CHECK_NAMES(etm_insn_type_name, enum etm_insn_type);
    CHECK_NAMES(etm_exception_name, enum etm_exception_type);
    CHECK_NAMES(etm_exception_action_name, enum etm_exception_action);
    CHECK_NAMES(etm_pc_state_name, enum etm_pc_state);
    CHECK_NAMES(etm_itm_relation_name, enum etm_itm_relation);
    CHECK_NAMES(etm_itm_counter_name, enum etm_itm_counter);
    CHECK_NAMES(etm_data_status_name, enum etm_data_status);
    CHECK_NAMES(etm_event_kind_name, enum etm_event_kind);
    CHECK_NAMES(etm_topic_name, enum etm_topic);
    CHECK_NAMES(etm_severity_name, enum etm_severity);
    CHECK_NAMES(etm_lint_id, enum etm_lint_rule);
    CHECK_NAMES(etm_setup_format_name, enum etm_setup_format);
    CHECK_NAMES(etm_look_name, enum etm_look);
    CHECK_NAMES(etm_condition_name, enum etm_condition);
}

TEST(each_status_has_a_text_of_its_own)
{
    for (int i = ETM_OK; i >= ETM_ERR_STOPPED; i--) {
        assert_string_not_equal(etm_status_text(i), etm_status_text(1));
        for (int k = ETM_OK; k > i; k--)
            assert_string_not_equal(etm_status_text(i), etm_status_text(k));
    }
}

TEST(names_of_processors_are_compared_without_signs)
{
    assert_true(etm_same_name("cortex-a9", "Cortex_A9"));
    assert_true(etm_same_name("CORTEX A9", "cortexa9"));
    assert_true(etm_same_name("-", ""));
    assert_false(etm_same_name("cortex-a9", "cortex-a"));
    assert_false(etm_same_name("cortex-a", "cortex-a9"));
    assert_false(etm_same_name("arm[", "arm{"));
    assert_true(etm_name_begins("Cortex-M3", "CORTEXM"));
    assert_true(etm_name_begins("cortex_m", "Cortex-M"));
    assert_false(etm_name_begins("Cortex-", "CORTEXM"));
}
