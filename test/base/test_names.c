/* SPDX-License-Identifier: Apache-2.0 */
/* Every value of a public enumeration has a name of its own, and a number that
 * is none of them has none. */
#include "base/name.h"

#include <etm/decode.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/setup.h>
#include <etm/types.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ONE(...) +1

/* Those of an ITM follow those of the ETM protocols. */
#define ALL_PACKETS(X) ETM_PACKET_LIST(X) ETM_ITM_PACKET_LIST(X)

/* `name` is a function of `list`, whose enumeration is `type`. */
#define CHECK_NAMES(name, type, list)                                          \
    do {                                                                       \
        const unsigned n = 0 list(ONE);                                        \
                                                                               \
        for (unsigned i = 0; i < n; i++) {                                     \
            assert_true(strlen(name((type)i)) > 0);                            \
            assert_string_not_equal(name((type)i), "?");                       \
            for (unsigned k = 0; k < i; k++)                                   \
                assert_string_not_equal(name((type)i), name((type)k));         \
        }                                                                      \
        assert_string_equal(name((type)n), "?");                               \
    } while (0)

static void each_value_has_a_name_of_its_own(void **state)
{
    (void)state;
    CHECK_NAMES(etm_isa_name, enum etm_isa, ETM_ISA_LIST);
    CHECK_NAMES(etm_protocol_name, enum etm_protocol, ETM_PROTOCOL_LIST);
    CHECK_NAMES(etm_framing_name, enum etm_framing, ETM_FRAMING_LIST);
    CHECK_NAMES(etm_port_form_name, enum etm_port_form, ETM_PORT_FORM_LIST);
    CHECK_NAMES(etm_packet_kind_name, enum etm_packet_kind, ALL_PACKETS);
    CHECK_NAMES(etm_element_kind_name, enum etm_element_kind, ETM_ELEMENT_LIST);
    CHECK_NAMES(etm_trace_on_name, enum etm_trace_on_reason, ETM_TRACE_ON_LIST);
    CHECK_NAMES(etm_lost_name, enum etm_lost_reason, ETM_LOST_LIST);
    CHECK_NAMES(etm_insn_type_name, enum etm_insn_type, ETM_INSN_TYPE_LIST);
    CHECK_NAMES(etm_exception_name, enum etm_exception_type,
                ETM_EXCEPTION_LIST);
    CHECK_NAMES(etm_exception_action_name, enum etm_exception_action,
                ETM_EXCEPTION_ACTION_LIST);
    CHECK_NAMES(etm_pc_state_name, enum etm_pc_state, ETM_PC_LIST);
    CHECK_NAMES(etm_itm_relation_name, enum etm_itm_relation,
                ETM_ITM_RELATION_LIST);
    CHECK_NAMES(etm_itm_counter_name, enum etm_itm_counter,
                ETM_ITM_COUNTER_LIST);
    CHECK_NAMES(etm_data_status_name, enum etm_data_status, ETM_DATA_LIST);
    CHECK_NAMES(etm_event_kind_name, enum etm_event_kind, ETM_EVENT_LIST);
    CHECK_NAMES(etm_topic_name, enum etm_topic, ETM_TOPIC_LIST);
    CHECK_NAMES(etm_severity_name, enum etm_severity, ETM_SEVERITY_LIST);
    CHECK_NAMES(etm_lint_id, enum etm_lint_rule, ETM_LINT_LIST);
    CHECK_NAMES(etm_setup_format_name, enum etm_setup_format,
                ETM_SETUP_FORMAT_LIST);
    CHECK_NAMES(etm_look_name, enum etm_look, ETM_LOOK_LIST);
    CHECK_NAMES(etm_condition_name, enum etm_condition, ETM_CONDITION_LIST);
}

static void each_status_has_a_text_of_its_own(void **state)
{
#define STATUS(name, number, text) number,
    static const int numbers[] = {ETM_STATUS_LIST(STATUS)};
    const size_t n = sizeof numbers / sizeof *numbers;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        assert_string_not_equal(etm_status_text(numbers[i]),
                                etm_status_text(1));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(etm_status_text(numbers[i]),
                                    etm_status_text(numbers[k]));
    }
}

static void names_of_processors_are_compared_without_signs(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_value_has_a_name_of_its_own),
        cmocka_unit_test(each_status_has_a_text_of_its_own),
        cmocka_unit_test(names_of_processors_are_compared_without_signs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
