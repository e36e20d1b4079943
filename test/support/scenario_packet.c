/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of scenarios: words -> struct etm_packet -> bytes. */
#include "scenario.h"

#include "proto/etmv3.h"
#include "proto/pft.h"

#include <stdlib.h>
#include <string.h>

const char *etm_scenario_value(const struct etm_scenario_line *line,
                               const char *key)
{
    size_t n = strlen(key);

    for (unsigned i = 1; i < line->n; i++)
        if (strncmp(line->word[i], key, n) == 0 && line->word[i][n] == '=')
            return line->word[i] + n + 1;
    return NULL;
}

bool etm_scenario_flag(const struct etm_scenario_line *line, const char *flag)
{
    for (unsigned i = 1; i < line->n; i++)
        if (strcmp(line->word[i], flag) == 0)
            return true;
    return false;
}

static uint32_t number(const struct etm_scenario_line *line, const char *key,
                       int base)
{
    const char *value = etm_scenario_value(line, key);

    return value != NULL ? (uint32_t)strtoul(value, NULL, base) : 0;
}

enum etm_isa etm_scenario_isa(const char *word)
{
    for (int isa = ETM_ISA_ARM; isa <= ETM_ISA_JAZELLE; isa++)
        if (strcmp(word, etm_isa_name((enum etm_isa)isa)) == 0)
            return (enum etm_isa)isa;
    return ETM_ISA_UNKNOWN;
}

/* The instruction set that a line names anywhere. */
static enum etm_isa isa_of(const struct etm_scenario_line *line)
{
    for (unsigned i = 1; i < line->n; i++)
        if (etm_scenario_isa(line->word[i]) != ETM_ISA_UNKNOWN)
            return etm_scenario_isa(line->word[i]);
    return ETM_ISA_UNKNOWN;
}

static unsigned shift_of(enum etm_isa isa)
{
    return isa == ETM_ISA_ARM ? 2 : isa == ETM_ISA_JAZELLE ? 0 : 1;
}

static unsigned bits_of(const struct etm_config *config, unsigned bytes,
                        enum etm_isa isa)
{
    if (config->protocol == ETM_PROTOCOL_PFT)
        return etm_pft_address_bits(bytes, isa);
    if (bytes == 5)
        return 32 - shift_of(isa);
    return 7 * bytes - (etm_etmv3_alternative(config) && bytes > 1 ? 2 : 1);
}

/*
 * An address: whole with the instruction set named, else the low bits that
 * `bytes=N` bytes carry, shifted as the last packet's instruction set asks.
 */
static void address(const struct etm_config *config,
                    const struct etm_broadcast *said,
                    const struct etm_scenario_line *line, struct etm_packet *p)
{
    uint32_t whole = (uint32_t)strtoul(line->word[1], NULL, 16);
    enum etm_isa isa = isa_of(line);
    unsigned bytes = number(line, "bytes", 10);
    unsigned shift =
        shift_of(isa != ETM_ISA_UNKNOWN ? isa : (enum etm_isa)said->isa);

    p->isa = (uint8_t)(isa == ETM_ISA_THUMBEE ? ETM_ISA_THUMB : isa);
    if (isa == ETM_ISA_THUMBEE)
        p->fields |= ETM_FIELD_ALT_ISA;
    p->address_bytes = (uint8_t)(bytes != 0 ? bytes : 5);
    p->address_bits =
        (uint8_t)bits_of(config, p->address_bytes, (enum etm_isa)p->isa);
    p->address = whole >> shift;
    if (p->address_bits < 32)
        p->address &= ((uint32_t)1 << p->address_bits) - 1;
    p->fields |= ETM_FIELD_ADDRESS;
}

static void state(const struct etm_scenario_line *line, struct etm_packet *p)
{
    if (etm_scenario_flag(line, "ns"))
        p->fields |= ETM_FIELD_NS;
    if (etm_scenario_flag(line, "hyp"))
        p->fields |= ETM_FIELD_HYP;
}

static void cycles(const struct etm_scenario_line *line, struct etm_packet *p)
{
    if (etm_scenario_value(line, "cycles") == NULL)
        return;
    p->fields |= ETM_FIELD_CYCLES;
    p->cycle_count = number(line, "cycles", 10);
}

static void branch(const struct etm_config *config,
                   const struct etm_broadcast *said,
                   const struct etm_scenario_line *line, struct etm_packet *p)
{
    p->kind = ETM_PACKET_BRANCH_ADDRESS;
    p->exception = (uint16_t)number(line, "exception", 10);
    p->resume = (uint8_t)number(line, "resume", 10);
    address(config, said, line, p);
    state(line, p);
    cycles(line, p);
    if (etm_scenario_flag(line, "cancel"))
        p->fields |= ETM_FIELD_CANCEL;
    if (etm_scenario_flag(line, "deprecated")) {
        p->fields |= ETM_FIELD_DEPRECATED;
        return;
    }
    if (p->exception != 0 || etm_scenario_flag(line, "e0") ||
        (p->fields &
         (ETM_FIELD_NS | ETM_FIELD_HYP | ETM_FIELD_CANCEL | ETM_FIELD_ALT_ISA)))
        p->fields |= ETM_FIELD_EXCEPTION_0;
    if (p->exception > 15 || etm_scenario_flag(line, "e1") ||
        (p->fields & ETM_FIELD_HYP))
        p->fields |= ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_1;
    if (p->resume != 0)
        p->fields |= ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_2;
}

static uint8_t reason_of(const struct etm_scenario_line *line)
{
    const char *reason = etm_scenario_value(line, "reason");

    if (reason == NULL || strcmp(reason, "start") == 0)
        return ETM_SYNC_TRACE_ON;
    if (strcmp(reason, "overflow") == 0)
        return ETM_SYNC_OVERFLOW;
    if (strcmp(reason, "debug_exit") == 0)
        return ETM_SYNC_DEBUG_EXIT;
    return ETM_SYNC_PERIODIC;
}

/* The second address of an LSiP I-sync: "then=ADDRESS" in `bytes=N` bytes of
 * the same instruction set. */
static void second(const struct etm_config *config,
                   const struct etm_scenario_line *line, struct etm_packet *p)
{
    p->kind = ETM_PACKET_LSIP_I_SYNC;
    p->address2_bytes = (uint8_t)number(line, "bytes", 10);
    if (p->address2_bytes == 0) {
        p->address2_bytes = 5;
        p->isa2 = p->isa;
    }
    p->address2_bits =
        (uint8_t)bits_of(config, p->address2_bytes, (enum etm_isa)p->isa2);
    p->address2 = number(line, "then", 16) >> shift_of((enum etm_isa)p->isa);
    if (p->address2_bits < 32)
        p->address2 &= ((uint32_t)1 << p->address2_bits) - 1;
}

static void i_sync(const struct etm_config *config,
                   const struct etm_scenario_line *line, struct etm_packet *p)
{
    bool counted = etm_scenario_value(line, "cycles") != NULL;

    p->kind = ETM_PACKET_I_SYNC;
    p->isa = (uint8_t)isa_of(line);
    p->reason = reason_of(line);
    state(line, p);
    cycles(line, p);
    if (p->isa != ETM_ISA_UNKNOWN) { /* else it is a data-only one */
        p->address = (uint32_t)strtoul(line->word[1], NULL, 16);
        p->fields |= ETM_FIELD_ADDRESS;
    }
    if (p->isa == ETM_ISA_THUMBEE)
        p->fields |= ETM_FIELD_ALT_ISA;
    if (config->context_id_bytes != 0) {
        p->fields |= ETM_FIELD_CONTEXT_ID;
        p->context_id = number(line, "context", 16);
    }
    if (config->protocol == ETM_PROTOCOL_ETMV3 && counted)
        p->kind = ETM_PACKET_I_SYNC_CYCLE_COUNT;
    if (etm_scenario_value(line, "then") != NULL)
        second(config, line, p);
}

static bool atoms(const struct etm_config *config,
                  const struct etm_scenario_line *line, struct etm_packet *p)
{
    const char *word = line->word[1];

    p->kind = config->protocol == ETM_PROTOCOL_PFT ? ETM_PACKET_ATOM
                                                   : ETM_PACKET_P_HEADER;
    for (; *word != 0 && p->count < 16; word++, p->count++) {
        const char *letter = strchr("ENW", *word);
        if (letter == NULL)
            return false;
        p->value |= (uint64_t)(letter - "ENW") << (2 * p->count);
    }
    cycles(line, p);
    return *word == 0;
}

/* Packets of a header and perhaps one number. */
static bool simple(const struct etm_scenario_line *line, struct etm_packet *p)
{
    static const uint8_t kinds[] = {
        ETM_PACKET_A_SYNC,          ETM_PACKET_TRIGGER,
        ETM_PACKET_IGNORE,          ETM_PACKET_EXCEPTION_ENTRY,
        ETM_PACKET_EXCEPTION_EXIT,  ETM_PACKET_CYCLE_COUNT,
        ETM_PACKET_CONTEXT_ID,      ETM_PACKET_VMID,
        ETM_PACKET_TIMESTAMP,       ETM_PACKET_RESERVED,
        ETM_PACKET_DATA_SUPPRESSED, ETM_PACKET_STORE_FAILED,
    };
    const char *word = line->n > 1 ? line->word[1] : "0";

    for (size_t i = 0; i < sizeof kinds; i++) {
        enum etm_packet_kind kind = (enum etm_packet_kind)kinds[i];
        if (strcmp(line->word[0], etm_packet_kind_name(kind)) != 0)
            continue;
        p->kind = (uint8_t)kind;
        p->cycle_count = (uint32_t)strtoul(word, NULL, 10);
        p->context_id = (uint32_t)strtoul(word, NULL, 16);
        p->header = (uint8_t)strtoul(word, NULL, 16);
        p->value = strtoull(word, NULL, kind == ETM_PACKET_VMID ? 16 : 10);
        p->value_bytes = (uint8_t)number(line, "bytes", 10);
        if (kind == ETM_PACKET_CONTEXT_ID)
            p->fields |= ETM_FIELD_CONTEXT_ID;
        if (kind != ETM_PACKET_CYCLE_COUNT)
            p->cycle_count = 0;
        if (kind == ETM_PACKET_TIMESTAMP)
            cycles(line, p);
        return true;
    }
    return false;
}

/* execution_trace FROM TO: `exception` is the A bit, `start` the S bit. */
static bool execution_trace(const struct etm_scenario_line *line,
                            struct etm_packet *p)
{
    if (line->n < 3)
        return false;
    p->kind = ETM_PACKET_EXECUTION_TRACE;
    p->address2 = (uint32_t)strtoul(line->word[1], NULL, 16);
    p->address = (uint32_t)strtoul(line->word[2], NULL, 16);
    if (etm_scenario_flag(line, "exception"))
        p->fields |= ETM_FIELD_A;
    if (etm_scenario_flag(line, "start"))
        p->reason = ETM_SYNC_TRACE_ON;
    return true;
}

int etm_scenario_packet(const struct etm_config *config,
                        struct etm_broadcast *said,
                        const struct etm_scenario_line *line, uint8_t *bytes,
                        size_t capacity)
{
    struct etm_packet p = {0};
    const char *word = line->word[0];
    int n;

    if (strcmp(word, "i_sync") == 0)
        i_sync(config, line, &p);
    else if (strcmp(word, "branch") == 0)
        branch(config, said, line, &p);
    else if (strcmp(word, "waypoint_update") == 0) {
        p.kind = ETM_PACKET_WAYPOINT_UPDATE;
        address(config, said, line, &p);
    } else if (strcmp(word, "execution_trace") == 0) {
        if (!execution_trace(line, &p))
            return ETM_ERR_ARGUMENT;
    } else if (strcmp(word, "atoms") == 0) {
        if (!atoms(config, line, &p))
            return ETM_ERR_ARGUMENT;
    } else if (!simple(line, &p)) {
        return ETM_ERR_NOT_FOUND;
    }
    n = etm_packet_encode(config, &p, bytes, capacity);
    if (n >= 0)
        etm_broadcast_apply(said, config, &p);
    return n;
}
