/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linux's driver of ETMv3 and PTM (coresight-etm3x): its attributes under
 * /sys/bus/coresight/devices, and their effect on registers. All numbers there
 * are hexadecimal. The driver follows the procedure of 3.4.3 itself; it chooses
 * ETMCR[11], the port size and the trace ID, and supports neither data trace
 * nor external outputs.
 */
#include "setup/setup.h"

#include "base/diag.h"
#include "model/resources.h"
#include "setup/line.h"

#include <string.h>

#define TECR1_EXCLUDE (UINT32_C(1) << 24)
#define TECR1_START_STOP (UINT32_C(1) << 25)
#define CONTEXT_ID (UINT32_C(3) << 14)

/* Bits of `mode` that select the modes of the processor: no kernel, no user. */
#define NO_KERNEL (UINT32_C(1) << 30)
#define NO_USER (UINT32_C(1) << 31)

/* Access types for them (E-135): instruction executed, Arm; nothing in Secure
 * state, and in Non-secure state User mode only, or all others. */
#define ONLY_USER UINT32_C(0x2c19)
#define NOT_USER UINT32_C(0x2419)

/* Bits of `mode` and what they are in ETMCR; 1 is ETMTECR1[24]. */
static const struct {
    uint32_t mode, control;
} modes[] = {
    {0x02, ETM_CR_CYCLE_ACCURATE}, {0x04, ETM_CR_STALL},
    {0x08, ETM_CR_TIMESTAMP},      {0x10, CONTEXT_ID},
    {0x20, ETM_CR_BRANCH_OUTPUT},  {0x40, ETM_CR_RETURN_STACK},
};
#define N_MODES (sizeof modes / sizeof *modes)

/* Bits of ETMCR that the driver chooses. */
#define CONTROL_DRIVER                                                         \
    (UINT32_C(0x401) | ETM_CR_PORT_ENABLE | ETM_CR_PORT_SIZE |                 \
     ETM_CR_PORT_SIZE_3)

/* One register, one attribute; `mask` are the bits that the driver takes. */
static const struct {
    const char *name;
    uint32_t number, mask;
} plain[] = {
    {"trigger_event", ETM_REG_TRIGGER, 0x1ffff},
    {"enable_event", ETM_REG_TEEVR, 0x1ffff},
    {"fifofull_level", ETM_REG_FFLR, 0xffffffff},
    {"seq_12_event", ETM_REG_SQ12EVR, 0x1ffff},
    {"seq_21_event", ETM_REG_SQ12EVR + 1, 0x1ffff},
    {"seq_23_event", ETM_REG_SQ12EVR + 2, 0x1ffff},
    {"seq_31_event", ETM_REG_SQ12EVR + 3, 0x1ffff},
    {"seq_32_event", ETM_REG_SQ12EVR + 4, 0x1ffff},
    {"seq_13_event", ETM_REG_SQ12EVR + 5, 0x1ffff},
    {"seq_curr_state", ETM_REG_SQR, 0x3},
    {"ctxid_mask", ETM_REG_CIDCMR, 0xffffffff},
    {"sync_freq", ETM_REG_SYNCFR, 0xfff},
    {"timestamp_event", ETM_REG_TSEVR, 0x1ffff},
};
#define N_PLAIN (sizeof plain / sizeof *plain)

/* Several similar registers, selected by an index. */
static const struct {
    const char *name;
    const char *index;
    uint32_t first, count;
} indexed[] = {
    {"cntr_rld_val", "cntr_idx", ETM_REG_CNTRLDVR1, 4},
    {"cntr_event", "cntr_idx", ETM_REG_CNTENR1, 4},
    {"cntr_rld_event", "cntr_idx", ETM_REG_CNTRLDEVR1, 4},
    {"cntr_val", "cntr_idx", ETM_REG_CNTVR1, 4},
    {"ctxid_pid", "ctxid_idx", ETM_REG_CIDCVR1, 3},
};
#define N_INDEXED (sizeof indexed / sizeof *indexed)

/* Registers to which the driver writes a value of its own, or none: other
 * values are impossible. Those of data trace do not matter unless data are
 * traced. */
static const struct {
    uint32_t first, count, value;
} fixed[] = {
    {ETM_REG_ASICCR, 1, 0},    {ETM_REG_TECR2, 1, 0},
    {ETM_REG_FFRR, 1, 0},      {ETM_REG_EXTOUTEVR1, 4, ETM_EVENT_NEVER},
    {ETM_REG_EXTINSELR, 1, 0}, {ETM_REG_TESSEICR, 1, 0},
    {ETM_REG_EIBCR, 1, 0},     {ETM_REG_AUXCR, 1, 0},
    {ETM_REG_VMIDCVR, 1, 0},
};

static uint32_t value_of(const struct etm_setup *setup, uint32_t number)
{
    uint32_t value;

    (void)etm_setup_get(setup, number, &value);
    return value;
}

static int beyond(struct etm_diag *diag, uint32_t number, uint32_t value)
{
    const char *name = etm_register_name(number);
    int status = etm_diag_begin(diag, ETM_ERR_UNSUPPORTED, name);

    etm_diag_text(diag, "Linux's driver cannot give ");
    etm_diag_text(diag, name ? name : "a register");
    etm_diag_text(diag, " the value ");
    etm_diag_hex(diag, value);
    return status;
}

/* The attribute of a comparator that starts or stops, or NULL. */
static const char *point_of(const struct etm_setup *setup, uint32_t n)
{
    uint32_t ends = value_of(setup, ETM_REG_TSSCR);

    return (ends >> n & 1) != 0          ? "addr_start"
           : (ends >> (n + 16) & 1) != 0 ? "addr_stop"
                                         : NULL;
}

/*
 * Whether there are points that start and stop, but do not control the trace:
 * those that came before a mode that excludes kernel or user.
 */
static bool has_idle_points(const struct etm_setup *setup)
{
    return value_of(setup, ETM_REG_TSSCR) != 0 &&
           (value_of(setup, ETM_REG_TECR1) & TECR1_START_STOP) == 0;
}

/* The driver refuses a range that ends below its beginning. */
static int check_ranges(const struct etm_setup *setup, struct etm_diag *diag)
{
    uint32_t tecr1 = value_of(setup, ETM_REG_TECR1);

    for (uint32_t n = 0; n < 8; n++) {
        uint32_t last = value_of(setup, ETM_REG_ACVR1 + 2 * n + 1);

        if ((tecr1 >> n & 1) != 0 &&
            value_of(setup, ETM_REG_ACVR1 + 2 * n) > last)
            return beyond(diag, ETM_REG_ACVR1 + 2 * n + 1, last);
    }
    return ETM_OK;
}

/* A comparator has one use. Only a mode takes those of the first range from
 * their other use, and selects that range in any case. */
static int check_uses(const struct etm_setup *setup, struct etm_diag *diag)
{
    uint32_t tecr1 = value_of(setup, ETM_REG_TECR1);
    uint32_t ends = value_of(setup, ETM_REG_TSSCR);
    uint32_t starts = ends & 0xffff, stops = ends >> 16;
    bool idle = has_idle_points(setup);

    if ((tecr1 & 0x00ffff00) != 0 || (idle && (tecr1 & 1) == 0) ||
        ((tecr1 & TECR1_START_STOP) != 0 && ends == 0))
        return beyond(diag, ETM_REG_TECR1, tecr1);
    for (uint32_t n = 0; n < 16; n++) {
        uint32_t uses = (starts >> n & 1) + (stops >> n & 1);

        if ((tecr1 >> n / 2 & 1) != 0 && !(idle && n < 2))
            uses++;
        if (uses > 1)
            return beyond(diag, ETM_REG_TSSCR, ends);
    }
    return check_ranges(setup, diag);
}

/* Check for values that no attribute can express. */
static int check(const struct etm_setup *setup, struct etm_diag *diag)
{
    uint32_t cr = value_of(setup, ETM_REG_CR), known = CONTROL_DRIVER;
    uint32_t context = cr & CONTEXT_ID;

    for (size_t i = 0; i < N_MODES; i++)
        known |= modes[i].control;
    if (etm_setup_any_beside(setup))
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "sysfs",
                            "Linux's driver does not program the comparators "
                            "of the DWT, which this setup needs");
    if ((cr & ~known) != 0 || (context != 0 && context != CONTEXT_ID))
        return beyond(diag, ETM_REG_CR, cr);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        for (uint32_t k = 0; k < fixed[i].count; k++) {
            uint32_t number = fixed[i].first + k, value;

            if (etm_setup_get(setup, number, &value) == ETM_OK &&
                value != fixed[i].value)
                return beyond(diag, number, value);
        }
    }
    for (uint32_t n = ETM_REG_DCVR1; n < ETM_REG_CNTRLDVR1; n++) {
        uint32_t value;

        if (etm_setup_get(setup, n, &value) == ETM_OK)
            return beyond(diag, n, value);
    }
    return check_uses(setup, diag);
}

static void echo(struct etm_setup_text *out, uint32_t value, const char *name)
{
    etm_setup_print(out, "echo 0x%x > $etm/%s\n", (unsigned)value, name);
}

/* Points that a mode, which has to be written after them, then made idle. */
static void write_idle_points(const struct etm_setup *setup, uint32_t mode,
                              struct etm_setup_text *out)
{
    for (uint32_t n = 0; n < 16; n++) {
        if (!point_of(setup, n))
            continue;
        echo(out, n, "addr_idx");
        echo(out, value_of(setup, ETM_REG_ACVR1 + n), point_of(setup, n));
        echo(out, value_of(setup, ETM_REG_ACTR1 + n), "addr_acctype");
    }
    echo(out, mode | NO_USER, "mode");
}

/* The comparators. Those that only events select are written as single
 * addresses, of which the driver only uses the value. */
static void write_addresses(const struct etm_setup *setup,
                            struct etm_setup_text *out)
{
    uint32_t tecr1 = value_of(setup, ETM_REG_TECR1);
    bool idle = has_idle_points(setup);

    for (uint32_t n = 0; n < 16; n++) {
        bool range = (tecr1 >> (n / 2) & 1) != 0;
        const char *point = point_of(setup, n);
        uint32_t address;

        if ((etm_setup_get(setup, ETM_REG_ACVR1 + n, &address) != ETM_OK &&
             !point) ||
            (idle && point && !range))
            continue;
        echo(out, n, "addr_idx");
        if (range && n % 2 == 0)
            etm_setup_print(out, "echo 0x%x 0x%x > $etm/addr_range\n",
                            (unsigned)address,
                            (unsigned)value_of(setup, ETM_REG_ACVR1 + n + 1));
        else if (!range)
            echo(out, address, point ? point : "addr_single");
        echo(out, value_of(setup, ETM_REG_ACTR1 + n), "addr_acctype");
    }
}

/*
 * The driver writes the values of counters, too, and so they do not begin with
 * their reload values (3.4.4); after its reset they would begin at zero. A
 * counter of reduced function has no such register, as it has no enabling
 * event.
 */
static void write_counts(const struct etm_setup *setup,
                         struct etm_setup_text *out)
{
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t reload, other;

        if (etm_setup_get(setup, ETM_REG_CNTRLDVR1 + k, &reload) != ETM_OK ||
            etm_setup_get(setup, ETM_REG_CNTENR1 + k, &other) != ETM_OK ||
            etm_setup_get(setup, ETM_REG_CNTVR1 + k, &other) == ETM_OK)
            continue;
        echo(out, k, "cntr_idx");
        echo(out, reload, "cntr_val");
    }
}

int etm_setup_write_sysfs(const struct etm_setup *setup,
                          const struct etm_setup_script *script,
                          struct etm_setup_text *out, struct etm_diag *diag)
{
    uint32_t cr = value_of(setup, ETM_REG_CR), mode = 0;
    int status = check(setup, diag);

    if (status != ETM_OK)
        return status;
    etm_setup_print(out, "#!/bin/sh\n");
    if (script->title && script->title[0] != '\0') {
        etm_setup_print(out, "# ");
        etm_setup_comment(out, script->title);
        etm_setup_print(out, "\n");
    }
    etm_setup_print(out,
                    "# The driver chooses trace ID and port size, and follows "
                    "3.4.3 on enable.\n"
                    "# It needs a sink: write 1 to its enable_sink before.\n"
                    "set -e\n"
                    "etm=/sys/bus/coresight/devices/%s\n",
                    script->device ? script->device : "etm0");
    echo(out, 1, "reset");
    for (size_t i = 0; i < N_MODES; i++)
        if ((cr & modes[i].control) != 0)
            mode |= modes[i].mode;
    if ((value_of(setup, ETM_REG_TECR1) & TECR1_EXCLUDE) != 0)
        mode |= 1;
    if (has_idle_points(setup))
        write_idle_points(setup, mode, out);
    echo(out, mode, "mode");
    write_addresses(setup, out);
    for (size_t i = 0; i < N_PLAIN; i++) {
        uint32_t value;

        if (etm_setup_get(setup, plain[i].number, &value) == ETM_OK)
            echo(out, value, plain[i].name);
    }
    for (size_t i = 0; i < N_INDEXED; i++) {
        for (uint32_t k = 0; k < indexed[i].count; k++) {
            uint32_t value;

            if (etm_setup_get(setup, indexed[i].first + k, &value) != ETM_OK)
                continue;
            echo(out, k, indexed[i].index);
            echo(out, value, indexed[i].name);
        }
    }
    write_counts(setup, out);
    echo(out, 1, "enable_source");
    return ETM_OK;
}

/* What a reset of the driver leaves (every comparator off, all is traced). */
static void set_defaults(struct etm_setup *setup)
{
    setup->n = 0;
    (void)etm_setup_set(setup, ETM_REG_CR, ETM_CR_PORT_ENABLE);
    (void)etm_setup_set(setup, ETM_REG_TRIGGER, ETM_EVENT_NEVER);
    (void)etm_setup_set(setup, ETM_REG_TSSCR, 0);
    (void)etm_setup_set(setup, ETM_REG_TEEVR, ETM_RESOURCE_ALWAYS);
    (void)etm_setup_set(setup, ETM_REG_TECR1, TECR1_EXCLUDE);
    (void)etm_setup_set(setup, ETM_REG_FFLR, 0);
}

/*
 * Kernel or user excluded: the driver has a range of all addresses with an
 * access type for it, instead of all that was selected before. Where both are
 * excluded it does nothing of this.
 */
static void select_modes(struct etm_setup *setup, uint32_t mode)
{
    bool kernel = (mode & NO_KERNEL) == 0, user = (mode & NO_USER) == 0;

    if (kernel == user)
        return;
    for (uint32_t n = 0; n < 2; n++) {
        (void)etm_setup_set(setup, ETM_REG_ACVR1 + n, n == 0 ? 0 : UINT32_MAX);
        (void)etm_setup_set(setup, ETM_REG_ACTR1 + n,
                            user ? ONLY_USER : NOT_USER);
    }
    (void)etm_setup_set(setup, ETM_REG_TECR1, 1);
}

static const char *set_mode(struct etm_setup *setup, uint32_t mode)
{
    uint32_t cr = value_of(setup, ETM_REG_CR);
    uint32_t tecr1 = value_of(setup, ETM_REG_TECR1) & ~TECR1_EXCLUDE;

    if ((mode & ~(UINT32_C(0x7f) | NO_KERNEL | NO_USER)) != 0)
        return "mode: bits that are not understood";
    for (size_t i = 0; i < N_MODES; i++) {
        cr &= ~modes[i].control;
        if ((mode & modes[i].mode) != 0)
            cr |= modes[i].control;
    }
    if ((mode & 1) != 0)
        tecr1 |= TECR1_EXCLUDE;
    (void)etm_setup_set(setup, ETM_REG_CR, cr);
    (void)etm_setup_set(setup, ETM_REG_TECR1, tecr1);
    select_modes(setup, mode);
    return NULL;
}

static void set_address(struct etm_setup *setup, uint32_t n, uint32_t address)
{
    uint32_t type;

    (void)etm_setup_set(setup, ETM_REG_ACVR1 + n, address);
    if (etm_setup_get(setup, ETM_REG_ACTR1 + n, &type) != ETM_OK)
        (void)etm_setup_set(setup, ETM_REG_ACTR1 + n, 0);
}

/* The attributes of addresses. NULL, what is wrong, or `name` if it is none of
   them. */
static const char *read_address(struct etm_setup *setup, uint32_t n,
                                const char *name, uint32_t value,
                                const char *rest)
{
    uint32_t tecr1 = value_of(setup, ETM_REG_TECR1);
    uint32_t ends = value_of(setup, ETM_REG_TSSCR), high;

    if (strcmp(name, "addr_single") == 0) {
        set_address(setup, n, value);
    } else if (strcmp(name, "addr_acctype") == 0) {
        (void)etm_setup_set(setup, ETM_REG_ACTR1 + n, value);
    } else if (strcmp(name, "addr_range") == 0) {
        if (!etm_line_number(etm_line_skip(rest), 16, &high))
            return "addr_range: two addresses are needed";
        if (n % 2 != 0 || value > high)
            return "addr_range: the index is odd, or the range is empty";
        set_address(setup, n, value);
        set_address(setup, n + 1, high);
        (void)etm_setup_set(setup, ETM_REG_TECR1, tecr1 | UINT32_C(1) << n / 2);
    } else if (strcmp(name, "addr_start") == 0 ||
               strcmp(name, "addr_stop") == 0) {
        unsigned bit = strcmp(name, "addr_start") == 0 ? n : n + 16;

        set_address(setup, n, value);
        (void)etm_setup_set(setup, ETM_REG_TSSCR, ends | UINT32_C(1) << bit);
        (void)etm_setup_set(setup, ETM_REG_TECR1, tecr1 | TECR1_START_STOP);
    } else {
        return name;
    }
    return NULL;
}

/* The driver writes reload value and value of each counter in this order; what
 * no attribute gives is 0. */
static void begin_counter(struct etm_setup *setup, uint32_t n)
{
    uint32_t value;

    if (etm_setup_get(setup, ETM_REG_CNTRLDVR1 + n, &value) != ETM_OK)
        (void)etm_setup_set(setup, ETM_REG_CNTRLDVR1 + n, 0);
    if (etm_setup_get(setup, ETM_REG_CNTVR1 + n, &value) != ETM_OK)
        (void)etm_setup_set(setup, ETM_REG_CNTVR1 + n, 0);
}

static const char *read_index(struct etm_setup_sysfs *state, const char *name,
                              uint32_t value)
{
    static const struct {
        const char *name;
        uint32_t count;
    } rows[] = {{"addr_idx", 16}, {"cntr_idx", 4}, {"ctxid_idx", 3}};
    uint32_t *places[] = {&state->address, &state->counter, &state->context};

    for (size_t i = 0; i < 3; i++) {
        if (strcmp(name, rows[i].name) != 0)
            continue;
        if (value >= rows[i].count)
            return "an index that no macrocell has";
        *places[i] = value;
        return NULL;
    }
    return name;
}

bool etm_setup_is_sysfs(const char *name)
{
    static const char *const others[] = {
        "enable_source", "enable_sink",  "reset",      "mode",
        "traceid",       "addr_idx",     "cntr_idx",   "ctxid_idx",
        "addr_single",   "addr_acctype", "addr_range", "addr_start",
        "addr_stop"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    for (size_t i = 0; i < N_PLAIN; i++)
        if (strcmp(name, plain[i].name) == 0)
            return true;
    for (size_t i = 0; i < N_INDEXED; i++)
        if (strcmp(name, indexed[i].name) == 0)
            return true;
    return false;
}

const char *etm_setup_read_sysfs(struct etm_setup *setup,
                                 struct etm_setup_sysfs *state,
                                 const char *name, const char *value)
{
    uint32_t v;
    const char *rest = etm_line_number(etm_line_skip(value), 16, &v), *wrong;

    if (strcmp(name, "enable_source") == 0 || strcmp(name, "enable_sink") == 0)
        return NULL;
    if (!rest)
        return "not a hexadecimal 32-bit number";
    if (strcmp(name, "reset") == 0) {
        *state = (struct etm_setup_sysfs){0};
        set_defaults(setup);
        return NULL;
    }
    if (strcmp(name, "mode") == 0)
        return set_mode(setup, v);
    if (strcmp(name, "traceid") == 0) { /* of older drivers */
        (void)etm_setup_set(setup, ETM_REG_TRACEIDR, v & 0x3f);
        return NULL;
    }
    for (size_t i = 0; i < N_PLAIN; i++) {
        if (strcmp(name, plain[i].name) == 0) {
            (void)etm_setup_set(setup, plain[i].number, v & plain[i].mask);
            return NULL;
        }
    }
    for (size_t i = 0; i < N_INDEXED; i++) {
        if (strcmp(name, indexed[i].name) == 0) {
            uint32_t index =
                indexed[i].count == 4 ? state->counter : state->context;

            if (indexed[i].count == 4)
                begin_counter(setup, index);
            (void)etm_setup_set(setup, indexed[i].first + index, v);
            return NULL;
        }
    }
    wrong = read_index(state, name, v);
    if (wrong == name)
        wrong = read_address(setup, state->address, name, v, rest);
    return wrong == name ? "the driver has no such attribute" : wrong;
}
