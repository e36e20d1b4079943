/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register values and what they say about the format of the trace, in both
 * directions (ETM architecture, 3.5; PFT uses the same registers).
 */
#include "base/diag.h"
#include "base/name.h"
#include "base/size.h"
#include "regs/cores.h"
#include "regs/regs.h"

#include <string.h>

/* Register numbers. */
enum {
    CR = 0x000,
    CCR = 0x001,
    SYNCFR = 0x078,
    IDR = 0x079,
    CCER = 0x07a,
    TRACEIDR = 0x080
};

/* The registers that are used. */
struct value {
    uint32_t value;
    bool given;
};

struct values {
    struct value cr, ccr, syncfr, idr, ccer, traceidr;
};

/*
 * Protocols by ETMIDR[11:8], the major version less one (3.5.18); PFT
 * continues the count.
 */
static const enum etm_protocol majors[] = {
    ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3,
    ETM_PROTOCOL_PFT};

#define N_MAJORS (sizeof majors / sizeof *majors)

static bool bit(uint32_t value, unsigned n)
{
    return (value >> n & 1) != 0;
}

static bool is_v3(const struct etm_config *c, unsigned minor)
{
    return c->protocol == ETM_PROTOCOL_ETMV3 && c->minor >= minor;
}

static bool is_pft(const struct etm_config *c, unsigned minor)
{
    return c->protocol == ETM_PROTOCOL_PFT && c->minor >= minor;
}

/* Begin the diagnosis "NAME is 0xVALUE: ", to be continued with `text`. */
static int wrong(struct etm_diag *diag, uint32_t number, uint64_t value,
                 const char *text)
{
    const char *name = etm_register_name(number);
    int status = etm_diag_begin(diag, ETM_ERR_CONFIG, name);

    etm_diag_text(diag, name);
    etm_diag_text(diag, " is ");
    etm_diag_hex(diag, value);
    etm_diag_text(diag, ": ");
    etm_diag_text(diag, text);
    return status;
}

static struct value *slot_of(struct values *v, uint32_t number)
{
    switch (number) {
    case CR:
        return &v->cr;
    case CCR:
        return &v->ccr;
    case SYNCFR:
        return &v->syncfr;
    case IDR:
        return &v->idr;
    case CCER:
        return &v->ccer;
    case TRACEIDR:
        return &v->traceidr;
    }
    return NULL;
}

bool etm_register_tells_format(uint32_t number)
{
    struct values v;

    return slot_of(&v, number) != NULL;
}

/* Pick the registers that matter: by name, or by number if the name is
 * unknown. */
static int pick(struct values *v, const struct etm_register *registers,
                size_t n, struct etm_diag *diag)
{
    *v = (struct values){0};
    for (size_t i = 0; i < n; i++) {
        const struct etm_register *r = &registers[i];
        uint32_t number = etm_register_number(r->name);
        struct value *slot;

        if (number == ETM_REGISTER_NONE)
            number = r->number;
        if (etm_register_name(number) == NULL)
            continue;
        if (r->value > UINT32_MAX)
            return wrong(diag, number, r->value, "more than 32 bits");
        slot = slot_of(v, number);
        if (slot == NULL)
            continue;
        if (slot->given && slot->value != r->value) {
            int status =
                wrong(diag, number, slot->value, "it is also given as ");

            etm_diag_hex(diag, r->value);
            return status;
        }
        *slot = (struct value){(uint32_t)r->value, true};
    }
    return ETM_OK;
}

/* Version from ETMIDR (3.5.18). */
static int version_from_idr(struct etm_config *c, const struct values *v,
                            struct etm_diag *diag)
{
    unsigned major = v->idr.value >> 8 & 0xf;
    unsigned minor = v->idr.value >> 4 & 0xf;
    int status;

    if (v->idr.value == 0)
        return wrong(diag, IDR, v->idr.value, "no macrocell is present");
    if (major >= N_MAJORS) {
        status = wrong(diag, IDR, v->idr.value, "bits [11:8] are ");
        etm_diag_dec(diag, major);
        etm_diag_text(diag, ", which is not a known major version");
        return status;
    }
    c->protocol = majors[major];
    c->minor = (uint8_t)minor;
    if (minor > (unsigned)etm_protocol_last_minor(c->protocol)) {
        status = wrong(diag, IDR, v->idr.value, "bits [7:4] are ");
        etm_diag_dec(diag, minor);
        etm_diag_text(diag, ", which is not a known minor version of ");
        etm_diag_text(diag, etm_protocol_name(c->protocol));
        return status;
    }
    /* 3.5.2: from ETMv2 on, ETMCCR[31] says whether there is an ETMIDR. */
    if (major > 0 && v->ccr.given && !bit(v->ccr.value, 31))
        return wrong(diag, CCR, v->ccr.value,
                     "bit [31] says that there is no ETMIDR, but one is given");
    return ETM_OK;
}

/* Version of a macrocell without ETMIDR (3.5.2; protocol numbers: 1.2). */
static int version_from_ccr(struct etm_config *c, const struct values *v,
                            struct etm_diag *diag)
{
    static const uint8_t minors[8] = {0, 1, 2, 3, 2, 3, 0xff, 3};
    unsigned number = v->ccr.value >> 28 & 7;

    if (minors[number] == 0xff)
        return wrong(
            diag, CCR, v->ccr.value,
            "bits [30:28] are 6, which is not a known protocol version");
    c->protocol = ETM_PROTOCOL_ETMV1;
    c->minor = minors[number];
    return ETM_OK;
}

static int find_version(struct etm_config *c, enum etm_protocol protocol,
                        const struct values *v, struct etm_diag *diag)
{
    int last = etm_protocol_last_minor(protocol);
    uint32_t from = v->idr.given ? IDR : CCR;
    int status;

    if (protocol != ETM_PROTOCOL_NONE && last < 0) {
        status = etm_diag_begin(diag, ETM_ERR_CONFIG, NULL);
        etm_diag_text(diag, "there is no protocol with the number ");
        etm_diag_dec(diag, (unsigned)protocol);
        return status;
    }
    if (v->idr.given) {
        status = version_from_idr(c, v, diag);
    } else if (v->ccr.given && !bit(v->ccr.value, 31)) {
        status = version_from_ccr(c, v, diag);
    } else if (last >= 0) {
        /* The last version explains all that earlier ones send, and more. */
        c->protocol = protocol;
        c->minor = (uint8_t)last;
        return ETM_OK;
    } else {
        return etm_diag_say(diag, ETM_ERR_CONFIG, "ETMIDR",
                            "ETMIDR is missing, and no protocol is given");
    }
    if (status == ETM_OK && last >= 0 && protocol != c->protocol) {
        status = wrong(diag, from, from == IDR ? v->idr.value : v->ccr.value,
                       "the protocol is ");
        etm_diag_text(diag, etm_protocol_name(c->protocol));
        etm_diag_text(diag, ", not ");
        etm_diag_text(diag, etm_protocol_name(protocol));
    }
    return status;
}

/* ETMCR (3.5.1): bits that a version does not define read as unknown. */
static int from_cr(struct etm_config *c, const struct values *values,
                   struct etm_diag *diag)
{
    static const uint8_t context_bytes[4] = {0, 1, 2, 4};
    uint32_t cr = values->cr.value;
    bool v1 = c->protocol == ETM_PROTOCOL_ETMV1;
    bool v2 = c->protocol == ETM_PROTOCOL_ETMV2;
    bool v3 = c->protocol == ETM_PROTOCOL_ETMV3;
    bool pft = c->protocol == ETM_PROTOCOL_PFT;

    c->cycle_accurate = bit(cr, 12);
    c->branch_broadcast = bit(cr, 8);
    if (!v1 || c->minor >= 2)
        c->context_id_bytes = context_bytes[cr >> 14 & 3];
    if (!pft) {
        c->cprt = bit(cr, 1);
        c->data_value = bit(cr, 2);
        c->data_address = bit(cr, 3);
    }
    /* Table 2-1: [19] without [1] is unpredictable, but only for these
     * transfers. */
    c->cprt_filter = v3 && c->cprt && bit(cr, 19);
    c->data_only = is_v3(c, 1) && bit(cr, 20);
    c->timestamps = (is_v3(c, 5) || pft) && bit(cr, 28);
    c->return_stack = pft && bit(cr, 29);
    c->vmid = (is_v3(c, 5) || is_pft(c, 1)) && bit(cr, 30);

    /* Table 3-6: without a width the trace port cannot be read. */
    if ((v1 || v2) && (cr >> 4 & 7) > 2)
        return wrong(diag, CR, cr, "bits [6:4] are a reserved port size");
    if ((v1 || v2) && values->cr.given)
        c->port_width = (uint8_t)(4u << (cr >> 4 & 7));
    return ETM_OK;
}

/* ETMIDR (3.5.18); without it, what most macrocells of the version are. */
static void from_idr(struct etm_config *c, const struct values *v)
{
    bool pft = c->protocol == ETM_PROTOCOL_PFT;
    bool assume = !v->idr.given;

    c->pc_first =
        (is_v3(c, 0) || (c->protocol == ETM_PROTOCOL_ETMV2 && c->minor >= 1)) &&
        bit(v->idr.value, 16);
    /* ETM11RV r0p0 loads the PC first, but does not say so (table 3-47,
       note c). */
    if (v->idr.value == 0x41003210)
        c->pc_first = true;
    /* Before ETMv3.2 the two halves of BL are traced separately (4.5.4). In PFT
       the question does not arise: only waypoints are traced. */
    c->thumb32_split =
        !pft && (!is_v3(c, 2) || (!assume && !bit(v->idr.value, 18)));
    c->security = (is_v3(c, 2) || pft) && (assume || bit(v->idr.value, 19));
    c->alternative_branches = is_v3(c, 4) && bit(v->idr.value, 20);
    if (v->idr.given)
        c->profile = etm_profile_of_idr(v->idr.value);
}

/* ETMCCER (3.5.19; bits [29:22] in ETMv3.5 and PFT). */
static void from_ccer(struct etm_config *c, uint32_t ccer)
{
    bool pft = c->protocol == ETM_PROTOCOL_PFT;
    /* PFTv1.0 reserves [29:26]. */
    bool late = is_v3(c, 5) || is_pft(c, 1);

    c->return_stack_implemented = pft && bit(ccer, 23);
    c->barriers_are_waypoints = pft && bit(ccer, 24);
    c->virtualization = late && bit(ccer, 26);
    c->timestamp_binary = late && bit(ccer, 28);
    c->timestamp_64bit = late && bit(ccer, 29);
}

/* A trace ID that a source may have. */
static int check_id(const struct values *v, struct etm_diag *diag)
{
    if ((v->traceidr.value & 0x7f) > ETM_TRACE_ID_MAX)
        return wrong(diag, TRACEIDR, v->traceidr.value, "a reserved trace ID");
    return ETM_OK;
}

/* The trace ID of an ITM is TraceBusID, bits [22:16] of ITM_TCR (ARMv7-M ARM,
 * C1.7.6). */
static void take_trace_bus_id(struct values *v,
                              const struct etm_register *registers, size_t n)
{
    for (size_t i = 0; i < n && !v->traceidr.given; i++)
        if (etm_same_name(registers[i].name, "ITMTCR"))
            v->traceidr.value = (uint32_t)(registers[i].value >> 16 & 0x7f);
}

/* An ITM or an MTB: the packets depend on no register. */
static int of_other(struct etm_config *config, enum etm_protocol protocol,
                    struct values *v, struct etm_diag *diag)
{
    struct etm_config c = {.protocol = protocol, .profile = ETM_PROFILE_M};
    int status = check_id(v, diag);

    if (status != ETM_OK)
        return status;
    c.trace_id = (uint8_t)(v->traceidr.value & 0x7f);
    ETM_GIVE(etm_config, config, &c);
    return ETM_OK;
}

int etm_config_from_registers(struct etm_config *config,
                              enum etm_protocol protocol,
                              const struct etm_register *registers, size_t n,
                              struct etm_diag *diag)
{
    struct etm_config c = {0};
    struct values v;
    int status;

    if (config == NULL || (registers == NULL && n != 0))
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL,
                            config == NULL ? "no configuration is given"
                                           : "the registers are NULL");
    status = pick(&v, registers, n, diag);
    ETM_GIVE(etm_config, config, &c);
    if (status == ETM_OK && !etm_protocol_is_macrocell(protocol) &&
        etm_protocol_last_minor(protocol) >= 0) {
        if (protocol == ETM_PROTOCOL_ITM)
            take_trace_bus_id(&v, registers, n);
        return of_other(config, protocol, &v, diag);
    }
    if (status == ETM_OK)
        status = find_version(&c, protocol, &v, diag);
    if (status == ETM_OK)
        status = from_cr(&c, &v, diag);
    if (status != ETM_OK)
        return status;
    from_idr(&c, &v);
    from_ccer(&c, v.ccer.value);
    if (c.protocol != ETM_PROTOCOL_ETMV1)
        c.sync_period = v.syncfr.value & 0xfff;
    /* A macrocell older than ETMTRACEIDR has none; if it is given, it is
     * used. */
    c.trace_id = (uint8_t)(v.traceidr.value & 0x7f);
    status = check_id(&v, diag);
    if (status == ETM_OK)
        status = etm_config_check(&c, diag);
    if (status == ETM_OK)
        ETM_GIVE(etm_config, config, &c);
    return status;
}

/* Append a register; those that do not fit are counted only. */
static int put(struct etm_register *registers, size_t capacity, int n,
               uint32_t number, uint32_t value)
{
    const char *name = etm_register_name(number);

    if ((size_t)n < capacity) {
        struct etm_register *r = &registers[n];

        *r = (struct etm_register){.number = number, .value = value};
        memcpy(r->name, name, strlen(name) + 1);
    }
    return n + 1;
}

static uint32_t flag(bool set, unsigned n)
{
    return (uint32_t)set << n;
}

static uint32_t to_cr(const struct etm_config *c)
{
    uint32_t size = c->context_id_bytes;
    uint32_t port = 0;

    /* Table 3-6: 0, 1 and 2 are 4, 8 and 16 pins. */
    if (etm_protocol_is_port(c->protocol))
        port = c->port_width == 0 ? 1 : c->port_width >> 3;
    size = size == 4 ? 3 : size;
    return port << 4 | flag(c->cprt, 1) | flag(c->data_value, 2) |
           flag(c->data_address, 3) | flag(c->branch_broadcast, 8) |
           flag(c->cycle_accurate, 12) | size << 14 | flag(c->cprt_filter, 19) |
           flag(c->data_only, 20) | flag(c->timestamps, 28) |
           flag(c->return_stack, 29) | flag(c->vmid, 30);
}

static uint32_t to_idr(const struct etm_config *c)
{
    bool pft = c->protocol == ETM_PROTOCOL_PFT;
    uint32_t family = pft || is_v3(c, 3) ? 0xf : is_v3(c, 1) ? 3 : 2;

    /* Existing program trace macrocells set [18] and [20]. Revision 1 of
       ETMv3.1: revision 0 does not say what it does in [16]. */
    return UINT32_C(0x41000000) | family << 12 |
           flag(c->protocol == ETM_PROTOCOL_ETMV3 && c->minor == 1, 0) |
           (uint32_t)(c->protocol - ETM_PROTOCOL_ETMV1) << 8 |
           (uint32_t)c->minor << 4 | flag(c->pc_first, 16) |
           flag(pft || (is_v3(c, 2) && !c->thumb32_split), 18) |
           flag(c->security, 19) | flag(pft || c->alternative_branches, 20);
}

static uint32_t to_ccer(const struct etm_config *c)
{
    return flag(c->timestamps, 22) | flag(c->return_stack_implemented, 23) |
           flag(c->barriers_are_waypoints, 24) | flag(c->virtualization, 26) |
           flag(c->timestamp_binary, 28) | flag(c->timestamp_64bit, 29);
}

int etm_config_to_registers(const struct etm_config *config,
                            struct etm_register *registers, size_t capacity)
{
    struct etm_config own;
    const struct etm_config *c = &own;
    int status = etm_config_take(&own, config, NULL);
    int n = 0;
    bool pft;

    if (status != ETM_OK)
        return status;
    if (!etm_protocol_is_macrocell(c->protocol))
        return 0;
    if (registers == NULL)
        capacity = 0;
    pft = c->protocol == ETM_PROTOCOL_PFT;
    n = put(registers, capacity, n, CR, to_cr(c));
    if (c->protocol == ETM_PROTOCOL_ETMV1) {
        /* No ETMIDR: the protocol number is the minor version (1.2). */
        n = put(registers, capacity, n, CCR, (uint32_t)c->minor << 28);
    } else {
        if (c->sync_period != 0)
            n = put(registers, capacity, n, SYNCFR, c->sync_period);
        n = put(registers, capacity, n, IDR, to_idr(c));
    }
    if (is_v3(c, 1) || pft)
        n = put(registers, capacity, n, CCER, to_ccer(c));
    if (is_v3(c, 2) || pft || c->trace_id != 0)
        n = put(registers, capacity, n, TRACEIDR, c->trace_id);
    return n;
}
