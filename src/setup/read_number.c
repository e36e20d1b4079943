/* SPDX-License-Identifier: Apache-2.0 */
/* What people and tools call the registers. */
#include "setup/read.h"

#include <string.h>

/* OpenOCD's names, without "ETM_"; # stands for a number. */
static const struct {
    const char *name;
    uint32_t number, step; /* of the first one, and to the next */
    uint32_t first;        /* the number that it has in OpenOCD's name */
} openocd[] = {
    {"ctrl", ETM_REG_CR, 0, 0},
    {"config", ETM_REG_CCR, 0, 0},
    {"id", ETM_REG_IDR, 0, 0},
    {"trig_event", ETM_REG_TRIGGER, 0, 0},
    {"asic_ctrl", ETM_REG_ASICCR, 0, 0},
    {"status", ETM_REG_SR, 0, 0},
    {"sys_config", ETM_REG_SCR, 0, 0},
    {"trace_resource_ctrl", ETM_REG_TSSCR, 0, 0},
    {"trace_en_ctrl2", ETM_REG_TECR2, 0, 0},
    {"trace_en_event", ETM_REG_TEEVR, 0, 0},
    {"trace_en_ctrl1", ETM_REG_TECR1, 0, 0},
    {"fifofull_region", ETM_REG_FFRR, 0, 0},
    {"fifofull_level", ETM_REG_FFLR, 0, 0},
    {"viewdata_event", ETM_REG_VDEVR, 0, 0},
    {"viewdata_ctrl#", ETM_REG_VDCR1, 1, 1},
    {"addr_#_comparator_value", ETM_REG_ACVR1, 1, 1},
    {"addr_#_access_type", ETM_REG_ACTR1, 1, 1},
    {"data_#_comparator_value", ETM_REG_DCVR1, 2, 1},
    {"data_#_comparator_mask", ETM_REG_DCMR1, 2, 1},
    {"counter_#_reload_value", ETM_REG_CNTRLDVR1, 1, 1},
    {"counter_#_enable", ETM_REG_CNTENR1, 1, 1},
    {"counter_#_reload_event", ETM_REG_CNTRLDEVR1, 1, 1},
    {"counter_#_value", ETM_REG_CNTVR1, 1, 1},
    {"sequencer_event#", ETM_REG_SQ12EVR, 1, 0},
    {"sequencer_state", ETM_REG_SQR, 0, 0},
    {"external_output#", ETM_REG_EXTOUTEVR1, 1, 1},
    {"contextid_comparator_value#", ETM_REG_CIDCVR1, 1, 1},
    {"contextid_comparator_mask", ETM_REG_CIDCMR, 0, 0},
    {"sync_freq", ETM_REG_SYNCFR, 0, 0},
    {"config_code_ext", ETM_REG_CCER, 0, 0},
    {"ext_input_select", ETM_REG_EXTINSELR, 0, 0},
    {"trace_start_stop", ETM_REG_TESSEICR, 0, 0},
    {"behavior_control", ETM_REG_EIBCR, 0, 0},
};

/* Whether a name has the form, and the number in it. */
static bool matches(struct etm_span name, const char *form, uint32_t *number)
{
    const char *end = name.at + name.n, *at = name.at;

    *number = 0;
    for (; *form != '\0'; form++) {
        if (*form == '#') {
            at = etm_line_number(at, 10, number);
            if (!at || at > end)
                return false;
        } else if (at == end || etm_fold(*at++) != etm_fold(*form)) {
            return false;
        }
    }
    return at == end;
}

static uint32_t openocd_number(struct etm_span name)
{
    uint32_t n;

    for (size_t i = 0; i < sizeof openocd / sizeof *openocd; i++)
        if (matches(name, openocd[i].name, &n) && n >= openocd[i].first &&
            n - openocd[i].first < 16)
            return openocd[i].number + (n - openocd[i].first) * openocd[i].step;
    return ETM_REGISTER_NONE;
}

static uint32_t plain_number(struct etm_span name)
{
    char text[40];

    return etm_span_copy(name, text, sizeof text) ? etm_register_number(text)
                                                  : ETM_REGISTER_NONE;
}

uint32_t etm_read_number(struct etm_span name)
{
    uint32_t number = plain_number(name);

    if (number != ETM_REGISTER_NONE || name.n <= 3 ||
        !(etm_fold_begins(name.at, "ETM") || etm_fold_begins(name.at, "PTM")))
        return number;
    /* ETM_CR, PTMCR */
    name.at += 3;
    name.n -= 3;
    if (*name.at == '_' || *name.at == '.') {
        name.at++;
        name.n--;
    }
    number = openocd_number(name);
    return number != ETM_REGISTER_NONE ? number : plain_number(name);
}

uint32_t etm_read_array(struct etm_span name)
{
    char text[40];
    uint32_t number = etm_read_number(name);

    if (number != ETM_REGISTER_NONE || name.n + 2 > sizeof text ||
        !etm_span_copy(name, text, sizeof text))
        return number;
    /* the first one ends in 1 */
    text[name.n] = '1';
    text[name.n + 1] = '\0';
    return etm_read_number((struct etm_span){text, name.n + 1});
}

uint32_t etm_read_path(struct etm_span path)
{
    size_t last = path.n, first;
    struct etm_span name, block;

    while (last > 0 && etm_line_letter(path.at[last - 1]))
        last--;
    name = (struct etm_span){path.at + last, path.n - last};
    for (first = last; first > 0 && !etm_line_letter(path.at[first - 1]);)
        first--;
    block = (struct etm_span){path.at, last != 0 ? first : 3};
    if (name.n <= 3 && last == 0)
        return ETM_REGISTER_NONE;
    if (!etm_span_has(block, "ETM") && !etm_span_has(block, "PTM"))
        return ETM_REGISTER_NONE;
    return etm_read_array(name);
}
