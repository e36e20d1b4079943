/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packet's fields by name. The names are the specification's (ETM
 * architecture, chapter 7; PFT architecture, chapter 4). A kind always has
 * the same keys; what a packet leaves out is null.
 */
#include "write/describe.h"

#include <etm/decode.h>

#define ROW(name, key, words)                                                  \
    {sizeof(",\"" key "\":") - 1, sizeof(words) - 1, ",\"" key "\":", words},

const struct etm_key etm_keys[] = {ETM_KEY_LIST(ROW)};

static struct etm_described *add(struct etm_description *d,
                                 enum etm_key_number key,
                                 enum etm_field_type type, uint64_t value)
{
    struct etm_described *field = &d->fields[d->n++];

    *field = (struct etm_described){
        .key = (uint8_t)key, .value = value, .type = (uint8_t)type};
    return field;
}

static void add_if(struct etm_description *d, enum etm_key_number key,
                   bool known, enum etm_field_type type, uint64_t value)
{
    (void)add(d, key, known ? type : ETM_SHOW_NULL, value);
}

static void add_flag(struct etm_description *d, enum etm_key_number key,
                     bool known, const struct etm_packet *packet,
                     unsigned field)
{
    add_if(d, key, known, ETM_SHOW_BOOL, (packet->fields & field) != 0);
}

static void add_hex(struct etm_description *d, enum etm_key_number key,
                    bool known, uint64_t value, unsigned bytes)
{
    add_if(d, key, known, ETM_SHOW_HEX, value);
    d->fields[d->n - 1].bytes = (uint8_t)bytes;
}

static void add_text(struct etm_description *d, enum etm_key_number key,
                     bool known, const char *text)
{
    add_if(d, key, known, ETM_SHOW_STRING, 0);
    d->fields[d->n - 1].text = text;
}

static void add_isa(struct etm_description *d, uint8_t isa)
{
    add_text(d, ETM_KEY_ISA, isa != ETM_ISA_UNKNOWN,
             etm_isa_name((enum etm_isa)isa));
}

static void add_cycles(struct etm_description *d, const struct etm_packet *p)
{
    add_if(d, ETM_KEY_CYCLE_COUNT, p->fields & ETM_FIELD_CYCLES,
           ETM_SHOW_NUMBER, p->cycle_count);
}

static void add_context_id(struct etm_description *d,
                           const struct etm_packet *p)
{
    add_if(d, ETM_KEY_CONTEXT_ID, p->fields & ETM_FIELD_CONTEXT_ID,
           ETM_SHOW_NUMBER, p->context_id);
}

/* The reason codes of an I-sync (ETM architecture, table 7-23). */
static const char *reason_text(uint8_t reason)
{
    static const char *const texts[] = {"periodic", "trace_on", "overflow",
                                        "debug_exit"};

    return texts[reason & 3u];
}

static void add_atoms(struct etm_description *d, const struct etm_packet *p)
{
    unsigned n = p->count < 32 ? p->count : 32;

    for (unsigned i = 0; i < n; i++)
        d->atoms[i] = "ENW?"[p->value >> (2 * i) & 3u];
    d->atoms[n] = '\0';
    (void)add(d, ETM_KEY_ATOMS, ETM_SHOW_ATOMS, 0);
    d->fields[d->n - 1].text = d->atoms;
}

/* An I-sync of any form. One in a data-only trace has no address. */
static void describe_i_sync(struct etm_description *d,
                            const struct etm_packet *p,
                            const struct etm_broadcast *after, bool lsip)
{
    bool address = p->address_bits > 0;

    add_hex(d, ETM_KEY_ADDRESS, address, p->address, 4);
    d->fields[d->n - 1].code = true;
    if (lsip) {
        /* the data instruction above is in progress; this one comes next */
        add_hex(d, ETM_KEY_CURRENT_ADDRESS, after->valid, after->address, 4);
        d->fields[d->n - 1].code = true;
    }
    add_isa(d, p->isa);
    add_text(d, ETM_KEY_REASON, true, reason_text(p->reason));
    add_flag(d, ETM_KEY_NS, true, p, ETM_FIELD_NS);
    add_flag(d, ETM_KEY_ALT_ISA, true, p, ETM_FIELD_ALT_ISA);
    add_flag(d, ETM_KEY_HYP, true, p, ETM_FIELD_HYP);
    add_context_id(d, p);
    add_cycles(d, p);
}

static void add_branch_base(struct etm_description *d,
                            const struct etm_packet *p,
                            const struct etm_broadcast *after)
{
    /* one of five bytes is whole also before the first I-sync */
    add_hex(d, ETM_KEY_ADDRESS, after->address_valid, after->address, 4);
    d->fields[d->n - 1].code = true;
    add(d, ETM_KEY_ADDRESS_BITS, ETM_SHOW_NUMBER, p->address_bits)->detail =
        true;
    /* the address says Thumb, AltISA which one (table 7-13) */
    add_isa(d, p->isa == ETM_ISA_THUMB && after->alt_isa
                   ? (uint8_t)ETM_ISA_THUMBEE
                   : p->isa);
}

static void describe_branch(struct etm_description *d,
                            const struct etm_packet *p,
                            const struct etm_broadcast *after)
{
    bool byte0 = p->fields & ETM_FIELD_EXCEPTION_0;
    bool byte1 = p->fields & ETM_FIELD_EXCEPTION_1;
    bool byte2 = p->fields & ETM_FIELD_EXCEPTION_2;
    bool old = p->fields & ETM_FIELD_DEPRECATED;

    add_branch_base(d, p, after);
    add_if(d, ETM_KEY_EXCEPTION, byte0 || old, ETM_SHOW_NUMBER, p->exception);
    add_flag(d, ETM_KEY_CAN, byte0 || old, p, ETM_FIELD_CANCEL);
    add_flag(d, ETM_KEY_NS, byte0, p, ETM_FIELD_NS);
    add_flag(d, ETM_KEY_ALT_ISA, byte0, p, ETM_FIELD_ALT_ISA);
    add_flag(d, ETM_KEY_HYP, byte1, p, ETM_FIELD_HYP);
    add_if(d, ETM_KEY_RESUME, byte2, ETM_SHOW_NUMBER, p->resume);
    add_cycles(d, p);
}

static void add_data_address(struct etm_description *d,
                             const struct etm_packet *p,
                             const struct etm_broadcast *after)
{
    bool traced = p->fields & ETM_FIELD_ADDRESS;
    bool whole = p->address_bits >= 32;

    add_hex(d, ETM_KEY_ADDRESS, traced && (whole || after->data_valid),
            whole ? p->address : after->data_address, 4);
    add_if(d, ETM_KEY_ADDRESS_BITS, traced, ETM_SHOW_NUMBER, p->address_bits);
    d->fields[d->n - 1].detail = true;
    add_flag(d, ETM_KEY_BE, traced && whole, p, ETM_FIELD_BE);
    add_flag(d, ETM_KEY_A, true, p, ETM_FIELD_A);
}

/* SS = 0 stands for the value 0 and has no bytes (ETM architecture 7.4.1). */
static void add_value(struct etm_description *d, const struct etm_packet *p)
{
    unsigned bytes = p->value_bytes;

    add_hex(d, ETM_KEY_VALUE, p->fields & ETM_FIELD_VALUE, p->value,
            bytes == 0  ? 1
            : bytes < 8 ? bytes
                        : 8);
}

static void describe_timestamp(struct etm_description *d,
                               const struct etm_packet *p,
                               const struct etm_broadcast *after,
                               const struct etm_config *config)
{
    /* high bits that were never sent are not known */
    bool whole = after->timestamp_bits >= etm_timestamp_bits(config);
    uint64_t time = etm_timestamp_time(config, after->timestamp);

    add_if(d, ETM_KEY_TIMESTAMP, whole && time != 0, ETM_SHOW_DECIMAL_STRING,
           time);
    add_hex(d, ETM_KEY_VALUE, true, p->value,
            p->value_bytes >= 1 && p->value_bytes <= 8 ? p->value_bytes : 8u);
    add_flag(d, ETM_KEY_R, true, p, ETM_FIELD_R);
    if (config->protocol == ETM_PROTOCOL_PFT)
        add_cycles(d, p);
}

/* Tables 5-1 and 6-1. */
static const char *status_text(const struct etm_config *config, uint64_t status)
{
    static const char *const v1[] = {"IE", "ID", "IN", "WT",
                                     "BE", "BD", "TR", "TD"};
    static const char *const v2[] = {
        "IE",   "DE",   "IN",   "DN",   "WT",   "DW",   "TR",   "TD",
        "PTIE", "PTDE", "PTIN", "PTDN", "PNIE", "PNDE", "PNIN", "PNDN"};

    return config->protocol == ETM_PROTOCOL_ETMV1 ? v1[status & 7u]
                                                  : v2[status & 15u];
}

static void describe_pipestat(struct etm_description *d,
                              const struct etm_packet *p,
                              const struct etm_config *config)
{
    add_text(d, ETM_KEY_STATUS, true, status_text(config, p->value));
    /* ETMv2 has no such signal */
    add_flag(d, ETM_KEY_TRACESYNC, config->protocol == ETM_PROTOCOL_ETMV1, p,
             ETM_FIELD_ADDRESS);
}

/* enum etm_packet_use */
static const char *use_text(uint8_t use)
{
    static const char *const texts[] = {
        "nothing", "packets", "packets_if_any", "replaced_status",
        "tfo",     "gap",     "reserved",       "unknown"};

    return texts[use & 7u];
}

/* What was on TRACEPKT in a cycle. */
static void describe_pins(struct etm_description *d, const struct etm_packet *p,
                          const struct etm_config *config)
{
    bool v2 = config->protocol == ETM_PROTOCOL_ETMV2;

    add_hex(d, ETM_KEY_VALUE, true, p->value,
            p->value_bytes >= 1 && p->value_bytes <= 8 ? p->value_bytes : 1u);
    add_text(d, ETM_KEY_CARRIES, true, use_text(p->use));
    add_text(d, ETM_KEY_REPLACED, p->use == ETM_USE_STATUS,
             status_text(config, p->value));
    add_if(d, ETM_KEY_HALF_BYTES, v2 && p->use == ETM_USE_PACKETS,
           ETM_SHOW_NUMBER, p->count);
    if (p->kind == ETM_PACKET_TFO)
        add_if(d, ETM_KEY_TFO, p->fields & ETM_FIELD_ADDRESS, ETM_SHOW_NUMBER,
               p->address);
}

/* A packet of an ITM: fields by the names of the ARMv7-M ARM, appendix D4. */
static void describe_itm(struct etm_description *d, const struct etm_packet *p,
                         const struct etm_broadcast *after)
{
    const bool address = (p->fields & ETM_FIELD_ADDRESS) != 0;
    const bool whole = after->timestamp_bits >= 48;

    switch ((enum etm_itm_packet_kind)p->kind) {
    case ETM_PACKET_LOCAL_TIMESTAMP:
        (void)add(d, ETM_KEY_TS, ETM_SHOW_NUMBER, p->value);
        add_text(d, ETM_KEY_TC, true,
                 etm_itm_relation_name((enum etm_itm_relation)p->tag));
        break;
    case ETM_PACKET_GLOBAL_TIMESTAMP_1:
        add_if(d, ETM_KEY_TIMESTAMP, whole, ETM_SHOW_DECIMAL_STRING,
               after->timestamp);
        (void)add(d, ETM_KEY_TS, ETM_SHOW_NUMBER, p->value);
        (void)add(d, ETM_KEY_WRAP, ETM_SHOW_BOOL, p->tag);
        add_flag(d, ETM_KEY_CLOCK_CHANGE, true, p, ETM_FIELD_R);
        break;
    case ETM_PACKET_GLOBAL_TIMESTAMP_2:
        add_if(d, ETM_KEY_TIMESTAMP, whole, ETM_SHOW_DECIMAL_STRING,
               after->timestamp);
        (void)add(d, ETM_KEY_TS, ETM_SHOW_NUMBER, p->value);
        break;
    case ETM_PACKET_EXTENSION:
        (void)add(d, ETM_KEY_SH, ETM_SHOW_BOOL, p->tag);
        add_hex(d, ETM_KEY_EX, true, p->value, 4);
        break;
    case ETM_PACKET_STIMULUS_PORT_PAGE:
        (void)add(d, ETM_KEY_PAGE, ETM_SHOW_NUMBER, p->value);
        break;
    case ETM_PACKET_INSTRUMENTATION:
        (void)add(d, ETM_KEY_PORT, ETM_SHOW_NUMBER, p->tag);
        add_hex(d, ETM_KEY_VALUE, true, p->value, p->value_bytes);
        break;
    case ETM_PACKET_EVENT_COUNTER:
        add_hex(d, ETM_KEY_EVENTS, true, p->value, 1);
        break;
    case ETM_PACKET_EXCEPTION_TRACE:
        (void)add(d, ETM_KEY_EXCEPTION, ETM_SHOW_NUMBER, p->exception);
        add_text(
            d, ETM_KEY_FN, p->reason != ETM_EXCEPTION_UNTOLD,
            etm_exception_action_name((enum etm_exception_action)p->reason));
        break;
    case ETM_PACKET_PC_SAMPLE:
        add_hex(d, ETM_KEY_ADDRESS, address, p->address, 4);
        d->fields[d->n - 1].code = true;
        add_text(d, ETM_KEY_STATE, !address,
                 etm_pc_state_name(p->value == 0 ? ETM_PC_SLEEPING
                                                 : ETM_PC_PROHIBITED));
        break;
    case ETM_PACKET_DATA_TRACE_PC:
    case ETM_PACKET_DATA_TRACE_ADDRESS:
        (void)add(d, ETM_KEY_COMPARATOR, ETM_SHOW_NUMBER, p->tag);
        add_hex(d, ETM_KEY_ADDRESS, true, p->address, p->address_bits / 8u);
        d->fields[d->n - 1].code = p->kind == ETM_PACKET_DATA_TRACE_PC;
        break;
    case ETM_PACKET_DATA_TRACE_MATCH:
        (void)add(d, ETM_KEY_COMPARATOR, ETM_SHOW_NUMBER, p->tag);
        break;
    case ETM_PACKET_DATA_TRACE_VALUE:
        (void)add(d, ETM_KEY_COMPARATOR, ETM_SHOW_NUMBER, p->tag);
        (void)add(d, ETM_KEY_WRITE, ETM_SHOW_BOOL, p->reason);
        add_hex(d, ETM_KEY_VALUE, true, p->value, p->value_bytes);
        break;
    case ETM_PACKET_HARDWARE:
        (void)add(d, ETM_KEY_DISCRIMINATOR, ETM_SHOW_NUMBER, p->tag);
        add_hex(d, ETM_KEY_VALUE, true, p->value, p->value_bytes);
        break;
    case ETM_PACKET_SYNCHRONIZATION:
    case ETM_PACKET_OVERFLOW:
        break;
    }
}

/* The packet of an MTB: fields by the names of its manual, 2.3.1. */
static void describe_mtb(struct etm_description *d, const struct etm_packet *p)
{
    add_hex(d, ETM_KEY_SOURCE, true, p->address2, 4);
    d->fields[d->n - 1].code = true;
    add_hex(d, ETM_KEY_DESTINATION, true, p->address, 4);
    d->fields[d->n - 1].code = true;
    add_flag(d, ETM_KEY_A, true, p, ETM_FIELD_A);
    (void)add(d, ETM_KEY_S, ETM_SHOW_BOOL, p->reason == ETM_SYNC_TRACE_ON);
}

void etm_describe(struct etm_description *d, const struct etm_packet *p,
                  const struct etm_broadcast *after,
                  const struct etm_config *config)
{
    d->n = 0;
    if ((unsigned)p->kind > ETM_PACKET_HARDWARE) {
        describe_mtb(d, p);
        return;
    }
    if (p->kind > ETM_PACKET_TFO) {
        describe_itm(d, p, after);
        return;
    }
    switch ((enum etm_packet_kind)p->kind) {
    case ETM_PACKET_BAD:
        add_flag(d, ETM_KEY_TRUNCATED, true, p, ETM_FIELD_TRUNCATED);
        break;
    case ETM_PACKET_RESERVED:
        add_hex(d, ETM_KEY_HEADER, true, p->header, 1);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
        describe_i_sync(d, p, after, false);
        break;
    case ETM_PACKET_LSIP_I_SYNC:
        describe_i_sync(d, p, after, true);
        break;
    case ETM_PACKET_P_HEADER:
        add_atoms(d, p);
        break;
    case ETM_PACKET_ATOM:
        add_atoms(d, p);
        add_cycles(d, p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        describe_branch(d, p, after);
        break;
    case ETM_PACKET_WAYPOINT_UPDATE:
        add_branch_base(d, p, after);
        add_flag(d, ETM_KEY_ALT_ISA, p->fields & ETM_FIELD_EXCEPTION_0, p,
                 ETM_FIELD_ALT_ISA);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        (void)add(d, ETM_KEY_CYCLE_COUNT, ETM_SHOW_NUMBER, p->cycle_count);
        break;
    case ETM_PACKET_CONTEXT_ID:
        (void)add(d, ETM_KEY_CONTEXT_ID, ETM_SHOW_NUMBER, p->context_id);
        break;
    case ETM_PACKET_VMID:
        (void)add(d, ETM_KEY_VMID, ETM_SHOW_NUMBER, p->value);
        break;
    case ETM_PACKET_TIMESTAMP:
        describe_timestamp(d, p, after, config);
        break;
    case ETM_PACKET_NORMAL_DATA:
        add_data_address(d, p, after);
        add_value(d, p);
        break;
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
        (void)add(d, ETM_KEY_TAG, ETM_SHOW_NUMBER, p->tag);
        add_data_address(d, p, after);
        break;
    case ETM_PACKET_OUT_OF_ORDER_DATA:
        (void)add(d, ETM_KEY_TAG, ETM_SHOW_NUMBER, p->tag);
        add_value(d, p);
        break;
    case ETM_PACKET_VALUE_NOT_TRACED:
        add_data_address(d, p, after);
        break;
    case ETM_PACKET_PIPESTAT:
        describe_pipestat(d, p, config);
        break;
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        describe_pins(d, p, config);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        break;
    }
}
