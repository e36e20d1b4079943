/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that allocate nothing: names, tables, values and texts that the
 * caller has room for. */
#include "scarce.h"

#include "../support/receive.h"

#include <string.h>

static int all_names(void)
{
    (void)etm_status_text(0);
    (void)etm_version();
    (void)etm_register_name(0);
    (void)etm_register_number("ETMCR");
    (void)etm_isa_name(ETM_ISA_ARM);
    (void)etm_condition_name(0);
    (void)etm_protocol_name(ETM_PROTOCOL_PFT);
    (void)etm_framing_name(ETM_FRAMING_NONE);
    (void)etm_port_form_name(ETM_PORT_FORM_AUTO);
    (void)etm_packet_kind_name(ETM_PACKET_A_SYNC);
    (void)etm_element_kind_name(ETM_ELEMENT_RANGE);
    (void)etm_trace_on_name(ETM_TRACE_ON_START);
    (void)etm_lost_name(0);
    (void)etm_insn_type_name(0);
    (void)etm_exception_name(ETM_EXCEPTION_RESET);
    (void)etm_exception_action_name(0);
    (void)etm_pc_state_name(0);
    (void)etm_data_status_name(0);
    (void)etm_gap_name(0);
    (void)etm_event_kind_name(ETM_EVENT_INSN);
    (void)etm_itm_counter_name(0);
    (void)etm_itm_relation_name(0);
    (void)etm_look_name(0);
    (void)etm_mistake_text(0);
    (void)etm_topic_name(ETM_TOPIC_MODES);
    (void)etm_severity_name(ETM_SEVERITY_ADVICE);
    (void)etm_lint_id(0);
    (void)etm_sink_name(0);
    (void)etm_setup_format_name(ETM_SETUP_FORMAT_C);
    (void)etm_call_flag_name(1);
    (void)etm_call_kind_name(0);
    (void)etm_time_unit_name(0);
    (void)etm_write_disassembles();
    return ETM_OK;
}

static int configurations(void)
{
    static const struct etm_config config = {.protocol = ETM_PROTOCOL_PFT,
                                             .minor = 1};
    static const struct etm_packet sync = {.kind = ETM_PACKET_A_SYNC,
                                           .size = 6};
    struct etm_config made = {0};
    struct etm_register registers[32];
    struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 4};
    const struct etm_port_sample sample = {.data = 0};
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    char text[200], shown[ETM_NAME_SHOWN + 1];
    bool plain;
    int n = etm_config_to_registers(&config, registers, 32);

    (void)etm_config_from_registers(&made, ETM_PROTOCOL_NONE, registers,
                                    n > 0 ? (size_t)n : 0, NULL);
    (void)etm_config_title(&config, text, sizeof text);
    (void)etm_timestamp_time(&config, 5);
    (void)etm_gap_is_reliable(&config, 1);
    (void)etm_time_unit_of(&config);
    (void)etm_packet_encode(&config, &sync, bytes, sizeof bytes);
    (void)etm_port_check(&port, NULL);
    (void)etm_port_sample_action(&port, &sample);
    (void)etm_port_from_etmcr(&port, 0, NULL);
    (void)etm_bypass_size(bytes, sizeof bytes);
    (void)etm_json_string("a\"b", text, sizeof text);
    (void)etm_character("a", 1, &plain);
    (void)etm_name_shown("name", shown);
    return etm_config_check(&config, NULL);
}

static int gaps(void)
{
    static const struct etm_element lost = {.kind = ETM_ELEMENT_LOST};
    struct etm_gaps a = {0}, b = {0};

    etm_gaps_add(&a, &lost, 1);
    etm_gaps_join(&b, &a);
    return etm_gaps_count(&b) > 0 ? ETM_OK : ETM_ERR_FORMAT;
}

RECEIVE_ONE(take_line, const struct etm_explain_line *)

static int setups(void)
{
    static struct etm_setup setup;
    static struct etm_notes notes;
    static struct etm_register registers[3] = {
        {"ETMCR", 0, 0x400}, {"ETMIDR", 0x79, 0x4114f240}, {"ETMCCR", 1, 0}};
    static char text[1 << 16];
    static struct etm_lint lints[8];
    static struct etm_rom_table table;
    const struct etm_explain_config explain = {.registers = registers,
                                               .n_registers = 3};
    const struct etm_lint_access access = {0, 0x400, true};
    const struct etm_request request = {.size = sizeof request};
    struct etm_macrocell_config cell = {.size = sizeof cell};
    struct etm_setup_script script = {.size = sizeof script};
    const struct etm_trace_path path = {.size = sizeof path,
                                        .sink = ETM_SINK_ETB};
    const struct etm_core *core;
    const struct etm_chip *chip;
    struct etm_config config = {0};
    uint32_t value;
    int status = etm_core_find("cortex-m3", &core);

    (void)etm_cores(0);
    (void)etm_chips(0);
    (void)etm_chip_find("stm32f407", &chip);
    THEN(etm_core_macrocell(core, NULL, &cell, &config, NULL));
    (void)etm_setup_get(&setup, 0, &value);
    THEN(etm_configure(&setup, &request, &cell, &notes, NULL));
    THEN(etm_setup_script_of(&script, &cell, NULL));
    for (int f = 0; f <= ETM_SETUP_FORMAT_PYOCD; f++)
        (void)etm_setup_write(&setup, (enum etm_setup_format)f, &script, text,
                              sizeof text, NULL);
    (void)etm_explain(&explain, take_line, NULL, NULL);
    (void)etm_event_words(0x6f, text, sizeof text);
    (void)etm_lint_values(&explain, lints, 8, NULL);
    (void)etm_lint_accesses(&explain, &access, 1, lints, 8, NULL);
    (void)etm_dump_macrocell(registers, 3, &cell, &config, NULL);
    (void)etm_trace_path_notes(&path, &notes, NULL);
    (void)etm_rom_table_read(&table, "Component base 0xe0041000\n", 26, NULL);
    return status;
}

static int formats(void)
{
    const struct etm_listing_format *format;

    (void)etm_listing_formats(0);
    return etm_listing_format_find("text", &format);
}

const struct exercise values[] = {
    {"names", all_names}, {"configurations", configurations},
    {"gaps", gaps},       {"setups", setups},
    {"formats", formats}, {NULL, NULL},
};
