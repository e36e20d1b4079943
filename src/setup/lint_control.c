/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in the control register, the port, the FIFO and synchronization (ETM
   architecture 2.6.6, 2.10, 3.5.1, 3.5.8, 3.5.17), and bits and registers that
   do not exist (3.1). */
#include "setup/explain.h"
#include "setup/setup.h"

static bool cr(const struct etm_lints *l, uint32_t bits)
{
    return (l->view->value[ETM_REG_CR] & bits) != 0;
}

static void unpredictable(struct etm_lints *l, enum etm_lint_rule rule,
                          uint32_t number, const char *text)
{
    etm_lint_add(l, rule, ETM_SEVERITY_UNPREDICTABLE, number, "%s", text);
}

static void advice(struct etm_lints *l, enum etm_lint_rule rule,
                   uint32_t number, const char *text)
{
    etm_lint_add(l, rule, ETM_SEVERITY_ADVICE, number, "%s", text);
}

/* 2.6.6, 3.5.8 */
static void check_fifo(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    bool suppress = v->version >= ETM_V3_0 && cr(l, ETM_CR_SUPPRESS_DATA);
    bool stall = cr(l, ETM_CR_STALL);
    uint32_t level = v->value[ETM_REG_FFLR] & 0xff;

    if (v->pft)
        return;
    if (suppress && stall)
        unpredictable(l, ETM_LINT_STALL_AND_SUPPRESS, ETM_REG_CR,
                      "stalling the processor and suppressing data are both "
                      "switched on");
    if (stall && v->counts_known && !v->counts.fifofull)
        advice(
            l, ETM_LINT_NO_FIFOFULL, ETM_REG_CR,
            "stalling is switched on, but the macrocell has no FIFOFULL logic");
    else if (stall && v->version >= ETM_V1_3 && v->known[ETM_REG_SCR] &&
             !etm_bit(v->value[ETM_REG_SCR], 8))
        advice(l, ETM_LINT_NO_FIFOFULL, ETM_REG_CR,
               "stalling is switched on, but the processor ignores FIFOFULL");
    if (!v->known[ETM_REG_FFLR] || (!suppress && !stall))
        return;
    if (level == 0)
        unpredictable(l, ETM_LINT_FIFO_LEVEL, ETM_REG_FFLR,
                      "the level is 0, at which the FIFO is never nearly full");
    if (v->version < ETM_V2_0 && v->macrocell.fifo_size != 0 &&
        level > v->macrocell.fifo_size)
        etm_lint_add(l, ETM_LINT_FIFO_LEVEL, ETM_SEVERITY_UNPREDICTABLE,
                     ETM_REG_FFLR,
                     "the level is %u, and the FIFO has only %u bytes",
                     (unsigned)level, (unsigned)v->macrocell.fifo_size);
}

static void lacks_size(struct etm_lints *l, unsigned size)
{
    unsigned pins = etm_port_pins(size);

    if (pins != 0)
        etm_lint_add(l, ETM_LINT_PORT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
                     "the trace port cannot be %u bit%s wide in this mode",
                     pins, pins == 1 ? "" : "s");
    else
        etm_lint_add(l, ETM_LINT_PORT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
                     "the trace port has no user-defined size 0x%x in this "
                     "mode",
                     size);
}

/* Table 3-6, 2.10, and what ETMSCR shows about it (3.5.6). */
static void check_port(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    unsigned size = etm_port_code(v), mode = etm_port_mode_code(v);
    bool v3 = v->version >= ETM_V3_0;
    bool size_reserved =
        v3 ? size == 7 || (size >= 10 && size <= 13) : size > 2;
    bool mode_reserved =
        v3 ? mode == 2
           : v->version >= ETM_V1_2 && ((mode & 3) == 3 || mode == 5);
    uint32_t scr = v->value[ETM_REG_SCR];
    bool asked = v3 && v->known[ETM_REG_SCR];
    /* ETMSCR of a preset does not show support for the port: this is what the
     * port can do. */
    bool preset = v->system_known && !v->known[ETM_REG_SCR] && v->has_file;

    if (size_reserved)
        etm_lint_add(l, ETM_LINT_PORT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
                     "0x%x is a reserved size of the trace port", size);
    else if ((asked && !etm_bit(scr, 10)) ||
             (preset && v3 && !etm_bit(v->file.port_sizes, size)))
        lacks_size(l, size);
    if (mode_reserved)
        etm_lint_add(l, ETM_LINT_PORT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
                     "%u is a reserved mode of the trace port",
                     v3 ? mode : mode & 3);
    else if ((asked && !etm_bit(scr, 11)) ||
             (preset && v3 && !etm_bit(v->file.port_modes, mode)))
        etm_lint_add(l, ETM_LINT_PORT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
                     "the trace port has no mode %u", mode);
    else if (!v3 && v->version >= ETM_V1_2 && v->known[ETM_REG_SCR] &&
             (!etm_bit(scr, 5 + (mode & 3)) ||
              !etm_bit(scr, mode >= 4 ? 3 : 4)))
        unpredictable(l, ETM_LINT_PORT, ETM_REG_CR,
                      "the trace port does not have this format or clocking");
    if (!cr(l, ETM_CR_PORT_ENABLE | ETM_CR_POWER_DOWN | ETM_CR_PROGRAMMING))
        advice(l, ETM_LINT_PORT_OFF, ETM_REG_CR,
               "the pins of the trace port are not selected (bit 11)");
}

static void check_control(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    unsigned core = v->value[ETM_REG_CR] >> 25 & 7;
    unsigned last = v->macrocell.scr >> 12 & 7;

    if (v->version >= ETM_V3_0 && !v->pft && cr(l, ETM_CR_CPRT_FILTER) &&
        !cr(l, ETM_CR_CPRT))
        unpredictable(l, ETM_LINT_CPRT_FILTER, ETM_REG_CR,
                      "coprocessor transfers are filtered (bit 19) but not "
                      "traced (bit 1)");
    if (v->version >= ETM_V3_2 && v->system_known && core > last)
        etm_lint_add(
            l, ETM_LINT_CORE_SELECT, ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CR,
            "processor %u is selected, but the last one is %u", core, last);
}

/* Bits of features that are missing ignore writes (3.5.1, table 3-9). That of
 * stalling has a rule of its own. */
static void check_features(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t bits = v->value[ETM_REG_CR] & ~(uint32_t)ETM_CR_STALL;
    const char *what;

    if (!v->has_file)
        return;
    bits &= v->file.defined[ETM_REG_CR] & ~v->file.writable[ETM_REG_CR];
    while ((what = etm_control_feature(&bits)) != NULL)
        etm_lint_add(l, ETM_LINT_NO_FEATURE, ETM_SEVERITY_ADVICE, ETM_REG_CR,
                     "this switches on %s, which the macrocell does not have",
                     what);
}

static void check_stream(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t period = v->value[ETM_REG_SYNCFR] & 0xfff;
    uint32_t id = v->value[ETM_REG_TRACEIDR] & 0x7f;

    if (v->version >= ETM_V2_0 && v->known[ETM_REG_SYNCFR] &&
        v->macrocell.fifo_size != 0 && period <= v->macrocell.fifo_size)
        etm_lint_add(l, ETM_LINT_SYNC_PERIOD, ETM_SEVERITY_ADVICE,
                     ETM_REG_SYNCFR,
                     "the synchronization period %u is not greater than the "
                     "size of the FIFO, %u",
                     (unsigned)period, (unsigned)v->macrocell.fifo_size);
    if (v->version >= ETM_V3_2 && v->known[ETM_REG_TRACEIDR] && id >= 0x70)
        etm_lint_add(l, ETM_LINT_TRACE_ID, ETM_SEVERITY_ADVICE,
                     ETM_REG_TRACEIDR,
                     "0x%02x is not an ID of trace sources: IDs from 0x70 on "
                     "have other meanings",
                     (unsigned)id);
}

/* 3.2.5, table 3-14: what a JTAG interface excludes. */
static void check_interfaces(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    bool jtag = v->interfaces_known &&
                (v->macrocell.interfaces & ETM_INTERFACE_JTAG) != 0;

    if (jtag && v->version >= ETM_V3_3 && v->known[ETM_REG_OSLSR] &&
        etm_has_os_lock(v->value[ETM_REG_OSLSR]))
        unpredictable(l, ETM_LINT_JTAG_POWER, ETM_REG_OSLSR,
                      "registers are reached through JTAG, and there is an OS "
                      "lock");
    if (jtag && v->version >= ETM_V3_2 && v->system_known &&
        (v->macrocell.scr >> 12 & 7) != 0)
        unpredictable(l, ETM_LINT_JTAG_SHARED, ETM_REG_SCR,
                      "registers are reached through JTAG, and several "
                      "processors share the macrocell");
    if (v->why_not[0] != '\0')
        advice(l, ETM_LINT_IDENTITY, ETM_REGISTER_NONE, v->why_not);
}

void etm_lint_control(struct etm_lints *l)
{
    if (l->view->known[ETM_REG_CR]) {
        check_fifo(l);
        if (!l->view->pft)
            check_port(l);
        check_control(l);
        check_features(l);
    }
    check_stream(l);
    check_interfaces(l);
}

/*
 * Bits of a register that mean something when it is read, or that tools write
 * for other versions: no mistake.
 */
static uint32_t harmless(const struct etm_view *v, uint32_t number)
{
    if (number == ETM_REG_CR)
        /* E-125: it is not known what PFT has there. */
        return v->pft ? UINT32_C(0x003ff8fe) : 0;
    if (number == ETM_REG_SR)
        return 0xf;
    if (number >= ETM_REG_CNTENR1 && number < ETM_REG_CNTENR1 + 4)
        return 0x20000; /* 3.5.12: taken for 1 from v2.0 on */
    if (number == ETM_REG_IMPSPEC0)
        return 0xff;
    if (number == ETM_REG_AUXCR ||
        (number > ETM_REG_IMPSPEC0 && number <= ETM_REG_IMPSPEC0 + 7))
        return UINT32_MAX;
    if (number == ETM_REG_ASICCR)
        return UINT32_MAX; /* 3.5.4: its width is not known */
    return etm_lint_selection_bits(number);
}

/* Management registers, and those whose number is named only in later
 * documents. */
static bool passed_over(const struct etm_view *v, uint32_t number)
{
    return number >= 0x380 || number == 0x0c4 || number == ETM_REG_OSLAR ||
           number == ETM_REG_OSLSR || number == ETM_REG_OSSRR ||
           number == ETM_REG_PDSR ||
           (number > ETM_REG_IMPSPEC0 && number <= ETM_REG_IMPSPEC0 + 7 &&
            v->version >= ETM_V2_0);
}

uint32_t etm_lint_reserved_bits(const struct etm_view *v, uint32_t number,
                                uint32_t value)
{
    if (!v->has_file || (v->file.flags[number] & ETM_REG_WRITES) == 0)
        return 0;
    return value & ~etm_view_defined(v, number) & ~harmless(v, number);
}

void etm_lint_registers(struct etm_lints *l)
{
    const struct etm_view *v = l->view;

    for (uint32_t number = 0; number < ETM_REGISTERS && v->has_file; number++) {
        const char *name = etm_register_name(number);
        uint32_t value = v->value[number], bits;

        if (!v->known[number] || value == 0 || passed_over(v, number))
            continue;
        if (!etm_view_exists(v, number)) {
            if (name != NULL)
                etm_lint_add(l, ETM_LINT_NO_REGISTER,
                             ETM_SEVERITY_UNPREDICTABLE, number,
                             "this macrocell has no %s", name);
            else
                etm_lint_add(l, ETM_LINT_NO_REGISTER,
                             ETM_SEVERITY_UNPREDICTABLE, number,
                             "there is no register 0x%03x", (unsigned)number);
            continue;
        }
        bits = etm_lint_reserved_bits(v, number, value);
        if (bits != 0)
            etm_lint_add(l, ETM_LINT_RESERVED_BITS, ETM_SEVERITY_UNPREDICTABLE,
                         number, "%s has reserved bits set: 0x%08x",
                         name != NULL ? name : "it", (unsigned)bits);
    }
}
